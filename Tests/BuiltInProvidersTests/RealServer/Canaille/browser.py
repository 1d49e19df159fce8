"""Plays the person at the browser: signs in and consents through the pages of the OpenID provider.

Prints the URL that the provider finally sends the browser to, which is not opened.

    browser.py AUTHORIZE_URL REDIRECT_URI USER PASSWORD
"""

import html.parser
import sys
import urllib.parse

sys.dont_write_bytecode = True

import environment  # noqa: E402

environment.continue_inside()

import httpx  # noqa: E402


class Form(html.parser.HTMLParser):
    """Reads the first form of a page that is sent by POST."""

    def __init__(self, page: httpx.Response):
        super().__init__()
        self.action = str(page.url)
        self.fields: dict[str, str] = {}
        self.buttons: list[tuple[str, str]] = []
        self.is_open = self.is_done = False
        self.feed(page.text)

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in attributes}
        if tag == "form" and not self.is_done and values.get("method", "").lower() == "post":
            self.is_open = True
            self.action = urllib.parse.urljoin(self.action, values.get("action") or self.action)
        elif self.is_open and tag == "input" and values.get("name"):
            self.fields[values["name"]] = values.get("value", "")
        elif self.is_open and tag == "button" and values.get("name"):
            self.buttons.append((values["name"], values.get("value", "")))

    def handle_endtag(self, tag):
        if tag == "form" and self.is_open:
            self.is_open, self.is_done = False, True


def main(authorize_url: str, redirect_uri: str, user: str, password: str) -> None:
    with httpx.Client(trust_env=False, timeout=30) as browser:
        page = browser.get(authorize_url)
        # A sign-in has a page for the name, one for the password and one for the consent.
        for _ in range(20):
            if page.is_redirect:
                target = urllib.parse.urljoin(str(page.url), page.headers["location"])
                if target.startswith(redirect_uri):
                    print(target)
                    return
                page = browser.get(target)
                continue
            form = Form(page)
            if page.status_code != 200 or not form.is_done:
                break
            for name in form.fields:
                if name in ("login", "user_name"):
                    form.fields[name] = user
                elif name == "password":
                    form.fields[name] = password
            if ("answer", "accept") in form.buttons:
                form.fields["answer"] = "accept"
            page = browser.post(form.action, data=form.fields)
    sys.exit(f"The provider stopped at {page.url} with HTTP {page.status_code}:\n{page.text[:4000]}")


main(*sys.argv[1:])
