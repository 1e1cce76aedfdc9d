"""The screen: four panes under a head, a line of keys, and a second screen to look into things.

Twice a second it takes what the readers know and draws what changed. It asks nobody: looking into
the state waits for one batch at most, and says so when it had no turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import Input

from metaquorum.base.quoting import printable
from metaquorum.cli.top.layout import HEAD_LINES, PANES, head_lines, panes, shares
from metaquorum.cli.top.looks import (
    broker_lines,
    record_lines,
    replica_lines,
    topic_lines,
    topics_like,
)
from metaquorum.cli.top.pieces import HEADING, MUTED, Line, Piece, line
from metaquorum.cli.top.rows import BrokerRow, ChangeRow, PartitionRow
from metaquorum.cli.top.sight import ReplicaRow, Sight
from metaquorum.cli.top.terminal.views import Lines, PaneView, TextView
from metaquorum.cli.top.watch import LOOK_WITHIN_S, Watch
from metaquorum.metadata.tables.catalog import StateView

FRAME_S: Final = 0.5
BUSY: Final = "the log is being replayed, look again in a moment"
KEYS: Final = "? help  Tab pane  Enter look into  / filter  t topic  p pause  q quit"
LOOK_KEYS: Final = "Up Down PgUp PgDn scroll  Esc back  q quit"
TOPICS_KEYS: Final = "Up Down choose  Enter look into  Esc back  q quit"
FILTER: Final = "/"
TOPIC: Final = "topic: "
HELP: Final = (
    "Tab, Shift+Tab     the next pane; the one in focus gets most of the room",
    "Up, Down, PgUp...  a row of it; j and k as well",
    "Enter              look into it: a topic, a broker, a voter, a record",
    "/                  show rows with this text alone; Esc shows all again",
    "t                  look into a topic, or into those that begin so",
    "p                  hold the screen; the log is read on",
    "q, Ctrl+C          quit",
    "",
    "NODE        as the leader sees it. silent: asked for no records for 5 s; behind:",
    "            had not all records within 5 s. Brokers are observers.",
    "BROKER      fenced ones, those in shutdown and with a directory lost come first.",
    "            DIRS OFF: directories that hold replicas and are not registered now.",
    "PARTITIONS  those in trouble, the worst first; the title counts all of them.",
    "CHANGES     what each record changed, with the time of the leader that wrote it.",
    "The band    who led when: | begins an epoch; ... nobody was known to lead.",
    "",
    "Nothing is written, and no observer appears in describe --replication.",
)


class LookScreen(Screen[None]):
    """Lines about one thing, made anew with each frame."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,left,backspace", "app.pop_screen", show=False),
    ]

    def __init__(
        self, title: str, make: Callable[[], Sequence[str] | None], *, can_choose: bool = False
    ) -> None:
        super().__init__()
        self.heading = title
        self._make = make
        self._can_choose = can_choose

    def compose(self) -> ComposeResult:
        """A title, the lines, the keys."""
        yield Lines("title")
        yield TextView("text", can_choose=self._can_choose)
        yield Lines("keys")

    def on_mount(self) -> None:
        """Show it."""
        keys = TOPICS_KEYS if self._can_choose else LOOK_KEYS
        self.query_one("#title", Lines).show([line(Piece(self.heading, HEADING))])
        self.query_one("#keys", Lines).show([line(Piece(keys, MUTED))])
        self.query_one(TextView).focus()
        self.look()

    def look(self) -> None:
        """Make the lines anew; those before stay while there is no turn."""
        found = self._make()
        if found is not None:
            self.query_one(TextView).show_texts(found)
        elif not self.query_one(TextView).has_texts:
            self.query_one(TextView).show_texts([BUSY])


