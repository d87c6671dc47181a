"""A server receives a token only if the token is for it, or if the user has said so for that server."""

import base64
import itertools
import json
import os
import signal

from support import person
from support.case import JourneyCase
from support.hostile_server import HostileServer
from support.mcp_client import INITIALIZE, MCPClient
from support.provider import start_authority
from support.pseudo_terminal import PseudoTerminal
from support.waiting import wait_until
from support.workspace import KEYTURN

FILES = "api://keyturn-files/Files.Read"
GRAPH = "00000003-0000-0000-c000-000000000000"
# None of these is the server's own.
FOREIGN = [
    None, ["User.Read"], ["https://graph.microsoft.com/Mail.Read"], [f"{GRAPH}/User.Read"], [".default"], [FILES],
    [FILES, "User.Read"], ["openid"],
]
ANN = "ann@contoso.example"


class DestinationCase(JourneyCase):
    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace)).address
        self.configure_for_authority(self.authority)
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.assertEqual(self.workspace.run("sign-in", "--scope", "User.Read").returncode, 0)
        # She has consented to each scope that a server could name.
        for scope in ("Mail.Read", FILES):
            self.assertEqual(self.workspace.run("sign-in", "--scope", scope).returncode, 0)

    def hostile(self, **others):
        return self.closing(HostileServer(f"{self.authority}/contoso/v2.0", **others))

    def relay(self, *arguments, **environment):
        self.workspace.environment.update(environment)
        client = self.closing(MCPClient(self.workspace, *arguments))
        try:
            client.send("initialize", 1, **INITIALIZE)
            return json.dumps(client.response(1))
        finally:
            client.end()
            for name in environment:
                del self.workspace.environment[name]

    def answer(self, reply, *arguments):
        """Runs a command on a terminal, and answers its question."""
        terminal = self.closing(PseudoTerminal([KEYTURN, *arguments], self.workspace.environment, columns=500))
        shown = terminal.read_until(b"[y/N]")
        terminal.press(reply)
        shown += terminal.read_to_end()
        wait_until(lambda: terminal.exit_status() is not None, 10, "the command still runs")
        return shown.decode(), terminal.exit_status()


