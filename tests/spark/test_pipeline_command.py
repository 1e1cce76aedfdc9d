"""``metaquorum pipeline`` as a process: killed in the middle, and started again."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pyarrow.dataset as arrow

from metaquorum.client.metadata_log import MetadataLogReader
from tools.kafka.ports import LOOPBACK
from tools.own_node import METAQUORUM, OwnNode
from tools.quota_writer import QuotaWriter

DEADLINE_S = 120
LANDING_ROWS = 60


def start(own: OwnNode, lake: Path) -> subprocess.Popen[bytes]:
    """A run that lands in many small steps."""
    command = [METAQUORUM, "pipeline", "run", "--from", own.bootstrap_controller, "--to", lake]
    command += ["--rows-per-landing", str(LANDING_ROWS), "-o", "json", "--master", "local[2]"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_run_that_is_killed_goes_on_without_losing_or_repeating_a_row(
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
    reader = MetadataLogReader([(LOOPBACK, own.controller_port)])
    expected = [(one.offset, one.epoch, one.type) for one in reader.records()][: made["end"]]
    rows = arrow.dataset(lake / "bronze", format="parquet").to_table(["offset", "epoch", "type"])
    found = sorted(zip(*(column.to_pylist() for column in rows.columns)))
    assert found == expected and len(found) > 6 * LANDING_ROWS
    quotas = arrow.dataset(lake / "history" / "quotas", format="parquet").to_table()
    assert quotas.num_rows == 6 * LANDING_ROWS
