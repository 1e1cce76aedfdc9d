"""The targets by name, each with the folder that keeps its corpus."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

CORPUS = Path(__file__).parents[4] / "tests/fuzz/corpus"
TARGETS = (
    "frames",
    "request_headers",
    "messages",
    "messages_as_json",
    "metadata_records",
    "record_batches",
    "control_records",
    "log_recovery",
    "quorum_state",
    "meta_properties",
    "epoch_file",
    "snapshot_files",
    "producer_logs",
    "server_connection",
    "answers_built_from_requests",
    "handlers_and_plans_that_raise",
)
_MORE = {"messages_as_json": "messages"}  # the same inputs too, held to another promise


def one_input_of(target: str) -> Callable[[bytes], bool]:
    """The function of a target; it is imported now. KeyError for a name that is none."""
    if target not in TARGETS:
        raise KeyError(f"{target} is no target; there are {', '.join(TARGETS)}")
    found: Callable[[bytes], bool] = import_module(f"{__package__}.{target}").one_input
    return found


def corpus_folders(target: str) -> list[Path]:
    """Where the inputs of a target are kept, its own folder first."""
    return [CORPUS / name for name in (target, _MORE.get(target)) if name is not None]


def kept_inputs(target: str) -> list[tuple[str, bytes]]:
    """The kept inputs of a target with their names, in the order of folders and names."""
    files = [path for folder in corpus_folders(target) for path in sorted(folder.iterdir())]
    return [(path.name, path.read_bytes()) for path in files]
