"""A mixed run is recorded, and played to our nodes in virtual time: they answer the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from tools.kafka import JavaHelper
from tools.mixed.node import KAFKA, OURS, Kind
from tools.mixed.recorded import recorded_quorum
from tools.recorder.recording import Recording
from tools.recorder.replay import Replayed, replay
from tools.recorder.show import shown

AROUND_S = 0.2  # of what differs, the frames are told with it: the recording itself goes
LINE_CHARACTERS = 420


def _told(recording: Recording, node: int, outcome: Replayed) -> str:
    """What differs, and what the node heard and said around the first of it; empty for nothing."""
    if not outcome.differences:
        return ""
    at_s = outcome.differences[0].us / 1e6
    told = [str(one) for one in outcome.differences]
    told += [line for line in outcome.lines if "role-changed" in line]
    told += [
        line[:LINE_CHARACTERS]
        for line in shown(recording, records=False)
        if abs(float(line.split()[0]) - at_s) < AROUND_S
        and (f"node {node} " in line or f"client-{node} " in line)
    ]
    return "\n".join(told)


@pytest.mark.parametrize(
    "kinds", [(OURS, OURS, KAFKA), (OURS, KAFKA, KAFKA)], ids=["two of ours", "one of ours"]
)
def test_replaying_a_mixed_run_repeats_our_answers_and_shows_changes(
    tmp_path: Path, java: JavaHelper, kinds: tuple[Kind, ...]
) -> None:
    file = tmp_path / "run.recording"
    with recorded_quorum(tmp_path, kinds, java.tool, file) as quorum:
        quorum.written(20)
        assert quorum.end() == []
    for node_id in quorum.of(OURS):
        recording = Recording.open(file)
        outcome = replay(recording, node_id)
        assert _told(recording, node_id, outcome) == ""
        answers = sum(len(talk.responses) for talk in recording.talks if talk.to == node_id)
        assert outcome.compared == answers > 0

        talk = next(one for one in recording.talks if one.to == node_id and one.responses)
        answer = next(iter(talk.responses.values()))
        spoilt = bytearray(answer.data)
        spoilt[5] ^= 0x40  # in the error code of ApiVersions, which begins every connection
        talk.frames[talk.frames.index(answer)] = evolve(answer, data=bytes(spoilt))
        (difference,) = replay(recording, node_id).differences
        assert (difference.api, difference.connection) == ("ApiVersions", talk.number)
