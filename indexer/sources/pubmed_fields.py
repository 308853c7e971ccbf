"""From a PubmedArticle element to the Citation, every field of it."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from langcodes import Language
from langcodes.tag_parser import LanguageTagError
from lxml import etree

from indexer.citation import ArticleId, Citation, Journal, OtherAbstract, Section
from indexer.sources import pubmed_terms as terms
from indexer.sources.dates import read_date
from indexer.sources.elements import Parts, first, items_of, parts_of, text_of, texts_of
from indexer.sources.errors import RecordFault
from indexer.sources.markup import flatten
from indexer.sources.people import read_people


def read_article(record: etree._Element) -> Citation:
    """The citation in a PubmedArticle. Raises RecordFault if it has no usable PMID or version."""
    parts = parts_of(record)
    element = first(parts, "MedlineCitation")
    if element is None:
        raise RecordFault("it has no MedlineCitation")
    medline = parts_of(element)
    pmid, version = read_pmid(first(medline, "PMID"))
    paper = first(medline, "Article")
    if paper is None:
        raise RecordFault("it has no Article")
    article = parts_of(paper)
    data = parts_of(first(parts, "PubmedData"))
    title, translated = read_title(text_of(article, "ArticleTitle"))
    citation = Citation(
        id=f"pmid:{pmid}",
        version=version,
        status=element.get("Status", ""),
        owner=element.get("Owner", ""),
        indexing_method=element.get("IndexingMethod", ""),
        publication_model=paper.get("PubModel", ""),
        title=title,
        title_translated=translated,
        vernacular_title=text_of(article, "VernacularTitle"),
        article_ids=read_article_ids(medline, article, data),
        publication_status=text_of(data, "PublicationStatus"),
        history=terms.read_history(first(data, "History")),
        references=terms.read_references(data.get("ReferenceList", ())),
    )
    return _with_indexing(_with_paper(citation, article, medline), medline)


def _with_paper(citation: Citation, article: Parts, medline: Parts) -> Citation:
    """What the journal and the authors give."""
    abstract = parts_of(first(article, "Abstract"))
    journal = parts_of(first(article, "Journal"))
    issue = parts_of(first(journal, "JournalIssue"))
    authors = first(article, "AuthorList")
    return replace(
        citation,
        abstract=read_sections(abstract),
        copyright=text_of(abstract, "CopyrightInformation"),
        languages=read_languages(article),
        journal=_journal(journal, parts_of(first(medline, "MedlineJournalInfo"))),
        volume=text_of(issue, "Volume"),
        issue=text_of(issue, "Issue"),
        pages=read_pages(first(article, "Pagination")),
        published=read_date(first(issue, "PubDate")),
        electronic=read_date(first(article, "ArticleDate")),
        authors=read_people(authors),
        authors_complete=authors is None or authors.get("CompleteYN") != "N",
        publication_types=terms.read_publication_types(items_of(article, "PublicationTypeList")),
        grants=terms.read_grants(items_of(article, "GrantList")),
        databanks=terms.read_databanks(items_of(article, "DataBankList")),
    )


def _journal(journal: Parts, info: Parts) -> Journal:
    return Journal(
        title=text_of(journal, "Title"),
        iso_abbreviation=text_of(journal, "ISOAbbreviation"),
        medline_abbreviation=text_of(info, "MedlineTA"),
        issn=text_of(journal, "ISSN"),
        issn_linking=text_of(info, "ISSNLinking"),
        nlm_id=text_of(info, "NlmUniqueID"),
        country=text_of(info, "Country"),
    )


def _with_indexing(citation: Citation, medline: Parts) -> Citation:
    """What NLM's indexers and cataloguers add."""
    return replace(
        citation,
        completed=read_date(first(medline, "DateCompleted")),
        revised=read_date(first(medline, "DateRevised")),
        investigators=read_people(first(medline, "InvestigatorList")),
        subject_names=read_people(first(medline, "PersonalNameSubjectList")),
        mesh=terms.read_mesh(first(medline, "MeshHeadingList")),
        supplementary_concepts=terms.read_supplementary_concepts(items_of(medline, "SupplMeshList")),
        keywords=terms.read_keywords(medline.get("KeywordList", ())),
        chemicals=terms.read_chemicals(items_of(medline, "ChemicalList")),
        gene_symbols=texts_of(parts_of(first(medline, "GeneSymbolList")), "GeneSymbol"),
        corrections=terms.read_corrections(items_of(medline, "CommentsCorrectionsList")),
        other_abstracts=read_other_abstracts(medline),
        citation_subsets=texts_of(medline, "CitationSubset"),
        notes=texts_of(medline, "GeneralNote"),
        space_flight_missions=texts_of(medline, "SpaceFlightMission"),
        number_of_references=text_of(medline, "NumberOfReferences"),
        conflict_of_interest=text_of(medline, "CoiStatement"),
    )


