"""TCP segments of a capture file, pcap or pcapng, in the order in which they were taken.

Files and protocol headers are read by ``dpkt``, an extra: only those who have a capture need it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib import import_module
from ipaddress import ip_address
from typing import IO, Any, Final

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import MAX_CAPTURE_BYTES

_SYN, _ACK = 2, 16
# Link types (tcpdump.org/linktypes.html) -> the class of dpkt that reads them.
_LINKS: Final = {
    1: "ethernet.Ethernet",
    0: "loopback.Loopback",
    108: "loopback.Loopback",
    113: "sll.SLL",
    276: "sll2.SLL2",
}
_RAW_IP = (12, 14, 101, 228, 229)
_PCAPNG_START = b"\x0a\x0d\x0d\x0a"


@frozen
class Place:
    """One end of a connection."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@frozen
class Segment:
    """What one packet carries of a TCP connection."""

    time_us: int  # since 1970, UTC
    source: Place
    destination: Place
    sequence: int
    opens: bool  # SYN
    accepts: bool  # SYN and ACK: it comes from the server
    data: bytes


def read_segments(path: str) -> Iterator[Segment]:
    """The TCP segments of a file; packets of anything else are passed over.

    OperatorError for a file that cannot be read, is no capture, or has an unknown kind of link.
    """
    try:
        if os.path.getsize(path) > MAX_CAPTURE_BYTES:
            raise OperatorError(f"{path}: larger than {MAX_CAPTURE_BYTES} bytes; cut it first")
        with open(path, "rb") as file:
            yield from _segments(file, path)
    except OSError as why:
        raise OperatorError(f"cannot read {path}: {why.strerror}") from None


def _segments(file: IO[bytes], path: str) -> Iterator[Segment]:
    dpkt = _dpkt()
    is_ng = file.read(4) == _PCAPNG_START
    file.seek(0)
    try:
        reader = dpkt.pcapng.Reader(file) if is_ng else dpkt.pcap.Reader(file)
        unpack = _unpacker(dpkt, reader.datalink(), path)
        for time_s, packet in reader:
            segment = _segment(dpkt, unpack, time_s, packet)
            if segment is not None:
                yield segment
    except (ValueError, dpkt.Error) as why:
        raise OperatorError(f"{path}: no capture that can be read: {why}") from None


def _dpkt() -> Any:
    try:
        dpkt = import_module("dpkt")
        for name in ("pcap", "pcapng", "ethernet", "loopback", "sll", "sll2", "ip", "ip6", "tcp"):
            import_module(f"dpkt.{name}")
    except ImportError:
        raise OperatorError(
            "reading a capture needs dpkt: pip install 'metaquorum[capture]'"
        ) from None
    return dpkt


def _unpacker(dpkt: Any, link: int, path: str) -> Callable[[bytes], Any]:
    """The function that gives the IP packet inside a packet of this kind of link."""
    if link in _RAW_IP:
        return lambda data: dpkt.ip6.IP6(data) if data[0] >> 4 == 6 else dpkt.ip.IP(data)
    if link not in _LINKS:
        raise OperatorError(f"{path}: packets of link type {link} are not read")
    module, name = _LINKS[link].split(".")
    kind = getattr(getattr(dpkt, module), name)
    return lambda data: kind(data).data


def _segment(
    dpkt: Any, unpack: Callable[[bytes], Any], time_s: Any, packet: bytes
) -> Segment | None:
    try:
        packet_ip = unpack(packet)
        tcp = getattr(packet_ip, "data", None)
        if not isinstance(packet_ip, dpkt.ip.IP | dpkt.ip6.IP6) or not isinstance(
            tcp, dpkt.tcp.TCP
        ):
            return None
    except (dpkt.Error, IndexError):
        return None  # cut off by the capture, or of a protocol that dpkt does not know
    return Segment(
        time_us=round(time_s * 1_000_000),
        source=Place(str(ip_address(packet_ip.src)), tcp.sport),
        destination=Place(str(ip_address(packet_ip.dst)), tcp.dport),
        sequence=tcp.seq,
        opens=bool(tcp.flags & _SYN),
        accepts=tcp.flags & (_SYN | _ACK) == _SYN | _ACK,
        data=bytes(tcp.data),
    )
