"""Every order of a small world: messages, disks, crashes and timers, breadth first."""
