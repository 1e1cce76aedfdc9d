"""Where ``__consumer_offsets`` is kept on a node, and whether it was kept there before."""

from __future__ import annotations

import os

from metaquorum.config.node_config import NodeConfig
from metaquorum.storage.disk import Disk
from metaquorum.storage.names import GROUPS_DIRECTORY, QUORUM_STATE, parse_snapshot_file


def directory_of(config: NodeConfig) -> str:
    """Where the partition is kept: beside the metadata log."""
    return os.path.join(config.metadata_log_dir, GROUPS_DIRECTORY)


def is_begun(disk: Disk, path: str) -> bool:
    """Whether this node has kept the partition before: with voters, a vote, or a log."""
    return disk.exists(path) and any(
        name == QUORUM_STATE or parse_snapshot_file(name) is not None for name in disk.names(path)
    )
