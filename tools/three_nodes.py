"""A quorum in one terminal: three servers, a line for each change of role, and you to hurt them.

  python -m tools.three_nodes                  three voters in build/three-nodes, Ctrl-D ends it
  python -m tools.three_nodes --nodes 5        five
  printf 'kill leader\\nwait\\nstatus\\n' | python -m tools.three_nodes    a story without a hand

Type help for the commands.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed, VersionsDoNotMeet
from tools.event_lines import EventLine, LogFollower, parse_line
from tools.kafka.ports import LOOPBACK
from tools.own_cluster import OwnCluster
from tools.process import ServerFailed
from tools.quorum_state import describe_partition

ROOT = Path(__file__).parents[1]
DIRECTORY = ROOT / "build/three-nodes"
LOOK_S = 0.1
WAIT_S = 30.0
COLOURS = (36, 33, 35, 32, 34, 31)
HELP = """\
  status          who runs, who leads, how far each is
  kill N          SIGKILL: the process is gone at once
  stop N          SIGTERM: it hands over and ends in order
  start N         start it again
  pause N         SIGSTOP: it stands still, its connections stay open
  resume N        SIGCONT
  wait            until a node that runs leads
  quit            stop all and leave (Ctrl-D too)
N is a node's number, or leader."""
STOPPING = {"kill": signal.SIGKILL, "stop": signal.SIGTERM}


class Refused(Exception):
    """A command that cannot be carried out; the message says why."""


@define
class Terminal:
    """Prints what the nodes tell, and does what is typed."""

    cluster: OwnCluster
    coloured: bool
    paused: set[int] = field(factory=set)
    _followers: dict[int, LogFollower] = field(init=False)
    _roles: dict[int, EventLine] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._followers = {
            node_id: LogFollower(node.log_file) for node_id, node in self.cluster.nodes.items()
        }

    # --- what the nodes tell ---------------------------------------------------------------

    def show_news(self) -> None:
        """A line for each change of role, start, stop and warning since the last look."""
        states = [
            (event, node_id)
            for node_id, follower in self._followers.items()
            for line in follower.new_lines()
            if (event := parse_line(line)) is not None
        ]
        for event, node_id in sorted(states, key=lambda one: (one[0].moment, one[1])):
            if "partition" in event.fields:
                continue  # of consumer groups, which nobody looks at here
            if event.name == "role-changed":
                self._roles[node_id] = event
            text = self._text(event)
            if text is not None:
                self.say(f"{event.moment[11:23]}  node {node_id}  {text}", node_id)

    @staticmethod
    def _text(event: EventLine) -> str | None:
        facts = event.fields
        if event.name == "role-changed":
            turn = f"{facts['before']} > {facts['after']}"
            leader = "nobody leads" if facts["leader"] == "none" else f"{facts['leader']} leads"
            return f"{turn}, epoch {facts['epoch']}, {leader}: {facts['why']}"
        if event.name in ("started", "stopping", "stopped"):
            return event.name
        if event.level in ("warn", "error"):
            return f"{event.level} {event.name} {facts.get('why', '')}".rstrip()
        return None

    def say(self, text: str, node_id: int | None = None) -> None:
        """One line, in the colour of a node."""
        if node_id is not None and self.coloured:
            text = f"\x1b[{COLOURS[(node_id - 1) % len(COLOURS)]}m{text}\x1b[0m"
        print(text, flush=True)

    # --- what is typed ---------------------------------------------------------------------

    def obey(self, line: str) -> bool:
        """Carry out one command; False when it is the last."""
        words = line.split()
        if not words:
            return True
        name, rest = words[0].lower(), words[1:]
        if name in ("quit", "exit"):
            return False
        try:
            if name in ("status", "wait", "help") and not rest:
                {"status": self.status, "wait": self.wait, "help": self._help}[name]()
            elif name in ("kill", "stop", "start", "pause", "resume") and len(rest) == 1:
                self._do(name, self._node(rest[0]))
            else:
                raise Refused(f"{line.strip()!r} is no command; type help")
        except Refused as why:
            self.say(str(why))
        return True

    def _help(self) -> None:
        self.say(HELP)

    def _node(self, word: str) -> int:
        if word == "leader":
            leader = self._leader()
            if leader is None:
                raise Refused("nobody leads now")
            return leader
        if word.isdigit() and int(word) in self.cluster.nodes:
            return int(word)
        raise Refused(f"{word!r} is none of {', '.join(map(str, self.cluster.nodes))}")

    def _leader(self) -> int | None:
        return self.cluster.leader(one for one in self.cluster.nodes if one not in self.paused)

    def _do(self, name: str, node_id: int) -> None:
        node = self.cluster.nodes[node_id]
        if name == "start":
            if node.pid is not None:
                raise Refused(f"node {node_id} runs already")
            node.start()
            return
        if node.pid is None:
            raise Refused(f"node {node_id} does not run")
        if name in STOPPING:
            self._let_go_on(node_id)
            self.cluster.signal(node_id, STOPPING[name])
            self._reap(node_id)
        elif name == "pause":
            self.cluster.signal(node_id, signal.SIGSTOP)
            self.paused.add(node_id)
        else:
            self._let_go_on(node_id)

    def _let_go_on(self, node_id: int) -> None:
        if node_id in self.paused:
            self.paused.discard(node_id)
            self.cluster.signal(node_id, signal.SIGCONT)

    def _reap(self, node_id: int) -> None:
        ends = time.monotonic() + WAIT_S
        while self.cluster.nodes[node_id].pid is not None and time.monotonic() < ends:
            time.sleep(LOOK_S / 10)

    def wait(self) -> None:
        """Until a node that runs says that it leads, and its log, a little later, says so too."""
        ends = time.monotonic() + WAIT_S
        while not self._is_led():
            if time.monotonic() > ends:
                raise Refused(f"nobody leads after {WAIT_S:.0f} s")
            time.sleep(LOOK_S)

    def _is_led(self) -> bool:
        leader = self._leader()
        self.show_news()
        role = self._roles.get(leader) if leader is not None else None
        return role is not None and role.fields["after"] == "Leader"

    def status(self) -> None:
        """A table: who runs, in which role, how far."""
        self.show_news()
        ends: dict[int, tuple[int, int]] = {}
        leader = self._leader()
        if leader is not None:
            with contextlib.suppress(ConnectionFailed, PeerError, VersionsDoNotMeet):
                part = describe_partition(LOOPBACK, self.cluster.controller_ports[leader])
                most = max((one.log_end_offset for one in part.current_voters), default=0)
                for one in part.current_voters:
                    if one.log_end_offset < 0:  # it has not fetched from this leader
                        continue
                    ends[one.replica_id] = (one.log_end_offset, most - one.log_end_offset)
        titles = ("NODE", "PROCESS", "ROLE", "EPOCH", "LOG END", "LAG", "CONTROLLER", "CLIENTS")
        rows = [self._row(node_id, ends.get(node_id)) for node_id in self.cluster.nodes]
        widths = [max(len(row[at]) for row in (titles, *rows)) for at in range(len(titles))]
        for row, node_id in zip((titles, *rows), (None, *self.cluster.nodes), strict=True):
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            self.say("  ".join(cells).rstrip(), node_id)

    def _row(self, node_id: int, end: tuple[int, int] | None) -> tuple[str, ...]:
        node = self.cluster.nodes[node_id]
        runs = "gone" if node.pid is None else f"pid {node.pid}"
        if node_id in self.paused:
            runs += ", paused"
        known = self._roles.get(node_id) if node.pid is not None else None
        return (
            str(node_id),
            runs,
            known.fields["after"] if known else "-",
            known.fields["epoch"] if known else "-",
            "-" if end is None else str(end[0]),
            "-" if end is None else str(end[1]),
            f"{LOOPBACK}:{node.controller_port}",
            node.bootstrap_server,
        )


