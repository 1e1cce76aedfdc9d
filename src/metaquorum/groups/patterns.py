"""Regular expressions of clients, matched in time that is bounded by their own length.

Kafka's brokers use RE2 for subscriptions by pattern (KIP-848), whose expressions have no
back-references and no look-around. The same grammar is compiled here to a machine that is in
several states at once: every character of a name costs at most one visit of each state, whatever
the expression. The whole name must match.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define, field

from metaquorum.base.limits import MAX_PATTERN_CHARS, MAX_PATTERN_REPEATS, MAX_PATTERN_STATES

Test = Callable[[str], bool]
_CLASSES: Final[dict[str, Test]] = {
    "d": lambda c: c in "0123456789",
    "w": lambda c: c == "_" or (c.isascii() and c.isalnum()),
    "s": lambda c: c in "\t\n\f\r ",
}
_NAMED: Final[dict[str, Test]] = {
    "alpha": lambda c: c.isascii() and c.isalpha(),
    "digit": lambda c: c in "0123456789",
    "alnum": lambda c: c.isascii() and c.isalnum(),
    "lower": lambda c: "a" <= c <= "z",
    "upper": lambda c: "A" <= c <= "Z",
    "space": lambda c: c in "\t\n\v\f\r ",
    "punct": lambda c: c.isascii() and c.isprintable() and not c.isalnum() and c != " ",
    "word": lambda c: c == "_" or (c.isascii() and c.isalnum()),
}
_ESCAPES: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}


class BadPattern(ValueError):
    """Not an expression of this grammar, or one too large."""


@define
class _State:
    """Either a test on the next character, or ways on without one; ``anchor`` wants a place."""

    test: Test | None = None
    ways: list[int] = field(factory=list)
    anchor: str = ""


@define
class _Piece:
    """A part of the machine: where it begins, and the states whose ways are to lead on."""

    start: int
    ends: list[int]


@define(eq=False)
class Pattern:
    """A compiled expression."""

    _states: list[_State]
    _start: int
    _accept: int

    @classmethod
    def compile(cls, text: str) -> Pattern:
        """BadPattern says what is wrong with the text."""
        if len(text) > MAX_PATTERN_CHARS:
            raise BadPattern(f"longer than {MAX_PATTERN_CHARS} characters")
        return _Compiler(text).compiled()

    def matches(self, name: str) -> bool:
        """Whether the whole of ``name`` is an instance of it."""
        current = self._closure([self._start], 0, len(name))
        for at, char in enumerate(name):
            after: list[int] = []
            for number in current:
                test = self._states[number].test
                if test is not None and test(char):
                    after += self._states[number].ways
            current = self._closure(after, at + 1, len(name))
        return self._accept in current

    def _closure(self, numbers: list[int], at: int, length: int) -> dict[int, None]:
        """All states that are reached from these without another character."""
        found: dict[int, None] = {}
        waiting = list(numbers)
        while waiting:
            number = waiting.pop()
            if number in found:
                continue
            found[number] = None
            state = self._states[number]
            blocked = (state.anchor == "^" and at > 0) or (state.anchor == "$" and at < length)
            if state.test is None and not blocked:
                waiting += state.ways
        return found


class _Compiler:
    """Recursive descent: alternatives of sequences of repeated atoms."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._ignores_case = False
        self._states: list[_State] = []

    def compiled(self) -> Pattern:
        piece = self._alternatives()
        if self._at < len(self._text):
            raise BadPattern(f"unexpected {self._peek()!r} at {self._at}")
        accept = self._new(_State())
        self._join(piece, accept)
        return Pattern(self._states, piece.start, accept)

    # --- the machine -----------------------------------------------------------------------

    def _new(self, state: _State) -> int:
        if len(self._states) >= MAX_PATTERN_STATES:
            raise BadPattern("too large once its repetitions are written out")
        self._states.append(state)
        return len(self._states) - 1

    def _join(self, piece: _Piece, to: int) -> None:
        for number in piece.ends:
            self._states[number].ways.append(to)

    def _empty(self, anchor: str = "") -> _Piece:
        number = self._new(_State(anchor=anchor))
        return _Piece(number, [number])

    def _testing(self, test: Test) -> _Piece:
        number = self._new(_State(test))
        return _Piece(number, [number])

    # --- the grammar -----------------------------------------------------------------------

    def _peek(self) -> str:
        return self._text[self._at] if self._at < len(self._text) else ""

    def _take(self) -> str:
        char = self._peek()
        if not char:
            raise BadPattern("it ends too early")
        self._at += 1
        return char

    def _has(self, text: str) -> bool:
        if not self._text.startswith(text, self._at):
            return False
        self._at += len(text)
        return True

    def _alternatives(self) -> _Piece:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise BadPattern("groups within groups, too deep")
        branches = [self._sequence()]
        while self._has("|"):
            branches.append(self._sequence())
        self._depth -= 1
        if len(branches) == 1:
            return branches[0]
        split = self._new(_State(ways=[one.start for one in branches]))
        return _Piece(split, [end for one in branches for end in one.ends])

    def _sequence(self) -> _Piece:
        whole = self._empty()
        while self._peek() not in ("", "|", ")"):
            piece = self._repeated()
            self._join(whole, piece.start)
            whole = _Piece(whole.start, piece.ends)
        return whole

    def _repeated(self) -> _Piece:
        at = self._at
        piece = self._atom()
        after = self._at
        repeats = self._repeats()
        if repeats is None:
            return piece
        self._has("?")  # which of several matches is found does not matter here
        if self._peek() in ("*", "+", "?"):
            raise BadPattern(f"a repetition of a repetition at {self._at}")
        least, most = repeats
        resume = self._at
        parts = [piece] if least != 0 or most != 0 else []
        wanted = max(least, 1) if most is None else most
        while len(parts) < wanted:
            self._at = at
            parts.append(self._atom())
            if self._at != after:
                raise BadPattern("an atom cannot be read twice")
        self._at = resume
        return self._chained(parts, least, most)

    def _chained(self, parts: list[_Piece], least: int, most: int | None) -> _Piece:
        """One after the other; from the ``least``-th on it may be left."""
        whole = self._empty()
        leaving: list[int] = []
        for number, part in enumerate(parts):
            if number >= least:
                leaving += whole.ends
            self._join(whole, part.start)
            loop = self._empty()
            self._join(part, loop.start)
            whole = _Piece(whole.start, loop.ends)
            if most is None and number == len(parts) - 1:
                self._states[loop.start].ways.append(part.start)
        return _Piece(whole.start, whole.ends + leaving)

    def _repeats(self) -> tuple[int, int | None] | None:
        for sign, repeats in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._has(sign):
                return repeats
        if self._peek() != "{":
            return None
        end = self._text.find("}", self._at)
        low, comma, high = (
            self._text[self._at + 1 : end].partition(",") if end > 0 else ("", "", "")
        )
        if not low.isdecimal() or not (not high or high.isdecimal()):
            return None  # a brace that stands for itself
        self._at = end + 1
        least = int(low)
        most = (int(high) if high else None) if comma else least
        if max(least, most or 0) > MAX_PATTERN_REPEATS or (most is not None and most < least):
            raise BadPattern(f"{{{low}{comma}{high}}} is no range of repetitions")
        return least, most

    def _atom(self) -> _Piece:
        char = self._take()
        if char == "(":
            return self._group()
        if char == "[":
            return self._testing(self._char_class())
        if char == ".":
            return self._testing(lambda c: c != "\n")
        if char in "^$":
            return self._empty(char)
        if char == "\\":
            return self._escaped()
        if char in "*+?":
            raise BadPattern(f"nothing to repeat at {self._at - 1}")
        return self._testing(self._literal(char))

    def _group(self) -> _Piece:
        before = self._ignores_case
        if self._has("?i)"):
            self._ignores_case = True
            return self._empty()
        if self._has("?i:"):
            self._ignores_case = True
        elif self._has("?P<") or self._has("?<"):
            name, end, _ = self._text[self._at :].partition(">")
            if not end or not name.isidentifier():
                raise BadPattern("a group with a bad name")
            self._at += len(name) + 1
        elif not self._has("?:") and self._peek() == "?":
            raise BadPattern(f"an unknown kind of group at {self._at}")
        piece = self._alternatives()
        if not self._has(")"):
            raise BadPattern("a group is not closed")
        self._ignores_case = before
        return piece

    def _literal(self, char: str) -> Test:
        if self._ignores_case:
            lower = char.lower()
            return lambda c: c.lower() == lower
        return lambda c: c == char

    def _escaped(self) -> _Piece:
        char = self._take()
        if char == "A":
            return self._empty("^")
        if char == "z":
            return self._empty("$")
        if char == "Q":
            text, _, _ = self._text[self._at :].partition("\\E")
            self._at = min(self._at + len(text) + 2, len(self._text))
            whole = self._empty()
            for one in text:
                piece = self._testing(self._literal(one))
                self._join(whole, piece.start)
                whole = _Piece(whole.start, piece.ends)
            return whole
        return self._testing(self._escape(char))

    def _escape(self, char: str) -> Test:
        known = _CLASSES.get(char.lower())
        if known is not None:
            return known if char.islower() else lambda c: not known(c)
        if char in _ESCAPES:
            return self._literal(_ESCAPES[char])
        if char.isalnum():
            raise BadPattern(f"\\{char} means nothing here")
        return self._literal(char)

    def _char_class(self) -> Test:
        negated = self._has("^")
        tests: list[Test] = []
        while not (self._peek() == "]" and tests):
            if self._has("[:"):
                name, end, _ = self._text[self._at :].partition(":]")
                if not end or name not in _NAMED:
                    raise BadPattern("an unknown class of characters")
                self._at += len(name) + 2
                tests.append(_NAMED[name])
                continue
            tests.append(self._class_item())
        self._take()
        if negated:
            return lambda c: not any(test(c) for test in tests)
        return lambda c: any(test(c) for test in tests)

    def _class_item(self) -> Test:
        char = self._take()
        if char == "\\":
            char = self._take()
            if char.lower() in _CLASSES or (char not in _ESCAPES and char.isalnum()):
                return self._escape(char)
            char = _ESCAPES.get(char, char)
        if self._peek() != "-" or self._text[self._at + 1 : self._at + 2] in ("]", ""):
            return self._literal(char)
        self._take()
        last = self._take()
        if last == "\\":
            last = self._take()
        if last < char:
            raise BadPattern(f"{char}-{last} is no range")
        if self._ignores_case:
            return lambda c: any(char <= one <= last for one in (c.lower(), c.upper()))
        return lambda c: char <= c <= last


_MAX_DEPTH: Final = 50
