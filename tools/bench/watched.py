"""How long others wait while a controller does something large, and what that costs it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from attrs import define

from tools.bench.processor_time import processor_seconds
from tools.bench.scale_bystander import QUESTIONS
from tools.bench.topics_systems import Controller
from tools.bystander import Bystander, within
from tools.fake_broker import FakeBroker
from tools.process import until

Figures = dict[str, float]
POLL_S = 0.02
GIVE_UP_S = 600.0  # Kafka's controller may be at work for minutes


@define
class Watched:
    """A controller whose load is measured: who waits meanwhile, and what it works.

    Who waits is a process of its own: threads of one process wait for each other as well.
    ``beating`` gives a broker in service whose heartbeats it sends, ``scratch`` holds its files.
    """

    controller: Controller
    beating: Callable[[], FakeBroker]
    scratch: Path
    _number: int = 0

    def during(self, what: str, work: Callable[[], float]) -> Figures:
        """Seconds that ``work`` returns, processor time, and the longest waits meanwhile."""
        self._number += 1
        beats = self.beating()
        file = self.scratch / f"waits-{self._number}"
        words = (str(beats.broker_id), str(beats.epoch), str(self.controller.pid))
        with Bystander(
            self.controller.port, file, "tools.bench.scale_bystander", words
        ) as bystander:
            self._wait_for_rows(bystander, 0, 1)
            since, worked_s = time.monotonic(), processor_seconds(self.controller.pid)
            took_s = work()
            worked_s = processor_seconds(self.controller.pid) - worked_s
            ended = time.monotonic()
            # Who still waits is answered, too.
            self._wait_for_rows(bystander, ended, len(QUESTIONS))
            rows = bystander.rows(since)
        found = {f"{what}, s": took_s, f"{what}, processor s": worked_s}
        for kind, name in enumerate(QUESTIONS):
            waits = [row[1] for row in rows if int(row[3]) == kind]
            found[f"longest wait at {what}: {name}, ms"] = max(waits)
        found[f"99 % of waits at {what}, ms"] = within([row[1] for row in rows], 99)
        found[f"most work before an answer at {what}, ms"] = max(row[4] for row in rows)
        found[f"the machine's own at {what}, ms"] = max(row[2] for row in rows)
        found[f"the disk's own at {what}, ms"] = max(row[5] for row in rows)
        return found

    @staticmethod
    def _wait_for_rows(bystander: Bystander, since_s: float, count: int) -> None:
        """Until so many were written down since then; SystemExit if the bystander has ended."""

        def are_there() -> bool:
            if trouble := bystander.trouble():
                raise SystemExit(f"the bystander ended: {trouble}")
            return len(bystander.rows(since_s)) >= count

        until(are_there, "the bystander got no answer", GIVE_UP_S, POLL_S)


def timed(work: Callable[[], object]) -> float:
    """How many seconds it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
