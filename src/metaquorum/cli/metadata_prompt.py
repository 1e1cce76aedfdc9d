"""The prompt of ``metaquorum metadata``: Kafka's commands, typed one after another."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Final, TextIO

from attrs import define, field

from metaquorum.cli.metadata_paths import absolute, find
from metaquorum.cli.metadata_shell import Shell
from metaquorum.cli.metadata_tree import Directory

PROMPT: Final = ">> "
HELP: Final = (
    ("cat PATH...", "print files"),
    ("cd [PATH]", "go to a directory"),
    ("exit", "leave; so does Ctrl-D"),
    ("find [PATH...]", "print the paths of everything below"),
    ("help", "print this"),
    ("history [N]", "print the last commands"),
    ("ls [PATH...]", "list directories"),
    ("pwd", "print where we are"),
    ("tree PATH...", "print everything below, files with what is in them"),
)
COMMANDS: Final = tuple(usage.split()[0] for usage, _ in HELP)


@define
class Prompt:
    """Commands from ``source``, line by line; with completion when it is a terminal."""

    shell: Shell
    source: TextIO
    lines: list[str] = field(factory=list, init=False)
    whole: bool = field(default=True, init=False)

    def run(self) -> int:
        """Until the end of the input or ``exit``; 1 when anything was not found."""
        read = self._reading()
        while True:
            try:
                line = read()
            except EOFError:
                break
            if line.strip() and not self.obey(line.strip()):
                break
        return 0 if self.whole else 1

    def obey(self, line: str) -> bool:
        """Carry out one line; False when it says to leave."""
        self.lines.append(line)
        try:
            words = shlex.split(line)
        except ValueError as error:
            return self._complain(f"{line}: {error}")
        verb, paths = words[0], words[1:]
        shell = self.shell
        if verb == "exit":
            return False
        if verb in ("cat", "tree") and not paths:
            return self._complain(f"{verb}: a path is needed")
        verbs: dict[str, Callable[[Sequence[str]], bool]] = {
            "cat": shell.cat,
            "cd": self._change_directory,
            "find": shell.find,
            "help": self._help,
            "history": self._history,
            "ls": shell.list_,
            "pwd": self._where,
            "tree": shell.tree,
        }
        if verb not in verbs:
            return self._complain(f"{verb}: no such command; help lists them")
        self.whole = verbs[verb](paths) and self.whole
        return True

    def completions(self, line: str, word: str) -> list[str]:
        """What ``word``, the last of ``line``, may become."""
        if line.lstrip() == word:
            return [f"{name} " for name in COMMANDS if name.startswith(word)]
        before, slash, begun = word.rpartition("/")
        found = find(self.shell.root, before + slash or ".", self.shell.working)
        if len(found) != 1 or not isinstance(found[0].node, Directory):
            return []
        at = found[0].node
        return [
            f"{before}{slash}{name}" + ("/" if isinstance(at.child(name), Directory) else " ")
            for name in at.names()
            if name.startswith(begun)
        ]

    def _change_directory(self, paths: Sequence[str]) -> bool:
        path = paths[0] if paths else "/"
        found = find(self.shell.root, path, self.shell.working)
        if not found:
            return not self._complain(f"cd: {path}: no such directory.")
        if not isinstance(found[0].node, Directory):
            return not self._complain(f"cd: {path}: not a directory.")
        self.shell.working = "/" + "/".join(absolute(path, self.shell.working))
        return True

    def _where(self, paths: Sequence[str]) -> bool:
        self.shell.out(self.shell.working)
        return True

    def _help(self, paths: Sequence[str]) -> bool:
        wide = max(len(usage) for usage, _ in HELP)
        for usage, what in HELP:
            self.shell.out(f"{usage.ljust(wide)}  {what}")
        return True

    def _history(self, paths: Sequence[str]) -> bool:
        count = int(paths[0]) if paths and paths[0].isdecimal() else len(self.lines)
        first = max(0, len(self.lines) - count)
        for number, line in enumerate(self.lines[first:], start=first + 1):
            self.shell.out(f"{number:5}  {line}")
        return True

    def _complain(self, text: str) -> bool:
        self.shell.err(text)
        self.whole = False
        return True

    def _reading(self) -> Callable[[], str]:
        if not self.source.isatty():
            return self._next_line
        try:
            import readline
        except ImportError:
            return lambda: input(PROMPT)
        readline.set_completer_delims(" ")
        readline.set_completer(
            lambda word, number: dict(
                enumerate(self.completions(readline.get_line_buffer(), word))
            ).get(number)
        )
        readline.parse_and_bind("tab: complete")
        return lambda: input(PROMPT)

    def _next_line(self) -> str:
        line = self.source.readline()
        if not line:
            raise EOFError
        return line
