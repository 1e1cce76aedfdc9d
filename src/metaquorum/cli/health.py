"""``metaquorum health``: for probes and operators, of any KRaft quorum, Apache Kafka's or ours.

Asked over the wire; docs/how-to/check-the-health.md has the rules.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import click
from attrs import frozen

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.cli.command import Command
from metaquorum.cli.shared_options import command_config_option
from metaquorum.cli.target import Target, parse_target
from metaquorum.client.health_rules import (
    LIVE,
    READY,
    SAFE_TO_RESTART,
    Verdict,
    node_ready,
    node_safe_to_restart,
    quorum_ready,
)
from metaquorum.client.quorum_view import Replica, replicas_of
from metaquorum.client.security import Security

T = TypeVar("T")

EXIT_UNWELL = 1
EXIT_NOT_KNOWN = 2
GRACE_S = 0.2
"""What an answer may take longer, to tell in words why there is none."""

EXAMPLES = """\b
Examples:
  metaquorum health --bootstrap-controller a:9093,b:9093,c:9093
  metaquorum health --bootstrap-controller localhost:9093 --node 1 --ready
  metaquorum health --bootstrap-controller localhost:9093 --live
  metaquorum health --bootstrap-controller a:9093,b:9093,c:9093 --node 1 --safe-to-restart
  metaquorum health --bootstrap-controller localhost:9093 --node 1 --ready -o json

\b
Exit codes:
  0  yes
  1  no; the reason is in the first line
  2  nobody said within the time, so it is not known
