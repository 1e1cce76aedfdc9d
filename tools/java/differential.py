"""Our codecs against Kafka's own classes, over every message and version that both know.

    python -m tools.java.differential                     # 200 values of each message and version
    python -m tools.java.differential --cases 2000 --seed 7 --only Fetch

For every value that ``metaquorum.testing.draw`` makes of our schemas: our bytes are Kafka's bytes,
what either writes the other reads to the same JSON, and unknown tags come back as they went.
Two processes of ours share the work; each keeps one Java process a release alive over its stdin,
which answers many values a line.
"""

from __future__ import annotations

import argparse
import base64
import json
import multiprocessing
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from metaquorum.testing import draw, values
from metaquorum.testing.schemas import MessageText, all_messages, message
from metaquorum.wire import json_form
from metaquorum.wire.primitives import DecodeError
from tools.java.golden_frames import RELEASES, java_classes, release_of, without_records
from tools.kafka import helper, jars, jvm

SOURCE = Path(__file__).with_name("Differential.java")
CASES = 100
LINE_CASES = 50  # values that go to Java in one line
SHOWN = 20  # differences that are spelled out
SHOWN_CHARS = 400
PROGRESS_S = 10.0
JOBS = 2


@frozen
class Case:
    """One value: as bytes, with its unknown tags and without, and in Kafka's JSON form."""

    number: int
    data: bytes
    bare: bytes
    spelled: values.Value


@frozen
class Batch:
    """Some values of one message and version."""

    schema: MessageText
    version: int
    cases: tuple[Case, ...]

    def line(self, java_class: str) -> str:
        """The values as the Java program reads them."""
        cases = [(base64.b64encode(c.data).decode(), c.spelled) for c in self.cases]
        return json.dumps({"class": java_class, "version": self.version, "cases": cases}) + "\n"


@define
class Report:
    """What a run did and found."""

    pairs: set[tuple[str, int]] = field(factory=set)  # message and version
    cases: int = 0
    data_bytes: int = 0
    differences: list[str] = field(factory=list)
    seconds: float = 0.0

    def progress_line(self, wanted: int, started: float) -> str:
        """How far the run is that began at ``started``."""
        seconds = time.monotonic() - started
        return (
            f"  {self.cases} of {wanted} cases, {len(self.pairs)} pairs, "
            f"{len(self.differences)} differences, {seconds:.0f} s"
        )

    def lines(self) -> Iterator[str]:
        """For people: the first differences, then the sums."""
        yield from (each[:SHOWN_CHARS] for each in self.differences[:SHOWN])
        yield (
            f"{len(self.pairs)} pairs of message and version, {self.cases} cases, "
            f"{self.data_bytes} bytes, {len(self.differences)} differences, "
            f"{self.seconds:.0f} seconds"
        )


def make_case(schema: MessageText, version: int, number: int, seed: int) -> Case:
    """Value ``number``, written by our codec."""
    module = values.codec(schema)
    value = draw.value(schema, version, number, seed)
    spelled = values.kafka_json(schema, version, value)
    message = values.build(schema, value)
    data = bare = module.encode(message, version)
    if any(values.UNKNOWN_TAGS in one for one in values.structs_of(schema.fields, version, value)):
        bare = module.encode(json_form.from_json(module, spelled, version), version)
    return Case(number, data, bare, spelled)


def batches(pairs: Sequence[tuple[MessageText, int]], count: int, seed: int) -> Iterator[Batch]:
    """All values of these messages and versions."""
    for schema, version in pairs:
        for first in range(0, count, LINE_CASES):
            numbers = range(first, min(count, first + LINE_CASES))
            cases = tuple(make_case(schema, version, n, seed) for n in numbers)
            yield Batch(schema, version, cases)


def judge(batch: Batch, answers: Sequence[dict[str, Any]], report: Report) -> None:
    """Hold what Kafka's classes said against what we say."""
    schema, version = batch.schema, batch.version
    module = values.codec(schema)
    report.pairs.add((schema.name, version))
    for case, answer in zip(batch.cases, answers, strict=True):
        report.cases += 1
        report.data_bytes += len(case.data)
        where = f"{schema.name} v{version} case {case.number}"
        if "error" in answer:
            report.differences.append(f"{where}: Kafka: {answer['error']}")
            continue
        written = base64.b64decode(answer["written"])
        if written != case.bare:
            report.differences.append(
                f"{where}: bytes\n  ours  {case.bare.hex()}\n  Kafka {written.hex()}"
            )
        if answer["left"] or not answer["same"]:
            report.differences.append(f"{where}: Kafka does not write again what it read of ours")
        try:
            # What Kafka read came from the bytes with tags, and an unknown one shows in the JSON:
            # the struct around it is not at its default.
            message = module.decode(written if case.bare is case.data else case.data, version)
        except DecodeError as why:
            report.differences.append(f"{where}: we cannot read Kafka's bytes: {why}")
            continue
        ours = without_records(schema.fields, json_form.to_json(module, message, version))
        if ours != answer["json"]:
            report.differences.append(
                f"{where}: JSON\n  ours  {json.dumps(ours)}\n  Kafka {json.dumps(answer['json'])}"
            )


