"""Requests embed tokens, with what they allow in the service's own pages."""
from __future__ import annotations

from typing import Optional, Sequence

from .clock import now_ms
from .problem import Problem
from .service import Service

_KNOWN = ("view", "edit", "export")
#: How long a service that refuses permissions is asked without them. Not longer, because it may
#: get an editor by an update.
_WITHOUT_MS = 3_600_000


class TokenCall:
    """
    `permissions`: what the site has set. None: `view` beside policies, otherwise the service's
    default. `has_policies`: whether the site has policies that the service's pages know nothing of.
    """

    def __init__(self, service: Service, permissions: Optional[Sequence[str]], has_policies: bool):
        if permissions is not None and ("view" not in permissions or any(one not in _KNOWN for one in permissions)):
            raise ValueError("token_permissions must be a list of view, edit and export, with view among them.")
        self._service = service
        self._permissions = None if permissions is None else list(permissions)
        self._has_policies = has_policies
        self._without_until = 0

    def create(self, managed_user: str) -> str:
        asked = self._permissions or (["view"] if self._has_policies else None)
        if asked is None or now_ms() < self._without_until:
            return self._service.create_token(managed_user)
        try:
            return self._service.create_token(managed_user, asked)
        except Problem as problem:
            # A proxy, which does not answer in JSON, says nothing of what the service knows.
            if problem.service_status not in (400, 422) or not problem.service_spoke:
                raise
            if self._permissions is not None:
                raise Problem("service-error", reason=f"the service refuses token_permissions: {problem.reason}") from None
        # The specification's tokens have no permissions; a service without them has no editor.
        token = self._service.create_token(managed_user)
        self._without_until = now_ms() + _WITHOUT_MS
        return token
