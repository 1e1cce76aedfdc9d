"""Build the site into `build/site`: every warning is an error, every link and anchor is checked."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from sphinx.cmd.build import main as sphinx

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
OUT = ROOT / "build" / "site"
ASSETS = ROOT / "build" / "site-assets"
PANELS = ROOT / "build" / "site-panels"
REPORT = HERE / "report_tables"
"""What `make pipeline` left of its cluster: the tables that the report on the site is drawn of."""
MERMAID = "11.17.2"
MERMAID_SHA256 = "581ed7d74bd9048d0e3a91363927d72ef22942d7722546b27f7cc29e35390eb8"


def mermaid() -> Path:
    """The script that draws diagrams, fetched once by npm and served from the site itself."""
    path = ASSETS / f"mermaid-{MERMAID}.min.js"
    if not path.exists():
        ASSETS.mkdir(parents=True, exist_ok=True)
        if shutil.which("npm") is None:
            sys.exit("make docs: npm is needed once, to fetch the script that draws diagrams")
        subprocess.run(["npm", "pack", "--silent", f"mermaid@{MERMAID}"], cwd=ASSETS, check=True)
        archive = ASSETS / f"mermaid-{MERMAID}.tgz"
        with tarfile.open(archive) as packed:
            member = packed.extractfile("package/dist/mermaid.min.js")
            assert member is not None
            path.write_bytes(member.read())
        archive.unlink()
    if hashlib.sha256(path.read_bytes()).hexdigest() != MERMAID_SHA256:
        path.unlink()
        sys.exit(f"make docs: mermaid {MERMAID} is not the script that was reviewed; nothing built")
    return path


def draw_report() -> None:
    """As a user does, in a process of its own: this one has taken Spark's libraries for mocks."""
    metaquorum = Path(sys.executable).parent / "metaquorum"
    out = OUT / "report.html"
    subprocess.run([metaquorum, "pipeline", "report", REPORT, "--out", out], check=True)


def draw_panels() -> None:
    """The same for the panels of the dashboards."""
    subprocess.run([sys.executable, "-m", "tools.site.panels", PANELS], check=True, cwd=ROOT)


def main() -> int:
    script = mermaid()
    draw_panels()
    shutil.rmtree(OUT, ignore_errors=True)
    doctrees = str(ROOT / "build" / "site-doctrees")
    flags = ["-W", "--keep-going", "-q", "-j", "auto", "-b", "html"]
    code = sphinx([*flags, "-c", str(HERE), "-d", doctrees, str(ROOT), str(OUT)])
    if code == 0:
        shutil.copyfile(script, OUT / "_static" / "mermaid.min.js")
        shutil.copyfile(OUT / "README.html", OUT / "index.html")
        draw_report()
        print(f"the site is in {OUT.relative_to(ROOT)}: open index.html")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
