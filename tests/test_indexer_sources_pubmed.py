"""PubMed records, whole: every field of them in the citation."""

import pytest
from pubmed_records import RECORDS, pubmed_xml, write_pubmed, write_xml

from indexer.citation import (
    ArticleId,
    Author,
    Chemical,
    Citation,
    Correction,
    DataBank,
    Deletion,
    Grant,
    HistoryDate,
    Identifier,
    Journal,
    Keyword,
    MeshHeading,
    OtherAbstract,
    PartialDate,
    Reference,
    Section,
    SupplementaryConcept,
    Term,
)
from indexer.sources.errors import SetAside
from indexer.sources.pubmed import read_pubmed

FULL = """<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM" IndexingMethod="Curated">
<PMID Version="2">31415926</PMID>
<DateCompleted><Year>2021</Year><Month>03</Month><Day>04</Day></DateCompleted>
<DateRevised><Year>2022</Year><Month>11</Month><Day>30</Day></DateRevised>
<Article PubModel="Print-Electronic"><Journal><ISSN IssnType="Electronic">2049-3630</ISSN>
<JournalIssue CitedMedium="Internet"><Volume>12</Volume><Issue>3 Suppl</Issue>
<PubDate><MedlineDate>2020 Dec-2021 Jan</MedlineDate></PubDate></JournalIssue>
<Title>Journal of Inventions</Title><ISOAbbreviation>J. Inv.</ISOAbbreviation></Journal>
<ArticleTitle>[The <i>in vitro</i> uptake of CO<sub>2</sub> by <i>Chlorella</i>].</ArticleTitle>
<Pagination><StartPage>101</StartPage><EndPage>109</EndPage></Pagination>
<ELocationID EIdType="doi" ValidYN="Y">10.5555/ABC.1</ELocationID>
<ELocationID EIdType="doi" ValidYN="N">10.5555/wrong</ELocationID>
<ELocationID EIdType="pii" ValidYN="Y">e101</ELocationID>
<Abstract>
<AbstractText Label="OBJETIVO" NlmCategory="OBJECTIVE">To see <b>whether</b> x &lt; 3.</AbstractText>
<AbstractText Label="MÉTODOS" NlmCategory="METHODS">We fed 10<sup>6</sup>
cells\u00a0daily.</AbstractText>
<AbstractText Label="LEVEL OF EVIDENCE: 4" NlmCategory="UNASSIGNED"/><AbstractText> </AbstractText>
<AbstractText>The end.</AbstractText>
<CopyrightInformation>© 2021 The Inventors.</CopyrightInformation></Abstract>
<AuthorList CompleteYN="N">
<Author ValidYN="Y" EqualContrib="Y"><LastName>Núñez</LastName><ForeName>Ana María</ForeName>
<Initials>AM</Initials><Suffix>3rd</Suffix><Identifier Source="ORCID">https://orcid.org/000000021825009X</Identifier>
<AffiliationInfo><Affiliation>Dept. of CO<sub>2</sub>, Quito.</Affiliation>
<Identifier Source="GRID">grid.1234.5</Identifier></AffiliationInfo>
<AffiliationInfo><Affiliation>Hospital, Lima.</Affiliation></AffiliationInfo></Author>
<Author ValidYN="Y"><LastName>李</LastName><Identifier Source="ORCID">0000-0001-2345</Identifier></Author>
<Author ValidYN="Y"><CollectiveName>The Chlorella Group</CollectiveName></Author></AuthorList>
<Language>spa</Language><Language>eng</Language>
<DataBankList CompleteYN="Y"><DataBank><DataBankName>ClinicalTrials.gov</DataBankName><AccessionNumberList>
<AccessionNumber>NCT00000001</AccessionNumber><AccessionNumber>NCT00000002</AccessionNumber></AccessionNumberList>
</DataBank></DataBankList>
<GrantList CompleteYN="Y"><Grant><GrantID>R01-1</GrantID><Acronym>HL</Acronym><Agency>NHLBI NIH HHS</Agency>
<Country>United States</Country></Grant><Grant><Agency>Ministry</Agency><Country/></Grant></GrantList>
<PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType>
<PublicationType UI="D016454">Review</PublicationType></PublicationTypeList>
<VernacularTitle>La captación <i>in vitro</i> de CO<sub>2</sub>.</VernacularTitle>
<ArticleDate DateType="Electronic"><Year>2020</Year><Month>10</Month><Day>09</Day></ArticleDate></Article>
<MedlineJournalInfo><Country>Ecuador</Country><MedlineTA>J Inv</MedlineTA><NlmUniqueID>101</NlmUniqueID>
<ISSNLinking>2049-3631</ISSNLinking></MedlineJournalInfo>
<ChemicalList><Chemical><RegistryNumber>142M471B3J</RegistryNumber>
<NameOfSubstance UI="D002245">Carbon Dioxide</NameOfSubstance></Chemical></ChemicalList>
<SupplMeshList><SupplMeshName Type="Disease" UI="C000001">Greenness</SupplMeshName></SupplMeshList>
<CitationSubset>IM</CitationSubset><CitationSubset>S</CitationSubset>
<CommentsCorrectionsList><CommentsCorrections RefType="ErratumIn"><RefSource>J Inv. 2021;13:1</RefSource>
<PMID Version="1">31415999</PMID><Note>Dosage error</Note></CommentsCorrections></CommentsCorrectionsList>
<GeneSymbolList><GeneSymbol>rbcL</GeneSymbol></GeneSymbolList>
<MeshHeadingList><MeshHeading><DescriptorName UI="D002708" MajorTopicYN="N">Chlorella</DescriptorName>
<QualifierName UI="Q000378" MajorTopicYN="Y">metabolism</QualifierName>
<QualifierName UI="Q000187" MajorTopicYN="N">drug effects</QualifierName></MeshHeading>
<MeshHeading><DescriptorName UI="D004484" Type="Geographic" MajorTopicYN="Y">Ecuador</DescriptorName>
</MeshHeading></MeshHeadingList><NumberOfReferences>52</NumberOfReferences>
<PersonalNameSubjectList><PersonalNameSubject><LastName>Beijerinck</LastName><ForeName>Martinus</ForeName>
<Initials>M</Initials></PersonalNameSubject></PersonalNameSubjectList>
<OtherID Source="NASA">99001122</OtherID>
<OtherAbstract Type="Publisher" Language="spa"><AbstractText Label="FINES">Ver si x es menor.</AbstractText>
<CopyrightInformation>© Los autores.</CopyrightInformation></OtherAbstract>
<OtherAbstract Type="plain-language-summary" Language="eng"><AbstractText>Algae eat gas.</AbstractText>
</OtherAbstract>
<KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="Y">green <i>algae</i></Keyword><Keyword MajorTopicYN="N"/>
</KeywordList><KeywordList Owner="NASA"><Keyword MajorTopicYN="N">Plants</Keyword></KeywordList>
<SpaceFlightMission>Flight Experiment</SpaceFlightMission>
<CoiStatement>None <b>declared</b>.</CoiStatement>
<InvestigatorList><Investigator ValidYN="Y"><LastName>Vega</LastName><ForeName>Sol</ForeName>
<Initials>S</Initials><AffiliationInfo><Affiliation>Quito</Affiliation></AffiliationInfo></Investigator></InvestigatorList>
<GeneralNote Owner="NLM">Original DateCompleted: 20210301</GeneralNote>
</MedlineCitation><PubmedData><History>
<PubMedPubDate PubStatus="received"><Year>2020</Year><Month>5</Month><Day>1</Day></PubMedPubDate>
<PubMedPubDate PubStatus="pubmed"><Year>2020</Year><Month>10</Month><Day>10</Day>
<Hour>6</Hour><Minute>0</Minute></PubMedPubDate></History><PublicationStatus>ppublish</PublicationStatus>
<ArticleIdList><ArticleId IdType="pubmed">31415926</ArticleId>
<ArticleId IdType="doi">10.5555/abc.1</ArticleId><ArticleId IdType="pmc">PMC700001</ArticleId></ArticleIdList>
<ReferenceList><Title>References</Title>
<Reference><Citation>Old A. On H<sub>2</sub>O. 1901.</Citation><ArticleIdList>
<ArticleId IdType="pubmed">11</ArticleId><ArticleId IdType="doi">10.5555/other</ArticleId></ArticleIdList>
</Reference>
<ReferenceList><Reference><Citation>Older B. 1899.</Citation></Reference></ReferenceList></ReferenceList>
</PubmedData></PubmedArticle>"""

