# GENERATED from schemas/group/streams_group_topology_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 f5b2fa77ce565ea9, generator 1.
"""Topology of a streams group: what it reads, keeps and writes. Record type 23, versions 0,
flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_compact_texts, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 23
NAME: Final = "StreamsGroupTopologyValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class TopicConfig(Message):
    """A key with its value."""

    __slots__ = ("key", "value", "unknown_tags")

    def __init__(
        self,
        # The key.
        key: str = "",
        # The value.
        value: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.key = key
        self.value = value
        self.unknown_tags = unknown_tags


class TopicInfo(Message):
    """One topic."""

    __slots__ = ("name", "partitions", "replication_factor", "topic_configs", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # Number of partitions; 0 when it follows from other topics.
        partitions: int = 0,
        # Number of replicas of each partition; 0 for the default.
        replication_factor: int = 0,
        # Keys to set on the topic.
        topic_configs: Sequence[TopicConfig] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions = partitions
        self.replication_factor = replication_factor
        self.topic_configs: Sequence[TopicConfig] = [] if topic_configs == () else topic_configs
        self.unknown_tags = unknown_tags


class CopartitionGroup(Message):
    """Topics that need the same number of partitions."""

    __slots__ = ("source_topics", "source_topic_regex", "repartition_source_topics", "unknown_tags")

    def __init__(
        self,
        # Positions in the subtopology's source topics.
        source_topics: Sequence[int] = (),
        # Positions in the subtopology's patterns.
        source_topic_regex: Sequence[int] = (),
        # Positions in the subtopology's repartition topics.
        repartition_source_topics: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.source_topics: Sequence[int] = [] if source_topics == () else source_topics
        self.source_topic_regex: Sequence[int] = (
            [] if source_topic_regex == () else source_topic_regex
        )
        self.repartition_source_topics: Sequence[int] = (
            [] if repartition_source_topics == () else repartition_source_topics
        )
        self.unknown_tags = unknown_tags


class Subtopology(Message):
    """One row a subtopology."""

    __slots__ = (
        "subtopology_id", "source_topics", "source_topic_regex", "state_changelog_topics",
        "repartition_sink_topics", "repartition_source_topics", "copartition_groups",
        "unknown_tags",
    )

    def __init__(
        self,
        # Id of the subtopology.
        subtopology_id: str = "",
        # Topics that are read.
        source_topics: Sequence[str] = (),
        # Patterns of topics that are read.
        source_topic_regex: Sequence[str] = (),
        # Topics that keep the changes of state.
        state_changelog_topics: Sequence[TopicInfo] = (),
        # Repartition topics that are written.
        repartition_sink_topics: Sequence[str] = (),
        # Repartition topics that are read.
        repartition_source_topics: Sequence[TopicInfo] = (),
        # Topics that need the same number of partitions.
        copartition_groups: Sequence[CopartitionGroup] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.subtopology_id = subtopology_id
        self.source_topics: Sequence[str] = [] if source_topics == () else source_topics
        self.source_topic_regex: Sequence[str] = (
            [] if source_topic_regex == () else source_topic_regex
        )
        self.state_changelog_topics: Sequence[TopicInfo] = (
            [] if state_changelog_topics == () else state_changelog_topics
        )
        self.repartition_sink_topics: Sequence[str] = (
            [] if repartition_sink_topics == () else repartition_sink_topics
        )
        self.repartition_source_topics: Sequence[TopicInfo] = (
            [] if repartition_source_topics == () else repartition_source_topics
        )
        self.copartition_groups: Sequence[CopartitionGroup] = (
            [] if copartition_groups == () else copartition_groups
        )
        self.unknown_tags = unknown_tags


class StreamsGroupTopologyValue(Message):
    """Topology of a streams group: what it reads, keeps and writes."""

    __slots__ = ("epoch", "subtopologies", "unknown_tags")

    def __init__(
        self,
        # Epoch of the topology.
        epoch: int = 0,
        # One row a subtopology.
        subtopologies: Sequence[Subtopology] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.epoch = epoch
        self.subtopologies: Sequence[Subtopology] = [] if subtopologies == () else subtopologies
        self.unknown_tags = unknown_tags


_read_array_ch_B = ArrayReads("h", "B", 1)
_read_iB = Struct(">iB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_iB = Struct(">iB").pack
_write_ihB = Struct(">ihB").pack
_write_B_many_h_B_many_h_B_many_h_x = ArrayWrites("B *h B *h B *h x")


def _get_streams_group_topology_value_v0(
    buf: bytes, at: int,
) -> tuple[StreamsGroupTopologyValue, int]:
    m = new(StreamsGroupTopologyValue)
    (m.epoch, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 8)
    subtopologies: list[Subtopology] = []
    m.subtopologies = subtopologies
    left_subtopologies = n - 1
    while left_subtopologies:
        left_subtopologies -= 1
        subtopology = new(Subtopology)
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
            n, at = long_count(buf, at, 1)
        subtopology.source_topics, at = get_compact_texts(buf, at, n - 1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 1)
        subtopology.source_topic_regex, at = get_compact_texts(buf, at, n - 1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 9)
        state_changelog_topics: list[TopicInfo] = []
        subtopology.state_changelog_topics = state_changelog_topics
        left_state_changelog_topics = n - 1
        while left_state_changelog_topics:
            left_state_changelog_topics -= 1
            topic_info = new(TopicInfo)
            state_changelog_topics.append(topic_info)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            topic_info.name = buf[at:end].decode()
            at = end
            (topic_info.partitions, topic_info.replication_factor, n) = _read_ihB(buf, at)
            at += 7
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 3)
            topic_configs: list[TopicConfig] = []
            topic_info.topic_configs = topic_configs
            left_topic_configs = n - 1
            while left_topic_configs:
                left_topic_configs -= 1
                topic_config = new(TopicConfig)
                topic_configs.append(topic_config)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                topic_config.key = buf[at:end].decode()
                at = end
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                topic_config.value = buf[at:end].decode()
                at = end
                tags = buf[at]
                at += 1
                topic_config.unknown_tags = ()
                if tags:
                    topic_config.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            topic_info.unknown_tags = ()
            if tags:
                topic_info.unknown_tags, at = get_tags(buf, at - 1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 1)
        subtopology.repartition_sink_topics, at = get_compact_texts(buf, at, n - 1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 9)
        repartition_source_topics: list[TopicInfo] = []
        subtopology.repartition_source_topics = repartition_source_topics
        left_repartition_source_topics = n - 1
        while left_repartition_source_topics:
            left_repartition_source_topics -= 1
            topic_info_ = new(TopicInfo)
            repartition_source_topics.append(topic_info_)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            topic_info_.name = buf[at:end].decode()
            at = end
            (topic_info_.partitions, topic_info_.replication_factor, n) = _read_ihB(buf, at)
            at += 7
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 3)
            topic_configs = []
            topic_info_.topic_configs = topic_configs
            left_topic_configs = n - 1
            while left_topic_configs:
                left_topic_configs -= 1
                topic_config = new(TopicConfig)
                topic_configs.append(topic_config)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                topic_config.key = buf[at:end].decode()
                at = end
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                topic_config.value = buf[at:end].decode()
                at = end
                tags = buf[at]
                at += 1
                topic_config.unknown_tags = ()
                if tags:
                    topic_config.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            topic_info_.unknown_tags = ()
            if tags:
                topic_info_.unknown_tags, at = get_tags(buf, at - 1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 4)
        copartition_groups: list[CopartitionGroup] = []
        subtopology.copartition_groups = copartition_groups
        left_copartition_groups = n - 1
        while left_copartition_groups:
            left_copartition_groups -= 1
            copartition_group = new(CopartitionGroup)
            copartition_groups.append(copartition_group)
            n_source_topics = buf[at]
            at += 1
            if n_source_topics > 127:
                n_source_topics, at = long_count(buf, at, 2)
            (
                *copartition_group.source_topics, n_source_topic_regex,
            ) = _read_array_ch_B[n_source_topics](buf, at)
            at += 2 * n_source_topics - 1
            if n_source_topic_regex > 127:
                n_source_topic_regex, at = long_count(buf, at, 2)
            (
                *copartition_group.source_topic_regex, n_repartition_source_topics,
            ) = _read_array_ch_B[n_source_topic_regex](buf, at)
            at += 2 * n_source_topic_regex - 1
            if n_repartition_source_topics > 127:
                n_repartition_source_topics, at = long_count(buf, at, 2)
            (
                *copartition_group.repartition_source_topics, tags,
            ) = _read_array_ch_B[n_repartition_source_topics](buf, at)
            at += 2 * n_repartition_source_topics - 1
            copartition_group.unknown_tags = ()
            if tags:
                copartition_group.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        subtopology.unknown_tags = ()
        if tags:
            subtopology.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_streams_group_topology_value_v0(out: Parts, m: StreamsGroupTopologyValue) -> None:
    subtopologies = m.subtopologies
    n = len(subtopologies) + 1
    out.append(_write_iB(m.epoch, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for subtopology in subtopologies:
        subtopology_id = subtopology.subtopology_id.encode()
        n = len(subtopology_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(subtopology_id)
        source_topics = subtopology.source_topics
        n = len(source_topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_compact_texts(out, source_topics)
        source_topic_regex = subtopology.source_topic_regex
        n = len(source_topic_regex) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_compact_texts(out, source_topic_regex)
        state_changelog_topics = subtopology.state_changelog_topics
        n = len(state_changelog_topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for topic_info in state_changelog_topics:
            name = topic_info.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            topic_configs = topic_info.topic_configs
            n = len(topic_configs) + 1
            out.append(_write_ihB(
                topic_info.partitions, topic_info.replication_factor, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for topic_config in topic_configs:
                key = topic_config.key.encode()
                n = len(key) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(key)
                value = topic_config.value.encode()
                n = len(value) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(value)
                out.append(b"\0")
                if topic_config.unknown_tags:
                    put_tags(out, [], topic_config.unknown_tags)
            out.append(b"\0")
            if topic_info.unknown_tags:
                put_tags(out, [], topic_info.unknown_tags)
        repartition_sink_topics = subtopology.repartition_sink_topics
        n = len(repartition_sink_topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_compact_texts(out, repartition_sink_topics)
        repartition_source_topics = subtopology.repartition_source_topics
        n = len(repartition_source_topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for topic_info_ in repartition_source_topics:
            name_ = topic_info_.name.encode()
            n = len(name_) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name_)
            topic_configs_ = topic_info_.topic_configs
            n = len(topic_configs_) + 1
            out.append(_write_ihB(
                topic_info_.partitions, topic_info_.replication_factor, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for topic_config_ in topic_configs_:
                key_ = topic_config_.key.encode()
                n = len(key_) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(key_)
                value_ = topic_config_.value.encode()
                n = len(value_) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(value_)
                out.append(b"\0")
                if topic_config_.unknown_tags:
                    put_tags(out, [], topic_config_.unknown_tags)
            out.append(b"\0")
            if topic_info_.unknown_tags:
                put_tags(out, [], topic_info_.unknown_tags)
        copartition_groups = subtopology.copartition_groups
        n = len(copartition_groups) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for copartition_group in copartition_groups:
            source_topics_ = copartition_group.source_topics
            n_source_topics = len(source_topics_)
            source_topic_regex_ = copartition_group.source_topic_regex
            n_source_topic_regex = len(source_topic_regex_)
            repartition_source_topics_ = copartition_group.repartition_source_topics
            n_repartition_source_topics = len(repartition_source_topics_)
            write = (
                _write_B_many_h_B_many_h_B_many_h_x[n_source_topics, n_source_topic_regex,
                n_repartition_source_topics]
            )
            out.append(write(
                n_source_topics + 1, *source_topics_, n_source_topic_regex + 1,
                *source_topic_regex_, n_repartition_source_topics + 1, *repartition_source_topics_,
            ))
            if copartition_group.unknown_tags:
                put_tags(out, [], copartition_group.unknown_tags)
        out.append(b"\0")
        if subtopology.unknown_tags:
            put_tags(out, [], subtopology.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_streams_group_topology_value_v0}
_PUT = {0: _put_streams_group_topology_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> StreamsGroupTopologyValue:
    """The StreamsGroupTopologyValue that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[StreamsGroupTopologyValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StreamsGroupTopologyValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StreamsGroupTopologyValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPIC_CONFIG_SHAPE: Shape = (
    TopicConfig,
    (
        ("key", "key", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("value", "value", "string", (0, 0), None, None, None, "", False, (0, 0), None),
    ),
)
_TOPIC_INFO_SHAPE: Shape = (
    TopicInfo,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("partitions", "partitions", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "replicationFactor", "replication_factor", "int16", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "topicConfigs", "topic_configs", "[]TopicConfig", (0, 0), None, None, None, (), False,
            (0, 0), _TOPIC_CONFIG_SHAPE,
        ),
    ),
)
_COPARTITION_GROUP_SHAPE: Shape = (
    CopartitionGroup,
    (
        (
            "sourceTopics", "source_topics", "[]int16", (0, 0), None, None, None, (), False, (0, 0),
            None,
        ),
        (
            "sourceTopicRegex", "source_topic_regex", "[]int16", (0, 0), None, None, None, (),
            False, (0, 0), None,
        ),
        (
            "repartitionSourceTopics", "repartition_source_topics", "[]int16", (0, 0), None, None,
            None, (), False, (0, 0), None,
        ),
    ),
)
_SUBTOPOLOGY_SHAPE: Shape = (
    Subtopology,
    (
        (
            "subtopologyId", "subtopology_id", "string", (0, 0), None, None, None, "", False,
            (0, 0), None,
        ),
        (
            "sourceTopics", "source_topics", "[]string", (0, 0), None, None, None, (), False,
            (0, 0), None,
        ),
        (
            "sourceTopicRegex", "source_topic_regex", "[]string", (0, 0), None, None, None, (),
            False, (0, 0), None,
        ),
        (
            "stateChangelogTopics", "state_changelog_topics", "[]TopicInfo", (0, 0), None, None,
            None, (), False, (0, 0), _TOPIC_INFO_SHAPE,
        ),
        (
            "repartitionSinkTopics", "repartition_sink_topics", "[]string", (0, 0), None, None,
            None, (), False, (0, 0), None,
        ),
        (
            "repartitionSourceTopics", "repartition_source_topics", "[]TopicInfo", (0, 0), None,
            None, None, (), False, (0, 0), _TOPIC_INFO_SHAPE,
        ),
        (
            "copartitionGroups", "copartition_groups", "[]CopartitionGroup", (0, 0), None, None,
            None, (), False, (0, 0), _COPARTITION_GROUP_SHAPE,
        ),
    ),
)
_STREAMS_GROUP_TOPOLOGY_VALUE_SHAPE: Shape = (
    StreamsGroupTopologyValue,
    (
        ("epoch", "epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "subtopologies", "subtopologies", "[]Subtopology", (0, 0), None, None, None, (), False,
            (0, 0), _SUBTOPOLOGY_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_STREAMS_GROUP_TOPOLOGY_VALUE_SHAPE, (0, 0), (0, 0))
