"""What the tests share: the app, and calls of the REST protocol as a client makes them."""

import json
import os
import unittest
import urllib.error
import urllib.request
import uuid

import firebase_admin
from firebase_admin import auth, credentials, tenant_mgt
from google.auth.credentials import Credentials

HOST = os.environ["FIREBASE_AUTH_EMULATOR_HOST"]
PROJECT = os.environ["GOOGLE_CLOUD_PROJECT"]


class Owner(Credentials):
    """The emulator's own admin."""

    def __init__(self) -> None:
        super().__init__()
        self.token = "owner"

    def refresh(self, request: object) -> None:
        pass


class OwnerCredential(credentials.Base):
    def get_credential(self) -> Owner:
        return Owner()


firebase_admin.initialize_app(OwnerCredential(), {"projectId": PROJECT})
# The SDK for Python asks an emulator for everything but tenants, so it is told where those are.
tenant_mgt._TenantManagementService.TENANT_MGT_URL = (
    f"http://{HOST}/identitytoolkit.googleapis.com/v2")


class Refused(Exception):
    """An answer that is an error; its text is the message of the error."""


def post(method: str, **body: object) -> dict:
    """Calls an operation of accounts with an API key."""
    request = urllib.request.Request(
        f"http://{HOST}/identitytoolkit.googleapis.com/v1/accounts:{method}?key=any",
        data=json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise Refused(json.load(error)["error"]["message"]) from None


def as_admin(operation: str, **body: object) -> dict:
    """Calls an operation of a project's accounts as an admin, for what the SDK has no name for."""
    request = urllib.request.Request(
        f"http://{HOST}/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts{operation}",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Authorization": "Bearer owner"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def link(uid: str, provider: str, subject: str, **profile: str) -> auth.UserRecord:
    """Links an identity of a provider, as the SDKs for Node and Go do by their providerToLink."""
    as_admin(
        ":update", localId=uid,
        linkProviderUserInfo={"providerId": provider, "rawId": subject, **profile})
    return auth.get_user(uid)


def new_email() -> str:
    return f"{uuid.uuid4().hex}@example.com"


def new_number() -> str:
    return f"+1555{uuid.uuid4().int % 10**7:07d}"


class AccountTests(unittest.TestCase):
    """Begins with no accounts."""

    def setUp(self) -> None:
        request = urllib.request.Request(
            f"http://{HOST}/emulator/v1/projects/{PROJECT}/accounts", method="DELETE")
        urllib.request.urlopen(request).close()

    def sign_in(self, email: str, password: str, **more: object) -> dict:
        return post(
            "signInWithPassword", email=email, password=password, returnSecureToken=True, **more)

    def person(self, **more: object) -> auth.UserRecord:
        return auth.create_user(email=new_email(), password="correct horse", **more)
