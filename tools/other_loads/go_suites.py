"""Test suites of Go modules: fetched by Go's module proxy, compiled once, run on the cluster."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import field, frozen

from tools.kafka import jars
from tools.kafka_tests.launcher import Outcome

BUILT: Final = jars.CACHE.parent / "go"
USUAL_PLACE: Final = Path("/usr/local/go/bin/go")
BUILD_WITHIN_S: Final = 1_500
WHY_LINES: Final = 30
WHY_LINE_CHARACTERS: Final = 400
_STATUSES: Final = {"pass": "passed", "fail": "failed", "skip": "skipped"}
_TEST: Final = re.compile(r"^func (Test\w+)\(", re.MULTILINE)
_MAIN: Final = "TestMain"  # begins the others and is none
# The stamps of Go's own test log, not a word of a test.
_NO_WORD: Final = re.compile(r"^\s*(=== |--- |PASS$|FAIL$)")


class GoMissing(Exception):
    """Go is not installed; the message says where it is looked for."""


@frozen
class GoModule:
    """A version of a module, and how its tests are compiled."""

    path: str
    version: str
    package: str = "."
    tags: str = ""

    @property
    def name(self) -> str:
        """A name for files: the module's last word but its major version, and its version."""
        words = [one for one in self.path.split("/") if not re.fullmatch(r"v\d+", one)]
        return f"{words[-1]}-{self.version}"


@frozen
class Tests:
    """Compiled tests and the directory that they run in."""

    program: Path
    directory: Path


@frozen
class Listening:
    """A run of compiled tests: ``environment`` beside ours, and limits in seconds."""

    words: Sequence[str] = ()
    environment: Mapping[str, str] = field(factory=dict)
    within_s: float = 900.0


def go() -> str:
    """The command. GoMissing without one."""
    found = shutil.which("go") or (str(USUAL_PLACE) if USUAL_PLACE.exists() else None)
    if found is None:
        raise GoMissing(f"go is not on the PATH and not at {USUAL_PLACE}: install Go")
    return found


def downloaded(module: GoModule) -> Path:
    """The directory of its sources, from the module proxy, checked by Go's checksum database."""
    ran = _go(["mod", "download", "-json", f"{module.path}@{module.version}"], Path("/"), {})
    row: dict[str, Any] = json.loads(ran)
    return Path(row["Dir"])


def compiled_tests(module: GoModule) -> Tests:
    """Its tests as a program, compiled at the first use. FetchFailed if that does not work."""
    directory = downloaded(module)
    target = BUILT / f"{module.name}.test"
    if not target.exists():
        tags = ["-tags", module.tags] if module.tags else []
        beside = target.with_suffix(f".{os.getpid()}")
        _go(["test", "-c", *tags, "-o", str(beside), module.package], directory, {})
        beside.rename(target)
    return Tests(target, directory / module.package)


def installed(module: GoModule, command: str) -> Path:
    """A program of a module, compiled at the first use."""
    target = BUILT / f"{module.name}-bin"
    if not target.is_dir():
        beside = target.with_suffix(f".{os.getpid()}")
        where = f"{module.path}/{command}@{module.version}"
        _go(["install", where], Path("/"), {"GOBIN": str(beside)})
        with contextlib.suppress(OSError):  # another process was quicker
            beside.rename(target)
    return target / Path(command).name


def _go(words: Sequence[str], directory: Path, more: Mapping[str, str]) -> str:
    BUILT.mkdir(parents=True, exist_ok=True)
    try:
        ran = subprocess.run(
            [go(), *words],
            cwd=directory,
            env={**os.environ, **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=BUILD_WITHIN_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise jars.FetchFailed(f"go {' '.join(words)}: not done in {BUILD_WITHIN_S} s") from None
    if ran.returncode != 0:
        raise jars.FetchFailed(f"go {' '.join(words)} failed:\n{ran.stdout}{ran.stderr}"[-4_000:])
    return ran.stdout


def functions_that_name(
    directory: Path, words: Iterable[str], *, whole_files: bool = False, without: Sequence[str] = ()
) -> list[str]:
    """The test functions whose text has one of ``words`` in it, sorted: those for a cluster.

    With ``whole_files`` all functions of a file that has one. What names one of ``without`` is left
    out.
    """
    wanted = tuple(words)
    found = set()
    for path in directory.glob("*_test.go"):
        text = path.read_text("utf-8")
        starts = list(_TEST.finditer(text))
        ends = [one.start() for one in starts] + [len(text)]
        for start, end in zip(starts, ends[1:], strict=True):
            own = text[start.start() : end]
            looked_at = text if whole_files else own
            if any(one in looked_at for one in wanted) and not any(one in own for one in without):
                found.add(start[1])
    return sorted(found - {_MAIN})


def run_tests(
    suite: str, tests: Tests, names: Sequence[str], how: Listening, log: Path
) -> dict[str, Outcome]:
    """Run these tests; how each of them and of their subtests ended, by ``SUITE#TEST``.

    A test that was running when its time was over, or when the program ended, hung.
    """
    pattern = f"^({'|'.join(names)})$"
    program = [str(tests.program), f"-test.run={pattern}", "-test.v=test2json"]
    limit = f"-test.timeout={how.within_s:.0f}s"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [go(), "tool", "test2json", "-t", *program, limit, *how.words],
            cwd=tests.directory,
            env={**os.environ, **how.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        # The tests' own limit fails when their runtime hangs.
        timer = threading.Timer(how.within_s + 30.0, _kill_group, [process.pid])
        timer.start()
        try:
            assert process.stdout is not None
            with log.with_suffix(".json").open("w") as kept:
                return outcomes_of(suite, _kept(process.stdout, kept))
        finally:
            timer.cancel()
            _kill_group(process.pid)
            process.wait()


def _kept(lines: Iterable[str], kept: Any) -> Iterable[str]:
    for line in lines:
        kept.write(line)
        yield line


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def outcomes_of(suite: str, lines: Iterable[str]) -> dict[str, Outcome]:
    """What the lines of ``test2json`` tell of each test."""
    outcomes: dict[str, Outcome] = {}
    said: dict[str, list[str]] = {}
    for line in lines:
        row = _row(line)
        test = row.get("Test")
        if not isinstance(test, str):
            continue
        name = f"{suite}#{test}"
        action = row.get("Action")
        if action == "run":
            outcomes[name] = Outcome(name, "hung", 0.0, "it did not end")
        elif action == "output" and not _NO_WORD.match(str(row.get("Output", ""))):
            words = said.setdefault(name, [])
            words.append(str(row["Output"]).rstrip()[:WHY_LINE_CHARACTERS])
            del words[:-WHY_LINES]
        elif action in _STATUSES:
            status = _STATUSES[action]
            why = "" if status == "passed" else "\n".join(said.get(name, [status]))
            outcomes[name] = Outcome(name, status, float(row.get("Elapsed", 0.0)), why)
    return outcomes


def _row(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}
