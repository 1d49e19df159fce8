"""Runs Canaille, a third-party OpenID provider, on a free port of the loopback interface.

Prints one line of JSON once it answers: the issuer, one client, one person. Ends when its standard input is
closed, so that it never outlives who started it.

    serve.py REDIRECT_URI [confidential|public] [--algorithm RS256|ES256]
"""

import argparse
import json
import os
import pathlib
import secrets
import shutil
import signal
import sys
import tempfile
import threading
from datetime import datetime, timezone

sys.dont_write_bytecode = True

import environment  # noqa: E402

environment.continue_inside()

from canaille import create_app  # noqa: E402
from canaille.app import models  # noqa: E402
from canaille.backends import Backend  # noqa: E402
from joserfc.jwk import ECKey, RSAKey  # noqa: E402
from werkzeug.serving import make_server  # noqa: E402

PERSON = {
    "subject": "ada",
    "password": "correct horse battery staple",
    "email": "ada@people.example",
    "name": "Ada Lovelace",
}
SCOPES = ["openid", "email", "profile"]


def end(folder: pathlib.Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def end_with_standard_input(folder: pathlib.Path) -> None:
    sys.stdin.buffer.read()
    end(folder)


def unbound(environ, start_response):
    """Answers until the provider is ready; nobody knows the address yet."""
    start_response("503 Service Unavailable", [])
    return [b""]


def configuration(address: str, folder: pathlib.Path) -> dict:
    return {
        "SECRET_KEY": secrets.token_hex(32),
        "SERVER_NAME": address,
        "PREFERRED_URL_SCHEME": "http",
        "SESSION_COOKIE_SECURE": False,
        "CANAILLE": {"DATABASE": "sql", "LOGGING": None, "SMTP": None},
        # In a file: every thread of the server has a connection of its own.
        "CANAILLE_SQL": {"DATABASE_URI": f"sqlite:///{folder}/canaille.sqlite"},
        "CANAILLE_OIDC": {
            "ACTIVE_JWKS": [
                RSAKey.generate_key(2048, auto_kid=True).as_dict(private=True),
                ECKey.generate_key("P-256", auto_kid=True).as_dict(private=True),
            ],
            # Every client has to ask the person, this one too.
            "TRUSTED_DOMAINS": [],
        },
    }


def client(options: argparse.Namespace, secret: str | None):
    return models.Client(
        client_id="authgraph-test",
        client_secret=secret,
        client_name="AuthGraph's tests",
        client_uri="https://authgraph.example",
        client_id_issued_at=datetime.now(timezone.utc),
        redirect_uris=[options.redirect_uri],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
        scope=SCOPES,
        token_endpoint_auth_method="client_secret_basic" if secret else "none",
        id_token_signed_response_alg=options.algorithm,
        contacts=["admin@authgraph.example"],
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("redirect_uri")
    parser.add_argument("kind", nargs="?", choices=["confidential", "public"], default="confidential")
    parser.add_argument("--algorithm", choices=["RS256", "ES256"], default="RS256")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="authgraph-openid-provider-"))
    signal.signal(signal.SIGTERM, lambda number, frame: end(folder))
    threading.Thread(target=end_with_standard_input, args=[folder], daemon=True).start()

    server = make_server("127.0.0.1", 0, unbound, threaded=True)
    address = f"127.0.0.1:{server.server_port}"
    app = create_app(config=configuration(address, folder), init_backend=True)
    secret = secrets.token_urlsafe(24) if options.kind == "confidential" else None
    with app.app_context():
        person = models.User(
            user_name=PERSON["subject"],
            formatted_name=PERSON["name"],
            given_name="Ada",
            family_name="Lovelace",
            emails=[PERSON["email"]],
            password=PERSON["password"],
        )
        Backend.instance.save(person)
        registered = client(options, secret)
        Backend.instance.save(registered)
        # Named in the tokens; a client can name only what has been saved.
        registered.audience = [registered]
        Backend.instance.save(registered)
    server.app = app
    print(
        json.dumps({
            "issuer": f"http://{address}", "clientID": "authgraph-test", "clientSecret": secret,
            "person": PERSON,
        }),
        flush=True,
    )
    server.serve_forever()


main()
