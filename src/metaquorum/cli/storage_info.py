"""What ``storage info`` shows: directories, identity, problems, in Kafka's layout."""

from __future__ import annotations

import os

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import uuid_text
from metaquorum.cli.format_directories import all_directories
from metaquorum.config.node_config import NodeConfig
from metaquorum.storage import meta_properties
from metaquorum.storage.disk import Disk
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import META_PROPERTIES


@frozen
class StorageInfo:
    """What was found: usable directories, the first identity among them, and problems."""

    directories: tuple[str, ...]
    identity: MetaProperties | None
    problems: tuple[str, ...]

    def lines(self) -> list[str]:
        """The text that Kafka's tool prints."""
        lines = _section("Found log director", ("y", "ies"), self.directories)
        if self.identity is not None:
            pairs = ", ".join(f"{key}={value}" for key, value in _pairs(self.identity).items())
            lines += [f"Found metadata: {{{pairs}}}", ""]
        return lines + _section("Found problem", ("", "s"), self.problems)

    def facts(self) -> dict[str, object]:
        """The same as one JSON object."""
        return {
            "directories": list(self.directories),
            "metadata": None if self.identity is None else _pairs(self.identity),
            "problems": list(self.problems),
        }


def storage_info(disk: Disk, config: NodeConfig) -> StorageInfo:
    """Look at every directory of a configuration."""
    present: list[str] = []
    problems: list[str] = []
    first: MetaProperties | None = None
    for path in sorted(set(all_directories(config))):
        if not os.path.exists(path):
            problems.append(f"{path} does not exist")
            continue
        if not os.path.isdir(path):
            problems.append(f"{path} is not a directory")
            continue
        present.append(path)
        try:
            found = meta_properties.read(disk, path)
        except (OperatorError, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            problems.append(f"Error loading {path}/{META_PROPERTIES}: {why}")
            continue
        if found is None:
            problems.append(f"{path} is not formatted.")
        elif first is None:
            first = found
        else:
            problems += _mismatches(first, found)
    return StorageInfo(tuple(present), first, tuple(problems))


def _section(title: str, endings: tuple[str, str], items: tuple[str, ...]) -> list[str]:
    if not items:
        return []
    ending = endings[len(items) > 1]
    return [f"{title}{ending}:", *(f"  {item}" for item in items), ""]


def _mismatches(first: MetaProperties, other: MetaProperties) -> list[str]:
    problems = []
    if first.cluster_id != other.cluster_id:
        problems.append("Mismatched cluster IDs between storage directories.")
    if first.node_id != other.node_id:
        problems.append("Mismatched node IDs between storage directories.")
    return problems


def _pairs(found: MetaProperties) -> dict[str, str]:
    """The keys of meta.properties, sorted."""
    pairs = {"cluster.id": found.cluster_id}
    if found.directory_id is not None:
        pairs["directory.id"] = uuid_text(found.directory_id)
    return pairs | {"node.id": str(found.node_id), "version": "1"}
