"""Messages through their JSON form and its text, and from JSON that others wrote."""

from __future__ import annotations

import json

from metaquorum.testing.fuzz.messages import CHOICE_BYTES, Decoded, chosen, decoded
from metaquorum.testing.fuzz.promise import may_hold_nan, promise
from metaquorum.wire import json_form
from metaquorum.wire.errors import EncodeError
from metaquorum.wire.json_form import JsonFormError

AS_TEXT = 0x80  # in the byte of the direction: the body is JSON text, not a message


def one_input(data: bytes) -> bool:
    """An input of ``messages``, or one whose body is JSON; whether it is a message."""
    if data and data[0] & AS_TEXT:
        return _from_text(data)
    found = decoded(data)
    if found is None:
        return False
    _check_round_trip(found)
    return True


def _from_text(data: bytes) -> bool:
    choice = chosen(data)
    if choice is None:
        return False
    codec, version = choice
    try:
        value = json.loads(data[CHOICE_BYTES:])
    except (ValueError, RecursionError):
        return False  # the reader of JSON text is the standard library's
    try:
        message = json_form.from_json(codec, value, version)
    except JsonFormError as why:
        promise(why.path.startswith(codec.NAME), f"the path begins with the message: {why.path}")
        promise(bool(why.why), "a refusal says why")
        return False
    try:
        codec.encode(message, version)
    except EncodeError:
        return False  # half a surrogate pair, or a field too long for its version
    _check_round_trip(Decoded(codec, version, message))
    return True


def _check_round_trip(found: Decoded) -> None:
    """Nothing is lost but unknown tags."""
    codec, version = found.codec, found.version
    spelled = json_form.to_json(codec, found.message, version)
    text = json_form.json_text(spelled)
    message = json_form.from_json(codec, json.loads(text), version)
    promise(
        json_form.json_text(json_form.to_json(codec, message, version)) == text,
        f"{codec.NAME} v{version} survives its JSON form",
    )
    plain = json_form.from_json(codec, spelled, version)
    # Of the many bit patterns of a number that is none, the text knows one.
    promise(
        may_hold_nan(plain) or codec.encode(plain, version) == codec.encode(message, version),
        f"{codec.NAME} v{version} means the same as values and as text",
    )
    again = codec.decode(codec.encode(message, version), version)
    promise(
        json_form.json_text(json_form.to_json(codec, again, version)) == text,
        f"{codec.NAME} v{version} out of JSON survives the wire",
    )
