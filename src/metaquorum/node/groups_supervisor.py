"""When a node opens ``__consumer_offsets``, and how the partition follows the metadata's voters.

The partition is opened once it is known who votes in it: from its own directory where it was kept
before, from the configuration where that names the voters (kraft.version 0), else from what the
committed registrations say (``metadata.groups_feature``). Until then there is nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol

import trio
from attrs import define, evolve, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated, OperatorError, RequestError
from metaquorum.config.keys import known_keys
from metaquorum.config.node_config import NodeConfig
from metaquorum.metadata.groups_feature import (
    ABLE,
    KEEPS,
    FirstVoters,
    all_are_ours,
    first_voters,
    level_of,
    levels,
    may_found,
    registered_with,
)
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.nodes import Controller
from metaquorum.metadata.versions import CONTROLLER_REGISTRATION_FROM
from metaquorum.node.data_directory import DataDirectory, static_voters
from metaquorum.node.environment import Environment
from metaquorum.node.groups_directory import directory_of, is_begun
from metaquorum.node.groups_voters import next_change
from metaquorum.node.recovery_events import log_recovery
from metaquorum.node.services import NodeServices
from metaquorum.observe.events import EventLog
from metaquorum.quorum import events
from metaquorum.quorum.messages import NONE, UpdateVoterRequest, UpgradeRequest
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.quorum.voters import VoterSet
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.loop.promise import Promise
from metaquorum.runtime.loop.successor import successor_ready
from metaquorum.runtime.loop.waiting import result_of
from metaquorum.wire.generated import error_codes

if TYPE_CHECKING:
    from metaquorum.node.groups_partition import GroupsFiles, GroupsPartition

_HEAVY: Final = "metaquorum.node.groups_partition"

LOOK_MS: Final = 50
"""How often a node without the partition looks whether it may open it."""

FOLLOW_MS: Final = 200
"""How often the partition's leader compares its voters with the metadata's."""

AFTER_REFUSAL_MS: Final = 1_000


class HostNode(Protocol):
    """What the partition needs of the node that it is on; ``assembly.Node`` has it all."""

    config: NodeConfig
    directory: DataDirectory
    driver: Driver
    services: NodeServices
    log: EventLog
    env: Environment
    seed: int


@define(eq=False)
class GroupsPartitionSupervisor:
    """Opens the partition of ``node`` and keeps it.

    The coordinator and its messages are loaded aside, once the node is on its feet.
    """

    node: HostNode
    partition: GroupsPartition | None = field(default=None)
    _was_kept: bool = field(init=False)
    _static_counts: bool = False

    def __attrs_post_init__(self) -> None:
        disk, path = self.node.directory.disk, directory_of(self.node.config)
        self._was_kept = is_begun(disk, path)

    # --- what this node says of itself -------------------------------------------------------

    def completed(self, view: StateView, wanted: Controller) -> Controller:
        """The registration of this node, with what it can do, and does, for groups.

        As the active controller it may name the first voters, where nobody has: ``view`` must then
        be all that is in its log, and the registration be appended in the same step.
        """
        named = first_voters(view)
        if not named and self.node.services.is_active:
            voters = self._committed_voters()
            if voters and may_found(view, wanted.controller_id, voters):
                return registered_with(wanted, KEEPS, voters)
        keeps = self.partition is not None or self._was_kept
        return registered_with(wanted, KEEPS if keeps else ABLE, named)

    def _committed_voters(self) -> FirstVoters:
        """The metadata's voters with their directories; none while they change or have none."""
        found = [
            (key.id, key.directory_id) for key in self._metadata_voters().keys if key.directory_id
        ]
        return tuple(found) if len(found) == len(self._metadata_voters()) else ()

    def _metadata_voters(self) -> VoterSet:
        """The committed voters of the metadata; none while a change of them is under way."""
        replica = self.node.driver.replica
        at, known = replica.voters.latest_offset, replica.log.high_watermark
        if at is None or at < 0 or (known is not None and at < known):
            return replica.voters.latest
        return VoterSet()

    # --- whether there are groups --------------------------------------------------------------

    def keeps(self, node_id: int) -> bool:
        """Whether a node is known to keep the partition; below 0 stands for any node there is."""
        view = self.node.services.committed()
        if node_id < 0:
            return all_are_ours(view, self.node.services.voter_ids(), KEEPS)
        return level_of(view.controllers.get(node_id)) >= KEEPS

    @property
    def is_open_to_clients(self) -> bool:
        """Whether groups may be served: every voter of the metadata is a node of ours."""
        services = self.node.services
        if self.partition is None or services.stopping:
            return False
        return all_are_ours(services.committed(), services.voter_ids())

    def coordinator_id(self) -> int | None:
        """The node that leads the partition; None while none is known, or none may serve."""
        if not self.is_open_to_clients or self.partition is None:
            return None
        return self.partition.driver.leader.leader_id

    def ask(self, command: object, *, deadline_ms: Millis) -> Promise[Any]:
        """The coordinator's reply to a command, given once what it rests on is committed.

        Fails with RequestError NOT_COORDINATOR on a node that does not lead the partition, with
        COORDINATOR_NOT_AVAILABLE where nobody may serve groups.
        """
        partition = self.partition
        if partition is None or not self.is_open_to_clients:
            return _refused(error_codes.COORDINATOR_NOT_AVAILABLE, "there are no groups here now")
        if not partition.driver.controller.is_active:
            return _refused(error_codes.NOT_COORDINATOR, "another node coordinates groups")
        return in_group_codes(partition.driver.ask_controller(command, deadline_ms))

    # --- the task --------------------------------------------------------------------------

    async def run(self) -> None:
        """Open the partition as soon as that may be, and keep it; ends by cancellation."""
        run_in_thread, limiter = self.node.env.run_in_thread, trio.CapacityLimiter(1)
        await run_in_thread(import_module, _HEAVY, limiter=limiter)
        while (make := self._may_open()) is None:
            self._open_or_shut()
            await trio.sleep(LOOK_MS / 1_000)
        try:
            files = await run_in_thread(make, limiter=limiter)
        except (OSError, OperatorError, InvariantViolated) as error:
            # The metadata is whole without it, and the other voters keep the partition as well.
            self.node.log.error("groups-not-opened", why=str(error))
            return
        self.partition = partition = self._partition(files)
        self.node.services.second_log, self.node.services.groups = partition, self
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partition.run)
            nursery.start_soon(self._follow, partition)

    def _open_or_shut(self) -> None:
        """Below 3.7-IV0 nobody registers, and groups are refused for good: see ``server.groups``.

        Otherwise they are not there yet, which clients wait for.
        """
        level = self.node.services.committed().features.metadata_version
        is_late = 0 < level < CONTROLLER_REGISTRATION_FROM
        self.node.services.groups = None if is_late else self

    def _may_open(self) -> Callable[[], GroupsFiles] | None:
        """What opens the directory, on a thread; None while the voters are not known."""
        from metaquorum.node.groups_partition import GroupsFiles, begin

        node, services = self.node, self.node.services
        disk, config = node.directory.disk, node.config
        path, key = directory_of(config), node.directory.key
        view, wall_ms = services.committed(), services.clock.wall_ms()
        named = first_voters(view)

        def opened() -> GroupsFiles:
            return GroupsFiles.open(disk, config)

        def begun() -> GroupsFiles:
            begin(disk, path, self._voters_of(named), wall_ms)
            return opened()

        self._static_counts = self._was_kept or self._voters_are_configured
        if self._static_counts:
            return opened
        if (key.id, key.directory_id) in named:
            return begun
        is_kept = any(level >= KEEPS for level in levels(view).values())
        return opened if is_kept and services.is_caught_up() else None

    @property
    def _voters_are_configured(self) -> bool:
        voters = self.node.driver.replica.voters
        return voters.latest_offset is None and bool(self.node.config.static_voters)

    def _voters_of(self, named: FirstVoters) -> tuple[Voter, ...]:
        """The first voters, with their endpoints as far as they are known by now."""
        listener = self.node.driver.replica.config.controller_listener
        found: list[Voter] = []
        for node_id, directory in named:
            place = self.node.services.endpoints(listener).get(node_id)
            endpoints = () if place is None else (Endpoint(listener, place.host, place.port),)
            found.append(Voter(ReplicaKey(node_id, directory), endpoints, 0, 1))
        return tuple(found)

    def _partition(self, files: GroupsFiles) -> GroupsPartition:
        from metaquorum.groups.config import GroupConfig
        from metaquorum.node.groups_partition import groups_partition

        node, services = self.node, self.node.services
        log = evolve(node.log, about={"partition": "__consumer_offsets-0"})
        log_recovery(log, files.report)
        return groups_partition(
            node.config,
            node.directory.key,
            services.cluster_id,
            files,
            static_voters(node.config) if self._static_counts else None,
            self._bootstrap(),
            groups=GroupConfig.read(lambda name: _text_of(node.config.given, name)),
            draw=services.new_uuid,
            may_ask=self.keeps,
            log=log,
            clock=services.clock,
            env=node.env,
            seed=node.seed + 1,
        )

    def _bootstrap(self) -> list[Endpoint]:
        """Whom a node asks that knows no voter of the partition: the metadata's."""
        replica = self.node.driver.replica
        name, own = replica.config.controller_listener.upper(), replica.config.node_id
        return [
            endpoint
            for voter in replica.voters.latest
            for endpoint in voter.endpoints
            if endpoint.listener.upper() == name and voter.id != own
        ]

    # --- its voters --------------------------------------------------------------------------

    async def _follow(self, partition: GroupsPartition) -> None:
        while True:
            refused = partition.driver.active and await self._changed(partition)
            await trio.sleep((AFTER_REFUSAL_MS if refused else FOLLOW_MS) / 1_000)

    async def _changed(self, partition: GroupsPartition) -> bool:
        """Take one step towards the metadata's voters; whether it was refused."""
        wanted, view = self._metadata_voters(), self.node.services.committed()
        history, replica = self.node.driver.replica.voters, partition.driver.replica
        if not len(wanted) or not all_are_ours(view, (one.id for one in wanted), KEEPS):
            return False
        change = next_change(wanted, history.kraft_version, replica.voters, replica.epoch)
        if change is None:
            return False
        if isinstance(change, UpgradeRequest):
            await self._tell_directories(partition, wanted)
        answer: Any = None
        with suppress(RequestError):
            answer = await result_of(partition.driver.ask_quorum(change))
        error = None if answer is None else answer.error
        what = type(change).__name__.removesuffix("Request")
        node_id = getattr(getattr(change, "key", None), "id", None)
        partition.snapshots.log.info(
            "voters-follow-the-metadata", change=what, voter=node_id, error=error
        )
        return error != NONE

    async def _tell_directories(self, partition: GroupsPartition, wanted: VoterSet) -> None:
        """What voters tell a leader under kraft.version 0, as the metadata has it of them."""
        replica = partition.driver.replica
        for voter in wanted:
            if voter.id == replica.config.node_id:
                continue
            lowest, highest = voter.lowest_kraft_version, voter.highest_kraft_version
            update = UpdateVoterRequest(replica.epoch, voter.key, voter.endpoints, lowest, highest)
            with suppress(RequestError):
                await result_of(partition.driver.ask_quorum(update))

    # --- its end ---------------------------------------------------------------------------

    async def hand_over(self, ready_s: float, grace_ms: int) -> None:
        """Let another node lead the partition, if this one does."""
        if self.partition is None or not self.partition.is_running:
            return
        driver = self.partition.driver
        driver.watermark.release_all()
        if not isinstance(driver.replica.role, Leader):
            return  # nobody waits for it, and it may know no leader to wait for
        with trio.move_on_after(ready_s):
            await successor_ready(driver.replica)
        driver.post(events.ShutdownAsked(grace_ms))
        with trio.move_on_after(grace_ms / 1_000):
            await driver.shutdown_done.wait()

    async def lane_closed(self) -> None:
        """Let all that was queued reach the disk."""
        if self.partition is not None and self.partition.is_running:
            await self.partition.driver.lane.close()

    def close_cleanly(self) -> None:
        """Leave the directory as an orderly stop does; only when the lane has ended."""
        if self.partition is not None and self.partition.is_running:
            self.partition.files.close_cleanly()


def _text_of(given: Mapping[str, str], name: str) -> str | None:
    """What the configuration says of a key, or the key's default."""
    return given.get(name, known_keys()[name].default)


def in_group_codes(asked: Promise[Any]) -> Promise[Any]:
    """The same, but a full inbox becomes a code on which clients in groups ask again."""
    if asked.done:
        try:
            asked.result()
        except RequestError as error:
            if error.code == error_codes.THROTTLING_QUOTA_EXCEEDED:
                return _refused(error_codes.COORDINATOR_NOT_AVAILABLE, str(error))
    return asked


def _refused(code: int, why: str) -> Promise[Any]:
    refused: Promise[Any] = Promise()
    refused.fail(RequestError(code, why))
    return refused