FULL_CITATION = Citation(
    id="pmid:31415926",
    version=2,
    status="MEDLINE",
    title="The in vitro uptake of CO₂ by Chlorella",
    title_translated=True,
    vernacular_title="La captación in vitro de CO₂.",
    abstract=(
        Section("To see whether x < 3.", "OBJETIVO", "OBJECTIVE"),
        Section("We fed 10⁶ cells daily.", "MÉTODOS", "METHODS"),
        Section("", "LEVEL OF EVIDENCE: 4", "UNASSIGNED"),
        Section("The end."),
    ),
    other_abstracts=(
        OtherAbstract("es", "Publisher", (Section("Ver si x es menor.", "FINES"),), "© Los autores."),
        OtherAbstract("en", "plain-language-summary", (Section("Algae eat gas."),)),
    ),
    copyright="© 2021 The Inventors.",
    languages=("es", "en"),
    journal=Journal(
        title="Journal of Inventions",
        iso_abbreviation="J. Inv.",
        medline_abbreviation="J Inv",
        issn="2049-3630",
        issn_linking="2049-3631",
        nlm_id="101",
        country="Ecuador",
    ),
    volume="12",
    issue="3 Suppl",
    pages="101-109",
    published=PartialDate(2020, 12, None, "2020 Dec-2021 Jan"),
    electronic=PartialDate(2020, 10, 9),
    completed=PartialDate(2021, 3, 4),
    revised=PartialDate(2022, 11, 30),
    history=(
        HistoryDate("received", PartialDate(2020, 5, 1)),
        HistoryDate("pubmed", PartialDate(2020, 10, 10)),
    ),
    authors=(
        Author(
            last_name="Núñez",
            fore_name="Ana María",
            initials="AM",
            suffix="3rd",
            orcid="0000-0002-1825-009X",
            affiliations=("Dept. of CO₂, Quito.", "Hospital, Lima."),
            equal_contribution=True,
            identifiers=(Identifier("GRID", "grid.1234.5"),),
        ),
        Author(last_name="李", identifiers=(Identifier("ORCID", "0000-0001-2345"),)),
        Author(collective_name="The Chlorella Group"),
    ),
    authors_complete=False,
    investigators=(Author("Vega", "Sol", "S", affiliations=("Quito",)),),
    subject_names=(Author("Beijerinck", "Martinus", "M"),),
    mesh=(
        MeshHeading(
            "Chlorella",
            "D002708",
            False,
            (Term("metabolism", "Q000378", True), Term("drug effects", "Q000187", False)),
        ),
        MeshHeading("Ecuador", "D004484", True, (), "Geographic"),
    ),
    supplementary_concepts=(SupplementaryConcept("Greenness", "C000001", "Disease"),),
    keywords=(Keyword("green algae", True, "NOTNLM"), Keyword("Plants", False, "NASA")),
    chemicals=(Chemical("Carbon Dioxide", "D002245", "142M471B3J"),),
    gene_symbols=("rbcL",),
    publication_types=(Term("Journal Article", "D016428"), Term("Review", "D016454")),
    publication_status="ppublish",
    publication_model="Print-Electronic",
    grants=(Grant("R01-1", "HL", "NHLBI NIH HHS", "United States"), Grant(agency="Ministry")),
    databanks=(DataBank("ClinicalTrials.gov", ("NCT00000001", "NCT00000002")),),
    article_ids=(
        ArticleId("pubmed", "31415926"),
        ArticleId("doi", "10.5555/abc.1"),
        ArticleId("pmc", "PMC700001"),
        ArticleId("pii", "e101"),
        ArticleId("NASA", "99001122"),
    ),
    corrections=(Correction("ErratumIn", "J Inv. 2021;13:1", "31415999", "Dosage error"),),
    references=(
        Reference("Old A. On H₂O. 1901.", (ArticleId("pubmed", "11"), ArticleId("doi", "10.5555/other"))),
        Reference("Older B. 1899."),
    ),
    citation_subsets=("IM", "S"),
    notes=("Original DateCompleted: 20210301",),
    space_flight_missions=("Flight Experiment",),
    number_of_references="52",
    conflict_of_interest="None declared.",
    owner="NLM",
    indexing_method="Curated",
)


def read(path, xml):
    return list(read_pubmed(write_xml(path / "records.xml", xml)))


def test_a_whole_record(tmp_path):
    assert read(tmp_path, pubmed_xml([FULL])) == [FULL_CITATION]


def test_ids_are_those_of_the_record_and_not_of_its_references(tmp_path):
    citation = read(tmp_path, pubmed_xml([FULL]))[0]
    assert (citation.pmid, citation.doi, citation.pmcid) == ("31415926", "10.5555/abc.1", "PMC700001")


def test_a_bare_record_is_a_file_too(tmp_path):
    assert read(tmp_path, FULL) == [FULL_CITATION]


def test_the_least_that_a_record_can_be(tmp_path):
    xml = "<PubmedArticle><MedlineCitation><PMID>7</PMID><Article/></MedlineCitation></PubmedArticle>"
    assert read(tmp_path, xml) == [Citation("pmid:7")]


@pytest.mark.parametrize("name", ["some.xml", "some.xml.gz"])
def test_records_in_many_scripts(tmp_path, name):
    citations = list(read_pubmed(write_pubmed(tmp_path / name)))
    assert [(citation.pmid, citation.title) for citation in citations] == [
        (str(record.pmid), record.title) for record in RECORDS
    ]
    assert [citation.vernacular_title for citation in citations] == [
        record.vernacular_title for record in RECORDS
    ]
    tags = ["en", "en", "fr", "ru", "zh", "ja", "ko", "ar", "he", "el", "th", "hi", "bn", "hy"]
    assert [citation.languages for citation in citations] == [(tag,) for tag in tags]
    assert [[other.sections[0].text for other in citation.other_abstracts] for citation in citations] == [
        [record.other_abstract] if record.other_abstract else [] for record in RECORDS
    ]
    assert [citation.title_translated for citation in citations] == [False, False] + 12 * [True]


