"""The README's first screen: three commands, from the wheel to a tailed record."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from tests.packages.environments import Environment
from tools.release import ROOT, Built

FIRST_SCREEN_LINES = 40
TIMEOUT_S = 300


def first_commands() -> list[str]:
    """The lines of the first shell block on the first screen."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:FIRST_SCREEN_LINES]
    block = lines[lines.index("```sh") + 1 :]
    return block[: block.index("```")]


def test_three_commands_lead_from_the_wheel_to_a_tailed_record(
    built: Built, home: Path, tmp_path: Path
) -> None:
    commands = first_commands()
    assert len(commands) == 3
    assert not [one for one in commands if ";" in one or "&&" in one]
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    shutil.copy(built.wheel, home)
    with (home / "told").open("w+b") as told:
        shell = subprocess.Popen(
            ["sh", "-e", "-c", "\n".join(commands)],
            cwd=home,
            env=Environment(tmp_path / "env").variables(home),
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=told,
            start_new_session=True,
        )
        try:
            code = shell.wait(TIMEOUT_S)
        finally:
            os.killpg(shell.pid, signal.SIGTERM)  # the node in the background
        text = (home / "told").read_text(encoding="utf-8")
    assert code == 0, text
    assert "LeaderChangeMessage" in text  # the first record of every log
