"""The setting `CLIP_HOST`, and the host that it describes."""
from __future__ import annotations

from functools import lru_cache
from typing import Any, Dict, Optional

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.utils.module_loading import import_string

from ..host import ClipHost
from ..messages import Request
from ..service import Service
from .database_store import DatabaseStore

_REQUIRED = ("SERVICE_URL", "API_KEY")
_OPTIONAL = ("ORIGIN", "AUTHORIZE", "EXPORT_OPTIONS", "STARTS_PER_MINUTE", "TOKEN_PERMISSIONS", "DATABASE",
             "DIRECT", "PLAYER_URL", "APP_URL", "HANDSHAKE", "SCRIPT_URL", "STUDIO_SCRIPT_URL")


def options() -> Dict[str, Any]:
    found = getattr(settings, "CLIP_HOST", None) or {}
    for name in _REQUIRED:
        if not found.get(name):
            raise ImproperlyConfigured(f'CLIP_HOST["{name}"] is missing.')
    for name in found:
        if name not in _REQUIRED + _OPTIONAL:
            raise ImproperlyConfigured(f'CLIP_HOST["{name}"] is not an option.')
    return found


@lru_cache(maxsize=None)
def clip_host() -> ClipHost:
    """Made at the first request."""
    found = options()
    return ClipHost(
        service=Service(found["SERVICE_URL"], found["API_KEY"], direct=found.get("DIRECT", False)),
        store=DatabaseStore(found.get("DATABASE", "default")),
        authenticate=_user_of,
        origin=found.get("ORIGIN"),
        authorize=_function(found.get("AUTHORIZE")),
        export_options=_function(found.get("EXPORT_OPTIONS")),
        starts_per_minute=found.get("STARTS_PER_MINUTE"),
        token_permissions=found.get("TOKEN_PERMISSIONS"),
    )


def _user_of(request: Request) -> Optional[str]:
    user = request.native.user
    return str(user.pk) if user.is_authenticated else None


def _function(value: Any) -> Any:
    return import_string(value) if isinstance(value, str) else value


def _forget(*, setting: str, **_: Any) -> None:
    if setting == "CLIP_HOST":
        clip_host.cache_clear()


# For tests that override the setting.
setting_changed.connect(_forget)
