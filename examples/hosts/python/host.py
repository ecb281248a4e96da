"""The host contract of clip-kit in plain Python: a WSGI application, run by itself or mounted in Django or Flask."""
import hmac, json, os, re, socketserver, sqlite3, sys, time, urllib.error, urllib.parse, urllib.request
from wsgiref import simple_server

SERVICE, KEY, SECRET = (os.environ.get(name) or sys.exit(f"{name} is not set") for name in
                        ("CLIP_SERVICE_URL", "CLIP_API_KEY", "SESSION_SECRET"))
CODES = {400: "invalid-request", 401: "unauthenticated", 402: "export-limit", 403: "forbidden", 404: "not-found",
         405: "method-not-allowed", 409: "attempt-mismatch", 413: "body-too-large", 415: "unsupported-media-type",
         429: "rate-limited", 500: "internal-error", 502: "service-error", 503: "service-unavailable", 504: "service-timeout"}
STATUSES = {"pending": "processing", "in_progress": "processing", "completed": "ready", "failed": "error"}
FIELDS = "id status src_url estimated_ready_at project_id created_at finished_at name author_id folder_id descriptions watermarked"
ROUTES = {"token": ["POST"], "exports": ["GET", "POST"], "exports/*": ["GET"], "exports/*/download": ["GET"]}
HERE = "WHERE site_user = ? AND key = ?"

class Problem(Exception):
    def __init__(self, status, code=None, **more):
        self.status, self.more = status, {"code": code or CODES[status], **more}

def invalid(path, message):
    return Problem(400, errors=[{"path": path, "message": message}])

def database():
    db = sqlite3.connect(os.environ.get("CLIP_DATABASE", "clips.sqlite"), timeout=10, isolation_level=None)
    db.execute("CREATE TABLE IF NOT EXISTS user (site_user TEXT PRIMARY KEY, managed TEXT)")
    db.execute("CREATE TABLE IF NOT EXISTS attempt (site_user TEXT, key TEXT, request TEXT, started REAL, state TEXT,"
               " export TEXT, PRIMARY KEY (site_user, key))")
    return db

def call(method, path, managed=None, body=None, missing="not-found", paid=False):
    # One call to the service: its JSON, or a problem if it fails.
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    if managed: headers["X-On-Behalf-Of"] = managed
    data, unknown = None if body is None else json.dumps(body).encode(), {"unknown_outcome": True} if paid else {}
    try:
        request = urllib.request.Request(SERVICE.rstrip("/") + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer: return json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code == 404 or (error.code == 400 and missing == "clip-not-found"): raise Problem(404, missing)
        unsure = unknown if error.code >= 500 or error.code == 408 else {}
        raise Problem(error.code if error.code in (402, 429, 503, 504) else 502, **unsure)
    except (OSError, ValueError) as error:  # No answer, or one that is not JSON.
        raise Problem(504 if isinstance(error, TimeoutError) else 502, **unknown)

def managed_user(db, user):
    known = lambda: db.execute("SELECT managed FROM user WHERE site_user = ?", (user,)).fetchone()
    if not known():
        db.execute("INSERT OR IGNORE INTO user VALUES (?, ?)", (user, call("POST", "/users", body={})["id"]))
    return known()[0]

def clip_path(body):
    return "/projects/" + "/".join(urllib.parse.quote(body[one], safe="") for one in ("folder_id", "project_id") if one in body)

def export_of(value):
    return {name: STATUSES.get(value[name], value[name]) if name == "status" else value.get(name) for name in FIELDS.split()}

def exports_of(managed, **query):
    found = call("GET", "/exports?" + urllib.parse.urlencode(query), managed)
    return [export_of(one) for one in (found["exports"] if isinstance(found, dict) else found)]

def read_export(managed, export, clip):
    path = f"{clip_path(clip)}/exports/{urllib.parse.quote(export, safe='')}"
    return export_of(call("GET", path, managed, missing="export-not-found"))

def settle(db, user, managed, key):
    # The export of an attempt: the stored one, otherwise the clip's oldest since then without an attempt.
    row = db.execute(f"SELECT request, started, export FROM attempt {HERE}", (user, key)).fetchone()
    if row and row[2]: return read_export(managed, row[2], json.loads(row[0]))
    found = exports_of(managed, project_id=json.loads(row[0])["project_id"]) if row else []
    for one in sorted(found, key=lambda one: one["created_at"]):
        # The service's dates are ISO 8601 in UTC, so they sort as text. One minute for clocks that differ.
        recent = one["created_at"] >= time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(row[1] - 60))
        if recent and not db.execute("SELECT 1 FROM attempt WHERE export = ?", (one["id"],)).fetchone():
            db.execute(f"UPDATE attempt SET state = 'settled', export = ? {HERE}", (one["id"], user, key))
            return one

