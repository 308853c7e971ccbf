"""Rerankers: one contract for all of them, and what each promises of its own."""

import subprocess
import sys
from threading import Thread

import numpy as np
import pytest

from models.backends.torch import TorchEncoder
from models.encoder import Encoder, EncoderSettings
from models.errors import ModelError, UsageError
from models.loading import load_encoder
from models.rerank.late_interaction import maxsim
from models.rerank.loading import load_reranker
from models.rerank.presets import CROSS_ENCODERS, find_cross_encoder
from tests.hash_encoder import HashEncoder
from tests.tiny_model import MAX_TOKENS, write_tiny_cross_encoder, write_tiny_model

QUERY = "heart attack"
PASSAGES = ["Fever of the liver.", "", "心筋梗塞 in a heart", "heart attack", "a b c d e " * 20, "قصور القلب"]


@pytest.fixture(scope="module")
def tiny_encoder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoder") / "tiny"
    prompts = {"query": "query: ", "document": "passage: "}
    return load_encoder(EncoderSettings(model=str(write_tiny_model(folder, prompts=prompts))))


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory):
    return write_tiny_cross_encoder(tmp_path_factory.mktemp("reranker") / "tiny-cross")


@pytest.fixture(scope="module", params=["maxsim", "cross-encoder"])
def reranker(request, tiny_encoder, cross_encoder):
    name = "maxsim" if request.param == "maxsim" else str(cross_encoder)
    return load_reranker(name, tiny_encoder, "float32")


def test_scores_are_float32_in_the_order_of_the_passages(reranker):
    together = reranker.score(QUERY, PASSAGES)
    assert (together.dtype, together.shape) == (np.float32, (len(PASSAGES),))
    assert np.isfinite(together).all()
    assert len(set(together.tolist())) > 3
    alone = [reranker.score(QUERY, [passage]).item() for passage in PASSAGES]
    np.testing.assert_allclose(together, alone, atol=1e-4)


def test_scores_repeat_and_no_passage_has_no_score(reranker):
    assert np.array_equal(reranker.score(QUERY, PASSAGES), reranker.score(QUERY, PASSAGES))
    assert reranker.score(QUERY, []).shape == (0,)


