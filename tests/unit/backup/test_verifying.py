"""A backup is verified: every kind of damage is named, and what is let go is no damage."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metaquorum.backup import chain as chain_module
from metaquorum.backup.chain import latest, links_for, listed, read_chain
from metaquorum.backup.manifest import decode_step, encode_step, key_of, manifest_key
from metaquorum.base.errors import OperatorError
from tests.unit.backup.backed_up import Backups, Cluster

SNAPSHOT = "00000000000000000004-0000000001.checkpoint"
SEGMENT = "00000000000000000004.log"


@pytest.fixture
def backups(tmp_path: Path) -> Backups:
    """A full step with snapshot and log, and one behind it."""
    cluster = Cluster()
    cluster.write("a")
    cluster.snapshot(drops=True)
    cluster.write("b")
    made = Backups(cluster, tmp_path)
    made.take()
    cluster.elect()
    cluster.write("c")
    made.take()
    assert made.verified() == []
    return made


def paths(backups: Backups, file: str, step: int = 0) -> Path:
    link = read_chain(backups.store, listed(backups.store)).links[step]
    key = manifest_key(link.name) if file == "manifest" else key_of(link.name, file)
    return Path(backups.store.uri) / key


def turned(content: bytes) -> bytes:
    return content[:-10] + bytes((content[-10] ^ 1,)) + content[-9:]


def with_sum_of(backups: Backups, file: str, change: Callable[[bytes], bytes]) -> None:
    """Change an object and its manifest's checksum: only what is in it can tell."""
    from hashlib import sha256

    path, manifest = paths(backups, file), paths(backups, "manifest")
    content = change(path.read_bytes())
    path.write_bytes(content)
    row = json.loads(manifest.read_text())
    for one in (row["snapshot"], *row["segments"]):
        if one["name"] == file:
            one["sha256"], one["sizeBytes"] = sha256(content).hexdigest(), len(content)
    manifest.write_text(json.dumps(row))


@pytest.mark.parametrize("file", [SNAPSHOT, SEGMENT])
def test_a_turned_bit_is_another_checksum(backups: Backups, file: str) -> None:
    path = paths(backups, file)
    path.write_bytes(turned(path.read_bytes()))
    (why,) = [one for one in backups.verified() if "checksum" in one]
    assert file in why and why.endswith("has another checksum than what was backed up")
    assert backups.verified(quick=True) == []


@pytest.mark.parametrize("file", [SNAPSHOT, SEGMENT])
def test_an_object_that_is_gone_or_short_is_named(backups: Backups, file: str) -> None:
    path = paths(backups, file)
    content = path.read_bytes()
    path.write_bytes(content[:-1])
    assert any("bytes, " in one and file in one for one in backups.verified(quick=True))
    path.unlink()
    assert any(one.endswith("is missing") and file in one for one in backups.verified(quick=True))


@pytest.mark.parametrize(
    ("file", "change", "why"),
    [
        (SEGMENT, turned, "byte 0: checksum"),
        (SNAPSHOT, turned, "checksum"),
        (SEGMENT, lambda content: content * 2, "a batch at offset 4, due is 5"),
    ],
)
def test_content_that_is_wrong_under_its_checksum_is_found(
    backups: Backups, file: str, change: Callable[[bytes], bytes], why: str
) -> None:
    with_sum_of(backups, file, change)
    Path(backups.store.uri, manifest_key(listed(backups.store).names[0])).unlink()
    found = backups.verified()
    assert any(why in one for one in found), found


def test_a_manifest_that_was_changed_breaks_the_chain(backups: Backups) -> None:
    manifest = paths(backups, "manifest")
    manifest.write_text(manifest.read_text().replace('"takenMs": 18', '"takenMs": 17'))
    (why,) = backups.verified()
    assert "it cannot be restored" in why and "was made behind" in why


def test_steps_before_a_full_one_may_be_let_go(backups: Backups) -> None:
    cluster = backups.cluster
    cluster.snapshot(drops=True)
    cluster.write("d")
    full = backups.take(full=True)
    for name in listed(backups.store).names[1:]:
        Path(backups.store.uri, manifest_key(name)).unlink()
    assert backups.verified() == []
    found = read_chain(backups.store, listed(backups.store))
    assert [one.name for one in found.links] == [full.name]


