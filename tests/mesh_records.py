"""A small file of descriptors in the format of NLM's d2026.bin; the scope notes are our own."""

from pathlib import Path

RECORDS = (
    ("Heart Diseases", "D006331", ("C14.280",), ("Cardiac Diseases", "Disease, Heart")),
    ("Vascular Diseases", "D014652", ("C14.907",), ("Angiopathy",)),
    ("Myocardial Ischemia", "D017202", ("C14.280.647", "C14.907.585"), ("Ischemic Heart Disease",)),
    (
        "Myocardial Infarction",
        "D009203",
        ("C14.280.647.500", "C14.907.585.500"),
        ("Heart Attack", "Attack, Heart", "Pregnancy"),
    ),
    ("Anterior Wall Myocardial Infarction", "D056988", ("C14.280.647.500.093", "C14.907.585.500.093"), ()),
    ("Embolism", "D004617", ("C14.907.355",), ()),
    ("Guillain-Barre Syndrome", "D020275", ("C10.114.750.100",), ("Guillain-Barré Syndrome",)),
    ("Vaccines", "D014612", ("D20.215.894",), ()),
    ("Influenza Vaccines", "D007252", ("D20.215.894.899.302",), ("Vaccines, Influenza",)),
    ("Pregnancy", "D011247", ("G08.686.784.769",), ("Gestation", "Heart Attack")),
    ("Joints", "D007596", ("A02.835.583",), ("Joint/Articulation",)),
    ("Hip Joint", "D006621", ("A02.835.583.411",), ()),
    ("Female", "D005260", (), ()),
)
"""Name, identifier, tree numbers, entry terms, the first of which is a printed one in the file."""


def descriptor_file() -> bytes:
    """The file; with a supplementary record at its end, as there would be in another of NLM's files."""
    blocks = []
    for name, identifier, numbers, terms in RECORDS:
        lines = ["*NEWRECORD", "RECTYPE = D", f"MH = {name}", "AQ = AH BS CH DE"]
        lines += [f"PRINT ENTRY = {term}|T047|NON|EQV|NLM (1999)|981110|abcdef" for term in terms[:1]]
        lines += [f"ENTRY = {term}" for term in terms[1:]]
        lines += [f"MN = {number}" for number in numbers]
        lines += ["MH_TH = NLM (1966)", "ST = T047", "MS = A note in which x = y and MH = Nothing.", "DC = 1"]
        blocks.append("\n".join([*lines, "DX = 19660101", f"UI = {identifier}", ""]))
    blocks.append("*NEWRECORD\nRECTYPE = C\nNM = Aspirin Complex\nMH = Not a Descriptor\nUI = C000001\n")
    return "\n".join(blocks).encode()


def write_descriptors(folder: Path, year: int = 2026) -> Path:
    """The file in a folder, under NLM's name."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"d{year}.bin"
    path.write_bytes(descriptor_file())
    return path
