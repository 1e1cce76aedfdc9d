"""``metaquorum metadata`` beside Kafka's own shell: the same files, the same lines."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaquorum.records.reader import walk_batches
from tests.every_record import CHECKPOINT_NAME, COMMANDS, LOG_NAME, TOLD, checkpoint, log
from tools.kafka import JavaHelper, KafkaCluster, jars
from tools.kafka.shell import KafkaShell
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
        rates += re.findall(r"[12]\.0", theirs[theirs.index("clientQuotas") :])
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
