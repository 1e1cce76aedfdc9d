"""One voter, whole: it elects itself, takes a write, keeps it, and goes in order."""

from __future__ import annotations

import gc
import socket
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import trio

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import InvariantViolated, OperatorError, RequestError
from metaquorum.controller.commands import AlterClientQuotas
from metaquorum.node.lifecycle import run
from metaquorum.quorum.events import ResignAsked
from metaquorum.records.batch import read_header
from metaquorum.records.metadata_record import decode_metadata_record
from metaquorum.records.reader import walk_batches, walk_records
from metaquorum.runtime.disk import pace
from metaquorum.server.sockets.epoll_host import EpollConnection
from metaquorum.storage.disk import DiskFailed
from metaquorum.storage.preallocation import MARK
from metaquorum.wire.generated import (
    alter_client_quotas_request,
    api_versions_request,
    error_codes,
    fetch_request,
)
from metaquorum.wire.generated.records import feature_level_record, register_controller_record
from tests.unit.node.whole_node import (
    CLUSTER_ID,
    FEATURES,
    Running,
    config_of,
    format_directory,
    running,
)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    format_directory(tmp_path / "data")
    return tmp_path / "data"


def log_bytes(directory: Path) -> bytes:
    return (directory / "__cluster_metadata-0" / "00000000000000000000.log").read_bytes()


async def test_a_formatted_node_leads_and_answers_for_itself(directory: Path):
    async with running(config_of(directory)) as run:
        partition = await run.describe_quorum()
        assert (partition.error_code, partition.leader_id, partition.leader_epoch) == (0, 1, 1)
        assert [voter.replica_id for voter in partition.current_voters] == [1]
        assert run.node.health.readyz().is_well


async def test_connections_that_end_are_freed_without_the_collector(directory: Path):
    """Frozen ones, too, which the collector never looks at again (docs/decisions/270)."""
    async with running(config_of(directory)) as run:
        gc.collect()
        gc.disable()
        try:
            for _ in range(3):
                for listener in run.server.ports:
                    await run.ask(
                        18, 3, api_versions_request.ApiVersionsRequest("a", "1"), listener=listener
                    )
                await run.describe_quorum()
                await run.alter_quota("anna", 1.5)
            left = 2  # the poller knows the one that it called last until it calls another
            while left > 1:
                left = sum(isinstance(one, EpollConnection) for one in gc.get_objects())
                await trio.lowlevel.checkpoint()
        finally:
            gc.enable()


async def test_the_first_leader_writes_the_bootstrap_records_once(directory: Path):
    for _ in range(3):
        async with running(config_of(directory)):
            pass
    records = [
        decode_metadata_record(record.value)
        for header, batch in walk_batches(log_bytes(directory))
        if not header.is_control
        for record in walk_records(batch)
    ]
    levels = [
        (record.message.name, record.message.feature_level)
        for record in records
        if record.type == feature_level_record.API_KEY
    ]
    assert dict(levels) == FEATURES and len(levels) == len(FEATURES)


async def test_every_epoch_begins_with_a_leader_change(directory: Path):
    for _ in range(3):
        async with running(config_of(directory)):
            pass
    first_of_epoch: dict[int, bool] = {}
    for header, _ in walk_batches(log_bytes(directory)):
        first_of_epoch.setdefault(header.leader_epoch, header.is_control)
    assert first_of_epoch == {1: True, 2: True, 3: True}


@pytest.mark.parametrize("clean", [True, False], ids=["stopped", "killed"])
async def test_an_acknowledged_quota_outlives_the_node(directory: Path, clean: bool):
    async with running(config_of(directory), clean=clean) as run:
        answer = await run.alter_quota("ada", 1024.0)
        assert [entry.error_code for entry in answer.entries] == [0]
        assert await run.quotas() == {"ada": 1024.0}
    async with running(config_of(directory)) as run:
        assert await run.quotas() == {"ada": 1024.0}


async def test_a_log_under_load_has_room_that_is_given_back_at_rest(
    directory: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pace, "FAST_WRITES_IN_A_ROW", 16)
    monkeypatch.setattr(pace, "FAST_WRITES_PAUSE_MS", 15_000)  # a slow disk makes no pause
    async with running(config_of(directory, metadata_max_idle_interval_ms="0")) as run:
        log = run.node.directory.journal.log
        while not log.is_preallocated:
            await run.alter_quota("busy", 1.0 + log.end_offset)
        assert log.end_offset >= 16
        assert log_bytes(directory)[log.size_bytes :].startswith(MARK)
        monkeypatch.setattr(pace, "FAST_WRITES_PAUSE_MS", 0)
        await run.alter_quota("last", 1.0)
        while log.is_preallocated:
            await trio.lowlevel.checkpoint()
        assert len(log_bytes(directory)) == log.size_bytes
        await run.alter_quota("calm", 1.0)
        assert len(log_bytes(directory)) == log.size_bytes