class TopApp(App[None]):
    """The screen of one watch, whose band shows the last ``window_ms``."""

    ENABLE_COMMAND_PALETTE = False
    CSS = f"""
    Screen {{ layout: vertical; overflow: hidden; }}
    Lines {{ height: 1; }}
    #head {{ height: {HEAD_LINES}; }}
    TextView {{ height: 1fr; }}
    #prompt {{
        height: 1; border: none; padding: 0; display: none; background: transparent;
    }}
    #prompt:focus {{ border: none; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+c,ctrl+q", "quit", show=False),
        Binding("question_mark", "help", show=False),
        Binding("p", "pause", show=False),
        Binding("slash", "prompt('/')", show=False),
        Binding("t", "prompt('topic: ')", show=False),
        Binding("escape", "show_all", show=False),
    ]

    def __init__(self, source: Watch, window_ms: int, *, frame_s: float = FRAME_S) -> None:
        super().__init__(ansi_color=True)
        self.source = source
        self.window_ms = window_ms
        self.is_paused = False
        self.wanted = ""
        self._frame_s = frame_s
        self._asking = FILTER
        self._before_prompt = PANES[0]
        self._sight: Sight | None = None

    def compose(self) -> ComposeResult:
        """The head, the panes, and the keys or a prompt in their place."""
        yield Lines("head")
        for name in PANES:
            yield PaneView(name)
        yield Lines("keys")
        yield Input(id="prompt")

    def on_mount(self) -> None:
        """Begin with the first frame, and go on by the clock."""
        self.query_one(f"#{PANES[0]}", PaneView).focus()
        self.next_frame()
        self.set_interval(self._frame_s, self.next_frame)

    def next_frame(self) -> None:
        """Take what is known now, and show it; not while the screen is held."""
        if self.source.fault is not None:
            self.exit()
            return
        seen = self.source.sight()  # also while the screen is held, for the rates and the band
        if self.is_paused and self._sight is not None:
            return
        self._sight = seen
        self.show_sight()
        if isinstance(self.screen, LookScreen):
            self.screen.look()

    def show_sight(self) -> None:
        """Draw the sight that is held, in the size that the terminal has."""
        if self._sight is None:
            return
        width, height = self.size
        below = self.screen_stack[0]
        head = head_lines(self._sight, width, self.window_ms, is_paused=self.is_paused)
        below.query_one("#head", Lines).show(head)
        found = panes(self._sight, width, self.wanted)
        views = [below.query_one(f"#{pane.name}", PaneView) for pane in found]
        focus = next((at for at, view in enumerate(views) if view is below.focused), 0)
        wanted = [len(pane.rows) for pane in found]
        rows = shares(max(0, height - HEAD_LINES - 1), wanted, focus)
        for view, pane, lines in zip(views, found, rows, strict=True):
            if view.styles.height is None or view.styles.height.value != lines:
                view.styles.height = lines
            view.show_pane(pane)
        below.query_one("#keys", Lines).show([self._keys()])

    def _keys(self) -> Line:
        if self.wanted:
            words = f"rows with {printable(self.wanted)} alone; Esc shows all  ? help  q quit"
            return line(Piece(words, MUTED))
        return line(Piece(KEYS, MUTED))

    def on_resize(self, event: Resize) -> None:
        """Lay everything out anew, once the new size is known."""
        self.call_after_refresh(self.show_sight)

    def on_descendant_focus(self) -> None:
        """The pane in focus gets most of the room."""
        self.call_after_refresh(self.show_sight)

    # ------------------------------------------------------------ keys

    def action_pause(self) -> None:
        """Hold the screen, or let it go on."""
        self.is_paused = not self.is_paused
        if self.is_paused:
            self.show_sight()
        else:
            self.next_frame()

    def action_help(self) -> None:
        """What the keys and the panes mean, and what the readers said last."""
        self._look("help", lambda: [*HELP, "", *list(self.source.lines)[-5:]])

    def action_show_all(self) -> None:
        """Show all rows again."""
        self.wanted = ""
        self.show_sight()

    def action_prompt(self, asking: str) -> None:
        """Ask for a text in the last line."""
        if isinstance(self.screen, LookScreen):
            return
        self._asking = asking
        if isinstance(self.focused, PaneView):
            self._before_prompt = self.focused.id or PANES[0]
        prompt = self.query_one("#prompt", Input)
        prompt.placeholder = "rows with this text" if asking == FILTER else "a topic, or its start"
        prompt.value = self.wanted if asking == FILTER else ""
        prompt.display = True
        self.query_one("#keys").display = False
        prompt.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Rows are chosen while one types."""
        if self._asking == FILTER and event.input.display:
            self.wanted = event.value
            self.show_sight()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The text is whole."""
        self._close_prompt()
        if self._asking == TOPIC:
            self._look_for_topics(event.value.strip())

    def on_key(self, event: Any) -> None:
        """Esc leaves the prompt."""
        if event.key == "escape" and self.query("#prompt:focus"):
            event.stop()
            self._close_prompt()
            if self._asking == FILTER:
                self.action_show_all()

    def _close_prompt(self) -> None:
        prompt = self.query_one("#prompt", Input)
        prompt.display = False
        self.query_one("#keys").display = True
        self.query_one(f"#{self._before_prompt}", PaneView).focus()

    # ------------------------------------------------------------ looks

    def on_pane_view_chosen(self, event: PaneView.Chosen) -> None:
        """Look into a row."""
        row = event.row
        if isinstance(row, ReplicaRow):
            self._look_at(f"{row.role} {row.id}", lambda view: replica_lines(view, row))
        elif isinstance(row, BrokerRow):
            self._look_at(f"broker {row.id}", lambda view: broker_lines(view, row.id))
        elif isinstance(row, PartitionRow):
            self._look_at(f"topic {row.topic}", lambda view: topic_lines(view, row.topic))
        elif isinstance(row, ChangeRow):
            self._look(f"record at offset {row.offset}", partial(self._record, row))

    def on_text_view_chosen(self, event: TextView.Chosen) -> None:
        """Look into one of several topics."""
        name = event.text
        self._look_at(f"topic {name}", lambda view: topic_lines(view, name))

    def _look_for_topics(self, begun: str) -> None:
        found = self.source.log.look(lambda view: topics_like(view, begun), LOOK_WITHIN_S)
        if found and (len(found) == 1 or begun in found):
            name = begun if begun in found else found[0]
            self._look_at(f"topic {name}", lambda view: topic_lines(view, name))
        elif found:
            self._look(f"topics {printable(begun)}".rstrip(), lambda: found, can_choose=True)
        else:
            words = BUSY if found is None else f"no topic begins with {printable(begun)}"
            self._look("topics", lambda: [words])

    def _record(self, row: ChangeRow) -> list[str]:
        record = self.source.log.record_at(row.offset, LOOK_WITHIN_S)
        return record_lines(record, row.offset, row.words)

    def _look_at(self, title: str, read: Callable[[StateView], list[str]]) -> None:
        self._look(title, lambda: self.source.log.look(read, LOOK_WITHIN_S))

    def _look(
        self, title: str, make: Callable[[], Sequence[str] | None], *, can_choose: bool = False
    ) -> None:
        self.push_screen(LookScreen(title, make, can_choose=can_choose))
