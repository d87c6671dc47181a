"""Repositories over smart HTTP, whose passwords are access tokens: git's own http-backend behind a check of the token."""

import base64
import http.server
import os
import subprocess

from .secure_provider import Threaded

BACKEND = "/usr/lib/git-core/git-http-backend"


class GitServer(Threaded):
    """`accepts` decides about a token. The challenge names `schemes`."""

    def __init__(self, folder, accepts, schemes=("Basic",)):
        self.root = folder / "repositories"
        self.root.mkdir()
        self.accepts = accepts
        # The (scheme, username, token) of each request with credentials.
        self.seen = []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer()

            do_POST = do_GET

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if self.headers.get("Transfer-Encoding") == "chunked":
                    body = b"".join(iter(self.chunk, b""))
                given = server.credentials(self.headers.get("Authorization"))
                if given:
                    server.seen.append(given)
                if not given or not server.accepts(given[2]):
                    self.send_response(401)
                    for scheme in schemes:
                        self.send_header("WWW-Authenticate", f'{scheme} realm="git"')
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.backend(given[1], body)

            def chunk(self):
                data = self.rfile.read(int(self.rfile.readline(), 16))
                self.rfile.readline()
                return data

            def backend(self, user, body):
                path, _, query = self.path.partition("?")
                environment = {
                    **os.environ, "GIT_PROJECT_ROOT": str(server.root), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
                    "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_USER": user or "token",
                    "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
                    "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                    "GIT_PROTOCOL": self.headers.get("Git-Protocol", "")}
                output = subprocess.run([BACKEND], input=body, env=environment, capture_output=True, check=True).stdout
                head, _, content = output.partition(b"\r\n\r\n")
                fields = [line.split(": ", 1) for line in head.decode().split("\r\n")]
                status = next((int(value[:3]) for name, value in fields if name == "Status"), 200)
                self.send_response(status)
                for name, value in fields:
                    if name != "Status":
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        super().__init__(Handler)
        self.address = f"http://127.0.0.1:{self.port}"

    @staticmethod
    def credentials(field):
        scheme, _, value = (field or "").partition(" ")
        if scheme == "Basic":
            user, _, token = base64.b64decode(value).decode().partition(":")
            return scheme, user, token
        return (scheme, None, value) if value else None

    def add(self, name):
        subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch", "main", str(self.root / name)], check=True)
        subprocess.run(["git", "-C", str(self.root / name), "config", "http.receivepack", "true"], check=True)
