"""Signing in, linking and the rest of one person's work with their own account."""

from support import BrowserTests, new_person

from worlds import APP_SITE


class SigningInTests(BrowserTests):
    def test_popup(self) -> None:
        person = new_person()
        outcome = self.app.popup("signInByPopup", "google.com", person)
        made = outcome["value"]
        self.assertEqual(made["email"], person.email)
        self.assertEqual(made["operation"], "signIn")
        self.assertEqual(made["provider"], "google.com")
        self.assertEqual(self.app.value("current")["uid"], made["uid"])

        self.app.value("signOut")
        self.assertIsNone(self.app.value("current"))
        again = self.app.popup("signInByPopup", "google.com", person)["value"]
        self.assertEqual(again["uid"], made["uid"])

    def test_redirect(self) -> None:
        person = new_person()
        made = self.app.redirect("signInByRedirect", "google.com", person)["value"]
        self.assertEqual(made["email"], person.email)
        self.assertEqual(self.app.value("current")["uid"], made["uid"])
        # The result of a redirect is there once.
        self.app.page.reload()
        self.assertIsNone(self.app.value("redirectResult"))
        self.assertEqual(self.app.value("current")["uid"], made["uid"])

    def test_popup_at_another_site(self) -> None:
        app = self.open_app(APP_SITE)
        person = new_person()
        made = app.popup("signInByPopup", "oidc.work", person)["value"]
        self.assertEqual(made["email"], person.email)

    def test_reauthentication(self) -> None:
        person = self.signed_up("google.com")
        outcome = self.app.popup("reauthenticateByPopup", "google.com", person)
        self.assertEqual(outcome["value"]["operation"], "reauthenticate")
        self.assertTrue(self.app.value("isRecent"))
        other = self.app.popup("reauthenticateByPopup", "google.com", new_person())
        self.assertEqual(other["error"], "auth/user-mismatch")

    def test_reauthentication_by_redirect(self) -> None:
        person = self.signed_up("google.com")
        outcome = self.app.redirect("reauthenticateByRedirect", "google.com", person)
        self.assertEqual(outcome["value"]["operation"], "reauthenticate")
        other = self.app.redirect("reauthenticateByRedirect", "google.com", new_person())
        self.assertEqual(other["error"], "auth/user-mismatch")

    def test_two_tabs(self) -> None:
        other = self.open_app()
        person = self.signed_up("google.com")
        # The SDK's tabs share who is signed in.
        other.wait_until(lambda: other.value("current") is not None)
        self.assertEqual(other.value("current")["email"], person.email)

        # Of two popups, each is for the tab that opened it.
        self.app.value("signOut")
        other.wait_until(lambda: other.value("current") is None)
        first, second = new_person(), new_person()
        windows = [tab.open_popup("signInByPopup", "google.com") for tab in (self.app, other)]
        self.world.vendor.sign_in(windows[1], second)
        self.assertEqual(other.end()["value"]["email"], second.email)
        self.world.vendor.sign_in(windows[0], first)
        self.assertEqual(self.app.end()["value"]["email"], first.email)
