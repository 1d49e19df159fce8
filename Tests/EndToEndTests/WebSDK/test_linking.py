"""Further ways into an account, and conflicts with another account."""

import dataclasses

from support import BrowserTests, new_person


class LinkingTests(BrowserTests):
    def test_link_and_unlink(self) -> None:
        person = self.signed_up("google.com")
        before = self.app.value("current")
        made = self.app.popup("linkByPopup", "oidc.work", person)["value"]
        self.assertEqual(made["operation"], "link")
        self.assertEqual(made["providers"], ["google.com", "oidc.work"])
        self.assertEqual(made["uid"], before["uid"])

        self.assertEqual(self.app.value("unlink", "google.com")["providers"], ["oidc.work"])
        again = self.app.outcome("unlink", "google.com")
        self.assertEqual(again["error"], "auth/no-such-provider")
        self.app.value("signOut")
        made = self.app.popup("signInByPopup", "oidc.work", person)["value"]
        self.assertEqual(made["uid"], before["uid"])

    def test_link_by_redirect(self) -> None:
        person = self.signed_up("google.com")
        before = self.app.value("current")
        made = self.app.redirect("linkByRedirect", "oidc.work", person)["value"]
        self.assertEqual(made["operation"], "link")
        self.assertEqual(made["providers"], ["google.com", "oidc.work"])
        self.assertEqual(made["uid"], before["uid"])

    def test_anonymous_user_is_upgraded(self) -> None:
        anonymous = self.app.value("signInAnonymously")
        self.assertTrue(anonymous["isAnonymous"])
        person = new_person()
        made = self.app.popup("linkByPopup", "google.com", person)["value"]
        self.assertEqual(made["uid"], anonymous["uid"])
        self.assertEqual(made["email"], person.email)
        self.assertFalse(made["isAnonymous"])

    def test_credential_of_another_account(self) -> None:
        other = self.signed_up("google.com")
        others = self.app.value("current")
        self.app.value("signOut")
        self.signed_up("oidc.work")
        own = self.app.value("current")
        outcome = self.app.popup("linkByPopup", "google.com", other)
        self.assertEqual(outcome["error"], "auth/credential-already-in-use")
        self.assertEqual(outcome["email"], other.email)
        self.assertEqual(self.app.value("current"), own)

        # The app offers to change to the other account, with the credential that the error has.
        made = self.app.value("signInWithFailure")
        self.assertEqual(made["uid"], others["uid"])
        self.assertEqual(made["providers"], ["google.com"])

    def test_credential_of_another_account_by_redirect(self) -> None:
        other = self.signed_up("google.com")
        others = self.app.value("current")
        self.app.value("signOut")
        self.app.value("signInAnonymously")
        outcome = self.app.redirect("linkByRedirect", "google.com", other)
        self.assertEqual(outcome["error"], "auth/credential-already-in-use")
        self.assertEqual(outcome["email"], other.email)
        self.assertEqual(self.app.value("signInWithFailure")["uid"], others["uid"])

    def test_address_of_another_account(self) -> None:
        person = self.signed_up("google.com")
        own = self.app.value("current")
        self.app.value("signOut")
        unverified = dataclasses.replace(person, is_verified=False)
        outcome = self.app.popup("signInByPopup", "oidc.work", unverified)
        self.assertEqual(outcome["error"], "auth/account-exists-with-different-credential")
        self.assertEqual(outcome["email"], person.email)
        self.assertIsNone(self.app.value("current"))

        # The owner signs in as before, and then adds the credential that the error has.
        self.app.popup("signInByPopup", "google.com", person)
        made = self.app.value("linkWithFailure")
        self.assertEqual(made["uid"], own["uid"])
        self.assertEqual(made["providers"], ["google.com", "oidc.work"])

    def test_merge(self) -> None:
        other = self.signed_up("oidc.work")
        others = self.app.value("current")
        self.app.value("signOut")
        self.signed_up("google.com")
        own = self.app.value("current")
        outcome = self.app.popup("linkByPopup", "oidc.work", other)
        self.assertEqual(outcome["error"], "auth/credential-already-in-use")

        merged = self.app.value("merge")
        self.assertEqual(merged["survivor"], own["uid"])
        self.assertEqual(merged["absorbed"], others["uid"])
        self.assertEqual(merged["uid"], own["uid"])
        self.assertEqual(merged["providers"], ["google.com", "oidc.work"])
        self.app.value("signOut")
        made = self.app.popup("signInByPopup", "oidc.work", other)["value"]
        self.assertEqual(made["uid"], own["uid"])
