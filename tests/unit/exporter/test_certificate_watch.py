"""The watch over certificates: what it asks, keeps and tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import define

from metaquorum.base.errors import OperatorError
from metaquorum.client.certificates import Tls
from metaquorum.client.security import PLAIN, Security
from metaquorum.config.listeners import HostPort
from metaquorum.exporter.certificate_watch import OURS, CertificateWatch
from metaquorum.exporter.figures import QuorumFigures
from metaquorum.observe.events import EventLog
from metaquorum.testing.certificates import Authority, written
from metaquorum.tls.certificate import Certificate
from tests.unit.client.fake_quorum import FakeQuorum
from tests.unit.exporter.exported_quorum import Exported

NOW_MS = 1_000_000
GOOD = Certificate("CN=c1", 0, NOW_MS + 5_000)
EXPIRED = Certificate("CN=c2", 0, NOW_MS - 5_000)
VOTERS = {1: (("CONTROLLER", "c1", 9093),), 2: (("CONTROLLER", "c2", 9093),), 3: ()}


class Watched:
    """A watch whose servers show what ``shown`` has by place."""

    def __init__(self, security: Any) -> None:
        self.shown: dict[str, Certificate] = {"c1:9093": GOOD, "c2:9093": EXPIRED}
        self.asked: list[str] = []
        self.lines: list[str] = []
        self.quorum: QuorumFigures | None = None
        self.watch = CertificateWatch(
            [HostPort("c1", 9093)],
            security,
            30_000,
            lambda: self.quorum,
            EventLog(self.lines.append, lambda: NOW_MS),
            lambda: NOW_MS,
            lambda seconds: True,
            self.look,
        )

    def look(self, host: str, port: int, tls: Tls) -> Certificate | None:
        self.asked.append(f"{host}:{port}")
        return self.shown.get(f"{host}:{port}")


@pytest.fixture
def security(tmp_path: Path) -> Security:
    authority = Authority()
    return Security.read(
        {
            "security.protocol": "SSL",
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": str(written(tmp_path / "t.pem", authority.pem)),
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": str(
                written(tmp_path / "k.pem", authority.identity("watcher").pem())
            ),
        }
    )


def quorum() -> QuorumFigures:
    return QuorumFigures("C", 1, 1, 0, 0, (), {}, 0, endpoints=VOTERS)


def test_voters_are_looked_at_beside_the_bootstrap_servers(security: Security) -> None:
    one = Watched(lambda: security)
    one.watch.look_once()
    assert one.asked == ["c1:9093"]
    one.quorum = quorum()
    one.watch.run()
    assert one.asked == ["c1:9093", "c1:9093", "c2:9093"]
    assert set(one.watch.found) == {OURS, "c1:9093", "c2:9093"}
    assert one.watch.found[OURS].subject == "CN=watcher"


def test_an_expired_certificate_is_told_once_until_renewed(security: Security) -> None:
    one = Watched(lambda: security)
    one.quorum = quorum()
    for _ in range(2):
        one.watch.look_once()
    (line,) = one.lines
    assert "certificate-expired whose=c2:9093" in line
    assert "certificate has expired: good until 1970-01-01T00:16:35Z" in line
    one.shown["c2:9093"] = GOOD
    one.watch.look_once()
    one.shown["c2:9093"] = EXPIRED
    one.watch.look_once()
    assert len(one.lines) == 2


def test_what_is_out_of_reach_stays_as_it_was_known(security: Security) -> None:
    one = Watched(lambda: security)
    one.watch.look_once()
    one.shown.clear()
    one.watch.look_once()
    assert one.watch.found["c1:9093"] == GOOD


def test_nothing_is_asked_without_tls_or_with_bad_properties() -> None:
    def unreadable() -> Security:
        raise OperatorError("ssl.keystore.location: No such file")

    for security in (lambda: PLAIN, unreadable):
        one = Watched(security)
        one.watch.look_once()
        assert (one.asked, one.watch.found) == ([], {})


@define
class Files:
    """What stands for a client's properties: how often they were read, and how they are now."""

    one: Exported
    reads: int = 0
    changed: bool = False
    readable: bool = True

    def security(self) -> Any:
        if not self.readable:
            raise OperatorError("ssl.keystore.location: No such file")
        self.reads += 1
        self.changed = False
        return self

    @property
    def tls(self) -> Files:
        return self

    def is_outdated(self) -> bool:
        return self.changed

    def open(self, host: str, port: int, **more: Any) -> Any:
        return self.one.quorum.open(host, port, **more)


def test_files_that_changed_are_read_anew_without_a_failure() -> None:
    one = Exported(FakeQuorum.of(3))
    files, poller = Files(one), one.readers.poller
    poller.open, poller.security = None, files.security
    for _ in range(2):
        poller.poll()
    assert files.reads == 1
    files.changed = True
    poller.poll()
    assert files.reads == 2
    files.changed, files.readable = True, False
    poller.poll()
    assert len(one.events("certificates-not-renewed")) == 1
    files.readable = True
    poller.poll()
    assert files.reads == 3
    assert not one.events("source-fails")
