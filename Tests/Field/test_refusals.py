"""What providers refuse to a client: a grant, a registration, the tokens of a refresh."""

import base64
import http.client
import json
import re
import secrets
import urllib.parse

from field import CURL, FieldCase, complaint
from strict_provider import StrictProvider
from support.workspace import KEYTURN


class NoDeviceGrant(StrictProvider):
    """Offers device codes, but not to this client."""

    refusal = (403, {"error": "unauthorized_client", "error_description": "The grant is not allowed for the client."})

    def post(self, handler, body):
        if handler.path == "/device":
            return handler.answer(*self.refusal)
        return super().post(handler, body)


class MethodRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.setUpProvider(NoDeviceGrant())
        del self.workspace.environment["BROWSER"]

    @complaint(
        "https://github.com/checkly/checkly-cli/pull/1484",
        "The device grant is switched off for the client, so that signing in on a remote machine needs another way by itself",
        "Says that the code was refused and why, and goes on with a pasted URL")
    def test_a_refused_device_code_leads_to_a_pasted_url(self):
        self.sign_in_by_paste_after("The grant is not allowed for the client")

    @complaint(
        "https://github.com/OpenIdentityPlatform/OpenAM/issues/627",
        "The device flow reports that the user has declined, although nobody has entered the code yet",
        "Goes on with a pasted URL: before the code is shown, no user can have declined")
    def test_a_device_code_denied_before_anybody_was_asked(self):
        self.provider.refusal = (400, {"error": "access_denied", "error_description": "Blocked by a policy."})
        self.sign_in_by_paste_after("Blocked by a policy.")

    def sign_in_by_paste_after(self, reason):
        terminal = self.open_terminal(200, 50)
        terminal.start(KEYTURN, "sign-in")
        terminal.wait_for(reason, "Trying a pasted URL instead.")
        screen = terminal.wait_for("Paste the final URL").replace("\n", "")
        page = urllib.parse.urlsplit(re.search(r"http://127\.0\.0\.1:\d+/authorize\?\S+", screen).group())
        connection = http.client.HTTPConnection(page.netloc)
        connection.request("GET", f"{page.path}?{page.query}")
        terminal.enter(connection.getresponse().headers["Location"])
        self.assertEqual(terminal.exit_status(), 0)
        terminal.wait_for("ada")

    @complaint(
        "https://github.com/checkly/checkly-cli/pull/1484",
        "Where an agent runs the program, nobody can use the other way to sign in",
        "Without anybody to paste a URL, ends with the authority's refusal and its exit status, and so does a chosen method")
    def test_without_input_the_refusal_is_the_reason(self):
        for arguments in ([], ["--method", "device"]):
            with self.subTest(arguments=arguments):
                result = self.workspace.run("sign-in", *arguments)
                self.assertEqual(result.returncode, 3, result.stderr)
                self.assertIn("The grant is not allowed for the client", result.stderr)
                self.assertNotIn("without a pasted response", result.stderr)


class Registrar(StrictProvider):
    """Has its own rules for registrations, and clients with secrets."""

    # How the client must authenticate, what the response says of it, and what is rejected at first.
    method = says = rejection = None

    def __init__(self):
        super().__init__()
        self.issued, self.requests, self.authenticated = {}, [], []

    def post(self, handler, body):
        if handler.path != "/register":
            return self.authenticate(handler, body)
        request = json.loads(body)
        self.requests.append(request)
        if self.rejection and (answer := self.rejection(request)):
            return handler.answer(*answer[:2], **(answer[2] if len(answer) > 2 else {}))
        if not self.method:
            return super().post(handler, body)
        client = f"client-{len(self.issued)}"
        self.clients.add(client)
        self.issued[client] = secrets.token_urlsafe(24) + "%:+"
        self.secrets.append(self.issued[client])
        answer = {**request, "client_id": client, "client_secret": self.issued[client]}
        answer["token_endpoint_auth_method"] = self.says
        return handler.answer(201, {name: value for name, value in answer.items() if value})

    def authenticate(self, handler, body):
        form = dict(urllib.parse.parse_qsl(body))
        field = handler.headers.get("Authorization", "")
        if field.startswith("Basic "):
            given = base64.b64decode(field[6:]).decode().split(":")
            client, secret = (urllib.parse.unquote_plus(part) for part in given)
            found = "basic" if "client_secret" not in form and "client_id" not in form else "both"
        else:
            client, secret, found = form.get("client_id"), form.get("client_secret"), "post"
        if self.method and (found != self.method or self.issued.get(client) != secret):
            return handler.answer(401, {"error": "invalid_client", "error_description": "Client authentication required"})
        self.authenticated.append(handler.path)
        return super().post(handler, urllib.parse.urlencode({**form, "client_id": client}))


class RegistrarRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.provider = self.closing(Registrar())
        self.mail = ("--resource", self.provider.resource("mail"))
        self.workspace._use_browser(CURL)

    def sign_in_at(self, *arguments):
        return self.workspace.run("sign-in", *self.mail, *arguments)

    @complaint(
        "https://github.com/giantswarm/mcp-oauth/issues/70",
        "The server registers only clients with a secret. The user signs in, and then the token endpoint wants the secret, which "
        "the client has dropped",
        "Keeps the secret encrypted with the tokens, and uses it at every endpoint: code, refresh, device code")
    def test_an_issued_secret_is_used(self):
        self.provider.method, self.provider.says = "basic", "client_secret_basic"
        first = self.sign_in_at("-v")
        self.assertEqual(first.returncode, 0, first.stderr)
        second = self.workspace.run("token", *self.mail, "--force-refresh", "--no-interaction", "-v")
        self.assertEqual(second.returncode, 0, second.stderr)
        code = self.sign_in_at("--method", "device")
        self.assertEqual(code.returncode, 0, code.stderr)
        self.assertEqual(self.provider.authenticated, ["/token", "/token", "/device", "/token"])
        self.assertEqual(len(self.provider.requests), 1)
        [secret] = self.provider.issued.values()
        for text in (first.stderr, second.stderr, code.stderr, code.stdout):
            self.assertNotIn(secret, text)
        for file in self.workspace.path.rglob("*"):
            self.assertFalse(file.is_file() and secret.encode() in file.read_bytes(), file)

    @complaint(
        "https://github.com/openai/codex/issues/40928",
        "The registration says `client_secret_post`, and the client sends the secret in the header",
        "Sends the secret where the registration says, and nowhere else")
    def test_the_secret_is_sent_where_the_registration_says(self):
        self.provider.method, self.provider.says = "post", "client_secret_post"
        self.succeed("sign-in", *self.mail)

    @complaint(
        "https://github.com/patvice/ruby_llm-mcp/pull/137",
        "The registration has a secret, but doesn't say how to send it. The client drops it, and the server wants it in the form",
        "Sends a secret without a method in the form")
    def test_a_secret_without_a_method(self):
        self.provider.method = "post"
        self.succeed("sign-in", *self.mail)

    @complaint(
        "https://github.com/giantswarm/muster/pull/1086",
        "The server rejects the whole registration for scopes that it doesn't know",
        "Registers the scopes of the resource and of the server's list; if the server rejects them, registers without")
    def test_rejected_scopes(self):
        self.provider.rejection = lambda request: "scope" in request and (
            400, {"error": "invalid_client_metadata", "error_description": "Requested scopes are not valid: profile"})
        self.succeed("sign-in", *self.mail)
        self.assertEqual([request.get("scope") for request in self.provider.requests][1:], [None])
        self.assertIn("offline_access", self.provider.requests[0]["scope"])

    @complaint(
        "https://github.com/bytebase/bytebase/pull/20033",
        "The server registers only redirect URIs with the name localhost",
        "Registers http://127.0.0.1, and http://localhost with the same port if the server wants that")
    def test_only_localhost(self):
        self.provider.rejection = lambda request: "127.0.0.1" in request["redirect_uris"][0] and (
            400, {"error": "invalid_redirect_uri", "error_description": "http:// is only allowed for localhost"})
        self.succeed("sign-in", *self.mail)
        self.assertIn("http://localhost:", self.provider.requests[-1]["redirect_uris"][0])

    @complaint(
        "https://github.com/qauth-labs/qauth/pull/155",
        "Registrations are limited to some in a minute, and the client treats the limit as a rejection",
        "Exit status 6, and the time to wait from `Retry-After`, as for every endpoint")
    def test_too_many_registrations(self):
        for status in (429, 503):
            with self.subTest(status=status):
                self.provider.rejection = lambda request, status=status: (
                    status, {"error": "too_many_requests"}, {"Retry_After": "40"})
                result = self.sign_in_at()
                self.assertEqual(result.returncode, 6, result.stderr)
                self.assertIn("Try again in 40 s", result.stderr)

    @complaint(
        "https://github.com/lobu-ai/lobu/pull/2695",
        "The registration omits how to send the secret, and the default of the standard is the header",
        "Sends it as the server's metadata lists: in the header if that is all it takes")
    def test_a_secret_without_a_method_where_only_the_header_is_listed(self):
        self.provider.method = "basic"
        listed = {"token_endpoint_auth_methods_supported": ["client_secret_basic"]}
        metadata = self.provider.metadata()
        self.provider.metadata = lambda: {**metadata, **listed}
        self.succeed("sign-in", *self.mail)

    @complaint(
        "https://github.com/Automattic/mcp-wordpress-remote/pull/80",
        "Programs that can't finish a sign-in register a client at each start, and servers fill with registrations without a token",
        "Registers nothing for a sign-in that can't work here")
    def test_what_cannot_work_registers_nothing(self):
        process = self.start("sign-in", "--method", "paste", *self.mail)
        status, _, errors = self.end(process)
        self.assertEqual(status, 4, errors)
        self.assertIn("Standard input is closed", errors)
        self.assertEqual(self.provider.requests, [])