def converse(terminal: Terminal, read: Callable[[float], str | None]) -> None:
    """Show news and obey until the last command; ``read`` gives a line, "" for none, None at the
    end."""
    while True:
        terminal.show_news()
        line = read(LOOK_S)
        if line is None or not terminal.obey(line):
            return


def typed(limit_s: float) -> str | None:
    """A line of standard input if one comes in time."""
    ready, _, _ = select.select([sys.stdin], [], [], limit_s)
    if not ready:
        return ""
    return sys.stdin.readline() or None


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.three_nodes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--nodes", type=int, default=3, choices=range(1, 10), metavar="N")
    parser.add_argument("--directory", type=Path, default=DIRECTORY, help="for configs, data, logs")
    parser.add_argument("--keep", action="store_true", help="leave the directory as it was left")
    chosen = parser.parse_args(arguments)
    sys.stdin.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    shutil.rmtree(chosen.directory, ignore_errors=True)
    cluster = OwnCluster(chosen.directory, voters=chosen.nodes, with_metrics=True)
    terminal = Terminal(cluster, coloured)
    try:
        cluster.format()
        for node in cluster.nodes.values():
            node.start()
        terminal.wait()
        terminal.status()
        terminal.say("type help for the commands")
        converse(terminal, typed)
    except KeyboardInterrupt:
        print(flush=True)
    except (ServerFailed, Refused) as why:
        print(f"three_nodes failed: {why}", file=sys.stderr)
        return 1
    finally:
        for node_id in tuple(terminal.paused):
            cluster.signal(node_id, signal.SIGCONT)
        cluster.stop()
        if not chosen.keep:
            shutil.rmtree(chosen.directory, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
