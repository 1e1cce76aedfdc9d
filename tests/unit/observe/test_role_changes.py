"""A node remembers its last changes of role, and counts what it has forgotten."""

from __future__ import annotations

from metaquorum.observe.role_changes import MAX_ROLE_CHANGES, RoleChange, RoleChanges


def remembered(count: int) -> RoleChanges:
    changes = RoleChanges(node_id=7)
    for number in range(count):
        changes.add(RoleChange(number, "Unattached", "Follower", 1, 2, 3, 40, 2, f"why {number}"))
    return changes


def test_every_change_is_kept_with_all_that_is_known_of_it() -> None:
    assert remembered(1).facts() == {
        "node": 7,
        "kept": 1,
        "forgotten": 0,
        "changes": [
            {
                "wall_ms": 0,
                "before": "Unattached",
                "after": "Follower",
                "epoch_before": 1,
                "epoch": 2,
                "leader": 3,
                "log_end_offset": 40,
                "log_end_epoch": 2,
                "why": "why 0",
            }
        ],
    }


def test_only_the_last_thousand_are_kept_and_the_others_counted() -> None:
    facts = remembered(MAX_ROLE_CHANGES + 5).facts()
    assert MAX_ROLE_CHANGES == 1_000 == facts["kept"] == len(facts["changes"])
    assert facts["forgotten"] == 5
    assert [facts["changes"][at]["why"] for at in (0, -1)] == ["why 5", "why 1004"]


def test_fewer_may_be_asked_for() -> None:
    assert [one["wall_ms"] for one in remembered(5).facts(2)["changes"]] == [3, 4]
    assert remembered(5).facts(0)["changes"] == []
