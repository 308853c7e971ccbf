"""What lexical search sees of a citation: analysed terms, field by field."""

from collections.abc import Iterable

from indexer.citation import Citation
from models.analysis import analyse, analyse_both, words

FIELD_WEIGHTS = {"title": 2, "abstract": 1, "topics": 1, "vernacular": 2, "other": 1}
"""How many times a term counts that stands in the field."""

RANKED = "terms"
"""The column that ranking sees."""

BOUNDARY = "|"
"""Stands between two texts of one field, so that no phrase reaches from one into the other.

Analysis never makes such a term, so no query meets it.
"""


def column(field: str) -> str:
    """The column of citations.lance with the terms of a field."""
    return f"{field}_terms"


def field_terms(citation: Citation) -> dict[str, str]:
    """Terms of each field of FIELD_WEIGHTS, parted by spaces.

    Vernacular title and other abstracts are analysed in their own language and, like all the rest, as
    English: a question whose language is not recognised is analysed as English alone.
    """
    return {
        "title": joined([analyse(citation.title, "en")]),
        "abstract": joined(analyse(section.text, "en") for section in citation.abstract),
        "topics": joined(analyse(text, "en") for text in topics(citation)),
        "vernacular": joined(analyse_both(text, language) for text, language in vernacular(citation)),
        "other": joined(analyse(text, "en") for text in others(citation)),
    }


def ranked_terms(fields: dict[str, str]) -> str:
    """The terms of `field_terms` as one text, those of a field repeated as often as it weighs.

    BM25 over it is BM25F (Robertson, Zaragoza and Taylor, CIKM 2004), which saturates a term's count after
    adding up its weighted counts in each field.
    """
    texts = [text for field, weight in FIELD_WEIGHTS.items() for text in [fields[field]] * weight if text]
    return " ".join(texts).replace(f" {BOUNDARY} ", " ")


def vocabulary(citation: Citation) -> list[str]:
    """The distinct words of titles, abstracts and topics, for truncation and for spelling; sorted."""
    texts = [
        citation.title,
        *(section.text for section in citation.abstract),
        *topics(citation),
        *(text for text, _ in vernacular(citation)),
        *others(citation),
    ]
    return sorted({word for text in texts for word in words(text)})


def topics(citation: Citation) -> list[str]:
    """What the paper is about, in words of vocabularies and of its authors."""
    return [
        *(heading.name for heading in citation.mesh),
        *(keyword.text for keyword in citation.keywords),
        *(chemical.name for chemical in citation.chemicals),
        *(concept.name for concept in citation.supplementary_concepts),
        *citation.gene_symbols,
    ]


def vernacular(citation: Citation) -> list[tuple[str, str | None]]:
    """Texts in other languages, each with its language if that is known."""
    original = next((tag for tag in citation.languages if tag != "en"), None)
    return [
        (citation.vernacular_title, original),
        *((section.text, other.language) for other in citation.other_abstracts for section in other.sections),
    ]


def others(citation: Citation) -> list[str]:
    """Journal, names and numbers."""
    return [
        citation.journal.title,
        *(author.last_name or author.collective_name for author in citation.authors),
        *(accession for databank in citation.databanks for accession in databank.accessions),
        citation.pmid or "",
        *(item.value for item in citation.article_ids),
    ]


def joined(texts: Iterable[list[str]]) -> str:
    """The terms of several texts, with a boundary between two of them."""
    return f" {BOUNDARY} ".join(" ".join(terms) for terms in texts if terms)
