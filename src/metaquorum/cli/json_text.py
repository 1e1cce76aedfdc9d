"""JSON as Kafka's tools print it: compact, in Java's spelling of numbers and escapes.

``json.dumps`` differs in the spelling of large and small floating point numbers and of control
characters, and scripts compare these texts byte for byte.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal

_ESCAPED = re.compile(r'["\\\x00-\x1f]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def json_text(value: object) -> str:
    """``value``, made of dicts, lists and scalars, as one line; TypeError for anything else."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{_ESCAPED.sub(_escape, value)}"'
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        text = double_text(value)
        return text if math.isfinite(value) else f'"{text}"'
    if isinstance(value, dict):
        pairs = ",".join(f"{json_text(str(key))}:{json_text(one)}" for key, one in value.items())
        return f"{{{pairs}}}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(json_text, value))}]"
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def double_text(value: float) -> str:
    """A floating point number as Java's ``Double.toString`` has it: ``1.0E7``, ``0.001``."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    _, digit_tuple, exponent = Decimal(repr(abs(value))).as_tuple()
    assert isinstance(exponent, int)
    digits = "".join(map(str, digit_tuple)).lstrip("0")
    if not digits:
        return f"{sign}0.0"
    point = len(digits) + exponent  # the decimal point stands before the digit of this index
    digits = digits.rstrip("0")
    if 1e-3 <= abs(value) < 1e7:
        whole = digits[:point].ljust(point, "0") if point > 0 else "0"
        part = digits[point:] if point > 0 else "0" * -point + digits
        return f"{sign}{whole}.{part or '0'}"
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{point - 1}"


def _escape(match: re.Match[str]) -> str:
    sign = match[0]
    return _SHORT.get(sign) or f"\\u{ord(sign):04X}"
