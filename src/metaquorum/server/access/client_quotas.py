"""What clients may take, as the cluster's quotas say: bytes a second of fetches, time of the loop.

Behaviour (KIP-13, KIP-124, KIP-219, KIP-546)
- Of all quotas that name a client the most particular counts: user and client id before user before
  client id, a name before the default. Clients that share what is named share the quota.
- ``consumer_byte_rate`` is compared with what fetches brought over the last ten seconds. A fetch
  that would exceed it is answered empty, and its bytes are not counted; one that is alone in the
  window is served whatever its size, or a large batch could never be read.
- ``request_percentage`` is compared with the share of the loop's time; its pause is at most a
  second.
- ``connection_creation_rate`` of an address is compared with the connections that came from it
  over the last ten seconds. One beyond it is not served: it is closed once the rate is kept again.
- ``controller_mutation_rate`` binds who creates and deletes partitions, by a token bucket
  (``controller/mutation_quota.py``, KIP-599). On the active controller it counts for the client
  that a broker's envelope names.
- The answer says how long to pause and leaves at once; then the connection is served nothing
  for so long.

Each node counts for itself, as Kafka's do. Replicas are bound by neither.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.limits import MAX_QUOTA_RATES
from metaquorum.controller.mutation_quota import MutationQuota, TokenBucket
from metaquorum.metadata.tables.quotas import QuotaEntity
from metaquorum.server.access.rates import WINDOW_MS, WINDOWS, Rate

CONSUMER_BYTES: Final = "consumer_byte_rate"
REQUEST_TIME: Final = "request_percentage"
CONNECTIONS: Final = "connection_creation_rate"
MUTATIONS: Final = "controller_mutation_rate"
LONGEST_TIME_PAUSE_MS: Final[Millis] = WINDOW_MS
LONGEST_BYTES_PAUSE_MS: Final[Millis] = (1 << 31) - 1  # what an answer can say, 25 days
KNOWN_CLIENTS: Final = 1_024
"""Of so many it is remembered by what entities they are named; a client names itself."""
_NS_A_PERCENT: Final = 10_000_000  # of a second

QuotasOf = Callable[[QuotaEntity], Mapping[str, float] | None]
"""The quotas of one entity, None where it has none."""

_Group = tuple[str, str]


@define(eq=False)
class ClientQuotas:
    """Looks quotas up in the committed state, and counts what their clients took.

    ``committed`` gives what looks them up now. ``moment`` is equal as long as the committed state
    is the same; without it quotas are looked up anew for every request.
    """

    committed: Callable[[], QuotasOf]
    moment: Callable[[], object] | None = None
    pauses: int = 0
    paused_ms: int = 0
    _rates: dict[tuple[str, _Group], Rate] = field(factory=dict)
    _buckets: dict[_Group, TokenBucket] = field(factory=dict)
    _known: dict[tuple[str, str, str], tuple[float, _Group] | None] = field(factory=dict)
    _limited: dict[tuple[str, str], bool] = field(factory=dict)
    _known_at: object = None

    def most_bytes(self, principal: str, client_id: str) -> int | None:
        """What one fetch may bring at most, ten seconds' worth; None without a quota."""
        found = self._found(CONSUMER_BYTES, principal, client_id)
        return None if found is None else int(found[0] * (WINDOWS - 1))

    def take_bytes(self, principal: str, client_id: str, size: int, now: Millis) -> Millis:
        """For how long to pause in place of being sent so much; 0: it may be sent, and counts."""
        found = self._found(CONSUMER_BYTES, principal, client_id)
        if found is None or not size:
            return 0
        bound, group = found
        rate = self._rate(CONSUMER_BYTES, group)
        before = rate.a_second(now)
        rate.record(size, now)
        pause_ms = min(rate.excess_ms(bound, now), LONGEST_BYTES_PAUSE_MS) if before else 0
        if pause_ms:
            rate.record(-size, now)
            self.paused(pause_ms)
        return pause_ms

    def limit_requests(self, principal: str, client_id: str) -> bool:
        """Whether anything counts that this client's requests take."""
        self._forget_old()
        asked = (principal, client_id)
        limited = self._limited.get(asked)
        if limited is None:
            limited = any(
                self._found(key, principal, client_id) for key in (REQUEST_TIME, CONSUMER_BYTES)
            )
            if self.moment is not None:
                self._limited[asked] = limited
        return limited

    def take_time(self, principal: str, client_id: str, time_ns: int, now: Millis) -> Millis:
        """For how long to pause after a request that took so long."""
        found = self._found(REQUEST_TIME, principal, client_id)
        if found is None:
            return 0
        bound, group = found
        rate = self._rate(REQUEST_TIME, group)
        rate.record(time_ns / _NS_A_PERCENT, now)
        pause_ms = min(rate.excess_ms(bound, now), LONGEST_TIME_PAUSE_MS)
        if pause_ms:
            self.paused(pause_ms)
        return pause_ms

    def mutations(self, principal: str, client_id: str, *, is_strict: bool) -> MutationQuota | None:
        """What binds a request of this client that creates or deletes partitions, if anything."""
        found = self._found(MUTATIONS, principal, client_id)
        if found is None:
            return None
        rate, group = found
        bucket = self._buckets.get(group)
        if bucket is None:
            if len(self._buckets) >= MAX_QUOTA_RATES:  # clients name themselves
                del self._buckets[next(iter(self._buckets))]
            bucket = self._buckets[group] = TokenBucket()
        return MutationQuota(bucket, rate, is_strict)

    def take_connection(self, address: str, now: Millis) -> Millis:
        """For how long a new connection of an address is to be held back; 0: it counts (KIP-612).

        The address's own quota counts before that of all addresses; each is counted for itself.
        """
        bound = self._found_of_address(address)
        if bound is None:
            return 0
        rate = self._rate(CONNECTIONS, (address, ""))
        rate.record(1, now)
        pause_ms = rate.excess_ms(bound, now)
        if pause_ms:
            rate.record(-1, now)
        return pause_ms

    def _found_of_address(self, address: str) -> float | None:
        quotas_of = self.committed()
        for name in (address, None):
            values = quotas_of((("ip", name),))
            if values is not None and CONNECTIONS in values:
                return values[CONNECTIONS]
        return None

    def paused(self, pause_ms: Millis) -> None:
        """Count that a client was told to pause."""
        self.pauses += 1
        self.paused_ms += pause_ms

    def _found(self, key: str, principal: str, client_id: str) -> tuple[float, _Group] | None:
        if self.moment is None:
            return self._looked_up(key, principal, client_id)
        self._forget_old()
        asked = (key, principal, client_id)
        try:
            return self._known[asked]
        except KeyError:
            found = self._known[asked] = self._looked_up(key, principal, client_id)
            return found

    def _forget_old(self) -> None:
        """Nothing is known of another moment than this one, nor of too many clients."""
        if self.moment is None:
            return
        if (moment := self.moment()) != self._known_at or len(self._known) >= MAX_QUOTA_RATES:
            self._known.clear()
            self._limited.clear()
            self._known_at = moment

    def _looked_up(self, key: str, principal: str, client_id: str) -> tuple[float, _Group] | None:
        quotas_of = self.committed()
        for entity, group in _candidates(principal.removeprefix("User:"), client_id):
            values = quotas_of(entity)
            if values is not None and key in values:
                return values[key], group
        return None

    def _rate(self, key: str, group: _Group) -> Rate:
        rate = self._rates.get((key, group))
        if rate is None:
            if len(self._rates) >= MAX_QUOTA_RATES:  # clients name themselves
                del self._rates[next(iter(self._rates))]
            rate = self._rates[key, group] = Rate()
        return rate


@lru_cache(KNOWN_CLIENTS)
def _candidates(user: str, client_id: str) -> tuple[tuple[QuotaEntity, _Group], ...]:
    """Every entity that a client belongs to, the most particular first, and who shares it."""
    by_user, by_client, both = (user, ""), ("", client_id), (user, client_id)
    return (
        ((("client-id", client_id), ("user", user)), both),
        ((("client-id", None), ("user", user)), both),
        ((("user", user),), by_user),
        ((("client-id", client_id), ("user", None)), both),
        ((("client-id", None), ("user", None)), both),
        ((("user", None),), by_user),
        ((("client-id", client_id),), by_client),
        ((("client-id", None),), by_client),
    )
