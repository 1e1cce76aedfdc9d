"""Three and five real processes under quota writes while nodes and ways fail: nothing is broken.

Each schedule is drawn from its seed and printed; ``python -m tools.chaos`` runs any other. What is
judged at the end is written in decision 075: the answers as a history, the logs, the files, and
what the nodes said of themselves.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.client.connection import SOFTWARE_NAME
from tests.interop.kafka_dump import assert_no_fault
from tools.chaos.network import client_ids
from tools.chaos.run import Outcome, run
from tools.kafka import JavaHelper

PROXY_FAULTS = 17
NAMESPACE_FAULTS = 11
LONG_S = 300.0
PATIENCE = pytest.mark.timeout(600)


def assert_well(outcome: Outcome) -> None:
    """No fault was found, and there was something to find faults in."""
    assert not outcome.faults, "\n".join(outcome.faults)
    assert outcome.operations >= 100, outcome.summary


@PATIENCE
def test_three_nodes_behind_a_misbehaving_proxy(tmp_path: Path, java: JavaHelper):
    outcome = run(tmp_path, count=3, kind="proxy", seed=11, steps=PROXY_FAULTS)
    assert_well(outcome)
    assert len(set(outcome.done)) == PROXY_FAULTS, "every fault was done once"
    replicas, others = zip(*(client_ids(node) for node in (1, 2, 3)), strict=True)
    assert set(outcome.pairs) >= {
        (name, str(node)) for name in replicas for node in (1, 2, 3) if not name.endswith(str(node))
    }, "the proxy knows the nodes by the names that they give"
    assert {name for name, _ in outcome.pairs} <= {*replicas, *others, SOFTWARE_NAME}
    for fault in ("reset", "mid-frame", "half-open", "lost", "held"):
        assert outcome.fired.get(fault), fault
    for node in (1, 2, 3):
        assert_no_fault(java, tmp_path / f"node-{node}" / "data" / "__cluster_metadata-0")


@PATIENCE
def test_three_nodes_whose_network_is_cut_and_healed(tmp_path: Path):
    """In namespaces of their own; where those are not permitted, by the proxy, which is told."""
    outcome = run(tmp_path, count=3, kind="namespaces", seed=12, steps=NAMESPACE_FAULTS)
    assert_well(outcome)
    if outcome.network == "namespaces":
        assert len(set(outcome.done)) == NAMESPACE_FAULTS and outcome.fired["cut"] >= 10
    else:
        assert outcome.network == "proxy" and outcome.fired["held"]


@PATIENCE
def test_five_nodes_with_some_faults(tmp_path: Path):
    outcome = run(tmp_path, count=5, kind="proxy", seed=13, steps=4)
    assert_well(outcome)


@pytest.mark.soak
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("count", [3, 5])
@pytest.mark.parametrize("kind", ["proxy", "namespaces"])
def test_five_minutes_of_faults(tmp_path: Path, kind: str, count: int):
    assert_well(run(tmp_path, count=count, kind=kind, seed=101, seconds=LONG_S))
