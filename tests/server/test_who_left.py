"""What a connection leaves behind: nothing that only the collector of cycles would find.

Thousands that come and go at once would be found in one pass, and the loop would stand meanwhile.
"""

from __future__ import annotations

import gc

import pytest

from metaquorum.server.sockets.connection_host import ConnectionHost
from metaquorum.testing.fake_services import services_with_eight_records

pytestmark = pytest.mark.usefixtures("connection_host")


async def test_a_connection_that_asked_nothing_goes_without_the_collector(start):
    node = await start(services_with_eight_records())
    gc.collect()
    gc.disable()
    try:
        wire = await node.connect()
        await node.until(lambda: node.connections == 1)
        await wire.stream.aclose()
        await node.until(lambda: node.connections == 0)
        assert [one for one in gc.get_objects() if isinstance(one, ConnectionHost)] == []
    finally:
        gc.enable()
