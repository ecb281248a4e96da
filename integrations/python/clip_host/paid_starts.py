"""
Starts what is paid for, once for each attempt key. A start with an unknown outcome is never
repeated before the service was asked for it: docs/decisions/0020 of clip-kit has the table of
states.
"""
from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from typing import Any, Callable, Dict, Optional, Protocol, Tuple

from .clock import now_ms
from .managed_users import ManagedUsers
from .problem import Problem
from .store import Attempt, Store

#: How long a start may be carried out after it was sent.
WINDOW_MS = 120_000
#: How long a second request waits for the first one with its key.
_MAX_WAIT_MS = 5_000


class PaidCall(Protocol):
    """A call to the service that costs money: the start of an export, or of a task."""

    #: The request as one canonical text. It is stored with the attempt.
    request: str

    def is_same(self, stored: str) -> bool:
        """Whether a stored request is this one."""

    def send(self, managed_user: str, key: str) -> Dict[str, Any]:
        """What was started, at least its `id`."""

    def complete(self, managed_user: str, started: Dict[str, Any], attempt: Attempt) -> Dict[str, Any]:
        """The answer for the page; never fails."""

    def read(self, managed_user: str, name: str) -> Dict[str, Any]:
        """What has this id."""

    def search(self, managed_user: str, attempt: Attempt) -> Tuple[Optional[Dict[str, Any]], bool, bool]:
        """
        What was found; whether the service keeps keys; and whether it has shown everything that the
        attempt can have started.
        """


class PaidStarts:
    def __init__(self, users: ManagedUsers, store: Store, starts_per_minute: int):
        self._users = users
        self._store = store
        self._starts_per_minute = starts_per_minute

    def start(self, host_user: str, key: str, call: PaidCall) -> Tuple[Dict[str, Any], bool]:
        """What was started, and whether it is an earlier one."""
        until = now_ms() + _MAX_WAIT_MS
        while True:
            attempt = Attempt(host_user, key, call.request, now_ms())
            known = self._store.claim_attempt(attempt)
            if known is None:
                return self._send(attempt, call, new=True), False
            if not call.is_same(known.request):
                raise Problem("attempt-mismatch")
            if known.state != "open" or not _is_fresh(known) or now_ms() > until:
                break
            time.sleep(0.05)
        found, keeps_keys, certain = self._settle(known, call)
        if found:
            return found, True
        # A service that keeps keys starts nothing twice: no need to wait for what is in flight.
        may_repeat = keeps_keys or (certain and not _is_fresh(known))
        if not may_repeat or not self._store.move_attempt(known, attempt):
            raise Problem("service-timeout", unknown_outcome=True, reason="the outcome of this start is not known yet")
        return self._send(attempt, call, new=False), False

    def find(self, host_user: str, key: str, call_of: Callable[[str], PaidCall]) -> Tuple[Optional[Dict[str, Any]], bool, bool]:
        """
        What an attempt has started; whether it may still be carried out; and whether it is certain:
        without a result, a later start with the key is carried out at most once. `call_of`: the call
        of a stored request.
        """
        attempt = self._store.attempt(host_user, key)
        if not attempt:
            return None, False, True
        found, keeps_keys, _ = self._settle(attempt, call_of(attempt.request))
        in_flight = not found and _is_fresh(attempt) and (not keeps_keys or attempt.state == "open")
        return found, in_flight, keeps_keys or found is not None

    def _send(self, attempt: Attempt, call: PaidCall, new: bool) -> Dict[str, Any]:
        author = ""
        refusal: Optional[Problem] = None

        def send(managed: str) -> Dict[str, Any]:
            nonlocal author, refusal
            author = managed
            try:
                return call.send(managed, attempt.key)
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
        return call.complete(author, started, attempt)

    def _settle(self, attempt: Attempt, call: PaidCall) -> Tuple[Optional[Dict[str, Any]], bool, bool]:
        """
        What an attempt has started; whether the service keeps keys; and, without a result, whether
        it has shown everything that the attempt can have started.
        """
        export_id = attempt.export_id
        if export_id is not None:
            return self._users.call(attempt.host_user, lambda user: call.read(user, export_id)), True, True
        found, keeps_keys, certain = self._users.call(attempt.host_user, lambda user: call.search(user, attempt))
        if found:
            with suppress(Exception):
                self._store.move_attempt(attempt, replace(attempt, state="settled", export_id=found["id"]))
        return found, keeps_keys, certain


def _is_fresh(attempt: Attempt) -> bool:
    # A start that was sent so recently may still be carried out, whatever became of its sender.
    return now_ms() - attempt.started_at <= WINDOW_MS
