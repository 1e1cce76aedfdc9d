"""The coordinator's settings from the operator's keys."""

from __future__ import annotations

import pytest

from metaquorum.base.limits import MAX_GROUP_MEMBERS
from metaquorum.config.key import BadValue
from metaquorum.config.keys import known_keys
from metaquorum.groups.config import GroupConfig


def test_what_nobody_sets_is_kafkas_default() -> None:
    assert GroupConfig.read(lambda name: known_keys()[name].default) == GroupConfig()


def test_keys_set_what_they_say() -> None:
    given = {"group.initial.rebalance.delay.ms": "0", "offsets.retention.minutes": "3"}
    config = GroupConfig.read(lambda name: given.get(name, known_keys()[name].default))
    assert (config.initial_rebalance_delay_ms, config.offsets_retention_ms) == (0, 180_000)
    assert config.max_size == MAX_GROUP_MEMBERS


def test_what_is_no_number_is_named() -> None:
    with pytest.raises(BadValue, match=r"group\.max\.size"):
        GroupConfig.read(lambda name: "many" if name == "group.max.size" else "1")
