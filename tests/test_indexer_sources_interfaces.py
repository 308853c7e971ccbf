"""JSON of Europe PMC, OpenAlex and ClinicalTrials.gov, in their exact shapes; what it tells is made up."""

import json

import pytest

from indexer.citation import (
    ArticleId,
    Author,
    Chemical,
    Citation,
    Correction,
    DataBank,
    Grant,
    Identifier,
    Journal,
    Keyword,
    MeshHeading,
    PartialDate,
    Reference,
    Section,
    Term,
)
from indexer.sources.archive import Text
from indexer.sources.detect import Hints, detect_source, read_file
from indexer.sources.errors import SetAside

EUROPE_PMC = {
    "id": "39000001",
    "source": "MED",
    "pmid": "39000001",
    "pmcid": "PMC9999991",
    "doi": "10.5555/hfx.2023.001",
    "title": "Heart failure after <i>influenza</i> A(H3N2): CO<sub>2</sub> &amp; age.",
    "authorString": "Núñez M, FLU-HEART Group.",
    "authorList": {
        "author": [
            {
                "fullName": "Núñez M",
                "firstName": "María",
                "lastName": "Núñez",
                "initials": "M",
                "authorId": {"type": "ORCID", "value": "0000-0002-1825-0097"},
                "authorAffiliationDetailsList": {"authorAffiliation": [{"affiliation": "Lima, Peru."}]},
            },
            {"collectiveName": "FLU-HEART Group"},
            {
                "fullName": "王 X",
                "lastName": "王",
                "initials": "X",
                "authorId": {"type": "SCOPUS", "value": "7"},
            },
        ]
    },
    "journalInfo": {
        "issue": "3",
        "volume": "12",
        "journalIssueId": 1,
        "dateOfPublication": "2023 Jan",
        "monthOfPublication": 1,
        "yearOfPublication": 2023,
        "printPublicationDate": "2023-01-01",
        "journal": {
            "title": "Journal of fictional cardiology",
            "medlineAbbreviation": "J Fict Cardiol",
            "isoabbreviation": "J Fict Cardiol",
            "issn": "1234-5660",
            "essn": "1234-5679",
            "nlmid": "9999991",
        },
    },
    "pubYear": "2023",
    "pageInfo": "101-109",
    "abstractText": "<h4>Background</h4>Influenza &lt; heart. <h4>Results</h4>HR 0.7; <i>p</i> < 0.05.",
    "language": "eng",
    "pubTypeList": {"pubType": ["research-article", "journal article"]},
    "meshHeadingList": {
        "meshHeading": [
            {
                "majorTopic_YN": "Y",
                "descriptorName": "Heart Failure",
                "meshQualifierList": {
                    "meshQualifier": [
                        {"abbreviation": "EP", "qualifierName": "epidemiology", "majorTopic_YN": "N"}
                    ]
                },
            }
        ]
    },
    "keywordList": {"keyword": ["Vaccination"]},
    "chemicalList": {"chemical": [{"name": "Influenza Vaccines", "registryNumber": "0"}]},
    "grantsList": {"grant": [{"grantId": "R01", "agency": "NHLBI NIH HHS", "acronym": "HL", "orderIn": 0}]},
    "commentCorrectionList": {
        "commentCorrection": [
            {
                "id": "39000009",
                "source": "MED",
                "type": "Comment in",
                "reference": "J Fict. 2023;1:2.",
                "orderIn": 1,
            }
        ]
    },
    "isOpenAccess": "Y",
    "firstPublicationDate": "2022-12-20",
    "electronicPublicationDate": "2022-12-20",
    "dateOfRevision": "2023-03-01",
}
PREPRINT = {
    "id": "PPR900001",
    "source": "PPR",
    "doi": "10.5555/2020.01.01.900001",
    "title": "A preprint",
    "authorString": "Diop A, Sow I.",
    "pubYear": "2020",
    "pubType": "preprint",
    "firstPublicationDate": "2020-01-05",
    "journalTitle": None,
}
OPEN_ALEX = {
    "id": "https://openalex.org/W4000000001",
    "doi": "https://doi.org/10.5555/HFX.2023.001",
    "title": "Heart failure after influenza",
    "display_name": "Heart failure after influenza",
    "publication_year": 2023,
    "publication_date": "2023-01-10",
    "ids": {
        "openalex": "https://openalex.org/W4000000001",
        "pmid": "https://pubmed.ncbi.nlm.nih.gov/39000001",
        "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/9999991",
        "mag": "3000000001",
    },
    "language": "es",
    "primary_location": {
        "is_oa": True,
        "source": {
            "display_name": "Journal of fictional cardiology",
            "issn_l": "1234-5660",
            "issn": ["1234-5660", "1234-5679"],
            "type": "journal",
        },
    },
    "type": "article",
    "authorships": [
        {
            "author_position": "first",
            "author": {
                "id": "https://openalex.org/A1",
                "display_name": "María José Núñez",
                "orcid": "https://orcid.org/0000-0002-1825-0097",
            },
            "raw_affiliation_strings": ["Hospital del Sur, Lima, Peru"],
        },
        {
            "author": {"display_name": None, "orcid": None},
            "raw_author_name": "Jan P. van der Berg",
            "raw_affiliation_strings": None,
        },
        {"author": {"display_name": "王小明"}},
    ],
    "biblio": {"volume": "12", "issue": None, "first_page": "101", "last_page": "109"},
    "is_retracted": True,
    "abstract_inverted_index": {"Influenza": [0, 5], "harms": [1], "the": [2], "heart;": [3], "avoid": [4]},
    "keywords": [{"id": "x", "display_name": "Vaccination", "score": 0.5}],
    "mesh": [
        {
            "descriptor_ui": "D006333",
            "descriptor_name": "Heart Failure",
            "qualifier_ui": "Q000453",
            "qualifier_name": "epidemiology",
            "is_major_topic": True,
        },
        {
            "descriptor_ui": "D006333",
            "descriptor_name": "Heart Failure",
            "qualifier_ui": "Q000209",
            "qualifier_name": "etiology",
            "is_major_topic": False,
        },
        {
            "descriptor_ui": "D000368",
            "descriptor_name": "Aged",
            "qualifier_ui": None,
            "qualifier_name": None,
            "is_major_topic": True,
        },
    ],
    "grants": [{"funder_display_name": "A fund", "award_id": None}],
}
STUDY = {
    "protocolSection": {
        "identificationModule": {
            "nctId": "NCT09999991",
            "orgStudyIdInfo": {"id": "FLU-7"},
            "secondaryIdInfos": [{"id": "2023-000001-10", "type": "EUDRACT_NUMBER"}],
            "organization": {"fullName": "Hospital del Sur", "class": "OTHER"},
            "briefTitle": "Vaccine for Hearts",
            "officialTitle": "A Randomized Trial of a Vaccine for Hearts",
            "acronym": "FLU-HEART",
        },
        "statusModule": {
            "overallStatus": "COMPLETED",
            "startDateStruct": {"date": "2019-05"},
            "studyFirstPostDateStruct": {"date": "2019-04-02", "type": "ACTUAL"},
            "lastUpdatePostDateStruct": {"date": "2021-06-01", "type": "ACTUAL"},
        },
        "sponsorCollaboratorsModule": {
            "leadSponsor": {"name": "Hospital del Sur", "class": "OTHER"},
            "collaborators": [{"name": "A Fund", "class": "OTHER"}],
        },
        "descriptionModule": {"briefSummary": "Does it\n\nhelp?", "detailedDescription": "In detail."},
        "conditionsModule": {"conditions": ["Heart Failure"], "keywords": ["influenza"]},
        "designModule": {
            "studyType": "INTERVENTIONAL",
            "phases": ["PHASE3"],
            "enrollmentInfo": {"count": 7},
        },
        "armsInterventionsModule": {
            "interventions": [{"type": "BIOLOGICAL", "name": "Vaccine", "description": "One dose"}]
        },
        "outcomesModule": {"primaryOutcomes": [{"measure": "Death", "timeFrame": "1 year"}]},
        "eligibilityModule": {"eligibilityCriteria": "Inclusion:\n* Age", "sex": "ALL"},
        "contactsLocationsModule": {
            "overallOfficials": [{"name": "Rosa Quispe, MD", "affiliation": "Lima", "role": "STUDY_CHAIR"}]
        },
        "referencesModule": {"references": [{"pmid": "39000001", "type": "RESULT", "citation": "Núñez M."}]},
    },
    "derivedSection": {
        "conditionBrowseModule": {"meshes": [{"id": "D006333", "term": "Heart Failure"}]},
        "interventionBrowseModule": {"meshes": [{"id": "D014612", "term": "Vaccines"}]},
    },
    "hasResults": False,
}


