"""Frames between nodes are written down, shown, and played to our node again.

The recordings are of real runs: in FILE nodes 1 and 2 are ours and node 3 is Kafka's controller of
4.3.1, in UNDER_KAFKA node 1 alone is ours and node 3 leads. In AMID_ELECTION node 2 was busy: it
answered a fetch before it came to the vote that made it leader, though the vote was there first;
node 1 of IN_A_BURST did so three times. In TOLD_BY_A_FOLLOWER node 2 tells node 3 who leads.
The first two are older than consumer groups, so that their nodes keep none.
"""

from __future__ import annotations

import socket
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner

from metaquorum.base.errors import OperatorError
from metaquorum.quorum.handlers.election import begin_epoch, vote
from metaquorum.testing.mutants import replaced
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.index import APIS
from tools.kafka.ports import LOOPBACK, free_ports
from tools.recorder.__main__ import recorder
from tools.recorder.answers import Answers
from tools.recorder.recording import RESPONSE, Frame, Recording, RecordingFile
from tools.recorder.relay import Relay
from tools.recorder.replay import Replayed, _played, replay
from tools.recorder.show import shown

FILE = Path(__file__).parent / "data" / "two-of-ours-and-kafka.recording.gz"
AMID_ELECTION = Path(__file__).parent / "data" / "asked-while-it-was-elected.recording.gz"
IN_A_BURST = Path(__file__).parent / "data" / "asked-in-a-burst-while-it-was-elected.recording.gz"
A_PLACE_LATER = Path(__file__).parent / "data" / "own-registration-a-place-later.recording.gz"
WROTE_LATER = Path(__file__).parent / "data" / "asked-for-what-it-wrote-later.recording.gz"
TOLD_BY_A_FOLLOWER = Path(__file__).parent / "data" / "told-by-a-follower.recording.gz"
UNDER_KAFKA = Path(__file__).parent / "data" / "one-of-ours-under-kafka.recording.gz"
TOLD_OF_ITS_LEADER_US = 4_250_400
VOTE_KEY = (52).to_bytes(2, "big")


@cache
def played(node: int, *, votes: bool = True) -> Replayed:
    """The recording played to a node of ours, which may have a bug: it votes for nobody."""
    bug = replaced(vote, "_grants", lambda replica, message: False)
    with nullcontext() if votes else bug:
        return replay(Recording.open(FILE), node)


@pytest.mark.parametrize(("node", "least"), [(1, 30), (2, 100)])
def test_our_nodes_answer_as_recorded_beside_a_kafka_controller(node: int, least: int) -> None:
    outcome = played(node)
    assert outcome.differences == ()
    assert outcome.compared >= least


def test_our_follower_answers_as_recorded_under_a_kafka_leader() -> None:
    outcome = replay(Recording.open(UNDER_KAFKA), 1)
    assert outcome.differences == ()
    assert outcome.compared >= 30
    roles = [line for line in outcome.lines if "role-changed" in line]
    assert "after=Follower epoch=1 leader=3" in roles[-1]


@pytest.mark.parametrize(("file", "node", "count"), [(AMID_ELECTION, 2, 1), (IN_A_BURST, 1, 3)])
def test_concurrent_requests_may_have_been_handled_in_either_order(
    file: Path, node: int, count: int
) -> None:
    recording = Recording.open(file)
    differences = _played(recording, node, lambda node: None, {}).differences
    assert [one.api for one in differences] == ["Fetch"] * count
    assert all('"leaderId":-1' in one.recorded for one in differences)
    assert replay(recording, node).differences == ()


def test_a_fetch_of_a_nodes_own_record_may_have_been_handled_later() -> None:
    """The follower has the leader's own registration, which the replay writes a moment later."""
    recording = Recording.open(WROTE_LATER)
    (difference,) = _played(recording, 1, lambda node: None, {}).differences
    assert "divergingEpoch" in difference.replayed
    assert "divergingEpoch" not in difference.recorded
    assert replay(recording, 1).differences == ()


