"""A context that follows its files: a new certificate is used from the next handshake on."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable, Iterable
from typing import Final

from attrs import define, field

from metaquorum.base.clock import Clock, Millis
from metaquorum.config.key import BadValue
from metaquorum.config.tls_settings import TlsSettings

LOOK_MS: Final[Millis] = 1_000  # a file is looked at once a second at most
Stamps = tuple[tuple[int, int, int] | None, ...]


@define(eq=False)
class ReloadedContext:
    """Made at once, so that BadValue comes at the start; ``note`` gets what came later.

    Files that cannot be used leave the old context in force, which is logged once.
    """

    settings: TlsSettings
    make: Callable[[TlsSettings], ssl.SSLContext]
    clock: Clock
    note: Callable[[str], None]
    reloads: int = 0
    _context: ssl.SSLContext = field(init=False, repr=False)
    _stamp: Stamps = field(init=False)
    _looked_ms: Millis = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._stamp, self._looked_ms = self._found(), self.clock.now_ms()
        self._context = self.make(self.settings)

    def current(self) -> ssl.SSLContext:
        """For the next handshake."""
        now = self.clock.now_ms()
        if now - self._looked_ms >= LOOK_MS:
            self._looked_ms = now
            stamp = self._found()
            if stamp != self._stamp:
                self._stamp = stamp
                self._reload()
        return self._context

    def _reload(self) -> None:
        try:
            self._context = self.make(self.settings)
        except BadValue as why:
            self.note(f"the certificates in use stay in use, as the new ones cannot be: {why}")
            return
        self.reloads += 1
        self.note(f"certificates were read anew from {', '.join(self.settings.files)}")

    def _found(self) -> Stamps:
        return stamps(self.settings.files)


def stamps(paths: Iterable[str]) -> Stamps:
    """What another content of these files is noticed by."""
    return tuple(map(_stamp, paths))


def _stamp(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
