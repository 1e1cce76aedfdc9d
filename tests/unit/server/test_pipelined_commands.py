"""Commands that came together: in which order they are served, and what becomes of the others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import COMMANDS_TOGETHER, DECODED_WEIGHT, SMALL_REQUEST_BYTES
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.sockets.budget import ByteBudget
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_limits import ConnectionLimits
from metaquorum.server.sockets.pipelined_commands import PipelinedCommands

COMMAND, OTHER = 49, 18
BROKEN = b"broken"


def frame_of(number: int, api_key: int = COMMAND, body: bytes = b"") -> bytes:
    return api_key.to_bytes(2, "big") + b"\0\1" + number.to_bytes(4, "big") + body


class Held:
    """A connection that holds requests, and a train of the first ones of them."""

    def __init__(self, *frames: bytes) -> None:
        self.budget = ByteBudget()
        self.connection = Connection(ConnectionLimits(), self.budget, 0)
        whole = b"".join(len(frame).to_bytes(4, "big") + frame for frame in frames)
        self.connection.bytes_received(whole, 0)
        self.served: list[bytes] = []
        self.asked: list[Promise[bytes]] = []
        self.told: list[tuple[bytes, int]] = []
        self.at_once = False
        self.pause_ms = 0

    def run(self) -> Promise[object] | None:
        request = self.connection.next_request()
        assert request is not None
        self.first, frame = request
        return PipelinedCommands(self.connection, self.serve, self.deliver).run(frame, COMMAND)

    def serve(self, frame, deliver):
        if frame.endswith(BROKEN):
            raise PeerError("broken")
        self.served.append(frame)
        answer = frame[4:8]
        if self.at_once:
            deliver([answer], self.pause_ms)
            return None
        promise: Promise[bytes] = Promise()
        promise.then(lambda _: deliver([answer]))
        self.asked.append(promise)
        return promise

    def deliver(self, parts, pause_ms=0):
        self.told.append((b"".join(parts), pause_ms))
        self.connection.reply(self.first, parts)

    def left(self) -> bytes | None:
        """The request that has its turn next."""
        request = self.connection.next_request()
        return None if request is None else request[1]

    def unpaid_bytes(self) -> int:
        """What is not given back once everything has been sent."""
        self.connection.bytes_to_send()
        self.connection.all_sent(1)
        self.connection.close()
        return self.budget.taken_bytes


bodies = st.sampled_from([b"", b"body", b"x" * SMALL_REQUEST_BYTES, BROKEN])
requests = st.tuples(st.sampled_from([COMMAND, COMMAND, COMMAND, OTHER]), bodies)


@given(st.lists(requests, max_size=2 * COMMANDS_TOGETHER), st.randoms(use_true_random=False))
def test_responses_leave_together_in_request_order_and_the_rest_waits(behind, chance):
    frames = [frame_of(0), *(frame_of(n, *one) for n, one in enumerate(behind, start=1))]
    together = 1
    for frame in frames[1:COMMANDS_TOGETHER]:
        is_command = int.from_bytes(frame[:2], "big") == COMMAND
        if not is_command or len(frame) > SMALL_REQUEST_BYTES or frame.endswith(BROKEN):
            break
        together += 1
    held = Held(*frames)
    parked = held.run()
    assert held.served == frames[:together]
    assert parked is not None and not held.told
    chance.shuffle(held.asked)
    for promise in held.asked:
        assert not held.told
        promise.complete(b"")
    assert held.told == [(b"".join(frame[4:8] for frame in frames[:together]), 0)]
    assert parked.done
    assert held.left() == (frames[together] if together < len(frames) else None)
    assert held.unpaid_bytes() == 0


def test_immediate_responses_are_sent_at_once_and_nothing_is_parked():
    held = Held(frame_of(1), frame_of(2))
    held.at_once = True
    assert held.run() is None
    assert held.told == [(frame_of(1)[4:8] + frame_of(2)[4:8], 0)]


def test_nothing_is_served_behind_one_that_is_to_pause():
    held = Held(frame_of(1), frame_of(2))
    held.at_once, held.pause_ms = True, 70
    assert held.run() is None
    assert held.told == [(frame_of(1)[4:8], 70)]
    assert held.left() == frame_of(2)


def test_a_cancel_reaches_all_and_no_answer_leaves():
    held = Held(frame_of(1), frame_of(2), frame_of(3))
    parked = held.run()
    assert parked is not None
    held.asked[1].complete(b"")
    parked.cancel()
    assert [promise.cancelled for promise in held.asked] == [True, False, True]
    assert not held.told


def test_later_commands_are_charged_and_none_is_taken_over_budget():
    held = Held(frame_of(1), frame_of(2), frame_of(3))
    held.budget.limit_bytes = len(frame_of(2)) * DECODED_WEIGHT
    held.run()
    assert held.served == [frame_of(1), frame_of(2)]
    assert held.budget.taken_bytes == held.budget.limit_bytes
