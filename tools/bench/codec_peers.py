"""How the other codecs are asked: each gives one function to encode and one to decode."""

from __future__ import annotations

import copy
import json
import sys
import uuid
from collections.abc import Callable
from dataclasses import field, make_dataclass
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar, Protocol

from attrs import define, frozen

from codegen.names import snake_case
from codegen.parse import parse_file
from tools.bench.codec_messages import Case

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"


class PeerMissing(Exception):
    """Another codec that is not installed here."""


@frozen
class Jobs:
    """One message in a peer's own objects."""

    encode: Callable[[], Any]
    decode: Callable[[], Any]


class Peer(Protocol):
    """Another codec."""

    name: str

    def jobs(self, case: Case, encoded: bytes) -> Jobs | None:
        """Its functions for a message, None if it cannot do that one."""


def _need(module: str, distribution: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise PeerMissing(
            f"{distribution} is not installed: without it (make interop-setup)"
        ) from None


@define
class Kio:
    """kio: a class for each version; reading is native code, writing is Python."""

    name: str = "kio"

    def __attrs_post_init__(self) -> None:
        _need("kio.serial", "kio")

    def jobs(self, case: Case, encoded: bytes) -> Jobs | None:
        if case.older or self.highest(case.codec.NAME) is None:
            return None
        serial = import_module("kio.serial")
        entity = self._entity(case)
        read = serial.entity_reader(entity)
        write = serial.entity_writer(entity)
        message, _ = read(encoded, 0)

        def encode() -> bytes:
            out = BytesIO()
            write(out, message)
            return out.getvalue()

        return Jobs(encode, lambda: read(encoded, 0))

    def highest(self, name: str) -> int | None:
        """The newest version of a message that it knows; None for an unknown message."""
        if name == "PartitionRecord":
            return 1
        found = find_spec("kio.schema")
        assert found is not None
        places = [Path(place) / _kio_api(name) for place in found.submodule_search_locations or ()]
        versions = [int(path.name[1:]) for place in places for path in place.glob("v[0-9]*")]
        return max(versions, default=None)

    def _entity(self, case: Case) -> Any:
        name = case.codec.NAME
        if name == "PartitionRecord":
            return _kio_partition_record()
        half = "request" if name.endswith("Request") else "response"
        return getattr(import_module(f"kio.schema.{_kio_api(name)}.v{case.version}.{half}"), name)


def _kio_api(name: str) -> str:
    """The folder of a request's or a response's API."""
    return snake_case(name).removesuffix("_request").removesuffix("_response")


def _kio_partition_record() -> Any:
    """kio has no metadata records; its engine takes any dataclass that is annotated its way."""
    primitive = import_module("kio.static.primitive")
    constants = import_module("kio.static.constants")
    int32, many = primitive.i32, tuple[primitive.i32, ...]  # type: ignore[name-defined]

    def typed(kafka_type: str, **more: Any) -> Any:
        return field(metadata={"kafka_type": kafka_type, **more})

    fields: list[Any] = [
        ("partition_id", int32, typed("int32")),
        ("topic_id", uuid.UUID | None, typed("uuid")),
        ("replicas", many, typed("int32")),
        ("isr", many, typed("int32")),
        ("removing_replicas", many, typed("int32")),
        ("adding_replicas", many, typed("int32")),
        ("leader", int32, typed("int32")),
        (
            "leader_recovery_state",
            primitive.i8,
            field(metadata={"kafka_type": "int8", "tag": 0}, default=primitive.i8(0)),
        ),
        ("leader_epoch", int32, typed("int32")),
        ("partition_epoch", int32, typed("int32")),
        ("directories", tuple[uuid.UUID | None, ...], typed("uuid")),
    ]
    return make_dataclass(
        "PartitionRecord",
        fields,
        frozen=True,
        slots=True,
        kw_only=True,
        namespace={
            "__annotations__": {"__type__": ClassVar},
            "__type__": constants.EntityType.data,
            "__version__": primitive.i16(1),
            "__flexible__": True,
        },
    )


@define
class KafkaPython:
    """kafka-python 3: compiles a function for each version at run time, from Kafka's schemas."""

    name: str = "kafka-python"

    def __attrs_post_init__(self) -> None:
        _need("kafka.protocol.schemas", "kafka-python")

    def jobs(self, case: Case, encoded: bytes) -> Jobs | None:
        if case.older:
            return None
        module = {
            "FetchRequest": "kafka.protocol.consumer",
            "FetchResponse": "kafka.protocol.consumer",
            "MetadataResponse": "kafka.protocol.metadata",
        }.get(case.codec.NAME)
        version = case.version
        if module is None:
            try:
                return self._from_schema(case, encoded)
            except ValueError as why:  # uint32, for one, is no type of its engine
                print(f"{case.name}: {self.name} has no part: {why}", file=sys.stderr)
                return None
        kind = getattr(import_module(module), case.codec.NAME)
        message = kind.decode(encoded, version=version)
        message._header = None  # a decoded one has none, and encode() looks
        return Jobs(
            lambda: message.encode(version=version), lambda: kind.decode(encoded, version=version)
        )

    def _from_schema(self, case: Case, encoded: bytes) -> Jobs:
        schemas = import_module("kafka.protocol.schemas")
        pool = import_module("kafka.protocol.schemas.fields.codecs").EncodeBufferPool
        container = import_module("kafka.protocol.data_container").DataContainer
        struct = schemas.StructField(_kafka_json(case.codec.NAME))
        kind = type(case.codec.NAME, (container,), {"_struct": struct})
        struct.set_data_class(kind)
        is_flexible = case.codec.FLEXIBLE_FROM is not None
        is_flexible = is_flexible and case.version >= (case.codec.FLEXIBLE_FROM or 0)
        flags = {"compact": is_flexible, "tagged": is_flexible}
        read = struct.compiled_decode_from(case.version, **flags)
        write = struct.compiled_encode_into(case.version, **flags)
        view = memoryview(encoded)
        message, _ = read(view, 0)

        def encode() -> Any:
            with pool.acquire() as out:
                write(message, out)
                return out.result()

        return Jobs(encode, lambda: read(view, 0))


def _kafka_json(name: str) -> dict[str, Any]:
    """One of our schemas in the form that kafka-python's engine takes: no structs by name."""
    for path in SCHEMAS.rglob("*.json"):
        if path.name != "error_codes.json" and parse_file(path).name == name:
            loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            named = {one["name"]: one["fields"] for one in loaded.pop("commonStructs", ())}
            _inline(loaded["fields"], named)
            return loaded
    raise LookupError(name)


def _inline(fields: list[dict[str, Any]], named: dict[str, Any]) -> None:
    for one in fields:
        element = one["type"].removeprefix("[]")
        if element in named:
            one["fields"] = copy.deepcopy(named[element])
        _inline(one.get("fields", []), named)


@define
class Aiokafka:
    """aiokafka: a class for each version, interpreted; no flexible versions of these."""

    name: str = "aiokafka"

    def __attrs_post_init__(self) -> None:
        _need("aiokafka.protocol.fetch", "aiokafka")

    def jobs(self, case: Case, encoded: bytes) -> Jobs | None:
        if not case.older:
            return None
        name = case.codec.NAME
        module = "metadata" if name.startswith("Metadata") else "fetch"
        kind = getattr(import_module(f"aiokafka.protocol.{module}"), f"{name}_v{case.version}")
        message = kind.decode(encoded)
        return Jobs(message.encode, lambda: kind.decode(encoded))


PEERS: tuple[Callable[[], Peer], ...] = (Kio, KafkaPython, Aiokafka)
