"""
Starts paid exports, once for each attempt key. A start with an unknown outcome is never repeated
before the service was asked for it: docs/decisions/0020 of clip-kit has the table of states.
"""
from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any, Dict, List, Mapping, Optional, Tuple

from .clock import now_ms
from .managed_users import ManagedUsers
from .problem import Problem
from .service import Service
from .store import Attempt, Store

#: How long a start may be carried out after it was sent.
_WINDOW_MS = 120_000
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
                              [float(one) if not isinstance(one, str) else one for one in mark.values()] if mark else None,
                              "watermark" in options])
        until = now_ms() + _MAX_WAIT_MS
        while True:
            attempt = Attempt(host_user, key, request, now_ms())
            known = self._store.claim_attempt(attempt)
            if known is None:
                return self._send(attempt, clip, options, new=True), False
            if _asked(known) != _asked(attempt):
                raise Problem("attempt-mismatch")
            if known.state != "open" or not _is_fresh(known) or now_ms() > until:
                break
            time.sleep(0.05)
        found, keeps_keys, certain = self._settle(known)
        if found:
            return found, True
        # A service that keeps keys starts nothing twice: no need to wait for what is in flight.
        may_repeat = keeps_keys or (certain and not _is_fresh(known))
        if not may_repeat or not self._store.move_attempt(known, attempt):
            raise Problem("service-timeout", unknown_outcome=True, reason="the outcome of this start is not known yet")
        return self._send(attempt, clip, options, new=False), False

    def find(self, host_user: str, key: str) -> Tuple[Optional[Dict[str, Any]], bool, bool]:
        """
        The export of an attempt; whether its start may still be carried out; and whether it is
        certain: without an export, a later start with the key is carried out at most once.
        """
        attempt = self._store.attempt(host_user, key)
        if not attempt:
            return None, False, True
        found, keeps_keys, _ = self._settle(attempt)
        in_flight = not found and _is_fresh(attempt) and (not keeps_keys or attempt.state == "open")
        return found, in_flight, keeps_keys or found is not None

    def _send(self, attempt: Attempt, clip: Mapping[str, str], options: Mapping[str, Any], new: bool) -> Dict[str, Any]:
        author = ""
        refusal: Optional[Problem] = None

        def send(managed: str) -> Dict[str, Any]:
            nonlocal author, refusal
            author = managed
            try:
                return self._service.start_export(managed, clip, options, attempt.key)
            except Problem as problem:
                refusal = problem
                raise

        try:
            # A refusal for its rate must not tell the page that a resumed attempt was never started.
            if new and len(self._store.attempts_since(attempt.host_user, attempt.started_at - 60_000)) > self._starts_per_minute:
                raise Problem("rate-limited", headers={"Retry-After": "60"})
            started = self._users.call(attempt.host_user, send)
        except Problem as problem:
            # Any other failure came before the start was sent, or after the service had refused it.
            problem.unknown_outcome = problem is refusal and bool(problem.unknown_outcome)
            with suppress(Exception):
                if problem.unknown_outcome:
                    self._store.move_attempt(attempt, replace(attempt, state="unknown"))
                else:
                    self._store.drop_attempt(attempt)
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

    def _settle(self, attempt: Attempt) -> Tuple[Optional[Dict[str, Any]], bool, bool]:
        """
        The export of an attempt; whether the service keeps keys; and, without an export, whether it
        has shown everything that the attempt can have started.
        """
        project, folder, *_ = json.loads(attempt.request)
        clip = {"project_id": project, **({} if folder is None else {"folder_id": folder})}
        export_id = attempt.export_id
        if export_id is not None:
            return self._users.call(attempt.host_user, lambda user: self._service.export(user, clip, export_id)), True, True
        exports, keeps_keys, whole = self._users.call(
            attempt.host_user, lambda user: self._service.find_exports(user, project, attempt.key))
        if keeps_keys:
            found, ambiguous = (exports[0] if exports else None), False
        else:
            found, ambiguous = self._fitting(attempt, [one for one in exports if one["project_id"] == project])
        if found:
            with suppress(Exception):
                self._store.move_attempt(attempt, replace(attempt, state="settled", export_id=found["id"]))
        return found, keeps_keys, whole and not ambiguous

    def _fitting(self, attempt: Attempt, exports: List[Dict[str, Any]]) -> Tuple[Optional[Dict[str, Any]], bool]:
        """The export that only this attempt can have started; or whether it may be another one's."""
        # Read after the exports, so that no export is without its attempt.
        since = attempt.started_at - _WINDOW_MS - _CLOCK_TOLERANCE_MS
        others = [one for one in self._store.attempts_since(attempt.host_user, since) if one.key != attempt.key]
        taken = {one.export_id for one in others}
        fitting = sorted((one for one in exports if one["id"] not in taken and _fits(one, attempt)),
                         key=lambda one: _ms_of(one["created_at"]))
        rivals = [other for other in others
                  if other.export_id is None and _project(other) == _project(attempt) and any(_fits(one, other) for one in fitting)]
        if not fitting or not rivals:
            return (fitting[0] if fitting else None), False
        # If there are as many exports as attempts with the same options, each has started one.
        alike = all(_watermarked(one) == _watermarked(attempt) and one.started_at != attempt.started_at for one in rivals)
        if not alike or len(fitting) <= len(rivals):
            return None, True
        return fitting[sum(one.started_at < attempt.started_at for one in rivals)], False


def _is_fresh(attempt: Attempt) -> bool:
    # A start that was sent so recently may still be carried out, whatever became of its sender.
    return now_ms() - attempt.started_at <= _WINDOW_MS


def _asked(attempt: Attempt) -> List[Any]:
    return json.loads(attempt.request)[:4]


def _project(attempt: Attempt) -> str:
    return json.loads(attempt.request)[0]


def _watermarked(attempt: Attempt) -> Optional[bool]:
    # Older versions did not store it.
    return (json.loads(attempt.request)[4:] or [None])[0]


def _fits(export: Mapping[str, Any], attempt: Attempt) -> bool:
    """By its time, and by its options as far as the Export Object has them."""
    since_start = _ms_of(export["created_at"]) - attempt.started_at
    shown, sent = export.get("watermarked"), _watermarked(attempt)
    return (-_CLOCK_TOLERANCE_MS <= since_start <= _WINDOW_MS + _CLOCK_TOLERANCE_MS
            and (shown is None or sent is None or shown == sent))


def _ms_of(date: Any) -> float:
    # Python 3.9 and 3.10 read neither "Z" nor fractions of other lengths than 3 and 6 digits.
    plain = re.sub(r"\.(\d+)", lambda found: "." + found[1][:6].ljust(6, "0"), str(date).replace("Z", "+00:00"))
    try:
        found = datetime.fromisoformat(plain)
    except ValueError:
        raise Problem("service-error", reason="an export's created_at is no date") from None
    return (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).timestamp() * 1000
