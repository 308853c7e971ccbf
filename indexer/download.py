"""Files from a server that may stall, break off or go away: resumed, checked, put in place whole."""

import hashlib
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.utils import formatdate, parsedate_to_datetime
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.files import sync_folder, writing_atomic
from models.errors import BioglotError

if TYPE_CHECKING:
    from urllib3.response import BaseHTTPResponse

TIMEOUT_SECONDS = 60.0
"""Without a byte for so long, the server is asked again."""
TRIES = 6
"""In a row without a byte more."""
BACKOFF_SECONDS = 0.5
"""Before the third try, doubled each time, unless the server names a time."""
AGAIN = (408, 429, 500, 502, 503, 504)
"""Answers after which asking again makes sense."""
CHUNK = 1 << 18
MOST_TEXT = 10_000_000
"""Bytes of a page or a checksum that are read."""


class DownloadError(BioglotError):
    """A file cannot be fetched; what came of it is kept, and the next call goes on from there."""

    http_status = 503


class _BrokenOff(DownloadError):
    """The server ended or stalled before the end of what it had begun to send."""


class Downloader:
    """Fetches over connections that it keeps, from several threads at once; close it by `with`."""

    def __init__(self, connections: int) -> None:
        from urllib3 import PoolManager, Retry

        retries = Retry(TRIES - 1, backoff_factor=BACKOFF_SECONDS, backoff_max=10, status_forcelist=AGAIN)
        name = {"User-Agent": f"bioglot/{version('bioglot')}", "Accept-Encoding": "identity"}
        self._pool = PoolManager(
            maxsize=connections, block=True, retries=retries, timeout=TIMEOUT_SECONDS, headers=name
        )
        self._stopped = threading.Event()

    def __enter__(self) -> "Downloader":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.clear()

    def stop(self) -> None:
        """Let whatever is under way break off; it goes on where it was the next time."""
        self._stopped.set()

    def text(self, address: str) -> str:
        """A small page or file. Raises DownloadError."""
        for tries in range(TRIES, 0, -1):
            data = b""
            try:
                with self._asked(address) as answer:
                    for chunk in self._chunks(answer):
                        data += chunk
                        if len(data) > MOST_TEXT:
                            raise DownloadError(
                                f"{address} has over {MOST_TEXT:,} bytes, expected a short text"
                            )
                break
            except _BrokenOff:
                if tries == 1:
                    raise
        return data.decode("utf-8", errors="replace")

    def newer(self, address: str, target: Path) -> bool:
        """Fetch a file that has no checksum, if the server's is newer than the one at target; whether it was.

        Raises DownloadError, and OSError if it cannot be stored.
        """
        headers = {}
        if target.exists():
            headers["If-Modified-Since"] = formatdate(target.stat().st_mtime, usegmt=True)
        with self._asked(address, headers) as answer:
            if answer.status == HTTPStatus.NOT_MODIFIED:
                return False
            with writing_atomic(target) as file:
                for chunk in self._chunks(answer):
                    file.write(chunk)
            if told := answer.headers.get("Last-Modified"):
                seconds = parsedate_to_datetime(told).timestamp()
                os.utime(target, (seconds, seconds))
        return True

    def file(self, address: str, target: Path, md5: str) -> None:
        """Fetch a file, going on with what came of it before; it is at target once its MD5 is right.

        Raises DownloadError, and OSError if it cannot be stored.
        """
        part = target.with_name(f".{target.name}.part")
        found = ""
        for _ in range(2):
            self._fetch(address, part)
            if (found := file_md5(part)) == md5:
                part.replace(target)
                sync_folder(target.parent)
                return
            part.unlink()
        raise DownloadError(
            f"{address}: fetched twice, and its MD5 is {found}, expected {md5}: try again later, in case the "
            "server is just replacing it"
        )

    def _fetch(self, address: str, part: Path) -> None:
        """Fetch all that is missing of a file, however often it breaks off, as long as something comes."""
        failures = 0
        while True:
            held = part.stat().st_size if part.exists() else 0
            try:
                with self._asked(address, {"Range": f"bytes={held}-"} if held else {}) as answer:
                    if answer.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                        return  # All of it is there; the checksum tells whether it is right.
                    begins = answer.headers.get("Content-Range", "").startswith(f"bytes {held}-")
                    with part.open("ab" if held and begins else "wb") as file:
                        for chunk in self._chunks(answer):
                            file.write(chunk)
                        file.flush()
                        os.fsync(file.fileno())
                return
            except _BrokenOff:
                grown = part.exists() and part.stat().st_size > held
                failures = 0 if grown else failures + 1
                if failures == TRIES or self._stopped.is_set():
                    raise

    def _chunks(self, answer: "BaseHTTPResponse") -> Iterator[bytes]:
        """What comes, as it comes, so that nothing is lost with a connection."""
        while chunk := answer.read1(CHUNK, decode_content=False):
            if self._stopped.is_set():
                raise DownloadError("stopped")
            yield chunk

    @contextmanager
    def _asked(self, address: str, headers: Mapping[str, str] = {}) -> Iterator["BaseHTTPResponse"]:
        """The server's answer, to be read as it comes; what is raised while it is read is _BrokenOff."""
        from urllib3.exceptions import HTTPError

        fine = (HTTPStatus.NOT_MODIFIED, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
        try:
            answer = self._pool.request(
                "GET", address, headers={**self._pool.headers, **headers}, preload_content=False
            )
        except HTTPError as error:
            reason = getattr(error, "reason", None) or error
            raise DownloadError(f"{address} cannot be fetched: {reason}") from None
        try:
            if answer.status >= HTTPStatus.BAD_REQUEST and answer.status not in fine:
                raise DownloadError(f"{address} cannot be fetched: the server answers {answer.status}")
            yield answer
        except HTTPError as error:
            raise _BrokenOff(f"{address} broke off: {error}") from None
        finally:
            if answer.length_remaining:
                answer.close()
            answer.release_conn()  # Without it, the next request would wait for a connection forever.


def file_md5(path: Path) -> str:
    """Hexadecimal MD5 of a file, which NLM publishes to find damage, not forgery."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