def test_a_step_that_is_missing_in_the_middle_is_told(backups: Backups) -> None:
    paths(backups, "manifest").unlink()
    (why,) = backups.verified()
    assert "it cannot be restored" in why and why.endswith("is missing")
    found = read_chain(backups.store, listed(backups.store))
    with pytest.raises(OperatorError, match="those that are: none"):
        links_for(found, None)


def test_offsets_between_two_stretches_are_not_there(backups: Backups) -> None:
    cluster = backups.cluster
    end = cluster.end
    cluster.write("d", "e", "f")
    cluster.snapshot(drops=True)
    backups.take()
    found = read_chain(backups.store, listed(backups.store))
    assert found.reach == ((4, end), (end + 3, end + 3))
    with pytest.raises(OperatorError, match=f"offset {end + 1} is not in the backup.*4 to {end}, "):
        links_for(found, end + 1)
    assert links_for(found, end + 3)[0].step.snapshot is not None
    assert len(links_for(found, end)) == 2


def test_an_empty_store_has_no_chain(tmp_path: Path) -> None:
    backups = Backups(Cluster(), tmp_path)
    assert latest(backups.store, listed(backups.store)) is None
    with pytest.raises(OperatorError, match="there is no backup in it"):
        backups.verified()


def test_too_many_steps_and_too_large_manifests_are_refused(
    backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    listing = listed(backups.store)
    monkeypatch.setattr(chain_module, "MAX_BACKUP_MANIFEST_BYTES", 10)
    with pytest.raises(OperatorError, match="bytes, at most 10 are read"):
        read_chain(backups.store, listing)
    monkeypatch.setattr(chain_module, "MAX_BACKUP_STEPS", 1)
    with pytest.raises(OperatorError, match="2 steps, at most 1 are read"):
        listed(backups.store)


def test_a_manifest_under_another_name_is_refused(backups: Backups) -> None:
    first, second = reversed(listed(backups.store).names)
    root = Path(backups.store.uri)
    (root / manifest_key(second)).write_bytes((root / manifest_key(first)).read_bytes())
    with pytest.raises(OperatorError, match="it is the manifest of another step"):
        backups.verified()


BAD: list[tuple[dict[str, Any], str]] = [
    ({"kind": "other"}, "it is no metaquorum backup step"),
    ({"version": 2}, "version 2, known is 1"),
    ({"end": -1}, "end is -1, and should be a whole number"),
    ({"end": 99}, "end is 99, and should be 5, where the last segment ends"),
    ({"start": 3}, "start is 3, and should be 4, where the snapshot ends"),
    ({"previous": {"step": "../x", "sha256": "0" * 64}}, "should be the name of a step"),
    ({"previous": {"step": 7, "sha256": "0" * 64}}, "a text of at most"),
    ({"lastEpoch": 1 << 40}, "lastEpoch is"),
    ({"segments": [{"base": 4, "end": 5, "name": "../../etc", "sizeBytes": 1}]}, "name is '../"),
    ({"segments": [{"base": 4, "end": 5, "name": SEGMENT, "sizeBytes": 1, "sha256": "no"}]},
     "64 hexadecimal digits"),
    ({"segments": [{"base": 9, "end": 9, "name": "00000000000000000009.log", "sizeBytes": 1,
                    "sha256": "0" * 64}]}, "offsets 9 to 9, due is 4"),
    ({"snapshot": None}, "previous is None"),
    ({"epochs": "x"}, "a list of at most"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "why"), BAD)
def test_a_manifest_is_read_field_by_field(
    backups: Backups, change: dict[str, Any], why: str
) -> None:
    content = paths(backups, "manifest").read_bytes()
    assert encode_step(decode_step("m", content)) == content
    row = {**json.loads(content), **change}
    with pytest.raises(OperatorError) as refused:
        decode_step("m", json.dumps(row).encode())
    assert str(refused.value).startswith("m") and why in str(refused.value)
