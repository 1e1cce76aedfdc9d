"""Bytes as Java shows them: UTF-8, with a sign in the place of what is none.

Python and Java put U+FFFD for the same pieces but one: half a surrogate pair, which has the form of
a character of three bytes (ED, A0 to BF, 80 to BF). Java takes it, or its first two bytes where the
third is missing, for one mistake; Python takes each byte for one. Kafka's tools print keys, values
and the keys of headers that way, and these may be any bytes.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

_ERRORS: Final = "metaquorum.java"
_HALF_A_PAIR: Final = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]?")


def _replaced(mistake: UnicodeError) -> tuple[str, int]:
    assert isinstance(mistake, UnicodeDecodeError)
    half = _HALF_A_PAIR.match(mistake.object, mistake.start)
    return "\ufffd", mistake.end if half is None else half.end()


codecs.register_error(_ERRORS, _replaced)


def java_text(raw: bytes) -> str:
    """The text that ``new String(raw, UTF_8)`` is in Java, of any bytes."""
    return raw.decode("utf-8", _ERRORS)
