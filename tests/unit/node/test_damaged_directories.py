"""A directory that was damaged: mended at the start, or refused in one line that says what to do.

Each file of a node, and each way in which it can be damaged, for a node that has run and for one
that was only formatted. What is refused is left as it was found.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import uuid_text
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.cli.zero_checkpoint import legacy_pair
from metaquorum.node.assembly import assemble
from metaquorum.node.data_directory import DataDirectory
from metaquorum.node.recovery_events import log_recovery
from metaquorum.observe.events import EventLog
from metaquorum.records.batch import check
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.storage import quorum_state
from metaquorum.storage.disk import Disk
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.meta_properties import write as write_identity
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.storage.posix import PosixDisk, PosixFile
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.storage.snapshot_files import write_snapshot
from tests.every_record import LOG_NAME, START_MS, STATE, log_batches
from tests.unit.node.whole_node import CLUSTER_ID, DIRECTORY_ID, config_of, format_directory

M = METADATA_DIRECTORY
ZERO = f"{M}/00000000000000000000-0000000000.checkpoint"
FIRST = f"{M}/{LOG_NAME}"
LAST = f"{M}/00000000000000000065.log"
SNAPSHOT = f"{M}/00000000000000000057-0000000001.checkpoint"
QUORUM_STATE = f"{M}/quorum-state"
MISSING, EMPTY, CUT, ZEROS, ZERO_TAIL, GARBAGE, DIRECTORY, LOOP, DANGLING, DENIED = (
    *("missing", "empty", "cut", "zeros", "zero tail", "garbage"),
    *("a directory in its place", "a loop of links", "a link to nothing", "unreadable"),
)
DAMAGES = (*(MISSING, EMPTY, CUT, ZEROS, ZERO_TAIL, GARBAGE), *(DIRECTORY, LOOP, DANGLING, DENIED))
NO_FILE = {
    DIRECTORY: "a directory is in the place of a file",
    LOOP: "symbolic links lead in a circle",
    DANGLING: "a symbolic link leads to nothing",
    DENIED: "the right to read and write",
}
ADVICE = ("estore", "take away", "take it away", "give the user", "format")


class StoppedClock:
    """The time of a node that nobody runs."""

    def now_ms(self) -> int:
        return 0

    def wall_ms(self) -> int:
        return START_MS


class DeniedDisk(PosixDisk):
    """A disk with one name that this user may not open, even if this user is root."""

    def __init__(self, path: str) -> None:
        self._path = path

    def open(self, path: str, *, create: bool = False, writable: bool = True) -> PosixFile:
        self._check(path)
        return super().open(path, create=create, writable=writable)

    def read_bytes(self, path: str) -> bytes:
        self._check(path)
        return super().read_bytes(path)

    def _check(self, path: str) -> None:
        if path == self._path:
            raise PermissionError(13, "Permission denied", path)


def formatted(path: Path) -> Path:
    """A directory that was only formatted."""
    format_directory(path)
    return path


def used(path: Path) -> Path:
    """The directory of a node that has run: two segments, a snapshot, a vote."""
    format_directory(path)
    batches = log_batches()
    second = check(batches[8]).base_offset
    (path / FIRST).write_bytes(b"".join(batches[:8]))
    (path / M / f"{second:020d}.log").write_bytes(b"".join(batches[8:]))
    snapshot = snapshot_batches(
        epoch=1,
        timestamp_ms=START_MS,
        last_contained_ms=START_MS + 20,
        controls=(),
        values=STATE,
    )
    place = OffsetAndEpoch(offset=len(STATE), epoch=1)
    write_snapshot(PosixDisk(), str(path / M), place, snapshot)
    quorum_state.write(PosixDisk(), str(path / M), ElectionStateData(epoch=5))
    opened = DataDirectory.open(config_of(path))
    opened.close_cleanly()
    opened.release()
    return path


def legacy(path: Path) -> Path:
    """A directory as a format before 4.4 left it: the first records in bootstrap.checkpoint."""
    format_directory(path)
    (path / ZERO).unlink()
    (path / "bootstrap.checkpoint").write_bytes(legacy_pair({"metadata.version": 21}, 1, [], 1)[1])
    return path


def damage(path: Path, how: str) -> None:
    """Damage a file, or put something else in its place."""
    content = path.read_bytes()
    path.unlink()
    if how == EMPTY:
        path.write_bytes(b"")
    elif how == CUT:
        path.write_bytes(content[: len(content) // 2])
    elif how == ZEROS:
        path.write_bytes(bytes(len(content)))
    elif how == ZERO_TAIL:
        path.write_bytes(content + bytes(4096))
    elif how == GARBAGE:
        path.write_bytes(bytes((at * 7919 + 13) % 256 for at in range(max(len(content), 64))))
    elif how == DIRECTORY:
        path.mkdir()
    elif how == LOOP:
        path.symlink_to(path)
    elif how == DANGLING:
        path.symlink_to(path.parent / "nothing")
    elif how == DENIED:
        path.write_bytes(content)


def contents(path: Path) -> dict[str, bytes | str | None]:
    """Everything in a directory but the lock, which the end of a node removes."""
    return {
        str(one.relative_to(path)): os.readlink(one)
        if one.is_symlink()
        else one.read_bytes()
        if one.is_file()
        else None
        for one in path.rglob("*")
        if one.name != ".lock"
    }


def started(path: Path, disk: Disk | None = None, **changes: str) -> list[str]:
    """Put a node together over a directory; the lines that it writes. Raises OperatorError."""
    lines: list[str] = []
    config = config_of(path, **changes)
    directory = DataDirectory.open(config, disk)
    try:
        log = EventLog(lines.append, lambda: 0)
        log_recovery(log, directory.report)
        assemble(config, directory, log, seed=1, clock=StoppedClock())
    finally:
        directory.release()
    return [line.partition("Z ")[2] for line in lines]


def refusal(path: Path, disk: Disk | None = None, **changes: str) -> str:
    with pytest.raises(OperatorError) as refused:
        started(path, disk, **changes)
    return str(refused.value)


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Copies of directories of three kinds."""
    above = tmp_path_factory.mktemp("directories")
    makers = {"used": used, "formatted": formatted, "legacy": legacy}
    bases = {kind: make(above / kind) for kind, make in makers.items()}

    def copy(kind: str) -> Path:
        path = above / "data"
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(bases[kind], path)
        return path

    return copy


