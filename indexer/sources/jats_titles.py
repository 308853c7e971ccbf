"""Titles and abstracts of a JATS article, English and others each in their place."""

from collections.abc import Iterator
from dataclasses import replace

from lxml import etree

from indexer.citation import Citation, OtherAbstract, Section
from indexer.sources.jats_text import LANGUAGE, paragraphs_in, sentences, text_in
from indexer.sources.pubmed_fields import language_tag
from indexer.sources.sections import read_sections

_ASIDE = frozenset("graphical toc teaser precis key-points highlights editor plain-language-summary".split())
"""Kinds of abstract that do not stand for an article, whatever else it has."""


def translations(article: etree._Element) -> list[tuple[str, etree._Element]]:
    """Language and front of each translation of the whole article that stands in it."""
    return [
        (language_tag(part.get(LANGUAGE) or "und"), front)
        for part in article.iterchildren("sub-article")
        if part.get("article-type") == "translation"
        for front in part.iterchildren("front-stub", "front")
    ]


def with_titles(citation: Citation, article: etree._Element, meta: etree._Element) -> Citation:
    """Titles and abstracts: the English ones in their places, those in other languages in theirs."""
    own = citation.languages[0]
    titles: dict[str, str] = {}
    abstracts: list[OtherAbstract] = []
    for language, front in [(own, meta), *translations(article)]:
        group = next(front.iter("title-group"), None)
        for code, title in _titles(group, language) if group is not None else ():
            titles.setdefault(code, title)
        for element in front.iter("abstract", "trans-abstract"):
            abstracts.append(_abstract(element, language))
    others = [title for code, title in titles.items() if code not in ("en", own)]
    original = titles.get(own, "") if own != "en" else next(iter(others), "")
    title = titles.get("en") or original or next(iter(others), "")
    main, aside = _main_abstract([abstract for abstract in abstracts if abstract.sections])
    return replace(
        citation,
        title=title,
        title_translated=own != "en" and "en" in titles,
        vernacular_title="" if original == title else original,
        abstract=main,
        other_abstracts=aside,
    )


def _titles(group: etree._Element, language: str) -> Iterator[tuple[str, str]]:
    """Each title with its subtitle, and the language that it is in."""
    own = text_in(group.find("article-title"))
    yield language, _titled(own, [text_in(part) for part in group.iterchildren("subtitle")])
    for part in group.iterchildren("trans-title-group"):
        code = language_tag(part.get(LANGUAGE) or "und")
        subtitles = [text_in(item) for item in part.iterchildren("trans-subtitle")]
        yield code, _titled(text_in(part.find("trans-title")), subtitles)
    for part in group.iterchildren("trans-title"):
        yield language_tag(part.get(LANGUAGE) or "und"), text_in(part)


def _titled(title: str, subtitles: list[str]) -> str:
    """A title with its subtitles behind colons."""
    for subtitle in filter(None, subtitles):
        title = f"{title} {subtitle}" if title.endswith((":", "?", "!", "：")) else f"{title}: {subtitle}"
    return title


def _abstract(element: etree._Element, language: str) -> OtherAbstract:
    code = element.get(LANGUAGE)
    kind = element.get("abstract-type", "")
    return OtherAbstract(language_tag(code) if code else language, kind, tuple(_sections(element)))


def _sections(abstract: etree._Element) -> Iterator[Section]:
    """The sections of an abstract; of one without any, those that its text itself marks."""
    loose = [text_in(child) for child in abstract if child.tag not in ("sec", "title", "label")]
    whole = sentences([abstract.text or "", *loose])
    if abstract.find("sec") is None:
        yield from read_sections(whole or paragraphs_in(abstract))
        return
    yield from (Section(whole),) if whole else ()
    for part in abstract.iterchildren("sec"):
        label = text_in(part.find("title")).rstrip(".: ")
        inner = [paragraphs_in(child) for child in part if child.tag not in ("title", "label")]
        section = Section(sentences(inner), label)
        if section.text or section.label:
            yield section


def _main_abstract(
    abstracts: list[OtherAbstract],
) -> tuple[tuple[Section, ...], tuple[OtherAbstract, ...]]:
    """The sections of the English abstract, and the rest: other languages, other kinds."""
    english = [one for one in abstracts if one.language == "en" and one.type not in _ASIDE]
    main = min(english, key=lambda one: bool(one.type), default=None)
    return main.sections if main else (), tuple(one for one in abstracts if one is not main)
