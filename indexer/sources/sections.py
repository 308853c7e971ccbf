"""The sections of an abstract that comes as one text."""

import re

from indexer.citation import Section

_LABEL = re.compile(r"(?:^|(?<=[.?!)\]>;%\"”] ))([A-ZÀ-ÖØ-Þ][A-ZÀ-ÖØ-Þ0-9 ,/&'()–-]{2,70}): ")


def read_sections(text: str) -> tuple[Section, ...]:
    """An abstract's sections where it begins with a label in capitals ("AIM: ...") and has another."""
    if text and _LABEL.match(text):
        parts = _LABEL.split(text)[1:]
        if len(parts) > 2:
            pairs = zip(parts[::2], parts[1::2], strict=True)
            return tuple(Section(body.strip(), label) for label, body in pairs)
    return (Section(text),) if text else ()
