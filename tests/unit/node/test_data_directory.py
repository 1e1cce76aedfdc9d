"""Directories that cannot be used: one message for the operator, and every lock given back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.node.data_directory import DataDirectory
from metaquorum.storage import meta_properties
from metaquorum.storage.disk import DiskFailed
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import LOCK, META_PROPERTIES
from metaquorum.storage.posix import PosixDisk
from tests.unit.node.whole_node import CLUSTER_ID, config_of, format_directory

METADATA = "__cluster_metadata-0"


class ReadOnlyDisk(PosixDisk):
    """A disk on which nothing can be removed."""

    def unlink(self, path: str) -> None:
        error = PermissionError(13, "Permission denied", path)
        raise DiskFailed(path, "cannot remove", error) from error


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A formatted node."""
    format_directory(tmp_path / "data")
    return tmp_path / "data"


def test_a_file_in_the_place_of_the_log_is_told_with_its_path(directory: Path) -> None:
    shutil.rmtree(directory / METADATA)
    (directory / METADATA).write_text("")
    with pytest.raises(OperatorError, match=r"cannot use its directories: .*: Not a dir"):
        DataDirectory.open(config_of(directory))


def test_what_cannot_be_removed_is_told_and_the_lock_is_given_back(directory: Path) -> None:
    (directory / METADATA / f"{9:020d}.log.deleted").write_text("")
    with pytest.raises(OperatorError, match=r"cannot remove [^\[]*: Permission denied$"):
        DataDirectory.open(config_of(directory), ReadOnlyDisk())
    DataDirectory.open(config_of(directory)).release()


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("name", [LOCK, META_PROPERTIES, "."])
def test_a_data_directory_that_lost_what_it_starts_from_is_told(
    tmp_path: Path, which: int, name: str
) -> None:
    directories = [tmp_path / "one", tmp_path / "two"]
    format_directory(directories[0])
    directories[1].mkdir()
    other = MetaProperties(CLUSTER_ID, 1, bytes(range(1, 17)))
    meta_properties.write(PosixDisk(), str(directories[1]), other)
    config = config_of(directories[0], log_dirs=",".join(map(str, directories)))
    opened = DataDirectory.open(config)
    assert opened.journal.check_place() == 0
    lost = directories[which] / name
    shutil.rmtree(lost) if lost.is_dir() else lost.unlink()
    with pytest.raises(DiskFailed, match=f"{directories[which]}.* was deleted or moved"):
        opened.journal.check_place()
    opened.release()
