import logging

import numpy as np
import pytest
from tiny_model import DIMENSIONS, MAX_TOKENS, write_tiny_model

from models.backends.device import choose_precision, processor_flags
from models.backends.torch import batches
from models.encoder import Encoder, EncoderSettings
from models.errors import UsageError
from models.loading import load_encoder

PASSAGES = [
    "Aspirin lowers the risk of a second heart attack in adults.",
    "A vaccine protects infants against measles.",
    "Metformin is the first drug given for type 2 diabetes.",
    "Malaria is passed on by the bite of a mosquito.",
]
QUESTIONS = {
    "en": "Which medicine prevents another heart attack?",
    "es": "¿Qué vacuna protege a los bebés del sarampión?",
    "fr": "Quel médicament contre le diabète de type 2 ?",
    "de": "Wie wird Malaria durch Mücken übertragen?",
    "ru": "Какая прививка защищает младенцев от кори?",
    "ar": "ما هو الدواء الأول لمرض السكري من النوع الثاني؟",
    "hi": "मलेरिया मच्छर के काटने से कैसे फैलता है?",
    "zh": "哪种药可以预防再次心脏病发作？",
    "ja": "はしかから乳児を守るワクチンは何ですか。",
    "ko": "제2형 당뇨병에 처음 쓰는 약은 무엇인가?",
    "th": "โรคมาลาเรียติดต่อจากยุงกัดได้อย่างไร",
}
ANSWERS = {"en": 0, "es": 1, "fr": 2, "de": 3, "ru": 1, "ar": 2, "hi": 3, "zh": 0, "ja": 1, "ko": 2, "th": 3}

TEXTS = {
    "en": "Heart  failure in 40 % of patients",
    "el": "Καρδιακή ανεπάρκεια σε ασθενείς",
    "ru": "Сердечная недостаточность у больных",
    "ar": "قصور القلب عند المرضى",
    "he": "אי ספיקת לב בחולים",
    "hi": "रोगियों में हृदय गति रुकना",
    "th": "ภาวะหัวใจล้มเหลวในผู้ป่วย",
    "zh": "患者的心力衰竭。CO₂ 升高",
    "ja": "患者におけるｼﾝﾌｾﾞﾝ",
    "ko": "환자의 심부전",
    "ka": "გულის უკმარისობა",
    "en decomposed": "Se\u0301vere ﬁbrosis, ½ dose\u200b, 1.73 m²",
}


def test_the_default_encoder_has_its_preset(encoder: Encoder):
    assert (encoder.name, encoder.dimensions, encoder.max_tokens) == ("bioglot-small", 384, 512)
    assert encoder.passage_tokens == 512 - 4  # <s>, "passage", ":", </s>
    assert len(encoder.fingerprint) == 16
    int(encoder.fingerprint, 16)


@pytest.mark.parametrize("language", QUESTIONS)
def test_a_question_in_another_language_finds_the_right_passage_first(encoder: Encoder, language):
    scores = encoder.encode_queries([QUESTIONS[language]]) @ encoder.encode_passages(PASSAGES).T
    assert int(scores.argmax()) == ANSWERS[language]


def test_rows_are_unit_float32_in_the_order_of_the_texts(encoder: Encoder):
    texts = [("word " * length).strip() for length in (3, 90, 1, 40, 7, 200, 2)]
    together = encoder.encode_passages(texts)
    assert together.dtype == np.float32
    assert together.shape == (7, 384)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([encoder.encode_passages([text]) for text in texts])
    assert ((together * alone).sum(axis=1) > 0.9999).all()


def test_no_text_no_rows_and_empty_text_a_row(encoder: Encoder):
    assert encoder.encode_queries([]).shape == (0, 384)
    assert encoder.encode_passages([]).shape == (0, 384)
    assert encoder.token_spans([]) == []
    assert np.linalg.norm(encoder.encode_passages([""])) == pytest.approx(1)


