"""Which other protocol a client speaks to a listener of Kafka's, by its first bytes.

Taken for a size they are hundreds of megabytes, so the connection is closed anyway; this
only finds the line that helps the person who reads the log.
"""

from __future__ import annotations

from typing import Final

_FIRST_BYTES: Final = (
    (b"\x16\x03", "TLS"),
    *((verb, "HTTP") for verb in (b"GET ", b"HEAD", b"POST", b"PUT ", b"OPTI", b"DELE", b"CONN")),
    (b"PRI ", "HTTP/2"),
    (b"SSH-", "SSH"),
)


def foreign_protocol(head: bytes) -> str | None:
    """The name of the protocol whose first bytes these are, or None."""
    for first, name in _FIRST_BYTES:
        if head.startswith(first):
            return name
    return None
