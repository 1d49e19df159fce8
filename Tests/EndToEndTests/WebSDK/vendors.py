"""What a person does on the pages on which they sign in."""

import dataclasses
import itertools

from playwright.sync_api import Page

_numbers = itertools.count(1)
MOST = 80


@dataclasses.dataclass(frozen=True)
class Person:
    number: int
    # False if the emulated vendor has not verified the address.
    is_verified: bool = True

    @property
    def name(self) -> str:
        return f"Person {self.number}."

    @property
    def email(self) -> str:
        return f"person-{self.number}@example.com"


def new_person() -> Person:
    """Somebody who has no account yet."""
    number = next(_numbers)
    if number > MOST:
        raise RuntimeError("there are too few people")
    return Person(number)


class Vendor:
    def sign_in(self, page: Page, person: Person) -> None:
        raise NotImplementedError

    def cancel(self, page: Page) -> None:
        raise NotImplementedError


class EmulatedVendor(Vendor):
    """The page of the emulator, by the elements that tests of many apps use."""

    def sign_in(self, page: Page, person: Person) -> None:
        page.wait_for_selector(".js-new-account")
        if page.title() != "Auth Emulator IDP Login Widget":
            raise AssertionError(f"the page's title is {page.title()}")
        known = page.locator("#accounts-list li", has_text=person.email)
        if known.count():
            known.first.click()
            return
        page.click(".js-new-account")
        page.fill("#email-input", person.email)
        page.fill("#display-name-input", person.name)
        page.fill("#screen-name-input", f"person{person.number}")
        page.fill("#profile-photo-input", f"https://people.example/{person.number}.png")
        page.set_checked("#unverified-email-input", not person.is_verified)
        page.click("#sign-in")

    def cancel(self, page: Page) -> None:
        page.click(".js-cancel")


class OpenIDVendor(Vendor):
    """The page of `authgraph idp`."""

    @staticmethod
    def people() -> list[dict]:
        everyone = [Person(number) for number in range(1, MOST + 1)]
        return [
            {
                "subject": str(person.number), "name": person.name, "email": person.email,
                "emailVerified": True,
            }
            for person in everyone
        ]

    def sign_in(self, page: Page, person: Person) -> None:
        page.get_by_role("link", name=person.name, exact=True).click()

    def cancel(self, page: Page) -> None:
        page.get_by_role("link", name="Cancel").click()
