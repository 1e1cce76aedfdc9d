"""The small HTTP side: ``/metrics``, health and ``/explain`` at ``metrics.listener``.

Knows HTTP through h11 and streams through trio; what is answered comes from a registry and a health
object. It must never disturb the quorum: few connections, small heads, short time limits, and a
reading that fails is a 500 to the client. Only a node that has such a listener imports this, at
its start: at the first scrape it would hold everybody up for 30 ms.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs, urlsplit

import h11
import trio
from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import MAX_METRICS_CONNECTIONS
from metaquorum.config.listeners import HostPort
from metaquorum.observe.health import Health, Verdict
from metaquorum.observe.openmetrics import Exposition
from metaquorum.observe.role_changes import MAX_ROLE_CHANGES, RoleChanges

MAX_HEAD_BYTES: Final = 16_384
READ_BYTES: Final = 16_384
REQUEST_LIMIT_S: Final = 10
IDLE_LIMIT_S: Final = 75  # above the 60 s at which most people scrape
TEXT: Final = "text/plain; charset=utf-8"
JSON: Final = "application/json"

_INDEX = (
    "/metrics            OpenMetrics or Prometheus text, as the Accept header asks\n"
    "/livez[?verbose]    is this process worth keeping\n"
    "/readyz[?verbose]   should clients come here\n"
)
_EXPLAIN = "/explain[?last=N]   the last changes of role and why, as JSON\n"


@frozen
class Answer:
    """One HTTP response."""

    status: int
    content_type: str
    body: bytes
    allow: str | None = None


def answer(
    method: str,
    target: str,
    accept: str,
    exposition: Exposition,
    health: Health,
    changes: RoleChanges | None,
) -> Answer:
    """What a request of this method, target and Accept header is answered.

    Without ``changes`` there is no ``/explain``: what is served is no node.
    """
    try:
        url = urlsplit(target)
    except ValueError:
        return Answer(400, TEXT, b"this target is no URL\n")
    query = parse_qs(url.query, keep_blank_values=True)
    verbose = "verbose" in query
    pages = ("/", "/metrics", "/livez", "/readyz", *(() if changes is None else ("/explain",)))
    if url.path not in pages:
        return Answer(404, TEXT, b"nothing here; try /metrics, /livez or /readyz?verbose\n")
    if method not in ("GET", "HEAD"):
        return Answer(405, TEXT, b"only GET and HEAD are answered\n", allow="GET, HEAD")
    try:
        if url.path == "/metrics":
            return Answer(200, *exposition.render(accept))
        if url.path == "/livez":
            return _verdict_answer(health.livez(), verbose)
        if url.path == "/readyz":
            return _verdict_answer(health.readyz(), verbose)
        if url.path == "/explain" and changes is not None:
            return _explained(changes, query.get("last", [str(MAX_ROLE_CHANGES)])[-1])
    except Exception as error:  # a reading that fails must not end the node that is being read
        return Answer(500, TEXT, f"a reading failed: {error!r}\n".encode())
    return Answer(200, TEXT, (_INDEX if changes is None else _INDEX + _EXPLAIN).encode())


async def metrics_sockets(
    where: HostPort, option: str = "metrics.listener"
) -> list[trio.SocketListener]:
    """Take the address; connections wait until ``serve_metrics``.

    Raises OperatorError, which names the option that the address is from.
    """
    try:
        return await trio.open_tcp_listeners(where.port, host=where.host or None)
    except OSError as error:
        raise OperatorError(
            f"{option} cannot listen on {where}: {error.strerror or error}"
        ) from None


async def serve_metrics(
    listeners: Sequence[trio.SocketListener],
    exposition: Exposition,
    health: Health,
    changes: RoleChanges | None,
    *,
    max_connections: int = MAX_METRICS_CONNECTIONS,
    task_status: trio.TaskStatus[list[trio.SocketListener]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve on ``listeners`` until cancelled; ``task_status`` tells once they accept.

    One more than ``max_connections`` is closed at once.
    """
    limiter = trio.CapacityLimiter(max_connections)

    async def serve_stream(stream: trio.SocketStream) -> None:
        try:
            limiter.acquire_nowait()
        except trio.WouldBlock:
            await trio.aclose_forcefully(stream)
            return
        try:
            await converse(stream, exposition, health, changes)
        finally:
            limiter.release()

    await trio.serve_listeners(serve_stream, list(listeners), task_status=task_status)


async def converse(
    stream: trio.abc.Stream,
    exposition: Exposition,
    health: Health,
    changes: RoleChanges | None,
) -> None:
    """Answer the requests of one connection, one after the other, then close it."""
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)
    async with stream:
        try:
            while True:
                with trio.move_on_after(IDLE_LIMIT_S) as idle:
                    request = await _next_request(connection, stream)
                if idle.cancelled_caught or request is None:
                    return
                accept = b",".join(value for name, value in request.headers if name == b"accept")
                answered = answer(
                    request.method.decode("ascii"),
                    request.target.decode("ascii"),
                    accept.decode("latin-1"),
                    exposition,
                    health,
                    changes,
                )
                with trio.fail_after(REQUEST_LIMIT_S):
                    await _send(connection, stream, answered, head=request.method == b"HEAD")
                if connection.our_state is not h11.DONE:
                    return
                connection.start_next_cycle()
        except h11.RemoteProtocolError as error:
            if connection.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                with trio.move_on_after(REQUEST_LIMIT_S):
                    refusal = Answer(error.error_status_hint, TEXT, f"{error}\n".encode())
                    await _send(connection, stream, refusal)
        except (h11.LocalProtocolError, trio.BrokenResourceError, trio.TooSlowError):
            return  # the other side left, or takes nothing: there is nobody to tell


async def _next_request(connection: h11.Connection, stream: trio.abc.Stream) -> h11.Request | None:
    """The next request, read to its end; None when the other side is done."""
    request: h11.Request | None = None
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(bytes(await stream.receive_some(READ_BYTES)))
        elif isinstance(event, h11.Request):
            request = event
        elif isinstance(event, h11.EndOfMessage):
            return request
        elif isinstance(event, h11.ConnectionClosed) or event is h11.PAUSED:
            return None


async def _send(
    connection: h11.Connection, stream: trio.abc.Stream, answered: Answer, *, head: bool = False
) -> None:
    headers = [
        ("Content-Type", answered.content_type),
        ("Content-Length", str(len(answered.body))),
        ("Cache-Control", "no-store"),
    ]
    if answered.allow is not None:
        headers.append(("Allow", answered.allow))
    reason = HTTPStatus(answered.status).phrase.encode()
    response = h11.Response(status_code=answered.status, headers=headers, reason=reason)
    events: list[h11.Event] = [response, h11.Data(data=answered.body), h11.EndOfMessage()]
    if head:
        del events[1]
    parts = [connection.send(event) or b"" for event in events]
    await stream.send_all(b"".join(parts))


def _explained(changes: RoleChanges, last: str) -> Answer:
    if not (last.isascii() and last.isdigit() and len(last) < 10):
        return Answer(400, TEXT, b"last= takes a number\n")
    return Answer(200, JSON, json.dumps(changes.facts(int(last))).encode() + b"\n")


def _verdict_answer(verdict: Verdict, verbose: bool) -> Answer:
    body = verdict.text(verbose=verbose).encode()
    return Answer(200 if verdict.is_well else 503, TEXT, body)
