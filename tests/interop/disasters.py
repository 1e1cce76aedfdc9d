"""Twelve disasters by name: what strikes a cluster, and how it is recovered, as an operator would.

Each runs on a cluster under load (``stricken_cluster``), ends with every node stopped and the plan
applied, and asserts of the plan what it must say. ``docs/reference/recovery.md`` lists them.
"""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from attrs import field, frozen
from kafka.admin import KafkaAdminClient, NewTopic
from kafka.errors import KafkaError

from tests.interop.disaster_load import created_at
from tests.interop.disaster_names import DISASTERS
from tests.interop.lost_cluster import run
from tests.interop.stricken_cluster import BROKER, BROKERS, CONTROLLERS, TOPIC, StrickenCluster
from tools.kafka.cluster import random_id
from tools.kafka.ports import LOOPBACK, free_ports
from tools.process import until

ALTHOUGH = ("--although", "a majority is there")
MORE_SNAPSHOTS = {"metadata.log.max.record.bytes.between.snapshots": "3000"}
UNANSWERED, LARGE_TOPIC_PARTITIONS = "unanswered", 200
UNANSWERED_MS = 3_000
FORMATTED = "0" * 20
"""How the name of the snapshot begins that formatting writes."""
Strike = Callable[[StrickenCluster], None]


@frozen
class Disaster:
    """``strike`` does it and recovers from it; the rest is how its cluster has to be."""

    strike: Strike
    static_voters: bool = False
    controllers_own: Mapping[str, str] = field(factory=dict)


def majority_lost(hit: StrickenCluster) -> None:
    """The one disk that is left is that of a follower that stood still for a while."""
    left = followers(hit)[0]
    hit.cluster.nodes[left].pause()
    hit.more_topics()
    hit.crash()
    hit.lose(*(one for one in CONTROLLERS if one != left))
    hit.recover((left,), (left,))
    assert hit.bound is not None


def all_controllers_lost(hit: StrickenCluster) -> None:
    hit.crash()
    hit.lose(*CONTROLLERS)
    hit.recover((BROKER,), (1,))
    assert hit.bound is not None
    assert hit.bound > hit.offsets[TOPIC], "the broker's own partitions prove it"


def endpoints_changed(hit: StrickenCluster) -> None:
    hit.crash()
    hit.recover(CONTROLLERS, CONTROLLERS, command="endpoints")
    assert hit.bound is None


def identities_lost(hit: StrickenCluster) -> None:
    hit.crash()
    for one in CONTROLLERS:
        (hit.data(one) / "meta.properties").unlink()
        (hit.partition(one) / "quorum-state").unlink()
    hit.recover(CONTROLLERS, CONTROLLERS, "--cluster-id", hit.cluster.cluster_id)
    assert hit.bound is None


def directory_ids_changed(hit: StrickenCluster) -> None:
    """Somebody wrote meta.properties anew on two disks, with other directory ids."""
    hit.crash()
    same = []
    for one in (1, 2):
        file = hit.data(one) / "meta.properties"
        rows = file.read_text().splitlines()
        kept = [row for row in rows if not row.startswith("directory.id=")]
        file.write_text("\n".join([*kept, f"directory.id={random_id()}", ""]))
        same += ["--same-disk", str(one)]
    hit.recover(CONTROLLERS, CONTROLLERS, *same, command="endpoints")
    assert hit.bound is None


def rotten_segments(hit: StrickenCluster) -> None:
    """Each of the two disks has what the other one has lost."""
    hit.crash()
    hit.lose(3)
    for one, part in ((1, 3), (2, 2)):
        rot(last_file(hit.partition(one), "*.log"), part)
    hit.recover((1, 2), (1, 2))
    assert hit.bound is None


def rotten_snapshot(hit: StrickenCluster) -> None:
    until(lambda: not newest_snapshot(hit, 1).name.startswith(FORMATTED), "there is no snapshot")
    hit.crash()
    hit.lose(2, 3)
    rot(newest_snapshot(hit, 1), 2)
    hit.recover((1,), (1,))
    assert hit.bound is not None


def older_copies(hit: StrickenCluster) -> None:
    """Two machines are set back to snapshots of their disks, the third is gone."""
    copies = {one: copied(hit, one) for one in (1, 2)}
    hit.more_topics()
    hit.crash()
    hit.lose(*CONTROLLERS)
    for one, copy in copies.items():
        hit.data(one).rmdir()
        copy.rename(hit.data(one))
    hit.recover((1, 2), (1, 2), stale=(1, 2))
    assert hit.bound is not None


