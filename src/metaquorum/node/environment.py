"""What a node has of the world outside: connections, listening sockets, a thread, true chance.

A process takes the real ones. A test puts in others, and then owns the network and every delay.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable

import trio
from attrs import field, frozen

from metaquorum.base.chance import Chance
from metaquorum.base.clock import Millis
from metaquorum.base.limits import LOG_DIRECTORY_CHECK_MS
from metaquorum.config.listeners import Listener
from metaquorum.runtime.disk.log_lane import RunInThread
from metaquorum.runtime.driver.ports import Ports
from metaquorum.runtime.loop.chance import SystemChance
from metaquorum.runtime.loop.poller import Poller, TaskPoller
from metaquorum.runtime.peers.dial import Dial, OpenStream
from metaquorum.server.sockets.descriptors import Descriptors
from metaquorum.server.sockets.listener import listening_socket


async def _load_nothing() -> None:
    """Modules are imported on first use."""


def _own_ports(ports: Ports) -> Ports:
    return ports


@frozen
class Environment:
    """``listen(listener, backlog)`` raises OSError when it cannot have the address.

    With ``fast_syncs`` not every sync of the log is left to ``run_in_thread`` (``LogLane``).
    ``poller`` waits for descriptors and timers. ``unguessable`` draws what strangers must not
    guess: the ids of fetch sessions. Every ``directory_check_ms`` log directories are checked.
    ``descriptors`` says how many connections may be open at a time; ``load_all`` imports what the
    node may come to need, before it says that it is ready. ``ports`` may put others in the place of
    those that a partition has made for its driver.
    """

    open_stream: OpenStream = field(factory=Dial)
    run_in_thread: RunInThread = trio.to_thread.run_sync
    fast_syncs: bool = False
    poller: Poller = field(factory=TaskPoller)
    listen: Callable[[Listener, int], socket.socket] = listening_socket
    unguessable: Chance = field(factory=SystemChance)
    directory_check_ms: Millis | None = LOG_DIRECTORY_CHECK_MS
    descriptors: Descriptors = field(factory=Descriptors)
    load_all: Callable[[], Awaitable[None]] = _load_nothing
    ports: Callable[[Ports], Ports] = _own_ports


REAL_ENVIRONMENT = Environment(fast_syncs=True)
