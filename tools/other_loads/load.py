"""What a load is, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from attrs import define, field, frozen

from tools.kafka.log_errors import KafkasOwn
from tools.other_loads.cluster import LoadCluster


@frozen
class Task:
    """One run of a load: where, for how long, where its logs go, and which tests of a suite."""

    cluster: LoadCluster
    seconds: float
    logs: Path
    tests: tuple[str, ...] = ()


@define
class Found:
    """What a judge counted, and everything that must not be, in words."""

    counts: dict[str, int] = field(factory=dict)
    faults: list[str] = field(factory=list)

    def hold(self, is_so: bool, otherwise: str) -> None:
        """A condition that has to be met."""
        if not is_so:
            self.faults.append(otherwise)

    def once_each(self, wanted: Iterable[str], read: Iterable[str], promised: bool = True) -> None:
        """Hold what was read against what was acknowledged: nothing lost, nothing doubled.

        What was read and not acknowledged is a fault where all was ``promised``.
        """
        times: dict[str, int] = {}
        for one in read:
            times[one] = times.get(one, 0) + 1
        expected = set(wanted)
        lost = sorted(expected - times.keys())
        doubled = sorted(one for one, count in times.items() if count > 1)
        strange = sorted(times.keys() - expected) if promised else []
        self.counts.update(acknowledged=len(expected), read=sum(times.values()), lost=len(lost))
        self.counts["doubled"] = len(doubled)
        for word, records in (("lost", lost), ("doubled", doubled), ("never sent", strange)):
            if records:
                self.faults.append(f"{len(records)} records {word}: {', '.join(records[:5])}")
        self.hold(bool(expected), "nothing was acknowledged")


def no_rows(number: int) -> Mapping[str, str]:
    """Of a load whose brokers need no properties of their own."""
    return {}


@frozen
class Load:
    """A load by name. ``seconds`` is how long it runs, or may run, unless told otherwise.

    ``rows`` are properties of a broker by its number, from 0 on. One with its ``own_verdict`` sends
    brokers what they are to log as an error; ``brokers_may_log`` are parts of what they may log,
    ``excused`` more of it, under conditions.
    """

    name: str
    what: str
    run: Callable[[Task], Found]
    seconds: float = 30.0
    brokers: int = 3
    rows: Callable[[int], Mapping[str, str]] = no_rows
    own_verdict: bool = False
    brokers_may_log: tuple[str, ...] = ()
    excused: tuple[KafkasOwn, ...] = ()
