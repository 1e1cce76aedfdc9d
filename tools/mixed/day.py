"""``python -m tools.mixed.day``: days of a mixed quorum, drawn from seeds.

Three voters under writes, of our program and Kafka's; one or two of them at a time are killed,
stopped, paused, swapped for the other program, or lose their disks. At the end the same audit as
after every mixed run (decision 160). A seed says what is done, not what comes of it: the processes
are real.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import click
from attrs import define, field, frozen

from tools.kafka.helper import JavaHelper
from tools.mixed.node import KAFKA, OURS, Kind
from tools.mixed.quorum import MixedQuorum
from tools.own_node import metaquorum

KINDS: tuple[tuple[Kind, ...], ...] = (
    (OURS, OURS, KAFKA),
    (OURS, KAFKA, KAFKA),
    (OURS, OURS, OURS),
)
BYTES_BETWEEN_SNAPSHOTS = (None, 3_000, 20_000)
FEWEST_STEPS, MOST_STEPS = 8, 16
PAUSES_S = (0.05, 0.3, 1.0, 2.5, 4.0)  # a follower of either side gives its leader two seconds
BLIP_S = 0.4


@frozen
class Outcome:
    """What was done to whom, and what the audit found."""

    kinds: tuple[Kind, ...]
    done: tuple[str, ...]
    faults: tuple[str, ...]


@define(eq=False)
class Day:
    """What happens to one quorum; ``chance`` draws it.

    One node always keeps its first disk: the audit wants the log from its beginning, and a disk
    that is replaced begins at a snapshot.
    """

    quorum: MixedQuorum
    chance: Random
    java: JavaHelper
    done: list[str] = field(factory=list)
    _lost: set[int] = field(factory=set)

    def run(self) -> None:
        """One step after the other; in between the quorum comes to itself, or has no time to."""
        steps = [self._killed, self._stopped, self._swapped, self._paused, self._blipped]
        steps += [self._killed, self._paused, self._two_killed, self._two_paused]
        if not self.quorum.static:
            steps.append(self._disk_lost)
        for _ in range(self.chance.randint(FEWEST_STEPS, MOST_STEPS)):
            step, node_id = self.chance.choice(steps), self.chance.choice(list(self.quorum.nodes))
            self.done.append(f"{step.__name__.strip('_')} {node_id}")
            step(node_id)
            self.quorum.wait_led()
            if self.chance.random() < 0.75:
                self.quorum.written(self.chance.choice((1, 10)))
                self._all_caught_up()
        self._all_caught_up()

    def _killed(self, node_id: int) -> None:
        self.quorum.nodes[node_id].kill()
        self._written_without(node_id)
        self.quorum.nodes[node_id].start()

    def _stopped(self, node_id: int) -> None:
        self._stop(node_id)
        self._written_without(node_id)
        self.quorum.nodes[node_id].start()

    def _swapped(self, node_id: int) -> None:
        node = self.quorum.nodes[node_id]
        self._stop(node_id)
        self._written_without(node_id)
        node.start(KAFKA if node.is_ours else OURS)

    def _paused(self, node_id: int) -> None:
        node = self.quorum.nodes[node_id]
        node.pause()
        time.sleep(self.chance.choice(PAUSES_S))
        self._written_without(node_id)
        node.resume()

    def _blipped(self, node_id: int) -> None:
        for _ in range(self.chance.randint(2, 5)):
            self.quorum.nodes[node_id].pause()
            time.sleep(self.chance.uniform(0, BLIP_S))
            self.quorum.nodes[node_id].resume()
            time.sleep(self.chance.uniform(0, BLIP_S))

    def _two_killed(self, node_id: int) -> None:
        both = [node_id, self.chance.choice(self.quorum.others(node_id))]
        for one in both:
            self.quorum.nodes[one].kill()
            time.sleep(self.chance.uniform(0, BLIP_S))
        self.chance.shuffle(both)
        for one in both:
            self.quorum.nodes[one].start()

    def _two_paused(self, node_id: int) -> None:
        both = [node_id, self.chance.choice(self.quorum.others(node_id))]
        for one in both:
            self.quorum.nodes[one].pause()
        time.sleep(self.chance.choice(PAUSES_S))
        for one in both:
            self.quorum.nodes[one].resume()

    def _disk_lost(self, node_id: int) -> None:
        if len(self._lost | {node_id}) == len(self.quorum.nodes):
            node_id = min(self._lost)
            self.done[-1] += f" (for it {node_id})"
        self._lost.add(node_id)
        kafkas, ours = (partial(tool, "metadata-quorum") for tool in (self.java.tool, metaquorum))
        self.quorum.replace_disk(node_id, self.chance.choice((kafkas, ours)))

    def _stop(self, node_id: int) -> None:
        """In order, which takes a node that has started: before that a signal just ends it."""
        self.quorum.caught_up(node_id)
        self.quorum.nodes[node_id].stop()

    def _written_without(self, node_id: int) -> None:
        if self.chance.random() < 0.7:
            self.quorum.wait_led(self.quorum.others(node_id))
            self.quorum.written(self.chance.choice((1, 5, 30)))

    def _all_caught_up(self) -> None:
        for node_id in self.quorum.nodes:
            self.quorum.caught_up(node_id)


def lived(directory: Path, seed: int, java: JavaHelper, say: Callable[[str], None]) -> Outcome:
    """The day of this seed; ServerFailed where it does not go on. ``say`` gets what is done."""
    chance = Random(seed)
    kinds, static = chance.choice(KINDS), chance.random() < 0.2
    between = chance.choice(BYTES_BETWEEN_SNAPSHOTS)
    rows = {} if between is None else {"metadata.log.max.record.bytes.between.snapshots": between}
    properties = {name: str(value) for name, value in rows.items()}
    quorum = MixedQuorum(directory, kinds, java.tool, properties, static=static)
    quorum.load.clients = chance.choice((1, 4))
    day = Day(quorum, chance, java)
    try:
        with quorum:
            day.run()
            faults = quorum.end()
    finally:
        say(f"seed {seed}, {', '.join(kinds)}: {', '.join(day.done)}")
    return Outcome(kinds, tuple(day.done), tuple(faults))


@click.command()
@click.option("--first", default=0, show_default=True, help="The first seed.")
@click.option("--seeds", default=1, show_default=True, help="How many, one after the other.")
@click.option("--save", type=click.Path(path_type=Path), help="Where a day with faults is kept.")
def main(first: int, seeds: int, save: Path | None) -> None:
    """Live days of mixed quorums; exit code 1 if one of them leaves a fault behind.

    Half a minute each:  python -m tools.mixed.day --first 100 --seeds 20 --save days
    """
    worst = 0
    with JavaHelper() as java:
        for seed in range(first, first + seeds):
            directory = Path(tempfile.mkdtemp(prefix="metaquorum-day-"))
            try:
                faults = lived(directory, seed, java, click.echo).faults
            except Exception as error:  # it is reported, and the next day may be another
                faults = (f"{type(error).__name__}: {error}",)
            for fault in faults:
                click.echo(f"  {fault}")
            if faults:
                worst = 1
                if save is not None:
                    shutil.copytree(directory, save / f"seed-{seed}")
            shutil.rmtree(directory)
    sys.exit(worst)


if __name__ == "__main__":
    main()
