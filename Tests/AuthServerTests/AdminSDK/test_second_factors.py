"""Second factors as the SDK's wire carries them; the SDK for Python has no names for them."""

from firebase_admin import auth
from support import AccountTests, as_admin, new_number


class SecondFactors(AccountTests):
    def test_factors_are_given_with_an_account_asked_for_and_taken_away(self):
        number = new_number()
        user = self.person(email_verified=True)
        as_admin(
            "/accounts:update", localId=user.uid,
            mfa={"enrollments": [{"mfaEnrollmentId": "f1", "phoneInfo": number, "displayName": "home"}]})
        record = as_admin("/accounts:lookup", localId=[user.uid])["users"][0]
        factor = record["mfaInfo"][0]
        self.assertEqual((factor["phoneInfo"], factor["mfaEnrollmentId"]), (number, "f1"))
        self.assertIn("enrolledAt", factor)
        answer = self.sign_in(user.email, "correct horse")
        self.assertNotIn("idToken", answer)
        self.assertTrue(answer["mfaPendingCredential"])
        self.assertEqual(answer["mfaInfo"][0]["phoneInfo"][-4:], number[-4:])
        self.assertIn("*", answer["mfaInfo"][0]["phoneInfo"])
        as_admin("/accounts:update", localId=user.uid, mfa={})
        self.assertIn("idToken", self.sign_in(user.email, "correct horse"))
        self.assertEqual(auth.get_user(user.uid).uid, user.uid)
