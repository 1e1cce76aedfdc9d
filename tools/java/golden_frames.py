"""Writes ``tests/wire/golden/``: messages as Kafka's own classes put them on the wire.

    python -m tools.java.golden_frames            # fetches the jars once, then takes seconds
    python -m tools.java.golden_frames --check    # says which files would change

Every message and version of ``schemas/`` is written in the variants of
``metaquorum.testing.values`` by the newest release whose classes know that version. A line of
the files is ``version variant hex json`` (an empty message is ``-``). Kafka's converter must
spell the message as we do, else nothing is written.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from attrs import frozen

from metaquorum.testing import golden, values
from metaquorum.testing.schemas import FieldText, MessageText, all_messages, read_range
from tools.kafka import helper, jars, jvm

SOURCE = Path(__file__).with_name("GoldenFrames.java")
RELEASES = ("4.4.0", "3.9.1")  # the newest first; the old one knows what was dropped since
VARIANTS = (*values.VARIANTS, "tags")


class Disagreement(Exception):
    """Kafka's classes and we do not mean the same; the message lists where."""


@frozen
class Question:
    """Something to ask the classes of one release, and what it is about."""

    schema: MessageText
    version: int
    variant: str  # empty when bytes are to be read
    data: bytes = b""

    @property
    def spelled(self) -> values.Value:
        """The value to be written, in Kafka's JSON form."""
        variant = "empty" if self.variant == "tags" else self.variant
        value = values.example(self.schema, self.version, variant)
        return values.kafka_json(self.schema, self.version, value)

    def line(self, java_class: str) -> str:
        """The question as the Java program reads it."""
        asked: dict[str, Any] = {"class": java_class, "version": self.version}
        if self.variant:
            asked["value"] = self.spelled
        else:
            asked["hex"] = self.data.hex()
        if self.variant == "tags":
            asked["tags"] = [[tag, data.hex()] for tag, data in golden.UNKNOWN]
        return json.dumps(asked)


@cache
def java_classes(release: str) -> dict[str, tuple[str, range]]:
    """For each message of a release: its Java class and its versions."""
    found: dict[str, tuple[str, range]] = {}
    for jar in jars.message_jars(release):
        with ZipFile(jar) as opened:
            names = opened.namelist()
            classes = {Path(n).stem: n for n in names if n.endswith(".class") and "$" not in n}
            for name in names:
                if name.endswith(".json") and name.startswith(("common/", "message/")):
                    title, suffix, versions = _definition(opened.read(name).decode())
                    path = classes.get(title + suffix)
                    if path is not None:
                        dotted = path.removesuffix(".class").replace("/", ".")
                        found[title] = (dotted, versions)
    return found


def _definition(text: str) -> tuple[str, str, range]:
    """Name, suffix of the class and versions: the definitions carry comments, so by search."""

    def first(key: str) -> str:
        return text.split(f'"{key}": "', 1)[1].split('"', 1)[0]

    known = read_range(first("validVersions"))
    suffix = "Data" if first("type") in ("request", "response", "header") else ""
    return first("name"), suffix, range(known.low, known.high + 1)


def release_of(schema: MessageText, version: int) -> str:
    """The newest release whose classes know this version."""
    for release in RELEASES:
        _, versions = java_classes(release).get(schema.name, ("", range(0)))
        if version in versions:
            return release
    raise Disagreement(f"no release knows {schema.name} {version}")


def ask(questions: Sequence[Question]) -> Iterator[tuple[Question, dict[str, Any]]]:
    """What Kafka's classes answer, each question going to its release."""
    for release in RELEASES:
        asked = [q for q in questions if release_of(q.schema, q.version) == release]
        if not asked:
            continue
        class_path = (helper.compiled(source=SOURCE, libs=jars.libs()), *jars.message_jars(release))
        command = jvm.command(jars.libs(), "GoldenFrames", class_path=class_path)
        known = java_classes(release)
        text = "".join(q.line(known[q.schema.name][0]) + "\n" for q in asked)
        ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        lines = ran.stdout.splitlines()
        if ran.returncode != 0 or len(lines) != len(asked):
            raise Disagreement(f"{release}: {len(lines)} of {len(asked)} answers\n{ran.stderr}")
        for question, line in zip(asked, lines, strict=True):
            yield question, json.loads(line)


def without_records(fields: tuple[FieldText, ...], spelled: dict[str, Any]) -> dict[str, Any]:
    """The JSON form with emptied records: Kafka's converter never spells those out."""
    thinned = dict(spelled)
    for field in fields:
        inner = thinned.get(field.key)
        if inner is None:
            continue
        if field.element == "records":
            thinned[field.key] = ""
        elif field.fields is not None and field.array:
            thinned[field.key] = [without_records(field.fields, each) for each in inner]
        elif field.fields is not None:
            thinned[field.key] = without_records(field.fields, inner)
    return thinned


def golden_questions() -> Iterator[Question]:
    """Every frame that belongs into the golden files."""
    for schema in all_messages():
        for version in schema.versions:
            for variant in VARIANTS:
                if variant != "tags" or schema.is_flexible(version):
                    yield Question(schema, version, variant)


def golden_files() -> dict[Path, str]:
    """The files as Kafka's classes want them; Disagreement where they spell a message unlike us."""
    rows: dict[Path, dict[tuple[int, int], str]] = {}
    faults = []
    for question, answer in ask(list(golden_questions())):
        ours = json.dumps(without_records(question.schema.fields, question.spelled))
        theirs = json.dumps(answer.get("json", answer))
        name = f"{question.schema.name} {question.version} {question.variant}"
        if theirs != ours:  # the order of keys counts
            faults.append(f"{name}:\n  ours   {ours}\n  Kafka  {theirs}")
            continue
        spelled = json.dumps(question.spelled, separators=(",", ":"), ensure_ascii=False)
        line = f"{question.version} {question.variant} {answer['hex'] or '-'} {spelled}\n"
        place = (question.version, VARIANTS.index(question.variant))
        rows.setdefault(golden.file_of(question.schema), {})[place] = line
    if faults:
        raise Disagreement("\n".join(faults))
    return {file: "".join(found[place] for place in sorted(found)) for file, found in rows.items()}


def main(arguments: list[str]) -> int:
    wanted = golden_files()
    golden.GOLDEN.mkdir(parents=True, exist_ok=True)
    stale = [file for file in golden.GOLDEN.iterdir() if file not in wanted]
    changed = [
        file
        for file, text in wanted.items()
        if not file.exists() or file.read_text(encoding="utf-8") != text
    ]
    if "--check" in arguments:
        for file in sorted([*stale, *changed]):
            print(f"{file.name} is not what Kafka's classes write")
        return 1 if stale or changed else 0
    for file in stale:
        file.unlink()
    for file in changed:
        file.write_text(wanted[file], encoding="utf-8")
    print(f"{len(wanted)} files, {len(changed)} changed, {len(stale)} removed")
    return 0


if __name__ == "__main__":
    try:
        raise SystemExit(main(sys.argv[1:]))
    except Disagreement as why:
        raise SystemExit(f"{why}\nnothing was written") from None
