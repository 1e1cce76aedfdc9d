"""The sender: parts in order, files without a copy, and a socket that is full."""

from __future__ import annotations

import errno
import os
import socket

import pytest

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import SEND_TURN_BYTES
from metaquorum.server.pipeline.sender import Flushed, PeerGone, Sender
from metaquorum.wire.slices import FileSlice


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    with ours, theirs:
        yield ours, theirs


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "segment"
    path.write_bytes(bytes(range(256)) * 8_192)
    fd = os.open(path, os.O_RDONLY)
    yield fd
    os.close(fd)


def received(sock: socket.socket) -> bytes:
    data = bytearray()
    while True:
        try:
            part = sock.recv(1 << 20)
        except BlockingIOError:
            return bytes(data)
        if not part:
            return bytes(data)
        data += part


def drained(sender: Sender, sock: socket.socket) -> bytes:
    data = b""
    while sender.flush() is not Flushed.ALL:
        data += received(sock)
    return data + received(sock)


def test_parts_leave_in_order(pair, file):
    sender = Sender(pair[0])
    sender.push([b"head", memoryview(b"-body"), FileSlice(file, 3, 5), b"", b"tail"])
    assert sender.flush() is Flushed.ALL
    assert received(pair[1]) == b"head-body" + bytes(range(3, 8)) + b"tail"
    assert sender.is_empty


def test_more_parts_than_one_call_takes(pair):
    parts = [bytes([at % 256]) for at in range(3_000)]
    sender = Sender(pair[0])
    sender.push(parts)
    assert drained(sender, pair[1]) == b"".join(parts)


@pytest.mark.parametrize("sendfile", [True, False])
def test_a_full_socket_is_distinguished_and_the_rest_leaves_later(pair, file, sendfile):
    sender = Sender(pair[0])
    sender._sendfile = sendfile
    sender.push([b"head", FileSlice(file, 1, 2_000_000), b"x" * 1_000_000])
    assert sender.flush() is Flushed.SOME
    assert sender.flush() is Flushed.NOTHING
    expected = b"head" + (bytes(range(256)) * 8_192)[1:2_000_001] + b"x" * 1_000_000
    assert drained(sender, pair[1]) == expected


@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP])
def test_where_the_system_cannot_send_from_a_file_it_is_read(pair, file, monkeypatch, code):
    def refuse(*args):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "sendfile", refuse)
    sender = Sender(pair[0])
    sender.push([FileSlice(file, 0, 30_000)])
    assert sender.flush() is Flushed.ALL
    assert received(pair[1]) == (bytes(range(256)) * 200)[:30_000]


@pytest.mark.parametrize("sendfile", [True, False])
def test_a_log_that_was_cut_under_way_ends_the_connection(pair, file, sendfile):
    sender = Sender(pair[0])
    sender._sendfile = sendfile
    sender.push([FileSlice(file, 256 * 8_192 - 10_000, 20_000)])
    with pytest.raises(PeerError, match="cut"):
        sender.flush()


def test_a_peer_that_has_gone_is_distinguished(pair, file):
    pair[1].close()
    sender = Sender(pair[0])
    sender.push([b"x", FileSlice(file, 0, 10)])
    with pytest.raises(PeerGone):
        sender.flush()


def test_a_disk_error_in_sending_a_file_is_not_taken_for_a_disconnect(pair, file, monkeypatch):
    def fail(*args):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "sendfile", fail)
    sender = Sender(pair[0])
    sender.push([FileSlice(file, 0, 10_000)])
    with pytest.raises(OSError, match="Input/output"):
        sender.flush()


def test_what_left_is_no_longer_pinned(pair, file):
    pin = object()
    sender = Sender(pair[0])
    sender.push([FileSlice(file, 0, 10, pin), FileSlice(file, 0, 20, pin)])
    sender.flush()
    assert sender.is_empty
    sender.push([FileSlice(file, 0, 10, pin)])
    sender.clear()
    assert sender.is_empty


