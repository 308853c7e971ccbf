"""Languages as people write them, by code or by name."""

import re

from langcodes import Language, find

from indexer.sources.pubmed_fields import language_tag


def languages_in(text: str) -> list[str]:
    """BCP 47 primary tags of the languages that a text lists, each once."""
    names = (part.strip() for part in re.split(r"[;,/|]", text))
    return list(dict.fromkeys(language_of(name) for name in names if name))


def language_of(name: str) -> str:
    """The tag of a code ("eng", "pt-BR") or a name in English or in the language itself; else the name."""
    if name.isascii() and (len(name) <= 3 or "-" in name):
        return language_tag(name)
    if not all(character.isalpha() or character.isspace() or character in "()'’" for character in name):
        return name.lower()  # langcodes fails on control characters in ways of its own.
    try:
        found: Language = find(name)
    except LookupError:
        return name.lower()
    return found.language or "und"
