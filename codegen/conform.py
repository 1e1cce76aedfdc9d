"""Our schemas against the definitions inside Kafka's jars, version by version.

Compared is what goes over the wire or decides how: names, order, types, nullability, tags,
defaults, compact lengths, ignorable fields, map keys, api keys. Descriptions, entity types and
listeners are not. Every version is compared with the newest jar that knows it, so versions that
newer releases dropped are held against an older jar, if one is given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from attrs import define, field, frozen

from codegen.differences import version_differences
from codegen.json_source import SourceError
from codegen.parse import parse_text
from codegen.schema import Message
from codegen.versions import Versions, parse_versions

_RELEASE = re.compile(r"-(\d+(?:\.\d+)*)[^/]*\.jar$")


@frozen
class Difference:
    """One thing that is not as in the jar, in one or more versions of a message."""

    message: str
    path: str
    what: str
    ours: str
    theirs: str
    jar: str

    def text(self, versions: Sequence[int]) -> str:
        """One line for people."""
        where = f"{self.message}.{self.path}" if self.path else self.message
        numbers = ", ".join(map(str, ranges(versions)))
        return f"{where} v{numbers}: {self.what} is {self.ours}, {self.theirs} in {self.jar}"


@frozen
class Allowed:
    """A difference that a decision page names, with its reason."""

    message: str
    path: str
    what: str
    versions: Versions
    why: str

    def covers(self, difference: Difference, version: int) -> bool:
        """Whether this is that difference."""
        same = (self.message, self.path, self.what)
        return (
            same == (difference.message, difference.path, difference.what)
            and version in self.versions
        )


@frozen
class Theirs:
    """One definition inside a jar."""

    message: Message
    jar: str
    release: tuple[int, ...]


@define
class Report:
    """What a comparison found."""

    differences: dict[Difference, list[int]] = field(factory=dict)
    allowed: dict[Difference, list[int]] = field(factory=dict)
    unused: list[Allowed] = field(factory=list)
    compared: int = 0  # message-versions
    only_theirs: list[str] = field(factory=list)  # messages that we have not written
    left_out: list[Allowed] = field(factory=list)  # messages that we decided not to write
    not_served: dict[str, list[int]] = field(factory=dict)  # versions only older jars have


def read_jars(paths: Iterable[Path]) -> dict[str, list[Theirs]]:
    """Definitions by message name, those of the newest release first.

    A folder stands for the ``kafka-*.jar`` in it. SourceError if a jar cannot be read or holds
    a definition that cannot be parsed.
    """
    found: dict[str, list[Theirs]] = {}
    for path in paths:
        jars = sorted(path.glob("kafka-*.jar")) if path.is_dir() else [path]
        for jar in jars:
            for theirs in _read_jar(jar):
                found.setdefault(theirs.message.name, []).append(theirs)
    for definitions in found.values():
        definitions.sort(key=lambda theirs: theirs.release, reverse=True)
    return found


def _read_jar(jar: Path) -> Iterator[Theirs]:
    match = _RELEASE.search(jar.name)
    release = tuple(map(int, match.group(1).split("."))) if match else ()
    try:
        with ZipFile(jar) as archive:
            for name in sorted(archive.namelist()):
                if not name.endswith(".json") or name.startswith("META-INF/"):
                    continue
                text = archive.read(name).decode("utf-8")
                if '"validVersions"' in text:
                    message = parse_text(text, f"{jar.name}!{name}", strict=False)
                    if message.versions:
                        yield Theirs(message, jar.name, release)
    except (OSError, BadZipFile) as error:
        raise SourceError(f"{jar}: {error}") from None


def read_allowed(path: Path) -> list[Allowed]:
    """The differences that were decided on; nothing if there is no such file."""
    if not path.exists():
        return []
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["allowed"]
        return [
            Allowed(
                row["message"], row["path"], row["what"], parse_versions(row["versions"]),
                row["why"],
            )
            for row in rows
        ]  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise SourceError(f"{path}: not a list of allowed differences: {error!r}") from None


def compare(
    ours: Iterable[Message], theirs: dict[str, list[Theirs]], allowed: Sequence[Allowed]
) -> Report:
    """Every message of ours against the jars."""
    report = Report()
    used: set[int] = set()
    names = set()
    for message in ours:
        names.add(message.name)
        for difference, version in _message_differences(message, theirs, report):
            number = next(
                (n for n, each in enumerate(allowed) if each.covers(difference, version)), None
            )
            bag = report.differences if number is None else report.allowed
            bag.setdefault(difference, []).append(version)
            if number is not None:
                used.add(number)
    for number, each in enumerate(allowed):
        if each.what == "message" and each.message in theirs.keys() - names:
            names.add(each.message)
            used.add(number)
            report.left_out.append(each)
    report.only_theirs = sorted(theirs.keys() - names)
    report.unused = [each for number, each in enumerate(allowed) if number not in used]
    return report


def _message_differences(
    ours: Message, theirs: dict[str, list[Theirs]], report: Report
) -> Iterator[tuple[Difference, int]]:
    definitions = theirs.get(ours.name, [])
    if not definitions:
        for version in ours.versions:
            yield Difference(ours.name, "", "message", "here", "missing", "every jar"), version
        return
    newest = definitions[0]
    for version in newest.message.versions:
        if version not in ours.versions:
            yield Difference(ours.name, "", "version", "missing", "there", newest.jar), version
    for older in definitions[1:]:
        for version in older.message.versions:
            known = report.not_served.setdefault(ours.name, [])
            if version not in ours.versions and version not in known:
                known.append(version)
    for version in ours.versions:
        match = next((each for each in definitions if version in each.message.versions), None)
        if match is None:
            yield Difference(ours.name, "", "version", "there", "missing", "every jar"), version
            continue
        report.compared += 1
        for path, what, left, right in version_differences(ours, match.message, version):
            yield Difference(ours.name, path, what, left, right, match.jar), version


def ranges(numbers: Sequence[int]) -> list[Versions]:
    """The numbers as unbroken ranges."""
    found: list[Versions] = []
    for number in sorted(numbers):
        if found and found[-1].highest + 1 == number:
            found[-1] = Versions(found[-1].lowest, number)
        else:
            found.append(Versions(number, number))
    return found


def lines(report: Report, *, complete: bool) -> Iterator[str]:
    """The report for people; ``complete`` counts unwritten messages as differences."""
    for difference, versions in report.differences.items():
        yield difference.text(versions)
    for difference, versions in report.allowed.items():
        yield f"allowed: {difference.text(versions)}"
    for each in report.left_out:
        yield f"allowed: {each.message} is not among ours"
    for each in report.unused:
        yield f"not needed with these jars: allowed {each.message}.{each.path} {each.what}"
    for name, numbers in sorted(report.not_served.items()):
        if numbers:
            dropped = ", ".join(map(str, ranges(numbers)))
            yield f"note: {name} v{dropped} is only in an older jar, and not among ours"
    if complete:
        yield from (f"{name}: not written yet" for name in report.only_theirs)
    yield (
        f"{report.compared} message-versions compared, {len(report.differences)} differences, "
        f"{len(report.allowed) + len(report.left_out)} allowed, "
        f"{len(report.only_theirs)} messages of the jars not written yet"
    )
