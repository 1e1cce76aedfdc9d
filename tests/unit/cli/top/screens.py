"""The screens that are kept as text, and what makes them: ``python -m tests.unit.cli.top.screens``.

Each is a scene in a size of the terminal, after some keys. The command writes all of them anew.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from metaquorum.cli.top.terminal.app import TopApp
from tests.unit.cli.top.watched_quorum import SCENES, WINDOW_MS, Watched

FOLDER = Path(__file__).with_name("screens")
PICTURE = Path(__file__).resolve().parents[4] / "docs/how-to/top.svg"
_FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
NEVER_S = 3_600.0
SMALL, LARGE = (80, 24), (120, 40)


@frozen
class Screen:
    """A scene in a size, after these keys."""

    name: str
    scene: str
    size: tuple[int, int]
    keys: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """Where its text is kept."""
        return FOLDER / f"{self.name}.txt"


KEPT = (
    *(
        Screen(f"{scene}-{width}x{height}", scene, (width, height))
        for scene in SCENES
        for width, height in (SMALL, LARGE)
    ),
    Screen("narrow-50x16", "troubled", (50, 16)),
    Screen("topic-80x24", "troubled", SMALL, ("tab", "tab", "enter")),
    Screen("broker-80x24", "troubled", SMALL, ("tab", "enter")),
    Screen("voter-80x24", "troubled", SMALL, ("down", "enter")),
    Screen("record-80x24", "troubled", SMALL, ("tab", "tab", "tab", "down", "enter")),
    Screen("changes-80x24", "troubled", SMALL, ("tab", "tab", "tab")),
    Screen("help-80x24", "calm", SMALL, ("question_mark",)),
    Screen("topics-80x24", "troubled", SMALL, ("t", "enter")),
    Screen("filter-80x24", "troubled", SMALL, ("slash", *"audit", "enter")),
    Screen("paused-80x24", "calm", SMALL, ("p",)),
)


def text_of(app: TopApp) -> str:
    """What the terminal would show, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(part.text for part in strip).rstrip() for strip in strips) + "\n"


async def shown(
    watched: Watched,
    size: tuple[int, int] = SMALL,
    keys: tuple[str, ...] = (),
    after: Callable[[TopApp], str] = text_of,
) -> str:
    """The text of the screen after these keys."""
    app = TopApp(watched.watch, WINDOW_MS, frame_s=NEVER_S)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for key in keys:
            await pilot.press(key)
        await pilot.pause()
        return after(app)


def drawn(screen: Screen) -> str:
    """What a kept screen looks like now."""
    return asyncio.run(shown(SCENES[screen.scene](), screen.size, screen.keys))


def picture(app: TopApp) -> str:
    """The screen as SVG, without the fonts that a reader would fetch from elsewhere."""
    svg = app.export_screenshot(title="metaquorum top")
    return _FONT_FACE.sub("", svg)


def main() -> None:
    """Write all of them anew, and the picture on the page."""
    for screen in KEPT:
        screen.path.write_text(drawn(screen), encoding="utf-8")
        print(screen.path.name)
    svg = asyncio.run(shown(SCENES["troubled"](), SMALL, after=picture))
    PICTURE.write_text(svg, encoding="utf-8")
    print(PICTURE.name)


if __name__ == "__main__":
    main()