def read(text):
    return list(read_file(Text("answer.json", text)))


def answer(key, *records):
    """What the interface of a source says, on one line, indented, and as records a line or a list each."""
    nested = list(records)
    for name in reversed(key):
        nested = {name: nested}
    whole = {"version": "6.9", **nested}
    return (
        json.dumps(whole),
        json.dumps(whole, indent=2),
        "\n".join(map(json.dumps, records)),
        json.dumps(list(records), indent=1, ensure_ascii=False),
    )


@pytest.mark.parametrize(
    ("source", "key", "records", "ids"),
    [
        (
            "europepmc",
            ("resultList", "result"),
            (EUROPE_PMC, PREPRINT),
            ["pmid:39000001", "doi:10.5555/2020.01.01.900001"],
        ),
        ("openalex", ("results",), (OPEN_ALEX,), ["pmid:39000001"]),
        ("clinicaltrials", ("studies",), (STUDY,), ["nct:NCT09999991"]),
    ],
)
def test_answers_and_lines_and_lists_are_told_by_their_content(source, key, records, ids):
    texts = answer(key, *records)
    assert {detect_source(Text("x", text)) for text in texts} == {source}
    found = [read(text) for text in texts]
    assert [record.id for record in found[0]] == ids
    assert all(other == found[0] for other in found)