FILES = {
    "used": (
        *("meta.properties", QUORUM_STATE, ZERO, SNAPSHOT, FIRST, LAST),
        *(f"{M}/{name}" for name in ("partition.metadata", "leader-epoch-checkpoint")),
        *(f"{M}/00000000000000000000{suffix}" for suffix in (".index", ".timeindex")),
        *(f"{M}/00000000000000000065{suffix}" for suffix in (".index", ".timeindex")),
        f"{M}/00000000000000000090.snapshot",
    ),
    "formatted": ("meta.properties", ZERO),
    "legacy": ("meta.properties", "bootstrap.checkpoint"),
}
CASES = [(kind, name, how) for kind, names in FILES.items() for name in names for how in DAMAGES]


@pytest.mark.parametrize(("kind", "name", "how"), CASES, ids=lambda text: text.rpartition("/")[2])
def test_a_damaged_file_is_mended_or_refused_in_one_line(
    kind: str, name: str, how: str, copies: Callable[[str], Path]
) -> None:
    path = copies(kind)
    damage(path / name, how)
    before = contents(path)
    disk = DeniedDisk(str(path / name)) if how == DENIED else None
    try:
        lines = started(path, disk)
    except OperatorError as error:
        told = str(error)
        assert "\n" not in told and len(told) < 700
        assert str(path) in told and any(word in told for word in ADVICE), told
        if how in NO_FILE and os.path.basename(name) in told:
            assert (
                NO_FILE[how] in told.lower() or "no quorum-state" in told or "no usable" in told
            ), told
        assert contents(path) == before, "something was written before the refusal"
    else:
        assert all("\n" not in line for line in lines)
        started(path)  # and once mended, it is mended


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("node.id=1\nversion=1\ncluster.id=4L6g3nShT-eMC", "after cluster.id=4L6g3nShT-eMC"),
        ("node.id=1\nversion=1\ncluster.id=", "cluster.id is missing"),
        ("node.id=1\nversion=1\n", "cluster.id is missing"),
        ("node.id=1\nversi", "version is missing"),
        ("node.id=1\ncluster.id=x\n", "version is missing"),
        ("node.id=1\nversion=2\ncluster.id=x\n", "version is '2', only version 1 is known"),
        ("node.id=x\nversion=1\ncluster.id=x\n", "node.id is 'x', which is no node id"),
        ("version=1\ncluster.id=x\n", "node.id is missing"),
        ("node.id=2\nversion=1\ncluster.id=x\n", "node.id=2, the configuration says node.id=1"),
        ("node.id=1\nversion=1\ndirectory.id=xx\ncluster.id=x\n", "directory.id: 'xx'"),
        ("node.id=1\nversion=1\ndirectory.id=AAAAAAAAAAAAAAAAAAAAAQ\ncluster.id=x\n", "reserved"),
        ("broker.id=1\nversion=0\n", "written for ZooKeeper"),
    ],
)
def test_a_meta_properties_that_is_no_good_is_named_with_the_value(
    content: str, told: str, copies: Callable[[str], Path]
) -> None:
    path = copies("used")
    (path / "meta.properties").write_text(content)
    before = contents(path)
    message = refusal(path)
    assert f"{path}/meta.properties" in message and told in message
    assert contents(path) == before