"""


@frozen
class Report:
    """A verdict and what it was made of."""

    verdict: Verdict
    replicas: Sequence[Replica] = ()


@click.command(cls=Command, epilog=EXAMPLES)
@click.option("--bootstrap-server", metavar="HOST:PORT[,...]", help="Brokers, or client listeners.")
@click.option("--bootstrap-controller", metavar="HOST:PORT[,...]", help="Controllers.")
@command_config_option()
@click.option("--node", "node_id", type=click.IntRange(0), metavar="ID", help="Ask about this one.")
@click.option("--ready", "question", flag_value=READY, help="It serves what is committed now.")
@click.option("--live", "question", flag_value=LIVE, help="It answers, whatever its quorum does.")
@click.option(
    "--safe-to-restart",
    "question",
    flag_value=SAFE_TO_RESTART,
    help="The others keep a majority that is caught up.",
)
@click.option(
    "--max-lag",
    "max_lag_s",
    type=click.FloatRange(min=0.001),
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="A replica that was caught up within this time counts as caught up.",
)
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0.001),
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="Answer within this time, whatever the network does.",
)
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text")
@click.pass_context
def health(
    ctx: click.Context,
    bootstrap_server: str | None,
    bootstrap_controller: str | None,
    command_config: str | None,
    node_id: int | None,
    question: str | None,
    max_lag_s: float,
    timeout_s: float,
    output: str,
) -> None:
    """Say whether a quorum, or one node of it, is well, and why.

    Without --node, whether the quorum has a leader and a majority of voters that is caught up.
    """
    asked = question or READY
    if asked == LIVE and node_id is not None:
        raise OperatorError("--live asks the node at the address that is given, without --node")
    if asked == SAFE_TO_RESTART and node_id is None:
        raise OperatorError("--safe-to-restart needs --node")
    target = parse_target(bootstrap_server, bootstrap_controller, command_config)
    if asked == LIVE and len(target.places) != 1:
        raise OperatorError("--live asks one node: give its address alone")
    if asked == LIVE:
        work = partial(live, target, timeout_s)
    else:
        work = partial(judged, target, asked, node_id, max_lag_s, timeout_s)
    report, why_not = in_time(work, timeout_s)
    if report is None and asked == LIVE:
        report = Report(Verdict(LIVE, False, why_not))
    if output == "json":
        lines = [as_json(asked, node_id, report, why_not)]
    else:
        lines = text_lines(asked, report, why_not)
    for line in lines:
        click.echo(line)
    ctx.exit(EXIT_NOT_KNOWN if report is None else 0 if report.verdict.is_well else EXIT_UNWELL)


def live(target: Target, timeout_s: float) -> Report:
    """Whether the one node of the target answers ApiVersions, which nobody has to log in for."""
    (place,) = target.places
    timeout_ms = max(1, int(timeout_s * 1_000))
    with Security(target.security.tls).open(
        place.host,
        place.port,
        client_id=target.client_id,
        connect_timeout_ms=timeout_ms,
        timeout_ms=timeout_ms,
    ):
        return Report(Verdict(LIVE, True, f"{place} answers"))


def judged(
    target: Target, asked: str, node_id: int | None, max_lag_s: float, timeout_s: float
) -> Report:
    """What the leader's description of the quorum says to this question."""
    from metaquorum.client.quorum_question import QuorumQuestion

    timeout_ms = max(1, int(timeout_s * 1_000))
    # A server that hangs must leave time for the others, and for the leader that they name.
    share_ms = max(1, timeout_ms // (len(target.places) + 1))
    view = QuorumQuestion(
        target.places,
        target.endpoint_type,
        timeout_ms,
        target.client_id,
        min(share_ms, target.request_timeout_ms),
        target.open,
    ).answer()
    replicas = replicas_of(view, int(max_lag_s * 1_000))
    if node_id is None:
        verdict = quorum_ready(view, replicas)
    elif asked == READY:
        verdict = node_ready(view, replicas, node_id)
    else:
        verdict = node_safe_to_restart(view, replicas, node_id)
    return Report(verdict, replicas)


def in_time(work: Callable[[], T], timeout_s: float) -> tuple[T | None, str]:
    """What ``work`` returns within this time, else None and why not.

    It runs in a thread that does not hold up the end of the process: a name that cannot be looked
    up blocks for as long as the resolver likes.
    """
    from metaquorum.client.connection import ConnectionFailed

    answers: queue.SimpleQueue[tuple[T] | BaseException] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put((work(),))
        except BaseException as error:
            answers.put(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        answer = answers.get(timeout=timeout_s + GRACE_S)
    except queue.Empty:
        return None, f"no answer within {timeout_s:g} s"
    if isinstance(answer, tuple):
        return answer[0], ""
    if isinstance(answer, ConnectionFailed | PeerError | OperatorError):
        return None, str(answer)
    raise answer


def text_lines(asked: str, report: Report | None, why_not: str) -> list[str]:
    """The verdict in a line, what else is to be known, and the replicas as a table."""
    if report is None:
        return [f"{asked}: not known: {why_not}"]
    verdict = report.verdict
    lines = [f"{asked}: {'yes' if verdict.is_well else 'no'}: {verdict.reason}"]
    lines += [f"note: {one}" for one in verdict.warnings]
    if report.replicas:
        rows = [("NodeId", "Status", "Lag", "BehindMs", "CaughtUp"), *map(_cells, report.replicas)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines += [
            "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
    return lines


def _cells(replica: Replica) -> tuple[str, ...]:
    return (
        str(replica.id),
        replica.status,
        "?" if replica.lag_records is None else str(replica.lag_records),
        "?" if replica.behind_ms is None else str(replica.behind_ms),
        "yes" if replica.is_caught_up else "no",
    )


def as_json(asked: str, node_id: int | None, report: Report | None, why_not: str) -> str:
    """The same as one JSON object; ``well`` is null where it is not known."""
    return json.dumps(
        {
            "question": asked,
            "node": node_id,
            "well": None if report is None else report.verdict.is_well,
            "reason": why_not if report is None else report.verdict.reason,
            "notes": [] if report is None else list(report.verdict.warnings),
            "replicas": [
                {
                    "id": one.id,
                    "status": one.status,
                    "lag": one.lag_records,
                    "behindMs": one.behind_ms,
                    "caughtUp": one.is_caught_up,
                }
                for one in (report.replicas if report else ())
            ],
        }
    )
