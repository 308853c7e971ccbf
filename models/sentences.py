"""Text to sentences, by the rules and abbreviations of its language, as character ranges."""

import re

STOPS = re.compile(r"(?<=[。！？｡។៕།༎])(?![。！？｡។៕།༎」』）】”’\"')\]])")
"""Ends that sentencex lacks: Khmer's and Tibetan's, and a full-width stop with Latin text behind it."""


def sentence_spans(text: str, language: str | None = None) -> list[tuple[int, int]]:
    """Character ranges [start, end) in text order, which hold every character that is not white space.

    A line break always ends a sentence. language: BCP 47 tag; the rules are English if it is unknown.
    """
    from sentencex import get_sentence_boundaries

    code = (language or "en").partition("-")[0]
    spans = []
    for line in re.finditer(r"[^\n\r]+", text):
        ends = {boundary["end_index"] for boundary in get_sentence_boundaries(code, line.group())}
        ends |= {stop.start() for stop in STOPS.finditer(line.group())}
        start = line.start()
        for end in [*(line.start() + end for end in sorted(ends)), line.end()]:
            sentence = text[start:end]
            first = end - len(sentence.lstrip())
            last = start + len(sentence.rstrip())
            if first < last:
                spans.append((first, last))
            start = end
    return spans
