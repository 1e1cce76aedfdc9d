"""Kafka's standard authoriser over the state: super users, rules, what holds without them."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.config.access_settings import STANDARD_AUTHORISER, AccessSettings
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.server.access.authorise import (
    ALLOW_EVERYBODY,
    StandardAuthoriser,
    authoriser_of,
    host_text,
)
from metaquorum.testing.fake_services import plain_config
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.records.access_control_entry_record import (
    AccessControlEntryRecord,
)
from metaquorum.wire.generated.records.remove_access_control_entry_record import (
    RemoveAccessControlEntryRecord,
)


class Rules:
    """A state whose committed rules a test adds and removes."""

    def __init__(self, **settings: object) -> None:
        self.state = MetadataState()
        self.loaded = True
        self.authoriser = StandardAuthoriser(
            AccessSettings(**settings),  # type: ignore[arg-type]
            self.committed,
            lambda: self.loaded,
        )

    def committed(self) -> StateView:
        return self.state.committed()

    def add(self, number: int, name: str = "t", permission: int = 3, *, commit: bool = True):
        record = AccessControlEntryRecord(
            number.to_bytes(16, "big"), 2, name, 3, "User:a", "*", 3, permission
        )
        self.write(MetadataRecord(18, 0, record), commit)

    def remove(self, number: int) -> None:
        record = RemoveAccessControlEntryRecord(number.to_bytes(16, "big"))
        self.write(MetadataRecord(19, 0, record), True)

    def write(self, record: MetadataRecord, commit: bool) -> None:
        self.state.replay(record, self.state.end_offset, 1, 0)
        self.state.close_batch()
        if commit:
            self.state.commit(self.state.end_offset)

    def allows(self, name: str = "t", principal: str = "User:a") -> bool:
        return self.authoriser.allows(
            principal, "10.0.0.1", Operation.READ, ResourceType.TOPIC, name
        )


def test_a_super_user_may_do_everything_whatever_the_rules_say() -> None:
    rules = Rules(super_users=frozenset({"User:a"}))
    rules.add(1, permission=2)
    assert rules.allows()


def test_without_a_rule_for_the_resource_the_setting_decides() -> None:
    assert not Rules().allows()
    assert Rules(allow_without_rules=True).allows()
    rules = Rules(allow_without_rules=True)
    rules.add(1)
    assert not rules.allows(principal="User:b")
    assert rules.allows("other", "User:b")


def test_rules_count_from_their_commit_to_that_of_their_removal() -> None:
    rules = Rules()
    rules.add(1, commit=False)
    assert not rules.allows()
    rules.state.commit(rules.state.end_offset)
    assert rules.allows()
    rules.remove(1)
    assert not rules.allows()


def test_what_was_taken_back_never_counts() -> None:
    rules = Rules()
    rules.add(1, "one")
    rules.add(2, "two", commit=False)
    assert (rules.allows("one"), rules.allows("two")) == (True, False)
    rules.state.revert_to_stable()
    rules.add(3, "three")
    assert [rules.allows(name) for name in ("one", "two", "three")] == [True, False, True]


def test_a_state_from_a_snapshot_replaces_all_rules() -> None:
    rules = Rules()
    rules.add(1)
    assert rules.allows()
    rules.state = MetadataState()
    assert not rules.allows()
    rules.add(1, "other")
    assert (rules.allows("t"), rules.allows("other")) == (False, True)


def test_until_acls_load_all_but_super_users_get_a_retriable_error() -> None:
    rules = Rules(super_users=frozenset({"User:root"}), allow_without_rules=True)
    rules.loaded = False
    assert rules.allows(principal="User:root")
    with pytest.raises(RequestError) as refused:
        rules.allows()
    assert refused.value.code in error_codes.RETRIABLE
    rules.loaded = True
    assert rules.allows()
    rules.loaded = False  # later changes come in order: who was loaded stays so
    assert rules.allows()


def test_an_address_is_told_as_java_tells_it() -> None:
    told = [host_text(one) for one in ("10.0.0.1", "::1", "fe80::a:1%eth0", "2001:db8::")]
    assert told == [
        "10.0.0.1",
        "0:0:0:0:0:0:0:1",
        "fe80:0:0:0:0:0:a:1%eth0",
        "2001:db8:0:0:0:0:0:0",
    ]


def test_the_operator_chooses_the_authoriser() -> None:
    def made(**keys: str) -> object:
        state = MetadataState()
        return authoriser_of(plain_config(**keys), state.committed, lambda: True)

    assert made() is ALLOW_EVERYBODY
    standard = made(authorizer_class_name=STANDARD_AUTHORISER, super_users="User:root")
    assert isinstance(standard, StandardAuthoriser)
    assert standard.settings.super_users == {"User:root"}
