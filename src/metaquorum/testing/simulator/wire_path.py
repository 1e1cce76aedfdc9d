"""Messages through their wire form: versions of older nodes, frames cut in the middle.

Between nodes of one version the simulator hands over the core's own messages, as the wire form is
proven elsewhere (``tests/wire``, the differential tests of ``make interop``). Where one side is
older, requests and answers go through the version that both know.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from attrs import define, field

from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.quorum import adapt
from metaquorum.quorum.messages import LogSlice, Request, SnapshotSlice
from metaquorum.wire.errors import UnsupportedField
from metaquorum.wire.frames import FrameReader, frame
from metaquorum.wire.generated import index

LISTENER = "CONTROLLER"

OLD = {1: 17, 52: 1, 53: 1, 54: 1, 59: 1, 82: 0}
"""The versions of Kafka 3.9, the oldest release that knows KIP-853: no pre-vote, no watermark."""


class Outdated(Exception):
    """The version that the peer knows cannot carry this request."""


@define(eq=False)
class WirePath:
    """``old`` are the nodes that know the versions of ``OLD`` only."""

    cluster_id: str
    fired: Callable[[str], None]
    old: dict[int, bool] = field(factory=dict)

    def carried(self, asker: int, asked: int, message: Request) -> Request:
        """What the asked node reads of a request; Outdated when it cannot be written."""
        if not self._is_mixed(asker, asked) or adapt.api_key_of(message) not in OLD:
            return message
        key = adapt.api_key_of(message)
        version = OLD[key]
        try:
            wire = adapt.write_request(version, message, self.cluster_id)
            parts: list[Any] = []
            index.request_codec(key).put(parts, wire, version)
        except UnsupportedField as error:
            self.fired("mixed-versions")
            raise Outdated(str(error)) from None
        body = b"".join(parts)
        decoded = index.request_codec(key).decode(memoryview(body), version, 0)
        read = adapt.read_request(key, version, decoded, self.cluster_id)
        if isinstance(read, adapt.Settled):
            raise AssertionError(f"our own {type(message).__name__} is refused: {read.response}")
        self.fired("mixed-versions")
        return read

    def carried_back(
        self,
        asker: int,
        asked: int,
        message: Request,
        answer: Any,
        resolve: Callable[[LogSlice | SnapshotSlice], bytes | None],
    ) -> Any:
        """What the asker reads of an answer; None where both know the latest versions."""
        key = adapt.api_key_of(message)
        if not self._is_mixed(asker, asked) or key not in OLD:
            return None
        version = OLD[key]
        request = adapt.write_request(version, message, self.cluster_id)
        context = adapt.AnswerContext(LISTENER, resolve)
        wire = adapt.write_response(key, version, request, answer, context)
        parts: list[Any] = []
        index.response_codec(key).put(parts, wire, version)
        body = memoryview(b"".join(parts))
        decoded = index.response_codec(key).decode(body, version, 0)
        return adapt.read_response(key, version, decoded, LISTENER)

    def cut_request(self, message: Request, asked: int, random: Random) -> bool:
        """Cut the frame of a request somewhere: the other side must see no request at all."""
        key = adapt.api_key_of(message)
        version = index.APIS[key].highest
        parts: list[Any] = []
        wire = adapt.write_request(version, message, self.cluster_id)
        index.request_codec(key).put(parts, wire, version)
        whole = b"".join(frame(parts))  # type: ignore[arg-type]
        kept = whole[: random.randrange(len(whole))]
        if FrameReader(MAX_FRAME_BYTES).feed(kept):
            raise AssertionError("a frame that was cut off was read as a whole one")
        return True

    def _is_mixed(self, asker: int, asked: int) -> bool:
        return bool(self.old) and (asker in self.old or asked in self.old)
