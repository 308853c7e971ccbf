"""The sentences and words that say why a hit matched."""

from dataclasses import replace

import numpy as np
import pytest

from app import evidence
from app.evidence import EvidenceFinder, all_sentences, best, candidates, marks
from app.matching import query_terms
from app.results import Hit, Span
from indexer.citation import OtherAbstract, Section
from indexer.passages import citation_text
from models.language import identify
from tests.citations import LIBRARY, citation
from tests.hash_encoder import HashEncoder

RECORD = citation(
    1,
    "Zinc and the common cold.",
    (
        Section("Colds are common.", "BACKGROUND"),
        Section("We gave zinc lozenges to 40 adults. The others had placebo lozenges.", "METHODS"),
        Section("Zinc shortened the common cold by 2 days. Taste was bitter for many people.", "RESULTS"),
    ),
)
NONE: frozenset[str] = frozenset()


def hit(record, passage=None):
    return Hit(1, record.id, 1.0, record, passage, None, None)


def explain(records, question, encoder=None):
    finder = EvidenceFinder(encoder or HashEncoder())
    vector = finder.encoder.encode_queries([question])[0]
    return finder.explain(
        [hit(record) for record in records], vector, query_terms(question, identify(question).language)
    )


def shown(record, spans):
    return [citation_text(record)[span.start : span.end] for span in spans]


def test_the_sentence_that_answers_is_found_with_its_label():
    (explained,) = explain([RECORD], "zinc shortened the cold by 2 days")
    assert shown(RECORD, explained.evidence) == ["RESULTS: Zinc shortened the common cold by 2 days."]
    assert shown(RECORD, explained.marks) == [
        "Zinc", "cold", "Colds", "zinc", "Zinc", "shortened", "cold", "2", "days",
    ]  # fmt: skip


@pytest.mark.parametrize("record", LIBRARY, ids=lambda record: record.id)
def test_sentences_cover_the_abstract(record):
    text = citation_text(record)
    sentences = all_sentences(record)
    assert [text[item.start : item.end] for item in sentences] == [item.text for item in sentences]
    own = record.abstract or tuple(part for one in record.other_abstracts for part in one.sections)
    assert "".join("".join(item.text for item in sentences).split()) == "".join(
        "".join(section.text for section in own).split()
    )


def test_a_label_is_never_a_sentence_of_its_own():
    record = citation(1, "T.", (Section("It lowers pain. It is safe.", "WHAT IS KNOWN?"),))
    assert [item.text for item in all_sentences(record)] == [
        "WHAT IS KNOWN?: It lowers pain.",
        "It is safe.",
    ]


def test_titles_and_fragments_are_no_evidence():
    assert candidates(hit(citation(1, "Zinc shortens the common cold in adults.")), NONE) == []
    record = citation(1, "T.", "Zinc. 亜鉛は風邪の期間を短縮した。")
    assert [item.text for item in candidates(hit(record), NONE)] == ["亜鉛は風邪の期間を短縮した。"]


def test_an_abstract_in_another_language_is_evidence_if_there_is_no_other():
    record = citation(
        1,
        "[Zinc.]",
        other_abstracts=(OtherAbstract("es", "", (Section("El cinc acorta los resfriados."),)),),
    )
    (explained,) = explain([record], "resfriado común tratado con cinc")
    assert shown(record, explained.evidence) == ["El cinc acorta los resfriados."]
    assert shown(record, explained.marks) == ["cinc", "resfriados"]


def test_of_a_long_text_the_best_passage_is_looked_at_and_then_what_has_the_words():
    record = LIBRARY[7]
    text = citation_text(record)
    start = text.index("In step 100")
    found = [item.text for item in candidates(hit(record, Span(start, start + 300)), frozenset(["119"]))]
    assert len(found) == evidence.MOST_SENTENCES
    assert found[-5:] == [
        f"In step {number} the kidneys of group {number} were weighed and filtered volume was noted."
        for number in (100, 101, 102, 103, 119)
    ]


def test_two_sentences_are_shown_only_if_about_as_good():
    sentences = all_sentences(RECORD)
    scores = [0.1, 0.79, 0.2, 0.8, 0.3]
    assert [item.score for item in best(sentences, scores)] == [0.79, 0.8]
    assert [item.score for item in best(sentences, [0.1, 0.78, 0.2, 0.8, 0.3])] == [0.8]
    assert [item.start for item in best(sentences, [0.5] * 5)] == [sentences[0].start, sentences[1].start]
    assert best([], []) == ()


def test_words_decide_between_sentences_of_equal_meaning():
    class Blind(HashEncoder):
        def vector(self, text):
            return np.full(self.dimensions, self.dimensions**-0.5, np.float32)

    (explained,) = explain([RECORD], "placebo lozenges", Blind())
    assert shown(RECORD, explained.evidence) == ["The others had placebo lozenges."]
    (explained,) = explain([RECORD], "незнакомые слова", Blind())
    assert shown(RECORD, explained.evidence)[-1] == "Taste was bitter for many people."


def test_vectors_are_remembered_and_made_in_one_batch(monkeypatch):
    encoder = HashEncoder()
    finder = EvidenceFinder(encoder)
    vector = encoder.encode_queries(["zinc"])[0]
    finder.explain([hit(RECORD), hit(LIBRARY[0])], vector, ["zinc"])
    assert len(encoder.embedded) == len(candidates(hit(RECORD), NONE)) + len(
        candidates(hit(LIBRARY[0]), NONE)
    )
    encoder.embedded.clear()
    finder.explain([hit(LIBRARY[0]), hit(RECORD)], vector, ["zinc"])
    assert encoder.embedded == []
    monkeypatch.setattr(evidence, "REMEMBERED", 1)
    finder.explain([hit(LIBRARY[1])], vector, ["zinc"])
    encoder.embedded.clear()
    finder.explain([hit(RECORD)], vector, ["zinc"])
    assert encoder.embedded == [item.text for item in candidates(hit(RECORD), NONE)]


def test_a_question_in_another_language_marks_nothing():
    assert marks(RECORD, frozenset(query_terms("亜鉛は風邪に効くか", "ja"))) == ()


def test_a_hit_without_evidence_stays_as_it_is():
    bare = replace(RECORD, abstract=())
    (explained,) = explain([bare], "亜鉛")
    assert explained == hit(bare)