async def test_writes_that_wait_for_one_disk_share_its_syncs(directory: Path):
    async with running(config_of(directory, metadata_max_idle_interval_ms="0")) as run:
        journal = run.node.directory.journal
        before = journal.log_syncs
        async with trio.open_nursery() as nursery:
            for number in range(20):
                nursery.start_soon(run.alter_quota, f"user-{number}", 1.0)
        assert len(await run.quotas()) == 20
        assert journal.log_syncs - before <= 20


async def test_a_node_of_another_id_is_refused_with_both_values(directory: Path):
    with pytest.raises(OperatorError) as refusal:
        async with running(config_of(directory, node_id="7")):
            pass
    assert "node.id=1" in str(refusal.value) and "node.id=7" in str(refusal.value)
    assert "meta.properties" in str(refusal.value)


async def test_directories_of_two_clusters_are_refused_with_both_ids(tmp_path: Path):
    format_directory(tmp_path / "one")
    format_directory(tmp_path / "two", cluster_id="AAAAAAAAAAAAAAAAAAAAAg")
    config = config_of(tmp_path / "one", log_dirs=f"{tmp_path}/one,{tmp_path}/two")
    with pytest.raises(OperatorError) as refusal:
        async with running(config):
            pass
    assert CLUSTER_ID in str(refusal.value) and "AAAAAAAAAAAAAAAAAAAAAg" in str(refusal.value)


async def test_an_unformatted_directory_is_refused_with_the_format_command(tmp_path: Path):
    with pytest.raises(OperatorError, match="storage format"):
        async with running(config_of(tmp_path)):
            pass


async def test_two_nodes_cannot_share_a_directory(directory: Path):
    async with running(config_of(directory)) as run:
        assert run.server.ports
        with pytest.raises(OperatorError, match="in use"):
            await trio.to_thread.run_sync(_open_in_another_process, directory)


def _open_in_another_process(directory: Path) -> None:
    import subprocess
    import sys

    code = (
        "import sys\n"
        "from metaquorum.storage.directory_lock import DirectoryLock\n"
        "from metaquorum.base.errors import OperatorError\n"
        "try:\n    DirectoryLock(sys.argv[1])\n"
        "except OperatorError as error:\n    print(error); sys.exit(3)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(directory)], capture_output=True, text=True, check=False
    )
    if done.returncode == 3:
        raise OperatorError(done.stdout)


async def test_a_log_without_its_votes_is_refused(directory: Path):
    async with running(config_of(directory)):
        pass
    (directory / "__cluster_metadata-0" / "quorum-state").unlink()
    with pytest.raises(OperatorError, match="quorum-state"):
        async with running(config_of(directory)):
            pass


class BrokenJournal:
    """A disk that has just died."""

    is_preallocated = False

    def execute(self, effects: object) -> int:
        raise DiskFailed("the log", "sync", "input/output error")

    write = execute

    def grows_fast(self, is_so: bool) -> None:
        """Nothing is preallocated."""


async def test_a_failed_disk_ends_the_node_and_answers_nobody(directory: Path):
    with pytest.RaisesGroup(InvariantViolated, flatten_subgroups=True, allow_unwrapped=True):
        async with running(config_of(directory), clean=False) as run:
            run.node.driver.lane.journal = BrokenJournal()
            await run.alter_quota("ada", 1.0)
    async with running(config_of(directory)) as run:
        assert await run.quotas() == {}


def long_poll(offset: int) -> fetch_request.FetchRequest:
    partition = fetch_request.FetchPartition(
        partition=0, fetch_offset=offset, partition_max_bytes=1 << 20
    )
    return fetch_request.FetchRequest(
        max_wait_ms=60_000,
        min_bytes=1,
        topics=[fetch_request.FetchTopic(topic="__cluster_metadata", partitions=[partition])],
    )


async def parked_fetch(run: Running, nursery: trio.Nursery, answers: list[Any]) -> int:
    """Park a fetch at the high watermark; returns where that is."""
    await run.alter_quota("quiet from here", 1.0)
    end = run.node.driver.watermark.value

    async def fetch() -> None:
        answer = await run.ask(1, 12, long_poll(end))
        answers.append(answer.responses[0].partitions[0])

    nursery.start_soon(fetch)
    while not run.node.driver.watermark.statistics()["parked"]:
        await trio.lowlevel.checkpoint()
    return end


