"""Programs and pages that a browser meets, on this machine."""

import functools
import http.server
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import threading

FOLDER = pathlib.Path(__file__).resolve().parent / "pages"


class PortTaken(RuntimeError):
    """Another process took the port before the program did."""


def at_free_port(work):
    """Calls a function with a free port, and again with another one if that is taken meanwhile."""
    for _ in range(10):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        try:
            return work(port)
        except PortTaken:
            continue
    raise RuntimeError("no port stays free")


class Program:
    """The built binary, until it is stopped."""

    def __init__(self, arguments: list[str], folder: pathlib.Path, announcement: str) -> None:
        self.log: list[str] = []
        self.address = ""
        self._found = threading.Event()
        self._process = subprocess.Popen(
            [os.environ["AUTHGRAPH"], *arguments], cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={"HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"})
        threading.Thread(target=self._read, args=(re.compile(announcement),), daemon=True).start()
        if not self._found.wait(60) or not self.address:
            text = "the program did not start: " + "".join(self.log)
            raise PortTaken(text) if re.search(r"The port \d+ of \S+ is taken", text) else RuntimeError(text)

    def _read(self, announcement: re.Pattern) -> None:
        for line in self._process.stdout:
            self.log.append(line)
            found = announcement.search(line)
            if found and not self.address:
                self.address = found[1]
                self._found.set()
        self._found.set()

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise


class Certificate:
    """A certificate that no one trusts; the browser is told to take any."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.file, self.key = folder / "certificate.pem", folder / "certificate.key"
        subprocess.run(
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,DNS:apis.google.com,DNS:app.test,DNS:other.test",
                "-keyout", str(self.key), "-out", str(self.file),
            ], check=True, capture_output=True)


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A browser that goes away is no news."""


class Pages:
    """An app's pages at a port, over TLS if there is a certificate."""

    def __init__(
        self, bundle: pathlib.Path, config: dict, certificate: Certificate | None = None,
    ) -> None:
        handler = functools.partial(_PageHandler, bundle, config)
        self._server = _Server(("127.0.0.1", 0), handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate.file, certificate.key)
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _PageHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def __init__(self, bundle: pathlib.Path, config: dict, *rest: object) -> None:
        self._bundle, self._config = bundle, config
        super().__init__(*rest)

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path == "/config.json":
            return self._answer(json.dumps(self._config).encode(), "application/json")
        if path == "/auth.js":
            return self._answer(self._bundle.read_bytes(), "text/javascript")
        file = {"/": "index.html", "/app.js": "app.js", "/js/api.js": "api.js"}.get(path)
        if not file:
            return self.send_error(404)
        kind = "text/html" if file.endswith(".html") else "text/javascript"
        self._answer((FOLDER / file).read_bytes(), kind)

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass
