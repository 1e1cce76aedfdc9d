"""Real processes under real faults, and a judge of the answers that their clients got.

``python -m tools.chaos --nodes 5 --seed 7 --seconds 120`` runs one schedule and prints it.
"""
