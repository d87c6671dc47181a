"""What the public conformance suite of the Model Context Protocol requires of clients, in our words: one row for each demand, at a server
and an authority that are as the row says. Each row gets a token by the server's URL alone, unless it has arguments, and calls the server.
"""

import base64
import http.server
import json
import secrets
import urllib.parse

from support.case import JourneyCase
from support.mcp_client import MCPClient
from support.mcp_server import MCPServer
from support.secure_provider import Threaded
from test_mcp import CURL

DOCUMENT = "https://client.example/keyturn.json"


class Peer(Threaded):
    """A server that notes its requests as (method, path, parameters), and answers by `answer`."""

    def __init__(self, **settings):
        peer = self
        self.settings, self.seen = settings, []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path, _, query = self.path.partition("?")
                peer.answer(self, path, dict(urllib.parse.parse_qsl(query)))

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                form = "form" in self.headers.get("Content-Type", "")
                peer.answer(self, self.path, dict(urllib.parse.parse_qsl(body)) if form else json.loads(body or "{}"))

            def reply(self, status, value=None, **headers):
                body = json.dumps(value or {}).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                for name, field in headers.items():
                    self.send_header(name.replace("_", "-"), field)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        super().__init__(Handler)
        self.origin = f"http://127.0.0.1:{self.port}"

    def answer(self, handler, path, parameters):
        self.seen.append((handler.command, path, parameters))
        getattr(self, "serve_authority", self.serve)(handler, path, parameters)

    def of(self, path):
        """The parameters of the requests whose paths end so."""
        return [parameters for _, place, parameters in self.seen if place.endswith(path)]


class Authority(Peer):
    """Registers clients, signs the user in at once, and issues tokens as a server without OpenID Connect."""

    def __init__(self, path="", **settings):
        super().__init__(**settings)
        self.issuer = self.origin + path
        self.path = path
        self.secret = None
        self.scopes = []

    def place(self):
        return {
            "rfc8414": f"/.well-known/oauth-authorization-server{self.path}",
            "inserted": f"/.well-known/openid-configuration{self.path}",
            "appended": f"{self.path}/.well-known/openid-configuration",
        }.get(self.settings.get("place", "rfc8414"))

    def metadata(self):
        base = self.origin + self.path
        members = {
            "issuer": base, "authorization_endpoint": f"{base}/authorize", "token_endpoint": f"{base}/token",
            "registration_endpoint": f"{base}/register", "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"], "jwks_uri": f"{base}/keys",
            "token_endpoint_auth_methods_supported": [self.settings.get("method", "none")],
        } | self.settings.get("members", {})
        return {name: value for name, value in members.items() if value is not None}

    def serve(self, handler, path, parameters):
        if path == self.place():
            return handler.reply(200, self.metadata())
        if path.endswith("/register"):
            answer = {**parameters, "client_id": "registered", "token_endpoint_auth_method": self.settings.get("method", "none")}
            if self.settings.get("method", "none") != "none":
                self.secret = answer["client_secret"] = "a-registered-secret"
            return handler.reply(201, answer)
        if path.endswith("/authorize"):
            self.scopes = parameters.get("scope", "").split()
            answer = {"code": "c", "state": parameters["state"]}
            if self.settings.get("iss"):
                answer["iss"] = self.issuer if self.settings["iss"] is True else self.settings["iss"]
            return handler.reply(302, Location=f"{parameters['redirect_uri']}?{urllib.parse.urlencode(answer)}")
        if path.endswith("/token"):
            return self.token(handler, parameters)
        return handler.reply(404)

    def token(self, handler, form):
        basic = handler.headers.get("Authorization", "")
        given = base64.b64decode(basic[6:]).decode().partition(":")[2] if basic.startswith("Basic ") else None
        place = {"client_secret_basic": given, "client_secret_post": form.get("client_secret")}.get(
            self.settings.get("method"))
        if self.secret and place != self.secret or not self.secret and (given or form.get("client_secret")):
            return handler.reply(401, {"error": "invalid_client"})
        if form["grant_type"] == "refresh_token" or form.get("code_verifier"):
            granted = " ".join(self.scopes)
            return handler.reply(200, {
                "access_token": secrets.token_urlsafe(20) + "." + base64.urlsafe_b64encode(granted.encode()).decode(),
                "token_type": "Bearer", "expires_in": 3600, "refresh_token": secrets.token_urlsafe(20),
                **({"scope": granted} if granted else {})})
        return handler.reply(400, {"error": "invalid_request"})


