"""Raised and lowered text in plain Unicode.

Digits and signs have characters of their own (m², CO₂, 10⁻³), which NFKC turns back into m2, CO2, 10-3.
Letters don't all have them, so other text stays as it is, joined or behind a mark:

- lowered text is joined as authors write it without markup (Vmax, PM2.5, HbA1c), except that "_" keeps two
  numbers apart (10_2.5);
- raised text stands behind "^" (CD4^low, KRAS^G12V, 10^0.5), except for ordinals (4th), for signs alone
  (ApoE-/-, drug®), and where there is no base before it (99mTc).
"""

import re

_DASHES = "-\u2010\u2011\u2012\u2013\u2212"
_RAISED = str.maketrans("0123456789+=()" + _DASHES, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁼⁽⁾" + "⁻" * len(_DASHES))
_LOWERED = str.maketrans("0123456789+=()" + _DASHES, "₀₁₂₃₄₅₆₇₈₉₊₌₍₎" + "₋" * len(_DASHES))
_SCRIPTABLE = re.compile("[0-9+=()\u2010-\u2013\u2212-]+")
_ORDINALS = frozenset({"st", "nd", "rd", "th"})


def raised(text: str) -> str | None:
    """Text in superscript characters, or None if one of its characters has none."""
    return text.translate(_RAISED) if _SCRIPTABLE.fullmatch(text) else None


def lowered(text: str) -> str | None:
    """Text in subscript characters, or None if one of its characters has none."""
    return text.translate(_LOWERED) if _SCRIPTABLE.fullmatch(text) else None


def superscript(base: str, text: str) -> str:
    """What to write after `base` for raised `text`."""
    script = raised(text)
    if script is not None:
        return script
    last = base[-1:]
    if not (last.isalnum() or last in (")", "]")):
        return text
    if text.lower() in _ORDINALS and last.isdigit():
        return text
    return f"^{text}" if any(map(str.isalnum, text)) else text


def subscript(base: str, text: str) -> str:
    """What to write after `base` for lowered `text`."""
    script = lowered(text)
    if script is not None:
        return script
    return f"_{text}" if base[-1:].isdigit() and text[:1].isdigit() else text
