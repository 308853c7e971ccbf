"""The lists of a PubMed record: headings, keywords, chemicals, grants, ids, corrections, references."""

from collections.abc import Iterable

from lxml import etree

from indexer.citation import (
    ArticleId,
    Chemical,
    Correction,
    DataBank,
    Grant,
    HistoryDate,
    Keyword,
    MeshHeading,
    Reference,
    SupplementaryConcept,
    Term,
)
from indexer.sources.dates import date_of
from indexer.sources.elements import first, parts_of, text_of, texts_of
from indexer.sources.markup import flatten

List = Iterable[etree._Element]
"""The element that holds the items of a list; () if the record has none."""


def read_mesh(list_: etree._Element | None) -> tuple[MeshHeading, ...]:
    """The items of a MeshHeadingList."""
    found: list[_Heading] = []
    heading = _Heading()
    for element in () if list_ is None else list_.iter("MeshHeading", "DescriptorName", "QualifierName"):
        if element.tag == "QualifierName":
            heading.qualifiers.append(_term(element))
        elif element.tag == "DescriptorName":
            heading.term, heading.kind = _term(element), element.get("Type", "")
        else:
            heading = _Heading()
            found.append(heading)
    return tuple([_mesh_heading(heading) for heading in found])


class _Heading:
    """What has been read of one heading."""

    __slots__ = ("kind", "qualifiers", "term")

    def __init__(self) -> None:
        self.term = _NO_TERM
        self.kind = ""
        self.qualifiers: list[Term] = []


_NO_TERM = Term("")


def _mesh_heading(read: _Heading) -> MeshHeading:
    term = read.term
    return MeshHeading(term.name, term.ui, term.major, tuple(read.qualifiers), read.kind)


def _term(element: etree._Element) -> Term:
    return Term(flatten(element), element.get("UI", ""), element.get("MajorTopicYN") == "Y")


def read_publication_types(types: List) -> tuple[Term, ...]:
    """The items of a PublicationTypeList."""
    return tuple([_term(child) for child in types])


def read_supplementary_concepts(names: List) -> tuple[SupplementaryConcept, ...]:
    """The items of a SupplMeshList."""
    return tuple(
        [SupplementaryConcept(flatten(child), child.get("UI", ""), child.get("Type", "")) for child in names]
    )


def read_keywords(lists: List) -> tuple[Keyword, ...]:
    """The keywords of every KeywordList; each list belongs to an owner."""
    return tuple(
        [
            Keyword(text, child.get("MajorTopicYN") == "Y", list_.get("Owner", ""))
            for list_ in lists
            for child in list_
            if (text := flatten(child))
        ]
    )


def read_chemicals(chemicals: List) -> tuple[Chemical, ...]:
    """The items of a ChemicalList."""
    return tuple([_chemical(child) for child in chemicals])


def _chemical(element: etree._Element) -> Chemical:
    parts = parts_of(element)
    substance = first(parts, "NameOfSubstance")
    ui = "" if substance is None else substance.get("UI", "")
    return Chemical(text_of(parts, "NameOfSubstance"), ui, text_of(parts, "RegistryNumber"))


def read_grants(grants: List) -> tuple[Grant, ...]:
    """The items of a GrantList."""
    return tuple([_grant(child) for child in grants])


def _grant(element: etree._Element) -> Grant:
    parts = parts_of(element)
    return Grant(*(text_of(parts, name) for name in ("GrantID", "Acronym", "Agency", "Country")))


def read_databanks(databanks: List) -> tuple[DataBank, ...]:
    """The items of a DataBankList."""
    return tuple([_databank(child) for child in databanks])


def _databank(element: etree._Element) -> DataBank:
    parts = parts_of(element)
    numbers = parts_of(first(parts, "AccessionNumberList"))
    return DataBank(text_of(parts, "DataBankName"), texts_of(numbers, "AccessionNumber"))


def read_ids(ids: List) -> tuple[ArticleId, ...]:
    """The ids in an ArticleIdList; those of references stand in lists of their own."""
    return tuple(
        [ArticleId(child.get("IdType", "pubmed"), value) for child in ids if (value := flatten(child))]
    )


def read_corrections(corrections: List) -> tuple[Correction, ...]:
    """The items of a CommentsCorrectionsList."""
    return tuple([_correction(child) for child in corrections])


def _correction(element: etree._Element) -> Correction:
    parts = parts_of(element)
    texts = (text_of(parts, name) for name in ("RefSource", "PMID", "Note"))
    return Correction(element.get("RefType", ""), *texts)


def read_references(lists: List) -> tuple[Reference, ...]:
    """Every reference of every ReferenceList, lists within lists included, in document order."""
    found: list[_Reference] = []
    reference = _Reference()
    for list_ in lists:
        # One walk over the whole list costs a third of going down level by level.
        for element in list_.iter("Reference", "Citation", "ArticleId"):
            if element.tag == "Reference":
                reference = _Reference()
                found.append(reference)
            elif element.tag == "Citation":
                reference.text = flatten(element)
            elif value := flatten(element):
                reference.ids.append(ArticleId(element.get("IdType", "pubmed"), value))
    return tuple([Reference(reference.text, tuple(reference.ids)) for reference in found])


class _Reference:
    """What has been read of one reference."""

    __slots__ = ("ids", "text")

    def __init__(self) -> None:
        self.text = ""
        self.ids: list[ArticleId] = []


def read_history(history: etree._Element | None) -> tuple[HistoryDate, ...]:
    """The dates of a History, without their hours and minutes."""
    dates: list[tuple[str, dict[str, str]]] = []
    parts: dict[str, str] = {}
    for element in () if history is None else history.iter("PubMedPubDate", "Year", "Month", "Day"):
        if element.tag == "PubMedPubDate":
            parts = {}
            dates.append((element.get("PubStatus", ""), parts))
        else:
            parts[element.tag] = (element.text or "").strip()
    return tuple([HistoryDate(status, date_of(parts)) for status, parts in dates])
