"""``python -m metaquorum.testing.fuzz.seeds``: write the first inputs of every target.

They come from the golden frames, and from batches and files that our own writers make. What
fuzzing adds lies beside them and is never touched.
"""

from __future__ import annotations

import click

from metaquorum.base.epochs import EpochStarts
from metaquorum.base.offsets import Offset
from metaquorum.records.builder import build_batch
from metaquorum.records.compression import GZIP, LZ4, NAMES, NONE, SNAPPY, ZSTD, compress
from metaquorum.records.control import ControlType, TransactionMarker, control_codec, encode_control
from metaquorum.records.metadata_record import FRAME_VERSION
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.records.varints import uvarint
from metaquorum.server.contract.api import API_ROWS
from metaquorum.storage.epoch_file import encode_epochs
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.meta_properties import encode as encode_meta_properties
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.storage.quorum_state import encode as encode_quorum_state
from metaquorum.testing import golden
from metaquorum.testing.fuzz import (
    log_recovery,
    record_batches,
    server_connection,
    snapshot_files,
)
from metaquorum.testing.fuzz import messages_as_json as messages_as_json_target
from metaquorum.testing.fuzz.messages import choosing
from metaquorum.testing.fuzz.producer_batches import producer_logs
from metaquorum.testing.fuzz.targets import CORPUS
from metaquorum.testing.schemas import MessageText, all_messages, message
from metaquorum.wire.frames import frame
from metaquorum.wire.generated.index import APIS, RECORDS
from metaquorum.wire.headers import RequestHeader, put_request_header
from metaquorum.wire.slices import Parts

Seeds = dict[str, bytes]
_MOST_BODY_BYTES = 1_500
_PIECES = bytes((0, 2, 6, 255, 0, 30, 100, 7))
_TIMESTAMP_MS = 1_700_000_000_000
_UUID = bytes(range(1, 17))
_LONG_CLIENTS = (36, 38, 40)  # the longest ids (odd_requests.requests_in)


def _richest(schema: MessageText) -> list[golden.GoldenFrame]:
    """The fullest frame of the newest version, and of the oldest where it is another."""
    full = [each for each in golden.frames(schema) if each.variant == "full"]
    chosen = [full[-1]] if full[-1].version == full[0].version else [full[0], full[-1]]
    return [each for each in chosen if len(each.data) <= _MOST_BODY_BYTES]


def _file_name(each: golden.GoldenFrame) -> str:
    return f"{each.schema.name}-v{each.version}"


def messages() -> Seeds:
    """Requests and responses by their golden frames."""
    return {
        _file_name(each): choosing(
            response=schema.kind == "response",
            api_key=schema.api_key,
            version=each.version - schema.versions.low,
        )
        + each.data
        for schema in all_messages()
        if schema.kind in ("request", "response") and schema.api_key in APIS
        for each in _richest(schema)
        if schema.api_key is not None
    }


def messages_as_json() -> Seeds:
    """Messages as JSON text, with the numbers that JSON has no words for."""
    quotas = bytes((messages_as_json_target.AS_TEXT, 49, 1))
    quota = (
        b'{"entries":[{"entity":[],"ops":[{"key":"k","value":%s,"remove":false}]}],'
        b'"validateOnly":false}'
    )
    votes = bytes((messages_as_json_target.AS_TEXT, 52, 2))
    numbers = (b"1.5", b'"NaN"', b'"-Infinity"', b"1e999", b"9" * 400, b"-0.0")
    return {
        **{f"quota-{index}": quotas + quota % number for index, number in enumerate(numbers)},
        "hexadecimal": votes + b'{"clusterId":null,"voterId":"0x10","topics":[]}',
        "endless-hexadecimal": votes
        + b'{"clusterId":null,"voterId":"0x'
        + b"f" * 4_000
        + b'","topics":[]}',
        "half-a-pair": votes + b'{"clusterId":"\\ud800","voterId":1,"topics":[]}',
        "nan-on-the-wire": choosing(response=False, api_key=49, version=1)
        + bytes.fromhex("02 01 02 02 6b 7ff8000000000001 00 00 00 00 00"),
        "vote-response": choosing(response=True, api_key=52, version=2)
        + golden.frames(message("VoteResponse"))[-1].data,
    }


