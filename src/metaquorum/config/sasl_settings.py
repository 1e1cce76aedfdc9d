"""What one listener offers to clients that authenticate: mechanisms, and the users of PLAIN.

Kafka's keys: ``sasl.enabled.mechanisms`` and ``listener.name.<name>.plain.sasl.jaas.config``, each
for one listener where it has the prefix ``listener.name.<name>.``. The users of SCRAM are not here
but in the metadata log. Passwords are never part of a message.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen

from metaquorum.base.clock import Millis
from metaquorum.config.jaas import parse_jaas
from metaquorum.config.key import BadValue

PLAIN: Final = "PLAIN"
MECHANISMS: Final = (PLAIN, "SCRAM-SHA-256", "SCRAM-SHA-512")
_PLAIN_MODULE: Final = "org.apache.kafka.common.security.plain.PlainLoginModule"
_SCRAM_MODULE: Final = "org.apache.kafka.common.security.scram.ScramLoginModule"
_USER: Final = "user_"


@frozen
class SaslSettings:
    """Of one listener; ``max_reauth_ms`` 0 means that nobody has to authenticate again."""

    mechanisms: tuple[str, ...]
    plain_users: Mapping[str, str] = field(factory=dict, repr=False)
    max_reauth_ms: Millis = 0
    failure_delay_ms: Millis = 100

    @classmethod
    def read(
        cls, given: Mapping[str, str], listener: str, max_reauth_ms: int, failure_delay_ms: int
    ) -> SaslSettings:
        """From the keys of the file; BadValue says what is missing or cannot be served."""
        prefix = f"listener.name.{listener.lower()}."
        key = prefix + "sasl.enabled.mechanisms"
        text = given.get(key, given.get("sasl.enabled.mechanisms"))
        if text is None:
            raise BadValue(
                f"sasl.enabled.mechanisms: listener {listener} needs it; Kafka's default GSSAPI is "
                f"not offered, {', '.join(MECHANISMS)} are"
            )
        named = tuple(dict.fromkeys(one.strip() for one in text.split(",") if one.strip()))
        unknown = [one for one in named if one not in MECHANISMS]
        if unknown or not named:
            raise BadValue(
                f"sasl.enabled.mechanisms: listener {listener} cannot offer "
                f"{', '.join(unknown) or 'nothing'}; {', '.join(MECHANISMS)} are offered"
            )
        users: Mapping[str, str] = {}
        if PLAIN in named:
            jaas = prefix + "plain.sasl.jaas.config"
            if jaas not in given:
                raise BadValue(f"{jaas}: PLAIN is enabled and needs the users that it holds")
            users = _plain_users(given[jaas], jaas)
        return cls(named, users, max(max_reauth_ms, 0), failure_delay_ms)


def login_module(mechanism: str) -> str:
    """The class of Kafka's that a JAAS entry names for a mechanism."""
    return _PLAIN_MODULE if mechanism == PLAIN else _SCRAM_MODULE


def jaas_options(text: str, key: str) -> tuple[str, dict[str, str]]:
    """The login module and the options of a JAAS text; BadValue shows none of it."""
    entry = parse_jaas(text, key)
    return entry.module, entry.options


def _plain_users(text: str, key: str) -> Mapping[str, str]:
    module, options = jaas_options(text, key)
    if module != _PLAIN_MODULE:
        raise BadValue(f"{key}: the login module {module} is not known, {_PLAIN_MODULE} is")
    return {
        name.removeprefix(_USER): password
        for name, password in options.items()
        if name.startswith(_USER)
    }
