"""What a query finds, by set algebra over masks, and which of its words ranking sees."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.syntax.fields import Field
from app.syntax.tree import And, DateLeaf, IdLeaf, Leaf, Node, Or, TextLeaf, ValueLeaf, fold

Mask = NDArray[np.bool_]


class Matcher(Protocol):
    """What a library answers for one leaf: each method returns (n,) bool over its citations.

    A mask is never changed by its receiver, so that a matcher may keep it.
    """

    def everything(self) -> Mask: ...

    def text(self, leaf: TextLeaf) -> Mask: ...

    def value(self, leaf: ValueLeaf) -> Mask: ...

    def date(self, leaf: DateLeaf) -> Mask: ...

    def id(self, leaf: IdLeaf) -> Mask: ...


def evaluate(node: Node, matcher: Matcher) -> Mask:
    """(n,) bool: the citations that the query finds."""

    def leaf_mask(leaf: Leaf) -> Mask:
        match leaf:
            case TextLeaf():
                return matcher.text(leaf)
            case ValueLeaf():
                return matcher.value(leaf)
            case DateLeaf():
                return matcher.date(leaf)
            case IdLeaf():
                return matcher.id(leaf)

    def join(kind: type[And] | type[Or], left: Mask, right: Mask) -> Mask:
        return left & right if kind is And else left | right

    return fold(node, leaf_mask, lambda mask: matcher.everything() & ~mask, join)


def fields_asked(node: Node) -> frozenset[Field]:
    """The fields that the query looks at."""
    return fold(
        node, lambda leaf: frozenset({leaf.field}), lambda part: part, lambda _, left, right: left | right
    )


def positive_text(node: Node) -> str:
    """The words that the query asks for, in order and each once: what ranking sees.

    Without those under a NOT and of fields that hold no text.
    """

    def leaf_texts(leaf: Leaf) -> list[str]:
        return [leaf.text] if isinstance(leaf, TextLeaf) else []

    found: dict[str, str] = {}
    for text in fold(node, leaf_texts, lambda _: [], lambda _, left, right: left + right):
        found.setdefault(text.casefold(), text)
    return " ".join(found.values())
