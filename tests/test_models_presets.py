import pytest

from models.presets import PRESETS, find_preset, unknown_preset

EXPECTED_PROMPTS = {
    "bioglot-small": ("query: ", "passage: "),
    "e5-small": ("query: ", "passage: "),
    "e5-base": ("query: ", "passage: "),
    "e5-large": ("query: ", "passage: "),
    "e5-large-instruct": (
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ",
        "",
    ),
    "bge-m3": ("", ""),
    "gte-multilingual-base": ("", ""),
    "arctic-embed-l-v2.0": ("query: ", ""),
    "embeddinggemma-300m": ("task: search result | query: ", "title: none | text: "),
    "qwen3-embedding-0.6b": (
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:",
        "",
    ),
    "medcpt": ("", ""),
    "labse": ("", ""),
    "all-minilm": ("", ""),
}


def test_every_preset_has_the_prompts_of_its_model_card():
    assert {p.name: (p.query_prompt, p.passage_prompt) for p in PRESETS} == EXPECTED_PROMPTS


def test_names_hub_names_and_aliases_are_unambiguous():
    names = [name.casefold() for p in PRESETS for name in (p.name, p.hub, *p.aliases) if name]
    assert len(names) == len(set(names))


def test_every_preset_states_what_a_user_must_know():
    for preset in PRESETS:
        assert preset.pooling in {"mean", "cls", "lasttoken"}
        assert preset.dimensions in {384, 768, 1024}
        assert preset.licence and preset.note
        assert all(number < preset.dimensions for number in preset.shorter)


@pytest.mark.parametrize(
    "name", ["e5-small", "E5-Small", "intfloat/multilingual-e5-small", "Multilingual-E5-small"]
)
def test_letter_case_hub_name_and_alias_find_a_preset(name):
    found = find_preset(name)
    assert found is not None
    assert found.name == "e5-small"


def test_the_original_gte_repository_leads_to_the_one_without_code_of_its_own():
    found = find_preset("Alibaba-NLP/gte-multilingual-base")
    assert found is not None
    assert found.hub == "alibaba-nlp-community/gte-multilingual-base"


def test_medcpt_has_two_encoders():
    found = find_preset("medcpt")
    assert found is not None
    assert (found.query_hub, found.hub) == ("ncbi/MedCPT-Query-Encoder", "ncbi/MedCPT-Article-Encoder")
    assert found.pooling == "cls"


def test_an_unknown_name_gives_the_nearest_and_all():
    message = str(unknown_preset("e5-smal"))
    assert "'e5-smal'" in message
    assert "did you mean e5-small?" in message
    assert all(preset.name in message for preset in PRESETS)
    assert "\n" not in message
    assert find_preset("e5-smal") is None
