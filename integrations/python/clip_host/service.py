"""Calls to the clip service. Holds the key, which goes nowhere else."""
from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from typing import Any, Dict, List, Mapping, Optional, Tuple
from urllib.parse import quote, unquote, urlencode

from .checks import is_id
from .download import File, NoRedirect, open_file
from .problem import Problem

_STATUSES = {"pending": "processing", "in_progress": "processing", "processing": "processing",
             "completed": "ready", "ready": "ready", "failed": "error", "error": "error"}
_EXPORT_FIELDS = ("id", "status", "src_url", "estimated_ready_at", "project_id", "created_at", "finished_at", "name",
                  "author_id", "folder_id", "descriptions", "watermarked")
_CLIP_FIELDS = ("id", "author_id", "folder_id", "name", "created_at", "virality_score", "virality_score_explanation")
_TASK_FIELDS = ("id", "created_at", "output_type", "output_id")
#: Beside the specification: sent only if the service sends them.
_MORE_TASK_FIELDS = ("progress", "failure", "notes", "name", "source_seconds", "picture_url", "clip_count")
_UPLOAD_FIELDS = ("id", "status", "protocol", "url", "name", "size", "offset", "created_at", "expires_at")
_PICTURE_FIELDS = ("poster_url", "width", "height", "duration", "notes", "revision")


