"""What a node reaches the world outside by: connections, listening sockets, a thread for its disk.

A process takes the real ones. A test puts in others, and then owns the network and every delay.
"""

from __future__ import annotations

import socket
from collections.abc import Callable

import trio
from attrs import field, frozen

from metaquorum.config.listeners import Listener
from metaquorum.runtime.dial import Dial, OpenStream
from metaquorum.runtime.log_lane import RunAside
from metaquorum.server.listener import listening_socket


@frozen
class Outside:
    """``listen(listener, backlog)`` raises OSError when it cannot have the address."""

    open_stream: OpenStream = field(factory=Dial)
    run_aside: RunAside = trio.to_thread.run_sync
    listen: Callable[[Listener, int], socket.socket] = listening_socket


REAL_OUTSIDE = Outside()
