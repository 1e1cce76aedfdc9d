# GENERATED from schemas/share_group_describe_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 e078ad635a4f6952, generator 1.
"""Describes share groups in full. Api key 77, versions 0-1, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_compact_texts, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 77
NAME: Final = "ShareGroupDescribeResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class TopicPartitions(Message):
    """Partitions of one topic."""

    __slots__ = ("topic_id", "topic_name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # Name of the topic.
        topic_name: str = "",
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class Assignment(Message):
    """What a member has."""

    __slots__ = ("topic_partitions", "unknown_tags")

    def __init__(
        self,
        # Partitions by topic.
        topic_partitions: Sequence[TopicPartitions] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_partitions: Sequence[TopicPartitions] = (
            [] if topic_partitions == () else topic_partitions
        )
        self.unknown_tags = unknown_tags


class Member(Message):
    """Members of the group."""

    __slots__ = (
        "member_id", "rack_id", "member_epoch", "client_id", "client_host",
        "subscribed_topic_names", "assignment", "unknown_tags",
    )

    def __init__(
        self,
        # Id of the member.
        member_id: str = "",
        # Rack of the member; null when it has none.
        rack_id: str | None = None,
        # Epoch the member has reached.
        member_epoch: int = 0,
        # Client id that the member sent in its request headers.
        client_id: str = "",
        # Address from which the member connected.
        client_host: str = "",
        # Topics the member wants.
        subscribed_topic_names: Sequence[str] = (),
        # Partitions the member owns now.
        assignment: Assignment | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.member_id = member_id
        self.rack_id = rack_id
        self.member_epoch = member_epoch
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names: Sequence[str] = (
            [] if subscribed_topic_names == () else subscribed_topic_names
        )
        self.assignment = Assignment() if assignment is None else assignment
        self.unknown_tags = unknown_tags


class DescribedGroup(Message):
    """One result a group."""

    __slots__ = (
        "error_code", "error_message", "group_id", "group_state", "group_epoch", "assignment_epoch",
        "assignor_name", "members", "authorized_operations", "unknown_tags",
    )

    def __init__(
        self,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        # Group.
        group_id: str = "",
        # State of the group in words.
        group_state: str = "",
        # Epoch of the group.
        group_epoch: int = 0,
        # Epoch of the target assignment.
        assignment_epoch: int = 0,
        # Assignor in use.
        assignor_name: str = "",
        # Members of the group.
        members: Sequence[Member] = (),
        # Bit set of what the caller may do; the lowest int32 when not asked for.
        authorized_operations: int = -2147483648,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.group_epoch = group_epoch
        self.assignment_epoch = assignment_epoch
        self.assignor_name = assignor_name
        self.members: Sequence[Member] = [] if members == () else members
        self.authorized_operations = authorized_operations
        self.unknown_tags = unknown_tags


class ShareGroupDescribeResponse(Message):
    """Describes share groups in full."""

    __slots__ = ("throttle_time_ms", "groups", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a group.
        groups: Sequence[DescribedGroup] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups: Sequence[DescribedGroup] = [] if groups == () else groups
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_read_16sB = Struct(">16sB").unpack_from
_read_2iB = Struct(">2iB").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_2iB = Struct(">2iB").pack
_write_hB = Struct(">hB").pack
_write_iB = Struct(">iB").pack
_write_ix = Struct(">ix").pack
_write_B_many_i_x = ArrayWrites("B *i x")


def _get_assignment_v0(buf: bytes, at: int) -> tuple[Assignment, int]:
    m = new(Assignment)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 19)
    topic_partitions: list[TopicPartitions] = []
    m.topic_partitions = topic_partitions
    left_topic_partitions = n - 1
    while left_topic_partitions:
        left_topic_partitions -= 1
        topic_partitions_ = new(TopicPartitions)
        topic_partitions.append(topic_partitions_)
        (topic_partitions_.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_partitions_.topic_name = buf[at:end].decode()
        at = end
        n_partitions = buf[at]
        at += 1
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*topic_partitions_.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        topic_partitions_.unknown_tags = ()
        if tags:
            topic_partitions_.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_share_group_describe_response_v0(
    buf: bytes, at: int,
) -> tuple[ShareGroupDescribeResponse, int]:
    m = new(ShareGroupDescribeResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 20)
    groups: list[DescribedGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        described_group = new(DescribedGroup)
        groups.append(described_group)
        (described_group.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            described_group.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            described_group.error_message = buf[at:end].decode()
            at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.group_state = buf[at:end].decode()
        at = end
        (described_group.group_epoch, described_group.assignment_epoch, n) = _read_2iB(buf, at)
        at += 9
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.assignor_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 12)
        members: list[Member] = []
        described_group.members = members
        left_members = n - 1
        while left_members:
            left_members -= 1
            member = new(Member)
            members.append(member)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member.member_id = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0:
                member.rack_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                member.rack_id = buf[at:end].decode()
                at = end
            (member.member_epoch, n) = _read_iB(buf, at)
            at += 5
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member.client_id = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member.client_host = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 1)
            member.subscribed_topic_names, at = get_compact_texts(buf, at, n - 1)
            member.assignment, at = _get_assignment_v0(buf, at)
            tags = buf[at]
            at += 1
            member.unknown_tags = ()
            if tags:
                member.unknown_tags, at = get_tags(buf, at - 1)
        (described_group.authorized_operations, tags) = _read_iB(buf, at)
        at += 5
        described_group.unknown_tags = ()
        if tags:
            described_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_assignment_v0(out: Parts, m: Assignment) -> None:
    topic_partitions = m.topic_partitions
    n = len(topic_partitions) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_partitions_ in topic_partitions:
        if len(topic_partitions_.topic_id) != 16:
            refuse_uuid("topic_id")
        topic_name = topic_partitions_.topic_name.encode()
        n = len(topic_name) + 1
        out.append(_write_16sB(topic_partitions_.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(topic_name)
        partitions = topic_partitions_.partitions
        n_partitions = len(partitions)
        write = _write_B_many_i_x[n_partitions]
        out.append(write(n_partitions + 1, *partitions))
        if topic_partitions_.unknown_tags:
            put_tags(out, [], topic_partitions_.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_share_group_describe_response_v0(out: Parts, m: ShareGroupDescribeResponse) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for described_group in groups:
        error_message = (
            b"" if described_group.error_message is None else described_group.error_message.encode()
        )
        n = 0 if described_group.error_message is None else len(error_message) + 1
        out.append(_write_hB(described_group.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        group_id = described_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        group_state = described_group.group_state.encode()
        n = len(group_state) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_state)
        assignor_name = described_group.assignor_name.encode()
        n = len(assignor_name) + 1
        out.append(_write_2iB(
            described_group.group_epoch, described_group.assignment_epoch, n if n < 128 else 0,
        ))
        if n > 127:
            lengthen_text(out, n)
        out.append(assignor_name)
        members = described_group.members
        n = len(members) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for member in members:
            member_id = member.member_id.encode()
            n = len(member_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(member_id)
            rack_id = b"" if member.rack_id is None else member.rack_id.encode()
            n = 0 if member.rack_id is None else len(rack_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(rack_id)
            client_id = member.client_id.encode()
            n = len(client_id) + 1
            out.append(_write_iB(member.member_epoch, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(client_id)
            client_host = member.client_host.encode()
            n = len(client_host) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(client_host)
            subscribed_topic_names = member.subscribed_topic_names
            n = len(subscribed_topic_names) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            put_compact_texts(out, subscribed_topic_names)
            _put_assignment_v0(out, member.assignment)
            out.append(b"\0")
            if member.unknown_tags:
                put_tags(out, [], member.unknown_tags)
        out.append(_write_ix(described_group.authorized_operations))
        if described_group.unknown_tags:
            put_tags(out, [], described_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_share_group_describe_response_v0, 1: _get_share_group_describe_response_v0}
_PUT = {0: _put_share_group_describe_response_v0, 1: _put_share_group_describe_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ShareGroupDescribeResponse:
    """The ShareGroupDescribeResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ShareGroupDescribeResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ShareGroupDescribeResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ShareGroupDescribeResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPIC_PARTITIONS_SHAPE: Shape = (
    TopicPartitions,
    (
        ("topicId", "topic_id", "uuid", (0, 1), None, None, None, ZERO_UUID, False, (0, 1), None),
        ("topicName", "topic_name", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("partitions", "partitions", "[]int32", (0, 1), None, None, None, (), False, (0, 1), None),
    ),
)
_ASSIGNMENT_SHAPE: Shape = (
    Assignment,
    (
        (
            "topicPartitions", "topic_partitions", "[]TopicPartitions", (0, 1), None, None, None,
            (), False, (0, 1), _TOPIC_PARTITIONS_SHAPE,
        ),
    ),
)
_MEMBER_SHAPE: Shape = (
    Member,
    (
        ("memberId", "member_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("rackId", "rack_id", "string", (0, 1), (0, 1), None, None, None, False, (0, 1), None),
        ("memberEpoch", "member_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("clientId", "client_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("clientHost", "client_host", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        (
            "subscribedTopicNames", "subscribed_topic_names", "[]string", (0, 1), None, None, None,
            (), False, (0, 1), None,
        ),
        (
            "assignment", "assignment", "Assignment", (0, 1), None, None, None, UNSET, False,
            (0, 1), _ASSIGNMENT_SHAPE,
        ),
    ),
)
_DESCRIBED_GROUP_SHAPE: Shape = (
    DescribedGroup,
    (
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "errorMessage", "error_message", "string", (0, 1), (0, 1), None, None, None, False,
            (0, 1), None,
        ),
        ("groupId", "group_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("groupState", "group_state", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("groupEpoch", "group_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "assignmentEpoch", "assignment_epoch", "int32", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        (
            "assignorName", "assignor_name", "string", (0, 1), None, None, None, "", False, (0, 1),
            None,
        ),
        (
            "members", "members", "[]Member", (0, 1), None, None, None, (), False, (0, 1),
            _MEMBER_SHAPE,
        ),
        (
            "authorizedOperations", "authorized_operations", "int32", (0, 1), None, None, None,
            -2147483648, False, (0, 1), None,
        ),
    ),
)
_SHARE_GROUP_DESCRIBE_RESPONSE_SHAPE: Shape = (
    ShareGroupDescribeResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        (
            "groups", "groups", "[]DescribedGroup", (0, 1), None, None, None, (), False, (0, 1),
            _DESCRIBED_GROUP_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_SHARE_GROUP_DESCRIBE_RESPONSE_SHAPE, (0, 1), (0, 1))
