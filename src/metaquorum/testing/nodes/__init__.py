"""Whole nodes in one process: real tasks, real files, virtual time, a network that is ours."""
