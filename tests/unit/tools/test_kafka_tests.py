"""Kafka's tests on our controllers: lists are read, runs are judged, nothing is passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.kafka_tests.__main__ import Progress, say
from tools.kafka_tests.judge import judged, passed_again
from tools.kafka_tests.lanes import lanes_of, run_in_lanes
from tools.kafka_tests.launcher import Outcome, left_at_close, outcome_of
from tools.kafka_tests.lists import (
    AGAIN,
    BadList,
    Chance,
    Reason,
    Recorded,
    read_chances,
    read_reasons,
    read_record,
    reason_for,
    unused,
    write_record,
)
from tools.kafka_tests.report import as_text
from tools.kafka_tests.selections import CI, UnknownClass, chosen, full_name

ONE, TWO = "org.a.OneTest#works[isolated 1]", "org.a.OneTest#works[combined 1]"
OTHER = "org.a.TwoTest#stops"


def recorded(**seconds: float) -> dict[str, Recorded]:
    return {f"org.a.{name}#runs": Recorded("passed", one) for name, one in seconds.items()}


def outcome(test: str, status: str = "passed", *faults: str) -> Outcome:
    return Outcome(test, status, 1.0, "" if status == "passed" else "it failed", faults)


def test_a_record_that_is_written_reads_the_same(tmp_path: Path) -> None:
    record = {OTHER: Recorded("failed", 0.5), ONE: Recorded("passed", 12.3)}
    write_record(record, tmp_path / "record")
    assert read_record(tmp_path / "record") == record


@pytest.mark.parametrize("line", ["passed 1.0", "fine 1.0 A#b", "passed x A#b", "passed 1.0 A"])
def test_a_record_names_the_line_that_it_cannot_read(tmp_path: Path, line: str) -> None:
    path = tmp_path / "record"
    path.write_text(f"# head\n{line}\n")
    with pytest.raises(BadList, match="record:2"):
        read_record(path)


@pytest.mark.parametrize(
    "text", ["x", "[[exception]]\ntests = ['a']", "[[exception]]\nwhy = 'w'\ntests = []"]
)
def test_an_exception_needs_a_reason_and_tests(tmp_path: Path, text: str) -> None:
    path = tmp_path / "exceptions"
    path.write_text(text)
    with pytest.raises(BadList, match="exceptions"):
        read_reasons(path)


@pytest.mark.parametrize(
    ("named", "covers_one", "covers_two"),
    [
        (ONE, True, False),
        ("org.a.OneTest#works", True, True),
        ("org.a.OneTest#works[combined", False, True),
        ("org.a.OneTest", True, True),
        ("org.a.One", False, False),
        ("org.a.OneTest#work", False, False),
    ],
)
def test_a_name_covers_what_belongs_to_it(named: str, covers_one: bool, covers_two: bool) -> None:
    reason = Reason("why", (named,))
    assert (reason.covers(ONE), reason.covers(TWO)) == (covers_one, covers_two)
    assert reason_for(ONE, [reason]) == (reason if covers_one else None)


def test_a_test_that_was_not_run_is_broken() -> None:
    record = {ONE: Recorded("passed", 1.0), OTHER: Recorded("passed", 1.0)}
    verdict = judged({ONE: outcome(ONE)}, record, [], {"org.a.OneTest", "org.a.TwoTest"})
    assert verdict.held == (ONE,)
    assert verdict.broken == {OTHER: "it was not run"}
    assert not verdict.is_good


def test_classes_that_were_not_asked_for_are_not_judged() -> None:
    record = {ONE: Recorded("passed", 1.0), OTHER: Recorded("passed", 1.0)}
    verdict = judged({ONE: outcome(ONE)}, record, [], {"org.a.OneTest"})
    assert verdict.is_good
    assert verdict.held == (ONE,)


def test_a_passed_test_whose_controller_ended_is_broken() -> None:
    verdict = judged(
        {ONE: outcome(ONE, "passed", "it had ended")},
        {ONE: Recorded("passed", 1.0)},
        [],
        {"org.a.OneTest"},
    )
    assert verdict.broken == {ONE: "a controller ended: it had ended"}


def test_what_fails_on_kafka_and_what_is_excepted_may_fail() -> None:
    record = {ONE: Recorded("failed", 1.0), TWO: Recorded("passed", 1.0)}
    reason = Reason("one process", ("org.a.OneTest#works[combined",))
    outcomes = {ONE: outcome(ONE, "failed"), TWO: outcome(TWO, "failed")}
    verdict = judged(outcomes, record, [reason], {"org.a.OneTest"})
    assert verdict.is_good
    assert verdict.excepted == {TWO: reason}
    assert verdict.not_on_kafka == (ONE,)


def test_a_test_that_nobody_recorded_is_told() -> None:
    verdict = judged({ONE: outcome(ONE)}, {}, [], {"org.a.OneTest"})
    assert verdict.unknown == (ONE,)
    assert not verdict.is_good
    assert f"NOT RECORDED {ONE}" in as_text(verdict, [], 1.0)


LOST = Chance(
    "the connection is lost", ("org.a.OneTest#works",), ("it hung up", "it failed"), "1 of 9 runs"
)


def run_again(*statuses: str):
    left = list(statuses)
    return lambda test: outcome(test, left.pop(0))


def test_what_fails_by_chance_has_to_pass_when_run_again() -> None:
    record = {ONE: Recorded("passed", 1.0), OTHER: Recorded("passed", 1.0)}
    outcomes = {ONE: outcome(ONE, "failed"), OTHER: outcome(OTHER)}
    again = passed_again(outcomes, [LOST], run_again("failed", "passed"))
    verdict = judged(outcomes, record, [], {"org.a.OneTest", "org.a.TwoTest"}, again)
    assert verdict.is_good
    assert (verdict.held, dict(verdict.by_chance)) == ((OTHER,), {ONE: LOST})
    text = as_text(verdict, [], 1.0)
    assert f"BY CHANCE {ONE}" in text
    assert "1 of 2 tests that pass on Kafka's controllers pass on ours, 1 passed when run" in text


@pytest.mark.parametrize(
    ("first", "chance"),
    [
        (outcome(ONE, "failed"), Chance("w", (ONE,), ("another failure",), "1 of 9 runs")),
        (outcome(ONE, "failed"), Chance("w", (OTHER,), ("it failed",), "1 of 9 runs")),
        (outcome(ONE, "failed", "it ended"), LOST),
        (outcome(ONE, "hung"), LOST),
    ],
    ids=["another failure", "another test", "a controller ended", "hung"],
)
def test_any_other_failure_is_not_left_to_chance(first: Outcome, chance: Chance) -> None:
    again = passed_again({ONE: first}, [chance], run_again("passed"))
    verdict = judged({ONE: first}, {ONE: Recorded("passed", 1.0)}, [], {"org.a.OneTest"}, again)
    assert list(verdict.broken) == [ONE]
    assert not verdict.is_good


def test_what_fails_each_time_is_broken() -> None:
    outcomes = {ONE: outcome(ONE, "failed")}
    again = passed_again(outcomes, [LOST], run_again(*["failed"] * AGAIN))
    verdict = judged(outcomes, {ONE: Recorded("passed", 1.0)}, [], {"org.a.OneTest"}, again)
    assert verdict.broken == {ONE: "it failed"}


@pytest.mark.parametrize(
    "wrong",
    [
        *({"why": ""}, {"failures": ""}, {"on_kafka": ""}, {"tests": ""}),
        *({"failures": "'f'"}, {"failures": "[]"}, {"failures": "['f', '']"}, {"tests": "[1]"}),
    ],
    ids=str,
)
def test_a_chance_names_failures_and_how_often(tmp_path: Path, wrong: dict[str, str]) -> None:
    lines = {"why": "'w'", "failures": "['f', 'g']", "on_kafka": "'1 of 9'", "tests": "['A#b']"}
    path = tmp_path / "exceptions"
    path.write_text("[[by_chance]]\n" + "\n".join(f"{a} = {b}" for a, b in lines.items()))
    assert read_chances(path) == [Chance("w", ("A#b",), ("f", "g"), "1 of 9")]
    lines |= wrong
    path.write_text("[[by_chance]]\n" + "\n".join(f"{a} = {b}" for a, b in lines.items() if b))
    with pytest.raises(BadList, match="by_chance 1"):
        read_chances(path)


def test_the_report_counts_and_names_what_broke() -> None:
    record = {ONE: Recorded("passed", 1.0), TWO: Recorded("passed", 1.0)}
    outcomes = {ONE: outcome(ONE), TWO: outcome(TWO, "failed")}
    text = as_text(judged(outcomes, record, [], {"org.a.OneTest"}), ["org.a.LongTest"], 7.0)
    assert f"BROKEN {TWO}\n  it failed" in text
    assert "1 of 2 tests that pass on Kafka's controllers pass on ours" in text
    assert "does not fit an hour: org.a.LongTest" in text


def test_an_exception_that_names_nothing_is_found() -> None:
    reasons = [Reason("why", (ONE, "org.a.GoneTest"))]
    assert unused(reasons, {ONE: Recorded("passed", 1.0)}) == ["org.a.GoneTest"]


def test_lanes_take_about_the_same_time() -> None:
    record = recorded(A=50.0, B=30.0, C=20.0, D=5.0)
    assert lanes_of(["org.a.A", "org.a.B", "org.a.C", "org.a.D"], record, 2) == [
        ["org.a.A", "org.a.D"],
        ["org.a.B", "org.a.C"],
    ]
    assert lanes_of(["org.a.A"], record, 3) == [["org.a.A"]]


def test_each_class_has_a_jvm_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[list[str], tuple[str, ...]]] = []

    def run_classes(words, *, on, skipped, log, told) -> None:
        started.append((words, tuple(skipped)))
        told(outcome(f"{words[0]}#runs"))

    monkeypatch.setattr("tools.kafka_tests.lanes.run_classes", run_classes)
    record = recorded(A=50.0, B=30.0, C=20.0)
    classes = ["org.a.A", "org.a.B", "org.a.C"]
    heard: list[Outcome] = []
    ended: list[str] = []
    found = run_in_lanes(
        *(classes, record),
        on="ours",
        skipped=iter(["org.a.D"]),
        logs=tmp_path,
        jobs=2,
        told=heard.append,
        ended=ended.append,
    )
    assert sorted(ended) == classes
    assert sorted(started) == [([one], ("org.a.D",)) for one in classes]
    assert sorted(found) == sorted(record) == sorted(one.test for one in heard)


def test_the_log_of_a_class_that_failed_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statuses = {"org.a.A": "passed", "org.a.B": "failed"}

    def run_classes(words, *, on, skipped, log, told) -> None:
        log.write_text(f"{words[0]} {statuses[words[0]]}")
        told(outcome(f"{words[0]}#runs", statuses[words[0]]))

    def run() -> dict[str, str]:
        run_in_lanes(
            *(list(statuses), recorded(A=50.0, B=30.0)),
            on="ours",
            skipped=(),
            logs=tmp_path,
            jobs=1,
            told=lambda _: None,
            ended=lambda _: None,
        )
        return {one.name: one.read_text() for one in tmp_path.iterdir()}

    monkeypatch.setattr("tools.kafka_tests.lanes.run_classes", run_classes)
    assert run() == {"ours-org.a.B.failed.log": "org.a.B failed"}
    statuses.update({"org.a.A": "hung", "org.a.B": "passed"})
    assert run() == {
        "ours-org.a.A.failed.log": "org.a.A hung",
        "ours-org.a.B.failed.log": "org.a.B failed",  # what went wrong in an earlier round
    }


def test_a_failure_is_told_at_once_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    why = "AssertionError: \nExpected: <2000>\n     but: was <4000>\n  at org.a.B(B.java:1)"
    say(Outcome("org.a.A#runs", "passed", 1.0))
    say(Outcome("org.a.B#runs", "failed", 12.3, why))
    said = "INFO Timed out 1 remaining operation(s) during close."
    say(Outcome("org.a.C#runs", "failed", 4.5, f"{why}\n{said}"))
    say(Outcome("org.a.C#runs", "hung", 0.0, "the JVM hung or ended"))  # nobody knows how long
    assert capsys.readouterr().err == (
        "failed org.a.B#runs after 12.3 s\n"
        "       AssertionError: Expected: <2000> but: was <4000>\n"
        "failed org.a.C#runs after 4.5 s\n"
        f"       AssertionError: Expected: <2000> but: was <4000> {said}\n"
        "hung org.a.C#runs\n"
        "       the JVM hung or ended\n"
    )


def test_each_class_that_ended_is_a_line_that_says_how_far(
    capsys: pytest.CaptureFixture[str],
) -> None:
    progress = Progress(2)
    progress("org.a.OneTest")
    progress("org.a.TwoTest")
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "   1 of 2 classes,   0.0 min: OneTest",
        "   2 of 2 classes,   0.0 min: TwoTest",
    ]


def test_an_hour_takes_the_short_classes_and_names_the_others() -> None:
    record = recorded(A=3000.0, B=200.0, C=3200.0)
    assert chosen("hour", [], record, 1) == (["org.a.A", "org.a.B"], ["org.a.C"])
    assert chosen("all", [], record, 1) == (["org.a.A", "org.a.B", "org.a.C"], [])
    assert chosen("hour", ["C"], record, 1) == (["org.a.C"], [])


@pytest.mark.parametrize(("name", "classes"), [("Gone", ["a.One"]), ("One", ["a.One", "b.One"])])
def test_a_class_that_is_unknown_or_ambiguous_is_refused(name: str, classes: list[str]) -> None:
    with pytest.raises(UnknownClass, match=name):
        full_name(name, classes)


def test_a_line_of_the_runner_is_an_outcome() -> None:
    row = {"test": ONE, "status": "failed", "seconds": 2, "why": "no", "faults": ["ended"]}
    assert outcome_of(row) == Outcome(ONE, "failed", 2.0, "no", ("ended",))


def test_a_failure_has_what_admin_clients_said_meanwhile(tmp_path: Path) -> None:
    lines = [
        f"[AdminClient clientId={i}] Timed out 1 remaining operation(s) during close." for i in "ab"
    ]
    log = tmp_path / "log"
    log.write_text(f"{lines[0]}\n")
    began_bytes = log.stat().st_size
    log.write_bytes(
        log.read_bytes() + f"a broken \udcff line\n{lines[1]}\n".encode("utf-8", "surrogateescape")
    )
    said = left_at_close(log, began_bytes)
    assert said == [lines[1]]
    row = {"test": ONE, "status": "failed", "seconds": 2, "why": "no topic"}
    assert outcome_of(row, said).why == f"no topic\n{lines[1]}"
    assert outcome_of({**row, "status": "passed", "why": ""}, said).why == ""


def test_the_lists_of_this_tree_name_what_is_recorded() -> None:
    record, reasons = read_record(), read_reasons()
    assert len(record) > 100
    assert unused(reasons, record) == []
    assert unused(read_chances(), record) == []
    classes, left = chosen("ci", [], record, 2)
    assert len(classes) == len(CI) > 5
    assert not left
