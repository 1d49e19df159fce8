"""Plays the person at the browser: signs in and consents through the pages of LemonLDAP::NG.

Prints the URL that the provider finally sends the browser to, which is not opened.

    browser.py AUTHORIZE_URL REDIRECT_URI USER PASSWORD
"""

import html.parser
import http.cookiejar
import sys
import urllib.error
import urllib.parse
import urllib.request


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


class Form(html.parser.HTMLParser):
    """Reads the first form of a page that is sent by POST."""

    def __init__(self, url: str, page: str):
        super().__init__()
        self.action = url
        self.fields: dict[str, str] = {}
        self.is_open = self.is_done = False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in attributes}
        if tag == "form" and not self.is_done and values.get("method", "").lower() == "post":
            self.is_open = True
            action = values.get("action") or "#"
            self.action = urllib.parse.urldefrag(urllib.parse.urljoin(self.action, action)).url
        elif self.is_open and tag == "input" and values.get("name"):
            if values.get("type") not in ("checkbox", "submit"):
                self.fields[values["name"]] = values.get("value", "")

    def handle_endtag(self, tag):
        if tag == "form" and self.is_open:
            self.is_open, self.is_done = False, True


def main(authorize_url: str, redirect_uri: str, user: str, password: str) -> None:
    browser = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), NoRedirect(),
        urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
    )
    url, fields, page = authorize_url, None, ""
    # A sign-in has a page for name and password and one for the consent.
    for _ in range(10):
        body = None if fields is None else urllib.parse.urlencode(fields).encode()
        try:
            answer = browser.open(urllib.request.Request(url, body), timeout=30)
        except urllib.error.HTTPError as error:
            answer = error
        if answer.status in (301, 302, 303):
            url, fields = urllib.parse.urljoin(url, answer.headers["Location"]), None
            if url.startswith(redirect_uri):
                print(url)
                return
            continue
        page = answer.read().decode()
        form = Form(url, page)
        if not form.is_done:
            break
        url, fields = form.action, form.fields
        if "user" in fields:
            fields |= {"user": user, "password": password}
    sys.exit(f"The provider stopped at {url}:\n{page[:4000]}")


main(*sys.argv[1:])
