"""SCRAM credentials of users are set and removed; each user has a verdict of its own (KIP-554).

What comes is a salted password, never the password itself: the two keys that the log keeps are
derived here. A user that is named twice, in whatever way, is not changed at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import MAX_RECORDS_PER_BATCH
from metaquorum.controller.commands import AlterUserScramCredentials
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import Outcome
from metaquorum.metadata import versions
from metaquorum.metadata.scram_keys import (
    ITERATIONS_LEAST,
    ITERATIONS_MOST,
    SCRAM_MECHANISMS,
    ScramMechanism,
)
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.alter_user_scram_credentials_request import (
    AlterUserScramCredentialsRequest,
    ScramCredentialDeletion,
    ScramCredentialUpsertion,
)
from metaquorum.wire.generated.alter_user_scram_credentials_response import (
    AlterUserScramCredentialsResponse,
    AlterUserScramCredentialsResult,
)
from metaquorum.wire.generated.records.remove_user_scram_credential_record import (
    RemoveUserScramCredentialRecord,
)
from metaquorum.wire.generated.records.user_scram_credential_record import (
    UserScramCredentialRecord,
)

Change = ScramCredentialDeletion | ScramCredentialUpsertion

_SET: Final = 11
_REMOVE: Final = 22
_MECHANISMS: Final = {one.number: one for one in SCRAM_MECHANISMS}


def plan_alter(context: PlanContext, command: AlterUserScramCredentials) -> Outcome:
    """The records of all changes that can be made, and a row for every user.

    RequestError POLICY_VIOLATION for more changes than one request may have.
    """
    view = context.view
    request = command.request
    changes: list[Change] = [*request.deletions, *request.upsertions]
    if len(changes) > MAX_RECORDS_PER_BATCH:
        raise RequestError(
            error_codes.POLICY_VIOLATION,
            f"{len(changes)} changes, at most {MAX_RECORDS_PER_BATCH} at once",
        )
    records: dict[str, MetadataRecord] = {}
    rows: dict[str, AlterUserScramCredentialsResult] = {}
    for change in changes:
        known = rows.get(change.name)
        if known is not None and known.error_code != error_codes.NONE:
            continue  # what was wrong first is what the user is told
        try:
            if known is not None:
                del records[change.name]
                raise RequestError(
                    error_codes.DUPLICATE_RESOURCE,
                    f"user {change.name} stands in the request more than once",
                )
            records[change.name] = _record(view, change)
        except RequestError as refused:
            code, reason = refused.code, refused.reason
        else:
            code, reason = error_codes.NONE, None
        rows[change.name] = AlterUserScramCredentialsResult(change.name, code, reason)
    response = AlterUserScramCredentialsResponse(results=[*rows.values()])
    return Outcome(tuple(records.values()), response)


def divided(
    request: AlterUserScramCredentialsRequest, most: int
) -> list[AlterUserScramCredentialsRequest]:
    """The changes of ``most`` users at a time, for commands of their own.

    All changes of one user stay together, since they are refused for each other's sake.
    """
    by_user: dict[str, list[Change]] = {}
    changed: list[Change] = [*request.deletions, *request.upsertions]
    for change in changed:
        by_user.setdefault(change.name, []).append(change)
    users = list(by_user.values())
    parts = []
    for at in range(0, len(users), most):
        changes = [change for of_user in users[at : at + most] for change in of_user]
        deletions = [one for one in changes if isinstance(one, ScramCredentialDeletion)]
        upsertions = [one for one in changes if isinstance(one, ScramCredentialUpsertion)]
        parts.append(AlterUserScramCredentialsRequest(deletions, upsertions))
    return parts


def _record(view: StateView, change: Change) -> MetadataRecord:
    """The record of one change; RequestError says why there is none."""
    level = view.features.metadata_version
    if level < versions.SCRAM_FROM:
        raise RequestError(
            error_codes.UNSUPPORTED_VERSION,
            f"metadata.version {versions.level_name(level)} knows no SCRAM users, "
            f"{versions.level_name(versions.SCRAM_FROM)} does",
        )
    if not change.name:
        raise RequestError(error_codes.UNACCEPTABLE_CREDENTIAL, "a user needs a name")
    mechanism = _MECHANISMS.get(change.mechanism)
    if mechanism is None:
        raise RequestError(
            error_codes.UNSUPPORTED_SASL_MECHANISM, f"{change.mechanism} is no SCRAM mechanism"
        )
    if isinstance(change, ScramCredentialUpsertion):
        return _set(mechanism, change)
    if (change.name, change.mechanism) not in view.scram:
        raise RequestError(
            error_codes.RESOURCE_NOT_FOUND,
            f"user {change.name} has no credential for {mechanism.name}",
        )
    removal = RemoveUserScramCredentialRecord(change.name, change.mechanism)
    return MetadataRecord(_REMOVE, 0, removal)


def _set(mechanism: ScramMechanism, change: ScramCredentialUpsertion) -> MetadataRecord:
    for reason in _faults(change):
        raise RequestError(error_codes.UNACCEPTABLE_CREDENTIAL, reason)
    salted = bytes(change.salted_password)
    credential = UserScramCredentialRecord(
        name=change.name,
        mechanism=change.mechanism,
        salt=bytes(change.salt),
        stored_key=mechanism.stored_key(salted),
        server_key=mechanism.server_key(salted),
        iterations=change.iterations,
    )
    return MetadataRecord(_SET, 0, credential)


def _faults(change: ScramCredentialUpsertion) -> Iterator[str]:
    if change.iterations < ITERATIONS_LEAST:
        yield f"{change.iterations} iterations are too few, {ITERATIONS_LEAST} is the least"
    if change.iterations > ITERATIONS_MOST:
        yield f"{change.iterations} iterations are too many, {ITERATIONS_MOST} is the most"
    if not change.salted_password:
        yield "the salted password is empty"
