"""All connections to peers: one task and one link each, made when the core first writes there."""

from __future__ import annotations

from collections.abc import Callable

import trio
from attrs import define, field

from metaquorum.quorum.adapt.log_names import METADATA_LOG, LogName
from metaquorum.quorum.effects import Send
from metaquorum.quorum.events import Event
from metaquorum.quorum.types import Peer
from metaquorum.runtime.loop.poller import Poller, TaskPoller
from metaquorum.runtime.peers.dial import Dial, OpenStream
from metaquorum.runtime.peers.leader_watch import LeaderWatch
from metaquorum.runtime.peers.peer_link import PeerLink


@define(eq=False)
class PeerLinks:
    """Hands each request to its peer's link. ``run`` is the parent of their tasks.

    With ``prompt`` a peer whose process is gone is reported as ``LeaderLost``.
    """

    node_id: int
    cluster_id: str
    listener: str
    tell: Callable[[Event], None]
    open_stream: OpenStream = field(factory=Dial)
    prompt: bool = True
    about: LogName = METADATA_LOG
    poller: Poller = field(factory=TaskPoller)
    _links: dict[int, PeerLink] = field(factory=dict)
    _new: list[PeerLink] = field(factory=list)
    _news: trio.Event = field(factory=trio.Event)

    def send(self, request: Send) -> None:
        """Send a request to its peer, at once if the link is there."""
        self._link(request.peer.id).send(request)

    def _link(self, peer_id: int) -> PeerLink:
        link = self._links.get(peer_id)
        if link is None:
            link = PeerLink(
                peer_id=peer_id,
                client_id=f"raft-client-{self.node_id}",
                cluster_id=self.cluster_id,
                listener=self.listener,
                tell=self.tell,
                open_stream=self.open_stream,
                watch=LeaderWatch(self.prompt),
                about=self.about,
                poller=self.poller,
            )
            self._links[peer_id] = link
            self._new.append(link)
            self._news.set()
        return link

    def prepare(self, peer: Peer) -> None:
        """Connect to a peer that nothing is said to now, so that words need not wait for that."""
        if peer.endpoint is not None:
            self._link(peer.id).prepare(peer.endpoint)

    async def run(self) -> None:
        """Keep one task for each link; ends by cancellation."""
        async with trio.open_nursery() as nursery:
            while True:
                while self._new:
                    nursery.start_soon(self._new.pop(0).run)
                self._news = trio.Event()
                await self._news.wait()

    def statistics(self) -> dict[str, int]:
        """Peers written to and connections made, for the metrics."""
        return {
            "peers": len(self._links),
            "connects": sum(link.connects for link in self._links.values()),
        }
