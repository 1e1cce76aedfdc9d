"""A connection of the server without I/O: arbitrary bytes, in pieces, with a host that obeys."""

from __future__ import annotations

from metaquorum.base.errors import PeerError
from metaquorum.server.sockets.budget import ByteBudget
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_limits import ConnectionLimits
from metaquorum.testing.fuzz.promise import promise, refused_at
from metaquorum.wire.errors import DecodeError
from metaquorum.wire.frames import SIZE_BYTES
from metaquorum.wire.generated.index import request_codec
from metaquorum.wire.headers import read_request_header

LIMITS = ConnectionLimits(frame_bytes=100_000, produce_frame_bytes=200_000)
BUDGET_BYTES = 70_000  # a frame of three pieces overdraws it
SHORTEST_REQUEST_BYTES = 8
PRODUCE = b"\x00\x00"  # the API key whose frames may be large
SERVE = 0x80  # in a piece's first byte: the host serves after it
REPEAT = 0x7F  # a piece of this length is what follows, over and over: a large frame in two bytes
_REPEATED_BYTES = 40_000
_MOST_FED_BYTES = 1 << 20


def requests_in(stream: bytes) -> tuple[list[bytes], bool]:
    """The plainest reading: the whole requests, and whether what follows cannot be one."""
    found: list[bytes] = []
    at = 0
    while at + SIZE_BYTES <= len(stream):
        size = int.from_bytes(stream[at : at + SIZE_BYTES], "big", signed=True)
        head, after = at + SIZE_BYTES, at + SIZE_BYTES + size
        key = stream[head : head + 2]
        large = len(key) == 2 and key != PRODUCE and size > LIMITS.frame_bytes
        if not SHORTEST_REQUEST_BYTES <= size <= LIMITS.produce_frame_bytes or large:
            return found, True
        if after > len(stream):
            break
        found.append(stream[head:after])
        at = after
    return found, False


def one_input(data: bytes) -> bool:
    """Pieces, each behind a byte with its length; whether they made requests and no fault."""
    host = _Host()
    try:
        for serve, piece in _pieces(data):
            host.feed(piece, serve=serve)
        while host.serve():
            pass
    except PeerError:
        promise(host.expects_fault(), "only frames that cannot be requests are refused")
        host.check_order()
        host.leave()
        return False
    promise(not host.expects_fault(), "a frame that cannot be a request is refused")
    promise(len(host.served) == len(host.wanted()[0]), "every request is served")
    promise(host.connection.wants_bytes, "a connection that was served reads on")
    host.check_order()
    host.leave()
    return bool(host.served)


def _pieces(data: bytes) -> list[tuple[bool, bytes]]:
    found = []
    at = total_bytes = 0
    while at < len(data) and total_bytes < _MOST_FED_BYTES:
        length = data[at] & ~SERVE
        piece = data[at + 1 : at + 1 + length]
        at_next = at + 1 + length
        if length == REPEAT and at + 1 < len(data):
            piece, at_next = data[at + 1 : at + 2] * _REPEATED_BYTES, at + 2
        if piece:  # a socket that gives nothing has ended
            found.append((bool(data[at] & SERVE), piece))
        total_bytes += len(piece)
        at = at_next
    return found


class _Host:
    """Reads and writes for a connection, and remembers what it was fed and what it served."""

    def __init__(self) -> None:
        self.now_ms = 1_000
        self.budget = ByteBudget(BUDGET_BYTES)
        self.connection = Connection(LIMITS, self.budget, self.now_ms)
        self.stream = bytearray()
        self.served: list[bytes] = []

    def feed(self, piece: bytes, *, serve: bool) -> None:
        """One read, as soon as the connection wants it."""
        while not self.connection.wants_bytes:
            promise(self.serve(), "a connection that does not read has something to serve")
        self.now_ms += 1
        self.stream += piece
        self.connection.bytes_received(piece, self.now_ms)
        self.connection.settle(self.now_ms)
        promise(self.connection.deadline >= self.now_ms, "a peer that sends is not yet late")
        promise(bool(self.connection.complaint), "a deadline has its reason")
        if serve:
            self.serve()

    def serve(self) -> bool:
        """Answer one request and send the answer; whether there was one."""
        request = self.connection.next_request()
        if request is None:
            return False
        correlation, frame = request
        promise(self.connection.next_request() is None, "one request is served at a time")
        self.served.append(bytes(frame))
        _read(frame)
        answer = correlation.to_bytes(4, "big", signed=True)
        self.connection.reply(correlation, [answer])
        promise(self.connection.bytes_to_send() == [answer], "an answer leaves once")
        promise(self.connection.bytes_to_send() == [], "an answer leaves once")
        self.connection.all_sent(self.now_ms)
        self.connection.settle(self.now_ms)
        return True

    def wanted(self) -> tuple[list[bytes], bool]:
        """The requests in all that was fed, and whether what follows cannot be one."""
        return requests_in(bytes(self.stream))

    def expects_fault(self) -> bool:
        """Whether the peer broke the protocol."""
        return self.wanted()[1]

    def check_order(self) -> None:
        """Requests leave in the order in which they came."""
        frames = self.wanted()[0]
        promise(frames[: len(self.served)] == self.served, "requests are served in their order")

    def leave(self) -> None:
        """Close; nothing of the budget may stay behind."""
        self.connection.close()
        self.connection.close()
        promise(
            self.budget.taken_bytes == 0, f"{self.budget.taken_bytes} bytes were not given back"
        )


def _read(frame: bytes) -> None:
    """What the server does next with a frame."""
    try:
        header, at = read_request_header(frame)
        codec = request_codec(header.api_key)
        if codec.LOWEST_VERSION <= header.api_version <= codec.HIGHEST_VERSION:
            codec.decode(frame, header.api_version, at)
    except DecodeError as why:
        refused_at(why, len(frame))
