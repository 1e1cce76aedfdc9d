"""When a node registers: once, again when the cluster knows something else, and with patience."""

from __future__ import annotations

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.controller.registration import (
    FIRST_PAUSE_MS,
    LONGEST_PAUSE_MS,
    REPLAY_MS,
    SILENCE_MS,
    Registrar,
)
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.nodes import Controller, FeatureRange, NodeEndpoint
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated.records import register_controller_record as record_form
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord

LIFE = bytes(range(16))
LED = LeaderAndEpoch(1, 4)
WANTED = Controller(
    2,
    LIFE,
    False,
    (NodeEndpoint("CONTROLLER", "a", 9093, 0),),
    (FeatureRange("metadata.version", 7, 33),),
)


def state(level: int, *lives: bytes) -> MetadataState:
    """The state of a cluster at a level, in which this node registered so often."""
    made = MetadataState()
    records = [MetadataRecord(12, 0, FeatureLevelRecord("metadata.version", level))]
    for life in lives:
        record = record_form.RegisterControllerRecord(
            2,
            life,
            False,
            [record_form.ControllerEndpoint("CONTROLLER", "a", 9093, 0)],
            [record_form.ControllerFeature("metadata.version", 7, 33)],
        )
        records.append(MetadataRecord(27, 0, record))
    for offset, one in enumerate(records):
        made.replay(one, offset, 1, 0)
    made.close_batch()
    made.commit(len(records))
    return made


def due(registrar: Registrar, view: StateView, now: int, *, leader: LeaderAndEpoch = LED) -> Millis:
    """When a node registers with a leader whose first records are committed."""
    return registrar.next_attempt_ms(view, leader, now, has_written=True)


def test_an_unknown_node_registers_with_any_leader_that_has_written() -> None:
    registrar = Registrar(WANTED)
    view = state(15).committed()
    assert due(registrar, view, 70, leader=LeaderAndEpoch(None, 4)) == NEVER
    assert due(registrar, view, 80) == 80
    assert due(registrar, view, 90) == 80


def test_registration_waits_for_the_leaders_first_write_or_a_timeout() -> None:
    registrar, view = Registrar(WANTED), state(15).committed()
    for looks_at_ms in (70, 90):
        asked = registrar.next_attempt_ms(view, LED, looks_at_ms, has_written=False)
        assert asked == 70 + SILENCE_MS
    assert due(registrar, view, 100) == 70
    registrar.failed(70 + SILENCE_MS)
    later = registrar.next_attempt_ms(view, LED, 70 + SILENCE_MS, has_written=False)
    assert later == 70 + SILENCE_MS + FIRST_PAUSE_MS
    other = LeaderAndEpoch(3, 5)
    assert registrar.next_attempt_ms(view, other, 9_000, has_written=False) == 9_000 + SILENCE_MS


def test_a_node_that_leads_itself_is_not_waited_for() -> None:
    own = LeaderAndEpoch(2, 4)
    view = state(15).committed()
    assert Registrar(WANTED).next_attempt_ms(view, own, 70, has_written=False) == 70


def test_a_node_that_is_known_as_it_is_stays_silent() -> None:
    registrar = Registrar(WANTED)
    assert due(registrar, state(15, LIFE).committed(), 0) == NEVER


def test_another_life_of_a_node_registers_anew() -> None:
    registrar = Registrar(WANTED)
    assert due(registrar, state(15, bytes(16)).committed(), 0) == 0
    assert due(registrar, state(15, bytes(16), LIFE).committed(), 0) == NEVER


def test_before_its_metadata_version_nobody_registers() -> None:
    registrar = Registrar(WANTED)
    assert due(registrar, state(14).committed(), 0) == NEVER


def test_failures_lengthen_the_backoff_and_a_new_leader_resets_it() -> None:
    registrar, view = Registrar(WANTED), state(15).committed()
    now, pauses = 10_000, []
    for _ in range(13):
        due(registrar, view, now)
        registrar.failed(now)
        pauses.append(due(registrar, view, now) - now)
        now += pauses[-1]
    assert pauses[:4] == [100, 200, 400, 800]
    assert pauses[-1] == LONGEST_PAUSE_MS
    other = LeaderAndEpoch(3, 5)
    assert due(registrar, view, now, leader=other) == now
    registrar.failed(now)
    assert due(registrar, view, now, leader=other) == now + 100


def test_an_accepted_registration_has_time_to_be_replayed() -> None:
    registrar, view = Registrar(WANTED), state(15).committed()
    due(registrar, view, 400)
    registrar.accepted(500)
    assert due(registrar, view, 600) == 500 + REPLAY_MS


def test_the_request_tells_what_is_wanted() -> None:
    request = Registrar(WANTED).request(state(15).committed())
    assert (request.controller_id, request.incarnation_id) == (2, LIFE)
    assert [(one.name, one.host, one.port) for one in request.listeners] == [
        ("CONTROLLER", "a", 9093)
    ]
    assert [(one.name, one.max_supported_version) for one in request.features] == [
        ("metadata.version", 33)
    ]
