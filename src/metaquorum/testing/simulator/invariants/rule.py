"""A rule: its name, where it is written, and what it says in our words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from attrs import frozen

Check = TypeVar("Check", bound=Callable[..., None])


class Violation(BaseException):
    """A state that must not be; ``rule`` is the name of what broke.

    No Exception: a node catches those that one request or one step raises.
    """

    def __init__(self, rule: str, what: str) -> None:
        super().__init__(f"{rule}: {what}")
        self.rule = rule


@frozen
class Rule:
    """One invariant. ``kind`` is correctness, liveness or crash, as the exit code tells them."""

    name: str
    source: str
    sentence: str
    kind: str = "correctness"


RULES: dict[str, Rule] = {}


def rule(source: str, sentence: str, kind: str = "correctness") -> Callable[[Check], Check]:
    """Enter a check into the table; its name is the function's, read as words."""

    def enter(check: Check) -> Check:
        name = _words(check)
        RULES[name] = Rule(name, source, sentence, kind)
        return check

    return enter


def broken(check: Callable[..., None], what: str) -> NoReturn:
    """Raise the violation of a rule."""
    raise Violation(_words(check), what)


def _words(check: Any) -> str:
    return str(check.__name__).replace("_", " ")
