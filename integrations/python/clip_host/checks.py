"""What a page may send. Everything else is refused with the name of the field."""
from __future__ import annotations

import re
from typing import Any, Dict, Mapping, Sequence, Tuple
from urllib.parse import urlsplit

from .problem import invalid

_WATERMARK_NUMBERS = {"pos_x": (0.5, 1), "pos_y": (0.5, 1), "scale": (1, 100)}

_TASK_FIELDS = ("source_video_url", "subtitles_url", "language", "translate_to", "transcription_context", "name",
                "style_preset_id", "editing_options", "dimensions")
_COUNT_FIELDS = ("target_clip_count", "max_clip_count", "min_duration", "max_duration", "target_duration")


def is_id(text: str) -> bool:
    return text not in ("", ".", "..") and "\0" not in text and not re.search("[\ud800-\udfff]", text)


def is_attempt_key(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9._-]{8,128}", text) is not None


def ids(values: Mapping[str, Any], required: Sequence[str] = (), optional: Sequence[str] = ()) -> Dict[str, str]:
    _only_names(values, (*required, *optional))
    for name, value in values.items():
        if not isinstance(value, str) or not is_id(value):
            raise invalid(name, "must be an id")
    for name in required:
        if name not in values:
            raise invalid(name, "is missing")
    return dict(values)


def start(body: Mapping[str, Any]) -> Tuple[Dict[str, str], Dict[str, Any]]:
    """The body of a start: the clip, and the options that the page asks for."""
    names = ("watermark", "preset_id")
    clip = ids({name: value for name, value in body.items() if name not in names}, ["project_id"], ["folder_id"])
    return clip, options({name: body[name] for name in names if name in body})


def patch(body: Mapping[str, Any]) -> None:
    """The body of a change of an edit; the service checks the changes themselves."""
    _only_names(body, ("changes",))
    if not isinstance(body.get("changes"), dict):
        raise invalid("changes", "must be an object")


def new_clip(body: Mapping[str, Any]) -> None:
    _only_names(body, ("start", "end", "name"))
    for name in ("start", "end"):
        if isinstance(body.get(name), bool) or not isinstance(body.get(name), (int, float)):
            raise invalid(name, "must be a number")
    if body["start"] >= body["end"]:
        raise invalid("end", "must be greater than start")
    if "name" in body and not isinstance(body["name"], str):
        raise invalid("name", "must be text")


def new_upload(body: Mapping[str, Any]) -> None:
    _only_names(body, ("name", "size", "type", "sha256", "seconds"))
    name, size, seconds = body.get("name"), body.get("size"), body.get("seconds", 1)
    if not isinstance(name, str) or not 1 <= len(name) <= 255:
        raise invalid("name", "must be 1 to 255 characters")
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise invalid("size", "must be a whole number of at least 1")
    if not isinstance(body.get("type", ""), str) or len(body.get("type", "")) > 255:
        raise invalid("type", "must be at most 255 characters")
    if "sha256" in body and not (isinstance(body["sha256"], str) and re.fullmatch("[0-9a-f]{64}", body["sha256"])):
        raise invalid("sha256", "must be 64 lower-case hexadecimal digits")
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or seconds <= 0:
        raise invalid("seconds", "must be greater than 0")


def task(kind: str, body: Mapping[str, Any]) -> None:
    """The body of a new task. The service checks what is in its fields, and fills in the others."""
    is_video = kind == "video-to-video"
    _only_names(body, _TASK_FIELDS + (() if is_video else _COUNT_FIELDS))
    for name in ("source_video_url", "subtitles_url"):
        if (name == "source_video_url" or name in body) and not _is_http_url(body.get(name)):
            raise invalid(name, "must be an absolute http or https URL without a user name or password")
    if is_video and not isinstance(body.get("editing_options"), dict):
        raise invalid("editing_options", "must be an object")


def task_page(query: Mapping[str, str]) -> Dict[str, str]:
    _only_names(query, ("limit", "cursor"))
    if "limit" in query and not re.fullmatch(r"[1-9][0-9]?|100", query["limit"]):
        raise invalid("limit", "must be a whole number from 1 to 100")
    if "cursor" in query and not re.fullmatch(r"[\w.-]{1,256}", query["cursor"], re.ASCII):
        raise invalid("cursor", "is not one of a page of this list")
    return dict(query)


def options(asked: Mapping[str, Any]) -> Dict[str, Any]:
    _only_names(asked, ("watermark", "preset_id"))
    if len(asked) == 2:
        raise invalid("preset_id", "watermark and preset_id cannot be sent together")
    if "preset_id" in asked:
        return ids(asked, ["preset_id"])
    return {"watermark": _watermark(asked["watermark"])} if "watermark" in asked else {}


def _watermark(value: Any) -> Dict[str, Any]:
    if not isinstance(value, dict):
        raise invalid("watermark", "must be an object {src_url, pos_x?, pos_y?, scale?}")
    _only_names(value, ("src_url", *_WATERMARK_NUMBERS), "watermark.")
    if not _is_http_url(value.get("src_url")):
        raise invalid("watermark.src_url", "must be an absolute http or https URL without a user name or password")
    found: Dict[str, Any] = {"src_url": value["src_url"]}
    for name, (fallback, most) in _WATERMARK_NUMBERS.items():
        number = value.get(name, fallback) if name in value else fallback
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
        if not is_number or not 0 <= number <= most or (name == "scale" and number == 0):
            least = "greater than 0 and at most" if name == "scale" else "0 to"
            raise invalid(f"watermark.{name}", f"must be {least} {most}")
        found[name] = number
    return found


def _is_http_url(text: Any) -> bool:
    if not isinstance(text, str) or len(text) > 8192 or re.search(r"[\s\x00-\x20]", text):
        return False
    try:
        url = urlsplit(text)
        return url.scheme in ("http", "https") and bool(url.hostname) and url.username is None and url.password is None
    except ValueError:
        return False


def _only_names(values: Mapping[str, Any], known: Sequence[str], inside: str = "") -> None:
    for name in values:
        if name not in known:
            raise invalid(inside + name, "unknown field")
