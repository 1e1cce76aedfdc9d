"""What a log lane finds in the kernel, for the tests that need to know."""

from __future__ import annotations

import pytest

from metaquorum.runtime.disk.kernel_sync import KernelSync
from tests.unit.runtime.lanes import FakeKernel


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> FakeKernel:
    fake = FakeKernel()
    monkeypatch.setattr(KernelSync, "found", lambda: fake)
    return fake


@pytest.fixture
def no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KernelSync, "found", lambda: None)
