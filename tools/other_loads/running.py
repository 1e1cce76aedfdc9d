"""Runs a load on a cluster of its own, and asks the logs of the cluster as well."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from attrs import frozen

from tools.kafka import JavaHelper
from tools.kafka.helper import HelperFailed
from tools.other_loads.cluster import LoadCluster
from tools.other_loads.load import Found, Load, Task
from tools.process import ServerFailed


@frozen
class Result:
    """How a load ended."""

    load: str
    on: str
    seconds: float
    found: Found

    @property
    def is_good(self) -> bool:
        return not self.found.faults


def run_load(
    load: Load,
    java: JavaHelper,
    on: str,
    logs: Path,
    seconds: float | None = None,
    tests: tuple[str, ...] = (),
) -> Result:
    """Run it. What goes wrong on the way is a fault as well."""
    began = time.monotonic()
    found = Found()
    shutil.rmtree(logs, ignore_errors=True)
    cluster = LoadCluster(logs / "cluster", java, on, load.brokers, load.rows)
    try:
        with cluster:
            programs = logs / "programs"
            programs.mkdir(parents=True)
            found = load.run(Task(cluster, seconds or load.seconds, programs, tests))
            found.faults += cluster.ended()
            cluster.stop()
            found.faults += (
                line
                for line in cluster.logged(of_brokers=not load.own_verdict, excused=load.excused)
                if not any(one in line for one in load.brokers_may_log)
            )
    except (ServerFailed, HelperFailed, OSError) as why:
        found.faults.append(f"{load.name} did not come to its end: {why}")
    return Result(load.name, on, time.monotonic() - began, found)
