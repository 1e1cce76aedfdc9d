"""How one commit is asked for, and which answers are refusals: Kafka, ZooKeeper, etcd.

Requests are made of bytes prepared before, with only a number and a value put in; answers are
looked at just enough to know that each says "done". So the same small client can drive all of them,
and none of them pays for a heavier one.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from struct import Struct, pack, unpack_from
from typing import Protocol

from metaquorum.wire.frames import frame
from metaquorum.wire.generated import alter_client_quotas_request as quotas
from metaquorum.wire.headers import RequestHeader, put_request_header
from metaquorum.wire.slices import FileSlice, Parts

VALUE_BYTES = 100
MOST_CLIENTS = 1_024

_I32 = Struct(">i")
_F64 = Struct(">d")
_U32 = Struct(">I")


class WrongAnswer(Exception):
    """The server refused, or answered what is no answer."""


class Wire(Protocol):
    """One connection's side of a protocol; requests are numbered from 1 by the caller."""

    @property
    def ping(self) -> bytes:
        """What a client sends that has heard nothing for a while; empty where it sends nothing."""

    def greet(self, peer: socket.socket) -> None:
        """What comes before the first request; the socket still blocks."""

    def request(self, number: int) -> bytes:
        """A write of another value than the last."""

    def answers(self, data: bytes) -> tuple[list[int], bytes]:
        """The numbers of the requests that are committed, and what is to be sent back at once.

        Pieces of an answer are kept until the rest comes. Raises WrongAnswer.
        """


class KafkaWire:
    """AlterClientQuotas with one entry of one quota."""

    API_KEY, VERSION = 49, 1
    ping = b""
    ERROR_AT = 14  # size, correlation id, tags, throttle time, count of entries

    def __init__(self, client: int) -> None:
        operation = quotas.OpData(key="producer_byte_rate", value=_SENTINEL, remove=False)
        entity = quotas.EntityData(entity_type="user", entity_name=f"bench-{client:04}")
        entry = quotas.EntryData(entity=[entity], ops=[operation])
        parts: Parts = []
        put_request_header(parts, RequestHeader(self.API_KEY, self.VERSION, 0, "bench"))
        quotas.put(parts, quotas.AlterClientQuotasRequest(entries=[entry]), self.VERSION)
        whole = b"".join(part for part in frame(parts) if not isinstance(part, FileSlice))
        at = whole.index(_F64.pack(_SENTINEL))
        self._before, self._between, self._after = whole[:8], whole[12:at], whole[at + 8 :]
        self._kept = b""

    def greet(self, peer: socket.socket) -> None:
        """Nothing: a connection without authentication begins with any request."""

    def request(self, number: int) -> bytes:
        """The frame with this correlation id and value."""
        return b"%b%b%b%b%b" % (
            self._before,
            _I32.pack(number),
            self._between,
            _F64.pack(float(number)),
            self._after,
        )

    def answers(self, data: bytes) -> tuple[list[int], bytes]:
        """Correlation ids of answers whose entry has error code 0."""
        if self._kept:
            data = self._kept + data
        done: list[int] = []
        at, size = 0, len(data)
        while size - at >= 4:
            end = at + 4 + _I32.unpack_from(data, at)[0]
            if end > size:
                break
            if data[at + self.ERROR_AT] or data[at + self.ERROR_AT + 1]:
                raise WrongAnswer(f"AlterClientQuotas was refused: {data[at:end]!r}")
            done.append(_I32.unpack_from(data, at + 4)[0])
            at = end
        self._kept = data[at:]
        return done, b""


class ZooKeeperWire:
    """setData of one node, whatever its version."""

    CREATE, SET_DATA, PING = 1, 5, 11
    PING_XID = -2
    EXISTS_ALREADY = -110
    SESSION_TIMEOUT_MS = 30_000
    ping = pack(">iii", 8, PING_XID, PING)

    def __init__(self, client: int) -> None:
        self._path = _counted(f"/bench-{client:04}".encode())
        self._kept = b""

    def greet(self, peer: socket.socket) -> None:
        """Begin a session and create the node, unless it is there."""
        hello = pack(">iqiq", 0, 0, self.SESSION_TIMEOUT_MS, 0) + _counted(bytes(16)) + b"\0"
        peer.sendall(_counted(hello))
        _frame_from(peer)
        anybody = pack(">ii", 1, 31) + _counted(b"world") + _counted(b"anyone")
        create = pack(">ii", 0, self.CREATE) + self._path + _counted(b"") + anybody + pack(">i", 0)
        peer.sendall(_counted(create))
        (code,) = unpack_from(">i", _frame_from(peer), 12)
        if code not in (0, self.EXISTS_ALREADY):
            raise WrongAnswer(f"the node was not created: error {code}")

    def request(self, number: int) -> bytes:
        """The frame with this xid and value."""
        body = pack(">ii", number, self.SET_DATA) + self._path + _counted(_value(number))
        return _counted(body + b"\xff\xff\xff\xff")

    def answers(self, data: bytes) -> tuple[list[int], bytes]:
        """The xids of answers with error 0."""
        if self._kept:
            data = self._kept + data
        done: list[int] = []
        at, size = 0, len(data)
        while size - at >= 4:
            end = at + 4 + _I32.unpack_from(data, at)[0]
            if end > size:
                break
            number, _, code = unpack_from(">iqi", data, at + 4)
            if code:
                raise WrongAnswer(f"setData was refused: error {code}")
            if number != self.PING_XID:
                done.append(number)
            at = end
        self._kept = data[at:]
        return done, b""


