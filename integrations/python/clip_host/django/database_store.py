"""A store in a database of Django. Its tables come with the app's migration."""
from __future__ import annotations

from typing import Any, List, Sequence, Tuple

from django.db import DEFAULT_DB_ALIAS, connections

from ..sql_store import SqlStore


class DatabaseStore(SqlStore):
    def __init__(self, alias: str = DEFAULT_DB_ALIAS):
        super().__init__()
        self._alias = alias
        self.dialect = connections[alias].vendor
        if self.dialect not in ("sqlite", "mysql", "postgresql"):
            raise ValueError(f"The clip host has no store for {self.dialect}.")

    def rows(self, sql: str, values: Sequence[Any]) -> List[Tuple[Any, ...]]:
        with connections[self._alias].cursor() as cursor:
            cursor.execute(sql.replace("?", "%s"), values)
            return list(cursor.fetchall())

    def change(self, sql: str, values: Sequence[Any] = ()) -> int:
        with connections[self._alias].cursor() as cursor:
            cursor.execute(sql.replace("?", "%s"), values)
            return cursor.rowcount
