"""Which log a message between replicas is about, where that is not the metadata log.

The translations of this package name ``__cluster_metadata`` alone. A second replica's messages
are the same in every field but the topic, so they are given its name on the way out, and the
metadata log's on the way in; of a message about any other log nothing is changed, and the
translation refuses it.
"""

from __future__ import annotations

from typing import Any, Final

from metaquorum.base.ids import (
    GROUPS_TOPIC,
    GROUPS_TOPIC_ID,
    METADATA_TOPIC,
    METADATA_TOPIC_ID,
    Uuid,
)
from metaquorum.base.value import value
from metaquorum.wire.message import evolve


@value
class LogName:
    """A topic of one partition, by name and by id."""

    topic: str
    topic_id: Uuid


METADATA_LOG: Final = LogName(METADATA_TOPIC, METADATA_TOPIC_ID)
GROUPS_LOG: Final = LogName(GROUPS_TOPIC, GROUPS_TOPIC_ID)
_NO_LOG: Final = LogName("", bytes(16))

_FETCH: Final = 1
_FETCH_SNAPSHOT: Final = 59
_BY_TOPIC_NAME: Final = (52, 53, 54)


def is_about(api_key: int, request: Any, log: LogName) -> bool:
    """Whether a request between replicas names this log, and no other one."""
    topics = _topics(api_key, request)
    return bool(topics) and all(_is(api_key, topic, log) for topic in topics)


def renamed(api_key: int, message: Any, log: LogName, to: LogName) -> Any:
    """The same message with ``to`` wherever it named ``log``; the one that was given stays.

    The caller may keep the message: a server knows the same fetch again by its bytes. Where it
    named ``to`` already, it names no log afterwards: that was not what it is about.
    """
    topics = _topics(api_key, message)
    if not topics:
        return message
    renamed_topics = [_renamed_topic(api_key, topic, log, to) for topic in topics]
    return evolve(message, **{_field(message): renamed_topics})


def _renamed_topic(api_key: int, topic: Any, log: LogName, to: LogName) -> Any:
    name = to if _is(api_key, topic, log) else _NO_LOG if _is(api_key, topic, to) else None
    if name is None:
        return topic
    if api_key == _FETCH:
        return evolve(topic, topic_id=name.topic_id)
    if api_key == _FETCH_SNAPSHOT:
        return evolve(topic, name=name.topic)
    return evolve(topic, topic_name=name.topic)


def _field(message: Any) -> str:
    """Where its topics stand."""
    return "topics" if hasattr(message, "topics") else "responses"


def _topics(api_key: int, message: Any) -> Any:
    if api_key in (_FETCH, _FETCH_SNAPSHOT, *_BY_TOPIC_NAME):
        return getattr(message, _field(message))
    return ()


def _is(api_key: int, topic: Any, log: LogName) -> bool:
    if api_key == _FETCH:
        return bytes(topic.topic_id) == log.topic_id
    name: str = topic.name if api_key == _FETCH_SNAPSHOT else topic.topic_name
    return name == log.topic
