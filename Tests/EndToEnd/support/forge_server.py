"""A forge with the habits of GitHub's OAuth: no metadata and no ID tokens, errors with status 200, answers as forms, scopes with
commas, tokens that don't expire, and an API that rejects requests without a User-Agent."""

import http.server
import json
import urllib.parse

from .secure_provider import Threaded


class ForgeServer(Threaded):
    def __init__(self):
        # The answers of the token endpoint, before the token.
        self.first = ["authorization_pending"]
        self.account = {"login": "ann-forge", "id": 4711, "name": "Ann"}
        self.sends_json = False
        # Members besides the access token.
        self.others = {"scope": "repo,gist"}
        # The path, form and headers of each request.
        self.seen = []
        self.issued = 0
        self.revoked = set()
        forge = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.respond({})

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                self.respond(dict(urllib.parse.parse_qsl(body)))

            def respond(self, form):
                path, _, query = self.path.partition("?")
                forge.seen.append((path, form, dict(self.headers)))
                if path == "/login/oauth/authorize":
                    sent = dict(urllib.parse.parse_qsl(query))
                    back = urllib.parse.urlencode({"code": "code-1", "state": sent["state"]})
                    self.send_response(302)
                    self.send_header("Location", f"{sent['redirect_uri']}?{back}")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                elif path == "/login/device/code":
                    self.answer({
                        "device_code": "device-1", "user_code": "WDJB-MJHT", "verification_uri": forge.address + "/login/device",
                        "expires_in": 899, "interval": 1})
                elif path == "/login/oauth/access_token":
                    self.answer(forge.tokens(form))
                elif path == "/api/user":
                    token = self.headers.get("Authorization", "").removeprefix("Bearer ")
                    if "User-Agent" not in self.headers or token in forge.revoked or not token.startswith("gho_"):
                        self.send(403, "application/json", json.dumps({"message": "Bad credentials"}))
                    else:
                        self.send(200, "application/json", json.dumps(forge.account))
                else:
                    self.send(404, "text/html", "<html>Not found</html>")

            def answer(self, members):
                if forge.sends_json:
                    self.send(200, "application/json; charset=utf-8", json.dumps(members))
                else:
                    self.send(200, "application/x-www-form-urlencoded; charset=utf-8", urllib.parse.urlencode(members))

            def send(self, status, kind, text):
                body = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        super().__init__(Handler)
        self.address = f"http://127.0.0.1:{self.port}"

    def tokens(self, form):
        if self.first and "device_code" in form:
            return {"error": self.first.pop(0), "error_description": "The authorization request is still pending.", "interval": 1}
        self.issued += 1
        return {"access_token": f"gho_{self.issued}", "token_type": "bearer", **self.others}

    @property
    def endpoints(self):
        return {
            "authorization": f"{self.address}/login/oauth/authorize", "token": f"{self.address}/login/oauth/access_token",
            "device": f"{self.address}/login/device/code", "account": f"{self.address}/api/user", "accountMember": "login"}

    def profile(self, **others):
        """A profile for this server, with its endpoints."""
        return {
            "clientId": "Iv23li0123456789abcd", "authority": self.address, "authorityType": "oauth", "endpoints": self.endpoints,
            "scopes": ["repo"], "cache": {"key": "keyFile"}, "method": "device", **others}
