"""Texts of others in messages of ours: cut before they are quoted, and safe on a terminal.

A name on the wire may have half a megabyte, and quoting that takes milliseconds. So code that
builds a message around a text that a peer sent takes ``quoted`` in place of ``!r``.
"""

from __future__ import annotations

from json import dumps

from metaquorum.base.limits import MAX_QUOTED_CHARS


def quoted(text: str) -> str:
    """``repr`` of a text, of its first ``MAX_QUOTED_CHARS`` characters where it is longer."""
    if len(text) <= MAX_QUOTED_CHARS:
        return repr(text)
    return f"{text[:MAX_QUOTED_CHARS]!r}... ({len(text) - MAX_QUOTED_CHARS} more characters)"


def printable(text: str) -> str:
    """``text`` with everything escaped, as JSON does it, that does not print: control characters,
    escape sequences, marks that change the direction of writing, surrogates.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else dumps(one)[1:-1] for one in text)
