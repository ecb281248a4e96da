"""The start of an export, and the search for the export of a stored attempt."""
from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from typing import Any, Dict, List, Mapping, Optional, Tuple

from .paid_starts import WINDOW_MS
from .problem import Problem
from .service import Service
from .store import Attempt, Store

#: For clocks that differ.
_CLOCK_TOLERANCE_MS = 60_000


class ExportCall:
    """`options`: what is sent to the service."""

    def __init__(self, service: Service, store: Store, request: str, options: Mapping[str, Any]):
        project, folder, *_ = json.loads(request)
        self.request = request
        self._service = service
        self._store = store
        self._clip = {"project_id": project, **({} if folder is None else {"folder_id": folder})}
        self._options = options

    @classmethod
    def of(cls, service: Service, store: Store, clip: Mapping[str, str], asked: Mapping[str, Any],
           options: Mapping[str, Any]) -> ExportCall:
        """`asked`: what the page asked for; it identifies the attempt."""
        mark = asked.get("watermark")
        request = json.dumps([clip["project_id"], clip.get("folder_id"), asked.get("preset_id"),
                              [float(one) if not isinstance(one, str) else one for one in mark.values()] if mark else None,
                              "watermark" in options])
        return cls(service, store, request, options)

    @classmethod
    def stored(cls, service: Service, store: Store, request: str) -> ExportCall:
        """The call of a stored attempt, which can only be read and searched for."""
        if not _is_export(request):
            raise Problem("attempt-mismatch")
        return cls(service, store, request, {})

    def is_same(self, stored: str) -> bool:
        return _is_export(stored) and _asked(stored) == _asked(self.request)

    def send(self, managed_user: str, key: str) -> Dict[str, Any]:
        return self._service.start_export(managed_user, self._clip, self._options, key)

    def complete(self, managed_user: str, started: Dict[str, Any], attempt: Attempt) -> Dict[str, Any]:
        if "project_id" in started:
            return started
        try:
            return self.read(managed_user, started["id"])
        except Problem:
            # The export is started and paid for, so a failed read must not fail the start.
            created = datetime.fromtimestamp(attempt.started_at / 1000, timezone.utc)
            return {"id": started["id"], "status": "processing", "src_url": None, "estimated_ready_at": None,
                    "project_id": self._clip["project_id"], "created_at": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
                    "finished_at": None, "name": "", "author_id": managed_user, "folder_id": self._clip.get("folder_id"),
                    "descriptions": None, "watermarked": "watermark" in self._options}

    def read(self, managed_user: str, name: str) -> Dict[str, Any]:
        return self._service.export(managed_user, self._clip, name)

    def search(self, managed_user: str, attempt: Attempt) -> Tuple[Optional[Dict[str, Any]], bool, bool]:
        project = self._clip["project_id"]
        exports, keeps_keys, whole = self._service.find_exports(managed_user, project, attempt.key)
        if keeps_keys:
            return (exports[0] if exports else None), True, True
        found, ambiguous = self._fitting(attempt, [one for one in exports if one["project_id"] == project])
        return found, False, whole and not ambiguous

    def _fitting(self, attempt: Attempt, exports: List[Dict[str, Any]]) -> Tuple[Optional[Dict[str, Any]], bool]:
        """The export that only this attempt can have started; or whether it may be another one's."""
        # Read after the exports, so that no export is without its attempt.
        since = attempt.started_at - WINDOW_MS - _CLOCK_TOLERANCE_MS
        others = [one for one in self._store.attempts_since(attempt.host_user, since) if one.key != attempt.key]
        taken = {one.export_id for one in others}
        fitting = sorted((one for one in exports if one["id"] not in taken and _fits(one, attempt)),
                         key=lambda one: _ms_of(one["created_at"]))
        rivals = [other for other in others
                  if other.export_id is None and _is_export(other.request) and _project(other) == _project(attempt) and any(_fits(one, other) for one in fitting)]
        if not fitting or not rivals:
            return (fitting[0] if fitting else None), False
        # If there are as many exports as attempts with the same options, each has started one.
        alike = all(_watermarked(one) == _watermarked(attempt) and one.started_at != attempt.started_at for one in rivals)
        if not alike or len(fitting) <= len(rivals):
            return None, True
        return fitting[sum(one.started_at < attempt.started_at for one in rivals)], False


def _asked(request: str) -> List[Any]:
    return json.loads(request)[:4]


def _is_export(request: str) -> bool:
    # The request of a task is an object.
    return request.startswith("[")


def _project(attempt: Attempt) -> str:
    return json.loads(attempt.request)[0]


def _watermarked(attempt: Attempt) -> Optional[bool]:
    # Older versions did not store it.
    return (json.loads(attempt.request)[4:] or [None])[0]


def _fits(export: Mapping[str, Any], attempt: Attempt) -> bool:
    """By its time, and by its options as far as the Export Object has them."""
    since_start = _ms_of(export["created_at"]) - attempt.started_at
    shown, sent = export.get("watermarked"), _watermarked(attempt)
    return (-_CLOCK_TOLERANCE_MS <= since_start <= WINDOW_MS + _CLOCK_TOLERANCE_MS
            and (shown is None or sent is None or shown == sent))


def _ms_of(date: Any) -> float:
    # Python 3.9 and 3.10 read neither "Z" nor fractions of other lengths than 3 and 6 digits.
    plain = re.sub(r"\.(\d+)", lambda found: "." + found[1][:6].ljust(6, "0"), str(date).replace("Z", "+00:00"))
    try:
        found = datetime.fromisoformat(plain)
    except ValueError:
        raise Problem("service-error", reason="an export's created_at is no date") from None
    return (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).timestamp() * 1000
