"""From a frame to the parts of its answer: header, rows, decode, authorise, handler, encode.

Every stage is a small function; the only wait is a handler's ``Promise``. Four things can go wrong.
The peer broke the protocol (PeerError): its connection ends. The request cannot be served
(RequestError): the handler module's ``refusal`` puts the code where that API keeps it. The request
met a fault of ours (any other exception): it is refused with UNKNOWN_SERVER_ERROR, or its
connection ends where there is no answer for that, and the node goes on. Consensus, state or disk
are broken (InvariantViolated): the process ends. See docs/decisions/193.

As in Kafka, an unknown API key and a version outside the served range end the connection without
an answer; ApiVersions alone is answered, in version 0, so that a newer client can find out what we
speak (KIP-511).
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, TypeVar

from attrs import Factory, define, evolve, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated, PeerError, RequestError, UnexpectedError
from metaquorum.base.limits import (
    ADMIN_REQUEST_MS,
    MAX_REQUEST_ROWS,
    SMALL_REQUEST_BYTES,
)
from metaquorum.runtime.loop.promise import AnyPromise, Promise, resolved
from metaquorum.server.access.authorise import ALLOW_EVERYBODY, Authoriser, Right
from metaquorum.server.access.note_gate import NoteGate
from metaquorum.server.access.sasl_session import SaslSession
from metaquorum.server.contract.api import API_VERSIONS, FETCH
from metaquorum.server.contract.envelopes import Enveloped
from metaquorum.server.contract.last_request import NOT_SOUGHT, NotSought
from metaquorum.server.contract.request import ALL_RIGHTS, Again, Origin, Request, Rights
from metaquorum.server.contract.rights import AskersRights, Refusals, check_proven, check_right
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.steps import Encoded, InSteps, Steps, promise_of_steps
from metaquorum.server.pipeline.answer_frames import framed_in_few
from metaquorum.server.pipeline.encoded_answers import EncodedAnswers
from metaquorum.server.pipeline.envelopes import Deliver, asker_at, served_inside
from metaquorum.server.pipeline.failures import Failures
from metaquorum.server.pipeline.kept import kept_bytes
from metaquorum.server.pipeline.leader_text import reason_with_leader
from metaquorum.server.pipeline.reasons import shorten_reasons
from metaquorum.server.pipeline.route import Route
from metaquorum.server.pipeline.voter_requests import note_voter
from metaquorum.wire.errors import EncodeError
from metaquorum.wire.frames import frame as framed
from metaquorum.wire.generated.error_codes import NOT_CONTROLLER
from metaquorum.wire.headers import RequestHeader, put_response_header, read_request_header
from metaquorum.wire.message import AnyMessage, Message
from metaquorum.wire.primitives import Parts

if TYPE_CHECKING:  # a node without consumers does not load the codec
    from metaquorum.wire.generated.fetch_request import FetchRequest


IsGone = Callable[[], bool]
"""Whether the peer has hung up, which may not have been noticed."""

T = TypeVar("T")

Asked: TypeAlias = Request[AnyMessage]
"""A request of any API; a long one has ``InSteps`` for its message until that is decoded."""

Answer: TypeAlias = Message | Encoded | InSteps[Message | Encoded] | AnyPromise | None
"""What a handler returns: None where the request asks for no answer."""


class Work(Protocol):
    """Takes the steps of a long answer, in its own time."""

    def __call__(self, steps: Steps[T], is_gone: IsGone, /) -> Promise[T]:
        """A promise of what comes of them."""


def _unheard(line: str) -> None:
    """Nobody listens to lines about refusals and failures."""


def is_there() -> bool:
    """Of a peer that cannot hang up."""
    return False


def _is_of_replica(route: Route, request: Asked) -> bool:
    """Whether a fetch copies the log for the quorum's sake; no quota of clients speaks of those."""
    speaks: bool = route.handler.speaks_as_replica(request.message, request.version)
    return speaks


def at_once(steps: Steps[T], is_gone: IsGone) -> Promise[T]:
    """Take all steps where one stands: for who serves nobody else."""
    return promise_of_steps(steps)


_SERVED: Final = resolved(None)
"""What ``serve_again`` returns of an answer that was delivered in parts."""


