"""The grammar: from a levelled text to the tree."""

import functools

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken, v_args

from app.syntax.mistakes import misplaced, stray_character
from app.syntax.terms import range_node, term_node
from app.syntax.tree import Node, Not, all_of, any_of

END = r'(?![^\s()\[\]"])'
"""Space, brackets and quotation marks end an operator and a truncated word; ANDROGEN begins with none."""
OPERATOR = f"(?:AND|OR|NOT){END}"
REST = r'[^\s()\[\]"*]'
WORD = rf"(?!{OPERATOR})[^\s()\[\]\"*:](?:{REST}|\*(?=[0-9])|\((?:{REST})*\)(?!{OPERATOR}))*(?:\*{END})?"
"""Brackets without space or quotation marks that follow a letter belong to the word: S0140-6736(20)30183-5.
So does a star before a digit: HLA-B*57:01."""

GRAMMAR = rf"""
?start: expression
?expression: operand
    | expression _AND? operand -> both
    | expression _OR operand -> either
?operand: (RUN | PHRASE) [TAG] -> term
    | (RUN | PHRASE) [TAG] _COLON (RUN | PHRASE) TAG -> range
    | _NOT operand -> negated
    | "(" expression ")"
_AND: /AND{END}/
_OR: /OR{END}/
_NOT: /NOT{END}/
_COLON: ":"
RUN: /{WORD}(?:\s+{WORD})*/
PHRASE: /"[^"]*"/
TAG: /\[[^\[\]]*\]/
%ignore /\s+/
"""
"""Operators are of one rank, from left to right, as in PubMed; beside each other, terms are joined by AND.

"a NOT b" is thereby "a AND (NOT b)". A run of words is one term: its tag is that of all its words.
"""


@v_args(inline=True)
class _Builder(Transformer[Token, Node]):
    """Called at each rule as the text is read, so that nothing recurses into a deep query."""

    def both(self, left: Node, right: Node) -> Node:
        return all_of((left, right))

    def either(self, left: Node, right: Node) -> Node:
        return any_of((left, right))

    def negated(self, part: Node) -> Node:
        return Not(part)

    def term(self, words: Token, tag: Token | None) -> Node:
        return term_node(words, tag)

    def range(self, first: Token, first_tag: Token | None, last: Token, tag: Token) -> Node:
        return range_node(first, first_tag, last, tag)


def parse_levelled(text: str) -> Node:
    """The tree of a text that `level` has gone over; raises UsageError at the first thing that is wrong."""
    parser = _parser()
    try:
        tokens = list(parser.lex(text))
        return parser.parse(text)  # type: ignore[return-value]
    except UnexpectedCharacters as error:
        raise stray_character(text, error.pos_in_stream or 0) from None
    except UnexpectedToken as error:
        at_end = error.token.type == "$END"
        starts = [token.start_pos for token in tokens]
        raise misplaced(tokens, len(tokens) if at_end else starts.index(error.token.start_pos)) from None


@functools.cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer="basic", transformer=_Builder())