def claim(db, user, managed, key, request):
    # None for the only request that may start; for a later one the export, once it is known.
    for turn in range(100):
        mine = (user, key, request, time.time())
        if db.execute("INSERT OR IGNORE INTO attempt VALUES (?, ?, ?, ?, 'open', NULL)", mine).rowcount: return None
        row = db.execute(f"SELECT request, started, state FROM attempt {HERE}", (user, key)).fetchone()
        if row and row[0] != request: raise Problem(409)
        if row and row[2] == "open" and time.time() - row[1] < 120 and turn < 99:
            time.sleep(0.05)  # Another request is starting it now.
            continue
        if found := settle(db, user, managed, key): return found
        # Nothing was started, and no request is working on it: the key is free.
        db.execute(f"DELETE FROM attempt {HERE} AND (state = 'unknown' OR started < ?)", (user, key, time.time() - 120))
    raise Problem(504, unknown_outcome=True)

def start(db, user, managed, key, body):
    db.execute("DELETE FROM attempt WHERE started < ?", (time.time() - 2 * 86400,))
    found = claim(db, user, managed, key, json.dumps(body, sort_keys=True))
    if found: return 200, found
    try: started = call("POST", clip_path(body) + "/exports", managed, {}, "clip-not-found", paid=True)
    except Problem as problem:
        unknown = "unknown_outcome" in problem.more
        db.execute(f"UPDATE attempt SET state = 'unknown' {HERE}" if unknown else f"DELETE FROM attempt {HERE}", (user, key))
        raise
    db.execute(f"UPDATE attempt SET state = 'settled', export = ? {HERE}", (started["id"], user, key))
    return 201, export_of(started) if "project_id" in started else read_export(managed, started["id"], body)

def checked(values, required=(), optional=()):
    for name, value in values.items():
        if name not in (*required, *optional): raise invalid(name, "unknown field")
        if not isinstance(value, str) or value in ("", ".", ".."): raise invalid(name, "must be an id")
    for name in {*required} - {*values}: raise invalid(name, "is missing")
    return values

def body_of(environ):
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if environ.get("CONTENT_TYPE", "").split(";")[0].strip().lower() != "application/json": raise Problem(415)
    if not 0 <= length <= 65536: raise Problem(413)
    try: body = json.loads(environ["wsgi.input"].read(length))
    except ValueError: raise invalid("", "is no JSON")
    return body if isinstance(body, dict) else checked({"": body})

def user_of(environ):
    # The logged-in user. Put your own session here. The demo's cookie is session=NAME.SIGNATURE.
    name, _, signature = (re.search(r"\bsession=([\w.-]+)", environ.get("HTTP_COOKIE", "")) or ["", ""])[1].rpartition(".")
    if not hmac.compare_digest(hmac.digest(SECRET.encode(), name.encode(), "sha256").hex(), signature): raise Problem(401)
    return name

