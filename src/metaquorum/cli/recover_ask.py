"""Whether the quorum that is to be recovered lives: it is asked before anything is planned."""

from __future__ import annotations

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.config.listeners import HostPort
from metaquorum.recover.plan import Plan


def check_quorum_is_dead(
    plan: Plan, controllers: str | None, timeout_ms: int, command_config: str | None
) -> None:
    """OperatorError if a leader answers, at ``controllers`` or where the last voters listened."""
    from metaquorum.cli.target import parse_bootstrap, security_of
    from metaquorum.client.connection import ConnectionFailed
    from metaquorum.client.quorum_question import CONTROLLERS, QuorumQuestion

    places = (
        parse_bootstrap(controllers)
        if controllers is not None
        else tuple(
            HostPort(end.host, end.port) for one in plan.last_voters for end in one.endpoints
        )
    )
    if not places:
        return
    question = QuorumQuestion(
        places,
        CONTROLLERS,
        timeout_ms,
        "metaquorum-recover",
        max(1, timeout_ms // len(places)),
        security_of(command_config).open,
    )
    try:
        view = question.answer()
    except (OperatorError, PeerError, ConnectionFailed):
        return  # nobody leads, or nobody is there
    if view.cluster_id and view.cluster_id != plan.cluster_id:
        return
    raise OperatorError(
        f"the quorum lives: node {view.leader_id} leads epoch {view.leader_epoch}, and its high "
        f"watermark is {view.high_watermark}. Bring single nodes back as new voters (docs/how-to/"
        'change-the-voters.md). To plan all the same, say --although "the quorum lives"'
    )
