"""What a topic can be called."""

from __future__ import annotations

import re
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.wire.generated import error_codes

LONGEST_NAME: Final = 249
_NAME: Final = re.compile(r"[a-zA-Z0-9._-]+")


def check_name(name: str) -> None:
    """RequestError INVALID_TOPIC_EXCEPTION for a name that no topic can have."""
    if not name:
        problem = "a topic needs a name"
    elif name in (".", ".."):
        problem = f"{name!r} is no name of a topic"
    elif len(name) > LONGEST_NAME:
        problem = f"the name of a topic has at most {LONGEST_NAME} characters, not {len(name)}"
    elif not _NAME.fullmatch(name):
        problem = f"{name!r} has other characters than letters, digits, '.', '_' and '-'"
    else:
        return
    raise RequestError(error_codes.INVALID_TOPIC_EXCEPTION, problem)