class Server(Authority):
    """A protected server, whose metadata is where the row says. It may be its own authority."""

    def __init__(self, authority=None, **settings):
        super().__init__(**settings)
        self.authority = authority
        self.url = f"{self.origin}/mcp"
        self.required = settings.get("required", "")

    def resource_place(self):
        return {
            "path": "/.well-known/oauth-protected-resource/mcp", "root": "/.well-known/oauth-protected-resource",
            "own": "/elsewhere/resource.json"}.get(self.settings.get("resource", "path"))

    def serve_authority(self, handler, path, parameters):
        if path != "/mcp":
            if self.authority and path == self.resource_place():
                return handler.reply(200, {
                    "resource": self.settings.get("identifier", self.url), "authorization_servers": [self.authority.issuer],
                    **self.settings.get("offers", {})})
            return handler.reply(404) if self.authority else self.serve(handler, path, parameters)
        token = handler.headers.get("Authorization", "").removeprefix("Bearer ")
        held = base64.urlsafe_b64decode(token.partition(".")[2]).decode().split() if token else []
        if token and not self.settings.get("insatiable") and set(self.required.split()) <= set(held):
            return handler.reply(200, {"held": held})
        fields = [f'{name}="{value}"' for name, value in {
            "error": "insufficient_scope" if token else None, "scope": self.settings.get("challenge") or (token and self.required),
            "resource_metadata": self.settings.get("announces") and self.origin + self.resource_place(),
        }.items() if value]
        return handler.reply(403 if token else 401, WWW_Authenticate=" ".join(["Bearer", ", ".join(fields)]).strip())


class ConformanceRow(JourneyCase):
    def setUp(self):
        super().setUp()
        self.workspace._use_browser(CURL)

    def pair(self, authority=None, **server):
        self.authority = self.closing(Authority(**(authority or {})))
        self.server = self.closing(Server(self.authority, **server))

    def call(self, status=0, *arguments, words=""):
        result = self.workspace.run("call", *arguments, self.server.url, seconds=60)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn(words, " ".join(result.stderr.split()))
        return result

    def scopes(self):
        return [set((request.get("scope") or "").split()) for request in self.authority.of("/authorize")]


class DiscoveryRows(ConformanceRow):
    def test_metadata_at_all_usual_places(self):
        """Four rows: announced, below the well-known path, at the root, and at a place of the server's own; and the authority's
        metadata in all three places, with and without a path."""
        for name, server, authority in (
            ("announced", {"announces": True}, {}),
            ("unannounced, OpenID", {}, {"place": "inserted"}),
            ("root, tenant", {"resource": "root"}, {"path": "/tenant1"}),
            ("root, OpenID tenant", {"resource": "root"}, {"path": "/tenant1", "place": "inserted"}),
            ("own place, OpenID below the tenant", {"resource": "own", "announces": True}, {"path": "/tenant1", "place": "appended"}),
        ):
            with self.subTest(name):
                self.pair(authority, **server)
                self.call()
                self.assertEqual(len(self.authority.of("/token")), 1)
                self.assertEqual({request["resource"] for request in self.authority.of("/authorize")}, {self.server.url})
                self.assertEqual(self.authority.of("/token")[0]["resource"], self.server.url)

    def test_another_resource(self):
        self.pair(identifier="https://elsewhere.example/mcp")
        self.call(3, words="instead of")
        self.assertEqual(self.authority.seen, [])

    def test_another_issuer_in_the_metadata(self):
        self.pair({"members": {"issuer": "http://127.0.0.1:1"}})
        self.call(3)
        self.assertEqual(self.authority.of("/authorize"), [])

    def test_no_s256(self):
        self.pair({"members": {"code_challenge_methods_supported": ["plain"]}})
        self.call(3, words="S256")
        self.assertEqual(self.authority.of("/authorize"), [])

    def test_a_server_of_2025_03_26(self):
        """Two rows: metadata at the server's origin, and none at all. Neither gets `resource`."""
        for place in ("rfc8414", None):
            with self.subTest(place):
                self.server = self.authority = self.closing(Server(place=place))
                self.call()
                self.assertEqual((len(self.server.of("/register")), len(self.server.of("/token"))), (1, 1))
                self.assertFalse(any("resource" in request for request in self.server.of("/authorize") + self.server.of("/token")))

    def test_another_authority_later(self):
        """Nothing that the first authority issued goes to the second: it gets a registration and a sign-in of its own."""
        self.pair()
        self.call()
        first, second = self.authority, self.closing(Authority())
        self.server.authority = second
        self.server.settings["resource"] = "own"
        self.server.settings["announces"] = self.server.settings["insatiable"] = True
        sent = json.dumps(first.seen)
        self.workspace.run("call", self.server.url, seconds=60)
        for request in second.of("/token"):
            self.assertFalse(request.get("refresh_token") and request["refresh_token"] in sent)
        self.assertEqual(len(second.of("/register")), 1 if second.seen else 0)


