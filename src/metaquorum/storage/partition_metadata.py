"""The file that ties a log directory to a topic id, ``partition.metadata``: Kafka's text."""

from __future__ import annotations

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import Uuid, parse_uuid, uuid_text
from metaquorum.storage.disk import Disk, replace_durably
from metaquorum.storage.names import PARTITION_METADATA

_SHOWN_CHARS = 40  # of a value that cannot be; a topic id has 22
_RESTORE = "Restore the file from a copy, or remove it: it is written anew at the next start"


def read_topic_id(disk: Disk, directory: str) -> Uuid | None:
    """The topic id in the file, None without a file; OperatorError for one that says nothing."""
    path = f"{directory}/{PARTITION_METADATA}"
    try:
        text = disk.read_bytes(path).decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    version, topic_id = fields.get("version", "").strip(), fields.get("topic_id", "").strip()
    if version != "0":
        shown = version[:_SHOWN_CHARS] or "missing"
        raise OperatorError(f"{path}: version {shown}, only version 0 is known. {_RESTORE}")
    try:
        return parse_uuid(topic_id[:_SHOWN_CHARS])
    except ValueError as error:
        raise OperatorError(f"{path}: topic_id: {error}. {_RESTORE}") from None


def write_topic_id(disk: Disk, directory: str, topic_id: Uuid) -> None:
    """Replace the file durably; as in Kafka's there is no line feed at the end."""
    content = f"version: 0\ntopic_id: {uuid_text(topic_id)}"
    replace_durably(disk, directory, PARTITION_METADATA, content.encode())


def check_topic_id(disk: Disk, directory: str, topic_id: Uuid) -> None:
    """Write the file if there is none; OperatorError if it names another topic."""
    if not check_other_topic(disk, directory, topic_id):
        write_topic_id(disk, directory, topic_id)


def check_other_topic(disk: Disk, directory: str, topic_id: Uuid) -> bool:
    """Whether the file is there; OperatorError if it names another topic."""
    found = read_topic_id(disk, directory)
    if found is not None and found != topic_id:
        raise OperatorError(
            f"{directory}/{PARTITION_METADATA} belongs to topic id {uuid_text(found)}, "
            f"this log to {uuid_text(topic_id)}: the directory is another topic's. Put the right "
            "directory in its place"
        )
    return found is not None
