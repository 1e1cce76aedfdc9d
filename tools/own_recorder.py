"""One ``metaquorum record --to`` as a process, and what ``metaquorum explain`` makes of it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define

from tools.own_node import METAQUORUM
from tools.process import until

STOP_TIMEOUT_S = 10
Explained = dict[str, Any]


@define
class Recording:
    """The process, and the directory that it records into."""

    process: subprocess.Popen[bytes]
    directory: Path
    lines: Path
    lines_before: int = 0
    """Bytes of ``lines`` that a process before it wrote."""

    def is_ready(self) -> bool:
        """Whether it has read the log to its end."""
        return b"log-read" in self.lines.read_bytes()[self.lines_before :]


@contextmanager
def recording(directory: Path, controllers: str, *options: str) -> Iterator[Recording]:
    """Started and at the end of the log inside, gone afterwards."""
    directory.mkdir(parents=True, exist_ok=True)
    lines = directory.with_suffix(".lines")
    where = ("--to", str(directory), "--bootstrap-controller", controllers)
    before = lines.stat().st_size if lines.exists() else 0
    with lines.open("ab") as log:
        process = subprocess.Popen(
            [METAQUORUM, "record", *where, *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    one = Recording(process, directory, lines, before)
    try:
        until(one.is_ready, lambda: f"it does not record:\n{lines.read_text()}", poll_s=0.05)
        yield one
    finally:
        process.terminate()
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def explained(*paths: Path, options: tuple[str, ...] = ()) -> list[Explained]:
    """The events that ``metaquorum explain`` tells of these, in order of time."""
    done = subprocess.run(
        [METAQUORUM, "explain", *map(str, paths), "-o", "json", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
