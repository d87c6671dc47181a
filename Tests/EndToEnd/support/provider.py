"""Servers for sign-ins: foreign providers, the built-in authority alone, and servers that are not authorities."""

import http.server
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading

from .waiting import wait_until
from .workspace import KEYTURN, ROOT


class ServerProcess:
    """A process that prints its URL when it listens."""

    def __init__(self, command, pattern, environment):
        self._process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            text=True,
        )
        self.lines = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.address = wait_until(lambda: self._find(pattern), 60, lambda: f"no address from {command}: {self.lines}")

    def _read(self):
        for line in self._process.stdout:
            self.lines.append(line.rstrip("\n"))

    def _find(self, pattern):
        found = re.search(pattern, "\n".join(self.lines))
        if not found and self._process.poll() is not None:
            raise AssertionError(f"ended with {self._process.returncode}: {self._process.args}")
        return found and found.group(1)

    def close(self):
        if not self._process.stdout.closed:
            self.end(signal.SIGTERM)

    def end(self, number):
        """Ends the process by a signal. Returns its exit status."""
        self._process.send_signal(number)
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        self._process.stdout.close()
        return self._process.returncode


def start_provider(name, *arguments, **environment):
    """Starts Tests/Providers/NAME_provider.py; its `address` is the issuer, its `lines` list the requested grants."""
    script = ROOT / "Tests/Providers" / f"{name}_provider.py"
    return ServerProcess([sys.executable, script, *arguments], r"ready (\S+)", {**os.environ, **environment})


def start_authority(workspace, *arguments):
    """Starts `keyturn authority`; its `address` is the origin."""
    return ServerProcess([KEYTURN, "authority", "--port", "0", *arguments], r"(https?://[\w.:\[\]]+)", workspace.environment)


def free_port():
    """A loopback port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class DjangoProviders:
    """A journey at each of Django's providers; the class that inherits it has `journey(name)`."""

    def test_django_allauth(self):
        self.journey("allauth")

    def test_django_oauth_toolkit(self):
        self.journey("toolkit")


class PageServer:
    """Responds to every request with the same HTML page: a web server that is not an authority."""

    def __init__(self, page="<html><title>Shop</title><body>Welcome to the shop</body></html>", tls_folder=None,
                 status=200, fields=()):
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                kind, text = server.response(self.path, page)
                self.send_response(status)
                for name, value in [("Content-Type", kind), *fields]:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            do_CONNECT = do_GET

            def log_message(self, format, *args):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}"
        if tls_folder:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls_folder / "org.pem", tls_folder / "org.key")
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
            self.address = f"https://localhost:{self.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def response(self, path, page):
        """The media type and the text of the response for a path."""
        return "text/html", page

    def close(self):
        self._server.shutdown()
        self._server.server_close()


class DiscoveryServer(PageServer):
    """An OpenID provider's discovery document and keys, with an error page everywhere else."""

    def __init__(self, **members):
        self._members = members
        super().__init__("<html><title>Error</title><body>Invalid redirect_uri.</body></html>")

    def response(self, path, page):
        if path == "/keys":
            return "application/json", '{"keys":[]}'
        if path != "/.well-known/openid-configuration":
            return super().response(path, page)
        return "application/json", json.dumps({
            "issuer": self.address, "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token", "jwks_uri": f"{self.address}/keys",
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            **{name: f"{self.address}{path}" for name, path in self._members.items()},
        })


def make_self_signed_certificate(folder: pathlib.Path):
    """Writes org.pem and org.key, a self-signed certificate."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", folder / "org.key", "-out", folder / "org.pem"],
        check=True,
        capture_output=True,
    )
