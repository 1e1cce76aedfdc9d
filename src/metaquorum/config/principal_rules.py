r"""``ssl.principal.mapping.rules``: what a client is called that shows a certificate (KIP-371).

``RULE:PATTERN/REPLACEMENT/`` with ``L`` or ``U`` behind it for lower or upper case, or ``DEFAULT``;
separated by commas. The first rule whose pattern fits the whole distinguished name decides. ``$1``
stands for the pattern's first group, a backslash before a character for that character.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from metaquorum.config.key import BadValue

_NAME: Final = "ssl.principal.mapping.rules"
_RULE = re.compile(r"RULE:((?:\\.|[^\\/])*)/((?:\\.|[^\\/])*)/([LU]?)", re.DOTALL)
_REFERENCE = re.compile(r"\\(.)|\$(\d)", re.DOTALL)
_BETWEEN = re.compile(r"\s*,\s*|\s*\n\s*")
DEFAULT: Final = "DEFAULT"


class NoRuleFits(Exception):
    """No rule speaks of a name."""


@frozen
class Rule:
    """One rule; without a pattern it leaves names as they are."""

    pattern: re.Pattern[str] | None = None
    replacement: str = ""
    case: str = ""

    def applied(self, name: str) -> str | None:
        """What becomes of a name, None if the rule does not fit it."""
        if self.pattern is None:
            return name
        if self.pattern.fullmatch(name) is None:
            return None
        made = self.pattern.sub(self._replaced, name)
        return {"L": made.lower(), "U": made.upper()}.get(self.case, made)

    def _replaced(self, found: re.Match[str]) -> str:
        def piece(one: re.Match[str]) -> str:
            return one[1] if one[1] is not None else found[int(one[2])] or ""

        return _REFERENCE.sub(piece, self.replacement)


@frozen
class PrincipalRules:
    """All rules in their order; without any, names stay as they are."""

    rules: tuple[Rule, ...] = (Rule(),)

    @classmethod
    def read(cls, text: str) -> PrincipalRules:
        """From the text of the key; BadValue shows what is no rule."""
        rules: list[Rule] = []
        text, at = text.strip(), 0
        while True:
            rule, at = _rule(text, at)
            rules.append(rule)
            if at == len(text):
                return cls(tuple(rules))
            between = _BETWEEN.match(text, at)
            if between is None or between.end() == len(text):
                raise BadValue(f"{_NAME}: {text[at:]!r} comes after a rule, which a comma has to")
            at = between.end()

    def applied(self, name: str) -> str:
        """The name of a principal from a certificate's; NoRuleFits without one."""
        for rule in self.rules:
            made = rule.applied(name)
            if made is not None:
                return made
        raise NoRuleFits(name)


def _rule(text: str, at: int) -> tuple[Rule, int]:
    if text.startswith(DEFAULT, at):
        return Rule(), at + len(DEFAULT)
    found = _RULE.match(text, at)
    if found is None:
        raise BadValue(f"{_NAME}: {text[at:]!r} is neither DEFAULT nor RULE:PATTERN/REPLACEMENT/")
    try:
        pattern = re.compile(found[1].replace("\\/", "/"))
    except re.error as error:
        raise BadValue(f"{_NAME}: {found[1]!r} is no pattern: {error}") from None
    groups = [int(one[2]) for one in _REFERENCE.finditer(found[2]) if one[2] is not None]
    if max(groups, default=0) > pattern.groups:
        raise BadValue(f"{_NAME}: {found[2]!r} speaks of a group that {found[1]!r} does not have")
    return Rule(pattern, found[2], found[3]), found.end()
