"""Makes the Python environment of the OpenID provider and continues in it.

The environment is kept between runs, in a folder named after what requirements.txt says, so that only the
first run installs anything. Several runs may begin at once: one installs, the others wait for it.
"""

import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def environment() -> pathlib.Path:
    """Where the environment is, whether or not it has been made yet."""
    wanted = (FOLDER / "requirements.txt").read_bytes() + sys.version.encode()
    name = f"openid-provider-{hashlib.sha256(wanted).hexdigest()[:16]}"
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(cache) / "authgraph" / name


def run(*command: str) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def prepare() -> pathlib.Path:
    """Makes the environment unless it is there, and gives its Python."""
    place = environment()
    python = place / "bin" / "python"
    finished = place / "finished"
    place.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{place}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not finished.exists():
            shutil.rmtree(place, ignore_errors=True)
            run(sys.executable, "-m", "venv", str(place))
            run(
                str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                "--no-deps", "--requirement", str(FOLDER / "requirements.txt"),
            )
            finished.touch()
    return python


def continue_inside() -> None:
    """Runs the calling script again with the environment's Python, unless that is the one that runs it."""
    if pathlib.Path(sys.prefix).resolve() == environment().resolve():
        return
    python = prepare()
    os.execv(python, [str(python), *sys.argv])


if __name__ == "__main__":
    prepare()
