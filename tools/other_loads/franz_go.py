"""franz-go's own tests of its client, those that need a cluster."""

from __future__ import annotations

from typing import Final

from tools.kafka_tests.launcher import Outcome
from tools.other_loads.go_suites import (
    GoModule,
    Listening,
    compiled_tests,
    functions_that_name,
    run_tests,
)
from tools.other_loads.load import Task
from tools.other_loads.suites import Suite

MODULE: Final = GoModule("github.com/twmb/franz-go", "v1.22.3", "./pkg/kgo")
# What a test calls that talks to a cluster.
FOR_A_CLUSTER: Final = ("newTestClient(", "tmpTopic", "testClientOpts(", "adm()", "getSeedBrokers(")
RECORDS: Final = 20_000  # of its own half a million, for two cores


def outcomes(task: Task) -> dict[str, Outcome]:
    """Run them with brokers that have three replicas of everything."""
    tests = compiled_tests(MODULE)
    environment = {
        "KGO_SEEDS": task.cluster.servers,
        "KGO_TEST_RF": "3",
        "KGO_TEST_RECORDS": str(RECORDS),
        "KGO_LOG_LEVEL": "none",
    }
    names = task.tests or functions_that_name(tests.directory, FOR_A_CLUSTER)
    how = Listening((), environment, task.seconds)
    return run_tests(SUITE.name, tests, names, how, task.logs / "franz-go.log")


SUITE: Final = Suite(
    "franz-go", f"the tests of {MODULE.path} {MODULE.version} that need a cluster", outcomes
)
