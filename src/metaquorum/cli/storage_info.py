"""What ``storage info`` shows: directories, identity, problems, in Kafka's layout."""

from __future__ import annotations

import os

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import uuid_text
from metaquorum.cli.format_directories import all_directories
from metaquorum.config.node_config import NodeConfig
from metaquorum.storage import meta_properties
from metaquorum.storage.disk import Disk
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import META_PROPERTIES


def storage_info(disk: Disk, config: NodeConfig) -> tuple[list[str], list[str]]:
    """The lines to print, and the problems among them."""
    present, problems = [], []
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
            problems.append(f"Error loading {path}/{META_PROPERTIES}: {error}")
            continue
        if found is None:
            problems.append(f"{path} is not formatted.")
        elif first is None:
            first = found
        else:
            problems += _mismatches(first, found)
    lines = _section("Found log director", ("y", "ies"), present)
    if first is not None:
        lines += [f"Found metadata: {_shown(first)}", ""]
    return lines + _section("Found problem", ("", "s"), problems), problems


def _section(title: str, endings: tuple[str, str], items: list[str]) -> list[str]:
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


def _shown(found: MetaProperties) -> str:
    pairs = {"cluster.id": found.cluster_id}
    if found.directory_id is not None:
        pairs["directory.id"] = uuid_text(found.directory_id)
    pairs |= {"node.id": str(found.node_id), "version": "1"}
    return "{" + ", ".join(f"{key}={value}" for key, value in pairs.items()) + "}"
