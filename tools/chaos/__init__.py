"""Real processes under real faults, and a judge of what their clients were told.

``python -m tools.chaos --nodes 5 --seed 7 --seconds 120`` runs one schedule and prints it.
"""
