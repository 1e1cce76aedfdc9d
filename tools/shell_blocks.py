"""Shell blocks of README and docs/how-to: which run, and why the others do not.

    python -m tools.shell_blocks             # a table of all blocks
    python -m tools.shell_blocks README.md   # run one page's blocks, as the test does

A block is a fence marked `sh`, or an indented block that begins with a command. Where commands
begin with `$ `, the other lines are what they print, `...` for what is left out. The comment
`<!-- not run: REASON -->` right before a block says why it cannot run; readers of the page do not
see it. `<!-- given: COMMANDS -->` makes what the page takes as there already, such as the reader's
quorum (`three_voters`); `tools/shell_blocks.sh` has functions for that. `<!-- needs: EXTRA -->`
right before a block keeps its page for the tests that have that extra. The blocks of a page run in
order, in one shell, in an empty directory and a network of their own (`unshare`), so that pages may
use the same ports. The hosts a, b and c, and c1, c2 and c3, are addresses of the loopback there.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from attrs import frozen
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT_S = 280
REASON = re.compile(r"<!-- not run: (\S.*?) -->", re.DOTALL)
NEEDS = re.compile(r"<!-- needs: (\w+) -->")
GIVEN = re.compile(r"<!-- given:\s(.*?)-->", re.DOTALL)
COMMAND = re.compile(
    r"(\$ )?(metaquorum|make|pip|python|cd|export|ls|curl|kafka-\S+\.sh|spark-\S+|\.venv\S*)\s"
)
HOSTS = f"""
127.0.0.1 localhost {socket.gethostname()} a c1
127.0.0.2 b c2
127.0.0.3 c c3
"""
PRELUDE = Path(__file__).with_suffix(".sh")
# The page gives the command for a terminal; here it must leave the shell free.
SERVER = re.compile(r"^(metaquorum server start \S+)$", re.MULTILINE)
FOLLOW = re.compile(r"^(metaquorum tail [^#\n]*--follow[^#\n]*)$", re.MULTILINE)


@frozen
class Block:
    """A block of a page: its first line there, its text, and why it does not run.

    ``needs`` is the extra without which it cannot.
    """

    page: Path
    line: int
    text: str
    reason: str | None
    needs: str | None


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs" / "how-to").glob("*.md"))]


def blocks(page: Path) -> list[Block]:
    """The shell blocks of a page in order."""
    found: list[Block] = []
    before = None
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        fenced = token.type == "fence" and token.info.split(" ")[0] in ("sh", "bash", "console")
        indented = token.type == "code_block" and COMMAND.match(token.content)
        if fenced or indented:
            remark = before.content if before and before.type == "html_block" else ""
            reason, needs = REASON.search(remark), NEEDS.search(remark)
            found.append(
                Block(
                    page,
                    (token.map or [0])[0] + 1,
                    token.content,
                    " ".join(reason[1].split()) if reason else None,
                    needs[1] if needs else None,
                )
            )
        before = token
    return found


def pages_that_run(extra: str | None = None) -> list[Path]:
    """The pages with blocks that run where that extra is; without one, where there is none."""
    found = []
    for page in pages():
        runnable = [block for block in blocks(page) if block.reason is None]
        if runnable and extra in ({block.needs for block in runnable} - {None} or {None}):
            found.append(page)
    return found


def commands(text: str) -> str:
    """A block's commands without what they print."""
    if not text.startswith("$ "):
        return text
    return "\n".join(line[2:] for line in text.splitlines() if line.startswith("$ "))


def not_printed(page: Path, output: str) -> list[str]:
    """The lines that blocks of a page show as printed and that ``output`` lacks."""
    shown = [
        line
        for block in blocks(page)
        if block.reason is None and block.text.startswith("$ ")
        for line in block.text.splitlines()
        if line.strip(". ") and not line.startswith("$ ")
    ]
    patterns = (".*".join(map(re.escape, line.split("..."))) for line in shown)
    return [
        line
        for line, pattern in zip(shown, patterns, strict=True)
        if not re.search(f"^{pattern}$", output, re.MULTILINE)
    ]


def given(page: Path) -> str:
    """What the page takes as there already, as commands."""
    return "\n".join(GIVEN.findall(page.read_text(encoding="utf-8")))


def script(runnable: list[Block]) -> str:
    """One script of a page's blocks; a line names the block that is next, for the error."""
    parts = ["set -eo pipefail"]
    for block in runnable:
        text = SERVER.sub(r"\1 &", commands(block.text))
        text = FOLLOW.sub(r"timeout --signal=INT 5 \1 || test $? = 124", text)
        parts += [f"echo '== line {block.line} =='", text]
    return "\n".join(parts)


def run_page(page: Path) -> subprocess.CompletedProcess[str]:
    """Run what runs of a page; standard output and errors come together."""
    runnable = [block for block in blocks(page) if block.reason is None]
    if not runnable:
        return subprocess.CompletedProcess([], 0, "nothing runs", "")
    binaries = f"{Path(sys.executable).parent}:{ROOT / 'tools' / 'bin'}"
    with tempfile.TemporaryDirectory(prefix="metaquorum-page-") as folder:
        (Path(folder) / ".venv").symlink_to(Path(sys.executable).parent.parent)
        environment = {
            **os.environ,
            "PATH": f"{binaries}:{os.environ['PATH']}",
            "HOME": folder,
            "TREE": str(ROOT),
        }
        (Path(folder) / "hosts").write_text(HOSTS)
        text = f"set -e\n{PRELUDE.read_text()}\n{given(page)}\n{script(runnable)}"
        # A process namespace ends with its first process: no server outlives the page.
        command = [
            "unshare",
            "--net",
            "--mount",
            "--pid",
            "--fork",
            "--mount-proc",
            "--kill-child",
            "bash",
            "-c",
            text,
        ]
        if os.geteuid() != 0:
            command[1:1] = ["--user", "--map-root-user"]
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output = process.communicate()[0] + f"\nnot done after {TIMEOUT_S} s"
    return subprocess.CompletedProcess(command, process.returncode, output, "")


def outcome(block: Block) -> str:
    """Whether a block runs, and where, in words."""
    return block.reason or (f"runs (make {block.needs})" if block.needs else "runs")


def main() -> int:
    if shutil.which("unshare") is None:
        sys.exit("unshare (util-linux) is needed: each page gets a network of its own")
    if len(sys.argv) > 1:
        done = run_page(Path(sys.argv[1]).resolve())
        print(done.stdout)
        return done.returncode
    for page in pages():
        for block in blocks(page):
            print(f"{page.relative_to(ROOT)}:{block.line:<5} {outcome(block)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
