"""A refusal or a failure, as the contract sends it: `application/problem+json` with a code."""
from __future__ import annotations

from .messages import Response, json_response

_PROBLEMS = {
    "invalid-request": (400, "Invalid request"),
    "unauthenticated": (401, "Not logged in"),
    "export-limit": (402, "Export limit reached"),
    "forbidden": (403, "Not allowed"),
    "csrf-failed": (403, "The page’s token is not valid"),
    "clip-not-found": (404, "Clip not found"),
    "export-not-found": (404, "Export not found"),
    "upload-not-found": (404, "Upload not found"),
    "endpoint-not-found": (404, "No such address"),
    "not-found": (404, "Not found"),
    "method-not-allowed": (405, "Method not allowed"),
    "account-changed": (409, "Another account is signed in"),
    "attempt-mismatch": (409, "Attempt key used for another request"),
    "revision-changed": (412, "Changed by somebody else"),
    "body-too-large": (413, "Body too large"),
    "upload-too-large": (413, "File too large"),
    "unsupported-media-type": (415, "Unsupported media type"),
    "unprocessable": (422, "The request cannot be carried out"),
    "revision-missing": (428, "No revision given"),
    "rate-limited": (429, "Too many requests"),
    "internal-error": (500, "Internal error"),
    "not-supported": (501, "The clip service cannot do this"),
    "service-error": (502, "The clip service failed"),
    "service-unavailable": (503, "The clip service cannot be reached"),
    "service-timeout": (504, "The clip service did not answer in time"),
    "storage-full": (507, "No space left for files"),
}


class Problem(Exception):
    """
    `reason` is for the log and never sent. `service_status` is what the service answered, and
    `service_spoke` whether it did so in JSON, which no proxy's error page is. `unknown_outcome`:
    whether a start may have been carried out; None if the problem is about no start. `detail` is
    for the person.
    """

    def __init__(self, code, errors=(), unknown_outcome=None, headers=None, reason="", service_status=None, service_spoke=False,
                 detail=""):
        super().__init__(code)
        self.code = code
        self.status, self.title = _PROBLEMS[code]
        self.errors = list(errors)
        self.unknown_outcome = unknown_outcome
        self.headers = dict(headers or {})
        self.reason = reason
        self.service_status = service_status
        self.service_spoke = service_spoke
        self.detail = detail

    def response(self) -> Response:
        body = {"title": self.title, "status": self.status, "code": self.code}
        if self.detail:
            body["detail"] = self.detail
        if self.errors:
            body["errors"] = self.errors
        # The page takes a 5xx for a lost start, unless it says that nothing was started.
        if self.unknown_outcome or (self.unknown_outcome is False and self.status >= 500):
            body["unknown_outcome"] = self.unknown_outcome
        return json_response(self.status, body, self.headers)


def invalid(path: str, message: str) -> Problem:
    return Problem("invalid-request", [{"path": path, "message": message}])
