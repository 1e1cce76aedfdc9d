"""Topics that are created while a disaster comes, and which of them were acknowledged."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

from attrs import define, field
from kafka.admin import KafkaAdminClient, NewTopic
from kafka.errors import KafkaError

from metaquorum.records.metadata_record import decode_metadata_record
from metaquorum.wire.generated.records.topic_record import TopicRecord
from tests.interop.disk_records import data_records

PER_SECOND = 20
END_WITHIN_S = 40.0
REQUEST_TIMEOUT_MS = 5_000


@define(eq=False)
class TopicMaker:
    """Creates topics one by one between ``start`` and ``stop``; tells what was acknowledged."""

    servers: list[str]
    acknowledged: list[str] = field(factory=list)
    _number: int = field(default=0, init=False)
    _going: threading.Event = field(factory=threading.Event, init=False, repr=False)
    _thread: threading.Thread | None = field(default=None, init=False, repr=False)

    def start(self) -> None:
        self._going.set()
        self._thread = threading.Thread(target=self._make, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Create no more. A creation that is under way is no longer waited for by anybody."""
        self._going.clear()
        if self._thread is not None:
            self._thread.join(END_WITHIN_S)

    def _make(self) -> None:
        """After a failure with another client: one whose broker was killed may hang for long."""
        pause = threading.Event()
        while self._going.is_set():
            with suppress(KafkaError), closing(self._client()) as client:
                while self._going.is_set():
                    name = f"made-{self._number}"
                    self._number += 1
                    client.create_topics([NewTopic(name, 1, 1)], timeout_ms=REQUEST_TIMEOUT_MS)
                    if self._going.is_set():
                        self.acknowledged.append(name)
                    pause.wait(1 / PER_SECOND)
            pause.wait(1 / PER_SECOND)

    def _client(self) -> KafkaAdminClient:
        return KafkaAdminClient(
            bootstrap_servers=self.servers, request_timeout_ms=REQUEST_TIMEOUT_MS
        )


def created_at(partitions: Iterable[Path]) -> dict[str, int]:
    """The offset of each topic's creation, by the logs in these metadata directories.

    Names are never used twice. A log that was not committed may have topics of its own.
    """
    found: dict[str, int] = {}
    for one in partitions:
        for record in data_records(one):
            assert record.value is not None
            message = decode_metadata_record(record.value).message
            if isinstance(message, TopicRecord):
                found[message.name] = record.offset
    return found