def test_deletions_come_in_their_place(tmp_path):
    records = list(read_pubmed(write_pubmed(tmp_path / "update.xml", RECORDS[:1], deletions=[11, 30000002])))
    assert [record.id for record in records] == ["pmid:30000001", "pmid:11", "pmid:30000002"]
    assert records[1:] == [Deletion("pmid:11"), Deletion("pmid:30000002")]


def _record(pmid='<PMID Version="1">5</PMID>', article="<Article/>"):
    return f"<PubmedArticle><MedlineCitation>{pmid}{article}</MedlineCitation></PubmedArticle>"


@pytest.mark.parametrize(
    ("record", "id", "reason"),
    [
        (_record(pmid=""), "", "it has no PMID"),
        (_record(pmid="<PMID>five</PMID>"), "pmid:five", "its PMID is 'five', expected a positive number"),
        (_record(pmid="<PMID>0</PMID>"), "pmid:0", "its PMID is '0', expected a positive number"),
        (_record(pmid="<PMID>٥</PMID>"), "pmid:٥", "its PMID is '٥', expected a positive number"),
        (
            _record(pmid='<PMID Version="new">5</PMID>'),
            "pmid:5",
            "its version is 'new', expected a positive number",
        ),
        (_record(article=""), "pmid:5", "it has no Article"),
        ("<PubmedArticle/>", "", "it has no MedlineCitation"),
        ("<PubmedBookArticle/>", "", "it has no BookDocument"),
    ],
)
def test_a_record_that_makes_no_sense_is_set_aside_alone(tmp_path, record, id, reason):
    good = _record(pmid="<PMID>1</PMID>")
    records = read(tmp_path, pubmed_xml([good, record, good]))
    assert records[0] == records[2] == Citation("pmid:1")
    assert records[1] == SetAside(tmp_path / "records.xml", 2, id, reason, record, "pubmed")


def test_what_was_set_aside_reads_well(tmp_path):
    aside = read(tmp_path, pubmed_xml([_record(pmid="<PMID>x</PMID>")]))[0]
    assert str(aside) == (
        f"{tmp_path}/records.xml: record 1 (pmid:x) was set aside: "
        "its PMID is 'x', expected a positive number"
    )


def test_a_deletion_that_makes_no_sense_is_set_aside(tmp_path):
    xml = (
        "<PubmedArticleSet><DeleteCitation><PMID>no</PMID><PMID>3</PMID></DeleteCitation></PubmedArticleSet>"
    )
    aside, deletion = read(tmp_path, xml)
    assert (aside.position, aside.id, deletion) == (1, "pmid:no", Deletion("pmid:3"))
    assert aside.reason == "a deletion: its PMID is 'no', expected a positive number"


def test_elements_in_the_wrong_place_do_no_harm(tmp_path):
    article = (
        "<Article><AuthorList><LastName>Lost</LastName></AuthorList><Language/>"
        "<Journal><JournalIssue><PubDate/></JournalIssue></Journal></Article>"
    )
    data = (
        "<PubmedData><History><Year>1999</Year></History><ReferenceList><Citation>Lost</Citation>"
        "</ReferenceList></PubmedData></PubmedArticle>"
    )
    xml = _record(article=article).replace("</PubmedArticle>", data)
    assert read(tmp_path, xml) == [Citation("pmid:5")]
