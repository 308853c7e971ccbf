import pytest

from indexer import pairs as pairs_of
from indexer.citation import Correction, Keyword, MeshHeading, OtherAbstract, Section
from indexer.embed import embed_pending
from indexer.errors import LibraryError
from indexer.library import create_library
from indexer.pairs import KINDS, library_pairs
from indexer.progress import Silent
from indexer.publish import publish
from indexer.sources.detect import read_file
from indexer.upsert import upsert
from models.errors import UsageError
from models.training.pairs import Pair
from tests.citations import citation
from tests.hash_encoder import HashEncoder
from tests.pubmed_records import write_pubmed

NETS = "Children who slept under treated nets had fewer episodes of malaria."


@pytest.fixture
def pairs(tmp_path):
    """The pairs of a library of these citations, by kind."""

    def made(citations, *kinds):
        library = create_library(tmp_path / "library", HashEncoder())
        with library.writing():
            upsert(library, list(citations))
            embed_pending(library, HashEncoder(), Silent())
            publish(library, Silent())
        return list(library_pairs(library.path, kinds))

    return made


def test_titles_stand_over_their_abstracts(pairs):
    sections = (Section("Malaria is common.", "BACKGROUND"), Section(NETS, "RESULTS"))
    found = pairs(
        [
            citation(1, "Bed nets against malaria.", sections),
            citation(2, "Bed nets again.", "Not available."),
            citation(3, "Editorial.", NETS),
            citation(4, "Without abstract."),
            citation(5, "Erratum: bed nets.", NETS, corrections=(Correction("ErratumFor", pmid="1"),)),
        ],
        "title-abstract",
    )
    passage = f"BACKGROUND: Malaria is common.\nRESULTS: {NETS}"
    assert found == [Pair("en", "Bed nets against malaria.", passage)]


def test_vernacular_titles_in_ten_scripts(tmp_path, pairs):
    records = read_file(write_pubmed(tmp_path / "records.xml"))
    found = pairs(records, "vernacular")
    assert [pair.language for pair in found] == [
        "fr",
        "ru",
        "zh",
        "ja",
        "ko",
        "ar",
        "he",
        "el",
        "th",
        "hi",
        "bn",
        "hy",
    ]
    assert found[3] == Pair("ja", "大地震後の心筋梗塞。", "Myocardial infarction after the great earthquake")


def test_romanised_titles_say_so_and_remarks_of_nlm_go(pairs):
    foreign = [
        citation(1, "Use of etaperazine", vernacular_title="Primenenie étaperazina.", languages=("ru",)),
        citation(
            2,
            "Gold treatment of arthritis (author's transl)",
            vernacular_title="Zur Goldbehandlung der Arthritis]",
            languages=("de",),
        ),
        citation(
            3, "Paronychia of Aspergillus", vernacular_title="Paronychia of aspergillus.", languages=("de",)
        ),
        citation(
            4,
            "Late results of treating asthma in children",
            vernacular_title="Odległe wyniki leczenia astmy oskrzelowej u dzieci.",
        ),
        citation(
            5,
            "Uptake of [14C]glucose [proceedings].",
            vernacular_title="Absorption du [14C]glucose par le cerveau des rats nouveau-nés.",
        ),
    ]
    assert pairs(foreign, "vernacular") == [
        Pair("ru-Latn", "Primenenie étaperazina.", "Use of etaperazine"),
        Pair("de", "Zur Goldbehandlung der Arthritis", "Gold treatment of arthritis"),
        Pair(
            "pl",
            "Odległe wyniki leczenia astmy oskrzelowej u dzieci.",
            "Late results of treating asthma in children",
        ),
        Pair(
            "fr", "Absorption du [14C]glucose par le cerveau des rats nouveau-nés.", "Uptake of [14C]glucose"
        ),
    ]


