"""What lexical search sees of a citation: analysed terms, field by field."""

from collections.abc import Iterable

from indexer.citation import Citation
from models.analysis import analyse_both, words

FIELD_WEIGHTS = {"title": 2, "abstract": 1, "topics": 1, "vernacular": 2, "other": 1}
"""How many times a term counts that stands in the field."""

RANKED = "terms"
"""The column that ranking sees."""

BOUNDARY = "|"
"""Stands between two texts of one field, so that no phrase reaches from one into the other.

Analysis never makes such a term, so no query meets it.
"""


BODY = "body_terms"
"""The column with the terms of the full text, null without one; ranked by itself, behind RANKED.

Within one column, a text of thousands of words would lose against abstracts by its length, and change how
rare words are for all the others.
"""

WORDS = "words"
"""The column with the distinct words, not stemmed."""

Text = tuple[str, str | None]
"""A text and the language that it is in, None for English or unknown."""


def column(field: str) -> str:
    """The column of citations.lance with the terms of a field."""
    return f"{field}_terms"


def term_columns(citation: Citation) -> dict[str, str | None]:
    """Terms of each field, those that ranking sees, and the distinct words; all parted by spaces.

    Fields hold no wholes of compounds, so that phrases and distances count words as they are written. Ranking
    sees them, and the terms of a field as often as it weighs. BM25 over that is BM25F (Robertson, Zaragoza
    and Taylor, CIKM 2004), which saturates a term's count after adding up its weighted counts.
    """
    texts = field_texts(citation)
    ranked = [
        term
        for field, weight in FIELD_WEIGHTS.items()
        for text, language in texts[field]
        for term in analyse_both(text, language) * weight
    ]
    body = body_texts(citation)
    found = {word for some in (*texts.values(), body) for text, _ in some for word in words(text)}
    return {
        BODY: joined(body) or None,
        **{column(field): joined(some) for field, some in texts.items()},
        RANKED: " ".join(ranked),
        WORDS: " ".join(sorted(found)),
    }


def field_texts(citation: Citation) -> dict[str, list[Text]]:
    """The texts of each field of FIELD_WEIGHTS.

    Vernacular title and other abstracts are analysed in their own language and, like all the rest, as
    English: a question whose language is not recognised is analysed as English alone.
    """
    original = next((tag for tag in citation.languages if tag != "en"), None)
    others = [
        (section.text, other.language) for other in citation.other_abstracts for section in other.sections
    ]
    return {
        "title": [(citation.title, None)],
        "abstract": [(section.text, None) for section in citation.abstract],
        "topics": [(text, None) for text in topics(citation)],
        "vernacular": [(citation.vernacular_title, original), *others],
        "other": [(text, None) for text in names_and_numbers(citation)],
    }


def body_texts(citation: Citation) -> list[Text]:
    """Headings, sections and captions of the full text, analysed in its language as well as in English."""
    original = next((tag for tag in citation.languages[:1] if tag != "en"), None)
    parts = (*citation.body, *citation.captions)
    return [(text, original) for part in parts for text in (*part.headings, part.text)]


def topics(citation: Citation) -> list[str]:
    """What the paper is about, in words of vocabularies and of its authors."""
    return [
        *(heading.name for heading in citation.mesh),
        *(keyword.text for keyword in citation.keywords),
        *(chemical.name for chemical in citation.chemicals),
        *(concept.name for concept in citation.supplementary_concepts),
        *citation.gene_symbols,
    ]


def names_and_numbers(citation: Citation) -> list[str]:
    """Journal, names and numbers."""
    return [
        citation.journal.title,
        *(author.last_name or author.collective_name for author in citation.authors),
        *(accession for databank in citation.databanks for accession in databank.accessions),
        citation.pmid or "",
        *(item.value for item in citation.article_ids),
    ]


def joined(texts: Iterable[Text]) -> str:
    """The terms of several texts, with a boundary between two of them."""
    analysed = (" ".join(analyse_both(text, language, wholes=False)) for text, language in texts)
    return f" {BOUNDARY} ".join(filter(None, analysed))
