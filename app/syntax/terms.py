"""One term of a query, with its field tag or without, as leaves of the tree."""

import re
from dataclasses import dataclass
from datetime import date

from lark import Token

from app.syntax.fields import (
    FIELD_NAMES,
    FIELDS,
    PROXIMITY_FIELDS,
    UNANSWERED_NAMES,
    Field,
    Kind,
    plain_name,
    tag_list,
)
from app.syntax.mistakes import LONE_COLON, mistake, mistake_at
from app.syntax.tree import DateLeaf, IdLeaf, Node, TextLeaf, ValueLeaf, all_of, any_of
from indexer.citation import PartialDate

MAX_SLOP = 1_000
"""Words between those of a proximity search: PubMed's help names no higher number."""

WORD = re.compile(r"\S+")
DATE = re.compile(r"([0-9]{4})(?:/([0-9]{1,2})(?:/([0-9]{1,2}))?)?")
STRAY_STAR = re.compile(r"\*(?![0-9]|\s*$)|(?<!\S)\*")
"""One that does not end the text nor stand in the name of an allele, such as HLA-B*57:01."""


@dataclass(frozen=True, slots=True)
class Tag:
    field: Field
    slop: int | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """White space as single spaces; prefix: a star stood at the end."""

    text: str
    prefix: bool


def term_node(term: Token, tag_token: Token | None) -> Node:
    """What a run of words or a quoted phrase asks for."""
    tag = Tag(Field.ALL) if tag_token is None else read_tag(tag_token)
    text, start = _content(term)
    match FIELDS[tag.field].kind:
        case Kind.TEXT if term.type == "PHRASE":
            return _phrase(term, tag)
        case Kind.TEXT if tag.slop is None:
            return all_of(_word(tag.field, word[0], start + word.start()) for word in WORD.finditer(text))
        case Kind.TEXT:
            raise _misused_proximity(term)
        case Kind.VALUE:
            words = read_words(text, start)
            return ValueLeaf(tag.field, words.text, words.prefix)
        case Kind.DATE:
            first, colon, last = text.partition(":")
            return _dates(tag.field, term, first, last if colon else first)
        case Kind.ID:
            return _ids(tag.field, term)


def range_node(first: Token, first_tag: Token | None, last: Token, tag: Token) -> Node:
    """Two dates that a colon with spaces joins."""
    field = read_tag(tag).field
    if FIELDS[field].kind is not Kind.DATE:
        raise mistake_at(first, LONE_COLON)
    if first_tag is not None and read_tag(first_tag).field is not field:
        raise mistake_at(
            first_tag,
            f"expected the field of the other date, such as 2020[{field}]",
        )
    return _dates(field, first, _content(first)[0], _content(last)[0])


def read_tag(token: Token) -> Tag:
    """The field of a tag such as [Title/Abstract:~3]; raises UsageError if there is none of that name."""
    name, proximity, slop = token[1:-1].partition(":~")
    plain = plain_name(name)
    if plain not in FIELD_NAMES:
        raise mistake_at(token, _unknown(plain))
    field = FIELD_NAMES[plain]
    if not proximity:
        return Tag(field)
    if field not in PROXIMITY_FIELDS:
        fields = ", ".join(f"[{name}]" for name in sorted(PROXIMITY_FIELDS))
        raise mistake_at(token, f'words near each other are found in {fields}, such as "hip pain"[tiab:~2]')
    number = slop.strip()
    if not re.fullmatch("[0-9]{1,4}", number) or int(number) > MAX_SLOP:
        raise mistake_at(token, f'expected 0 to {MAX_SLOP:,} words between, such as "hip pain"[tiab:~2]')
    return Tag(field, int(number))


def _unknown(name: str) -> str:
    fields = f"the fields are {tag_list()}"
    if name in UNANSWERED_NAMES:
        return f"a field of PubMed that cannot be searched here; {fields}"
    return f'no such field; {fields}; square brackets of a text itself need quotes, such as "[18F]FDG"'


def read_words(text: str, position: int) -> Words:
    """The text without the star at its end; raises UsageError for a star elsewhere."""
    if star := STRAY_STAR.search(text):
        raise mistake(position + star.start(), "*", "expected the star at the end of a word, such as cardi*")
    plain = " ".join(text.split())
    return Words(plain.removesuffix("*"), plain.endswith("*"))


def _word(field: Field, text: str, position: int) -> TextLeaf:
    _check_letters(text, position)
    words = read_words(text, position)
    return TextLeaf(field, words.text, prefix=words.prefix)


def _phrase(term: Token, tag: Tag) -> Node:
    words = read_words(*_content(term))
    if tag.slop is not None and (words.prefix or " " not in words.text):
        raise _misused_proximity(term)
    return TextLeaf(tag.field, words.text, phrase=True, slop=tag.slop, prefix=words.prefix)


def _misused_proximity(term: Token) -> Exception:
    return mistake_at(
        term,
        'expected two or more words in quotes, none with a star, such as "hip pain"[tiab:~2]',
    )


def _ids(field: Field, term: Token) -> Node:
    """One id, or several PMIDs of which any will do."""
    text, start = _content(term)
    words = read_words(text, start)
    if words.prefix:
        raise mistake(start, text, "expected a whole id, without a star, such as 34092429[pmid]")
    if field is not Field.PMID:
        return IdLeaf(field, words.text)
    pmids = re.split("[ ,;]+", words.text)
    if not all(re.fullmatch("[0-9]+", pmid) for pmid in pmids):
        raise mistake(start, text, "expected a number, such as 34092429[pmid]")
    return any_of(IdLeaf(field, pmid) for pmid in pmids)


def _dates(field: Field, term: Token, first: str, last: str) -> Node:
    """The dates from first to last, of which the term is the beginning in the query."""
    start, end = _date(field, term, first), _date(field, term, last)
    if (start.year, start.month or 1, start.day or 1) > (end.year, end.month or 12, end.day or 31):
        raise mistake_at(term, f"expected the earlier date first, such as 2020:2024[{field}]")
    return DateLeaf(field, start, end)


def _date(field: Field, term: Token, text: str) -> PartialDate:
    found = DATE.fullmatch(text.strip())
    if found is None:
        example = f"2019[{field}], 2019/03/15[{field}] or 2019/03:2021[{field}]"
        raise mistake_at(term, f"expected a date or a range of dates, such as {example}")
    year, month, day = (int(part) if part else None for part in found.groups())
    try:
        date(year or 0, month or 1, day or 1)
    except ValueError:
        raise mistake_at(
            term,
            f"there is no date {text.strip()}; expected one such as 2019/03/15[{field}]",
        ) from None
    return PartialDate(year, month, day)


def _content(term: Token) -> tuple[str, int]:
    """The words of a term without its quotation marks, and where they begin in the query."""
    start = term.start_pos or 0
    _check_letters(str(term), start)
    return (term[1:-1], start + 1) if term.type == "PHRASE" else (str(term), start)


def _check_letters(piece: str, position: int) -> None:
    """Punctuation alone finds nothing, and dropping it would be a guess."""
    if not any(map(str.isalnum, piece)):
        raise mistake(position, piece, "expected a letter or a digit in it, such as flu")
