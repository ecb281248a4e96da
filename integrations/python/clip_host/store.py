"""What the host remembers."""
from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Tuple


@dataclass(frozen=True)
class Attempt:
    """A start that somebody pays for, under the key that the page gave it."""

    host_user: str
    key: str
    #: What the page asked for, as canonical JSON, and at its end whether a watermark was sent.
    request: str
    #: When the start was last sent, in milliseconds since 1970.
    started_at: int
    #: open, unknown or settled.
    state: str = "open"
    export_id: Optional[str] = None


@dataclass(frozen=True)
class StartedTask:
    """A task that a user has started, for services that list no tasks."""

    id: str
    name: str
    #: In milliseconds since 1970.
    started_at: int


class Store:
    """
    Each method is one atomic step for all processes, and ids are compared exactly: see
    docs/host-stores.md of clip-kit.
    """

    def managed_user(self, host_user: str) -> Optional[str]:
        raise NotImplementedError

    def keep_managed_user(self, host_user: str, managed_user: str) -> str:
        """Stores it unless there is one, ends the claim, and returns the one that is stored."""
        raise NotImplementedError

    def claim_making(self, host_user: str, since_ms: int, lease_ms: int) -> bool:
        """
        False if a managed user is stored, or another claim is less than `lease_ms` before or after
        `since_ms`; otherwise stores the claim and returns True.
        """
        raise NotImplementedError

    def release_making(self, host_user: str, since_ms: int) -> None:
        raise NotImplementedError

    def replace_managed_user(self, host_user: str, old: str, new: str) -> str:
        """Replaces it if it is still `old`. Returns the one that is stored then."""
        raise NotImplementedError

    def claim_attempt(self, attempt: Attempt) -> Optional[Attempt]:
        """Writes it unless user and key are known. Returns the known one, or None."""
        raise NotImplementedError

    def move_attempt(self, old: Attempt, new: Attempt) -> bool:
        """Replaces it if state and time are those of `old`. Returns whether it did."""
        raise NotImplementedError

    def drop_attempt(self, attempt: Attempt) -> None:
        """Drops it if state and time are still the same."""
        raise NotImplementedError

    def attempt(self, host_user: str, key: str) -> Optional[Attempt]:
        raise NotImplementedError

    def attempts_since(self, host_user: str, since_ms: int) -> List[Attempt]:
        """The attempts of the user that were started then or later."""
        raise NotImplementedError

    def keep_task(self, host_user: str, task_id: str, name: str, started_at: int) -> None:
        """Remembers a task that was started for a year, unless it is known."""
        raise NotImplementedError

    def started_tasks(self, host_user: str, limit: int, after: Optional[Tuple[int, str]]) -> List[StartedTask]:
        """The user's tasks, newest first, after the one with this start and id (None: from the first)."""
        raise NotImplementedError

    def drop_task(self, host_user: str, task_id: str) -> bool:
        """Forgets the task. Returns whether it was known."""
        raise NotImplementedError
