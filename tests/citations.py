"""Small citations of our own for tests, and the question that each answers."""

from indexer.citation import (
    ArticleId,
    Author,
    Citation,
    Journal,
    MeshHeading,
    OtherAbstract,
    PartialDate,
    Section,
    Term,
)


def citation(
    pmid: int, title: str = "A title", abstract: str | tuple[Section, ...] = (), **fields: object
) -> Citation:
    """A citation with sensible defaults; an abstract given as text is its one section."""
    values: dict[str, object] = {
        "id": f"pmid:{pmid}",
        "title": title,
        "abstract": (Section(abstract),) if isinstance(abstract, str) else abstract,
        "languages": ("en",),
        "published": PartialDate(2020, 5, 1),
        "journal": Journal(title="Journal of Small Records", iso_abbreviation="J Small Rec"),
        "publication_types": (Term("Journal Article", "D016428"),),
        "authors": (Author(last_name="Diop", fore_name="Awa", initials="A"),),
    }
    return Citation(**{**values, **fields})


LONG_ABSTRACT = " ".join(
    f"In step {number} the kidneys of group {number} were weighed and filtered volume was noted."
    for number in range(1, 121)
)

LIBRARY = (
    citation(
        101,
        "Influenza vaccination during pregnancy and birth outcomes.",
        "We followed pregnant women who received the inactivated flu vaccine. Preterm birth was rarer.",
        mesh=(MeshHeading("Influenza Vaccines", "D007252", major=True), MeshHeading("Pregnancy", "D011247")),
        article_ids=(ArticleId("doi", "10.5555/Flu.101"), ArticleId("pmc", "PMC9000101")),
    ),
    citation(
        102,
        "Exercise-based cardiac rehabilitation after myocardial infarction.",
        "Supervised training after a heart attack improved exercise capacity and survival.",
        published=PartialDate(2018),
        mesh=(MeshHeading("Myocardial Infarction", "D009203", major=True),),
        publication_types=(Term("Randomized Controlled Trial", "D016449"),),
    ),
    citation(
        103,
        "Malaria prevention with insecticide-treated bed nets in West African villages.",
        "Children who slept under treated nets had fewer episodes of Plasmodium falciparum malaria.",
        published=PartialDate(2005),
    ),
    citation(
        104,
        "Metformin as first-line treatment of type 2 diabetes.",
        "Metformin lowered HbA1c by 1.1% and eGFR stayed above 60 mL/min/1.73 m² in most patients.",
        journal=Journal(title="Diabetes Notes", iso_abbreviation="Diab Notes"),
    ),
    citation(
        105,
        "Antidépresseurs et risque de chute chez les personnes âgées.",
        languages=("fr",),
        vernacular_title="Antidépresseurs et risque de chute chez les personnes âgées.",
        published=PartialDate(1979),
    ),
    citation(
        106,
        "Tuberculosis screening among migrants.",
        "Interferon-gamma release assays found latent tuberculosis in one of five.",
        other_abstracts=(
            OtherAbstract("es", "Publisher", (Section("Cribado de tuberculosis en personas migrantes."),)),
        ),
    ),
    citation(
        107,
        "Breast cancer detection by mammography with artificial intelligence.",
        "A neural network read screening mammograms as accurately as two radiologists.",
    ),
    citation(108, "Renal function step by step.", LONG_ABSTRACT, published=PartialDate(2021, 3)),
    citation(
        109,
        "Dental caries and sugar intake in schoolchildren.",
        "More sugary drinks went with more decayed teeth and a weaker grip at age twelve.",
    ),
    citation(110, "Hallucinations in Parkinson disease.", "α-Synuclein spread with visual hallucinations."),
)

QUESTIONS = {
    "es": ("vacuna contra la gripe en embarazadas", "pmid:101"),
    "ja": ("心筋梗塞後のリハビリ", "pmid:102"),
    "fr": ("moustiquaires imprégnées contre le paludisme", "pmid:103"),
    "de": ("Metformin bei Zuckerkrankheit", "pmid:104"),
    "ar": ("علاج مرض السكري بالميتفورمين", "pmid:104"),
    "ru": ("скрининг туберкулёза у мигрантов", "pmid:106"),
    "zh": ("人工智能 乳腺癌 筛查", "pmid:107"),
    "hi": ("बच्चों में दाँतों की सड़न और चीनी", "pmid:109"),
    "ko": ("유방암 조기 발견을 위한 인공지능 유방촬영술", "pmid:107"),
    "el": ("εμβόλιο γρίπης στην εγκυμοσύνη", "pmid:101"),
    "th": ("วัคซีนไข้หวัดใหญ่ในหญิงตั้งครรภ์", "pmid:101"),
    "sw": ("vyandarua vya kuzuia malaria kwa watoto", "pmid:103"),
}
"""By language: a question, and the citation that answers it."""
