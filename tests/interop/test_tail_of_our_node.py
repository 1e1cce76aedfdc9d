"""``metaquorum tail`` against our own server: the same records, also across kill -9 and a start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from metaquorum.client.metadata_log import MetadataLogReader
from tests.interop.disk_records import data_records
from tests.interop.following import Following
from tests.interop.kafka_dump import comparable, dumped
from tools.kafka import JavaHelper
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode, metaquorum
from tools.quota_writer import QuotaWriter


@pytest.fixture
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnNode]:
    """A node that this test may kill."""
    with OwnNode(tmp_path_factory.mktemp("own")) as one:
        yield one


def test_it_follows_our_node_through_a_kill_and_leaves_no_trace(
    own: OwnNode, java: JavaHelper
) -> None:
    with Following.start("--bootstrap-controller", own.bootstrap_controller) as following:
        with QuotaWriter.open(own.port) as writer:
            writer.set("before", "producer_byte_rate", 1.0)
        following.wait_for("before")
        shown = metaquorum(
            "metadata-quorum",
            *("--bootstrap-controller", own.bootstrap_controller, "describe", "--replication"),
        )
        assert len(shown.stdout.splitlines()) == 2, shown.stdout

        own.kill()
        own.start()
        own.wait_ready()
        with QuotaWriter.open(own.port) as writer:
            writer.set("after", "producer_byte_rate", 2.0)
        following.wait_for("after")
        assert following.interrupt() == 0
    ours = comparable(following.rows())
    assert min(ours) == 0
    assert len({row["epoch"] for row in ours.values()}) == 2
    theirs: dict[int, dict[str, Any]] = {}
    for segment in sorted(own.metadata_directory.glob("*.log")):
        theirs |= dumped(java, segment)
    assert ours == {offset: row for offset, row in theirs.items() if offset in ours}


def test_our_client_listener_is_as_good_as_the_controllers(own: OwnNode) -> None:
    for address in (own.bootstrap_controller, own.bootstrap_server):
        done = metaquorum("tail", "--bootstrap-controller", address, "--from-offset", "3")
        assert done.exit_code == 0, done.stderr
        assert done.stdout.splitlines()[0].split()[0] == "3"


def test_the_values_are_those_on_disk(own: OwnNode) -> None:
    with QuotaWriter.open(own.port) as writer:
        writer.set("last", "producer_byte_rate", 3.0)
    reader = MetadataLogReader([(LOOPBACK, own.controller_port)])
    seen = [(one.offset, one.value) for one in reader.records() if not one.control]
    expected = [(one.offset, one.value) for one in data_records(own.metadata_directory)]
    assert seen == expected[: len(seen)]
    assert any(b"last" in (value or b"") for _, value in seen)
