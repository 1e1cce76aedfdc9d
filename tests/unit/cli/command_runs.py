"""Command lines run as processes, many of them out of one interpreter: a start takes so long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

# A child for each command line: descriptor 1 is what the test wants, 2 a file of its own.
_PROGRAM = """
import json, os, sys, warnings
from metaquorum.cli import main as module
for name in module.metaquorum.list_commands(None):
    module.metaquorum.get_command(None, name)
import rich.console, rich.table
import metaquorum.cli.metadata_shell, metaquorum.cli.metadata_load, metaquorum.cli.metadata_diff
target, errors, lines = json.loads(sys.stdin.read())
codes = []
for number, words in enumerate(lines):
    child = os.fork()
    if child == 0:
        error = os.open(f"{errors}/{number}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(error, 2)
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        if target == "closed":
            os.close(1)
            sys.stdout = None
        elif target == "pipe":
            reading, writing = os.pipe()
            os.close(reading)
            os.dup2(writing, 1)
        else:
            os.dup2(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1)
        sys.argv = ["metaquorum", *words]
        try:
            module.main()
        except SystemExit as leaving:
            code = leaving.code or 0
        except BaseException:
            import traceback
            traceback.print_exc()
            code = 99
        try:
            if sys.stdout is not None:
                sys.stdout.flush()
            sys.stderr.flush()
        except BaseException:
            code = 120
        os._exit(code)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(json.dumps(codes))
"""


@frozen
class Ended:
    """How one command line ended."""

    words: tuple[str, ...]
    exit_code: int
    error: str


def run_all(
    lines: Sequence[Sequence[str]], stdout: str | Path, tmp_path: Path, **environment: str
) -> list[Ended]:
    """Run each with ``stdout``: a path, "closed", or "pipe" for one that nobody reads."""
    errors = tmp_path / "errors"
    errors.mkdir(exist_ok=True)
    ran = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=json.dumps([str(stdout), str(errors), [list(line) for line in lines]]),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert ran.returncode == 0, ran.stderr
    return [
        Ended(tuple(line), code, (errors / str(number)).read_text(errors="surrogateescape"))
        for number, (line, code) in enumerate(zip(lines, json.loads(ran.stdout), strict=True))
    ]
