"""The start of a task. The specification lists no tasks, so a lost one cannot be searched."""
from __future__ import annotations

import json
from typing import Any, Callable, Dict, Mapping, Optional, Tuple

from .problem import Problem
from .service import Service
from .store import Attempt


class TaskCall:
    """`started`: called with a new task; never fails."""

    def __init__(self, service: Service, kind: str, body: Mapping[str, Any],
                 started: Optional[Callable[[Dict[str, Any]], None]] = None):
        self.request = json.dumps({"body": body, "type": kind}, sort_keys=True)
        self._service = service
        self._kind = kind
        self._body = body
        self._started = started

    @classmethod
    def stored(cls, service: Service, request: str) -> TaskCall:
        """The call of a stored attempt, which can only be read and searched for."""
        known = json.loads(request)
        if not isinstance(known, dict):
            raise Problem("attempt-mismatch")
        return cls(service, known["type"], known["body"])

    def is_same(self, stored: str) -> bool:
        return stored == self.request

    def send(self, managed_user: str, key: str) -> Dict[str, Any]:
        task = self._service.create_task(managed_user, self._kind, dict(self._body), key)
        if self._started:
            self._started(task)
        return task

    def complete(self, managed_user: str, started: Dict[str, Any], attempt: Attempt) -> Dict[str, Any]:
        return started

    def read(self, managed_user: str, name: str) -> Dict[str, Any]:
        return self._service.task(managed_user, name)

    def search(self, managed_user: str, attempt: Attempt) -> Tuple[Optional[Dict[str, Any]], bool, bool]:
        """Finds nothing: a service that keeps keys gives the task when the start is sent again."""
        _, keeps_keys, _ = self._service.find_exports(managed_user, None, attempt.key)
        return None, keeps_keys, keeps_keys
