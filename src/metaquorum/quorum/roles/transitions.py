"""The table of legal moves. ``ReplicaState.enter`` asserts it; the docs are drawn from it."""

from __future__ import annotations

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.value import value


@value
class Move:
    """One legal change of role: whether the epoch must stay, must rise or may do either."""

    before: str
    after: str
    epoch: str
    why: str


STAYS, RISES, ANY = "stays", "rises", "stays or rises"

MOVES: tuple[Move, ...] = (
    Move("Unattached", "Unattached", ANY, "a higher epoch was heard, or a vote was given"),
    Move("Unattached", "Prospective", STAYS, "the election time-out passed at a voter"),
    Move("Unattached", "Follower", ANY, "a leader was heard"),
    Move("Prospective", "Unattached", ANY, "no majority of pre-votes, or a higher epoch"),
    Move("Prospective", "Prospective", STAYS, "a vote was given, or the answer of a voter came"),
    Move("Prospective", "Candidate", RISES, "a majority would vote for it"),
    Move("Prospective", "Follower", ANY, "a leader was heard, or the old one may still be there"),
    Move("Candidate", "Candidate", STAYS, "the answer of a voter came"),
    Move("Candidate", "Prospective", STAYS, "the election time-out passed without a majority"),
    Move("Candidate", "Leader", STAYS, "a majority voted for it"),
    Move("Candidate", "Unattached", RISES, "a higher epoch was heard"),
    Move("Candidate", "Follower", ANY, "another leader was heard"),
    Move("Leader", "Leader", STAYS, "its deadlines moved, or a voter was heard"),
    Move("Leader", "Resigned", STAYS, "asked to, or a majority was silent for too long"),
    Move("Leader", "Unattached", RISES, "a higher epoch was heard"),
    Move("Leader", "Follower", RISES, "the leader of a higher epoch was heard"),
    Move("Follower", "Follower", ANY, "a fetch succeeded, or another leader was heard"),
    Move("Follower", "Prospective", STAYS, "the fetch time-out passed at a voter"),
    Move("Follower", "Unattached", ANY, "the fetch time-out passed at an observer, or a new epoch"),
    Move("Resigned", "Resigned", STAYS, "a voter acknowledged"),
    Move("Resigned", "Prospective", STAYS, "it is the only voter"),
    Move("Resigned", "Unattached", RISES, "the election time-out passed, or a higher epoch"),
    Move("Resigned", "Follower", RISES, "the leader of a higher epoch was heard"),
)

_BY_ENDS = {(move.before, move.after): move for move in MOVES}


def check_move(before: str, after: str, epoch_before: int, epoch_after: int) -> None:
    """InvariantViolated unless the table allows this change of role with this change of epoch."""
    move = _BY_ENDS.get((before, after))
    if move is None:
        raise InvariantViolated(f"a replica cannot go from {before} to {after}")
    rises, stays = epoch_after > epoch_before, epoch_after == epoch_before
    if not ((rises and move.epoch != STAYS) or (stays and move.epoch != RISES)):
        raise InvariantViolated(
            f"{before} to {after} with epoch {epoch_before} to {epoch_after}: "
            f"the epoch {move.epoch}"
        )
