"""Function words: they match everywhere in their own language, and by chance in others.

Without this, the article "la" of a Spanish question finds the few French titles of an English library, and
its rarity there makes that look like strong evidence.
"""

from functools import cache

ENGLISH = frozenset(
    "a about after all also am an and any are as at be because been before being between both but by can "
    "could did do does during each either few for from had has have having he her him his how i if in into "
    "is it its itself may me might more most must my neither no nor not of off on once one or other our "
    "ours out over own same shall she should so some such than that the their them then there these they "
    "this those through to too under until up upon us very was we were what when where which while who whom "
    "whose why will with within without would you your".split()
)
"""The closed word classes only: the usual lists hold words that matter here, such as "effect" and "test"."""


def content_words(text: str, language: str | None) -> str:
    """The text without function words of the language; as it is if nothing else would be left.

    language: BCP 47 primary tag; English if unknown, since most queries for this literature are.
    """
    stopwords = function_words(language or "en")
    words = text.split()
    kept = [word for word in words if word.strip(".,;:!?¿¡()\"'«»").casefold() not in stopwords]
    return " ".join(kept or words)


@cache
def function_words(language: str) -> frozenset[str]:
    """Function words of a language in lower case; empty where no list is known."""
    if language == "en":
        return ENGLISH
    import stopwordsiso

    return frozenset(stopwordsiso.stopwords(language)) if stopwordsiso.has_lang(language) else frozenset()
