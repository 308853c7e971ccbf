"""Articles in JATS, plain or packed: what PMC, its OAI service, Europe PMC and publishers give, text and all.

Formats: "Journal Article Tag Suite", NISO Z39.96, and the NLM DTDs 2 and 3 before it; PMC's ways with them:
"PMC Tagging Guidelines".
"""

from collections.abc import Iterator

from lxml import etree

from indexer.citation import Citation
from indexer.sources.archive import File
from indexer.sources.errors import RecordFault, SetAside, SourceError, SourceRecord
from indexer.sources.jats_fields import read_front
from indexer.sources.jats_text import plain_tree
from indexer.sources.unpack import Faulty
from indexer.sources.xmlstream import read_elements, root_name

ROOTS = ("article", "pmc-articleset", "articles", "OAI-PMH")
"""Root elements of the files that read_jats reads, in any namespace."""


def read_jats(file: File) -> Iterator[SourceRecord]:
    """Every article of a file in its order: citations with their full text, and articles set aside.

    Raises SourceError if the file is none of these, or at a fault in it, after all that stands before.
    """
    root = root_name(file)
    if root not in ROOTS:
        raise SourceError(file, f"its root element is {root}, expected {', '.join(ROOTS)}")
    last_id, position = "", 0
    try:
        for position, element in enumerate(read_elements(file, ("{*}article",)), 1):
            record = _read_record(element, file, position)
            last_id = record.id or last_id
            yield record
    except Faulty as fault:
        raise SourceError(file, str(fault), fault.offset, fault.packed_offset, last_id) from None
    except OSError as error:
        raise SourceError(file, f"cannot be read: {error.strerror or error}", last_id=last_id) from None
    if not position:
        raise SourceError(file, f"its root element is {root}, and there is no article in it")


def _read_record(element: etree._Element, file: File, position: int) -> Citation | SetAside:
    raw = etree.tostring(element, encoding="unicode", with_tail=False)
    try:
        return read_front(plain_tree(element))
    except RecordFault as fault:
        return SetAside(file, position, "", str(fault), raw, "jats")
