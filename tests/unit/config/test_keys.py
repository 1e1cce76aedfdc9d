"""Keys: Kafka's types, bounds and defaults, and what is said about unknown ones."""

from __future__ import annotations

import pytest

from metaquorum.config.key import BadValue
from metaquorum.config.keys import known_keys, warnings_for


def test_every_default_satisfies_its_own_key() -> None:
    for key in known_keys().values():
        key.default_value()


def test_the_keys_are_sorted_and_each_is_told_once() -> None:
    names = list(known_keys())
    assert names == sorted(set(names))


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("controller.quorum.election.timeout.ms", 1000),
        ("controller.quorum.fetch.timeout.ms", 2000),
        ("controller.quorum.append.linger.ms", 25),
        ("controller.quorum.fetch.max.bytes", 1_048_576),
        ("metadata.log.max.record.bytes.between.snapshots", 20_971_520),
        ("metadata.max.idle.interval.ms", 500),
        ("socket.request.max.bytes", 104_857_600),
        ("group.consumer.assignors", ("uniform", "range")),
        ("log.cleaner.io.max.bytes.per.second", 1.7976931348623157e308),
        ("delete.topic.enable", True),
        ("log.dirs", None),
    ],
)
def test_defaults_are_kafkas(name: str, default: object) -> None:
    assert known_keys()[name].default_value() == default


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("node.id", " 7 ", 7),
        ("node.id", "+7", 7),
        ("delete.topic.enable", "FALSE", False),
        ("log.dirs", "/a , /b", ("/a", "/b")),
        ("log.dirs", "", ()),
        ("compression.gzip.level", "-1", -1),
        ("group.consumer.migration.policy", "Upgrade", "Upgrade"),
        ("log.cleaner.min.cleanable.ratio", "0.25", 0.25),
    ],
)
def test_texts_become_values(name: str, text: str, value: object) -> None:
    assert known_keys()[name].parse(text) == value


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("node.id", "x", "'x' is not a number; it must be a whole number from 0 to 2147483647"),
        ("node.id", "1_0", "'1_0' is not a number"),
        ("node.id", "", "'' is not a number"),
        ("node.id", "2147483648", "2147483648 is out of bounds"),
        ("node.id", "-1", "from 0 to 2147483647"),
        ("delete.topic.enable", "yes", "'yes' is neither true nor false"),
        ("process.roles", "broker,boss", "'boss' is not known"),
        ("metadata.log.segment.bytes", "4096", "from 8388608 to 2147483647"),
        ("compression.gzip.level", "0", "from 1 to 9, or -1"),
        ("log.message.timestamp.type", "createtime", "one of CreateTime, LogAppendTime"),
        ("log.cleaner.min.cleanable.ratio", "1.5", "from 0 to 1"),
        ("log.cleaner.min.cleanable.ratio", "nan", "out of bounds"),
    ],
)
def test_a_bad_value_tells_what_would_be_right(name: str, text: str, told: str) -> None:
    with pytest.raises(BadValue) as caught:
        known_keys()[name].parse(text)
    assert told in str(caught.value)


def test_a_misspelt_key_is_told_with_the_nearest_known_one() -> None:
    told = warnings_for(("controller.quorum.fetch.timout.ms",))
    assert told == [
        "controller.quorum.fetch.timout.ms is not a known key and has no effect; "
        "did you mean controller.quorum.fetch.timeout.ms?"
    ]


def test_a_key_like_no_other_is_told_without_a_guess() -> None:
    assert warnings_for(("colour",)) == ["colour is not a known key and has no effect"]


@pytest.mark.parametrize("name", ["zookeeper.connect", "zookeeper.session.timeout.ms"])
def test_a_key_of_the_past_is_told_with_its_reason(name: str) -> None:
    assert warnings_for((name,)) == [
        f"{name} has no effect any more: ZooKeeper mode ended with Kafka 4.0"
    ]


def test_known_keys_and_open_families_are_passed_over_in_silence() -> None:
    assert warnings_for(("node.id", "listener.name.controller.ssl.keystore.location")) == []
