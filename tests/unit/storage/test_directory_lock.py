"""One process per directory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from metaquorum.storage.directory_lock import DirectoryLock


def test_a_locked_directory_is_refused_to_others_until_released(
    tmp_path: Path,
) -> None:
    lock = DirectoryLock(str(tmp_path))
    program = (
        "import sys\n"
        "from metaquorum.base.errors import OperatorError\n"
        "from metaquorum.storage.directory_lock import DirectoryLock\n"
        "try:\n"
        "    DirectoryLock(sys.argv[1]).release()\n"
        "except OperatorError as error:\n"
        "    sys.exit(str(error))\n"
    )

    def other() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program, str(tmp_path)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    refused = other()
    assert refused.returncode == 1
    assert f"{tmp_path} is in use: another process holds" in refused.stderr
    lock.release()
    lock.release()
    assert os.listdir(tmp_path) == []
    assert other().returncode == 0
