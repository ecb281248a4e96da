"""What the host needs of a request, and its answer."""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional
from urllib.parse import parse_qsl

from .download import File, attachment

MAX_BODY_BYTES = 65536


@dataclass(frozen=True)
class Request:
    method: str
    #: The path below the host, split at its slashes and then decoded; None outside of the host.
    segments: Optional[List[str]]
    #: As sent, not decoded.
    query: str = ""
    #: Names in lower case.
    headers: Mapping[str, str] = field(default_factory=dict)
    #: At most one byte longer than allowed.
    body: bytes = b""
    #: Of the site: scheme, host and port.
    origin: str = ""
    #: The framework's own request: a WSGI environ, an ASGI scope or a Django request.
    native: Any = None

    def parameters(self) -> Dict[str, List[str]]:
        found: Dict[str, List[str]] = {}
        for name, value in parse_qsl(self.query, keep_blank_values=True, errors="surrogateescape"):
            found.setdefault(name, []).append(value)
        return found


@dataclass(frozen=True)
class Response:
    status: int
    headers: Dict[str, str]
    body: bytes = b""
    #: Takes the place of the body, and must be closed.
    file: Optional[File] = None


_ALWAYS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def json_response(status: int, value: Any, headers: Optional[Mapping[str, str]] = None) -> Response:
    kind = "application/json" if status < 400 else "application/problem+json"
    return Response(status, {**_ALWAYS, "Content-Type": kind, **(headers or {})}, json.dumps(value).encode())


def empty_response(status: int, headers: Mapping[str, str]) -> Response:
    return Response(status, {**_ALWAYS, **headers})


def file_response(file: File, name: str) -> Response:
    kind = {} if file.status == 416 else {"Content-Type": "video/mp4", "Content-Disposition": attachment(name)}
    return Response(file.status, {**_ALWAYS, **kind, **file.headers}, file=file)


def segments_below(base_path: str, path: str) -> Optional[List[str]]:
    base = base_path.rstrip("/") + "/"
    return path[len(base):].split("/") if path.startswith(base) else None
