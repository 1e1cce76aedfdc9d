"""One run: a cluster, clients, a schedule of faults, a calm end, a judgement."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random

from attrs import frozen

from tools.chaos.clients import (
    Client,
    Poller,
    SharedNotes,
    start_threads,
    watch_log,
    watch_node,
)
from tools.chaos.cluster import PATIENCE_S, POLL_S, UNREACHABLE, ChaosCluster, ClusterStuck
from tools.chaos.judge import judge, summary
from tools.chaos.namespaces import NamespaceNetwork, why_not_permitted
from tools.chaos.nemesis import Nemesis
from tools.chaos.network import Network, ProxyNetwork

CLIENTS = 4


@frozen
class Outcome:
    """What was done to a cluster and what was wrong afterwards.

    ``network`` is the kind that it really had, ``fired`` what happened there, and ``pairs`` are
    the names of clients and nodes that a proxy saw.
    """

    network: str
    done: tuple[str, ...]
    faults: tuple[str, ...]
    operations: int
    fired: Mapping[str, int]
    pairs: Collection[tuple[str, str]]
    summary: str


@contextlib.contextmanager
def laid_network(kind: str, count: int, seed: int, say: Callable[[str], None]) -> Iterator[Network]:
    """The network of that kind; a proxy, and word of it, where namespaces are not permitted."""
    if kind == "namespaces":
        refusal = why_not_permitted()
        if refusal is None:
            with NamespaceNetwork.laid(count) as namespaces:
                yield namespaces
            return
        say(f"no network namespaces here ({refusal}): the proxy does all the cutting")
    with ProxyNetwork.laid(count, seed) as proxied:
        yield proxied


def run(
    directory: Path,
    *,
    count: int,
    kind: str,
    seed: int,
    steps: int | None = None,
    seconds: float | None = None,
    say: Callable[[str], None] = print,
) -> Outcome:
    """Run ``steps`` faults, or faults for ``seconds``, and judge."""
    say(f"seed {seed}: {count} nodes, {kind}")
    chance = Random(seed)
    notes = SharedNotes()
    with laid_network(kind, count, seed, say) as network:
        cluster = ChaosCluster(directory, count, network)
        nemesis = Nemesis(cluster, notes, Random(chance.random()), say)
        threads = []
        try:
            cluster.start_all()
            cluster.leader()
            clients = [
                Client(number, cluster, notes, Random(chance.random()))
                for number in range(1, CLIENTS + 1)
            ]
            threads = start_threads(
                [client.run for client in clients]
                + [partial(watch_node, cluster, node, notes) for node in cluster.nodes]
                + [partial(watch_log, cluster, notes)]
            )
            nemesis.run(steps, seconds)
            notes.over.set()
            for thread in threads:
                thread.join(PATIENCE_S)
            converge(cluster, notes, chance)
            for node in cluster.nodes:
                cluster.stop(node)
        finally:
            notes.over.set()
            cluster.end()
        result = summary(cluster, notes)
        say(result)
        return Outcome(
            network=network.name,
            done=tuple(nemesis.done),
            faults=tuple(judge(cluster, notes)),
            operations=len(notes.operations),
            fired=network.fired(),
            pairs=network.pairs_seen(),
            summary=result,
        )


def converge(cluster: ChaosCluster, notes: SharedNotes, chance: Random) -> None:
    """One last write shows on every node; ClusterStuck when it does not."""
    last = Client(CLIENTS + 1, cluster, notes, chance)
    ends = time.monotonic() + PATIENCE_S
    written = None
    while written is None or written.returned_at is None:
        if time.monotonic() > ends:
            raise ClusterStuck(f"the last write is not acknowledged\n{cluster.log_tails()}")
        written = last.write("last")
    for node in cluster.nodes:
        shown = False
        while not shown:
            if time.monotonic() > ends:
                raise ClusterStuck(f"node {node} lags behind\n{cluster.log_tails()}")
            with contextlib.suppress(*UNREACHABLE), Poller(cluster, node, "last") as poller:
                look = poller.look()
                shown = look is not None and look.values.get("last") == written.value
            time.sleep(POLL_S)
