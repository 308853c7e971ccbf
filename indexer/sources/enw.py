"""EndNote's tagged export (.enw), as EndNote, CNKI and Google Scholar write it: "%0", "%A" … a line each.

Tags: "EndNote Import", a filter that comes with EndNote.
"""

import re
from collections.abc import Iterator, Sequence

from indexer.citation import Citation
from indexer.sources.archive import File
from indexer.sources.endnote_fields import LISTS, citation_of
from indexer.sources.errors import SourceItem
from indexer.sources.tagged import Form, read_tagged, unfolded
from indexer.sources.text import Encoding

BEGIN = re.compile(r"\ufeff?%0 +\S")
_LINE = re.compile(r"%([0-9A-Za-z!@#$&()*+<=>?\[\]^~])(?: +|\t|$)(.*)")
NAMES = {
    **{"A": "authors", "B": "secondary-title", "C": "pub-location", "D": "year", "E": "secondary-authors"},
    **{"F": "label", "G": "language", "H": "translated-authors", "I": "publisher", "J": "full-title"},
    **{"K": "keywords", "L": "call-num", "M": "accession-num", "N": "number", "O": "alt-title", "P": "pages"},
    **{"Q": "translated-title", "R": "electronic-resource-num", "S": "tertiary-title", "T": "title"},
    **{"U": "related-urls", "V": "volume", "W": "remote-database-provider", "X": "abstract"},
    **{"Y": "tertiary-authors", "Z": "notes", "1": "custom1", "2": "custom2", "3": "custom3", "4": "custom4"},
    **{"6": "num-vols", "7": "edition", "8": "pub-dates", "9": "work-type", "?": "subsidiary-authors"},
    **{"@": "isbn", "!": "short-title", "#": "custom5", "$": "custom6", "]": "custom7", "&": "section"},
    **{"(": "orig-pub", ")": "reprint-edition", "*": "reviewed-item", "+": "auth-address", "^": "caption"},
    **{"<": "research-notes", "~": "remote-database-name", ">": "pdf-urls"},
}
"""Tag to the field of EndNote's XML; those of others become notes."""
SILENT = frozenset("0[=")
"""The type, which is read apart, and days of access and change."""


def read_enw(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """Every record of a file; see read_tagged."""
    return read_tagged(file, encoding, Form("enw", BEGIN, read_record))


def read_record(lines: Sequence[str]) -> Citation:
    """The citation of a record. Raises RecordFault if it has neither title nor abstract."""
    kind = lines[0].lstrip("\ufeff").removeprefix("%0").strip()
    values = unfolded(list(_listed(lines)), _LINE)
    fields = ((NAMES.get(tag, f"%{tag}"), text) for tag, text in values if tag not in SILENT)
    return citation_of(kind, fields, "enw")


def _listed(lines: Sequence[str]) -> Iterator[str]:
    """The lines, with its tag before each line of a list: EndNote tags only the first keyword."""
    tag = ""
    for line in lines:
        if begun := _LINE.fullmatch(line):
            tag = begun[1]
        elif line.strip() and NAMES.get(tag) in LISTS:
            line = f"%{tag} {line.strip()}"
        yield line
