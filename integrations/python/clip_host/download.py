"""The file of an export, as it comes from the service, and its name."""
from __future__ import annotations

import asyncio
import http.client
import re
import unicodedata
import urllib.error
import urllib.request
from typing import Any, AsyncGenerator, Dict, Iterator, Mapping, Optional
from urllib.parse import quote, urljoin, urlsplit

_MAX_REDIRECTS = 5
_CHUNK_BYTES = 65536
_NAME_LENGTH = 80
_PASSED_ON = ("Accept-Ranges", "Content-Length", "Content-Range", "ETag", "Last-Modified")
# What ends a header or a path, what Windows refuses, and what changes the direction of text.
_UNSAFE = re.compile("[\"*/:<>?\\\\|\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    # A redirect would carry the key elsewhere, or turn a POST into a GET.
    def redirect_request(self, *_: Any) -> None:
        return None


_open = urllib.request.build_opener(NoRedirect).open


class File:
    """An answer with the bytes of a file. Iterating reads them; `close` ends the connection."""

    def __init__(self, answer: Any, status: int):
        self._answer = answer
        self.status = status
        self.headers = {name: answer.headers[name] for name in _PASSED_ON if answer.headers.get(name)}

    def __iter__(self) -> Iterator[bytes]:
        try:
            while self.status != 416:
                chunk = self._answer.read(_CHUNK_BYTES)
                if not chunk:
                    break
                yield chunk
        finally:
            self.close()

    def close(self) -> None:
        self._answer.close()


def open_file(url: str, headers: Mapping[str, str], timeout_seconds: float, redirects: int = _MAX_REDIRECTS) -> Optional[File]:
    """
    None if the file cannot be had there. No redirect is followed from a public name into a network.
    """
    asked = {"Accept-Encoding": "identity", **headers}
    for _ in range(redirects + 1):
        if not re.match(r"https?://", url, re.IGNORECASE):
            return None
        location = ""
        try:
            request = urllib.request.Request(quote(url, safe="%/:?#[]@!$&'()*+,;=~"), headers=asked)
            answer = _open(request, timeout=timeout_seconds)
            status = answer.status
        except urllib.error.HTTPError as error:
            answer, status = error, error.code
            location = error.headers.get("Location") or ""
        except (OSError, ValueError, http.client.HTTPException):
            return None
        # Urllib does not decode: encoded bytes are no video.
        encoded = answer.headers.get("Content-Encoding", "identity").lower() != "identity"
        kind = answer.headers.get_content_type()
        is_text = kind.startswith("text/") or kind.endswith(("/json", "+json"))
        if status == 416 or (status in (200, 206) and not encoded and not is_text):
            return File(answer, status)
        answer.close()
        if status not in (301, 302, 303, 307, 308) or not location:
            return None
        target = urljoin(url, location)
        if _is_public(url) and not _is_public(target):
            return None
        url = target
    return None


def _is_public(url: str) -> bool:
    # A name of the public internet, and not an IP address or a name inside of a network.
    try:
        name = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return False
    inside = re.search(r"\.(localhost|local|internal|lan|home\.arpa)$", name)
    return re.search(r"\.[a-z][a-z0-9-]*$", name) is not None and not inside


def attachment(name: str) -> str:
    """`Content-Disposition` with which every browser saves an MP4 file under this name."""
    name = re.sub(r"\.mp4$", "", name, flags=re.IGNORECASE)
    cleaned = "".join("_" if unicodedata.category(one) in ("Cc", "Cs") else one for one in _UNSAFE.sub("_", name))
    stem = cleaned[:_NAME_LENGTH].strip(" .\u3000\u00a0") or "clip"
    ascii_name = re.sub(r"[^A-Za-z0-9._-]", "_", stem)
    return f"attachment; filename=\"{ascii_name}.mp4\"; filename*=UTF-8''{quote(stem, safe='')}.mp4"


async def in_threads(file: File) -> AsyncGenerator[bytes, None]:
    """The chunks, each read in a thread, so that the event loop does not wait for the service."""
    loop = asyncio.get_running_loop()
    chunks = iter(file)
    try:
        while True:
            chunk: Optional[bytes] = await loop.run_in_executor(None, next, chunks, None)
            if chunk is None:
                return
            yield chunk
    finally:
        file.close()


def range_of(headers: Mapping[str, str]) -> Dict[str, str]:
    """The part that the browser asks for."""
    return {name: headers[name.lower()] for name in ("Range", "If-Range") if name.lower() in headers}
