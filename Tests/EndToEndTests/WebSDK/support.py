"""What the tests share: a browser, people in front of it, and the app's pages."""

import functools
import pathlib
import re
import shutil
import sys
import time
import unittest
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, sync_playwright

import vendors
import worlds
from vendors import Person, new_person  # noqa: F401

WAIT = 60_000
# The browser reports each refusal of a request. Tests know of those by the errors of the SDK, and the emulator answers
# 501 about reCAPTCHA.
EXPECTED = re.compile(r"Failed to load resource: the server responded with a status of (4\d\d|501)")


class Setting:
    """The world and the browser of this run."""

    def __init__(self) -> None:
        bundle = pathlib.Path(sys.prefix) / "auth.js"
        self.world = worlds.begin(bundle)
        program = shutil.which("chromium")
        if not program:
            raise RuntimeError("there is no chromium here")
        self._playwright = sync_playwright().start()
        self.browser = self._playwright.chromium.launch(
            executable_path=program, chromium_sandbox=False, args=self.world.browser_arguments)

    def stop(self) -> None:
        self.browser.close()
        self._playwright.stop()
        self.world.stop()


setting: Setting | None = None


class App:
    """A tab with the app's page."""

    def __init__(self, page: Page, vendor: vendors.Vendor) -> None:
        self.page, self._vendor = page, vendor

    def begin(self, action: str, parameter: str | None = None) -> None:
        """Begins an action by a click, as a person does."""
        self.page.wait_for_function("window.app?.isReady", timeout=WAIT)
        self.page.evaluate("([name, parameter]) => app.prepare(name, parameter)", [action, parameter])
        self.page.click("#go")

    def end(self) -> dict:
        """The outcome of the action that began."""
        self.page.wait_for_function("window.app.outcome", timeout=WAIT)
        return self.page.evaluate("window.app.outcome")

    def outcome(self, action: str, parameter: str | None = None) -> dict:
        self.begin(action, parameter)
        return self.end()

    def value(self, action: str, parameter: str | None = None) -> object:
        outcome = self.outcome(action, parameter)
        if "error" in outcome:
            raise AssertionError(f"{action} {parameter or ''}: {outcome['error']}")
        return outcome["value"]

    def open_popup(self, action: str, provider: str) -> Page:
        with self.page.expect_popup(timeout=WAIT) as popup:
            self.begin(action, provider)
        return popup.value

    def end_later(self) -> dict:
        """The outcome of the action that began, for which time has to pass."""
        def is_over() -> bool:
            self.page.clock.fast_forward(4000)
            return self.page.evaluate("window.app.outcome") is not None

        self.wait_until(is_over)
        return self.end()

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Waits for what the page does by and by."""
        deadline = time.monotonic() + WAIT / 1000
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError("it did not come to that")
            self.page.wait_for_timeout(50)

    def popup(self, action: str, provider: str, person: Person) -> dict:
        """The outcome of an action with a popup, in which a person signs in."""
        window = self.open_popup(action, provider)
        self._vendor.sign_in(window, person)
        outcome = self.end()
        if not window.is_closed():
            window.wait_for_event("close", timeout=WAIT)
        return outcome

    def redirect(self, action: str, provider: str, person: Person) -> dict:
        """The outcome of an action that leaves the page and comes back."""
        here = self.page.url
        self.begin(action, provider)
        self.page.wait_for_url(lambda url: url != here, timeout=WAIT)
        self._vendor.sign_in(self.page, person)
        self.page.wait_for_url(here, timeout=WAIT)
        return self.outcome("redirectResult")


class BrowserTests(unittest.TestCase):
    """Begins with a browser that has never been here."""

    def setUp(self) -> None:
        self.world = setting.world
        self.errors: list[str] = []
        self.visitors: list[BrowserContext] = []
        self.visitor = self.new_visitor()

    def tearDown(self) -> None:
        for visitor in self.visitors:
            visitor.close()
        self.assertEqual(self.errors, [])

    @functools.cached_property
    def app(self) -> App:
        return self.open_app()

    def new_visitor(self, has_clock: bool = False) -> BrowserContext:
        """A browser that has never been here; with a clock, the test can let time pass."""
        visitor = setting.browser.new_context(ignore_https_errors=True)
        if has_clock:
            visitor.clock.install()
        visitor.set_default_timeout(WAIT)
        visitor.on("console", lambda message: self._hear(message.type, message.text))
        visitor.on("weberror", lambda error: self._hear("error", str(error.error)))
        self.visitors.append(visitor)
        return visitor

    def _hear(self, kind: str, text: str) -> None:
        if kind == "error" and not EXPECTED.match(text):
            self.errors.append(text)

    def open_app(self, site: str = "localhost", visitor: BrowserContext | None = None) -> App:
        page = (visitor or self.visitor).new_page()
        page.goto(self.world.page(site))
        return App(page, self.world.vendor)

    def signed_up(self, provider: str, person: Person | None = None) -> Person:
        """Somebody who has signed in with a provider in the app's tab."""
        person = person or new_person()
        outcome = self.app.popup("signInByPopup", provider, person)
        self.assertEqual(outcome.get("value", {}).get("providers"), [provider], outcome)
        return person
