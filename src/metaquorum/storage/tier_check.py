"""Looking whether every segment in a tier store has all of its parts; nothing is made up for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.storage.tier_manifest import MANIFEST, REQUIRED, decode_manifest
from metaquorum.storage.tier_store import StoreFailed, TierStore

_SEGMENT = re.compile(r"([^/]+/){3}[0-9]{20}/")


@frozen
class SegmentFound:
    """What lies under one key of the store, and what is wrong with it."""

    key: str
    problems: tuple[str, ...]


def check_store(store: TierStore, *, deep: bool = False) -> Iterator[SegmentFound]:
    """Every segment in the store; ``deep`` reads all parts. Raises StoreFailed.

    What is not in the place of a segment is nobody's part.
    """
    sizes = store.sizes("")
    for key, keys in groupby(sorted(sizes), lambda one: one.rpartition("/")[0] + "/"):
        names = {one.removeprefix(key): sizes[one] for one in keys}
        if _SEGMENT.fullmatch(key):
            yield SegmentFound(key, tuple(_problems(store, key, names, deep)))


def _problems(store: TierStore, key: str, names: dict[str, int], deep: bool) -> Iterator[str]:
    if MANIFEST not in names:
        yield f"{MANIFEST} is missing: an upload was interrupted, and the next one does it again"
        return
    content = store.read(key + MANIFEST)
    try:
        manifest = decode_manifest(MANIFEST, content or b"")
    except StoreFailed:
        raise
    except OperatorError as error:
        yield str(error)
        return
    kinds = {part.kind for part in manifest.parts}
    for kind in REQUIRED:
        if kind not in kinds:
            yield f"{MANIFEST} names no {kind}"
    for part in manifest.parts:
        size_bytes = names.get(part.name)
        if size_bytes is None:
            yield f"{part.name} is missing: the {part.kind}"
        elif size_bytes != part.size_bytes:
            yield f"{part.name} has {size_bytes} bytes, {part.size_bytes} were uploaded"
        elif deep and store.digest(key + part.name) != part.sha256:
            yield f"{part.name} has another checksum than what was uploaded"
