"""Writes ``tests/wire/golden/``: messages as Kafka's own classes put them on the wire.

    python -m tools.java.golden_frames            # fetches the jars once, then takes seconds

Every message and version of ``schemas/`` is written in the variants of
``metaquorum.testing.values`` by the newest release whose classes know that version. A line of
the files is ``version variant hex json`` (an empty message is ``-``). Kafka's converter must
spell the message as we do, else nothing is written.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from attrs import frozen

from metaquorum.testing import golden, values
from metaquorum.testing.schemas import FieldText, MessageText, all_messages, read_range
from tools.kafka import helper, jars, jvm

SOURCE = Path(__file__).with_name("GoldenFrames.java")

RELEASES = ("4.4.0", "3.9.1")  # the newest first; the old one knows what was dropped since


@frozen
class Frame:
    """One question to Kafka's classes, and where its answer belongs."""

    schema: MessageText
    version: int
    variant: str
    release: str
    java_class: str

    @property
    def spelled(self) -> values.Value:
        variant = "empty" if self.variant == "tags" else self.variant
        value = values.example(self.schema, self.version, variant)
        return values.kafka_json(self.schema, self.version, value)

    def question(self) -> str:
        asked: dict[str, Any] = {
            "class": self.java_class,
            "version": self.version,
            "value": self.spelled,
        }
        if self.variant == "tags":
            asked["tags"] = [[tag, data.hex()] for tag, data in golden.UNKNOWN]
        return json.dumps(asked)


def java_classes(release: str) -> dict[str, tuple[str, range]]:
    """For each message of a release: its Java class and its versions."""
    found: dict[str, tuple[str, range]] = {}
    for jar in jars.message_jars(release):
        with ZipFile(jar) as opened:
            names = opened.namelist()
            classes = {Path(n).stem: n for n in names if n.endswith(".class") and "$" not in n}
            for name in names:
                if not name.endswith(".json") or "/me" not in name:
                    continue
                text = opened.read(name).decode()
                # The definitions carry comments, so the two keys are picked out of the text.
                title = text.split('"name": "', 1)[1].split('"', 1)[0]
                valid = text.split('"validVersions": "', 1)[1].split('"', 1)[0]
                kind = text.split('"type": "', 1)[1].split('"', 1)[0]
                known = read_range(valid)
                suffix = "Data" if kind in ("request", "response", "header") else ""
                path = classes.get(title + suffix)
                if path is not None:
                    dotted = path.removesuffix(".class").replace("/", ".")
                    found[title] = (dotted, range(known.low, known.high + 1))
    return found


def frames() -> Iterator[Frame]:
    """Every frame that is to be written."""
    known = {release: java_classes(release) for release in RELEASES}
    for schema in all_messages():
        for version in schema.versions:
            for release in RELEASES:
                java_class, versions = known[release].get(schema.name, ("", range(0)))
                if version in versions:
                    break
            else:
                raise SystemExit(f"no release knows {schema.name} {version}")
            tags = ("tags",) if schema.is_flexible(version) else ()
            for variant in (*values.VARIANTS, *tags):
                yield Frame(schema, version, variant, release, java_class)


def ask(release: str, asked: list[Frame]) -> Iterator[tuple[Frame, dict[str, Any]]]:
    """The answers of one release's classes."""
    classes = (helper.compiled(SOURCE), *jars.message_jars(release))
    command = jvm.command(jars.libs(), "GoldenFrames", class_path=classes)
    text = "".join(frame.question() + "\n" for frame in asked)
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    lines = ran.stdout.splitlines()
    if ran.returncode != 0 or len(lines) != len(asked):
        raise SystemExit(f"{release}: {len(lines)} answers to {len(asked)}\n{ran.stderr}")
    for frame, line in zip(asked, lines, strict=True):
        yield frame, json.loads(line)


def without_records(fields: tuple[FieldText, ...], spelled: dict[str, Any]) -> dict[str, Any]:
    """The JSON form with emptied records: Kafka's converter never spells those out."""
    thinned = dict(spelled)
    for field in fields:
        inner = thinned.get(field.key)
        if inner is None:
            continue
        if field.element == "records":
            thinned[field.key] = ""
        elif field.fields is not None:
            many = [without_records(field.fields, each) for each in inner] if field.array else None
            thinned[field.key] = many if field.array else without_records(field.fields, inner)
    return thinned


def main() -> int:
    lines: dict[str, dict[tuple[int, int], str]] = {}
    faults = 0
    wanted = list(frames())
    order = (*values.VARIANTS, "tags")
    for release in RELEASES:
        for frame, answer in ask(release, [f for f in wanted if f.release == release]):
            ours = without_records(frame.schema.fields, frame.spelled)
            if json.dumps(answer.get("json")) != json.dumps(ours):  # the order of keys counts
                faults += 1
                print(f"{frame.schema.name} {frame.version} {frame.variant}:", file=sys.stderr)
                print(f"  ours   {json.dumps(ours)}", file=sys.stderr)
                print(f"  Kafka  {json.dumps(answer)}", file=sys.stderr)
                continue
            spelled = json.dumps(frame.spelled, separators=(",", ":"), ensure_ascii=False)
            place = (frame.version, order.index(frame.variant))
            module = frame.schema.module.rpartition(".")[2]
            lines.setdefault(module, {})[place] = (
                f"{frame.version} {frame.variant} {answer['hex'] or '-'} {spelled}\n"
            )
    if faults:
        print(f"{faults} frames differ; nothing was written", file=sys.stderr)
        return 1
    golden.GOLDEN.mkdir(parents=True, exist_ok=True)
    for module, rows in lines.items():
        text = "".join(rows[place] for place in sorted(rows))
        (golden.GOLDEN / f"{module}.txt").write_text(text, encoding="utf-8")
    print(f"{len(wanted)} frames in {len(lines)} files")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
