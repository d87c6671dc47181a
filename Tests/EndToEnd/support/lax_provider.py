"""An OpenID provider that checks only what a test tells it to check."""

import json
import time
import urllib.parse

from joserfc import jwt
from joserfc.jwk import RSAKey

from .local_server import Handler, LocalServer


class LaxProvider(LocalServer):
    """Its page redirects at once. `checks`: the token request's parameters that must be those of the page."""

    def __init__(self, *checks):
        self.checks = set(checks)
        self.key = RSAKey.generate_key(2048, {"kid": "1", "alg": "RS256", "use": "sig"})
        # The parameters of the last page, and the codes that were redeemed.
        self.page = {}
        self.redeemed = []
        provider = self

        class Lax(Handler):
            def do_GET(self):
                parts = urllib.parse.urlsplit(self.path)
                if parts.path == "/authorize":
                    provider.page = dict(urllib.parse.parse_qsl(parts.query))
                    code = urllib.parse.urlencode({"code": "code-1", "state": provider.page["state"]})
                    self.answer(302, Location=f"{provider.page['redirect_uri']}?{code}")
                elif parts.path == "/keys":
                    self.send(200, {"keys": [provider.key.as_dict(private=False)]})
                else:
                    self.send(200, provider.metadata)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self.send(*provider.tokens(dict(urllib.parse.parse_qsl(body))))

            def send(self, status, document):
                self.answer(status, json.dumps(document).encode())

        self.serve(Lax)
        self.issuer = self.origin

    @property
    def metadata(self):
        return {
            "issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/keys",
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"]}

    def tokens(self, form):
        if "redirect_uri" in self.checks and form.get("redirect_uri") != self.page["redirect_uri"]:
            return 400, {"error": "redirect_uri_mismatch"}
        if "code_verifier" in self.checks and ("code_verifier" in form) != ("code_challenge" in self.page):
            return 400, {"error": "invalid_grant"}
        if "code" in self.checks and form["code"] in self.redeemed:
            return 400, {"error": "invalid_grant"}
        self.redeemed.append(form["code"])
        now = int(time.time())
        claims = {
            "iss": self.issuer, "aud": "native", "sub": "1", "preferred_username": "ada", "iat": now, "exp": now + 600,
            "nonce": self.page.get("nonce")}
        return 200, {
            "access_token": "opaque", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "refresh",
            "id_token": jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.key)}
