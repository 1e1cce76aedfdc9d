"""A client that asks ApiVersions again and again and writes down how long each answer took.

    python -m tools.round_trips PORT FILE

Every second request is a small one, and every second one of 28 KB, which the server treats as it
treats large requests. A process of its own, so that a busy client does not take its
turns. A row is the moment, the milliseconds of the small request, those of the large one, and those
of a small one to the control of ``tools.bystander``, which tells what the machine itself takes.

It ends when its standard input does, and fails at the first error.
"""

from __future__ import annotations

import select
import sys
import time
from pathlib import Path
from typing import Final

from metaquorum.client.connection import API_VERSIONS, API_VERSIONS_NEWEST, Connection
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from tools.bystander import Exchange, control_connection, timed_ms
from tools.kafka.ports import LOOPBACK

PAUSE_S: Final = 0.005
LARGE_REQUEST_BYTES: Final = 28_000


def main(port: int, file: Path) -> None:
    """Ask until standard input ends."""
    small = ApiVersionsRequest("round-trips", "1")
    large = ApiVersionsRequest("r" * LARGE_REQUEST_BYTES, "1")
    with Connection.open(LOOPBACK, port) as connection, file.open("a", buffering=1) as out:
        answer = connection.ask(API_VERSIONS, API_VERSIONS_NEWEST, small)
        asked = [
            Exchange(API_VERSIONS, API_VERSIONS_NEWEST, request, answer)
            for request in (small, large)
        ]
        control = control_connection(asked[:1])
        while not select.select([sys.stdin], [], [], PAUSE_S)[0]:
            small_ms, large_ms = (timed_ms(connection, one) for one in asked)
            control_ms = timed_ms(control, asked[0])
            out.write(f"{time.monotonic():.6f} {small_ms:.3f} {large_ms:.3f} {control_ms:.3f}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
