"""The query syntax of PubMed: text to tree, tree to text, and whether a text is meant as such."""

import re

from app.syntax.fields import FIELD_NAMES, UNANSWERED_NAMES, Field, plain_name
from app.syntax.levelling import level
from app.syntax.tree import And, DateLeaf, IdLeaf, Leaf, Node, Or, TextLeaf, fold
from indexer.citation import PartialDate

OPERATORS = ("AND", "OR", "NOT")
TITLE_WORDS = frozenset("AFTER AMONG BETWEEN BY DURING FOR FROM IN OF ON THE TO WITH".split())
"""Capitals in these show that a whole text is written in capitals, its "and" among them."""

TAGGED = re.compile(r"[^\s\[\]()]\s*\[([^\[\]]+)\]")
MISTYPED_TAG = re.compile(r'[\w*]"?\[[a-z][a-z/: -]{1,18}\](?=[\s)]|$)')
"""Small letters in brackets right behind a term, such as `cancer[tiabs]`: refused, not searched as text."""
PIECES = re.compile(r'"[^"]*"|\[[^\[\]]*\]|[()]|[^\s()"\[\]]+')
TRUNCATED = re.compile(r'"?[^*"][^*]*\w\*"?')
PHRASE = r'"[^"]{0,100}[^".?!。？！؟।]"'
"""Longer ones, and those that end in a full stop, are sentences that somebody quotes."""
PHRASES = re.compile(rf"\s*{PHRASE}(?:\s+{PHRASE})*\s*")


def parse_boolean(text: str) -> Node:
    """The tree of a query; raises UsageError that names the place, what was expected and an example."""
    from app.syntax.grammar import parse_levelled

    return parse_levelled(level(text))


def is_boolean(text: str) -> bool:
    """Whether a text from the search box is meant as this syntax rather than as a question.

    It is if a term has a field tag of PubMed or what looks like one, a word ends in a star, all of it stands
    in quotation marks, or AND, OR or NOT in capitals stands between terms. Such a word is no operator where
    the text ends in a question mark, or is all in capitals, other small words too ("ROLE OF IL-6 AND TNF").
    """
    plain = level(text)
    pieces = PIECES.findall(plain)
    return (
        any(_is_tag(name) for name in TAGGED.findall(plain))
        or MISTYPED_TAG.search(plain) is not None
        or any(TRUNCATED.fullmatch(piece) for piece in pieces)
        or PHRASES.fullmatch(plain) is not None
        or (_has_operator(pieces) and not _has_capitals_for_emphasis(plain, pieces))
    )


def _is_tag(name: str) -> bool:
    plain = plain_name(name.partition(":~")[0])
    return plain in FIELD_NAMES or plain in UNANSWERED_NAMES


def _has_operator(pieces: list[str]) -> bool:
    return any(
        piece in OPERATORS and before not in (*OPERATORS, "(") and after not in ("AND", "OR", ")")
        for before, piece, after in zip(pieces, pieces[1:], pieces[2:], strict=False)
    )


def _has_capitals_for_emphasis(text: str, pieces: list[str]) -> bool:
    return text.rstrip().endswith(("?", "؟")) or (text.isupper() and not TITLE_WORDS.isdisjoint(pieces))


def describe(node: Node) -> str:
    """The query as understood, every operator and bracket written out; parses back to an equal tree."""
    return fold(node, lambda leaf: (_leaf_text(leaf), None), _negated, _joined)[0]


Piece = tuple[str, str | None]
"""A text, and the operator that it needs brackets for."""


def _negated(part: Piece) -> Piece:
    return f"NOT {_bracketed(part, 'NOT')}", "NOT"


def _joined(kind: type[And] | type[Or], left: Piece, right: Piece) -> Piece:
    operator = "AND" if kind is And else "OR"
    sides = _bracketed(left, operator), _bracketed(right, operator)
    return (" " if kind is And and right[1] == "NOT" else f" {operator} ").join(sides), operator


def _bracketed(piece: Piece, operator: str) -> str:
    text, own = piece
    return text if own in (None, "NOT", operator) else f"({text})"


def _leaf_text(leaf: Leaf) -> str:
    if isinstance(leaf, DateLeaf):
        first, last = _date_text(leaf.first), _date_text(leaf.last)
        return f"{first}[{leaf.field}]" if first == last else f"{first}:{last}[{leaf.field}]"
    if isinstance(leaf, IdLeaf):
        return f'"{leaf.value}"[{leaf.field}]'
    text = leaf.text if isinstance(leaf, TextLeaf) else leaf.value
    words = text + "*" * leaf.prefix
    if not isinstance(leaf, TextLeaf):
        return f'"{words}"[{leaf.field}]'
    if leaf.slop is not None:
        return f'"{words}"[{leaf.field}:~{leaf.slop}]'
    tag = "" if leaf.field is Field.ALL else f"[{leaf.field}]"
    return f'"{words}"{tag}' if leaf.phrase else f"{words}{tag}"


def _date_text(date: PartialDate) -> str:
    parts = [f"{date.year:04}", *(f"{part:02}" for part in (date.month, date.day) if part)]
    return "/".join(parts)
