"""``--add-scram``: records and refusals; expectations were printed by Kafka 4.4.0's own tool."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.cli.scram_argument import SALT_BITS, parse_scram, salt_of
from metaquorum.wire.generated.records.user_scram_credential_record import (
    UserScramCredentialRecord,
)

A = "SCRAM-SHA-256="


def parsed(argument: str) -> UserScramCredentialRecord:
    return parse_scram(argument, lambda: b"drawn")


@pytest.mark.parametrize(
    ("argument", "name", "mechanism", "salt", "stored_key", "iterations"),
    [
        (
            'SCRAM-SHA-512=[name=alice,iterations=8192,salt="N3E=",saltedpassword="YCE="]',
            *("alice", 2, "3771"),
            "7176a349f91eb2e11d99e95730813516f2f64573dfc25ae618acaae9a8bfd66c"
            "ba1a74019002d38837e3f1bcac880015b32b23775e71a56dac1226a9a4b3b1bd",
            8192,
        ),
        (
            A + "[name=alice,salt=MWx2NHBkbnc0ZndxN25vdGN4bTB5eTFrN3E=,password=secret,"
            "iterations=5000]",
            *("alice", 1, "316c763470646e7734667771376e6f7463786d307979316b3771"),
            "8ff49736d3bebd47592a5d1a18fa96d26345703bedd381a4f9c9c2e53ad714ed",
            5000,
        ),
        (
            "SCRAM-SHA-512=[name=b,password=p\u00e4\U0001f600,salt=]",
            *("b", 2, ""),
            "101484a8892cf85a5fbc763257289436dcdaee89d8f5fb19106c6a31e80275e0"
            "734a45f12858a28557985b59710cd2977f8e3f358775dbaaced1bdb794849a91",
            4096,
        ),
        (
            A + '[name=,salt=N3E=,password=a=b"]',
            *("", 1, "3771"),
            "25fc8d3974b2942cd7b21043305b4126d8c0fcae13f0d9c13a4f778cbc613c99",
            4096,
        ),
    ],
)
def test_a_credential_is_the_one_that_kafkas_tool_makes(
    argument: str, name: str, mechanism: int, salt: str, stored_key: str, iterations: int
) -> None:
    record = parsed(argument)
    assert (record.name, record.mechanism, record.iterations) == (name, mechanism, iterations)
    assert bytes(record.salt).hex() == salt
    assert bytes(record.stored_key).hex() == stored_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[name=a,password=x,saltedpassword=YCE=]", "[name=a,password=x]"),
        ('[name="a",password="x"]', "[name=a,password=x]"),
        ('[name=a,password="]', '[name=a,password="""]'),
        ("[name=a,password=x,]", "[name=a,password=x]"),
        ("[name=b,password=x,name=a]", "[name=a,password=x]"),
        ("[name=a,password=x] \n", "[name=a,password=x]"),
        ("[name=a,password=x,iterations=+4096]", "[name=a,password=x]"),
        ("[name=a,password=x,salt=N3F=]", "[name=a,password=x,salt=N3E]"),
    ],
)
def test_forms_that_mean_the_same(one: str, other: str) -> None:
    left, right = parsed(A + one), parsed(" " + A + other)
    assert (left.name, left.salt, left.stored_key) == (right.name, right.salt, right.stored_key)


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("SCRAM-SHA-256", "Failed to find equals sign in SCRAM argument 'SCRAM-SHA-256'"),
        ("", "Failed to find equals sign in SCRAM argument ''"),
        ("SCRAM-SHA-1=[name=a]", "The add-scram mechanism SCRAM-SHA-1 is not supported."),
        ("SCRAM-SHA-256 =[]", "The add-scram mechanism SCRAM-SHA-256  is not supported."),
        (A, "Expected configuration string to start with ["),
        (A + " []", "Expected configuration string to start with ["),
        (A + "[", "Expected configuration string to end with ]"),
        (A + "[name=a]x", "Expected configuration string to end with ]"),
        (A + "[]", "No equals sign found in SCRAM component: "),
        (A + "[,name=a]", "No equals sign found in SCRAM component: "),
        (A + "[name,password=x]", "No equals sign found in SCRAM component: name"),
        (A + "[name=a,secret]", "No equals sign found in SCRAM component 2"),
        ("secret=[name=a]", "The add-scram mechanism is not supported."),
        ("secret", "Failed to find equals sign in SCRAM argument"),
        (A + "[,,]", "You must supply 'name' to add-scram"),
        (A + "[ name=a,password=x]", "You must supply 'name' to add-scram"),
        (A + "[iterations=x,salt=*]", "You must supply 'name' to add-scram"),
        (
            A + "[name=a,iterations=1]",
            "You must supply one of 'password' or 'saltedpassword' to add-scram",
        ),
        (
            A + "[name=a,iterations=1,saltedpassword=*]",
            "You must supply 'salt' with 'saltedpassword' to add-scram",
        ),
        (A + "[name=a,salt=*,saltedpassword=*]", "Failed to decode given salt"),
        (A + "[name=a,salt=N,password=x]", "Failed to decode given salt"),
        (A + "[name=a,salt=N3=,password=x]", "Failed to decode given salt"),
        (A + "[name=a,salt=N3-_,password=x]", "Failed to decode given salt"),
        (A + "[name=a,salt=N3E=,saltedpassword=*]", "Failed to decode given saltedPassword"),
        (A + "[name=a,b=1,password=x,iterations=y]", "Failed to parse iterations count"),
        (
            A + "[name=a,password=x,iterations=99999999999]",
            "Failed to parse iterations count",
        ),
        (A + "[name=a,password=x,iterations=1_0]", "Failed to parse iterations count"),
        (
            A + "[name=a,b=1,a=2,password=,iterations=1]",
            "Unknown SCRAM configurations: 2. "
            "Known are name, password, salt, saltedpassword, iterations",
        ),
        (
            A + "[name=a,password=,iterations=4095]",
            "The 'iterations' value must be >= 4096 for add-scram using SCRAM_SHA_256",
        ),
        (
            "SCRAM-SHA-512=[name=a,password=x,iterations=16385]",
            "The 'iterations' value must be <= 16384 for add-scram using SCRAM_SHA_512",
        ),
        (A + "[name=a,password=]", "--add-scram: the password is empty"),
        (
            A + "[name=a,salt=N3E=,saltedpassword=]",
            "--add-scram: the salted password is empty",
        ),
        (A + "[name=\udcff,password=x]", "--add-scram: the argument is not text in UTF-8"),
        (
            A + f"[name={'a' * 32768},password=x]",
            "--add-scram: a name of 32768 bytes is longer than 32767",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_kafkas_order(argument: str, told: str) -> None:
    with pytest.raises(OperatorError) as refused:
        parsed(argument)
    assert str(refused.value) == told


def test_without_a_salt_one_is_drawn() -> None:
    assert parsed(A + "[name=a,password=x]").salt == b"drawn"


def test_salts_are_text_of_a_hundred_and_thirty_bits() -> None:
    assert salt_of(0) == b"0"
    assert salt_of(36**2 - 1) == b"zz"
    most = salt_of(2**SALT_BITS - 1)
    assert int(most, 36) == 2**SALT_BITS - 1
    assert len(most) == 26