def test_europe_pmc():
    (found,) = read(json.dumps(EUROPE_PMC))
    assert found == Citation(
        id="pmid:39000001",
        source="europepmc",
        title="Heart failure after influenza A(H3N2): CO₂ & age.",
        abstract=(Section("Influenza < heart.", "Background"), Section("HR 0.7; p < 0.05.", "Results")),
        languages=("en",),
        journal=Journal(
            "Journal of fictional cardiology",
            "J Fict Cardiol",
            "J Fict Cardiol",
            issn="1234-5679",
            nlm_id="9999991",
        ),
        volume="12",
        issue="3",
        pages="101-109",
        published=PartialDate(2023, 1),
        electronic=PartialDate(2022, 12, 20),
        revised=PartialDate(2023, 3, 1),
        authors=(
            Author("Núñez", "María", "M", orcid="0000-0002-1825-0097", affiliations=("Lima, Peru.",)),
            Author(collective_name="FLU-HEART Group"),
            Author("王", initials="X", identifiers=(Identifier("SCOPUS", "7"),)),
        ),
        mesh=(MeshHeading("Heart Failure", major=True, qualifiers=(Term("epidemiology"),)),),
        keywords=(Keyword("Vaccination"),),
        chemicals=(Chemical("Influenza Vaccines", registry_number="0"),),
        grants=(Grant("R01", "HL", "NHLBI NIH HHS"),),
        publication_types=(Term("Research-Article"), Term("Journal Article")),
        corrections=(Correction("CommentIn", "J Fict. 2023;1:2.", "39000009"),),
        article_ids=(
            ArticleId("pubmed", "39000001"),
            ArticleId("pmc", "PMC9999991"),
            ArticleId("doi", "10.5555/hfx.2023.001"),
        ),
    )


def test_what_europe_pmc_says_in_short():
    (found,) = read(json.dumps(PREPRINT))
    assert found.authors == (Author("Diop", "A", "A"), Author("Sow", "I", "I"))
    assert found.publication_types == (Term("Preprint"),)
    assert found.published == PartialDate(2020, 1, 5)
    assert found.article_id("europepmc") == "PPR/PPR900001"


