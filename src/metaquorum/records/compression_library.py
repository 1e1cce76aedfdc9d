"""The one native library behind snappy, lz4 and zstd, loaded when a batch needs it first.

cramjam carries all three in one wheel; it is the extra ``compression`` of this package.
"""

from __future__ import annotations

from typing import Any

from metaquorum.records.errors import UnsupportedCodec


def library(codec: str) -> Any:
    """cramjam; UnsupportedCodec, with what to install, where it is not there."""
    try:
        import cramjam
    except ImportError:
        raise UnsupportedCodec(
            f"records in {codec} need a library that is not installed: "
            "pip install 'metaquorum[compression]'"
        ) from None
    return cramjam
