"""A client's request that a broker hands on in an Envelope (KIP-590), and what comes of it."""

from __future__ import annotations

from typing import Final

from attrs import define, frozen

FORWARDABLE: Final = frozenset(
    (
        *(19, 20, 30, 31, 33, 37, 38, 39, 40, 43, 44, 45, 46),
        *(49, 51, 55, 57, 64, 67, 80, 81, 94),
    )
)
"""APIs that may come in an Envelope: those that Kafka's brokers forward."""


@define(eq=False)
class Outcome:
    """``must_ask_elsewhere``: it was refused because another controller is the active one."""

    must_ask_elsewhere: bool = False


@frozen
class Enveloped:
    """The inner request, as bytes with its header; whose it is, and from which address.

    ``by_token``: a delegation token proved that.
    """

    frame: bytes
    principal: str
    host: str
    by_token: bool = False
