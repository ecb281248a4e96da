"""The host as a WSGI and as an ASGI application."""
import asyncio
import io
import json
import tempfile
import unittest
from pathlib import Path

from clip_host import ClipHost, SqliteStore, asgi_app, wsgi_app

from .fake_service import FakeService

HEADERS = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/json", "Idempotency-Key": "attempt-key-1",
           "Host": "site.example"}


def host():
    with tempfile.NamedTemporaryFile(suffix=".sqlite", delete=False) as file:
        unittest.addModuleCleanup(Path(file.name).unlink)
    return ClipHost(FakeService(), SqliteStore(file.name), lambda request: "ann", base_path="/clips")


def by_wsgi(method, path, body=b"", script_name=""):
    environ = {"REQUEST_METHOD": method, "SCRIPT_NAME": script_name, "PATH_INFO": path, "QUERY_STRING": "",
               "wsgi.url_scheme": "https", "wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body)),
               "CONTENT_TYPE": HEADERS["Content-Type"]}
    environ.update({"HTTP_" + name.upper().replace("-", "_"): value for name, value in HEADERS.items()})
    found = {}
    text = wsgi_app(host())(environ, lambda status, headers: found.update(status=int(status[:3]), headers=dict(headers)))
    return found["status"], b"".join(text)


def by_asgi(method, path, body=b"", root_path=""):
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"", "scheme": "https",
             "root_path": root_path, "headers": [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]}
    parts = [{"type": "http.request", "body": body[:3], "more_body": True}, {"type": "http.request", "body": body[3:]}]
    sent = []

    async def receive():
        return parts.pop(0)

    async def send(message):
        sent.append(message)

    asyncio.run(asgi_app(host())(scope, receive, send))
    return sent[0]["status"], sent[1]["body"]


class ServersTest(unittest.TestCase):
    def test_a_start_through_each(self):
        body = json.dumps({"project_id": "p"}).encode()
        for status, text in (
            by_wsgi("POST", "/clips/exports", body),
            by_wsgi("POST", "/exports", body, script_name="/clips"),
            by_asgi("POST", "/clips/exports", body),
            by_asgi("POST", "/exports", body, root_path="/clips"),
        ):
            self.assertEqual((status, json.loads(text)["project_id"]), (201, "p"))

    def test_a_body_that_is_too_large(self):
        self.assertEqual(by_wsgi("POST", "/clips/token", b" " * 70_000)[0], 413)
        self.assertEqual(by_asgi("POST", "/clips/token", b" " * 70_000)[0], 413)

    def test_paths_outside_and_paths_that_are_no_text(self):
        for path in ("/clip", "/clipsexports", "/", "/clips/exports/\xff"):
            self.assertEqual(by_wsgi("GET", path)[0], 404, path)
        for path in ("/clip", "/clipsexports", "/", "/clips/exports/%ff", "/clips/exports/%2e%2e"):
            self.assertEqual(by_asgi("GET", path)[0], 404, path)


if __name__ == "__main__":
    unittest.main()
