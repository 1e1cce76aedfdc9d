"""What passes on Kafka itself, what of that is not held against ours, and what fails by chance."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

HERE: Final = Path(__file__).parent
RECORD: Final = HERE / "on_kafka.txt"
EXCEPTIONS: Final = HERE / "exceptions.toml"
STATUSES: Final = ("passed", "failed", "skipped")
_HEAD: Final = """\
# What Kafka's integration tests do on Kafka's own controllers: status, seconds, test.
# Written by `python -m tools.kafka_tests record CLASS ...`.
"""


AGAIN: Final = 3  # so many times a test is run again that failed in a way that is left to chance


class BadList(Exception):
    """A line of one of the lists cannot be read; the message names it."""


@frozen
class Recorded:
    """How one test ended on Kafka, and how long it took."""

    status: str
    seconds: float


@frozen
class Reason:
    """Tests that are not held against ours."""

    why: str
    tests: tuple[str, ...]

    def covers(self, test: str) -> bool:
        """Whether a test, or the class, method or type of cluster that it belongs to, is named."""
        return any(test == one or _is_part_of(test, one) for one in self.tests)


@frozen
class Chance(Reason):
    """Tests that fail now and then for a reason that is theirs or their client's.

    ``failures`` are parts of what such a failure says, of which it says one; ``on_kafka`` is how
    often it was seen on Kafka's controllers. One that fails so on ours has to pass when it is run
    again.
    """

    failures: tuple[str, ...]
    on_kafka: str

    def explains(self, test: str, failure: str) -> bool:
        """Whether this is one of its tests, and fails in one of its ways."""
        return self.covers(test) and any(one in failure for one in self.failures)


def class_of(test: str) -> str:
    """The class that a test is in."""
    return test.partition("#")[0]


def _is_part_of(test: str, whole: str) -> bool:
    if not test.startswith(whole):
        return False
    return test[len(whole)] in "#[" or whole.endswith(("[combined", "[isolated"))


def read_record(path: Path = RECORD) -> dict[str, Recorded]:
    """The recorded tests by name; BadList for a line that is none."""
    found: dict[str, Recorded] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split(maxsplit=2)
        if len(words) != 3 or words[0] not in STATUSES or "#" not in words[2]:
            raise BadList(f"{path.name}:{number}: not `STATUS SECONDS CLASS#METHOD`: {line!r}")
        try:
            found[words[2]] = Recorded(words[0], float(words[1]))
        except ValueError:
            raise BadList(f"{path.name}:{number}: {words[1]!r} are no seconds") from None
    return found


def write_record(record: Mapping[str, Recorded], path: Path = RECORD, head: str = _HEAD) -> None:
    """Write all of it, sorted by class and test, below the comment lines of ``head``."""
    rows = [
        f"{one.status:<7} {one.seconds:>6.1f} {test}\n"
        for test, one in sorted(record.items(), key=lambda row: (class_of(row[0]), row[0]))
    ]
    path.write_text(head + "".join(rows), encoding="utf-8")


def read_reasons(path: Path = EXCEPTIONS) -> list[Reason]:
    """The named exceptions; BadList for one without a reason or tests."""
    found = []
    for number, row in enumerate(_tables(path, "exception"), 1):
        why, tests = row.get("why"), row.get("tests")
        if not isinstance(why, str) or not why or not isinstance(tests, list) or not tests:
            raise BadList(f"{path.name}: exception {number} needs `why` and `tests`")
        found.append(Reason(why, tuple(map(str, tests))))
    return found


def read_chances(path: Path = EXCEPTIONS) -> list[Chance]:
    """What fails by chance; BadList where a field is missing."""
    rows = _tables(path, "by_chance")
    for number, row in enumerate(rows, 1):
        has_texts = all(isinstance(row.get(one), str) and row[one] for one in ("why", "on_kafka"))
        if not has_texts or not (_has_texts(row, "failures") and _has_texts(row, "tests")):
            raise BadList(
                f"{path.name}: by_chance {number} needs why, failures, on_kafka and tests"
            )
    return [
        Chance(row["why"], tuple(row["tests"]), tuple(row["failures"]), row["on_kafka"])
        for row in rows
    ]


def _has_texts(row: dict[str, Any], field: str) -> bool:
    """Whether it is a list of texts, none of which is empty: that would be in any failure."""
    found = row.get(field)
    return isinstance(found, list) and bool(found) and all(isinstance(x, str) and x for x in found)


def chance_for(test: str, failure: str, chances: Iterable[Chance]) -> Chance | None:
    """The chance by which a test fails in this way, None if it must not."""
    return next((one for one in chances if one.explains(test, failure)), None)


def _tables(path: Path, name: str) -> list[dict[str, Any]]:
    try:
        rows = tomllib.loads(path.read_text("utf-8")).get(name, [])
    except tomllib.TOMLDecodeError as error:
        raise BadList(f"{path.name}: {error}") from None
    return list(rows)


def reason_for(test: str, reasons: Iterable[Reason]) -> Reason | None:
    """The first exception that names a test, None if it has to pass."""
    return next((one for one in reasons if one.covers(test)), None)


def unused(reasons: Sequence[Reason], record: Mapping[str, Recorded]) -> list[str]:
    """Names in the exceptions that are no recorded test, nor the class or method of one."""
    return [
        name
        for one in reasons
        for name in one.tests
        if not any(Reason("", (name,)).covers(test) for test in record)
    ]
