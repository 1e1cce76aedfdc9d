"""``metaquorum pipeline`` as a process: killed in the middle, and started again."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pyarrow.dataset as arrow
import pytest

from metaquorum.client.metadata_log import MetadataLogReader
from tools.kafka.ports import LOOPBACK
from tools.own_node import METAQUORUM, OwnNode
from tools.quota_writer import QuotaWriter

DEADLINE_S = 240
LANDING_ROWS = 60


def start(own: OwnNode, lake: Path, *more: str) -> subprocess.Popen[bytes]:
    """A run that lands in many small steps."""
    command = [METAQUORUM, "pipeline", "run", "--from", own.bootstrap_controller, "--to", lake]
    command += ["--rows-per-landing", str(LANDING_ROWS), "-o", "json", "--master", "local[2]"]
    command += more
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def landed_as_in_the_log(own: OwnNode, lake: Path) -> int:
    """Every record of the quorum up to some offset is there once, and nothing else; how many."""
    reader = MetadataLogReader([(LOOPBACK, own.controller_port)])
    expected = [(one.offset, one.epoch, one.type) for one in reader.records()]
    rows = arrow.dataset(lake / "bronze", format="parquet").to_table(["offset", "epoch", "type"])
    found = sorted(zip(*(column.to_pylist() for column in rows.columns)))
    assert found == expected[: len(found)]
    return len(found)


def test_a_killed_run_resumes_without_losing_or_repeating_a_row(
    own: OwnNode, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    with QuotaWriter.open(own.port) as writer:
        for number in range(6 * LANDING_ROWS):
            writer.set(f"user-{number}", "producer_byte_rate", 1.0 + number)
    process = start(own, lake)
    assert process.stdout is not None
    told = [json.loads(process.stdout.readline()) for _ in range(2)]
    process.send_signal(signal.SIGKILL)  # while the third is being made
    process.communicate()
    assert [one["landed"]["first"] for one in told] == [0, told[0]["landed"]["end"]]
    assert not (lake / "_tables.json").exists()

    out, said = start(own, lake).communicate(timeout=DEADLINE_S)
    told = [json.loads(line) for line in out.splitlines()]
    made = told[-1]["tables"]
    assert made["problems"] == 0 and "has the log up to offset" in said.decode()
    assert all(one["landed"]["rows"] <= LANDING_ROWS for one in told[:-1])
    assert landed_as_in_the_log(own, lake) == made["end"] > 6 * LANDING_ROWS
    quotas = arrow.dataset(lake / "history" / "quotas", format="parquet").to_table()
    assert quotas.num_rows == 6 * LANDING_ROWS


def follow_until(own: OwnNode, lake: Path, writer: QuotaWriter, user: str, end: int) -> int:
    """Follow, write, see it landed, and end the process by this signal; up to where it landed."""
    process = start(own, lake, "--follow", "--every", "0.1", "--refresh", "3600")
    assert process.stdout is not None
    for line in process.stdout:
        if "tables" in json.loads(line):  # it has caught up, and follows
            break
    for number in range(2):
        writer.set(f"{user}-{number}", "producer_byte_rate", 1.0)
    wanted = MetadataLogReader([(LOOPBACK, own.controller_port)])
    last = [one.offset for one in wanted.records()][-1]
    landed = 0
    for line in process.stdout:
        landed = max(landed, json.loads(line).get("landed", {}).get("end", 0))
        if landed > last:
            break
    process.send_signal(end)
    _, said = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == (-signal.SIGKILL if end == signal.SIGKILL else 0), said.decode()
    return landed


@pytest.mark.timeout(8 * DEADLINE_S)
@pytest.mark.parametrize(
    "ways",
    [
        (signal.SIGTERM, signal.SIGKILL),
        pytest.param((signal.SIGINT, signal.SIGKILL, signal.SIGTERM), marks=pytest.mark.soak),
    ],
)
def test_following_goes_on_after_each_way_to_be_stopped(
    own: OwnNode, tmp_path: Path, ways: tuple[signal.Signals, ...]
) -> None:
    lake = tmp_path / "lake"
    with QuotaWriter.open(own.port) as writer:
        ends = [follow_until(own, lake, writer, f"user-{way.name}", way) for way in ways]
    assert sorted(ends) == ends and ends[0] < ends[-1]
    assert landed_as_in_the_log(own, lake) >= ends[-1]
