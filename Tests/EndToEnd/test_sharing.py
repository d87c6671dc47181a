"""One token cache, shared live with MSAL Python."""

import json
import os
import subprocess
import sys
import urllib.parse
import warnings

import msal

from support import person
from support.case import JourneyCase
from support.msal_python import application, shared_cache
from support.provider import start_authority
from support.workspace import KEYTURN, ROOT

SCRIPT = ROOT / "Tests/EndToEnd/support/msal_python.py"
# Not http: nothing listens, and the user stops at a URL that is not the authority's.
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

    def test_msal_python_is_silent_with_our_tokens(self):
        signed_in = self.workspace.run("sign-in")
        self.assertEqual(signed_in.returncode, 0, signed_in.stderr)
        self.assertEqual(self.cache.stat().st_mode & 0o077, 0)

        app = self.python()
        accounts = app.get_accounts()
        self.assertEqual([account["username"] for account in accounts], ["ann@contoso.example"])
        result = app.acquire_token_silent_with_error(["User.Read"], account=accounts[0])
        self.assertIn("access_token", result, result)

        # Its refresh replaced the refresh token; the program continues with the new one, and so on.
        self.assertTrue(self.token("--force-refresh")["accessToken"])
        again = self.python().acquire_token_silent_with_error(["User.Read"], accounts[0], force_refresh=True)
        self.assertIn("access_token", again, again)
        self.assertTrue(self.token("--force-refresh")["accessToken"])

    def test_we_are_silent_with_msal_pythons_tokens(self):
        app = self.python()
        with warnings.catch_warnings():
            # It prefers form_post, which only a page of its own could receive.
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

        # It uses the token that the program refreshed.
        account = self.python().get_accounts()[0]
        renewed = self.python().acquire_token_silent_with_error(["User.Read"], account, force_refresh=True)
        self.assertIn("access_token", renewed, renewed)

    def entries(self, kind):
        return json.loads(self.cache.read_text()).get(kind, {})

    def sign_in(self):
        signed_in = self.workspace.run("sign-in")
        self.assertEqual(signed_in.returncode, 0, signed_in.stderr)

    def assert_keys_are_those_of_msal_python(self):
        makers = msal.TokenCache().key_makers
        for kind, make in makers.items():
            for key, entry in self.entries(kind).items():
                self.assertEqual(key, make(**entry), kind)

    def test_msal_python_removes_all_our_rows(self):
        self.sign_in()
        self.token("--force-refresh")
        self.assert_keys_are_those_of_msal_python()
        app = self.python()
        app.remove_account(app.get_accounts()[0])
        for kind in ("AccessToken", "RefreshToken", "IdToken", "Account"):
            self.assertEqual(self.entries(kind), {}, kind)
        result = self.workspace.run("token", "--no-interaction")
        self.assertEqual(result.returncode, 4, result.stderr)

    def test_rows_of_azure_cli_are_removed_under_their_own_keys(self):
        # As in Azure CLI's msal_token_cache.json: the requested tenant, and scopes in a family's refresh token.
        owner = {
            "home_account_id": "u.t", "environment": "login.microsoftonline.com",
            "client_id": "04b07795-8ddb-461a-bbee-02f9e1bf7b46",
        }
        scopes = "https://management.core.windows.net//.default https://management.core.windows.net//user_impersonation"
        rows = {
            "AccessToken": {
                **owner, "credential_type": "AccessToken", "secret": "at", "realm": "organizations", "target": scopes,
                "token_type": "Bearer", "cached_at": "1700000000", "expires_on": "4000000000",
                "extended_expires_on": "4000000000",
            },
            "RefreshToken": {
                **owner, "credential_type": "RefreshToken", "secret": "rt", "target": scopes, "family_id": "1",
                "last_modification_time": "1700000000",
            },
            "IdToken": {**owner, "credential_type": "IdToken", "secret": "a.b.c", "realm": "organizations"},
            "Account": {
                "home_account_id": "u.t", "environment": "login.microsoftonline.com", "realm": "organizations",
                "local_account_id": "u", "username": "ann@contoso.example", "authority_type": "MSSTS",
                "account_source": "authorization_code",
            },
            "AppMetadata": {
                "client_id": owner["client_id"], "environment": "login.microsoftonline.com", "family_id": "1",
            },
        }
        file = self.workspace.path / "azure.json"
        file.write_text(json.dumps({kind: {f"key of {kind}": row} for kind, row in rows.items()}))
        imported = self.workspace.run("import", "unified", file)
        self.assertEqual(imported.returncode, 0, imported.stderr)
        self.assert_keys_are_those_of_msal_python()
        for kind, row in rows.items():
            self.assertEqual(list(self.entries(kind).values()), [row], kind)

    def test_a_file_of_the_other_kind_is_reported(self):
        file = self.workspace.path / "other.json"
        for kind, content, name in (("adal", '{"Account": {}}', "unified schema"), ("unified", "[]", "ADAL")):
            with self.subTest(kind=kind):
                file.write_text(content)
                result = self.workspace.run("import", kind, file, "-o", "json")
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(name, json.loads(result.stderr)["error"]["description"])

    def test_a_list_of_adal(self):
        """Each row is redeemed; the summary adds up to what the list of accounts then has."""
        self.sign_in()
        secret = next(iter(self.entries("RefreshToken").values()))["secret"]
        self.cache.unlink()
        row = {
            "_authority": f"{self.authority.address}/common", "_clientId": person.DEMO_CLIENT_ID,
            "resource": "https://graph.keyturn.example"}
        names = {"ann@contoso.example": secret, "mia@contoso.example": "unknown"}
        rows = [{**row, "userId": name, "refreshToken": token} for name, token in names.items()]
        file = self.workspace.path / "adal.json"
        file.write_text(json.dumps([*rows, {**row, "accessToken": "old"}]))
        imported = self.workspace.run("import", "adal", file)
        self.assertEqual(imported.returncode, 4, imported.stderr)
        self.assertIn("2 accounts: 1 imported, 1 sign in again. 'keyturn accounts' lists 1: ", imported.stdout)
        self.assertIn("1 unused entry", imported.stdout)
        self.assertNotIn(secret, imported.stdout + imported.stderr)
        accounts = json.loads(self.workspace.run("accounts", "-o", "json").stdout)
        self.assertEqual([account["username"] for account in accounts], ["ann@contoso.example"])
        self.assertTrue(self.token()["fromCache"])

    def test_a_removed_account_stays_listed_for_other_clients(self):
        self.sign_in()
        other = {**next(iter(self.entries("RefreshToken").values())), "client_id": "another-client"}
        cache = shared_cache(self.cache)
        cache.modify(cache.CredentialType.REFRESH_TOKEN, other, other)
        self.assertEqual(self.workspace.run("remove", "ann@contoso.example").returncode, 0)
        self.assertEqual([entry["client_id"] for entry in self.entries("RefreshToken").values()], ["another-client"])
        self.assertEqual(len(self.python().get_accounts()), 1)

        self.cache.unlink()
        self.sign_in()
        self.assertEqual(self.workspace.run("remove", "ann@contoso.example").returncode, 0)
        self.assertEqual(self.python().get_accounts(), [])

    def test_unknown_members_survive_a_refresh(self):
        self.sign_in()
        document = json.loads(self.cache.read_text())
        added = {"their_number": 90071992547409931234567890, "their_map": {"a": [1, None, "\u00e9"]}}
        for kind in ("AccessToken", "RefreshToken", "IdToken", "Account"):
            for entry in document[kind].values():
                entry.update(added)
        self.cache.write_text(json.dumps(document))
        secret = next(iter(document["RefreshToken"].values()))["secret"]
        self.token("--force-refresh")
        for kind in ("AccessToken", "RefreshToken", "IdToken", "Account"):
            for entry in self.entries(kind).values():
                self.assertEqual({name: entry.get(name) for name in added}, added, kind)
        self.assertNotEqual(next(iter(self.entries("RefreshToken").values()))["secret"], secret)

    def test_a_file_in_the_middle_of_a_write_never_counts_as_empty(self):
        self.sign_in()
        writer = subprocess.Popen(
            [sys.executable, SCRIPT, "rewrite", self.cache], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            writer.stdout.readline()
            for _ in range(25):
                result = self.workspace.run("accounts", "-o", "json")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(len(json.loads(result.stdout)), 1)
        finally:
            writer.stdin.close()
            self.assertEqual(writer.wait(timeout=30), 0)
            writer.stdout.close()

    def test_a_program_without_the_lock_costs_no_sign_in(self):
        """MSAL Python saves as its documentation shows: it truncates the file, then writes it."""
        rounds, lost = self.save_together()
        # A program that saves what it loaded a quarter of a second ago overwrites a change for good, and on a busy machine
        # the sample does (docs/differences.md).
        self.assertLessEqual(len(lost), 2 + rounds // 20, lost)

    def test_a_program_with_the_lock_costs_no_sign_in(self):
        _, lost = self.save_together("lock")
        self.assertEqual(lost, set())

    def save_together(self, *lock):
        """The number of rounds, and the accounts that Keyturn added and that are gone."""
        # docs/reliability.md has the results of 200 rounds.
        rounds = int(os.environ.get("KEYTURN_SHARING_ROUNDS", "6"))
        self.sign_in()
        document = json.loads(self.cache.read_text())
        for kind, member in (("Account", "local_account_id"), ("RefreshToken", "secret")):
            [entry] = document[kind].values()
            for number in range(60):
                changed = {**entry, "home_account_id": f"theirs-{number}.tenant", member: f"{number}"}
                document[kind][msal.TokenCache().key_makers[kind](**changed)] = changed
        self.cache.write_text(json.dumps(document))
        writer = subprocess.Popen(
            [sys.executable, SCRIPT, "sample", self.cache, *lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        try:
            writer.stdout.readline()
            for number in range(rounds):
                file = self.workspace.path / "ours.json"
                [account] = [one for one in document["Account"].values() if one["local_account_id"] == "0"]
                file.write_text(json.dumps({"Account": {"x": {**account, "home_account_id": f"ours-{number}.tenant"}}}))
                imported = self.workspace.run("import", "unified", file)
                self.assertEqual(imported.returncode, 0, imported.stderr)
                listed = self.workspace.run("accounts", "-o", "json")
                self.assertEqual(listed.returncode, 0, listed.stderr)
                self.assertEqual(len(json.loads(listed.stdout)), 61)
        finally:
            result = json.loads(writer.communicate(timeout=30)[0])
        accounts = {entry["home_account_id"] for entry in self.entries("Account").values()}
        ours = {f"ours-{number}.tenant" for number in range(rounds)}
        print(f"{rounds} rounds, {result}, {len(ours - accounts)} of ours lost", file=sys.stderr)
        self.assertEqual(result["lost"], 0, result)
        self.assertGreater(result["saved"], rounds)
        return rounds, ours - accounts

    def test_a_suspended_writer_is_named(self):
        self.sign_in()
        content = self.cache.read_bytes()
        with open(self.cache, "wb") as writer:
            # The age of the file shortens nothing while a process has it open.
            os.utime(self.cache, (0, 0))
            result = self.workspace.run("sign-in")
            self.assertEqual(result.returncode, 7, result.stderr)
            self.assertIn(f"{self.cache} is empty.", result.stderr)
            self.assertRegex(result.stderr, rf"\S+ \(process {os.getpid()}\) has not finished writing it\.")
            self.assertEqual(self.cache.stat().st_size, 0)
            writer.write(content)
        self.assertEqual(len(json.loads(self.workspace.run("accounts", "-o", "json").stdout)), 1)

        # One that ended in the middle: the content is lost, which is no reason to say that there are no accounts.
        self.cache.write_bytes(b"")
        os.utime(self.cache, (0, 0))
        result = self.workspace.run("accounts")
        self.assertEqual(result.returncode, 7, result.stderr)
        self.assertIn("is empty, but was not.", result.stderr)
        self.assertEqual(self.cache.stat().st_size, 0)
        self.cache.unlink()
        self.sign_in()

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
