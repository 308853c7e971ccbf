"""From a PubmedBookArticle element (a book at NCBI, or a chapter of one) to the Citation."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lxml import etree

from indexer.citation import Author, Book, Citation, Keyword
from indexer.sources import pubmed_terms as terms
from indexer.sources.dates import read_date
from indexer.sources.elements import Parts, first, items_of, parts_of, text_of, texts_of
from indexer.sources.errors import RecordFault
from indexer.sources.people import read_people
from indexer.sources.pubmed_fields import (
    read_languages,
    read_other_abstracts,
    read_pages,
    read_pmid,
    read_sections,
    read_title,
    unlisted_locations,
)


def read_book_article(record: etree._Element) -> Citation:
    """The citation in a PubmedBookArticle or a bare BookDocument. Raises RecordFault like read_article."""
    parts = parts_of(record)
    document = parts if record.tag == "BookDocument" else parts_of(first(parts, "BookDocument"))
    if not document:
        raise RecordFault("it has no BookDocument")
    pmid, version = read_pmid(first(document, "PMID"))
    book = parts_of(first(document, "Book"))
    data = parts_of(first(parts, "PubmedBookData"))
    title, translated = read_title(text_of(document, "ArticleTitle") or text_of(book, "BookTitle"))
    ids = terms.read_ids(items_of(document, "ArticleIdList")) + terms.read_ids(
        items_of(data, "ArticleIdList")
    )
    listed = tuple(dict.fromkeys(ids))
    citation = Citation(
        id=f"pmid:{pmid}",
        version=version,
        title=title,
        title_translated=translated,
        authors=_people(document, "authors") or _people(book, "authors"),
        volume=text_of(book, "Volume"),
        published=read_date(first(book, "PubDate")),
        article_ids=(*listed, *unlisted_locations(book.get("ELocationID", ()), listed)),
        publication_status=text_of(data, "PublicationStatus"),
        history=terms.read_history(first(data, "History")),
        book=_read_book(book),
    )
    return _with_document(citation, document)


def _with_document(citation: Citation, document: Parts) -> Citation:
    abstract = parts_of(first(document, "Abstract"))
    return replace(
        citation,
        vernacular_title=text_of(document, "VernacularTitle"),
        abstract=read_sections(abstract),
        other_abstracts=read_other_abstracts(document),
        copyright=text_of(abstract, "CopyrightInformation"),
        languages=read_languages(document),
        pages=read_pages(first(document, "Pagination")),
        electronic=read_date(first(document, "ContributionDate")),
        revised=read_date(first(document, "DateRevised")),
        investigators=read_people(first(document, "InvestigatorList")),
        keywords=(*terms.read_keywords(document.get("KeywordList", ())), *_list_items(document)),
        publication_types=terms.read_publication_types(document.get("PublicationType", ())),
        grants=terms.read_grants(items_of(document, "GrantList")),
        references=terms.read_references(document.get("ReferenceList", ())),
        citation_subsets=texts_of(document, "CitationSubset"),
        notes=tuple(_section_titles(items_of(document, "Sections"))),
    )


def _read_book(book: Parts) -> Book:
    publisher = parts_of(first(book, "Publisher"))
    return Book(
        title=text_of(book, "BookTitle"),
        publisher=text_of(publisher, "PublisherName"),
        place=text_of(publisher, "PublisherLocation"),
        edition=text_of(book, "Edition"),
        isbns=texts_of(book, "Isbn"),
        editors=_people(book, "editors"),
        collection=text_of(book, "CollectionTitle"),
    )


def _people(parts: Parts, kind: str) -> tuple[Author, ...]:
    """Those in the lists of that Type; a list without one holds authors."""
    lists = parts.get("AuthorList", ())
    return tuple(who for list_ in lists if list_.get("Type", "authors") == kind for who in read_people(list_))


def _list_items(document: Parts) -> Iterator[Keyword]:
    """Entries of lists such as synonyms of a disease; the kind of list is the keywords' owner."""
    for list_ in document.get("ItemList", ()):
        for item in texts_of(parts_of(list_), "Item"):
            yield Keyword(item, owner=list_.get("ListType", ""))


def _section_titles(sections: Iterable[etree._Element]) -> Iterator[str]:
    """The headings of a chapter, which PubMed has instead of its text."""
    for section in sections:
        parts = parts_of(section)
        if title := f"{text_of(parts, 'LocationLabel')} {text_of(parts, 'SectionTitle')}".strip():
            yield title
        yield from _section_titles(parts.get("Section", ()))
