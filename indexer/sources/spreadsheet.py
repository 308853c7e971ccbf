"""Excel's XLSX, row by row."""

import zipfile
from collections.abc import Iterator

from indexer.sources.archive import BOMB, File, is_archive, is_bomb

WORKBOOK = "xl/workbook.xml"


def is_spreadsheet(file: File) -> bool:
    """Whether a file is a workbook. Raises OSError if it cannot be read."""
    if not is_archive(file):
        return False
    try:
        with file.open("rb") as opened, zipfile.ZipFile(opened) as archive:
            return WORKBOOK in archive.namelist()
    except zipfile.BadZipFile:
        return False


def sheet_rows(file: File) -> Iterator[list[str]]:
    """The texts of the cells of the first sheet that has any. Raises OSError if it cannot be read."""
    from openpyxl import load_workbook

    with file.open("rb") as opened:
        with zipfile.ZipFile(opened) as archive:
            entries = archive.infolist()
        size = sum(entry.file_size for entry in entries)
        packed = sum(entry.compress_size for entry in entries)
        if is_bomb(size, packed):
            raise OSError(f"it would unpack to {size:,} bytes; {BOMB}")
        try:
            book = load_workbook(opened, read_only=True, data_only=True)
            sheet = next((sheet for sheet in book.worksheets if sheet.max_row), None)
            for row in sheet.iter_rows(values_only=True) if sheet is not None else ():
                yield [_text(cell) for cell in row]
        except (KeyError, ValueError, TypeError, SyntaxError, zipfile.BadZipFile) as error:
            raise OSError(f"broken spreadsheet: {error}") from None


def _text(cell: object) -> str:
    """A cell as it is read on the screen: whole numbers without a point, days without hours."""
    match cell:
        case None:
            return ""
        case float() if cell.is_integer():
            return str(int(cell))
    return str(cell).removesuffix(" 00:00:00").strip()
