"""Resources and authorization servers that clients trip over, as `check --resource` names them. Nothing is registered."""

import json

from field import FieldCase, complaint
from strict_provider import StrictProvider

RESOURCE_PLACE = "/.well-known/oauth-protected-resource"
SERVER_PLACE = "/.well-known/oauth-authorization-server"
OPENID_PLACE = "/.well-known/openid-configuration"


class PatientProvider(StrictProvider):
    """Healthy, but for the responses and members that a test replaces."""

    def __init__(self, **members):
        super().__init__()
        self.members = members
        self.mail = self.resource("mail")
        # The responses to paths: status, value, then the fields.
        self.answers = {}
        self.challenge = f'Bearer resource_metadata="{self.issuer}{RESOURCE_PLACE}/resource/mail"'

    def get(self, handler):
        path = handler.path.partition("?")[0]
        if path in self.answers:
            status, value, *fields = self.answers[path]
            return handler.answer(status, value, **dict(fields))
        if path.startswith(RESOURCE_PLACE) and path != f"{RESOURCE_PLACE}/resource/mail":
            return handler.answer(404, {})
        return super().get(handler)

    def serve(self, handler, path):
        if handler.headers.get("Authorization"):
            return super().serve(handler, path)
        return handler.answer(401, {}, **({"WWW_Authenticate": self.challenge} if self.challenge else {}))

    def metadata(self):
        members = {
            **super().metadata(), "token_endpoint_auth_methods_supported": ["none"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "authorization_response_iss_parameter_supported": True, **self.members}
        return {name: value for name, value in members.items() if value is not None}

    def about(self, **members):
        """Replaces members of the resource's metadata."""
        document = {"resource": self.mail, "authorization_servers": [self.issuer], **members}
        self.answers[f"{RESOURCE_PLACE}/resource/mail"] = (
            200, {name: value for name, value in document.items() if value is not None})


class PageProvider(PatientProvider):
    """Its rejections are pages without a reason."""

    status = 400

    def authorize(self, handler, query):
        if query["client_id"] in self.clients:
            return super().authorize(handler, query)
        return handler.answer(self.status, f"<h1>Oops</h1><p>{query['client_id']}, {query['state']}", "text/html")

    def post(self, handler, body):
        if handler.path == "/par":
            return handler.answer(404, "<h1>Not found</h1>", "text/html")
        return super().post(handler, body)


class ProfileRow(FieldCase):
    """`check` of a profile."""

    def check(self, subject):
        result = self.workspace.run("check", "-o", "json")
        findings = [finding for section in json.loads(result.stdout)["sections"] for finding in section["findings"]]
        return result.returncode, next((finding for finding in findings if finding["subject"] == subject), None)

    @complaint(
        "https://github.com/anvilresearch/oidc-op/issues/44",
        "A client ID with a typo gets a page without an explanation, or 401, and the search takes days",
        "`check` compares the page with that of a client that doesn't exist, and names the client ID")
    def test_a_client_id_that_only_a_page_rejects(self):
        provider = self.setUpProvider(PageProvider())
        self.assertEqual(self.check("Registration")[1]["verdict"], "passed")
        provider.clients = {"another"}
        for provider.status, verdict in ((400, "failed"), (401, "warning")):
            status, finding = self.check("Registration")
            self.assertEqual((finding["verdict"], status != 0), (verdict, verdict == "failed"))
            self.assertIn("as to one that doesn't exist", finding["fact"])

    @complaint(
        "https://github.com/DuendeSoftware/foss/issues/126",
        "When the authority's endpoint for pushed requests fails, nothing says that it was this endpoint",
        "The error of the sign-in names its URL, and so does `check`, which fails")
    def test_a_missing_endpoint_for_pushed_requests(self):
        provider = self.setUpProvider(PageProvider())
        provider.members = {
            "pushed_authorization_request_endpoint": f"{provider.issuer}/par", "require_pushed_authorization_requests": True}
        result = self.workspace.run("sign-in", "--method", "browser")
        self.assertEqual(result.returncode, 6, result.stderr)
        self.assertIn(f"{provider.issuer}/par", result.stderr)
        status, finding = self.check("Registration")
        self.assertEqual(status, 6, finding)
        self.assertIn(f"{provider.issuer}/par", finding["fact"])

    @complaint(
        "https://github.com/damienbod/angular-auth-oidc-client/pull/2187",
        "A warning says that offline_access is missing, at each start, although the provider issues refresh tokens without it",
        "The warning ends with the first refresh token in the cache")
    def test_a_refresh_token_that_no_metadata_promises(self):
        self.setUpProvider(PatientProvider(scopes_supported=["openid"]))
        self.assertEqual(self.check("Refresh token")[1]["verdict"], "warning")
        self.sign_in()
        self.assertIsNone(self.check("Refresh token")[1])


class DoctorRow(FieldCase):
    def diagnose(self, *arguments, **members):
        """The exit status, and the verdict, fact and fix of each finding by its subject."""
        self.provider = self.provider if hasattr(self, "provider") else self.patient(**members)
        result = self.workspace.run("check", "--resource", self.provider.mail, "-o", "json", *arguments)
        self.assertEqual(self.provider.registrations, 1 if "--register" in arguments and result.returncode == 0 else 0)
        found = {}
        for section in json.loads(result.stdout)["sections"]:
            if section["area"] in ("resource", "authority"):
                for finding in section["findings"]:
                    found.setdefault(finding["subject"], finding)
        return result.returncode, found

    def patient(self, **members):
        self.provider = self.closing(PatientProvider(**members))
        return self.provider

    def expect(self, subject, verdict, words, operator, status=None, **members):
        code, found = self.diagnose(**members)
        self.assertIn(subject, found)
        finding = found[subject]
        self.assertEqual(finding["verdict"], verdict, found)
        self.assertIn(words, finding["fact"])
        self.assertIn(f"{operator}'s operator", finding["fix"])
        self.assertEqual(code != 0, verdict == "failed", found)
        if status is not None:
            self.assertEqual(code, status)

    @complaint(
        "https://github.com/czlonkowski/n8n-mcp/issues/604",
        "The server responds with 401 and nothing else, and has no metadata: clients say that they can't connect",
        "Both are named, with the section and who can fix them")
    def test_a_401_without_challenge(self):
        provider = self.patient()
        provider.challenge = None
        provider.answers[f"{RESOURCE_PLACE}/resource/mail"] = (404, {})
        # A sign-in works: the server's own origin has the metadata of an authority.
        self.expect("Challenge", "warning", "RFC 9110 §15.5.2", "resource")
        self.expect("Resource metadata", "warning", "No metadata", "resource")

    @complaint(
        "https://github.com/Serviceware/Dibix/issues/128",
        "The challenge's resource_metadata is the URL of the resource instead of a document",
        "Names the URL and what is there")
    def test_the_resource_as_its_metadata(self):
        provider = self.patient()
        provider.challenge = f'Bearer resource_metadata="{provider.mail}"'
        self.expect("Resource metadata", "warning", "which has no metadata: HTTP 401", "resource")

    @complaint(
        "https://github.com/cloudflare/mcp-server-cloudflare/issues/257",
        "No document at any of the places where a client and its user look",
        "Names each place and its response, and the one where the metadata was put by mistake")
    def test_the_appended_place(self):
        provider = self.patient()
        provider.challenge = "Bearer"
        provider.answers[f"{RESOURCE_PLACE}/resource/mail"] = (404, {})
        provider.answers[f"/resource/mail{RESOURCE_PLACE}"] = (
            200, {"resource": provider.mail, "authorization_servers": [provider.issuer]})
        self.expect("Resource metadata", "failed", "goes between host and path (RFC 9728 §3.1)", "resource")

    @complaint(
        "https://github.com/modelcontextprotocol/python-sdk/issues/1264",
        "The SDK's metadata names the origin with a slash, and a client that connects to `/mcp` rejects it",
        "Warns that strict clients stop (RFC 9728 §3.3)")
    def test_a_parent(self):
        self.patient().about(resource=f"{self.provider.issuer}/")
        self.expect("Resource metadata", "warning", "RFC 9728 §3.3", "resource")

    @complaint(
        "https://github.com/sigbit/mcp-auth-proxy/issues/177",
        "The metadata for the path requires a token; clients fall back to the root, which names another URL",
        "Warns of the root's document, and names the place that the challenge should name")
    def test_metadata_behind_the_login(self):
        provider = self.patient()
        provider.challenge = "Bearer"
        provider.answers[f"{RESOURCE_PLACE}/resource/mail"] = (401, {})
        self.expect("Resource metadata", "warning", "HTTP 401", "resource")
        self.assertIn("without requiring a token", self.diagnose()[1]["Resource metadata"]["fix"])

    @complaint(
        "https://github.com/anthropics/claude-ai-mcp/issues/560",
        "The metadata names a resource on another host. The client falls back to a guessed registration, whose error is shown",
        "The metadata is named as the cause, and nothing is sent to the server that it names")
    def test_a_resource_on_another_host(self):
        self.patient().about(resource="https://mcp.example/mail")
        self.expect("Resource metadata", "failed", "must not use the metadata (RFC 9728 §3.3)", "resource")

    @complaint(
        "https://github.com/atlassian/atlassian-mcp-server/issues/205",
        "The server's metadata has an issuer without the path that the resource names: strict clients stop before consent",
        "Both issuers are shown, with the section")
    def test_an_issuer_without_its_path(self):
        self.patient().about(authorization_servers=[f"{self.provider.issuer}/tenant"])
        self.expect("Authority metadata", "failed", "RFC 8414 §3.3", "authority")

    @complaint(
        "https://github.com/empires-security/mcp-oauth2-aws-cognito/issues/9",
        "The identity provider's metadata lists no PKCE methods, so clients say that S256 isn't supported",
        "Warns that MCP clients must stop, although a sign-in here would work")
    def test_no_methods_of_pkce(self):
        self.expect(
            "PKCE", "warning", "MCP clients must stop", "authority", code_challenge_methods_supported=None)

    @complaint(
        "https://github.com/vercel/ai/issues/18674",
        "Only OpenID metadata, which needn't list PKCE methods: a client that wants RFC 8414 or the list fails",
        "Names the place that is missing")
    def test_openid_metadata_alone(self):
        self.patient().answers[SERVER_PLACE] = (404, {})
        self.expect("Authority metadata", "warning", "Found only at", "authority")

    @complaint(
        "https://github.com/getsentry/sentry-mcp/issues/939",
        "The challenge has resource_metadata twice, from the application and from the library below it",
        "Warns that clients read one or the other")
    def test_two_places(self):
        provider = self.patient()
        provider.challenge += f', {provider.challenge.removeprefix("Bearer ")}'
        self.expect("Challenge", "warning", "RFC 9110 §11.2", "resource")

    @complaint(
        "https://github.com/vouch-sh/vouch/issues/244",
        "A comma after the scheme: clients find no parameters in the challenge",
        "Names the comma")
    def test_a_comma_after_the_scheme(self):
        provider = self.patient()
        provider.challenge = provider.challenge.replace("Bearer ", "Bearer, ")
        self.expect("Challenge", "warning", "a comma after the scheme", "resource")

    @complaint(
        "https://github.com/InsForge/insforge-mcp/pull/69",
        "The challenge names no metadata, and only clients that guess its place can sign in",
        "Warns, because the well-known place has it")
    def test_a_challenge_without_a_place(self):
        self.patient().challenge = "Bearer"
        self.expect("Challenge", "warning", "RFC 9728 §5.1", "resource")

    @complaint(
        "https://github.com/anomalyco/opencode/issues/50036",
        "The issuer has a slash at the end in one document but not in the other: clients disagree whether that is the same",
        "Warns that strict clients stop")
    def test_a_slash_in_the_issuer(self):
        self.patient().about(authorization_servers=[f"{self.provider.issuer}/"])
        self.expect("Authority metadata", "warning", "RFC 8414 §3.3", "authority")

    @complaint(
        "https://github.com/DevCycleHQ/cli/pull/581",
        "The registration endpoint was removed as unused. Clients say that the server is incompatible, and users can't help it",
        "Says that an ID of the operator's is needed, and which options take it")
    def test_no_registration(self):
        code, found = self.diagnose(registration_endpoint=None)
        self.assertEqual(code, 3)
        finding = found["Client registration"]
        self.assertEqual(finding["verdict"], "failed")
        self.assertIn("RFC 7591 §3", finding["fact"])
        self.assertIn(f"--client-id ID --authority {self.provider.issuer}", finding["fix"])

    @complaint(
        "https://github.com/openai/codex/issues/13200",
        "The server accepts client ID metadata documents alone, and the client says that it doesn't support registration",
        "Names the way that the server offers, and the command for it")
    def test_metadata_documents_alone(self):
        code, found = self.diagnose(registration_endpoint=None, client_id_metadata_document_supported=True)
        self.assertEqual(code, 3)
        self.assertIn("client_id_metadata_document_supported", found["Client registration"]["fact"])
        self.assertIn("keyturn client-metadata", found["Client registration"]["fix"])
