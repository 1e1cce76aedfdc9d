"""What the interop tests share: the warm JVM, a node of ours, a recorder of reference values."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.kafka import JavaHelper
from tools.own_node import OwnNode

HERE = Path(__file__).parent
# One worker must not be left alone with one of these at the end.
LONGEST = (HERE / "test_kill_nine.py", HERE / "test_differential.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this directory needs real clients; the longest files come first."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.interop)
    items.sort(key=lambda item: item.path not in LONGEST)


@pytest.fixture(scope="session", autouse=True)
def _interruptible() -> None:
    """A shell starts what runs in its background deaf to Ctrl-C, and programs inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def java() -> Iterator[JavaHelper]:
    """One JVM for all tests: tool runs, consumers and admin calls."""
    with JavaHelper() as helper:
        yield helper


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnNode]:
    """A node of ours that leads."""
    with OwnNode(tmp_path_factory.mktemp("own")) as one:
        yield one


@pytest.fixture(scope="module")
def quiet_node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnNode]:
    """A node of ours that writes nothing by itself, so that two looks see the same offsets."""
    with OwnNode(tmp_path_factory.mktemp("quiet"), {"metadata.max.idle.interval.ms": "0"}) as one:
        yield one
