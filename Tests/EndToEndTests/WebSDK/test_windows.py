"""Windows that people close, and windows that pages of others open."""

import urllib.parse

from playwright.sync_api import Page

from support import App, BrowserTests, new_person
from worlds import APP_SITE, KEY, OTHER_SITE


class ClosedWindowTests(BrowserTests):
    def test_popup_that_is_closed(self) -> None:
        app = self.open_app(visitor=self.new_visitor(has_clock=True))
        window = app.open_popup("signInByPopup", "google.com")
        window.wait_for_load_state()
        window.close()
        # The SDK gives the person some seconds.
        self.assertEqual(app.end_later()["error"], "auth/popup-closed-by-user")
        self.assertIsNone(app.value("current"))

    def test_popup_in_which_the_person_refuses(self) -> None:
        window = self.app.open_popup("signInByPopup", "google.com")
        self.world.vendor.cancel(window)
        self.assertEqual(self.app.end()["error"], "auth/user-cancelled")
        self.assertIsNone(self.app.value("current"))

    def test_redirect_in_which_the_person_refuses(self) -> None:
        here = self.app.page.url
        self.app.begin("signInByRedirect", "google.com")
        self.app.page.wait_for_url(lambda url: url != here)
        self.world.vendor.cancel(self.app.page)
        self.app.page.wait_for_url(here)
        self.assertEqual(self.app.outcome("redirectResult")["error"], "auth/user-cancelled")

    def test_popup_that_the_browser_blocks(self) -> None:
        outcome = self.app.outcome("signInByBlockedPopup", "google.com")
        self.assertEqual(outcome["error"], "auth/popup-blocked")

    def test_redirect_that_the_person_leaves(self) -> None:
        here = self.app.page.url
        self.app.begin("signInByRedirect", "google.com")
        self.app.page.wait_for_url(lambda url: url != here)
        self.app.page.goto(here)
        self.assertIsNone(self.app.value("redirectResult"))
        person = new_person()
        made = self.app.redirect("signInByRedirect", "google.com", person)["value"]
        self.assertEqual(made["email"], person.email)

    def test_popup_that_another_one_replaces(self) -> None:
        first = self.app.open_popup("signInByPopup", "google.com")
        person = new_person()
        made = self.app.popup("signInByPopup", "google.com", person)["value"]
        self.assertEqual(made["email"], person.email)
        [late] = self.app.page.evaluate("window.app.late")
        self.assertEqual(late["error"], "auth/cancelled-popup-request")
        first.close()


class ForeignWindowTests(BrowserTests):
    """Attacks of a page whose site the project does not list; the emulator trusts every site."""

    def setUp(self) -> None:
        super().setUp()
        if self.world.trusts_every_site:
            self.skipTest("the emulator trusts every site")

    def open_handler(self, site: str) -> tuple[App, Page]:
        """A page that listens, and a popup of it that asks for a sign-in for a page at a site."""
        attacker = self.open_app(OTHER_SITE, self.new_visitor(has_clock=True))
        attacker.page.evaluate(
            "() => { window.heard = []; addEventListener('message', (m) => heard.push(m.data)); }")
        fields = {
            "apiKey": KEY, "appName": "[DEFAULT]", "authType": "signInViaPopup",
            "providerId": "google.com", "eventId": "1", "redirectUrl": self.world.page(site),
        }
        address = f"{self.world.address}/__/auth/handler?{urllib.parse.urlencode(fields)}"
        with attacker.page.expect_popup() as popup:
            attacker.page.evaluate("(address) => { window.open(address); }", address)
        return attacker, popup.value

    def test_attack_the_sdk_at_a_foreign_site(self) -> None:
        attacker = self.open_app(OTHER_SITE, self.new_visitor())
        attacker.page.evaluate(
            "() => { window.heard = []; addEventListener('message', (m) => heard.push(m.data)); }")
        outcome = attacker.outcome("signInByPopup", "google.com")
        self.assertEqual(outcome["error"], "auth/unauthorized-domain")
        # The frame tells the SDK that it has nothing to tell.
        events = attacker.page.evaluate(
            "heard.filter((m) => m.type === 'authEvent').map((m) => m.data.authEvent)")
        for event in events:
            self.assertEqual(event["error"]["code"], "auth/no-auth-event")
            self.assertIsNone(event["urlResponse"])

    def test_key_that_the_server_does_not_know(self) -> None:
        outcome = self.app.outcome("signInByPopupWithKey", "unknown")
        self.assertEqual(
            outcome["error"], "auth/api-key-not-valid.-please-pass-a-valid-api-key.")

    def test_attack_a_popup_for_the_page_of_an_app(self) -> None:
        attacker, window = self.open_handler(APP_SITE)
        self.world.vendor.sign_in(window, new_person())
        window.wait_for_url(f"{self.world.address}/**")
        gone = window.get_by_text("The page that opened this window is gone")

        def is_over() -> bool:
            window.clock.run_for(1000)
            return gone.count() > 0

        attacker.wait_until(is_over)
        self.assertEqual(attacker.page.evaluate("window.heard"), [])

    def test_attack_a_popup_that_returns_to_a_foreign_site(self) -> None:
        attacker, window = self.open_handler(OTHER_SITE)
        window.get_by_text("UNAUTHORIZED_DOMAIN").wait_for()
        self.assertEqual(attacker.page.evaluate("window.heard"), [])
