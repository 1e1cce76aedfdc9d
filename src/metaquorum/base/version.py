"""The release that this is: the one place that states it, read by the build as well."""

from __future__ import annotations

from typing import Final

VERSION = "0.1.0"
SOFTWARE: Final = ("metaquorum", VERSION)
"""Name and version as ApiVersions requests carry them (KIP-511)."""
