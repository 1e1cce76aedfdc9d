# GENERATED from schemas/streams_group_topology_description_update_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 c9acae56b9d0c48f, generator 1.
"""A member of a streams group tells what its topology looks like. Api key 93, versions 0, flexible
from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_compact_texts, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 93
NAME: Final = "StreamsGroupTopologyDescriptionUpdateRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class TopologyDescriptionNode(Message):
    """One step."""

    __slots__ = (
        "name", "node_type", "source_topics", "sink_topic", "stores", "successors", "unknown_tags",
    )

    def __init__(
        self,
        # Name of the step.
        name: str = "",
        # Code of the kind of step: it reads, processes or writes.
        node_type: int = 0,
        # Topics that this node reads.
        source_topics: Sequence[str] = (),
        # Topic that this step writes; null when it writes none or chooses as it goes.
        sink_topic: str | None = None,
        # Stores that this step uses.
        stores: Sequence[str] = (),
        # Names of the steps that come next.
        successors: Sequence[str] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.node_type = node_type
        self.source_topics: Sequence[str] = [] if source_topics == () else source_topics
        self.sink_topic = sink_topic
        self.stores: Sequence[str] = [] if stores == () else stores
        self.successors: Sequence[str] = [] if successors == () else successors
        self.unknown_tags = unknown_tags


class TopologyDescriptionSubtopology(Message):
    """Steps of one subtopology."""

    __slots__ = ("subtopology_id", "nodes", "unknown_tags")

    def __init__(
        self,
        # Id of the subtopology.
        subtopology_id: str = "",
        # Steps of the subtopology.
        nodes: Sequence[TopologyDescriptionNode] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.subtopology_id = subtopology_id
        self.nodes: Sequence[TopologyDescriptionNode] = [] if nodes == () else nodes
        self.unknown_tags = unknown_tags


class TopologyDescriptionGlobalStore(Message):
    """A store that every member has whole."""

    __slots__ = ("source", "processor", "unknown_tags")

    def __init__(
        self,
        # Step that reads.
        source: TopologyDescriptionNode | None = None,
        # Step that fills the store.
        processor: TopologyDescriptionNode | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.source = TopologyDescriptionNode() if source is None else source
        self.processor = TopologyDescriptionNode() if processor is None else processor
        self.unknown_tags = unknown_tags


class TopologyDescription(Message):
    """What a topology looks like."""

    __slots__ = ("subtopologies", "global_stores", "unknown_tags")

    def __init__(
        self,
        # One row a subtopology.
        subtopologies: Sequence[TopologyDescriptionSubtopology] = (),
        # Stores that every member has whole.
        global_stores: Sequence[TopologyDescriptionGlobalStore] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.subtopologies: Sequence[TopologyDescriptionSubtopology] = (
            [] if subtopologies == () else subtopologies
        )
        self.global_stores: Sequence[TopologyDescriptionGlobalStore] = (
            [] if global_stores == () else global_stores
        )
        self.unknown_tags = unknown_tags


class StreamsGroupTopologyDescriptionUpdateRequest(Message):
    """A member of a streams group tells what its topology looks like."""

    __slots__ = ("group_id", "member_id", "topology_epoch", "topology_description", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # Id of the member.
        member_id: str = "",
        # Epoch of the topology that is described.
        topology_epoch: int = 0,
        # What the topology looks like.
        topology_description: TopologyDescription | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.topology_epoch = topology_epoch
        self.topology_description = (
            TopologyDescription() if topology_description is None else topology_description
        )
        self.unknown_tags = unknown_tags


_read_bB = Struct(">bB").unpack_from
_read_i = Struct(">i").unpack_from
_write_bB = Struct(">bB").pack
_write_i = Struct(">i").pack


def _get_topology_description_node_v0(buf: bytes, at: int) -> tuple[TopologyDescriptionNode, int]:
    m = new(TopologyDescriptionNode)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.name = buf[at:end].decode()
    at = end
    (m.node_type, n) = _read_bB(buf, at)
    at += 2
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.source_topics, at = get_compact_texts(buf, at, n - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.sink_topic = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.sink_topic = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.stores, at = get_compact_texts(buf, at, n - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.successors, at = get_compact_texts(buf, at, n - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_topology_description_v0(buf: bytes, at: int) -> tuple[TopologyDescription, int]:
    m = new(TopologyDescription)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    subtopologies: list[TopologyDescriptionSubtopology] = []
    m.subtopologies = subtopologies
    left_subtopologies = n - 1
    while left_subtopologies:
        left_subtopologies -= 1
        subtopology = new(TopologyDescriptionSubtopology)
        subtopologies.append(subtopology)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        subtopology.subtopology_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 7)
        nodes: list[TopologyDescriptionNode] = []
        subtopology.nodes = nodes
        left_nodes = n - 1
        while left_nodes:
            left_nodes -= 1
            description_node = new(TopologyDescriptionNode)
            nodes.append(description_node)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            description_node.name = buf[at:end].decode()
            at = end
            (description_node.node_type, n) = _read_bB(buf, at)
            at += 2
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 1)
            description_node.source_topics, at = get_compact_texts(buf, at, n - 1)
            n = buf[at]
            at += 1
            if n == 0:
                description_node.sink_topic = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                description_node.sink_topic = buf[at:end].decode()
                at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 1)
            description_node.stores, at = get_compact_texts(buf, at, n - 1)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 1)
            description_node.successors, at = get_compact_texts(buf, at, n - 1)
            tags = buf[at]
            at += 1
            description_node.unknown_tags = ()
            if tags:
                description_node.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        subtopology.unknown_tags = ()
        if tags:
            subtopology.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 15)
    global_stores: list[TopologyDescriptionGlobalStore] = []
    m.global_stores = global_stores
    left_global_stores = n - 1
    while left_global_stores:
        left_global_stores -= 1
        global_store = new(TopologyDescriptionGlobalStore)
        global_stores.append(global_store)
        global_store.source, at = _get_topology_description_node_v0(buf, at)
        global_store.processor, at = _get_topology_description_node_v0(buf, at)
        tags = buf[at]
        at += 1
        global_store.unknown_tags = ()
        if tags:
            global_store.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_streams_group_topology_description_update_request_v0(
    buf: bytes, at: int,
) -> tuple[StreamsGroupTopologyDescriptionUpdateRequest, int]:
    m = new(StreamsGroupTopologyDescriptionUpdateRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    (m.topology_epoch,) = _read_i(buf, at)
    at += 4
    m.topology_description, at = _get_topology_description_v0(buf, at)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_topology_description_node_v0(out: Parts, m: TopologyDescriptionNode) -> None:
    name = m.name.encode()
    n = len(name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(name)
    source_topics = m.source_topics
    n = len(source_topics) + 1
    out.append(_write_bB(m.node_type, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    put_compact_texts(out, source_topics)
    sink_topic = b"" if m.sink_topic is None else m.sink_topic.encode()
    n = 0 if m.sink_topic is None else len(sink_topic) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(sink_topic)
    stores = m.stores
    n = len(stores) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, stores)
    successors = m.successors
    n = len(successors) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, successors)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_topology_description_v0(out: Parts, m: TopologyDescription) -> None:
    subtopologies = m.subtopologies
    n = len(subtopologies) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for subtopology in subtopologies:
        subtopology_id = subtopology.subtopology_id.encode()
        n = len(subtopology_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(subtopology_id)
        nodes = subtopology.nodes
        n = len(nodes) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for description_node in nodes:
            name = description_node.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            source_topics = description_node.source_topics
            n = len(source_topics) + 1
            out.append(_write_bB(description_node.node_type, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            put_compact_texts(out, source_topics)
            sink_topic = (
                b"" if description_node.sink_topic is None else description_node.sink_topic.encode()
            )
            n = 0 if description_node.sink_topic is None else len(sink_topic) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(sink_topic)
            stores = description_node.stores
            n = len(stores) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            put_compact_texts(out, stores)
            successors = description_node.successors
            n = len(successors) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            put_compact_texts(out, successors)
            out.append(b"\0")
            if description_node.unknown_tags:
                put_tags(out, [], description_node.unknown_tags)
        out.append(b"\0")
        if subtopology.unknown_tags:
            put_tags(out, [], subtopology.unknown_tags)
    global_stores = m.global_stores
    n = len(global_stores) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for global_store in global_stores:
        _put_topology_description_node_v0(out, global_store.source)
        _put_topology_description_node_v0(out, global_store.processor)
        out.append(b"\0")
        if global_store.unknown_tags:
            put_tags(out, [], global_store.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_streams_group_topology_description_update_request_v0(
    out: Parts, m: StreamsGroupTopologyDescriptionUpdateRequest,
) -> None:
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    out.append(_write_i(m.topology_epoch))
    _put_topology_description_v0(out, m.topology_description)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_streams_group_topology_description_update_request_v0}
_PUT = {0: _put_streams_group_topology_description_update_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> StreamsGroupTopologyDescriptionUpdateRequest:
    """The StreamsGroupTopologyDescriptionUpdateRequest that begins at ``at``, in this version; what
    follows it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(
    buf: Buffer, at: int, version: int,
) -> tuple[StreamsGroupTopologyDescriptionUpdateRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StreamsGroupTopologyDescriptionUpdateRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StreamsGroupTopologyDescriptionUpdateRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPOLOGY_DESCRIPTION_NODE_SHAPE: Shape = (
    TopologyDescriptionNode,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("nodeType", "node_type", "int8", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "sourceTopics", "source_topics", "[]string", (0, 0), None, None, None, (), False,
            (0, 0), None,
        ),
        (
            "sinkTopic", "sink_topic", "string", (0, 0), (0, 0), None, None, None, False, (0, 0),
            None,
        ),
        ("stores", "stores", "[]string", (0, 0), None, None, None, (), False, (0, 0), None),
        ("successors", "successors", "[]string", (0, 0), None, None, None, (), False, (0, 0), None),
    ),
)
_TOPOLOGY_DESCRIPTION_SUBTOPOLOGY_SHAPE: Shape = (
    TopologyDescriptionSubtopology,
    (
        (
            "subtopologyId", "subtopology_id", "string", (0, 0), None, None, None, "", False,
            (0, 0), None,
        ),
        (
            "nodes", "nodes", "[]TopologyDescriptionNode", (0, 0), None, None, None, (), False,
            (0, 0), _TOPOLOGY_DESCRIPTION_NODE_SHAPE,
        ),
    ),
)
_TOPOLOGY_DESCRIPTION_GLOBAL_STORE_SHAPE: Shape = (
    TopologyDescriptionGlobalStore,
    (
        (
            "source", "source", "TopologyDescriptionNode", (0, 0), None, None, None, UNSET, False,
            (0, 0), _TOPOLOGY_DESCRIPTION_NODE_SHAPE,
        ),
        (
            "processor", "processor", "TopologyDescriptionNode", (0, 0), None, None, None, UNSET,
            False, (0, 0), _TOPOLOGY_DESCRIPTION_NODE_SHAPE,
        ),
    ),
)
_TOPOLOGY_DESCRIPTION_SHAPE: Shape = (
    TopologyDescription,
    (
        (
            "subtopologies", "subtopologies", "[]TopologyDescriptionSubtopology", (0, 0), None,
            None, None, (), False, (0, 0), _TOPOLOGY_DESCRIPTION_SUBTOPOLOGY_SHAPE,
        ),
        (
            "globalStores", "global_stores", "[]TopologyDescriptionGlobalStore", (0, 0), None, None,
            None, (), False, (0, 0), _TOPOLOGY_DESCRIPTION_GLOBAL_STORE_SHAPE,
        ),
    ),
)
_STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE_REQUEST_SHAPE: Shape = (
    StreamsGroupTopologyDescriptionUpdateRequest,
    (
        ("groupId", "group_id", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("memberId", "member_id", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "topologyEpoch", "topology_epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
        (
            "topologyDescription", "topology_description", "TopologyDescription", (0, 0), None,
            None, None, UNSET, False, (0, 0), _TOPOLOGY_DESCRIPTION_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE_REQUEST_SHAPE, (0, 0), (0, 0))
