"""The keys of Kafka's standard authoriser."""

from __future__ import annotations

import pytest

from metaquorum.config.access_settings import STANDARD_AUTHORISER, AccessSettings
from metaquorum.config.key import BadValue


def read(**texts: str) -> AccessSettings | None:
    keys = {key.replace("_", "."): value for key, value in texts.items()}
    return AccessSettings.read({"authorizer.class.name": STANDARD_AUTHORISER, **keys}.get)


def test_without_an_authorizer_there_are_no_settings() -> None:
    assert AccessSettings.read({"super.users": "User:a"}.get) is None
    assert read(authorizer_class_name="") is None


def test_super_users_are_split_at_semicolons_and_may_contain_commas() -> None:
    told = read(super_users=" User:CN=a,O=b ;User:c; ;Group:d")
    assert told == AccessSettings(frozenset({"User:CN=a,O=b", "User:c", "Group:d"}))


def test_everybody_is_refused_without_rules_unless_told_otherwise() -> None:
    assert read() == AccessSettings()
    assert read(allow_everyone_if_no_acl_found="True") == AccessSettings(allow_without_rules=True)


def test_unknown_authorizer_and_super_user_without_a_type_are_refused() -> None:
    with pytest.raises(BadValue, match=r"kafka\.security\.authorizer\.AclAuthorizer is not known"):
        read(authorizer_class_name="kafka.security.authorizer.AclAuthorizer")
    with pytest.raises(BadValue, match="User:alice would be one"):
        read(super_users="alice")
