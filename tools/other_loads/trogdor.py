"""Trogdor's RoundTripWorkload, while its ProcessStopFault stops controllers and brokers.

One coordinator and one agent, as Kafka's own system tests have them, told what to do by HTTP. The
fault sends SIGSTOP and SIGCONT to the processes that ``jcmd`` lists under a name. Our controllers
are no Java processes, and another cluster on the machine may have brokers: on the PATH of the
agent, ``jcmd`` is a script that lists the processes of this cluster, and no other.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen

from tools.committed import NotRead, committed_records
from tools.kafka import jars, jvm
from tools.kafka.ports import LOOPBACK, free_ports
from tools.other_loads.cluster import PARTITIONS, REPLICAS, LoadCluster
from tools.other_loads.load import Found, Task
from tools.process import ServerFailed, until

TOPIC: Final = "round-trips"
NODE: Final = "node0"
PACKAGE: Final = "org.apache.kafka.trogdor"
FLAGS: Final = (
    *("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"),
    "-Dmetaquorum.log.level=INFO",
)
PER_SECOND: Final = 200
VALUE_BYTES: Final = 128
FIRST_FAULT_S: Final = 4.0
FAULT_EACH_S: Final = 15.0
# A session of a broker lasts nine seconds: the longest gets one fenced, and has another active
# controller elected.
STOPS_S: Final = (2.0, 5.0, 11.0)
START_WITHIN_S: Final = 60.0
SPARE_S: Final = 240.0
ASK_TIMEOUT_S: Final = 20.0
READ_WITHIN_S: Final = 300.0
LARGEST_ANSWER_BYTES: Final = 16 * 1024 * 1024
TASK_MS_BEYOND: Final = 600_000


@frozen
class Stop:
    """One ProcessStopFault: which process, from when, for how long; in seconds."""

    process: str
    at_s: float
    for_s: float


def schedule(seconds: float, processes: Sequence[str]) -> list[Stop]:
    """Stops of one process at a time, over all processes and lengths in turn.

    The last has ended when the load is to end.
    """
    found: list[Stop] = []
    at_s = FIRST_FAULT_S
    while True:
        number = len(found)
        stop = Stop(
            processes[number % len(processes)],
            at_s,
            # By rounds, so that every process gets every length.
            STOPS_S[(number + number // len(processes)) % len(STOPS_S)],
        )
        if at_s + stop.for_s > seconds:
            return found
        found.append(stop)
        at_s += FAULT_EACH_S


def limit_s(seconds: float, stops: Iterable[Stop]) -> float:
    """How long a load of so many seconds may take: each stop may hold it up while it lasts.

    The workload waits for what was sent to a broker that stands still, and does not catch up.
    """
    return seconds + sum(stop.for_s for stop in stops) + SPARE_S


def in_turn(active: int, processes: Iterable[str]) -> list[str]:
    """A controller and a broker in turn, the active controller first."""
    first = f"controller-{active}"
    names = sorted(processes, key=lambda one: (one != first, one))
    controllers = [one for one in names if one.startswith("controller")]
    brokers = [one for one in names if one.startswith("broker")]
    pairs = itertools.zip_longest(controllers, brokers)
    return [one for pair in pairs for one in pair if one is not None]


def fault_spec(stop: Stop, began_ms: int) -> dict[str, Any]:
    """The task as Trogdor's JSON names it."""
    return {
        "class": f"{PACKAGE}.fault.ProcessStopFaultSpec",
        "startMs": began_ms + round(stop.at_s * 1_000),
        "durationMs": round(stop.for_s * 1_000),
        "nodeNames": [NODE],
        "javaProcessName": stop.process,
    }


def workload_spec(servers: str, messages: int, within_s: float, began_ms: int) -> dict[str, Any]:
    """A RoundTripWorkload of so many messages; each is sent, read, and counted once.

    It is not ended before ``within_s``.
    """
    return {
        "class": f"{PACKAGE}.workload.RoundTripWorkloadSpec",
        "startMs": began_ms,
        "durationMs": round(within_s * 1_000) + TASK_MS_BEYOND,
        "clientNode": NODE,
        "bootstrapServers": servers,
        "targetMessagesPerSec": PER_SECOND,
        "maxMessages": messages,
        "valueGenerator": {"type": "sequential", "size": VALUE_BYTES, "offset": 0},
        "activeTopics": {
            TOPIC: {"numPartitions": PARTITIONS, "replicationFactor": REPLICAS},
        },
    }


def jcmd_script(pids: Mapping[str, int]) -> str:
    """A ``jcmd`` that lists these processes."""
    rows = "".join(f"{pid} {name}\n" for name, pid in pids.items())
    return f"#!/bin/sh\ncat <<'END'\n{rows}END\n"


