"""Clients that a provider registers by hand: secrets of desktop applications, and servers of older revisions of MCP."""

import json
import pathlib
import signal
import urllib.parse

from field import CURL, FieldCase, complaint
from strict_provider import StrictProvider
from support import person
from support.provider import start_authority, start_provider
from support.waiting import wait_until

SECRET = "GOCSPX-aSecretOf_28CharsInAll"


class TimelessProvider(StrictProvider):
    """Says nothing of an end of its tokens, and issues no refresh token."""

    def tokens(self, *arguments):
        return {name: value for name, value in super().tokens(*arguments).items() if name not in ("expires_in", "refresh_token")}


class KeylessProvider(StrictProvider):
    """Its keys may be offline, and are never fresh."""

    is_offline = False

    def get(self, handler):
        if handler.path != "/keys":
            return super().get(handler)
        return handler.answer(503 if self.is_offline else 200, {"keys": [self.key.as_dict(private=False)]}, Cache_Control="no-store")


class SecretRow(FieldCase):
    """A provider with Google's rules."""

    def setUp(self):
        super().setUp()
        self.provider = self.closing(start_provider("google", AT_TTL="60"))
        self.workspace._use_browser(CURL)
        self.secret_file = self.workspace.path / "secret"
        self.secret_file.write_text(SECRET + "\n")
        self.secret_file.chmod(0o600)

    def configure(self, **others):
        self.configure_for_provider(
            self.provider.address, cache={"key": "keyFile"}, extraParameters={"access_type": "offline"}, **others)

    def assert_kept_secret(self, *results):
        for result in results:
            self.assertNotIn(SECRET, result.stdout + result.stderr)
        for file in self.workspace.path.rglob("*"):
            if file.is_file() and file != self.secret_file:
                self.assertNotIn(SECRET.encode(), file.read_bytes(), file)

    def script(self, text):
        path = self.workspace.path / "command"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o700)
        return str(path)

    @complaint(
        "https://github.com/lalalune/outreachr/issues/25",
        "Google's console makes a client of the type Desktop app with a secret. The client has no place for it, so the code is "
        "rejected: client_secret is missing",
        "A profile names the secret's file. Code and refresh have the secret, and no log, report or export has it")
    def test_a_desktop_client_with_a_secret(self):
        self.configure(clientSecret={"file": str(self.secret_file)})
        signed_in = self.workspace.run("sign-in", "-vv")
        self.assertEqual(signed_in.returncode, 0, signed_in.stderr)
        refreshed = self.workspace.run("token", "--force-refresh", "--no-interaction", "-vv")
        self.assertEqual(refreshed.returncode, 0, refreshed.stderr)
        self.assertIn("token authorization_code form", self.provider.lines)
        self.assertIn("token refresh_token form", self.provider.lines)
        report, checked = self.workspace.run("report"), self.workspace.run("check")
        flow = self.workspace.run("export", "--format", "json")
        self.assert_kept_secret(signed_in, report, checked, flow)

    @complaint(
        "https://github.com/taylorwilsdon/google_workspace_mcp/issues/1008",
        "Without the secret, the error of Google's token endpoint reaches the user as it is, after the consent",
        "The error names the key of the profile and the page of the documentation")
    def test_without_the_secret(self):
        self.configure()
        result = self.workspace.run("sign-in")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("client_secret is missing", result.stderr)
        self.assertIn("set clientSecret", result.stderr)

    @complaint(
        "https://github.com/Colin-b/httpx_auth/issues/113",
        "The secret has to be at the token endpoint only, in the form or the header, never in the browser's URL",
        "The metadata decides between form and header. The browser's URL has none")
    def test_in_the_header(self):
        provider = self.closing(start_provider("google", METHODS="client_secret_basic"))
        self.configure_for_provider(
            provider.address, cache={"key": "keyFile"}, clientSecret={"file": str(self.secret_file)})
        self.succeed("sign-in")
        self.assertIn("token authorization_code header", provider.lines)

    @complaint(
        "https://github.com/pdobsan/oama/issues/81",
        "The secret is in the configuration in clear, though the user has a program that stores secrets",
        "A command prints it, or a variable has it; the configuration rejects a secret in clear and says where it belongs")
    def test_a_command_and_a_variable(self):
        self.configure(clientSecret={"command": [self.script(f"echo '{SECRET}'"), "show"]})
        self.succeed("sign-in")
        self.configure(clientSecret={"environment": "GOOGLE_SECRET"})
        self.succeed("token", "--force-refresh", "--no-interaction", GOOGLE_SECRET=SECRET)
        unset = self.workspace.run("token", "--force-refresh", "--no-interaction")
        self.assertEqual(unset.returncode, 3, unset.stderr)
        self.assertIn("GOOGLE_SECRET for the client secret isn't set", unset.stderr)
        self.assertIn(f"It is for native at {self.provider.address.removeprefix('http://')}", unset.stderr)
        empty = self.workspace.run("token", "--force-refresh", "--no-interaction", GOOGLE_SECRET="")
        self.assertIn("GOOGLE_SECRET for the client secret is empty", empty.stderr)
        self.configure(clientSecret=SECRET)
        clear = self.workspace.run("token")
        self.assertEqual(clear.returncode, 3, clear.stderr)
        self.assertIn("keyturn sign-in --enter-client-secret", clear.stderr)
        self.assertNotIn(SECRET, clear.stderr)

    @complaint(
        "https://github.com/NousResearch/hermes-agent/issues/31422",
        "Programs that a command starts inherit its secrets in the environment, though none of them needs one",
        "No program that Keyturn starts gets the variable of a client secret: neither those of exec and gate, nor the browser")
    def test_programs_get_no_secret(self):
        self.configure(clientSecret={"environment": "GOOGLE_SECRET"})
        seen = self.workspace.path / "browser.env"
        self.workspace.environment["BROWSER"] = self.script(f'env >{seen}; exec curl --silent --location "$1" >/dev/null')
        self.succeed("sign-in", GOOGLE_SECRET=SECRET)
        self.assertNotIn(SECRET, seen.read_text())
        seen.unlink()
        for command in (["exec", "--"], ["gate", "https://api.example", "--allow", "GET /*", "--"]):
            printed = self.workspace.run(*command, "env", GOOGLE_SECRET=SECRET, OTHER_SECRET="kept")
            self.assertEqual(printed.returncode, 0, printed.stderr)
            self.assertIn("OTHER_SECRET=kept", printed.stdout)
            self.assertNotIn(SECRET, printed.stdout)

    @complaint(
        "https://github.com/pdobsan/oama/issues/81",
        "The setup looks right until the sign-in finds that the secret's file is unusable",
        "check says so before, without reading the file")
    def test_a_secret_that_others_can_read(self):
        self.configure(clientSecret={"file": str(self.secret_file)})
        self.assertIn("provides it", self.workspace.run("check", "--offline").stdout)
        self.secret_file.chmod(0o644)
        checked = self.workspace.run("check", "--offline")
        self.assertIn(f"chmod 600 '{self.secret_file}'", " ".join(checked.stdout.split()))
        self.assertNotEqual(checked.returncode, 0)

    @complaint(
        "https://github.com/slackapi/slack-skills-plugin/issues/2",
        "A server's token has neither a refresh token nor a time, and the client invents one: the user signs in again for nothing",
        "Such a token of a resource counts as valid until the server rejects it")
    def test_a_token_without_a_time(self):
        provider = self.setUpProvider(TimelessProvider())
        self.succeed("sign-in", "--resource", provider.resource("a"))
        accounts = json.loads(self.succeed("accounts", "--resource", provider.resource("a"), "-o", "json"))
        self.assertIsNone(accounts[0].get("tokenExpiresOn"), accounts)
        self.assertEqual(accounts[0]["state"], "valid", accounts)

    @complaint(
        "https://github.com/oomol-lab/open-connector/issues/411",
        "Slack calls the same token `user` in its documentation and `Bearer` on the wire. A client that expects one rejects the other",
        "Both are bearer tokens; any other type is rejected")
    def test_a_user_token(self):
        for kind, status in (("user", 0), ("Bearer", 0), ("bot", 1)):
            with self.subTest(kind):
                provider = self.setUpProvider(StrictProvider())
                provider.others = {"token_type": kind}
                result = self.workspace.run("sign-in")
                self.assertEqual(result.returncode, status, result.stderr)

    @complaint(
        "https://github.com/dart-lang/tools/issues/370",
        "Twitch lists the granted scopes as an array of JSON. Libraries expect a text, and the sign-in fails after the code is spent",
        "Both forms are read, also after a refresh")
    def test_scopes_in_a_list(self):
        provider = self.setUpProvider(StrictProvider())
        provider.others = {"scope": ["openid", "profile", "email"]}
        self.succeed("sign-in")
        self.assertTrue(self.refresh())

    @complaint(
        "https://github.com/better-auth/better-auth/pull/9758",
        "The sign-in reads a list of scopes, and the refresh has drifted and reads only a text",
        "One reader for both, so that a token by username comes from the cache with the listed scopes")
    def test_listed_scopes_count(self):
        provider = self.setUpProvider(StrictProvider())
        provider.others = {"scope": ["openid", "profile", "api.read"]}
        self.succeed("sign-in", "--scope", "api.read")
        before = provider.refreshes
        self.succeed("token", "--scope", "api.read", "--no-interaction")
        self.assertEqual(provider.refreshes, before)

    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-library-for-python/issues/304",
        "A client ID in upper case is accepted by the sign-in page, and then the ID token's audience in lower case is rejected",
        "A GUID is the same client in any letter case")
    def test_a_client_id_in_capitals(self):
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, clientId=person.DEMO_CLIENT_ID.upper())
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.succeed("sign-in")
        self.assertEqual(len(json.loads(self.succeed("accounts", "-o", "json"))), 1)

    @complaint(
        "https://github.com/micronaut-projects/micronaut-security/issues/155",
        "The authority issues a token while its document of keys is offline; the program can't verify it, and stays broken",
        "A refresh that can't verify its ID token says so, and keeps the new refresh token, so that the next one works")
    def test_keys_that_are_offline_during_a_refresh(self):
        provider = self.setUpProvider(KeylessProvider())
        self.succeed("sign-in")
        provider.is_offline = True
        self.assertEqual(self.workspace.run("token", "--force-refresh", "--no-interaction").returncode, 6)
        provider.is_offline = False
        self.assertTrue(self.refresh())
        self.assertEqual(len(json.loads(self.succeed("accounts", "-o", "json"))), 1)

    @complaint(
        "https://github.com/rest-sh/restish/issues/274",
        "A command for the secret fails, and the program goes on without it",
        "Ends before the browser opens, with the command's name and status, and shows nothing of its output")
    def test_a_command_that_fails(self):
        for text, reason in (
            (f"echo '{SECRET}' >&2; echo '{SECRET}'; exit 5", "failed (status 5)"), ("true", "printed nothing"),
            (f"printf '{SECRET}\\001\\n'", "character"),
        ):
            with self.subTest(text=text):
                self.configure(clientSecret={"command": [self.script(text)]})
                result = self.workspace.run("sign-in")
                self.assertEqual(result.returncode, 3, result.stderr)
                self.assertIn(reason, result.stderr)
                self.assertNotIn(SECRET, result.stderr)
        self.assertFalse(any(line.startswith("authorize") for line in self.provider.lines))
        # Other users could change what it prints.
        path = pathlib.Path(self.script(f"echo '{SECRET}'"))
        path.chmod(0o777)
        result = self.workspace.run("sign-in")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("chmod o-w", result.stderr)

    @complaint(
        "https://github.com/anthropics/claude-code/issues/90076",
        "A command for the secret is never run, or waits for input that can't come, and the sign-in fails as if the secret were wrong",
        "Runs it without a terminal, for 20 seconds at most, before the browser opens. Then the error says what it waited for")
    def test_a_command_that_hangs(self):
        self.configure(clientSecret={"command": [self.script(f"echo '{SECRET[:9]}''{SECRET[9:]}'; exec sleep 600")]})
        result = self.workspace.run("sign-in", seconds=60)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("for the client secret took longer than 20 s", result.stderr)
        self.assertIn("it must not ask", result.stderr)
        self.assertFalse(any(line.startswith("authorize") for line in self.provider.lines))
        self.assert_kept_secret(result)

    @complaint(
        "https://github.com/anthropics/claude-code/issues/91199",
        "The sign-in waits silently for the program that has the secret, and leaves it behind when the user gives up",
        "After two seconds, a line names the program. Ctrl-C, a signal or --timeout ends it, with what it started")
    def test_a_command_that_is_interrupted(self):
        child = self.workspace.path / "child"
        self.configure(clientSecret={"command": [self.script(f"sleep 600 & echo $! >{child}.part; mv {child}.part {child}; wait")]})
        for end, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (None, 6)):
            with self.subTest(end=end):
                process = self.start("sign-in", *(() if end else ("--timeout", "3")))
                told = process.stderr.readline()
                while told and "Waiting for the command" not in told:
                    told = process.stderr.readline()
                self.assertIn(str(self.workspace.path / "command"), told)
                if end:
                    process.send_signal(end)
                self.assertEqual(self.end(process)[0], status)
                left = pathlib.Path("/proc", child.read_text().strip(), "cmdline")
                wait_until(lambda: not (left.exists() and left.read_bytes()), 10, "the program is left")
                child.unlink()

    @complaint(
        "https://github.com/anthropics/claude-code/issues/92163",
        "A wrong secret, or a sign-out, loses the one that was stored. The next sign-in opens the browser and fails at its end",
        "An entered secret replaces the stored one once the authority has accepted it. Only `remove --all` deletes it, and says so")
    def test_a_stored_secret_that_stays(self):
        self.configure(clientSecret={"stored": True})
        entered = self.workspace.run("sign-in", "--enter-client-secret", input=SECRET + "\n")
        self.assertEqual(entered.returncode, 0, entered.stderr)
        self.assertNotIn("Add", entered.stderr)
        wrong = self.workspace.run("sign-in", "--enter-client-secret", input="GOCSPX-ofAnotherClient\n")
        self.assertEqual(wrong.returncode, 3, wrong.stderr)
        self.assertIn("'keyturn sign-in --enter-client-secret'", wrong.stderr)
        self.succeed("token", "--force-refresh", "--no-interaction")
        self.succeed("sign-out", "alice@gmail.example")
        self.succeed("sign-in")
        self.assertIn("The stored client secret was removed", self.workspace.run("remove", "--all").stderr)
        missing = self.workspace.run("sign-in")
        self.assertEqual(missing.returncode, 3, missing.stderr)
        self.assertIn("No client secret is stored", missing.stderr)
        self.configure(clientSecret={"file": str(self.secret_file)})
        other = self.workspace.run("sign-in", "--enter-client-secret", input=SECRET + "\n")
        self.assertIn('change the profile to "clientSecret": { "stored": true }', other.stderr)
        alone = self.workspace.run(
            "sign-in", "--enter-client-secret", "--client-id", "native", "--authority", self.provider.address, input=SECRET + "\n",
            XDG_CONFIG_HOME=str(self.workspace.path / "none"))
        self.assertIn("Only a profile with this client ID and authority can use it", alone.stderr)

    @complaint(
        "https://github.com/nextcloud/user_oidc/issues/1307",
        "The secret is an option of a command, so every user of the computer can read it",
        "An option names a file, which others can't read; the secret itself comes from standard input and is stored encrypted")
    def test_an_option_and_standard_input(self):
        self.configure()
        self.succeed("sign-in", "--client-secret-file", str(self.secret_file))
        wrong = self.workspace.path / "wrong"
        wrong.write_text("GOCSPX-ofAnotherClient\n")
        wrong.chmod(0o600)
        rejected = self.workspace.run("sign-in", "--client-secret-file", str(wrong))
        self.assertEqual(rejected.returncode, 3, rejected.stderr)
        self.assertIn("Correct the secret's file", rejected.stderr)
        self.assertNotIn("--enter-client-secret", rejected.stderr)
        self.secret_file.chmod(0o644)
        readable = self.workspace.run("sign-in", "--client-secret-file", str(self.secret_file))
        self.assertEqual(readable.returncode, 3, readable.stderr)
        self.assertIn("chmod", readable.stderr)
        self.secret_file.unlink()
        entered = self.workspace.run("sign-in", "--enter-client-secret", input=SECRET + "\n")
        self.assertEqual(entered.returncode, 0, entered.stderr)
        self.assertIn('"clientSecret": { "stored": true }', entered.stderr)
        self.configure(clientSecret={"stored": True})
        refreshed = self.workspace.run("token", "--force-refresh", "--no-interaction")
        self.assertEqual(refreshed.returncode, 0, refreshed.stderr)
        self.assert_kept_secret(entered, refreshed)

    @complaint(
        "https://github.com/vercel/ai/pull/15966",
        "The secret goes to another server than the one that issued it, when the authority is changed on the command line",
        "The secret belongs to the profile's client and authority. Another one on the command line gets none")
    def test_another_authority_gets_no_secret(self):
        other = self.closing(start_provider("google"))
        self.configure(clientSecret={"file": str(self.secret_file)})
        result = self.workspace.run("sign-in", "--authority", other.address)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("token authorization_code without", other.lines)


    @complaint(
        "https://github.com/coder/coder/pull/29208",
        "A client with a secret revokes its token without it. A strict server refuses that, and the token stays valid",
        "The revocation has the secret, as code and refresh have")
    def test_a_revocation(self):
        self.configure(clientSecret={"file": str(self.secret_file)})
        self.succeed("sign-in")
        result = self.workspace.run("sign-out", "alice@gmail.example", "-vv")
        self.assert_kept_secret(result)
        self.assertIn("revoke form", self.provider.lines, result.stderr)

    @complaint(
        "https://github.com/anthropics/claude-code/issues/67999",
        "The provider says that the secret is invalid. The user can't tell which of several values the client sent",
        "The error has the provider's words and what to check, never the secret")
    def test_a_wrong_secret(self):
        self.secret_file.write_text("GOCSPX-ofAnotherClient\n")
        self.configure(clientSecret={"file": str(self.secret_file)})
        result = self.workspace.run("sign-in", "-vv")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("client secret is invalid", result.stderr)
        self.assertIn("Compare the client ID and the client secret with the registration", result.stderr)
        self.assertNotIn("GOCSPX", result.stdout + result.stderr)

    @complaint(
        "https://github.com/MCPJam/inspector/issues/3029",
        "For an MCP server with a client that was registered by hand, the code is redeemed without the secret that the user entered",
        "`--client-secret-file` beside `--resource`, `--authority` and `--client-id` goes to that authority, and never to the server")
    def test_a_server_with_a_registered_client(self):
        server = self.closing(OlderServer())
        server.has_metadata = False
        self.succeed(
            "sign-in", "--resource", server.resource("mcp"), "--authority", self.provider.address, "--client-id", "native",
            "--client-secret-file", str(self.secret_file), "--scope", "openid")
        self.assertIn("token authorization_code form", self.provider.lines)
        self.assertEqual(server.registrations, 0)


