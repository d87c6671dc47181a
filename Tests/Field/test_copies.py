"""Copies of evidence to share: what others leak in them, and what others hide until nobody can use them."""

import json
import zipfile

from field import FieldCase, complaint
from support.workspace import ROOT

EVIDENCE = ROOT / "Tests/DiagnosisTests/Explanation/Evidence"


class CopyRow(FieldCase):
    def run_redact(self, text, name="evidence.log", *options):
        """The copy of a text, and what the command printed."""
        folder = self.workspace.path
        for file in folder.glob("copy.*"):
            file.unlink()
        evidence = folder / name
        evidence.write_text(text)
        copy = folder / f"copy.{name.rsplit('.', 1)[1]}"
        result = self.workspace.run("explain", str(evidence), "--offline", "--redact", str(copy), *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return copy.read_text(), result

    def redact(self, text, name="evidence.log"):
        return self.run_redact(text, name)[0]

    def assert_none(self, secrets, copy):
        for secret in secrets:
            self.assertNotIn(secret.lower(), copy.lower())


class LeakRow(CopyRow):
    @complaint(
        "https://github.com/cloudflare/har-sanitizer/issues/27",
        "The sanitizer hides what a request sends. The access and refresh tokens in the response to the POST stay",
        "A copy is written anew: of a response, only members that a rule reads, and their values by name")
    def test_tokens_in_the_response(self):
        body = {"access_token": "PLANTED-access", "refresh_token": "PLANTED-refresh", "other": "PLANTED-other"}
        entry = {
            "request": {"method": "POST", "url": "https://login.microsoftonline.com/common/oauth2/v2.0/token"},
            "response": {"status": 400, "content": {"mimeType": "application/json", "text": json.dumps(
                {**body, "error": "invalid_grant", "error_codes": [50076]})}},
        }
        copy = self.redact(json.dumps({"log": {"entries": [entry]}}), "evidence.har")
        self.assert_none(["planted"], copy)
        self.assertIn("invalid_grant", copy)

    @complaint(
        "https://github.com/aws/eks-anywhere/issues/5143",
        "The support bundle has the log of the command line, with the registry's user name and password after --password",
        "Words that no rule knows are left out, whatever precedes them")
    def test_a_password_of_a_command_line(self):
        copy = self.redact(
            "cmd: helm registry login planted.example.com:443 --username planted --password PLANTED1 --insecure\n"
            "AADSTS50011\n")
        self.assert_none(["planted"], copy)
        self.assertIn("AADSTS50011", copy)

    @complaint(
        "https://github.com/p2pool-starter-stack/pithead/issues/2342",
        "Names such as PASSWORD and TOKEN are hidden. Three settings whose names match none of these leave as they are, one of "
        "them a URL that is a secret itself",
        "No list of secret names: only values with a known name or form are kept")
    def test_a_secret_with_an_unlisted_name(self):
        copy = self.redact(
            "NOTIFY_WEBHOOK_URLS=https://hooks.example/services/T00/PLANTED\nNTFY_URL=https://ntfy.example/planted-7f3a\n"
            "STANDBY=planted\nAADSTS50011\n")
        self.assert_none(["planted", "hooks.example", "ntfy"], copy)

    @complaint(
        "https://github.com/clawwork-ai/ClawWork/pull/125",
        "The expression for secret keys knows neither pairingCode nor bootstrapToken, so both leave in config.sanitized.json",
        "An unknown member gets a placeholder for its name and its value")
    def test_unknown_members_of_a_configuration(self):
        copy = self.redact(json.dumps({
            "AzureAd": {"Instance": "https://login.micorosftonline.com/", "pairingCode": "PLANTED1", "ClientSecret": "PLANTED2"},
            "bootstrapToken": "PLANTED3"}), "evidence.json")
        self.assert_none(["planted", "pairing", "bootstrap"], copy)
        self.assertEqual(json.loads(copy)["AzureAd"]["Instance"], "https://login.micorosftonline.com/")

    @complaint(
        "https://github.com/Robert-Velhorst/015-Weggeefkastje.nl-automation/issues/75",
        "The bundle is called redacted and has the absolute paths of the data, which name the account and the machine",
        "The parts of a path are placeholders, also of files")
    def test_absolute_paths(self):
        copy = self.redact(
            'dataDir: /srv/planted/data\n  File "/home/planted/app/main.py", line 12, in run\nAADSTS50011\n')
        self.assert_none(["planted", "main.py"], copy)
        self.assertIn("line 12", copy)

    @complaint(
        "https://github.com/Yellow-Dog-Man/Resonite-Issues/issues/2251",
        "Whoever attaches a log must censor the own name by hand first, in the text and in the paths of the home folder",
        "Names need no censor: a name is no word of the vocabulary")
    def test_the_name_of_the_user(self):
        copy = self.redact(
            "Loaded profile of planted from C:\\Users\\planted\\AppData\\x.json for planted@planted.example from 203.0.113.9\n"
            "AADSTS50011\n")
        self.assert_none(["planted", "203.0.113.9"], copy)

    @complaint(
        "https://github.com/kapitan-ai/orchard/pull/8",
        "Only two schemes of database URLs are known, so postgresql://user:password@host leaves, and so do keys in a query",
        "Every URL loses its user, and the values of unknown parameters")
    def test_credentials_in_urls(self):
        copy = self.redact(
            "connecting to postgresql://planted:PLANTED1@db.planted.example/x and https://a.example/v1?api_key=PLANTED2&planted\n"
            "AADSTS50011\n")
        self.assert_none(["planted"], copy)

    @complaint(
        "https://github.com/divinevideo/divine-mobile/pull/8470",
        "A path in quotation marks with a space in a file's name was cut at the space: the rest of the name stayed",
        "The rest is words, which the vocabulary doesn't have either")
    def test_a_path_with_spaces(self):
        copy = self.redact(
            "FileSystemException: Cannot open file, path = '/Users/planted/Music/Planted Song No 7.mp3'\nAADSTS50011\n")
        self.assert_none(["planted", "song"], copy)


class UsefulRow(CopyRow):
    @complaint(
        "https://github.com/cockroachdb/cockroach/issues/86316",
        "Support gets only redacted logs, and says that with them it can't find what is wrong",
        "Times, levels, loggers, requests, statuses, codes and the IDs of requests stay, and the copy shows the same cause")
    def test_a_copy_that_still_explains(self):
        text = (EVIDENCE / "python_unknown_client.log").read_text()
        copy, result = self.run_redact(text, "evidence.log", "-o", "json")
        document = json.loads(result.stdout)
        self.assertTrue(document["copy"]["hasSameCause"])
        again = self.workspace.run("explain", str(self.workspace.path / "copy.log"), "--offline", "-o", "json")
        self.assertEqual(json.loads(again.stdout)["cause"], document["cause"])
        for kept in ("DEBUG:urllib3.connectionpool:", '/oauth2/v2.0/token HTTP/1.1" 400', "AADSTS700016", "msal.telemetry"):
            self.assertIn(kept, copy)

    @complaint(
        "https://github.com/chrisuthe/SendspinDroid/pull/175",
        "An expression for IPv6 addresses would take the times of logcat for addresses",
        "Times are found by their forms before anything else; addresses are no words")
    def test_times_and_addresses(self):
        copy = self.redact("02-26 08:11:40.902 D Player: connected to [2001:db8::7a3f]:8927\nAADSTS50011\n")
        self.assertIn("02-26 08:11:40.902", copy)
        self.assert_none(["7a3f", "db8"], copy)

    @complaint(
        "https://github.com/pento/free-as-in-speech/pull/30",
        "The anonymizer replaces every time stamp, UUID and request ID, a thousand places, so that nobody can find the "
        "requests in the server's log",
        "The IDs of requests and the times stay; GUIDs of users, tenants and applications get placeholders that are GUIDs")
    def test_ids_of_requests(self):
        tenant, request = "9c1d9b4c-2222-4f0c-8b6e-000000000066", "5908900d-1324-4616-93a3-3f4db92a9c27"
        copy = self.redact(
            f"AADSTS50034: no account in tenant '{tenant}'. Correlation ID: {request} Timestamp: 2026-11-22 12:30:42Z\n")
        self.assertIn(request, copy)
        self.assertIn("2026-11-22 12:30:42Z", copy)
        self.assertNotIn(tenant, copy)

    @complaint(
        "https://github.com/xdCloudy/LlamaManager/issues/79",
        "A bundle must not omit silently what matters, and must list what it has; users want to see what leaves",
        "The command says when the copy shows another cause; --case lists its files; --review shows both sides")
    def test_a_loss_is_told(self):
        token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJwbGFudGVkIn0."
        copy, result = self.run_redact(token, "evidence.txt")
        self.assertIn("The copy shows another cause.", result.stderr)
        self.assertNotIn("eyJ", copy)
        case = self.workspace.path / "case.zip"
        result = self.workspace.run("explain", str(EVIDENCE / "unknown_client.har"), "--case", str(case))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        with zipfile.ZipFile(case) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(
                archive.namelist(), ["evidence.har", "answer.md", "handout.html", "versions.txt"])
            answer = archive.read("answer.md").decode()
        self.assertIn("doesn't know this client ID", answer)
        self.assertEqual(self.workspace.run("explain", str(EVIDENCE / "unknown_client.har"), "--case", str(case)).returncode, 1)
