# GENERATED from schemas/voters_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 794a6dee92d8a5eb, generator 1.
"""Control record with the whole set of voters (KIP-853). Versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, long_count, long_text, long_text_head, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

NAME: Final = "VotersRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class Endpoint(Message):
    """Where the voter can be reached."""

    __slots__ = ("name", "host", "port", "unknown_tags")

    def __init__(
        self,
        # Name of the listener.
        name: str = "",
        # Host to connect to.
        host: str = "",
        # Port to connect to.
        port: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.unknown_tags = unknown_tags


class KRaftVersionFeature(Message):
    """Range of kraft.version that the voter supports."""

    __slots__ = ("min_supported_version", "max_supported_version", "unknown_tags")

    def __init__(
        self,
        # Lowest level that is supported.
        min_supported_version: int = 0,
        # Highest level that is supported.
        max_supported_version: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version
        self.unknown_tags = unknown_tags


class Voter(Message):
    """All voters from here on."""

    __slots__ = (
        "voter_id", "voter_directory_id", "endpoints", "kraft_version_feature", "unknown_tags",
    )

    def __init__(
        self,
        # Node of the voter.
        voter_id: int = 0,
        # Log directory of the voter; zeros when unknown.
        voter_directory_id: bytes = ZERO_UUID,
        # Where the voter can be reached.
        endpoints: Sequence[Endpoint] = (),
        # Range of kraft.version that the voter supports.
        kraft_version_feature: KRaftVersionFeature | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.endpoints: Sequence[Endpoint] = [] if endpoints == () else endpoints
        self.kraft_version_feature = (
            KRaftVersionFeature() if kraft_version_feature is None else kraft_version_feature
        )
        self.unknown_tags = unknown_tags


class VotersRecord(Message):
    """Control record with the whole set of voters (KIP-853)."""

    __slots__ = ("version", "voters", "unknown_tags")

    def __init__(
        self,
        # Layout of this record.
        version: int = 0,
        # All voters from here on.
        voters: Sequence[Voter] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.version = version
        self.voters: Sequence[Voter] = [] if voters == () else voters
        self.unknown_tags = unknown_tags


_read_2hB = Struct(">2hB").unpack_from
_read_HB = Struct(">HB").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i16sB = Struct(">i16sB").unpack_from
_write_2hx = Struct(">2hx").pack
_write_Hx = Struct(">Hx").pack
_write_hB = Struct(">hB").pack
_write_i16sB = Struct(">i16sB").pack


def _get_kraft_version_feature_v0(buf: bytes, at: int) -> tuple[KRaftVersionFeature, int]:
    m = new(KRaftVersionFeature)
    (m.min_supported_version, m.max_supported_version, tags) = _read_2hB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_voters_record_v0(buf: bytes, at: int) -> tuple[VotersRecord, int]:
    m = new(VotersRecord)
    (m.version, n) = _read_hB(buf, at)
    at += 3
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 27)
    voters: list[Voter] = []
    m.voters = voters
    left_voters = n - 1
    while left_voters:
        left_voters -= 1
        voter = new(Voter)
        voters.append(voter)
        (voter.voter_id, voter.voter_directory_id, n) = _read_i16sB(buf, at)
        at += 21
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 5)
        endpoints: list[Endpoint] = []
        voter.endpoints = endpoints
        left_endpoints = n - 1
        while left_endpoints:
            left_endpoints -= 1
            endpoint = new(Endpoint)
            endpoints.append(endpoint)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            endpoint.name = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            endpoint.host = buf[at:end].decode()
            at = end
            (endpoint.port, tags) = _read_HB(buf, at)
            at += 3
            endpoint.unknown_tags = ()
            if tags:
                endpoint.unknown_tags, at = get_tags(buf, at - 1)
        voter.kraft_version_feature, at = _get_kraft_version_feature_v0(buf, at)
        tags = buf[at]
        at += 1
        voter.unknown_tags = ()
        if tags:
            voter.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_kraft_version_feature_v0(out: Parts, m: KRaftVersionFeature) -> None:
    out.append(_write_2hx(m.min_supported_version, m.max_supported_version))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_voters_record_v0(out: Parts, m: VotersRecord) -> None:
    voters = m.voters
    n = len(voters) + 1
    out.append(_write_hB(m.version, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for voter in voters:
        if len(voter.voter_directory_id) != 16:
            refuse_uuid("voter_directory_id")
        endpoints = voter.endpoints
        n = len(endpoints) + 1
        out.append(_write_i16sB(voter.voter_id, voter.voter_directory_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for endpoint in endpoints:
            name = endpoint.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            host = endpoint.host.encode()
            n = len(host) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(host)
            out.append(_write_Hx(endpoint.port))
            if endpoint.unknown_tags:
                put_tags(out, [], endpoint.unknown_tags)
        _put_kraft_version_feature_v0(out, voter.kraft_version_feature)
        out.append(b"\0")
        if voter.unknown_tags:
            put_tags(out, [], voter.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_voters_record_v0}
_PUT = {0: _put_voters_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> VotersRecord:
    """The VotersRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[VotersRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: VotersRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: VotersRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ENDPOINT_SHAPE: Shape = (
    Endpoint,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("host", "host", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("port", "port", "uint16", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
_KRAFT_VERSION_FEATURE_SHAPE: Shape = (
    KRaftVersionFeature,
    (
        (
            "minSupportedVersion", "min_supported_version", "int16", (0, 0), None, None, None, 0,
            False, (0, 0), None,
        ),
        (
            "maxSupportedVersion", "max_supported_version", "int16", (0, 0), None, None, None, 0,
            False, (0, 0), None,
        ),
    ),
)
_VOTER_SHAPE: Shape = (
    Voter,
    (
        ("voterId", "voter_id", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "voterDirectoryId", "voter_directory_id", "uuid", (0, 0), None, None, None, ZERO_UUID,
            False, (0, 0), None,
        ),
        (
            "endpoints", "endpoints", "[]Endpoint", (0, 0), None, None, None, (), False, (0, 0),
            _ENDPOINT_SHAPE,
        ),
        (
            "kRaftVersionFeature", "kraft_version_feature", "KRaftVersionFeature", (0, 0), None,
            None, None, UNSET, False, (0, 0), _KRAFT_VERSION_FEATURE_SHAPE,
        ),
    ),
)
_VOTERS_RECORD_SHAPE: Shape = (
    VotersRecord,
    (
        ("version", "version", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("voters", "voters", "[]Voter", (0, 0), None, None, None, (), False, (0, 0), _VOTER_SHAPE),
    ),
)
SHAPE: Shape = (_VOTERS_RECORD_SHAPE, (0, 0), (0, 0))
