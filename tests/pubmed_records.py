"""Fourteen small invented records in twelve scripts, each on its own topic, and PubMed XML of them."""

import gzip
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2024//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_240101.dtd">\n'
)


@dataclass(frozen=True)
class Record:
    """Plain text, not XML. A title with a vernacular one is written in brackets, as NLM does.

    abstract: (label, NLM category, text); other_abstract: the same topic in the paper's own language.
    language: NLM's code. mesh: (UI, descriptor, major).
    """

    pmid: int
    title: str
    abstract: Sequence[tuple[str, str, str]]
    language: str = "eng"
    vernacular_title: str = ""
    other_abstract: str = ""
    year: int = 2020
    month: str = "Jan"
    day: str = ""
    journal: str = "Journal of Invented Medicine"
    authors: Sequence[tuple[str, str]] = (("Nowak", "Ada"),)
    mesh: Sequence[tuple[str, str, bool]] = ()
    publication_types: Sequence[tuple[str, str]] = (("D016428", "Journal Article"),)
    version: int = 1
    doi: str = field(default="")


RECORDS = (
    Record(
        30000001,
        "Metformin and the risk of heart failure in older adults with type 2 diabetes.",
        (
            ("BACKGROUND", "BACKGROUND", "Metformin is the usual first drug for type 2 diabetes."),
            ("METHODS", "METHODS", "We followed 4,112 adults over 65 years of age for five years."),
            ("RESULTS", "RESULTS", "Heart failure was less frequent under metformin (HR 0.81)."),
            ("CONCLUSIONS", "CONCLUSIONS", "Metformin appears safe for the ageing heart."),
        ),
        year=2021,
        month="Mar",
        day="15",
        journal="Annals of Invented Cardiology",
        authors=(("Okafor", "Chidi"), ("Lindqvist", "Åsa")),
        mesh=(
            ("D008687", "Metformin", True),
            ("D006333", "Heart Failure", False),
            ("D006801", "Humans", False),
        ),
        publication_types=(("D016428", "Journal Article"), ("D016449", "Randomized Controlled Trial")),
        doi="10.5555/invented.1",
    ),
    Record(
        30000002,
        "Malaria vaccination of infants in a village with seasonal transmission.",
        (
            (
                "",
                "",
                "Three doses of a malaria vaccine halved the episodes of fever in infants during the rains.",
            ),
        ),
        year=2019,
        month="Jul",
        authors=(("Traoré", "Aminata"),),
        mesh=(("D008288", "Malaria", True), ("D007223", "Infant", False), ("D006801", "Humans", False)),
        doi="10.5555/invented.2",
    ),
    Record(
        30000003,
        "Early rehabilitation after stroke: a follow-up in three hospitals",
        (
            (
                "",
                "",
                "Patients who began walking exercises within two days of a stroke regained more movement.",
            ),
        ),
        "fre",
        "La rééducation précoce après un accident vasculaire cérébral : suivi dans trois hôpitaux.",
        "Les patients qui ont commencé la marche dans les deux jours ont récupéré davantage de mouvement.",
        year=2018,
        month="Nov",
        authors=(("Lefèvre", "Hélène"),),
        mesh=(("D020521", "Stroke", True), ("D006801", "Humans", False)),
    ),
    Record(
        30000004,
        "Hearing loss in workers of a steel mill",
        (
            (
                "",
                "",
                "Noise above 90 decibels over ten years went with a loss of hearing at high frequencies.",
            ),
        ),
        "rus",
        "Потеря слуха у рабочих сталелитейного завода.",
        "Шум выше 90 децибел в течение десяти лет сопровождался потерей слуха на высоких частотах.",
        year=2016,
        authors=(("Соколова", "Ирина"),),
        mesh=(("D006317", "Hearing Loss, Noise-Induced", True),),
    ),
    Record(
        30000005,
        "Acupuncture for chronic low back pain: a randomised study",
        (("", "", "Twelve sessions of acupuncture relieved chronic low back pain more than rest did."),),
        "chi",
        "针灸治疗慢性腰痛的随机研究。",
        "十二次针灸治疗比休息更能缓解慢性腰痛。",
        year=2022,
        month="Feb",
        authors=(("王", "小明"),),
        mesh=(("D017116", "Low Back Pain", True), ("D015670", "Acupuncture Therapy", True)),
        publication_types=(("D016449", "Randomized Controlled Trial"),),
    ),
    Record(
        30000006,
        "Myocardial infarction after the great earthquake",
        (("", "", "Admissions for myocardial infarction doubled in the week after the earthquake."),),
        "jpn",
        "大地震後の心筋梗塞。",
        "地震後の一週間で心筋梗塞による入院が二倍になった。",
        year=2013,
        month="Sep",
        authors=(("佐藤", "花子"),),
        mesh=(("D009203", "Myocardial Infarction", True), ("D055864", "Earthquakes", False)),
    ),
    Record(
        30000007,
        "Rehabilitation treatment of children with cerebral palsy",
        (("", "", "Daily stretching improved the gait of children with cerebral palsy."),),
        "kor",
        "뇌성마비 아동의 재활치료.",
        "매일 스트레칭을 하면 뇌성마비 아동의 보행이 좋아졌다.",
        year=2017,
        authors=(("김", "민준"),),
        mesh=(("D002547", "Cerebral Palsy", True), ("D002648", "Child", False)),
    ),
    Record(
        30000008,
        "Vitamin D deficiency among veiled women",
        (("", "", "Two thirds of the women had a serum vitamin D below 20 ng/mL in winter."),),
        "ara",
        "نقص فيتامين د لدى النساء المحجبات.",
        "كان مستوى فيتامين د في المصل أقل من 20 نانوغرام لكل مليلتر لدى ثلثي النساء في الشتاء.",
        year=2015,
        authors=(("حداد", "ليلى"),),
        mesh=(("D014808", "Vitamin D Deficiency", True),),
    ),
    Record(
        30000009,
        "Sleep apnea and blood pressure in bus drivers",
        (("", "", "Bus drivers with sleep apnea had a higher blood pressure in the morning."),),
        "heb",
        "דום נשימה בשינה ולחץ דם אצל נהגי אוטובוס.",
        "לנהגי אוטובוס עם דום נשימה בשינה היה לחץ דם גבוה יותר בבוקר.",
        year=2014,
        authors=(("לוי", "נועה"),),
        mesh=(("D012891", "Sleep Apnea Syndromes", True), ("D001794", "Blood Pressure", False)),
    ),
    Record(
        30000010,
        "Thalassemia carriers on two islands",
        (("", "", "One in twelve inhabitants of the islands carried a gene of beta thalassemia."),),
        "gre",
        "Φορείς θαλασσαιμίας σε δύο νησιά.",
        "Ένας στους δώδεκα κατοίκους των νησιών ήταν φορέας της β-θαλασσαιμίας.",
        year=2011,
        authors=(("Παπαδοπούλου", "Ελένη"),),
        mesh=(("D017086", "beta-Thalassemia", True),),
    ),
    Record(
        30000011,
        "Dengue fever in schoolchildren during the monsoon",
        (("", "", "Dengue fever among schoolchildren peaked two weeks after the heaviest rain."),),
        "tha",
        "ไข้เลือดออกในเด็กนักเรียนช่วงฤดูมรสุม",
        "ไข้เลือดออกในเด็กนักเรียนสูงสุดสองสัปดาห์หลังฝนตกหนักที่สุด",
        year=2012,
        authors=(("ศรีสุข", "มาลี"),),
        mesh=(("D003715", "Dengue", True), ("D002648", "Child", False)),
    ),
    Record(
        30000012,
        "Treatment of tuberculosis at home in a mountain district",
        (("", "", "Nine of ten patients with tuberculosis finished a treatment that was given at home."),),
        "hin",
        "पहाड़ी ज़िले में घर पर क्षय रोग का उपचार।",
        "क्षय रोग के दस में से नौ रोगियों ने घर पर दिया गया उपचार पूरा किया।",
        year=2010,
        authors=(("शर्मा", "राजेश"),),
        mesh=(("D014376", "Tuberculosis", True),),
    ),
    Record(
        30000013,
        "Arsenic in well water and lesions of the skin",
        (("", "", "Lesions of the skin were four times as frequent where wells held much arsenic."),),
        "ben",
        "নলকূপের পানিতে আর্সেনিক ও ত্বকের ক্ষত।",
        "যেখানে নলকূপে বেশি আর্সেনিক ছিল সেখানে ত্বকের ক্ষত চার গুণ বেশি দেখা গেছে।",
        year=2009,
        authors=(("রহমান", "সাবিনা"),),
        mesh=(("D001151", "Arsenic", True), ("D012871", "Skin Diseases", False)),
    ),
    Record(
        30000014,
        "Familial Mediterranean fever in the highlands",
        (),
        "arm",
        "Ընտանեկան միջերկրածովյան տենդը լեռնաշխարհում։",
        year=1978,
        month="",
        authors=(("Հակոբյան", "Անի"),),
        mesh=(("D010505", "Familial Mediterranean Fever", True),),
    ),
)


