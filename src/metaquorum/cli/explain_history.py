"""``metaquorum explain``: why leaders changed and brokers were fenced, from recordings and logs.

docs/reference/explanations.md has the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import define, field

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Command

if TYPE_CHECKING:
    from metaquorum.flight.evidence import Evidence, OfLog
    from metaquorum.flight.explanation import Event, Fact

EXIT_DAMAGED = 2
EXAMPLES = """\b
Examples:
  metaquorum explain /var/lib/flight
  metaquorum explain /var/lib/flight --since 2026-11-26T12:00:00Z -o json
  metaquorum explain /var/lib/kafka/__cluster_metadata-0
  metaquorum explain node1 node2 node3    # the same quorum's directories

\b
Exit codes:
  0  all that is there was read, and explained as well as it can be
  1  it could not be looked at; or the command line cannot be read
  2  some of it cannot be read; the rest was explained
"""


@click.command("explain", cls=Command, epilog=EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="DIR-OR-LOG...")
@click.option("--since", metavar="TIME", help="Only events from this time on (ISO 8601).")
@click.option("--until", metavar="TIME", help="Only events up to this time (ISO 8601).")
@click.option(
    "--fetch-timeout-ms",
    type=click.IntRange(100, 3_600_000),
    default=2_000,
    show_default=True,
    metavar="MS",
    help="controller.quorum.fetch.timeout.ms of the controllers.",
)
@click.option(
    "--session-timeout-ms",
    type=click.IntRange(100, 3_600_000),
    default=9_000,
    show_default=True,
    metavar="MS",
    help="broker.session.timeout.ms of the controllers.",
)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text, or one JSON object an event.",
)
def explain_history(
    paths: tuple[str, ...],
    since: str | None,
    until: str | None,
    fetch_timeout_ms: int,
    session_timeout_ms: int,
    output: str,
) -> int:
    """Tell why leaders changed and brokers were fenced, and how sure that is.

    DIR-OR-LOG is a recording of `metaquorum record --to`, a log directory of a controller or broker
    of Apache Kafka or ours, its __cluster_metadata-0, or a segment of it. Several are of the same
    quorum and are put together. Nothing is written.
    """
    from metaquorum.flight.explaining import explain
    from metaquorum.flight.explanation import Timeouts
    from metaquorum.flight.history import History

    since_ms, until_ms = _moment("--since", since), _moment("--until", until)
    sources = Sources(paths)
    history = History.of(sources.recorded(), sources.logs)
    timeouts = Timeouts(fetch_timeout_ms, session_timeout_ms)
    events = explain(history, timeouts, since_ms, until_ms)
    for line in _lines(events, output):
        click.echo(line)
    return EXIT_DAMAGED if sources.damages else 0


@define
class Sources:
    """What was given, read one after the other; ``damages`` counts what cannot be read."""

    paths: tuple[str, ...]
    damages: int = field(default=0, init=False)
    logs: list[tuple[str, list[OfLog]]] = field(factory=list, init=False)
    _recordings: list[Path] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        from metaquorum.flight.directory import log_evidence
        from metaquorum.flight.ring import segments_of
        from metaquorum.storage.posix import PosixDisk

        for path in self.paths:
            if Path(path).is_dir() and segments_of(Path(path)):
                self._recordings.append(Path(path))
            else:
                found = log_evidence(PosixDisk(), path.rstrip("/") or "/", self._damaged)
                self.logs.append((path, found))

    def recorded(self) -> Iterator[Evidence]:
        """The items of all recordings; OperatorError where they are of several clusters."""
        from metaquorum.flight.ring_reading import RingReading

        cluster_id = ""
        for path in self._recordings:
            reading = RingReading(path, _say)
            yield from reading.items()
            for header in reading.headers[:1]:
                yield from header.brokers
            self.damages += reading.damaged_lines
            if cluster_id and reading.cluster_id not in ("", cluster_id):
                raise OperatorError(
                    f"{path} is of cluster {reading.cluster_id}, what was given before it of "
                    f"{cluster_id}"
                )
            cluster_id = cluster_id or reading.cluster_id

    def _damaged(self, text: str) -> None:
        self.damages += 1
        _say(text)


def _say(text: str) -> None:
    click.echo(f"metaquorum: {text}", err=True)


def _moment(option: str, text: str | None) -> int | None:
    from metaquorum.cli.metadata_point import parse_point

    if text is None:
        return None
    try:
        found = parse_point(text).time_ms
    except OperatorError:
        found = None
    if found is None:
        raise OperatorError(f"{option}: a time such as 2026-11-26T12:00:00Z is needed")
    return found


def _lines(events: Iterable[Event], output: str) -> Iterator[str]:
    from metaquorum.wire.json_form import json_text

    for event in events:
        if output == "json":
            yield json_text(as_object(event))
        else:
            yield from text_lines(event)


def text_lines(event: Event) -> Iterator[str]:
    """An event in words: what happened, why, and the evidence in order of time."""
    from metaquorum.client.record_text import time_text

    verdict = event.verdict
    yield f"{time_text(event.time_ms)}  {_headline(event)}"
    others = ", ".join(one.value for one in verdict.others)
    unsure = f"; not excluded: {others}" if others else ""
    yield f"  {verdict.cause.value} ({verdict.certainty.value}{unsure}): {verdict.words}"
    for fact in shown(event.evidence):
        yield f"    {time_text(fact.time_ms)}  {fact.text}"
    yield ""


def shown(facts: tuple[Fact, ...]) -> Iterator[Fact]:
    """The facts; of very many the first and the last."""
    from metaquorum.flight.explanation import Fact
    from metaquorum.flight.limits import MAX_SHOWN_FACTS

    if len(facts) <= MAX_SHOWN_FACTS:
        yield from facts
        return
    half = MAX_SHOWN_FACTS // 2
    yield from facts[:half]
    yield Fact(facts[half].time_ms, f"({len(facts) - 2 * half} more)")
    yield from facts[-half:]


def _headline(event: Event) -> str:
    from metaquorum.flight.explanation import EventKind, seconds

    if event.kind is EventKind.BROKER_FENCED:
        return f"broker {event.node_id} was fenced, offset {event.offset}"
    if event.kind is EventKind.BROKER_UNFENCED:
        return f"broker {event.node_id} was unfenced, offset {event.offset}"
    if event.before is None or event.without_leader_ms is None:
        return f"controller {event.node_id} leads epoch {event.epoch}, offset {event.offset}"
    return (
        f"leader {event.before} of epoch {event.epoch_before} was followed by {event.node_id} in "
        f"epoch {event.epoch}, offset {event.offset}, after {seconds(event.without_leader_ms)} "
        "without a leader"
    )


def as_object(event: Event) -> dict[str, Any]:
    """An event as JSON has it."""
    verdict = event.verdict
    return {
        "event": event.kind.value,
        "timeMs": event.time_ms,
        "offset": event.offset,
        "epoch": event.epoch,
        "node": event.node_id,
        "leaderBefore": event.before,
        "epochBefore": event.epoch_before,
        "withoutLeaderMs": event.without_leader_ms,
        "cause": verdict.cause.value,
        "certainty": verdict.certainty.value,
        "rule": verdict.rule,
        "notExcluded": [one.value for one in verdict.others],
        "explanation": verdict.words,
        "evidence": [{"timeMs": one.time_ms, "text": one.text} for one in shown(event.evidence)],
    }