class TwoServers(StrictProvider):
    """A resource whose metadata names a server that is down before the one that works."""

    def get(self, handler):
        if handler.path.startswith("/.well-known/oauth-protected-resource/"):
            place = handler.path.removeprefix("/.well-known/oauth-protected-resource")
            return handler.answer(
                200, {"resource": self.issuer + place, "authorization_servers": [f"{self.issuer}/old", self.issuer]})
        if handler.path.endswith("/old") or "/old/" in handler.path:
            return handler.answer(503, {})
        return super().get(handler)


class DamagedRefresh(StrictProvider):
    """Rotates the refresh token in a response whose ID token is for another client."""

    damages = False

    def claims(self, client):
        return {**super().claims(client), **({"aud": "another"} if self.damages else {})}


class ServerRow(FieldCase):
    @complaint(
        "https://github.com/modelcontextprotocol/modelcontextprotocol/pull/401",
        "The metadata may name several servers, and which one to use is left to the client: mostly the first, also if it is down",
        "Tries the next server, and says so")
    def test_the_first_server_is_down(self):
        self.provider = self.closing(TwoServers())
        self.workspace._use_browser(CURL)
        check = self.workspace.run("check", "--resource", self.provider.resource("mail"))
        self.assertEqual(check.returncode, 0, check.stdout)
        result = self.workspace.run("sign-in", "--resource", self.provider.resource("mail"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"/old is unavailable: trying {self.provider.issuer}", result.stderr)

    @complaint(
        "https://github.com/DuendeArchive/Support/issues/595",
        "The refresh token was consumed by a request whose response the program couldn't use. Later ones fail, and only the "
        "server's log says why",
        "Says at once that the refresh token was spent, and what to run")
    def test_a_refresh_whose_response_is_rejected(self):
        self.setUpProvider(DamagedRefresh())
        self.workspace._use_browser(CURL)
        self.succeed("sign-in")
        self.provider.damages = True
        result = self.workspace.run("token", "--force-refresh", "--no-interaction")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("can't be renewed any more", result.stderr)
        self.assertIn("keyturn sign-in", result.stderr)
