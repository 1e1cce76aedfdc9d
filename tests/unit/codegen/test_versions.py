from __future__ import annotations

import pytest

from codegen.versions import ALL, NEWEST, NONE, BadVersions, Versions, parse_versions


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("0+", ALL),
        ("3+", Versions(3, NEWEST)),
        ("0-2", Versions(0, 2)),
        ("7", Versions(7, 7)),
        ("none", NONE),
    ],
)
def test_a_range_is_read_and_written_the_same(text: str, versions: Versions) -> None:
    assert parse_versions(text) == versions
    assert str(versions) == text


@pytest.mark.parametrize("text", ["", "a", "-1", "2-1", "1-", "+", "1.5", "99999", "1-2-3", "²"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(BadVersions):
        parse_versions(text)


def test_the_common_part_of_two_ranges() -> None:
    assert Versions(0, 5) & Versions(3, NEWEST) == Versions(3, 5)
    assert Versions(0, 2) & Versions(3, 4) == NONE
    assert not Versions(0, 2) & Versions(3, 4)


def test_within_and_membership() -> None:
    assert Versions(1, 2).within(Versions(0, 3))
    assert not Versions(1, 4).within(Versions(0, 3))
    assert NONE.within(Versions(5, 5))
    assert 2 in Versions(1, 2)
    assert 3 not in Versions(1, 2)
    assert list(Versions(1, 3)) == [1, 2, 3]
