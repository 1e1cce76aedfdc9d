"""The marker of a clean stop, ``.kafka_cleanshutdown``: written last, removed before loading.

Kafka's log manager writes it into each directory that holds a broker's own logs. A node that is
only a controller writes none: the metadata log is read from end to end at every start anyway.
"""

from __future__ import annotations

import json

from metaquorum.storage.disk import Disk, replace_durably
from metaquorum.storage.names import CLEAN_SHUTDOWN

_NO_BROKER_EPOCH = -1


def write_marker(disk: Disk, directory: str, broker_epoch: int = _NO_BROKER_EPOCH) -> None:
    """Say that everything in the directory was closed; raises DiskFailed."""
    fields = {"version": 0, "brokerEpoch": broker_epoch}
    content = json.dumps(fields, separators=(",", ":")).encode()
    replace_durably(disk, directory, CLEAN_SHUTDOWN, content)


def take_marker(disk: Disk, directory: str) -> bool:
    """Remove the marker before loading; says whether there was one, its content never matters."""
    path = f"{directory}/{CLEAN_SHUTDOWN}"
    if not disk.exists(path):
        return False
    disk.unlink(path)
    disk.sync_directory(directory)
    return True
