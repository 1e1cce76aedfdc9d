"""Log directories as ``storage`` finds and leaves them.

A directory is formatted when it has a ``meta.properties``; that file takes its name last, so that
an interrupted format is never taken for a finished one. Before anything else it is written beside
its name: where it lies there, and nothing but what a format writes, a format was interrupted, and
the next one begins anew. Any other checkpoint without an identity is not ours to replace.
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
from metaquorum.storage.disk import Disk, beside_of, replace_durably, write_beside
from metaquorum.storage.log_directories import check_distinct
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import (
    BOOTSTRAP_CHECKPOINT,
    META_PROPERTIES,
    METADATA_DIRECTORY,
    snapshot_file,
    snapshot_part_file,
)
from metaquorum.storage.snapshot_files import write_snapshot

ZERO = OffsetAndEpoch(0, 0)
OF_A_FORMAT = (snapshot_file(ZERO), snapshot_part_file(ZERO))


@define
class Found:
    """The configured directories, each in one of three states, in the order configured."""

    formatted: dict[str, MetaProperties] = field(factory=dict)
    empty: list[str] = field(factory=list)
    unusable: dict[str, str] = field(factory=dict)
    """Path and why it cannot be a log directory."""


def all_directories(config: NodeConfig) -> tuple[str, ...]:
    """The log directories, then the metadata log's own if it is none of them.

    OperatorError where two of them are the same.
    """
    directories = config.log_dirs
    if config.metadata_log_dir not in config.log_dirs:
        directories = (*config.log_dirs, config.metadata_log_dir)
    check_distinct(directories)
    return directories


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
    if (
        config.is_controller
        and config.metadata_log_dir in paths
        and left_over is not None
        and not _was_interrupted(disk, config.metadata_log_dir)
    ):
        if not order.ignore_formatted:
            raise OperatorError(
                f"{left_over} is there although {config.metadata_log_dir} has no "
                f"{META_PROPERTIES}; if no node needs it any more, remove that file first"
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
    identity = MetaProperties(plan.cluster_id, plan.node_id, one.directory_id)
    content = meta_properties.encode(identity, comment)
    write_beside(disk, one.path, META_PROPERTIES, content)
    disk.sync_directory(one.path)
    if plan.has_bootstrap:
        _write_bootstrap(disk, plan, one, now_ms, legacy=legacy)
    disk.rename(beside_of(one.path, META_PROPERTIES), f"{one.path}/{META_PROPERTIES}")
    disk.sync_directory(one.path)


def _write_bootstrap(
    disk: Disk, plan: FormatPlan, one: DirectoryPlan, now_ms: Millis, *, legacy: bool
) -> None:
    from metaquorum.cli.zero_checkpoint import legacy_pair, zero_checkpoint  # loads codecs

    content = (plan.levels, plan.kraft_version, plan.voters, now_ms, plan.credentials)
    is_metadata = one.path == plan.metadata_log_dir
    if is_metadata:
        _remove_interrupted(disk, one.path)
    if legacy:
        checkpoint, bootstrap = legacy_pair(*content)
        if is_metadata and checkpoint is not None:
            _write_checkpoint(disk, one.path, checkpoint)
        replace_durably(disk, one.path, BOOTSTRAP_CHECKPOINT, bootstrap)
    elif is_metadata:
        _write_checkpoint(disk, one.path, zero_checkpoint(*content))


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


def _was_interrupted(disk: Disk, metadata_log_dir: str) -> bool:
    """Whether a format, and nothing else, has been at work here and has not come to its end."""
    if not disk.exists(beside_of(metadata_log_dir, META_PROPERTIES)):
        return False
    directory = f"{metadata_log_dir}/{METADATA_DIRECTORY}"
    found = disk.names(directory) if disk.exists(directory) else []
    return all(name in OF_A_FORMAT for name in found)


def _remove_interrupted(disk: Disk, metadata_log_dir: str) -> None:
    """Take away what an earlier format has left, which may have been of another kind."""
    directory = f"{metadata_log_dir}/{METADATA_DIRECTORY}"
    if disk.exists(directory):
        for name in OF_A_FORMAT:  # and no log, should just the identity have been lost
            disk.unlink(f"{directory}/{name}")
        disk.sync_directory(directory)
    disk.unlink(f"{metadata_log_dir}/{BOOTSTRAP_CHECKPOINT}")
    disk.unlink(beside_of(metadata_log_dir, BOOTSTRAP_CHECKPOINT))
    disk.sync_directory(metadata_log_dir)