def test_a_small_piece_of_a_file_leaves_in_one_send_with_its_header(pair, file, monkeypatch):
    monkeypatch.setattr(os, "sendfile", None)
    sender = Sender(pair[0])
    sender.push([b"head", FileSlice(file, 3, 100)])
    assert sender.memory_bytes == 104
    assert sender.flush() is Flushed.ALL
    assert received(pair[1]) == b"head" + bytes(range(3, 103))


def test_a_small_piece_that_is_not_in_memory_stays_in_its_file(pair, file, monkeypatch):
    cold_once(monkeypatch)
    sender = Sender(pair[0])
    sender.push([b"head", FileSlice(file, 3, 100)])
    assert sender.memory_bytes == 4
    assert sender.flush() is Flushed.COLD
    sender.warm()()
    assert sender.flush() is Flushed.ALL
    assert received(pair[1]) == b"head" + bytes(range(3, 103))


def test_it_tells_what_of_the_log_is_on_its_way(pair, file):
    sender = Sender(pair[0])
    sender.push([b"head", FileSlice(file, 0, 10_000, end_offset=7)])
    assert sender.sends_beyond(6)
    assert not sender.sends_beyond(7)


def cold_once(monkeypatch) -> list[int]:
    """Every page is cold until it was read; the positions that were probed."""
    probed: list[int] = []
    warm: set[int] = set()
    pread = os.pread

    def preadv(fd, buffers, position, flags=0):
        probed.append(position)
        if not any(start <= position < end for start, end in warm):
            raise BlockingIOError
        return 1

    def remembered(fd, length, position):
        warm.add((position, position + length))
        return pread(fd, length, position)

    monkeypatch.setattr(os, "preadv", preadv)
    monkeypatch.setattr(os, "pread", remembered)
    return probed


def test_pages_not_in_memory_are_handed_back_and_sent_after_a_read(pair, file, monkeypatch):
    probed = cold_once(monkeypatch)
    sender = Sender(pair[0])
    sender.push([b"head", FileSlice(file, 5, 1_500_000)])
    data = b""
    cold = 0
    while (flushed := sender.flush()) is not Flushed.ALL:
        data += received(pair[1])
        if flushed is Flushed.COLD:
            cold += 1
            sender.warm()()
    data += received(pair[1])
    assert data == b"head" + (bytes(range(256)) * 8_192)[5:1_500_005]
    assert cold == 2  # a stretch of 1 MiB, and the rest
    assert probed[0] == 5


@pytest.mark.parametrize("code", [errno.EOPNOTSUPP, errno.EINVAL])
def test_where_pages_cannot_be_probed_they_are_sent_as_they_are(pair, file, monkeypatch, code):
    def refuse(*args):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "preadv", refuse)
    sender = Sender(pair[0])
    sender.push([FileSlice(file, 0, 1_500_000)])
    assert drained(sender, pair[1]) == (bytes(range(256)) * 8_192)[:1_500_000]


def test_a_turn_ends_though_the_socket_would_take_more(file, monkeypatch):
    listener = socket.create_server(("127.0.0.1", 0))
    ours = socket.create_connection(listener.getsockname())
    theirs, _ = listener.accept()
    with listener, ours, theirs:
        ours.setblocking(False)
        sender = Sender(ours)
        sent: list[int] = []

        def send_pages(self, fd: int, position: int, left: int) -> int:
            sent.append(min(left, SEND_TURN_BYTES // 4))
            return sent[-1]

        monkeypatch.setattr(Sender, "_send_pages", send_pages)  # a socket that takes everything
        slices = [FileSlice(file, 0, SEND_TURN_BYTES), FileSlice(file, 0, SEND_TURN_BYTES)]
        sender.push(slices)
        assert sender.flush() is Flushed.SOME
        assert sum(sent) == SEND_TURN_BYTES
        assert sender.flush() is Flushed.SOME or sender.is_empty
        assert sender.flush() is Flushed.ALL
