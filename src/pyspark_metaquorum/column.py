"""One field of many records as an array, and what Arrow makes of it."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import Any, Final

import numpy as np
import pyarrow as pa
from attrs import frozen

from metaquorum.base.errors import OperatorError
from pyspark_metaquorum.columns import arrow_type
from pyspark_metaquorum.record_type import Part

_UUID_BYTES: Final = 16
_UUID_CHARS: Final = 22
_MOST_VALUES: Final = (1 << 31) - 1  # of a list's or a text's column, whose places are 32 bits


@frozen(eq=False)
class Column:
    """The values of a field one after the other, record by record.

    ``counts`` is there for lists, and for texts, whose values are bytes: how many of the values
    each record has. ``absent`` marks the records where the field is null, which have none.
    """

    values: Any
    counts: Any = None
    absent: Any = None

    def array(self, part: Part, rows: Any, count: int) -> Any:
        """An Arrow array of ``count`` fields; what is not at ``rows`` (rising) means nothing."""
        type = arrow_type(part)
        absent = None if self.absent is None else _spread(self.absent, rows, count)
        if part.many:
            ends = pa.array(_ends(self.counts, rows, count))
            mask = None if absent is None else pa.array(absent)
            elements = _elements(self.values, part.element, type.value_type)
            return pa.ListArray.from_arrays(ends, elements, type=type, mask=mask)
        if part.element == "uuid":
            return _texts(uuid_texts(self.values), _ends(_UUID_CHARS, rows, count), type)
        if self.counts is not None:
            return _texts(self.values, _ends(self.counts, rows, count), type, absent)
        return pa.array(_spread(self.values, rows, count), type)


def uuid_texts(values: Any) -> Any:
    """The text of each uuid, all in a row; each distinct one is made once."""
    kind = pa.binary(_UUID_BYTES)
    found = pa.FixedSizeBinaryArray.from_buffers(kind, len(values), [None, pa.py_buffer(values)])
    found = found.dictionary_encode()
    distinct: Any = np.zeros((len(found.dictionary), 18), np.uint8)  # 24 characters, 22 count
    raw: Any = np.frombuffer(found.dictionary.buffers()[1], np.uint8)
    distinct[:, :_UUID_BYTES] = raw.reshape(-1, _UUID_BYTES)
    texts: Any = np.frombuffer(urlsafe_b64encode(distinct), np.uint8).reshape(-1, 24)
    texts = np.ascontiguousarray(texts[:, :_UUID_CHARS]).view(f"V{_UUID_CHARS}")[:, 0]
    return texts[found.indices.to_numpy()].view(np.uint8)


def _elements(values: Any, element: str, type: Any) -> Any:
    if element != "uuid":
        return pa.array(values, type)
    every: Any = np.arange(len(values))
    return _texts(uuid_texts(values), _ends(_UUID_CHARS, every, len(values)), type)


def _texts(values: Any, ends: Any, type: Any, absent: Any = None) -> Any:
    valid = None if absent is None else pa.array(~absent).buffers()[1]
    buffers = [valid, pa.py_buffer(ends), pa.py_buffer(values)]
    return pa.Array.from_buffers(type, len(ends) - 1, buffers)


def _ends(counts: Any, rows: Any, count: int) -> Any:
    """Where each row's values begin, and where the last one's end.

    Raises OperatorError where Arrow has no number for it.
    """
    ends: Any = np.zeros(count + 1, np.int64)
    ends[1:][rows] = counts
    np.cumsum(ends, out=ends)
    if ends[-1] > _MOST_VALUES:
        raise OperatorError(
            f"{ends[-1]} values in one Arrow batch are too many: lower rowsPerBatch"
        )
    return ends.astype(np.int32)


def _spread(values: Any, rows: Any, count: int) -> Any:
    if len(values) == count:
        return values
    found: Any = np.zeros(count, values.dtype)
    found[rows] = values
    return found
