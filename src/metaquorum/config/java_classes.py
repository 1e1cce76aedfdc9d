"""Java classes that decide who somebody is or what is allowed, which no node of ours can load.

A controller of Kafka with such a class refuses what a node without it would allow. So a file that
names one is refused, as one with another authorizer is, and not served without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LISTENER_PREFIX: Final = "listener.name."
_WITHOUT: Final = {
    "alter.config.policy.class.name": "every change of settings would be allowed",
    "client.quota.callback.class": "other quotas would hold",
    "create.topic.policy.class.name": "every topic would be allowed",
    "principal.builder.class": "clients would have other principals",
    "sasl.server.callback.handler.class": "logins would be checked by another rule",
    "ssl.engine.factory.class": "certificates would be checked by another rule",
}
_BUILT_IN: Final = {
    "principal.builder.class": (
        "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder"
    )
}


def problems(given: Mapping[str, str]) -> list[str]:
    """One sentence for each key that names such a class, for all listeners or for one of them."""
    found = []
    for name, text in given.items():
        key = next((one for one in _WITHOUT if _is(name, one)), None)
        value = text.strip()
        if key is None or not value or value == _BUILT_IN.get(key):
            continue
        found.append(
            f"{name}: {value} is a Java class, which a node of this server cannot load; "
            f"without it {_WITHOUT[key]}"
        )
    return found


def _is(name: str, key: str) -> bool:
    return name == key or (name.startswith(LISTENER_PREFIX) and name.endswith(f".{key}"))
