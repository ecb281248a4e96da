"""The host as an ASGI application. Each request runs in a thread."""
from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Callable, Dict
from urllib.parse import unquote_to_bytes

from .download import in_threads
from .host import ClipHost
from .messages import MAX_BODY_BYTES, Request, segments_below


def asgi_app(host: ClipHost) -> Callable[..., Awaitable[None]]:
    """Mount it anywhere: the whole path is compared with the host's `base_path`."""

    async def application(scope: Dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        if scope["type"] != "http":
            raise ValueError(f"The clip host answers HTTP requests, not {scope['type']}.")
        body = b""
        while len(body) <= MAX_BODY_BYTES:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        request = _request_of(scope, host.base_path, body[:MAX_BODY_BYTES + 1])
        # Closing the page must not interrupt a start.
        answer = await asyncio.shield(asyncio.get_running_loop().run_in_executor(None, host.handle, request))
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in answer.headers.items()]
        if not answer.file:
            headers.append((b"content-length", str(len(answer.body)).encode()))
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        if answer.file and scope["method"] == "HEAD":
            answer.file.close()
        elif answer.file:
            gone = asyncio.ensure_future(receive())
            chunks = in_threads(answer.file)
            try:
                async for chunk in chunks:
                    if gone.done():
                        return
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
            finally:
                gone.cancel()
                await chunks.aclose()
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answer.body})

    return application


def _request_of(scope: Dict[str, Any], base_path: str, body: bytes) -> Request:
    headers: Dict[str, str] = {}
    for name, value in scope["headers"]:
        headers[name.decode("latin-1").lower()] = value.decode("latin-1")
    root = scope.get("root_path", "").rstrip("/")
    raw = (scope.get("raw_path") or scope["path"].encode()).split(b"?")[0].decode("latin-1")
    path = raw if not root or raw.startswith(f"{root}/") else root + raw
    split = segments_below(base_path, path)
    try:
        # Split before decoding: an encoded slash belongs to an id.
        segments = None if split is None else [unquote_to_bytes(one).decode() for one in split]
    except UnicodeDecodeError:
        segments = None
    return Request(
        method=scope["method"],
        segments=segments,
        query=scope.get("query_string", b"").decode("latin-1"),
        headers=headers,
        body=body,
        origin=f"{scope.get('scheme', 'http')}://{headers.get('host', '')}",
        native=scope,
    )
