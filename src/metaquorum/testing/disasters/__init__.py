"""Disasters of simulated quorums, and what a recovery makes of them."""
