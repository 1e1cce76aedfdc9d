"""Lines leave by a queue and a thread: in order, bounded, and nobody waits for a reader."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define, field

from metaquorum.base.limits import MAX_LOG_LINE_CHARS
from metaquorum.runtime.loop.line_writer import LineStream, LineWriter, standard_error_lines

PATIENCE_S = 20.0


@define(eq=False)
class Reader:
    """Takes what is written when it may: ``goes_on`` lets every write that waits return."""

    taken: bytearray = field(factory=bytearray)
    goes_on: threading.Event = field(factory=threading.Event)
    is_asked: threading.Event = field(factory=threading.Event)
    errors: list[OSError] = field(factory=list)
    has_failed: threading.Event = field(factory=threading.Event)  # the last of them was raised

    def write(self, content: bytes) -> int:
        self.is_asked.set()
        assert self.goes_on.wait(PATIENCE_S)
        if self.errors:
            error = self.errors.pop(0)
            if not self.errors:
                self.has_failed.set()
            raise error
        self.taken += content
        return len(content)

    @property
    def lines(self) -> list[str]:
        return self.taken.decode().splitlines()


def told(count: int) -> str:
    return f"{count} dropped"


@pytest.fixture
def reader() -> Iterator[Reader]:
    one = Reader()
    yield one
    one.goes_on.set()


def test_lines_leave_in_the_order_in_which_they_were_put(reader: Reader):
    reader.goes_on.set()
    lines = LineWriter(reader.write, told)
    for number in range(500):
        lines.put(f"line {number}")
    assert lines.close()
    assert reader.lines == [f"line {number}" for number in range(500)]
    assert lines.dropped == 0


def test_a_full_queue_drops_lines_and_says_how_many_later(reader: Reader):
    lines = LineWriter(reader.write, told, most=3)
    lines.put("first")
    assert reader.is_asked.wait(PATIENCE_S)  # it has left the queue and waits for the reader
    for number in range(5):
        lines.put(f"line {number}")
    assert lines.dropped == 2
    reader.goes_on.set()
    assert lines.close()
    assert reader.lines == ["first", "2 dropped", "line 0", "line 1", "line 2"]
    assert lines.dropped == 2


def test_a_stop_waits_no_longer_than_it_may_for_a_reader(reader: Reader):
    lines = LineWriter(reader.write, told)
    lines.put("never read")
    assert reader.is_asked.wait(PATIENCE_S)
    assert not lines.close(flush_ms=1)
    lines.put("too late")
    assert lines.dropped == 1
    reader.goes_on.set()


def test_lines_that_fail_are_counted_and_later_ones_are_written(reader: Reader):
    reader.errors.append(BrokenPipeError())
    lines = LineWriter(reader.write, told)
    lines.put("lost")
    assert reader.is_asked.wait(PATIENCE_S)
    reader.errors.append(BrokenPipeError())  # nor can it be told at once
    reader.goes_on.set()
    assert reader.has_failed.wait(PATIENCE_S)
    lines.put("found")
    assert lines.close()
    assert reader.lines == ["found", "1 dropped"]
    assert lines.dropped == 1


def test_a_line_that_was_torn_by_a_full_disk_is_ended_before_the_next():
    taken = bytearray()
    room = [4, 0, 0]
    is_full = threading.Event()

    def write(content: bytes) -> int:
        if not room:
            taken.extend(content)
            return len(content)
        some = room.pop(0)
        if not some:
            if not room:
                is_full.set()
            raise OSError(28, "No space left on device")
        taken.extend(content[:some])
        return some

    lines = LineWriter(write, told)
    lines.put("torn line")
    assert is_full.wait(PATIENCE_S)
    lines.put("next")
    assert lines.close()
    assert taken.decode().splitlines() == ["torn", "next", "1 dropped"]


def test_a_line_is_cut_and_what_acts_on_a_terminal_is_escaped(reader: Reader):
    reader.goes_on.set()
    lines = LineWriter(reader.write, told, encoding="latin-1")
    lines.put("x" * (MAX_LOG_LINE_CHARS + 7))
    lines.put("\x1b[31mred\u202e \ud800 \u4e2d é")
    assert lines.close()
    long, short = reader.taken.decode("latin-1").splitlines()
    assert long == "x" * MAX_LOG_LINE_CHARS + "... (7 more characters)"
    assert short == "\\u001b[31mred\\u202e \\ud800 \\u4e2d é"


def test_a_stream_puts_whole_lines_anyone_who_writes_in_pieces(reader: Reader):
    reader.goes_on.set()
    lines = LineWriter(reader.write, told)
    stream = LineStream(lines)
    print("one", 2, file=stream)

    def write_between() -> None:
        print("between", file=stream)

    stream.write("a ")
    thread = threading.Thread(target=write_between)
    thread.start()
    thread.join()
    stream.write("b\nc")
    stream.put_rest()
    assert lines.close()
    assert reader.lines == ["one 2", "between", "a b", "c"]


def test_standard_error_is_given_back_and_has_all_lines(monkeypatch: pytest.MonkeyPatch):
    collected = io.StringIO()
    monkeypatch.setattr(sys, "stderr", collected)
    with standard_error_lines(told) as lines:
        lines.put("a line")
        print("printed", file=sys.stderr)
    assert sys.stderr is collected
    assert collected.getvalue() == "a line\nprinted\n"


PROGRAM = """
import os, sys, warnings
from metaquorum.runtime.loop.line_writer import standard_error_lines
with standard_error_lines(str) as lines:
    file = os.open({path!r}, os.O_RDWR | os.O_CREAT)
    os.write(1, f"{{file}}\\n".encode())
    for number in range({count}):
        lines.put(f"line {{number}} " + "x" * 100)
    print("printed", file=sys.stderr)
    class Careless:
        def __del__(self):
            raise ValueError("in a finalizer")
    Careless()
    import gc
    gc.collect()
    if {writes_past_it}:
        os.write(2, b"by a library")
