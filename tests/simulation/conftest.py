"""What the simulator's tests share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def collector_goes_on() -> Iterator[None]:
    """A node that ends while it loads a state takes the collector's rest with it; here the process
    goes on, and what comes next may be a test of the collector.
    """
    yield
    gc.enable()
