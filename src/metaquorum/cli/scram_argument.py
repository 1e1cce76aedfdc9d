"""``--add-scram``: a user's first SCRAM credential, in the text form of Kafka's storage tool.

``SCRAM-SHA-256=[name=alice,password=secret]``, or with ``salt`` and ``saltedpassword`` (base64)
in the password's place, and ``iterations``. What is wrong is said in the words of Kafka's tool,
checked in its order, because deployment scripts look for them. But no message repeats a part of the
argument: whatever is misspelt may be a password (decision 206).
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from typing import Final

from metaquorum.base.errors import OperatorError
from metaquorum.metadata.scram_keys import (
    ITERATIONS_LEAST,
    ITERATIONS_MOST,
    SCRAM_MECHANISMS,
    ScramMechanism,
)
from metaquorum.wire.generated.records.user_scram_credential_record import (
    UserScramCredentialRecord,
)

SALT_BITS: Final = 130
_LONGEST_NAME_BYTES: Final = 32_767
_LARGEST_INT: Final = 2**31 - 1
_BLANKS: Final = "".join(map(chr, range(33)))  # what Java's trim takes away
_BASE64: Final = re.compile(r"([A-Za-z0-9+/]*)(=*)")
_PADDINGS: Final = {0: ("",), 1: (), 2: ("", "=="), 3: ("", "=")}  # by characters beyond fours
_INTEGER: Final = re.compile(r"[+-]?\d{1,99}")
_MECHANISM: Final = re.compile(r"SCRAM-SHA-\d{1,3} ?")
_KEYS: Final = ("name", "password", "salt", "saltedpassword", "iterations")
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def salt_of(random_bits: int) -> bytes:
    """A salt made of SALT_BITS random bits: as text, as Kafka draws them."""
    text = ""
    while random_bits:
        random_bits, digit = divmod(random_bits, len(_DIGITS))
        text = _DIGITS[digit] + text
    return text.encode("ascii") or b"0"


def parse_scram(argument: str, draw_salt: Callable[[], bytes]) -> UserScramCredentialRecord:
    """The record that one argument asks for; OperatorError in Kafka's words if it cannot be."""
    name, sign, config = argument.strip(_BLANKS).partition("=")
    if not sign:
        shown = f" '{name}'" if _is_mechanism(name) or not name else ""
        raise OperatorError(f"Failed to find equals sign in SCRAM argument{shown}")
    mechanism = next((one for one in SCRAM_MECHANISMS if one.name == name), None)
    if mechanism is None:
        shown = f" {name}" if _is_mechanism(name) else ""
        raise OperatorError(f"The add-scram mechanism{shown} is not supported.")
    return _credential(mechanism, _components(config), draw_salt)


def _is_mechanism(name: str) -> bool:
    return _MECHANISM.fullmatch(name) is not None


def _components(config: str) -> dict[str, str]:
    """``[key=value,...]``; empty parts at the end do not count, unless there is nothing else."""
    if not config.startswith("["):
        raise OperatorError("Expected configuration string to start with [")
    if not config.endswith("]"):
        raise OperatorError("Expected configuration string to end with ]")
    parts = config[1:-1].split(",")
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    if parts == [""] and config != "[]":
        parts = []
    components: dict[str, str] = {}
    for place, part in enumerate(parts, start=1):
        key, sign, value = part.partition("=")
        if not sign:
            shown = f": {part}" if part in _KEYS or not part else f" {place}"
            raise OperatorError(f"No equals sign found in SCRAM component{shown}")
        if len(value) > 1 and value.startswith('"') and value.endswith('"'):
            value = value[1:-1]
        components[key] = value
    return components


def _credential(
    mechanism: ScramMechanism, given: dict[str, str], draw_salt: Callable[[], bytes]
) -> UserScramCredentialRecord:
    if (name := given.pop("name", None)) is None:
        raise OperatorError("You must supply 'name' to add-scram")
    salt_text = given.pop("salt", None)
    salt = draw_salt() if salt_text is None else _decoded("salt", salt_text)
    password, salted_text = given.pop("password", None), given.pop("saltedpassword", None)
    if password is None and salted_text is None:
        raise OperatorError("You must supply one of 'password' or 'saltedpassword' to add-scram")
    salted = b""
    if password is None and salted_text is not None:
        if salt_text is None:
            raise OperatorError("You must supply 'salt' with 'saltedpassword' to add-scram")
        salted = _decoded("saltedPassword", salted_text)
    iterations = _iterations(given.pop("iterations", None))
    if given:
        known = ", ".join(_KEYS)
        raise OperatorError(f"Unknown SCRAM configurations: {len(given)}. Known are {known}")
    _check_iterations(mechanism, iterations)
    _utf8(name, _LONGEST_NAME_BYTES)
    if password is not None:
        secret = _utf8(password)
        if not secret:
            raise OperatorError("--add-scram: the password is empty")
        salted = mechanism.salted_password(secret, salt, iterations)
    elif not salted:
        raise OperatorError("--add-scram: the salted password is empty")
    return UserScramCredentialRecord(
        name=name,
        mechanism=mechanism.number,
        salt=salt,
        stored_key=mechanism.stored_key(salted),
        server_key=mechanism.server_key(salted),
        iterations=iterations,
    )


def _iterations(text: str | None) -> int:
    if text is None:
        return ITERATIONS_LEAST
    if _INTEGER.fullmatch(text) is None or not -_LARGEST_INT - 1 <= int(text) <= _LARGEST_INT:
        raise OperatorError("Failed to parse iterations count")
    return int(text)


def _check_iterations(mechanism: ScramMechanism, iterations: int) -> None:
    constant = mechanism.name.replace("-", "_")
    for bad, bound in (
        (iterations < ITERATIONS_LEAST, f">= {ITERATIONS_LEAST}"),
        (iterations > ITERATIONS_MOST, f"<= {ITERATIONS_MOST}"),
    ):
        if bad:
            raise OperatorError(
                f"The 'iterations' value must be {bound} for add-scram using {constant}"
            )


def _decoded(what: str, text: str) -> bytes:
    """Base64 as Java reads it: padding whole or left out, and nothing else beside the alphabet."""
    found = _BASE64.fullmatch(text)
    if found is None or found[2] not in _PADDINGS[len(found[1]) % 4]:
        raise OperatorError(f"Failed to decode given {what}")
    return b64decode(found[1] + "=" * (-len(found[1]) % 4))


def _utf8(text: str, most_bytes: int = _LARGEST_INT) -> bytes:
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError:
        raise OperatorError("--add-scram: the argument is not text in UTF-8") from None
    if len(raw) > most_bytes:
        raise OperatorError(f"--add-scram: a name of {len(raw)} bytes is longer than {most_bytes}")
    return raw
