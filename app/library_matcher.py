"""What a published library answers for each leaf of a Boolean query."""

import numpy as np
from numpy.typing import NDArray

from app.query import language_tag
from app.syntax.evaluate import Mask
from app.syntax.fields import EXPLODED_FIELDS, HEADING_FIELDS, Field
from app.syntax.tree import DateLeaf, IdLeaf, TextLeaf, ValueLeaf
from indexer.citation import PartialDate
from indexer.fulltext import rows_near, rows_with_any, rows_with_ending, rows_with_phrase
from indexer.mesh import MeshTree
from indexer.published import Published
from indexer.terms import WORDS, column
from models.analysis import analyse, words
from models.errors import UsageError

MOST_ENDINGS = 5_000
"""Words that one star may stand for."""

TEXT_FIELDS: dict[Field, tuple[str, ...]] = {
    Field.TITLE: ("title",),
    Field.ABSTRACT: ("abstract",),
    Field.TITLE_ABSTRACT: ("title", "abstract", "vernacular"),
    Field.VERNACULAR_TITLE: ("vernacular",),
    Field.TEXT_WORDS: ("title", "abstract", "vernacular", "topics"),
    Field.ALL: ("title", "abstract", "vernacular", "topics", "other", "body"),
}
VALUE_FIELDS = {
    Field.AUTHOR: "authors",
    Field.FIRST_AUTHOR: "first_author",
    Field.LAST_AUTHOR: "last_author",
    Field.CORPORATE_AUTHOR: "groups",
    Field.MESH: "mesh",
    Field.MESH_ALONE: "mesh",
    Field.MAJOR_TOPIC: "major_mesh",
    Field.MAJOR_TOPIC_ALONE: "major_mesh",
    Field.QUALIFIER: "qualifiers",
    Field.SUBSTANCE: "substances",
    Field.REGISTRY_NUMBER: "registry_numbers",
    Field.KEYWORD: "keywords",
    Field.JOURNAL: "journals",
    Field.LANGUAGE: "languages",
    Field.PUBLICATION_TYPE: "publication_types",
    Field.VOLUME: "volume",
    Field.ISSUE: "issue",
    Field.PAGES: "pages",
    Field.ACCESSION_NUMBER: "identifiers",
    Field.GRANT: "grants",
}
AUTHORS = (Field.AUTHOR, Field.FIRST_AUTHOR, Field.LAST_AUTHOR)
QUALIFIED = (Field.MESH, Field.MESH_ALONE)


