"""``metaquorum metadata`` over files: sources, points in time, provenance, differences, prompt."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from metaquorum.cli.main import run
from metaquorum.cli.metadata_point import END
from metaquorum.cli.metadata_prompt import Prompt
from metaquorum.cli.metadata_shell import Shell
from metaquorum.cli.metadata_tree import root
from metaquorum.records.batch import check
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.storage.preallocation import MARK
from tests.every_record import (
    CHANGES,
    CHECKPOINT_NAME,
    LOG_NAME,
    START_MS,
    STATE,
    checkpoint,
    config,
    feature,
    log,
    log_batches,
    value,
)

STATE_END = len(STATE)
LOG_END = STATE_END + sum(map(len, CHANGES))
ZERO_CHECKPOINT = "00000000000000000000-0000000000.checkpoint"
ISR_OFFSET = STATE_END + len(CHANGES[0])  # the record that gives alpha-0 its leader 1
ALPHA_0 = "/image/topics/byName/alpha/0"


def _snapshot(end: int, records: list[bytes], contained_ms: int) -> tuple[str, bytes]:
    batches = snapshot_batches(
        epoch=1,
        timestamp_ms=START_MS,
        last_contained_ms=contained_ms,
        controls=(),
        values=records,
    )
    return f"{end:020d}-0000000001.checkpoint", b"".join(batches)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A node's log directory: the log in two segments, a snapshot of its beginning."""
    inside = tmp_path / "__cluster_metadata-0"
    inside.mkdir()
    batches = log_batches()
    second = check(batches[8]).base_offset
    (inside / LOG_NAME).write_bytes(b"".join(batches[:8]))
    (inside / f"{second:020d}.log").write_bytes(b"".join(batches[8:]))
    name, content = _snapshot(STATE_END, STATE, START_MS + 20)
    (inside / name).write_bytes(content)
    (inside / "quorum-state").write_text("{}")
    return tmp_path


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["metadata", *arguments])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def _cat(capsys: pytest.CaptureFixture[str], directory: Path, path: str, *more: str) -> str:
    code, out, err = _run(capsys, "-q", "cat", path, "--log-dir", str(directory), *more)
    assert (code, err) == (0, "")
    return out


