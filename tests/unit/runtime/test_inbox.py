"""Facts always fit, questions may be refused."""

from metaquorum.runtime.loop.inbox import Inbox


def test_a_full_inbox_refuses_questions_and_takes_facts():
    inbox = Inbox(limit=2)
    told: list[int] = []
    assert inbox.put_question(told.append, 1) and inbox.put_question(told.append, 2)
    assert not inbox.put_question(told.append, 3)
    inbox.put_fact(told.append, 4)
    while inbox.waiting:
        step, event = inbox.waiting.popleft()
        step(event)
    assert told == [1, 2, 4]
    assert inbox.statistics() == {"depth": 0, "deepest": 3, "limit": 2, "refused": 1}
