"""One disaster: a quorum that ran, what happened to its disks, and which surveys are taken."""

from __future__ import annotations

from random import Random

from attrs import define, field

from metaquorum.testing.disasters.directories import cut, files_of, forget, rot
from metaquorum.testing.disasters.quorum import SimQuorum

MOST_STEPS = 140


@define
class Disk:
    """A disk that is left: whose it is, its files under ``root``, and what the operator knows."""

    node_id: int
    root: str
    files: dict[str, bytes]
    story: str
    is_stale: bool = False


@define(eq=False)
class Disaster:
    """All of it; the same for the same seed."""

    seed: int
    quorum: SimQuorum
    disks: list[Disk] = field(factory=list)

    @classmethod
    def drawn(cls, seed: int) -> Disaster:
        """A quorum that runs for a while, and something that happens to each of its disks."""
        random = Random(seed)
        quorum = SimQuorum.drawn(random)
        quorum.run(random.randrange(20, MOST_STEPS))
        found = cls(seed, quorum)
        spared = random.random() < 0.15  # now and then a majority is whole
        flood = random.random() < 0.25  # and now and then nothing is lost, and all of it rots
        for replica in quorum.replicas.values():
            root = f"/n{replica.id}"
            draw = random.random()
            if flood:
                disk = Disk(replica.id, root, files_of(replica, quorum, root), "rot everywhere")
                for _ in range(random.randrange(3)):
                    rot(disk.files, random)
                found.disks.append(disk)
                continue
            if draw < (0.1 if spared else 0.45):
                continue  # lost for good
            if draw < 0.57 and (mine := [one for one in quorum.copies if one.id == replica.id]):
                files = files_of(random.choice(mine), quorum, root)
                found.disks.append(Disk(replica.id, root, files, "older copy", is_stale=True))
                continue
            disk = Disk(replica.id, root, files_of(replica, quorum, root), "whole")
            found.disks.append(disk)
            if draw > 0.85 or spared:
                continue
            if draw > 0.7:
                rot(disk.files, random)
                disk.story = "rot"
            if draw < 0.65:
                cut(disk.files, random)
                disk.story, disk.is_stale = "cut", True
            if random.random() < 0.2:
                disk.story += f", no {forget(disk.files, random)}"
        return found

    def told(self) -> str:
        """What happened, in a line."""
        disks = ", ".join(f"{one.node_id}: {one.story}" for one in self.disks)
        return f"seed {self.seed}, {len(self.quorum.replicas)} replicas; left {disks or 'nothing'}"