def test_a_directory_is_shown_as_it_is_at_its_end(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"offset {LOG_END - 1}, epoch 2," in _cat(capsys, directory, "/image/provenance")
    assert "leader=1," in _cat(capsys, directory, ALPHA_0)
    code, out, _ = _run(
        capsys, "-q", "--log-dir", f"{directory}/__cluster_metadata-0", "ls", "/image/topics/byName"
    )
    assert (code, out.split()) == (0, ["Beta.x", "alpha", "empty", "kept"])


@pytest.mark.parametrize(
    ("point", "leader"),
    [
        (str(ISR_OFFSET), "1"),
        (str(ISR_OFFSET - 1), "2"),
        (str(STATE_END - 1), "2"),
        (f"@{START_MS + 40}", "1"),
        (f"@{START_MS + 39}", "2"),
        ("2023-11-14T22:13:20.040Z", "1"),
        ("2023-11-14T22:13:20.039", "2"),
        ("2023-11-15T00:13:20.040+02:00", "1"),
        ("end", "1"),
    ],
)
def test_a_directory_is_shown_as_it_was_at_an_offset_or_a_time(
    directory: Path, capsys: pytest.CaptureFixture[str], point: str, leader: str
) -> None:
    assert f"leader={leader}," in _cat(capsys, directory, ALPHA_0, "--at", point)


def test_before_the_snapshot_the_log_is_replayed(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "offset 0, epoch 1," in _cat(capsys, directory, "/image/provenance", "--at", "0")
    (directory / "__cluster_metadata-0" / LOG_NAME).unlink()
    code, _, err = _run(capsys, "ls", "--log-dir", str(directory), "--at", "3")
    assert code == 1
    assert f"no longer there, the oldest one is that after offset {STATE_END - 1}" in err


def test_a_segment_that_is_missing_in_the_middle_is_noticed(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = directory / "__cluster_metadata-0"
    (inside / LOG_NAME).unlink()
    code, _, err = _run(capsys, "ls", "--log-dir", str(directory))
    assert code == 1
    assert "no longer there" in err


def test_the_zero_checkpoint_is_no_state(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = directory / "__cluster_metadata-0"
    boot = snapshot_batches(
        epoch=0,
        timestamp_ms=0,
        last_contained_ms=0,
        controls=(),
        values=[feature("share.version", 9)],
    )
    (inside / ZERO_CHECKPOINT).write_bytes(b"".join(boot))
    shown = _cat(capsys, directory, "/image/features/finalized_share.version")
    assert shown == "1\n"


def test_what_an_unfinished_transaction_holds_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = [value("BeginTransaction", name="t"), config(4, "", "log.retention.ms", "77")]
    (tmp_path / LOG_NAME).write_bytes(log(more))
    code, out, err = _run(
        capsys, "cat", "/image/configs/BROKER/log.retention.ms", "--log-dir", str(tmp_path)
    )
    assert (code, out) == (0, "9\n")
    assert f"what follows offset {LOG_END} is left out" in err


def test_a_torn_tail_ends_the_log_and_rot_before_it_is_an_error(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = directory / "__cluster_metadata-0"
    first, second = sorted(inside.glob("*.log"))
    second.write_bytes(second.read_bytes()[:-5])
    code, _, err = _run(capsys, "ls", "--log-dir", str(directory))
    assert code == 0
    assert f"{second} is read up to byte" in err
    spoilt = bytearray(first.read_bytes())
    spoilt[-1] ^= 1
    first.write_bytes(spoilt)
    code, _, err = _run(capsys, "ls", "--log-dir", str(directory), "--provenance")
    assert code == 1
    assert f"{first}, byte" in err


def test_preallocation_behind_a_running_nodes_log_is_not_mentioned(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    *_, last = sorted((directory / "__cluster_metadata-0").glob("*.log"))
    last.write_bytes(last.read_bytes() + MARK + bytes(5_000))
    code, _, err = _run(capsys, "ls", "--log-dir", str(directory))
    assert code == 0
    assert "is read up to byte" not in err


@pytest.mark.parametrize("with_snapshot", [True, False])
def test_provenance_names_the_record_or_the_snapshot(
    directory: Path, capsys: pytest.CaptureFixture[str], with_snapshot: bool
) -> None:
    if with_snapshot:
        (directory / "__cluster_metadata-0" / LOG_NAME).rename(directory / "gone")
        batches = log_batches()
        start = check(batches[3]).base_offset
        path = directory / "__cluster_metadata-0" / f"{start:020d}.log"
        path.write_bytes(b"".join(batches[3:8]))
    name = "/image/topics/byName/alpha/name"
    out = _cat(capsys, directory, name, "--provenance")
    time = "2023-11-14T22:13:20"
    if with_snapshot:
        said = f"# in the snapshot up to offset {STATE_END - 1}, epoch 1, {time}.02Z"
    else:
        said = f"# set at offset 6, epoch 1, {time}.01Z"
    assert out == f"alpha\n{said}\n"
    rows = json.loads(_cat(capsys, directory, ALPHA_0, "--provenance", "-o", "json"))
    assert rows["value"]["leader"] == 1
    assert rows["provenance"]["offset"] == ISR_OFFSET
    assert rows["provenance"]["fromSnapshot"] is False


def test_a_checkpoints_entries_come_from_its_snapshot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / CHECKPOINT_NAME
    path.write_bytes(checkpoint())
    code, out, _ = _run(
        capsys, "-q", "cat", "/image/provenance", "--provenance", "--snapshot", str(path)
    )
    assert code == 0
    assert f"offset {STATE_END}, epoch 3, time" in out  # its place in the file, as Kafka tells it
    assert "# in the snapshot up to offset 899, epoch 3, 2023-11-14T22:13:20.1Z" in out


def test_trees_listings_and_searches_come_as_json(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = ("-q", "-o", "json", "--log-dir", str(directory))
    _, out, _ = _run(capsys, *source, "tree", "/image/topics/byName/kept", "/image/clientQuotas")
    kept, quotas = map(json.loads, out.splitlines())
    assert kept["name"] == "kept"
    assert quotas["user(<default>)"] == {"consumer_byte_rate": 12345678.0}
    _, out, _ = _run(capsys, *source, "ls", "/image/features")
    assert json.loads(out)["entries"][-1] == "metadataVersion"
    _, out, _ = _run(capsys, *source, "find", "/image/acls")
    assert json.loads(out.splitlines()[0]) == {"path": "/image/acls", "directory": True}
    _, out, _ = _run(capsys, *source, "cat", "/image/cluster/brokers/2")
    assert json.loads(out)["value"]["endpoints"][0]["listener"] == "X"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ls"], "name one source"),
        (["ls", "--snapshot", "a", "--log-dir", "b"], "name one source"),
        (["ls", "--snapshot", "nowhere"], "nowhere: No such file"),
        (["ls", "--log-dir", "nowhere"], "nowhere: there is no such directory"),
        (["ls", "--log-dir", "."], "neither a metadata log nor"),
        (["ls", "--snapshot", "."], "is a directory: name it with --log-dir"),
        (["ls", "--snapshot", "x", "--at", "3"], "a checkpoint holds one state only"),
        (["ls", "--log-dir", "DIR", "--at", "yesterday"], "'yesterday' is no point in a log"),
        (["ls", "--log-dir", "DIR", "--at", "99999"], "there is no offset 99999 yet"),
        (["ls", "--log-dir", "DIR", "--at", "1999-01-01"], "nothing as old as 1999-01-01"),
        (["cat", "/nix", "--log-dir", "DIR"], "cat: /nix: No such file or directory."),
        (["diff", "1", "2", "--at", "3", "--log-dir", "DIR"], "not with --at"),
        (["diff", "old.checkpoint", "end"], "old.checkpoint: there is no such file"),
    ],
)
def test_what_cannot_be_done_is_told_with_exit_code_1(
    directory: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("empty"))
    given = [str(directory) if word == "DIR" else word for word in arguments]
    code, _, err = _run(capsys, "-q", *given)
    assert code == 1
    assert message in err


def test_a_broken_checkpoint_is_named_with_the_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / CHECKPOINT_NAME
    path.write_bytes(checkpoint()[:-30])
    code, _, err = _run(capsys, "ls", "--snapshot", str(path))
    assert code == 1
    assert f"{path}, byte " in err
    path.write_bytes(b"")
    code, _, err = _run(capsys, "ls", "--snapshot", str(path))
    assert (code, "the file is empty" in err) == (1, True)


def test_a_record_of_a_newer_release_is_named_with_file_and_offset(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / LOG_NAME).write_bytes(log([b"\x01\x50\x00\x00"]))
    code, _, err = _run(capsys, "ls", "--log-dir", str(tmp_path))
    assert code == 1
    assert f"{tmp_path}/{LOG_NAME}: the metadata record at offset {LOG_END} cannot be read" in err


WORDS = """\
feature group.version removed: 1
feature share.version finalized: 1
broker 2 fenced: fenced false -> true; inControlledShutdown false -> true; \
logDirs [] -> [BAQEBAQEBAQEBAQEBAQEBA]; cordonedLogDirs null -> []
broker 7 registered: epoch 80, incarnationId AAAAAAAAAAAAAAAAAAAAAA, endpoints [], features [], \
rack "", fenced true, inControlledShutdown false, isMigratingZkBroker false, logDirs [], \
cordonedLogDirs null
topic empty deleted: id BwcHBwcHBwcHBwcHBwcHBw, partitions 0
topic empty created: id CQkJCQkJCQkJCQkJCQkJCQ, partitions 0
topic kept created: id AgICAgICAgICAgICAgICAg, partitions 0
partition alpha-0 changed: leader 2 -> 1; isr [2, 1] -> [1, 2, 3]; leaderEpoch 4 -> 5; \
partitionEpoch 9 -> 10; elr [3] -> []; lastKnownElr [1, 3] -> []
"""


def test_a_difference_tells_what_changed_in_words(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = ("--log-dir", str(directory))
    code, out, _ = _run(capsys, "-q", "diff", str(STATE_END - 1), "end", *source)
    assert code == 0
    assert out.startswith(WORDS)
    lines = out.splitlines()
    assert "config BROKER log.retention.ms set: 9" in lines
    assert "config TOPIC:alpha cleanup.policy removed: compact" in lines
    assert "quota user(anna) producer_byte_rate removed: 1e-09" in lines
    assert "counter next producer id changed: 12345 -> 13345" in lines
    assert "scram credential anna (SCRAM-SHA-256) removed: iterations 4096" in lines
    assert any(
        line.startswith("acl BQUFBQUFBQUFBQUFBQUFBQ removed: rule Standard") for line in lines
    )
    assert any(line.startswith("delegation token AAAA removed: owner User:o") for line in lines)
    assert "73616c74" not in out


def test_a_difference_knows_the_record_and_can_be_an_exit_code(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = ("-q", "--log-dir", str(directory), "--exit-code")
    before, after = str(ISR_OFFSET - 1), str(ISR_OFFSET)
    code, out, _ = _run(capsys, "diff", before, after, *source, "--provenance")
    assert code == 2
    assert out.endswith(f"  # set at offset {ISR_OFFSET}, epoch 1, 2023-11-14T22:13:20.04Z\n")
    code, out, _ = _run(capsys, "diff", before, after, *source, "-o", "json")
    row = json.loads(out)
    assert (row["from"]["provenance"]["offset"], row["to"]["provenance"]["offset"]) == (
        ISR_OFFSET - 1,
        ISR_OFFSET,
    )
    (change,) = row["changes"]
    assert (change["kind"], change["name"], change["change"]) == ("partition", "alpha-0", "changed")
    assert (change["before"]["leader"], change["after"]["leader"]) == (2, 1)
    assert change["provenance"]["offset"] == ISR_OFFSET
    code, out, _ = _run(capsys, "diff", after, after, *source)
    assert (code, out) == (0, "")


def test_files_are_compared_with_each_other_and_with_a_directory(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    older = directory / "__cluster_metadata-0" / f"{STATE_END:020d}-0000000001.checkpoint"
    newer = tmp_path / CHECKPOINT_NAME
    newer.write_bytes(checkpoint())
    code, out, err = _run(capsys, "diff", str(older), str(newer))
    assert (code, out, err) == (0, "", "# nothing changed\n")
    code, out, _ = _run(capsys, "-q", "diff", str(newer), str(directory))
    assert code == 0
    assert out.startswith(WORDS)


# ---------------------------------------------------------------- the prompt


def _prompt(directory: Path, monkeypatch: pytest.MonkeyPatch, typed: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return run(["metadata", "-q", "--log-dir", str(directory)])


def test_the_prompt_takes_kafkas_commands(
    directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "ls\n\ncd image/features\npwd\ncat metadataVersion\nhistory 2\nexit\nls\n"
    assert _prompt(directory, monkeypatch, typed) == 0
    assert capsys.readouterr().out == (
        "image\nlocal\n/image/features\nOptional[4.3-IV0]\n"
        "    4  cat metadataVersion\n    5  history 2\n"
    )
    assert _prompt(directory, monkeypatch, "help\n") == 0
    assert "tree PATH..." in capsys.readouterr().out


def test_the_prompt_complains_and_goes_on(
    directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "frob\ncat\ncd /nix\ncd /image/provenance\ncat 'x\nls /local\n"
    assert _prompt(directory, monkeypatch, typed) == 1
    shown = capsys.readouterr()
    assert shown.out == "commitId\nversion\n"
    assert [line.split(":")[0] for line in shown.err.splitlines()] == [
        "frob",
        "cat",
        "cd",
        "cd",
        "cat 'x",
    ]


def test_commands_and_paths_are_completed(directory: Path) -> None:
    from metaquorum.cli.metadata_files import from_directory

    state = from_directory(str(directory), END, print)
    prompt = Prompt(
        Shell(root(state.view, state.provenance, "V", "C"), print, print), io.StringIO()
    )
    assert prompt.completions("c", "c") == ["cat ", "cd "]
    assert prompt.completions("ls /im", "/im") == ["/image/"]
    found = prompt.completions("cat /image/features/meta", "/image/features/meta")
    assert found == ["/image/features/metadataVersion "]
    assert prompt.completions("cat /nix/a", "/nix/a") == []


def test_the_help_has_examples_and_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ([], ["ls"], ["cat"], ["find"], ["tree"], ["diff"]):
        code, out, _ = _run(capsys, *command, "--help")
        assert code == 0
        assert "Examples:" in out
        assert "Exit codes:" in out
