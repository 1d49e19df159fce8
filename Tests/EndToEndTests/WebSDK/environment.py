"""Makes the environment that the tests of this folder need, and continues in it.

It has the packages of requirements.txt and the bundle of the SDK, and is kept between runs, in a folder named after
what it is made of: only the first run installs.
"""

import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

import sdk

REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements.txt"


def place() -> pathlib.Path:
    """Where the environment is, whether or not it has been made yet."""
    parts = [REQUIREMENTS, pathlib.Path(sdk.__file__), *sorted(sdk.OURS.iterdir())]
    digest = hashlib.sha256(sys.version.encode())
    for part in parts:
        digest.update(part.read_bytes())
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(cache) / "authgraph" / f"web-sdk-{digest.hexdigest()[:16]}"


def call(*command: object) -> None:
    subprocess.run([str(part) for part in command], check=True, stdin=subprocess.DEVNULL)


def prepare() -> pathlib.Path:
    """Makes the environment unless it is there, and gives its Python; of several runs one makes it."""
    folder = place()
    python = folder / "bin" / "python"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "finished").exists():
            shutil.rmtree(folder, ignore_errors=True)
            call(sys.executable, "-m", "venv", folder)
            call(
                python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                "--no-deps", "--requirement", REQUIREMENTS,
            )
            [packages] = folder.glob("lib/python*/site-packages")
            sdk.build(packages / "streamlit_firebase_auth", folder)
            (folder / "finished").touch()
    return python


def continue_inside() -> None:
    """Runs the calling program again with the environment's Python, unless that is the one that runs it."""
    if pathlib.Path(sys.prefix).resolve() != place().resolve():
        python = prepare()
        os.execv(python, [str(python), *sys.argv])
