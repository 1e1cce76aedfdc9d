from __future__ import annotations

from codegen.layout import Layouts, State
from tests.unit.codegen.tiny import named, schema

ROW = [named("Id", "int32"), named("Size", "int64", "1+")]


def test_versions_that_look_the_same_share_a_layout() -> None:
    layouts = Layouts.of(schema(named("A", "int32"), named("B", "int16", "1-2"),
                                validVersions="0-4", flexibleVersions="4+"))  # fmt: skip
    firsts = [layouts.top[version].first for version in range(5)]
    assert firsts == [0, 1, 1, 0, 4]


def test_a_layout_differs_where_a_nested_struct_does() -> None:
    layouts = Layouts.of(schema(named("Rows", "[]Row", fields=ROW)))
    assert [layouts.top[version].first for version in range(3)] == [0, 1, 2]
    assert sorted(layout.struct.name for layout in layouts.distinct) == [
        "Row", "Row", "Row", "TinyRequest", "TinyRequest", "TinyRequest",
    ]  # fmt: skip


def test_least_sizes_count_lengths_and_the_tag_byte() -> None:
    fields = (
        named("Name", "string"),
        named("Data", "bytes", nullableVersions="0+"),
        named("Ids", "[]uuid"),
        named("Late", "int64", "2+", taggedVersions="2+", tag=0),
    )
    layouts = Layouts.of(schema(*fields))
    assert layouts.top[0].least_bytes == 2 + 4 + 4
    assert layouts.top[2].least_bytes == 1 + 1 + 1 + 1


def test_tagged_fields_come_in_the_order_of_their_tags() -> None:
    fields = [
        named("B", "int8", "2+", taggedVersions="2+", tag=1),
        named("A", "int8", "2+", taggedVersions="2+", tag=0),
    ]
    layout = Layouts.of(schema(*fields)).top[2]
    assert [slot.field.name for slot in layout.of(State.TAGGED)] == ["A", "B"]


def test_only_layouts_with_bytes_need_a_view() -> None:
    plain = Layouts.of(schema(named("A", "string")))
    assert not plain.has_view(plain.top[0])
    nested = Layouts.of(schema(named("R", "[]Row", fields=[named("Data", "records", "1+")])))
    assert not nested.top[0].has_slices
    assert nested.has_view(nested.top[0])  # all versions of the message are called alike
