"""A store in a SQLite file, shared by all processes and threads of one machine."""
from __future__ import annotations

import sqlite3
import threading
from typing import Any, List, Sequence, Tuple

from .sql_store import SqlStore


class SqliteStore(SqlStore):
    def __init__(self, path: str, prefix: str = "clip_host_"):
        super().__init__(prefix)
        self._path = path
        self._threads = threading.local()
        self.create_tables()

    def rows(self, sql: str, values: Sequence[Any]) -> List[Tuple[Any, ...]]:
        return self._connection().execute(sql, values).fetchall()

    def change(self, sql: str, values: Sequence[Any] = ()) -> int:
        return self._connection().execute(sql, values).rowcount

    def _connection(self) -> sqlite3.Connection:
        # A connection belongs to its thread.
        found = getattr(self._threads, "connection", None)
        if found is None:
            found = self._threads.connection = sqlite3.connect(self._path, timeout=10, isolation_level=None)
        return found