def test_a_query_is_not_encoded_as_a_passage(encoder: Encoder):
    query, passage = encoder.encode_queries(["heart failure"]), encoder.encode_passages(["heart failure"])
    assert 0.8 < (query @ passage.T).item() < 0.999


def test_vectors_are_those_of_sentence_transformers(encoder: Encoder):
    from sentence_transformers import SentenceTransformer

    from models.loading import find_model

    model = SentenceTransformer(str(find_model(encoder.name).folder), device="cpu", local_files_only=True)
    expected = model.encode([f"passage: {text}" for text in PASSAGES], show_progress_bar=False)
    assert ((encoder.encode_passages(PASSAGES) * expected).sum(axis=1) > 0.999).all()


def test_half_a_surrogate_pair_does_not_stop_a_batch(encoder: Encoder):
    assert encoder.encode_queries(["fever \ud800", "cough"]).shape == (2, 384)
    (spans,) = encoder.token_spans(["\ud83d fever"])
    assert "".join("\ud83d fever"[start:end] for start, end in spans) == "fever"


@pytest.mark.parametrize("name", TEXTS)
def test_token_spans_lie_in_the_text_in_order(encoder: Encoder, name):
    text = TEXTS[name]
    (spans,) = encoder.token_spans([text])
    assert spans.dtype == np.int32
    starts, ends = spans[:, 0], spans[:, 1]
    assert starts.min() >= 0
    assert ends.max() <= len(text)
    assert (starts <= ends).all()
    assert (np.diff(starts) >= 0).all()
    covered = {position for start, end in spans for position in range(start, end)}
    missed = "".join(text[position] for position in range(len(text)) if position not in covered)
    assert missed.strip(" \u200b") == ""


