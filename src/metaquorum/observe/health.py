"""Health with reasons: named checks that say nothing when all is well, and why when it is not."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field, frozen

Check = Callable[[], str | None]


@frozen
class Finding:
    """One check and what it said: None for well."""

    name: str
    reason: str | None


@frozen
class Verdict:
    """All findings of one kind of health."""

    kind: str
    findings: tuple[Finding, ...]

    @property
    def is_well(self) -> bool:
        """Whether no check had anything to say."""
        return all(finding.reason is None for finding in self.findings)

    def text(self, *, verbose: bool) -> str:
        """A word for a machine; with ``verbose``, or when unwell, one line a check."""
        if self.is_well and not verbose:
            return "ok\n"
        lines = [
            f"[+] {finding.name} ok"
            if finding.reason is None
            else f"[-] {finding.name} failed: {finding.reason}"
            for finding in self.findings
        ]
        lines.append(f"{self.kind} check {'passed' if self.is_well else 'failed'}")
        return "\n".join(lines) + "\n"


@define
class Health:
    """The checks of a node.

    Alive: a restart would not help. Ready: clients may be sent here. What must hold for being
    alive is not repeated among the checks for being ready, both are asked for readiness.
    """

    _alive: dict[str, Check] = field(factory=dict, init=False)
    _ready: dict[str, Check] = field(factory=dict, init=False)

    def alive_when(self, name: str, check: Check) -> None:
        """Add a check of liveness; ``check`` returns the reason why not, or None."""
        self._put(self._alive, name, check)

    def ready_when(self, name: str, check: Check) -> None:
        """Add a check of readiness; ``check`` returns the reason why not, or None."""
        self._put(self._ready, name, check)

    def livez(self) -> Verdict:
        """Ask whether the node is alive."""
        return Verdict("livez", self._asked(self._alive))

    def readyz(self) -> Verdict:
        """Ask whether the node is alive and ready."""
        return Verdict("readyz", self._asked(self._alive) + self._asked(self._ready))

    def _put(self, checks: dict[str, Check], name: str, check: Check) -> None:
        if name in self._alive or name in self._ready:
            raise ValueError(f"there is a check named {name} already")
        checks[name] = check

    @staticmethod
    def _asked(checks: dict[str, Check]) -> tuple[Finding, ...]:
        return tuple(Finding(name, check()) for name, check in checks.items())
