"""Fetches a program and the libraries that this machine lacks from Debian, without installing them.

The packages are unpacked into a folder that later runs use again; nothing else on the machine changes.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")


def wanted(names: list[str]) -> list[str]:
    """Returns the packages and the libraries that this machine lacks for them; Perl itself is there."""
    plan = subprocess.run(
        ["apt-get", "-s", "install", "--no-install-recommends", *names],
        check=True, capture_output=True, text=True,
    ).stdout
    missing = [line.split()[1] for line in plan.splitlines() if line.startswith("Inst ")]
    libraries = [
        name for name in missing
        if name.startswith("lib") and not name.startswith(("libjs-", "libperl5"))
    ]
    return list(dict.fromkeys([*names, *libraries]))


def unpacked(*names: str) -> pathlib.Path:
    """Returns the folder of the unpacked packages, which is kept under the first name."""
    root = CACHE / "authgraph" / names[0]
    if root.is_dir():
        return root
    root.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root.parent) as name:
        folder = pathlib.Path(name)
        run = lambda *command: subprocess.run(  # noqa: E731
            command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr
        )
        run("apt-get", "-qq", "download", *wanted(list(names)))
        for package in sorted(folder.glob("*.deb")):
            run("dpkg", "-x", str(package), "root")
        try:
            (folder / "root").rename(root)
        except OSError:
            # Another run was faster.
            pass
    return root


def environment(root: pathlib.Path) -> dict[str, str]:
    """Returns the environment in which programs and Perl find their libraries."""
    libraries = {str(library.parent) for library in (root / "usr/lib").glob("*/lib*.so.*")}
    modules = [root / "usr/share/perl5", *(root / "usr/lib").glob("*/perl5/5.*")]
    return os.environ | {
        "LD_LIBRARY_PATH": ":".join(sorted(libraries)),
        "PERL5LIB": ":".join(str(folder) for folder in modules),
    }
