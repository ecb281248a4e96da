"""The host as a WSGI application."""
from __future__ import annotations

from http.client import responses
from typing import Any, Callable, Dict, Iterable

from .host import ClipHost
from .messages import MAX_BODY_BYTES, Request, segments_below


def wsgi_app(host: ClipHost) -> Callable[[Dict[str, Any], Callable[..., Any]], Iterable[bytes]]:
    """Mount it anywhere: the whole path is compared with the host's `base_path`."""

    def application(environ: Dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        answer = host.handle(_request_of(environ, host.base_path))
        status = f"{answer.status} {responses[answer.status]}"
        is_head = environ["REQUEST_METHOD"] == "HEAD"
        if answer.file:
            start_response(status, list(answer.headers.items()))
            if not is_head:
                return answer.file
            answer.file.close()
            return []
        start_response(status, [*answer.headers.items(), ("Content-Length", str(len(answer.body)))])
        return [b"" if is_head else answer.body]

    return application


def _request_of(environ: Dict[str, Any], base_path: str) -> Request:
    headers = {name[5:].replace("_", "-").lower(): value for name, value in environ.items() if name.startswith("HTTP_")}
    headers["content-type"] = environ.get("CONTENT_TYPE") or ""
    # WSGI gives the bytes of the decoded path as Latin-1.
    path = (environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")).encode("latin-1")
    try:
        segments = segments_below(base_path, path.decode())
    except UnicodeDecodeError:
        segments = None
    length = environ.get("CONTENT_LENGTH") or "0"
    size = min(int(length), MAX_BODY_BYTES + 1) if length.isdecimal() else 0
    return Request(
        method=environ["REQUEST_METHOD"],
        segments=segments,
        query=environ.get("QUERY_STRING", ""),
        headers=headers,
        body=environ["wsgi.input"].read(size) if size else b"",
        origin=f"{environ['wsgi.url_scheme']}://{headers.get('host', '')}",
        native=environ,
    )
