"""What the server counts, under Kafka's MBean names where Kafka has one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from metaquorum.observe.metrics import Registry
from metaquorum.server.contract.api import API_ROWS
from metaquorum.server.sockets.listener import Server

REQUESTS: Final = "kafka.network:type=RequestMetrics,name=RequestsPerSec,request={}"
SOCKETS: Final = "kafka.server:type=socket-server-metrics,listener={}"
OURS: Final = "metaquorum:type=connections"

_OURS: Final[tuple[tuple[str, Callable[[Server], int], str], ...]] = (
    (
        "accepted",
        lambda one: one.accepted,
        "Connections since start",
    ),
    (
        "refused",
        lambda one: one.refused,
        "Connections above a limit, closed at once",
    ),
    (
        "rights-refused",
        lambda one: one.pipeline.refusals.count,
        "Rights that were asked for since start and were not there",
    ),
    (
        "unexpected-errors",
        lambda one: one.pipeline.failures.count,
        "Requests and connections since start that failed on a fault of this server",
    ),
    (
        "authentications",
        lambda one: one.sasl_listeners.succeeded,
        "Proofs of who a client is since start, those before a session expired included",
    ),
    (
        "authentications-failed",
        lambda one: one.sasl_listeners.failed,
        "Clients since start that did not prove who they are",
    ),
    (
        "tls-handshakes",
        lambda one: one.tls_listeners.succeeded,
        "TLS handshakes since start that came to their end",
    ),
    (
        "tls-handshakes-failed",
        lambda one: one.tls_listeners.failed,
        "TLS handshakes since start that failed, or whose client went away meanwhile",
    ),
    (
        "held-back",
        lambda one: len(one.held_back),
        "Connections that nobody serves, as their addresses connect too often",
    ),
    (
        "accept-paused-ms",
        lambda one: one.admission.paused_ms,
        "Time since start for which listeners took nobody, as too many had come a second",
    ),
    (
        "quota-pauses",
        lambda one: one.services.client_quotas.pauses,
        "Answers that told a client to pause, as it had taken more than its quota",
    ),
    (
        "quota-paused-ms",
        lambda one: one.services.client_quotas.paused_ms,
        "Time that clients were told to pause for",
    ),
    (
        "large-request-bytes",
        lambda one: one.budgets.clients.taken_bytes,
        "Bytes of requests that wait, are incomplete or are large and being served",
    ),
    (
        "unauthenticated-request-bytes",
        lambda one: one.budgets.unauthenticated.taken_bytes,
        "The same of connections that have not proved yet who they are",
    ),
    (
        "voter-request-bytes",
        lambda one: one.budgets.voters.taken_bytes,
        "The same of connections that have spoken as voters",
    ),
    (
        "descriptors-limit",
        lambda one: one.admission.descriptors.shares.limit,
        "File descriptors that the process may have",
    ),
    (
        "connections-limit",
        lambda one: one.admission.descriptors.connections,
        "Connections that the descriptors leave room for, with those that files have taken so far",
    ),
    (
        "unsent-answer-bytes",
        lambda one: one.unsent.held_bytes,
        "Bytes of answers that wait in memory for peers that do not read",
    ),
    (
        "queued-turns",
        lambda one: len(one.fair_queue),
        "Connections whose requests take long and that wait for their turn",
    ),
    (
        "rested-ms",
        lambda one: one.fair_queue.rested_ms,
        "Time since start for which long turns were held back for everybody else's sake",
    ),
)


def register_server_metrics(
    registry: Registry, listeners: Iterable[str], server: Callable[[], Server | None]
) -> None:
    """Requests by API, connections by listener, refusals, and bytes that large requests hold.

    ``server`` may answer None until the server runs: everything is 0 then.
    """

    def read(count: Callable[[Server], int]) -> Callable[[], int]:
        def reading() -> int:
            running = server()
            return 0 if running is None else count(running)

        return reading

    for api_row in API_ROWS:
        registry.counter(
            REQUESTS.format(api_row.name),
            "Requests that reached their handler",
            read(lambda running, name=api_row.name: running.pipeline.served(name)),  # type: ignore[misc]
        )
    for listener in listeners:
        registry.gauge(
            SOCKETS.format(listener),
            "connection-count",
            read(lambda running, name=listener: running.connections_on(name)),  # type: ignore[misc]
            "Open connections",
        )
    for name, count, about in _OURS:
        registry.gauge(OURS, name, read(count), about)
