"""Language families, for tables of many languages.

Families are the topmost of Glottolog 5.1 (Hammarström and others 2024, CC BY 4.0, https://glottolog.org), but
for N'Ko, which stands there among the artificial languages and here with Mande, and for macrolanguages, which
stand with their members. Covered are the languages of FLORES-200 and TICO-19.
"""

from langcodes import Language

OTHER = "other"
"""What a language that is not covered belongs to."""

FAMILIES = {
    "Afro-Asiatic": "acm acq aeb ajp amh apc ara arb ars ary arz gaz hau heb kab mlt orm som taq tir tzm",
    "Artificial": "epo",
    "Atlantic-Congo": "aka bem cjk ewe fon fuv ibo kam kbp kik kin kmb kon lin lua lug mos nso nya run sag "
    "sna sot ssw swa swh tsn tso tum twi umb wol xho yor zul",
    "Austroasiatic": "khm sat vie",
    "Austronesian": "ace ban bjn bug ceb fij fil ilo ind jav min mri msa pag plt smo sun tgl war zsm",
    "Aymaran": "ayr",
    "Basque": "eus",
    "Dravidian": "kan mal tam tel",
    "Indo-European": "afr als asm ast awa bel ben bho bos bul cat ces ckb cym dan deu ell eng fao fas fra "
    "fur gla gle glg guj hat hin hne hrv hye isl ita kas kea kmr kur lij lim lit lmo ltg ltz lvs mag mai mar "
    "mkd nep nld nno nob npi oci ory pan pap pbt pes pol por prs pus ron rus san scn sin slk slv snd spa srd "
    "srp swe szl tgk tpi ukr urd vec ydd",
    "Japonic": "jpn",
    "Kartvelian": "kat",
    "Koreanic": "kor",
    "Mande": "bam dyu nqo",
    "Mongolic": "khk",
    "Nilotic": "dik din luo nus",
    "Quechuan": "quy",
    "Saharan": "kau knc",
    "Sino-Tibetan": "bod dzo kac lus mni mya yue zho",
    "Tai-Kadai": "lao shn tha",
    "Tupian": "grn",
    "Turkic": "azb azj bak crh kaz kir tat tuk tur uig uzn",
    "Uralic": "est fin hun",
}
"""Family to the ISO 639-3 codes of its languages."""


def family(language: Language) -> str:
    """The family of a language, OTHER if it is not covered."""
    try:
        code = language.to_alpha3()
    except LookupError:
        return OTHER
    return next((name for name, codes in FAMILIES.items() if code in codes.split()), OTHER)