def test_openalex():
    (found,) = read(json.dumps(OPEN_ALEX))
    assert found == Citation(
        id="pmid:39000001",
        source="openalex",
        title="Heart failure after influenza",
        abstract=(Section("Influenza harms the heart; avoid Influenza"),),
        languages=("es",),
        journal=Journal("Journal of fictional cardiology", issn="1234-5679", issn_linking="1234-5660"),
        volume="12",
        pages="101-109",
        published=PartialDate(2023, 1, 10),
        authors=(
            Author(
                "Núñez",
                "María José",
                "MJ",
                orcid="0000-0002-1825-0097",
                affiliations=("Hospital del Sur, Lima, Peru",),
            ),
            Author("van der Berg", "Jan P.", "JP"),
            Author("王小明"),
        ),
        mesh=(
            MeshHeading(
                "Heart Failure",
                "D006333",
                qualifiers=(Term("epidemiology", "Q000453", True), Term("etiology", "Q000209")),
            ),
            MeshHeading("Aged", "D000368", major=True),
        ),
        keywords=(Keyword("Vaccination"),),
        publication_types=(Term("Journal Article"), Term("Retracted Publication")),
        grants=(Grant(agency="A fund"),),
        article_ids=(
            ArticleId("pubmed", "39000001"),
            ArticleId("pmc", "PMC9999991"),
            ArticleId("doi", "10.5555/HFX.2023.001"),
            ArticleId("openalex", "W4000000001"),
        ),
    )


def test_clinicaltrials():
    (found,) = read(json.dumps(STUDY))
    assert found == Citation(
        id="nct:NCT09999991",
        source="clinicaltrials",
        status="COMPLETED",
        title="A Randomized Trial of a Vaccine for Hearts",
        abstract=(
            Section("Vaccine for Hearts (FLU-HEART)", "BRIEF TITLE"),
            Section("Does it help?", "SUMMARY"),
            Section("In detail.", "DESCRIPTION"),
            Section("Heart Failure", "CONDITIONS"),
            Section("INTERVENTIONAL; PHASE3", "DESIGN"),
            Section("BIOLOGICAL: Vaccine: One dose", "INTERVENTIONS"),
            Section("Death (1 year)", "PRIMARY OUTCOMES"),
            Section("Inclusion: * Age", "ELIGIBILITY"),
        ),
        languages=("en",),
        journal=Journal("ClinicalTrials.gov"),
        published=PartialDate(2019, 4, 2),
        revised=PartialDate(2021, 6, 1),
        authors=(
            Author(collective_name="Hospital del Sur"),
            Author(collective_name="A Fund"),
            Author("Rosa Quispe, MD", affiliations=("Lima",)),
        ),
        mesh=(MeshHeading("Heart Failure", "D006333"), MeshHeading("Vaccines", "D014612")),
        keywords=(Keyword("influenza"),),
        publication_types=(Term("Clinical Study"),),
        databanks=(DataBank("ClinicalTrials.gov", ("NCT09999991",)),),
        article_ids=(
            ArticleId("nct", "NCT09999991"),
            ArticleId("registered", "FLU-7"),
            ArticleId("registered", "2023-000001-10"),
        ),
        references=(Reference("Núñez M.", (ArticleId("pubmed", "39000001"),)),),
    )


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ((EUROPE_PMC, {**EUROPE_PMC, "id": ""}, PREPRINT), "its id is empty"),
        ((EUROPE_PMC, {**EUROPE_PMC, "title": 7}, PREPRINT), "Expected `str`, got `int` - at `$.title`"),
        ((EUROPE_PMC, 7, PREPRINT), "Expected `object`, got `int`"),
    ],
)
def test_a_record_that_makes_no_sense_is_set_aside_and_the_others_stay(records, reason):
    for text in answer(("resultList", "result"), *records):
        first, second, third = read(text)
        assert (first.id, third.id) == ("pmid:39000001", "doi:10.5555/2020.01.01.900001")
        assert isinstance(second, SetAside)
        assert (second.position, second.source, second.reason) == (2, "europepmc", reason)
        assert json.loads(second.raw) == records[1]


@pytest.mark.parametrize("opened", ["[", '{"a":', '{"studies":['])
def test_a_document_nested_without_end_is_set_aside(opened):
    deep, whole = opened * 100_000, json.dumps(STUDY)
    found = list(read_file(Text("x", f"{whole}\n{deep}\n"), Hints("clinicaltrials")))
    assert found[0].id == "nct:NCT09999991"
    assert isinstance(found[1], SetAside)
    assert all(isinstance(item, SetAside) for item in read_file(Text("x", deep), Hints("clinicaltrials")))


def test_a_document_that_breaks_off_is_set_aside_whole():
    text = json.dumps({"studies": [STUDY, STUDY]}, indent=1)[:-200]
    (found,) = read(text)
    assert isinstance(found, SetAside)
    assert "truncated" in found.reason
