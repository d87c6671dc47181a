"""Servers whose passwords are access tokens, as small as the clients of the recipes allow: IMAP, SMTP, PostgreSQL and a registry.
`accepts` decides about a token, and `seen` has the tokens that came."""

import base64
import http.server
import json
import socketserver
import struct
import threading
import urllib.parse

from .secure_provider import Threaded


class LineServer:
    def __init__(self, accepts):
        self.accepts = accepts
        self.seen = []
        server = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                server.serve(self.rfile, self.wfile)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def check(self, token):
        self.seen.append(token)
        return self.accepts(token)

    def check_response(self, text):
        """A SASL response: fields between bytes 1."""
        fields = base64.b64decode(text).decode().split("\x01")
        return self.check(next(field for field in fields if field.startswith("auth=Bearer "))[12:])


class IMAPServer(LineServer):
    def serve(self, requests, responses):
        def say(line):
            responses.write(f"{line}\r\n".encode())

        say("* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2] ready")
        for line in requests:
            tag, name, *rest = line.decode().split()
            name = name.upper()
            if name == "AUTHENTICATE":
                if not rest[1:]:
                    say("+ ")
                    rest.append(next(requests).decode().strip())
                if not self.check_response(rest[1]):
                    say(f"{tag} NO [AUTHENTICATIONFAILED] failed")
                    continue
            elif name == "CAPABILITY":
                say("* CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2")
            elif name == "LIST":
                say('* LIST () "/" INBOX')
            say(f"{tag} OK done")
            if name == "LOGOUT":
                return


class SMTPServer(LineServer):
    def serve(self, requests, responses):
        def say(line):
            responses.write(f"{line}\r\n".encode())

        say("220 ready")
        for line in requests:
            name, *rest = line.decode().split()
            if name == "EHLO":
                say("250-here")
                say("250 AUTH OAUTHBEARER XOAUTH2")
            elif name == "AUTH":
                if not rest[1:]:
                    say("334 ")
                    rest.append(next(requests).decode().strip())
                say("235 yes" if self.check_response(rest[1]) else "535 no")
            elif name == "DATA":
                say("354 go on")
                for text in requests:
                    if text == b".\r\n":
                        break
                say("250 taken")
            elif name == "QUIT":
                say("221 bye")
                return
            else:
                say("250 done")


class PostgreSQLServer(LineServer):
    """Answers every query with one row, the user (PostgreSQL's protocol 3.0)."""

    def serve(self, requests, responses):
        def send(kind, body):
            responses.write(kind + struct.pack("!I", len(body) + 4) + body)

        def packet():
            return requests.read(struct.unpack("!I", requests.read(4))[0] - 4)

        start = packet()
        while start[:4] != struct.pack("!I", 196608):
            # TLS and GSS encryption.
            responses.write(b"N")
            start = packet()
        fields = start[4:].split(b"\0")
        user = dict(zip(fields[::2], fields[1::2]))[b"user"]
        send(b"R", struct.pack("!I", 3))
        requests.read(1)
        if not self.check(packet().rstrip(b"\0").decode()):
            send(b"E", b"SFATAL\0C28P01\0Mpassword authentication failed\0\0")
            return
        send(b"R", struct.pack("!I", 0))
        send(b"Z", b"I")
        while requests.read(1) == b"Q":
            packet()
            send(b"T", struct.pack("!H", 1) + b"user\0" + struct.pack("!IHIhih", 0, 0, 25, -1, -1, 0))
            send(b"D", struct.pack("!HI", 1, len(user)) + user)
            send(b"C", b"SELECT 1\0")
            send(b"Z", b"I")


class RegistryServer(Threaded):
    """A registry that exchanges access tokens for passwords, as Azure's does."""

    def __init__(self, accepts, tls_folder=None):
        self.seen = []
        self.authorizations = []
        server = self
        password = "password-of-the-registry"
        granted = base64.b64encode(f"{'00000000-0000-0000-0000-000000000000'}:{password}".encode()).decode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
                server.seen.append(form["access_token"])
                right = self.path == "/oauth2/exchange" and accepts(form["access_token"])
                self.respond(200 if right else 401, {"refresh_token": password} if right else {})

            def do_GET(self):
                server.authorizations.append(self.headers.get("Authorization"))
                if self.headers.get("Authorization") == f"Basic {granted}":
                    self.respond(200, {})
                else:
                    self.respond(401, {}, 'Basic realm="registry"')

            def respond(self, status, members, challenge=None):
                body = json.dumps(members).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                if challenge:
                    self.send_header("WWW-Authenticate", challenge)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        super().__init__(Handler, tls_folder)
