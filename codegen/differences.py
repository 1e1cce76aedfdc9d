"""Two definitions of one message, compared in one version: what is not the same on the wire."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.schema import Field, Message, Struct

Row = tuple[str, str, str, str]  # path, what, ours, theirs


def version_differences(ours: Message, theirs: Message, version: int) -> Iterator[Row]:
    """What one version of ``ours`` has otherwise than the same version of ``theirs``."""
    yield from _pair("", "type", ours.kind.value, theirs.kind.value)
    yield from _pair("", "apiKey", ours.api_key, theirs.api_key)
    yield from _pair("", "flexible", version in ours.flexible, version in theirs.flexible)
    if version == theirs.versions.highest:
        yield from _pair("", "latestVersionUnstable", ours.latest_unstable, theirs.latest_unstable)
    yield from _struct_differences(ours.top, theirs.top, version, "")


def _struct_differences(ours: Struct, theirs: Struct, version: int, path: str) -> Iterator[Row]:
    left = {each.name: each for each in ours.fields if version in each.versions}
    right = {each.name: each for each in theirs.fields if version in each.versions}
    for name in left.keys() - right.keys():
        yield f"{path}{name}", "field", "there", "missing"
    for name in right.keys() - left.keys():
        yield f"{path}{name}", "field", "missing", "there"
    both = [name for name in left if name in right]
    if both != [name for name in right if name in left]:
        yield path.rstrip("."), "order", " ".join(left), " ".join(right)
    for name in both:
        yield from _field_differences(left[name], right[name], version, f"{path}{name}")


def _field_differences(ours: Field, theirs: Field, version: int, path: str) -> Iterator[Row]:
    yield from _pair(path, "type", ours.type_text, theirs.type_text)
    yield from _pair(path, "nullable", version in ours.nullable, version in theirs.nullable)
    yield from _pair(path, "tag", _tag(ours, version), _tag(theirs, version))
    yield from _pair(path, "default", _default(ours), _default(theirs))
    yield from _pair(path, "ignorable", ours.ignorable, theirs.ignorable)
    yield from _pair(path, "mapKey", ours.map_key, theirs.map_key)
    yield from _pair(path, "flexibleVersions", str(ours.flexible), str(theirs.flexible))
    if ours.struct is not None and theirs.struct is not None:
        yield from _struct_differences(ours.struct, theirs.struct, version, f"{path}.")


def _pair(path: str, what: str, ours: object, theirs: object) -> Iterator[Row]:
    if ours != theirs:
        yield path, what, _shown(ours), _shown(theirs)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "absent" if value is None else str(value)


def _tag(each: Field, version: int) -> int | None:
    return each.tag if version in each.tagged else None


def _default(each: Field) -> str:
    return "null" if each.has_null_default else repr(each.default)