def read_pmid(element: etree._Element | None) -> tuple[int, int]:
    """PMID and version. Raises RecordFault if either is no positive number."""
    if element is None:
        raise RecordFault("it has no PMID")
    pmid = _positive(flatten(element))
    if pmid is None:
        raise RecordFault(f"its PMID is {flatten(element)!r}, expected a positive number")
    version = _positive(element.get("Version", "1").strip())
    if version is None:
        raise RecordFault(f"its version is {element.get('Version')!r}, expected a positive number")
    return pmid, version


def _positive(text: str) -> int | None:
    return (int(text) or None) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def read_title(text: str) -> tuple[str, bool]:
    """The title, and whether its source bracketed the whole of it to say that it is translated.

    Brackets that enclose only a part ("[18F]FDG uptake.") are the title's own. "[Not Available]" stands
    for no title and gives "".
    """
    core = text.removesuffix(".").rstrip()
    if not (core.startswith("[") and core.endswith("]")) or _closes_early(core):
        return text, False
    inner = core[1:-1].strip()
    return ("", False) if inner.lower().removesuffix(".") == "not available" else (inner, True)


def _closes_early(text: str) -> bool:
    """Whether the bracket that opens the text is closed before its end."""
    depth = 0
    for character in text[:-1]:
        depth += (character == "[") - (character == "]")
        if depth == 0:
            return True
    return False


def read_sections(abstract: Parts) -> tuple[Section, ...]:
    """Every AbstractText with text or a label; a label alone may say all ("LEVEL OF EVIDENCE: 4")."""
    sections = [
        Section(flatten(part), " ".join(part.get("Label", "").split()), part.get("NlmCategory", ""))
        for part in abstract.get("AbstractText", ())
    ]
    return tuple([section for section in sections if section.text or section.label])


def read_other_abstracts(parts: Parts) -> tuple[OtherAbstract, ...]:
    """The abstracts in other languages or of other kinds."""
    return tuple([_other_abstract(element) for element in parts.get("OtherAbstract", ())])


def _other_abstract(element: etree._Element) -> OtherAbstract:
    parts = parts_of(element)
    return OtherAbstract(
        language_tag(element.get("Language", "und")),
        element.get("Type", ""),
        read_sections(parts),
        text_of(parts, "CopyrightInformation"),
    )


def read_languages(parts: Parts) -> tuple[str, ...]:
    """The record's languages, each once, in its order."""
    return tuple(dict.fromkeys(map(language_tag, texts_of(parts, "Language"))))


@lru_cache(maxsize=1000)
def language_tag(code: str) -> str:
    """The BCP 47 primary tag of a MARC or ISO 639 code ("fre" -> "fr"); an unknown code as it is."""
    try:
        return Language.get(code.strip()).language or "und"
    except LanguageTagError:
        return code.strip().lower() or "und"


def read_pages(pagination: etree._Element | None) -> str:
    """MedlinePgn, or the start and end page."""
    parts = parts_of(pagination)
    if pages := text_of(parts, "MedlinePgn"):
        return pages
    start, end = text_of(parts, "StartPage"), text_of(parts, "EndPage")
    return f"{start}-{end}" if start and end else start or end


def read_article_ids(medline: Parts, article: Parts, data: Parts) -> tuple[ArticleId, ...]:
    """Ids of the record itself: PubMed's list, what only ELocationID has, and those of other owners."""
    listed = terms.read_ids(items_of(data, "ArticleIdList"))
    located = unlisted_locations(article.get("ELocationID", ()), listed)
    others = [
        ArticleId(child.get("Source", ""), value)
        for child in medline.get("OtherID", ())
        if (value := flatten(child))
    ]
    return (*listed, *located, *others)


def unlisted_locations(locations: Iterable[etree._Element], listed: Iterable[ArticleId]) -> list[ArticleId]:
    """The valid ELocationIDs that are not in the list of ids."""
    known = {(item.type, item.value.lower()) for item in listed}
    return [
        ArticleId(kind, value)
        for child in locations
        if child.get("ValidYN", "Y") != "N"
        and (value := flatten(child))
        and ((kind := child.get("EIdType", "")), value.lower()) not in known
    ]
