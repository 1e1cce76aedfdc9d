"""What an expired certificate is to those who watch a quorum: words, figures, and no end.

Of a controller's, from the start or while they run, and of their own; beside one controller of
Apache Kafka, and beside one of ours, which uses new files without a restart.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import define, field

from metaquorum.testing.certificates import Authority, written
from tests.interop.watched import WITHIN_S, alerting, meanwhile, watching
from tools.kafka import JavaHelper
from tools.kafka.cluster import random_id
from tools.kafka.ports import LOOPBACK, free_ports
from tools.mixed.node import KAFKA, OURS, Kind, MixedNode
from tools.own_exporter import Exporting, exporting
from tools.own_node import METAQUORUM, metaquorum
from tools.process import until

EXPIRED_FROM_TO_DAYS = (-9, -2)
GOOD_FROM_TO_DAYS = (-1, 30)
DAY_MS = 86_400_000
SOURCES = ("log", "quorum")
MOST_SCRAPE_S = 2.0  # far below the time-outs of connections
ALERTS = ("KafkaCertificateExpires", "MetaquorumExporterRefused")
WORDS = "certificate has expired"


@define(eq=False)
class Guarded:
    """A controller that wants certificates, and the files that it and its clients prove by."""

    node: MixedNode
    authority: Authority
    directory: Path
    config: Path
    good_until: dict[str, str] = field(factory=dict)

    @property
    def place(self) -> str:
        return f"{LOOPBACK}:{self.node.controller_port}"

    def certify(self, name: str, days: tuple[int, int]) -> None:
        """Replace the key store of the controller, or of the client, as renewals do."""
        made = self.authority.identity(name, from_days=days[0], to_days=days[1])
        fresh = written(self.directory / f"{name}.new", made.pem())
        fresh.replace(self.directory / f"{name}.pem")
        ends = made.certificate.not_valid_after_utc
        self.good_until[name] = f"good until {ends:%Y-%m-%dT%H:%M:%SZ}"

    def begin_anew(self) -> None:
        """Have the controller use its new files: Kafka's has to be restarted for that."""
        if not self.node.is_ours:
            self.node.kill()
            self.node.start()

    def asked(self, *command: str) -> str:
        """What a command says of this quorum."""
        where = ("--bootstrap-controller", self.place, "--command-config", str(self.config))
        done = metaquorum(*command, *where)
        return done.stdout + done.stderr


@contextmanager
def guarded(directory: Path, kind: Kind, java: JavaHelper) -> Iterator[Guarded]:
    """Formatted, not started; nobody has a key store yet."""
    authority = Authority()
    (port,) = free_ports(1)
    trusted = written(directory / "trusted.pem", authority.pem)
    stores = {
        "ssl.keystore.type": "PEM",
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(trusted),
    }
    rows = {
        **stores,
        "controller.quorum.bootstrap.servers": f"{LOOPBACK}:{port}",
        "listener.security.protocol.map": "CONTROLLER:SSL",
        "ssl.keystore.location": str(directory / "controller.pem"),
        "ssl.client.auth": "required",
    }
    keys = {
        **stores,
        "security.protocol": "SSL",
        "ssl.keystore.location": str(directory / "watcher.pem"),
    }
    config = written(
        directory / "client.properties", "".join(f"{key}={text}\n" for key, text in keys.items())
    )
    node = MixedNode(directory / "node", 1, kind, random_id(), port, rows, java.tool)
    made = Guarded(node, authority, directory, config)
    made.certify("watcher", GOOD_FROM_TO_DAYS)
    made.certify("controller", EXPIRED_FROM_TO_DAYS)
    node.format("--standalone")
    try:
        yield made
    finally:
        node.kill()


def until_told(exporter: Exporting, what: Callable[[dict[str, float]], bool]) -> dict[str, float]:
    """The first scrape of which that is true."""
    return until(
        lambda: (found := exporter.scrape()) and what(found) and found,
        lambda: f"{exporter.scrape()}\n{exporter.lines.read_text()[-3_000:]}",
        WITHIN_S,
    )


def refused(source: str) -> str:
    return f'metaquorum_exporter_source_failing{{reason="certificate",source="{source}"}}'


def works(exporter: Exporting) -> dict[str, float]:
    up = 'metaquorum_exporter_source_up{{source="{}"}}'
    return until_told(exporter, lambda seen: all(seen[up.format(one)] for one in SOURCES))


def left_ms(whose: str) -> str:
    return f'metaquorum_exporter_certificate_expires_in_ms{{certificate="{whose}"}}'


def new_lines(exporter: Exporting, before: int, source: str) -> str:
    """The line that says why a source began to fail with a certificate, after so many signs."""
    words = f"source-fails source={source} reason=certificate"
    return until(
        lambda: next(
            (one for one in exporter.lines.read_text()[before:].splitlines() if words in one), None
        ),
        lambda: exporter.lines.read_text()[-3_000:],
        WITHIN_S,
    )


