"""One token cache, shared live with MSAL Python."""

import json
import subprocess
import sys
import urllib.parse
import warnings

from support import person
from support.case import JourneyCase
from support.msal_python import application
from support.provider import start_authority
from support.workspace import KEYTURN, ROOT

SCRIPT = ROOT / "Tests/EndToEnd/support/msal_python.py"
# Not http: nobody listens, and the person stops at an address that is not the authority's.
REDIRECT_URI = "msauth.org.keyturn.app://auth"


class SharedCacheJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.cache = self.workspace.path / "shared.json"
        authority = f"{self.authority.address}/organizations"
        self.configure_for_authority(
            self.authority.address, authority=authority, knownAuthorities=[authority],
            cache={"kind": "unified", "path": str(self.cache)})
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)

    def python(self):
        return application(person.DEMO_CLIENT_ID, self.authority.address, "contoso", self.cache)

    def token(self, *options):
        result = self.workspace.run("token", "--no-interaction", "-o", "json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_msal_python_is_silent_with_what_we_wrote(self):
        signed_in = self.workspace.run("sign-in")
        self.assertEqual(signed_in.returncode, 0, signed_in.stderr)
        self.assertEqual(self.cache.stat().st_mode & 0o077, 0)

        app = self.python()
        accounts = app.get_accounts()
        self.assertEqual([account["username"] for account in accounts], ["ann@contoso.example"])
        result = app.acquire_token_silent_with_error(["User.Read"], account=accounts[0])
        self.assertIn("access_token", result, result)

        # Its renewal replaced the refresh token; ours goes on with the new one, and so on.
        self.assertTrue(self.token("--force-refresh")["accessToken"])
        again = self.python().acquire_token_silent_with_error(["User.Read"], accounts[0], force_refresh=True)
        self.assertIn("access_token", again, again)
        self.assertTrue(self.token("--force-refresh")["accessToken"])

    def test_we_are_silent_with_what_msal_python_wrote(self):
        app = self.python()
        with warnings.catch_warnings():
            # It would rather have the answer posted, which only a page of its own could take.
            warnings.simplefilter("ignore")
            flow = app.initiate_auth_code_flow(["User.Read"], redirect_uri=REDIRECT_URI, response_mode="query")
        answer = person.walk(flow["auth_uri"].replace("https://", "http://", 1), *person.ANN)
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer).query))
        result = app.acquire_token_by_auth_code_flow(flow, query)
        self.assertIn("access_token", result, result)

        self.workspace.environment["BROWSER"] = "false"
        accounts = json.loads(self.workspace.run("accounts", "-o", "json").stdout)
        self.assertEqual([account["username"] for account in accounts], ["ann@contoso.example"])
        cached = self.token()
        self.assertTrue(cached["fromCache"])
        self.assertEqual(cached["accessToken"], result["access_token"])
        self.assertFalse(self.token("--force-refresh")["fromCache"])

        # What we renewed, it uses.
        account = self.python().get_accounts()[0]
        renewed = self.python().acquire_token_silent_with_error(["User.Read"], account, force_refresh=True)
        self.assertIn("access_token", renewed, renewed)

    def test_many_processes_of_both_lose_nothing(self):
        imports = []
        for worker in range(3):
            for number in range(4):
                name = f"ours-{worker}-{number}"
                file = self.workspace.path / f"{name}.json"
                account = {
                    "home_account_id": f"{name}.tenant", "environment": "login.example", "realm": "tenant",
                    "local_account_id": name, "username": f"{name}@example", "authority_type": "MSSTS",
                }
                file.write_text(json.dumps({"Account": {"x": account}}))
                imports.append(file)
        processes = [
            subprocess.Popen(
                [sys.executable, SCRIPT, "fill", self.cache, f"python-{worker}", "4"], stderr=subprocess.PIPE)
            for worker in range(3)
        ]
        processes += [
            subprocess.Popen(
                [KEYTURN, "import", "unified", file], env=self.workspace.environment, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE)
            for file in imports
        ]
        for process in processes:
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors.decode())
        names = {entry["username"] for entry in json.loads(self.cache.read_text())["Account"].values()}
        expected = {f"{file.stem}@example" for file in imports}
        expected |= {f"python-{worker}-{number}@example" for worker in range(3) for number in range(4)}
        self.assertEqual(names, expected)
        self.assertFalse(self.cache.with_name("shared.json.lockfile").exists())
