"""``make cluster``: Kafka's brokers on our controllers, clients at work, and the leader killed.

Three controllers of ours and three unmodified brokers of the real Kafka on this machine. A topic is
made, a producer and a group of two use it, the active controller is killed with SIGKILL on the way
and comes back. With ONCE=1 it ends by itself and says whether a record was lost or doubled; the
exit status is 1 if one was. Without it, it goes on until Ctrl-C and says the same. Nothing is left
running either way.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from metaquorum.client.metadata_log import MetadataLogReader
from metaquorum.records.metadata_record import decode_metadata_record
from metaquorum.wire.generated.records.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)
from metaquorum.wire.generated.records.fence_broker_record import FenceBrokerRecord
from tools.delivery import Clients, Delivery
from tools.kafka import KAFKA_VERSION, JavaHelper, JavaMissing, KafkaNode, java_available
from tools.kafka.broker import address_of, broker_on
from tools.kafka.helper import HelperFailed
from tools.kafka.jars import FetchFailed
from tools.kafka.ports import LOOPBACK
from tools.own_cluster import OwnCluster
from tools.process import ServerFailed, until
from tools.run_clients import RunFailed, say

ROOT = Path(__file__).parents[1]
DIRECTORY = Path(os.environ.get("METAQUORUM_CLUSTER_DIR") or ROOT / "build/cluster")
BROKERS = (101, 102, 103)
TOPIC, GROUP = "orders", "readers"
ALL_IN_SYNC = {
    "offsets.topic.num.partitions": "3",
    "transaction.state.log.num.partitions": "3",
    "group.initial.rebalance.delay.ms": "0",
}
QUIET_LINES = 4  # a second each, before the leader is killed and after it
READ_WITHIN_S = 60.0


def main() -> int:
    once = os.environ.get("ONCE", "") not in ("", "0", "no", "false")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        missing = java_available()
        if missing is not None:
            raise RunFailed(missing)
        with contextlib.ExitStack() as stack:
            return demonstrate(once, stack)
    except KeyboardInterrupt:
        print(flush=True)
        return 0
    except (ServerFailed, RunFailed, HelperFailed, FetchFailed, JavaMissing) as why:
        print(f"make cluster failed: {why}", file=sys.stderr)
        return 1


def demonstrate(once: bool, stack: contextlib.ExitStack) -> int:
    java = stack.enter_context(JavaHelper())
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    controllers = OwnCluster(DIRECTORY / "controllers")
    say(f"three controllers of metaquorum, in {os.path.relpath(DIRECTORY)}")
    controllers.format()
    stack.callback(controllers.stop)
    controllers.start()
    brokers = started_brokers(controllers, java, stack)
    servers = [address_of(one) for one in brokers.values()]
    topics(java, servers, "--create", "--topic", TOPIC, "--partitions", "6")
    until(lambda: is_known(java, servers[0], TOPIC), f"the brokers do not know of {TOPIC}")
    topics(java, servers, "--describe", "--topic", TOPIC)
    delivery = Delivery()
    clients = Clients(servers, TOPIC, GROUP, delivery)
    say(f"a producer of 50 records a second with acks=all, and two members of group {GROUP}")
    clients.start()
    stack.callback(clients.stop)
    try:
        watch(controllers, delivery, QUIET_LINES)
        fail_over(controllers)
        watch(controllers, delivery, QUIET_LINES)
        topics(java, servers, "--create", "--topic", "made-after-it", "--partitions", "3")
        while not once:
            watch(controllers, delivery, 1)
    except KeyboardInterrupt:
        print(flush=True)
    return verdict(controllers, clients)


def started_brokers(
    controllers: OwnCluster, java: JavaHelper, stack: contextlib.ExitStack
) -> dict[int, KafkaNode]:
    """Formatted and started, all at the same time."""
    cluster_id = next(iter(controllers.nodes.values())).cluster_id
    where, at = controllers.bootstrap_controllers, DIRECTORY
    brokers = {
        one: broker_on(at / f"broker-{one}", where, cluster_id, java.tool, one, ALL_IN_SYNC)
        for one in BROKERS
    }
    say(f"three brokers of Apache Kafka {KAFKA_VERSION}, node.id {BROKERS[0]} to {BROKERS[-1]}")
    for broker in brokers.values():
        stack.callback(broker.kill)
        broker.start()
    stack.callback(stop_all, list(brokers.values()))
    for broker in brokers.values():
        broker.wait_ready()
    for node_id, broker in brokers.items():
        say(f"broker {node_id} has started; clients: {address_of(broker)}")
    return brokers


def stop_all(brokers: list[KafkaNode]) -> None:
    """In order, all at the same time: each hands over what it leads."""
    say("stopping the brokers, then the controllers")
    with ThreadPoolExecutor() as threads:
        list(threads.map(KafkaNode.stop, brokers))


def topics(java: JavaHelper, servers: list[str], *words: str) -> None:
    """Run Kafka's own tool, and show it."""
    say(f"kafka-topics.sh --bootstrap-server {servers[0]} {' '.join(words)}")
    more: tuple[str, ...] = ()
    if "--create" in words:
        more = ("--replication-factor", "3", "--config", "min.insync.replicas=2")
    done = java.tool("topics", "--bootstrap-server", servers[0], *words, *more)
    print(done.stdout.rstrip(), flush=True)
    if done.exit_code != 0:
        raise RunFailed(f"kafka-topics.sh: {done.stdout}{done.stderr}")


