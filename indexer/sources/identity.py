"""What a record that is not PubMed's is known by, so that the same one is known again."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace

from indexer.citation import ArticleId, Citation

_DOI = re.compile(r"(10\.\d{4,9}/\S+)")
_PMID_LINK = re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/(?:m/)?pubmed/)(\d{1,8})\b")
_PMID_SAID = re.compile(r"\bPMID:? *(\d{1,8})\b", re.IGNORECASE)
_PMCID = re.compile(r"\bPMC\d{1,9}\b")
_SCIELO = re.compile(r"(?:^|[?&]pid=)(S\d{4}-\d{3}[\dX]\d{13})(?:-\w{3})?(?:&|$)", re.ASCII)
_BVS = re.compile(
    r"(?:^|/resource/\w\w/)((lil|mdl|biblio|ibc|cum|wpr|bde|bbo|psi|pah|sms|try|sof)-0*(\d{1,10}))$", re.ASCII
)
"""A number of BVS by the database that it is from."""


def normalise_doi(text: str) -> str | None:
    """10.1000/x from any dress (a link, "doi:", a full stop behind it); None if there is none in it."""
    found = _DOI.search(text)
    return found[1].rstrip(".,;").removesuffix("[doi]").rstrip() if found else None


def linked_pmid(text: str) -> str | None:
    """The PMID that a link to PubMed leads to, or that a text names as one."""
    found = _PMID_LINK.search(text) or _PMID_SAID.search(text)
    return found[1].lstrip("0") or None if found else None


def pmcid_in(text: str) -> str | None:
    """The first PMCID in a text."""
    found = _PMCID.search(text)
    return found[0] if found else None


def number_of(text: str) -> ArticleId | None:
    """The id that a number of BVS ("lil-1", "mdl-39000001") or SciELO stands for, also in a link."""
    if found := _SCIELO.search(text):
        return ArticleId("scielo", found[1])
    found = _BVS.search(text)
    if found is None:
        return None
    kind = {"lil": "lilacs", "mdl": "pubmed"}.get(found[2])
    return ArticleId(kind, found[3]) if kind else ArticleId("bvs", found[1])


def distinct(ids: Iterable[ArticleId]) -> tuple[ArticleId, ...]:
    """Each id once, whatever the case of a DOI; ids without a value are left out."""
    found: dict[tuple[str, str], ArticleId] = {}
    for item in ids:
        if item.value:
            found.setdefault((item.type, item.value.lower()), item)
    return tuple(found.values())


def identified(citation: Citation) -> Citation:
    """The citation with the id that follows from what it says."""
    return replace(citation, id=record_id(citation))


def record_id(citation: Citation, *more: str) -> str:
    """By PMID, PMCID, DOI, the number of a database, else by title, first author, year and journal.

    The last is a hash, the same for the same words whatever the file: "words:1f0e…". more: texts that
    count as well, where those do not tell records apart.
    """
    ids = {item.type: item.value for item in reversed(citation.article_ids)}
    for kind, prefix in (("pubmed", "pmid"), ("pmc", "pmc"), ("doi", "doi")):
        if kind in ids:
            return f"{prefix}:{ids[kind].lower() if kind == 'doi' else ids[kind]}"
    numbered = next((item for item in citation.article_ids if item.type not in ("url", "pii")), None)
    if numbered:
        return f"{numbered.type.lower()}:{numbered.value}"
    first = citation.authors[0] if citation.authors else None
    name = (first.last_name or first.collective_name) if first else ""
    words = (citation.title, name, str(citation.year or ""), citation.journal.title, *more)
    text = "\n".join(" ".join(part.lower().split()) for part in words)
    return f"words:{hashlib.sha256(text.encode()).hexdigest()[:16]}"