class OlderServer(StrictProvider):
    """An MCP server of the revision 2025-03-26: it has no resource metadata, and is its own authorization server."""

    has_metadata = True

    def get(self, handler):
        path = handler.path.partition("?")[0]
        if path.startswith("/.well-known/") and not (self.has_metadata and path == "/.well-known/oauth-authorization-server"):
            return handler.answer(404, {})
        return super().get(handler)

    def serve(self, handler, path):
        if not handler.headers.get("Authorization"):
            return handler.answer(401, {}, WWW_Authenticate='Bearer realm="OAuth", error="invalid_token"')
        return handler.answer(200, {"path": path})

    def post(self, handler, body):
        form = dict(urllib.parse.parse_qsl(body))
        self.resources = [*getattr(self, "resources", []), form.get("resource")]
        return super().post(handler, body)


class OlderServerRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.provider = self.closing(OlderServer())
        self.mail = ("--resource", self.provider.resource("mcp"))
        self.workspace._use_browser(CURL)

    @complaint(
        "https://github.com/tontinton/maki/issues/1064",
        "The server has no resource metadata, only its own authorization server's. The client stops at the first 404",
        "Takes the server's origin as authority after the newer ways failed, registers there, and sends no `resource`")
    def test_metadata_at_the_servers_origin(self):
        self.succeed("sign-in", *self.mail)
        self.succeed("token", *self.mail, "--force-refresh", "--no-interaction")
        self.assertEqual((self.provider.registrations, self.provider.refreshes), (1, 1))
        self.assertEqual(set(self.provider.resources), {None})
        self.assertIn("/resource/mcp", self.succeed("call", self.provider.resource("mcp"), "--no-interaction"))
        findings = json.loads(self.workspace.run("check", *self.mail, "-o", "json").stdout)
        [found] = [
            finding for section in findings["sections"] for finding in section["findings"]
            if finding["subject"] == "Resource metadata"]
        self.assertEqual(found["verdict"], "warning", found)

    @complaint(
        "https://github.com/modelcontextprotocol/csharp-sdk/pull/1374",
        "The server has no metadata at all. Its revision of MCP has default endpoints, which the client doesn't know",
        "Uses /authorize, /token and /register of the server's origin if nothing else is found")
    def test_default_endpoints(self):
        self.provider.has_metadata = False
        self.succeed("sign-in", *self.mail)
        self.succeed("token", *self.mail, "--force-refresh", "--no-interaction")
        self.assertEqual(self.provider.registrations, 1)

    @complaint(
        "https://github.com/logiscape/mcp-sdk-php/issues/56",
        "The server publishes no metadata, and the client has no way to name its authority",
        "`--authority` and `--client-id` beside `--resource` are enough for any server")
    def test_a_named_authority(self):
        authority = self.closing(StrictProvider())
        self.provider.has_metadata = False
        named = ("--authority", authority.issuer, "--client-id", "native")
        self.succeed("sign-in", *self.mail, *named)
        self.succeed("token", *self.mail, *named, "--force-refresh", "--no-interaction")
        self.assertEqual((self.provider.registrations, authority.registrations, authority.refreshes), (0, 0, 1))

    @complaint(
        "https://github.com/atlassian/atlassian-mcp-server/issues/148",
        "The metadata at the server's origin has an issuer on another host, which publishes none. No option gets a client past that",
        "`--authority` with that issuer is enough, with or without a client ID. Codes and tokens go to that issuer's host only")
    def test_an_issuer_elsewhere(self):
        authority = self.closing(StrictProvider())
        answer = authority.get
        authority.get = lambda handler: (
            handler.answer(404, {}) if handler.path.startswith("/.well-known/") else answer(handler))
        self.provider.metadata = authority.metadata
        stopped = self.workspace.run("sign-in", *self.mail)
        self.assertEqual(stopped.returncode, 3, stopped.stderr)
        self.assertIn(f"names {authority.issuer}. No", " ".join(stopped.stderr.split()))
        self.assertIn("name it (--authority)", stopped.stderr)
        for named in ((), ("--client-id", "native")):
            self.succeed("sign-in", *self.mail, "--authority", authority.issuer, *named)
            self.succeed("token", *self.mail, "--authority", authority.issuer, *named, "--force-refresh", "--no-interaction")
        self.assertEqual((self.provider.registrations, authority.registrations, authority.refreshes), (0, 1, 2))
        older = self.provider.metadata
        self.provider.metadata = lambda: {**older(), "token_endpoint": f"{self.provider.issuer}/token"}
        other = ("--resource", self.provider.resource("other"))
        hostile = self.workspace.run("sign-in", *other, "--authority", authority.issuer, "--client-id", "native")
        self.assertEqual(hostile.returncode, 3, hostile.stderr)
        self.assertIn("unsafe", hostile.stderr)

    @complaint(
        "https://github.com/archestra-ai/archestra/pull/7246",
        "The resource's metadata is at the root only. The client looks below the path, and then takes the server for its own authority",
        "The root is asked before the server's own origin counts as authority")
    def test_metadata_at_the_root(self):
        authority = self.closing(StrictProvider())
        older = self.provider.get

        def get(handler):
            if handler.path == "/.well-known/oauth-protected-resource":
                return handler.answer(200, {"resource": self.mail[1], "authorization_servers": [authority.issuer]})
            return older(handler)

        self.provider.get = get
        self.succeed("sign-in", *self.mail)
        self.assertEqual((self.provider.registrations, authority.registrations), (0, 1))

    @complaint(
        "https://github.com/cyanheads/mcp-ts-core/issues/293",
        "A server that needs no token publishes metadata without an authority. Clients then fail to register anywhere",
        "A call needs no token. A sign-in says that the metadata names no authority")
    def test_a_server_that_needs_no_token(self):
        older = self.provider.get

        def get(handler):
            if handler.path.startswith("/.well-known/oauth-protected-resource"):
                return handler.answer(200, {"resource": self.mail[1]})
            return older(handler)

        self.provider.get = get
        self.provider.serve = lambda handler, path: handler.answer(200, {"path": path})
        self.assertIn("path", self.succeed("call", self.mail[1], "--no-interaction"))
        result = self.workspace.run("sign-in", *self.mail)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("authorization_servers", result.stderr)
        self.assertEqual(self.provider.registrations, 0)

    @complaint(
        "https://github.com/atlassian/atlassian-mcp-server/issues/148",
        "A server has both forms of metadata, and they name different authorities",
        "The newer form decides: the server's own authority gets no request")
    def test_both_forms(self):
        authority = self.closing(StrictProvider())
        place = "/.well-known/oauth-protected-resource/resource/mcp"
        older = self.provider.get

        def get(handler):
            if handler.path == place:
                return handler.answer(200, {"resource": self.mail[1], "authorization_servers": [authority.issuer]})
            return older(handler)

        self.provider.get = get
        self.succeed("sign-in", *self.mail)
        self.assertEqual((self.provider.registrations, authority.registrations), (0, 1))
