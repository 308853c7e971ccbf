"""Chapters of books at NCBI."""

import pytest
from pubmed_records import pubmed_xml, write_xml

from indexer.citation import (
    ArticleId,
    Author,
    Book,
    Citation,
    HistoryDate,
    Keyword,
    PartialDate,
    Reference,
    Section,
    Term,
)
from indexer.sources.pubmed import read_pubmed


def read(path, xml):
    return list(read_pubmed(write_xml(path / "records.xml", xml)))


BOOK = """<PubmedBookArticle><BookDocument><PMID Version="1">20301295</PMID>
<ArticleIdList><ArticleId IdType="bookaccession">NBK1116</ArticleId></ArticleIdList>
<Book><Publisher><PublisherName>University of Utopia</PublisherName>
<PublisherLocation>Utopia (WA)</PublisherLocation></Publisher>
<BookTitle book="gene">Reviews of Genes</BookTitle><PubDate><Year>1993</Year></PubDate>
<AuthorList Type="editors" CompleteYN="Y"><Author ValidYN="Y"><LastName>Adam</LastName>
<ForeName>Eva</ForeName></Author></AuthorList><Volume>2</Volume><Edition>3rd</Edition><CollectionTitle>Bookshelf</CollectionTitle>
<Isbn>9780000000001</Isbn><ELocationID EIdType="doi" ValidYN="Y">10.5555/book</ELocationID>
<Medium>Internet</Medium></Book>
<ArticleTitle book="gene" part="x">X-linked Blueness</ArticleTitle><Language>eng</Language>
<AuthorList Type="authors" CompleteYN="Y"><Author ValidYN="Y"><LastName>Blau</LastName></Author></AuthorList>
<PublicationType UI="D016454">Review</PublicationType>
<Abstract><AbstractText Label="CLINICAL CHARACTERISTICS">Blue skin from birth.</AbstractText>
<CopyrightInformation>© 1993.</CopyrightInformation></Abstract>
<Sections><Section><LocationLabel Type="section">1</LocationLabel>
<SectionTitle book="gene">Diagnosis</SectionTitle>
<Section><SectionTitle book="gene">Tests</SectionTitle></Section></Section></Sections>
<KeywordList Owner="author"><Keyword>skin</Keyword></KeywordList>
<ContributionDate><Year>2001</Year><Month>2</Month><Day>28</Day></ContributionDate>
<DateRevised><Year>2015</Year><Month>1</Month><Day>2</Day></DateRevised>
<ItemList ListType="Synonyms"><Item>Blue Baby Trait</Item></ItemList>
<ReferenceList><Reference><Citation>Azure C. 1990.</Citation></Reference></ReferenceList>
</BookDocument><PubmedBookData><History><PubMedPubDate PubStatus="entrez"><Year>2001</Year><Month>3</Month>
<Day>1</Day></PubMedPubDate></History><PublicationStatus>ppublish</PublicationStatus>
<ArticleIdList><ArticleId IdType="pubmed">20301295</ArticleId></ArticleIdList></PubmedBookData>
</PubmedBookArticle>"""

BOOK_CITATION = Citation(
    id="pmid:20301295",
    title="X-linked Blueness",
    abstract=(Section("Blue skin from birth.", "CLINICAL CHARACTERISTICS"),),
    copyright="© 1993.",
    languages=("en",),
    volume="2",
    published=PartialDate(1993),
    electronic=PartialDate(2001, 2, 28),
    revised=PartialDate(2015, 1, 2),
    history=(HistoryDate("entrez", PartialDate(2001, 3, 1)),),
    authors=(Author("Blau"),),
    keywords=(Keyword("skin", owner="author"), Keyword("Blue Baby Trait", owner="Synonyms")),
    publication_types=(Term("Review", "D016454"),),
    publication_status="ppublish",
    article_ids=(
        ArticleId("bookaccession", "NBK1116"),
        ArticleId("pubmed", "20301295"),
        ArticleId("doi", "10.5555/book"),
    ),
    references=(Reference("Azure C. 1990."),),
    notes=("1 Diagnosis", "Tests"),
    book=Book(
        title="Reviews of Genes",
        publisher="University of Utopia",
        place="Utopia (WA)",
        edition="3rd",
        isbns=("9780000000001",),
        editors=(Author("Adam", "Eva"),),
        collection="Bookshelf",
    ),
)


@pytest.mark.parametrize(
    "xml", [pubmed_xml([BOOK]), BOOK, f"<PubmedBookArticleSet>{BOOK}</PubmedBookArticleSet>"]
)
def test_a_chapter_of_a_book(tmp_path, xml):
    assert read(tmp_path, xml) == [BOOK_CITATION]


def test_book_documents_without_their_pubmed_data(tmp_path):
    document = BOOK[BOOK.index("<BookDocument") : BOOK.index("<PubmedBookData")]
    deleted = "<DeleteDocument><PMID>5</PMID></DeleteDocument>"
    records = read(tmp_path, f"<BookDocumentSet>{document}{deleted}</BookDocumentSet>")
    assert [record.id for record in records] == ["pmid:20301295", "pmid:5"]
    assert records[0].book == BOOK_CITATION.book
