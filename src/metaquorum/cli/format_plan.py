"""What ``storage format`` is about to do, decided before anything is written.

Rules of KIP-853 and KIP-1170 on who may be formatted how; the numbers of features come from
``releases``. Nothing here reads or writes a file: the directories come as they were found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from ipaddress import IPv6Address
from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import ZERO_UUID, Uuid, is_reserved, parse_uuid, uuid_text
from metaquorum.cli.releases import DEFAULT_RELEASE, Release, feature_levels
from metaquorum.config.key import BadValue
from metaquorum.config.listeners import Listener, parse_host_port
from metaquorum.config.node_config import NodeConfig
from metaquorum.metadata.tables.features import KRAFT_VERSION, METADATA_VERSION
from metaquorum.metadata.versions import (
    LATEST_PRODUCTION,
    LEVEL_NAMES,
    MINIMUM,
    SCRAM_FROM,
    TRANSACTIONS_FROM,
)
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter

if TYPE_CHECKING:
    from metaquorum.wire.generated.records.user_scram_credential_record import (
        UserScramCredentialRecord,
    )

T = TypeVar("T")


class Quorum(Enum):
    """How the node gets to know the first voters."""

    STATIC = "controller.quorum.voters"
    STANDALONE = "--standalone"
    INITIAL = "--initial-controllers"
    JOINING = "--no-initial-controllers"


@frozen(kw_only=True)
class FormatOrder:
    """The command line of ``storage format``, as typed."""

    cluster_id: str
    standalone: bool = False
    joining: bool = False
    initial_controllers: str | None = None
    ignore_formatted: bool = False
    release: Release | None = None
    features: Mapping[str, int] = {}
    scram: Sequence[str] = ()
    legacy: bool = False


@frozen
class DirectoryPlan:
    """One directory to format."""

    path: str
    kind: str
    directory_id: Uuid


@frozen
class FormatPlan:
    """Everything that will be written."""

    cluster_id: str
    node_id: int
    release: Release
    levels: Mapping[str, int]
    kraft_version: int
    voters: tuple[Voter, ...]
    has_bootstrap: bool
    metadata_log_dir: str
    directories: tuple[DirectoryPlan, ...]
    credentials: tuple[UserScramCredentialRecord, ...] = ()

    def bootstrap_line(self) -> str:
        """The line in which Kafka's tool shows the records of the new cluster."""
        records = [
            f"FeatureLevelRecord(name='{name}', featureLevel={level})"
            for name, level in self.levels.items()
            if level > 0
        ]
        records += map(_credential_text, self.credentials)
        shown = ", ".join(f"ApiMessageAndVersion({one} at version 0)" for one in records)
        return (
            f"Bootstrap metadata: BootstrapMetadata(records=[{shown}], "
            f"metadataVersionLevel={self.release.level}, source=format command)"
        )

    def facts(self) -> dict[str, object]:
        """The plan as one JSON object."""
        return {
            "clusterId": self.cluster_id,
            "nodeId": self.node_id,
            "kraftVersion": self.kraft_version,
            "features": dict(self.levels),
            "scramUsers": [one.name for one in self.credentials],
            "voters": [
                {
                    "id": voter.id,
                    "directoryId": uuid_text(voter.key.directory_id or ZERO_UUID),
                    "endpoints": [
                        str(Listener(one.listener, one.host, one.port)) for one in voter.endpoints
                    ],
                }
                for voter in self.voters
            ],
            "directories": [
                {"path": one.path, "kind": one.kind, "directoryId": uuid_text(one.directory_id)}
                for one in self.directories
            ],
        }


def plan_format(
    config: NodeConfig,
    order: FormatOrder,
    empty_directories: Sequence[str],
    draw_uuid: Callable[[], Uuid],
    draw_salt: Callable[[], bytes],
) -> FormatPlan:
    """The plan for the directories that are not formatted; OperatorError says why there is none."""
    quorum = _quorum(config, order)
    release, levels = _levels(config, order, quorum)
    kraft_version = levels.pop(KRAFT_VERSION)
    credentials = _credentials(order.scram, release, draw_salt)
    _check_sizes(release, levels, credentials)
    voters = _voters(config, order, quorum, draw_uuid)
    own = next((voter for voter in voters if voter.id == config.node_id), None)
    directories = []
    for path in java_text_order(empty_directories):
        is_metadata = path == config.metadata_log_dir
        directory_id = own.key.directory_id if own is not None and is_metadata else None
        kind = _kind(is_metadata, bool(voters), own is not None)
        directories.append(DirectoryPlan(path, kind, directory_id or draw_uuid()))
    return FormatPlan(
        cluster_id=order.cluster_id,
        node_id=config.node_id,
        release=release,
        levels=levels,
        kraft_version=kraft_version,
        voters=voters,
        has_bootstrap=config.is_controller,
        metadata_log_dir=config.metadata_log_dir,
        directories=tuple(directories),
        credentials=credentials,
    )


