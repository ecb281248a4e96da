"""The tasks of users: the service's list, or the host's own where the service has none."""
from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, Dict, List, Mapping, Optional, Tuple

from .clock import now_ms
from .managed_users import ManagedUsers
from .problem import Problem, invalid
from .service import Service
from .store import StartedTask, Store

_DEFAULT_LIMIT = 20


class TaskList:
    def __init__(self, service: Service, users: ManagedUsers, store: Store):
        self._service = service
        self._users = users
        self._store = store

    def read(self, host_user: str, page: Mapping[str, str]) -> Tuple[List[Dict[str, Any]], Optional[str]]:
        """A page of the tasks, and the cursor of the next one."""
        try:
            return self._users.call(host_user, lambda managed: self._service.tasks(managed, page))
        except Problem as problem:
            if problem.code != "not-supported":
                raise
        limit = int(page.get("limit", _DEFAULT_LIMIT))
        found = self._store.started_tasks(host_user, limit + 1, _place_of(page["cursor"]) if "cursor" in page else None)
        shown = found[:limit]
        tasks = [self._task(host_user, one) for one in shown]
        after = f"{shown[-1].started_at}.{shown[-1].id.encode().hex()}" if len(found) > limit else None
        return [one for one in tasks if one], after

    def keep(self, host_user: str, task: Mapping[str, Any], name: str) -> None:
        """Remembers a task that was started. Never fails: it is paid for, whatever becomes of the list."""
        with suppress(Exception):
            self._store.keep_task(host_user, task["id"], name, now_ms())

    def remove(self, host_user: str, task_id: str) -> None:
        """Deletes a task. Where the service cannot, it only leaves the list."""
        try:
            self._users.call(host_user, lambda managed: self._service.delete_task(managed, task_id))
        except Problem as problem:
            if problem.code not in ("not-found", "not-supported"):
                raise
        else:
            # It is gone, whatever becomes of the list.
            with suppress(Exception):
                self._store.drop_task(host_user, task_id)
            return
        # Asked before the list forgets it: a failure changes nothing.
        is_left = self._exists(host_user, task_id)
        if not self._store.drop_task(host_user, task_id):
            raise Problem("not-supported" if is_left else "not-found")

    def _exists(self, host_user: str, task_id: str) -> bool:
        try:
            self._users.call(host_user, lambda managed: self._service.task(managed, task_id))
        except Problem as problem:
            if problem.code != "not-found":
                raise
            return False
        return True

    def _task(self, host_user: str, started: StartedTask) -> Optional[Dict[str, Any]]:
        """None if the service does not have it any more."""
        try:
            task = self._users.call(host_user, lambda managed: self._service.task(managed, started.id))
        except Problem as problem:
            if problem.code != "not-found":
                raise
            # The bare 404 of a proxy says nothing of the task.
            if problem.service_spoke:
                self._store.drop_task(host_user, started.id)
            return None
        return {"name": started.name, **task}


def _place_of(cursor: str) -> Tuple[int, str]:
    found = re.fullmatch(r"([0-9]{1,16})\.((?:[0-9a-f]{2})+)", cursor)
    try:
        if found:
            return int(found[1]), bytes.fromhex(found[2]).decode()
    except UnicodeDecodeError:
        pass
    raise invalid("cursor", "is not one of a page of this list")
