"""Downloads, from a service whose files are public and have no name."""
import asyncio
import io
import re
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from clip_host import ClipHost, Service, SqliteStore, asgi_app, wsgi_app
from clip_host.download import attachment, open_file

VIDEO = b"mp4 " * 50_000
EXPORT = """{"id": "e", "project_id": "p", "status": "ready", "name": "M\\u00e4rz \\"1\\"", "src_url": %s}"""


class FakeServer(BaseHTTPRequestHandler):
    src_url = "null"
    asked = []

    def log_message(self, *_):
        pass

    def do_POST(self):
        self.answer(201, b'{"id": "managed"}', {"Content-Type": "application/json"})

    def do_GET(self):
        type(self).asked.append((self.path, dict(self.headers)))
        path = self.path.split("?")[0]
        if path == "/v2/projects/p/exports/e":
            return self.answer(200, (EXPORT % self.src_url).encode(), {"Content-Type": "application/json"})
        if path == "/moved":
            return self.answer(302, b"", {"Location": "/%C3%A4.mp4"})
        if path == "/gone":
            return self.answer(404, b"gone")
        if path == "/page":
            return self.answer(200, b"<p>", {"Content-Type": "text/html"})
        part = re.match(r"bytes=(\d+)-", self.headers.get("Range") or "")
        start = int(part.group(1)) if part else 0
        if start >= len(VIDEO):
            return self.answer(416, b"", {"Content-Range": f"bytes */{len(VIDEO)}"})
        headers = {"Content-Type": "video/mp4", "ETag": '"1"', "Accept-Ranges": "bytes", "Set-Cookie": "service=1"}
        if part:
            headers["Content-Range"] = f"bytes {start}-{len(VIDEO) - 1}/{len(VIDEO)}"
        self.answer(206 if part else 200, VIDEO[start:], headers)

    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class DownloadTest(unittest.TestCase):
    def setUp(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), FakeServer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        FakeServer.asked = []
        FakeServer.src_url = f'"{self.url}/\\u00e4.mp4"'
        with tempfile.NamedTemporaryFile(suffix=".sqlite", delete=False) as file:
            self.addCleanup(Path(file.name).unlink)
        self.host = ClipHost(Service(f"{self.url}/v2", "key"), SqliteStore(file.name), lambda request: "ann")

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()

    def by_wsgi(self, method="GET", query="project_id=p", **headers):
        environ = {"REQUEST_METHOD": method, "PATH_INFO": "/clips/exports/e/download", "QUERY_STRING": query,
                   "wsgi.url_scheme": "https", "wsgi.input": io.BytesIO(), **headers}
        found = {}
        body = wsgi_app(self.host)(environ, lambda status, headers: found.update(status=int(status[:3]), headers=dict(headers)))
        return found["status"], found["headers"], b"".join(body)

    def by_asgi(self, method="GET", leave_after=None):
        scope = {"type": "http", "method": method, "path": "/clips/exports/e/download", "query_string": b"project_id=p", "headers": []}
        sent = []

        async def talk():
            left = asyncio.Event()
            first = [{"type": "http.request", "body": b""}]

            async def receive():
                if first:
                    return first.pop()
                await left.wait()
                return {"type": "http.disconnect"}

            async def send(message):
                sent.append(message)
                if len(sent) == leave_after:
                    left.set()
                    await asyncio.sleep(0)

            await asgi_app(self.host)(scope, receive, send)

        asyncio.run(talk())
        return sent[0]["status"], dict(sent[0]["headers"]), [one["body"] for one in sent[1:]]

    def test_the_file_at_its_public_address_has_a_name(self):
        status, headers, body = self.by_wsgi()
        self.assertEqual((status, body), (200, VIDEO))
        self.assertEqual(headers["Content-Disposition"], "attachment; filename=\"M_rz__1_.mp4\"; filename*=UTF-8''M%C3%A4rz%20_1_.mp4")
        self.assertEqual((headers["Content-Type"], headers["ETag"], headers["Content-Length"]), ("video/mp4", '"1"', str(len(VIDEO))))
        self.assertNotIn("Set-Cookie", headers)
        path, sent = FakeServer.asked[-1]
        self.assertEqual(path, "/%C3%A4.mp4")
        self.assertNotIn("Authorization", sent)
        self.assertEqual(sent["Accept-Encoding"], "identity")

    def test_the_page_may_name_it(self):
        headers = self.by_wsgi(query="project_id=p&name=a%0D%0Ab.mp4")[1]
        self.assertEqual(headers["Content-Disposition"], "attachment; filename=\"a__b.mp4\"; filename*=UTF-8''a__b.mp4")

    def test_a_download_is_resumed(self):
        status, headers, body = self.by_wsgi(HTTP_RANGE="bytes=4-", HTTP_IF_RANGE='"1"')
        self.assertEqual((status, body, headers["Content-Range"]), (206, VIDEO[4:], f"bytes 4-{len(VIDEO) - 1}/{len(VIDEO)}"))
        self.assertEqual(FakeServer.asked[-1][1]["If-Range"], '"1"')
        status, headers, body = self.by_wsgi(HTTP_RANGE="bytes=999999-")
        self.assertEqual((status, body, headers["Content-Range"]), (416, b"", f"bytes */{len(VIDEO)}"))

    def test_the_services_own_download_is_used_otherwise(self):
        for address in ("null", '"javascript:1"', f'"{self.url}/gone"', f'"{self.url}/page"', '"http://127.0.0.1:9/"'):
            FakeServer.src_url = address
            status, headers, body = self.by_wsgi()
            self.assertEqual((status, body), (200, VIDEO), address)
            path, sent = FakeServer.asked[-1]
            self.assertEqual((path, sent["Authorization"]), ("/v2/projects/p/download?export_id=e", "Bearer key"))

    def test_asgi_sends_it_in_pieces_and_stops_when_the_browser_leaves(self):
        status, headers, chunks = self.by_asgi()
        self.assertEqual((status, b"".join(chunks)), (200, VIDEO))
        self.assertGreater(len(chunks), 3)
        self.assertEqual(len(self.by_asgi(leave_after=2)[2]), 1)

    def test_head_has_no_body(self):
        status, headers, body = self.by_wsgi("HEAD")
        self.assertEqual((status, body, headers["Content-Length"]), (200, b"", str(len(VIDEO))))
        self.assertEqual(b"".join(self.by_asgi("HEAD")[2]), b"")

    def test_redirects(self):
        with_redirect = open_file(f"{self.url}/moved", {}, 30)
        self.assertEqual(b"".join(with_redirect), VIDEO)
        self.assertIsNone(open_file(f"{self.url}/moved", {}, 30, redirects=0))

    def test_names(self):
        for name, wanted in {"": "clip", "a.mp4": "a", "../b": "_b", "x" * 90: "x" * 80}.items():
            self.assertTrue(attachment(name).endswith(f"''{wanted}.mp4"), attachment(name))


if __name__ == "__main__":
    unittest.main()
