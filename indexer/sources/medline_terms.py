"""The lists of a record in PubMed's text format: headings, keywords, substances, grants, corrections."""

import re
from collections.abc import Callable, Sequence

from indexer.citation import (
    Chemical,
    Correction,
    DataBank,
    Grant,
    Keyword,
    MeshHeading,
    OtherAbstract,
    Section,
    SupplementaryConcept,
    Term,
)
from indexer.sources.pubmed_fields import language_tag

Tagged = Sequence[tuple[str, str]]
"""Every (tag, value) of a record, in its order."""

CORRECTIONS = {
    "CIN": "CommentIn",
    "CON": "CommentOn",
    "EIN": "ErratumIn",
    "EFR": "ErratumFor",
    "CRI": "CorrectedandRepublishedIn",
    "CRF": "CorrectedandRepublishedFrom",
    "DDIN": "AssociatedDataset",
    "DRIN": "AssociatedPublication",
    "ECI": "ExpressionOfConcernIn",
    "ECF": "ExpressionOfConcernFor",
    "RPI": "RepublishedIn",
    "RPF": "RepublishedFrom",
    "RIN": "RetractionIn",
    "ROF": "RetractionOf",
    "RRI": "RetractedandRepublishedIn",
    "RRF": "RetractedandRepublishedFrom",
    "UIN": "UpdateIn",
    "UOF": "UpdateOf",
    "SPIN": "SummaryForPatientsIn",
    "ORI": "OriginalReportIn",
}
"""Tag to the type of correction, as PubMed's XML names it."""

_ABSTRACT_TYPES = ("AAMC", "AIDS", "KIE", "PIP", "NASA", "Publisher", "plain-language-summary")
_SUBSTANCE = re.compile(r"(0|EC [\d.n-]+|\d+-\d\d-\d|[0-9A-Z]{10}) \((.+)\)")
_PMID = re.compile(r"(.*?)[;,]?\s*PMID: ?(\d+)\.?\s*(.*)")
_ACRONYM = re.compile(r"[A-Z][A-Z0-9]{1,2}_?")


def read_terms(values: Sequence[str]) -> tuple[Term, ...]:
    """Names without their identifiers, which the format does not have."""
    return tuple(map(Term, values))


def _starred(text: str) -> tuple[str, bool]:
    return text.removeprefix("*"), text.startswith("*")


def read_mesh(values: Sequence[str]) -> tuple[MeshHeading, ...]:
    """Headings such as "Heart Failure/*drug therapy/mortality"; a star marks what is major."""
    found = []
    for value in values:
        descriptor, *qualifiers = map(_starred, value.split("/"))
        terms = tuple(Term(name, major=major) for name, major in qualifiers)
        found.append(MeshHeading(descriptor[0], major=descriptor[1], qualifiers=terms))
    return tuple(found)


def read_supplementary_concepts(values: Sequence[str]) -> tuple[SupplementaryConcept, ...]:
    """Names of supplementary concepts."""
    return tuple(map(SupplementaryConcept, values))


def read_keywords(fields: Tagged) -> tuple[Keyword, ...]:
    """Every OT; the OTO before it names their owner."""
    owner, found = "", []
    for tag, value in fields:
        if tag == "OTO":
            owner = value
        elif tag == "OT" and value:
            text, major = _starred(value)
            found.append(Keyword(text, major, owner))
    return tuple(found)


def read_chemicals(values: Sequence[str]) -> tuple[Chemical, ...]:
    """Substances such as "EC 2.7.3.2 (Creatine Kinase)"; one without a number is a name alone."""
    found = []
    for value in values:
        match = _SUBSTANCE.fullmatch(value)
        found.append(Chemical(match[2], registry_number=match[1]) if match else Chemical(value))
    return tuple(found)


def read_grants(values: Sequence[str]) -> tuple[Grant, ...]:
    """Grants such as "R01 HL12345/HL/NHLBI NIH HHS/United States", without what a funder has not."""
    return tuple(map(_grant, values))


def _grant(value: str) -> Grant:
    *start, agency, country = value.rsplit("/", 3) if "/" in value else ("", value, "")
    acronym = start.pop() if len(start) > 1 and _ACRONYM.fullmatch(start[-1]) else ""
    return Grant("/".join(start), acronym, agency, country)


def read_databanks(values: Sequence[str]) -> tuple[DataBank, ...]:
    """Numbers such as "ClinicalTrials.gov/NCT00000001", those of a databank together."""
    found: dict[str, list[str]] = {}
    for value in values:
        name, _, number = value.partition("/")
        found.setdefault(name, []).extend([number] if number else [])
    return tuple(DataBank(name, tuple(numbers)) for name, numbers in found.items())


def read_corrections(fields: Tagged) -> tuple[Correction, ...]:
    """Comments and corrections such as "Heart. 2013 Feb;8(1):7. PMID: 23425172"."""
    return tuple(_correction(CORRECTIONS[tag], value) for tag, value in fields if tag in CORRECTIONS)


def _correction(kind: str, value: str) -> Correction:
    match = _PMID.fullmatch(value)
    return Correction(kind, match[1], match[2], match[3]) if match else Correction(kind, value)


def read_other_abstracts(
    fields: Tagged, read_sections: Callable[[str], tuple[Section, ...]]
) -> tuple[OtherAbstract, ...]:
    """Every OAB, with the type before its text; the OABL behind it names its language."""
    found: list[OtherAbstract] = []
    for tag, value in fields:
        if tag == "OAB" and value:
            kind, _, text = value.partition(": ")
            known = kind in _ABSTRACT_TYPES
            sections = read_sections(text if known else value)
            found.append(OtherAbstract("und", kind if known else "", sections))
        elif tag == "OABL" and found:
            last = found.pop()
            found.append(OtherAbstract(language_tag(value), last.type, last.sections))
    return tuple(found)
