"""Start and stop of a node: the tree of tasks, signals, the order in which things end.

``trio.run`` holds one root nursery. An error of ours anywhere in it ends the process with a
message that names what broke; the disk is left as it was at the last sync, and recovery makes a
clean start of that.
"""

from __future__ import annotations

import errno
import os
import secrets
import signal
import sys
import traceback
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import trio
from attrs import define, evolve

from metaquorum.base.errors import InvariantViolated, OperatorError
from metaquorum.base.limits import SHUTDOWN_GRACE_MS
from metaquorum.config.node_config import NodeConfig
from metaquorum.node.assembly import Node, assemble
from metaquorum.node.data_directory import DataDirectory
from metaquorum.node.descriptors import make_room_for_descriptors
from metaquorum.node.environment import REAL_ENVIRONMENT
from metaquorum.node.event_lines import event_log, refusals_logged
from metaquorum.node.recovery_events import log_recovery
from metaquorum.node.registration import registration_task
from metaquorum.node.service_reports import ServiceReports, starting_status
from metaquorum.node.warm import load_all, stay_warm
from metaquorum.observe.events import EventLog
from metaquorum.quorum import events
from metaquorum.runtime.loop import collector, compiler, threads
from metaquorum.runtime.loop.service_manager import ServiceManager
from metaquorum.runtime.loop.shared_poller import poller_of_process
from metaquorum.runtime.loop.successor import successor_ready
from metaquorum.server.sockets.descriptors import Descriptors, DescriptorShares
from metaquorum.server.sockets.listener import Server
from metaquorum.storage.posix import open_files

EXIT_OK = 0
EXIT_FAILED = 1

SUCCESSOR_READY_S = 0.1
"""How long a leader that stops waits for a successor with a log as long as its own: a fetch takes
milliseconds, and one that takes longer is on no way here."""


STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def run(config: NodeConfig) -> int:
    """Run a node until it is asked to stop; the exit code.

    OperatorError is raised when it cannot even start, with a message for the operator.
    """
    config.check_servable()
    shares = DescriptorShares.of(make_room_for_descriptors())
    collector.set_thresholds()
    threads.set_switch_interval()
    compiler.tell()
    with event_log(config) as log:
        return refusals_logged(config, log, partial(_run, config, shares, log))


def _run(config: NodeConfig, shares: DescriptorShares, log: EventLog) -> int:
    manager = ServiceManager.of_environment(os.environ, os.getpid())
    starting_status(manager, "reading the log directories")
    directory = _opened(config, shares)
    beneath = _SignalFallback.installed()
    try:
        trio.run(_live, config, directory, shares, beneath, log, manager)
    except BaseExceptionGroup as group:
        return _reported(group)
    finally:
        directory.release()
        beneath.leave()
    return EXIT_OK


def _opened(config: NodeConfig, shares: DescriptorShares) -> DataDirectory:
    """The data directory; OperatorError too if its files leave no descriptors for connections."""
    try:
        directory = DataDirectory.open(config)
    except OperatorError as error:
        cause = error.__cause__
        if not isinstance(cause, OSError) or cause.errno != errno.EMFILE:
            raise
        raise OperatorError(
            f"the limit of open files (ulimit -n) is {shares.limit}, and the logs in log.dirs "
            "have more segments and snapshots than that"
        ) from None
    try:
        shares.check(open_files())
    except OperatorError:
        directory.release()
        raise
    return directory


def _reported(group: BaseExceptionGroup[BaseException]) -> int:
    """Say what broke: in one line where we know it, with a traceback where we do not."""
    broken, unknown = group.split(InvariantViolated)
    refused, unknown = unknown.split(OperatorError) if unknown is not None else (None, None)
    if isinstance(unknown, ExceptionGroup):
        traceback.print_exception(unknown)  # here, where sys.stderr waits for no reader
    elif unknown is not None:
        raise unknown
    elif refused is not None:
        raise next(_leaves(refused)) from None
    # Tasks that met the same cause before they could be cancelled say it once.
    printed: set[str] = set()
    for error in _leaves(broken) if broken is not None else ():
        if (text := str(error)) in printed:
            continue
        printed.add(text)
        print(f"metaquorum stops: {text}", file=sys.stderr, flush=True)
        if error.__cause__ is not None and not isinstance(error.__cause__, InvariantViolated):
            traceback.print_exception(error.__cause__)
    return EXIT_FAILED


