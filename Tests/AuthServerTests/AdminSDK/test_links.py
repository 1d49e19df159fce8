"""Links by e-mail that an admin makes, and what they do."""

import urllib.parse

from firebase_admin import auth
from support import AccountTests, Refused, post

SETTINGS = auth.ActionCodeSettings(url="http://localhost/after", handle_code_in_app=True)


def code(link: str) -> str:
    return urllib.parse.parse_qs(urllib.parse.urlparse(link).query)["oobCode"][0]


class Links(AccountTests):
    def test_a_password_reset(self):
        user = self.person()
        link = auth.generate_password_reset_link(user.email)
        self.assertEqual(post("resetPassword", oobCode=code(link))["email"], user.email)
        post("resetPassword", oobCode=code(link), newPassword="another horse")
        self.assertEqual(self.sign_in(user.email, "another horse")["localId"], user.uid)
        with self.assertRaisesRegex(Refused, "INVALID_OOB_CODE"):
            post("resetPassword", oobCode=code(link), newPassword="a third horse")

    def test_a_verification(self):
        user = self.person()
        link = auth.generate_email_verification_link(user.email, SETTINGS)
        self.assertIn("continueUrl", link)
        post("update", oobCode=code(link))
        self.assertTrue(auth.get_user(user.uid).email_verified)

    def test_a_sign_in(self):
        user = self.person()
        link = auth.generate_sign_in_with_email_link(user.email, SETTINGS)
        answer = post("signInWithEmailLink", email=user.email, oobCode=code(link))
        self.assertEqual(answer["localId"], user.uid)
        self.assertTrue(auth.get_user(user.uid).email_verified)

    def test_nobody_to_reset_a_password_of(self):
        with self.assertRaises(auth.EmailNotFoundError):
            auth.generate_password_reset_link("nobody@example.com")
