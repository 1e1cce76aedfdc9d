from __future__ import annotations

from collections.abc import Iterator

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.client.leader_link import NoLeader
from metaquorum.client.log_record import LogRecord
from metaquorum.client.metadata_log import (
    LogDiverged,
    MetadataLogReader,
    OffsetNotInLog,
    TailRefused,
    parse_addresses,
)
from metaquorum.wire.generated import error_codes as codes
from tests.unit.client.fake_quorum import (
    FETCH,
    FETCH_SNAPSHOT,
    NOOP,
    FakeQuorum,
    data_batch,
    feature,
    leader_change,
)

FIRST_LOG = [
    leader_change(0, 1, 1),
    data_batch(1, 1, feature("a", 1), feature("b", 1)),
    data_batch(3, 1, feature("c", 1)),
    data_batch(4, 1, feature("d", 1)),
]


def offsets(records: Iterator[LogRecord]) -> list[int]:
    return [record.offset for record in records]


def take(reader: MetadataLogReader, count: int) -> list[LogRecord]:
    """So many records of a reader that would go on."""
    records = reader.records()
    found = [next(records) for _ in range(count)]
    records.close()  # type: ignore[attr-defined]
    return found


def test_it_reads_what_is_committed_and_then_ends() -> None:
    quorum = FakeQuorum.of(log=FIRST_LOG, high_watermark=4)
    reader = quorum.reader()
    records = list(reader.records())
    assert [one.offset for one in records] == [0, 1, 2, 3]
    assert [one.type for one in records] == ["LeaderChangeMessage"] + ["FeatureLevelRecord"] * 3
    assert records[2].fields == {"name": "b", "featureLevel": 1}
    assert (records[2].epoch, records[2].version, records[2].control) == (1, 0, False)
    assert reader.high_watermark == 4


def test_every_fetch_is_one_that_leaves_no_trace() -> None:
    quorum = FakeQuorum.of(log=FIRST_LOG, high_watermark=5)
    list(quorum.reader().records())
    assert quorum.requests
    for _, api_key, request in quorum.requests:
        assert api_key == FETCH
        assert request.replica_id == -1
        assert request.replica_state.replica_id == -1
        part = request.topics[0].partitions[0]
        assert part.current_leader_epoch >= 0
        assert part.last_fetched_epoch >= 0
        assert part.replica_directory_id == bytes(16)


def test_what_is_not_committed_is_held_until_it_is() -> None:
    quorum = FakeQuorum.of(log=FIRST_LOG, high_watermark=3)

    def commit() -> None:
        quorum[1].high_watermark = 5

    quorum.before[3] = commit
    assert [one.offset for one in take(quorum.reader(follow=True), 5)] == [0, 1, 2, 3, 4]
    # One fetch found the epoch, one the data, one the watermark: nothing was fetched twice.
    asked = [request.topics[0].partitions[0].fetch_offset for _, _, request in quorum.requests]
    assert asked == [0, 0, 5]


def test_a_batch_is_shown_only_when_all_of_it_is_committed() -> None:
    quorum = FakeQuorum.of(log=FIRST_LOG, high_watermark=2)
    records = quorum.reader(follow=True).records()
    assert next(records).offset == 0
    quorum[1].high_watermark = 3
    assert offsets_of(records, 2) == [1, 2]


def offsets_of(records: Iterator[LogRecord], count: int) -> list[int]:
    return [next(records).offset for _ in range(count)]


def test_a_followers_hint_leads_to_the_leader() -> None:
    quorum = FakeQuorum.of(3, log=FIRST_LOG, high_watermark=5, leader_id=3)
    reader = quorum.reader(bootstrap=[("c1", 9001)])
    assert offsets(reader.records()) == [0, 1, 2, 3, 4]
    assert quorum.opened == [("c1", 9001), ("c3", 9003)]


def test_a_controller_too_old_for_endpoints_is_asked_for_the_leader() -> None:
    quorum = FakeQuorum.of(2, log=FIRST_LOG, high_watermark=5, leader_id=2, fetch_versions=(13, 16))
    reader = quorum.reader(bootstrap=[("c1", 9001)])
    assert offsets(reader.records()) == [0, 1, 2, 3, 4]