def is_known(java: JavaHelper, server: str, topic: str) -> bool:
    """Whether that broker has taken in the topic: it follows the log a moment behind."""
    listed = java.tool("topics", "--bootstrap-server", server, "--list")
    return topic in listed.stdout.splitlines()


def watch(controllers: OwnCluster, delivery: Delivery, lines: int) -> None:
    """A line a second: who leads, what was acknowledged, what was read, what is on its way."""
    for _ in range(lines):
        time.sleep(1)
        leader = controllers.leader()
        print(
            f"{time.strftime('%H:%M:%S')}  active controller {leader or '-'}  "
            f"acknowledged {len(delivery.acknowledged):6}  read {len(delivery.read):6}  "
            f"not read yet {len(delivery.lost()):4}  failed {len(delivery.failed)}",
            flush=True,
        )


def fail_over(controllers: OwnCluster) -> None:
    """Kill the active controller, show who follows it, and start the old one again."""
    old = controllers.wait_led()
    say(f"kill -9 of controller {old}, which is active")
    began = time.monotonic()
    controllers.nodes[old].kill()
    new = controllers.wait_led(one for one in controllers.nodes if one != old)
    took_ms = (time.monotonic() - began) * 1_000
    say(f"controller {new} is active {took_ms:.0f} ms later; brokers and clients go on")
    controllers.nodes[old].start()
    say(f"controller {old} runs again")


def fences(controllers: OwnCluster) -> int:
    """How often a broker was fenced, as the log says."""
    reader = MetadataLogReader([(LOOPBACK, one) for one in controllers.controller_ports.values()])
    found = 0
    with contextlib.closing(reader):
        for one in reader.records():
            if one.control or one.value is None:
                continue
            message = decode_metadata_record(one.value).message
            found += isinstance(message, FenceBrokerRecord) or (
                isinstance(message, BrokerRegistrationChangeRecord) and message.fenced == 1
            )
    return found


def verdict(controllers: OwnCluster, clients: Clients) -> int:
    """Wait until all that was acknowledged was read; say what came of it."""
    delivery = clients.delivery
    clients.stop_producer()
    with contextlib.suppress(ServerFailed):
        until(lambda: not delivery.lost(), within_s=READ_WITHIN_S, poll_s=0.1)
    lost, doubled, fenced = delivery.lost(), delivery.doubled(), fences(controllers)
    say(
        f"{len(delivery.acknowledged)} records acknowledged, {len(delivery.failed)} failed, "
        f"{len(lost)} lost, {len(doubled)} doubled; brokers fenced: {fenced}"
    )
    return 1 if lost or doubled or fenced or not delivery.acknowledged else 0


if __name__ == "__main__":
    sys.exit(main())
