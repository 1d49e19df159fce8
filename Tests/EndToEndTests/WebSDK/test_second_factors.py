"""Second factors: codes for a phone in the emulator, and codes of an app in production."""

import base64
import hashlib
import hmac
import struct
import time

from support import BrowserTests


def code_of_app(secret: str, later: int = 0) -> str:
    """The code that an app shows now, or some steps of its clock later (RFC 6238)."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.digest(key, struct.pack(">Q", int(time.time()) // 30 + later), hashlib.sha1)
    place = digest[-1] & 15
    return f"{(struct.unpack_from('>I', digest, place)[0] & 0x7FFFFFFF) % 10**6:06}"


class SecondFactorTests(BrowserTests):
    def test_second_factor_at_sign_in(self) -> None:
        person = self.signed_up("google.com")
        uid = self.app.value("current")["uid"]
        code = self.enroll(person.number)
        self.app.value("signOut")

        outcome = self.app.popup("signInByPopup", "google.com", person)
        self.assertEqual(outcome["error"], "auth/multi-factor-auth-required")
        self.assertIsNone(self.app.value("current"))
        self.app.value("secondFactor")
        wrong = self.app.outcome("finishSignIn", "000000")
        self.assertEqual(wrong["error"], "auth/invalid-verification-code")
        made = self.app.value("finishSignIn", code())
        self.assertEqual(made["uid"], uid)
        self.assertEqual(made["operation"], "signIn")

        # A new proof of the same person needs the factor too.
        outcome = self.app.popup("reauthenticateByPopup", "google.com", person)
        self.assertEqual(outcome["error"], "auth/multi-factor-auth-required")

    def enroll(self, number: int) -> object:
        """Enrolls a factor, and returns a function that gives its code."""
        if self.world.has_phones:
            phone = f"+1555010{number:04}"
            self.app.value("beginPhone", phone)
            factors = self.app.value("enrollPhone", self.world.phone_code(phone))
            self.assertEqual(factors, ["phone"])
            return lambda: self.world.phone_code(phone)
        secret = self.app.value("beginCodes")
        factors = self.app.value("enrollCodes", code_of_app(secret))
        self.assertEqual(factors, ["totp"])
        # A code works once, so that the next one is needed, which the server takes early.
        return lambda: code_of_app(secret, later=1)
