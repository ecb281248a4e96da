from __future__ import annotations

from django import VERSION
from django.core.exceptions import RequestDataTooBig
from django.core.handlers.asgi import ASGIRequest
from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware, get_token
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET

from ..download import in_threads
from ..messages import MAX_BODY_BYTES, Request, Response
from ..problem import Problem
from .configuration import clip_host


class _Csrf(CsrfViewMiddleware):
    def _reject(self, request: HttpRequest, reason: str) -> Response:
        return Problem("csrf-failed").response()


def _without_transactions(view):
    # The claim of a start must be visible to other processes before the service is called, so it
    # must not wait for the end of a transaction: of no database, whichever the host uses.
    for alias in connections:
        view = transaction.non_atomic_requests(using=alias)(view)
    return view


# The CSRF check is made here, to answer with a problem.
@csrf_exempt
@_without_transactions
def host(request: HttpRequest, path: str) -> HttpResponseBase:
    answer = (_refused(request) if request.user.is_authenticated else None) or clip_host().handle(_request_of(request, path))
    if answer.file and request.method != "HEAD":
        # Django 4.2 and later read all of a plain iterator before they send anything over ASGI.
        chunks = in_threads(answer.file) if isinstance(request, ASGIRequest) and VERSION >= (4, 2) else answer.file
        response = StreamingHttpResponse(chunks, status=answer.status)
    else:
        if answer.file:
            answer.file.close()
        response = HttpResponse(b"" if request.method == "HEAD" else answer.body, status=answer.status)
        response["Content-Length"] = str(len(answer.body))
    del response["Content-Type"]
    for name, value in answer.headers.items():
        response[name] = value
    return response


@require_GET
@never_cache
def csrf_token(request: HttpRequest) -> JsonResponse:
    """A fresh token for pages that were open for long: `csrf-url` of the elements."""
    return JsonResponse({"token": get_token(request)})


def _refused(request: HttpRequest) -> Response | None:
    # The check reads the fields of forms, which the host does not accept.
    if request.method in ("POST", "PATCH") and request.content_type != "application/json":
        return Problem("unsupported-media-type").response()
    check = _Csrf(lambda _: HttpResponse())
    check.process_request(request)
    # The decorator is for Django's own check; this one must not see it.
    return check.process_view(request, lambda: None, (), {})


def _request_of(request: HttpRequest, path: str) -> Request:
    try:
        body = request.body[:MAX_BODY_BYTES + 1]
    except RequestDataTooBig:
        body = b" " * (MAX_BODY_BYTES + 1)
    return Request(
        method=request.method or "GET",
        segments=path.split("/"),
        query=request.META.get("QUERY_STRING", ""),
        headers={name.lower(): value for name, value in request.headers.items()},
        body=body,
        origin=f"{request.scheme}://{request.get_host()}",
        native=request,
    )
