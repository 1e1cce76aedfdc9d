"""How Sphinx builds the site: the pages are those of the tree, read where they are."""

from __future__ import annotations

from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from codegen.monitoring import dashboards_page

HERE = Path(__file__).parent

project = "metaquorum"
version = release = version_of("metaquorum")
html_title = f"metaquorum {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "README"
include_patterns = ["*.md", "docs/**"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 6  # a link to a heading works here as it does on a page of a repository
highlight_language = "none"
nitpicky = False
# Types are read off the annotations; a page shows them as the source writes them.
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
# Only the signatures of Spark's side are read: the site needs no Spark.
autodoc_mock_imports = [
    "google",
    "grpc",
    "matplotlib",
    "pandas",
    "pyarrow",
    "pyspark",
    "py4j",
    "numpy",
]

html_theme = "furo"
html_static_path = [str(HERE / "static")]
html_favicon = str(HERE / "static" / "icon.svg")
html_css_files = ["site.css"]
html_js_files = ["mermaid.min.js", "pictures.js"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
# Pages whose first heading is below the second level, and words that look like references.
suppress_warnings = ["myst.header"]

CONTENTS = """

```{toctree}
:hidden:
:caption: Use

docs/security
docs/clients
docs/how-to/README
docs/reference/README
docs/protocol/README
CHANGELOG
SECURITY
```

```{toctree}
:hidden:
:caption: Understand

docs/architecture
docs/glossary
docs/non-obvious
docs/conformance
docs/decisions/README
docs/history/README
CONTRIBUTING
```
"""

# Of the site alone: in the tree the page says how to draw one's own.
WITH_REPORT = "docs/how-to/run-the-pipeline"
REPORT = """

```{raw} html
<p><a href="../../report.html">The report of the cluster of <code>make pipeline</code></a></p>
```
"""

# Drawn before, in a process that has matplotlib.
PANELS = HERE.parents[1] / "build" / "site-panels"

# Hundreds of pages that their index lists: every one in the menu of every one is minutes of build.
INDEXED = ("docs/protocol/", "docs/decisions/", "docs/history/")


def add_contents(app: Sphinx, name: str, source: list[str]) -> None:
    """The contents are of the site, not of the page: a reader of the file sees none."""
    folder = Path(app.srcdir, name).parent
    if name == root_doc:
        source[0] += CONTENTS
    elif name == WITH_REPORT:
        source[0] += REPORT
    elif name == dashboards_page.PAGE.removesuffix(".md"):
        source[0] = dashboards_page.with_pictures(
            source[0], lambda picture: (PANELS / picture).read_text(encoding="utf-8")
        )
    elif name.startswith(INDEXED) and not name.endswith("/README"):
        source[0] = "---\norphan: true\n---\n" + source[0]
    elif name.endswith("/README") and not name.startswith(INDEXED):
        rest = sorted(
            page.relative_to(folder).with_suffix("").as_posix()
            for page in folder.rglob("*.md")
            if page.name != "README.md"
        )
        source[0] += "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(rest) + "\n```\n"


def draw_mermaid(app: Sphinx, doctree: nodes.document) -> None:
    """Fences of mermaid become elements that its script draws in the reader's browser."""
    for block in list(doctree.findall(nodes.literal_block)):
        if block.get("language") == "mermaid":
            text = nodes.Text(block.rawsource or block.astext())
            html = f'<pre class="mermaid">{escape(text)}</pre>'
            block.replace_self(nodes.raw("", html, format="html"))
        elif block.get("language") == "rows":
            block["language"] = "none"  # our own rows of data


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", add_contents)
    app.connect("doctree-read", draw_mermaid)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
