"""What DescribeConfigs tells of topics, groups and client metrics subscriptions.

A topic's own value comes first, then what the log and this node's file say for brokers, then
Kafka's default; a group's likewise. Values are shown as they were understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import dropwhile
from typing import Final

from metaquorum.config.client_metrics_keys import CLIENT_METRICS_KEYS
from metaquorum.config.group_keys import GROUP_KEYS
from metaquorum.config.key import Key
from metaquorum.config.topic_keys import SYNONYMS, TOPIC_KEYS
from metaquorum.server.contract.node_settings import FROM_DEFAULT, Layers, plain, synonyms_of
from metaquorum.wire.generated.describe_configs_response import (
    DescribeConfigsResourceResult,
    DescribeConfigsSynonym,
)

FROM_TOPIC: Final = 1
FROM_CLIENT_METRICS: Final = 7
FROM_GROUP: Final = 8

_UNKNOWN_TYPE: Final = 0

Settings = Mapping[str, str]


def of_topic(settings: Settings, layers: Layers) -> Iterator[DescribeConfigsResourceResult]:
    """Every setting of a topic that has these itself; ``layers`` are those of this node."""
    for name, key in sorted(TOPIC_KEYS.items()):
        own = settings.get(name)
        if own is None and key.internal:
            continue
        synonyms: list[DescribeConfigsSynonym] = []
        value = key.default
        for number, synonym in enumerate(SYNONYMS[name]):
            if number == 0:
                synonyms = _led_by(synonym.key, layers)
            found = next((one[synonym.key] for one in layers.values() if synonym.key in one), None)
            if found is not None:
                value = synonym.for_topic(plain(found, key))
                break
        if own is not None:
            value = plain(own, key)
            synonyms.insert(0, DescribeConfigsSynonym(name, value, FROM_TOPIC))
        yield _row(name, key, value, synonyms)
    yield from _unknown(settings, TOPIC_KEYS, FROM_TOPIC)


def of_group(settings: Settings, layers: Layers) -> Iterator[DescribeConfigsResourceResult]:
    """Every setting of a group that has these itself."""
    for name, known in sorted(GROUP_KEYS.items()):
        own, key, value = settings.get(name), known.key, known.key.default
        synonyms = _led_by(known.follows, layers)
        if synonyms:
            value = plain(synonyms[0].value or "", key)
        elif value is not None:
            synonyms = [DescribeConfigsSynonym(name, value, FROM_DEFAULT)]
        if own is not None:
            value = plain(own, key)
            synonyms.insert(0, DescribeConfigsSynonym(name, value, FROM_GROUP))
        yield _row(name, key, value, synonyms)
    yield from _unknown(settings, GROUP_KEYS, FROM_GROUP)


def of_client_metrics(settings: Settings) -> Iterator[DescribeConfigsResourceResult]:
    """Every setting of a subscription that has these itself; a name without any has defaults."""
    for name, key in sorted(CLIENT_METRICS_KEYS.items()):
        own = settings.get(name)
        if own is None:
            yield _row(name, key, key.default, [])
        else:
            value = plain(own, key)
            yield _row(name, key, value, [DescribeConfigsSynonym(name, value, FROM_CLIENT_METRICS)])
    yield from _unknown(settings, CLIENT_METRICS_KEYS, FROM_CLIENT_METRICS)


def _led_by(name: str, layers: Layers) -> list[DescribeConfigsSynonym]:
    """The places of a broker's key, from the first on that has the key's very name.

    Before it may only be keys that stand in for it, and Kafka does not show those alone.
    """
    return list(dropwhile(lambda one: one.name != name, synonyms_of(name, layers)))


def _row(
    name: str, key: Key, value: str | None, synonyms: list[DescribeConfigsSynonym]
) -> DescribeConfigsResourceResult:
    return DescribeConfigsResourceResult(
        name=name,
        value=value,
        config_source=synonyms[0].source if synonyms else FROM_DEFAULT,
        synonyms=synonyms,
        config_type=key.type.value,
        documentation=None,
    )


def _unknown(
    settings: Settings, known: Iterable[str], source: int
) -> Iterator[DescribeConfigsResourceResult]:
    """Settings of another release of Kafka's: one of a type that nobody knows may be a secret."""
    for name in sorted(settings.keys() - set(known)):
        yield DescribeConfigsResourceResult(
            name=name,
            value=None,
            config_source=source,
            is_sensitive=True,
            synonyms=[DescribeConfigsSynonym(name, None, source)],
            config_type=_UNKNOWN_TYPE,
            documentation=None,
        )
