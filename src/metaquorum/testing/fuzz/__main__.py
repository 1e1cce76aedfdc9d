"""``python -m metaquorum.testing.fuzz TARGET``: run one target under atheris, guided by coverage.

Needs the extra ``metaquorum[fuzz]``. New inputs that reach new code are kept below
``build/fuzz/corpus``; one that breaks a promise is written to ``build/fuzz/found`` and ends the
run with a failure.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from metaquorum.testing.fuzz import targets

_SLOWEST_INPUT_SECONDS = 10
_MOST_MEMORY_MIB = 1_024


@click.command()
@click.argument("target", type=click.Choice(targets.TARGETS))
@click.option("--seconds", default=60, show_default=True, help="How long to run.")
@click.option("--seed", default=1, show_default=True, help="Where chance begins; 0 draws one.")
@click.option("--build", default="build/fuzz", show_default=True, help="Where findings are kept.")
def main(target: str, seconds: int, seed: int, build: str) -> None:
    """Fuzz TARGET for some seconds, beginning with its kept inputs."""
    import atheris

    corpus = Path(build, "corpus", target)
    found = Path(build, "found", target)
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    with atheris.instrument_imports(include=["metaquorum"], enable_loader_override=False):
        one_input = targets.one_input_of(target)
        for _, data in targets.kept_inputs(target):
            one_input(data)  # loads, and so instruments, the modules that load on first use

    def run(data: bytes) -> None:
        one_input(data)

    arguments = [
        f"-max_total_time={seconds}",
        f"-seed={seed}",
        f"-timeout={_SLOWEST_INPUT_SECONDS}",
        f"-rss_limit_mb={_MOST_MEMORY_MIB}",
        f"-artifact_prefix={found}/",
        "-print_final_stats=1",
        str(corpus),
        *map(str, targets.corpus_folders(target)),
    ]
    atheris.Setup([sys.argv[0], *arguments], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