def write_pubmed(path: Path, records: Iterable[Record] = RECORDS, deletions: Iterable[int] = ()) -> Path:
    """Write a PubMed file, compressed if its name ends in .gz; the path again."""
    return write_xml(path, pubmed_xml(map(article_xml, records), deletions))


def write_xml(path: Path, xml: str) -> Path:
    """Write any XML text as a file, compressed if its name ends in .gz; the path again."""
    data = xml.encode("utf-8")
    path.write_bytes(gzip.compress(data, mtime=0) if path.name.endswith(".gz") else data)
    return path


def pubmed_xml(articles: Iterable[str], deletions: Iterable[int] = ()) -> str:
    """A PubmedArticleSet of PubmedArticle elements and of PMIDs to delete."""
    deleted = "".join(f'<PMID Version="1">{pmid}</PMID>' for pmid in deletions)
    tail = f"<DeleteCitation>{deleted}</DeleteCitation>" if deleted else ""
    return f"{HEAD}<PubmedArticleSet>\n" + "\n".join(articles) + f"\n{tail}</PubmedArticleSet>\n"


def article_xml(record: Record) -> str:
    """The record as a PubmedArticle element, its parts in the order of the DTD."""
    title = f"[{record.title}]." if record.vernacular_title else record.title
    doi = f'<ArticleId IdType="doi">{record.doi}</ArticleId>' if record.doi else ""
    return f"""<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">
<PMID Version="{record.version}">{record.pmid}</PMID>
<DateRevised><Year>{record.year + 1}</Year><Month>06</Month><Day>30</Day></DateRevised>
<Article PubModel="Print"><Journal><ISSN IssnType="Print">1234-5679</ISSN>
<JournalIssue CitedMedium="Print"><Volume>7</Volume><Issue>2</Issue><PubDate><Year>{record.year}</Year>\
{_element("Month", record.month)}{_element("Day", record.day)}</PubDate></JournalIssue>
<Title>{escape(record.journal)}</Title><ISOAbbreviation>J Inv</ISOAbbreviation></Journal>
<ArticleTitle>{escape(title)}</ArticleTitle>
<Pagination><MedlinePgn>11-9</MedlinePgn></Pagination>
{_abstract("Abstract", "", record.abstract)}
<AuthorList CompleteYN="Y">{"".join(_author(*author) for author in record.authors)}</AuthorList>
<Language>{record.language}</Language>
<PublicationTypeList>{"".join(_type(*item) for item in record.publication_types)}</PublicationTypeList>
{_element("VernacularTitle", record.vernacular_title)}</Article>
<MedlineJournalInfo><Country>Utopia</Country><MedlineTA>J Inv</MedlineTA>\
<NlmUniqueID>0000001</NlmUniqueID></MedlineJournalInfo>
{_mesh(record.mesh)}
{_other_abstract(record)}
</MedlineCitation><PubmedData><History><PubMedPubDate PubStatus="pubmed"><Year>{record.year}</Year>\
<Month>1</Month><Day>2</Day></PubMedPubDate></History><PublicationStatus>ppublish</PublicationStatus>
<ArticleIdList><ArticleId IdType="pubmed">{record.pmid}</ArticleId>{doi}</ArticleIdList></PubmedData>
</PubmedArticle>"""


