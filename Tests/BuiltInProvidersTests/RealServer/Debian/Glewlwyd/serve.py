"""Runs Glewlwyd, a third-party OpenID provider in C, on a free port of the loopback interface."""

import gzip
import json
import pathlib
import sqlite3
import sys
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import packages  # noqa: E402
import provider  # noqa: E402
from provider import CLIENT, SCOPES  # noqa: E402

PERSON = {
    "subject": "ada",
    "password": "correct horse battery staple",
    "email": "ada@people.example",
    "name": "Ada Lovelace",
}


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
        user_middleware_module_path="{folder}/user_middleware"
        client_module_path="{modules}/client"
        user_auth_scheme_module_path="{modules}/scheme"
        plugin_module_path="{modules}/plugin"
        hash_algorithm="SHA512"
        database={{ type="sqlite3"; path="{folder}/database"; }};
        """


class Admin:
    """The admin of a fresh Glewlwyd, who sets it up over its API."""

    def __init__(self, url: str):
        self.url = url
        self.browser = provider.browser()

    def send(self, method: str, path: str, body: dict) -> None:
        request = urllib.request.Request(
            f"{self.url}/api/{path}", json.dumps(body).encode(),
            {"Content-Type": "application/json"}, method=method,
        )
        try:
            self.browser.open(request, timeout=30).close()
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: HTTP {error.code}: {error.read().decode()}")

    def sign_in(self, server) -> None:
        for _ in range(300):
            provider.check(server)
            try:
                return self.send("POST", "auth/", {"username": "admin", "password": "password"})
            except urllib.error.URLError:
                time.sleep(0.05)
        sys.exit("Glewlwyd does not answer.")


def protocol(issuer: str, algorithm: str) -> dict:
    private, public = provider.key_pair(algorithm)
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
    options = provider.options()
    root = packages.unpacked("glewlwyd", "glewlwyd-common")
    provider.at_free_port(lambda port: serve(port, root, options))


def serve(port: int, root, options) -> None:
    url = f"http://127.0.0.1:{port}"
    issuer = f"{url}/api/oidc"
    schema = root / "usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz"
    with provider.folder() as folder:
        # Required, and empty in Debian.
        (folder / "user_middleware").mkdir()
        with sqlite3.connect(folder / "database") as database:
            database.executescript(gzip.decompress(schema.read_bytes()).decode())
        (folder / "configuration").write_text(configuration(root, folder, port))
        command = [str(root / "usr/bin/glewlwyd"), f"--config-file={folder}/configuration"]
        with provider.running(command, packages.environment(root)) as server:
            admin = Admin(url)
            admin.sign_in(server)
            set_up(admin, issuer, options)
            provider.announce(issuer, options.secret, PERSON)


def set_up(admin: Admin, issuer: str, options) -> None:
    for scope in SCOPES[1:]:
        admin.send("POST", "scope/", {
            "name": scope, "display_name": scope, "password_required": False, "scheme": {},
        })
    admin.send("POST", "mod/plugin/", protocol(issuer, options.algorithm))
    secret = {"client_secret": options.secret} if options.secret else {}
    admin.send("POST", "client/", secret | {
        "client_id": CLIENT, "name": "AuthGraph's tests", "enabled": True,
        "confidential": options.secret is not None, "redirect_uri": [options.redirect_uri],
        "authorization_type": ["code", "refresh_token"], "scope": SCOPES,
        "token_endpoint_auth_method": ["client_secret_basic" if options.secret else "none"],
    })
    admin.send("POST", "user/", {
        "username": PERSON["subject"], "password": PERSON["password"], "name": PERSON["name"],
        "email": PERSON["email"], "enabled": True, "scope": SCOPES + ["g_profile"],
    })


main()
