"""The page on which the emulator's people sign in, as tests of many apps use it."""

from playwright.sync_api import expect

from support import BrowserTests, new_person


class EmulatorPageTests(BrowserTests):
    def setUp(self) -> None:
        super().setUp()
        if not self.world.trusts_every_site:
            self.skipTest("the page is the emulator's")

    def test_an_address_is_enough(self) -> None:
        person = new_person()
        window = self.app.open_popup("signInByPopup", "google.com")
        window.click(".js-new-account")
        window.fill("#email-input", person.email)
        window.click("#sign-in")
        self.assertEqual(self.app.end()["value"]["email"], person.email)

        self.app.value("signOut")
        window = self.app.open_popup("signInByPopup", "google.com")
        window.locator("#accounts-list li").filter(has_text=person.email).click()
        self.assertEqual(self.app.end()["value"]["email"], person.email)

    def test_by_what_people_read(self) -> None:
        window = self.app.open_popup("signInByPopup", "google.com")
        expect(window).to_have_title("Auth Emulator IDP Login Widget")
        window.get_by_role("button", name="Add new account").click()
        window.get_by_role("button", name="Auto-generate user information").click()
        email = window.get_by_label("Email").input_value()
        self.assertRegex(email, r"^[a-z.]+\.\d+@example\.com$")
        window.get_by_role("button", name="Back").click()
        expect(window.locator("#email-input")).to_be_hidden()
        window.get_by_role("button", name="Add new account").click()
        window.get_by_role("button", name="Sign in with Google.com").click()
        self.assertEqual(self.app.end()["value"]["email"], email)

    def test_a_window_without_its_app_stays_open(self) -> None:
        page = self.visitor.new_page()
        page.goto(
            f"{self.world.address}/emulator/auth/handler?apiKey=key&appName=app"
            "&providerId=google.com&authType=signInViaPopup&eventId=1")
        self.world.vendor.sign_in(page, new_person())
        expect(page.locator("#problem")).to_have_text("The page that opened this one is gone.")
        self.assertFalse(page.is_closed())