def test_held_batches_that_diverge_are_dropped_on_a_leader_change() -> None:
    quorum = FakeQuorum.of(2, log=FIRST_LOG, high_watermark=4)
    quorum[2].log = [*FIRST_LOG[:3], leader_change(4, 2, 2), data_batch(5, 2, feature("e", 1))]

    def elect() -> None:
        quorum[1].up = False
        quorum[2].epoch = quorum[2].leader_id = 2
        quorum[2].high_watermark = 6

    quorum.before[3] = elect
    told: list[str] = []
    found = take(quorum.reader(follow=True, notice=told.append), 6)
    assert [(one.offset, one.epoch) for one in found] == [
        *((offset, 1) for offset in range(4)),
        (4, 2),
        (5, 2),
    ]
    assert found[4].type == "LeaderChangeMessage"
    assert [line.split(" at ")[0] for line in told] == [
        "controller 1 leads in epoch 1",
        "controller 2 leads in epoch 2",
    ]


def test_an_election_under_way_is_waited_for() -> None:
    quorum = FakeQuorum.of(2, log=FIRST_LOG, high_watermark=5, leader_id=-1, epoch=3)

    def elect() -> None:
        for node in quorum.controllers.values():
            node.leader_id = 2

    quorum.before[6] = elect
    assert offsets(quorum.reader().records()) == [0, 1, 2, 3, 4]
    assert quorum.now_s > 0


def test_a_new_leader_without_a_high_watermark_takes_nothing_back() -> None:
    quorum = FakeQuorum.of(log=FIRST_LOG, high_watermark=-1)

    def learn() -> None:
        quorum[1].high_watermark = 5

    quorum.before[4] = learn
    assert offsets(quorum.reader().records()) == [0, 1, 2, 3, 4]


def test_a_quorum_that_lost_committed_records_is_not_read_on() -> None:
    quorum = FakeQuorum.of(2, log=FIRST_LOG, high_watermark=5)
    records = quorum.reader(follow=True).records()
    assert offsets_of(records, 5) == [0, 1, 2, 3, 4]
    quorum[1].up = False
    quorum[2].log = [*FIRST_LOG[:2], leader_change(3, 2, 2)]
    quorum[2].epoch = quorum[2].leader_id = 2
    with pytest.raises(LogDiverged, match=r"lost committed records.*offset 5"):
        next(records)


def quorum_with_a_snapshot() -> FakeQuorum:
    """Its log begins at offset 4, and a snapshot has what was before."""
    raw = data_batch(0, 1, feature("a", 1), feature("b", 1)) + data_batch(2, 1, feature("c", 1))
    return FakeQuorum.of(log=FIRST_LOG[3:], high_watermark=5, snapshot=(OffsetAndEpoch(1, 4), raw))


def test_a_reader_that_knows_no_cluster_id_sends_none() -> None:
    quorum = quorum_with_a_snapshot()
    list(quorum.reader().records())
    asked = [(key, one.cluster_id) for _, key, one in quorum.requests]
    assert set(asked) == {(FETCH, None), (FETCH_SNAPSHOT, None)}


def test_a_snapshotted_away_start_is_bridged_and_marked() -> None:
    quorum = quorum_with_a_snapshot()
    told: list[str] = []
    found = list(quorum.reader(notice=told.append).records())
    snapshot = OffsetAndEpoch(1, 4)
    assert [(one.offset, one.snapshot) for one in found] == [
        (0, snapshot),
        (1, snapshot),
        (2, snapshot),
        (4, None),
    ]
    assert any("snapshot that ends at offset 4, epoch 1" in line for line in told)
    pieces = [one for _, key, one in quorum.requests if key == FETCH_SNAPSHOT]
    assert len(pieces) > 1
    assert all(piece.replica_id == -1 for piece in pieces)


def test_a_snapshot_does_not_hide_a_log_that_still_has_its_beginning() -> None:
    whole = [data_batch(0, 1, feature("a", 1), feature("b", 1)), *FIRST_LOG[2:]]
    moved = [whole[0], data_batch(2, 1, NOOP), *whole[1:]]
    quorum = FakeQuorum.of(log=moved, high_watermark=5, snapshot=(OffsetAndEpoch(1, 3), b"x"))
    found = list(quorum.reader().records())
    assert [one.offset for one in found] == [0, 1, 2, 3, 4]
    assert all(one.snapshot is None for one in found)


