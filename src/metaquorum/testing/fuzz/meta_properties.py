"""The meta.properties file: an identity, or a refusal that names the file."""

from __future__ import annotations

from metaquorum.base.errors import OperatorError
from metaquorum.storage.meta_properties import decode, encode
from metaquorum.testing.fuzz.promise import promise, refused_file

PATH = "/log/meta.properties"
_NODE_IDS = range(1 << 31)


def one_input(data: bytes) -> bool:
    """The content of the file; whether it is an identity."""
    try:
        identity = decode(data.decode("iso-8859-1"), PATH)
    except OperatorError as why:
        return refused_file(why, PATH)
    promise(identity.node_id in _NODE_IDS, f"a node id of 31 bits: {identity.node_id}")
    promise(bool(identity.cluster_id), "a cluster has an id")
    written = encode(identity)
    promise(
        decode(written.decode("iso-8859-1"), PATH) == identity,
        "an identity that was written again reads the same",
    )
    return True
