"""A cluster for the length of a ``with``: formatted and started, and nothing left running."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Started(ABC):
    """What is formatted and started on the way in, and killed on the way out."""

    __slots__ = ()

    @abstractmethod
    def format(self) -> None:
        """Prepare every node's directory."""

    @abstractmethod
    def start(self) -> None:
        """Start every node, and wait until the cluster is of use."""

    @abstractmethod
    def kill(self) -> None:
        """Kill whatever still runs."""

    def __enter__(self) -> Self:
        try:
            self.format()
            self.start()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
