"""What registrations tell of the partition of groups, and who may name its first voters."""

from __future__ import annotations

from typing import Any

from metaquorum.metadata.groups_feature import (
    ABLE,
    FEATURE,
    KEEPS,
    all_are_ours,
    first_voters,
    keeping_first_voters,
    level_of,
    may_found,
    named_voters,
    registered_with,
)
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.nodes import Controller, FeatureRange
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated.records import register_controller_record as record_form

VOTERS = ((1, b"\x01" * 16), (2, b"\x02" * 16))


def controller(node_id: int) -> Controller:
    """A registration that says nothing of groups, as a Kafka controller's."""
    features = (FeatureRange("metadata.version", 7, 30),)
    return Controller(node_id, bytes([node_id]) * 16, False, (), features)


def view_of(*controllers: Controller) -> Any:
    """The live state after these registrations."""
    state = MetadataState()
    for offset, one in enumerate(controllers):
        record = record_form.RegisterControllerRecord(
            controller_id=one.controller_id,
            incarnation_id=one.incarnation_id,
            features=[
                record_form.ControllerFeature(row.name, row.lowest, row.highest)
                for row in one.features
            ],
        )
        state.replay(MetadataRecord(27, 0, record), offset, 1, 0)
    state.close_batch()
    return state.live()


def able(node_id: int) -> Controller:
    return registered_with(controller(node_id), ABLE, ())


def test_initial_voters_in_a_registration_are_read_back_from_the_log() -> None:
    view = view_of(controller(3), registered_with(controller(2), KEEPS, VOTERS))
    assert first_voters(view) == VOTERS
    assert [level_of(view.controllers.get(one)) for one in (1, 2, 3)] == [0, KEEPS, 0]


def test_a_kafka_or_unregistered_controller_is_not_one_of_our_nodes() -> None:
    view = view_of(able(1), controller(2))
    assert all_are_ours(view, [1])
    assert not all_are_ours(view, [1, 2])
    assert not all_are_ours(view, [1, 3])
    assert not all_are_ours(view, [1], KEEPS)


def test_the_first_voters_are_named_once_all_voters_are_ours() -> None:
    assert may_found(view_of(able(1)), 2, VOTERS)
    assert not may_found(view_of(controller(1)), 2, VOTERS)
    assert not may_found(view_of(), 2, VOTERS)


def test_who_is_no_voter_names_no_first_voters() -> None:
    assert not may_found(view_of(able(1), able(2)), 3, VOTERS)


def test_initial_voters_are_not_named_where_named_or_in_use_already() -> None:
    founder = registered_with(controller(1), ABLE, VOTERS[:1])
    assert not may_found(view_of(founder, able(2)), 2, VOTERS)
    keeper = registered_with(controller(3), KEEPS, ())
    assert not may_found(view_of(able(1), keeper), 2, VOTERS)


def test_a_registration_without_initial_voters_keeps_the_earlier_ones() -> None:
    before = registered_with(controller(1), KEEPS, VOTERS)
    kept = keeping_first_voters(before, able(1))
    assert named_voters(kept.features) == VOTERS and level_of(kept) == ABLE
    assert [one.name for one in kept.features] == sorted(one.name for one in kept.features)


def test_a_kafka_controllers_registration_is_taken_as_it_is() -> None:
    before = registered_with(controller(1), KEEPS, VOTERS)
    assert keeping_first_voters(before, controller(1)) == controller(1)
    assert keeping_first_voters(None, able(1)) == able(1)


def test_names_that_are_no_voters_name_nobody() -> None:
    for name in ("x.AAAAAAAAAAAAAAAAAAAAAQ", "1.short", "1"):
        assert named_voters([FeatureRange(f"{FEATURE}.voter.{name}", 0, 1)]) == ()
