# GENERATED from schemas/ by `make generate`: edit the schemas, not this file.
"""Every record type of the metadata log with its fields, as columns are made of them."""

from __future__ import annotations

from typing import Final

from pyspark_metaquorum.record_type import Part, RecordType

# Metadata records by their type.
METADATA: Final[dict[int, RecordType]] = {
}

# Control records by the type in their key.
CONTROLS: Final[dict[int, RecordType]] = {
}
