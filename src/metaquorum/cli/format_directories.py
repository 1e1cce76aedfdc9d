"""Log directories as ``storage`` finds and leaves them.

A directory is formatted when it has a ``meta.properties``; that file is written last, so that an
interrupted format is never taken for a finished one.
"""

from __future__ import annotations

import os

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.cli.format_plan import DirectoryPlan, FormatOrder, FormatPlan
from metaquorum.config.node_config import NodeConfig
from metaquorum.storage import meta_properties
from metaquorum.storage.disk import Disk, replace_durably
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import (
    BOOTSTRAP_CHECKPOINT,
    META_PROPERTIES,
    METADATA_DIRECTORY,
    snapshot_file,
)
from metaquorum.storage.snapshot_files import write_snapshot

ZERO = OffsetAndEpoch(0, 0)


@define
class Found:
    """The configured directories, each in one of three states, in the order configured."""

    formatted: dict[str, MetaProperties] = field(factory=dict)
    empty: list[str] = field(factory=list)
    unusable: dict[str, str] = field(factory=dict)
    """Path and why it cannot be a log directory."""


def all_directories(config: NodeConfig) -> tuple[str, ...]:
    """The log directories, then the metadata log's own if it is none of them."""
    if config.metadata_log_dir in config.log_dirs:
        return config.log_dirs
    return (*config.log_dirs, config.metadata_log_dir)


def look_at(disk: Disk, config: NodeConfig) -> Found:
    """What is in the directories now; OperatorError for a meta.properties that cannot be read."""
    found = Found()
    for path in all_directories(config):
        if os.path.exists(path) and not os.path.isdir(path):
            found.unusable[path] = "is not a directory"
            continue
        properties = meta_properties.read(disk, path)
        if properties is None:
            found.empty.append(path)
        else:
            found.formatted[path] = properties
    return found


def directories_to_format(
    disk: Disk, config: NodeConfig, order: FormatOrder, found: Found
) -> list[str]:
    """The directories that a format may write to.

    OperatorError when one is formatted already and that was not to be ignored, when a formatted
    one belongs to another cluster or node, and when the metadata directory cannot be used.
    """
    for path, properties in found.formatted.items():
        if not order.ignore_formatted:
            raise OperatorError(
                f"{path} is formatted already; with --ignore-formatted it is left as it is and "
                "the others are formatted"
            )
        check_identity(path, properties, order.cluster_id, config.node_id)
    if config.metadata_log_dir in found.unusable:
        reason = found.unusable[config.metadata_log_dir]
        raise OperatorError(f"{config.metadata_log_dir} {reason}; the metadata log needs it")
    paths = list(found.empty)
    left_over = _left_over(disk, config.metadata_log_dir)
    if config.is_controller and config.metadata_log_dir in paths and left_over is not None:
        if not order.ignore_formatted:
            raise OperatorError(
                f"{left_over} is there although {config.metadata_log_dir} has no "
                f"{META_PROPERTIES}; was a format interrupted? Remove that file first"
            )
        paths.remove(config.metadata_log_dir)
    return paths


def check_identity(path: str, found: MetaProperties, cluster_id: str, node_id: int) -> None:
    """OperatorError, with file and both values, when a directory is another cluster's or node's."""
    file = f"{path}/{META_PROPERTIES}"
    if found.cluster_id != cluster_id:
        raise OperatorError(
            f"{file} belongs to cluster {found.cluster_id}, and {cluster_id} was asked for"
        )
    if found.node_id != node_id:
        raise OperatorError(
            f"{file} belongs to node {found.node_id}, and the configuration says node.id={node_id}"
        )


def format_directory(
    disk: Disk, plan: FormatPlan, one: DirectoryPlan, now_ms: Millis, comment: str, *, legacy: bool
) -> None:
    """Write everything that belongs into one directory; raises DiskFailed and OSError."""
    from metaquorum.cli.zero_checkpoint import legacy_pair, zero_checkpoint  # loads codecs

    disk.make_directory(one.path)
    if plan.has_bootstrap and legacy:
        checkpoint, bootstrap = legacy_pair(plan.levels, plan.kraft_version, plan.voters, now_ms)
        if one.path == plan.metadata_log_dir and checkpoint is not None:
            _write_checkpoint(disk, one.path, checkpoint)
        replace_durably(disk, one.path, BOOTSTRAP_CHECKPOINT, bootstrap)
    elif plan.has_bootstrap and one.path == plan.metadata_log_dir:
        content = zero_checkpoint(plan.levels, plan.kraft_version, plan.voters, now_ms)
        _write_checkpoint(disk, one.path, content)
    identity = MetaProperties(plan.cluster_id, plan.node_id, one.directory_id)
    meta_properties.write(disk, one.path, identity, comment)


def _write_checkpoint(disk: Disk, path: str, content: bytes) -> None:
    directory = f"{path}/{METADATA_DIRECTORY}"
    disk.make_directory(directory)
    write_snapshot(disk, directory, ZERO, [content])
    disk.sync_directory(path)


def _left_over(disk: Disk, metadata_log_dir: str) -> str | None:
    """A file that only a format can have written, where there should be none."""
    for path in (
        f"{metadata_log_dir}/{METADATA_DIRECTORY}/{snapshot_file(ZERO)}",
        f"{metadata_log_dir}/{BOOTSTRAP_CHECKPOINT}",
    ):
        if disk.exists(path):
            return path
    return None
