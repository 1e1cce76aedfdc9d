"""What the judge of real runs sees, and what stands in where namespaces are not permitted."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from metaquorum.records.batch import read_header
from metaquorum.records.builder import build_batch
from metaquorum.testing.linearizability.log_files import Batch, changed, unequal
from tools.chaos import run as chaos_run
from tools.chaos.judge import error_lines
from tools.chaos.namespaces import NotPermitted, ip
from tools.chaos.network import ProxyNetwork


def batch(base: int, value: bytes, *, epoch: int = 1, control: bool = True) -> Batch:
    data = build_batch(
        [(None, value)],
        timestamp_ms=1_000,
        base_offset=base,
        leader_epoch=epoch,
        control=control,
    )
    return Batch(read_header(data), data)


def test_logs_that_agree_where_both_have_something_are_equal():
    whole = {0: batch(0, b"a"), 1: batch(1, b"b")}
    assert unequal({1: whole, 2: {1: batch(1, b"b")}, 3: whole}) == []


def test_a_difference_at_one_offset_is_named():
    logs = {1: {0: batch(0, b"a")}, 2: {0: batch(0, b"b")}, 3: {}}
    assert unequal(logs) == ["nodes 1 and 2 differ at offset 0"]


def test_a_committed_record_that_changed_or_went_is_named():
    log = {0: batch(0, b"a", epoch=2, control=False)}
    assert changed([(0, 2, b"a")], log) == []
    assert len(changed([(0, 1, b"a"), (0, 2, b"b"), (7, 2, b"a")], log)) == 3


@pytest.mark.parametrize(
    "line",
    [
        "2026-11-21T09:40:02.113Z error disk-failed file=x",
        "Traceback (most recent call last):",
        "metaquorum stops: a broken invariant",
    ],
)
def test_a_node_that_speaks_of_an_error_is_quoted(line: str, tmp_path: Path):
    log = tmp_path / "server.log"
    log.write_text(f"2026-11-21T09:40:02.113Z info started why=OSError\n{line}\n")
    assert error_lines(log) == [line]


def test_without_namespaces_the_proxy_cuts_links_and_this_is_reported(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(chaos_run, "why_not_permitted", lambda: "no such right")
    told: list[str] = []
    with chaos_run.laid_network("namespaces", 2, 1, told.append) as network:
        assert isinstance(network, ProxyNetwork)
        network.cut(1, 2)
        network.disturb("delay", 1, [2], Random(1))
        network.heal()
    assert told == ["no network namespaces here (no such right): the proxy does all the cutting"]


def test_an_ip_command_that_fails_says_what_it_answered():
    with pytest.raises(NotPermitted, match="ip"):
        ip("link", "show", "no-such-interface")
