"""The built site in headless Chromium; nothing is asked of another host."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

SITE = Path(__file__).resolve().parents[2] / "build" / "site"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves without a line for each request."""

    def log_message(self, format, *args):
        pass


@pytest.fixture(scope="module")
def address():
    assert (SITE / "index.html").exists(), "make docs builds the site"
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=SITE)
    )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    path = shutil.which("chromium")
    assert path, "chromium is needed"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser, address):
    """A page at the site; at the end it must have seen no error and asked no other host."""
    complaints = []
    opened = browser.new_page(viewport={"width": 420, "height": 900})
    opened.on(
        "console",
        lambda line: complaints.append(line.text) if line.type in ("error", "warning") else None,
    )
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on(
        "request",
        lambda asked: (
            None
            if asked.url.startswith((address, "data:", "blob:"))
            else complaints.append(asked.url)
        ),
    )
    yield opened
    opened.close()
    assert not complaints


def test_front_page_is_the_readme(page, address):
    page.goto(f"{address}/index.html")
    assert page.inner_text("h1").startswith("metaquorum")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_search_finds_a_term(page, address):
    page.goto(f"{address}/search.html?q=preallocation")
    page.wait_for_selector("#search-results a[href*='191-preallocation-under-load']")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_of_the_architecture_are_drawn(page, address, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}/docs/architecture.html")
    page.wait_for_function(
        "document.querySelectorAll('pre.mermaid').length > 0 && "
        "[...document.querySelectorAll('pre.mermaid')].every(e => e.querySelector('svg g.node'))"
    )
    assert (
        page.evaluate("document.querySelector('pre.mermaid svg').getBoundingClientRect().width") > 0
    )


def test_the_report_of_the_pipeline_is_reached_and_drawn(page, address):
    page.goto(f"{address}/docs/how-to/run-the-pipeline.html")
    page.click("a[href$='report.html']")
    page.wait_for_selector("figure svg")
    widths = page.evaluate(
        "[...document.querySelectorAll('figure svg')].map(e => e.getBoundingClientRect().width)"
    )
    assert len(widths) >= 5 and all(width > 0 for width in widths)
