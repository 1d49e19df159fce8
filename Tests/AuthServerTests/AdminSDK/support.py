"""What the tests share: the app, and calls of the REST protocol as a client makes them.

With FIREBASE_AUTH_EMULATOR_HOST the server behaves as Firebase's emulator does. Otherwise AUTHGRAPH_URL is the address of
a server in production, and GOOGLE_APPLICATION_CREDENTIALS the file of a service account of it.
"""

import json
import os
import unittest
import urllib.error
import urllib.parse
import urllib.request
import uuid

import firebase_admin
import google.auth.credentials
import google.auth.transport.requests
from firebase_admin import auth, credentials, tenant_mgt

from point_to import point_to

EMULATOR = os.environ.get("FIREBASE_AUTH_EMULATOR_HOST")
EMULATED = bool(EMULATOR)
#: The address of the server.
SERVER = f"http://{EMULATOR}" if EMULATED else os.environ["AUTHGRAPH_URL"]
#: The code of a wrong password; production does not tell it from an unknown address.
WRONG_PASSWORD = "INVALID_PASSWORD" if EMULATED else "INVALID_LOGIN_CREDENTIALS"


class Owner(google.auth.credentials.Credentials):
    """The emulator's own admin."""

    def __init__(self) -> None:
        super().__init__()
        self.token = "owner"

    def refresh(self, request: object) -> None:
        pass


class OwnerCredential(credentials.Base):
    def get_credential(self) -> Owner:
        return Owner()


if EMULATED:
    PROJECT = os.environ["GOOGLE_CLOUD_PROJECT"]
    CREDENTIAL = OwnerCredential()
    firebase_admin.initialize_app(CREDENTIAL, {"projectId": PROJECT})
    # The SDK for Python asks an emulator for everything but tenants, so it is told where those are.
    tenant_mgt._TenantManagementService.TENANT_MGT_URL = f"{SERVER}/identitytoolkit.googleapis.com/v2"
else:
    point_to(SERVER)
    CREDENTIAL = credentials.Certificate(os.environ["GOOGLE_APPLICATION_CREDENTIALS"])
    PROJECT = CREDENTIAL.project_id
    firebase_admin.initialize_app(CREDENTIAL)

only_in_production = unittest.skipIf(EMULATED, "a matter of production")
only_in_emulator = unittest.skipUnless(EMULATED, "a matter of the emulator")


class Refused(Exception):
    """An answer that is an error; its text is the message of the error."""


def call(method: str, path: str, body: object, **headers: str) -> dict:
    request = urllib.request.Request(
        f"{SERVER}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise Refused(json.load(error)["error"]["message"]) from None


def post(method: str, **body: object) -> dict:
    """Calls an operation of accounts with an API key."""
    return call("POST", f"/identitytoolkit.googleapis.com/v1/accounts:{method}?key=any", body)


def renew(refresh_token: str) -> dict:
    """Gets new tokens of a session."""
    return call(
        "POST", "/securetoken.googleapis.com/v1/token?key=any",
        {"grant_type": "refresh_token", "refresh_token": refresh_token})


def bearer() -> str:
    """Returns the admin's access token, which the SDK gets in the same way."""
    credential = CREDENTIAL.get_credential()
    if not credential.valid:
        credential.refresh(google.auth.transport.requests.Request())
    return credential.token


def as_admin(operation: str, method: str = "POST", version: str = "v1", **body: object) -> dict:
    """Calls an operation of a project as an admin, for what the SDK has no name for."""
    return call(
        method, f"/identitytoolkit.googleapis.com/{version}/projects/{PROJECT}{operation}",
        body if method != "GET" else None, Authorization=f"Bearer {bearer()}")


def link(uid: str, provider: str, subject: str, **profile: str) -> auth.UserRecord:
    """Links an identity of a provider, as the SDKs for Node and Go do by their providerToLink."""
    as_admin(
        "/accounts:update", localId=uid,
        linkProviderUserInfo={"providerId": provider, "rawId": subject, **profile})
    return auth.get_user(uid)


def code(link: str) -> str:
    """Returns the code in a link of an e-mail."""
    return urllib.parse.parse_qs(urllib.parse.urlparse(link).query)["oobCode"][0]


def new_email() -> str:
    return f"{uuid.uuid4().hex}@example.com"


def new_number() -> str:
    return f"+1555{uuid.uuid4().int % 10**7:07d}"


class AccountTests(unittest.TestCase):
    """Begins with no accounts."""

    def setUp(self) -> None:
        if EMULATED:
            call("DELETE", f"/emulator/v1/projects/{PROJECT}/accounts", None)
            return
        while uids := [user.uid for user in auth.list_users().users]:
            result = auth.delete_users(uids)
            self.assertEqual(result.errors, [])

    def sign_in(self, email: str, password: str, **more: object) -> dict:
        return post(
            "signInWithPassword", email=email, password=password, returnSecureToken=True, **more)

    def person(self, **more: object) -> auth.UserRecord:
        return auth.create_user(email=new_email(), password="correct horse", **more)
