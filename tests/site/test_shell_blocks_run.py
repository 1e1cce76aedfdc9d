"""What the pages say to type does what they say: their shell blocks run, page by page."""

from __future__ import annotations

import pytest

from tools.kafka.jars import KAFKA_VERSION, libs
from tools.shell_blocks import ROOT, not_printed, pages_that_run, run_page


@pytest.fixture(scope="module", autouse=True)
def _kafka() -> None:
    """Its jars are fetched here: a page has no network but its own."""
    libs(KAFKA_VERSION)


@pytest.mark.parametrize("page", pages_that_run(), ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks_of_a_page_run_in_order(page):
    done = run_page(page)
    assert done.returncode == 0, done.stdout
    assert not_printed(page, done.stdout) == []
