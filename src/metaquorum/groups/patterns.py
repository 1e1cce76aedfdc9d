"""Regular expressions of clients (KIP-848), matched in bounded time (decision 215).

Kafka's brokers use RE2, which never backtracks. The expressions that clients send in practice are
matched here: literals and ``.*``, and alternatives of them. All others go to google-re2, the extra
``patterns``; where it is not installed, they are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from metaquorum.base.limits import MAX_PATTERN_BYTES, MAX_PATTERN_CHARS
from metaquorum.base.value import value

try:
    import re2
except ImportError:
    re2 = None

_SIMPLE: Final = re.compile(r"(?:[\w-]|\\\.|\.\*)*", re.ASCII)


class BadPattern(ValueError):
    """Not a regular expression of RE2, one that is too large, or one that needs google-re2."""


@value
class Pattern:
    """A compiled expression. ``matches`` says whether the whole of a name is an instance of it."""

    matches: Callable[[str], bool]

    @classmethod
    def compile(cls, text: str) -> Pattern:
        """BadPattern says what is wrong with the text."""
        if len(text) > MAX_PATTERN_CHARS:
            raise BadPattern(f"longer than {MAX_PATTERN_CHARS} characters")
        # The whole name must match, so an anchor at either end of an alternative says nothing.
        alternatives = [one.removeprefix("^").removesuffix("$") for one in text.split("|")]
        if all(map(_SIMPLE.fullmatch, alternatives)):
            parts = [one.split(".*") for one in alternatives]
            literals = [[literal.replace(r"\.", ".") for literal in one] for one in parts]
            return cls(lambda name: any(_is_instance(name, one) for one in literals))
        return cls(_matcher_of_re2(text))


def _is_instance(name: str, literals: list[str]) -> bool:
    """Whether the literals make up the name, with anything between one and the next."""
    first, *others = literals
    if not others:
        return name == first
    if not name.startswith(first):
        return False
    at = len(first)
    for literal in others[:-1]:
        found = name.find(literal, at)
        if found < 0:
            return False
        at = found + len(literal)
    return name.endswith(others[-1], at)


def _matcher_of_re2(text: str) -> Callable[[str], bool]:
    if re2 is None:
        raise BadPattern(
            "only literals, .* and | are known here: "
            "other expressions need pip install 'metaquorum[patterns]'"
        )
    options = re2.Options()
    options.max_mem = MAX_PATTERN_BYTES
    options.log_errors = False
    try:
        compiled = re2.compile(text, options)
    except (re2.error, UnicodeError) as error:
        raise BadPattern(str(error)) from None
    re2.purge()  # its cache has a bound on expressions, not on bytes
    return lambda name: compiled.fullmatch(name) is not None
