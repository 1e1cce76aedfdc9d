"""What PyPy's compiler is told when a node starts, and that other Pythons are left alone."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from metaquorum.base.limits import (
    PYPY_BRANCHES_AFTER,
    PYPY_COMPILES_AFTER_CALLS,
    PYPY_TRACE_OPERATIONS,
)
from metaquorum.runtime.loop import compiler


def test_pypys_compiler_forgets_nothing_and_gives_up_no_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: dict[str, int] = {}
    monkeypatch.setitem(sys.modules, "pypyjit", SimpleNamespace(set_param=told.update))
    compiler.tell()
    assert told == {
        "decay": 0,
        "threshold": PYPY_COMPILES_AFTER_CALLS,
        "function_threshold": PYPY_COMPILES_AFTER_CALLS,
        "trace_eagerness": PYPY_BRANCHES_AFTER,
        "trace_limit": PYPY_TRACE_OPERATIONS,
    }


def test_a_python_without_a_compiler_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypyjit", None)  # as if it could not be imported
    compiler.tell()
