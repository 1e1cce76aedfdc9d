"""Limits of recordings and explanations."""

from __future__ import annotations

from typing import Final

LEAST_RING_BYTES: Final = 4_194_304
"""A sixteenth of it has room for the header of a segment."""
MAX_LINE_BYTES: Final = 262_144
"""Of a recording; longer ones are passed over."""
MAX_HEADER_BROKERS: Final = 500
"""Brokers that a segment's header names, for readers that have none of the segments before."""
MAX_BROKERS: Final = 10_000
"""Whose registrations a recorder keeps in memory."""
MAX_PROBED_NODES: Final = 64
"""One thread and one connection each; controllers come first."""
MAX_REPLICAS: Final = 200
"""Rows of a leader's answer that are recorded: the voters first."""
MAX_ITEMS: Final = 2_000_000
"""Of evidence that is explained at once; more than a full ring of the largest size has."""
MAX_SHOWN_FACTS: Final = 40
"""Of one event; the first and the last are shown."""
MAX_REMARKS: Final = 20
"""Lines of a recording that cannot be read are told so many; all of them are counted."""
