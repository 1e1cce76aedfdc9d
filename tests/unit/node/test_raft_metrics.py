"""A node's own figures under Kafka's names, read while it leads (KIP-595, section on metrics)."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from metaquorum.base.ids import uuid_text
from metaquorum.metadata.reading import read_metadata_batch
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.catalog import PartitionCounts
from metaquorum.node.raft_metrics import state_text
from metaquorum.quorum.events import ResignAsked
from metaquorum.records.reader import walk_batches
from tests.unit.node.whole_node import DIRECTORY_ID, config_of, format_directory, running

KAFKAS_LOG = Path(__file__).parents[1] / "metadata" / "logs" / "kafka-4.3.1.log.gz"


async def _scraped(directory: Path, **changes: str) -> dict[str, float]:
    """Every series of a leading node after one write, by its name with labels."""
    async with running(config_of(directory, **changes)) as run:
        await run.alter_quota("anna", 5.0)
        _, body = run.node.exposition().render("")
    lines = [line for line in body.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    format_directory(tmp_path / "data")
    return tmp_path / "data"


async def test_the_leader_its_epoch_and_its_vote_are_told(directory: Path) -> None:
    raft = _raft(await _scraped(directory))
    assert (raft["current_leader"], raft["current_epoch"], raft["current_vote"]) == (1, 1, 1)
    assert raft["number_unknown_voter_connections"] == 0
    assert raft["number_of_voters"] == 1
    labels = "".join(name for name in raft if name.startswith("current_vote_directory_id"))
    assert uuid_text(DIRECTORY_ID) in labels


async def test_log_end_and_watermark_are_told(directory: Path) -> None:
    raft = _raft(await _scraped(directory))
    assert raft["log_end_epoch"] == 1
    assert raft["log_end_offset"] >= raft["high_watermark"] > 4


async def test_latencies_and_rates_are_told(directory: Path) -> None:
    raft = _raft(await _scraped(directory))
    for name in ("commit_latency", "election_latency"):
        assert raft[f"{name}_max"] >= raft[f"{name}_avg"] >= 0
    assert raft["append_records_rate"] > 0
    assert raft["fetch_records_rate"] == 0


async def test_the_share_of_idle_time_is_told(directory: Path) -> None:
    raft = _raft(await _scraped(directory))
    assert 0 < raft["poll_idle_ratio_avg"] < 1


async def test_the_voter_set_is_told_as_kip_853_names_it(directory: Path) -> None:
    raft = _raft(await _scraped(directory))
    assert (raft["number_of_voters"], raft["is_observer"]) == (1, 0)
    for name in ("number_of_observers", "uncommitted_voter_change", "pending_add_voter"):
        assert raft[name] == 0


async def test_what_only_a_leader_knows_is_left_out_elsewhere(directory: Path) -> None:
    async with running(config_of(directory)) as run:
        run.node.driver.post(ResignAsked(run.node.driver.leader.epoch, "the test wants it"))
        _, body = run.node.exposition().render("")
        assert b"number_of_voters" in body and b"number_of_observers" not in body


async def test_static_voters_that_the_log_overrules_are_told(directory: Path) -> None:
    series = await _scraped(directory, controller_quorum_voters="1@127.0.0.1:9093")
    assert series["kafka_server_broker_metadata_metrics_ignored_static_voters"] == 1
    assert series["kafka_controller_kafkacontroller_ignoredstaticvoters"] == 1
    series = await _scraped(directory)
    assert series["kafka_controller_kafkacontroller_ignoredstaticvoters"] == 0


async def test_syncs_applying_and_commits_are_histograms(directory: Path) -> None:
    series = await _scraped(directory)
    for name in (
        "metaquorum_log_lane_synctimems",
        "metaquorum_controller_applytimems",
        "metaquorum_watermark_advanceoffsets",
        "metaquorum_watermark_advancetimems",
    ):
        assert series[f"{name}_count"] > 0
        assert series[f'{name}{{quantile="0.5"}}'] <= series[f'{name}{{quantile="0.999"}}']


async def test_the_state_is_a_series_named_after_it(directory: Path) -> None:
    raft = _raft(await _scraped(directory))
    state = [name for name in raft if name.startswith("current_state")]
    assert len(state) == 1
    assert '"leader"' in state[0]
    assert raft[state[0]] == 1


async def test_what_is_committed_is_counted_and_its_age_told(directory: Path) -> None:
    series = await _scraped(directory)
    prefix = "kafka_controller_kafkacontroller_"
    for name in ("activebrokercount", "globaltopiccount", "offlinepartitionscount"):
        assert series[prefix + name] == 0
    assert series[prefix + "lastappliedrecordtimestamp"] > 1_700_000_000_000
    assert series[prefix + "lastappliedrecordlagms"] >= 0
    assert series["kafka_server_broker_metadata_metrics_last_applied_record_offset"] > 4


async def test_events_of_the_controller_are_told_as_kafka_names_them(directory: Path) -> None:
    series = await _scraped(directory)
    prefix = "kafka_controller_kafkacontroller_"
    assert series[prefix + "eventqueueoperationsstartedcount"] >= 1
    for name in ("eventqueueoperationstimedoutcount", "timedoutbrokerheartbeatcount"):
        assert series[prefix + name] == 0
    assert series[prefix + "newactivecontrollerscount"] == 1
    queue = "kafka_controller_controllereventmanager_"
    for name in ("eventqueuetimems", "eventqueueprocessingtimems"):
        assert series[f"{queue}{name}_count"] >= 1
    assert 0 < series[queue + "avgidleratio"] < 1
    stats = "kafka_controller_controllerstats_"
    assert series[stats + "uncleanleaderelections_total"] == 0
    assert series[stats + "electionfromeligibleleaderreplicas_total"] == 0


def test_partitions_are_counted_by_their_leaders() -> None:
    log = gzip.decompress(KAFKAS_LOG.read_bytes())
    state = MetadataState()
    for header, batch in walk_batches(log):
        for offset, record in enumerate(read_metadata_batch(batch, header), header.base_offset):
            state.replay(record, offset, header.leader_epoch, header.max_timestamp_ms)
    assert state.live().partition_counts == PartitionCounts(all=6, offline=6, not_preferred=6)
    assert MetadataState().live().partition_counts == PartitionCounts()


@pytest.mark.parametrize(
    ("role", "is_voter", "voted", "word"),
    [
        ("Leader", True, False, "leader"),
        ("Candidate", True, True, "candidate"),
        ("Follower", True, False, "follower"),
        ("Follower", False, False, "observer"),
        ("Prospective", True, False, "prospective"),
        ("Prospective", True, True, "prospective-voted"),
        ("Unattached", True, False, "unattached"),
        ("Unattached", True, True, "unattached-voted"),
        ("Resigned", True, False, "unattached"),
    ],
)
def test_every_role_has_kafkas_word(role: str, is_voter: bool, voted: bool, word: str) -> None:
    assert state_text(_Told(role, is_voter, object() if voted else None)) == word  # type: ignore[arg-type]


class _Told:
    """The three fields of a summary that the state's name depends on."""

    def __init__(self, role: str, is_voter: bool, voted: object) -> None:
        self.role, self.is_voter, self.voted = role, is_voter, voted


def _raft(series: dict[str, float]) -> dict[str, float]:
    prefix = "kafka_server_raft_metrics_"
    return {name.removeprefix(prefix): v for name, v in series.items() if name.startswith(prefix)}
