from __future__ import annotations

import subprocess
import sys

import pytest

from metaquorum.wire.generated import error_codes, index
from metaquorum.wire.registry import Codec
from tests.unit.wire.random_messages import all_codecs

OTHER_LOGS = ("group", "share", "storage", "transaction")  # records that number their own types


def test_the_index_says_what_the_modules_say() -> None:
    for key, api in index.APIS.items():
        request, response = index.request_codec(key), index.response_codec(key)
        assert f"{api.name}Request" == request.NAME
        assert f"{api.name}Response" == response.NAME
        for codec in (request, response):
            assert (api.lowest, api.highest) == (codec.LOWEST_VERSION, codec.HIGHEST_VERSION)
            assert api.flexible_from == codec.FLEXIBLE_FROM
        assert api.key == key
    for type_id, row in index.RECORDS.items():
        codec = index.record_codec(type_id)
        assert (row.name, row.highest) == (codec.NAME, codec.HIGHEST_VERSION)


def test_every_message_with_a_key_is_in_the_index() -> None:
    indexed = 2 * len(index.APIS) + len(index.RECORDS)
    keyed = [codec for codec in all_codecs() if hasattr(codec, "API_KEY")]
    others = [codec for codec in keyed if module_name(codec).split(".")[-2] in OTHER_LOGS]
    assert indexed == len(keyed) - len(others)
    assert len(others) > 0


def module_name(codec: Codec) -> str:
    return str(getattr(codec, "__name__", ""))


def test_a_codec_is_loaded_once_and_only_when_asked_for() -> None:
    assert index.request_codec(52) is index.request_codec(52)
    with pytest.raises(KeyError):
        index.request_codec(-1)
    program = (
        "import sys, metaquorum.wire.generated.index\n"
        "print([name for name in sys.modules if 'generated.' in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['metaquorum.wire.generated.index']"


def test_flexibility_begins_where_the_schema_says() -> None:
    fetch = index.APIS[1]
    assert not fetch.is_flexible(11)
    assert fetch.is_flexible(12)
    assert not index.APIS[17].is_flexible(1)  # SaslHandshake never is


def test_error_codes_have_names_words_and_numbers() -> None:
    assert error_codes.NONE == 0
    assert error_codes.UNKNOWN_SERVER_ERROR == -1
    assert error_codes.NAMES[error_codes.NOT_LEADER_OR_FOLLOWER] == "NOT_LEADER_OR_FOLLOWER"
    assert error_codes.NAMES.keys() == error_codes.MESSAGES.keys()
    assert error_codes.NAMES.keys() >= error_codes.RETRIABLE
    for code, name in error_codes.NAMES.items():
        assert getattr(error_codes, name) == code