def answer(environ):
    try: path = environ["PATH_INFO"].encode("latin-1").decode().removeprefix("/clips").removeprefix("/").split("/")
    except UnicodeError: raise Problem(404)
    shape = "/".join(["exports", "*", *path[2:]] if path[0] == "exports" and len(path) > 1 else path)
    method, site = environ["REQUEST_METHOD"], environ.get("HTTP_SEC_FETCH_SITE")
    if shape not in ROUTES or {".", "..", ""} & set(path): raise Problem(404)
    if method not in ROUTES[shape]: raise Problem(405)
    own = os.environ.get("SITE_ORIGIN") or f"{environ['wsgi.url_scheme']}://{environ.get('HTTP_HOST')}"
    if method == "POST" and site != "same-origin" and (site or environ.get("HTTP_ORIGIN") != own): raise Problem(403)
    user, db = user_of(environ), database()
    try: return route(db, user, environ, shape, path)
    finally: db.close()

def route(db, user, environ, shape, path):
    pairs = urllib.parse.parse_qsl(environ.get("QUERY_STRING", ""), keep_blank_values=True)
    query, ids, managed = dict(pairs), [value for name, value in pairs if name == "id"], managed_user(db, user)
    if shape == "token":
        checked(body_of(environ), optional=["project_id"])
        return 200, {"external_access_token": call("POST", f"/users/{managed}/tokens", body={})["external_access_token"]}
    if environ["REQUEST_METHOD"] == "POST":
        key, body = environ.get("HTTP_IDEMPOTENCY_KEY", ""), checked(body_of(environ), ["project_id"], ["folder_id"])
        if not re.fullmatch(r"[A-Za-z0-9._-]{8,128}", key): raise invalid("Idempotency-Key", "must be 8 to 128 characters")
        return start(db, user, managed, key, body)
    if shape == "exports" and ids:
        if len(ids) > 200: raise invalid("id", "must be 1 to 200 ids")
        checked(query, ["id"])
        return 200, [one for one in exports_of(managed) if one["id"] in ids]
    if len(query) != len(pairs): raise invalid("", "each parameter once")
    if shape == "exports" and "attempt" in query:
        key = checked(query, ["attempt"])["attempt"]
        if found := settle(db, user, managed, key): return 200, [found]
        since = time.time() - 120  # An open attempt may still be running; an older one has lost its process.
        flying = db.execute(f"SELECT 1 FROM attempt {HERE} AND state = 'open' AND started > ?", (user, key, since)).fetchone()
        return 202 if flying else 200, []
    if shape == "exports": return 200, exports_of(managed, **checked(query, optional=["project_id", "folder_id"]))
    found = read_export(managed, path[1], checked(query, ["project_id"], ["folder_id"]))
    if shape == "exports/*": return 200, found
    if found["status"] == "ready": return 302, found["src_url"]
    raise Problem(404, "export-not-found")  # Not yet.

def application(environ, respond):
    headers = [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
    try: status, value = answer(environ)
    except Exception as error:
        problem = error if isinstance(error, Problem) else Problem(500)
        if problem is not error: print(f"clip host: {type(error).__name__}", file=environ["wsgi.errors"])
        status, value = problem.status, {"title": CODES[problem.status], "status": problem.status, **problem.more}
        headers += [("Retry-After", "5")] if status == 429 else []
    if status == 302: headers, value = headers + [("Location", value)], None
    # The answer about an attempt contains its key: this host stores keys, so no export means that nothing was started.
    key = urllib.parse.parse_qs(environ.get("QUERY_STRING", "")).get("attempt")
    if key and status < 300: headers += [("Idempotency-Key", key[0])]
    headers += [("Content-Type", "application/json" if status < 400 else "application/problem+json")]
    respond(f"{status} {simple_server.WSGIRequestHandler.responses[status][0]}", headers)
    return [b"" if status == 302 or environ["REQUEST_METHOD"] == "HEAD" else json.dumps(value).encode()]

if __name__ == "__main__":  # Run by itself: one thread for each request, below /clips.
    Server = type("Server", (socketserver.ThreadingMixIn, simple_server.WSGIServer), {"daemon_threads": True, "request_queue_size": 100})
    simple_server.make_server("127.0.0.1", int(os.environ.get("PORT", "8000")), application, Server).serve_forever()
