"""Persons as one string: "Smith, John A., Jr.", "Smith JA", "World Health Organization"."""

import re

from indexer.citation import Author

_COMMAS = str.maketrans("،，", ",,")
"""Those of Arabic and Chinese."""
_SUFFIX = re.compile(r"(?:Jr|Sr|[2-9](?:nd|rd|th)|I{2,3}|IV|VI{0,3})\.?", re.IGNORECASE)
_INITIALS = re.compile(r"[^\W\d_a-zà-öø-ÿ]{1,4}|(?:[^\W\d_]\.[- ]?){1,5}")
_GROUP = re.compile(
    r"\b(?:group|consorti|collaborat|committee|society|association|organi[sz]ation|network|team|stud|"
    r"universit|institut|cent(?:re|er)|ministr|hospital|agency|department|foundation|council|investigat|"
    r"project|program|initiative|grupo|groupe|gruppe|sociedad|soci[ée]t|gesellschaft|comit|the )",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)


def read_name(text: str) -> Author:
    """A person, or by its collective name a group: what has no comma and no initials behind it."""
    text = " ".join(text.translate(_COMMAS).split()).rstrip(";,")
    last, comma, rest = text.partition(",")
    if not comma:
        return _without_comma(text)
    parts = [part.strip() for part in rest.split(",")]
    suffix = next((part for part in parts if _SUFFIX.fullmatch(part)), "")
    fore = ", ".join(part for part in parts if part and part != suffix)
    return Author(last.strip(), fore, initials_of(fore), suffix.rstrip("."))


def _without_comma(text: str) -> Author:
    words = text.split()
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    if 1 < len(words) <= 5 and _INITIALS.fullmatch(words[-1]):
        fore = words.pop()
        return Author(" ".join(words), fore, initials_of(fore), suffix.rstrip("."))
    return Author(text) if len(words) == 1 else Author(collective_name=text)


def read_name_in_order(text: str) -> Author:
    """A person as spoken, "Jan van der Berg": the last word is the last name, with small ones before it."""
    words = text.split()
    if "," in text or len(words) < 2:
        return read_name(text)
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    start = len(words) - 1
    while start > 1 and words[start - 1].islower() and words[start - 1].isalpha():
        start -= 1
    fore = " ".join(words[:start])
    return Author(" ".join(words[start:]), fore, initials_of(fore), suffix.rstrip("."))


def read_name_as_said(text: str) -> Author:
    """A person with the names in either order, or a group where a word such as "Society" tells."""
    found = read_name(text)
    said = found.collective_name
    return read_name_in_order(said) if 1 < len(said.split()) <= 5 and not _GROUP.search(said) else found


def initials_of(fore: str) -> str:
    """The first letter of each name, or the initials that stand there: "John A." and "J.A." give "JA"."""
    words: list[str] = _WORD.findall(fore)
    if len(words) == 1 and words[0].isupper() and len(words[0]) <= 4 and words[0].isascii():
        return words[0]
    return "".join(word[0].upper() for word in words)