class HostileServerJourney(DestinationCase):
    def test_no_server_gets_a_token_that_nobody_gave_it(self):
        """Authority of the profile, every kind of scope in metadata and challenge, options, variables: no token arrives."""
        variables = [{}, {"KEYTURN_PROFILE": "test"}]
        flags = [["--no-interaction"], ["-q"], ["--account", ANN]]
        for scopes, isChallenged in itertools.product(FOREIGN, (False, True)):
            server = self.hostile(scopes=None if isChallenged else scopes, challenged=scopes if isChallenged else None)
            for index, (environment, options) in enumerate(itertools.product(variables, flags)):
                with self.subTest(scopes=scopes, challenged=isChallenged, options=options, **environment):
                    called = self.workspace.run("call", server.address, *options, **environment)
                    self.assertNotEqual(called.returncode, 0)
                    for words in (["token", "-o", "headers"], ["token"], ["token", "--force-refresh", "-o", "json"]):
                        if index % 3 == 0:
                            result = self.workspace.run(*words, "--resource", server.address, *options, **environment)
                            self.assertNotEqual(result.returncode, 0)
                            self.assertNotIn("eyJ", result.stdout + result.stderr)
            self.relay("--no-interaction", server.address)
            self.relay(server.address, KEYTURN_PROFILE="test")
            self.assertEqual(server.tokens, [], scopes)
            self.assertGreater(len(server.requests), 6)

    def test_other_doors(self):
        server = self.hostile(scopes=[FILES])
        for command in (["exec", "--resource", server.address, "--", "env"],
                        ["gate", server.address, "--resource", server.address, "--", "true"],
                        ["sign-in", "--resource", server.address]):
            with self.subTest(command[0]):
                result = self.workspace.run(*command)
                self.assertEqual(result.returncode, 4, result.stderr)
                self.assertRegex(result.stderr, "asks for a token of .* with api://keyturn-files/Files.Read")
                self.assertNotIn("eyJ", result.stdout + result.stderr)
        self.assertEqual(server.tokens, [])

    def test_a_gate_is_for_its_server(self):
        """Who starts a gate gives its server the profile's token, but none of Microsoft's own APIs."""
        server = self.hostile()
        program = [server.address, "--", "sh", "-c", 'curl -sS "$KEYTURN_GATE_URL/"']
        for options in ([], ["--no-interaction"], ["--account", ANN]):
            refused = self.workspace.run("gate", *options, *program, KEYTURN_PROFILE="test")
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn("is for Microsoft Graph (User.Read), not for", refused.stderr)
        self.assertEqual(server.tokens, [])
        self.workspace.run("gate", "--scope", "User.Read", *program)
        named = len(server.tokens)
        self.assertGreater(named, 0)
        self.configure_for_authority(self.authority, scopes=[FILES])
        self.workspace.run("gate", *program)
        self.assertGreater(len(server.tokens), named)

    def test_claims_and_watch(self):
        """What refreshes or shows tokens sends none to a server, and none that it may not have leaves the cache for it."""
        server = self.hostile(scopes=[FILES])
        self.workspace.run("sign-in", "--resource", server.address)
        claims = self.workspace.run("claims", "--resource", server.address)
        self.assertIn("you haven't allowed that", " ".join(claims.stderr.split()))
        self.assertNotIn("keyturn-files", claims.stdout)
        watch = self.closing(PseudoTerminal([KEYTURN, "watch"], self.workspace.environment))
        watch.read_until(b"Watching 1 account")
        watch.press(b"\x03")
        watch.read_to_end()
        self.assertEqual(server.tokens, [])

    def test_a_named_profile_and_then_more(self):
        """Who names the profile gives its token; not what the server asks for besides."""
        server = self.hostile(challenged=["https://graph.microsoft.com/Mail.Read"], first=200)
        result = self.workspace.run("call", "--profile", "test", server.address)
        self.assertRegex(result.stderr, "asks for a token for Microsoft Graph")
        self.assertEqual(len(server.tokens), 1)

    def test_only_the_configuration_allows_graph(self):
        server = self.hostile(scopes=["User.Read"])
        self.configure_for_authority(self.authority, resources={server.origin: ["User.Read"]})
        self.assertIn("eyJ", self.workspace.run("token", "--resource", server.address, "--no-interaction").stdout)
        other = self.hostile(scopes=["Mail.Read"])
        refused = self.workspace.run("token", "--resource", other.address)
        self.assertRegex(refused.stderr, 'Microsoft Graph(.|\n)*"resources"')
        self.assertEqual(refused.stdout, "")


    def test_another_server_than_the_resource(self):
        """A token for a resource needs the user's yes for each other origin that gets it."""
        good, evil = self.hostile(scopes=[FILES]), self.hostile(scopes=[FILES])
        _, status = self.answer(b"y\n", "sign-in", "--resource", good.address)
        self.assertEqual(status, 0)
        program = ["--", "sh", "-c", 'curl -sS "$KEYTURN_GATE_URL/"']
        for words in (["call", evil.address], ["call", "--profile", "test", evil.address],
                      ["gate", evil.address, *program], ["gate", "--account", ANN, evil.address, *program]):
            with self.subTest(words):
                words = [words[0], "--resource", good.address, *words[1:]]
                refused = self.workspace.run(*words, KEYTURN_PROFILE="test")
                self.assertEqual(refused.returncode, 4, refused.stderr)
                self.assertIn(f"{evil.origin}/", refused.stderr)
        self.relay("--resource", good.address, evil.address)
        shown, status = self.answer(b"n\n", "call", "--resource", good.address, evil.address)
        self.assertNotEqual(status, 0)
        self.assertIn(f"{evil.address} asks for", shown)
        self.assertEqual((evil.tokens, good.tokens), ([], []))
        evil.then = []
        _, status = self.answer(b"y\n", "call", "--resource", good.address, evil.address)
        self.assertEqual((status, len(evil.tokens)), (0, 1))
        again = self.workspace.run("call", "--resource", good.address, evil.address, "--no-interaction")
        self.assertEqual((again.returncode, len(evil.tokens)), (0, 2), again.stderr)

    def test_the_configuration_names_another_server(self):
        good, other = self.hostile(scopes=[FILES]), self.hostile(scopes=[FILES], then=[])
        self.answer(b"y\n", "sign-in", "--resource", good.address)
        self.configure_for_authority(self.authority, resources={other.origin: [FILES]})
        called = self.workspace.run("call", "--resource", good.address, other.address, "--no-interaction")
        self.assertEqual((called.returncode, len(other.tokens)), (0, 1), called.stderr)

    def test_a_token_stays_at_its_resource(self):
        """A redirect takes a resource's token to a path below it, and to no other one."""
        for leads, reached in (("/mcp/", ["/mcp", "/mcp/"]), ("/other", ["/mcp"]), ("/mcp/../other", ["/mcp"]),
                               ("/mcp%2f..%2fother", ["/mcp"])):
            with self.subTest(leads):
                server = self.hostile(scopes=[FILES], leads=leads)
                self.answer(b"y\n", "sign-in", "--resource", server.address)
                called = self.workspace.run("call", server.address, "--no-interaction")
                self.assertEqual(server.reached[:2], reached, called.stderr)
                self.assertEqual("without the token" in called.stderr, len(reached) == 1, called.stderr)

    def test_a_step_up_keeps_what_is_agreed(self):
        server = self.hostile(scopes=[FILES])
        self.answer(b"y\n", "sign-in", "--resource", server.address)
        for error in ("insufficient_scope", "insufficient_claims"):
            with self.subTest(error):
                # What the claims ask for is new to the authority, but not the scopes.
                server.then = [f'error="{error}", claims="e30="' if "claims" in error else f'error="{error}"']
                called = self.workspace.run("call", server.address, "--no-interaction")
                self.assertNotIn("Graph", called.stderr)
                self.assertNotIn("haven't allowed", called.stderr)
        server.then = ['error="insufficient_scope", scope="https://graph.microsoft.com/Mail.Read"']
        refused = " ".join(self.workspace.run("call", server.address).stderr.split())
        self.assertIn("asks for a token for Microsoft Graph (https://graph.microsoft.com/Mail.Read)", refused)
        self.assertIn(f"It still gets only tokens with {FILES}, which you allowed.", refused)
        server.then = ['error="insufficient_scope", scope="api://keyturn-files/Files.ReadWrite"']
        refused = " ".join(self.workspace.run("call", server.address, "--no-interaction").stderr.split())
        self.assertRegex(refused, "asks for a token of .* with api://keyturn-files/Files.ReadWrite, as ann@")
        self.assertIn(f"It still gets only tokens with {FILES}, which you allowed.", refused)

    def test_the_question_names_what_the_server_asks_for_now(self):
        server = self.hostile(scopes=["api://keyturn-old/Old.Read"])
        self.assertIn("keyturn-old", self.workspace.run("call", server.address).stderr)
        server.scopes = [FILES]
        for words in (["token", "--resource"], ["call"]):
            refused = self.workspace.run(*words, server.address)
            self.assertEqual(refused.returncode, 4, refused.stderr)
            self.assertIn(FILES, refused.stderr)
            self.assertNotIn("keyturn-old", refused.stderr)

    def test_a_path_with_dots(self):
        server = self.hostile(scopes=[FILES])
        result = self.workspace.run("sign-in", "--resource", f"{server.origin}/a/../mcp")
        self.assertIn("has . or .. in its path", " ".join(result.stderr.split()))
        self.assertNotIn("instead of", result.stderr)
        self.assertEqual(server.requests, [])


