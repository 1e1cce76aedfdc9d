"""What DescribeConfigs tells of brokers: each key's value and all the places it could come from.

The log's ConfigRecords come first (of this node, then of all), then the node's own file, then
Kafka's default. Values of a type that nobody knows may be secrets and are never shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, Protocol

from metaquorum.config.dynamic_keys import DYNAMIC_KEYS, can_be_set, key_behind, names_in_turn
from metaquorum.config.key import REQUIRED, BadValue, Key, Type
from metaquorum.config.keys import known_keys
from metaquorum.config.node_config import NodeConfig
from metaquorum.wire.generated.describe_configs_response import (
    DescribeConfigsResourceResult,
    DescribeConfigsSynonym,
)

BROKER: Final = 4
EVERY_BROKER: Final = ""

FROM_RECORD_OF_NODE: Final = 2
FROM_RECORD_OF_ALL: Final = 3
FROM_FILE: Final = 4
FROM_DEFAULT: Final = 5

_UNKNOWN_TYPE: Final = 0
# One of them in the file stands for both.
_NAMES_OF_ID: Final = ("node.id", "broker.id")


Layers = Mapping[int, Mapping[str, str]]


class Configs(Protocol):
    """The configs table of the committed state."""

    def get(self, key: tuple[int, str], /) -> Mapping[str, str] | None:
        """The settings of a resource."""


def of_all(configs: Configs) -> Iterator[DescribeConfigsResourceResult]:
    """What the log sets for every broker; values as they stand there."""
    for name, text in _in_force(configs, EVERY_BROKER).items():
        synonym = DescribeConfigsSynonym(name, text, FROM_RECORD_OF_ALL)
        yield _row(name, text, FROM_RECORD_OF_ALL, [synonym])


def of_node(
    node_id: int, config: NodeConfig, configs: Configs
) -> Iterator[DescribeConfigsResourceResult]:
    """Every key of Kafka's and of this server's, and all others that are set somewhere."""
    layers = layers_of(node_id, config, configs)
    known = (name for name in known_keys() if key_behind(name) is not None)
    for name in dict.fromkeys(chain(known, *layers.values())):
        key = key_behind(name)
        if key is not None and key.internal:
            continue
        text = next((layer[name] for layer in layers.values() if name in layer), _default(name))
        if text is None:
            yield _row(name, None, FROM_DEFAULT, [])
            continue
        synonyms = list(synonyms_of(name, layers))
        yield _row(name, plain(text, key), synonyms[0].source, synonyms)


def layers_of(node_id: int, config: NodeConfig, configs: Configs) -> Layers:
    """Where a node's settings come from, first the place that counts."""
    return {
        FROM_RECORD_OF_NODE: _in_force(configs, str(node_id)),
        FROM_RECORD_OF_ALL: _in_force(configs, EVERY_BROKER),
        FROM_FILE: {**dict.fromkeys(_NAMES_OF_ID, str(node_id)), **config.given},
    }


def _in_force(configs: Configs, resource: str) -> dict[str, str]:
    settings = configs.get((BROKER, resource)) or {}
    one_node = resource != EVERY_BROKER
    return {
        name: text for name, text in settings.items() if can_be_set(name, text, one_node=one_node)
    }


def synonyms_of(name: str, layers: Layers) -> Iterator[DescribeConfigsSynonym]:
    """Every place that has a value for a key of nodes, and Kafka's default."""
    names = names_in_turn(name)
    for source, layer in layers.items():
        for other in names:
            if other in layer:
                yield DescribeConfigsSynonym(other, layer[other], source)
    for other in names:
        default = _default(other)
        if default is not None:
            yield DescribeConfigsSynonym(other, default, FROM_DEFAULT)


def _default(name: str) -> str | None:
    key = known_keys().get(name)
    return None if key is None or key.default == REQUIRED else key.default


def _row(
    name: str, text: str | None, source: int, synonyms: Iterable[DescribeConfigsSynonym]
) -> DescribeConfigsResourceResult:
    key = key_behind(name)
    secret = key is None or key.type is Type.PASSWORD
    if secret:
        synonyms = [DescribeConfigsSynonym(one.name, None, one.source) for one in synonyms]
    return DescribeConfigsResourceResult(
        name=name,
        value=None if secret else text,
        read_only=name not in DYNAMIC_KEYS,
        config_source=source,
        is_sensitive=secret,
        synonyms=list(synonyms),
        config_type=_UNKNOWN_TYPE if key is None else key.type.value,
        documentation=None,
    )


def plain(text: str, key: Key | None) -> str:
    """The value as Kafka prints it once it has read it."""
    if key is None:
        return text
    try:
        value = key.parse(text)
    except BadValue:
        return text
    if isinstance(value, tuple):
        # An element named twice counts once in lists whose elements Kafka checks.
        return ",".join(dict.fromkeys(value) if key.choices else value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else text.strip()