def test_abstracts_are_paired_by_section_or_whole(pairs):
    english = (
        Section("Nets keep mosquitoes away from sleeping children.", "AIM", "OBJECTIVE"),
        Section("Four hundred families were given treated nets.", "METHODS", "METHODS"),
        Section("Episodes of fever were halved in the first year.", "RESULTS", "RESULTS"),
    )
    spanish = (
        Section("Se repartieron mosquiteros a cuatrocientas familias.", "MÉTODOS", "METHODS"),
        Section("Los episodios de fiebre se redujeron a la mitad.", "RESULTADOS", "RESULTS"),
    )
    unnamed = tuple(Section(section.text, section.label, "UNASSIGNED") for section in spanish)
    summary = OtherAbstract(
        "en", "plain-language-summary", (Section("Nets help children to sleep well. " * 2),)
    )
    placeholder = OtherAbstract("fr", "Publisher", (Section("Abstract available from the publisher."),))
    whole = "\n".join(f"{section.label}: {section.text}" for section in english)
    found = pairs(
        [
            citation(
                1, abstract=english, other_abstracts=(OtherAbstract("es", "Publisher", spanish), summary)
            ),
            citation(
                2, abstract=english, other_abstracts=(OtherAbstract("es", "Publisher", unnamed), placeholder)
            ),
        ],
        "abstracts",
    )
    assert found == [
        Pair("es", f"MÉTODOS: {spanish[0].text}", f"METHODS: {english[1].text}"),
        Pair("es", f"RESULTADOS: {spanish[1].text}", f"RESULTS: {english[2].text}"),
        Pair("es", f"MÉTODOS: {spanish[0].text}\nRESULTADOS: {spanish[1].text}", whole),
    ]


def test_keywords_lead_to_their_paper(pairs):
    words = (Keyword("malaria"), Keyword("bed nets"))
    found = pairs(
        [
            citation(1, "Nets in villages.", NETS, keywords=words),
            citation(2, "Nets in towns.", NETS, keywords=words[:1]),
            citation(3, "Nets in books.", keywords=words),
            citation(
                4, "Nets in lists.", NETS, keywords=tuple(Keyword(f"N{number}") for number in range(13))
            ),
        ],
        "keywords",
    )
    assert found == [Pair("en", "malaria, bed nets", f"Nets in villages.\n{NETS}")]


def about(pmid, title, *names, abstract=()):
    return citation(pmid, title, abstract, mesh=tuple(MeshHeading(name, major=True) for name in names))


def test_related_papers_share_three_major_headings_the_rarest_first(pairs):
    papers = [
        about(1, "Nets one", "Malaria", "Child", "Mosquito Nets", "Africa"),
        about(2, "Nets two", "Malaria", "Child", "Africa"),
        about(3, "Nets three", "Malaria", "Child", "Mosquito Nets", abstract=NETS),
        about(4, "Nets four", "Malaria", "Child", "Africa"),
        about(5, "Nets five", "Malaria", "Child"),
        about(6, "nets ONE", "Malaria", "Child", "Mosquito Nets", "Africa"),
        citation(7, "Nets minor", mesh=tuple(MeshHeading(name) for name in ("Malaria", "Child", "Africa"))),
    ]
    found = {pair.query: pair.passage for pair in pairs(papers, "mesh")}
    assert found == {
        "Nets one": f"Nets three\n{NETS}",
        "Nets two": "Nets one",
        "Nets three": "Nets one",
        "Nets four": "Nets one",
        "nets ONE": f"Nets three\n{NETS}",
    }


def test_kinds_take_turns_block_by_block(pairs, monkeypatch):
    monkeypatch.setattr(pairs_of, "BLOCK", 1)
    words = (Keyword("malaria"), Keyword("bed nets"))
    papers = [citation(number, f"Nets {number}", NETS, keywords=words) for number in (1, 2)]
    assert [pair.query for pair in pairs(papers, "title-abstract", "keywords")] == [
        "Nets 1",
        "malaria, bed nets",
        "Nets 2",
        "malaria, bed nets",
    ]


def test_pairs_are_those_of_the_published_set(tmp_path, pairs):
    assert len(pairs([citation(1, "Nets in villages", NETS)], "title-abstract")) == 1
    library = create_library(tmp_path / "library", HashEncoder())
    with library.writing():
        upsert(library, [citation(2, "Nets in towns", NETS)])
        assert [pair.query for pair in library_pairs(library.path, ["title-abstract"])] == [
            "Nets in villages"
        ]


def test_an_unknown_kind_lists_those_there_are(tmp_path):
    with pytest.raises(UsageError) as error:
        library_pairs(tmp_path, ["title-abstract", "titles"])
    assert str(error.value) == f"unknown kind of pairs titles, expected some of {', '.join(KINDS)}"
    with pytest.raises(LibraryError, match="no library at"):
        library_pairs(tmp_path, ["mesh"])
