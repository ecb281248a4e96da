"""Template tags for the elements. Other arguments become attributes: `{% clip_preview "ID" loading="click" %}`."""
from __future__ import annotations

from typing import Any, Dict, Optional
from urllib.parse import quote

from django import template
from django.middleware.csrf import get_token
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from ..configuration import options

register = template.Library()


@register.simple_tag
def clip_script(studio: bool = False) -> SafeString:
    """The script of the elements, once on each page. `studio=True` for a page that makes or lists clips."""
    name, default = ("STUDIO_SCRIPT_URL", "clip-studio.js") if studio else ("SCRIPT_URL", "clip-kit.js")
    return format_html('<script type="module" src="{}"></script>', options().get(name, f"/static/clip-kit/{default}"))


@register.simple_tag
def clip_preview(project: Any, title: str = "", **attributes: Any) -> SafeString:
    """The player of a clip. `title` is its link without JavaScript, and its label."""
    if title:
        attributes.setdefault("label", title)
    return _element("clip-preview", {"project": project, **_setting("player-url", "PLAYER_URL"), **_handshake(), **attributes},
                    _link(project, title))


@register.simple_tag(takes_context=True)
def clip_embed(context: Context, project: Any, **attributes: Any) -> SafeString:
    """The editor of a clip, for the logged-in user."""
    settings = {**_host(context), **_setting("app-url", "APP_URL"), **_handshake()}
    return _element("clip-embed", {"project": project, **settings, **attributes})


@register.simple_tag(takes_context=True)
def clip_export_button(context: Context, project: Any, **attributes: Any) -> SafeString:
    """A button that exports a clip for the logged-in user."""
    return _element("clip-export-button", {"project": project, **_host(context), **attributes})


@register.simple_tag(takes_context=True)
def clip_create(context: Context, **attributes: Any) -> SafeString:
    """Takes a video of the logged-in user, and makes clips of it."""
    return _element("clip-create", {**_host(context), **attributes})


@register.simple_tag(takes_context=True)
def clip_videos(context: Context, **attributes: Any) -> SafeString:
    """The videos of the logged-in user."""
    return _element("clip-videos", {**_host(context), **attributes})


@register.simple_tag(takes_context=True)
def clip_list(context: Context, **attributes: Any) -> SafeString:
    """The clips of a video of the logged-in user."""
    settings = {**_host(context), **_setting("player-url", "PLAYER_URL"), **_handshake()}
    return _element("clip-list", {**settings, **attributes})


def _element(tag: str, attributes: Dict[str, Any], inside: Any = "") -> SafeString:
    given = [(name.replace("_", "-"), "" if value is True else value) for name, value in attributes.items()
             if value is not None and value is not False]
    return format_html("<{}{}>{}</{}>", tag, format_html_join("", ' {}="{}"', given), inside, tag)


def _host(context: Context) -> Dict[str, Any]:
    found = {"endpoint": reverse("clip_host:host", args=[""]).rstrip("/"), "csrf-header": "X-CSRFToken",
             "csrf-url": reverse("clip_host:csrf-token")}
    # A `RequestContext` has it also without the context processor of that name.
    request = getattr(context, "request", None)
    # Pages of visitors who are not logged in stay the same for all of them, and can be cached.
    logged_in = request is not None and getattr(request, "user", None) is not None and request.user.is_authenticated
    # The same text for all elements of a page, so that they share one client.
    return {**found, "csrf-token": str(context.get("csrf_token") or get_token(request))} if logged_in else found


def _setting(attribute: str, name: str) -> Dict[str, Optional[str]]:
    return {attribute: options().get(name)}


def _handshake() -> Dict[str, Optional[str]]:
    return _setting("handshake", "HANDSHAKE")


def _link(project: Any, title: str) -> Any:
    base = options().get("PLAYER_URL")
    if not base:
        return ""
    name = quote(str(project), safe="")
    address = base.replace("{id}", name) if "{id}" in base else f"{base.rstrip('/')}/player/{name}"
    return format_html('<a href="{}">{}</a>', address, title or "Watch the clip")
