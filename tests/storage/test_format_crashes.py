"""Every legal crash of a format: the directories are formatted whole, or can be formatted again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from attrs import evolve

from metaquorum.base.errors import OperatorError
from metaquorum.cli.format_directories import look_at
from metaquorum.cli.format_plan import FormatOrder
from metaquorum.cli.releases import Release
from metaquorum.cli.storage import run_format
from metaquorum.config.node_config import NodeConfig
from metaquorum.node.data_directory import DataDirectory
from metaquorum.storage import meta_properties
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.testing.sim.crashes import Crash, crashes
from metaquorum.testing.sim.disk import SimDisk

CLUSTER = "4L6g3nShT-eMCtK--X86sw"
LEVEL = 30
USER = "SCRAM-SHA-256=[name=alice,salt=N3E=,saltedpassword=YCE=]"
ONE = "1@h:9093:dddddddddddddddddddd1A"
PROPERTIES = {
    "process.roles": "controller",
    "node.id": "1",
    "listeners": "CONTROLLER://localhost:9093",
    "controller.listener.names": "CONTROLLER",
    "controller.quorum.bootstrap.servers": "localhost:9093",
    "log.dirs": "/no-such-root/d1,/no-such-root/d2",
    "metadata.log.dir": "/no-such-root/m",
}
STATIC = {"controller.quorum.bootstrap.servers": "", "controller.quorum.voters": "1@localhost:9093"}
ORDER = FormatOrder(cluster_id=CLUSTER, release=Release(LEVEL), scram=(USER,))
KINDS: dict[str, tuple[dict[str, str], FormatOrder]] = {
    "standalone": ({}, evolve(ORDER, standalone=True)),
    "initial controllers": ({}, evolve(ORDER, initial_controllers=ONE)),
    "joining": ({}, evolve(ORDER, joining=True)),
    "static voters": (STATIC, ORDER),
    "legacy files": ({}, evolve(ORDER, standalone=True, legacy=True)),
    "one directory": (
        {"log.dirs": "/no-such-root/m", "metadata.log.dir": ""},
        evolve(ORDER, standalone=True),
    ),
}


def config_of(changes: dict[str, str]) -> NodeConfig:
    properties = {key: text for key, text in (PROPERTIES | changes).items() if text}
    return NodeConfig.of(properties, "server.properties")[0]


def format_on(disk: SimDisk, config: NodeConfig, order: FormatOrder) -> None:
    run_format(config, order, lambda _: None, disk)


def traced(kind: str) -> tuple[NodeConfig, FormatOrder, SimDisk]:
    changes, order = KINDS[kind]
    config, disk = config_of(changes), SimDisk()
    format_on(disk, config, order)
    return config, order, disk


def bootstrap_of(disk: SimDisk, config: NodeConfig) -> list[str]:
    """What a node that starts on this disk would write first."""
    identity = meta_properties.read(disk, config.metadata_log_dir)
    assert identity is not None
    assert identity.cluster_id == CLUSTER
    opened = DataDirectory.over(disk, config, identity)
    return [type(one.message).__name__ for one in opened.bootstrap_records()]


WHOLE = ["FeatureLevelRecord"] * 6 + ["UserScramCredentialRecord"]


def every_crash(kind: str) -> Iterator[tuple[NodeConfig, FormatOrder, Crash]]:
    config, order, disk = traced(kind)
    for crash in crashes({}, disk.trace, most_cuts=6):
        yield config, order, crash


@pytest.mark.parametrize("kind", KINDS)
def test_after_every_crash_a_format_is_whole_or_can_be_done_again(kind: str) -> None:
    whole = again = 0
    for config, order, crash in every_crash(kind):
        disk = SimDisk.holding(crash.files)
        found = look_at(disk, config)
        if found.empty:
            again += 1
            # One that some directories were through with says so and asks for the flag.
            format_on(disk, config, evolve(order, ignore_formatted=bool(found.formatted)))
        else:
            whole += 1
        assert not look_at(disk, config).empty, (crash.done, crash.story)
        assert bootstrap_of(disk, config) == WHOLE, (crash.done, crash.story)
    assert again > 15
    assert whole >= 1


def test_a_crash_in_the_format_after_a_crash_does_no_harm_either() -> None:
    tried = 0
    for config, order, crash in every_crash("one directory"):
        disk = SimDisk.holding(crash.files)
        if not look_at(disk, config).empty:
            continue
        begun = len(disk.trace)
        format_on(disk, config, order)
        for second in crashes(crash.files, disk.trace[begun:], most_cuts=4):
            other = SimDisk.holding(second.files)
            if look_at(other, config).empty:
                format_on(other, config, order)
            assert bootstrap_of(other, config) == WHOLE, (crash.story, second.story)
            tried += 1
    assert tried > 300


@pytest.mark.parametrize(
    ("first", "then"),
    [("standalone", "legacy files"), ("legacy files", "joining"), ("legacy files", "standalone")],
)
def test_an_interrupted_format_leaves_nothing_in_one_of_another_kind(first: str, then: str) -> None:
    expected = {name.rpartition("/")[2] for name in traced(then)[2].files()}
    for config, _, crash in every_crash(first):
        disk = SimDisk.holding(crash.files)
        if config.metadata_log_dir not in look_at(disk, config).empty:
            continue
        format_on(disk, config, evolve(KINDS[then][1], ignore_formatted=True))
        below = f"{config.metadata_log_dir}/"
        left = {n.rpartition("/")[2] for n in disk.files() if n.startswith(below)}
        assert left <= expected, (crash.done, crash.story)


def _with_a_log(files: dict[str, bytes], config: NodeConfig) -> dict[str, bytes]:
    segment = f"{config.metadata_log_dir}/{METADATA_DIRECTORY}/00000000000000000000.log"
    return {**files, segment: b"records of a node that ran"}


@pytest.mark.parametrize(
    "change", [_with_a_log, lambda files, config: files], ids=["a log", "no mark of a format"]
)
def test_what_a_node_has_run_on_is_no_interrupted_format(
    change: Callable[[dict[str, bytes], NodeConfig], dict[str, bytes]],
) -> None:
    """An identity that was lost is the operator's affair: nothing is written over."""
    config, order, disk = traced("one directory")
    identity = f"{config.metadata_log_dir}/meta.properties"
    files = dict(disk.files())
    content = files.pop(identity)
    if change is _with_a_log:
        files[f"{identity}.tmp"] = content
    lost = SimDisk.holding(change(files, config))
    with pytest.raises(OperatorError, match="remove that file first"):
        format_on(lost, config, order)
    assert lost.files() == change(files, config)
