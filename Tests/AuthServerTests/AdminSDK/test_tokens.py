"""Tokens: custom ones, ID tokens, session cookies, and what ends them."""

import datetime
import json
import os
import pathlib
import time

from firebase_admin import auth
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import Request
from google.oauth2 import service_account
from support import AccountTests, EMULATED, PROJECT, Refused, bearer, call, only_in_production, post, renew


class Tokens(AccountTests):
    def exchange(self, token: bytes) -> str:
        return post(
            "signInWithCustomToken", token=token.decode(), returnSecureToken=True)["idToken"]

    def test_a_custom_token_signs_in_and_its_claims_are_in_the_id_token(self):
        token = auth.create_custom_token("ada", {"plan": "gold"})
        claims = auth.verify_id_token(self.exchange(token), check_revoked=True)
        self.assertEqual((claims["uid"], claims["sub"], claims["user_id"]), ("ada", "ada", "ada"))
        self.assertEqual(claims["plan"], "gold")
        self.assertEqual(claims["aud"], PROJECT)
        self.assertEqual(claims["firebase"]["sign_in_provider"], "custom")
        self.assertEqual(auth.get_user("ada").uid, "ada")

    def test_the_session_is_over_after_a_revocation_and_a_new_one_is_not(self):
        user = self.person()
        token = self.sign_in(user.email, "correct horse")["idToken"]
        self.assertEqual(auth.verify_id_token(token, check_revoked=True)["uid"], user.uid)
        time.sleep(1.1)
        auth.revoke_refresh_tokens(user.uid)
        self.assertGreater(auth.get_user(user.uid).tokens_valid_after_timestamp, 0)
        with self.assertRaises(auth.RevokedIdTokenError):
            auth.verify_id_token(token, check_revoked=True)
        with self.assertRaisesRegex(Refused, "TOKEN_EXPIRED"):
            post("lookup", idToken=token)
        time.sleep(1.1)
        fresh = self.sign_in(user.email, "correct horse")["idToken"]
        self.assertEqual(auth.verify_id_token(fresh, check_revoked=True)["uid"], user.uid)

    def test_tokens_of_a_disabled_account(self):
        user = self.person()
        token = self.sign_in(user.email, "correct horse")["idToken"]
        auth.update_user(user.uid, disabled=True)
        with self.assertRaises(auth.UserDisabledError):
            auth.verify_id_token(token, check_revoked=True)

    def test_a_session_cookie_is_made_and_checked(self):
        user = self.person()
        token = self.sign_in(user.email, "correct horse")["idToken"]
        cookie = auth.create_session_cookie(token, expires_in=datetime.timedelta(minutes=10))
        claims = auth.verify_session_cookie(cookie, check_revoked=True)
        self.assertEqual(claims["uid"], user.uid)
        self.assertEqual(claims["iss"], f"https://session.firebase.google.com/{PROJECT}")
        self.assertEqual(claims["exp"] - claims["iat"], 600)
        time.sleep(1.1)
        auth.revoke_refresh_tokens(user.uid)
        with self.assertRaises(auth.RevokedSessionCookieError):
            auth.verify_session_cookie(cookie, check_revoked=True)

    def test_an_id_token_is_no_cookie_and_nonsense_is_neither(self):
        user = self.person()
        token = self.sign_in(user.email, "correct horse")["idToken"]
        with self.assertRaises(auth.InvalidSessionCookieError):
            auth.verify_session_cookie(token)
        with self.assertRaises(auth.InvalidIdTokenError):
            auth.create_session_cookie("nonsense", expires_in=datetime.timedelta(minutes=10))

    def test_a_cookie_of_a_disabled_account(self):
        user = self.person()
        token = self.sign_in(user.email, "correct horse")["idToken"]
        cookie = auth.create_session_cookie(token, expires_in=datetime.timedelta(days=1))
        auth.update_user(user.uid, disabled=True)
        self.assertEqual(auth.verify_session_cookie(cookie)["uid"], user.uid)
        with self.assertRaises(auth.UserDisabledError):
            auth.verify_session_cookie(cookie, check_revoked=True)

    def test_a_custom_tokens_session_can_be_renewed_and_ended(self):
        answer = post(
            "signInWithCustomToken", token=auth.create_custom_token("ada", {"plan": "gold"}).decode(),
            returnSecureToken=True)
        again = renew(answer["refreshToken"])
        self.assertEqual(auth.verify_id_token(again["id_token"])["plan"], "gold")
        time.sleep(1.1)
        auth.revoke_refresh_tokens("ada")
        # The emulator renews a session of which nothing is left.
        if not EMULATED:
            with self.assertRaisesRegex(Refused, "TOKEN_EXPIRED|INVALID_REFRESH_TOKEN"):
                renew(answer["refreshToken"])

    def test_a_custom_token_signs_in_at_the_older_path(self):
        answer = call(
            "POST", "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyCustomToken?key=any",
            {"token": auth.create_custom_token("ada").decode(), "returnSecureToken": True})
        self.assertEqual(auth.verify_id_token(answer["idToken"])["uid"], "ada")

    @only_in_production
    def test_a_changed_token_and_one_of_another_signer_are_refused(self):
        user = self.person()
        token = self.sign_in(user.email, "correct horse")["idToken"]
        head, body, signature = token.split(".")
        with self.assertRaises(auth.InvalidIdTokenError):
            auth.verify_id_token(f"{head}.{body}.{signature[:-8]}{signature[-4:]}AAAA")
        with self.assertRaises(auth.InvalidIdTokenError):
            auth.verify_id_token(auth.create_custom_token("ada"))
        custom = auth.create_custom_token("ada").decode()
        with self.assertRaisesRegex(Refused, "INVALID_CUSTOM_TOKEN"):
            post("signInWithCustomToken", token=f"{custom[:-8]}{custom[-4:]}AAAA")

    @only_in_production
    def test_the_access_token_is_the_service_accounts(self):
        self.assertTrue(bearer().startswith("agacc_"))
        with self.assertRaises(RefreshError):
            file = json.loads(pathlib.Path(os.environ["GOOGLE_APPLICATION_CREDENTIALS"]).read_text())
            file["client_email"] = "nobody@example.com"
            credential = service_account.Credentials.from_service_account_info(
                file, scopes=["https://www.googleapis.com/auth/cloud-platform"])
            credential.refresh(Request())
