"""What keys do on the screen, by textual's own pilot."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from metaquorum.cli.top.terminal.app import BUSY, LookScreen, TopApp
from metaquorum.cli.top.terminal.views import PaneView
from tests.unit.cli.top.screens import NEVER_S, text_of
from tests.unit.cli.top.watched_quorum import (
    WINDOW_MS,
    Watched,
    broker,
    calm,
    partition_change,
    troubled,
    watched,
)

Play = Callable[[TopApp, Any], Awaitable[None]]


def play(one: Watched, act: Play, size: tuple[int, int] = (80, 24)) -> TopApp:
    """Run the screen, and act on it."""

    async def run() -> TopApp:
        app = TopApp(one.watch, WINDOW_MS, frame_s=NEVER_S)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await act(app, pilot)
        return app

    return asyncio.run(run())


async def frame(app: TopApp, pilot: Any) -> str:
    """The next frame as text."""
    app.next_frame()
    await pilot.pause()
    return text_of(app)


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_q_and_ctrl_c_leave_the_screen(key: str) -> None:
    async def act(app: TopApp, pilot: Any) -> None:
        await pilot.press(key)

    assert play(calm(), act).return_code == 0


def test_tab_gives_the_room_to_the_next_pane() -> None:
    async def act(app: TopApp, pilot: Any) -> None:
        heights = []
        for _ in range(5):
            heights.append(app.query_one("#changes", PaneView).size.height)
            await pilot.press("tab")
            await pilot.pause()
        assert heights[3] > heights[0] == heights[4]

    play(troubled(), act)


def test_a_screen_that_is_held_shows_nothing_new_until_p() -> None:
    one = calm()

    async def act(app: TopApp, pilot: Any) -> None:
        await pilot.press("p")
        one.elect(3, 9)
        one.read(8)
        assert "leader 1, epoch 1" in await frame(app, pilot)
        await pilot.press("p")
        await pilot.pause()
        shown = text_of(app)
        assert "leader 3, epoch 9" in shown
        assert "PAUSED" not in shown

    play(one, act)


def test_the_cursor_stays_with_its_row_when_others_come() -> None:
    one = troubled()

    async def act(app: TopApp, pilot: Any) -> None:
        await pilot.press("tab", "tab", "tab", "down", "down")
        view = app.query_one("#changes", PaneView)
        assert view.pane is not None
        before = view.pane.rows[view.cursor]
        one.commit(partition_change("orders", 0, isr=[101, 102, 103]))
        one.read(6)
        await frame(app, pilot)
        assert view.cursor == 3
        assert view.pane.rows[view.cursor] == before

    play(one, act)


def test_the_cursor_stops_at_both_ends_of_a_pane() -> None:
    async def act(app: TopApp, pilot: Any) -> None:
        view = app.query_one("#voters", PaneView)
        await pilot.press("up")
        assert view.cursor == 0
        await pilot.press("end")
        assert view.cursor == 2
        await pilot.press("pagedown", "home")
        assert view.cursor == 0

    play(calm(), act)


def test_esc_leads_back_from_a_look() -> None:
    async def act(app: TopApp, pilot: Any) -> None:
        await pilot.press("tab", "enter")
        await pilot.pause()
        assert isinstance(app.screen, LookScreen)
        assert text_of(app).startswith("broker 102")
        await pilot.press("escape")
        await pilot.pause()
        assert text_of(app).startswith("cluster")

    play(troubled(), act)


def test_a_look_is_made_anew_with_each_frame() -> None:
    one = calm()

    async def act(app: TopApp, pilot: Any) -> None:
        await pilot.press("tab", "enter")
        await pilot.pause()
        assert "fenced = false" in text_of(app)
        one.commit(broker(101, fenced=True))
        one.read(6)
        assert "fenced = true" in await frame(app, pilot)

    play(one, act)


def test_a_look_without_a_turn_says_so_and_keeps_the_keys() -> None:
    one = calm()

    async def act(app: TopApp, pilot: Any) -> None:
        with one.watch.log._lock:
            await pilot.press("tab", "enter")
            await pilot.pause()
            assert BUSY in text_of(app)
        assert "broker 101" in await frame(app, pilot)
        assert BUSY not in text_of(app)

    play(one, act)


def test_a_topic_is_found_by_its_beginning() -> None:
    async def act(app: TopApp, pilot: Any) -> None:
        await pilot.press("t", *"pay", "enter")
        await pilot.pause()
        assert text_of(app).startswith("topic payments")
        await pilot.press("escape", "t", *"nothing", "enter")
        await pilot.pause()
        assert "no topic begins with nothing" in text_of(app)

    play(troubled(), act)


def test_one_of_several_topics_is_chosen() -> None:
    async def act(app: TopApp, pilot: Any) -> None:
        await pilot.press("t", "enter")
        await pilot.pause()
        await pilot.press("down", "enter")
        await pilot.pause()
        assert text_of(app).startswith("topic orders")
        assert "102,101  102,103,101" in text_of(app)

    play(troubled(), act)


def test_a_filter_chooses_rows_until_esc() -> None:
    async def act(app: TopApp, pilot: Any) -> None:
        await pilot.press("slash", *"102")
        await pilot.pause()
        assert "b103.example" not in text_of(app)
        await pilot.press("enter")
        assert "b103.example" not in await frame(app, pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert "b103.example" in text_of(app)

    play(troubled(), act)


def test_esc_in_the_prompt_of_the_filter_shows_all() -> None:
    async def act(app: TopApp, pilot: Any) -> None:
        await pilot.press("slash", *"zzz")
        await pilot.press("escape")
        await pilot.pause()
        assert app.wanted == ""
        assert "b103.example" in text_of(app)

    play(troubled(), act)


def test_another_size_is_laid_out_anew() -> None:
    async def act(app: TopApp, pilot: Any) -> None:
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        await pilot.pause()
        lines = text_of(app).splitlines()
        assert len(lines) == 40
        assert any("partition payments-0 changed" in line for line in lines)
        await pilot.resize_terminal(30, 8)
        await pilot.pause()
        await pilot.pause()
        assert all(len(line) <= 30 for line in text_of(app).splitlines())

    play(troubled(), act)


def test_without_colours_no_style_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def colours(app: TopApp) -> set[str]:
        return {
            part.style.color.name
            for strip in app.screen._compositor.render_strips()
            for part in strip
            if part.style is not None and part.style.color is not None
        }

    found: list[set[str]] = []

    async def act(app: TopApp, pilot: Any) -> None:
        found.append(colours(app))

    play(troubled(), act)
    monkeypatch.setenv("NO_COLOR", "1")
    play(troubled(), act)
    assert len(found[0]) > 3
    assert found[1] <= {"default"}


def test_nothing_is_known_before_the_first_answer() -> None:
    async def act(app: TopApp, pilot: Any) -> None:
        shown = text_of(app)
        assert "cluster not known yet" in shown
        assert "no leader known" in shown
        assert "asking for the first time" in shown

    play(watched(), act)


def test_a_fault_of_a_reader_ends_the_screen() -> None:
    one = calm()

    async def act(app: TopApp, pilot: Any) -> None:
        one.watch.fault = KeyError("a fault")
        app.next_frame()
        await pilot.pause()
        assert app._exit

    play(one, act)
