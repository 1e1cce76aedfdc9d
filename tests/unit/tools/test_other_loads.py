"""Other people's loads: their judges find what is wrong, their programs are told what to do."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from tools.kafka.log_errors import SENT_TO_TWO_LEADERS, KafkasOwn
from tools.kafka_tests.launcher import Outcome
from tools.kafka_tests.lists import Reason, Recorded, read_reasons, read_record, unused
from tools.other_loads import running, suites
from tools.other_loads.__main__ import main, parser
from tools.other_loads.catalogue import LOADS, SUITES
from tools.other_loads.cluster import fail_over
from tools.other_loads.confluent_program import as_text, parse_options
from tools.other_loads.go_suites import GoModule, functions_that_name, outcomes_of
from tools.other_loads.load import Found, Load, Task
from tools.other_loads.report import as_json, list_json
from tools.other_loads.report import as_text as results_as_text
from tools.other_loads.running import Result
from tools.other_loads.trogdor import (
    STOPS_S,
    Stop,
    fault_spec,
    in_turn,
    jcmd_script,
    limit_s,
    schedule,
    workload_spec,
)
from tools.process import ServerFailed

PROCESSES = ("controller-1", "broker-101", "controller-2")
ALL: Any = Task(cluster=None, seconds=1.0, logs=Path())  # type: ignore[arg-type]


def part(*tests: str) -> Any:
    return Task(cluster=None, seconds=1.0, logs=Path(), tests=tests)  # type: ignore[arg-type]


# ------------------------------------------------------------------------- the judge of records


def test_records_that_are_read_once_each_are_no_fault() -> None:
    found = Found()
    found.once_each("abc", "cab")
    assert found.faults == []
    assert found.counts == {"acknowledged": 3, "read": 3, "lost": 0, "doubled": 0}


@pytest.mark.parametrize(
    ("acknowledged", "read", "word"),
    [
        ("abc", "ab", "1 records lost: c"),
        ("ab", "abb", "1 records doubled: b"),
        ("", "", "nothing"),
    ],
)
def test_a_record_that_is_lost_or_doubled_is_a_fault(
    acknowledged: str, read: str, word: str
) -> None:
    found = Found()
    found.once_each(acknowledged, read)
    assert [word in one for one in found.faults] == [True]


def test_a_record_nobody_sent_is_a_fault_where_all_was_promised() -> None:
    strict, loose = Found(), Found()
    strict.once_each("a", "ab")
    loose.once_each("a", "ab", promised=False)
    assert strict.faults == ["1 records never sent: b"]
    assert loose.faults == []


# ------------------------------------------------------------------------- Trogdor


def test_stops_are_one_at_a_time_and_end_with_the_load() -> None:
    stops = schedule(600.0, PROCESSES)
    assert all(a.at_s + a.for_s < b.at_s for a, b in pairwise(stops))
    assert stops[-1].at_s + stops[-1].for_s <= 600.0


def test_every_process_is_stopped_for_every_length() -> None:
    stops = schedule(3_600.0, PROCESSES)
    assert {(one.process, one.for_s) for one in stops} == {
        (process, length) for process in PROCESSES for length in STOPS_S
    }


def test_controllers_and_brokers_are_stopped_in_turn() -> None:
    names = ("broker-1", "broker-2", "controller-3001", "controller-3002", "controller-3003")
    assert in_turn(3002, names) == [
        *("controller-3002", "broker-1", "controller-3001", "broker-2", "controller-3003")
    ]


def test_a_load_too_short_for_a_stop_has_none() -> None:
    assert schedule(3.0, PROCESSES) == []


def test_a_load_may_take_as_long_as_stops_hold_it_up() -> None:
    stops = [Stop("broker-1", 4.0, 11.0), Stop("controller-1", 19.0, 5.0)]
    assert limit_s(60.0, stops) - limit_s(60.0, []) == 16.0
    assert limit_s(60.0, []) > 60.0


def test_a_stop_is_a_process_stop_fault_of_trogdors() -> None:
    spec = fault_spec(Stop("broker-102", 4.5, 2.0), began_ms=1_000)
    assert spec["class"] == "org.apache.kafka.trogdor.fault.ProcessStopFaultSpec"
    assert (spec["startMs"], spec["durationMs"], spec["javaProcessName"]) == (
        *(5_500, 2_000, "broker-102"),
    )


def test_a_workload_asks_for_every_message_to_come_back() -> None:
    spec = workload_spec("a:1,b:2", 400, within_s=2.0, began_ms=7)
    assert (spec["bootstrapServers"], spec["maxMessages"], spec["startMs"]) == ("a:1,b:2", 400, 7)
    assert spec["durationMs"] > 2_000
    assert [one["replicationFactor"] for one in spec["activeTopics"].values()] == [3]


def test_jcmd_lists_the_processes_of_the_cluster_alone(tmp_path: Path) -> None:
    script = tmp_path / "jcmd"
    script.write_text(jcmd_script({"controller-1": 12, "broker-101": 345}))
    script.chmod(0o755)
    ran = subprocess.run([script], capture_output=True, text=True, check=True)
    assert ran.stdout == "12 controller-1\n345 broker-101\n"


# ------------------------------------------------------------------------- fail-overs


@define
class Node:
    done: list[str] = field(factory=list)

    def kill(self) -> None:
        self.done.append("killed")

    def start(self) -> None:
        self.done.append("started")


@define
class Controllers:
    nodes: dict[int, Node]


@define
class Quorum:
    """Node 1 leads; when another is asked for, ``next_leader``, or nobody."""

    next_leader: int | None
    controllers: Controllers = field(factory=lambda: Controllers({1: Node(), 2: Node()}))

    def active(self, among: Any = lambda _: True) -> int:
        if among(1):
            return 1
        if self.next_leader is None or not among(self.next_leader):
            raise ServerFailed("nobody leads")
        return self.next_leader


def test_a_fail_over_kills_the_active_controller_and_starts_it() -> None:
    quorum: Any = Quorum(next_leader=2)
    fail_over(quorum)
    assert quorum.controllers.nodes[1].done == ["killed", "started"]
    assert quorum.controllers.nodes[2].done == []


def test_a_fail_over_to_nobody_fails_and_starts_the_old_one() -> None:
    quorum: Any = Quorum(next_leader=None)
    with pytest.raises(ServerFailed, match="nobody leads"):
        fail_over(quorum)
    assert quorum.controllers.nodes[1].done == ["killed", "started"]


# ------------------------------------------------------------------------- suites of Go


def line(action: str, test: str | None = None, **more: object) -> str:
    return json.dumps({"Action": action, **({} if test is None else {"Test": test}), **more})


def test_what_go_tells_of_tests_and_subtests_is_read() -> None:
    outcomes = outcomes_of(
        "suite",
        [
            "not JSON",
            line("start"),
            *(line("run", one) for one in ("TestA", "TestA/x", "TestB", "TestC", "TestD")),
            line("output", "TestB", Output="    b_test.go:7: lost a record\n"),
            line("output", "TestB", Output="--- FAIL: TestB\n"),
            line("pass", "TestA/x", Elapsed=0.5),
            line("pass", "TestA", Elapsed=1.5),
            line("fail", "TestB", Elapsed=0.1),
            line("skip", "TestC", Elapsed=0.0),
            line("fail"),
        ],
    )
    assert {name: one.status for name, one in outcomes.items()} == {
        "suite#TestA": "passed",
        "suite#TestA/x": "passed",
        "suite#TestB": "failed",
        "suite#TestC": "skipped",
        "suite#TestD": "hung",
    }
    assert outcomes["suite#TestB"].why == "    b_test.go:7: lost a record"
    assert outcomes["suite#TestA"].seconds == 1.5


def test_tests_for_a_cluster_are_found_by_what_they_name(tmp_path: Path) -> None:
    (tmp_path / "a_test.go").write_text(
        "func TestMain(m *testing.M) { cluster() }\n"
        "func TestOne(t *testing.T) { cluster() }\n"
        "func TestTwo(t *testing.T) {}\n"
    )
    (tmp_path / "b_test.go").write_text("func helper() { cluster() }\n")
    assert functions_that_name(tmp_path, ["cluster("]) == ["TestOne"]
    assert functions_that_name(tmp_path, ["cluster("], whole_files=True) == ["TestOne", "TestTwo"]
    assert functions_that_name(tmp_path, ["func"], without=["cluster("]) == ["TestTwo"]


@pytest.mark.parametrize(
    ("path", "name"),
    [("github.com/a/b", "b-v1.0.0"), ("github.com/a/c/v2", "c-v1.0.0")],
)
def test_a_module_is_named_by_its_last_word(path: str, name: str) -> None:
    assert GoModule(path, "v1.0.0").name == name


# ------------------------------------------------------------------------- the record


def outcome(test: str, status: str = "passed") -> Outcome:
    return Outcome(test, status, 1.0, "" if status == "passed" else "it was wrong")


RECORD = {
    "s#A": Recorded("passed", 1.0),
    "s#A/x": Recorded("passed", 1.0),
    "s#B": Recorded("passed", 1.0),
    "s#C": Recorded("failed", 1.0),
    "other#A": Recorded("passed", 1.0),
}


def test_a_suite_that_does_as_on_kafka_is_good() -> None:
    outcomes = {name: outcome(name) for name in ("s#A", "s#A/x", "s#B", "s#C")}
    found = suites.held("s", outcomes, RECORD, [], ALL)
    assert found.faults == []
    assert (found.counts["held"], found.counts["not on Kafka"]) == (3, 1)


@pytest.mark.parametrize("status", ["failed", "skipped", "hung"])
def test_a_test_that_passes_on_kafka_alone_is_broken(status: str) -> None:
    outcomes = {"s#A": outcome("s#A"), "s#A/x": outcome("s#A/x"), "s#B": outcome("s#B", status)}
    assert suites.held("s", outcomes, RECORD, [], ALL).faults == ["BROKEN s#B: it was wrong"]


def test_a_recorded_test_that_was_not_run_is_broken() -> None:
    outcomes = {"s#A": outcome("s#A"), "s#A/x": outcome("s#A/x")}
    assert suites.held("s", outcomes, RECORD, [], ALL).faults == ["BROKEN s#B: it was not run"]


def test_a_test_that_is_not_recorded_is_a_fault() -> None:
    outcomes = {name: outcome(name) for name in ("s#A", "s#A/x", "s#B", "s#New")}
    assert suites.held("s", outcomes, RECORD, [], ALL).faults == ["NOT RECORDED s#New"]


def test_an_exception_is_counted_and_no_fault() -> None:
    outcomes = {"s#A": outcome("s#A"), "s#A/x": outcome("s#A/x"), "s#B": outcome("s#B", "failed")}
    found = suites.held("s", outcomes, RECORD, [Reason("why", ("s#B",))], ALL)
    assert (found.faults, found.counts["excepted"]) == ([], 1)


def test_a_chosen_test_is_judged_with_its_subtests_alone() -> None:
    found = suites.held("s", {"s#A": outcome("s#A")}, RECORD, [], part("A"))
    assert found.faults == ["BROKEN s#A/x: it was not run"]


def test_a_suite_of_which_nothing_held_is_a_fault() -> None:
    assert suites.held("s", {}, {}, [], ALL).faults == ["no test of s held"]


def test_a_recording_leaves_other_suites_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "on_kafka.txt"
    suites.recorded("other", {"other#A": outcome("other#A")}, path)
    suites.recorded("s", {"s#Old": outcome("s#Old")}, path)
    found = suites.recorded("s", {"s#A": outcome("s#A"), "s#B": outcome("s#B", "hung")}, path)
    assert {name: one.status for name, one in read_record(path).items()} == {
        "other#A": "passed",
        "s#A": "passed",
        "s#B": "failed",
    }
    assert found.faults == []


def test_every_exception_names_what_is_recorded() -> None:
    record = read_record(suites.RECORD)
    assert unused(read_reasons(suites.EXCEPTIONS), record) == []
    recorded = {name.partition("#")[0] for name in record}
    assert recorded == {one.name for one in SUITES}


# ------------------------------------------------------------------------- confluent-kafka


def test_options_have_what_python_2_programs_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made = argparse.ArgumentParser()
    made.add_argument("--topic")
    monkeypatch.setattr(sys, "argv", ["program", "--topic", "t"])
    options: Any = vars(parse_options(made))
    assert list(options.iteritems()) == [("topic", "t")]


def test_bytes_are_text_in_json_and_other_objects_are_refused() -> None:
    assert json.dumps({"value": b"7"}, default=as_text) == '{"value": "7"}'
    with pytest.raises(TypeError, match="set is not JSON"):
        as_text(set())


# ------------------------------------------------------------------------- a run


@define
class Cluster:
    """One whose logs have two errors, and of which a process has ended."""

    entered: bool = False

    def __enter__(self) -> None:
        self.entered = True

    def __exit__(self, *failure: object) -> None:
        self.entered = False

    def ended(self) -> list[str]:
        return ["broker-2 has ended"]

    def stop(self) -> None:
        assert self.entered

    def logged(self, *, of_brokers: bool, excused: Sequence[KafkasOwn]) -> list[str]:
        told = [] if SENT_TO_TWO_LEADERS in excused else ["broker-1 logged: b"]
        return ["controller-3001 logged: a", *(told if of_brokers else [])]


@pytest.mark.parametrize(
    ("more", "logged"),
    [
        ({}, ["controller-3001 logged: a", "broker-1 logged: b"]),
        ({"own_verdict": True}, ["controller-3001 logged: a"]),
        ({"brokers_may_log": ("logged: b",)}, ["controller-3001 logged: a"]),
        ({"excused": (SENT_TO_TWO_LEADERS,)}, ["controller-3001 logged: a"]),
    ],
)
def test_what_ended_and_was_logged_is_a_fault(
    more: dict[str, Any],
    logged: list[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(running, "LoadCluster", lambda *_: Cluster())
    load = Load("one", "what", lambda _: Found({}, ["1 records lost: 7"]), **more)
    java: Any = None
    result = running.run_load(load, java, "ours", tmp_path / "logs")
    assert result.found.faults == ["1 records lost: 7", "broker-2 has ended", *logged]


@pytest.mark.parametrize("error", [ServerFailed("it ended"), OSError("it ended")])
def test_a_load_that_cannot_go_on_is_a_fault(
    error: Exception, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fails(task: Task) -> Found:
        raise error

    monkeypatch.setattr(running, "LoadCluster", lambda *_: Cluster())
    java: Any = None
    result = running.run_load(Load("one", "what", fails), java, "ours", tmp_path / "logs")
    assert result.found.faults == ["one did not come to its end: it ended"]


# ------------------------------------------------------------------------- the command


def test_list_has_every_load_in_both_forms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    assert [row.split()[0] for row in rows] == [one.name for one in LOADS]
    assert [row["name"] for row in json.loads(list_json(LOADS))] == [one.name for one in LOADS]


@pytest.mark.parametrize(
    "words",
    [
        ["run", "trogdor", "--seconds", "0"],
        ["run", "trogdor", "--seconds", "many"],
        ["run", "trogdor", "--seconds", "86401"],
        ["run", "nothing"],
        ["record", "trogdor"],
        ["run", "trogdor", "--on", "mars"],
    ],
)
def test_a_wrong_option_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(words)
    assert ended.value.code == 2
    assert "error: argument" in capsys.readouterr().err


def test_a_result_shows_its_counts_and_every_fault() -> None:
    result = Result("copier", "ours", 12.3, Found({"lost": 1}, ["1 records lost: 7"]))
    text = results_as_text([result])
    assert "FAULTS" in text and "lost 1" in text and "  1 records lost: 7" in text
    assert as_json([result])[0]["good"] is False


def test_help_has_examples() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tools.other_loads", "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    assert "Examples:" in ran.stdout and "Exit codes:" in ran.stdout
