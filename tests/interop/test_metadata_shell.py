"""``metaquorum metadata`` beside Kafka's own shell: the same files, the same lines."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaquorum.cli.main import run
from metaquorum.records.reader import walk_batches
from tests.every_record import (
    CHANGES,
    CHECKPOINT_NAME,
    COMMANDS,
    LOG_NAME,
    STATE,
    TOLD,
    broker,
    checkpoint,
    feature,
    log,
    log_batches,
    partition,
    value,
)
from tools.kafka import JavaHelper, KafkaCluster, jars
from tools.kafka.shell import KafkaShell, ShellFault
from tools.own_node import OwnNode, metaquorum
from tools.quota_writer import QuotaWriter

LOGS = Path(__file__).parents[1] / "unit/metadata/logs"
REWRITE = os.environ.get("METAQUORUM_REWRITE_SHELL_GOLDENS") == "1"


@pytest.fixture(scope="module")
def shell() -> Iterator[KafkaShell]:
    """Kafka's shell, warm."""
    with KafkaShell() as running:
        yield running


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A checkpoint and a log that hold every record type."""
    (tmp_path / CHECKPOINT_NAME).write_bytes(checkpoint())
    (tmp_path / LOG_NAME).write_bytes(log())
    return tmp_path


def _told(name: str, printed: str) -> str:
    """What is kept of Kafka's words; written anew when that is asked for."""
    if REWRITE:
        TOLD.mkdir(parents=True, exist_ok=True)
        (TOLD / name).write_text(printed, encoding="utf-8")
    return (TOLD / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "told"), [(CHECKPOINT_NAME, "checkpoint"), (LOG_NAME, "log")])
def test_every_leaf_is_the_same_line_by_line(
    shell: KafkaShell, files: Path, name: str, told: str
) -> None:
    (theirs,) = shell.run(files / name, ["tree", "/image"])
    assert theirs == _told(f"{told}.tree", theirs)
    ours = metaquorum("metadata", "-q", "tree", "/image", "--snapshot", str(files / name))
    assert ours.exit_code == 0, ours.stderr
    assert ours.stdout == theirs
    assert len(theirs.splitlines()) > 100


def test_every_command_prints_the_same(shell: KafkaShell, files: Path) -> None:
    outputs = shell.run(files / CHECKPOINT_NAME, *COMMANDS)
    theirs = {" ".join(command): output for command, output in zip(COMMANDS, outputs)}
    shown = json.dumps(theirs, indent=1, ensure_ascii=False) + "\n"
    assert theirs == json.loads(_told("commands.json", shown))


@pytest.mark.parametrize(
    ("kept", "name"),
    [
        ("kafka-4.3.1-446-2.checkpoint.gz", "00000000000000000446-0000000002.checkpoint"),
        ("kafka-4.3.1.log.gz", LOG_NAME),
    ],
)
def test_what_a_real_kafka_wrote_is_shown_the_same(
    shell: KafkaShell, tmp_path: Path, kept: str, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.decompress((LOGS / kept).read_bytes()))
    (theirs,) = shell.run(path, ["tree", "/image"])
    ours = metaquorum("metadata", "tree", "/image", "--snapshot", str(path))
    assert (ours.exit_code, ours.stderr) == (0, "")
    assert ours.stdout == theirs


@pytest.mark.parametrize("name", [CHECKPOINT_NAME, LOG_NAME])
def test_the_image_of_kafka_4_4_is_the_same_too(files: Path, name: str) -> None:
    with KafkaShell(jars.libs("4.4.0")) as newer:
        (theirs,) = newer.run(files / name, ["tree", "/image"])
    ours = metaquorum("metadata", "-q", "tree", "/image", "--snapshot", str(files / name))
    assert ours.stdout == theirs


# ---------------------------------------------------------------- records of other releases


def _of_version(framed: bytes, version: int) -> bytes:
    """The same bytes, told to be of another version."""
    return framed[:2] + bytes([version]) + framed[3:]


TOPIC = value("Topic", name="newer", topic_id=bytes(range(16)))
ENDPOINT = [("BrokerEndpoint", "PLAINTEXT", "host", 9092, 0)]
NEWER = {
    "a newer version": _of_version(TOPIC, 9),
    "a newer version of a partition": _of_version(partition(7), 3),
    "a newer version of a broker": _of_version(broker(9, 90), 5),
    "a newer version with a field that nobody knows": _of_version(TOPIC, 1)[:-1]
    + b"\x01\x63\x03abc",
    "a field that nobody knows": TOPIC[:-1] + b"\x01\x63\x03abc",
    "a feature that nobody knows": feature("future.version", 3),
    "a level that nobody knows": feature("group.version", 9),
}
REFUSED = {
    "a type that nobody knows": b"\x01\x63\x00\x00",
    "a type that was given up": b"\x01\x0d\x00\x00",
    "a frame of another version": b"\x02\x14\x00\x00",
    "a newer version with something behind it": _of_version(TOPIC, 9) + b"\0",
    "a newer version with structures in it": _of_version(broker(9, 90, end_points=ENDPOINT), 5),
    "a metadata.version that nobody knows": feature("metadata.version", 99),
}