def _requests() -> list[tuple[str, bytes]]:
    """Whole requests with headers of all three versions."""
    found = []
    for schema in all_messages():
        if schema.kind == "request" and schema.api_key in (3, 7, 18, 52, 55):
            for each in _richest(schema):
                header = RequestHeader(schema.api_key or 0, each.version, 77, "client-ä")
                parts: Parts = []
                put_request_header(parts, header)
                found.append((_file_name(each), b"".join(map(bytes, parts)) + each.data))  # type: ignore[arg-type]
    return found


def _framed(data: bytes) -> bytes:
    return b"".join(map(bytes, frame([data])))  # type: ignore[arg-type]


def request_headers() -> Seeds:
    """Headers of all versions, one with tags, and a version of ApiVersions that is yet to come."""
    return {
        **dict(_requests()),
        "unknown-tags": bytes.fromhex("0034 0002 0000004d 0001 61 01 05 02 0102"),
        "api-versions-of-tomorrow": bytes.fromhex("0012 0063 0000004d ffff 00"),
        "null-client": bytes.fromhex("0012 0000 0000004d ffff"),
    }


def frames() -> Seeds:
    """Streams of frames, empty ones and refused ones among them."""
    some = [_framed(data) for _, data in _requests()[:4]]
    return {
        "requests": _PIECES + b"".join(some),
        "empty-frames": _PIECES + bytes(12),
        "cut-off": _PIECES + some[0] + some[1][:-3],
        "negative": _PIECES + some[0] + b"\xff\xff\xff\xff",
        "too-large": _PIECES + some[0] + b"\x00\x00\x03\xe9",
    }


def server_connections() -> Seeds:
    """Requests in small pieces, in one go, and one that is too large for the budget."""

    def in_pieces(stream: bytes, length: int, serve: int) -> bytes:
        cuts = [stream[at : at + length] for at in range(0, len(stream), length)]
        return b"".join(bytes((len(each) | serve,)) + each for each in cuts)

    stream = b"".join(_framed(data) for _, data in _requests()[:4])
    large = b"\x04" + (80_008).to_bytes(4, "big") + b"\x08" + _requests()[0][1][:8]
    produce = b"\x04" + (160_008).to_bytes(4, "big") + b"\x08" + bytes(8)
    zeros = bytes((server_connection.REPEAT, 0))
    return {
        "small-pieces": in_pieces(stream, 7, server_connection.SERVE),
        "read-ahead": in_pieces(stream, 100, 0),
        "large-frame": large + zeros * 2 + in_pieces(stream, 50, 0),
        "large-produce": produce + zeros * 4 + in_pieces(stream, 50, server_connection.SERVE),
        "unfinished": produce + zeros * 2,
        "too-large": produce[:6] + b"\x00\x01" + produce[8:] + zeros,
        "shorter-than-a-header": in_pieces(_framed(b"short"), 9, 0),
        "tls": in_pieces(bytes.fromhex("16030100a5010000a10303"), 11, 0),
    }


def metadata_records() -> Seeds:
    """Every metadata record by its golden frame."""
    modules = {row.module: row.type for row in RECORDS.values()}
    return {
        _file_name(each): uvarint(FRAME_VERSION)
        + uvarint(modules[schema.module])
        + uvarint(each.version)
        + each.data
        for schema in all_messages()
        if schema.module in modules
        for each in _richest(schema)
    }


