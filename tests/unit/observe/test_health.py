"""Health: a word when all is well, reasons when it is not."""

from __future__ import annotations

import pytest

from metaquorum.observe.health import Health


def health(alive: str | None = None, ready: str | None = None) -> Health:
    made = Health()
    made.alive_when("log", lambda: alive)
    made.ready_when("leader", lambda: ready)
    return made


def test_all_is_well_in_one_word() -> None:
    assert health().livez().is_well
    assert health().readyz().text(verbose=False) == "ok\n"


def test_verbose_tells_every_check() -> None:
    assert health().readyz().text(verbose=True) == (
        "[+] log ok\n[+] leader ok\nreadyz check passed\n"
    )


def test_an_unwell_node_tells_why_without_being_asked() -> None:
    verdict = health(ready="no leader for 12 s").readyz()
    assert not verdict.is_well
    assert verdict.text(verbose=False) == (
        "[+] log ok\n[-] leader failed: no leader for 12 s\nreadyz check failed\n"
    )


def test_a_node_that_is_not_ready_may_well_be_alive() -> None:
    assert health(ready="no leader").livez().is_well


def test_a_node_that_is_not_alive_is_not_ready() -> None:
    assert not health(alive="the disk refused a sync").readyz().is_well


def test_two_checks_cannot_share_a_name() -> None:
    made = health()
    with pytest.raises(ValueError, match="named log already"):
        made.ready_when("log", lambda: None)
