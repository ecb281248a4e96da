"""The backend that the elements call: keeps the host contract of clip-kit."""
from __future__ import annotations

import base64
import hashlib
import json
import logging
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple
from urllib.parse import urlencode

from . import checks
from .download import range_of
from .export_call import ExportCall
from .managed_users import ManagedUsers
from .messages import MAX_BODY_BYTES, Request, Response, empty_response, file_response, json_response
from .paid_starts import PaidCall, PaidStarts
from .problem import Problem, invalid
from .service import Service
from .store import Store
from .task_call import TaskCall
from .task_list import TaskList
from .token_call import TokenCall

_ROUTES = {"token": ["POST"], "exports": ["GET", "POST"], "exports/*": ["GET"], "exports/*/download": ["GET"],
           "projects": ["GET"], "projects/*": ["GET", "POST"], "projects/*/copy": ["POST"],
           "projects/*/edit": ["GET", "PATCH"], "tasks": ["GET"], "tasks/*": ["GET", "DELETE"],
           "tasks/{type}": ["GET", "POST", "DELETE"], "uploads": ["POST"], "uploads/*": ["GET", "DELETE"]}
_MAX_IDS = 200
#: Texts that stand for a missing value: with them, all visitors would share one account.
_MISSING_IDS = ("", "None", "null", "undefined")
_KEY_FORM = "must be 8 to 128 characters of A-Z a-z 0-9 . _ -"

_log = logging.getLogger("clip_host")


