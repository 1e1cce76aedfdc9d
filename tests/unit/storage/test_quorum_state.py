"""The quorum-state file: Kafka's bytes both ways, and words for what cannot be read."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import parse_uuid
from metaquorum.storage import quorum_state
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.testing.sim.disk import SimDisk

VOTED = parse_uuid("dddddddddddddddddddd2A")
KAFKAS = [
    (
        b'{"clusterId":"","leaderId":-1,"leaderEpoch":5,"votedId":2,"appliedOffset":0,'
        b'"currentVoters":[{"voterId":2},{"voterId":1},{"voterId":3}],"data_version":0}',
        ElectionStateData(epoch=5, voted_id=2, voters=(2, 1, 3), data_version=0),
    ),
    (
        b'{"clusterId":"","leaderId":2,"leaderEpoch":13,"votedId":-1,"appliedOffset":0,'
        b'"currentVoters":[],"data_version":0}',
        ElectionStateData(epoch=13, leader_id=2, data_version=0),
    ),
    (
        b'{"leaderId":1,"leaderEpoch":1,"votedId":-1,'
        b'"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}',
        ElectionStateData(epoch=1, leader_id=1),
    ),
    (
        b'{"leaderId":2,"leaderEpoch":3,"votedId":2,'
        b'"votedDirectoryId":"dddddddddddddddddddd2A","data_version":1}',
        ElectionStateData(epoch=3, leader_id=2, voted_id=2, voted_directory_id=VOTED),
    ),
]


@pytest.mark.parametrize(("content", "state"), KAFKAS)
def test_quorum_state_files_of_kafka_round_trip_byte_for_byte(
    content: bytes, state: ElectionStateData
) -> None:
    assert quorum_state.decode(content) == state
    assert quorum_state.encode(state) == content


def test_no_file_is_no_state() -> None:
    disk = SimDisk()
    disk.make_directory("/log")

    assert quorum_state.read(disk, "/log") is None


def test_a_written_state_is_read_back() -> None:
    disk = SimDisk()
    disk.make_directory("/log")
    for _, state in KAFKAS:
        quorum_state.write(disk, "/log", state)
        assert quorum_state.read(disk, "/log") == state
    assert disk.names("/log") == ["quorum-state"]


def test_only_the_first_line_is_read_and_unknown_fields_are_ignored() -> None:
    content = KAFKAS[2][0].replace(b"{", b'{"later":[1],', 1) + b"\nnot json"

    assert quorum_state.decode(content) == KAFKAS[2][1]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[]", "no JSON object"),
        (KAFKAS[2][0].replace(b',"data_version":1', b""), "data_version is missing"),
        (KAFKAS[2][0].replace(b'n":1}', b'n":2}'), "data_version 2, known are 0 and 1"),
        (KAFKAS[2][0].replace(b'"leaderEpoch":1,', b""), "leaderEpoch is missing"),
        (KAFKAS[2][0].replace(b'Epoch":1', b'Epoch":-4'), "leaderEpoch -4"),
        (KAFKAS[2][0].replace(b'Epoch":1', b'Epoch":2147483648'), "leaderEpoch is 2147483648, bey"),
        (KAFKAS[2][0].replace(b'"leaderId":1', b'"leaderId":"1"'), "leaderId is '1'"),
        (KAFKAS[2][0].replace(b'dId":-1', b'dId":-2147483649'), "votedId is -2147483649, beyond"),
        (b"[" * 100_000, "no JSON that is a state: it is nested too deeply"),
        (KAFKAS[2][0].replace(b'"votedId":-1', b'"votedId":true'), "votedId is True"),
        (KAFKAS[2][0].replace(b"AAAA", b"A"), "votedDirectoryId: .* holds"),
        (KAFKAS[0][0].replace(b'[{"voterId":2}', b'[{"voter":2}'), "voterId is missing"),
        (KAFKAS[0][0].replace(b'[{"voterId":2},', b"[2,"), "currentVoters is no list of voters"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_by_name(content: bytes, why: str) -> None:
    disk = SimDisk.holding({"/log/quorum-state": content})
    with pytest.raises(OperatorError, match=f"/log/quorum-state cannot be read: {why}"):
        quorum_state.read(disk, "/log")