def test_a_follower_may_have_learned_its_leader_100_ms_sooner() -> None:
    """It asks around until it knows, at moments of its own, and answers requests meanwhile."""
    recording = Recording.open(TOLD_BY_A_FOLLOWER)
    for talk in recording.talks:
        told, asked = talk.to == 2 and talk.asker == 1, talk.asker == 2
        for number, frame in enumerate(talk.frames):
            if frame.us >= TOLD_OF_ITS_LEADER_US and (told or (asked and frame.way == RESPONSE)):
                talk.frames[number] = evolve(frame, us=frame.us + 100_000)
    (difference,) = _played(recording, 2, lambda node: None, {}).differences
    assert '"leaderId":1,"leaderEpoch":1' in difference.recorded
    assert '"leaderId":-1,"leaderEpoch":1' in difference.replayed
    assert replay(recording, 2).differences == ()


def test_a_vote_is_not_spent_on_a_pre_vote_that_nobody_heard() -> None:
    """Node 2 comes up between the two, and its vote makes node 1 leader: node 3 says nothing."""
    recording = Recording.open(IN_A_BURST)
    for talk in recording.talks:
        if talk.asker == 1 and talk.to in (2, 3):
            votes = [one for one in talk.requests if one.data[:2] == VOTE_KEY]
            for asked in votes:
                heard = (talk.to == 2) != (asked is votes[0])
                answer = talk.responses[asked.correlation_id]
                if not heard:
                    talk.frames.remove(answer)
                if talk.to == 2 and asked is votes[0]:
                    talk.frames.remove(asked)
    outcome = replay(recording, 1)
    assert outcome.differences == ()
    (elected,) = [line for line in outcome.lines if "after=Leader" in line]
    assert "granted by [1, 2]" in elected


@pytest.mark.parametrize(("file", "node"), [(FILE, 1), (AMID_ELECTION, 1)])
def test_a_node_that_ignores_its_leader_is_not_excused_as_late(file: Path, node: int) -> None:
    """It learns from others who leads, and would say so if the leader had come later."""
    deaf = replaced(begin_epoch, "take_claim", lambda replica, message, now, out: error_codes.NONE)
    with deaf:
        (difference,) = replay(Recording.open(file), node).differences
    assert difference.api == "BeginQuorumEpoch"
    assert '"leaderId":2' in difference.recorded
    assert '"leaderId":-1' in difference.replayed


def test_a_real_difference_leaves_an_ordering_difference_excused() -> None:
    recording = Recording.open(IN_A_BURST)
    talk = next(one for one in recording.talks if one.to == 1 and one.responses)
    answer = next(iter(talk.responses.values()))
    spoilt = bytearray(answer.data)
    spoilt[5] ^= 0x40  # in the error code of ApiVersions, which begins every connection
    talk.frames[talk.frames.index(answer)] = evolve(answer, data=bytes(spoilt))
    (difference,) = replay(recording, 1).differences
    assert (difference.api, difference.connection) == ("ApiVersions", talk.number)


def test_a_connection_opened_just_before_node_start_is_replayed_too() -> None:
    """Its sockets are open before its log has a first line, and the log counts milliseconds."""
    recording = Recording.open(FILE)
    first = next(one for one in recording.talks if one.to == 1)
    first.opened_us = recording.life(1).began_ms * 1_000 - recording.began_us - 500
    outcome = replay(recording, 1)
    assert outcome.differences == ()
    assert outcome.compared == played(1).compared


def test_a_record_that_falls_between_two_fetches_is_read_from_the_log() -> None:
    """The leader's own registration: in the recording it stands before those of the others."""
    recording = Recording.open(A_PLACE_LATER)
    assert replay(recording, 1).differences == ()
    with replaced(Answers, "wrote", lambda answers, segment: None):
        (difference,) = replay(recording, 1).differences
    assert difference.api.startswith("RegisterControllerRecord")


def test_the_node_that_led_leads_again_and_the_other_follows() -> None:
    roles = {
        node: [line for line in played(node).lines if "role-changed" in line] for node in (1, 2)
    }
    assert "after=Leader epoch=1 leader=2" in roles[2][-1]
    assert "after=Follower epoch=1 leader=2" in roles[1][-1]


def test_playing_it_twice_is_the_same_to_the_letter() -> None:
    first, second = played(1), replay(Recording.open(FILE), 1)
    assert second.lines == first.lines


def test_a_planted_bug_is_a_difference_in_the_answers_that_it_spoils() -> None:
    outcome = played(1, votes=False)
    assert [one.api for one in outcome.differences] == ["Vote", "Vote"]
    assert all('"voteGranted":true' in one.recorded for one in outcome.differences)
    assert all('"voteGranted":false' in one.replayed for one in outcome.differences)


