"""The systems of ``commit.py``: three nodes each, as shipped; where the leader is, what runs."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import define, frozen

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed
from tools import pypy
from tools.bench.commit_floors import OURS
from tools.debian import PackagesMissing, unpacked
from tools.kafka import KafkaCluster, java_available
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_cluster import OwnCluster
from tools.process import ServerFailed, until
from tools.quorum_state import describe_leader

ON_PYPY, ON_CPYTHON = OURS
NODES = (1, 2, 3)
READY_S = 60.0
POLL_S = 0.05
# What Kafka's own start script gives a server.
KAFKA_HEAP = (
    "-Xmx1g",
    "-Xms1g",
    "-server",
    "-XX:+UseG1GC",
    "-XX:MaxGCPauseMillis=20",
    "-XX:InitiatingHeapOccupancyPercent=35",
    "-XX:+ExplicitGCInvokesConcurrent",
)
ZOOKEEPER_HEAP = ("-Xmx1000m",)  # what ZooKeeper's own start script gives
ZOOKEEPER_PACKAGES = (
    "zookeeper",
    "libzookeeper-java",
    "libslf4j-java",
    "libdropwizard-metrics-java",
    "libsnappy-java",
    "libnetty-java",
    "libcommons-cli-java",
)
ETCD_PACKAGES = ("etcd-server",)
ELECTION_CONFIGURATION = """\
tickTime=2000
initLimit=10
syncLimit=5
maxClientCnxns=0
admin.enableServer=false
"""


class NotHere(Exception):
    """This system cannot be measured on this machine; the message says why."""


@frozen
class System:
    """Three processes that make one cluster.

    ``leader`` is the one to write to, as its index among ``pids``, with the port for it. What
    ``compiles`` while it runs, as Java and PyPy do, is warmed.
    """

    name: str
    wire: str
    compiles: bool
    pids: Callable[[], list[int]]
    leader: Callable[[], tuple[int, int]]


@define
class Processes:
    """Programs in the background, each with a log of its own; killed at the end."""

    running: list[subprocess.Popen[bytes]]

    def start(self, command: list[str], directory: Path) -> None:
        """Start one in ``directory``."""
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / "output.log").open("wb") as log:
            process = subprocess.Popen(
                command,
                cwd=directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.running.append(process)

    def pids(self) -> list[int]:
        """Their process ids; NotHere when one has ended."""
        if any(process.poll() is not None for process in self.running):
            raise NotHere("a process ended by itself: see its output.log (--keep)")
        return [process.pid for process in self.running]

    def kill(self) -> None:
        """SIGKILL to each."""
        for process in self.running:
            process.kill()
        for process in self.running:
            process.wait()


@contextlib.contextmanager
def ours(directory: Path) -> Iterator[System]:
    """Three of our servers with the defaults, on the Python that runs this."""
    with OwnCluster(directory) as cluster:
        yield System(ON_CPYTHON, "kafka", False, *_of_nodes(cluster))


@contextlib.contextmanager
def ours_on_pypy(directory: Path) -> Iterator[System]:
    """The same servers on PyPy."""
    try:
        server = pypy.command()
    except PackagesMissing as error:
        raise NotHere(f"ours on PyPy: {error}") from error
    with OwnCluster(directory, server=server) as cluster:
        yield System(ON_PYPY, "kafka", True, *_of_nodes(cluster))


@contextlib.contextmanager
def _kafka(directory: Path, name: str, linger_ms: int) -> Iterator[System]:
    why_not = java_available()
    if why_not is not None:
        raise NotHere(why_not)
    properties = {"controller.quorum.append.linger.ms": str(linger_ms)}
    cluster = KafkaCluster(directory, brokers=0, controller_properties=properties)
    for node in cluster.nodes.values():
        node.heap_flags = KAFKA_HEAP
    with cluster:
        yield System(name, "kafka", True, *_of_nodes(cluster))


def kafka(directory: Path) -> contextlib.AbstractContextManager[System]:
    """Three controllers of Apache Kafka as shipped."""
    return _kafka(directory, "Kafka, linger 25", 25)


def kafka_without_linger(directory: Path) -> contextlib.AbstractContextManager[System]:
    """The same that wait for nobody before they append."""
    return _kafka(directory, "Kafka, linger 0", 0)


def _of_nodes(
    cluster: OwnCluster | KafkaCluster,
) -> tuple[Callable[[], list[int]], Callable[[], tuple[int, int]]]:
    def pids() -> list[int]:
        found = [cluster.nodes[node_id].pid for node_id in NODES]
        if None in found:
            raise NotHere("a node ended by itself: see its server.log (--keep)")
        return [pid for pid in found if pid is not None]

    def find() -> tuple[int, int] | None:
        for index, node_id in enumerate(NODES):
            port = cluster.controller_ports[node_id]
            with contextlib.suppress(ConnectionFailed, PeerError):
                if describe_leader(LOOPBACK, port) == node_id:
                    return index, port
        return None

    return pids, lambda: _sought(find)


@contextlib.contextmanager
def zookeeper(directory: Path) -> Iterator[System]:
    """Debian's ZooKeeper."""
    why_not = java_available()
    if why_not is not None:
        raise NotHere(why_not)
    root = _packages("zookeeper", ZOOKEEPER_PACKAGES)
    class_path = f"{root}/usr/share/java/*"
    ports = free_ports(3 * len(NODES))
    clients, peers, elections = ports[:3], ports[3:6], ports[6:]
    members = "".join(
        f"server.{node}={LOOPBACK}:{peers[i]}:{elections[i]}\n" for i, node in enumerate(NODES)
    )
    processes = Processes([])
    try:
        for index, node in enumerate(NODES):
            home = directory / f"node-{node}"
            (home / "data").mkdir(parents=True)
            (home / "data/myid").write_text(f"{node}\n")
            rows = f"dataDir={home}/data\nclientPort={clients[index]}\n"
            (home / "zoo.cfg").write_text(ELECTION_CONFIGURATION + rows + members)
            main = "org.apache.zookeeper.server.quorum.QuorumPeerMain"
            processes.start(
                ["java", *ZOOKEEPER_HEAP, "-cp", class_path, main, f"{home}/zoo.cfg"], home
            )

        def find() -> tuple[int, int] | None:
            processes.pids()
            modes = [_zookeeper_mode(port) for port in clients]
            if modes.count("follower") < len(NODES) - 1 or "leader" not in modes:
                return None
            return modes.index("leader"), clients[modes.index("leader")]

        yield _led(System("ZooKeeper", "zookeeper", True, processes.pids, lambda: _sought(find)))
    finally:
        processes.kill()