@define(eq=False)
class _SignalFallback:
    """What a stop signal does that comes before trio listens, or when it listens no more.

    Before, it does what it always did. Afterwards the node has been told already: killed by
    another word of it, it would leave its directory as a crash does.
    """

    before: Mapping[int, Any]
    is_signalled: bool = False

    @classmethod
    def installed(cls) -> _SignalFallback:
        """In the place of the handlers there are."""
        beneath = cls({number: signal.getsignal(number) for number in STOP_SIGNALS})
        for number in STOP_SIGNALS:
            signal.signal(number, beneath)
        return beneath

    def leave(self) -> None:
        """The process ends by itself now: Python takes its handlers back before it is gone.

        And once trio has closed what signals wake it by, Python complains of each that comes.
        """
        if self.is_signalled:
            for number in STOP_SIGNALS:
                signal.signal(number, signal.SIG_IGN)

    def __call__(self, number: int, frame: object) -> None:
        if not self.is_signalled:
            signal.signal(number, self.before[number])
            signal.raise_signal(number)


async def _live(
    config: NodeConfig,
    directory: DataDirectory,
    shares: DescriptorShares,
    beneath: _SignalFallback,
    log: EventLog,
    manager: ServiceManager | None,
) -> None:
    log.info(
        "descriptors",
        limit=shares.limit,
        reserved=shares.reserved,
        connections=shares.connections,
        for_voters=shares.voters,
    )
    log_recovery(log, directory.report)
    with trio.open_signal_receiver(*STOP_SIGNALS) as signals:
        async with trio.open_nursery() as root:
            seed = secrets.randbits(32)
            env = evolve(
                REAL_ENVIRONMENT,
                poller=poller_of_process(),
                descriptors=Descriptors(shares, open_files),
                load_all=partial(load_all, has_groups=config.groups_enabled),
            )
            node = assemble(config, directory, log, seed=seed, env=env)
            reports = _reports(node, manager)
            if reports is not None:
                root.start_soon(reports.run)
            server = await node_started(node, root)
            collector.freeze()  # what a start leaves is there to stay
            log.info("started", node=config.node_id, pid=os.getpid(), seed=seed, **_places(server))
            async for number in signals:
                beneath.is_signalled = True
                log.info("stopping", signal=signal.Signals(number).name)
                if reports is not None:
                    reports.stopping(signal.Signals(number).name)
                break
            async with trio.open_nursery() as stopping:
                stopping.start_soon(_hurry_on_a_second_signal, signals, stopping.cancel_scope)
                await stop_in_order(node, server)
                stopping.cancel_scope.cancel()
            await lanes_closed(node)
            root.cancel_scope.cancel()
    close_cleanly(node)
    beneath.leave()
    log.info("stopped", node=config.node_id)


def _reports(node: Node, manager: ServiceManager | None) -> ServiceReports | None:
    if manager is None:
        return None
    summary = node.driver.replica.summary
    return ServiceReports(
        manager, node.health, summary, node.config.node_id, node.driver.clock, node.log
    )


