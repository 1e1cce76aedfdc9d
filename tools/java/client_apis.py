"""Which APIs and versions older Java clients can send, by their own classes.

    python -m tools.java.client_apis              # what has no codec here, for each release

Their jars hold no definitions in JSON, so a program of ours asks the classes (``ClientApis.java``).
"""

from __future__ import annotations

import sys
from pathlib import Path

from attrs import frozen

from metaquorum.wire.generated.index import APIS
from tools.kafka import jars, jvm
from tools.kafka.helper import compiled
from tools.kafka.tool import finished

SOURCE = Path(__file__).with_name("ClientApis.java")
RELEASES = ("0.10.2.2", "0.11.0.3", "1.1.1", "2.8.2")
TIMEOUT_S = 60


@frozen
class ClientApi:
    """One API that a release knows, and its versions there."""

    key: int
    name: str
    lowest: int
    highest: int

    def unknown_versions(self) -> list[int]:
        """The versions that have no codec here."""
        ours = APIS.get(self.key)
        versions = range(self.lowest, self.highest + 1)
        if ours is None:
            return list(versions)
        return [one for one in versions if not ours.lowest <= one <= ours.highest]


def client_apis(release: str) -> list[ClientApi]:
    """What kafka-clients of this release can send; RuntimeError if its classes do not say."""
    libs = jars.clients_libs(release)
    classes = compiled(SOURCE, libs)
    run = jvm.command(libs, "ClientApis", flags=jvm.SHORT_LIVED_FLAGS, class_path=(classes,))
    done = finished(run, TIMEOUT_S)
    if done.exit_code != 0:
        raise RuntimeError(f"kafka-clients {release}: {done.stderr}")
    rows = [line.split() for line in done.stdout.splitlines()]
    return [ClientApi(int(key), name, int(low), int(high)) for key, name, low, high in rows]


def report(release: str) -> tuple[str, int]:
    """A line for people, and how many versions have no codec."""
    apis = client_apis(release)
    versions = sum(one.highest - one.lowest + 1 for one in apis)
    missing = [f"{one.name} {number}" for one in apis for number in one.unknown_versions()]
    line = f"kafka-clients {release}: {len(apis)} APIs, {versions} versions, "
    return line + f"{len(missing)} without a codec {' '.join(missing)}".rstrip(), len(missing)


def main() -> int:
    found = [report(release) for release in RELEASES]
    for line, _ in found:
        print(line)
    return 1 if any(missing for _, missing in found) else 0


if __name__ == "__main__":
    sys.exit(main())
