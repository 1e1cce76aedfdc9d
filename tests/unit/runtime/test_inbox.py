"""Facts always fit, questions may be refused."""

from metaquorum.runtime.inbox import Inbox
from metaquorum.runtime.uncommitted import Uncommitted


def test_a_full_inbox_refuses_questions_and_takes_facts():
    inbox = Inbox(limit=2)
    told: list[int] = []
    assert inbox.put_question(told.append, 1) and inbox.put_question(told.append, 2)
    assert not inbox.put_question(told.append, 3)
    inbox.put_fact(told.append, 4)
    while inbox:
        step, event = inbox.take()
        step(event)
    assert told == [1, 2, 4]
    assert inbox.statistics() == {"depth": 0, "deepest": 3, "limit": 2, "refused": 1}


def test_uncommitted_bytes_have_a_budget_that_commits_give_back():
    budget = Uncommitted(limit_bytes=100)
    assert budget.has_room(1_000), "one append always may"
    budget.appended(5, 80)
    assert budget.has_room(20) and not budget.has_room(21)
    budget.appended(6, 20)
    budget.committed(5)
    assert budget.size_bytes == 20 and budget.has_room(80)
    budget.clear()
    assert budget.size_bytes == 0
