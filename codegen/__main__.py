"""``python -m codegen``: schemas/ -> codecs, columns of tables, and docs/protocol.

And ``codegen.monitoring`` -> ``deploy/prometheus``, ``deploy/grafana`` and their pages.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from codegen import conform, drift, evolution, show
from codegen.json_source import SourceError
from codegen.monitoring import dashboards_page, grafana, rules

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "schemas"
ALLOWED = ROOT / "docs" / "decisions" / "conform-exceptions.json"
GENERATED = ROOT / "src" / "metaquorum" / "wire" / "generated"
COLUMNS = ROOT / "src" / "pyspark_metaquorum" / "generated"
PAGES = ROOT / "docs" / "protocol"
DEPLOY = ROOT / "deploy"


def main(argv: list[str] | None = None) -> int:
    """Run one of the generator's jobs; the exit status says whether all is well."""
    parser = argparse.ArgumentParser(
        prog="python -m codegen", description="Write the wire codecs from the schemas."
    )
    jobs = parser.add_mutually_exclusive_group()
    jobs.add_argument("--check", action="store_true", help="compare with the disk, write nothing")
    jobs.add_argument(
        "--show", nargs=2, metavar=("NAME", "VERSION"), help="print one layout, for people"
    )
    jobs.add_argument(
        "--against", metavar="REF", help="may the schemas have changed so since this commit?"
    )
    jobs.add_argument(
        "--conform",
        nargs="+",
        type=Path,
        metavar="JAR",
        help="compare with the definitions inside Kafka's jars (files, or folders of them)",
    )
    parser.add_argument(
        "--complete",
        action="store_true",
        help="with --conform: a message that only the jars have is a difference too",
    )
    options = parser.parse_args(argv)
    try:
        if options.check:
            return _check()
        if options.show:
            return _show(*options.show)
        if options.against:
            return _against(options.against)
        if options.conform:
            return _conform(options.conform, complete=options.complete)
        return _write()
    except SourceError as error:
        print(error, file=sys.stderr)
        return 2


def _write() -> int:
    for files, folder in _wanted():
        done = drift.write(files, folder)
        print(
            f"{folder.name}: {len(files)} files: {len(done.missing)} new, "
            f"{len(done.changed)} changed, {len(done.left_over)} removed"
        )
    for page, text in _wanted_pages().items():
        page.write_text(text, encoding="utf-8")
    return 0


def _wanted() -> list[tuple[dict[str, str], Path]]:
    return [
        (drift.generate(SCHEMAS), GENERATED),
        (drift.generate_columns(SCHEMAS), COLUMNS),
        (drift.generate_pages(SCHEMAS), PAGES),
        ({rules.RULES_FILE: rules.rules_text()}, DEPLOY / "prometheus"),
        (grafana.dashboard_files(), DEPLOY / "grafana"),
    ]


def _wanted_pages() -> dict[Path, str]:
    """Pages in folders that hold others as well."""
    return {
        ROOT / rules.PAGE: rules.page_text(),
        ROOT / dashboards_page.PAGE: dashboards_page.page_text(),
    }


def _check() -> int:
    drifted = False
    for files, folder in _wanted():
        found = drift.compare(files, folder)
        drifted = drifted or bool(found)
        for word, names in (
            ("missing", found.missing),
            ("differs", found.changed),
            ("left over", found.left_over),
        ):
            for name in names:
                print(f"{word}: {folder.name}/{name}")
    for page, text in _wanted_pages().items():
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            drifted = True
            print(f"differs: {page.relative_to(ROOT)}")
    if drifted:
        print("the generated files are not what their sources say: run `make generate`")
        return 1
    return 0


def _show(name: str, version: str) -> int:
    found = show.find(drift.read_schemas(SCHEMAS), name)
    if not found:
        print(f"no message is called {name}", file=sys.stderr)
        return 2
    if not version.isdecimal():
        print(f"--show {name} {version}: a version is a number", file=sys.stderr)
        return 2
    try:
        for message in found:
            print("\n".join(show.show(message, int(version))))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _against(ref: str) -> int:
    old, codes = evolution.schemas_at(ref, SCHEMAS)
    found = evolution.illegal_changes(old, drift.read_schemas(SCHEMAS))
    path = SCHEMAS / drift.ERROR_CODES
    if codes is not None:
        found += evolution.illegal_codes(codes, path.read_text(encoding="utf-8"), path.name)
    for line in found:
        print(line)
    print(f"{len(old)} messages of {ref} compared, {len(found)} illegal changes")
    return 1 if found else 0


def _conform(jars: list[Path], *, complete: bool) -> int:
    theirs = conform.read_jars(jars)
    report = conform.compare(drift.read_schemas(SCHEMAS), theirs, conform.read_allowed(ALLOWED))
    for line in conform.lines(report, complete=complete):
        print(line)
    return 1 if report.differences or (complete and report.only_theirs) else 0


if __name__ == "__main__":
    sys.exit(main())
