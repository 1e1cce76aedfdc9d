"""The ``quorum-state`` file: which epoch this node has seen, its leader, and this node's vote.

One line of JSON, as Kafka writes it: data version 0 where kraft.version is 0, data version 1
(with the directory id of the vote) where it is 1 (KIP-595, KIP-853). Only the first line is read.
"""

from __future__ import annotations

import json
from typing import Any

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import NO_NODE, ZERO_UUID, NodeId, Uuid, parse_uuid, uuid_text
from metaquorum.base.offsets import Epoch
from metaquorum.base.value import value
from metaquorum.storage.disk import Disk, replace_durably
from metaquorum.storage.names import QUORUM_STATE

HIGHEST_DATA_VERSION = 1
_INT32 = range(-(1 << 31), 1 << 31)  # epochs and node ids on the wire and in Kafka's schema


@value
class ElectionStateData:
    """What the file says. ``voters`` is only in data version 0, the vote's directory only in 1."""

    epoch: Epoch
    leader_id: NodeId | None = None
    voted_id: NodeId | None = None
    voted_directory_id: Uuid | None = None
    voters: tuple[NodeId, ...] = ()
    data_version: int = 1


def read(disk: Disk, directory: str) -> ElectionStateData | None:
    """The state in the file, None without a file.

    Raises OperatorError for a file that cannot be read: votes may have been forgotten.
    """
    path = f"{directory}/{QUORUM_STATE}"
    try:
        content = disk.read_bytes(path)
    except FileNotFoundError:
        return None
    return decode(content, path)


def write(disk: Disk, directory: str, state: ElectionStateData) -> None:
    """Replace the file durably; raises DiskFailed."""
    replace_durably(disk, directory, QUORUM_STATE, encode(state))


def encode(state: ElectionStateData) -> bytes:
    """The line, keys in Kafka's order, no line feed."""
    fields: dict[str, Any]
    leader_id = NO_NODE if state.leader_id is None else state.leader_id
    voted_id = NO_NODE if state.voted_id is None else state.voted_id
    if state.data_version == 0:
        fields = {
            "clusterId": "",
            "leaderId": leader_id,
            "leaderEpoch": state.epoch,
            "votedId": voted_id,
            "appliedOffset": 0,
            "currentVoters": [{"voterId": voter} for voter in state.voters],
        }
    else:
        fields = {
            "leaderId": leader_id,
            "leaderEpoch": state.epoch,
            "votedId": voted_id,
            "votedDirectoryId": uuid_text(state.voted_directory_id or ZERO_UUID),
        }
    fields["data_version"] = state.data_version
    return json.dumps(fields, separators=(",", ":")).encode()


def decode(content: bytes, path: str = QUORUM_STATE) -> ElectionStateData:
    """The state in a file's content; OperatorError names ``path`` and what is wrong."""
    try:
        fields = json.loads(content.split(b"\n", 1)[0])
    except ValueError as error:
        raise _unreadable(path, f"no JSON ({error})") from None
    except RecursionError:
        raise _unreadable(path, "no JSON that is a state: it is nested too deeply") from None
    if not isinstance(fields, dict):
        raise _unreadable(path, "no JSON object")
    version = _integer(fields, "data_version", path)
    if not 0 <= version <= HIGHEST_DATA_VERSION:
        raise _unreadable(path, f"data_version {version}, known are 0 and 1")
    epoch = _integer(fields, "leaderEpoch", path)
    if epoch < 0:
        raise _unreadable(path, f"leaderEpoch {epoch}")
    leader_id = _integer(fields, "leaderId", path)
    voted_id = _integer(fields, "votedId", path)
    return ElectionStateData(
        epoch=epoch,
        leader_id=None if leader_id == NO_NODE else leader_id,
        voted_id=None if voted_id == NO_NODE else voted_id,
        voted_directory_id=_voted_directory(fields, path) if version else None,
        voters=() if version else _voters(fields, path),
        data_version=version,
    )


def _integer(fields: dict[str, Any], name: str, path: str) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _unreadable(path, f"{name} is {'missing' if value is None else repr(value)}")
    if value not in _INT32:
        raise _unreadable(path, f"{name} is {value}, beyond 32 bits")
    return value


def _voted_directory(fields: dict[str, Any], path: str) -> Uuid | None:
    text = fields.get("votedDirectoryId")
    try:
        directory_id = parse_uuid(text if isinstance(text, str) else "")
    except ValueError as error:
        raise _unreadable(path, f"votedDirectoryId: {error}") from None
    return None if directory_id == ZERO_UUID else directory_id


def _voters(fields: dict[str, Any], path: str) -> tuple[NodeId, ...]:
    listed = fields.get("currentVoters")
    if listed is None:  # the schema lets it be null
        return ()
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise _unreadable(path, "currentVoters is no list of voters")
    return tuple(_integer(item, "voterId", path) for item in listed)


def _unreadable(path: str, why: str) -> OperatorError:
    return OperatorError(
        f"{path} cannot be read: {why}. This node may have forgotten a vote; restore the file, or "
        "bring the node back as a new replica with a new directory id"
    )