def parse_initial_controllers(text: str, listener: str) -> tuple[Voter, ...]:
    """``id@host:port:directory``, separated by commas; OperatorError shows what is wrong.

    Every voter gets one endpoint, named ``listener``.
    """
    voters: dict[int, Voter] = {}
    for item in filter(None, (part.strip() for part in text.split(","))):
        voter = _initial_controller(item, listener)
        if voter.id in voters:
            raise OperatorError(f"--initial-controllers: node id {voter.id} stands there twice")
        voters[voter.id] = voter
    if not voters:
        raise OperatorError("--initial-controllers names nobody; write id@host:port:directory,...")
    ids = sorted(voters)
    return tuple(voters[id] for id in java_order(ids, ids))


def java_text_order(texts: Sequence[str]) -> list[str]:
    """These texts in the order in which Kafka's tool goes through its directories."""
    return java_order(texts, [_java_hash(text) for text in texts])


def java_order(items: Sequence[T], hashes: Sequence[int]) -> list[T]:
    """``items`` in the order of a Java hash table: by bucket, and as they came inside of one.

    Kafka keeps directories and first voters in such tables, and prints and writes them so.
    """
    size = 16
    while len(items) > size * 3 // 4:
        size *= 2
    buckets = [(value ^ (value >> 16)) & (size - 1) for value in hashes]
    return [items[at] for at in sorted(range(len(items)), key=buckets.__getitem__)]


def _java_hash(text: str) -> int:
    value = 0
    units = text.encode("utf-16-be", "surrogatepass")
    for at in range(0, len(units), 2):
        value = (31 * value + (units[at] << 8) + units[at + 1]) & 0xFFFFFFFF
    return value


def java_host(host: str) -> str:
    """A host as Java gives it back: IPv6 addresses without the short form ``::``."""
    try:
        address = IPv6Address(host)
    except ValueError:
        return host
    if address.scope_id is not None:
        return host
    return ":".join(f"{int(group, 16):x}" for group in address.exploded.split(":"))


def _quorum(config: NodeConfig, order: FormatOrder) -> Quorum:
    flags = [
        quorum
        for quorum, given in (
            (Quorum.STANDALONE, order.standalone),
            (Quorum.INITIAL, order.initial_controllers is not None),
            (Quorum.JOINING, order.joining),
        )
        if given
    ]
    if len(flags) > 1:
        raise OperatorError(f"{flags[0].value} and {flags[1].value} exclude each other")
    quorum = flags[0] if flags else Quorum.STATIC
    if quorum in (Quorum.STANDALONE, Quorum.INITIAL):
        if not config.is_controller:
            raise OperatorError(f"{quorum.value} is for controllers, and process.roles names none")
        if config.static_voters:
            raise OperatorError(
                f"{quorum.value} makes a quorum whose voters can change, and "
                "controller.quorum.voters fixes them; leave controller.quorum.voters out and set "
                "controller.quorum.bootstrap.servers"
            )
    if quorum is Quorum.STATIC and config.is_controller and not config.static_voters:
        raise OperatorError(
            "the first voters are unknown: controller.quorum.voters is not set, so give one of "
            "--standalone, --initial-controllers or --no-initial-controllers"
        )
    if quorum is Quorum.JOINING and config.static_voters:
        return Quorum.STATIC
    return quorum


def _levels(
    config: NodeConfig, order: FormatOrder, quorum: Quorum
) -> tuple[Release, dict[str, int]]:
    asked = dict(order.features)
    release = order.release or Release(DEFAULT_RELEASE)
    if METADATA_VERSION in asked:
        level = asked.pop(METADATA_VERSION)
        if order.release is not None:
            raise OperatorError(
                "--release-version and --feature metadata.version say the same thing; give one"
            )
        if not MINIMUM <= level <= LATEST_PRODUCTION:
            raise OperatorError(
                f"metadata.version {level} is not known here; "
                f"it must be from {MINIMUM} to {LATEST_PRODUCTION}"
            )
        release = Release(level)
    dynamic = quorum is not Quorum.STATIC
    if dynamic and asked.get(KRAFT_VERSION) == 0:
        raise OperatorError(f"{quorum.value} needs kraft.version 1; leave kraft.version=0 out")
    # A broker finds the voters' kind out from them; Kafka's tool takes either level from it.
    may_be_dynamic = dynamic or not (config.is_controller or config.static_voters)
    if not may_be_dynamic and asked.get(KRAFT_VERSION):
        raise OperatorError(
            "kraft.version 1 is for voters that can change; give one of --standalone, "
            "--initial-controllers or --no-initial-controllers, without controller.quorum.voters"
        )
    asked.setdefault(KRAFT_VERSION, int(dynamic))
    return release, feature_levels(release, asked)


