"""One key for each language variety and script, whatever a source of training text calls it."""

from functools import cache

NOT_ISO = {"cb": "ckb", "cx": "ceb", "ns": "nso", "toki": "tok"}
"""Codes that sources use (Facebook's locales, Tatoeba) and ISO 639 does not have."""

VARIETIES = {
    "ara": "arb",
    "aym": "ayr",
    "aze": "azj",
    "cmn": "zho",
    "din": "dik",
    "fas": "pes",
    "fil": "tgl",
    "ful": "fuv",
    "gug": "grn",
    "kau": "knc",
    "kur": "kmr",
    "kzj": "dtp",
    "lav": "lvs",
    "mlg": "plt",
    "mon": "khk",
    "msa": "zsm",
    "nep": "npi",
    "nor": "nob",
    "ori": "ory",
    "orm": "gaz",
    "pus": "pbt",
    "que": "quy",
    "sqi": "als",
    "swa": "swh",
    "uzb": "uzn",
    "yid": "ydd",
    "zgh": "tzm",
}
"""A macrolanguage by the variety that FLORES-200 has of it, and two codes as FLORES-200 writes them.

Sources: the macrolanguage table of ISO 639-3; the languages of FLORES-200 (NLLB Team, 2022). kzj is part of
dtp since 2016.
"""

REGIONAL = {("fas", "AF"): "prs", ("ara", "MA"): "ary"}
"""Varieties that sources name by the country: Dari as BCP 47 has it, Moroccan Arabic as GATITOS does."""

LIKELY_SCRIPTS = {
    "aii": "Syrc",
    "ayl": "Arab",
    "ctg": "Beng",
    "grc": "Grek",
    "hoc": "Latn",
    "mey": "Arab",
    "nst": "Latn",
    "orv": "Cyrl",
    "shi": "Arab",
    "xal": "Cyrl",
}
"""Where CLDR knows no likely script, or another than GATITOS, NTREX-128 and Tatoeba write unsaid."""

EQUAL = {
    "ber_Tfng": "tzm_Tfng",
    "jpn_Hani": "jpn_Jpan",
    "jpn_Hira": "jpn_Jpan",
    "jpn_Kana": "jpn_Jpan",
    "kor_Kore": "kor_Hang",
}
"""Parts of one way of writing, and what FLORES-200 calls otherwise."""


def is_english(code: str) -> bool:
    """Whether the primary subtag is that of English: "en", "EN-gb", "eng_Latn"."""
    return code.strip().replace("_", "-").partition("-")[0].lower() in ("en", "eng")


@cache
def language_key(code: str) -> str:
    """ISO 639-3 and script, as FLORES-200 writes them: "kr" and "kau" are "knc_Latn", "zh-TW" "zho_Hant".

    The script is the tag's, else the likely one. What is no language tag stays as it is.
    """
    from langcodes import Language
    from langcodes.tag_parser import LanguageTagError

    try:
        tag = Language.get(code.strip().replace("_", "-"), normalize=False)
        primary = tag.extlangs[0] if tag.extlangs else tag.language or ""
        language = NOT_ISO.get(primary) or Language.make(primary).to_alpha3()
    except (LanguageTagError, LookupError):
        return code
    variety = REGIONAL.get((language, tag.territory or "")) or VARIETIES.get(language, language)
    script = tag.script or LIKELY_SCRIPTS.get(variety) or _likely_script(language, tag.territory)
    key = f"{variety}_{script}"
    return EQUAL.get(key, key)


def _likely_script(language: str, territory: str | None) -> str:
    from langcodes import Language

    # Normalised, since the likely scripts are kept under the two-letter codes.
    tag = Language.get(f"{language}-{territory}" if territory else language)
    return str(tag.maximize().script)
