# GENERATED from schemas/controller_registration_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 81b88385ca8cae0f, generator 1.
"""A controller makes itself known to the active one (KIP-919). Api key 70, versions 0, flexible
from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 70
NAME: Final = "ControllerRegistrationRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class Listener(Message):
    """Where the node can be reached."""

    __slots__ = ("name", "host", "port", "security_protocol", "unknown_tags")

    def __init__(
        self,
        # Name of the listener.
        name: str = "",
        # Host to connect to.
        host: str = "",
        # Port to connect to.
        port: int = 0,
        # Security protocol: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL.
        security_protocol: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.security_protocol = security_protocol
        self.unknown_tags = unknown_tags


class Feature(Message):
    """Features with the range of levels that the node supports."""

    __slots__ = ("name", "min_supported_version", "max_supported_version", "unknown_tags")

    def __init__(
        self,
        # Name of the feature.
        name: str = "",
        # Lowest level that is supported.
        min_supported_version: int = 0,
        # Highest level that is supported.
        max_supported_version: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version
        self.unknown_tags = unknown_tags


class ControllerRegistrationRequest(Message):
    """A controller makes itself known to the active one (KIP-919)."""

    __slots__ = (
        "controller_id", "incarnation_id", "zk_migration_ready", "listeners", "features",
        "unknown_tags",
    )

    def __init__(
        self,
        # Controller that registers.
        controller_id: int = 0,
        # Drawn anew at each start of the controller process.
        incarnation_id: bytes = ZERO_UUID,
        # True when the controller could take part in a migration from ZooKeeper.
        zk_migration_ready: bool = False,
        # Where the node can be reached.
        listeners: Sequence[Listener] = (),
        # Features with the range of levels that the node supports.
        features: Sequence[Feature] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.controller_id = controller_id
        self.incarnation_id = incarnation_id
        self.zk_migration_ready = zk_migration_ready
        self.listeners: Sequence[Listener] = [] if listeners == () else listeners
        self.features: Sequence[Feature] = [] if features == () else features
        self.unknown_tags = unknown_tags


_read_2hB = Struct(">2hB").unpack_from
_read_HhB = Struct(">HhB").unpack_from
_read_i16stB = Struct(">i16s?B").unpack_from
_write_2hx = Struct(">2hx").pack
_write_Hhx = Struct(">Hhx").pack
_write_i16stB = Struct(">i16s?B").pack


def _get_controller_registration_request_v0(
    buf: bytes, at: int,
) -> tuple[ControllerRegistrationRequest, int]:
    m = new(ControllerRegistrationRequest)
    (m.controller_id, m.incarnation_id, m.zk_migration_ready, n) = _read_i16stB(buf, at)
    at += 22
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    listeners: list[Listener] = []
    m.listeners = listeners
    left_listeners = n - 1
    while left_listeners:
        left_listeners -= 1
        listener = new(Listener)
        listeners.append(listener)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listener.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listener.host = buf[at:end].decode()
        at = end
        (listener.port, listener.security_protocol, tags) = _read_HhB(buf, at)
        at += 5
        listener.unknown_tags = ()
        if tags:
            listener.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    features: list[Feature] = []
    m.features = features
    left_features = n - 1
    while left_features:
        left_features -= 1
        feature = new(Feature)
        features.append(feature)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        feature.name = buf[at:end].decode()
        at = end
        (feature.min_supported_version, feature.max_supported_version, tags) = _read_2hB(buf, at)
        at += 5
        feature.unknown_tags = ()
        if tags:
            feature.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_controller_registration_request_v0(out: Parts, m: ControllerRegistrationRequest) -> None:
    if len(m.incarnation_id) != 16:
        refuse_uuid("incarnation_id")
    listeners = m.listeners
    n = len(listeners) + 1
    out.append(_write_i16stB(
        m.controller_id, m.incarnation_id, m.zk_migration_ready, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for listener in listeners:
        name = listener.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        host = listener.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_Hhx(listener.port, listener.security_protocol))
        if listener.unknown_tags:
            put_tags(out, [], listener.unknown_tags)
    features = m.features
    n = len(features) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for feature in features:
        name_ = feature.name.encode()
        n = len(name_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name_)
        out.append(_write_2hx(feature.min_supported_version, feature.max_supported_version))
        if feature.unknown_tags:
            put_tags(out, [], feature.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_controller_registration_request_v0}
_PUT = {0: _put_controller_registration_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ControllerRegistrationRequest:
    """The ControllerRegistrationRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ControllerRegistrationRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ControllerRegistrationRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ControllerRegistrationRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LISTENER_SHAPE: Shape = (
    Listener,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("host", "host", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("port", "port", "uint16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "securityProtocol", "security_protocol", "int16", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
    ),
)
_FEATURE_SHAPE: Shape = (
    Feature,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
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
_CONTROLLER_REGISTRATION_REQUEST_SHAPE: Shape = (
    ControllerRegistrationRequest,
    (
        (
            "controllerId", "controller_id", "int32", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
        (
            "incarnationId", "incarnation_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False,
            (0, 0), None,
        ),
        (
            "zkMigrationReady", "zk_migration_ready", "bool", (0, 0), None, None, None, False,
            False, (0, 0), None,
        ),
        (
            "listeners", "listeners", "[]Listener", (0, 0), None, None, None, (), False, (0, 0),
            _LISTENER_SHAPE,
        ),
        (
            "features", "features", "[]Feature", (0, 0), None, None, None, (), False, (0, 0),
            _FEATURE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_CONTROLLER_REGISTRATION_REQUEST_SHAPE, (0, 0), (0, 0))
