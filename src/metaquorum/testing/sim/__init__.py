"""What the simulated machines of all harnesses have in common."""