def test_a_first_record_that_a_snapshot_puts_out_of_reach_is_told() -> None:
    quorum = FakeQuorum.of(log=FIRST_LOG, high_watermark=5, snapshot=(OffsetAndEpoch(1, 3), b"x"))
    told: list[str] = []
    assert offsets(quorum.reader(notice=told.append).records()) == [1, 2, 3, 4]
    assert any("offset 0 is out of reach" in line for line in told)


def test_the_very_start_of_a_cut_log_is_readable_after_elections() -> None:
    log = [*FIRST_LOG[2:], leader_change(5, 4, 1), leader_change(6, 9, 1)]
    quorum = FakeQuorum.of(
        log=log, high_watermark=7, epoch=9, snapshot=(OffsetAndEpoch(4, 6), b"x")
    )
    found = list(quorum.reader(start=3).records())
    assert [(one.offset, one.epoch) for one in found] == [(3, 1), (4, 1), (5, 4), (6, 9)]
    assert all(one.snapshot is None for one in found)


def test_falling_behind_the_log_start_while_following_is_bridged_too() -> None:
    quorum = FakeQuorum.of(log=FIRST_LOG, high_watermark=5)
    records = quorum.reader(follow=True).records()
    assert offsets_of(records, 5) == [0, 1, 2, 3, 4]
    raw = data_batch(0, 1, feature("all", 1))
    quorum[1].snapshot = (OffsetAndEpoch(1, 9), raw)
    quorum[1].log = [data_batch(9, 1, feature("z", 1))]
    quorum[1].high_watermark = 10
    after = [next(records) for _ in range(2)]
    assert [(one.offset, one.snapshot) for one in after] == [(0, OffsetAndEpoch(1, 9)), (9, None)]


def test_a_snapshot_lost_half_way_is_begun_again_at_the_next_leader() -> None:
    raw = data_batch(0, 1, feature("a" * 90, 1), feature("b" * 90, 1))
    quorum = FakeQuorum.of(
        2, log=FIRST_LOG[3:], high_watermark=5, snapshot=(OffsetAndEpoch(1, 4), raw)
    )

    def elect() -> None:
        quorum[1].up = False
        quorum[2].epoch = quorum[2].leader_id = 2
        quorum[2].log = [*FIRST_LOG[3:], leader_change(5, 2, 2)]
        quorum[2].high_watermark = 6

    quorum.before[4] = elect
    found = take(quorum.reader(follow=True), 4)
    assert [(one.offset, one.snapshot is None) for one in found] == [
        (0, False),
        (1, False),
        (4, True),
        (5, True),
    ]


def test_a_snapshot_that_is_none_ends_the_reading() -> None:
    quorum = FakeQuorum.of(
        log=FIRST_LOG[3:], high_watermark=5, snapshot=(OffsetAndEpoch(1, 4), b"\xff" * 150)
    )
    with pytest.raises(OperatorError, match="snapshot 4-1 cannot be read: byte 0"):
        list(quorum.reader().records())


def test_it_starts_where_it_is_told_even_within_a_batch() -> None:
    quorum = FakeQuorum.of(log=FIRST_LOG, high_watermark=5)
    assert offsets(quorum.reader(start=2).records()) == [2, 3, 4]
    assert offsets(quorum.reader(start=5).records()) == []
    assert offsets(quorum.reader(start="end").records()) == []


def test_the_end_is_the_watermark_and_not_the_log_end() -> None:
    quorum = FakeQuorum.of(log=FIRST_LOG, high_watermark=3)
    records = quorum.reader(start="end", follow=True).records()
    quorum.before[4] = lambda: setattr(quorum[1], "high_watermark", 4)
    assert next(records).offset == 3


def test_an_offset_that_the_log_does_not_have_yet_is_refused() -> None:
    quorum = FakeQuorum.of(log=FIRST_LOG, high_watermark=5)
    with pytest.raises(OffsetNotInLog, match="ends at offset 5, there is no 77"):
        list(quorum.reader(start=77).records())


