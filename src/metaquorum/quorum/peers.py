"""What is on its way to each peer: one request in flight, time-outs and back-off as deadlines."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.value import value
from metaquorum.quorum.messages import Request


@value
class InFlight:
    """A request on its way: the number its answer will name, when we stop waiting for it."""

    correlation: int
    deadline: Millis
    request: Request


@value
class PeerState:
    """One peer: busy, resting after a failure until ``ready_at``, or ready."""

    in_flight: InFlight | None = None
    ready_at: Millis = -1
    timed_out: bool = False


_READY = PeerState()
_TIMED_OUT = PeerState(timed_out=True)


@value
class Peers:
    """All peers that were ever written to in this role, ascending by id."""

    states: dict[NodeId, PeerState] = field(factory=dict)

    def __iter__(self) -> Iterator[tuple[NodeId, PeerState]]:
        return iter(self.states.items())

    def value(self) -> tuple[object, ...]:
        """These peers as a hashable value, without correlations."""
        return tuple(
            (peer_id, state.in_flight and state.in_flight.request, state.ready_at, state.timed_out)
            for peer_id, state in self.states.items()
            if state != _READY
        )

    def of(self, peer_id: NodeId) -> PeerState:
        """The state of one peer; ready when nothing is known."""
        return self.states.get(peer_id, _READY)

    def is_ready(self, peer_id: NodeId, now: Millis) -> bool:
        """Whether a request may go there now."""
        state = self.states.get(peer_id, _READY)
        return state.in_flight is None and state.ready_at <= now

    def any_in_flight(self) -> bool:
        """Whether any request awaits its answer."""
        for state in self.states.values():  # noqa: SIM110 - asked after every step
            if state.in_flight is not None:
                return True
        return False

    def with_state(self, peer_id: NodeId, state: PeerState) -> Peers:
        """These peers with one changed."""
        before = self.states
        states = {**before, peer_id: state}
        # One that is there already keeps its place, so the order of ids needs no sorting again.
        return Peers(states if peer_id in before else dict(sorted(states.items())))

    def sent(self, peer_id: NodeId, in_flight: InFlight) -> Peers:
        """After a request went out."""
        return self.with_state(peer_id, PeerState(in_flight))

    def expects(self, peer_id: NodeId, correlation: int) -> Request | None:
        """The request that this answer belongs to; None when it is no longer expected."""
        in_flight = self.of(peer_id).in_flight
        if in_flight is None or in_flight.correlation != correlation:
            return None
        return in_flight.request

    def answered(self, peer_id: NodeId) -> Peers:
        """After an answer: ready for the next request."""
        return self.with_state(peer_id, _READY)

    def rests(self, peer_id: NodeId, until: Millis) -> Peers:
        """After a failure: nothing goes there before ``until``."""
        return self.with_state(peer_id, PeerState(None, until))

    def timed_out(self, peer_id: NodeId) -> Peers:
        """After a request brought no answer in time; a late one is not expected any more."""
        return self.with_state(peer_id, _TIMED_OUT)

    @property
    def request_deadlines(self) -> tuple[tuple[NodeId, Millis], ...]:
        """When each request in flight is given up."""
        return tuple(
            (peer_id, state.in_flight.deadline)
            for peer_id, state in self.states.items()
            if state.in_flight is not None
        )

    @property
    def next_deadline(self) -> Millis:
        """The earliest of the request deadlines and ``next_ready``."""
        due = NEVER
        for state in self.states.values():
            in_flight = state.in_flight
            if in_flight is not None:
                if in_flight.deadline < due:
                    due = in_flight.deadline
            elif 0 <= state.ready_at < due:
                due = state.ready_at
        return due

    @property
    def next_ready(self) -> Millis:
        """When the next resting peer may be written to again; ``NEVER`` if none rests."""
        resting = (one.ready_at for one in self.states.values() if one.ready_at >= 0)
        return min(resting, default=NEVER)

    def rested(self, now: Millis) -> Peers:
        """With those ready again whose rest is over."""
        return Peers(
            {
                peer_id: _READY if 0 <= state.ready_at <= now else state
                for peer_id, state in self.states.items()
            }
        )
