"""The letters, marks and signs that the analysis of text treats apart, as character classes and tables.

Classes are bodies of regular expression brackets. Ranges are those of Unicode 16.
"""

import functools
import re
import sys
import unicodedata

INVISIBLE = re.compile(
    "[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]"
)
"""Soft hyphens, joiners, direction marks, variation selectors: not seen, not typed, and differing."""
TRADE_MARKS = re.compile("[©®℠™]")
"""NFKC would glue "tm" to the name before."""

HAN = (
    r"\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff"
)
KANA = r"\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff\U0001b000-\U0001b16f"
THAI_LAO = r"\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"
KHMER = r"\u1780-\u17d3\u17d7\u17dc\u17dd"
BURMESE = r"\u1000-\u103f\u1050-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"
TIBETAN = r"\u0f00\u0f0b\u0f0c\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0fbc"
SPACELESS = HAN + KANA + THAI_LAO + KHMER + BURMESE + TIBETAN
"""Scripts that put no space between words."""
HANGUL = r"\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"
TSHEG = "\u0f0b\u0f0c"
"""Tibetan's sign between syllables."""
LATIN = r"a-z\u00df-\u024f\u1e00-\u1eff"
GREEK = r"\u03b1-\u03c9"

GREEK_NAMES = dict(
    zip(
        "αβγδεζηθικλμνξοπρσςτυφχψω",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma "
        "tau upsilon phi chi psi omega".split(),
        strict=True,
    )
)

FOLDED_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
"""Marks of Latin, Greek, Cyrillic, Arabic and Hebrew. Those of Indic and other scripts are vowels."""

FOLDED_LETTERS = str.maketrans(
    {
        # Latin letters whose stroke or form Unicode does not take apart.
        **{
            "ø": "o",
            "đ": "d",
            "ð": "d",
            "ł": "l",
            "ħ": "h",
            "ŧ": "t",
            "ı": "i",
            "æ": "ae",
            "œ": "oe",
            "þ": "th",
        },
        # Arabic: no stretching; alef maqsura, teh marbuta and the Persian forms as commonly typed.
        **{"ـ": "", "ى": "ي", "ی": "ي", "ة": "ه", "ک": "ك", "ھ": "ه", "ہ": "ه"},
    }
)

SERBIAN_LATIN = str.maketrans(
    dict(
        zip(
            "абвгдђежзијклљмнњопрстћуфхцчџш",
            "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š".split(),
            strict=True,
        )
    )
)
"""Serbian's Cyrillic letters in its Latin ones, which correspond one to one (small letters)."""

HYPHENS = "\u2010\u2011\u2012\u2013\u2043\u2212"
APOSTROPHES = "\u2018\u2019\u02bb\u02bc\u2032\u05f3"


@functools.cache
def levelled_signs() -> dict[int, str]:
    """For str.translate: hyphens, apostrophes and digits made ASCII, ∆ made δ, Han characters simplified."""
    digits = {
        code: str(unicodedata.decimal(chr(code)))
        for code in range(128, sys.maxunicode + 1)
        if unicodedata.category(chr(code)) == "Nd"
    }
    signs = dict.fromkeys(map(ord, HYPHENS), "-") | dict.fromkeys(map(ord, APOSTROPHES), "'")
    return simplified_characters() | signs | digits | {ord("∆"): "δ"}


def simplified_characters() -> dict[int, str]:
    """Each traditional Han character and its simplified form, so that both ways of writing Chinese meet."""
    import opencc

    traditional = [chr(code) for code in range(0x3400, 0xA000)]
    simplified = opencc.OpenCC("t2s").convert("\n".join(traditional)).split("\n")
    return {ord(one): other for one, other in zip(traditional, simplified, strict=True) if one != other}


@functools.cache
def word_characters() -> str:
    """Class of letters, marks and digits of the scripts that put spaces between words."""
    apart = re.compile(f"[_{SPACELESS}{HANGUL}]")
    codes = [code for code in range(0x10000) if _is_word(chr(code)) and not apart.match(chr(code))]
    starts = [code for code, before in zip(codes, [-2, *codes], strict=False) if code != before + 1]
    ends = [code for code, after in zip(codes, [*codes[1:], -2], strict=False) if code != after - 1]
    ranges = [
        f"{re.escape(chr(start))}-{re.escape(chr(end))}" for start, end in zip(starts, ends, strict=True)
    ]
    # Beyond the first plane coarsely, as all scripts there are rare: it keeps the class quick.
    return "".join(ranges) + r"\U00010000-\U0001afff\U0001b170-\U0001bfff\U0001e000-\U0001efff"


def _is_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")
