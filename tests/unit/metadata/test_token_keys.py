"""HMACs of delegation tokens, and how tokens are found by them."""

from __future__ import annotations

from base64 import b64decode

from metaquorum.base.limits import TOKENS_PER_STEP
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.token_keys import TokenHmacs, token_hmac, token_password
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated.records.delegation_token_record import DelegationTokenRecord
from metaquorum.wire.generated.records.remove_delegation_token_record import (
    RemoveDelegationTokenRecord,
)


def state_with(*token_ids: str) -> MetadataState:
    state = MetadataState()
    for token_id in token_ids:
        record = DelegationTokenRecord("User:anna", "User:anna", [], 1, 9, 5, token_id)
        state.replay(MetadataRecord(10, 0, record), state.end_offset, 1, 0)
    return state


def test_an_hmac_is_hmac_sha_512_of_the_id_as_kafka_computes_it() -> None:
    code = token_hmac(b"secret", "uPVLiGlAT-2kYcJGwdpkpA")
    assert len(code) == 64
    # printf uPVLiGlAT-2kYcJGwdpkpA | openssl dgst -sha512 -hmac secret
    assert code.hex().startswith("0b890f4ba144ada106ae1083431e893c")
    assert b64decode(token_password(code)) == code


def test_a_token_is_found_once_it_was_learned() -> None:
    state, hmacs = state_with("a", "b"), TokenHmacs(b"secret")
    tokens = state.live().tokens
    assert hmacs.known(hmacs.of("b"), tokens) is None
    assert list(hmacs.learn(tokens)) == []
    found = hmacs.known(hmacs.of("b"), tokens)
    assert found is not None
    assert found.token_id == "b"
    assert hmacs.known(token_hmac(b"another", "b"), tokens) is None


def test_a_token_that_is_gone_is_not_found() -> None:
    state, hmacs = state_with("a"), TokenHmacs(b"secret")
    list(hmacs.learn(state.live().tokens))
    removal = MetadataRecord(26, 0, RemoveDelegationTokenRecord("a"))
    state.replay(removal, state.end_offset, 1, 0)
    assert hmacs.known(hmacs.of("a"), state.live().tokens) is None


def test_many_tokens_are_learned_in_steps() -> None:
    names = [str(number) for number in range(2 * TOKENS_PER_STEP + 1)]
    state, hmacs = state_with(*names), TokenHmacs(b"secret")
    tokens = state.live().tokens
    assert len(list(hmacs.learn(tokens))) == 2
    assert all(hmacs.known(hmacs.of(name), tokens) for name in names)


def test_hmacs_of_tokens_long_gone_are_forgotten() -> None:
    state, hmacs = MetadataState(), TokenHmacs(b"secret")
    for number in range(1_500):
        list(hmacs.learn(state_with(str(number)).live().tokens))
    assert hmacs.known(hmacs.of("0"), state_with("0").live().tokens) is None
    list(hmacs.learn(state.live().tokens))
    assert len(hmacs._ids) <= 1_002


def test_the_secret_is_not_shown() -> None:
    assert "sesame" not in repr(TokenHmacs(b"sesame"))
