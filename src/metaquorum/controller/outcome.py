"""What a manager decides: the records to write, and the answer once they are committed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaquorum.base.value import value

if TYPE_CHECKING:
    from metaquorum.records.metadata_record import MetadataRecord


@value
class Outcome:
    """A plan. ``atomic``: the records must become one batch, so that all or none survive."""

    records: tuple[MetadataRecord, ...]
    reply: object = None
    atomic: bool = True
