"""A release: built twice, compared, checked, and listed. Nothing is signed and nothing published.

    make release                    build/release/: wheel, sdist, bill of materials, SHA256SUMS

The date in the archives is that of the commit (SOURCE_DATE_EPOCH), so the same commit makes the
same bytes anywhere; the second build, of the unpacked sdist alone, shows that. docs/decisions/223.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from tools.locks import lock_of
from tools.pythons import SUPPORTED, python

ROOT = Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "build/release"
SUMS = "SHA256SUMS"
EPOCH = "SOURCE_DATE_EPOCH"
UNKNOWN_EPOCH_S = "1577836800"  # without git: the first second of 2020


class ReleaseFailed(Exception):
    """Why there is nothing to publish."""


@frozen
class Built:
    """The two archives of one build."""

    sdist: Path
    wheel: Path

    @property
    def version(self) -> str:
        """As the wheel's name has it."""
        return self.wheel.name.split("-")[1]


def ran(command: Sequence[str | Path], directory: Path = ROOT, **environment: str) -> str:
    """What a command printed; ReleaseFailed with its output when it failed."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words,
        cwd=directory,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ReleaseFailed(f"{' '.join(words)} failed:\n{done.stdout[-3000:]}")
    return done.stdout


def build(source: Path, into: Path, epoch_s: str) -> Built:
    """The sdist of a tree, and the wheel of that sdist, as ``python -m build`` makes them."""
    ran([sys.executable, "-m", "build", "--outdir", into, source], into.parent, **{EPOCH: epoch_s})
    return Built(next(into.glob("*.tar.gz")), next(into.glob("*.whl")))


def build_again(first: Built, scratch: Path, epoch_s: str) -> Built:
    """A build of nothing but the sdist's content, in another directory."""
    shutil.unpack_archive(first.sdist, scratch / "source")
    (tree,) = (scratch / "source").iterdir()
    (scratch / "again").mkdir()
    return build(tree, scratch / "again", epoch_s)


def differences(first: Built, second: Built) -> list[str]:
    """The names of the archives that are not the same bytes."""
    pairs = ((first.sdist, second.sdist), (first.wheel, second.wheel))
    return [one.name for one, other in pairs if one.read_bytes() != other.read_bytes()]


def commit_epoch_s() -> str:
    """The time of the commit that is checked out; a fixed one where this is no clone."""
    done = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or UNKNOWN_EPOCH_S


def changes_of_the_tree() -> list[str]:
    """What differs from the commit, or is not in it: a release holds neither."""
    return ran(["git", "status", "--porcelain"]).splitlines()


def bill_of_materials(wheel: Path, into: Path, scratch: Path) -> Path:
    """CycloneDX of an environment that has the wheel and what it needs, at the locked versions."""
    environment = scratch / "environment"
    version = SUPPORTED[0]
    ran([sys.executable, "-m", "uv", "venv", "--quiet", "--python", python(version), environment])
    own = environment / "bin/python"
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", str(own)]
    ran([*install, "--constraint", lock_of(version), wheel])
    bill = into / f"{wheel.name.removesuffix('.whl')}.cdx.json"
    describe = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    described = ["--pyproject", str(ROOT / "pyproject.toml"), "--mc-type", "application"]
    ran([*describe, *described, "--output-format", "JSON", "--output-file", bill, own], scratch)
    facts = json.loads(bill.read_text(encoding="utf-8"))
    # pyproject.toml leaves the version to the build, so the tool cannot know it.
    facts["metadata"]["component"]["version"] = wheel.name.split("-")[1]
    bill.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return bill


def write_sums(directory: Path) -> list[tuple[str, int, str]]:
    """SHA256SUMS beside the files, as sha256sum -c takes it; name, bytes and digest of each."""
    files = sorted(path for path in directory.iterdir() if path.name != SUMS)
    rows = [
        (path.name, path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())
        for path in files
    ]
    text = "".join(f"{digest}  {name}\n" for name, _, digest in rows)
    (directory / SUMS).write_text(text, encoding="ascii")
    return rows


def release() -> None:
    """Build, check, list; ReleaseFailed says what is wrong."""
    changes = changes_of_the_tree()
    if changes:
        raise ReleaseFailed("the tree differs from its commit:\n  " + "\n  ".join(changes[:20]))
    shutil.rmtree(OUTPUT, ignore_errors=True)
    OUTPUT.mkdir(parents=True)
    epoch_s = commit_epoch_s()
    print("building the sdist, and the wheel of it", flush=True)
    built = build(ROOT, OUTPUT, epoch_s)
    with tempfile.TemporaryDirectory(prefix="metaquorum-release-") as scratch:
        print("building both again, of the unpacked sdist", flush=True)
        different = differences(built, build_again(built, Path(scratch), epoch_s))
        if different:
            raise ReleaseFailed(f"two builds differ: {', '.join(different)}")
        print("checking the metadata, listing what the wheel needs", flush=True)
        ran([sys.executable, "-m", "twine", "check", "--strict", built.sdist, built.wheel])
        bill_of_materials(built.wheel, OUTPUT, Path(scratch))
    rows = write_sums(OUTPUT)
    print(f"\nmetaquorum {built.version}: this would be published, of {OUTPUT.relative_to(ROOT)}\n")
    print(f"  {'SHA-256':64}  {'BYTES':>9}  FILE")
    for name, size_bytes, digest in rows:
        print(f"  {digest}  {size_bytes:>9}  {name}")
    print(f"\n{SUMS} is not signed: that takes a key, which this tree does not hold.")


if __name__ == "__main__":
    try:
        release()
    except ReleaseFailed as error:
        sys.exit(f"release: {error}")
