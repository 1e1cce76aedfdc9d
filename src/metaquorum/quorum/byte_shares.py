"""One budget of bytes for several askers: evenly, and what one leaves goes to the others."""

from __future__ import annotations

from collections.abc import Sequence


def byte_shares(budget_bytes: int, wanted_bytes: Sequence[int]) -> tuple[int, ...]:
    """How many bytes each gets, in the order of ``wanted_bytes``.

    Nobody gets more than is wanted; everybody gets at least the average of the budget, rounded
    down, or all that is wanted; nothing is kept back while another wants more (KIP-630, request
    handling of FetchSnapshot).
    """
    shares = [0] * len(wanted_bytes)
    left_bytes = budget_bytes
    modest_first = sorted(range(len(wanted_bytes)), key=lambda at: wanted_bytes[at])
    for served, at in enumerate(modest_first):
        shares[at] = min(wanted_bytes[at], left_bytes // (len(shares) - served))
        left_bytes -= shares[at]
    return tuple(shares)
