"""Answers that the same bytes always get, until the cluster's features change.

ApiVersions is asked first on every connection, by every client of a kind in the same bytes, and its
answer depends on nothing but them and the features. It is made once and then found by its question,
without decoding it.
"""

from __future__ import annotations

from typing import Final

from attrs import define, field

_KNOWN_AT_MOST: Final = 64  # kinds of clients times versions
_LONGEST_QUESTION_BYTES: Final = 256


@define(eq=False)
class KnownAnswers:
    """By question with its size, correlation id left out: the features it was answered with, and
    the answer before and after that id."""

    _known: dict[bytes, tuple[object, bytes, bytes]] = field(factory=dict)

    def __len__(self) -> int:
        return len(self._known)

    def find(self, framed: bytes, features: object) -> bytes | None:
        """The whole answer to a whole frame, size and all, if it is known with these features."""
        found = self._known.get(framed[:8] + framed[12:])
        if found is None or found[0] is not features:
            return None
        return found[1] + framed[8:12] + found[2]

    def keep(self, frame: bytes, features: object, answer: bytes) -> None:
        """Keep a whole answer for the next one who asks the same; ``frame`` is without its size."""
        if len(frame) > _LONGEST_QUESTION_BYTES:
            return
        if len(self._known) >= _KNOWN_AT_MOST:
            self._known.clear()
        question = len(frame).to_bytes(4, "big") + frame[:4] + frame[8:]
        self._known[question] = features, answer[:4], answer[8:]
