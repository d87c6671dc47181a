"""What providers refuse to a client: a grant, a registration, the tokens of a refresh."""

import http.client
import re
import urllib.parse

from field import FieldCase, complaint
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
        terminal = self.open_terminal(200, 50)
        terminal.start(KEYTURN, "sign-in")
        terminal.wait_for("The grant is not allowed for the client", "Trying a pasted URL instead.")
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
