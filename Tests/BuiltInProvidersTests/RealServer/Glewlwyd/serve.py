"""Runs Glewlwyd, a third-party OpenID provider in C, on a free port of the loopback interface.

Prints one line of JSON once it answers: the issuer, one client, one person. Ends when its standard input is
closed, so that it never outlives who started it.

    serve.py REDIRECT_URI [confidential|public] [--algorithm RS256|ES256]
"""

import argparse
import ctypes
import gzip
import http.cookiejar
import json
import pathlib
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True

import packages  # noqa: E402

PERSON = {
    "subject": "ada",
    "password": "correct horse battery staple",
    "email": "ada@people.example",
    "name": "Ada Lovelace",
}
CLIENT = "authgraph-test"
SCOPES = ["openid", "email", "profile"]


def configuration(root: pathlib.Path, folder: pathlib.Path, port: int) -> str:
    modules = root / "usr/lib/glewlwyd"
    return f"""
        port={port}
        bind_address="127.0.0.1"
        external_url="http://127.0.0.1:{port}"
        login_url="login.html"
        api_prefix="api"
        static_files_path="{root}/usr/share/glewlwyd/webapp/"
        log_mode="file"
        log_level="ERROR"
        log_file="{folder}/log"
        cookie_domain="127.0.0.1"
        cookie_secure=0
        session_key="GLEWLWYD2_SESSION_ID"
        admin_session_authentication="cookie"
        profile_session_authentication="cookie"
        login_api_enabled=true
        admin_scope="g_admin"
        profile_scope="g_profile"
        user_module_path="{modules}/user"
        user_middleware_module_path="{modules}/user_middleware"
        client_module_path="{modules}/client"
        user_auth_scheme_module_path="{modules}/scheme"
        plugin_module_path="{modules}/plugin"
        hash_algorithm="SHA512"
        database={{ type="sqlite3"; path="{folder}/database"; }};
        """


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Admin:
    """The admin of a fresh Glewlwyd, who sets it up over its API."""

    def __init__(self, url: str):
        self.url = url
        self.browser = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
        )

    def send(self, method: str, path: str, body: dict) -> None:
        request = urllib.request.Request(
            f"{self.url}/api/{path}", json.dumps(body).encode(),
            {"Content-Type": "application/json"}, method=method,
        )
        try:
            self.browser.open(request, timeout=30).close()
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: HTTP {error.code}: {error.read().decode()}")

    def sign_in(self) -> None:
        for _ in range(300):
            try:
                return self.send("POST", "auth/", {"username": "admin", "password": "password"})
            except urllib.error.URLError:
                time.sleep(0.05)
        sys.exit("Glewlwyd does not answer.")


def key_pair(algorithm: str) -> tuple[str, str]:
    kind = (
        ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"] if algorithm == "RS256"
        else ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
    )
    run = lambda *words, text=None: subprocess.run(  # noqa: E731
        ["openssl", *words], input=text, capture_output=True, check=True, text=True
    ).stdout
    private = run("genpkey", *kind)
    return private, run("pkey", "-pubout", text=private)


def protocol(issuer: str, algorithm: str) -> dict:
    private, public = key_pair(algorithm)
    return {
        "module": "oidc", "name": "oidc", "display_name": "OpenID Connect",
        "parameters": {
            "iss": issuer, "jwt-type": "rsa" if algorithm == "RS256" else "ecdsa",
            "jwt-key-size": "256", "key": private, "cert": public, "jwks-show": True,
            "access-token-duration": 3600, "refresh-token-duration": 86400, "code-duration": 600,
            "refresh-token-rolling": False, "allow-non-oidc": True,
            "auth-type-code-enabled": True, "auth-type-token-enabled": False,
            "auth-type-id-token-enabled": True, "auth-type-none-enabled": False,
            "auth-type-password-enabled": False, "auth-type-client-enabled": False,
            "auth-type-refresh-enabled": True, "subject-type": "public",
            "scope": [], "additional-parameters": [], "claims": [],
            "name-claim": "mandatory", "name-claim-scope": ["profile"],
            "email-claim": "mandatory", "email-claim-scope": ["email"],
            "pkce-allowed": True, "pkce-required": False, "pkce-method-plain-allowed": False,
            "introspection-revocation-allowed": True,
            "introspection-revocation-allow-target-client": True,
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("redirect_uri")
    parser.add_argument("kind", nargs="?", choices=["confidential", "public"], default="confidential")
    parser.add_argument("--algorithm", choices=["RS256", "ES256"], default="RS256")
    options = parser.parse_args()
    root = packages.unpacked()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="authgraph-openid-provider-"))
    port = free_port()
    schema = root / "usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz"
    with sqlite3.connect(folder / "database") as database:
        database.executescript(gzip.decompress(schema.read_bytes()).decode())
    (folder / "configuration").write_text(configuration(root, folder, port))
    server = subprocess.Popen(
        [str(root / "usr/bin/glewlwyd"), f"--config-file={folder}/configuration"],
        env=packages.environment(root), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        # The server ends with this process, even if that is killed: PR_SET_PDEATHSIG is 1.
        preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGTERM),
    )
    try:
        url = f"http://127.0.0.1:{port}"
        issuer = f"{url}/api/oidc"
        secret = secrets.token_urlsafe(24) if options.kind == "confidential" else None
        admin = Admin(url)
        admin.sign_in()
        for scope in SCOPES[1:]:
            admin.send("POST", "scope/", {
                "name": scope, "display_name": scope, "password_required": False, "scheme": {},
            })
        admin.send("POST", "mod/plugin/", protocol(issuer, options.algorithm))
        admin.send("POST", "client/", {
            "client_id": CLIENT, "name": "AuthGraph's tests", "enabled": True,
            "confidential": secret is not None, "redirect_uri": [options.redirect_uri],
            "authorization_type": ["code", "refresh_token"], "scope": SCOPES,
            "token_endpoint_auth_method": ["client_secret_basic" if secret else "none"],
        } | ({"client_secret": secret} if secret else {}))
        admin.send("POST", "user/", {
            "username": PERSON["subject"], "password": PERSON["password"], "name": PERSON["name"],
            "email": PERSON["email"], "enabled": True, "scope": SCOPES + ["g_profile"],
        })
        print(
            json.dumps({
                "issuer": issuer, "clientID": CLIENT, "clientSecret": secret, "person": PERSON,
            }),
            flush=True,
        )
        sys.stdin.buffer.read()
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


main()
