"""The keys that are known: what a controller reads, what only a broker reads, and our own.

A key of a broker is known and checked, and of no effect here. A key that nobody knows warns.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from metaquorum.config.broker_keys import BROKER_KEYS
from metaquorum.config.key import Key
from metaquorum.config.node_keys import NODE_KEYS, OWN_KEYS

_PREFIXES = (
    "listener.name.",
    "rlmm.config.",
    "rsm.config.",
    "metrics.context.",
    "config.providers.",
)

# Keys that older releases knew, with the reason why they do nothing any more.
RETIRED: dict[str, str] = {
    "advertised.host.name": "use advertised.listeners",
    "advertised.port": "use advertised.listeners",
    "broker.id.generation.enable": "ids are never generated in KRaft; set node.id",
    "control.plane.listener.name": "it belonged to ZooKeeper mode; use controller.listener.names",
    "delegation.token.master.key": "use delegation.token.secret.key",
    "host.name": "use listeners",
    "inter.broker.protocol.version": "the finalized metadata.version took its place",
    "log.cleaner.io.buffer.load.factor.ratio": "use log.cleaner.io.buffer.load.factor",
    "log.message.downconversion.enable": "older record formats are gone",
    "log.message.format.version": "older record formats are gone",
    "metadata.log.segment.min.bytes": "use internal.metadata.log.segment.bytes",
    "password.encoder.secret": "it belonged to ZooKeeper mode",
    "port": "use listeners",
    "reserved.broker.max.id": "ids are never generated in KRaft; set node.id",
    "zookeeper.connect": "ZooKeeper mode ended with Kafka 4.0",
    "zookeeper.metadata.migration.enable": "ZooKeeper mode ended with Kafka 4.0",
}


@cache
def known_keys() -> dict[str, Key]:
    """Every key that has a meaning, ours and Kafka's, by name and sorted by it."""
    return {key.name: key for key in sorted((*NODE_KEYS, *BROKER_KEYS, *OWN_KEYS), key=_name)}


def is_prefixed(name: str) -> bool:
    """Whether the key belongs to one of Kafka's open families (``listener.name.x.y``)."""
    return name.startswith(_PREFIXES)


def warnings_for(names: Iterator[str] | tuple[str, ...]) -> list[str]:
    """One sentence for each of these keys that does nothing here because nobody knows it."""
    return [text for name in names if (text := _warning(name)) is not None]


def _warning(name: str) -> str | None:
    if name in known_keys() or is_prefixed(name):
        return None
    if name in RETIRED or name.startswith(("zookeeper.", "password.encoder.")):
        reason = RETIRED.get(name, "ZooKeeper mode ended with Kafka 4.0")
        return f"{name} has no effect any more: {reason}"
    from difflib import get_close_matches

    close = get_close_matches(name, known_keys(), n=1, cutoff=0.8)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"{name} is not a known key and has no effect{hint}"


def _name(key: Key) -> str:
    return key.name
