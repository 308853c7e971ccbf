"""PubMed's XML: baseline and update files, and what E-utilities return; plain or packed."""

from collections.abc import Iterator

from lxml import etree

from indexer.citation import Deletion
from indexer.sources.archive import File
from indexer.sources.book import read_book_article
from indexer.sources.errors import RecordFault, SetAside, SourceError, SourceRecord
from indexer.sources.markup import flatten
from indexer.sources.pubmed_fields import read_article, read_pmid
from indexer.sources.unpack import Faulty
from indexer.sources.xmlstream import read_elements, root_name

_READERS = {
    "PubmedArticle": read_article,
    "PubmedBookArticle": read_book_article,
    "BookDocument": read_book_article,
}
_DELETIONS = ("DeleteCitation", "DeleteDocument")
ROOTS = ("PubmedArticleSet", "PubmedBookArticleSet", "BookDocumentSet", *_READERS)
"""Root elements of the files that read_pubmed reads."""


def read_pubmed(path: File) -> Iterator[SourceRecord]:
    """Every record of a file in its order: citations, deletions, and records set aside.

    Raises SourceError if the file is none of PubMed's, or at a fault in it, after all that stands before.
    """
    root = root_name(path)
    if root not in ROOTS:
        raise SourceError(path, f"its root element is {root}, expected {', '.join(ROOTS)}")
    last_id = ""
    try:
        for record in _read_records(path):
            last_id = record.id or last_id
            yield record
    except Faulty as fault:
        raise SourceError(path, str(fault), fault.offset, fault.packed_offset, last_id) from None
    except OSError as error:
        raise SourceError(path, f"cannot be read: {error.strerror or error}", last_id=last_id) from None


def _read_records(path: File) -> Iterator[SourceRecord]:
    position = 0
    for element in read_elements(path, (*_READERS, *_DELETIONS)):
        if element.tag in _DELETIONS:
            for pmid in element.iterchildren("PMID"):
                position += 1
                yield _read_deletion(pmid, path, position)
        else:
            position += 1
            yield _read_record(element, path, position)


def _read_record(element: etree._Element, path: File, position: int) -> SourceRecord:
    try:
        return _READERS[element.tag](element)
    except RecordFault as fault:
        return _set_aside(element, path, position, str(fault))


def _read_deletion(element: etree._Element, path: File, position: int) -> SourceRecord:
    try:
        return Deletion(f"pmid:{read_pmid(element)[0]}")
    except RecordFault as fault:
        return _set_aside(element, path, position, f"a deletion: {fault}")


def _set_aside(element: etree._Element, path: File, position: int, reason: str) -> SetAside:
    pmid = next(element.iter("PMID"), None)
    text = "" if pmid is None else flatten(pmid)
    raw = etree.tostring(element, encoding="unicode", with_tail=False)
    return SetAside(path, position, f"pmid:{text}" if text else "", reason, raw, "pubmed")
