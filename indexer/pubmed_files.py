"""NLM's files of PubMed: the baseline of the year, its daily updates, and the list of deleted PMIDs.

See https://pubmed.ncbi.nlm.nih.gov/download/.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from indexer.download import Downloader, DownloadError, file_md5
from indexer.files import write_atomic
from indexer.progress import Progress
from indexer.releases import YEAR, release_of

ADDRESS = "https://ftp.ncbi.nlm.nih.gov/pubmed/"
BASELINE, UPDATES = "baseline", "updatefiles"
"""NLM's folders."""
DELETED = "deleted.pmids.gz"
AT_ONCE = 4
"""Files fetched at a time, so that NLM's server, which is everybody's, has time for others."""

TERMS = "NLM-terms.txt"
NOTICE = """\
These records come from PubMed, courtesy of the U.S. National Library of Medicine (NLM), which asks whoever
uses or passes on its data to name it as their source, and to say that they may not be the newest that it has.
NLM does not vouch for them, and does not endorse bioglot. Abstracts may be protected by copyright.
Terms: https://www.nlm.nih.gov/databases/download/terms_and_conditions.html
"""

MOST_FAULTS = 2 * AT_ONCE
"""Files in a row that cannot be fetched, after which the server is let alone."""

_LINK = re.compile(r'href="(pubmed\d\dn\d{4,5}\.xml\.gz)"', re.IGNORECASE)
_MD5 = re.compile(r"\b[0-9a-f]{32}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FetchReport:
    """What one run did. held: files that were there; faults: a line for each that could not be fetched.

    older: files of earlier years that lie in the folder.
    """

    folder: str
    year: int
    fetched: int
    held: int
    faults: tuple[str, ...]
    older: int


def fetch_pubmed(
    folder: Path,
    progress: Progress,
    *,
    parts: Sequence[str] = (BASELINE, UPDATES),
    check: bool = False,
    address: str = ADDRESS,
) -> FetchReport:
    """Fetch what the folder lacks of the newest year's files, several at a time, each checked by its MD5.

    parts: NLM's folders to look in. check: also compare the files that are there with their checksums, and
    fetch those anew that are damaged. One file's fault does not stop the others. Raises DownloadError if
    there is no list of files, if too many in a row cannot be fetched, or if they cannot be stored.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".fetch.lock", blocking=False), Downloader(AT_ONCE) as downloader:
            return fetch_missing(downloader, folder, progress, parts, check, address)
    except Timeout:
        raise DownloadError(f"{folder}: another process fetches into it: wait until it is done") from None
    except OSError as error:
        raise DownloadError(f"{folder}: files cannot be stored: {error.strerror or error}") from error


def fetch_missing(
    downloader: Downloader, folder: Path, progress: Progress, parts: Sequence[str], check: bool, address: str
) -> FetchReport:
    """`fetch_pubmed` in a folder that is there and ours."""
    progress.start("asking for PubMed's files", len(parts), "lists")
    wanted = wanted_files(downloader, parts, address, progress)
    progress.finish()
    held = [name for name in wanted if (folder / name).exists()]
    if check:
        held = sound_files(folder, held, progress)
    missing = {name: link for name, link in wanted.items() if name not in set(held)}
    faults = fetch_all(downloader, folder, missing, progress)
    fetched = len(missing) - len(faults)
    if BASELINE in parts:
        faults += fetch_deleted(downloader, folder, address)
    year = next(map(year_of, wanted), 0)
    if not (folder / TERMS).exists():
        write_atomic(folder / TERMS, NOTICE.encode())
        progress.note(NOTICE.rstrip())
    return FetchReport(
        folder=str(folder),
        year=2000 + year,
        fetched=fetched,
        held=len(held),
        faults=tuple(faults),
        older=sum(0 < year_of(file.name) < year for file in folder.iterdir()),
    )


def wanted_files(
    downloader: Downloader, parts: Sequence[str], address: str, progress: Progress
) -> dict[str, str]:
    """Address by name of each file of the newest year that the parts list, in the order of their numbers."""
    found: dict[str, str] = {}
    for part in parts:
        place = f"{address.rstrip('/')}/{part}/"
        found |= {name: place + name for name in _LINK.findall(downloader.text(place))}
        progress.advance()
    if not found:
        raise DownloadError(
            f"{address}: its folders ({', '.join(parts)}) list no file named like pubmed26n0001.xml.gz"
        )
    newest = max(map(year_of, found))
    return {name: found[name] for name in sorted(found, key=release_number) if year_of(name) == newest}


def release_number(name: str) -> int:
    """The release that the file is, 0 if it is none."""
    return release_of(name) or 0


def year_of(name: str) -> int:
    """The year of a numbered file in two digits, 0 if it is none."""
    return release_number(name) // YEAR


def sound_files(folder: Path, names: Iterable[str], progress: Progress) -> list[str]:
    """Those whose checksum lies beside them and is theirs."""
    names = list(names)
    progress.start("checking files", len(names), "files")
    sound = []
    for name in names:
        kept = folder / f"{name}.md5"
        if kept.exists() and kept.read_text(encoding="utf-8").split()[:1] == [file_md5(folder / name)]:
            sound.append(name)
        else:
            progress.note(f"{folder / name} does not have its checksum, so it is fetched anew")
        progress.advance()
    progress.finish()
    return sound


def fetch_all(downloader: Downloader, folder: Path, missing: dict[str, str], progress: Progress) -> list[str]:
    """Fetch files; a line for each that cannot be."""
    progress.start("fetching PubMed's files", len(missing), "files")
    faults = []
    with ThreadPoolExecutor(AT_ONCE) as threads:
        tasks = [
            threads.submit(fetch_file, downloader, link, folder / name) for name, link in missing.items()
        ]
        try:
            row = 0
            for fault in outcomes(tasks):
                row = row + 1 if fault else 0
                if fault:
                    faults.append(fault)
                    progress.note(fault)
                if row == MOST_FAULTS:
                    raise DownloadError(
                        f"{row} files in a row cannot be fetched, so the rest is left for later; what is "
                        f"there is kept, and the same command goes on. The last: {fault}"
                    )
                progress.advance()
        except BaseException:
            downloader.stop()
            threads.shutdown(cancel_futures=True)
            raise
    progress.finish()
    return faults


def outcomes(tasks: Sequence[Future[None]]) -> Iterator[str]:
    """As each is done, what was wrong with it, "" if nothing was; raises what is no DownloadError."""
    for task in as_completed(tasks):
        error = task.exception()
        if error is not None and not isinstance(error, DownloadError):
            raise error
        yield str(error or "")


def fetch_file(downloader: Downloader, link: str, target: Path) -> None:
    """Fetch one file and its checksum, which is kept beside it in the form of md5sum."""
    told = _MD5.search(text := downloader.text(f"{link}.md5"))
    if told is None:
        raise DownloadError(f"{link}.md5 has no MD5 in it, but {text.strip()[:60]!r}")
    md5 = told[0].lower()
    downloader.file(link, target, md5)
    write_atomic(target.with_name(f"{target.name}.md5"), f"{md5}  {target.name}\n".encode())


def fetch_deleted(downloader: Downloader, folder: Path, address: str) -> list[str]:
    """Fetch the list of deleted PMIDs if it is newer; a line if it cannot be."""
    try:
        downloader.newer(f"{address.rstrip('/')}/{DELETED}", folder / DELETED)
    except DownloadError as error:
        return [str(error)]
    return []