def test_threads_get_the_scores_that_one_gets_alone(reranker):
    alone = reranker.score(QUERY, PASSAGES)
    found = []
    threads = [Thread(target=lambda: found.append(reranker.score(QUERY, PASSAGES))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for scores in found:
        np.testing.assert_allclose(scores, alone, atol=1e-5)


def test_a_reranker_has_a_short_name_and_a_fingerprint(reranker, cross_encoder):
    assert reranker.name in {"maxsim", "tiny-cross"}
    assert len(reranker.fingerprint) == 16
    int(reranker.fingerprint, 16)


def test_maxsim_is_the_mean_of_the_best_cosines():
    query = np.array([[1, 0], [0, 1]], np.float32)
    passage = np.array([[0.6, 0.8], [-1, 0]], np.float32)
    assert maxsim(query, passage) == pytest.approx((0.6 + 0.8) / 2)
    assert maxsim(query, passage[:0]) == 0
    assert maxsim(query[:0], passage) == 0


def test_token_vectors_are_those_of_the_text_alone(encoder: Encoder):
    assert isinstance(encoder, TorchEncoder)
    texts = ["heart failure", "a", "心不全"]
    vectors = encoder.encode_passage_tokens(texts)
    assert [len(rows) for rows in vectors] == [len(spans) for spans in encoder.token_spans(texts)]
    np.testing.assert_allclose(np.linalg.norm(np.concatenate(vectors), axis=1), 1, atol=1e-5)
    (longest,) = encoder.encode_passage_tokens(["heart " * 600])
    assert longest.shape == (encoder.passage_tokens, 384)


def test_token_vectors_leave_out_prompt_and_special_tokens(tiny_encoder):
    network = tiny_encoder._passage.network
    rows, _ = network.tokeniser.token_ids(["fever of the liver"], "passage: ", MAX_TOKENS)
    (own,) = tiny_encoder.encode_passage_tokens(["fever of the liver"])
    (whole,) = network.embed_tokens(rows)
    assert len(whole) == len(own) + 4  # [CLS], "passage", ":", [SEP]
    np.testing.assert_allclose(own, whole[3:-1], atol=1e-5)


def test_maxsim_needs_an_encoder_that_gives_token_vectors():
    with pytest.raises(UsageError, match="reranker maxsim needs token vectors, and hash gives none"):
        load_reranker("maxsim", HashEncoder())


def test_a_cross_encoder_gives_the_raw_scores_of_sentence_transformers(tiny_encoder, cross_encoder):
    import torch
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(str(cross_encoder), device="cpu", local_files_only=True)
    expected = model.predict([(QUERY, text) for text in PASSAGES], activation_fn=torch.nn.Identity())
    scores = load_reranker(str(cross_encoder), tiny_encoder, "float32").score(QUERY, PASSAGES)
    np.testing.assert_allclose(scores, expected, atol=1e-5)


def test_a_classifier_of_several_classes_is_no_reranker(tmp_path, tiny_encoder):
    folder = write_tiny_cross_encoder(tmp_path / "classifier", labels=3)
    with pytest.raises(ModelError, match=r"classifier is not a reranker: it gives 3 scores .* expected 1"):
        load_reranker(str(folder), tiny_encoder)


def test_an_encoder_is_no_reranker(tmp_path, tiny_encoder):
    folder = write_tiny_model(tmp_path / "encoder")
    with pytest.raises(ModelError, match="encoder is not a reranker: it is a BertModel, expected one For"):
        load_reranker(str(folder), tiny_encoder)


def test_a_reranker_with_code_of_its_own_is_refused(tmp_path, tiny_encoder):
    folder = write_tiny_cross_encoder(tmp_path / "own")
    (folder / "config.json").write_text(
        '{"model_type": "own", "auto_map": {"AutoConfig": "own.Config", "AutoModel": "own.Model"}}',
        encoding="utf-8",
    )
    (folder / "own.py").write_text("raise SystemExit('code was run')", encoding="utf-8")
    with pytest.raises(ModelError, match="code of its own, which bioglot never runs"):
        load_reranker(str(folder), tiny_encoder)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("maxsin", "reranker 'maxsin' is not known (did you mean maxsim?): name one of maxsim, bge-"),
        ("", "reranker '' is not known: name one of maxsim"),
        ("./no/such/folder", "model folder './no/such/folder' does not exist"),
    ],
)
def test_a_name_that_is_none_is_one_clear_line(tiny_encoder, name, message):
    with pytest.raises(UsageError) as caught:
        load_reranker(name, tiny_encoder)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_an_unreachable_hub_is_said_in_one_line():
    program = (
        "from models.errors import ModelError\n"
        "from models.rerank.loading import load_reranker\n"
        "try:\n"
        "    load_reranker('bge-reranker-v2-m3', None)\n"
        "except ModelError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"HF_HUB_OFFLINE": "1", "PATH": "/usr/bin", "HOME": "/nonexistent"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == (
        "model 'BAAI/bge-reranker-v2-m3' is not on this machine and the Hugging Face hub cannot be reached: "
        "connect to it, or name a local cross-encoder folder, or use maxsim, which needs no hub\n"
    )


def test_names_hub_names_and_aliases_find_a_preset():
    names = [name for p in CROSS_ENCODERS for name in (p.name, p.hub, *p.aliases)]
    assert len({name.casefold() for name in names}) == len(names)
    found = find_cross_encoder("alibaba-nlp/GTE-multilingual-reranker-base")
    assert found is not None
    assert found.hub == "alibaba-nlp-community/gte-multilingual-reranker-base"
    assert find_cross_encoder("maxsim") is None
