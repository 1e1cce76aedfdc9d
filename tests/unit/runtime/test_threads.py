"""Turns of threads in Python."""

from __future__ import annotations

import sys

from metaquorum.runtime.loop import threads

SNAPSHOT_SLICE_S = 0.0006  # of 250 records on a fast processor


def test_a_thread_may_ask_for_python_within_a_slice_of_a_snapshot() -> None:
    before_s = sys.getswitchinterval()
    try:
        threads.set_switch_interval()
        assert sys.getswitchinterval() < SNAPSHOT_SLICE_S
    finally:
        sys.setswitchinterval(before_s)