async def node_started(node: Node, root: trio.Nursery) -> Server:
    """Start every task of the node in ``root``; listeners last, so the first answer is true.

    Their addresses are taken before anything else happens: a node that cannot have one must not
    have voted, led or written first. OperatorError is raised then.
    """
    server = Server.of(
        *(node.services, node.note, node.env.listen, node.refused, node.certificates, node.failed),
        descriptors=node.env.descriptors,
        poller=node.env.poller,
    )
    metrics = await _metrics_sockets(node)
    try:
        server.bind(node.config.listeners)
    except OperatorError:
        for one in metrics:
            one.socket.close()
        raise
    node.health.ready_when("modules-imported", lambda: _loading_reason(node))
    root.start_soon(node.env.poller.run)
    root.start_soon(node.driver.lane.run)
    if node.env.directory_check_ms is not None:
        root.start_soon(node.driver.lane.keep_checking, node.env.directory_check_ms)
    root.start_soon(node.driver.keep_time)
    root.start_soon(node.applier.run)
    root.start_soon(node.snapshots.run)
    root.start_soon(node.peers.run)
    root.start_soon(stay_warm, node.driver.replica, node.peers)
    root.start_soon(node.services.forwarder.run)
    root.start_soon(node.notices.run)
    root.start_soon(collector.keep_stepping)
    node.driver.post(events.Started())
    if metrics:
        from metaquorum.server.sockets.metrics_http import serve_metrics

        serve = partial(serve_metrics, max_connections=node.env.descriptors.shares.metrics)
        changes = node.notices.role_changes
        root.start_soon(serve, metrics, node.exposition(), node.health, changes)
    await root.start(server.run)
    node.server = server
    await node.env.load_all()
    node.has_loaded = True
    node.driver.listeners.cut.append(server.cut)
    if node.config.groups_enabled:
        from metaquorum.node.groups_supervisor import GroupsPartitionSupervisor

        node.groups = node.services.groups = GroupsPartitionSupervisor(node)
        root.start_soon(node.groups.run)
    node.registration = registration_task(node, server.ports)
    root.start_soon(node.registration.run)
    if node.config.quorum_auto_join:
        from metaquorum.node.joining import auto_join_task

        root.start_soon(auto_join_task(node).run)
    return server


def _loading_reason(node: Node) -> str | None:
    return None if node.has_loaded else "what may be needed is being imported"


async def _metrics_sockets(node: Node) -> list[trio.SocketListener]:
    if node.config.metrics_listener is None:
        return []
    from metaquorum.server.sockets.metrics_http import metrics_sockets

    return await metrics_sockets(node.config.metrics_listener)


async def stop_in_order(node: Node, server: Server, grace_ms: int = SHUTDOWN_GRACE_MS) -> None:
    """Refuse new work, let what is parked end, hand the leadership over, then close the listeners.

    The listeners stay open until the quorum needs this node no more: a successor reads the rest
    of the log and asks for this node's vote through them.
    """
    node.services.stopping = True
    node.driver.watermark.release_all()
    with trio.move_on_after(grace_ms / 1_000):
        await node.driver.all_replied()
    async with trio.open_nursery() as handing_over:
        if node.groups is not None:
            handing_over.start_soon(node.groups.hand_over, SUCCESSOR_READY_S, grace_ms)
        await _hand_over(node, grace_ms)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.stop, grace_ms)
        await trio.lowlevel.checkpoint()
        node.driver.watermark.release_all()


async def lanes_closed(node: Node) -> None:
    """Let everything that was queued reach the disk."""
    await node.driver.lane.close()
    if node.groups is not None:
        await node.groups.lane_closed()


def close_cleanly(node: Node) -> None:
    """Leave every directory as an orderly stop does; only when no task runs any more."""
    if node.groups is not None:
        node.groups.close_cleanly()
    node.directory.close_cleanly()


async def _hand_over(node: Node, grace_ms: int) -> None:
    with trio.move_on_after(SUCCESSOR_READY_S):
        await successor_ready(node.driver.replica)
    node.driver.post(events.ShutdownAsked(grace_ms))
    with trio.move_on_after(grace_ms / 1_000):
        await node.driver.shutdown_done.wait()


async def _hurry_on_a_second_signal(signals: object, scope: trio.CancelScope) -> None:
    async for _ in signals:  # type: ignore[attr-defined]
        scope.cancel()


def _places(server: Server) -> dict[str, object]:
    return {name.lower(): port for name, port in server.ports.items()}


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error
