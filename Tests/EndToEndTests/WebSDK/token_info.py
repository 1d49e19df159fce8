"""Google's own way to describe an access token, for a vendor that has the standard one (RFC 7662)."""

import base64
import http.server
import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

# The vendor is on this machine, whatever proxy leads to others.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class TokenInfo:
    """The endpoint, which asks the vendor as the app."""

    def __init__(self, vendor: str, client: str, secret: str) -> None:
        credentials = base64.b64encode(f"{client}:{secret}".encode()).decode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
                token = query.get("access_token", [""])[0]
                known = inspect(f"{vendor}/introspect", token, credentials)
                answer = describe(known) if known.get("active") else {"error": "invalid_token"}
                body = json.dumps(answer).encode()
                self.send_response(200 if known.get("active") else 400)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self._server.server_port}"
        self.address = f"http://{self.host}/tokeninfo"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def inspect(address: str, token: str, credentials: str) -> dict:
    request = urllib.request.Request(
        address, data=urllib.parse.urlencode({"token": token}).encode(),
        headers={"Authorization": f"Basic {credentials}"})
    try:
        with DIRECT.open(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError:
        return {}


def describe(known: dict) -> dict:
    client = known["client_id"]
    return {
        "aud": client, "azp": client, "sub": known["sub"], "scope": known["scope"],
        "expires_in": str(int(known["exp"] - time.time())),
    }
