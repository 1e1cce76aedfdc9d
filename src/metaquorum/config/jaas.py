"""JAAS text: a login module and its options, as Kafka's ``sasl.jaas.config`` keys hold it.

Kafka cuts the text into tokens with Java's ``StreamTokenizer``: words, quoted texts with C's
escapes, numbers, single signs; ``/``, ``//`` and ``/* */`` begin comments. An entry is
``MODULE FLAG NAME=VALUE ... ;`` without a need for blanks. Nothing of the text is part of a
message, since passwords are in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import define, frozen

from metaquorum.config.key import BadValue

FLAGS: Final = ("required", "requisite", "sufficient", "optional")

_DIGITS: Final = frozenset("0123456789")
_OCTAL: Final = frozenset("01234567")
_IN_NUMBERS: Final = frozenset("0123456789.-")
_LINE_ENDS: Final = ("\n", "\r", "")
_ESCAPES: Final = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_AFTER_THE_END: Final = "\uffff"  # what Java makes of a backslash before the end of the text


@frozen
class JaasEntry:
    """A login module with its options."""

    module: str
    options: dict[str, str]


@frozen
class _Token:
    """``text`` is None for numbers and single signs, of which only ``sign`` matters."""

    text: str | None = None
    sign: str = ""


def parse_jaas(text: str, key: str) -> JaasEntry:
    """The only entry of a JAAS text; BadValue names ``key`` and says what is wrong."""
    tokens = iter(_Tokenizer(text))
    entries: list[JaasEntry] = []
    for first in tokens:
        entries.append(_entry(first, tokens, key))
    if not entries:
        raise BadValue(f"{key}: it names no login module")
    if len(entries) > 1:
        raise BadValue(f"{key}: it names {len(entries)} login modules, and one is needed")
    return entries[0]


def _entry(first: _Token, tokens: Iterator[_Token], key: str) -> JaasEntry:
    flag = next(tokens, _Token()).text
    if flag is None or flag.lower() not in FLAGS:
        raise BadValue(f"{key}: after the login module comes {', '.join(FLAGS[:-1])} or optional")
    options: dict[str, str] = {}
    for token in tokens:
        if token.sign == ";":
            if not first.text:
                raise BadValue(f"{key}: it does not begin with a login module")
            return JaasEntry(first.text, options)
        value = next(tokens, _Token()).text if next(tokens, _Token()).sign == "=" else None
        if value is None:
            raise BadValue(
                f'{key}: it is not NAME="VALUE" ... with a semicolon at its end (a value that '
                "begins with a digit or has other signs than letters, digits, . _ $ - is quoted)"
            )
        if token.text is not None:
            options[token.text] = value
    raise BadValue(f'{key}: there is no semicolon at the end of NAME="VALUE" ...')


@define
class _Tokenizer:
    """Tokens one after another, by the rules of ``java.io.StreamTokenizer``."""

    _text: str
    _at: int = 0

    def __iter__(self) -> Iterator[_Token]:
        while self._skip_blanks_and_comments():
            sign = self._peek()
            if sign in _IN_NUMBERS:
                yield self._number()
            elif sign in "\"'":
                yield self._quoted()
            elif _in_words(sign):
                yield self._word()
            else:
                self._at += 1
                yield _Token(sign=sign)

    def _peek(self, ahead: int = 0) -> str:
        return self._text[self._at + ahead : self._at + ahead + 1]

    def _skip_blanks_and_comments(self) -> bool:
        """Whether anything follows."""
        while sign := self._peek():
            if sign == "/" and self._peek(1) == "*":
                end = self._text.find("*/", self._at + 2)
                self._at = len(self._text) if end < 0 else end + 2
            elif sign == "/":
                self._at += 2  # a comment takes its second sign unseen, even an end of line
                while self._peek() not in _LINE_ENDS:
                    self._at += 1
            elif sign <= " ":
                self._at += 1
            else:
                return True
        return False

    def _number(self) -> _Token:
        if self._peek() == "-":
            self._at += 1
            if self._peek() != "." and self._peek() not in _DIGITS:
                return _Token(sign="-")
        has_point = False
        while (sign := self._peek()) in _DIGITS or (sign == "." and not has_point):
            has_point |= sign == "."
            self._at += 1
        return _Token()

    def _word(self) -> _Token:
        start = self._at
        while (sign := self._peek()) and (sign in _IN_NUMBERS or _in_words(sign)):
            self._at += 1
        return _Token(self._text[start : self._at])

    def _quoted(self) -> _Token:
        """A quoted text ends with its quote, with the line, or with the whole text."""
        quote = self._peek()
        self._at += 1
        said: list[str] = []
        while (sign := self._peek()) not in _LINE_ENDS and sign != quote:
            self._at += 1
            said.append(self._escaped() if sign == "\\" else sign)
        if sign == quote:
            self._at += 1
        return _Token("".join(said))

    def _escaped(self) -> str:
        sign = self._peek()
        if sign in _OCTAL:
            most = 3 if sign <= "3" else 2
            end = self._at + 1
            while end < self._at + most and self._text[end : end + 1] in _OCTAL:
                end += 1
            digits, self._at = self._text[self._at : end], end
            return chr(int(digits, 8))
        if not sign:
            return _AFTER_THE_END
        self._at += 1
        return _ESCAPES.get(sign, sign)


def _in_words(sign: str) -> bool:
    return (sign.isascii() and (sign.isalpha() or sign in "-_$")) or sign >= "\xa0"
