"""A cluster of Apache Kafka under load that a disaster strikes, its recovery, and its judges."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from attrs import define, field
from kafka import KafkaConsumer, TopicPartition

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed
from tests.interop.disaster_load import TopicMaker, created_at
from tests.interop.lost_cluster import data, run, said, voters
from tools.delivery import Clients, Delivery
from tools.kafka import JavaHelper, jvm
from tools.kafka.cluster import FIRST_BROKER_ID, KafkaCluster, found_at
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK, free_ports
from tools.process import until
from tools.quorum_state import describe_leader

CONTROLLERS = (1, 2, 3)
BROKER = FIRST_BROKER_ID  # the one whose disk is surveyed where one is
BROKERS = (BROKER, BROKER + 1)
PARTITION = "__cluster_metadata-0"
TOPIC = "orders"
PARTITIONS = 3
USER, CLIENT, RATE = "alice", "reports", "123456"
RETENTION_MS = "12345000"
TOPICS_BEFORE, TOPICS_MORE = 15, 10
ASK_S = "0.5"
PATIENCE_S = 90.0
POLL_MS = 200
ACLS = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}
# A broker that was killed is registered anew when the session from before is over.
SESSIONS = {"broker.session.timeout.ms": "3000", "broker.heartbeat.interval.ms": "500"}
# A 3.9.1 that elects again before its first leader wrote the metadata.version stays at 3.0-IV1.
ELECTIONS = {"controller.quorum.election.timeout.ms": "3000"}
BROKERS_OWN = {**SESSIONS, "controller.quorum.request.timeout.ms": "2000"}
SOON = {"reconnect_backoff_max_ms": 500, "retry_backoff_ms": 100}
Lead = Callable[[KafkaCluster, dict[int, int]], Any]


@define(eq=False)
class StrickenCluster:
    """Three controllers and two brokers, clients at work. A disaster strikes it, and recovers it.

    ``plan`` is the file that was applied, ``ports`` are those of the new voters by their ids.
    """

    cluster: KafkaCluster
    java: JavaHelper
    delivery: Delivery = field(factory=Delivery)
    clients: Clients = field(init=False)
    maker: TopicMaker = field(init=False)
    ports: dict[int, int] = field(factory=dict, init=False)
    plan: dict[str, Any] = field(factory=dict, init=False)
    bound: int | None = field(default=None, init=False)
    offsets: dict[str, int] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        servers = self.cluster.bootstrap_servers.split(",")
        self.maker = TopicMaker(servers)
        self.clients = Clients(
            servers, TOPIC, "nobody", self.delivery, members=0, producers_own=SOON
        )

    @property
    def directory(self) -> Path:
        """Where surveys, plans and copies are."""
        return self.cluster.directory

    def data(self, node_id: int) -> Path:
        """The log directory of a node."""
        return data(self.cluster, node_id)

    def partition(self, node_id: int) -> Path:
        """The metadata partition's directory of a node."""
        return self.data(node_id) / PARTITION

    def furnish(self) -> None:
        """A topic with a config, an ACL, a quota and a SCRAM user."""
        where = ("--bootstrap-server", self.cluster.bootstrap_servers)
        alter = ("configs", *where, "--alter", "--entity-type")
        said(
            self.java,
            "topics",
            *where,
            "--create",
            "--topic",
            TOPIC,
            "--partitions",
            str(PARTITIONS),
            "--replication-factor",
            str(len(BROKERS)),
        )
        said(
            self.java, *alter, "topics", "--entity-name", TOPIC,
            "--add-config", f"retention.ms={RETENTION_MS}",
        )  # fmt: skip
        said(
            self.java, "acls", *where, "--add", "--allow-principal", f"User:{USER}",
            "--operation", "Read", "--topic", TOPIC,
        )  # fmt: skip
        said(
            self.java, *alter, "clients", "--entity-name", CLIENT,
            "--add-config", f"producer_byte_rate={RATE}",
        )  # fmt: skip
        said(
            self.java, *alter, "users", "--entity-name", USER,
            "--add-config", "SCRAM-SHA-256=[password=secret]",
        )  # fmt: skip

    def more_topics(self, count: int = TOPICS_MORE) -> None:
        """Wait until so many more topics are acknowledged."""
        known = len(self.maker.acknowledged)
        until(
            lambda: len(self.maker.acknowledged) >= known + count,
            lambda: f"no topics are made\n{self.cluster.log_tails()}",
            PATIENCE_S,
        )

    def leader(self) -> int:
        """The active controller."""
        return until(self._leader, "nobody leads", PATIENCE_S)

    def _leader(self) -> int | None:
        for node_id, port in self.cluster.controller_ports.items():
            with suppress(ConnectionFailed, PeerError):
                if describe_leader(LOOPBACK, port) is not None:
                    return node_id
        return None

    def crash(self) -> None:
        """Kill every node at once, amid creations of topics and records that are sent."""
        for node_id in (*CONTROLLERS, *BROKERS):
            self.cluster.nodes[node_id].kill()
        self.maker.stop()
        self.offsets = created_at(self.partition(one) for one in (*CONTROLLERS, *BROKERS))

    def lose(self, *ids: int) -> None:
        """The disks of these nodes are gone for good."""
        for one in ids:
            shutil.rmtree(self.data(one))
            self.data(one).mkdir()

    # The recovery, as docs/how-to has it.

    def recover(
        self,
        surveyed: tuple[int, ...],
        new_voters: tuple[int, ...],
        *more: str,
        stale: tuple[int, ...] = (),
        command: str = "plan",
    ) -> None:
        """Survey these nodes, plan for these voters, and apply the plan on each."""
        files = {one: self._survey(one) for one in surveyed}
        self.ports = dict(zip(new_voters, free_ports(len(new_voters))))
        plan = self.directory / "plan.json"
        words = [*map(str, files.values()), "--voters", voters(self.ports), *more]
        words += ["--ask-timeout", ASK_S]
        for one in stale:
            words += ["--stale", str(files[one])]
        run("recover", command, *words, "-o", plan)
        self.plan = json.loads(plan.read_text())
        self.bound = self.plan["loss"]["fromOffset"]
        self._apply(plan, surveyed)
        self._set_aside_logs_that_part(surveyed)

    def _survey(self, node_id: int) -> Path:
        file = self.directory / f"survey-{node_id}.json"
        has_name = (self.data(node_id) / "meta.properties").exists()
        named = () if has_name else ("--node", str(node_id))
        run("recover", "survey", self.data(node_id), *named, "-o", file)
        return file

    def _apply(self, plan: Path, surveyed: tuple[int, ...]) -> None:
        carried = {}
        for one in surveyed:
            carried[one] = self.directory / f"carried-{one}"
            shutil.copytree(self.data(one), carried[one])
        for node in self.plan["nodes"]:
            node_id, froms = node["nodeId"], []
            for at in node["needs"]:
                source = self.plan["sources"][at]["nodeId"]
                if at != node["source"]:
                    froms += ["--from", f"{source}={carried[source]}"]
            where = ("--dir", self.data(node_id), "--node", str(node_id), *froms)
            run("recover", "apply", plan, *where, "--dry-run")
            run("recover", "apply", plan, *where)

    def _set_aside_logs_that_part(self, surveyed: tuple[int, ...]) -> None:
        """A broker whose log is not within the one that is gone on with fetches it anew."""
        at = {source["nodeId"]: number for number, source in enumerate(self.plan["sources"])}
        parted = {
            one["source"]
            for one in self.plan["others"]
            if not one["isVoter"] and one["end"] > one["partsAt"]
        }
        for broker in BROKERS:
            if broker not in surveyed or at[broker] in parted:
                self.set_aside(broker)

    def set_aside(self, node_id: int) -> None:
        """Move the metadata log of a node away; it is kept."""
        self.partition(node_id).rename(self.directory / f"aside-{node_id}")

    # Afterwards.

    @contextmanager
    def brokers_come_back(self) -> Iterator[list[KafkaNode]]:
        """The brokers, told where the controllers are now."""
        found_now = found_at(self.ports, static=self.cluster.static_voters)
        again = []
        for before in (self.cluster.nodes[one] for one in BROKERS):
            rows = {**before.properties, **found_now}
            place = (before.directory, rows, before.version, before.heap_flags)
            again.append(KafkaNode(*place, log_name="again.log"))
        try:
            for one in again:
                one.write_config()
                one.start()
            for one in again:
                one.wait_ready()
            yield again
        finally:
            for one in again:
                one.kill()

    def judge(self, lead: Lead) -> None:
        """Controllers start, brokers come back, clients go on, and all that must be is there.

        Below the bound every acknowledged topic is there; without a bound all of them are.
        """
        with lead(self.cluster, self.ports), self.brokers_come_back() as brokers:

            def tails() -> str:
                return "\n".join(one.log_tail() for one in brokers)

            servers = self.cluster.bootstrap_servers
            until(lambda: self._has_furniture(servers), tails, PATIENCE_S)
            self.check_topics(self._topics(servers))
            where = ("--bootstrap-server", servers)
            said(self.java, "topics", *where, "--create", "--topic", "afterwards")
            sent = len(self.delivery.acknowledged)
            until(
                lambda: len(self.delivery.acknowledged) >= sent + 50,
                lambda: f"producers do not go on\n{tails()}",
                PATIENCE_S,
            )
            self.clients.stop_producer()
            self._read_all(servers)
            assert not self.delivery.lost()
            assert not self.delivery.doubled()

    def _read_all(self, servers: str) -> None:
        """Note every record that is in the topic now."""
        places = [TopicPartition(TOPIC, one) for one in range(PARTITIONS)]
        with closing(KafkaConsumer(bootstrap_servers=servers.split(","))) as consumer:
            consumer.assign(places)
            consumer.seek_to_beginning(*places)
            for place, end in consumer.end_offsets(places).items():
                while consumer.position(place) < end:
                    for records in consumer.poll(timeout_ms=POLL_MS).values():
                        for one in records:
                            self.delivery.note_read(one.partition, one.offset, int(one.value))

    def check_topics(self, there: Mapping[str, object] | set[str]) -> None:
        """Every topic that was acknowledged below the bound is there."""
        unknown = [one for one in self.maker.acknowledged if one not in self.offsets]
        assert not unknown, f"acknowledged, and on no disk: {unknown}"
        missing = {
            one: self.offsets[one]
            for one in self.maker.acknowledged
            if one not in there and (self.bound is None or self.offsets[one] < self.bound)
        }
        assert not missing, f"lost below the bound {self.bound}: {missing}"

    def _topics(self, servers: str) -> set[str]:
        return set(said(self.java, "topics", "--bootstrap-server", servers, "--list").split())

    def _has_furniture(self, servers: str) -> bool:
        """Whether Kafka's tools find the topic, its config, the ACL, the quota and the user."""
        describe = ("configs", "--bootstrap-server", servers, "--describe", "--entity-type")
        asked = (
            (("topics", "--bootstrap-server", servers, "--list"), TOPIC),
            ((*describe, "topics", "--entity-name", TOPIC), f"retention.ms={RETENTION_MS}"),
            (("acls", "--bootstrap-server", servers, "--list"), f"User:{USER}"),
            ((*describe, "clients", "--entity-name", CLIENT), f"producer_byte_rate={RATE}"),
            ((*describe, "users", "--entity-name", USER), "SCRAM-SHA-256"),
        )
        for arguments, words in asked:
            done = self.java.tool(*arguments)
            if done.exit_code != 0 or words not in done.stdout:
                return False
        return True


@contextmanager
def under_load(
    directory: Path,
    java: JavaHelper,
    release: str,
    *,
    static_voters: bool = False,
    controllers_own: Mapping[str, str] | None = None,
) -> Iterator[StrickenCluster]:
    """A cluster of this release with all that a recovery has to keep, and clients at work."""
    cluster = KafkaCluster(
        directory,
        brokers=len(BROKERS),
        version=release,
        controller_properties={**ACLS, **SESSIONS, **ELECTIONS, **(controllers_own or {})},
        broker_properties={**ACLS, **BROKERS_OWN},
        format_tool=java.tool if release == java.version else None,
        static_voters=static_voters,
    )
    for node in cluster.nodes.values():
        node.heap_flags = jvm.SHORT_LIVED_FLAGS
    with cluster:
        stricken = StrickenCluster(cluster, java)
        stricken.furnish()
        stricken.clients.start()
        try:
            stricken.maker.start()
            stricken.more_topics(TOPICS_BEFORE)
            until(
                lambda: stricken.delivery.acknowledged,
                lambda: f"nothing is acknowledged\n{cluster.log_tails(BROKERS)}",
                PATIENCE_S,
            )
            yield stricken
        finally:
            stricken.maker.stop()
            stricken.clients.stop()