def test_token_spans_slice_words(encoder: Encoder):
    text = "Heart  failure, 心不全"
    (spans,) = encoder.token_spans([text])
    assert [text[start:end] for start, end in spans][:3] == ["Heart", "failure", ","]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A folder of no preset, with prompts and shorter dimensions in its configuration."""
    folder = tmp_path_factory.mktemp("models") / "tiny"
    prompts = {"query": "query: ", "document": "passage: "}
    return write_tiny_model(folder, prompts=prompts, matryoshka_dims=[4, 8])


def test_a_local_folder_is_loaded_with_its_own_prompts(tiny):
    encoder = load_encoder(EncoderSettings(model=str(tiny)))
    assert (encoder.name, encoder.dimensions, encoder.cut_off) == (str(tiny), DIMENSIONS, None)
    assert encoder.max_tokens == MAX_TOKENS
    assert encoder.passage_tokens == MAX_TOKENS - 4
    query, passage = encoder.encode_queries(["heart attack"]), encoder.encode_passages(["heart attack"])
    assert abs((query @ passage.T).item()) < 0.9999


def test_a_folder_named_like_a_preset_and_without_prompts_takes_the_presets(tmp_path):
    folder = write_tiny_model(tmp_path / "multilingual-e5-small")
    bare = write_tiny_model(tmp_path / "bare")
    assert load_encoder(EncoderSettings(model=str(folder))).passage_tokens == MAX_TOKENS - 4
    assert load_encoder(EncoderSettings(model=str(bare))).passage_tokens == MAX_TOKENS - 2


def test_fewer_dimensions_are_the_first_ones_made_unit_again(tiny):
    whole = load_encoder(EncoderSettings(model=str(tiny)))
    short = load_encoder(EncoderSettings(model=str(tiny), dimensions=4))
    assert short.dimensions == 4
    expected = whole.encode_passages(["liver fever"])[:, :4]
    expected /= np.linalg.norm(expected)
    np.testing.assert_allclose(short.encode_passages(["liver fever"]), expected, atol=1e-6)


def test_dimensions_that_a_model_does_not_give_are_refused(tiny):
    with pytest.raises(UsageError, match=r"dimensions is 5, but .*tiny gives 4, 8 or 16"):
        load_encoder(EncoderSettings(model=str(tiny), dimensions=5))
    with pytest.raises(UsageError, match="dimensions is 256, but bioglot-small gives only 384"):
        load_encoder(EncoderSettings(dimensions=256))


def test_max_tokens_must_leave_room_for_text(tiny):
    with pytest.raises(UsageError, match=r"max_tokens is 4, but .*tiny takes 5 to 24 .* alone are 4\)"):
        load_encoder(EncoderSettings(model=str(tiny), max_tokens=4))
    with pytest.raises(UsageError, match=r"max_tokens is 9999, but .*tiny takes 5 to 24"):
        load_encoder(EncoderSettings(model=str(tiny), max_tokens=9999))


def test_the_fingerprint_follows_what_changes_vectors_and_nothing_else(tiny, tmp_path):
    def fingerprint(folder=tiny, **settings):
        return load_encoder(EncoderSettings(model=str(folder), **settings)).fingerprint

    same = write_tiny_model(
        tmp_path / "copy", prompts={"query": "query: ", "document": "passage: "}, matryoshka_dims=[4, 8]
    )
    assert fingerprint() == fingerprint() == fingerprint(same) == fingerprint(precision="bfloat16")
    others = [
        fingerprint(dimensions=4),
        fingerprint(dimensions=8),
        fingerprint(max_tokens=12),
        fingerprint(write_tiny_model(tmp_path / "no prompts")),
    ]
    weights = same / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    others.append(fingerprint(same))
    assert len({fingerprint(), *others}) == 6


def test_what_does_not_fit_is_cut_counted_and_said(tiny, caplog):
    encoder = load_encoder(EncoderSettings(model=str(tiny), max_tokens=8))
    fitting, longer = "a b c d", "a b c d e heart liver"
    with caplog.at_level(logging.WARNING):
        vectors = encoder.encode_passages([fitting, longer])
    assert (vectors[0] @ vectors[1]).item() == pytest.approx(1, abs=1e-5)
    assert encoder.truncated == 1
    assert "1 texts are longer than 8 tokens" in caplog.text


def test_bfloat16_stays_near_float32(tiny):
    full = load_encoder(EncoderSettings(model=str(tiny), precision="float32"))
    half = load_encoder(EncoderSettings(model=str(tiny), precision="bfloat16"))
    cosine = (full.encode_queries(["heart"]) * half.encode_queries(["heart"])).sum()
    assert 0.99 < cosine < 1.0001


def test_vectors_do_not_depend_on_the_number_of_cores():
    import torch

    texts = ["vacuna contra la gripe", "heart failure", "a b c d e " * 60]
    before = torch.get_num_threads()
    vectors = []
    try:
        for cores in (1, 2):
            torch.set_num_threads(cores)
            encoder = load_encoder(EncoderSettings(precision="float32"))
            alone = [encoder.encode_queries([text]) for text in texts]
            vectors.append(np.concatenate([*alone, encoder.encode_passages(texts)]))
    finally:
        torch.set_num_threads(before)
    assert np.array_equal(*vectors)


def test_batches_keep_the_budget_and_every_text():
    lengths = [5, 100, 7, 30, 30, 1]
    made = list(batches(lengths, 60))
    assert [batch.tolist() for batch in made] == [[1], [3, 4], [2, 0, 5]]
    assert list(batches([], 60)) == []


def test_auto_precision_follows_the_processor(tmp_path):
    file = tmp_path / "cpuinfo"
    file.write_text("processor : 0\nflags : fpu avx2 amx_bf16\n", encoding="utf-8")
    assert processor_flags(file) == {"fpu", "avx2", "amx_bf16"}
    assert processor_flags(tmp_path / "none") == frozenset()
    assert choose_precision("float16", "cpu") == "float16"
    assert choose_precision("auto", "cpu") in {"bfloat16", "float32"}