class Service:
    """`direct`: whether clips in a folder are addressed only by their id."""

    def __init__(self, base_url: str, api_key: str, timeout_seconds: float = 30, direct: bool = False):
        if not re.fullmatch(r"https?://[^\s?#]+", base_url, re.IGNORECASE):
            raise ValueError("The service's address is not a URL.")
        if not re.fullmatch(r"[\x21-\x7e]+", api_key):
            raise ValueError("The service's key is missing.")
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._timeout_seconds = timeout_seconds
        self._direct = direct
        self._open = urllib.request.build_opener(NoRedirect).open

    def create_user(self) -> str:
        return _id_in(self._call("POST", "/users", body={}), "id")

    def create_token(self, managed_user: str, permissions: Optional[List[str]] = None) -> str:
        body = {} if permissions is None else {"permissions": permissions}
        answer = self._call("POST", f"/users/{quote(managed_user, safe='')}/tokens", body=body)
        return _id_in(answer, "external_access_token")

    def start_export(self, managed_user: str, clip: Mapping[str, str], options: Mapping[str, Any], key: str) -> Dict[str, Any]:
        """
        The export, or the record of a start that has only its id. A service that keeps keys starts
        nothing twice for a key.
        """
        path = self._clip_path(clip) + "/exports"
        started = self._call("POST", path, managed_user, dict(options), "clip-not-found", paid=True, key=key)
        try:
            known = {"id": _id_in(started, "id")}
            return _export_in(started) if started.get("project_id") else known
        except Problem as problem:
            raise Problem(problem.code, unknown_outcome=True, reason=problem.reason) from None

    def export(self, managed_user: str, clip: Mapping[str, str], export_id: str) -> Dict[str, Any]:
        path = f"{self._clip_path(clip)}/exports/{quote(export_id, safe='')}"
        return _export_in(self._call("GET", path, managed_user, missing="export-not-found"))

    def exports(self, managed_user: str, **wanted: str) -> List[Dict[str, Any]]:
        query = f"?{urlencode(wanted)}" if wanted else ""
        return [_export_in(one) for one in _list_in(self._call("GET", f"/exports{query}", managed_user), "exports")]

    def find_exports(self, managed_user: str, project: Optional[str], key: str) -> Tuple[List[Dict[str, Any]], bool, bool]:
        """
        The exports of a clip (None: of all); of a service that keeps keys, only what the key has started. Then:
        whether it keeps keys, and whether the list is whole.
        """
        headers: Dict[str, str] = {}
        query = "" if project is None else f"?{urlencode({'project_id': project})}"
        found = self._call("GET", f"/exports{query}", managed_user, key=key, answered=headers)
        whole = not re.search(r'rel="?next"?', headers.get("link", ""))
        return [_export_in(one) for one in _list_in(found, "exports")], headers.get("idempotency-key") == key, whole

    def file(self, managed_user: str, export: Mapping[str, Any], part: Mapping[str, str]) -> File:
        """
        The bytes of a ready export: at its public address, without the key, or by the service's own
        download.
        """
        url = export.get("src_url")
        found = open_file(url, part, self._timeout_seconds) if url else None
        if not found:
            query = urlencode({"export_id": export["id"]})
            path = f"/projects/{quote(export['project_id'], safe='')}/download?{query}"
            known = {"Authorization": f"Bearer {self._api_key}", "X-On-Behalf-Of": managed_user}
            found = open_file(self._base_url + path, {**part, **known}, self._timeout_seconds, redirects=0)
        if not found:
            raise Problem("service-error", reason="the service gives no file for the download")
        return found

    def clip(self, managed_user: str, clip: Mapping[str, str]) -> Dict[str, Any]:
        return _clip_in(self._call("GET", self._clip_path(clip), managed_user, missing="clip-not-found"))

    def clips(self, managed_user: str, folder: str) -> List[Dict[str, Any]]:
        found = self._call("GET", f"/projects/{quote(folder, safe='')}", managed_user, missing="clip-not-found")
        return [_clip_in(one) for one in _list_in(found, "projects")]

    def edit(self, managed_user: str, project: str, patch: Optional[Dict[str, Any]] = None,
             revision: Optional[str] = None) -> Tuple[Dict[str, Any], Dict[str, str]]:
        """
        The edit of a clip, after the change if there is one, and its revision as the `ETag`.
        `revision`: the `If-Match` of the page.
        """
        headers: Dict[str, str] = {}
        found = self._call("GET" if patch is None else "PATCH", f"/projects/{quote(project, safe='')}/edit", managed_user,
                           patch, "clip-not-found", answered=headers, sent={} if revision is None else {"If-Match": revision})
        return found, {"ETag": headers["etag"]} if "etag" in headers else {}

    def create_clip(self, managed_user: str, folder: str, body: Dict[str, Any], key: str) -> Dict[str, Any]:
        path = f"/projects/{quote(folder, safe='')}"
        return _clip_in(self._call("POST", path, managed_user, body, "clip-not-found", key=key))

    def copy_clip(self, managed_user: str, project: str, key: str) -> Dict[str, Any]:
        path = f"/projects/{quote(project, safe='')}/copy"
        return _clip_in(self._call("POST", path, managed_user, {}, "clip-not-found", key=key))

    def create_task(self, managed_user: str, kind: str, body: Dict[str, Any], key: str) -> Dict[str, Any]:
        """A service that keeps keys starts nothing twice for a key."""
        started = self._call("POST", f"/tasks/{kind}", managed_user, body, paid=True, key=key)
        try:
            return _task_in(started)
        except Problem as problem:
            raise Problem(problem.code, unknown_outcome=True, reason=problem.reason) from None

    def task(self, managed_user: str, task_id: str) -> Dict[str, Any]:
        return _task_in(self._call("GET", f"/tasks/{quote(task_id, safe='')}", managed_user))

    def tasks(self, managed_user: str, page: Mapping[str, str]) -> Tuple[List[Dict[str, Any]], Optional[str]]:
        """A page of the user's tasks, newest first, and the cursor of the next page."""
        headers: Dict[str, str] = {}
        query = f"?{urlencode(page)}" if page else ""
        found = self._call("GET", f"/tasks{query}", managed_user, missing="not-supported", answered=headers)
        after = re.search(r'<[^>]*[?&]cursor=([^&>]*)[^>]*>\s*;\s*rel="?next"?', headers.get("link", ""))
        return [_task_in(one) for one in _list_in(found, "tasks")], unquote(after[1]) if after else None

    def delete_task(self, managed_user: str, task_id: str) -> None:
        self._call("DELETE", f"/tasks/{quote(task_id, safe='')}", managed_user)

    def create_upload(self, managed_user: str, file: Dict[str, Any], key: Optional[str]) -> Dict[str, Any]:
        """Where the bytes of a file go. The service makes no second upload for a key."""
        return _upload_in(self._call("POST", "/uploads", managed_user, file, "not-supported", key=key))

    def upload(self, managed_user: str, upload_id: str) -> Dict[str, Any]:
        return _upload_in(self._call("GET", f"/uploads/{quote(upload_id, safe='')}", managed_user, missing="upload-not-found"))

    def delete_upload(self, managed_user: str, upload_id: str) -> None:
        self._call("DELETE", f"/uploads/{quote(upload_id, safe='')}", managed_user, missing="upload-not-found")

    def _clip_path(self, clip: Mapping[str, str]) -> str:
        names = ("project_id",) if self._direct else ("folder_id", "project_id")
        return "/projects/" + "/".join(quote(clip[one], safe="") for one in names if clip.get(one))

    def _call(self, method: str, path: str, managed_user: Optional[str] = None, body: Optional[Dict[str, Any]] = None,
              missing: str = "not-found", paid: bool = False, key: Optional[str] = None,
              answered: Optional[Dict[str, str]] = None, sent: Optional[Mapping[str, str]] = None) -> Any:
        headers = {"Authorization": f"Bearer {self._api_key}", "Accept": "application/json", **(sent or {})}
        if managed_user is not None:
            headers["X-On-Behalf-Of"] = managed_user
        if key is not None:
            headers["Idempotency-Key"] = key
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base_url + path, data, headers, method=method)
        try:
            with self._open(request, timeout=self._timeout_seconds) as answer:
                if answered is not None:
                    answered.update({name.lower(): value for name, value in answer.headers.items()})
                # What was deleted has no body.
                return None if answer.status == 204 else json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                raise _problem_of(error, method, path, missing, paid) from None
        except ValueError:
            raise Problem("service-error", unknown_outcome=paid or None, reason="an answer of the service is not JSON") from None
        except OSError as error:
            cause = getattr(error, "reason", error)
            code = "service-timeout" if isinstance(cause, TimeoutError) else "service-unavailable"
            raise Problem(code, unknown_outcome=paid or None, reason=type(cause).__name__) from None
        except Exception as error:  # http.client's own errors, such as an answer that breaks off.
            raise Problem("service-unavailable", unknown_outcome=paid or None, reason=type(error).__name__) from None


