"""The two behaviours of the server, each with an app's pages, and vendors at which people sign in."""

import json
import os
import pathlib
import re
import tempfile

import servers
import token_info
import vendors

KEY = "web-key"
# The app at the vendors.
CLIENT, SECRET = "idp-client", "idp-secret"
# A site of its own, at which the project lets apps sign in, and one at which it does not.
APP_SITE, OTHER_SITE = "app.test", "other.test"


class World:
    """A server, and an app at localhost and at two other sites."""

    scheme: str
    address: str
    # True if codes for phones can be read.
    has_phones = False
    trusts_every_site = False
    vendor: vendors.Vendor

    def __init__(self, bundle: pathlib.Path) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="authgraph-web-")
        self.folder = pathlib.Path(self._folder.name)
        self.certificate = servers.Certificate(self.folder)
        self.programs: list[servers.Program] = []
        # Google's library is at an address with TLS in both worlds.
        self.library = servers.Pages(bundle, {}, self.certificate)
        self.pages = servers.Pages(
            bundle, self.start(), self.certificate if self.scheme == "https" else None)

    def start(self) -> dict:
        """Starts the servers, and returns what the app's pages have to know."""
        raise NotImplementedError

    def run(self, arguments: list[str], announcement: str) -> servers.Program:
        program = servers.Program(arguments, self.folder, announcement)
        self.programs.append(program)
        return program

    def page(self, site: str = "localhost") -> str:
        return f"{self.scheme}://{site}:{self.pages.port}/"

    @property
    def browser_arguments(self) -> list[str]:
        sites = [f"MAP {site} 127.0.0.1" for site in (APP_SITE, OTHER_SITE)]
        rules = [
            f"MAP apis.google.com:443 127.0.0.1:{self.library.port}", *sites,
            "MAP * ~NOTFOUND", "EXCLUDE localhost", "EXCLUDE 127.0.0.1",
        ]
        return [
            f"--host-resolver-rules={', '.join(rules)}", "--ignore-certificate-errors",
            "--no-proxy-server",
        ]

    def stop(self) -> None:
        for pages in (self.pages, self.library):
            pages.stop()
        for program in self.programs:
            program.stop()
        self._folder.cleanup()


class Emulator(World):
    """The server in the place of Firebase's emulator."""

    scheme = "http"
    has_phones = True
    trusts_every_site = True

    def start(self) -> dict:
        self.vendor = vendors.EmulatedVendor()
        server = self.run(
            ["serve", "--compat", "emulator", "--store", "memory:", "--port", "0"],
            r"AuthGraph listens on (\S+)")
        self.address = server.address.replace("127.0.0.1", "localhost")
        return {
            "apiKey": KEY, "authDomain": "localhost", "emulator": self.address,
            "rest": f"{self.address}/identitytoolkit.googleapis.com",
        }

    def phone_code(self, number: str) -> str:
        """The last code for a number, from the emulator's list."""
        path = f"{self.address}/emulator/v1/projects/demo-project/verificationCodes"
        with token_info.DIRECT.open(path) as answer:
            codes = json.load(answer)["verificationCodes"]
        return [entry["code"] for entry in codes if entry["phoneNumber"] == number][-1]


class Production(World):
    """The server with providers that have their own sign-in pages; the app reaches it over TLS."""

    scheme = "https"

    def start(self) -> dict:
        self.vendor = vendors.OpenIDVendor()
        google = self._provider(issuer="https://accounts.google.com", algorithm="RS256")
        work = self._provider(requiresPKCE=True)
        self.token_info = token_info.TokenInfo(google.address, CLIENT, SECRET)
        self._configure(google.address, work.address)
        host = servers.at_free_port(self._serve)
        return {
            "apiKey": KEY, "authDomain": host, "rest": self.address,
            "api": {"apiHost": host, "tokenApiHost": host, "apiScheme": "https"},
        }

    def _serve(self, port: int) -> str:
        self.address = f"https://localhost:{port}"
        configuration = self.folder / "authgraph.yaml"
        configuration.write_text(
            f"publicURL: {self.address}\nstore: sqlite:accounts.db\napiKeys: [{KEY}]\n"
            f"listen: {{ port: {port} }}\n"
            f"tls: {{ certificate: {self.certificate.file}, key: {self.certificate.key} }}\n"
            "rateLimits: { signUpsPerAddressAndHour: 0 }\n")
        self.run(["serve", "--config", str(configuration)], r"AuthGraph listens on (\S+)")
        return f"localhost:{port}"

    def _provider(self, **behaviour: object) -> servers.Program:
        script = self.folder / f"provider-{len(self.programs)}.json"
        script.write_text(json.dumps({"people": vendors.OpenIDVendor.people(), **behaviour}))
        return self.run(["idp", "--port", "0", "--script", str(script)], r"(http://127\.0\.0\.1:\d+)")

    def _configure(self, google: str, work: str) -> None:
        def host(address: str) -> str:
            return re.sub("^http://", "", address)

        code = f"""
            providers.configure("google.com", {{
              clientIDs = {{ "{CLIENT}" }}, clientSecret = "{SECRET}",
              endpoints = {{
                authorize = "{google}/authorize", token = "{google}/token", keys = "{google}/keys",
                userInfo = "{google}/userinfo", tokenInfo = "{self.token_info.address}",
              }},
              privateHosts = {{ "{host(google)}", "{self.token_info.host}" }},
            }})
            providers.configure("oidc.work", {{
              issuer = "{work}", clientID = "{CLIENT}", clientSecret = "{SECRET}",
              privateHosts = {{ "{host(work)}" }},
            }})
            settings.trust("google.com", {{ "example.com" }})
            settings.set {{ signIn = {{ authorizedDomains = {{ "localhost", "{APP_SITE}" }} }} }}
            return "configured"
            """
        script = self.folder / "configure.lua"
        script.write_text(code)
        store = f"sqlite:{self.folder / 'accounts.db'}"
        self.run(["run", "--store", store, "--create", str(script)], "(configured)")

    def stop(self) -> None:
        self.token_info.stop()
        super().stop()


def begin(bundle: pathlib.Path) -> World:
    """The world that the variable WEB_SDK_MODE names."""
    return {"emulator": Emulator, "production": Production}[os.environ["WEB_SDK_MODE"]](bundle)
