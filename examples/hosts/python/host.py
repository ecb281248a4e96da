"""The host contract of clip-kit in Python: a WSGI application, run by itself or mounted in Flask."""
import hmac, os, re, socketserver, sys
from pathlib import Path
from wsgiref import simple_server

# Without pip: the library of this repository.
sys.path.append(str(Path(__file__).resolve().parents[3] / "integrations" / "python"))
from clip_host import ClipHost, Request, Service, SqliteStore, wsgi_app

SERVICE, KEY, SECRET = (os.environ.get(name) or sys.exit(f"{name} is not set") for name in
                        ("CLIP_SERVICE_URL", "CLIP_API_KEY", "SESSION_SECRET"))


def user_of(request: Request):
    # The logged-in user. Put your own session here. The demo's cookie is session=NAME.SIGNATURE.
    found = re.search(r"\bsession=([\w.-]+)", request.headers.get("cookie", ""))
    name, _, signature = (found[1] if found else "").rpartition(".")
    return name if hmac.compare_digest(hmac.digest(SECRET.encode(), name.encode(), "sha256").hex(), signature) else None


application = wsgi_app(ClipHost(
    service=Service(SERVICE, KEY),
    store=SqliteStore(os.environ.get("CLIP_DATABASE", "clips.sqlite")),
    authenticate=user_of,
    base_path="/clips",
    origin=os.environ.get("SITE_ORIGIN"),
))

if __name__ == "__main__":  # Run by itself: one thread for each request.
    Server = type("Server", (socketserver.ThreadingMixIn, simple_server.WSGIServer), {"daemon_threads": True, "request_queue_size": 100})
    simple_server.make_server("127.0.0.1", int(os.environ.get("PORT", "8000")), application, Server).serve_forever()
