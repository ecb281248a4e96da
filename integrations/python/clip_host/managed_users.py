"""Maps the site's users to managed users of the service. Each is created once."""
from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import Callable, Optional, TypeVar

from .clock import now_ms
from .problem import Problem
from .service import Service
from .store import Store
from .token_call import TokenCall

#: How long a process may take to create a user before another takes over.
_LEASE_MS = 60_000
_MAX_WAIT_SECONDS = 30
#: The pause before the service is asked again whether a user is gone.
_SECOND_LOOK_SECONDS = 1.0

_log = logging.getLogger("clip_host")

T = TypeVar("T")


class ManagedUsers:
    def __init__(self, service: Service, tokens: TokenCall, store: Store):
        self._service = service
        self._tokens = tokens
        self._store = store

    def id_of(self, host_user: str) -> str:
        return self._make(host_user, lambda: self._store.managed_user(host_user),
                          lambda made: self._store.keep_managed_user(host_user, made))

    def call(self, host_user: str, call: Callable[[str], T]) -> T:
        """
        Runs a call for the managed user. If the service no longer knows the user, creates a new one
        and repeats the call once.
        """
        managed = self.id_of(host_user)
        try:
            return call(managed)
        except Problem as problem:
            # A refusal has many reasons: the user is gone only if there is no token for it.
            if problem.service_status != 403 or not self._is_gone(managed):
                raise
        return call(self._replace(host_user, managed))

    def token_of(self, host_user: str) -> str:
        managed = self.id_of(host_user)
        try:
            return self._tokens.create(managed)
        except Problem as problem:
            if not _says_not_found(problem) or not self._is_gone(managed):
                raise
        return self._tokens.create(self._replace(host_user, managed))

    def _is_gone(self, managed: str) -> bool:
        """
        Whether the service says twice, in its own words, that there is no such user. The bare 404
        of a proxy says nothing, and a new user would have none of the old one's clips.
        """
        for look in range(2):
            if look:
                time.sleep(_SECOND_LOOK_SECONDS)
            try:
                self._tokens.create(managed)
                return False
            except Problem as problem:
                if not _says_not_found(problem):
                    return False
        return True

    def _replace(self, host_user: str, gone: str) -> str:
        def look() -> Optional[str]:
            stored = self._store.managed_user(host_user)
            return None if stored == gone else stored

        def keep(made: str) -> str:
            stored = self._store.replace_managed_user(host_user, gone, made)
            if stored == made:
                _log.warning("the service says that it has no user %s; %s was created instead, without its clips", gone, made)
            return stored

        # A name of its own in the store, because the user's own name cannot be claimed.
        return self._make(f"{host_user} instead of {gone}", look, keep)

    def _make(self, claim: str, look: Callable[[], Optional[str]], keep: Callable[[str], str]) -> str:
        waited, pause = 0.0, 0.025
        while waited < _MAX_WAIT_SECONDS:
            known = look()
            if known is not None:
                return known
            since = now_ms()
            if self._store.claim_making(claim, since, _LEASE_MS):
                try:
                    return look() or keep(self._service.create_user())
                finally:
                    with suppress(Exception):  # A claim that stays ends by itself.
                        self._store.release_making(claim, since)
            time.sleep(pause)
            waited, pause = waited + pause, min(2 * pause, 0.5)
        raise Problem("service-unavailable", headers={"Retry-After": "10"}, reason="another process is creating this user")


def _says_not_found(problem: Problem) -> bool:
    return problem.service_status == 404 and problem.service_spoke