def test_a_meta_properties_written_by_hand_needs_no_last_line_end(
    copies: Callable[[str], Path],
) -> None:
    path = copies("used")
    for content in (
        f"version=1\nnode.id=1\ncluster.id={CLUSTER_ID}",
        "cluster.id=x\nversion=1\nnode.id=1",
    ):
        (path / "meta.properties").write_text(content)
        started(path)


@pytest.mark.parametrize(
    "content",
    [
        b'{"leaderId":1,"leaderEpoch":5,"votedId":-1,"votedDirectoryId":"AAAAAAA',
        b'{"leaderId":1,"leaderEpoch":5,"votedId":-1,"data_version":7}',
        b'{"leaderId":1,"leaderEpoch":0,"votedId":-1,"votedDirectoryId":"'
        b'AAAAAAAAAAAAAAAAAAAAAA","data_version":1}',
    ],
    ids=["cut", "another version", "an epoch before the log's"],
)
def test_a_bad_quorum_state_is_refused_before_the_log_is_repaired(
    content: bytes, copies: Callable[[str], Path]
) -> None:
    path = copies("used")
    (path / QUORUM_STATE).write_bytes(content)
    damage(path / LAST, CUT)
    (path / M / "00000000000000000300.log.deleted").write_bytes(b"")
    before = contents(path)
    assert "quorum-state" in refusal(path)
    assert contents(path) == before


def test_a_gap_between_segments_is_refused_with_the_missing_offset(
    copies: Callable[[str], Path],
) -> None:
    path = copies("used")
    (path / LAST).rename(path / M / "00000000000000000070.log")
    before = contents(path)
    message = refusal(path)
    assert "00000000000000000070.log is damaged at offset 65" in message
    assert "the segment begins at offset 70: one before it is missing" in message
    assert contents(path) == before


@pytest.mark.parametrize("name", [FIRST, LAST])
def test_a_tail_of_zeros_is_called_by_its_name(name: str, copies: Callable[[str], Path]) -> None:
    path = copies("used")
    damage(path / name, ZERO_TAIL)
    if name == FIRST:
        told = refusal(path)
        assert "Restore the file from a copy" in told
    else:
        (told,) = [line for line in started(path) if line.startswith("warn torn-tail-cut")]
        assert " offset=90 position=1627 bytes=4096 " in told
    assert str(path / name) in told and "zeros up to the end of the file" in told


@pytest.mark.parametrize("second", ["{}/", "{}/.", "{}/../data", "LINK"])
def test_one_directory_under_two_names_is_refused(
    second: str, copies: Callable[[str], Path], tmp_path: Path
) -> None:
    path = copies("used")
    link = tmp_path / "link"
    link.symlink_to(path)
    other = str(link) if second == "LINK" else second.format(path)
    for changes in ({"log_dirs": f"{path},{other}"}, {"metadata_log_dir": other}):
        told = refusal(path, **changes)
        assert "are the same directory" in told and str(path) in told and other in told


def test_a_copy_of_a_directory_is_refused(copies: Callable[[str], Path], tmp_path: Path) -> None:
    path = copies("used")
    shutil.copytree(path, tmp_path / "copy")
    told = refusal(path, log_dirs=f"{path},{tmp_path / 'copy'}")
    assert "is a copy of the other" in told and uuid_text(DIRECTORY_ID) in told


def test_a_used_directory_without_meta_properties_is_not_reformatted(
    copies: Callable[[str], Path],
) -> None:
    path = copies("used")
    (path / "meta.properties").unlink()
    assert "restore the file from a copy" in refusal(path)
    path = copies("formatted")
    (path / "meta.properties").unlink()
    assert "Run `metaquorum storage format" in refusal(path)


def test_a_changed_directory_id_is_told_at_the_start_with_both_ids(
    copies: Callable[[str], Path],
) -> None:
    path = copies("formatted")
    assert not started(path)
    other = bytes(range(1, 17))
    write_identity(PosixDisk(), str(path), MetaProperties(CLUSTER_ID, 1, other))
    (line,) = started(path)
    assert line.startswith(f"warn directory-id-differs node=1 file={path}/meta.properties ")
    assert f"directory={uuid_text(other)} voter={uuid_text(DIRECTORY_ID)} " in line
    assert "remove-controller" in line and "put its directory.id back" in line
