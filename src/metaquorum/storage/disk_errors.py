"""What an operator can do about an error of the operating system at a file or directory."""

from __future__ import annotations

import errno
from typing import Final

_MAY_NOT: Final = "give the user that runs the node the right to read and write there"
_NO_ROOM: Final = "make room on the file system"
_FILES: Final = "let the process have more open files (ulimit -n)"
_REPLACE: Final = "take away what has this name, or restore it from a copy"
_ADVICE: Final = {
    errno.EACCES: _MAY_NOT,
    errno.EPERM: _MAY_NOT,
    errno.EROFS: "mount the file system so that it can be written",
    errno.ENOSPC: _NO_ROOM,
    errno.EDQUOT: _NO_ROOM,
    errno.EMFILE: _FILES,
    errno.ENFILE: _FILES,
    errno.EISDIR: f"a directory is in the place of a file, {_REPLACE}",
    errno.ENOTDIR: f"a file is in the place of a directory, {_REPLACE}",
    errno.EEXIST: f"no directory, but something else is there, {_REPLACE}",
    errno.ELOOP: f"symbolic links lead in a circle, {_REPLACE}",
    errno.ENOENT: f"it is gone, or a symbolic link leads to nothing, {_REPLACE}",
    errno.EIO: "the disk reports an error, see the log of the kernel",
}


def advice_on(error: OSError) -> str:
    """What to do, for the errors that a start may meet; empty for any other."""
    return _ADVICE.get(_root(error).errno or 0, "")


def described(error: OSError) -> str:
    """Which file, and why, without the number of the error."""
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    root = _root(error)
    if root is error:
        return error.strerror or str(error)
    return str(error).partition(": [Errno")[0] + f": {root.strerror}"


def _root(error: OSError) -> OSError:
    """The error of the system call, where ours was made of one."""
    return error.__cause__ if isinstance(error.__cause__, OSError) else error
