"""
Starts paid exports, once for each attempt key. A start with an unknown outcome is never repeated
before the clip's exports have been searched for it.
"""
from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any, Dict, Mapping, Optional, Tuple

from .clock import now_ms
from .managed_users import ManagedUsers
from .problem import Problem
from .service import Service
from .store import Attempt, Store

#: An attempt that is open for longer has lost its process. Longer than any start takes.
_MAX_START_MS = 120_000
#: How long a second request waits for the first one with its key.
_MAX_WAIT_MS = 5_000
#: For clocks that differ.
_CLOCK_TOLERANCE_MS = 60_000


class ExportStarts:
    def __init__(self, service: Service, users: ManagedUsers, store: Store, starts_per_minute: int):
        self._service = service
        self._users = users
        self._store = store
        self._starts_per_minute = starts_per_minute

    def start(self, host_user: str, key: str, clip: Mapping[str, str], asked: Mapping[str, Any],
              options: Mapping[str, Any]) -> Tuple[Dict[str, Any], bool]:
        """
        `asked`: what the page asked for; it identifies the attempt. `options`: what is sent to the
        service. Returns the export, and whether it is an earlier one.
        """
        mark = asked.get("watermark")
        request = json.dumps([clip["project_id"], clip.get("folder_id"), asked.get("preset_id"),
                              [float(one) if not isinstance(one, str) else one for one in mark.values()] if mark else None])
        until = now_ms() + _MAX_WAIT_MS
        while True:
            attempt = Attempt(host_user, key, request, now_ms())
            known = self._store.claim_attempt(attempt)
            if known is None:
                return self._send(attempt, clip, options, new=True), False
            if known.request != request:
                raise Problem("attempt-mismatch")
            if not _may_be_in_flight(known) or now_ms() > until:
                break
            time.sleep(0.05)
        found = self._settle(known)
        if found:
            return found, True
        if _may_be_in_flight(known) or not self._store.move_attempt(known, attempt):
            raise Problem("service-timeout", unknown_outcome=True, reason="another request is starting this export")
        return self._send(attempt, clip, options, new=False), False

    def find(self, host_user: str, key: str) -> Tuple[Optional[Dict[str, Any]], bool]:
        """The export of an attempt, and whether its start may still be running."""
        attempt = self._store.attempt(host_user, key)
        if not attempt:
            return None, False
        found = self._settle(attempt)
        return found, not found and _may_be_in_flight(attempt)

    def _send(self, attempt: Attempt, clip: Mapping[str, str], options: Mapping[str, Any], new: bool) -> Dict[str, Any]:
        author = ""

        def send(managed: str) -> Dict[str, Any]:
            nonlocal author
            author = managed
            return self._service.start_export(managed, clip, options, attempt.key)

        try:
            # A refusal for its rate must not tell the page that a resumed attempt was never started.
            if new and self._store.attempts_since(attempt.host_user, attempt.started_at - 60_000) > self._starts_per_minute:
                raise Problem("rate-limited", headers={"Retry-After": "60"})
            started = self._users.call(attempt.host_user, send)
        except Problem as problem:
            with suppress(Exception):
                if problem.unknown_outcome:
                    self._store.move_attempt(attempt, replace(attempt, state="unknown"))
                else:
                    self._store.drop_attempt(attempt.host_user, attempt.key)
            raise
        # A failing store must not hide the result of a start. A later search settles what stays open.
        with suppress(Exception):
            self._store.move_attempt(attempt, replace(attempt, state="settled", export_id=started["id"]))
        if "project_id" in started:
            return started
        try:
            return self._service.export(author, clip, started["id"])
        except Problem:
            # The export is started and paid for, so a failed read must not fail the start.
            created = datetime.fromtimestamp(attempt.started_at / 1000, timezone.utc)
            return {"id": started["id"], "status": "processing", "src_url": None, "estimated_ready_at": None,
                    "project_id": clip["project_id"], "created_at": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "finished_at": None,
                    "name": "", "author_id": author, "folder_id": clip.get("folder_id"), "descriptions": None,
                    "watermarked": "watermark" in options}

    def _settle(self, attempt: Attempt) -> Optional[Dict[str, Any]]:
        # The stored export, otherwise the clip's oldest since then without an attempt. A later one
        # may belong to an attempt that is still open.
        project, folder, *_ = json.loads(attempt.request)
        clip = {"project_id": project, **({} if folder is None else {"folder_id": folder})}
        export_id = attempt.export_id
        if export_id is not None:
            return self._users.call(attempt.host_user, lambda user: self._service.export(user, clip, export_id))
        exports = self._users.call(attempt.host_user, lambda user: self._service.exports(user, project_id=project))
        since = attempt.started_at - _CLOCK_TOLERANCE_MS
        recent = sorted((one for one in exports if _ms_of(one["created_at"]) >= since), key=lambda one: _ms_of(one["created_at"]))
        taken = self._store.attributed([one["id"] for one in recent])
        for one in recent:
            if one["id"] not in taken:
                with suppress(Exception):
                    self._store.move_attempt(attempt, replace(attempt, state="settled", export_id=one["id"]))
                return one
        return None


def _may_be_in_flight(attempt: Attempt) -> bool:
    return attempt.state == "open" and now_ms() - attempt.started_at <= _MAX_START_MS


def _ms_of(date: Any) -> float:
    # Python 3.9 and 3.10 read neither "Z" nor fractions of other lengths than 3 and 6 digits.
    plain = re.sub(r"\.(\d+)", lambda found: "." + found[1][:6].ljust(6, "0"), str(date).replace("Z", "+00:00"))
    try:
        found = datetime.fromisoformat(plain)
    except ValueError:
        raise Problem("service-error", reason="an export's created_at is no date") from None
    return (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).timestamp() * 1000