class EtcdWire:
    """Put by gRPC: one HTTP/2 connection, a stream a request, no header ever indexed."""

    DATA, HEADERS, RESET, SETTINGS, PING, GO_AWAY = 0, 1, 3, 4, 6, 7
    END_STREAM, END_HEADERS, ACK = 0x1, 0x4, 0x1
    HEAD_BYTES = 9
    LARGEST_WINDOW_BYTES = 2**31 - 1
    FIRST_WINDOW_BYTES = 65_535
    ping = b""

    def __init__(self, client: int) -> None:
        self._key = _field(1, f"bench-{client:04}".encode())
        block = b"\x83\x86" + b"".join(
            (
                b"\x04" + _text(b"/etcdserverpb.KV/Put"),
                b"\x01" + _text(b"localhost"),
                b"\x0f\x10" + _text(b"application/grpc"),
                b"\x00" + _text(b"te") + _text(b"trailers"),
            )
        )
        self._headers = _h2_head(len(block), self.HEADERS, self.END_HEADERS)
        self._block = block
        message = self._message(0)
        self._data = _h2_head(len(message), self.DATA, self.END_STREAM)
        self._with_data: set[int] = set()
        self._kept = b""

    def _message(self, number: int) -> bytes:
        put = self._key + _field(2, _value(number))
        return b"\0" + _U32.pack(len(put)) + put

    def greet(self, peer: socket.socket) -> None:
        """The preface: no table of headers, and room for all answers there will ever be."""
        settings = pack(">HIHI", 1, 0, 4, self.LARGEST_WINDOW_BYTES)
        more = _U32.pack(self.LARGEST_WINDOW_BYTES - self.FIRST_WINDOW_BYTES)
        peer.sendall(
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
            + _h2_head(len(settings), self.SETTINGS, 0)
            + bytes(4)
            + settings
            + _h2_head(4, 8, 0)
            + bytes(4)
            + more
        )

    def request(self, number: int) -> bytes:
        """Headers and the one message of a stream of its own."""
        stream = _U32.pack(2 * number - 1)
        return b"%b%b%b%b%b%b" % (
            self._headers,
            stream,
            self._block,
            self._data,
            stream,
            self._message(number),
        )

    def answers(self, data: bytes) -> tuple[list[int], bytes]:
        """The streams that ended with a message; one that failed has trailers only."""
        if self._kept:
            data = self._kept + data
        done: list[int] = []
        back = b""
        at, size = 0, len(data)
        while size - at >= self.HEAD_BYTES:
            start = at + self.HEAD_BYTES
            end = start + int.from_bytes(data[at : at + 3], "big")
            if end > size:
                break
            kind, flags = data[at + 3], data[at + 4]
            stream = _U32.unpack_from(data, at + 5)[0]
            if kind == self.DATA:
                self._with_data.add(stream)
            elif kind == self.HEADERS and flags & self.END_STREAM:
                if stream not in self._with_data:
                    raise WrongAnswer(f"Put was refused: {data[start:end]!r}")
                self._with_data.remove(stream)
                done.append((stream + 1) // 2)
            elif kind in (self.RESET, self.GO_AWAY):
                raise WrongAnswer(f"the server ended stream {stream}: {data[start:end]!r}")
            elif kind in (self.SETTINGS, self.PING) and not flags & self.ACK:
                answer = data[start:end] if kind == self.PING else b""
                back += _h2_head(len(answer), kind, self.ACK) + bytes(4) + answer
            at = end
        self._kept = data[at:]
        return done, back


WIRES: dict[str, Callable[[int], Wire]] = {
    "kafka": KafkaWire,
    "zookeeper": ZooKeeperWire,
    "etcd": EtcdWire,
}

_SENTINEL = 12345.678


def _value(number: int) -> bytes:
    return b"%0*d" % (VALUE_BYTES, number)


def _counted(content: bytes) -> bytes:
    return _I32.pack(len(content)) + content


def _frame_from(peer: socket.socket) -> bytes:
    (size,) = _I32.unpack(_exactly(peer, 4))
    return _exactly(peer, size)


def _exactly(peer: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        some = peer.recv(size - len(found))
        if not some:
            raise WrongAnswer("the server hung up")
        found += some
    return found


def _h2_head(length: int, kind: int, flags: int) -> bytes:
    """All of a frame's header but the stream."""
    return length.to_bytes(3, "big") + bytes((kind, flags))


def _text(content: bytes) -> bytes:
    return bytes((len(content),)) + content  # below 127 bytes a length is one byte


def _field(number: int, content: bytes) -> bytes:
    return bytes((number << 3 | 2, len(content))) + content
