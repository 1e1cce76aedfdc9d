"""The options of the source, read once and refused in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, Literal, overload

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from metaquorum.client.leader_link import Address
from metaquorum.client.metadata_log import LEADER_TIMEOUT_MS, MetadataLogReader, parse_addresses
from metaquorum.client.security import Security
from metaquorum.config.listeners import HostPort
from metaquorum.config.properties import read_properties
from pyspark_metaquorum.columns import record_types
from pyspark_metaquorum.decoding import ROWS_PER_BATCH, Raw
from pyspark_metaquorum.log_directory import DEFAULT_PARTITION_BYTES
from pyspark_metaquorum.record_type import RecordType

DEFAULT_PARTITION_ROWS: Final = 500_000
_RAW: Final[tuple[Raw, ...]] = ("unknown", "always", "never")
_KNOWN: Final = (
    "path",
    "servers",
    "startingOffset",
    "endingOffset",
    "types",
    "raw",
    "partitionBytes",
    "partitionRows",
    "rowsPerBatch",
    "maxRowsPerTrigger",
    "timeoutMs",
    "commandConfig",
)

Start = Offset | Literal["earliest", "latest"]


@frozen
class SourceOptions:
    """What is read, and how.

    - ``path``: a log directory, the directory above it, or one segment or checkpoint file; a
      path or a URI. Or ``servers``: ``host:port,...`` of controllers, for a live quorum.
    - ``startingOffset``: an offset, ``earliest`` (default) or, for streams, ``latest``;
      ``endingOffset``: an offset that is not read any more (batch only).
    - ``types``: names of record types, separated by commas; others become no rows.
    - ``raw``: whose bytes are kept: ``unknown`` records' (default), ``always``, ``never``.
    - ``partitionBytes``, ``partitionRows``: how large a Spark partition is about to be, for files
      and for quorums; ``rowsPerBatch``: rows of an Arrow batch.
    - ``maxRowsPerTrigger``: the most that a micro-batch reads (a snapshot is never divided).
    - ``timeoutMs``: how long a quorum may be without a leader.
    - ``commandConfig``: a file of Kafka's client keys for a quorum that wants TLS or a login; every
      executor reads its own.
    """

    path: str | None
    servers: tuple[Address, ...]
    start: Start
    end: Offset | None
    types: tuple[RecordType, ...] | None
    raw: Raw
    partition_bytes: int
    partition_rows: int
    rows_per_batch: int
    max_rows: int | None
    timeout_ms: int
    command_config: str | None = None

    @property
    def open(self) -> Callable[..., MetadataLogReader]:
        """Makes readers of a quorum, secured as the file says. Raises OperatorError."""
        return reader_of(self.command_config)

    @property
    def source(self) -> str:
        """How rows name a quorum that they came from."""
        return ",".join(str(HostPort(host, port)) for host, port in self.servers)

    @classmethod
    def read(cls, options: Mapping[str, str]) -> SourceOptions:
        """From Spark's options, whose keys have no case. Raises OperatorError."""
        given = {key.lower(): value.strip() for key, value in options.items()}
        unknown = set(given) - {key.lower() for key in _KNOWN}
        if unknown:
            raise OperatorError(
                f"unknown option {', '.join(sorted(unknown))}; known are {', '.join(_KNOWN)}"
            )
        path, servers = given.get("path"), given.get("servers")
        if bool(path) == bool(servers):
            raise OperatorError("either path (files) or servers (a live quorum) must be given")
        raw = given.get("raw", "unknown")
        kept = next((one for one in _RAW if one == raw), None)
        if kept is None:
            raise OperatorError(f"raw is one of {', '.join(_RAW)}, not {raw!r}")
        names = [name.strip() for name in given.get("types", "").split(",") if name.strip()]
        return cls(
            path=path or None,
            servers=tuple(parse_addresses(servers)) if servers else (),
            start=_start(given.get("startingoffset", "earliest")),
            end=_number(given, "endingOffset", None, 0),
            types=record_types(names) if names else None,
            raw=kept,
            partition_bytes=_number(given, "partitionBytes", DEFAULT_PARTITION_BYTES, 1),
            partition_rows=_number(given, "partitionRows", DEFAULT_PARTITION_ROWS, 1),
            rows_per_batch=_number(given, "rowsPerBatch", ROWS_PER_BATCH, 1),
            max_rows=_number(given, "maxRowsPerTrigger", None, 1),
            timeout_ms=_number(given, "timeoutMs", LEADER_TIMEOUT_MS, 1),
            command_config=given.get("commandconfig") or None,
        )


def reader_of(command_config: str | None) -> Callable[..., MetadataLogReader]:
    """Makes readers of a quorum by a file of Kafka's client keys, if there is one.

    Raises OperatorError for a file that cannot be used.
    """
    if command_config is None:
        return MetadataLogReader
    return partial(MetadataLogReader, security=Security.read(read_properties(command_config)))


def _start(text: str) -> Start:
    if text == "earliest":
        return "earliest"
    if text == "latest":
        return "latest"
    if not text.isdecimal():
        raise OperatorError(f"startingOffset is an offset, earliest or latest, not {text!r}")
    return int(text)


@overload
def _number(given: Mapping[str, str], key: str, default: int, least: int) -> int: ...
@overload
def _number(given: Mapping[str, str], key: str, default: None, least: int) -> int | None: ...
def _number(given: Mapping[str, str], key: str, default: int | None, least: int) -> int | None:
    text = given.get(key.lower())
    if text is None:
        return default
    if not text.isdecimal() or int(text) < least:
        raise OperatorError(f"{key} is a whole number of at least {least}, not {text!r}")
    return int(text)
