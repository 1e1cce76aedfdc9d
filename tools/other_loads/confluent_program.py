"""Runs a program of ``confluent_kafka.kafkatest`` as it is in the installed package.

``python -m tools.other_loads.confluent_program verifiable_producer OPTION ...``

Their text is of Python 2 in two places: options have ``iteritems``, and JSON takes bytes. Both are
given to it from outside, and the file stays untouched.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import json
import runpy
import sys
from collections.abc import ItemsView, Sequence
from pathlib import Path
from typing import Any, Final

PROGRAMS: Final = ("verifiable_producer", "verifiable_consumer")


class Options(dict[str, Any]):
    """Parsed options as Python 2 had them."""

    def iteritems(self) -> ItemsView[str, Any]:
        """The same as ``items``."""
        return self.items()


_parse = argparse.ArgumentParser.parse_args


def parse_options(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """``parse_args`` of a parser, and its ``vars`` are Options."""
    found = _parse(parser)
    found.__dict__ = Options(vars(found))
    return found


def as_text(value: object) -> str:
    """Bytes as JSON can have them. TypeError for what no JSON has."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    raise TypeError(f"{type(value).__name__} is not JSON")


def directory() -> Path:
    """Where the programs are. ModuleNotFoundError without the package."""
    found = importlib.util.find_spec("confluent_kafka")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("confluent_kafka is not installed: make interop-setup")
    return Path(found.origin).parent / "kafkatest"


def main(words: Sequence[str]) -> None:
    if not words or words[0] not in PROGRAMS:
        sys.exit(f"usage: confluent_program {{{','.join(PROGRAMS)}}} OPTION ...")
    where = directory()
    path = where / f"{words[0]}.py"
    sys.path.insert(0, str(where))
    sys.argv = [str(path), *words[1:]]
    setattr(argparse.ArgumentParser, "parse_args", parse_options)  # noqa: B010 - a patch
    setattr(json, "dumps", functools.partial(json.dumps, default=as_text))  # noqa: B010
    runpy.run_path(str(path), run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
