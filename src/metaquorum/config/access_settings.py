"""What the operator says about access: the authoriser and who is above all its rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import frozen

from metaquorum.config.key import BadValue

STANDARD_AUTHORISER: Final = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
_BETWEEN_SUPER_USERS: Final = ";"


@frozen
class AccessSettings:
    """Of Kafka's standard authoriser; principals are texts such as ``User:alice``."""

    super_users: frozenset[str] = frozenset()
    allow_without_rules: bool = False

    @classmethod
    def read(cls, text_of: Callable[[str], str | None]) -> AccessSettings | None:
        """From the texts of the keys; None without an authoriser, BadValue for another one."""
        name = text_of("authorizer.class.name")
        if not name:
            return None
        if name != STANDARD_AUTHORISER:
            raise BadValue(
                f"authorizer.class.name: {name} is not known here; it must be "
                f"{STANDARD_AUTHORISER}, or be left out, and then everybody may do everything"
            )
        setting = text_of("allow.everyone.if.no.acl.found") or "false"
        return cls(_super_users(text_of("super.users") or ""), setting.strip().lower() == "true")


def _super_users(text: str) -> frozenset[str]:
    named = [one.strip() for one in text.split(_BETWEEN_SUPER_USERS)]
    users = [one for one in named if one]
    for user in users:
        if ":" not in user:
            raise BadValue(f"super.users: {user!r} is no principal; User:{user} would be one")
    return frozenset(users)