def control_records() -> Seeds:
    """Every control record, one that nobody knows, and keys that are none."""

    def spelled(key: bytes, value: bytes) -> bytes:
        return bytes((len(key),)) + key + value

    found = {}
    for kind in ControlType:
        if kind in (ControlType.ABORT, ControlType.COMMIT):
            found[kind.name] = spelled(*encode_control(kind, TransactionMarker(0, 3)))
            continue
        name = control_codec(kind).NAME
        (schema,) = (each for each in all_messages() if each.name == name)
        key = bytes((0, 0, 0, kind))
        found[kind.name] = spelled(key, golden.frames(schema)[-1].data)
    found["unknown"] = spelled(bytes((0, 0, 0, 99)), b"")
    found["no-key"] = b"\xff"
    return found


def _log(epochs: tuple[int, ...] = (1, 1, 2)) -> bytes:
    out = []
    base: Offset = 0
    for epoch in epochs:
        values = [(None, b"record %d" % (base + index)) for index in range(3)]
        out.append(
            build_batch(
                values, timestamp_ms=_TIMESTAMP_MS + base, base_offset=base, leader_epoch=epoch
            )
        )
        base += 3
    return b"".join(out)


def batches() -> Seeds:
    """Batches of all codecs with right checksums, and the codecs' streams alone."""
    pairs = [(b"key", b"value" * 8), (None, b"value"), (b"", None)]
    body = b"records of a batch " * 6
    found = {}
    for codec in (NONE, GZIP, SNAPPY, LZ4, ZSTD):
        batch = build_batch(pairs, timestamp_ms=_TIMESTAMP_MS, compression=codec)
        found[f"batch-{NAMES[codec]}"] = bytes((record_batches.BATCHES,)) + batch
        if codec != NONE:
            found[f"stream-{NAMES[codec]}"] = bytes((codec,)) + compress(codec, body)
    # 0x80 is no multiple of five: 0x82 is mode 0 with its checksums put right.
    found["log"] = bytes((_repaired_mode(),)) + _log()
    return found


def _repaired_mode() -> int:
    modes = range(record_batches.REPAIRED, 256)
    return next(mode for mode in modes if mode % (ZSTD + 1) == record_batches.BATCHES)


def logs() -> Seeds:
    """Whole logs in one and two segments, torn ones, and an empty one."""
    log = _log()
    return {
        "whole": b"\x00" + log,
        "repaired": bytes((log_recovery.REPAIRED,)) + _log((1, 2, 3, 3, 7)),
        "two-segments": b"\x02" + log,
        "torn": b"\x00" + log[:-9],
        "zeros-behind": b"\x00" + log + bytes(100),
        "beyond-the-index": bytes((log_recovery.REPAIRED,)) + _far_reaching_log(),
        "empty": b"\x00",
    }


def _far_reaching_log() -> bytes:
    """Batches that claim so many offsets that no index entry could name the last ones."""
    most = (1 << 31) - 1
    out = []
    for base in (0, most + 1, 2 * most + 2):
        batch = build_batch(
            [(None, bytes(80))], timestamp_ms=_TIMESTAMP_MS + base, base_offset=base, leader_epoch=1
        )
        out.append(batch[:23] + most.to_bytes(4, "big") + batch[27:])
    return b"".join(out)


def snapshots() -> Seeds:
    """A whole snapshot, and one without its footer."""
    parts = list(
        snapshot_batches(
            epoch=snapshot_files.SNAPSHOT.epoch,
            timestamp_ms=_TIMESTAMP_MS,
            last_contained_ms=_TIMESTAMP_MS,
            controls=[],
            values=[b"state", b"more state"],
        )
    )
    return {
        "whole": b"\x00" + b"".join(parts),
        "repaired": bytes((snapshot_files.REPAIRED,)) + b"".join(parts),
        "no-footer": b"\x00" + b"".join(parts[:-1]),
        "empty": b"\x00",
    }


