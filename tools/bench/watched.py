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

Figures = dict[str, float]


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
            while not bystander.rows(0):
                self._must_live(bystander)
                time.sleep(0.02)
            since, worked_s = time.monotonic(), processor_seconds(self.controller.pid)
            took_s = work()
            worked_s = processor_seconds(self.controller.pid) - worked_s
            ended = time.monotonic()
            while len(bystander.rows(ended)) < len(QUESTIONS):  # who still waits is answered, too
                self._must_live(bystander)
                time.sleep(0.02)
            rows = bystander.rows(since)
        found = {f"{what}, s": took_s, f"{what}, processor s": worked_s}
        for kind, name in enumerate(QUESTIONS):
            waits = [row[1] for row in rows if int(row[3]) == kind]
            found[f"longest wait at {what}: {name}, ms"] = max(waits)
        found[f"99 % of waits at {what}, ms"] = within([row[1] for row in rows], 99)
        found[f"most work before an answer at {what}, ms"] = max(row[4] for row in rows)
        found[f"the machine's own at {what}, ms"] = max(row[2] for row in rows)
        return found

    @staticmethod
    def _must_live(bystander: Bystander) -> None:
        if trouble := bystander.trouble():
            raise SystemExit(f"the bystander ended: {trouble}")


def timed(work: Callable[[], object]) -> float:
    """How many seconds it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
