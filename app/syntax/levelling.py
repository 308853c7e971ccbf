"""Characters that mean the same in a query are made one, each in its place, so that positions stay."""

import functools

QUOTES = "“”„‟«»〝〞〟「」『』"
SPACES = "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
"""Not seen, and beside an operator or a bracket they would hide it. Joiners belong to words and stay."""
FULL_WIDTH = range(0xFF01, 0xFF5F)


def level(text: str) -> str:
    """The text with plain quotation marks, and brackets, signs, letters and spaces in their plain forms."""
    return text.translate(_levels())


@functools.cache
def _levels() -> dict[int, str]:
    plain = {code: chr(code - 0xFF01 + ord("!")) for code in FULL_WIDTH}
    return plain | dict.fromkeys(map(ord, QUOTES), '"') | dict.fromkeys(map(ord, SPACES), " ")
