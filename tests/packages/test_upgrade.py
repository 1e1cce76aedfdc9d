"""From the wheel of an older commit to this one and back, node by node, under writes."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from attrs import define, field

from metaquorum.client.connection import ConnectionFailed
from metaquorum.client.metadata_log import MetadataLogReader
from tests.packages.environments import Environment, installed
from tools.kafka.ports import LOOPBACK
from tools.own_cluster import OwnCluster
from tools.process import until
from tools.quorum_state import describe_partition
from tools.quota_writer import QuotaRefused, QuotaWriter
from tools.release import ROOT, Built, ran

OLD = "fd43f36f428bff4d0de2b767c236e3bc36035a91"
QUOTA = "producer_byte_rate"
WRITES_BETWEEN_STEPS = 20


@define
class Writes:
    """One quota a write, each of a user of its own, at whichever node takes it."""

    ports: list[int]
    acknowledged: list[str] = field(factory=list)
    refusals: int = 0
    _done: threading.Event = field(factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Writes:
        self._thread = threading.Thread(target=self._write)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        assert self._thread is not None
        self._thread.join()

    def _write(self) -> None:
        number = 0
        while not self._done.is_set():
            try:
                with QuotaWriter.open(self.ports[number % len(self.ports)]) as writer:
                    while not self._done.is_set():
                        number += 1
                        writer.set(f"user-{number}", QUOTA, float(number))
                        self.acknowledged.append(f"user-{number}")
            except (ConnectionFailed, QuotaRefused):
                self.refusals += 1
                number += 1
                self._done.wait(0.05)

    def wait_for_more(self) -> None:
        """Until writes have gone on for a while."""
        wanted = len(self.acknowledged) + WRITES_BETWEEN_STEPS
        until(lambda: len(self.acknowledged) >= wanted, lambda: "no write is acknowledged")


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The older commit's wheel, built from the history of this clone."""
    scratch = tmp_path_factory.mktemp("old")
    known = subprocess.run(["git", "cat-file", "-e", f"{OLD}^{{commit}}"], cwd=ROOT, check=False)
    if known.returncode != 0:
        pytest.fail(f"this clone lacks {OLD[:7]}: git fetch --unshallow")
    ran(["git", "archive", "--output", scratch / "tree.tar", OLD])
    with tarfile.open(scratch / "tree.tar") as archive:
        archive.extractall(scratch / "tree")
    ran([sys.executable, "-m", "build", "--wheel", "--outdir", scratch, scratch / "tree"])
    return installed(scratch, sys.executable, next(scratch.glob("*.whl")))


@pytest.fixture(scope="module")
def new(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """This tree's wheel."""
    return installed(tmp_path_factory.mktemp("new"), sys.executable, built.wheel)


@pytest.fixture
def cluster(old: Environment, tmp_path: Path) -> Iterator[OwnCluster]:
    """Three voters of the older wheel, in directories that it has formatted."""
    made = OwnCluster(tmp_path / "cluster", server=old.metaquorum)
    for node in made.nodes.values():
        config, directory = node.write_config(), node.directory
        quorum = ["--initial-controllers", str(node.voters)]
        ran(
            [old.metaquorum, "storage", "format", "-t", node.cluster_id, "-c", config, *quorum],
            directory,
        )
    try:
        made.start()
        yield made
    finally:
        made.kill()


def roll(cluster: OwnCluster, to: Environment, writes: Writes) -> None:
    """Each node stopped and started again with another wheel, when the one before has caught up."""
    for node_id, node in cluster.nodes.items():
        assert node.stop() == 0, node.log_tail()
        node.server = to.metaquorum
        node.start()
        until(partial(caught_up, cluster, node_id), lambda: f"it lags:\n{cluster.log_tails()}")
        writes.wait_for_more()


def caught_up(cluster: OwnCluster, node_id: int) -> bool:
    """Whether a leader knows this voter at the end that the log had at a look before."""
    leader = cluster.leader()
    if leader is None:
        return False
    try:
        part = describe_partition(LOOPBACK, cluster.controller_ports[leader])
    except ConnectionFailed:
        return False
    ends = {one.replica_id: one.log_end_offset for one in part.current_voters}
    return ends.get(node_id, -1) >= part.high_watermark > 0


def users_in_the_log(cluster: OwnCluster) -> set[str]:
    addresses = [(LOOPBACK, port) for port in cluster.controller_ports.values()]
    reader = MetadataLogReader(addresses, start="beginning")
    try:
        return {
            entity["entityName"]
            for record in reader.records(frozenset({"ClientQuotaRecord"}))
            for entity in record.fields["entity"]
        }
    finally:
        reader.close()


def test_nothing_acknowledged_is_lost_on_the_way_there_and_back(
    cluster: OwnCluster, old: Environment, new: Environment
) -> None:
    with Writes([node.port for node in cluster.nodes.values()]) as writes:
        writes.wait_for_more()
        roll(cluster, new, writes)
        assert {node.server for node in cluster.nodes.values()} == {new.metaquorum}
        upgraded = len(writes.acknowledged)
        roll(cluster, old, writes)
    assert len(writes.acknowledged) > upgraded > 3 * WRITES_BETWEEN_STEPS
    assert {*writes.acknowledged} - users_in_the_log(cluster) == set()
