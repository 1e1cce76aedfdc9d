"""The scopes: one hazard each. Quick ones run with every test run, deep ones by hand or in soak."""

from __future__ import annotations

from metaquorum.testing.explorer.scope import Budget, Scope

QUICK: tuple[Scope, ...] = (
    Scope(
        "one-voter-crashes",
        "the only voter crashes at every disk effect while it is elected and appends",
        budget=Budget(crashes=2, appends=3),
        timers=(),
    ),
    Scope(
        "one-voter-resigns",
        "the only voter is told to resign, and may crash before it is elected again",
        budget=Budget(timers=1, crashes=1, appends=2, resignations=1),
    ),
)

DEEP: tuple[Scope, ...] = (
    Scope(
        "one-voter-crashes-often",
        "as one-voter-crashes, with more of everything",
        budget=Budget(crashes=3, appends=4),
        timers=(),
        states_max=1_000_000,
    ),
    Scope(
        "one-voter-resigns-often",
        "as one-voter-resigns, with more of everything",
        budget=Budget(timers=2, crashes=2, appends=2, resignations=2),
        states_max=1_000_000,
    ),
)


def by_name(name: str) -> Scope:
    """The scope of this name; KeyError lists those that there are."""
    for scope in QUICK + DEEP:
        if scope.name == name:
            return scope
    known = ", ".join(scope.name for scope in QUICK + DEEP)
    raise KeyError(f"no scope {name!r}; there are: {known}")
