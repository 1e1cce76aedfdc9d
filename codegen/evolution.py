"""May the schemas change like this? Compared with those of an earlier commit.

A version that was published stays as it is on the wire, for good: it may not be dropped, nor
gain, lose, move or retype a field, nor change a default. A tag belongs to its field for ever. New
versions and new messages are free. A last version marked unstable is not published yet.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

from codegen.differences import version_differences
from codegen.drift import ERROR_CODES
from codegen.emit.error_codes import parse_error_codes
from codegen.json_source import SourceError
from codegen.parse import parse_text
from codegen.schema import Message, Struct

_FREE = ("ignorable", "mapKey", "latestVersionUnstable")  # what no peer can see


def illegal_changes(old: list[Message], new: list[Message]) -> list[str]:
    """Everything that the rules forbid, one line each."""
    now = {message.name: message for message in new}
    found: list[str] = []
    for message in old:
        if message.name not in now:
            found.append(f"{message.name}: the message is gone")
        else:
            found += _message_changes(message, now[message.name])
    return found


def _message_changes(old: Message, new: Message) -> Iterator[str]:
    published = [
        version
        for version in old.versions
        if not (old.latest_unstable and version == old.versions.highest)
    ]
    for version in published:
        if version not in new.versions:
            yield f"{old.name} v{version}: the version is gone"
            continue
        for path, what, ours, theirs in version_differences(new, old, version):
            if what not in _FREE:
                where = f"{old.name}.{path}" if path else old.name
                yield f"{where} v{version}: {what} is {ours}, it was {theirs}"
    structs = {struct.name: struct for struct in new.all_structs()}
    for struct in old.all_structs():
        if struct.name in structs:
            yield from _tag_changes(old, struct, structs[struct.name])


def _tag_changes(message: Message, old: Struct, new: Struct) -> Iterator[str]:
    now = {each.tag: each.name for each in new.fields if each.tag is not None}
    for each in old.fields:
        if each.tag in now and now[each.tag] != each.name:
            yield (
                f"{message.name}: tag {each.tag} of {old.name} is {now[each.tag]}'s, "
                f"it was {each.name}'s"
            )


def illegal_codes(old: str, new: str, file: str) -> list[str]:
    """Error codes that are gone or have another name."""
    now = {row.code: row.name for row in parse_error_codes(new, file)}
    return [
        f"error code {row.code}: {now.get(row.code, 'it is gone')}, it was {row.name}"
        for row in parse_error_codes(old, file)
        if now.get(row.code) != row.name
    ]


def schemas_at(ref: str, schemas: Path) -> tuple[list[Message], str | None]:
    """The messages and the text of the error codes as a commit had them."""
    root = schemas.parent
    listed = _git(root, "ls-tree", "-r", "--name-only", ref, "--", schemas.name)
    messages: list[Message] = []
    codes = None
    for path in listed.splitlines():
        if not path.endswith(".json"):
            continue
        text = _git(root, "show", f"{ref}:{path}")
        if path.endswith(ERROR_CODES):
            codes = text
        else:
            messages.append(parse_text(text, f"{ref}:{path}"))
    return messages, codes


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SourceError(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout
