"""A replica asked by real frames: what a peer of that version reads of its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from metaquorum.quorum import adapt
from metaquorum.quorum.events import SnapshotWritten
from metaquorum.quorum.messages import (
    NONE,
    FetchRequest,
    FetchResponse,
    Hint,
    LogSlice,
    SnapshotSlice,
)
from metaquorum.quorum.types import ElectionState, ReplicaKey, SnapshotId
from metaquorum.testing.fakes import FakeHost, directory, voter
from metaquorum.wire.generated import index
from tests.unit.quorum.rpc_age import RpcAge, answered, leader, said

CLUSTER = "4L6g3nShT-eMCtK--X86sw"


def _bytes_of(part: LogSlice | SnapshotSlice) -> bytes:
    return b"records" if isinstance(part, LogSlice) else b"part of a snapshot"


CONTEXT = adapt.AnswerContext("CONTROLLER", _bytes_of)


def ask(node: FakeHost, key: int, version: int, request: Any) -> Any:
    """The answer as it is decoded; None while it is parked."""
    asked = _through(index.request_codec(key), request, version)
    message = adapt.read_request(key, version, asked, CLUSTER)
    if isinstance(message, adapt.Settled):
        answer = adapt.settled_response(key, message, node.replica.hint, CONTEXT)
    else:
        told = said(node, message)
        if told is None:
            return None
        answer = adapt.write_response(key, version, asked, told, CONTEXT)
    return _through(index.response_codec(key), answer, version)


def _through(codec: Any, message: Any, version: int) -> Any:
    parts: list[Any] = []
    codec.put(parts, message, version)
    return codec.decode(memoryview(b"".join(parts)), version, 0)


EPOCH = 5
PART_ID = SnapshotId(3, 5)
CLUSTER_ID, INVALID = 104, 42
Make = Callable[[], FakeHost]


@frozen
class Defect:
    """One thing that is wrong with a request, or with the moment at which it comes.

    ``error``, with ``words``, is answered where nothing that is looked at before is wrong;
    ``at_the_top`` is for the whole request. Two of one ``about`` exclude each other. With
    ``takes_epoch`` the epoch of the request is entered all the same.
    """

    name: str
    error: int
    spoil: Callable[[FakeHost, Any], None]
    about: str = ""
    at_the_top: bool = False
    since: int = 0
    takes_epoch: bool = False
    words: str = ""

    @property
    def excludes(self) -> str:
        return self.about or self.name


def pairs(defects: list[Defect], version: int) -> Iterator[tuple[Defect, Defect]]:
    """Each defect alone and before each later one, as far as the version can say both."""
    for at, first in enumerate(defects):
        for second in defects[at:]:
            both = first is second or first.excludes != second.excludes
            if both and version >= max(first.since, second.since):
                yield first, second


def follower() -> FakeHost:
    """Of node 3, which has answered a fetch; its log ends at 5, epoch 3."""
    node = RpcAge(1).host(ElectionState(EPOCH, 3))
    answered(node, 3, FetchResponse(NONE, Hint(3, EPOCH, voter(3).endpoints), high_watermark=5))
    return node


def leading() -> FakeHost:
    """Of epoch 5, all of it committed, with a snapshot of the five records before it."""
    node = leader(RpcAge(1))
    log = node.replica.log
    said(node, FetchRequest(ReplicaKey(2, directory(2)), EPOCH, log.end, EPOCH, 0, 1_000))
    node.tell(SnapshotWritten(PART_ID, 1_000))
    return node


def put(path: str, value: Any) -> Any:
    """Set a field of the request: of it, or behind ``row.`` of its one partition."""

    def spoil(node: FakeHost, request: Any) -> None:
        target = request
        if path.startswith("row."):
            rows = [row for topic in request.topics for row in topic.partitions]
            if not rows:
                return
            target = rows[0]
        setattr(target, path.removeprefix("row."), value)

    return spoil


def shape(change: Any) -> Any:
    """Change the list of topics."""

    def spoil(node: FakeHost, request: Any) -> None:
        change(request.topics)

    return spoil


def other_name(topics: Any) -> None:
    topics[0].topic_name = "__cluster_metadata_"


def other_partition(topics: Any) -> None:
    topics[0].partitions[0].partition_index = 1


def two_partitions(topics: Any) -> None:
    topics[0].partitions.append(topics[0].partitions[0])


OTHER_CLUSTER = [
    Defect("other cluster", CLUSTER_ID, put("cluster_id", "other"), "cluster", True),
    Defect("empty cluster", CLUSTER_ID, put("cluster_id", ""), "cluster", True),
]
SHAPES = [
    Defect("no topic", INVALID, shape(lambda topics: topics.clear()), "shape", True),
    Defect("two topics", INVALID, shape(lambda topics: topics.append(topics[0])), "shape", True),
    Defect("other topic", INVALID, shape(other_name), "shape", True),
    Defect("other partition", INVALID, shape(other_partition), "shape", True),
    Defect("two partitions", INVALID, shape(two_partitions), "shape", True),
    Defect(
        "no partition", INVALID, shape(lambda topics: topics[0].partitions.clear()), "shape", True
    ),
]


def outcome(answer: Any) -> tuple[int, list[int]]:
    """The code at the top, and those of the rows."""
    topics = answer.responses if hasattr(answer, "responses") else answer.topics
    rows = [row.error_code for topic in topics for row in topic.partitions]
    return answer.error_code, rows


def expected(defect: Defect) -> tuple[int, list[int]]:
    return (defect.error, []) if defect.at_the_top else (0, [defect.error])


def spoilt(node: FakeHost, request: Any, *defects: Defect) -> Any:
    for defect in reversed(defects):  # what is looked at first may leave no row for the others
        defect.spoil(node, request)
    return request


def after(node: FakeHost) -> int:
    assert node.disk_election.epoch == node.replica.epoch
    return node.replica.epoch


def assert_leader_named(
    node: FakeHost, leader_id: int, endpoints: Any, is_preallocated: bool
) -> None:
    """The leader in every row, -1 for none, with its endpoint where the version has room."""
    known = node.replica.leader_id
    assert leader_id == (-1 if known is None else known)
    named = [(one.node_id, one.host, one.port) for one in endpoints]
    if known is None or not is_preallocated:
        assert named == []
    else:
        assert named == [(known, f"host{known}", 9093)]