class AgreementJourney(DestinationCase):
    def test_a_question_that_the_terminal_cannot_show(self):
        server = self.hostile(scopes=[FILES])
        path = "a" * 3000
        server.address = f"{server.origin}/mcp/{path}"
        command = [KEYTURN, "sign-in", "--resource", server.address]
        terminal = self.closing(PseudoTerminal(command, self.workspace.environment, columns=80, rows=24))
        terminal.press(b"y\n")
        shown = terminal.read_to_end()
        self.assertIn(b"Enlarge the terminal", shown)
        self.assertNotIn(b"[y/N]", shown)
        self.assertEqual(server.tokens, [])

    def test_the_screen_names_what_the_server_asks_for(self):
        """With a profile for Microsoft Graph: the question is about the server's scopes, and the refusal too."""
        for scope, shown in ((FILES, b"Allow this server a token?"), ("Mail.Read", b"Mail.Read), which isn't for")):
            claims = base64.b64encode(b'{"access_token":{"xms_cc":{"values":["cp1"]}}}').decode()
            server = self.hostile(challenged=[scope], then=[f'error="insufficient_claims", claims="{claims}"'])
            terminal = self.closing(
                PseudoTerminal([KEYTURN, "--plain"], self.workspace.environment, columns=300, rows=40))
            terminal.read_until(b"ann@contoso.example")
            terminal.press(b"a\n")
            terminal.read_until(b"URL, or method")
            terminal.press(server.address.encode() + b"\n")
            text = terminal.read_until(shown)
            self.assertNotIn(b"User.Read", text[text.index(b"Call an API"):] if b"Call an API" in text else text[-600:])
            if scope == FILES:
                self.assertIn(FILES.encode(), text)
                terminal.press(b"y\n")
                # The step-up without a scope gets what is agreed, and is not refused.
                wait_until(lambda: len(server.tokens) >= 2, 20, lambda: f"{terminal.read()} {server.tokens}")
                checked = " ".join(self.workspace.run("check", "--resource", server.address).stdout.split())
                self.assertIn("You allowed it a token", checked)
            os.kill(terminal.pid, signal.SIGTERM)

    def test_what_was_typed_before_the_question_is_no_answer(self):
        server = self.hostile(scopes=[FILES])
        command = [KEYTURN, "token", "--resource", server.address, "-o", "header"]
        terminal = self.closing(PseudoTerminal(command, self.workspace.environment, columns=500))
        terminal.press(b"y\ny\nyes")
        terminal.read_until(b"[y/N]")
        terminal.press(b"\n")
        shown = terminal.read_to_end()
        self.assertNotIn(b"eyJ", shown)
        self.assertIn(b"Nothing was sent", shown)
        self.assertEqual(server.tokens, [])

    def test_the_screen_asks(self):
        server = self.hostile(scopes=[FILES])
        self.configure_for_authority(self.authority, scopes=[FILES])
        for lines in ([], ["--plain"]):
            server.tokens.clear()
            terminal = self.closing(
                PseudoTerminal([KEYTURN, *lines], self.workspace.environment, columns=120, rows=40))
            terminal.read_until(b"ann@contoso.example")
            terminal.press(b"a\n" if lines else b"a")
            terminal.read_until(b"URL, or method" if lines else b"URL of the API")
            # What follows the line is no answer.
            terminal.press(server.address.encode() + (b"\ny\n" if lines else b"\ry"))
            terminal.read_until(b"Allow this server a token?")
            self.assertEqual(server.tokens, [])
            terminal.press(b"y\n" if lines else b"y")
            wait_until(lambda: server.tokens, 20, "no token arrived")
            self.assertEqual(self.workspace.run("token", "--resource", server.address, "--no-interaction").returncode, 0)
            os.kill(terminal.pid, signal.SIGTERM)
            wait_until(lambda: terminal.exit_status() is not None, 10, "the program still runs")
            # And takes it back.
            terminal = self.closing(
                PseudoTerminal([KEYTURN, *lines], self.workspace.environment, columns=120, rows=40))
            terminal.read_until(b"Quit" if lines else b"Allowed")
            terminal.press(b"T\n" if lines else b"T")
            terminal.read_until(b"Take it back" if lines else b"SCOPES")
            terminal.press(b"D\n" if lines else b"D")
            terminal.read_until(b"Every server that asks for a token needs your yes first.")
            again = self.workspace.run("token", "--resource", server.address, "--no-interaction")
            self.assertEqual((again.returncode, again.stdout), (4, ""))
            terminal.press(b"\x03")

    def test_a_yes_is_for_one_endpoint_and_ends_with_the_sign_in(self):
        good, bad = self.hostile(scopes=[FILES]), self.hostile(scopes=[FILES])
        advised = self.workspace.run("call", good.address)
        self.assertEqual(advised.returncode, 4, advised.stderr)
        self.assertIn(f"keyturn sign-in --resource {good.address}", advised.stderr)

        _, status = self.answer(b"n\n", "sign-in", "--resource", good.address)
        self.assertNotEqual(status, 0)
        self.assertEqual(good.tokens, [])
        shown, status = self.answer(b"y\n", "token", "--resource", good.address, "-o", "header")
        self.assertEqual(status, 0, shown)
        self.assertIn("as ann@contoso.example", shown)
        self.assertIn("API: api://keyturn-files", shown)
        token = self.workspace.run("token", "--resource", good.address, "--no-interaction")
        self.assertIn("eyJ", token.stdout, token.stderr)
        self.workspace.run("call", good.address, "--no-interaction")
        self.assertEqual(len(good.tokens), 1)
        checked = " ".join(self.workspace.run("check", "--resource", good.address).stdout.split())
        self.assertRegex(checked, "Allowed tokens You allowed it a token of .* with api://keyturn-files/Files.Read, as ann@")

        stolen = self.workspace.run("token", "--resource", bad.address, "--no-interaction")
        self.assertEqual((stolen.returncode, stolen.stdout), (4, ""))
        shown, _ = self.answer(b"\n", "call", bad.address)
        self.assertIn(f"Already allowed for: {good.address}", shown)
        self.assertEqual(bad.tokens, [])

        self.assertEqual(self.workspace.run("sign-out", ANN).returncode, 0)
        self.assertEqual(self.workspace.run("sign-in", "--scope", FILES).returncode, 0)
        self.assertEqual(self.workspace.run("token", "--resource", good.address, "--no-interaction").returncode, 4)
