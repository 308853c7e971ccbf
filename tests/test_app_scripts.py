"""Two ways of writing one language find each other, by words alone."""

import pytest

from app.engine import SearchEngine
from app.query import Mode, Query
from tests.citations import LIBRARY, citation
from tests.hash_encoder import HashEncoder
from tests.test_app_engine import build

WRITTEN = {
    301: ("sr", "Срчани удар код старијих болесника у Београду."),
    302: ("sr", "Lečenje šećerne bolesti u Novom Sadu."),
    303: ("zh", "臺灣糖尿病患者的心臟衰竭"),
    304: ("zh", "乳腺癌的筛检和诊断"),
    305: ("ar", "عِلاجُ مَرَضِ السُّكَّرِيِّ عِنْدَ الأَطْفالِ"),
    306: ("ar", "مضاعفات ارتفاع ضغط الدم"),
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    records = [
        citation(number, "A title in English", languages=(tag,), vernacular_title=text)
        for number, (tag, text) in WRITTEN.items()
    ]
    path = build(tmp_path_factory.mktemp("scripts") / "library", HashEncoder(), [*LIBRARY, *records])
    return SearchEngine(path, HashEncoder())


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("srčani udar kod starijih bolesnika", 301),
        ("Лечење шећерне болести код деце", 302),
        ("台湾糖尿病患者的心脏衰竭", 303),
        ("心脏衰竭", 303),
        ("乳腺癌的篩檢", 304),
        ("علاج مرض السكري عند الأطفال", 305),
        ("اِرْتِفاعُ ضَغْطِ الدَّمِ", 306),
    ],
)
def test_the_other_way_of_writing_is_found_first(engine, text, want):
    assert engine.search(Query(text, Mode.LEXICAL)).hits[0].id == f"pmid:{want}"