def _zookeeper_mode(port: int) -> str:
    with (
        contextlib.suppress(OSError),
        socket.create_connection((LOOPBACK, port), timeout=2) as peer,
    ):
        peer.sendall(b"srvr")
        reply = b""
        while some := peer.recv(4_096):
            reply += some
        for line in reply.decode(errors="replace").splitlines():
            if line.startswith("Mode: "):
                return line.removeprefix("Mode: ")
    return ""


@contextlib.contextmanager
def etcd(directory: Path) -> Iterator[System]:
    """Debian's etcd."""
    root = _packages("etcd", ETCD_PACKAGES)
    ports = free_ports(2 * len(NODES))
    clients = [f"http://{LOOPBACK}:{port}" for port in ports[:3]]
    peers = [f"http://{LOOPBACK}:{port}" for port in ports[3:]]
    everybody = ",".join(f"n{node}={peers[i]}" for i, node in enumerate(NODES))
    processes = Processes([])
    try:
        for index, node in enumerate(NODES):
            home = directory / f"node-{node}"
            options = {
                "name": f"n{node}",
                "data-dir": f"{home}/data",
                "listen-client-urls": clients[index],
                "advertise-client-urls": clients[index],
                "listen-peer-urls": peers[index],
                "initial-advertise-peer-urls": peers[index],
                "initial-cluster": everybody,
                "initial-cluster-state": "new",
            }
            words = [f"--{name}={value}" for name, value in options.items()]
            processes.start([f"{root}/usr/bin/etcd", *words], home)

        def find() -> tuple[int, int] | None:
            processes.pids()
            for index, url in enumerate(clients):
                with contextlib.suppress(OSError, urllib.error.URLError, KeyError):
                    asked = urllib.request.Request(f"{url}/v3/maintenance/status", data=b"{}")
                    with urllib.request.urlopen(asked, timeout=2) as answer:
                        reply = json.load(answer)
                    if reply["leader"] == reply["header"]["member_id"]:
                        return index, ports[index]
            return None

        yield _led(System("etcd", "etcd", False, processes.pids, lambda: _sought(find)))
    finally:
        processes.kill()


@contextlib.contextmanager
def skeleton(directory: Path) -> Iterator[System]:
    """What a commit sends, writes and syncs in three Python processes that do nothing else."""
    program = Path(__file__).with_name("commit_skeleton.py")
    clients, followers = free_ports(2)
    processes = Processes([])
    try:
        for index, node in enumerate(NODES):
            home = directory / f"node-{node}"
            home.mkdir(parents=True)
            words = ["--log", str(home / "log"), "--followers", str(followers)]
            if index == 0:
                words += ["--clients", str(clients)]
            processes.start([sys.executable, str(program), *words], home)

        def find() -> tuple[int, int] | None:
            processes.pids()
            with contextlib.suppress(OSError), socket.create_connection((LOOPBACK, clients)):
                return 0, clients
            return None

        yield _led(System("skeleton", "kafka", False, processes.pids, lambda: _sought(find)))
    finally:
        processes.kill()


DEFAULT = ("ours", "kafka", "zookeeper", "etcd")
SYSTEMS: dict[str, tuple[Callable[[Path], contextlib.AbstractContextManager[System]], ...]] = {
    "ours": (ours_on_pypy, ours),
    "kafka": (kafka, kafka_without_linger),
    "zookeeper": (zookeeper,),
    "etcd": (etcd,),
    "skeleton": (skeleton,),
}


def _led(system: System) -> System:
    system.leader()
    return system


def _sought(find: Callable[[], tuple[int, int] | None]) -> tuple[int, int]:
    try:
        return until(find, "nobody leads", READY_S, POLL_S)
    except ServerFailed as error:
        raise NotHere(str(error)) from error


def _packages(name: str, packages: tuple[str, ...]) -> Path:
    try:
        return unpacked(name, packages)
    except PackagesMissing as error:
        raise NotHere(str(error)) from error
