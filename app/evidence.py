"""Why a hit matched: the sentences of its text that best answer, and the words that it shares."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock

from app.results import Evidence, Hit, Span
from indexer.citation import Citation
from indexer.passages import citation_lines
from models.analysis import analyse_both
from models.encoder import Encoder, Vectors
from models.marks import matched_words
from models.sentences import sentence_spans

WORDS_WEIGHT = 0.1
"""What a sentence with every term of the question gains; measured, see docs/decisions.md."""
PLACE_WEIGHT = 0.02
"""What the last sentence of an abstract gains over the first: it tells what was found. Measured likewise."""
MARGIN = 0.01
"""A second sentence is shown if it scores less by at most this."""
SHORTEST = 24
"""Bytes of UTF-8, which take a like share of meaning in all scripts; less is a heading or a fragment."""
MOST_SENTENCES = 40
"""Of one text; of a longer one those of the best passage and then those with the most terms."""
MOST_OF_FULL_TEXT = 20
"""The same with a full text, which nearly always has more; about as many as a passage holds."""
REMEMBERED = 10_000
"""Sentences whose vectors are kept: the page asks again at every click, and like questions share hits."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters [start, end) of citation_text. language: that of its line; in_body: of the full text."""

    start: int
    end: int
    text: str
    language: str | None
    in_body: bool = False


class EvidenceFinder:
    """Finds evidence with one encoder; safe to share between threads."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._vectors: dict[str, Vectors] = {}
        self._lock = Lock()

    def explain(self, hits: Sequence[Hit], vector: Vectors, terms: Sequence[str]) -> tuple[Hit, ...]:
        """The hits with their evidence and marks.

        vector: (dimensions,) of the query; terms: its index terms.
        """
        wanted = frozenset(terms)
        sentences = [candidates(hit, wanted) for hit in hits]
        vectors = self.embed([sentence.text for found in sentences for sentence in found])
        explained = []
        for hit, found in zip(hits, sentences, strict=True):
            cosines = [float(vectors[sentence.text] @ vector) for sentence in found]
            evidence = best(found, scored(found, cosines, wanted))
            explained.append(replace(hit, evidence=evidence, marks=marks(hit.citation, wanted)))
        return tuple(explained)

    def embed(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """A vector for each text, encoded in one batch unless remembered."""
        with self._lock:
            known = {text: self._vectors[text] for text in texts if text in self._vectors}
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        if fresh:
            known |= zip(fresh, self.encoder.encode_passages(fresh), strict=True)
            with self._lock:
                self._vectors |= known
                for text in list(self._vectors)[:-REMEMBERED]:
                    del self._vectors[text]
        return known


def candidates(hit: Hit, terms: frozenset[str]) -> list[Sentence]:
    """The sentences that can be evidence, in text order; of a title alone none."""
    passage = hit.passage or Span(0, 0)

    def rank(sentence: Sentence) -> tuple[bool, float]:
        outside = sentence.end <= passage.start or sentence.start >= passage.end
        return outside, -share(sentence, terms)

    sentences = [
        sentence
        for sentence in all_sentences(hit.citation)
        if len(sentence.text.encode("utf-8", "surrogatepass")) >= SHORTEST
    ]
    most = MOST_OF_FULL_TEXT if hit.citation.body else MOST_SENTENCES
    if len(sentences) > most:
        sentences = sorted(sorted(sentences, key=rank)[:most], key=lambda item: item.start)
    return sentences


def all_sentences(citation: Citation) -> list[Sentence]:
    """All sentences of the abstract and the full text; the label of a section belongs to its first."""
    sentences = []
    place = 0
    for line in citation_lines(citation):
        if line.section is not None:
            label = len(line.text) - len(line.section.text)
            spans = sentence_spans(line.section.text, line.language)
            for number, (start, end) in enumerate(spans):
                first = start + label if number else 0
                text = line.text[first : end + label]
                sentences.append(
                    Sentence(place + first, place + end + label, text, line.language, line.part is not None)
                )
        place += len(line.text) + 1
    return sentences


def scored(sentences: Sequence[Sentence], cosines: Sequence[float], terms: frozenset[str]) -> list[float]:
    """Cosine to the query, and what words, and in an abstract the place, add to it."""
    last = max(sum(not sentence.in_body for sentence in sentences) - 1, 1)
    return [
        cosine + WORDS_WEIGHT * share(sentence, terms) + PLACE_WEIGHT * (not sentence.in_body) * place / last
        for place, (sentence, cosine) in enumerate(zip(sentences, cosines, strict=True))
    ]


def share(sentence: Sentence, terms: frozenset[str]) -> float:
    """Which part of the terms stands in the sentence."""
    return len(terms.intersection(analyse_both(sentence.text, sentence.language))) / max(1, len(terms))


def best(sentences: Sequence[Sentence], scores: Sequence[float]) -> tuple[Evidence, ...]:
    """The best sentence, and the second if it is about as good, in text order; ties go to the earlier."""
    order = sorted(range(len(scores)), key=lambda number: (-scores[number], number))[:2]
    return tuple(
        Evidence(sentences[number].start, sentences[number].end, scores[number])
        for number in sorted(order)
        if scores[number] >= scores[order[0]] - MARGIN
    )


def marks(citation: Citation, terms: frozenset[str]) -> tuple[Span, ...]:
    """The words of titles, abstract and full text that match."""
    spans = []
    place = 0
    for line in citation_lines(citation):
        found = matched_words(line.text, terms, line.language)
        spans += [Span(place + start, place + end) for start, end in found]
        place += len(line.text) + 1
    return tuple(spans)
