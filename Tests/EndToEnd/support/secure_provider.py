"""An OpenID provider over TLS with its own certificate authority, and a proxy in front of it.

It supports the device grant only: enough for every kind of request in a sign-in.
"""

import http.server
import json
import socket
import ssl
import subprocess
import threading
import time
import urllib.parse

from joserfc import jwt
from joserfc.jwk import RSAKey

# DNS has no such name: clients reach it only through the proxy.
HOST = "login.keyturn.invalid"


def make_authority(folder):
    """Writes ca.pem, and org.pem and org.key, which it has signed."""
    def openssl(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", 2, "-subj", "/CN=Keyturn test CA",
            "-keyout", folder / "ca.key", "-out", folder / "ca.pem")
    (folder / "names").write_text(f"subjectAltName=DNS:{HOST},DNS:localhost")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={HOST}", "-keyout", folder / "org.key",
            "-out", folder / "org.csr")
    openssl("x509", "-req", "-in", folder / "org.csr", "-CA", folder / "ca.pem", "-CAkey", folder / "ca.key", "-days", 2,
            "-extfile", folder / "names", "-out", folder / "org.pem")


class Threaded:
    """A server in a thread."""

    def __init__(self, handler, tls_folder=None):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        if tls_folder:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls_folder / "org.pem", tls_folder / "org.key")
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


class SecureProvider(Threaded):
    def __init__(self, folder, issuer=None):
        self.replace_key()
        provider = self
        self.paths = []
        # The path and the form of each POST request.
        self.forms = []
        # Path to status, for documents that it does not send. A document can be a pair of status and content too.
        self.statuses = {}
        # Further members of the metadata.
        self.metadata = {}
        # Path to the text that it sends with such a status.
        self.texts = {}
        # The body of the POST request of each thread.
        self.request = threading.local()
        # Whether a kept connection closes without a response when a second request arrives on it.
        self.closes_kept_connections = False

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            has_answered = False

            def do_GET(self):
                self.answer()

            def do_POST(self):
                provider.request.body = self.rfile.read(int(self.headers["Content-Length"]))
                provider.forms.append((self.path, dict(urllib.parse.parse_qsl(provider.request.body.decode()))))
                self.answer()

            def answer(self):
                provider.paths.append(self.path)
                if self.has_answered and provider.closes_kept_connections:
                    self.close_connection = True
                    return
                self.has_answered = True
                status, body = provider.statuses.get(self.path, 200), provider.texts.get(self.path, "")
                if status == 200:
                    document = provider.documents[self.path]()
                    if isinstance(document, tuple):
                        status, document = document
                    body = json.dumps(document)
                body = body.encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format, *args):
                pass

        super().__init__(Handler, folder)
        self.issuer = issuer or f"https://localhost:{self.port}"
        self.documents = {
            "/.well-known/openid-configuration": lambda: {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "device_authorization_endpoint": f"{self.issuer}/device",
                "jwks_uri": f"{self.issuer}/keys",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                **self.metadata,
            },
            "/device": lambda: {
                "device_code": "d", "user_code": "ABCD", "verification_uri": f"{self.issuer}/enter",
                "expires_in": 60, "interval": 1},
            "/token": lambda: {
                "access_token": "opaque", "token_type": "Bearer", "expires_in": 3600, "scope": "openid profile email",
                "refresh_token": "refresh", "id_token": self.id_token()},
            "/keys": lambda: {"keys": [self.key.as_dict(private=False)]},
        }

    def replace_key(self):
        """Signs with another key from now on, under the same name."""
        self.key = RSAKey.generate_key(2048, {"kid": "1", "alg": "RS256", "use": "sig"})

    def id_token(self):
        return jwt.encode({"alg": "RS256", "kid": "1"}, self.claims(), self.key)

    def claims(self):
        now = int(time.time())
        return {"iss": self.issuer, "aud": "native", "sub": "1", "preferred_username": "ada", "iat": now, "exp": now + 600}


class Proxy(Threaded):
    """Tunnels HOST, and nothing else, to the provider."""

    def __init__(self, provider):
        proxy = self
        self.targets = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_CONNECT(self):
                proxy.targets.append(self.path)
                if self.path != f"{HOST}:443":
                    return self.send_error(403)
                with socket.create_connection(("127.0.0.1", provider.port)) as upstream:
                    self.send_response(200)
                    self.end_headers()
                    back = threading.Thread(target=pump, args=(upstream, self.connection), daemon=True)
                    back.start()
                    pump(self.connection, upstream)
                    back.join(5)
                self.close_connection = True

            def log_message(self, format, *args):
                pass

        super().__init__(Handler)
        self.address = f"http://127.0.0.1:{self.port}"


def pump(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass
