"""The field tags of a query: PubMed's, with their short and long names."""

import re
from dataclasses import dataclass
from enum import StrEnum


class Field(StrEnum):
    """What a tag asks for; the value is its short name, as in `flu[tiab]`."""

    TITLE_ABSTRACT = "tiab"
    TITLE = "ti"
    ABSTRACT = "ab"
    TEXT_WORDS = "tw"
    ALL = "all"
    VERNACULAR_TITLE = "tt"
    AUTHOR = "au"
    FIRST_AUTHOR = "1au"
    LAST_AUTHOR = "lastau"
    CORPORATE_AUTHOR = "cn"
    MESH = "mh"
    MESH_ALONE = "mh:noexp"
    MAJOR_TOPIC = "majr"
    MAJOR_TOPIC_ALONE = "majr:noexp"
    QUALIFIER = "sh"
    SUBSTANCE = "nm"
    REGISTRY_NUMBER = "rn"
    KEYWORD = "ot"
    JOURNAL = "ta"
    LANGUAGE = "la"
    PUBLICATION_TYPE = "pt"
    VOLUME = "vi"
    ISSUE = "ip"
    PAGES = "pg"
    ACCESSION_NUMBER = "si"
    GRANT = "gr"
    PUBLISHED = "dp"
    ENTERED = "edat"
    PMID = "pmid"
    ARTICLE_ID = "aid"


class Kind(StrEnum):
    """How a field is searched, and so which leaf a term of it becomes."""

    TEXT = "text"
    VALUE = "value"
    DATE = "date"
    ID = "id"


@dataclass(frozen=True, slots=True)
class FieldEntry:
    """long_names: PubMed's others for the tag, in lower case and without spaces around signs."""

    field: Field
    kind: Kind
    long_names: tuple[str, ...] = ()


FIELDS = {
    entry.field: entry
    for entry in (
        FieldEntry(Field.TITLE_ABSTRACT, Kind.TEXT, ("title/abstract",)),
        FieldEntry(Field.TITLE, Kind.TEXT, ("title",)),
        FieldEntry(Field.ABSTRACT, Kind.TEXT, ("abstract",)),
        FieldEntry(Field.TEXT_WORDS, Kind.TEXT, ("text word", "text words", "word")),
        FieldEntry(Field.ALL, Kind.TEXT, ("all fields",)),
        FieldEntry(Field.VERNACULAR_TITLE, Kind.TEXT, ("transliterated title",)),
        FieldEntry(Field.AUTHOR, Kind.VALUE, ("author", "author name")),
        FieldEntry(Field.FIRST_AUTHOR, Kind.VALUE, ("author-first", "first author", "first author name")),
        FieldEntry(Field.LAST_AUTHOR, Kind.VALUE, ("author-last", "last author", "last author name")),
        FieldEntry(Field.CORPORATE_AUTHOR, Kind.VALUE, ("author-corporate", "corporate author")),
        FieldEntry(Field.MESH, Kind.VALUE, ("mesh terms", "mesh")),
        FieldEntry(Field.MESH_ALONE, Kind.VALUE, ("mesh terms:noexp", "mesh:noexp")),
        FieldEntry(Field.MAJOR_TOPIC, Kind.VALUE, ("mesh major topic",)),
        FieldEntry(Field.MAJOR_TOPIC_ALONE, Kind.VALUE, ("mesh major topic:noexp",)),
        FieldEntry(Field.QUALIFIER, Kind.VALUE, ("mesh subheading", "mesh subheadings", "subheading")),
        FieldEntry(Field.SUBSTANCE, Kind.VALUE, ("supplementary concept", "substance name")),
        FieldEntry(Field.REGISTRY_NUMBER, Kind.VALUE, ("ec/rn number",)),
        FieldEntry(Field.KEYWORD, Kind.VALUE, ("other term",)),
        FieldEntry(Field.JOURNAL, Kind.VALUE, ("journal", "journal title")),
        FieldEntry(Field.LANGUAGE, Kind.VALUE, ("language", "lang")),
        FieldEntry(Field.PUBLICATION_TYPE, Kind.VALUE, ("publication type", "ptyp")),
        FieldEntry(Field.VOLUME, Kind.VALUE, ("volume",)),
        FieldEntry(Field.ISSUE, Kind.VALUE, ("issue",)),
        FieldEntry(Field.PAGES, Kind.VALUE, ("pagination", "page")),
        FieldEntry(Field.ACCESSION_NUMBER, Kind.VALUE, ("secondary source id",)),
        FieldEntry(Field.GRANT, Kind.VALUE, ("grants and funding", "grant number")),
        FieldEntry(Field.PUBLISHED, Kind.DATE, ("date-publication", "publication date", "pdat")),
        FieldEntry(Field.ENTERED, Kind.DATE, ("date-entry", "date-entrez", "entry date", "entrez date")),
        FieldEntry(Field.PMID, Kind.ID, ("uid",)),
        FieldEntry(Field.ARTICLE_ID, Kind.ID, ("article identifier", "doi", "lid", "location id")),
    )
}

PROXIMITY_FIELDS = frozenset({Field.TITLE, Field.TITLE_ABSTRACT})
"""Where PubMed allows `"hip pain"[tiab:~2]`."""

EXPLODED_FIELDS = frozenset({Field.MESH, Field.MAJOR_TOPIC})
"""Where a heading stands for those below it as well."""

HEADING_FIELDS = EXPLODED_FIELDS | {Field.MESH_ALONE, Field.MAJOR_TOPIC_ALONE}

FIELD_NAMES = {name: entry.field for entry in FIELDS.values() for name in (entry.field, *entry.long_names)}

UNANSWERED_NAMES = frozenset(
    """ad, affiliation, auid, author-identifier, book, cois, conflict of interest statements, crdt,
    date-create, dcom, date-completion, ed, editor, fau, author-full, full author name, filter, fir,
    investigator-full, ir, investigator, isbn, jid, nlm unique id, lr, date-modification, mhda,
    date-mesh, mid, owner, pa, pharmacological action, pl, place of publication, pmcid, ps,
    subject-personal name, publisher, pubn, sb, subset""".replace("\n    ", " ").split(", ")
)
"""PubMed's tags that nothing here answers: a query that uses one is meant as this syntax, and is refused."""


def plain_name(name: str) -> str:
    """A tag's name as it stands in the tables: "Date - Publication" is "date-publication"."""
    return re.sub(r" ?([-/:]) ?", r"\1", " ".join(name.casefold().split()))


def tag_list() -> str:
    """The short name of every field that is answered, for messages."""
    return ", ".join(f"[{field}]" for field in FIELDS)
