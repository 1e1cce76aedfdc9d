"""The job that makes producer snapshots again: the same files as the command, on any store."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pyarrow import fs
from pyspark.sql import SparkSession

from metaquorum.base.errors import OperatorError
from metaquorum.cli import producer_snapshots as module
from metaquorum.cli.main import run
from metaquorum.storage.directory_lock import DirectoryLock
from pyspark_metaquorum.arrow_disk import disk_of
from pyspark_metaquorum.regenerate import main, regenerate
from tests.unit.storage.broker_batches import NOW_MS, data, marker, write_segments

DAY_MS = 86_400_000


def cluster(root: Path) -> Path:
    """Two brokers with partitions of all sorts, one of them rotten."""
    old = NOW_MS - 2 * DAY_MS
    for broker in ("broker-1", "broker-2"):
        write_segments(
            root / broker / "data" / "orders-0",
            {
                0: [data(0, 9, transactional=True, timestamp_ms=old)],
                1: [data(1, 3, count=2)],
                3: [marker(3, 9), data(4, 3, sequence=2), data(5, 1)],
                6: [data(6)],
            },
        )
        write_segments(root / broker / "data" / "plain-1", {0: [data(0)], 1: []})
    rotten = write_segments(root / "broker-2" / "data" / "bad-0", {0: [data(0, 1)], 1: []})
    log = rotten / f"{0:020d}.log"
    log.write_bytes(log.read_bytes()[:-1] + b"?")
    return root


def files(root: Path) -> dict[str, bytes]:
    return {str(one.relative_to(root)): one.read_bytes() for one in sorted(root.rglob("*.*"))}


def rows(table: Any) -> list[dict[str, Any]]:
    return [row.asDict() for row in table.orderBy("path").collect()]


def test_the_job_and_the_command_write_equal_files(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = cluster(tmp_path / "job")
    theirs = Path(shutil.copytree(ours, tmp_path / "command"))
    monkeypatch.setattr(module, "wall_ms", lambda: NOW_MS)
    wanted = {
        broker: run(
            ["producer-snapshots", "regenerate", "--log-dir", str(theirs / broker / "data")]
        )
        for broker in ("broker-1", "broker-2")
    }
    assert wanted == {"broker-1": 0, "broker-2": 1}
    before = files(ours)
    dry = rows(regenerate(spark, [str(ours)], now_ms=NOW_MS, dry_run=True))
    assert files(ours) == before
    assert [one["done"] for one in dry].count("would be written") == 8
    done = rows(regenerate(spark, [str(ours)], now_ms=NOW_MS))
    assert files(ours) == files(theirs)
    assert [one["done"] for one in done].count("written") == 8
    (failed,) = [one for one in done if one["done"] == "failed"]
    assert failed["partition"] == "bad-0"
    assert f"bad-0/{0:020d}.log is damaged at byte 0" in failed["problem"]
    again = rows(regenerate(spark, [str(ours)], now_ms=NOW_MS))
    assert [one["done"] for one in again].count("valid") == 8


def test_a_directory_a_broker_holds_or_without_partitions_is_refused(
    spark: SparkSession, tmp_path: Path
) -> None:
    cluster(tmp_path)
    log_dir = tmp_path / "broker-1" / "data"
    (tmp_path / "empty").mkdir()
    with pytest.raises(OperatorError, match="no partition's directory"):
        regenerate(spark, [str(tmp_path / "empty")], now_ms=NOW_MS)
    with pytest.raises(OperatorError, match="there is no such directory"):
        regenerate(spark, [str(tmp_path / "nowhere")], now_ms=NOW_MS)
    lock = DirectoryLock(str(log_dir))
    try:
        assert rows(regenerate(spark, [str(log_dir)], now_ms=NOW_MS, dry_run=True))
    finally:
        lock.release()


def test_program_lists_all_files_and_exits_1_if_one_cannot_be_made(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SparkSession, "stop", lambda _: None)  # the session is the other tests' too
    cluster(tmp_path)
    good = CliRunner().invoke(main, ["--log-dir", str(tmp_path / "broker-1"), "-o", "json"])
    assert good.exit_code == 0, good.output
    told = [json.loads(line) for line in good.output.splitlines() if line.startswith("{")]
    assert [one["done"] for one in told] == ["written"] * 4
    bad = CliRunner().invoke(main, ["--log-dir", str(tmp_path / "broker-2"), "--dry-run"])
    assert bad.exit_code == 1
    assert bad.output.count(" would be written: ") == 4
    assert f"bad-0/{0:020d}.log is damaged" in bad.output
    none = CliRunner().invoke(main, ["--log-dir", str(tmp_path / "nowhere")])
    assert none.exit_code == 1 and str(tmp_path / "nowhere") in none.output


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """A URI of a bucket in a server of this process, which workers reach too."""
    import boto3
    from moto.server import ThreadedMotoServer

    with pytest.MonkeyPatch.context() as patch:
        for key in [key for key in os.environ if key.startswith("AWS_")]:
            patch.delenv(key)
        patch.setenv("AWS_ACCESS_KEY_ID", "any")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "any")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        server.start()
        try:
            host, port = server.get_host_and_port()
            client = boto3.client(
                "s3", endpoint_url=f"http://{host}:{port}", region_name="us-east-1"
            )
            client.create_bucket(Bucket="backups")
            yield (
                "s3://any:any@backups/cluster"
                f"?scheme=http&region=us-east-1&endpoint_override={host}:{port}"
            )
        finally:
            server.stop()


def test_an_object_store_gets_the_same_files(
    spark: SparkSession, tmp_path: Path, bucket: str
) -> None:
    local = cluster(tmp_path / "local")
    system, path = fs.FileSystem.from_uri(bucket)
    fs.copy_files(
        str(local), path, source_filesystem=fs.LocalFileSystem(), destination_filesystem=system
    )
    regenerate(spark, [str(local)], now_ms=NOW_MS)
    done = rows(regenerate(spark, [bucket], now_ms=NOW_MS))
    assert [one["done"] for one in done].count("written") == 8
    assert not any("any:any" in one["root"] for one in done), "nobody's secret is in a row"
    fs.copy_files(
        path,
        str(tmp_path / "back"),
        source_filesystem=system,
        destination_filesystem=fs.LocalFileSystem(),
    )
    assert files(tmp_path / "back") == files(local)


def test_a_disk_of_arrows_reads_what_the_machines_own_does(tmp_path: Path, bucket: str) -> None:
    system, path = fs.FileSystem.from_uri(bucket)
    system.create_dir(f"{path}/folder")
    with system.open_output_stream(f"{path}/folder/some") as file:
        file.write(bytes(range(100)))
    disk, root = disk_of(bucket)
    assert disk.names(f"{root}/folder") == ["some"]
    assert disk.read_bytes(f"{root}/folder/some") == bytes(range(100))
    one = disk.open(f"{root}/folder/some", writable=False)
    assert (one.size(), one.read(90, 61), one.read(3, 2)) == (100, bytes(range(90, 100)), b"\3\4")
    one.close()
    for ask in (disk.read_bytes, disk.names, disk.open):
        with pytest.raises(FileNotFoundError):
            ask(f"{root}/folder/nothing")
    with pytest.raises(NotADirectoryError):
        disk.names(f"{root}/folder/some")
