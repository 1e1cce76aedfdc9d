"""What an image has, without a registry: the wheel alone in an environment, run as a container is.

A process of its own namespaces: it is the first of its processes, its root cannot be written to,
and it is no root user. A volume is a tmpfs, as is nothing else.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from attrs import define, field

from tools.process import POLL_S, until

ROOT = Path(__file__).resolve().parents[2]
USER = 10_001
# Mounts are this process's own; then the root and what is mounted below it is made read-only.
_ENTER = """
set -e
mount --make-rprivate /
mount -t tmpfs -o mode=0750,uid={user},gid={user},size=256m volume "{volume}"
if [ -n "{hosts}" ]; then mount --bind "{hosts}" /etc/hosts; fi
mount -o remount,bind,ro /
exec setpriv --reuid {user} --regid {user} --clear-groups --no-new-privs --bounding-set=-all \
  "{program}" "$@"
"""


@define
class Image:
    """An environment in ``directory`` that has the wheel and what it needs."""

    directory: Path

    @property
    def program(self) -> Path:
        return self.directory / "venv" / "bin" / "metaquorum"

    @classmethod
    @contextmanager
    def built(cls) -> Iterator[Image]:
        """Built from the tree, as the Containerfile does it, where any user may read it."""
        directory = Path(mkdtemp(prefix="metaquorum-image-"))
        directory.chmod(0o755)
        try:
            source, wheels = directory / "source", directory / "wheels"
            for name in ("pyproject.toml", "README.md"):
                source.mkdir(exist_ok=True)
                shutil.copy(ROOT / name, source)
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(ROOT / "src", source / "src", ignore=ignored)
            pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
            _run([*pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(source)])
            _run([sys.executable, "-m", "venv", str(directory / "venv")])
            (wheel,) = wheels.glob("metaquorum-*.whl")
            inside = [str(directory / "venv/bin/python"), *pip[1:]]
            _run([*inside, "install", str(wheel)])
            shutil.rmtree(source)
            yield cls(directory)
        finally:
            shutil.rmtree(directory)


@define(eq=False)
class Container:
    """One process of an image. ``inside`` are words before it, such as those of a network."""

    image: Image
    name: str
    variables: Mapping[str, str]
    inside: tuple[str, ...] = ()
    hosts: str = ""
    _process: subprocess.Popen[str] | None = field(default=None, init=False)

    @property
    def volume(self) -> Path:
        return self.image.directory / f"volume-{self.name}"

    @property
    def log_file(self) -> Path:
        return self.image.directory / f"{self.name}.log"

    def command(self, *arguments: str) -> list[str]:
        """The words that run the entry point with these arguments."""
        script = _ENTER.format(
            user=USER, volume=self.volume, program=self.image.program, hosts=self.hosts
        )
        own = ["unshare", "--mount", "--pid", "--fork", "--kill-child=SIGKILL"]
        return [*self.inside, *own, "sh", "-c", script, "container", "container", *arguments]

    def environment(self) -> dict[str, str]:
        """Of the process: the variables, and what every image has."""
        return {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", **self.variables}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The entry point with these arguments, until it ends."""
        self.volume.mkdir(exist_ok=True)
        return subprocess.run(
            self.command(*arguments),
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def start(self) -> None:
        """Run ``start`` in the background."""
        self.volume.mkdir(exist_ok=True)
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                self.command("start"),
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                text=True,
            )

    def first_process(self) -> int:
        """The process id, out here, of what is the first process in there."""
        assert self._process is not None
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children")
        return int(until(lambda: children.read_text().split(), "it did not start", 20, POLL_S)[0])

    def stop(self, signal: int, within_s: float = 20.0) -> int:
        """Send a signal to the first process; the exit code."""
        assert self._process is not None
        os.kill(self.first_process(), signal)
        return self._process.wait(within_s)

    def kill(self) -> None:
        """End whatever still runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
