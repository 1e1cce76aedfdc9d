"""Settings of PyPy's compiler; CPython has none. Measured in docs/decisions/187.

By default PyPy forgets how often something was run while other things are, and gives up a trace as
long as a command's way through a node. A server does the same few things for weeks, some of them
twice a second: what it does is worth compiling whenever it adds up.
"""

from __future__ import annotations

from importlib import import_module

from metaquorum.base.limits import (
    PYPY_BRANCHES_AFTER,
    PYPY_COMPILES_AFTER_CALLS,
    PYPY_TRACE_OPERATIONS,
)


def tell() -> None:
    """Once, at the start of the process."""
    try:
        compiler = import_module("pypyjit")
    except ImportError:
        return
    compiler.set_param(
        decay=0,
        threshold=PYPY_COMPILES_AFTER_CALLS,
        function_threshold=PYPY_COMPILES_AFTER_CALLS,
        trace_eagerness=PYPY_BRANCHES_AFTER,
        trace_limit=PYPY_TRACE_OPERATIONS,
    )
