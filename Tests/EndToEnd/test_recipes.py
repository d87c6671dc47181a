"""The recipes whose programs speak with a server of their own. docs/recipes.md has the others as sessions (test_documents)."""

import os
import re
import shutil
import subprocess
import sys
import unittest

from support import person
from support.case import JourneyCase
from support.password_servers import IMAPServer, PostgreSQLServer, RegistryServer, SMTPServer
from support.provider import start_authority
from support.secure_provider import make_authority
from support.workspace import KEYTURN, ROOT

BLOCK = re.compile(r"^```(?:sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class RecipeJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.workspace.environment["PATH"] = f"{KEYTURN.parent}:{os.environ['PATH']}"
        self.assertEqual(self.workspace.run("sign-in").returncode, 0)
        self.token = self.workspace.run("token").stdout.strip()

    def recipe(self, word, **replaced):
        """The block of the document with this word, with addresses of this test."""
        texts = [text for text in BLOCK.findall((ROOT / "docs/recipes.md").read_text()) if word in text]
        self.assertEqual(len(texts), 1)
        text = texts[0]
        for old, new in replaced.values():
            self.assertIn(old, text)
            text = text.replace(old, new)
        return text

    def run_program(self, *words, input="", status=0, **environment):
        result = subprocess.run(
            words, input=input, capture_output=True, text=True, timeout=30, check=False, cwd=self.workspace.path,
            env={**self.workspace.environment, **environment})
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def serve(self, kind, *others):
        return self.closing(kind(lambda token: token == self.token, *others))

    def test_isync(self):
        server = self.serve(IMAPServer)
        text = self.recipe(
            "IMAPAccount", host=("outlook.office365.com", "127.0.0.1"), port=("993", str(server.port)), tls=("IMAPS", "None"))
        (self.workspace.path / "mbsyncrc").write_text(text + (
            "\nIMAPStore there\nAccount work\n\nMaildirStore here\nPath mail/\nInbox mail/INBOX\n\n"
            "Channel all\nFar :there:\nNear :here:\nPatterns *\n"))
        (self.workspace.path / "mail").mkdir()
        result = self.run_program("mbsync", "-c", "mbsyncrc", "-l", "all")
        self.assertEqual((result.stdout.strip(), server.seen), ("INBOX", [self.token]))

    def test_msmtp(self):
        server = self.serve(SMTPServer)
        text = self.recipe(
            "passwordeval", host=("smtp.office365.com", "127.0.0.1"), port=("587", str(server.port)), tls=("tls on", "tls off"))
        file = self.workspace.path / "msmtprc"
        file.write_text(text)
        file.chmod(0o600)
        self.run_program("msmtp", "-C", str(file), "-a", "work", "wang@contoso.example", input="Subject: hello\n\nhello\n")
        self.assertEqual(server.seen, [self.token])

    def test_postgresql(self):
        server = self.serve(PostgreSQLServer)
        text = self.recipe(
            "PGPASSWORD", host=("db.example.com", f"127.0.0.1 port={server.port}"), tls=("verify-full", "disable"))
        result = self.run_program("sh", "-c", f"{text.strip()} -Atc 'select current_user'")
        self.assertEqual((result.stdout, server.seen), ("ann@contoso.example\n", [self.token]))

    def test_containers(self):
        make_authority(self.workspace.path)
        server = self.serve(RegistryServer, self.workspace.path)
        text = self.recipe(
            "docker login", host=("contoso.azurecr.io", f"localhost:{server.port}"),
            program=("docker login", "skopeo login --tls-verify=false --authfile auth.json"))
        certificates = str(self.workspace.path / "ca.pem")
        self.run_program("sh", "-c", text, CURL_CA_BUNDLE=certificates)
        self.assertEqual(server.seen, [self.token])
        self.assertIn(f"localhost:{server.port}", (self.workspace.path / "auth.json").read_text())

    def test_azure_sdk(self):
        self.workspace.run("sign-in", "--scope", "api://keyturn-files/.default")
        script = self.workspace.path / "bin/az"
        script.parent.mkdir(exist_ok=True)
        script.write_text(self.recipe("--resource)"))
        script.chmod(0o700)
        program = (
            "from azure.identity import AzureCliCredential\n"
            "print(AzureCliCredential().get_token('api://keyturn-files/.default').token)")
        path = f"{script.parent}:{self.workspace.environment['PATH']}"
        printed = self.run_program(sys.executable, "-c", program, PATH=path).stdout
        self.assertRegex(printed, r"^eyJ")
        asked = self.run_program(
            str(script), "account", "get-access-token", "--resource", "api://keyturn-files", "--tenant", "no-such-tenant", PATH=path, status=1)
        self.assertIn("--tenant no-such-tenant", asked.stderr)
        # Without an account, the SDK goes on to its next credential.
        self.assertEqual(self.workspace.run("remove", person.ANN[0]).returncode, 0)
        failed = self.run_program(sys.executable, "-c", program, PATH=path, status=1)
        self.assertIn("CredentialUnavailableError", failed.stderr)

    @unittest.skipUnless(shutil.which("kubectl"), "kubectl is not installed")
    def test_kubectl(self):
        make_authority(self.workspace.path)
        server = self.serve(RegistryServer, self.workspace.path)
        entry = re.search(r"^```yaml\n(users:.*?)^```$", (ROOT / "docs/automation.md").read_text(), re.MULTILINE | re.DOTALL)
        (self.workspace.path / "kubeconfig").write_text(
            entry.group(1).replace("--profile, cluster, ", "") + (
                "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
                f'clusters: [{{name: c, cluster: {{server: "https://127.0.0.1:{server.port}", insecure-skip-tls-verify: true}}}}]\n'
                "contexts: [{name: c, context: {cluster: c, user: ann}}]\n"))
        self.run_program("kubectl", "get", "--raw", "/version", KUBECONFIG="kubeconfig", status=1)
        self.assertIn(f"Bearer {self.token}", server.authorizations)


if __name__ == "__main__":
    unittest.main()
