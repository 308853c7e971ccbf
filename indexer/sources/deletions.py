"""NLM's list of the PMIDs that were ever deleted, deleted.pmids.gz: a number a line."""

from collections.abc import Iterator

from indexer.citation import Deletion
from indexer.sources.archive import File
from indexer.sources.errors import SetAside, SourceError, SourceItem
from indexer.sources.text import Encoding, read_lines
from indexer.sources.unpack import Faulty


def read_deletions(file: File) -> Iterator[SourceItem]:
    """Every deletion in the list; a line that is no PMID is set aside.

    Raises SourceError at a fault in the file, after all that stands before.
    """
    try:
        for position, line in enumerate(read_lines(file, Encoding("utf-8")), 1):
            pmid = line.strip()
            if pmid.isascii() and pmid.isdecimal():
                yield Deletion(f"pmid:{int(pmid)}", listed=True)
            elif pmid:
                yield SetAside(file, position, "", f"expected a PMID, found {pmid[:40]!r}", line, "deletions")
    except Faulty as fault:
        raise SourceError(file, str(fault), fault.offset, fault.packed_offset) from None
    except OSError as error:
        raise SourceError(file, f"cannot be read: {error.strerror or error}") from None
