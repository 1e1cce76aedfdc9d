"""``metaquorum explain`` and ``record --to``: their command lines, text, JSON and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metaquorum.cli.explain_history import shown
from metaquorum.cli.main import run
from metaquorum.flight.explanation import Fact
from metaquorum.flight.limits import LEAST_RING_BYTES, MAX_SHOWN_FACTS
from metaquorum.flight.ring import Ring, segments_of
from tests.unit.client.fake_quorum import TIME_MS, data_batch, feature, leader_change
from tests.unit.exporter.exported_quorum import record as made_record
from tests.unit.flight.made_evidence import START_MS, Story

RECORD = ("record", "--bootstrap-controller", "localhost:9093")


def recorded(directory: Path, story: Story, cluster_id: str = "CLUSTER") -> Path:
    """A recording of a story."""

    def known() -> dict[str, object]:
        return {"cluster_id": cluster_id, "position": 0, "epoch": None, "brokers": []}

    with Ring.open(directory, LEAST_RING_BYTES, 10**12, lambda: START_MS, known) as ring:
        ring.put(*story.items)
    return directory


def two_leaders() -> Story:
    return Story().led(1, 0, 10_000, 1, 2).led(2, 12_600, 60_000, 2, 3)


def broker_change(**fields: int) -> bytes:
    return made_record("BrokerRegistrationChange", 1, broker_id=5, broker_epoch=9, **fields)


def a_log(directory: Path) -> Path:
    """A log of two leaders, one of whom fenced a broker."""
    partition = directory / "__cluster_metadata-0"
    partition.mkdir(parents=True)
    batches = [
        leader_change(0, 1, 1),
        data_batch(1, 1, feature("metadata.version", 25)),
        data_batch(2, 1, broker_change(in_controlled_shutdown=1)),
        data_batch(3, 1, broker_change(fenced=1)),
        leader_change(4, 2, 3),
    ]
    (partition / "00000000000000000000.log").write_bytes(b"".join(batches))
    return directory


def test_a_recording_is_explained_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", str(recorded(tmp_path, two_leaders()))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("controller 1 leads epoch 1, offset 0")
    assert lines[1] == "  first-leader (certain): the log begins with it"
    headline = next(line for line in lines if "was followed by" in line)
    assert headline.endswith(
        "leader 1 of epoch 1 was followed by 2 in epoch 2, offset 20, after 2.6 s without a leader"
    )
    cause = lines[lines.index(headline) + 1]
    assert cause.startswith("  gone (possible; not excluded: ended, unresponsive, resigned): ")
    facts = lines[lines.index(headline) + 2 :]
    assert facts[0].startswith("    20") and facts[-1] == ""


def test_json_has_an_object_for_each_event(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", str(recorded(tmp_path, two_leaders())), "-o", "json"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["event"], first["cause"], first["leaderBefore"]) == (
        "leader-changed",
        "first-leader",
        None,
    )
    evidence = second.pop("evidence")
    assert [sorted(one) for one in evidence] == [["text", "timeMs"]] * len(evidence)
    assert second.pop("explanation").startswith("leader 1 wrote nothing for 2.6 s")
    assert second == {
        "event": "leader-changed",
        "timeMs": START_MS + 12_600,
        "offset": 20,
        "epoch": 2,
        "node": 2,
        "leaderBefore": 1,
        "epochBefore": 1,
        "withoutLeaderMs": 2_600,
        "cause": "gone",
        "certainty": "possible",
        "rule": "waited-for",
        "notExcluded": ["ended", "unresponsive", "resigned"],
    }


def test_bare_logs_of_several_nodes_are_put_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(a_log(tmp_path / name)) for name in ("node1", "node2")]
    assert run(["explain", *paths, "-o", "json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["event"], one["cause"]) for one in found] == [
        ("leader-changed", "first-leader"),
        ("broker-fenced", "stopped"),
        ("leader-changed", "resigned"),
    ]
    assert found[1]["timeMs"] == TIME_MS + 3


def test_only_the_wanted_time_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = str(recorded(tmp_path, two_leaders()))
    assert run(["explain", directory, "--since", f"@{START_MS + 1}", "-o", "json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    assert run(["explain", directory, "--until", "2001-01-01T00:00:00Z"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("option", ["--since", "--until"])
@pytest.mark.parametrize("text", ["yesterday", "17", "end"])
def test_what_is_no_time_is_refused(
    option: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", str(tmp_path), option, text]) == 1
    assert f"{option}: a time such as" in capsys.readouterr().err


def test_a_torn_line_is_told_and_is_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = recorded(tmp_path, two_leaders())
    with segments_of(directory)[-1][1].open("ab") as file:
        file.write(b'{"kind":')
    assert run(["explain", str(directory)]) == 0
    assert "8 bytes of an unfinished line at the end are passed over" in capsys.readouterr().err


def test_a_damaged_line_is_told_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = recorded(tmp_path, two_leaders())
    with segments_of(directory)[-1][1].open("ab") as file:
        file.write(b"{]\n")
    assert run(["explain", str(directory)]) == 2
    printed = capsys.readouterr()
    assert "it is no JSON; it is passed over" in printed.err
    assert "was followed by" in printed.out


def test_recordings_of_two_clusters_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(recorded(tmp_path / name, two_leaders(), name)) for name in ("ONE", "OTHER")]
    assert run(["explain", *paths]) == 1
    assert "of cluster OTHER, what was given before it of ONE" in capsys.readouterr().err


def test_a_path_without_evidence_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", str(tmp_path / "missing")]) == 1
    assert "missing: there is no such directory" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert run(["explain", str(tmp_path / "empty")]) == 1
    assert "empty" in capsys.readouterr().err


def test_of_very_many_facts_the_first_and_last_are_shown() -> None:
    facts = tuple(Fact(number, str(number)) for number in range(100))
    texts = [one.text for one in shown(facts)]
    assert len(texts) == MAX_SHOWN_FACTS + 1
    assert (texts[0], texts[MAX_SHOWN_FACTS // 2], texts[-1]) == ("0", "(60 more)", "99")


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (("--retention-bytes", "1000"), "--retention-bytes"),
        (("--retention-ms", "10"), "--retention-ms"),
        (("--interval-ms", "1"), "--interval-ms"),
        (("--answer-timeout-ms", "1"), "--answer-timeout-ms"),
        (("--command-config", "missing.properties"), "missing.properties"),
    ],
)
def test_what_the_recorder_cannot_use_is_named(
    more: tuple[str, ...], named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*RECORD, "--to", str(tmp_path), *more]) != 0
    assert named in capsys.readouterr().err


@pytest.mark.parametrize("words", [RECORD, ("record", "--to", "somewhere")])
def test_a_recorder_needs_a_directory_and_a_quorum(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(list(words)) == 1
    assert "give --to DIR and --bootstrap-controller" in capsys.readouterr().err


def test_decode_does_not_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["record", "--to", "somewhere", "decode"]) == 1
    assert "--to records, and decode does not" in capsys.readouterr().err


def test_a_directory_with_other_files_is_not_recorded_into(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other.txt").write_text("")
    assert run([*RECORD, "--to", str(tmp_path)]) == 1
    assert "other.txt, which is of no recording" in capsys.readouterr().err
