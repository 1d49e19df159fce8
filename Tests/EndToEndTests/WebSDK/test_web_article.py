"""The article "Moving a web app": its blocks are an app, and the page has the policy of the article on browsers."""

import functools
import http.server
import pathlib
import re
import ssl
import sys
import threading
import time

from playwright.sync_api import Page

import worlds
from support import WAIT, BrowserTests, new_person

ARTICLES = pathlib.Path(__file__).resolve().parents[3] / "Sources/AuthServer/AuthServer.docc"
# The page of the app: a script of its own gives the article's functions to the buttons.
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>The app of an article</title><link rel="icon" href="data:,">
<button id="signIn">Sign in</button><button id="link">Link</button><p id="recaptcha"></p>
<script type="module" src="page.js"></script></html>"""
SCRIPT = """import * as app from "./article.js";
await app.auth.authStateReady();
window.outcomes = [];
for (const name of ["signIn", "link"]) {
  document.getElementById(name).onclick = () => app[name]().then(
    (user) => window.outcomes.push(user.email), (error) => window.outcomes.push(error.code));
}
window.app = app;"""
NUMBER, CODE = "+15555550177", "424242"


def blocks(article: str, language: str) -> list[str]:
    text = (ARTICLES / f"{article}.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.S)


class ArticleHandler(http.server.BaseHTTPRequestHandler):
    """Serves texts by their paths, each with its kind, and one policy."""

    protocol_version = "HTTP/1.1"
    timeout = 60

    def __init__(self, texts: dict[str, tuple[str, str]], policy: str, *rest: object) -> None:
        self._texts, self._policy = texts, policy
        super().__init__(*rest)

    def do_GET(self) -> None:
        if self.path not in self._texts:
            return self.send_error(404)
        text, kind = self._texts[self.path]
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        if self._policy:
            self.send_header("Content-Security-Policy", self._policy)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class WebArticleTests(BrowserTests):
    def setUp(self) -> None:
        super().setUp()
        self.host = self.world.address.partition("://")[2]
        code = "\n".join(blocks("MovingAWebApp", "js"))
        for old, new in (
            ("http://127.0.0.1:9099", self.world.address),
            ("auth.example.com", self.host), ('"KEY"', f'"{worlds.KEY}"'),
        ):
            self.assertIn(old, code)
            code = code.replace(old, new)
        self.serve(re.sub(r'"firebase/(app|auth)"', '"./auth.js"', code))

    def serve(self, code: str) -> None:
        is_production = self.world.scheme == "https"
        texts = {
            "/": (PAGE, "text/html"), "/page.js": (SCRIPT, "text/javascript"),
            "/article.js": (code, "text/javascript"),
            "/auth.js": ((pathlib.Path(sys.prefix) / "auth.js").read_text(), "text/javascript"),
        }
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0),
            functools.partial(ArticleHandler, texts, self.policy() if is_production else ""))
        if is_production:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.world.certificate.file, self.world.certificate.key)
            server.socket = context.wrap_socket(
                server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        # At localhost the app of the article uses the emulator.
        site = worlds.APP_SITE if is_production else "localhost"
        self.address = f"{self.world.scheme}://{site}:{server.server_port}/"

    def policy(self) -> str:
        [policy] = [text for text in blocks("BrowserSignIn", "text") if "script-src" in text]
        self.assertIn("auth.example.com", policy)
        policy = policy.strip().replace("auth.example.com", self.host)
        return "default-src 'self'; img-src data:; " + policy.replace("-src ", "-src 'self' ")

    def open_page(self) -> Page:
        page = self.visitor.new_page()
        page.goto(self.address)
        self.wait(page, "window.app !== undefined")
        return page

    def wait(self, page: Page, condition: str) -> None:
        """Waits as Playwright's own function does, which the page's policy forbids."""
        deadline = time.monotonic() + WAIT / 1000
        while not page.evaluate(condition):
            self.assertLess(time.monotonic(), deadline, condition)
            page.wait_for_timeout(50)

    def popup(self, page: Page, name: str, person: object) -> object:
        count = page.evaluate("window.outcomes.length")
        with page.expect_popup(timeout=WAIT) as popup:
            page.click(f"#{name}")
        self.world.vendor.sign_in(popup.value, person)
        self.wait(page, f"window.outcomes.length > {count}")
        return page.evaluate("window.outcomes.at(-1)")

    def test_a_sign_in(self) -> None:
        person, page = new_person(), self.open_page()
        self.assertEqual(self.popup(page, "signIn", person), person.email)
        # The page's user is there after a reload, by a request to the server.
        page.reload()
        self.wait(page, "window.app !== undefined")
        self.assertEqual(page.evaluate("app.auth.currentUser.email"), person.email)
        self.assertIsNotNone(page.evaluate("app.auth.currentUser.getIdToken(true)"))

    def test_a_link_to_what_another_account_has(self) -> None:
        person, page = new_person(), self.open_page()
        self.assertEqual(self.popup(page, "signIn", person), person.email)
        uid = page.evaluate("app.auth.currentUser.uid")
        page.evaluate("app.auth.signOut()")
        page.evaluate("import('./auth.js').then((sdk) => sdk.signInAnonymously(app.auth))")
        self.assertNotEqual(page.evaluate("app.auth.currentUser.uid"), uid)
        self.assertEqual(self.popup(page, "link", person), person.email)
        self.assertEqual(page.evaluate("app.auth.currentUser.uid"), uid)

    def test_a_sign_in_by_phone(self) -> None:
        page = self.open_page()
        if self.world.has_phones:
            page.expose_function("askForCode", lambda: self.world.phone_code(NUMBER))
        else:
            self.set_up_phones()
            page.expose_function("askForCode", lambda: CODE)
        number = page.evaluate(
            f"app.signInByPhone('{NUMBER}', askForCode).then((user) => user.phoneNumber)")
        self.assertEqual(number, NUMBER)

    def set_up_phones(self) -> None:
        script = self.world.folder / "phones.lua"
        script.write_text(
            f'providers.configure("phone", {{ testNumbers = {{ ["{NUMBER}"] = "{CODE}" }} }})\n'
            'return "configured"\n')
        store = f"sqlite:{self.world.folder / 'accounts.db'}"
        self.world.run(["run", "--store", store, str(script)], "(configured)")
        # The running server reads the settings again within two seconds.
        time.sleep(3)
