"""The shell blocks of the pages that need Spark: ``tests/site`` runs those of all others."""

from __future__ import annotations

import pytest

from tools.shell_blocks import ROOT, not_printed, pages_that_run, run_page


@pytest.mark.parametrize(
    "page", pages_that_run("spark"), ids=lambda page: str(page.relative_to(ROOT))
)
def test_blocks_of_a_page_run_in_order(page):
    done = run_page(page)
    assert done.returncode == 0, done.stdout
    assert not_printed(page, done.stdout) == []
