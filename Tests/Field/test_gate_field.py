"""Doors to APIs and managed identities: what went wrong with other proxies and endpoints that add credentials."""

import json
import re
import socket
import subprocess
import sys
import urllib.parse

import requests

from field import FieldCase, complaint
from support import person
from support.origin import Origin
from support.provider import start_authority
from support.rotating_provider import RotatingProvider
from support.waiting import wait_until

PATIENCE = 30


class GateRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.provider = RotatingProvider.of(self)
        self.sign_in()
        self.origin = self.closing(Origin())

    def open(self, *arguments):
        self.process = self.start("gate", "-q", self.origin.address, *arguments)
        return self.process.stdout.readline().strip()

    def status(self, address, method, path, *fields):
        """The status of a request whose path no library changes."""
        port, secret = re.search(r":(\d+)(/\w+)", address).groups()
        with socket.create_connection(("127.0.0.1", int(port)), timeout=PATIENCE) as client:
            head = [f"{method} {secret}{path} HTTP/1.1", *(fields or (f"Host: 127.0.0.1:{port}",)), "Connection: close"]
            client.sendall("".join(f"{line}\r\n" for line in (*head, "")).encode())
            return int(client.recv(1 << 16).split()[1])

    @complaint(
        "https://github.com/bitly/oauth2_proxy/issues/266",
        "Server-sent events reach the client only when the whole response has ended",
        "The gate passes the header and each event on when it comes")
    def test_events(self):
        with requests.get(f"{self.open()}/events", stream=True, timeout=PATIENCE) as response:
            lines = response.iter_lines(chunk_size=1)
            self.origin.step.release()
            self.assertEqual(next(lines), b"data: 0")

    @complaint(
        "https://github.com/villadora/express-http-proxy/issues/236",
        "The proxy keeps a whole download in memory before the client gets a byte",
        "Bodies are streamed: 100 MB take no memory")
    def test_memory(self):
        address = self.open()
        for count in (1 << 20, 100 << 20):
            with requests.get(f"{address}/bytes/{count}", stream=True, timeout=PATIENCE) as response:
                self.assertEqual(sum(map(len, response.iter_content(1 << 20))), count)
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            self.assertLess(int(re.search(r"RssAnon:\s+(\d+)", status.read()).group(1)), 10_000)

    @complaint(
        "https://github.com/MAXeaglet/commandcode-proxy/issues/20",
        "A client that stops reading makes the proxy keep the rest of the response in memory",
        "The origin waits too: what waits between them is bounded")
    def test_a_client_that_stops_reading(self):
        address = self.open()
        port, secret = re.search(r":(\d+)(/\w+)", address).groups()
        requests.get(f"{address}/a", timeout=PATIENCE)
        clients = []
        for _ in range(4):
            client = socket.create_connection(("127.0.0.1", int(port)))
            client.sendall(f"GET {secret}/bytes/{1 << 30} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            client.recv(1000)
            clients.append(client)
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            self.assertLess(int(re.search(r"RssAnon:\s+(\d+)", status.read()).group(1)), 15_000)
        for client in clients:
            client.close()

    @complaint(
        "https://github.com/aws/graph-explorer/issues/39",
        "The proxy's credentials expire, and each request fails until it is restarted",
        "The gate refreshes the token before it expires")
    def test_a_token_that_expires(self):
        self.provider.lifetime = 2
        self.refresh()
        address = self.open()
        seen = set()

        def is_new():
            seen.add(requests.get(f"{address}/a", timeout=PATIENCE).json()["headers"]["Authorization"])
            return len(seen) > 1

        wait_until(is_new, PATIENCE, "the token stays")

    @complaint(
        "https://github.com/aws/graph-explorer/issues/1504",
        "The API answers 401 to a cached credential, and the proxy passes that on for ever",
        "One refresh and one repetition; then the error says what to type")
    def test_a_rejected_token(self):
        address = self.open()
        first = requests.get(f"{address}/a", timeout=PATIENCE).json()["headers"]["Authorization"]
        self.origin.rejected.add(first)
        self.assertEqual(requests.get(f"{address}/a", timeout=PATIENCE).status_code, 200)

    @complaint(
        "https://github.com/Proxyfan/Proxyfan/issues/229",
        "A header value whose bytes are not ASCII reaches the API with other bytes",
        "The gate passes the bytes of a value on as they came")
    def test_bytes_of_a_header(self):
        address = self.open()
        port, secret = re.search(r":(\d+)(/\w+)", address).groups()
        with socket.create_connection(("127.0.0.1", int(port)), timeout=PATIENCE) as client:
            client.sendall(f"GET {secret}/a HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nX-Name: caf\u00e9\r\n\r\n".encode("latin-1"))
            client.recv(1 << 16)
        self.assertEqual(self.origin.seen[-1][2]["X-Name"], "caf\u00e9")

    @complaint(
        "https://github.com/rancher/steve/pull/25",
        "A request to a proxy of Kubernetes names another user in Impersonate-User, and the API obeys the proxy's credential",
        "Fields with which an API acts for another user don't pass")
    def test_impersonation(self):
        address = self.open()
        sent = {"Impersonate-User": "root", "Impersonate-Group": "system:masters", "Impersonate-Extra-A": "b", "Sudo": "root"}
        self.assertEqual(requests.get(f"{address}/a", headers=sent, timeout=PATIENCE).status_code, 200)
        self.assertEqual({name.lower() for name in self.origin.seen[-1][2]} & {name.lower() for name in sent}, set())

    @complaint(
        "https://github.com/punkpeye/mcp-remote/issues/91",
        "The server forgets a token, and the client sends it again and again",
        "A 401 to a token leads to one refresh, whatever the challenge says; then the server's words")
    def test_a_token_that_nothing_calls_invalid(self):
        address = self.open()
        self.origin.challenge, self.origin.reason = {}, b'{"message": "This seat is gone"}'
        for _ in range(2):
            response = requests.get(f"{address}/a", timeout=PATIENCE)
            self.assertEqual(response.status_code, 200)
            token = response.json()["headers"]["Authorization"]
            self.origin.rejected.add(token)
        self.assertIn("This seat is gone", requests.get(f"{address}/a", timeout=PATIENCE).json()["detail"])

    @complaint(
        "https://github.com/quick-lint/quick-lint-js/issues/951",
        "A web page that binds its name to 127.0.0.1 can use a local server",
        "The Host field must be the gate's own address with its port")
    def test_rebinding(self):
        address = self.open()
        port = re.search(r":(\d+)", address).group(1)
        self.assertEqual(self.status(address, "GET", "/a", f"Host: evil.example:{port}"), 421)
        self.assertEqual(self.origin.seen, [])

    @complaint(
        "https://github.com/oauth2-proxy/oauth2-proxy/issues/3506",
        "A header names another path than the one that was checked, and the proxy or the server takes it",
        "Only the request's own path is checked, and such fields aren't passed on")
    def test_a_path_in_a_header(self):
        address = self.open("--allow", "GET /mail/*")
        fields = {"X-Original-URL": "/admin", "X-Rewrite-URL": "/admin", "X-HTTP-Method-Override": "DELETE"}
        seen = requests.get(f"{address}/mail/1", headers=fields, timeout=PATIENCE).json()
        self.assertFalse({name.lower() for name in seen["headers"]} & {name.lower() for name in fields})
        self.assertEqual(requests.get(f"{address}/admin", headers={"X-Forwarded-Uri": "/mail/1"}, timeout=PATIENCE).status_code, 403)

    @complaint(
        "https://github.com/agentarea/agentarea/pull/237",
        "Segments '..' lead out of the part of the server that a proxy serves",
        "A path with such a segment, in any spelling, is rejected")
    def test_traversal(self):
        address = self.open("--allow", "GET /mail/*")
        for path in ("/mail/../admin", "/mail/%2e%2e/admin", "/mail/%252e%252e/admin", "/mail/..%2fadmin", "/mail/..;/admin"):
            self.assertEqual(self.status(address, "GET", path), 400, path)

    @complaint(
        "https://github.com/oauth2-proxy/oauth2-proxy/pull/997",
        "The proxy decodes '%2F' in a path, and the API no longer finds the object",
        "The path is sent as it came")
    def test_encoded_slashes(self):
        seen = requests.get(f"{self.open()}/projects/group%2Fname?a=%2F", timeout=PATIENCE).json()
        self.assertEqual(seen["path"], "/projects/group%2Fname?a=%2F")

    @complaint(
        "https://github.com/apify/crawlee/issues/4134",
        "The Authorization field follows a redirect to another origin",
        "The gate follows no redirect, and the program never had the token")
    def test_a_redirect(self):
        elsewhere = self.closing(Origin())
        requests.get(f"{self.open()}/to/a?={elsewhere.address}/x", timeout=PATIENCE)
        self.assertNotIn("Authorization", elsewhere.seen[0][2])

    @complaint(
        "https://github.com/s-okayama/cloudsql/pull/184",
        "Each user of the computer can connect to a proxy's port, and acts as the one who started it",
        "A gate can listen on a Unix socket with mode 0600; at a port it serves only the user's own processes")
    def test_a_socket(self):
        door = self.workspace.path / "door"
        self.assertEqual(self.open("--socket", str(door)), str(door))
        self.assertEqual(door.stat().st_mode & 0o777, 0o600)


SDK = """
import sys
from azure.identity import AzureCliCredential, ChainedTokenCredential, CredentialUnavailableError, ManagedIdentityCredential
try:
    print(ManagedIdentityCredential().get_token(sys.argv[1]).token[:3])
except CredentialUnavailableError:
    print("unavailable")
"""


class ManagedIdentityRow(FieldCase):
    def setUp(self):
        super().setUp()
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.succeed("sign-in")

    def within(self, *command, **environment):
        return self.succeed("serve", "managed-identity", "-q", "--", *command, **environment)

    def ask(self, scope="https://graph.microsoft.com/.default", **environment):
        return self.within(sys.executable, "-c", SDK, scope, **environment)

    @complaint(
        "https://github.com/Azure/azure-sdk-for-net/issues/19167",
        "A program under test has no managed identity, and mounting the folder of az into it fails or gives too much",
        "It gets two variables, and with them access tokens of the user for the allowed scopes")
    def test_a_local_identity(self):
        self.assertEqual(self.ask(), "eyJ\n")

    @complaint(
        "https://github.com/Azure/azure-sdk-for-python/issues/35991",
        "With a proxy in the environment, the request for a token goes to the proxy, and the credential fails",
        "NO_PROXY has the endpoint's address, beside what it had")
    def test_a_proxy(self):
        environment = {"http_proxy": "http://127.0.0.1:1", "https_proxy": "http://127.0.0.1:1", "NO_PROXY": "a.example"}
        self.assertEqual(self.ask(**environment), "eyJ\n")
        self.assertEqual(self.within("printenv", "NO_PROXY", **environment), "a.example,127.0.0.1\n")

    @complaint(
        "https://github.com/Azure/azure-sdk-for-net/issues/6756",
        "The SDK can't read the time of expiry, because endpoints send it in different forms",
        "expires_on is the number of seconds since 1970 as a string, as App Service sends it")
    def test_the_expiry(self):
        query = urllib.parse.urlencode({"api-version": "2019-08-01", "resource": "https://graph.microsoft.com"})
        answer = json.loads(self.within(
            "sh", "-c", f'curl -s -H "X-IDENTITY-HEADER: $IDENTITY_HEADER" "$IDENTITY_ENDPOINT?{query}"'))
        self.assertRegex(answer["expires_on"], r"^\d{10}$")

    @complaint(
        "https://github.com/Azure/azure-sdk-for-net/issues/18362",
        "A status that the SDK doesn't expect ends the whole chain of credentials",
        "A resource that isn't allowed gets 403 with the JSON that SDKs read: the next credential is tried")
    def test_a_chain_goes_on(self):
        self.assertEqual(self.ask("https://vault.azure.net/.default"), "unavailable\n")

    @complaint(
        "https://github.com/Azure/azure-sdk-for-net/issues/16043",
        "Managed identities can't be tried on the developer's own computer",
        "The endpoint serves there, and ends with the program")
    def test_the_end(self):
        endpoint = self.within("printenv", "IDENTITY_ENDPOINT").strip()
        refused = subprocess.run(["curl", "-s", endpoint], check=False, timeout=PATIENCE)
        self.assertEqual(refused.returncode, 7)