async def test_a_parked_fetch_is_woken_by_a_commit(directory: Path):
    answers: list[Any] = []
    async with running(config_of(directory, metadata_max_idle_interval_ms="0")) as run:
        async with trio.open_nursery() as nursery:
            end = await parked_fetch(run, nursery, answers)
            await run.alter_quota("wakes the fetch", 1.0)
    assert read_header(answers[0].records).base_offset == end


async def test_a_parked_fetch_is_answered_when_the_node_stops(directory: Path):
    answers: list[Any] = []
    async with trio.open_nursery() as nursery:
        async with running(config_of(directory, metadata_max_idle_interval_ms="0")) as run:
            await parked_fetch(run, nursery, answers)
    assert answers[0].error_code == 0 and not answers[0].records


async def test_a_change_beyond_one_batch_is_refused_and_the_node_goes_on(directory: Path):
    codec = alter_client_quotas_request
    ops = [codec.OpData("producer_byte_rate", 1.0, False)]
    entries = [codec.EntryData([codec.EntityData("user", f"{n:030000d}")], ops) for n in range(300)]
    async with running(config_of(directory)) as run:
        # No frame may be so large, so the command is put to the node behind its listeners.
        command = AlterClientQuotas(codec.AlterClientQuotasRequest(entries, False))
        later = run.node.services.ask_controller(command, deadline_ms=NEVER)
        with pytest.raises(RequestError) as refusal:
            later.result()
        assert refusal.value.code == error_codes.RECORD_LIST_TOO_LARGE
        await run.alter_quota("anna", 5.0)
        assert await run.quotas() == {"anna": 5.0}


async def test_a_leader_that_resigns_leads_again_and_goes_on(directory: Path):
    quick = {"controller_quorum_election_timeout_ms": "20"}
    async with running(config_of(directory, **quick)) as run:
        await run.alter_quota("anna", 5.0)
        driver = run.node.driver
        for _ in range(3):
            epoch = driver.leader.epoch
            driver.post(ResignAsked(epoch, "the test wants it"))
            assert not driver.controller.is_active
            while driver.leader.epoch == epoch:
                await trio.lowlevel.checkpoint()
            await run.is_active()
        await run.alter_quota("berta", 6.0)
        assert await run.quotas() == {"anna": 5.0, "berta": 6.0}
        assert driver.controller.state.end_offset == driver.controller.state.stable_offset


async def test_a_node_registers_anew_only_when_it_says_something_new(directory: Path):
    lives = []
    for seed in range(2):
        async with running(config_of(directory), seed=seed) as run:
            known = run.node.services.committed().controllers.get(1)
            assert known is not None
            assert {one.listener: one.port for one in known.endpoints} == run.server.ports
            lives.append(known.incarnation_id)
    assert len(set(lives)) == 2
    written = [
        decode_metadata_record(record.value)
        for header, batch in walk_batches(log_bytes(directory))
        if not header.is_control
        for record in walk_records(batch)
    ]
    registered = [one.message for one in written if one.type == register_controller_record.API_KEY]
    assert [life for life, _ in groupby(bytes(one.incarnation_id) for one in registered)] == lives
    assert all(one != after for one, after in pairwise(registered))


@pytest.mark.parametrize("key", ["listeners", "metrics_listener"])
def test_an_address_in_use_is_refused_before_anything_is_written(directory: Path, key: str):
    async def live_once() -> None:
        async with running(config_of(directory)):
            pass

    def content() -> dict[str, bytes]:
        log_directory = directory / "__cluster_metadata-0"
        paths = [*log_directory.glob("*.log"), log_directory / "quorum-state"]
        return {path.name: path.read_bytes() for path in paths}

    trio.run(live_once)
    before = content()
    with socket.create_server(("127.0.0.1", 0)) as other:
        place = f"127.0.0.1:{other.getsockname()[1]}"
        taken = f"PLAINTEXT://127.0.0.1:0,CONTROLLER://{place}" if key == "listeners" else place
        with pytest.raises(OperatorError, match=f"cannot listen on {place}: "):
            run(config_of(directory, **{key: taken}))
    assert content() == before


async def test_a_truncation_reaches_connections_still_sending_the_log(directory: Path):
    cuts: list[int] = []
    async with running(config_of(directory)) as run:
        sending = Mock(cut=cuts.append)
        run.server._hosts[sending] = None
        [cut] = run.node.driver.listeners.cut
        cut(7)
        del run.server._hosts[sending]
    assert cuts == [7]