def _element(name: str, text: str) -> str:
    return f"<{name}>{escape(text)}</{name}>" if text else ""


def _abstract(name: str, attributes: str, sections: Sequence[tuple[str, str, str]]) -> str:
    parts = []
    for label, category, text in sections:
        labels = (f" Label={quoteattr(label)}" if label else "") + (
            f" NlmCategory={quoteattr(category)}" if category else ""
        )
        parts.append(f"<AbstractText{labels}>{escape(text)}</AbstractText>")
    return f"<{name}{attributes}>{''.join(parts)}</{name}>" if parts else ""


def _other_abstract(record: Record) -> str:
    if not record.other_abstract:
        return ""
    attributes = f' Type="Publisher" Language="{record.language}"'
    return _abstract("OtherAbstract", attributes, [("", "", record.other_abstract)])


def _author(last_name: str, fore_name: str) -> str:
    return (
        f'<Author ValidYN="Y"><LastName>{last_name}</LastName><ForeName>{fore_name}</ForeName>'
        f"<Initials>{fore_name[0]}</Initials></Author>"
    )


def _type(ui: str, name: str) -> str:
    return f'<PublicationType UI="{ui}">{name}</PublicationType>'


def _mesh(headings: Sequence[tuple[str, str, bool]]) -> str:
    if not headings:
        return ""
    items = "".join(
        f'<MeshHeading><DescriptorName UI="{ui}" MajorTopicYN="{"Y" if major else "N"}">{escape(name)}'
        "</DescriptorName></MeshHeading>"
        for ui, name, major in headings
    )
    return f"<MeshHeadingList>{items}</MeshHeadingList>"
