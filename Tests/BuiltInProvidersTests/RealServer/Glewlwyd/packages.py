"""Fetches Glewlwyd and the libraries that this machine lacks from Debian, without installing them.

The packages are unpacked into a folder that later runs use again; nothing else on the machine changes.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")


def wanted() -> list[str]:
    """Returns the program's packages and those of missing libraries, which are not of Perl or JavaScript."""
    plan = subprocess.run(
        ["apt-get", "-s", "install", "--no-install-recommends", "glewlwyd"],
        check=True, capture_output=True, text=True,
    ).stdout
    names = [line.split()[1] for line in plan.splitlines() if line.startswith("Inst ")]
    return [
        name for name in names
        if name.startswith(("glewlwyd", "lib")) and not name.startswith("libjs-")
        and not name.endswith("-perl")
    ]


def unpacked() -> pathlib.Path:
    """Returns the folder of the unpacked packages."""
    root = CACHE / "authgraph" / "glewlwyd"
    if root.is_dir():
        return root
    root.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root.parent) as name:
        folder = pathlib.Path(name)
        run = lambda *command: subprocess.run(  # noqa: E731
            command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr
        )
        run("apt-get", "-qq", "download", *wanted())
        for package in sorted(folder.glob("*.deb")):
            run("dpkg", "-x", str(package), "root")
        # The server requires the folder, and Debian has nothing in it.
        (folder / "root/usr/lib/glewlwyd/user_middleware").mkdir(exist_ok=True)
        try:
            (folder / "root").rename(root)
        except OSError:
            # Another run was faster.
            pass
    return root


def environment(root: pathlib.Path) -> dict[str, str]:
    """Returns the environment in which the program finds its libraries."""
    libraries = {str(library.parent) for library in (root / "usr/lib").glob("*/lib*.so.*")}
    return os.environ | {"LD_LIBRARY_PATH": ":".join(sorted(libraries))}
