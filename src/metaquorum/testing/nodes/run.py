"""One seed of the whole-node scope: a script, most often bad weather, then calm and a judgement."""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from random import Random

import trio
import trio.testing
from attrs import define, frozen

from metaquorum.testing.linearizability.notes import Notes
from metaquorum.testing.nodes.clients import ManyClients, SimClient
from metaquorum.testing.nodes.cluster import PATIENCE_S, POLL_S, SimCluster, Stuck
from metaquorum.testing.nodes.trace import Trace
from metaquorum.testing.nodes.trio_seed import seeded_scheduler
from metaquorum.testing.nodes.weather import Weather

LAST_CLIENT = 99

SNAPSHOT_KEY = "metadata.log.max.record.bytes.between.snapshots"
NO_CHANGES: Mapping[str, str] = {}


@define(eq=False)
class Stage:
    """What a script plays on: a cluster that leads already, and notes to be judged at the end."""

    cluster: SimCluster
    notes: Notes
    chance: Random

    def client(self, number: int) -> SimClient:
        """A client that takes notes; each needs a number of its own."""
        return SimClient(number, self.cluster, self.notes, Random(self.chance.random()))


Script = Callable[[Stage], Awaitable[None]]


@frozen
class Outcome:
    """What one seed led to. ``faults`` is empty when all is well."""

    seed: int
    faults: tuple[str, ...]
    fired: Mapping[str, int]
    acknowledged: int
    operations: int
    trace: str


def simulate(
    seed: int,
    root: Path,
    *,
    count: int = 3,
    seconds: float = 10.0,
    kinds: Sequence[str] = (),
    snapshot_bytes: int = 0,
) -> Outcome:
    """``seconds`` of virtual time in bad weather, then the proof that nothing is broken.

    ``kinds`` are the faults in place of those that the seed would draw. Above 0, ``snapshot_bytes``
    of the log make a snapshot.
    """

    async def script(stage: Stage) -> None:
        weather = Weather(stage.cluster, Random(stage.chance.random()), kinds)
        async with trio.open_nursery() as clients:
            many_clients = ManyClients(stage.cluster, stage.notes, Random(stage.chance.random()))
            clients.start_soon(many_clients.run)
            await weather.blow(seconds)
            clients.cancel_scope.cancel()

    changes = {SNAPSHOT_KEY: str(snapshot_bytes)} if snapshot_bytes else {}
    return play(seed, root, script, count=count, changes=changes)


def play(
    seed: int,
    root: Path,
    script: Script,
    *,
    count: int = 3,
    lying_disks: bool = False,
    changes: Mapping[str, str] = NO_CHANGES,
    instruments: Sequence[trio.abc.Instrument] = (),
) -> Outcome:
    """Run a script against a cluster that leads, then let it converge, stop, and be judged.

    Virtual time jumps whenever nobody can run, and the order of tasks is drawn from the seed.
    """
    chance = Random(seed)
    trace = Trace()
    cluster = SimCluster(root, count, Random(chance.random()), trace, dict(changes))
    stage = Stage(cluster, Notes(), Random(chance.random()))
    faults: list[str] = []
    for node in cluster.nodes.values():
        node.faulty_disk.lies = lying_disks

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            await cluster.begin(nursery)
            try:
                await cluster.led()
                await script(stage)
                await converge(stage)
                await cluster.end()
            except Stuck as stuck:
                faults.append(str(stuck))
            nursery.cancel_scope.cancel()

    gc.collect()  # what earlier runs left open must not close its files within this one
    clock = trio.testing.MockClock(autojump_threshold=0)
    with seeded_scheduler(chance.getrandbits(32)):
        trio.run(main, clock=clock, instruments=list(instruments))
    network = {f"network: {name}": count for name, count in cluster.network.fired.items()}
    return Outcome(
        seed,
        (*faults, *cluster.errors(), *stage.notes.judged(cluster.logs())),
        {**cluster.counts, **network, **_snapshots(cluster)},
        stage.notes.acknowledged,
        len(stage.notes.operations),
        trace.text(),
    )


def _snapshots(cluster: SimCluster) -> dict[str, int]:
    """How many were written, and how many gave way to a newer one or to a disk that failed."""
    lines = [line for node in cluster.nodes.values() for line in node.lines]
    counted = {
        name: sum(1 for line in lines if name in line)
        for name in ("snapshot-written", "snapshot-installed", "snapshot-abandoned")
    }
    return {name: count for name, count in counted.items() if count}


async def converge(stage: Stage) -> None:
    """In calm weather a new write is acknowledged and shows everywhere; Stuck if not."""
    client = stage.client(LAST_CLIENT)
    try:
        with trio.move_on_after(PATIENCE_S):
            leader = await stage.cluster.led()
            while (written := await client.write("last", leader)) is None or (
                written.returned_at is None
            ):
                leader = await stage.cluster.led()
            for node in stage.cluster.nodes.values():
                while (look := await client.look(node)) is None or (
                    look.values.get("last") != written.value
                ):
                    await trio.sleep(POLL_S)
            return
        raise Stuck(f"no write shows everywhere after {PATIENCE_S} s of calm weather")
    finally:
        await client.hang_up()