@define
class Asker(helper.JavaProgram):
    """One Java process; lines go in by a thread of their own, so that neither side waits."""

    release: str
    _sent: list[Batch] = field(factory=list, init=False)
    _failure: BaseException | None = field(default=None, init=False)

    def _start(self) -> subprocess.Popen[str]:
        before = tuple(jars.message_jars(self.release))
        return helper.started(SOURCE, jars.libs(), before=before, flags=jvm.HEAP_FLAGS)

    def __exit__(self, *_: object) -> None:
        self._running().kill()  # the thread that writes may wait for it
        super().__exit__()

    def ask(self, asked: Iterator[Batch]) -> Iterator[tuple[Batch, list[dict[str, Any]]]]:
        """Each batch with its answers, in their order."""
        writer = threading.Thread(target=self._write, args=(asked,), daemon=True)
        writer.start()
        answers = self._running().stdout
        assert answers is not None
        for place, line in enumerate(answers):
            yield self._sent[place], json.loads(line)
            self._sent[place] = Batch(self._sent[place].schema, 0, ())  # lets its values go
        writer.join()
        if self._failure is not None:
            raise self._failure

    def _write(self, asked: Iterator[Batch]) -> None:
        known = java_classes(self.release)
        stdin = self._running().stdin
        assert stdin is not None
        try:
            for batch in asked:
                self._sent.append(batch)
                stdin.write(batch.line(known[batch.schema.name][0]))
        except BaseException as why:
            self._failure = why  # raised where the answers are read
        finally:
            stdin.close()


Progress = Callable[[str], object]


def run(
    count: int = CASES,
    seed: int = 0,
    only: str = "",
    jobs: int = JOBS,
    progress: Progress = lambda line: None,
) -> Report:
    """Ask about ``count`` values of each message (whose name contains ``only``) and version.

    ``jobs`` processes share the pairs, each with a Java process of its own. ``progress`` is
    called with a line for people about every ``PROGRESS_S``.
    """
    started = time.monotonic()
    helper.compiled(source=SOURCE, libs=jars.libs())  # once, before there are several of us
    schemas = [schema for schema in all_messages() if only in schema.name]
    pairs = [(schema, version) for schema in schemas for version in schema.versions]
    wanted = count * len(pairs)
    spawn = multiprocessing.get_context("spawn")
    shares, workers = [], []
    for place in range(jobs):
        ours, theirs = spawn.Pipe(duplex=False)
        ask = (theirs, [(one.name, version) for one, version in pairs[place::jobs]], count, seed)
        workers.append(spawn.Process(target=_work, args=ask, daemon=True))
        workers[-1].start()
        theirs.close()  # so that its end is seen here
        shares.append(ours)
    report = _gathered(shares, lambda so_far: progress(so_far.progress_line(wanted, started)))
    for worker in workers:
        worker.join()
    report.seconds = time.monotonic() - started
    if report.cases != wanted:
        report.differences.append(f"{report.cases} of {wanted} cases were answered")
    return report


def _work(answers: Connection, names: Sequence[tuple[str, int]], count: int, seed: int) -> None:
    """One process's share, reported through ``answers`` now and then and at its end."""
    report = Report()
    reported_s = time.monotonic()
    pairs = [(message(name), version) for name, version in names]
    for release in RELEASES:
        known = [(one, version) for one, version in pairs if release_of(one, version) == release]
        if not known:
            continue
        with Asker(release) as asker:
            for batch, said in asker.ask(batches(known, count, seed)):
                judge(batch, said, report)
                if time.monotonic() - reported_s >= PROGRESS_S:
                    reported_s = time.monotonic()
                    answers.send(report)
    answers.send(report)


def _gathered(shares: Sequence[Connection], progress: Callable[[Report], object]) -> Report:
    """The reports of all shares as one, printed at most every ``PROGRESS_S``."""
    newest = {share: Report() for share in shares}
    reported_s = time.monotonic()
    running = list(shares)
    while running:
        for share in wait(running):
            assert isinstance(share, Connection)
            try:
                newest[share] = share.recv()
            except EOFError:
                running.remove(share)
        if running and time.monotonic() - reported_s >= PROGRESS_S:
            reported_s = time.monotonic()
            progress(_sum(newest.values()))
    return _sum(newest.values())


def _sum(reports: Iterable[Report]) -> Report:
    total = Report()
    for one in reports:
        total.pairs |= one.pairs
        total.cases += one.cases
        total.data_bytes += one.data_bytes
        total.differences += one.differences
    return total


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.java.differential",
        description="Hold our codecs against Kafka's own classes.",
    )
    parser.add_argument("--cases", type=int, default=CASES, help="values a message and version")
    parser.add_argument("--seed", type=int, default=0, help="another number, other values")
    parser.add_argument("--jobs", type=int, default=JOBS, help="processes, each with its Java")
    parser.add_argument("--only", default="", help="part of the names of messages")
    chosen = parser.parse_args(arguments)
    report = run(
        chosen.cases,
        chosen.seed,
        chosen.only,
        chosen.jobs,
        lambda line: print(line, file=sys.stderr, flush=True),
    )
    for line in report.lines():
        print(line)
    return 1 if report.differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
