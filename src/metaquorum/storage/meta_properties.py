"""``meta.properties``: whose directory this is, in Kafka's properties text.

Version 1 names node, cluster and directory; version 0 is ZooKeeper's, with a broker id.
"""

from __future__ import annotations

import re

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import ClusterId, NodeId, Uuid, parse_uuid, uuid_text
from metaquorum.config.properties import parse_properties
from metaquorum.storage.disk import Disk, replace_durably
from metaquorum.storage.names import META_PROPERTIES

VERSION = 1
_LARGEST_NODE_ID = (1 << 31) - 1
_MOST_DIGITS = 10
_SHOWN_CHARS = 100  # of a value that cannot be
_RESTORE = (
    "Restore the file from a copy; if there is none, bring this node back as a new replica from an "
    "empty directory"
)
_ESCAPED = str.maketrans({"\\": "\\\\", "=": "\\=", ":": "\\:", "#": "\\#", "!": "\\!"})
_ESCAPED |= str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f"})
_NOT_PRINTED = re.compile("[^ -~]")


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
    if "\0" in text:
        raise _damaged(path, f"it has zeros at byte {text.index(chr(0))}")
    fields = parse_properties(text, path)
    if not fields:
        raise OperatorError(
            f"{path} is empty; node.id, cluster.id and version=1 belong in it. {_RESTORE}"
        )
    if "version" not in fields and "broker.id" not in fields:
        raise _damaged(path, "version is missing")
    version = fields.get("version", "0")
    if version == "0":
        raise OperatorError(
            f"{path} has version 0, written for ZooKeeper: the directory is not formatted for KRaft"
        )
    if version != str(VERSION):
        raise OperatorError(
            f"{path}: version is {version[:_SHOWN_CHARS]!r}, only version 1 is known. {_RESTORE}"
        )
    directory_text = fields.get("directory.id")
    try:
        directory_id = parse_uuid(directory_text) if directory_text is not None else None
    except ValueError as error:
        raise OperatorError(f"{path}: directory.id: {error}. {_RESTORE}") from None
    node_text = _required(fields, "node.id", path)
    cluster_id = _required(fields, "cluster.id", path)
    if _is_cut_off(text, cluster_id):
        raise _damaged(path, f"it ends within a line, after cluster.id={cluster_id}")
    return MetaProperties(cluster_id, _node_id(node_text, path), directory_id)


def _is_cut_off(text: str, cluster_id: str) -> bool:
    """Whether the last line has no end, is the cluster's id, and holds no whole one.

    Kafka ends every line. Who wrote the file by hand may not have, so an id is believed then that
    is a whole UUID.
    """
    if text.endswith(("\n", "\r")):
        return False
    last_line = text.replace("\r", "\n").rpartition("\n")[2]
    if not last_line.lstrip().startswith("cluster.id"):
        return False
    try:
        parse_uuid(cluster_id)
    except ValueError:
        return True
    return False


def _damaged(path: str, why: str) -> OperatorError:
    return OperatorError(f"{path} is damaged: {why}. {_RESTORE}")


def _node_id(text: str, path: str) -> NodeId:
    digits = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    if not digits or int(text) > _LARGEST_NODE_ID:
        raise OperatorError(
            f"{path}: node.id is {text[:_SHOWN_CHARS]!r}, which is no node id. {_RESTORE}"
        )
    return int(text)


def encode(properties: MetaProperties, comment: str = "") -> bytes:
    """The file's text, keys in the order that Kafka leaves them in; ``comment`` is its date."""
    lines = ["#", f"#{comment}", f"node.id={properties.node_id}"]
    if properties.directory_id is not None:
        lines.append(f"directory.id={_escaped(uuid_text(properties.directory_id))}")
    lines += [f"version={VERSION}", f"cluster.id={_escaped(properties.cluster_id)}"]
    return ("\n".join(lines) + "\n").encode("iso-8859-1", "backslashreplace")


def _escaped(text: str) -> str:
    """A value as Java's Properties.store spells it: what is not printable ASCII as \\uXXXX."""
    leading = "\\" if text.startswith(" ") else ""  # or the reader takes it for a separator
    return leading + _NOT_PRINTED.sub(_code_units, text.translate(_ESCAPED))


def _code_units(match: re.Match[str]) -> str:
    raw = match.group().encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{raw[at]:02X}{raw[at + 1]:02X}" for at in range(0, len(raw), 2))


def write(disk: Disk, directory: str, properties: MetaProperties, comment: str = "") -> None:
    """Replace the file durably; raises DiskFailed."""
    replace_durably(disk, directory, META_PROPERTIES, encode(properties, comment))


def _required(fields: dict[str, str], key: str, path: str) -> str:
    if not fields.get(key):
        raise OperatorError(f"{path}: {key} is missing. {_RESTORE}")
    return fields[key]
