"""Values: classes whose instances never change once they are made.

To the type checker ``value`` is ``attrs.frozen``, so an assignment to a field is an error of
``make check``. At run time nobody guards against it: attrs sets each field of a frozen instance
through a function, which makes it twice as dear as any other, and the cores make a dozen values a
step. See docs/decisions/150.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attrs import frozen as value
else:
    from functools import partial

    from attrs import define

    value = partial(define, unsafe_hash=True)

__all__ = ["value"]
