"""The quorum-state file: a state whose numbers fit Kafka's, or a refusal that names the file."""

from __future__ import annotations

from metaquorum.base.errors import OperatorError
from metaquorum.storage.quorum_state import decode, encode
from metaquorum.testing.fuzz.promise import promise, refused_file

PATH = "/log/quorum-state"
_INT32 = range(-(1 << 31), 1 << 31)


def one_input(data: bytes) -> bool:
    """The content of the file; whether it is a state."""
    try:
        state = decode(data, PATH)
    except OperatorError as why:
        return refused_file(why, PATH)
    numbers = (state.epoch, state.leader_id, state.voted_id, *state.voters)
    promise(all(n is None or n in _INT32 for n in numbers), f"numbers of 32 bits: {numbers}")
    promise(state.epoch >= 0, "an epoch is 0 or more")
    promise(decode(encode(state), PATH) == state, "a state that was written again reads the same")
    return True