def _voters(
    config: NodeConfig, order: FormatOrder, quorum: Quorum, draw_uuid: Callable[[], Uuid]
) -> tuple[Voter, ...]:
    if quorum is Quorum.INITIAL:
        listener = config.controller_listener_names[0]
        return parse_initial_controllers(order.initial_controllers or "", listener)
    if quorum is Quorum.STANDALONE:
        place = config.advertised_controller_listeners[0]
        key = ReplicaKey(config.node_id, draw_uuid())
        return (_voter(key, Endpoint(place.name, place.host, place.port)),)
    return ()


def _credentials(
    arguments: Sequence[str], release: Release, draw_salt: Callable[[], bytes]
) -> tuple[UserScramCredentialRecord, ...]:
    """One record an argument, in their order; a user may have several, the last one counts."""
    if arguments and release.level < SCRAM_FROM:
        name = LEVEL_NAMES[SCRAM_FROM]
        raise OperatorError(f"SCRAM is only supported in metadata.version {name} or later.")
    if not arguments:
        return ()
    from metaquorum.cli.scram_argument import parse_scram  # loads hashes

    return tuple(parse_scram(one, draw_salt) for one in arguments)


def _check_sizes(
    release: Release, levels: Mapping[str, int], credentials: Sequence[UserScramCredentialRecord]
) -> None:
    """The first leader must be able to write the records: below 3.6-IV1 as one batch."""
    if not credentials:
        return
    from metaquorum.cli.zero_checkpoint import bootstrap_values  # loads codecs
    from metaquorum.records.builder import BatchBuilder

    builder = BatchBuilder()
    for value in bootstrap_values(levels, credentials):
        if builder.add(None, value):
            continue
        if release.level < TRANSACTIONS_FROM:
            raise OperatorError(
                f"the first records of the cluster need more than one batch of "
                f"{builder.limit_bytes} bytes and {builder.limit_records} records, and "
                f"metadata.version {release.name} knows no transactions; add users later"
            )
        builder = BatchBuilder()
        if not builder.add(None, value):
            raise OperatorError(f"--add-scram: a record of {len(value)} bytes fits no batch")


def _initial_controller(item: str, listener: str) -> Voter:
    form = f"--initial-controllers: {item!r} is not id@host:port:directory"
    id_text, at_sign, rest = item.partition("@")
    place, colon, directory = rest.rpartition(":")
    if not at_sign or not colon or not (id_text.isascii() and id_text.isdigit()):
        raise OperatorError(form)
    try:
        where = parse_host_port(place)
        directory_id = parse_uuid(directory)
    except (BadValue, ValueError) as error:
        raise OperatorError(f"{form}: {error}") from None
    if is_reserved(directory_id):
        raise OperatorError(f"{form}: the directory id {directory} is reserved")
    key = ReplicaKey(int(id_text), directory_id)
    return _voter(key, Endpoint(listener, java_host(where.host), where.port))


def _voter(key: ReplicaKey, endpoint: Endpoint) -> Voter:
    return Voter(key, (endpoint,), lowest_kraft_version=0, highest_kraft_version=1)


def _credential_text(one: UserScramCredentialRecord) -> str:
    """The record as Kafka's tool shows it, bytes as Java's signed numbers."""
    keys = {"salt": one.salt, "storedKey": one.stored_key, "serverKey": one.server_key}
    shown = ", ".join(
        f"{name}=[{', '.join(str((byte ^ 0x80) - 0x80) for byte in raw)}]"
        for name, raw in keys.items()
    )
    return (
        f"UserScramCredentialRecord(name='{one.name}', mechanism={one.mechanism}, {shown}, "
        f"iterations={one.iterations})"
    )


def _kind(is_metadata: bool, has_voters: bool, is_voter: bool) -> str:
    """What Kafka's tool calls such a directory."""
    if not is_metadata:
        return "data directory"
    if not has_voters:
        return "metadata directory"
    return "dynamic metadata voter directory" if is_voter else "dynamic metadata directory"