class LibraryMatcher:
    """Answers over one published set; masks are (n,) bool over its citations.

    Without `mesh`, a heading is what is written: narrower ones and entry terms are not known.
    """

    def __init__(self, published: Published, mesh: MeshTree | None = None) -> None:
        self.published = published
        self.mesh = mesh
        self.size = len(published.columns.ids)
        self.found: dict[TextLeaf, Mask] = {}

    def everything(self) -> Mask:
        return np.ones(self.size, np.bool_)

    def text(self, leaf: TextLeaf) -> Mask:
        """Words are met by their stems, so "vaccine" also finds "vaccines"; each leaf is looked up once."""
        if leaf not in self.found:
            held = self.published.citations.schema.names  # That of an older version has no full texts.
            columns = [name for name in map(column, TEXT_FIELDS[leaf.field]) if name in held]
            terms = analyse(leaf.text, "en", wholes=False)
            if not terms:
                raise UsageError(f"{leaf.text!r}: expected a word, there is nothing in it to search for")
            self.found[leaf] = (
                self.starred(leaf, terms, columns) if leaf.prefix else self.phrase(leaf, terms, columns)
            )
        return self.found[leaf]

    def phrase(self, leaf: TextLeaf, terms: list[str], columns: list[str]) -> Mask:
        """Records that have the terms one after the other, or near each other."""
        table = self.published.citations
        if leaf.slop is None:
            return self.mask(rows_with_phrase(table, terms, columns))
        return self.mask(rows_near(table, terms, columns, leaf.slop))

    def starred(self, leaf: TextLeaf, terms: list[str], columns: list[str]) -> Mask:
        """Records with a word that begins as the last one does, behind the others.

        A stem may be that of other words too, so the record must also have one of the words itself.
        """
        table = self.published.citations
        endings = self.published.vocabulary.starting_with(words(leaf.text)[-1])
        if len(endings) > MOST_ENDINGS:
            raise UsageError(
                f"{leaf.text}*: {len(endings):,} words of the library begin so, {MOST_ENDINGS:,} can be "
                "searched: give more letters before the star"
            )
        stems = {term for word in endings for term in analyse(word, "en", wholes=False)}
        if len(terms) > 1:
            rows = rows_with_ending(table, terms[:-1], stems, columns)
        else:
            rows = rows_with_any(table, sorted(stems), columns)
        return self.mask(rows) & self.mask(rows_with_any(table, endings, [WORDS]))

    def value(self, leaf: ValueLeaf) -> Mask:
        """Whole values; an author without initials, or with one of two, is found by what is given."""
        if leaf.field in HEADING_FIELDS:
            return self.heading(leaf)
        value = known_language(leaf.value) if leaf.field is Field.LANGUAGE else leaf.value
        field = self.published.columns.fields[VALUE_FIELDS[leaf.field]]
        if leaf.prefix:
            return field.mask_prefix(value, self.size)
        if leaf.field in AUTHORS:
            value = value.replace(",", " ").replace(".", " ")
            last, *initials = " ".join(value.split()).rsplit(" ", 1)
            longer = f"{last} {initials[0]}" if initials else f"{last} "
            return field.mask([value], self.size) | field.mask_prefix(longer, self.size)
        return field.mask([value], self.size)

    def heading(self, leaf: ValueLeaf) -> Mask:
        """Records with any of the headings that the value means; a star stands for endings alone."""
        values = self.meant_headings(leaf)
        qualified = leaf.field in QUALIFIED and "/" in values[0]
        field = self.published.columns.fields["qualifiers" if qualified else VALUE_FIELDS[leaf.field]]
        return field.mask_prefix(values[0], self.size) if leaf.prefix else field.mask(values, self.size)

    def meant_headings(self, leaf: ValueLeaf) -> list[str]:
        """The descriptor that a value names, and those below it if the field says so; with its qualifier."""
        if self.mesh is None or leaf.prefix:
            return [leaf.value]
        name, slash, qualifier = leaf.value.partition("/")
        if self.mesh.descriptor(leaf.value):  # an entry term may have a slash of its own
            name, slash, qualifier = leaf.value, "", ""
        if leaf.field in EXPLODED_FIELDS:
            return [f"{heading}{slash}{qualifier}" for heading in self.mesh.with_narrower(name)]
        return [f"{self.mesh.descriptor(name) or name}{slash}{qualifier}"]

    def date(self, leaf: DateLeaf) -> Mask:
        """Dates from first to last; a month or day that the record does not give counts as the first."""
        columns = self.published.columns
        dates = np.asarray(columns.published if leaf.field is Field.PUBLISHED else columns.entered)
        whole = dates + 100 * (dates // 100 % 100 == 0) + (dates % 100 == 0)
        mask: Mask = (whole >= bound(leaf.first, 1)) & (whole <= bound(leaf.last, 99)) & (dates > 0)
        return mask

    def id(self, leaf: IdLeaf) -> Mask:
        mask = np.zeros(self.size, np.bool_)
        numbers = self.published.columns.numbers([f"pmid:{leaf.value}"])
        if leaf.field is Field.PMID:
            mask[numbers[numbers >= 0]] = True
            return mask
        return self.published.columns.fields["identifiers"].mask([leaf.value], self.size)

    def mask(self, rows: NDArray[np.uint64]) -> Mask:
        """The mask of some row ids."""
        mask = np.zeros(self.size, np.bool_)
        mask[self.published.columns.numbers_of_rows(rows)] = True
        return mask


def known_language(text: str) -> str:
    """The tag of a language; raises UsageError."""
    try:
        return language_tag(text)
    except ValueError as error:
        raise UsageError(f"{text}[la]: {error}, such as french[la]") from None


def bound(date: PartialDate, missing: int) -> int:
    """The date as yyyymmdd with a number for the parts that are missing."""
    month = missing if date.month is None else date.month
    return (date.year or 0) * 10000 + month * 100 + (missing if date.day is None else date.day)
