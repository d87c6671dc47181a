"""A strict OpenID provider: refresh tokens are for one use, and a second use revokes the whole family (RFC 9700 §4.14.2)."""

import contextlib
import http.server
import json
import secrets
import threading
import time
import urllib.parse

from joserfc import jwt
from joserfc.jwk import RSAKey
from support.secure_provider import Threaded


class StrictProvider(Threaded):
    """Signs Ada in at once. Its API, `/api`, is a protected resource; so is every `/resource/NAME`."""

    key = RSAKey.generate_key(2048, {"kid": "1", "alg": "RS256", "use": "sig"})

    def __init__(self, lifetime=3600):
        provider = self
        self.lifetime = lifetime
        self.lock = threading.Lock()
        self.codes = {}
        self.clients = {"native"}
        # The refresh tokens that can be used, with their families; revoked families; used tokens.
        self.valid, self.used, self.revoked = {}, {}, set()
        self.refreshes = self.registrations = 0
        # Set to hold the response to a refresh after the token has been used.
        self.holds = False
        self.has_used, self.may_respond = threading.Event(), threading.Event()
        # The response to the next refresh instead of tokens, from the refresh token: (status, type, text).
        self.refuses = None
        self.omits_refresh_token = False
        # Further members of the tokens.
        self.others = {}
        self.user = "ada"
        self.api_status = 200
        self.secrets = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                provider.get(self)

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                provider.post(self, body)

            def answer(self, status, value, kind="application/json", **headers):
                body = (value if isinstance(value, str) else json.dumps(value)).encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                for name, field in headers.items():
                    self.send_header(name.replace("_", "-"), field)
                # The program may have ended, as a test of signals wants.
                with contextlib.suppress(ConnectionError):
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, format, *args):
                pass

        super().__init__(Handler)
        self.issuer = f"http://127.0.0.1:{self.port}"

    def close(self):
        self.may_respond.set()
        super().close()

    def resource(self, name):
        return f"{self.issuer}/resource/{name}"

    def get(self, handler):
        path, _, query = handler.path.partition("?")
        if path.startswith("/.well-known/oauth-protected-resource/"):
            place = path.removeprefix("/.well-known/oauth-protected-resource")
            handler.answer(200, {"resource": self.issuer + place, "authorization_servers": [self.issuer]})
        elif path.startswith("/.well-known/"):
            handler.answer(200, self.metadata())
        elif path == "/keys":
            handler.answer(200, {"keys": [self.key.as_dict(private=False)]})
        elif path == "/authorize":
            self.authorize(handler, dict(urllib.parse.parse_qsl(query)))
        elif path.startswith(("/api", "/resource/")):
            self.serve(handler, path)
        else:
            handler.answer(404, {})

    def metadata(self):
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "device_authorization_endpoint": f"{self.issuer}/device",
            "registration_endpoint": f"{self.issuer}/register",
            "jwks_uri": f"{self.issuer}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
        }

    def authorize(self, handler, query):
        if query["client_id"] not in self.clients:
            # As the thread has it: no redirect, and no page that a user can read.
            return handler.answer(422, {"message": "Unrecognized client_id"})
        code = secrets.token_urlsafe(16)
        self.codes[code] = (query["client_id"], query.get("nonce"))
        separator = "&" if "?" in query["redirect_uri"] else "?"
        answer = urllib.parse.urlencode({"code": code, "state": query["state"]})
        return handler.answer(302, "", Location=f"{query['redirect_uri']}{separator}{answer}")

    def serve(self, handler, path):
        if not handler.headers.get("Authorization"):
            place = f'{self.issuer}/.well-known/oauth-protected-resource{path}'
            return handler.answer(401, {}, WWW_Authenticate=f'Bearer resource_metadata="{place}"')
        return handler.answer(self.api_status, {"path": path})

    def post(self, handler, body):
        if handler.path == "/register":
            with self.lock:
                self.registrations += 1
                client = f"client-{self.registrations}-{secrets.token_hex(4)}"
                self.clients.add(client)
            return handler.answer(201, {**json.loads(body), "client_id": client})
        form = dict(urllib.parse.parse_qsl(body))
        if handler.path == "/device":
            return handler.answer(200, {
                "device_code": "d", "user_code": "ABCD", "verification_uri": f"{self.issuer}/enter", "expires_in": 60,
                "interval": 1})
        return self.token(handler, form)

    def token(self, handler, form):
        grant = form["grant_type"]
        if form.get("client_id") not in self.clients:
            return handler.answer(401, {"error": "invalid_client"})
        if grant == "authorization_code":
            client, nonce = self.codes.pop(form["code"])
            return handler.answer(200, self.tokens(secrets.token_hex(4), client, nonce))
        if grant != "refresh_token":
            return handler.answer(200, self.tokens(secrets.token_hex(4), form["client_id"]))
        with self.lock:
            given = form["refresh_token"]
            family = self.valid.get(given) or self.used.get(given)
            if given not in self.valid or family in self.revoked:
                self.revoked.add(family)
                return handler.answer(400, {"error": "invalid_grant", "error_description": "The token was used before."})
            if self.refuses:
                refuses, self.refuses = self.refuses, None
                status, kind, text = refuses(given)
                return handler.answer(status, text, kind)
            self.refreshes += 1
            if not self.omits_refresh_token:
                self.used[given] = self.valid.pop(given)
            answer = self.tokens(family, form["client_id"])
            self.has_used.set()
            holds, self.holds = self.holds, False
        if holds:
            self.may_respond.wait(30)
        return handler.answer(200, answer)

    def claims(self, client):
        now = int(time.time())
        return {"iss": self.issuer, "aud": client, "sub": "1" if self.user == "ada" else self.user, "preferred_username": self.user, "iat": now, "exp": now + 600}

    def tokens(self, family, client, nonce=None):
        claims = self.claims(client)
        if nonce:
            claims["nonce"] = nonce
        answer = {
            "access_token": secrets.token_urlsafe(30), "token_type": "Bearer", "expires_in": self.lifetime,
            "scope": "openid profile email offline_access",
            "id_token": jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.key),
        }
        answer |= self.others
        if not (self.omits_refresh_token and self.valid):
            answer["refresh_token"] = secrets.token_urlsafe(30)
            self.valid[answer["refresh_token"]] = family
        self.secrets += [answer[name] for name in ("access_token", "refresh_token", "id_token") if name in answer]
        return answer
