"""Releases and feature levels: the table is Kafka's, the words are ours."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.cli.releases import (
    Release,
    dependency_lines,
    feature_levels,
    parse_feature,
    parse_release,
)


@pytest.mark.parametrize(
    ("text", "level"),
    [("4.3-IV0", 30), ("4.3", 30), ("4.0", 25), ("4.0-IV0", 22), ("3.3", 7), ("4.4", 33)],
)
def test_a_release_is_named_by_level_or_by_its_last_one(text: str, level: int) -> None:
    assert parse_release(text).level == level


@pytest.mark.parametrize(
    ("text", "level"),
    [("4.1.1", 27), ("4.3.1", 30), ("3.7.1-IV2", 19), ("4.3.0-SNAPSHOT", 30), ("4.4.0", 33)],
)
def test_only_the_first_two_numbers_of_a_release_count(text: str, level: int) -> None:
    assert parse_release(text).level == level


@pytest.mark.parametrize(
    "text", ["3.2-IV0", "9.9", "", "4.5-IV0", "4", "4.5.0", "4.3.", "4.3-SNAPSHOT", "3.2.1"]
)
def test_an_unknown_release_is_refused_with_all_that_are_known(text: str) -> None:
    with pytest.raises(OperatorError, match=r"one of 3\.3-IV3, .*, 4\.4-IV2"):
        parse_release(text)


# What Kafka 4.4.0 prints for `version-mapping` of each release.
@pytest.mark.parametrize(
    ("release", "levels"),
    [
        ("3.8-IV0", (0, 0, 0, 0, 0, 0)),
        ("3.9-IV0", (1, 0, 0, 0, 0, 0)),
        ("4.0-IV1", (1, 0, 1, 0, 0, 0)),
        ("4.0-IV3", (1, 2, 1, 0, 0, 0)),
        ("4.1-IV0", (1, 2, 1, 1, 0, 0)),
        ("4.2-IV0", (1, 2, 1, 1, 1, 0)),
        ("4.3-IV0", (1, 2, 1, 1, 1, 1)),
        ("4.4-IV0", (1, 2, 1, 1, 2, 1)),
        ("4.4-IV2", (1, 2, 1, 1, 2, 1)),
    ],
)
def test_the_default_levels_of_a_release_are_kafkas(release: str, levels: tuple[int, ...]) -> None:
    names = (
        "kraft.version",
        "transaction.version",
        "group.version",
        "eligible.leader.replicas.version",
        "share.version",
        "streams.version",
    )
    found = feature_levels(parse_release(release), {})
    assert tuple(found[name] for name in names) == levels


def test_metadata_version_comes_first_and_the_others_by_name() -> None:
    names = list(feature_levels(Release(30), {}))
    assert names[0] == "metadata.version"
    assert names[1:] == sorted(names[1:])


def test_an_asked_level_takes_the_place_of_the_default() -> None:
    assert feature_levels(Release(30), {"group.version": 0})["group.version"] == 0


@pytest.mark.parametrize(
    ("release", "asked", "told"),
    [
        (30, {"nosuch": 1}, "'nosuch' is no feature"),
        (30, {"group.version": 9}, "group.version has no level 9; it must be from 0 to 1"),
        (
            22,
            {"eligible.leader.replicas.version": 1},
            r"needs metadata.version of at least 23 \(4.0-IV1\), and it would be 22",
        ),
    ],
)
def test_levels_that_cannot_be_are_refused(release: int, asked: dict[str, int], told: str) -> None:
    with pytest.raises(OperatorError, match=told):
        feature_levels(Release(release), asked)


def test_a_feature_is_a_name_and_a_level() -> None:
    assert parse_feature("group.version=1") == ("group.version", 1)
    assert parse_feature(" group.version = 1 ") == ("group.version", 1)
    for text in ("group.version", "=1", "group.version=x", "group.version=-1", "a=40000"):
        with pytest.raises(OperatorError, match="FEATURE=LEVEL"):
            parse_feature(text)


def test_dependencies_are_shown_as_kafka_shows_them() -> None:
    assert dependency_lines("eligible.leader.replicas.version", 1) == [
        "eligible.leader.replicas.version=1 requires:",
        "    metadata.version=23 (4.0-IV1)",
    ]
    assert dependency_lines("kraft.version", 1) == ["kraft.version=1 has no dependencies."]
    assert dependency_lines("metadata.version", 20) == [
        "metadata.version=20 (3.8-IV0) has no dependencies."
    ]


@pytest.mark.parametrize(
    ("feature", "level"), [("nosuch", 1), ("group.version", 7), ("metadata.version", 99)]
)
def test_dependencies_of_the_unknown_are_refused(feature: str, level: int) -> None:
    with pytest.raises(OperatorError):
        dependency_lines(feature, level)
