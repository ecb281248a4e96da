"""A store in a SQL database. What runs the statements is up to the class that extends it."""
from __future__ import annotations

import hashlib
import json
import re
from typing import Any, List, Optional, Sequence, Tuple

from .store import Attempt, StartedTask, Store

#: One hour longer than promised, for clocks that differ.
_KEPT_MS = 25 * 3_600_000

#: Longer than services keep videos.
_TASK_KEPT_MS = 366 * 86_400_000

#: Longer ids are stored as their hash, so that two fit into an index.
_MAX_ID_BYTES = 250


def _stored(name: str) -> str:
    plain = name.encode("utf-8", "surrogatepass")
    fits = len(plain) <= _MAX_ID_BYTES and not name.startswith("#") and "\0" not in name
    return name if fits else "#" + hashlib.sha256(plain).hexdigest()


class SqlStore(Store):
    #: sqlite, mysql or postgresql.
    dialect = "sqlite"

    def __init__(self, prefix: str = "clip_host_"):
        if not re.fullmatch(r"\w{0,40}", prefix, re.ASCII):
            raise ValueError("Not a table prefix.")
        names = ("user", "making", "attempt", "task")
        self._user, self._making, self._attempt, self._task = (prefix + name for name in names)

    def rows(self, sql: str, values: Sequence[Any]) -> List[Tuple[Any, ...]]:
        """`values`: one for each `?` in the statement."""
        raise NotImplementedError

    def change(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Returns how many rows were written or deleted."""
        raise NotImplementedError

    def create_tables(self) -> None:
        """Creates the tables that are not there."""
        mysql = self.dialect == "mysql"
        # MySQL's usual collation ignores case and accents.
        name = "VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin" if mysql else "TEXT"
        text, after = ("MEDIUMTEXT", "ENGINE=InnoDB") if mysql else ("TEXT", "")
        indexes = (("started", "started_at"), ("export", "export_id"))
        inline = "".join(f", KEY {index} ({column})" for index, column in indexes) if mysql else ""
        self.change(f"CREATE TABLE IF NOT EXISTS {self._user}"
                    f" (host_user {name} NOT NULL PRIMARY KEY, managed_user {name} NOT NULL) {after}")
        self.change(f"CREATE TABLE IF NOT EXISTS {self._making}"
                    f" (host_user {name} NOT NULL PRIMARY KEY, since BIGINT NOT NULL) {after}")
        self.change(f"CREATE TABLE IF NOT EXISTS {self._attempt} (host_user {name} NOT NULL, attempt_key {name} NOT NULL,"
                    f" request {text} NOT NULL, started_at BIGINT NOT NULL, state VARCHAR(16) NOT NULL, export_id {name},"
                    f" PRIMARY KEY (host_user, attempt_key){inline}) {after}")
        self.change(f"CREATE TABLE IF NOT EXISTS {self._task} (host_user {name} NOT NULL, id {name} NOT NULL,"
                    f" started_at BIGINT NOT NULL, task {text} NOT NULL,"
                    f" PRIMARY KEY (host_user, id){', KEY started (started_at)' if mysql else ''}) {after}")
        if not mysql:
            self.change(f"CREATE INDEX IF NOT EXISTS {self._task}_started ON {self._task} (started_at)")
            for index, column in indexes:
                self.change(f"CREATE INDEX IF NOT EXISTS {self._attempt}_{index} ON {self._attempt} ({column})")

    def drop_tables(self) -> None:
        for table in (self._user, self._making, self._attempt, self._task):
            self.change(f"DROP TABLE IF EXISTS {table}")

    def managed_user(self, host_user: str) -> Optional[str]:
        found = self.rows(f"SELECT managed_user FROM {self._user} WHERE host_user = ?", (_stored(host_user),))
        return found[0][0] if found else None

    def keep_managed_user(self, host_user: str, managed_user: str) -> str:
        self._insert_once(f"{self._user} (host_user, managed_user)", (_stored(host_user), managed_user))
        self.change(f"DELETE FROM {self._making} WHERE host_user = ?", (_stored(host_user),))
        return self.managed_user(host_user) or managed_user

    def claim_making(self, host_user: str, since_ms: int, lease_ms: int) -> bool:
        name = _stored(host_user)
        won = self._insert_once(f"{self._making} (host_user, since)", (name, since_ms)) or self.change(
            f"UPDATE {self._making} SET since = ? WHERE host_user = ? AND (since <= ? OR since >= ?)",
            (since_ms, name, since_ms - lease_ms, since_ms + lease_ms)) == 1
        if won and self.managed_user(host_user) is not None:
            self.release_making(host_user, since_ms)
            return False
        return won

    def release_making(self, host_user: str, since_ms: int) -> None:
        self.change(f"DELETE FROM {self._making} WHERE host_user = ? AND since = ?", (_stored(host_user), since_ms))

    def replace_managed_user(self, host_user: str, old: str, new: str) -> str:
        self.change(f"UPDATE {self._user} SET managed_user = ? WHERE host_user = ? AND managed_user = ?",
                    (new, _stored(host_user), old))
        self._insert_once(f"{self._user} (host_user, managed_user)", (_stored(host_user), new))
        return self.managed_user(host_user) or new

    def claim_attempt(self, attempt: Attempt) -> Optional[Attempt]:
        self.change(f"DELETE FROM {self._attempt} WHERE started_at < ?", (attempt.started_at - _KEPT_MS,))
        columns = f"{self._attempt} (host_user, attempt_key, request, started_at, state, export_id)"
        values = (_stored(attempt.host_user), _stored(attempt.key), attempt.request, attempt.started_at,
                  attempt.state, attempt.export_id)
        while True:
            if self._insert_once(columns, values):
                return None
            known = self.attempt(attempt.host_user, attempt.key)
            # Another process may drop it between the two statements.
            if known:
                return known

    def move_attempt(self, old: Attempt, new: Attempt) -> bool:
        return self.change(
            f"UPDATE {self._attempt} SET request = ?, started_at = ?, state = ?, export_id = ?"
            " WHERE host_user = ? AND attempt_key = ? AND state = ? AND started_at = ?",
            (new.request, new.started_at, new.state, new.export_id,
             _stored(new.host_user), _stored(new.key), old.state, old.started_at)) == 1

    def drop_attempt(self, attempt: Attempt) -> None:
        self.change(
            f"DELETE FROM {self._attempt} WHERE host_user = ? AND attempt_key = ? AND state = ? AND started_at = ?",
            (_stored(attempt.host_user), _stored(attempt.key), attempt.state, attempt.started_at))

    def attempt(self, host_user: str, key: str) -> Optional[Attempt]:
        found = self.rows(f"SELECT request, started_at, state, export_id FROM {self._attempt}"
                          " WHERE host_user = ? AND attempt_key = ?", (_stored(host_user), _stored(key)))
        return Attempt(host_user, key, *found[0]) if found else None

    def attempts_since(self, host_user: str, since_ms: int) -> List[Attempt]:
        found = self.rows(f"SELECT attempt_key, request, started_at, state, export_id FROM {self._attempt}"
                          " WHERE host_user = ? AND started_at >= ?", (_stored(host_user), since_ms))
        return [Attempt(host_user, *row) for row in found]

    def keep_task(self, host_user: str, task_id: str, name: str, started_at: int) -> None:
        self.change(f"DELETE FROM {self._task} WHERE started_at < ?", (started_at - _TASK_KEPT_MS,))
        self._insert_once(f"{self._task} (host_user, id, started_at, task)",
                          (_stored(host_user), _stored(task_id), started_at, json.dumps([task_id, name])))

    def started_tasks(self, host_user: str, limit: int, after: Optional[Tuple[int, str]]) -> List[StartedTask]:
        started_at, task_id = after or (2 ** 62, "")
        found = self.rows(f"SELECT started_at, task FROM {self._task} WHERE host_user = ?"
                          f" AND (started_at < ? OR (started_at = ? AND id < ?)) ORDER BY started_at DESC, id DESC LIMIT {int(limit)}",
                          (_stored(host_user), started_at, started_at, _stored(task_id)))
        return [StartedTask(*json.loads(task), started) for started, task in found]

    def drop_task(self, host_user: str, task_id: str) -> bool:
        return self.change(f"DELETE FROM {self._task} WHERE host_user = ? AND id = ?", (_stored(host_user), _stored(task_id))) == 1

    def _insert_once(self, columns: str, values: Sequence[Any]) -> bool:
        # Whether the row was written; False if its key is known.
        mysql = self.dialect == "mysql"
        marks = ", ".join("?" * len(values))
        sql = f"{'INSERT IGNORE' if mysql else 'INSERT'} INTO {columns} VALUES ({marks})"
        return self.change(sql if mysql else f"{sql} ON CONFLICT DO NOTHING", values) == 1