@define(eq=False)
class Pipeline:
    """Serves the requests of all connections of a node."""

    services: Services
    authoriser: Authoriser = ALLOW_EVERYBODY
    refusals: Refusals = field(
        default=Factory(lambda self: Refusals(NoteGate(_unheard, self.services.clock)), True)
    )
    failures: Failures = field(
        default=Factory(lambda self: Failures(NoteGate(_unheard, self.services.clock)), True)
    )
    work: Work = at_once
    stopping: bool = False
    kept_bytes: int | None = None
    """What the request that was served last keeps in memory if it waits; None: all of it."""
    work_ns: Callable[[], int] = perf_counter_ns
    _routes: dict[int, Route] = field(factory=dict)
    _served: dict[str, int] = field(factory=dict)
    _encoded: EncodedAnswers = field(factory=EncodedAnswers)

    def serve(
        self,
        frame: bytes,
        origin: Origin,
        now: Millis,
        deliver: Deliver,
        is_gone: IsGone = is_there,
    ) -> AnyPromise | None:
        """Serve one request; ``deliver`` gets the parts of its answer, now or later.

        Returns what to cancel if nobody waits for the answer any more, None if it is delivered.
        Raises PeerError to close the connection instead, InvariantViolated to end the process.
        """
        try:
            if origin.sasl is not None and origin.sasl.takes_token:
                return self._take_token(origin.sasl, frame, now, deliver)
            if (again := origin.last_fetch.again(frame)) is None:
                asked = self._read(frame, origin, now, deliver)
            else:
                if origin.sasl is not None:
                    origin.sasl.admit(FETCH, now)
                served = self.serve_again(*again, origin, now, deliver)
                if isinstance(served, bytes):
                    deliver([served])
                    return None
                if served is not None:
                    return None if served.done else served
                asked = self._routes[FETCH], *again
        except (PeerError, InvariantViolated):
            raise
        except Exception as error:
            raise self._unreadable(frame, origin, error) from error
        if asked is None:
            return None
        route, header, message = asked
        name = route.api_row.name
        request: Asked = Request(header, message, origin, now, self._rights(origin, name))
        self._served[name] = self._served.get(name, 0) + 1
        began_ns = self.work_ns()
        parts: Parts | PeerError = []
        try:
            answer = self._answer(route, request)
            if isinstance(answer, InSteps):
                answer = self.work(answer.steps, is_gone)
            pause_ms = self._pause_ms(route, request, answer, self.work_ns() - began_ns)
            if not isinstance(answer, Promise):
                parts = self._known_parts(route, header, answer)
        except (PeerError, InvariantViolated):
            raise
        except Exception as error:
            answer, parts, pause_ms = None, self._failed(route, header, request, error), 0
        if isinstance(answer, Promise):
            if len(frame) > SMALL_REQUEST_BYTES and not answer.done:
                self.kept_bytes = kept_bytes(request)
            answer.then(lambda done: deliver(*self._encode(route, header, done, request)))
            return None if answer.done else answer
        deliver(parts, pause_ms)
        return None

    def _take_token(
        self, sasl: SaslSession, token: bytes, now: Millis, deliver: Deliver
    ) -> AnyPromise | None:
        """Answer a token of SASL that came without a header."""
        told = sasl.raw_token(token, now)
        if told is None:
            self.kept_bytes = None
            return Promise()  # never: the session's deadline closes the connection
        deliver(framed([told]))
        return None

    def _read(
        self, frame: bytes, origin: Origin, now: Millis, deliver: Deliver
    ) -> tuple[Route, RequestHeader, Message | InSteps[Message]] | None:
        """Who serves a request, its header and itself; None if its version was refused here."""
        known = origin.last_header.again(frame)
        header, at = known or read_request_header(frame)
        if origin.sasl is not None:
            origin.sasl.admit(header.api_key, now)
        route, version = self._route(header, origin), header.api_version
        if known is None:
            if version > route.api_row.highest or version < route.api_row.lowest:
                deliver(self._unsupported_version(route, header))
                return None
            origin.last_header.keep(frame, header, at)
        if len(frame) - at > MAX_REQUEST_ROWS:  # a row takes a byte at least
            message = route.decode_long(frame, version, at)
        else:
            message = route.requests.decode(frame, version, at)
        if header.api_key == FETCH:
            fetch: AnyMessage = message
            origin.last_fetch.keep(frame, at, header, fetch, route.requests)
        if header.unknown_tags:  # nobody reads them, and they may be long
            header = RequestHeader(header.api_key, version, header.correlation_id, header.client_id)
        return route, header, message

    def serve_again(
        self,
        header: RequestHeader,
        message: FetchRequest,
        origin: Origin,
        now: Millis,
        deliver: Deliver,
    ) -> bytes | AnyPromise | None:
        """Serve a fetch whose like was served before in fewer steps (``LastFetch``).

        Returns the whole answer where it is one piece of memory, or a promise: it is kept already
        where ``deliver`` got the parts. None, and nothing is done, where there is no shorter way,
        and where the client has quotas that count.
        """
        last, name = origin.last_fetch, header.client_id or ""
        if last.way is None or self.stopping:
            return None
        request = Request(header, message, origin, now, self._rights(origin, "Fetch"))
        route = self._routes[FETCH]
        parts: Parts | PeerError = []
        try:
            way: Again | NotSought | None = last.way
            if way is NOT_SOUGHT:
                sought: Again | None = route.handler.again(request, self.services)
                last.way = way = sought
                last.has_quotas = not _is_of_replica(route, request)
            if last.has_quotas and self.services.client_quotas.limit_requests(
                origin.principal, name
            ):
                return None
            answer = None if way is None else way(request)
            if answer is None:
                return None
            if not isinstance(answer, Promise):
                parts = self._known_parts(route, header, answer)
        except (PeerError, InvariantViolated):
            raise
        except Exception as error:
            answer, parts = None, self._failed(route, header, request, error)
        self._served[route.api_row.name] += 1
        if isinstance(answer, Promise):
            answer.then(lambda done: deliver(*self._encode(route, header, done, request)))
            return answer
        if isinstance(parts, list) and len(parts) == 1 and isinstance(parts[0], bytes):
            return parts[0]
        deliver(parts)
        return _SERVED

    def takes_together(self, api_key: int, origin: Origin) -> bool:
        """Whether requests of that API need not wait for each other's answers.

        What is forwarded does: nobody knows in which order it would arrive.
        """
        api_row = origin.listener.api_rows.get(api_key)
        if api_row is None or not api_row.together or self.stopping:
            return False
        if origin.sasl is not None and origin.sasl.takes_token:
            return False
        return self.services.is_active or not origin.listener.is_for_clients

    def served(self, name: str) -> int:
        """Requests of one API that reached its handler."""
        return self._served.get(name, 0)

    def statistics(self) -> dict[str, int]:
        """Requests served, by API name."""
        return dict(self._served)

    def _route(self, header: RequestHeader, origin: Origin) -> Route:
        key, version = header.api_key, header.api_version
        api_row = origin.listener.api_rows.get(key)
        if api_row is None:
            raise PeerError(f"api key {key} is not served on listener {origin.listener.name}")
        if not api_row.lowest <= version <= api_row.highest and key != API_VERSIONS:
            raise PeerError(
                f"{api_row.name} version {version} is not served, "
                f"only {api_row.lowest} to {api_row.highest}"
            )
        route = self._routes.get(key)
        if route is None:
            route = Route(
                api_row, api_row.handler(), api_row.request_codec(), api_row.response_codec()
            )
            self._routes[key] = route
        return route

    def forget_answers(self) -> None:
        """The log is about to be cut, so answers with its records are no longer right."""
        self._encoded.forget()

    def _rights(self, origin: Origin, api: str) -> Rights:
        if not self.authoriser.is_on:
            return ALL_RIGHTS
        return AskersRights(self.authoriser, origin, api, self.refusals)

    def _answer(self, route: Route, request: Asked) -> Answer:
        if type(request.message) is InSteps:
            return InSteps(self._long(route, request, request.message))
        try:
            if request.rights is not ALL_RIGHTS:
                check_right(request, route.api_row.right)
            if route.api_row.of_proven:
                check_proven(request.origin)
            if self.stopping and route.api_row.stopping is not None:
                raise RequestError(route.api_row.stopping, "this node is stopping")
            if route.api_row.forwards and request.origin.listener.is_for_clients:
                return self._ask_leader(route, request)
            answer: Answer | Enveloped = route.handler.handle(request, self.services)
            if isinstance(answer, Enveloped):
                return served_inside(self, answer, request)
            return answer
        except RequestError as error:
            return self._refusal(route, request, error)

    def _long(
        self, route: Route, request: Asked, message: InSteps[Message]
    ) -> Steps[AnyMessage | Encoded]:
        """The answer to a request that is still to be decoded."""
        request.message = yield from message.steps
        answer = self._answer(route, request)
        if isinstance(answer, InSteps):
            answer = yield from answer.steps
        elif isinstance(answer, Promise):
            yield answer
            answer = answer.result()
        return answer

    def _refusal(self, route: Route, request: Asked, error: RequestError) -> Message:
        if isinstance(error, UnexpectedError):
            self.failures.add(error, route.api_row.name, request.version, request.origin)
        if error.code == NOT_CONTROLLER:
            request.origin.outcome.must_ask_elsewhere = True
        reason = reason_with_leader(error, self.services, request.origin.listener.name)
        answer: Message = route.handler.refusal(request, error.code, reason)
        if route.api_row.key == FETCH:
            route.handler.put_leader_hints(answer, request, self.services)
        return answer

    def _failed(
        self, route: Route, header: RequestHeader, request: Asked, error: Exception
    ) -> Parts | PeerError:
        """The parts of the refusal of a request that met ``error``, or why there are none."""
        known = error if isinstance(error, RequestError) else UnexpectedError(error)
        try:
            return self._known_parts(route, header, self._refusal(route, request, known))
        except PeerError as refused:
            return refused
        except InvariantViolated:
            raise
        except Exception as again:
            self.failures.add(again, route.api_row.name, request.version, request.origin)
            return PeerError("a request that could not be answered")

    def _unreadable(self, frame: bytes, origin: Origin, error: Exception) -> PeerError:
        """Of a request that met ``error`` before it was known who is to serve it."""
        key = int.from_bytes(frame[:2], "big")
        api_row = origin.listener.api_rows.get(key)
        name = f"api key {key}" if api_row is None else api_row.name
        self.failures.add(error, name, int.from_bytes(frame[2:4], "big", signed=True), origin)
        return PeerError(f"a request that could not be served: {type(error).__name__}")

    def _ask_leader(self, route: Route, request: Asked) -> Answer:
        """The leader's answer: this node's own if it is the active controller."""
        services = self.services
        if services.is_active:
            own: Answer = route.handler.handle(request, services)
            return own

        client = asker_at(request.origin) if route.api_row.is_enveloped else None

        def ask(message: Message) -> Promise[AnyMessage]:
            return services.forward(
                route.api_row.key,
                request.version,
                message,
                client_id=request.header.client_id,
                deadline_ms=request.received_at_ms + ADMIN_REQUEST_MS,
                here=lambda: self._here(route, evolve(request, message=message)),
                client=client,
            )

        if route.api_row.in_parts:
            in_parts: Answer = route.handler.asked(request, ask)
            return in_parts
        return ask(request.message)

    def _here(self, route: Route, request: Asked) -> Message | AnyPromise:
        """The answer of this node, which has come to lead meanwhile."""
        answer = route.handler.handle(request, self.services)
        return self.work(answer.steps, is_there) if isinstance(answer, InSteps) else answer

    def _encode(
        self, route: Route, header: RequestHeader, done: Promise[AnyMessage], request: Asked
    ) -> tuple[Parts | PeerError, Millis]:
        """What came late; the code that completed it has more to do, so nothing is raised here."""
        try:
            try:
                answer = done.result()
            except RequestError as error:
                answer = self._refusal(route, request, error)
            pause_ms: Millis = getattr(answer, "throttle_time_ms", 0)
            return self._known_parts(route, header, answer), pause_ms
        except InvariantViolated:
            raise
        except PeerError as error:
            return error, 0
        except Exception as error:
            return self._failed(route, header, request, error), 0

    def _known_parts(self, route: Route, header: RequestHeader, answer: AnyMessage) -> Parts:
        """The parts of an answer; to a fetch those of one like it that was made of late."""
        version = header.api_version
        if route.api_row.key != FETCH:
            return self._parts(route, header, version, answer)
        if isinstance(answer, Encoded):  # short, and for one asker
            return [b"".join(self._parts(route, header, version, answer))]  # type: ignore[arg-type]
        parts = self._encoded.find(answer, version, header.correlation_id)
        if parts is None:
            parts = self._parts(route, header, version, answer)
            parts = self._encoded.keep(answer, version, parts)
        return parts

    def _pause_ms(self, route: Route, request: Asked, answer: AnyMessage, took_ns: int) -> Millis:
        """For how long the client is to pause, which its answer says if it can."""
        told: Millis = getattr(answer, "throttle_time_ms", 0)
        api_row = route.api_row
        if api_row.right is Right.CLUSTER_ACTION or (
            api_row.key == FETCH and _is_of_replica(route, request)
        ):
            note_voter(request, self.services)
            return told
        name = request.header.client_id or ""
        pause_ms = self.services.client_quotas.take_time(
            request.origin.principal, name, took_ns, request.received_at_ms
        )
        if pause_ms > told and hasattr(answer, "throttle_time_ms"):
            answer.throttle_time_ms = pause_ms
        return max(pause_ms, told)

    def _parts(
        self, route: Route, header: RequestHeader, version: int, answer: AnyMessage | Encoded | None
    ) -> Parts:
        if answer is None:  # a request that asked for no answer
            return []
        parts: Parts = []
        put_response_header(parts, header.api_key, version, header.correlation_id)
        if isinstance(answer, Encoded):
            return framed([*parts, *answer.body])
        head = len(parts)
        try:
            route.responses.put(parts, answer, version)
        except EncodeError:
            if not shorten_reasons(answer):
                raise
            del parts[head:]
            route.responses.put(parts, answer, version)
        return framed_in_few(parts)

    def _unsupported_version(self, route: Route, header: RequestHeader) -> Parts:
        answer = route.handler.unsupported_version(route.api_row)
        return self._parts(route, header, 0, answer)