def quorum_states() -> Seeds:
    """Both data versions."""
    return {
        "version-0": encode_quorum_state(
            ElectionStateData(5, leader_id=2, voters=(1, 2, 3), data_version=0)
        ),
        "version-1": encode_quorum_state(
            ElectionStateData(6, voted_id=3, voted_directory_id=_UUID)
        ),
        "null-voters": b'{"leaderId":-1,"leaderEpoch":1,"votedId":-1,"currentVoters":null,'
        b'"data_version":0}',
        "no-json": b"{",
        "deep": b"[" * 3_000,
        "beyond-32-bits": b'{"leaderId":1,"leaderEpoch":4294967297,"votedId":-1,'
        b'"currentVoters":[],"data_version":0}',
    }


def meta_properties_files() -> Seeds:
    """Files as Kafka writes them, as ZooKeeper's brokers had them, and with escapes."""
    return {
        "kraft": encode_meta_properties(MetaProperties("4L6g3nShT-eMCtK--X86sw", 1, _UUID)),
        "zookeeper": b"version=0\nbroker.id=1\n",
        "blanks": b"version=1\nnode.id=7\ncluster.id=\\ a\\tb\\u0000\\ud83d\\ude00\n",
        "many-digits": b"version=1\ncluster.id=c\nnode.id=" + b"9" * 4_500,
        "beyond-31-bits": b"version=1\ncluster.id=c\nnode.id=2147483648\n",
        "escapes": b"version : 1\nnode.id 7\ncluster.id=\\u00e4\\t\\=\\\n  b\n",
    }


def epoch_files() -> Seeds:
    """Some epochs, and none."""
    return {
        "some": encode_epochs(EpochStarts((1, 4, 5), (0, 3, 90))),
        "none": encode_epochs(EpochStarts()),
        "empty": b"",
        "falling": b"0\n2\n2 0\n1 5\n",
    }


def _requests_of_every_api() -> dict[str, list[bytes]]:
    """By API: a request of every version, by both listeners, and some odd ones of the newest."""
    found = {}
    for at, api_row in enumerate(API_ROWS):
        versions = range(api_row.highest - api_row.lowest + 1)
        plain = [bytes((at, one, 0, 0, 0, 0, by)) for one in versions for by in (0, 1)]
        odd = [bytes((at, versions[-1], 1 + one, 7 + one, 2 + one, 3, 1)) for one in range(4)]
        found[api_row.name] = plain + odd
    return found


def odd_requests() -> Seeds:
    """Every API, and names that leave no room for what is made of them."""
    requests = {name: b"".join(some) for name, some in _requests_of_every_api().items()}
    join = next(at for at, api_row in enumerate(API_ROWS) if api_row.name == "JoinGroup")
    long = [bytes((join, version, 0, 0, 0, 0, by)) for version in range(10) for by in _LONG_CLIENTS]
    return {**requests, "JoinGroup-long-client-id": b"".join(long)}


def failing_requests() -> Seeds:
    """Every API, with a call that raises, sooner or later, and some after which refusals raise."""
    return {
        name: b"".join(bytes((240 + at % 2, at)) + one for at, one in enumerate(some))
        for name, some in _requests_of_every_api().items()
    }


SEEDS = {
    "frames": frames,
    "request_headers": request_headers,
    "messages": messages,
    "messages_as_json": messages_as_json,
    "metadata_records": metadata_records,
    "record_batches": batches,
    "control_records": control_records,
    "log_recovery": logs,
    "quorum_state": quorum_states,
    "meta_properties": meta_properties_files,
    "epoch_file": epoch_files,
    "snapshot_files": snapshots,
    "producer_logs": producer_logs,
    "server_connection": server_connections,
    "answers_built_from_requests": odd_requests,
    "handlers_and_plans_that_raise": failing_requests,
}


@click.command()
def main() -> None:
    """Write the first inputs of every target below tests/fuzz/corpus."""
    for target, seeds in SEEDS.items():
        folder = CORPUS / target
        folder.mkdir(parents=True, exist_ok=True)
        made = seeds()
        for name, data in made.items():
            (folder / name).write_bytes(data)
        click.echo(f"{target}: {len(made)} inputs, {sum(map(len, made.values()))} bytes")


if __name__ == "__main__":
    main()