@pytest.mark.parametrize("kind", [KAFKA, OURS])
def test_expired_certificates_are_told_until_they_are_renewed(
    tmp_path: Path, kind: Kind, java: JavaHelper
) -> None:
    scrapes_s: list[float] = []
    options = ("--interval-ms", "500")
    with guarded(tmp_path, kind, java) as quorum:
        quorum.node.start()
        options += ("--command-config", str(quorum.config))
        with exporting(tmp_path, quorum.place, *options, becomes_ready=False) as exporter:

            def scrape() -> None:
                began_s = time.monotonic()
                exporter.scrape()
                scrapes_s.append(time.monotonic() - began_s)

            with meanwhile(scrape, 0.2):
                expired_from_the_start(quorum, exporter)
                quorum.certify("controller", GOOD_FROM_TO_DAYS)
                quorum.begin_anew()
                expires_while_it_runs(quorum, exporter)
                quorum.certify("controller", GOOD_FROM_TO_DAYS)
                quorum.begin_anew()
                works(exporter)
                its_own_expires(quorum, exporter)
    assert len(scrapes_s) > 10
    assert max(scrapes_s) < MOST_SCRAPE_S


def expired_from_the_start(quorum: Guarded, exporter: Exporting) -> None:
    seen = until_told(
        exporter,
        lambda seen: refused("log") in seen and seen.get(left_ms(quorum.place), 0) < 0,
    )
    assert -3 * DAY_MS < seen[left_ms(quorum.place)] < -1 * DAY_MS
    assert 29 * DAY_MS < seen[left_ms("ours")] < 31 * DAY_MS
    for source in SOURCES:
        line = new_lines(exporter, 0, source)
        assert WORDS in line
        assert f"{quorum.place}: " in line
        assert f"{WORDS} ({quorum.good_until['controller']}: CN=controller)" in line
    until(
        lambda: f"certificate-expired whose={quorum.place} subject=" in exporter.lines.read_text()
    )
    for command in (("health",), ("top", "--once", "--timeout", "3")):
        told = quorum.asked(*command)
        assert WORDS in told, told
        assert f"{WORDS} ({quorum.good_until['controller']}" in told, told
    recording_says(quorum)
    if not quorum.node.is_ours:
        with watching(quorum.directory, exporter.url) as prometheus:
            with alerting(prometheus, *ALERTS, from_calm=False):
                pass


def recording_says(quorum: Guarded) -> None:
    """A recorder has the same words in its lines."""
    where = ("--bootstrap-controller", quorum.place, "--command-config", str(quorum.config))
    log = quorum.directory / "recorder.log"
    with log.open("wb") as lines:
        recorder = subprocess.Popen(
            [METAQUORUM, "record", "--to", str(quorum.directory / "recording"), *where],
            stdout=lines,
            stderr=lines,
        )
    try:
        until(
            lambda: f"{WORDS} ({quorum.good_until['controller']}" in log.read_text(),
            log.read_text,
            WITHIN_S,
        )
    finally:
        recorder.terminate()
        recorder.wait()


def expires_while_it_runs(quorum: Guarded, exporter: Exporting) -> None:
    seen = works(exporter)
    assert seen["kafka_server_raft_metrics_current_leader"] == 1
    until_told(exporter, lambda seen: 29 * DAY_MS < seen[left_ms(quorum.place)] < 31 * DAY_MS)
    before = len(exporter.lines.read_text())
    quorum.certify("controller", EXPIRED_FROM_TO_DAYS)
    quorum.begin_anew()
    seen = until_told(exporter, lambda seen: refused("quorum") in seen)
    assert WORDS in new_lines(exporter, before, "quorum")
    assert seen["kafka_server_raft_metrics_number_of_voters"] == 1  # what was known stays


def its_own_expires(quorum: Guarded, exporter: Exporting) -> None:
    """Files that are replaced are used at once: before what is in use has expired, too."""
    before = len(exporter.lines.read_text())
    quorum.certify("watcher", EXPIRED_FROM_TO_DAYS)
    seen = until_told(
        exporter, lambda seen: refused("quorum") in seen and seen[left_ms("ours")] < 0
    )
    assert seen[left_ms(quorum.place)] > 0
    line = new_lines(exporter, before, "quorum")
    assert WORDS in line
    assert f"our {WORDS}, {quorum.good_until['watcher']}: CN=watcher)" in line
    said = json.loads(quorum.asked("health", "-o", "json"))
    assert said["well"] is None
    assert WORDS in said["reason"]
    quorum.certify("watcher", GOOD_FROM_TO_DAYS)
    works(exporter)
