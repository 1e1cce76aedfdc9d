"""The file of epoch starts: rising pairs, or no file at all."""

from __future__ import annotations

from itertools import pairwise

from metaquorum.storage.epoch_file import decode_epochs, encode_epochs
from metaquorum.testing.fuzz.promise import promise


def one_input(data: bytes) -> bool:
    """The content of the file; whether it is one."""
    epochs = decode_epochs(data)
    if epochs is None:
        return False
    pairs = list(epochs)
    promise(all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(pairs)), "epochs and offsets rise")
    promise(decode_epochs(encode_epochs(epochs)) == epochs, "a file written again reads the same")
    return True
