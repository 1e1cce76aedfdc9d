"""The steps of a store as a chain: each names the one before it by the checksum of its manifest.

Two runs at one time leave two steps behind one; the one that reaches further goes on, and the other
stays beside the chain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from metaquorum.backup.manifest import (
    OBJECTS,
    STEPS,
    Step,
    decode_step,
    digest_of,
    key_of,
    manifest_key,
    name_of_key,
    parse_name,
)
from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import MAX_BACKUP_MANIFEST_BYTES, MAX_BACKUP_STEPS
from metaquorum.base.offsets import Offset
from metaquorum.storage.tier_store import TierStore


@frozen
class Link:
    """A step in its store: its name, its manifest, and the checksum by which the next names it."""

    name: str
    step: Step
    sha256: str


@frozen
class Listing:
    """What lies in a store: the names of steps with a manifest, latest first, and all sizes."""

    uri: str
    names: tuple[str, ...]
    sizes: Mapping[str, int]


@frozen
class Chain:
    """The steps from the first one that can be reached from the latest, in order.

    ``beside`` are the names of those that it does not go through. ``broken`` says why it does not
    reach further back, where that is no matter of the first step being full.
    """

    links: tuple[Link, ...]
    beside: tuple[str, ...] = ()
    broken: str = ""

    @property
    def reach(self) -> tuple[tuple[Offset, Offset], ...]:
        """The offsets to which the state can be restored: bounds of stretches, both included."""
        found: list[tuple[Offset, Offset]] = []
        for link in self.links:
            step = link.step
            if found and found[-1][0] <= step.start <= found[-1][1]:
                found[-1] = (found[-1][0], step.end)
            elif step.is_full:
                found.append((step.start, step.end))
        return tuple(found)


def listed(store: TierStore) -> Listing:
    """The steps of a store. Raises StoreFailed, and OperatorError for too many of them."""
    sizes = store.sizes(STEPS)
    found = [name for key in sizes if (name := name_of_key(key)) is not None]
    if len(found) > MAX_BACKUP_STEPS:
        raise OperatorError(
            f"{store.uri}: {len(found)} steps, at most {MAX_BACKUP_STEPS} are read: begin another "
            "backup in an empty place"
        )
    objects = store.sizes(OBJECTS)
    return Listing(store.uri, tuple(sorted(found, reverse=True)), {**objects, **sizes})


def read_link(store: TierStore, listing: Listing, name: str) -> Link:
    """One step; OperatorError names its manifest and what is wrong with it."""
    key = manifest_key(name)
    place = f"{store.uri}: {key}"
    size_bytes = listing.sizes.get(key, 0)
    if size_bytes > MAX_BACKUP_MANIFEST_BYTES:
        raise OperatorError(
            f"{place}: {size_bytes} bytes, at most {MAX_BACKUP_MANIFEST_BYTES} are read"
        )
    content = store.read(key)
    if content is None:
        raise OperatorError(f"{place} is missing")
    step = decode_step(place, content)
    if parse_name(name) != (step.end, step.last_epoch, step.start):
        raise OperatorError(f"{place}: it is the manifest of another step")
    return Link(name, step, digest_of(content))


def latest(store: TierStore, listing: Listing) -> Link | None:
    """The step that reaches furthest, its objects looked for; None in an empty store.

    OperatorError where it cannot be gone on from.
    """
    if not listing.names:
        return None
    link = read_link(store, listing, listing.names[0])
    for problem in missing_files(listing, link):
        raise OperatorError(
            f"{store.uri}: {problem}. Look at all of it with `metaquorum backup verify`, and begin "
            "another backup in an empty place, or add a full step with --full"
        )
    return link


def missing_files(listing: Listing, link: Link) -> Sequence[str]:
    """Objects of a step that are not there, or of another size."""
    problems = []
    for file in link.step.files:
        key = key_of(link.name, file.name)
        size_bytes = listing.sizes.get(key)
        if size_bytes is None:
            problems.append(f"{key} is missing")
        elif size_bytes != file.size_bytes:
            problems.append(f"{key} has {size_bytes} bytes, {file.size_bytes} were backed up")
    return problems


def read_chain(store: TierStore, listing: Listing) -> Chain:
    """The chain that the latest step ends. OperatorError for an empty store, or if that step
    cannot be read.
    """
    if not listing.names:
        raise OperatorError(f"{store.uri}: there is no backup in it")
    links = [read_link(store, listing, listing.names[0])]
    broken = ""
    while (previous := links[-1].step.previous) is not None:
        try:
            link = _before(store, listing, links[-1])
        except OperatorError as error:
            broken = str(error)
            break
        links.append(link)
    if broken and previous is not None and previous.step not in listing.names:
        broken = "" if links[-1].step.is_full else broken  # what lies before it was let go
    links.reverse()
    names = {one.name for one in links}
    return Chain(tuple(links), tuple(one for one in listing.names if one not in names), broken)


def _before(store: TierStore, listing: Listing, link: Link) -> Link:
    """The step before a step, which it names; OperatorError says why it is not that one."""
    previous, step = link.step.previous, link.step
    assert previous is not None
    found = read_link(store, listing, previous.step)
    place = f"{store.uri}: {manifest_key(previous.step)}"
    if found.sha256 != previous.sha256:
        raise OperatorError(f"{place}: it is not the one that {link.name} was made behind")
    if found.step.cluster_id != step.cluster_id:
        raise OperatorError(f"{place}: it is of cluster {found.step.cluster_id}")
    if found.step.end > step.end or (not step.is_full and found.step.end != step.start):
        raise OperatorError(f"{place}: it ends at offset {found.step.end}, {link.name} goes on at "
                            f"{step.start}")  # fmt: skip
    return found


def links_for(chain: Chain, at: Offset | None) -> tuple[Link, ...]:
    """The steps that the state at ``at`` (None: the latest) is made of, a full one first.

    OperatorError tells which offsets there are.
    """
    links = chain.links
    wanted = links[-1].step.end if at is None else at
    first = [n for n, one in enumerate(links) if one.step.is_full and one.step.start <= wanted]
    if first:
        chosen = [links[first[-1]]]
        for link in links[first[-1] + 1 :]:
            if chosen[-1].step.end >= wanted or link.step.start != chosen[-1].step.end:
                break
            chosen.append(link)
        if chosen[-1].step.end >= wanted:
            return tuple(chosen)
    there = ", ".join(f"{start} to {end}" for start, end in chain.reach) or "none"
    raise OperatorError(
        f"the state at offset {wanted} is not in the backup; those that are: {there}"
        + (f". {chain.broken}" if chain.broken else "")
    )
