"""Commands as Kafka's tools read them: options and commands may be cut short while that is clear.

argparse4j reads the command lines of kafka-storage and kafka-metadata-quorum. It takes every
unambiguous beginning of a long option or a subcommand, and ``-c=FILE`` for ``-c FILE``.
jopt-simple reads those of kafka-dump-log, and takes long options with one dash (decision 205).

What cannot be read is reported without repeating it: a misspelt option, or a value that a missing
quote cut in two, may hold a secret (decision 206).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

import click

_MOST_SUGGESTIONS: Final = 3


class Command(click.Command):
    """A command whose long options may be cut short."""

    one_dash = False
    """Whether long options may begin with one dash, and flags have a value that counts for
    nothing, as with jopt-simple."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; click.UsageError repeats none of them."""
        words = _Words(self, ctx, args, one_dash=self.one_dash).whole()
        refuses_more, ctx.allow_extra_args = not ctx.allow_extra_args, True
        try:
            left = super().parse_args(ctx, words)
        except click.BadParameter as error:
            raise _without_value(error) from None
        ctx.allow_extra_args = not refuses_more
        if left and refuses_more and not ctx.resilient_parsing:
            arguments = "argument" if len(left) == 1 else "arguments"
            ctx.fail(
                f"Got {len(left)} unexpected extra {arguments}. "
                "A value with blanks in it needs quotes."
            )
        return left


class OneDashCommand(Command):
    """A command whose long options may begin with one dash."""

    one_dash = True


class Group(click.Group):
    """A group whose own long options, and the names of whose commands, may be cut short."""

    command_class = Command
    group_class = type

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments up to the command; click.UsageError repeats none of them."""
        try:
            return super().parse_args(ctx, _Words(self, ctx, args).whole())
        except click.BadParameter as error:
            raise _without_value(error) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument begins to name."""
        names = self.list_commands(ctx)
        if args[0] not in names:
            found = [name for name in names if args[0] and name.startswith(args[0])]
            if len(found) > 1:
                ctx.fail(f"Ambiguous command: {args[0]} could match {', '.join(sorted(found))}")
            if not found:
                close = _suggestion(args[0], names) or f" It has {', '.join(names)}."
                ctx.fail(f"There is no such command of '{ctx.command_path}'.{close}")
            args = [found[0], *args[1:]]
        return super().resolve_command(ctx, args)


class _Words:
    """The arguments of one command, on their way to what click reads."""

    def __init__(
        self,
        command: click.Command,
        ctx: click.Context,
        args: Sequence[str],
        *,
        one_dash: bool = False,
    ) -> None:
        self._ctx = ctx
        self._one_dash = one_dash
        self._count = len(args)
        self._left = list(args)
        self._done: list[str] = []
        self._options = {
            name: option
            for option in command.get_params(ctx)
            if isinstance(option, click.Option)
            for name in (*option.opts, *option.secondary_opts)
        }

    def whole(self) -> list[str]:
        """The same arguments with every name of an option spelled out."""
        while self._left:
            word = self._left.pop(0)
            if word == "--" or not (word.startswith("-") and len(word) > 1):
                self._done.append(word)
                if word == "--" or not self._ctx.allow_interspersed_args:
                    break
            elif word.startswith("--"):
                self._take_long(word, self._full_name(word.partition("=")[0]))
            else:
                self._take_short(word)
        return self._done + self._left

    def _take_long(self, word: str, name: str) -> None:
        _, equals, value = word.partition("=")
        option = self._options[name]
        if equals and self._one_dash and not _takes_value(option):
            equals = value = ""
        self._done.append(f"{name}{equals}{value}")
        if not equals:
            self._take_values(option)

    def _take_short(self, word: str) -> None:
        name, equals, value = word.partition("=")
        if self._one_dash and name not in self._options:
            found = self._beginning_with(f"-{name}")
            if found and (len(found) == 1 or word[:2] not in self._options):
                self._take_long(f"-{word}", self._full_name(f"-{name}"))
                return
        if equals and name in self._options and _takes_value(self._options[name]):
            self._done += [name, value]
            return
        for at, letter in enumerate(word[1:], start=2):
            if f"-{letter}" not in self._options:
                self._refuse(word)
            option = self._options[f"-{letter}"]
            if _takes_value(option):
                self._done.append(word)
                if at == len(word):
                    self._take_values(option)
                return
        self._done.append(word)

    def _take_values(self, option: click.Option) -> None:
        if _takes_value(option):
            self._done += self._left[: option.nargs]
            del self._left[: option.nargs]

    def _full_name(self, begun: str) -> str:
        found = self._beginning_with(begun)
        if not found:
            self._refuse(begun)
        if len(found) > 1:
            self._ctx.fail(f"Ambiguous option: {begun} could match {', '.join(sorted(found))}")
        return found[0]

    def _beginning_with(self, begun: str) -> list[str]:
        """The long options that ``begun`` may mean; the exact one alone if there is one."""
        if begun in self._options:
            return [begun]
        return [name for name in self._options if name.startswith("--") and name.startswith(begun)]

    def _refuse(self, word: str) -> None:
        place = self._count - len(self._left)
        close = _suggestion(word, [name for name in self._options if name.startswith("--")])
        self._ctx.fail(
            f"Argument {place} of '{self._ctx.command_path}' is none of its options.{close}"
        )


def _takes_value(option: click.Option) -> bool:
    return not (option.is_flag or option.count)


def _suggestion(word: str, names: Iterable[str]) -> str:
    close = get_close_matches(word, list(names), _MOST_SUGGESTIONS)
    return f" Did you mean {' or '.join(close)}?" if close else ""


def _without_value(error: click.BadParameter) -> click.BadParameter:
    """The same refusal without the value, where click would repeat it."""
    if isinstance(error, click.MissingParameter) or error.param is None:
        return error
    kind = error.param.type
    if isinstance(kind, click.Choice):
        expected = "one of " + ", ".join(map(str, kind.choices))
    elif isinstance(kind, (click.IntRange, click.FloatRange)):
        bounds = [
            f"at {side} {bound}"
            for side, bound in (("least", kind.min), ("most", kind.max))
            if bound is not None
        ]
        number = "a whole number" if isinstance(kind, click.IntRange) else "a number"
        expected = " ".join([number, " and ".join(bounds)]).rstrip()
    elif kind in (click.INT, click.FLOAT):
        expected = "a whole number" if kind is click.INT else "a number"
    else:
        return error
    return click.BadParameter(f"it takes {expected}.", ctx=error.ctx, param=error.param)
