"""A name leads to each of its addresses; refusals are told from silence."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import Any

import pytest
import trio
import trio.testing

from metaquorum.runtime.peers import dial
from metaquorum.runtime.peers.dial import Dial


class Names(trio.abc.HostnameResolver):
    """A resolver that knows one name, "quorum"."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self.addresses = addresses

    async def getaddrinfo(self, host: Any, port: Any, *_: Any) -> list[Any]:
        if host not in (b"quorum", "quorum"):
            raise OSError(errno.ENOENT, "no such name")
        kind = trio.socket.SOCK_STREAM
        return [(trio.socket.AF_INET, kind, 6, "", (one, port)) for one in self.addresses]

    async def getnameinfo(self, sockaddr: Any, flags: int) -> tuple[str, str]:
        raise NotImplementedError


class Network:
    """What each address does with a connection: take, refuse, or say nothing."""

    def __init__(self, **does: str) -> None:
        self.does = {name.removeprefix("a").replace("_", "."): how for name, how in does.items()}
        self.tried: list[str] = []

    async def connected(self, family: int, address: Any) -> Any:
        self.tried.append(address[0])
        how = self.does[address[0]]
        if how == "refuses":
            raise ConnectionRefusedError(errno.ECONNREFUSED, "refused")
        if how == "unreachable":
            raise OSError(errno.EHOSTUNREACH, "no route")
        if how == "silent":
            await trio.sleep_forever()
        return address[0]


async def reached(monkeypatch: pytest.MonkeyPatch, network: Network, times: int) -> list[Any]:
    monkeypatch.setattr(dial, "_connected", network.connected)
    trio.socket.set_custom_hostname_resolver(Names(list(network.does)))
    dialing = Dial()
    return [await dialing("quorum", 9093) for _ in range(times)]


async def test_the_addresses_of_a_name_take_turns(monkeypatch: pytest.MonkeyPatch):
    network = Network(a1_1="takes", a1_2="takes", a1_3="takes")
    found = await reached(monkeypatch, network, 4)
    assert found == ["1.1", "1.2", "1.3", "1.1"]


async def test_an_address_that_refuses_leads_on_to_the_next(monkeypatch: pytest.MonkeyPatch):
    network = Network(a1_1="refuses", a1_2="takes")
    assert await reached(monkeypatch, network, 1) == ["1.2"]
    assert network.tried == ["1.1", "1.2"]


async def test_a_silent_address_leads_on_to_the_next_after_a_while(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
):
    network = Network(a1_1="silent", a1_2="takes")
    assert await reached(monkeypatch, network, 1) == ["1.2"]


async def test_refused_by_all_is_a_refusal(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(ConnectionRefusedError, match=r"1\.1:9093 refuses, 1\.2:9093 refuses"):
        await reached(monkeypatch, Network(a1_1="refuses", a1_2="refuses"), 1)


async def test_one_that_is_not_a_refusal_makes_all_of_them_none(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(OSError, match=r"1\.2:9093: no route") as failure:
        await reached(monkeypatch, Network(a1_1="refuses", a1_2="unreachable"), 1)
    assert not isinstance(failure.value, ConnectionRefusedError)


async def test_a_name_that_nobody_knows_is_no_refusal():
    trio.socket.set_custom_hostname_resolver(Names([]))
    with pytest.raises(OSError) as failure:
        await Dial()("nowhere", 9093)
    assert not isinstance(failure.value, ConnectionRefusedError)


async def test_a_port_where_nobody_listens_refuses():
    listener = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    with pytest.raises(ConnectionRefusedError):
        await Dial()("127.0.0.1", port)


@pytest.mark.parametrize("host", [".", "a..b", "x" * 300, "x" * 32_767, "\u2603.example"])
async def test_what_is_no_name_of_a_host_is_an_address_out_of_reach(host: str):
    with pytest.raises(OSError, match="is no name of a host") as failure:
        await Dial()(host, 9093)
    assert not isinstance(failure.value, ConnectionRefusedError)
    assert len(str(failure.value)) < 1_100
