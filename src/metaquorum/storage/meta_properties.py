"""``meta.properties``: whose directory this is, in Kafka's properties text.

Version 1 names node, cluster and directory; version 0 is ZooKeeper's, with a broker id.
"""

from __future__ import annotations

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import ClusterId, NodeId, Uuid, parse_uuid, uuid_text
from metaquorum.config.properties import parse_properties
from metaquorum.storage.disk import Disk, replace_durably
from metaquorum.storage.names import META_PROPERTIES

VERSION = 1
_ESCAPED = str.maketrans({"\\": "\\\\", "=": "\\=", ":": "\\:", "#": "\\#", "!": "\\!"})


@frozen
class MetaProperties:
    """The identity of a formatted directory; ``directory_id`` is None in older ones."""

    cluster_id: ClusterId
    node_id: NodeId
    directory_id: Uuid | None = None


def read(disk: Disk, directory: str) -> MetaProperties | None:
    """The identity in a directory, None if it is not formatted.

    Raises OperatorError naming the file and the key that is missing or wrong.
    """
    path = f"{directory}/{META_PROPERTIES}"
    try:
        content = disk.read_bytes(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return decode(content.decode("iso-8859-1"), path)


def decode(text: str, path: str = META_PROPERTIES) -> MetaProperties:
    """The identity in a file's text; OperatorError names ``path`` and what is wrong."""
    fields = parse_properties(text, path)
    version = fields.get("version", "0")
    if version == "0":
        raise OperatorError(
            f"{path} has version 0, written for ZooKeeper: the directory is not formatted for KRaft"
        )
    if version != str(VERSION):
        raise OperatorError(f"{path}: version is {version!r}, only version 1 is known")
    directory_text = fields.get("directory.id")
    try:
        directory_id = parse_uuid(directory_text) if directory_text is not None else None
    except ValueError as error:
        raise OperatorError(f"{path}: directory.id: {error}") from None
    node_text = _required(fields, "node.id", path)
    if not node_text.isascii() or not node_text.isdigit():
        raise OperatorError(f"{path}: node.id is {node_text!r}, which is no node id")
    return MetaProperties(_required(fields, "cluster.id", path), int(node_text), directory_id)


def encode(properties: MetaProperties, comment: str = "") -> bytes:
    """The file's text, keys in the order that Kafka leaves them in; ``comment`` is its date."""
    lines = ["#", f"#{comment}", f"node.id={properties.node_id}"]
    if properties.directory_id is not None:
        lines.append(f"directory.id={uuid_text(properties.directory_id).translate(_ESCAPED)}")
    lines += [f"version={VERSION}", f"cluster.id={properties.cluster_id.translate(_ESCAPED)}"]
    return ("\n".join(lines) + "\n").encode("iso-8859-1", "backslashreplace")


def write(disk: Disk, directory: str, properties: MetaProperties, comment: str = "") -> None:
    """Replace the file durably; raises DiskFailed."""
    replace_durably(disk, directory, META_PROPERTIES, encode(properties, comment))


def _required(fields: dict[str, str], key: str, path: str) -> str:
    if not fields.get(key):
        raise OperatorError(f"{path}: {key} is missing")
    return fields[key]