os.write(1, b"ended\\n")
"""


def program(path: Path, count: int = 10, *, writes_past_it: bool = False) -> list[str]:
    """Opens a file, writes so many lines and ends; ``writes_past_it`` as a C library does."""
    text = PROGRAM.format(path=str(path), count=count, writes_past_it=writes_past_it)
    return [sys.executable, "-c", text]


def test_what_python_says_of_a_finalizer_leaves_the_same_way(tmp_path: Path):
    done = subprocess.run(program(tmp_path / "file"), capture_output=True, text=True, check=True)
    lines = done.stderr.splitlines()
    assert lines.index("printed") < lines.index("ValueError: in a finalizer")


@pytest.mark.parametrize("closed", ["2>&-", "0<&- 2>&-", "0<&- 1>&- 2>&-"])
def test_no_file_takes_the_place_of_a_closed_standard_error(tmp_path: Path, closed: str):
    path = tmp_path / "file"
    python, option, text = program(path, writes_past_it=True)
    shell = ["sh", "-c", f"'{python}' {option} \"$0\" {closed}", text]
    done = subprocess.run(shell, capture_output=True, text=True, check=True)
    assert path.read_bytes() == b""
    if "1>&-" not in closed:
        descriptor, ended = done.stdout.splitlines()
        assert int(descriptor) > 2
        assert ended == "ended"


@pytest.mark.parametrize("where", ["a pipe without a reader", "a full disk"])
def test_a_process_outlives_a_standard_error_that_fails(tmp_path: Path, where: str):
    if where == "a full disk":
        stderr = os.open("/dev/full", os.O_WRONLY)
    else:
        read, stderr = os.pipe()
        os.close(read)
    command = program(tmp_path / "file")
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, text=True, check=True)
    os.close(stderr)
    assert done.stdout.splitlines()[-1] == "ended"


def test_a_process_ends_though_nobody_reads_its_pipe(tmp_path: Path):
    read, write = os.pipe()
    command = program(tmp_path / "file", 5_000)
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=write, text=True, timeout=60, check=True
    )
    os.close(write)
    os.close(read)
    assert done.stdout.splitlines()[-1] == "ended"
