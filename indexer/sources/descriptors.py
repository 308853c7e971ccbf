"""Descriptors of DeCS, which are MeSH's in English, Portuguese, Spanish and French.

Databases give them in the language of whoever asked, and do not say in which. Those in English are MeSH
headings, and filters and expansion find them as such. In another language they are keywords: a heading of
that name is none of MeSH's.
"""

import re
from collections.abc import Collection, Sequence

from indexer.citation import Keyword, MeshHeading, Term
from indexer.sources.multilingual import LANGUAGES

OWNER = "DeCS"
_CODED = re.compile(r"\^[ds]?\d")
_TELLING = frozenset(
    "humans; animals; male; female; adult; aged; middle aged; young adult; child, preschool; pregnancy; "
    "administration & dosage; adverse effects; anatomy & histology; blood; chemistry; cytology; "
    "diagnosis; diagnostic imaging; drug effects; drug therapy; economics; education; epidemiology; "
    "ethnology; etiology; genetics; history; immunology; injuries; isolation & purification; "
    "metabolism; methods; microbiology; mortality; nursing; organization & administration; "
    "parasitology; pathology; pharmacology; physiology; physiopathology; prevention & control; "
    "psychology; radiotherapy; rehabilitation; standards; statistics & numerical data; surgery; "
    "therapeutic use; therapy; toxicity; trends; virology".split("; ")
)
"""MeSH's commonest check tags and qualifiers: words too short to tell their language otherwise."""


def read_descriptors(
    values: Sequence[str], major: Collection[str] = ()
) -> tuple[tuple[MeshHeading, ...], tuple[Keyword, ...]]:
    """Headings if the descriptors are in English, else keywords; those without their names are left out.

    values: such as "Heart Failure/*therapy". major: those of them that are what the paper is about.
    """
    named = [value for value in dict.fromkeys(values) if value and not _CODED.search(value)]
    starred = [f"*{value}" if value in major and "*" not in value else value for value in named]
    if not named or not in_english(named):
        return (), tuple(Keyword(value.replace("*", ""), "*" in value, OWNER) for value in starred)
    return tuple(map(heading_of, starred)), ()


def in_english(values: Sequence[str]) -> bool:
    """Whether descriptors are English, all of them taken together."""
    from models.language import identify

    parts = (part.strip("* ").lower() for value in values for part in value.split("/"))
    return not _TELLING.isdisjoint(parts) or identify("; ".join(values), LANGUAGES).language == "en"


def heading_of(text: str) -> MeshHeading:
    """The heading that a text such as "Heart Failure/*therapy" says; a star marks what is major."""
    name, *qualifiers = text.split("/")
    return MeshHeading(
        name.lstrip("*"),
        major=name.startswith("*"),
        qualifiers=tuple(Term(item.lstrip("*"), major=item.startswith("*")) for item in qualifiers if item),
    )
