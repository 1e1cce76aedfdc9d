"""Brokers on our controllers go from one release to the next, and then their metadata.version."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.metadata.versions import LATEST_PRODUCTION
from tests.interop.brokers_under_load import BrokersUnderLoad
from tools.kafka import JavaHelper
from tools.kafka.broker import address_of
from tools.own_cluster import OwnCluster
from tools.process import until
from tools.transactions import Outcome

NEXT = "4.4.0"
RECORDS_A_STEP = 50


def wait_for_records(load: BrokersUnderLoad) -> None:
    before = len(load.delivery.acknowledged)
    until(
        lambda: len(load.delivery.acknowledged) > before + RECORDS_A_STEP,
        "the producer does not go on",
    )


@pytest.mark.timeout(400)
def test_brokers_and_metadata_version_go_to_4_4_under_load(
    tmp_path: Path, java: JavaHelper
) -> None:
    with (
        OwnCluster(tmp_path / "controllers") as controllers,
        BrokersUnderLoad(
            *(tmp_path, controllers.bootstrap_controllers, controllers.nodes[1].cluster_id, java)
        ) as load,
    ):
        features = ("features", "--bootstrap-server", address_of(load.brokers[101]))
        level = ("--feature", f"metadata.version={LATEST_PRODUCTION}")
        too_early = java.tool(*features, "upgrade", *level)
        assert too_early.exit_code == 1, "brokers of 4.3.1 do not know the level"
        for broker in load.brokers.values():
            assert broker.stop() == 143
            broker.version = NEXT
            broker.bring_up()
            wait_for_records(load)
        raised = java.tool(*features, "upgrade", *level)
        assert raised.exit_code == 0, raised.stdout + raised.stderr
        wait_for_records(load)
        made = java.tool(
            *("topics", "--bootstrap-server", features[2], "--create", "--topic", "after"),
            *("--partitions", "3", "--replication-factor", "3"),
        )
        assert made.exit_code == 0, made.stdout + made.stderr
        lowered = java.tool(*features, "downgrade", "--feature", "metadata.version=30")
        assert lowered.exit_code == 1, "a level that changed records cannot be left again"
        load.judge()
        assert load.transactions.book.count(Outcome.COMMITTED) > 10
