"""Records of Europe PMC: what its interface answers as JSON with resultType=core, or lite.

Fields: "Europe PMC RESTful Web Service", https://europepmc.org/RestfulWebService.
"""

from collections.abc import Iterator

from indexer.citation import (
    ArticleId,
    Author,
    Chemical,
    Citation,
    Correction,
    Grant,
    Identifier,
    Journal,
    Keyword,
    MeshHeading,
    PartialDate,
    Term,
)
from indexer.sources.archive import File
from indexer.sources.dates import date_of, parse_day
from indexer.sources.errors import RecordFault, SourceItem
from indexer.sources.europepmc_fields import Comment, Heading, Person, Result
from indexer.sources.html_text import plain, sections
from indexer.sources.identity import distinct, identified
from indexer.sources.json_file import JsonForm, decoded, read_json
from indexer.sources.names import read_name
from indexer.sources.people import normalise_orcid
from indexer.sources.pubmed_fields import language_tag, read_title
from indexer.sources.text import Encoding

_CORRECTIONS = {
    "Comment in": "CommentIn",
    "Comment on": "CommentOn",
    "Erratum in": "ErratumIn",
    "Erratum for": "ErratumFor",
    "Retraction in": "RetractionIn",
    "Retraction of": "RetractionOf",
    "Expression of concern in": "ExpressionOfConcernIn",
    "Expression of concern for": "ExpressionOfConcernFor",
    "Republished in": "RepublishedIn",
    "Republished from": "RepublishedFrom",
    "Update in": "UpdateIn",
    "Update of": "UpdateOf",
    "Preprint in": "UpdateIn",
    "Preprint of": "UpdateOf",
}
"""Europe PMC's wording to the type of correction of PubMed's XML; other wordings stay as they are."""


def read_europepmc(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """Every record of a file; see read_json."""
    return read_json(file, encoding, JsonForm("europepmc", ("resultList", "result"), read_result))


def read_result(raw: bytes | str) -> Citation:
    """The citation of a record. Raises RecordFault if its id is empty."""
    result = decoded(raw, Result)
    if not result.id:
        raise RecordFault("its id is empty")
    info = result.journalInfo
    title, translated = read_title(plain(result.title))
    kinds = result.pubTypeList.pubType or [part.strip() for part in result.pubType.split(";")]
    return identified(
        Citation(
            id="",
            source="europepmc",
            title=title,
            title_translated=translated,
            abstract=sections(result.abstractText),
            languages=(language_tag(result.language),) if result.language else (),
            journal=_journal(result),
            volume=info.volume or result.journalVolume,
            issue=info.issue or result.issue,
            pages=result.pageInfo,
            published=_published(result),
            electronic=parse_day(result.electronicPublicationDate),
            revised=parse_day(result.dateOfRevision),
            authors=_authors(result),
            mesh=tuple(map(_mesh, result.meshHeadingList.meshHeading)),
            keywords=tuple(map(Keyword, result.keywordList.keyword)),
            chemicals=tuple(
                Chemical(item.name, registry_number=item.registryNumber)
                for item in result.chemicalList.chemical
            ),
            grants=tuple(Grant(item.grantId, item.acronym, item.agency) for item in result.grantsList.grant),
            publication_types=tuple(Term(_kind(kind)) for kind in kinds if kind),
            corrections=tuple(map(_correction, result.commentCorrectionList.commentCorrection)),
            article_ids=distinct(_ids(result)),
        )
    )


def _kind(kind: str) -> str:
    """As MEDLINE writes "journal article"; types with capitals keep their letters."""
    return kind.title() if kind.islower() else kind


def _ids(result: Result) -> Iterator[ArticleId]:
    """Numbers elsewhere first, then Europe PMC's own of what it alone has: preprints, patents, theses."""
    pmid = result.pmid or (result.id if result.source == "MED" else "")
    yield from (ArticleId("pubmed", pmid), ArticleId("pmc", result.pmcid), ArticleId("doi", result.doi))
    if result.source not in ("MED", "PMC"):
        yield ArticleId("europepmc", f"{result.source}/{result.id}")


def _journal(result: Result) -> Journal:
    journal = result.journalInfo.journal
    return Journal(
        title=journal.title or result.journalTitle,
        iso_abbreviation=journal.isoabbreviation,
        medline_abbreviation=journal.medlineAbbreviation,
        issn=journal.essn or journal.issn,
        nlm_id=journal.nlmid,
    )


def _published(result: Result) -> PartialDate:
    info = result.journalInfo
    if info.dateOfPublication:
        return parse_day(info.dateOfPublication)
    if info.yearOfPublication:
        return date_of({"Year": str(info.yearOfPublication), "Month": str(info.monthOfPublication or "")})
    return parse_day(result.firstPublicationDate or result.pubYear)


def _authors(result: Result) -> tuple[Author, ...]:
    people = result.authorList.author
    if people:
        return tuple(map(_author, people))
    names = result.authorString.rstrip(".").split(", ") if result.authorString else []
    return tuple(read_name(name) for name in names)


def _author(person: Person) -> Author:
    known = person.authorId
    orcid = normalise_orcid(known.value) or "" if known and known.type == "ORCID" else ""
    places = person.authorAffiliationDetailsList.authorAffiliation
    return Author(
        last_name=person.lastName or ("" if person.collectiveName else person.fullName),
        fore_name=person.firstName,
        initials=person.initials,
        collective_name=person.collectiveName,
        orcid=orcid,
        affiliations=tuple(place.affiliation for place in places if place.affiliation),
        identifiers=(Identifier(known.type, known.value),) if known and not orcid else (),
    )


def _mesh(heading: Heading) -> MeshHeading:
    return MeshHeading(
        heading.descriptorName,
        major=heading.majorTopic_YN == "Y",
        qualifiers=tuple(
            Term(item.qualifierName, major=item.majorTopic_YN == "Y")
            for item in heading.meshQualifierList.meshQualifier
        ),
    )


def _correction(comment: Comment) -> Correction:
    return Correction(
        _CORRECTIONS.get(comment.type, comment.type),
        comment.reference,
        comment.id if comment.source == "MED" else "",
        comment.note,
    )
