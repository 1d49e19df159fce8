"""What the scripts that run a provider of Debian have in common.

Each prints one line of JSON once the provider answers: the issuer, one client, one person. It ends when its standard
input is closed, so that it never outlives who started it.

    serve.py REDIRECT_URI [confidential|public] [--algorithm RS256|ES256]
"""

import argparse
import contextlib
import ctypes
import json
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request

CLIENT = "authgraph-test"
SCOPES = ["openid", "email", "profile"]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("redirect_uri")
    parser.add_argument("kind", nargs="?", choices=["confidential", "public"], default="confidential")
    parser.add_argument("--algorithm", choices=["RS256", "ES256"], default="RS256")
    options = parser.parse_args()
    options.secret = secrets.token_urlsafe(24) if options.kind == "confidential" else None
    return options


class Ended(Exception):
    """A server that ended instead of listening."""


def at_free_port(work) -> None:
    """Calls a function with a free port, and again with another one if its server ends at once, because another
    process can take the port before the server does."""
    for _ in range(10):
        try:
            return work(_free_port())
        except Ended:
            continue
    sys.exit("The server does not start.")


def check(server: subprocess.Popen) -> None:
    """Raises Ended if a server has ended."""
    if server.poll() is not None:
        raise Ended


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def key_pair(algorithm: str) -> tuple[str, str]:
    """Makes a private and a public key in PEM."""
    kind = (
        ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"] if algorithm == "RS256"
        else ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
    )
    run = lambda *words, text=None: subprocess.run(  # noqa: E731
        ["openssl", *words], input=text, capture_output=True, check=True, text=True
    ).stdout
    private = run("genpkey", *kind)
    return private, run("pkey", "-pubout", text=private)


def browser() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor()
    )


@contextlib.contextmanager
def folder():
    place = pathlib.Path(tempfile.mkdtemp(prefix="authgraph-openid-provider-"))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


@contextlib.contextmanager
def running(command: list[str], environment: dict[str, str]):
    """Runs a server that ends with this process, even if that is killed: PR_SET_PDEATHSIG is 1."""
    server = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGTERM),
    )
    try:
        yield server
    finally:
        server.terminate()
        server.wait()


def announce(issuer: str, secret: str | None, person: dict[str, str]) -> None:
    """Prints the description, and waits for the end of standard input."""
    print(
        json.dumps({
            "issuer": issuer, "clientID": CLIENT, "clientSecret": secret, "person": person,
        }),
        flush=True,
    )
    sys.stdin.buffer.read()
