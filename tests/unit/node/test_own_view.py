"""A node's own pages: readiness by the rule of `metaquorum health`, figures by the exporter's."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from metaquorum.client.health_rules import node_ready
from metaquorum.client.quorum_view import MAX_BEHIND_MS, replicas_of
from metaquorum.exporter.metrics import METRICS
from metaquorum.node.health_checks import node_health
from metaquorum.node.own_view import led_replicas, own_view
from metaquorum.quorum.types import ReplicaKey
from tests.unit.node.whole_node import CLUSTER_ID, config_of, format_directory, running

OURS = 2
SHARED = ("metaquorum_quorum", "metaquorum_log", "metaquorum_cluster")


def knowing(leader_id: int | None, watermark: int, applied: int, *, votes: bool = True) -> Any:
    """What a follower's driver knows, as far as its own pages ask."""
    return SimpleNamespace(
        lane=SimpleNamespace(draining_since_ms=None),
        leader=SimpleNamespace(leader_id=leader_id, epoch=3),
        watermark=SimpleNamespace(value=watermark),
        next_to_apply=applied,
        active_from=None,
        replica=SimpleNamespace(
            is_voter=votes,
            role=None,
            config=SimpleNamespace(key=ReplicaKey(OURS, bytes(16)), node_id=OURS),
            summary=lambda: SimpleNamespace(epoch=3, role="Follower", why="fetch time-out"),
        ),
    )


@pytest.mark.parametrize("votes", [True, False])
@pytest.mark.parametrize(
    ("leader_id", "watermark", "applied"),
    [(1, 7, 7), (1, 7, 5), (1, 7, 9), (1, 0, 0), (2, 7, 7), (2, 7, 5)],
)
def test_readiness_is_what_the_rule_of_health_says(
    leader_id: int, watermark: int, applied: int, votes: bool
) -> None:
    driver = knowing(leader_id, watermark, applied, votes=votes)
    view = own_view(driver)
    assert view is not None
    verdict = node_ready(view, replicas_of(view, MAX_BEHIND_MS), OURS)
    assert node_health(driver).readyz().is_well == verdict.is_well
    assert verdict.is_well == (leader_id == OURS or applied >= watermark)


@pytest.mark.parametrize(("leader_id", "watermark"), [(None, 7), (1, -1)])
def test_a_node_without_leader_or_watermark_is_not_ready(
    leader_id: int | None, watermark: int
) -> None:
    health = node_health(knowing(leader_id, watermark, 0))
    assert len([one for one in health.readyz().findings if one.reason]) == 1
    assert health.livez().is_well


def test_a_follower_tells_nothing_of_other_replicas() -> None:
    assert led_replicas(knowing(1, 7, 7)) == []


async def test_a_leader_shows_the_exporters_figures_of_its_quorum(tmp_path: Path) -> None:
    format_directory(tmp_path / "data")
    async with running(config_of(tmp_path / "data")) as run:
        await run.describe_quorum()
        _, text = run.node.exposition().render("application/openmetrics-text")
    shown = {one.name: one for one in text_string_to_metric_families(text.decode())}
    samples = {
        (name, tuple(one.labels.items())): one.value
        for name, family in shown.items()
        for one in family.samples
    }
    voter = (("node", "1"), ("role", "voter"))
    assert samples["metaquorum_quorum", (("cluster_id", CLUSTER_ID),)] == 1
    assert samples["metaquorum_quorum_replica_lag_offsets", voter] == 0
    assert samples["metaquorum_quorum_voters_behind", ()] == 0
    assert samples["metaquorum_log_start_offset", ()] == 0
    assert samples["metaquorum_cluster_entries", (("kind", "acl"),)] == 0
    theirs = {one.family: one for one in METRICS}
    shared = [name for name in shown if name.startswith(SHARED) and name in theirs]
    assert len(shared) >= 10
    for name in shared:
        family, metric = shown[name], theirs[name]
        assert (family.type, family.documentation) == (metric.kind.value, metric.about)
        for sample in family.samples:
            assert tuple(sample.labels) == metric.labels
