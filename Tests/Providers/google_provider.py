"""A provider with Google's rules, for a client of the type "Desktop app": the client `native`.

usage: google_provider.py [PORT]

The token endpoint requires the client's secret SECRET, in the form or the header, beside PKCE. There is no registration and no
`offline_access`: only `access_type=offline` in the authorization request gets a refresh token, at the first consent or with
`prompt=consent`. Refresh tokens stay valid. A device code needs a client of another type. Consent is given at once, for the
user alice. AT_TTL is the lifetime of access tokens in seconds, METHODS the listed client authentication. Prints one line for
each request to the endpoints.
"""

import base64
import hashlib
import http.server
import json
import os
import secrets
import sys
import time
import urllib.parse

from joserfc import jwt
from joserfc.jwk import RSAKey

SECRET = "GOCSPX-aSecretOf_28CharsInAll"
CLIENT = "native"
SECONDS = int(os.environ.get("AT_TTL", "3600"))
METHODS = os.environ.get("METHODS", "client_secret_post client_secret_basic").split()
KEY = RSAKey.generate_key(2048, {"kid": "1", "alg": "RS256", "use": "sig"})
codes, refreshes, consents = {}, {}, set()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, query = self.path.partition("?")
        asked = dict(urllib.parse.parse_qsl(query))
        if path == "/.well-known/openid-configuration":
            return self.answer(200, {
                "issuer": ISSUER, "authorization_endpoint": ISSUER + "/o/oauth2/v2/auth", "token_endpoint": ISSUER + "/token",
                "device_authorization_endpoint": ISSUER + "/device/code", "revocation_endpoint": ISSUER + "/revoke",
                "jwks_uri": ISSUER + "/certs", "response_types_supported": ["code"], "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"], "scopes_supported": ["openid", "email", "profile"],
                "token_endpoint_auth_methods_supported": METHODS, "code_challenge_methods_supported": ["plain", "S256"]})
        if path == "/certs":
            return self.answer(200, {"keys": [KEY.as_dict(private=False)]})
        if path == "/o/oauth2/v2/auth":
            return self.authorize(asked)
        return self.answer(404, {})

    def authorize(self, asked):
        print("authorize", asked.get("access_type"), flush=True)
        known = {"openid", "email", "profile"}
        redirect = urllib.parse.urlsplit(asked.get("redirect_uri", ""))
        if asked.get("client_id") != CLIENT or redirect.hostname not in ("127.0.0.1", "localhost"):
            return self.answer(400, "<h1>Error 400: redirect_uri_mismatch</h1>", "text/html")
        if not set(asked.get("scope", "").split()) <= known:
            return self.answer(400, "<h1>Error 400: invalid_scope</h1>", "text/html")
        isNew = asked.get("prompt") == "consent" or "alice" not in consents
        consents.add("alice")
        code = "4/" + secrets.token_urlsafe(24)
        codes[code] = {**asked, "offline": asked.get("access_type") == "offline" and isNew}
        answer = urllib.parse.urlencode({"state": asked.get("state", ""), "code": code, "scope": asked["scope"]})
        self.send_response(302)
        self.send_header("Location", f"{asked['redirect_uri']}?{answer}")
        self.end_headers()

    def do_POST(self):
        text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        form = dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
        if self.path == "/device/code":
            return self.refuse(401, "invalid_client", "Invalid client type.")
        if self.path not in ("/token", "/revoke"):
            return self.answer(404, {})
        client, secret, place = form.get("client_id"), form.get("client_secret"), "form"
        if self.headers.get("Authorization", "").startswith("Basic "):
            pair = base64.b64decode(self.headers["Authorization"][6:]).decode().split(":")
            (client, secret), place = map(urllib.parse.unquote_plus, pair), "header"
        if self.path == "/revoke":
            refreshes.pop(form.get("token"), None)
            print("revoke", place if secret else "without", flush=True)
            return self.answer(200, {})
        print("token", form.get("grant_type"), place if secret else "without", flush=True)
        if client != CLIENT:
            return self.refuse(401, "invalid_client", "The OAuth client was not found.")
        if not secret:
            return self.refuse(400, "invalid_request", "client_secret is missing.")
        if secret != SECRET:
            return self.refuse(401, "invalid_client", "The provided client secret is invalid.")
        if form.get("grant_type") == "refresh_token":
            asked = refreshes.get(form.get("refresh_token"))
        else:
            asked = codes.pop(form.get("code"), None)
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            if asked and (asked["code_challenge"] != challenge or asked["redirect_uri"] != form.get("redirect_uri")):
                asked = None
        if not asked:
            return self.refuse(400, "invalid_grant", "Bad Request")
        now = int(time.time())
        claims = {"iss": ISSUER, "azp": CLIENT, "aud": CLIENT, "sub": "1001", "email": "alice@gmail.example",
                  "email_verified": True, "iat": now, "exp": now + 3600, "nonce": asked.get("nonce")}
        tokens = {"access_token": "ya29." + secrets.token_urlsafe(24), "expires_in": SECONDS, "scope": asked["scope"],
                  "token_type": "Bearer", "id_token": jwt.encode({"alg": "RS256", "kid": "1"}, claims, KEY)}
        if asked["offline"] and form.get("grant_type") != "refresh_token":
            tokens["refresh_token"] = "1//" + secrets.token_urlsafe(24)
            refreshes[tokens["refresh_token"]] = asked
        return self.answer(200, tokens)

    def refuse(self, status, error, description):
        self.answer(status, {"error": error, "error_description": description})

    def answer(self, status, value, kind="application/json"):
        body = (value if isinstance(value, str) else json.dumps(value)).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
ISSUER = f"http://127.0.0.1:{server.server_port}"
print("ready", ISSUER, flush=True)
server.serve_forever()
