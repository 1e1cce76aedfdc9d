"""Reasons in answers that quote what the client sent, and are too long for their field by that.

A name on the wire has up to 32 KiB, and so has the text of an error: a name with a word before it
does not fit. Code that writes a reason need not think of it; this is looked at only when an answer
could not be written.
"""

from __future__ import annotations

from metaquorum.base.errors import MAX_REASON_CHARS, short_reason
from metaquorum.wire.message import AnyMessage, Message


def shorten_reasons(answer: AnyMessage) -> bool:
    """Cut every error message that is too long for a person; whether there was one."""
    found = False
    for slot in answer.__slots__:
        value = getattr(answer, slot)
        if slot == "error_message":
            if value is not None and len(value) > MAX_REASON_CHARS:
                answer.error_message = short_reason(value)
                found = True
        elif isinstance(value, list | tuple):
            for item in value:
                found |= isinstance(item, Message) and shorten_reasons(item)
    return found