def test_a_response_altered_in_the_recording_is_the_one_that_differs() -> None:
    recording = Recording.open(FILE)
    talk, frame = next(
        (talk, frame)
        for talk in recording.talks
        if talk.to == 1
        for frame in talk.requests
        if frame.header is not None and APIS[frame.header.api_key].name == "BeginQuorumEpoch"
    )
    answer = talk.responses[frame.correlation_id]
    spoilt = bytearray(answer.data)
    spoilt[6] ^= 1  # behind correlation id and tags: the error code's second byte
    talk.frames[talk.frames.index(answer)] = evolve(answer, data=bytes(spoilt))
    (difference,) = replay(recording, 1).differences
    assert difference.api == "BeginQuorumEpoch"
    assert f"connection {talk.number}, BeginQuorumEpoch" in str(difference)


def test_every_frame_is_a_decoded_line() -> None:
    recording = Recording.open(FILE)
    lines = list(shown(recording, records=True))
    assert len(lines) == len(recording.frames)
    assert not [line for line in lines if "cannot be read" in line or "to nothing" in line]
    assert any("raft-client-3 > node 2 Fetch v18 request" in line for line in lines)
    assert any("node 2 > raft-client-3 Fetch v18 response" in line for line in lines)
    assert any('"LEADER_CHANGE"' in line for line in lines)


def test_the_command_shows_and_plays_a_file() -> None:
    told = CliRunner().invoke(recorder, ["replay", str(FILE), "--node", "1"])
    assert told.exit_code == 0
    assert told.output.endswith(" answers compared, 0 differ\n")
    missing = CliRunner().invoke(recorder, ["replay", str(FILE), "--node", "3"])
    assert missing.exit_code == 1
    assert "no life of node 3" in missing.output
    none = CliRunner().invoke(recorder, ["show", str(Path(__file__))])
    assert none.exit_code == 1
    assert "line 1 is none of a recording" in none.output


@pytest.mark.parametrize(
    "line",
    [
        '{"kind":"recording","version":2,"began_us":0,"addresses":{}}',
        '{"kind":"frame","us":0,"connection":0,"way":"request","frame":"00"}',
        "[]",
        "",
    ],
)
def test_what_is_no_recording_is_refused_by_its_line(line: str) -> None:
    with pytest.raises(OperatorError, match="line 1"):
        Recording.read([line])


def test_an_unknown_kind_is_refused() -> None:
    begun = '{"kind":"recording","version":1,"began_us":0,"addresses":{}}'
    with pytest.raises(OperatorError, match=r"line 2 .*'weather'"):
        Recording.read([begun, '{"kind":"weather","us":1}'])
    with pytest.raises(OperatorError, match="empty"):
        Recording.read([])


def test_the_relay_records_whole_frames_before_the_peer_gets_them(
    tmp_path: Path,
) -> None:
    (port,) = free_ports(1)
    path = tmp_path / "frames"
    asked = bytes.fromhex("0012000000000007") + b"\x00\x01x"
    with socket.create_server((LOOPBACK, 0)) as server:
        writing = RecordingFile(path, {1: f"{LOOPBACK}:{port}"})
        with writing, Relay(writing, {1: (port, server.getsockname()[1])}):
            with socket.create_connection((LOOPBACK, port)) as client:
                far, _ = server.accept()
                with far, far.makefile("rb") as reading:
                    framed = len(asked).to_bytes(4, "big") + asked
                    client.sendall(framed[:5])
                    assert reading.read(5) == framed[:5]
                    assert Recording.read(path.read_text().splitlines()).frames == []
                    client.sendall(framed[5:])
                    assert reading.read(len(framed) - 5) == framed[5:]
                    writing.flush()
                    (talk,) = Recording.read(path.read_text().splitlines()).talks
                    assert [one.data for one in talk.frames] == [asked]
                    far.sendall(bytes.fromhex("00000004 00000007"))
                    assert client.recv(8, socket.MSG_WAITALL)[4:] == bytes.fromhex("00000007")
    (talk,) = Recording.read(path.read_text().splitlines()).talks
    assert talk.responses == {7: Frame(talk.frames[1].us, 0, RESPONSE, bytes.fromhex("00000007"))}
    assert talk.to == 1
    assert talk.client_id == "x"
