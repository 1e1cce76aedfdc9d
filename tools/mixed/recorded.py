"""A mixed quorum whose nodes talk through a relay that writes everything down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from metaquorum.base.errors import OperatorError
from tools.event_lines import parse_line
from tools.kafka.ports import LOOPBACK, free_ports
from tools.kafka.tool import ToolResult
from tools.mixed.node import Kind
from tools.mixed.quorum import MixedQuorum
from tools.recorder.recording import RecordingFile
from tools.recorder.relay import Relay


@contextmanager
def recorded_quorum(
    directory: Path, kinds: Sequence[Kind], warm_tool: Callable[..., ToolResult], file: Path
) -> Iterator[MixedQuorum]:
    """A running quorum; ``file`` ends when it is stopped.

    One client writes, and no leader writes NoOps: what stands where in the log then follows from
    what was said, and a replay can be held against it record by record.
    """
    ports = dict(zip(range(1, len(kinds) + 1), free_ports(len(kinds)), strict=True))
    writing = RecordingFile(file, {node: f"{LOOPBACK}:{port}" for node, port in ports.items()})
    quorum = MixedQuorum(
        directory,
        kinds,
        warm_tool,
        {"metadata.max.idle.interval.ms": "0"},
        advertised_ports=ports,
        on_formatted=lambda formed: _write_lives(formed, writing),
        on_ending=writing.close,
    )
    quorum.load.clients = 1
    listeners = {node: (port, quorum.nodes[node].controller_port) for node, port in ports.items()}
    with writing, Relay(writing, listeners), quorum:
        for node in quorum.nodes.values():
            if node.is_ours:
                began_ms, seed = start_of(node.log_text())
                writing.write("seed", node=node.node_id, seed=seed, began_ms=began_ms)
        yield quorum


def _write_lives(quorum: MixedQuorum, writing: RecordingFile) -> None:
    for node in quorum.nodes.values():
        if node.is_ours:
            writing.write_life(node.node_id, node.rows(), node.data_directory)


def start_of(log: str) -> tuple[int, int]:
    """When a node of ours began (milliseconds since 1970) and its seed, as its log tells."""
    began_ms: int | None = None
    for line in log.splitlines():
        event = parse_line(line)
        if event is None or "partition" in event.fields:
            continue
        if event.name == "role-changed" and event.fields.get("before") == "NotStarted":
            began_ms = round(datetime.fromisoformat(event.moment).timestamp() * 1_000)
        if event.name == "started" and began_ms is not None:
            return began_ms, int(event.fields["seed"])
    raise OperatorError("the log does not tell of a start")
