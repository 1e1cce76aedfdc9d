"""Where Java is, and the flags every JVM of ours gets."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

JAVA_VERSION_LEAST = 17
HEAP_FLAGS = ("-Xmx384m", "-XX:+UseSerialGC")
# A tool lives for a second: the second compiler never pays for itself there.
SHORT_LIVED_FLAGS = (*HEAP_FLAGS, "-XX:TieredStopAtLevel=1", "-Xshare:auto")
HERE = Path(__file__).resolve().parent


class JavaMissing(Exception):
    """Java, its compiler or Maven is not installed; the message names which."""


def require(*programs: str) -> None:
    """Raise JavaMissing naming every one of ``programs`` that is not on the PATH."""
    missing = [name for name in programs if shutil.which(name) is None]
    if missing:
        raise JavaMissing(
            f"{', '.join(missing)} not found: the real Kafka needs Java "
            f"{JAVA_VERSION_LEAST} or newer (java, javac) and Maven (mvn)"
        )


def java_available() -> str | None:
    """None when java, javac and mvn are there and new enough, else the reason why not."""
    try:
        require("java", "javac", "mvn")
    except JavaMissing as why:
        return str(why)
    shown = subprocess.run(["java", "-version"], capture_output=True, text=True, check=False)
    found = re.search(r'version "(\d+)', shown.stderr + shown.stdout)
    if found is None or int(found.group(1)) < JAVA_VERSION_LEAST:
        return f"Java {JAVA_VERSION_LEAST} or newer is needed, and this is {shown.stderr.strip()}"
    return None


def command(
    libs: Path,
    main_class: str,
    *,
    flags: tuple[str, ...] = HEAP_FLAGS,
    class_path: tuple[Path, ...] = (),
) -> list[str]:
    """The command line that runs ``main_class`` with the jars in ``libs``, logging to stderr."""
    path = ":".join([*(str(entry) for entry in class_path), f"{libs}/*"])
    return [
        "java",
        *flags,
        f"-Dlog4j2.configurationFile={HERE / 'log4j2.xml'}",
        f"-Dlog4j.configuration=file:{HERE / 'log4j.properties'}",
        "-cp",
        path,
        main_class,
    ]