def test_only_the_wanted_types_are_decoded() -> None:
    odd = data_batch(5, 1, b"\x01\xf9\x01\x00", b"\x01\x0c\x00\xff\xff")
    quorum = FakeQuorum.of(log=[*FIRST_LOG, odd], high_watermark=7)
    reader = quorum.reader()
    assert offsets(reader.records({"LeaderChangeMessage"})) == [0]
    last = list(quorum.reader().records())[-2:]
    assert [one.type for one in last] == ["Unknown", "FeatureLevelRecord"]
    assert all(one.problem for one in last)
    assert last[0].fields == {"value": "AfkBAA=="}


def test_nobody_leading_ends_in_an_error_that_names_every_address() -> None:
    quorum = FakeQuorum.of(2, log=FIRST_LOG, leader_id=-1)
    quorum[2].up = False
    with pytest.raises(NoLeader) as caught:
        list(quorum.reader(timeout_ms=3_000).records())
    assert "no leader found in 3 s" in str(caught.value)
    assert "c1:9001: NOT_LEADER_OR_FOLLOWER" in str(caught.value)
    assert "c2:9002: refused" in str(caught.value)
    assert 3.0 <= quorum.now_s < 4.0


def test_a_follower_of_the_log_outlives_an_outage_and_says_so() -> None:
    quorum = FakeQuorum.of(log=FIRST_LOG, high_watermark=5)
    told: list[str] = []
    reader = quorum.reader(follow=True, timeout_ms=2_000, notice=told.append)
    records = reader.records()
    assert offsets_of(records, 5) == [0, 1, 2, 3, 4]
    quorum[1].up = False

    def sleep(seconds: float) -> None:
        quorum.sleep(seconds)
        if quorum.now_s > 7:
            quorum[1].up = True
            quorum[1].log = [*FIRST_LOG, data_batch(5, 1, NOOP)]
            quorum[1].high_watermark = 6

    reader.link.sleep = sleep
    assert next(records).offset == 5
    assert sum("still looking" in line for line in told) >= 2


def test_no_metadata_log_on_a_server_is_not_reported_as_no_leader() -> None:
    quorum = FakeQuorum.of(refusal=codes.UNKNOWN_TOPIC_ID)
    with pytest.raises(TailRefused, match=r"UNKNOWN_TOPIC_ID.*controller's listener"):
        list(quorum.reader().records())
    quorum[1].refusal = codes.CLUSTER_AUTHORIZATION_FAILED
    with pytest.raises(TailRefused, match="CLUSTER_AUTHORIZATION_FAILED"):
        list(quorum.reader().records())


def test_a_server_too_old_to_fetch_by_topic_id_is_named() -> None:
    quorum = FakeQuorum.of(fetch_versions=(4, 12))
    with pytest.raises(NoLeader, match="Fetch is too old here"):
        list(quorum.reader().records())


def test_a_batch_with_a_bad_checksum_is_fetched_again_and_never_shown() -> None:
    broken = bytearray(FIRST_LOG[3])
    broken[-1] ^= 1
    quorum = FakeQuorum.of(log=[*FIRST_LOG[:3], bytes(broken)], high_watermark=5)

    def mend() -> None:
        quorum[1].log = list(FIRST_LOG)

    quorum.before[4] = mend
    assert offsets(quorum.reader().records()) == [0, 1, 2, 3, 4]


def test_stop_ends_the_iteration() -> None:
    quorum = FakeQuorum.of(log=FIRST_LOG, high_watermark=5)
    reader = quorum.reader(follow=True)
    seen = []
    for record in reader.records():
        seen.append(record.offset)
        if record.offset == 3:
            reader.stop()
    assert seen == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("localhost:9093", [("localhost", 9093)]),
        (" a:1 , b:65535,", [("a", 1), ("b", 65535)]),
        ("[::1]:9093", [("::1", 9093)]),
        ("CONTROLLER://a:9093,PLAINTEXT://[::1]:2", [("a", 9093), ("::1", 2)]),
        ("SASL_SSL://a:9093,::1:2,a:9093", [("a", 9093), ("::1", 2)]),
    ],
)
def test_addresses_are_read(text: str, addresses: list[tuple[str, int]]) -> None:
    assert parse_addresses(text) == addresses


@pytest.mark.parametrize("text", ["", "localhost", "a:b", "a:0", "a:65536", ":9093", "a:-1"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(OperatorError, match="HOST:PORT"):
        parse_addresses(text)
