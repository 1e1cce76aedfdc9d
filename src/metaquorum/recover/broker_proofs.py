"""What a broker's own partitions prove of the metadata log.

A broker makes the directory of a partition when the record that creates it was committed, and
writes the topic's id into it. So each such directory proves that its record was committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import Uuid
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.recover.survey import Committed
from metaquorum.storage.disk import Disk
from metaquorum.storage.partition_metadata import read_topic_id

_PARTITION_RECORD: Final = 3


def partition_made(
    disk: Disk,
    log_dir: str,
    records: Iterable[tuple[Offset, Epoch, MetadataRecord]],
    topics: Mapping[Uuid, str],
) -> Committed | None:
    """The proof by the first of these records whose partition has a directory; None without one.

    ``log_dir`` is that of the broker, ``topics`` are names by their ids. A record whose partition
    is on another disk or broker proves nothing.
    """
    for offset, epoch, one in records:
        if one.type != _PARTITION_RECORD:
            continue
        topic = topics.get(one.message.topic_id, "/")
        if "/" in topic:  # no name of a topic: it is not looked for outside of the directory
            continue
        name = f"{topic}-{one.message.partition_id}"
        with suppress(OperatorError, OSError):
            if read_topic_id(disk, f"{log_dir}/{name}") == one.message.topic_id:
                return Committed(offset + 1, epoch, f"the broker has made partition {name}")
    return None