class ClientRows(ConformanceRow):
    def test_how_the_client_authenticates(self):
        """Three rows: the authority's only method decides."""
        for method in ("none", "client_secret_post", "client_secret_basic"):
            with self.subTest(method):
                self.pair({"method": method})
                self.call()
                self.workspace.run("token", "--resource", self.server.url, "--force-refresh", "--no-interaction")
                self.assertEqual([form["grant_type"] for form in self.authority.of("/token")], ["authorization_code", "refresh_token"])

    def test_a_client_metadata_document(self):
        self.pair({"members": {"client_id_metadata_document_supported": True}})
        self.workspace.configure(clientMetadata=DOCUMENT, authority="https://login.example", cache={"key": "keyFile"})
        self.call()
        self.assertEqual(self.authority.of("/register"), [])
        self.assertEqual(self.authority.of("/token")[0]["client_id"], DOCUMENT)

    def test_a_registered_client_with_a_secret(self):
        for method in ("client_secret_post", "client_secret_basic"):
            with self.subTest(method):
                self.pair({"method": method, "members": {"registration_endpoint": None}})
                self.authority.secret = "by-hand"
                secret = self.workspace.path / "secret"
                secret.write_text("by-hand\n")
                secret.chmod(0o600)
                named = ["--resource", self.server.url, "--authority", self.authority.issuer, "--client-id", "by-hand-client"]
                result = self.workspace.run("token", *named, "--client-secret-file", str(secret))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(self.authority.of("/register"), [])

    def test_the_registration_is_of_a_native_program(self):
        self.pair()
        self.call()
        [registration] = self.authority.of("/register")
        self.assertEqual(
            (registration["application_type"], registration["token_endpoint_auth_method"]), ("native", "none"))
        self.assertIn("authorization_code", registration["grant_types"])


class ScopeRows(ConformanceRow):
    def test_the_challenge_decides(self):
        self.pair(challenge="a b", offers={"scopes_supported": ["a", "b", "c"]}, announces=True)
        self.call()
        self.assertEqual(self.scopes(), [{"a", "b"}])

    def test_else_the_metadata(self):
        self.pair(offers={"scopes_supported": ["a", "c"]})
        self.call()
        self.assertEqual(self.scopes(), [{"a", "c"}])

    def test_else_none(self):
        self.pair()
        self.call()
        self.assertNotIn("scope", self.authority.of("/authorize")[0])

    def test_offline_access(self):
        """Two rows: requested where the authority lists it, and nowhere else."""
        for listed in (["a", "offline_access"], ["a"]):
            with self.subTest(listed):
                self.pair({"members": {"scopes_supported": listed}}, challenge="a", announces=True)
                self.call()
                self.assertEqual("offline_access" in self.scopes()[0], "offline_access" in listed)

    def test_a_step_up_keeps_what_there_is(self):
        self.pair(challenge="a", announces=True)
        self.call()
        self.server.required, self.server.settings["challenge"] = "a b", "b"
        self.call()
        self.assertEqual(self.scopes()[-1] - {"offline_access"}, {"a", "b"})

    def test_a_server_that_is_never_content(self):
        self.pair(challenge="a", announces=True, insatiable=True)
        self.call(1)
        self.assertLessEqual(len(self.authority.of("/authorize")), 2)


class ResponseIssuerRows(ConformanceRow):
    def test_the_issuer_of_the_response(self):
        """Six rows (RFC 9207): promised or not, and there, missing or another."""
        for promised in (True, False):
            for iss, status in ((True, 0), (None, 1 if promised else 0), ("http://127.0.0.1:1", 1)):
                with self.subTest(promised=promised, iss=iss):
                    self.pair({"iss": iss, "members": {"authorization_response_iss_parameter_supported": promised}})
                    self.call(status)
                    self.assertEqual(len(self.authority.of("/token")), 1 - status)


class TransportRows(JourneyCase):
    def open(self, **settings):
        server = self.closing(MCPServer(**settings))
        client = self.closing(MCPClient(self.workspace, server.address))
        client.open()
        return server, client

    def test_a_start_and_a_call(self):
        """Two rows, and the headers of each request."""
        server, client = self.open()
        self.assertEqual(client.text("echo", 1, text="x"), "x")
        self.assertEqual(server.methods()[:3], ["initialize", "notifications/initialized", "tools/call"])
        called = server.headers_of("tools/call")
        self.assertEqual(called["accept"], "application/json, text/event-stream")
        self.assertEqual(called["mcp-protocol-version"], "2025-11-25")

    def test_the_revision_without_sessions(self):
        server, client = self.open(stateful=False)
        client.send("tools/call", 1, name="echo", arguments={"text": "x"}, _meta={
            "io.modelcontextprotocol/protocolVersion": "2026-07-28"})
        client.response(1)
        called = server.headers_of("tools/call")
        self.assertEqual((called["mcp-method"], called["mcp-name"]), ("tools/call", "echo"))