def two_histories(hit: StrickenCluster) -> None:
    """A leader is cut off with records that nobody else has; the others elect one of them."""
    one, other = followers(hit)
    (leader,) = set(CONTROLLERS) - {one, other}
    hit.maker.stop()  # a broker has one request of these under way: this one would wait
    with large_topic_asked_for(hit, one, other):
        until(lambda: UNANSWERED in created_at([hit.partition(leader)]), "it is not written")
        hit.cluster.nodes[leader].kill()  # before it stands for election in ever later epochs
    for follower in (one, other):
        hit.cluster.nodes[follower].start()
    hit.maker.start()
    hit.more_topics()
    hit.crash()
    hit.lose(other)
    for left in (leader, one):
        (hit.partition(left) / "quorum-state").unlink()
    hit.recover((leader, one), (leader, one))
    assert hit.bound is None
    (other_history,) = (one for one in hit.plan["others"] if one["end"] > one["partsAt"])
    (own,) = (one for one in hit.plan["nodes"] if one["nodeId"] == leader)
    assert own["history"]["end"] == other_history["partsAt"] < other_history["end"]


def logs_cut_short(hit: StrickenCluster) -> None:
    """File systems came back without the ends of two logs, in the middle of a batch."""
    hit.crash()
    hit.lose(3)
    for one in (1, 2):
        log = last_file(hit.partition(one), "*.log")
        content = log.read_bytes().rstrip(b"\0")
        log.write_bytes(content[: len(content) * (5 + one) // 10 + 7])
    hit.recover((1, 2), (1, 2), stale=(1, 2))
    assert hit.bound is not None


def static_voters_lost(hit: StrickenCluster) -> None:
    hit.crash()
    hit.lose(1, 3)
    hit.recover((2, BROKER), (2,))
    assert hit.bound is not None
    assert hit.bound > hit.offsets[TOPIC], "the broker's own partitions prove it"


def restored_from_backup(hit: StrickenCluster) -> None:
    """Nothing is left but a backup of a while ago."""
    store = hit.directory / "store"
    whom = ("--bootstrap-controller", hit.cluster.bootstrap_controllers)
    run("backup", *whom, "--to", store)
    hit.more_topics()
    hit.crash()
    hit.lose(*CONTROLLERS)
    hit.ports = {1: free_ports(1)[0]}
    made = run(
        "restore", store, "--dir", hit.data(1), "--node", "1",
        "--standalone", f"{LOOPBACK}:{hit.ports[1]}", "--keep-cluster-id", "-o", "json",
    )  # fmt: skip
    hit.bound = json.loads(made)["stateAt"]
    for broker in BROKERS:
        hit.set_aside(broker)


BY_NAME: Final[Mapping[str, Disaster]] = {
    "majority-lost": Disaster(majority_lost),
    "all-controllers-lost": Disaster(all_controllers_lost),
    "endpoints-changed": Disaster(endpoints_changed),
    "identities-lost": Disaster(identities_lost),
    "directory-ids-changed": Disaster(directory_ids_changed),
    "rotten-segments": Disaster(rotten_segments),
    "rotten-snapshot": Disaster(rotten_snapshot, controllers_own=MORE_SNAPSHOTS),
    "older-copies": Disaster(older_copies, controllers_own=MORE_SNAPSHOTS),
    "two-histories": Disaster(two_histories),
    "logs-cut-short": Disaster(logs_cut_short),
    "static-voters-lost": Disaster(static_voters_lost, static_voters=True),
    "restored-from-backup": Disaster(restored_from_backup),
}
assert tuple(BY_NAME) == tuple(DISASTERS)


def followers(hit: StrickenCluster) -> tuple[int, int]:
    leader = hit.leader()
    one, other = (node for node in CONTROLLERS if node != leader)
    return one, other


@contextmanager
def large_topic_asked_for(hit: StrickenCluster, *followers: int) -> Iterator[None]:
    """Kill the followers, and ask for a topic of many partitions that nobody can acknowledge.

    The client is there before: a leader that is alone resigns within seconds.
    """
    servers = hit.cluster.bootstrap_servers.split(",")
    wanted = NewTopic(UNANSWERED, LARGE_TOPIC_PARTITIONS, 1)
    with closing(
        KafkaAdminClient(bootstrap_servers=servers, request_timeout_ms=UNANSWERED_MS)
    ) as client:
        client.list_topics()

        def ask() -> None:
            with suppress(KafkaError):
                client.create_topics([wanted], timeout_ms=UNANSWERED_MS)

        asking = threading.Thread(target=ask, daemon=True)
        for one in followers:
            hit.cluster.nodes[one].kill()
        asking.start()
        yield
        asking.join()


def last_file(partition: Path, pattern: str) -> Path:
    return max(partition.glob(pattern), key=lambda one: one.name)


def newest_snapshot(hit: StrickenCluster, node_id: int) -> Path:
    return last_file(hit.partition(node_id), "*.checkpoint")


def rot(file: Path, part: int) -> None:
    """One bit at this part of the file is another one."""
    content = bytearray(file.read_bytes())
    content[len(content.rstrip(b"\0")) // part] ^= 1
    file.write_bytes(content)


def copied(hit: StrickenCluster, node_id: int) -> Path:
    """The disk as it is while the node stands still."""
    node = hit.cluster.nodes[node_id]
    node.pause()
    try:
        copy = hit.directory / f"copy-{node_id}"
        shutil.copytree(hit.data(node_id), copy)
    finally:
        node.resume()
    return copy
