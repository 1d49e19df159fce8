"""Plays the person at the browser: signs in and consents as the pages of Glewlwyd do, over its API.

Prints the URL that the provider finally sends the browser to, which is not opened.

    browser.py AUTHORIZE_URL REDIRECT_URI USER PASSWORD
"""

import http.cookiejar
import json
import sys
import urllib.error
import urllib.parse
import urllib.request


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


def main(authorize_url: str, redirect_uri: str, user: str, password: str) -> None:
    browser = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), NoRedirect(),
        urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
    )
    base = authorize_url.split("/oidc/")[0]
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(authorize_url).query)

    def visit(url: str) -> str:
        try:
            page = browser.open(url, timeout=30)
        except urllib.error.HTTPError as error:
            if error.code in (301, 302, 303, 307):
                return urllib.parse.urljoin(url, error.headers["Location"])
            page = error
        sys.exit(f"The provider stopped at {url} with HTTP {page.status}:\n{page.read()[:4000]}")

    def send(method: str, path: str, body: dict) -> None:
        browser.open(
            urllib.request.Request(
                f"{base}/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"},
                method=method,
            ),
            timeout=30,
        ).close()

    target = visit(authorize_url)
    if "login.html" not in target:
        sys.exit(f"The provider asked for no sign-in: {target}")
    send("POST", "auth/", {"username": user, "password": password})
    client = urllib.parse.quote(query["client_id"][0])
    send("PUT", f"auth/grant/{client}/", {"scope": query["scope"][0]})
    login = urllib.parse.parse_qs(urllib.parse.urlsplit(target).query)
    # The mark of the page that asked the person to continue.
    target = visit(login["callback_url"][0] + "&g_continue")
    if not target.startswith(redirect_uri):
        sys.exit(f"The provider sent the browser elsewhere: {target}")
    print(target)


main(*sys.argv[1:])
