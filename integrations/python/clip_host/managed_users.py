"""Maps the site's users to managed users of the service. Each is created once."""
from __future__ import annotations

import time
from typing import Callable, TypeVar

from .clock import now_ms
from .problem import Problem
from .service import Service
from .store import Store

#: How long a process may take to create a user before another takes over.
_LEASE_MS = 60_000
_MAX_WAIT_SECONDS = 30

T = TypeVar("T")


class ManagedUsers:
    def __init__(self, service: Service, store: Store):
        self._service = service
        self._store = store

    def id_of(self, host_user: str) -> str:
        waited, pause = 0.0, 0.025
        while waited < _MAX_WAIT_SECONDS:
            known = self._store.managed_user(host_user)
            if known is not None:
                return known
            since = now_ms()
            if self._store.claim_making(host_user, since, _LEASE_MS):
                return self._make(host_user, since)
            time.sleep(pause)
            waited, pause = waited + pause, min(2 * pause, 0.5)
        raise Problem("service-unavailable", headers={"Retry-After": "10"}, reason="another process is creating this user")

    def call(self, host_user: str, call: Callable[[str], T]) -> T:
        """
        Runs a call for the managed user. If the service no longer knows the user, creates a new one
        and repeats the call once.
        """
        managed = self.id_of(host_user)
        try:
            return call(managed)
        except Problem as problem:
            if problem.service_status != 403 or not self._is_gone(managed):
                raise
        self._store.drop_managed_user(host_user, managed)
        return call(self.id_of(host_user))

    def token_of(self, host_user: str) -> str:
        managed = self.id_of(host_user)
        try:
            return self._service.create_token(managed)
        except Problem as problem:
            if problem.service_status != 404:
                raise
        self._store.drop_managed_user(host_user, managed)
        return self._service.create_token(self.id_of(host_user))

    def _make(self, host_user: str, since: int) -> str:
        try:
            return self._store.keep_managed_user(host_user, self._service.create_user())
        except BaseException:
            self._store.release_making(host_user, since)
            raise

    def _is_gone(self, managed: str) -> bool:
        # A call can be refused for many reasons. The user is gone only if there is no token for it.
        try:
            self._service.create_token(managed)
            return False
        except Problem as problem:
            return problem.service_status == 404