class ClipHost:
    """
    `authenticate(request)`: the id of the logged-in user, or None. Take it only from your session.
    `base_path`: where the host is mounted. `origin`: the site's public origin, such as
    `https://www.example.com`; needed behind a proxy that changes the host name.
    `authorize(user, action, project_id, folder_id)`: may this user do this? The action is `token`
    (which names no clip), `export`, `download`, `edit`, `upload`, `task`, `delete` or
    `read`. `export_options(asked, user)`: the
    `watermark` or `preset_id` to send, whatever the page asked for. `starts_per_minute`: new
    exports for each user; 30 if None. `token_permissions`: what the embed tokens allow in the
    service's own pages, to which the options above do not reach: `view`, and also `edit` or
    `export`. If None, only `view` beside `authorize`, `export_options` or `starts_per_minute`,
    otherwise all.
    """

    def __init__(
        self,
        service: Service,
        store: Store,
        authenticate: Callable[[Request], Optional[str]],
        base_path: str = "/clips",
        origin: Optional[str] = None,
        authorize: Optional[Callable[[str, str, Optional[str], Optional[str]], bool]] = None,
        export_options: Optional[Callable[[Dict[str, Any], str], Mapping[str, Any]]] = None,
        starts_per_minute: Optional[int] = None,
        token_permissions: Optional[Sequence[str]] = None,
    ):
        self.base_path = base_path
        self._service = service
        self._authenticate = authenticate
        self._origin = origin
        self._authorize = authorize
        self._export_options = export_options
        has_policies = any(one is not None for one in (authorize, export_options, starts_per_minute))
        self._users = ManagedUsers(service, TokenCall(service, token_permissions, has_policies), store)
        self._store = store
        self._task_list = TaskList(service, self._users, store)
        self._starts = PaidStarts(self._users, store, 30 if starts_per_minute is None else starts_per_minute)

    def handle(self, request: Request) -> Response:
        account: Dict[str, str] = {}
        try:
            response = self._answer(request, account)
        except Problem as problem:
            if problem.status >= 500:
                _log.error("%s: %s", problem.code, problem.reason or "no reason known")
            response = problem.response()
        except Exception as error:
            # Its message and trace may contain what the request contained.
            _log.error("internal-error: %s", type(error).__name__)
            response = Problem("internal-error").response()
        response.headers.update(account)
        return response

    def _answer(self, request: Request, account: Dict[str, str]) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        shape, name = _route(request.segments)
        allowed = {"Allow": ", ".join(_ROUTES[shape])}
        if method == "OPTIONS":
            return empty_response(204, allowed)
        if method not in _ROUTES[shape]:
            raise Problem("method-not-allowed", headers=allowed)
        if method != "GET" and not self._is_same_origin(request):
            raise Problem("forbidden")
        user = self._authenticate(request)
        if user is None:
            raise Problem("unauthenticated")
        if not isinstance(user, str) or user in _MISSING_IDS:
            raise Problem("internal-error", reason="authenticate must return an id as a text, or None")
        # By this tag, a browser tells its accounts apart. It is a hash, so the id is not stored there.
        account["Clip-Account"] = hashlib.sha256(f"account {user}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        # The page shows another account: what was clicked there is not for this user.
        if request.headers.get("clip-account", account["Clip-Account"]) != account["Clip-Account"]:
            raise Problem("account-changed")
        if shape == "token":
            return self._token(user, request)
        if shape == "projects/*/edit":
            return self._edit(user, name, request, method == "PATCH")
        if shape.startswith("tasks"):
            return self._tasks(user, name, request, method)
        if shape.startswith("uploads"):
            return self._uploads(user, name, request, method)
        if method == "POST":
            return self._start(user, request) if shape == "exports" else self._new_clip(user, name, request, shape)
        if shape == "exports":
            return self._exports(user, request)
        if shape == "projects":
            folder = checks.ids(_single(request), ["folder_id"])["folder_id"]
            self._allow(user, "read", None, folder)
            return json_response(200, self._users.call(user, lambda managed: self._service.clips(managed, folder)))
        if shape == "projects/*":
            clip = {"project_id": name, **checks.ids(_single(request), [], ["folder_id"])}
            self._allow(user, "read", name, clip.get("folder_id"))
            return json_response(200, self._users.call(user, lambda managed: self._service.clip(managed, clip)))
        return self._export(user, name, request, "read" if shape == "exports/*" else "download")

    def _is_same_origin(self, request: Request) -> bool:
        site = request.headers.get("sec-fetch-site")
        if site is not None:
            return site == "same-origin"
        own = self._origin or request.origin
        return bool(own) and request.headers.get("origin") == own

    def _token(self, user: str, request: Request) -> Response:
        checks.ids(_body(request), [], ["project_id"])
        # Without the clip that the page names: the token opens all clips of the user.
        self._allow(user, "token", None, None)
        token = self._users.token_of(user)
        return json_response(200, {"external_access_token": token, "expires_at": _expiry(token)})

    def _start(self, user: str, request: Request) -> Response:
        key = _attempt_key(request)
        clip, asked = checks.start(_body(request))
        self._allow(user, "export", clip["project_id"], clip.get("folder_id"))
        options = asked
        if self._export_options:
            try:
                options = checks.options(self._export_options(dict(asked), user))
            except Problem as problem:
                reason = "export_options: {path} {message}".format(**problem.errors[0])
                raise Problem("internal-error", reason=reason) from None
        call = ExportCall.of(self._service, self._store, clip, asked, options)
        export, replayed = self._starts.start(user, key, call)
        return json_response(200 if replayed else 201, export)

    def _exports(self, user: str, request: Request) -> Response:
        parameters = request.parameters()
        if "id" in parameters:
            wanted = parameters["id"]
            if len(parameters) > 1 or len(wanted) > _MAX_IDS or not all(map(checks.is_id, wanted)):
                raise invalid("id", f"must be 1 to {_MAX_IDS} ids, and nothing else")
            self._allow(user, "read", None, None)
            every = self._users.call(user, self._service.exports)
            return json_response(200, [one for one in every if one["id"] in wanted])
        query = _single(request)
        if "attempt" in query:
            return self._attempt(user, query, lambda stored: ExportCall.stored(self._service, self._store, stored))
        wanted_clip = checks.ids(query, [], ["project_id", "folder_id"])
        self._allow(user, "read", wanted_clip.get("project_id"), wanted_clip.get("folder_id"))
        return json_response(200, self._users.call(user, lambda managed: self._service.exports(managed, **wanted_clip)))

    def _attempt(self, user: str, query: Dict[str, str], call_of: Callable[[str], PaidCall]) -> Response:
        """What an attempt has started, or nothing."""
        key = checks.ids(query, ["attempt"])["attempt"]
        if not checks.is_attempt_key(key):
            raise invalid("attempt", _KEY_FORM)
        self._allow(user, "read", None, None)
        found, in_flight, certain = self._starts.find(user, key, call_of)
        # The header promises: without a result, nothing was started.
        promise = {"Idempotency-Key": key} if certain and not in_flight else {}
        return json_response(202 if in_flight else 200, [found] if found else [], promise)

    def _export(self, user: str, export_id: str, request: Request, action: str) -> Response:
        query = _single(request)
        name = query.pop("name", "") if action == "download" else ""
        clip = checks.ids(query, ["project_id"], ["folder_id"])
        self._allow(user, action, clip["project_id"], clip.get("folder_id"))
        export = self._users.call(user, lambda managed: self._service.export(managed, clip, export_id))
        if action == "read":
            return json_response(200, export)
        if export["status"] != "ready":
            raise Problem("export-not-found")
        part = range_of(request.headers)
        file = self._users.call(user, lambda managed: self._service.file(managed, export, part))
        return file_response(file, name or str(export["name"] or ""))

    def _edit(self, user: str, project: str, request: Request, changes: bool) -> Response:
        folder = checks.ids(_single(request), [], ["folder_id"]).get("folder_id")
        # The service decides about the revision and the change.
        patch, revision = (_body(request), request.headers.get("if-match")) if changes else (None, None)
        if patch is not None:
            checks.patch(patch)
        self._allow(user, "edit", project, folder)
        edit, tag = self._users.call(user, lambda managed: self._service.edit(managed, project, patch, revision))
        return json_response(200, edit, tag)

    def _new_clip(self, user: str, name: str, request: Request, shape: str) -> Response:
        """A clip of a stretch of a folder's source, or a copy. The service makes nothing twice for a key."""
        is_copy = shape == "projects/*/copy"
        folder = checks.ids(_single(request), [], ["folder_id"] if is_copy else []).get("folder_id")
        key = _attempt_key(request)
        body = _body(request)
        if is_copy:
            checks.ids(body)
            self._allow(user, "edit", name, folder)
            made = self._users.call(user, lambda managed: self._service.copy_clip(managed, name, key))
        else:
            checks.new_clip(body)
            self._allow(user, "edit", None, name)
            made = self._users.call(user, lambda managed: self._service.create_clip(managed, name, body, key))
        return json_response(201, made)

    def _tasks(self, user: str, name: str, request: Request, method: str) -> Response:
        query = _single(request)
        if method == "POST":
            key = _attempt_key(request)
            body = _body(request)
            checks.task(name, body)
            self._allow(user, "task", None, None)
            title = body["name"] if isinstance(body.get("name"), str) else "Upload"
            call = TaskCall(self._service, name, body, lambda task: self._task_list.keep(user, task, title))
            task, replayed = self._starts.start(user, key, call)
            return json_response(200 if replayed else 201, task)
        if "attempt" in query and not name:
            return self._attempt(user, query, lambda stored: TaskCall.stored(self._service, stored))
        if not name:
            page = checks.task_page(query)
            self._allow(user, "read", None, None)
            tasks, after = self._task_list.read(user, page)
            # Relative: a proxy may have changed the path.
            following = urlencode({**page, "cursor": after})
            return json_response(200, tasks, {} if after is None else {"Link": f'<?{following}>; rel="next"'})
        checks.ids(query)
        if method == "DELETE":
            self._allow(user, "delete", None, None)
            self._task_list.remove(user, name)
            return empty_response(204, {})
        self._allow(user, "read", None, None)
        return json_response(200, self._users.call(user, lambda managed: self._service.task(managed, name)))

    def _uploads(self, user: str, name: str, request: Request, method: str) -> Response:
        checks.ids(_single(request))
        if method == "POST":
            key = _attempt_key(request) if "idempotency-key" in request.headers else None
            file = _body(request)
            checks.new_upload(file)
            self._allow(user, "upload", None, None)
            return json_response(201, self._users.call(user, lambda managed: self._service.create_upload(managed, file, key)))
        if method == "DELETE":
            self._allow(user, "upload", None, None)
            self._users.call(user, lambda managed: self._service.delete_upload(managed, name))
            return empty_response(204, {})
        self._allow(user, "read", None, None)
        return json_response(200, self._users.call(user, lambda managed: self._service.upload(managed, name)))

    def _allow(self, user: str, action: str, project: Optional[str], folder: Optional[str]) -> None:
        if self._authorize and self._authorize(user, action, project, folder) is not True:
            raise Problem("forbidden")


def _route(segments: Optional[List[str]]) -> Tuple[str, str]:
    # A key of `_ROUTES`, and the id in the path.
    first, *rest = segments or [""]
    shape = "/".join([first, "*", *rest[1:]] if rest else [first])
    if shape not in _ROUTES or (rest and not checks.is_id(rest[0])):
        raise Problem("endpoint-not-found")
    is_type = shape == "tasks/*" and rest[0] in ("video-to-shorts", "video-to-video")
    return "tasks/{type}" if is_type else shape, rest[0] if rest else ""


def _attempt_key(request: Request) -> str:
    key = request.headers.get("idempotency-key", "")
    if not checks.is_attempt_key(key):
        raise invalid("Idempotency-Key", _KEY_FORM)
    return key


def _body(request: Request) -> Dict[str, Any]:
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Problem("unsupported-media-type")
    if len(request.body) > MAX_BODY_BYTES:
        raise Problem("body-too-large")
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise invalid("", "must be a JSON object")
    return body


def _single(request: Request) -> Dict[str, str]:
    parameters = request.parameters()
    for name, values in parameters.items():
        if len(values) > 1:
            raise invalid(name, "must be given once")
    return {name: values[0] for name, values in parameters.items()}


def _expiry(token: str) -> Optional[str]:
    try:
        payload = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        return datetime.fromtimestamp(claims["exp"], timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    except Exception:  # Not a JWT, or one without an expiry.
        return None