def _problem_of(error: urllib.error.HTTPError, method: str, path: str, missing: str, paid: bool) -> Problem:
    status = error.code
    try:
        body = json.load(error)
    except Exception:  # Whatever the body is, the status says enough.
        body = None
    errors = _errors_in(body)
    # The id of an upload is an address that takes its bytes.
    is_upload = path.startswith("/uploads")
    detail = body.get("detail") if is_upload and isinstance(body, dict) else None
    if status == 404 or (status == 400 and missing == "clip-not-found" and not errors):
        code = missing
    elif is_upload and status in (409, 413, 507):
        code = {409: "attempt-mismatch", 413: "upload-too-large", 507: "storage-full"}[status]
    elif not paid and status in (405, 501):
        code = "not-supported"
    else:
        code = {400: "invalid-request", 402: "export-limit", 412: "revision-changed", 422: "unprocessable", 428: "revision-missing",
                429: "rate-limited", 503: "service-unavailable", 504: "service-timeout"}.get(status, "service-error")
    retry_after = error.headers.get("Retry-After") or ""
    return Problem(
        code,
        errors if status in (400, 413, 422) else [],
        # 408: a proxy may have given up on a call that succeeded. 409: an earlier call with the
        # attempt's key, and other options, has succeeded.
        None if not paid else (status < 400 or status >= 500 or status in (408, 409)),
        {"Retry-After": retry_after if re.fullmatch(r"\d{1,6}", retry_after) else "5"} if status == 429 else {},
        f"the service answered {status} to {method} {'/uploads' if is_upload else path.split('?')[0]}",
        status,
        isinstance(body, dict),
        detail if isinstance(detail, str) else "",
    )


def _errors_in(value: Any) -> List[Dict[str, str]]:
    found = value.get("errors") if isinstance(value, dict) else None
    return [{"path": one["path"], "message": one["message"]} for one in found or []
            if isinstance(one, dict) and isinstance(one.get("path"), str) and isinstance(one.get("message"), str)]


def _id_in(value: Any, field: str) -> str:
    found = value.get(field) if isinstance(value, dict) else None
    if not isinstance(found, str) or not is_id(found):
        raise Problem("service-error", reason=f"an answer of the service has no {field}")
    return found


def _list_in(value: Any, name: str) -> List[Any]:
    found = value.get(name) if isinstance(value, dict) else value
    if not isinstance(found, list):
        raise Problem("service-error", reason=f"an answer of the service is not a list of {name}")
    return found


def _export_in(value: Any) -> Dict[str, Any]:
    _id_in(value, "id")
    status = _STATUSES.get(str(value.get("status")))
    if status is None:
        raise Problem("service-error", reason="an export has an unknown status")
    url = str(value.get("src_url"))
    # Pages put it into a link: no "javascript:" of a strange service gets so far.
    src_url = url if re.match(r"https?://", url, re.IGNORECASE) else None
    revision = {"revision": value["revision"]} if isinstance(value.get("revision"), int) else {}
    return {**{name: value.get(name) for name in _EXPORT_FIELDS}, "status": status, "src_url": src_url, **revision}


def _clip_in(value: Any) -> Dict[str, Any]:
    _id_in(value, "id")
    picture = {name: value[name] for name in _PICTURE_FIELDS if value.get(name) is not None}
    return {**{name: value.get(name) for name in _CLIP_FIELDS}, **picture}


def _task_in(value: Any) -> Dict[str, Any]:
    _id_in(value, "id")
    _id_in(value, "output_id")
    status = _STATUSES.get(str(value.get("status")))
    if status is None:
        raise Problem("service-error", reason="a task has an unknown status")
    more = {name: value[name] for name in _MORE_TASK_FIELDS if value.get(name) is not None}
    if not re.match(r"https?://", str(more.get("picture_url")), re.IGNORECASE):
        more.pop("picture_url", None)
    named = {name: value.get(name) for name in _TASK_FIELDS}
    return {**named, "type": str(value.get("type")).replace("_", "-"), "status": status, **more}


def _upload_in(value: Any) -> Dict[str, Any]:
    _id_in(value, "id")
    found = {name: value.get(name) for name in _UPLOAD_FIELDS}
    if None in found.values() or not re.match(r"https?://", str(found["url"]), re.IGNORECASE):
        raise Problem("service-error", reason="an answer of the service is not an upload")
    return found
