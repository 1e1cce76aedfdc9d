"""What Spark says when a job fails, in a sentence."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Final

from metaquorum.base.errors import OperatorError

# The last line of a traceback in a worker, if it is an error of ours.
_OURS: Final = re.compile(r"^[\w.]*metaquorum[\w.]*: (.+)$", re.MULTILINE)

# How every error begins that comes out of the JVM.
_CALLED: Final = re.compile(r"^An error occurred while calling \S+\n: ")


@contextlib.contextmanager
def as_operator_error(what: str) -> Iterator[None]:
    """Raises OperatorError, with what was tried, for a job of Spark's that failed."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise OperatorError(f"{what}: {sentence(str(error))}") from None


def sentence(text: str) -> str:
    """Our own error within what Spark tells, or else the first line of it that tells something."""
    ours = _OURS.findall(text.replace("\r", ""))
    if ours:
        return str(ours[-1]).strip()
    return _CALLED.sub("", text.strip()).partition("\n")[0]
