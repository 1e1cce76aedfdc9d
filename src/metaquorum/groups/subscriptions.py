"""What members of the protocol type "consumer" say that they read.

Their metadata is between the clients, but its layout is Kafka's: a version, then the topics. A
coordinator looks into it only to keep offsets from being deleted that are in use.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.errors import PeerError
from metaquorum.wire.generated import consumer_protocol_subscription as codec

_VERSION: Final = Struct(">h")


def subscribed_topics(metadata: bytes) -> list[str] | None:
    """The topics, or None where this is no subscription of Kafka's."""
    if len(metadata) < _VERSION.size:
        return None
    (version,) = _VERSION.unpack_from(metadata)
    if version < codec.LOWEST_VERSION:
        return None
    try:
        return list(codec.decode(metadata, min(version, codec.HIGHEST_VERSION), 2).topics)
    except PeerError:
        return None