@define(eq=False)
class Trogdor:
    """A coordinator and an agent, as a context manager."""

    cluster: LoadCluster
    logs: Path
    _port: int = field(default=0, init=False)
    _stack: contextlib.ExitStack = field(factory=contextlib.ExitStack, init=False)

    def __enter__(self) -> Trogdor:
        agent_port, self._port = free_ports(2)
        config = self.logs / "trogdor.json"
        node = {
            "hostname": LOOPBACK,
            "trogdor.agent.port": agent_port,
            "trogdor.coordinator.port": self._port,
        }
        platform = f"{PACKAGE}.basic.BasicPlatform"
        config.write_text(json.dumps({"platform": platform, "nodes": {NODE: node}}))
        listed = self._listing()
        with contextlib.ExitStack() as stack:
            self._start(stack, "agent", config, listed)
            self._start(stack, "coordinator", config, listed)
            until(self._is_up, "Trogdor's coordinator does not answer", START_WITHIN_S, 0.2)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *failure: object) -> None:
        self._stack.close()

    def _listing(self) -> Path:
        directory = self.logs / "bin"
        directory.mkdir()
        script = directory / "jcmd"
        pids = {name: one.pid for name, one in self.cluster.processes.items()}
        script.write_text(jcmd_script({name: pid for name, pid in pids.items() if pid is not None}))
        script.chmod(0o755)
        return directory

    def _start(self, stack: contextlib.ExitStack, role: str, config: Path, listed: Path) -> None:
        path = jars.single("trogdor", jars.KAFKA_VERSION)
        main = f"{PACKAGE}.{role}.{role.capitalize()}"
        command = jvm.command(jars.libs(), main, flags=FLAGS, class_path=(path,))
        with (self.logs / f"{role}.log").open("wb") as log:
            process = subprocess.Popen(
                [*command, f"--{role}.config", str(config), "--node-name", NODE],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, "PATH": f"{listed}:{os.environ.get('PATH', '')}"},
            )
        stack.callback(process.wait)
        stack.callback(process.kill)

    def _is_up(self) -> bool:
        try:
            self.ask("status")
        except (OSError, ServerFailed):
            return False
        return True

    def create(self, name: str, spec: Mapping[str, Any]) -> None:
        """Hand a task to the coordinator."""
        self.ask("task/create", {"id": name, "spec": spec})

    def state(self, name: str) -> dict[str, Any]:
        """What became of a task: ``state`` is PENDING, RUNNING, STOPPING or DONE."""
        return self.ask(f"tasks/{name}")

    def ask(self, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """One request of the coordinator's REST interface. ServerFailed for a refusal."""
        request = urllib.request.Request(
            f"http://{LOOPBACK}:{self._port}/coordinator/{path}",
            None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=ASK_TIMEOUT_S) as answer:
                said = json.loads(answer.read(LARGEST_ANSWER_BYTES) or b"{}")
        except urllib.error.HTTPError as why:
            raise ServerFailed(f"Trogdor's {path}: {why}: {why.read(2_000)!r}") from None
        return said if isinstance(said, dict) else {}


def round_trips(task: Task) -> Found:
    """What RoundTripWorkload says of itself, what the faults did, and what is in the topic."""
    found = Found()
    messages = max(int(task.seconds * PER_SECOND), 1)
    stops = schedule(task.seconds, in_turn(task.cluster.active(), task.cluster.processes))
    within_s = limit_s(task.seconds, stops)
    try:
        with Trogdor(task.cluster, task.logs) as trogdor:
            began_ms = round(time.time() * 1_000)
            spec = workload_spec(task.cluster.servers, messages, within_s, began_ms)
            trogdor.create("workload", spec)
            for number, stop in enumerate(stops):
                trogdor.create(f"stop-{number}", fault_spec(stop, began_ms))
            with contextlib.suppress(ServerFailed):
                until(
                    lambda: trogdor.state("workload")["state"] == "DONE",
                    within_s=within_s,
                    poll_s=1.0,
                )
            _hold_workload(trogdor.state("workload"), messages, found)
            for number in range(len(stops)):
                _hold_fault(trogdor, f"stop-{number}", found)
    finally:
        for process in task.cluster.processes.values():
            process.resume()
    found.counts["processes stopped"] = _signals(task.logs, "SIGSTOP")
    found.hold(
        found.counts["processes stopped"] == len(stops) == _signals(task.logs, "SIGCONT"),
        f"of {len(stops)} stops the agent tells {found.counts['processes stopped']}",
    )
    found.once_each(map(str, range(messages)), _keys(task, found))
    return found


def _hold_workload(state: Mapping[str, Any], messages: int, found: Found) -> None:
    found.hold(state["state"] == "DONE", f"the workload is {state['state']}: {state.get('status')}")
    found.hold(not state.get("error"), f"the workload says {state.get('error')}")
    status = state.get("status") or {}
    sent, received = status.get("totalUniqueSent", 0), status.get("totalReceived", 0)
    found.counts.update(sent=sent, received=received)
    found.hold(sent == messages, f"{sent} of {messages} messages were sent")
    found.hold(received == messages, f"{received} of {messages} messages were received")


def _hold_fault(trogdor: Trogdor, name: str, found: Found) -> None:
    state: dict[str, Any] = {}

    def done() -> bool:
        state.update(trogdor.state(name))
        return bool(state["state"] == "DONE")

    try:
        until(done, f"fault {name} has not ended", poll_s=0.5)
    except ServerFailed as why:
        found.faults.append(str(why))
    found.hold(not state.get("error"), f"fault {name}: {state.get('error')}")


def _signals(logs: Path, signal: str) -> int:
    """How often the agent's log tells that it sent that signal to one process."""
    text = (logs / "agent.log").read_text(errors="replace")
    return text.count(f"sending {signal} to ")


def _keys(task: Task, found: Found) -> Iterator[str]:
    """The numbers of the messages: their keys are counted up in four bytes, the lowest first."""
    try:
        for one in committed_records(task.cluster.servers, TOPIC, PARTITIONS, READ_WITHIN_S):
            yield str(int.from_bytes(one.key() or b"", "little"))
    except NotRead as why:
        found.faults.append(str(why))
