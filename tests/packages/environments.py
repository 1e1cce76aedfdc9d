"""Environments of Python that know nothing of the tree, and commands run in them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from tools.kafka.tool import ToolResult
from tools.release import ran

UV = (sys.executable, "-m", "uv")
KEPT = ("PIP_FIND_LINKS", "PIP_INDEX_URL", "PIP_CERT", "SSL_CERT_FILE", "PIP_DEFAULT_TIMEOUT")
"""How this machine reaches its package registry; nothing else of the environment is kept."""
COMMAND_TIMEOUT_S = 120


@frozen
class Environment:
    """A virtual environment."""

    directory: Path

    @property
    def python(self) -> Path:
        return self.directory / "bin/python"

    @property
    def metaquorum(self) -> Path:
        return self.directory / "bin/metaquorum"

    def variables(self, home: Path) -> dict[str, str]:
        """What a login shell in an empty home would have, with this environment on the path."""
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        path = f"{self.directory / 'bin'}{os.pathsep}{os.defpath.lstrip(os.pathsep)}"
        return {**kept, "HOME": str(home), "PATH": path, "LC_ALL": "C.UTF-8"}

    def run(self, home: Path, *words: str | Path) -> ToolResult:
        """A command of it, by name, in the empty home."""
        done = subprocess.run(
            [self.directory / "bin" / words[0], *words[1:]],
            cwd=home,
            env=self.variables(home),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_TIMEOUT_S,
            check=False,
        )
        return ToolResult(done.returncode, done.stdout, done.stderr)

    def install(self, *requirements: str | Path, constraint: Path | None = None) -> None:
        """As ``pip install`` would; raises ReleaseFailed."""
        limits: Sequence[str | Path] = () if constraint is None else ("--constraint", constraint)
        quiet = [*UV, "pip", "install", "--quiet", "--python", self.python]
        ran([*quiet, *limits, *requirements])


def empty(directory: Path, interpreter: Path | str) -> Environment:
    """An environment with nothing in it, not even pip."""
    ran([*UV, "venv", "--quiet", "--python", interpreter, directory / "env"])
    return Environment(directory / "env")


def installed(
    directory: Path, interpreter: Path | str, wheel: Path, constraint: Path | None = None
) -> Environment:
    """An environment with a wheel and what it needs."""
    environment = empty(directory, interpreter)
    environment.install(wheel, constraint=constraint)
    return environment
