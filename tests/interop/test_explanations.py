"""``metaquorum record`` and ``explain`` beside Apache Kafka: five troubles, and what they were."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest
from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed
from tools.kafka import JavaHelper, KafkaCluster
from tools.kafka.ports import LOOPBACK
from tools.own_recorder import Explained, Recording, explained, recording
from tools.process import until
from tools.quorum_state import describe_leader

WITHIN_S = 120.0
SESSION_MS = 6_000
OPTIONS = ("--session-timeout-ms", str(SESSION_MS))


@define
class Troubled:
    """A cluster in trouble, and the recorder beside it. ``offsets`` are of the events seen."""

    cluster: KafkaCluster
    recorder: Recording
    offsets: dict[str, int] = field(factory=dict)

    def events(self) -> list[Explained]:
        return explained(self.recorder.directory, options=OPTIONS)

    def next_event(
        self, trouble: str, kind: str, node: int, causes: set[str], *certainties: str
    ) -> Explained:
        """Wait for the next event of this kind about a node that is explained so."""
        found = self.explained_as(
            kind, node, lambda one: one["cause"] in causes and one["certainty"] in certainties
        )
        self.offsets[trouble] = found["offset"]
        return found

    def explained_as(self, kind: str, node: int, so: Callable[[Explained], bool]) -> Explained:
        """Wait for an event that was not seen yet; it may be explained otherwise later."""
        least = max(self.offsets.values(), default=0)
        about = "leaderBefore" if kind == "leader-changed" else "node"
        last: list[Explained] = []

        def look() -> Explained | None:
            last[:] = [
                one
                for one in self.events()
                if one["event"] == kind and one[about] == node and one["offset"] > least
            ]
            return next(filter(so, last), None)

        return until(look, lambda: f"not explained so: {last}", WITHIN_S, poll_s=0.5)

    def leader(self) -> int:
        return until(self._leader, "nobody leads", WITHIN_S)

    def _leader(self) -> int | None:
        for node_id, port in self.cluster.controller_ports.items():
            if self.cluster.nodes[node_id].pid is not None:
                with contextlib.suppress(ConnectionFailed, PeerError):
                    if describe_leader(LOOPBACK, port) == node_id:
                        return node_id
        return None

    def restart(self, node_id: int) -> None:
        self.cluster.nodes[node_id].start()
        self.cluster.nodes[node_id].wait_ready()


@pytest.fixture(scope="module")
def troubled(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[Troubled]:
    directory = tmp_path_factory.mktemp("troubled")
    cluster = KafkaCluster(
        directory,
        brokers=2,
        controller_properties={"broker.session.timeout.ms": str(SESSION_MS)},
        format_tool=java.tool,
    )
    with cluster, recording(directory / "flight", cluster.bootstrap_controllers) as recorder:
        done = java.tool(
            "topics",
            *("--bootstrap-server", cluster.bootstrap_servers, "--create", "--topic", "both"),
            *("--replica-assignment", "101:102,102:101"),
        )
        assert done.exit_code == 0, done.stderr
        yield Troubled(cluster, recorder)


def test_a_leader_that_was_killed_had_ended(troubled: Troubled) -> None:
    before = troubled.leader()
    troubled.cluster.nodes[before].kill()
    event = troubled.next_event("killed", "leader-changed", before, {"ended"}, "likely")
    assert event["withoutLeaderMs"] > 1_000
    assert any("refused a connection" in one["text"] for one in event["evidence"])
    troubled.restart(before)


def test_a_leader_that_was_paused_stood_still(troubled: Troubled) -> None:
    before = troubled.leader()
    node = troubled.cluster.nodes[before]
    node.pause()
    try:
        # Until the recorder, too, has seen that it takes connections and does not answer.
        troubled.explained_as(
            "leader-changed", before, lambda one: one["rule"] == "silent-but-connects"
        )
    finally:
        node.resume()
    event = troubled.next_event("paused", "leader-changed", before, {"paused"}, "certain")
    assert any("did not answer" in one["text"] for one in event["evidence"])


def test_a_leader_that_was_stopped_had_resigned(troubled: Troubled) -> None:
    before = troubled.leader()
    troubled.cluster.nodes[before].stop()
    # Certain if its vote for the successor was seen: its process may end before it votes.
    sure = "likely", "certain"
    event = troubled.next_event("stopped", "leader-changed", before, {"resigned"}, *sure)
    assert event["withoutLeaderMs"] < 1_500
    troubled.restart(before)


def test_a_broker_that_was_killed_had_ended(troubled: Troubled) -> None:
    troubled.cluster.nodes[101].kill()
    troubled.next_event("broker killed", "broker-fenced", 101, {"ended"}, "certain")
    troubled.restart(101)
    troubled.next_event("broker back", "broker-unfenced", 101, {"started"}, "certain")


def test_a_broker_that_was_stopped_had_asked_for_it(troubled: Troubled) -> None:
    troubled.cluster.nodes[102].stop()
    troubled.next_event("broker stopped", "broker-fenced", 102, {"stopped"}, "certain")


def test_a_recorder_that_is_killed_goes_on_where_it_was(troubled: Troubled) -> None:
    before = [one["offset"] for one in troubled.events()]
    troubled.recorder.process.kill()
    troubled.recorder.process.wait()
    with recording(troubled.recorder.directory, troubled.cluster.bootstrap_controllers) as recorder:
        troubled.cluster.nodes[102].start()
        troubled.recorder = recorder
        troubled.next_event("broker again", "broker-unfenced", 102, {"started"}, "certain")
        after = [one["offset"] for one in troubled.events()]
    assert after[: len(before)] == before
    assert len(set(after)) == len(after)


def test_the_bare_logs_of_all_three_agree(troubled: Troubled) -> None:
    """They say less, and nothing else. Runs last: the cluster is stopped."""
    known = dict(troubled.offsets)
    troubled.cluster.stop()
    logs = [troubled.cluster.nodes[one].data_directory for one in troubled.cluster.controller_ports]
    told = {one["offset"]: one for one in explained(*logs, options=OPTIONS)}
    allowed = {
        "killed": {"ended", "gone"},
        "paused": {"unresponsive", "gone"},
        "stopped": {"resigned"},
        "broker killed": {"ended", "gone"},
        "broker stopped": {"stopped"},
        "broker back": {"started"},
        "broker again": {"started"},
    }
    causes = {trouble: told[offset]["cause"] for trouble, offset in known.items()}
    assert set(causes) == set(allowed)
    assert all(causes[trouble] in allowed[trouble] for trouble in causes), causes
    assert told[known["broker stopped"]]["certainty"] == "certain"
