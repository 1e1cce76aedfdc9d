"""The states of a connection and the table of its legal transitions.

``Connection`` changes its state through this table only. The order of events comes from what a peer
sends and when, so an event that a state does not have ends that connection and nothing else
(``IllegalEvent``, decision 219). "Blocked" means that the peer has not
taken all answers that were sent to it, "Paused" that the client has exceeded a quota (KIP-219); a
request begins in "Idle" alone. A late answer of a blocked connection waits behind the others.

    Idle     --begin-->  Serving           --answer, put back-->  Idle
    Serving  --block-->  Serving, blocked  --sent-->    Serving
                         Serving, blocked  --answer-->  Blocked  --sent-->  Idle
    Idle     --pause-->  Paused            --block-->   Paused, blocked
                         Paused            --resume-->  Idle
    any      --close-->  Closed
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.errors import PeerError
from metaquorum.base.value import value

IDLE: Final = "Idle"
SERVING: Final = "Serving"
BLOCKED: Final = "Blocked"
SERVING_BLOCKED: Final = "Serving, blocked"
PAUSED: Final = "Paused"
PAUSED_BLOCKED: Final = "Paused, blocked"
CLOSED: Final = "Closed"

BEGIN: Final = "begin"
PUT_BACK: Final = "put back"
ANSWER: Final = "answer"
BLOCK: Final = "block"
SENT: Final = "sent"
PAUSE: Final = "pause"
RESUME: Final = "resume"
CLOSE: Final = "close"


class IllegalEvent(PeerError):
    """The table has no such event in this state: a fault of ours, at the cost of one peer."""


@value
class Transition:
    """One legal change of state, and when it comes about."""

    before: str
    event: str
    after: str
    why: str


TRANSITIONS: tuple[Transition, ...] = (
    Transition(IDLE, BEGIN, SERVING, "a request goes to its handler"),
    Transition(SERVING, PUT_BACK, IDLE, "that request has to wait for its turn"),
    Transition(SERVING, ANSWER, IDLE, "its answer is there"),
    Transition(SERVING_BLOCKED, ANSWER, BLOCKED, "its answer waits behind earlier ones"),
    Transition(IDLE, BLOCK, BLOCKED, "the peer does not take its answers"),
    Transition(SERVING, BLOCK, SERVING_BLOCKED, "the peer does not take earlier answers"),
    Transition(PAUSED, BLOCK, PAUSED_BLOCKED, "the peer does not take its answers"),
    Transition(BLOCKED, BLOCK, BLOCKED, "the peer took a part at most"),
    Transition(SERVING_BLOCKED, BLOCK, SERVING_BLOCKED, "the peer took a part at most"),
    Transition(PAUSED_BLOCKED, BLOCK, PAUSED_BLOCKED, "the peer took a part at most"),
    Transition(BLOCKED, SENT, IDLE, "the peer took everything"),
    Transition(SERVING_BLOCKED, SENT, SERVING, "the peer took everything"),
    Transition(PAUSED_BLOCKED, SENT, PAUSED, "the peer took everything"),
    Transition(IDLE, SENT, IDLE, "the answer left at once"),
    Transition(SERVING, SENT, SERVING, "earlier answers left at once"),
    Transition(PAUSED, SENT, PAUSED, "the answer left at once"),
    Transition(IDLE, PAUSE, PAUSED, "the client exceeded a quota"),
    Transition(BLOCKED, PAUSE, PAUSED_BLOCKED, "the client exceeded a quota"),
    Transition(PAUSED, RESUME, IDLE, "the time of the quota is over"),
    Transition(PAUSED_BLOCKED, RESUME, BLOCKED, "the time of the quota is over"),
    Transition(IDLE, CLOSE, CLOSED, "either side ended it"),
    Transition(SERVING, CLOSE, CLOSED, "either side ended it"),
    Transition(BLOCKED, CLOSE, CLOSED, "either side ended it"),
    Transition(SERVING_BLOCKED, CLOSE, CLOSED, "either side ended it"),
    Transition(PAUSED, CLOSE, CLOSED, "either side ended it"),
    Transition(PAUSED_BLOCKED, CLOSE, CLOSED, "either side ended it"),
    Transition(CLOSED, CLOSE, CLOSED, "both sides ended it"),
    Transition(CLOSED, BLOCK, CLOSED, "the turn in which it was closed ends with a send"),
    Transition(CLOSED, SENT, CLOSED, "the turn in which it was closed ends with a send"),
)


class _After(dict[str, str]):
    """The state after one event, by the state before; IllegalEvent where it is not legal."""

    def __init__(self, event: str) -> None:
        super().__init__((one.before, one.after) for one in TRANSITIONS if one.event == event)
        self._event = event

    def __missing__(self, before: str) -> str:
        raise IllegalEvent(f"'{self._event}' on a connection that is {before}")


# A dictionary for each event: a transition costs a lookup, and no call.
AFTER_BEGIN: Final = _After(BEGIN)
AFTER_PUT_BACK: Final = _After(PUT_BACK)
AFTER_ANSWER: Final = _After(ANSWER)
AFTER_BLOCK: Final = _After(BLOCK)
AFTER_SENT: Final = _After(SENT)
AFTER_PAUSE: Final = _After(PAUSE)
AFTER_RESUME: Final = _After(RESUME)
AFTER_CLOSE: Final = _After(CLOSE)
