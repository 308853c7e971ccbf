"""A query as a tree: And, Or and Not over leaves that each ask for one thing in one field."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from app.syntax.fields import Field
from indexer.citation import PartialDate

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class TextLeaf:
    """Words in running text: one word without white space, or the words of a phrase.

    phrase: the words follow each other; with `slop`, in any order and with at most so many words between.
    prefix: the last word is only the beginning of one.
    """

    field: Field
    text: str
    phrase: bool = False
    slop: int | None = None
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class ValueLeaf:
    """A whole entry of a list or a field, such as a heading, an author or a volume.

    prefix: the beginning of an entry. A MeSH value may be "Descriptor/qualifier".
    """

    field: Field
    value: str
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class DateLeaf:
    """Dates from the start of `first` to the end of `last`, both included: 2020 ends on 31 December."""

    field: Field
    first: PartialDate
    last: PartialDate


@dataclass(frozen=True, slots=True)
class IdLeaf:
    """A PMID (digits), or an article id of any type, such as a DOI."""

    field: Field
    value: str


@dataclass(frozen=True, slots=True)
class Not:
    part: "Node"


@dataclass(frozen=True, slots=True)
class And:
    """All of two or more parts, none of which is an And; made by `all_of`."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Any of two or more parts, none of which is an Or; made by `any_of`."""

    parts: tuple["Node", ...]


Leaf: TypeAlias = TextLeaf | ValueLeaf | DateLeaf | IdLeaf
Node: TypeAlias = And | Or | Not | Leaf


def all_of(nodes: Iterable[Node]) -> Node:
    """One node that holds where all of one or more hold; Ands among them are dissolved."""
    parts: list[Node] = []
    for node in nodes:
        parts += node.parts if isinstance(node, And) else (node,)
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def any_of(nodes: Iterable[Node]) -> Node:
    """One node that holds where any of one or more holds; Ors among them are dissolved."""
    parts: list[Node] = []
    for node in nodes:
        parts += node.parts if isinstance(node, Or) else (node,)
    return parts[0] if len(parts) == 1 else Or(tuple(parts))


def fold(
    root: Node,
    leaf: Callable[[Leaf], Value],
    negate: Callable[[Value], Value],
    join: Callable[[type[And] | type[Or], Value, Value], Value],
) -> Value:
    """The tree computed from its leaves up, parts joined in pairs from left to right.

    Without recursion, since "a AND b OR c AND …" is as deep as it is long: comparing or hashing such a tree
    recurses and may fail, so a cache takes the text of the query as its key.
    """
    values: list[Value] = []
    waiting: list[Node | type[And] | type[Or] | type[Not]] = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, And | Or):
            for part in item.parts[:0:-1]:
                waiting += (type(item), part)
            waiting.append(item.parts[0])
        elif isinstance(item, Not):
            waiting += (Not, item.part)
        elif not isinstance(item, type):
            values.append(leaf(item))
        elif issubclass(item, Not):
            values.append(negate(values.pop()))
        else:
            right = values.pop()
            values.append(join(item, values.pop(), right))
    return values.pop()
