"""What is wrong in a query: each message names place and piece, what was expected, and an example."""

from collections.abc import Sequence

from lark import Token

from models.errors import UsageError

LONGEST_PIECE = 40
OPERATORS = ("_AND", "_OR", "_NOT")
LONE_COLON = (
    "a colon that stands apart joins two dates, and a tag follows them, such as 2020 : 2024[dp]; "
    'a text with one needs quotes, such as "a : b"'
)


def mistake_at(token: Token, problem: str) -> UsageError:
    """The error for a token of the query."""
    return mistake(token.start_pos or 0, str(token), problem)


def mistake(position: int, piece: str, problem: str) -> UsageError:
    """The error for the piece at this position of the text, the first being 0."""
    shown = piece if len(piece) <= LONGEST_PIECE else piece[: LONGEST_PIECE - 1] + "…"
    return UsageError(f"query, character {position + 1:,}, {shown!r}: {problem}")


def stray_character(text: str, position: int) -> UsageError:
    """The error for a character that begins nothing."""
    problems = {
        '"': 'the quotation mark has no partner; a phrase stands between two, such as "heart attack"',
        "[": "the square bracket is not closed; a field tag stands in two, such as flu[tiab]",
        "]": "no square bracket is open here; a field tag stands in two, such as flu[tiab]",
        "*": "expected the star at the end of a word, such as cardi*",
    }
    return mistake(position, text[position], problems[text[position]])


def misplaced(tokens: Sequence[Token], index: int) -> UsageError:
    """The error for the token that cannot stand where it does; the end of the text is one past the last."""
    found = tokens[index].type if index < len(tokens) else "end"
    before = tokens[index - 1] if index else None
    if before is None and found == "end":
        return UsageError("the query is empty: type at least one word")
    if before is not None and before.type in OPERATORS and found in ("end", "RPAR"):
        return mistake_at(before, "expected a term after it, such as flu AND vaccine")
    if colon := _lone_colon(tokens, index):
        return mistake_at(colon, LONE_COLON)
    if found in OPERATORS:
        return mistake_at(tokens[index], "expected a term before it, such as flu AND vaccine")
    if found == "RPAR":
        return _wrong_closing(tokens, index)
    if found == "TAG":
        return _wrong_tag(tokens[index], before)
    return mistake_at(
        _opened(tokens)[-1], "the bracket is not closed; expected a second, such as (flu OR influenza)"
    )


def _lone_colon(tokens: Sequence[Token], index: int) -> Token | None:
    """The colon that is the token at the index, or after which it comes too early."""
    nearest = reversed(tokens[max(index - 2, 0) : index + 1])
    return next((token for token in nearest if token.type == "_COLON"), None)


def _wrong_closing(tokens: Sequence[Token], index: int) -> UsageError:
    if not _opened(tokens[:index]):
        return mistake_at(
            tokens[index], "no bracket is open here; expected one before, such as (flu OR influenza)"
        )
    return mistake_at(
        tokens[index - 1], "nothing between the brackets; expected a term, such as (flu OR influenza)"
    )


def _wrong_tag(tag: Token, before: Token | None) -> UsageError:
    if before is not None and before.type == "TAG":
        return mistake_at(tag, "a term has one field tag; repeat the term, such as flu[ti] OR flu[ab]")
    if before is not None and before.type == "RPAR":
        return mistake_at(
            tag, "a field tag belongs to one term, not to brackets, such as (flu[ti] OR influenza[ti])"
        )
    return mistake_at(
        tag,
        "expected a term before a field tag, such as flu[tiab]; "
        'square brackets of a text itself need quotes, such as "[18F]FDG"',
    )


def _opened(tokens: Sequence[Token]) -> list[Token]:
    """The brackets that are not closed by the end of the tokens."""
    opened: list[Token] = []
    for token in tokens:
        if token.type == "LPAR":
            opened.append(token)
        elif token.type == "RPAR" and opened:
            opened.pop()
    return opened
