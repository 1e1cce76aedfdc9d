"""Every entry of the state knows which record set it last."""

from __future__ import annotations

from typing import Any

from metaquorum.metadata.origin import NO_ORIGIN, Origin
from metaquorum.metadata.sharing import Sharing
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.metadata.tables.catalog import NEXT_PRODUCER_ID, StateView
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated.index import RECORDS, record_codec

ALPHA = b"A" * 16
BY_NAME = {record.name: record.type for record in RECORDS.values()}


def _record(record: str, /, **fields: Any) -> MetadataRecord:
    kind = BY_NAME[record + "Record"]
    return MetadataRecord(kind, 0, getattr(record_codec(kind), record + "Record")(**fields))


def _config(name: str, value: str | None) -> MetadataRecord:
    return _record("Config", resource_type=4, resource_name="", name=name, value=value)


RECORDS_IN_ORDER = (
    _record("FeatureLevel", name="metadata.version", feature_level=30),
    _record("Topic", name="alpha", topic_id=ALPHA),
    _record("Partition", partition_id=0, topic_id=ALPHA, replicas=[1, 2], isr=[1, 2]),
    _record("PartitionChange", partition_id=0, topic_id=ALPHA, isr=[1]),
    _record("RegisterBroker", broker_id=5, broker_epoch=4),
    _record("BrokerRegistrationChange", broker_id=5, broker_epoch=4, fenced=-1),
    _config("a", "1"),
    _config("b", "2"),
    _record("ClientQuota", entity=[], key="rate", value=1.5),
    _record("ProducerIds", next_producer_id=1000),
    _record("UserScramCredential", name="anna", mechanism=1),
    _record("DelegationToken", token_id="t"),
    _record("AccessControlEntry", id=ALPHA),
    _record("RegisterController", controller_id=1),
)


def _state(*records: MetadataRecord) -> MetadataState:
    state = MetadataState()
    for offset, record in enumerate(records, start=100):
        state.replay(record, offset, 7, 5000 + offset)
        state.close_batch()
    return state


def _offsets(view: StateView) -> dict[str, int]:
    def one(table: Any, key: Any) -> Origin:
        value = table.get(key)
        assert value is not None
        origin: Origin = value.origin
        return origin

    settings, rates = view.configs.get((4, "")), view.quotas.get(())
    assert settings is not None
    assert rates is not None
    origins = {
        "feature": view.features.origin("metadata.version"),
        "topic": one(view.topics, ALPHA),
        "partition": one(view.partitions, (ALPHA, 0)),
        "broker": one(view.brokers, 5),
        "a": settings.origin("a"),
        "b": settings.origin("b"),
        "rate": rates.origin("rate"),
        "producer ids": view.number(NEXT_PRODUCER_ID).origin,
        "scram": one(view.scram, ("anna", 1)),
        "token": one(view.tokens, "t"),
        "rule": one(view.access_rules, ALPHA),
        "controller": one(view.controllers, 1),
    }
    assert {(origin.epoch, origin.timestamp_ms - origin.offset) for origin in origins.values()} == {
        (7, 5000)
    }
    return {name: origin.offset for name, origin in origins.items()}


def test_an_entry_names_the_record_that_set_it_last() -> None:
    assert _offsets(_state(*RECORDS_IN_ORDER).live()) == {
        "feature": 100,
        "topic": 101,
        "partition": 103,
        "broker": 105,
        "a": 106,
        "b": 107,
        "rate": 108,
        "producer ids": 109,
        "scram": 110,
        "token": 111,
        "rule": 112,
        "controller": 113,
    }


def test_the_past_and_what_is_taken_back_have_the_origins_of_then() -> None:
    state = _state(*RECORDS_IN_ORDER)
    state.commit(107)
    settings = state.committed().configs.get((4, ""))
    assert settings == {"a": "1"}
    state.revert_to_stable()
    state.replay(_config("a", "3"), 107, 8, 9000)
    settings = state.live().configs.get((4, ""))
    assert settings is not None
    assert settings.origin("a") == Origin(107, 8, 9000)


def test_what_a_setting_lost_it_knows_nothing_of() -> None:
    state = _state(*RECORDS_IN_ORDER, _config("a", None))
    settings = state.live().configs.get((4, ""))
    assert settings is not None
    assert (settings.origin("a"), settings.origin("b").offset) == (NO_ORIGIN, 107)


def test_all_entries_of_a_snapshot_share_one_origin() -> None:
    state = MetadataState.from_snapshot(RECORDS_IN_ORDER, Provenance(200, 9, 77))
    view = state.live()
    broker, topic = view.brokers.get(5), view.topics.get(ALPHA)
    assert broker is not None
    assert topic is not None
    assert broker.origin is topic.origin
    assert broker.origin == Origin(199, 9, 77, from_snapshot=True)


def test_entries_are_equal_whatever_record_set_them() -> None:
    before = _state(*RECORDS_IN_ORDER).live()
    after = MetadataState.from_snapshot(RECORDS_IN_ORDER, Provenance(200, 9, 77)).live()
    for table in ("brokers", "topics", "partitions", "configs", "quotas", "tokens", "scram"):
        assert dict(getattr(before, table).items()) == dict(getattr(after, table).items())
    assert before.features.levels == after.features.levels


def test_equal_lists_of_replicas_are_one_object() -> None:
    sharing = Sharing()
    first = sharing.nodes([1001, 1002, 1003])
    assert sharing.nodes([1001, 1002, 1003]) is first
    one = bytes(range(16))
    directories = sharing.uuids([one, bytes(16)])
    again = sharing.uuids([bytes(bytearray(one)), bytes(16), bytes(15) + b"x"])
    assert again[0] is directories[0]
    assert (sharing.nodes([]), sharing.uuids([])) == ((), ())


def test_what_is_shared_is_bounded() -> None:
    from metaquorum.base.limits import MAX_SHARED_VALUES

    sharing = Sharing()
    for number in range(2 * MAX_SHARED_VALUES):
        sharing.nodes([number])
    assert 0 < sharing.remembered <= MAX_SHARED_VALUES
