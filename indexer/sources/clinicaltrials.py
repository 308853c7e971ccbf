"""Studies of ClinicalTrials.gov: JSON of its interface (version 2), or of its downloads.

Fields: "Study Data Structure", https://clinicaltrials.gov/data-api/about-api/study-data-structure.
"""

from collections.abc import Iterator

import msgspec

from indexer.citation import (
    ArticleId,
    Author,
    Citation,
    DataBank,
    Journal,
    Keyword,
    MeshHeading,
    Reference,
    Section,
    Term,
)
from indexer.sources.archive import File
from indexer.sources.dates import parse_day
from indexer.sources.errors import RecordFault, SourceItem
from indexer.sources.identity import identified
from indexer.sources.json_file import JsonForm, decoded, read_json
from indexer.sources.text import Encoding

REGISTER = "ClinicalTrials.gov"


class Named(msgspec.Struct, frozen=True):
    name: str = ""


class Organization(msgspec.Struct, frozen=True):
    fullName: str = ""


class OtherId(msgspec.Struct, frozen=True):
    id: str = ""


class Identification(msgspec.Struct, frozen=True):
    nctId: str = ""
    briefTitle: str = ""
    officialTitle: str = ""
    acronym: str = ""
    orgStudyIdInfo: OtherId = OtherId()
    secondaryIdInfos: list[OtherId] = []
    organization: Organization = Organization()


class Date(msgspec.Struct, frozen=True):
    date: str = ""


class Status(msgspec.Struct, frozen=True):
    overallStatus: str = ""
    startDateStruct: Date = Date()
    studyFirstPostDateStruct: Date = Date()
    lastUpdatePostDateStruct: Date = Date()


class Sponsors(msgspec.Struct, frozen=True):
    leadSponsor: Named = Named()
    collaborators: list[Named] = []


class Description(msgspec.Struct, frozen=True):
    briefSummary: str = ""
    detailedDescription: str = ""


class Conditions(msgspec.Struct, frozen=True):
    conditions: list[str] = []
    keywords: list[str] = []


class Design(msgspec.Struct, frozen=True):
    studyType: str = ""
    phases: list[str] = []


class Intervention(msgspec.Struct, frozen=True):
    type: str = ""
    name: str = ""
    description: str = ""


class Arms(msgspec.Struct, frozen=True):
    interventions: list[Intervention] = []


class Outcome(msgspec.Struct, frozen=True):
    measure: str = ""
    timeFrame: str = ""


class Outcomes(msgspec.Struct, frozen=True):
    primaryOutcomes: list[Outcome] = []


class Eligibility(msgspec.Struct, frozen=True):
    eligibilityCriteria: str = ""


class Official(msgspec.Struct, frozen=True):
    name: str = ""
    affiliation: str = ""


class Contacts(msgspec.Struct, frozen=True):
    overallOfficials: list[Official] = []


class Cited(msgspec.Struct, frozen=True):
    pmid: str = ""
    citation: str = ""


class References(msgspec.Struct, frozen=True):
    references: list[Cited] = []


class Protocol(msgspec.Struct, frozen=True):
    identificationModule: Identification
    statusModule: Status = Status()
    sponsorCollaboratorsModule: Sponsors = Sponsors()
    descriptionModule: Description = Description()
    conditionsModule: Conditions = Conditions()
    designModule: Design = Design()
    armsInterventionsModule: Arms = Arms()
    outcomesModule: Outcomes = Outcomes()
    eligibilityModule: Eligibility = Eligibility()
    contactsLocationsModule: Contacts = Contacts()
    referencesModule: References = References()


class MeshTerm(msgspec.Struct, frozen=True):
    id: str = ""
    term: str = ""


class Browse(msgspec.Struct, frozen=True):
    meshes: list[MeshTerm] = []


class Derived(msgspec.Struct, frozen=True):
    conditionBrowseModule: Browse = Browse()
    interventionBrowseModule: Browse = Browse()


class Study(msgspec.Struct, frozen=True):
    """The fields that are read; others are passed over."""

    protocolSection: Protocol
    derivedSection: Derived = Derived()


def read_clinicaltrials(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """Every study of a file; see read_json."""
    return read_json(file, encoding, JsonForm("clinicaltrials", ("studies",), read_study))


def read_study(raw: bytes | str) -> Citation:
    """The citation of a study, in English as the register is. Raises RecordFault if it has no number."""
    study = decoded(raw, Study)
    protocol, derived = study.protocolSection, study.derivedSection
    names = protocol.identificationModule
    if not names.nctId:
        raise RecordFault("it has no nctId")
    status = protocol.statusModule
    meshes = (*derived.conditionBrowseModule.meshes, *derived.interventionBrowseModule.meshes)
    others = (names.orgStudyIdInfo, *names.secondaryIdInfos)
    return identified(
        Citation(
            id="",
            source="clinicaltrials",
            status=status.overallStatus,
            title=names.officialTitle or names.briefTitle,
            abstract=tuple(_sections(protocol)),
            languages=("en",),
            journal=Journal(title=REGISTER),
            published=parse_day(status.studyFirstPostDateStruct.date),
            revised=parse_day(status.lastUpdatePostDateStruct.date),
            authors=tuple(_authors(protocol)),
            mesh=tuple(MeshHeading(term.term, term.id) for term in meshes),
            keywords=tuple(map(Keyword, protocol.conditionsModule.keywords)),
            publication_types=(Term("Clinical Study"),),
            databanks=(DataBank(REGISTER, (names.nctId,)),),
            article_ids=(
                ArticleId("nct", names.nctId),
                *(ArticleId("registered", other.id) for other in others if other.id),
            ),
            references=tuple(
                Reference(item.citation, (ArticleId("pubmed", item.pmid),) if item.pmid else ())
                for item in protocol.referencesModule.references
            ),
        )
    )


def _sections(protocol: Protocol) -> Iterator[Section]:
    """What there is to read, in the order of the register's own page."""
    names, description = protocol.identificationModule, protocol.descriptionModule
    arms, design = protocol.armsInterventionsModule, protocol.designModule
    other_title = names.briefTitle if names.officialTitle else ""
    texts = {
        "BRIEF TITLE": " ".join(filter(None, (other_title, names.acronym and f"({names.acronym})"))),
        "SUMMARY": description.briefSummary,
        "DESCRIPTION": description.detailedDescription,
        "CONDITIONS": "; ".join(protocol.conditionsModule.conditions),
        "DESIGN": "; ".join(filter(None, (design.studyType, *design.phases))),
        "INTERVENTIONS": "; ".join(
            ": ".join(filter(None, (item.type, item.name, item.description))) for item in arms.interventions
        ),
        "PRIMARY OUTCOMES": "; ".join(
            " ".join(filter(None, (item.measure, item.timeFrame and f"({item.timeFrame})")))
            for item in protocol.outcomesModule.primaryOutcomes
        ),
        "ELIGIBILITY": protocol.eligibilityModule.eligibilityCriteria,
    }
    for label, text in texts.items():
        if words := " ".join(text.split()):
            yield Section(words, label)


def _authors(protocol: Protocol) -> Iterator[Author]:
    """The sponsors, then the persons in charge, whose names come with their titles."""
    sponsors = protocol.sponsorCollaboratorsModule
    for sponsor in (sponsors.leadSponsor, *sponsors.collaborators):
        if sponsor.name:
            yield Author(collective_name=sponsor.name)
    for official in protocol.contactsLocationsModule.overallOfficials:
        places = (official.affiliation,) if official.affiliation else ()
        yield Author(last_name=official.name, affiliations=places)
