"""``check host``: what it finds on machines that a test describes, and on this one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import define, field

from metaquorum.base.limits import MAX_DESCRIPTORS
from metaquorum.cli.host_checks import Checked, Grade, host_checks
from metaquorum.cli.host_facts import PROBE_SYNCS, HostFacts, PortRange, file_system_of
from metaquorum.cli.main import run
from metaquorum.config.node_config import NodeConfig
from metaquorum.server.sockets.descriptors import LEAST_DESCRIPTORS

SYSCTL_FILE = Path(__file__).resolve().parents[3] / "deploy" / "sysctl.d" / "60-metaquorum.conf"
GIBIBYTE = 1 << 30


@define
class Machine(HostFacts):
    """One on which all is fine, but for what a test changes."""

    kernel: dict[str, str] = field(
        factory=lambda: {
            "/proc/swaps": "Filename\tType",
            "/proc/sys/vm/swappiness": "60",
            "/proc/sys/fs/aio-nr": "10",
            "/proc/sys/fs/aio-max-nr": "65536",
            "/proc/sys/net/core/somaxconn": "4096",
            "/proc/sys/net/ipv4/ip_local_port_range": "32768\t60999",
            "/proc/sys/net/ipv4/ip_local_reserved_ports": "",
        }
    )
    limit: int | None = None
    synchronised: bool | None = True
    kind: str | None = "ext4"
    free: int = 100 * GIBIBYTE
    used: int = 0
    syncs_ms: list[float] = field(factory=lambda: [1.0] * PROBE_SYNCS)
    refused: OSError | None = None

    def kernel_text(self, path: str) -> str | None:
        return self.kernel.get(path)

    def open_files_limit(self) -> int | None:
        return self.limit

    def clock_is_synchronised(self) -> bool | None:
        return self.synchronised

    def file_system(self, directory: str) -> str | None:
        return self.kind

    def free_bytes(self, directory: str) -> int:
        return self.free

    def used_bytes(self, directory: str) -> int:
        return self.used

    def sync_times_ms(self, directory: str) -> list[float]:
        if self.refused is not None:
            raise self.refused
        return self.syncs_ms


def config_in(directory: Path, **changes: str) -> NodeConfig:
    properties = {
        "process.roles": "controller",
        "node.id": "1",
        "controller.quorum.bootstrap.servers": "a:9093",
        "controller.listener.names": "CONTROLLER",
        "listeners": "CONTROLLER://:9093",
        "log.dirs": str(directory),
        **{key.replace("_", "."): value for key, value in changes.items()},
    }
    return NodeConfig.of(properties, "test", host_name=lambda: "a")[0]


def checked(machine: Machine, config: NodeConfig | None, beginning: str) -> Checked:
    (one,) = [c for c in host_checks(config, machine) if c.name.startswith(beginning)]
    return one


def test_a_machine_with_all_that_a_node_wants_is_fine(tmp_path: Path):
    found = list(host_checks(config_in(tmp_path), Machine()))
    assert {one.grade for one in found} == {Grade.FINE}
    assert len(found) == 9
    assert all(one.found and one.wanted and one.why for one in found)


def test_what_a_machine_does_not_tell_is_no_advice(tmp_path: Path):
    machine = Machine(kernel={}, synchronised=None, kind=None)
    assert {one.grade for one in host_checks(config_in(tmp_path), machine)} == {Grade.FINE}


@pytest.mark.parametrize(
    ("limit", "grade"),
    [
        (None, Grade.FINE),
        (MAX_DESCRIPTORS, Grade.FINE),
        (MAX_DESCRIPTORS - 1, Grade.ADVICE),
        (LEAST_DESCRIPTORS, Grade.ADVICE),
        (LEAST_DESCRIPTORS - 1, Grade.BAD),
    ],
)
def test_open_files_are_graded_by_what_the_node_would_do(limit: int | None, grade: Grade):
    assert checked(Machine(limit=limit), None, "open files").grade is grade


def test_swapping_matters_where_there_is_swap():
    machine = Machine()
    machine.kernel["/proc/swaps"] += "\n/swapfile file 1024 0 -2"
    one = checked(machine, None, "swapping")
    assert (one.grade, one.found) == (Grade.ADVICE, "swap, vm.swappiness=60")
    machine.kernel["/proc/sys/vm/swappiness"] = "1"
    assert checked(machine, None, "swapping").grade is Grade.FINE


def test_a_clock_that_nothing_steers_is_advice():
    assert checked(Machine(synchronised=False), None, "clock").grade is Grade.ADVICE


def test_contexts_that_are_nearly_used_up_are_advice():
    machine = Machine()
    machine.kernel["/proc/sys/fs/aio-nr"] = "65000"
    one = checked(machine, None, "asynchronous I/O")
    assert (one.grade, one.found) == (Grade.ADVICE, "536 of 65536 free")


def test_a_backlog_that_the_kernel_cuts_is_advice(tmp_path: Path):
    config = config_in(tmp_path, socket_listen_backlog_size="5000")
    assert checked(Machine(), config, "backlog").grade is Grade.ADVICE


@pytest.mark.parametrize(
    ("reserved", "grade"),
    [("", Grade.ADVICE), ("40000-40010,39404", Grade.FINE), ("40000-40010", Grade.ADVICE)],
)
def test_ports_that_others_may_take_are_named(tmp_path: Path, reserved: str, grade: Grade):
    machine = Machine()
    machine.kernel["/proc/sys/net/ipv4/ip_local_reserved_ports"] = reserved
    config = config_in(
        tmp_path, listeners="CONTROLLER://:40003", metrics_listener="localhost:39404"
    )
    one = checked(machine, config, "ports")
    assert one.grade is grade
    if grade is Grade.ADVICE:
        assert "metrics.listener 39404" in one.found
        assert ("CONTROLLER 40003" in one.found) is (reserved == "")


@pytest.mark.parametrize(
    ("kind", "grade"),
    [
        ("xfs", Grade.FINE),
        ("tmpfs", Grade.BAD),
        ("nfs4", Grade.ADVICE),
        ("overlay", Grade.ADVICE),
    ],
)
def test_file_systems_are_graded_by_what_they_keep(tmp_path: Path, kind: str, grade: Grade):
    assert checked(Machine(kind=kind), config_in(tmp_path), "file system").grade is grade


@pytest.mark.parametrize(
    ("free", "used", "grade"),
    [
        (2 * GIBIBYTE, 0, Grade.FINE),
        (GIBIBYTE, 0, Grade.ADVICE),
        (GIBIBYTE, GIBIBYTE // 2, Grade.FINE),  # what is there already is not needed again
        (1 << 20, 2 * GIBIBYTE, Grade.BAD),
    ],
)
def test_free_space_is_for_a_segment_and_retention(
    tmp_path: Path, free: int, used: int, grade: Grade
):
    machine = Machine(free=free, used=used)
    assert checked(machine, config_in(tmp_path), "free space").grade is grade


@pytest.mark.parametrize(
    ("slowest_ms", "grade"), [(9.0, Grade.FINE), (60.0, Grade.ADVICE), (300.0, Grade.BAD)]
)
def test_slow_syncs_are_graded_by_the_election(tmp_path: Path, slowest_ms: float, grade: Grade):
    machine = Machine(syncs_ms=[1.0] * 190 + [slowest_ms] * 10)
    one = checked(machine, config_in(tmp_path), "sync of")
    assert one.grade is grade
    assert one.found == f"1.00 ms, 99 % within {slowest_ms:.2f} ms, of 200"


def test_a_directory_that_cannot_be_written_is_bad(tmp_path: Path):
    machine = Machine(refused=PermissionError(13, "Permission denied"))
    one = checked(machine, config_in(tmp_path / "later"), "directory")
    assert (one.grade, one.found) == (Grade.BAD, "Permission denied")


def test_each_log_directory_is_checked_once(tmp_path: Path):
    both = f"{tmp_path / 'a'},{tmp_path / 'b'}"
    config = config_in(tmp_path, log_dirs=both, metadata_log_dir=str(tmp_path / "a"))
    names = [one.name for one in host_checks(config, Machine())]
    assert len(names) == len(set(names)) == 12


def test_the_last_mount_above_a_path_is_its_file_system():
    mounts = "\n".join(
        [
            "22 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw",
            "30 22 0:40 / /var rw - xfs /dev/sdb1 rw",
            r"31 22 0:41 / /var/a\040b rw - tmpfs tmpfs rw",
            "32 22 0:42 / /var rw - btrfs /dev/sdc1 rw",
            "broken",
        ]
    )
    assert file_system_of(mounts, "/etc") == "ext4"
    assert file_system_of(mounts, "/var") == file_system_of(mounts, "/var/lib") == "btrfs"
    assert file_system_of(mounts, "/var/a b/data") == "tmpfs"
    assert file_system_of(mounts, "/various") == "ext4"
    assert file_system_of("", "/") is None


def test_reserved_ports_are_single_ones_and_ranges():
    ports = PortRange(32_768, 60_999, "40000,41000-41005")
    taken = [
        port for port in (9_093, 32_768, 40_000, 40_001, 41_003, 60_999) if ports.may_take(port)
    ]
    assert taken == [32_768, 40_001, 60_999]


def test_this_machine_is_told_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "server.properties"
    path.write_text(
        "process.roles=controller\nnode.id=1\ncontroller.listener.names=C\nlisteners=C://a:9093\n"
        f"controller.quorum.bootstrap.servers=a:9093\nlog.dirs={tmp_path / 'data'}\n"
    )
    code = run(["check", "host", "-c", str(path), "-o", "json"])
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    grades = {"fine": 0, "advice": 1, "bad": 2}
    assert code == max(grades[one["grade"]] for one in told)
    assert {"open files", "clock", f"sync of {tmp_path / 'data'}"} <= {one["check"] for one in told}
    assert list(tmp_path.iterdir()) == [path]  # and nothing is left behind

    assert run(["check", "host"]) in (0, 1, 2)
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.split() == ["CHECK", "GRADE", "FOUND", "WANTED", "WHY"]
    column = first.index("GRADE")
    assert all(line[column:].split()[0] in grades for line in rest)


def test_a_configuration_that_cannot_be_read_is_bad(capsys: pytest.CaptureFixture[str]):
    assert run(["check", "host", "-c", "/nowhere/server.properties"]) == 2
    assert "cannot read /nowhere/server.properties" in capsys.readouterr().err


def test_every_sysctl_that_is_advised_is_checked():
    lines = SYSCTL_FILE.read_text().splitlines()
    keys = [line.partition("=")[0].strip() for line in lines if line and line[0] != "#"]
    assert len(keys) == 4
    machine, asked = Machine(), set[str]()

    class Asked(Machine):
        def kernel_text(self, path: str) -> str | None:
            asked.add(path)
            return machine.kernel_text(path)

    list(host_checks(config_in(Path("/tmp")), Asked()))
    assert {f"/proc/sys/{key.replace('.', '/')}" for key in keys} <= {
        path.replace(".", "/") for path in asked
    }