@pytest.mark.parametrize("what", NEWER)
def test_what_kafka_understands_of_newer_records_we_do_too(
    shell: KafkaShell, tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    path = tmp_path / LOG_NAME
    path.write_bytes(b"".join(log_batches([NEWER[what]])))
    (theirs,) = shell.run(path, ["tree", "/image"])
    assert run(["metadata", "-q", "tree", "/image", "--snapshot", str(path)]) == 0
    assert capsys.readouterr().out == theirs


@pytest.mark.parametrize("what", REFUSED)
def test_what_kafka_stops_at_we_stop_at_too(
    shell: KafkaShell, tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    path = tmp_path / LOG_NAME
    path.write_bytes(b"".join(log_batches([REFUSED[what]])))
    with pytest.raises(ShellFault):
        shell.run(path, ["tree", "/image"])
    assert run(["metadata", "-q", "tree", "/image", "--snapshot", str(path)]) == 1
    end = sum(map(len, [STATE, *CHANGES]))
    assert f"at offset {end} cannot be" in capsys.readouterr().err


# ---------------------------------------------------------------- live quorums


def _cut(path: Path, offset: int, into: Path) -> Path:
    """A copy of a log that ends with the batch of ``offset``."""
    kept = b"".join(
        bytes(batch)
        for header, batch in walk_batches(path.read_bytes())
        if header.base_offset <= offset
    )
    into.mkdir(exist_ok=True)
    (into / LOG_NAME).write_bytes(kept)
    return into / LOG_NAME


def _ends(path: Path) -> list[int]:
    """The last offsets of the data batches of a log, from the first after its start on."""
    headers = [header for header, _ in walk_batches(path.read_bytes())]
    return [header.last_offset for header in headers if not header.is_control][2:]


@pytest.fixture(scope="module")
def real(
    tmp_path_factory: pytest.TempPathFactory, java: JavaHelper
) -> Iterator[tuple[KafkaCluster, Path]]:
    """A controller of the real Kafka, some changes, and its log."""
    running = KafkaCluster(
        tmp_path_factory.mktemp("real"), controllers=1, brokers=0, format_tool=java.tool
    )
    with running:
        with QuotaWriter.open(running.controller_ports[1]) as writer:
            for rate in (1.0, 2.0, None):
                writer.set("anna", "producer_byte_rate", rate)
            writer.set("berta", "request_percentage", 7.0)
        yield running, running.nodes[1].metadata_directory / LOG_NAME


def test_a_live_kafka_is_shown_as_it_was_at_any_offset(
    real: tuple[KafkaCluster, Path], shell: KafkaShell, tmp_path: Path
) -> None:
    cluster, log_file = real
    source = ("--bootstrap-controller", cluster.bootstrap_controllers)
    ends = [
        end
        for end in _ends(log_file)
        if "user(" in shell.run(_cut(log_file, end, tmp_path), ["ls", "/image/clientQuotas"])[0]
    ]
    rates = []
    for at in (ends[0], ends[-1]):
        (theirs,) = shell.run(_cut(log_file, at, tmp_path), ["tree", "/image"])
        ours = metaquorum("metadata", "-q", "tree", "/image", "--at", str(at), *source)
        assert ours.exit_code == 0, ours.stderr
        assert ours.stdout == theirs
        rates += re.findall(r"producer_byte_rate:\n +([12]\.0)\n", theirs)
        # The directory of the running node says the same.
        beside = ("-q", "--log-dir", str(log_file.parent), "--at", str(at))
        assert metaquorum("metadata", "tree", "/image", *beside).stdout == theirs
    told = metaquorum("metadata", "-q", "diff", str(ends[0]), str(ends[-1]), *source)
    (rate,) = rates  # the first or the second, by how Kafka made batches of what came before
    assert f"quota user(anna) producer_byte_rate removed: {rate}" in told.stdout
    assert "quota user(berta) request_percentage set: 7.0" in told.stdout


def test_our_own_live_node_is_shown_as_it_was(
    node: OwnNode, shell: KafkaShell, tmp_path: Path
) -> None:
    with QuotaWriter.open(node.port) as writer:
        for rate in (1.0, 2.0, 3.0):
            writer.set("anna", "producer_byte_rate", rate)
    (log_file,) = sorted(node.metadata_directory.glob("*.log"))
    source = ("-q", "--bootstrap-controller", node.bootstrap_controller)
    path = "/image/clientQuotas/user(anna)/producer_byte_rate"
    shown = []
    for at in _ends(log_file)[-3:]:
        (theirs,) = shell.run(_cut(log_file, at, tmp_path), ["tree", "/image"])
        ours = metaquorum("metadata", "tree", "/image", "--at", str(at), *source)
        assert ours.exit_code == 0, ours.stderr
        assert ours.stdout == theirs
        row = json.loads(
            metaquorum(
                "metadata", "cat", path, "--at", str(at), "--provenance", "-o", "json", *source
            ).stdout
        )
        shown.append((row["value"], row["provenance"]["offset"] <= at))
    assert (3.0, True) in shown
    rows = metaquorum(
        "metadata-quorum",
        "--bootstrap-controller",
        node.bootstrap_controller,
        "describe",
        "--replication",
    )
    assert len(rows.stdout.splitlines()) == 2, rows.stdout
