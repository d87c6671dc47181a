"""make install and make uninstall, as run by a packager or a user."""

import os
import re
import shutil
import subprocess
import unittest

from support.case import JourneyCase
from support.workspace import KEYTURN, ROOT

INSTALLED = [
    "bin/keyturn",
    "share/applications/keyturn-msauth.org.keyturn.app.desktop",
    "share/bash-completion/completions/keyturn",
    "share/fish/vendor_completions.d/keyturn.fish",
    "share/keyturn/Info.plist",
    "share/keyturn/config.schema.json",
    "share/man/man1/keyturn-token.1",
    "share/man/man1/keyturn.1",
    "share/systemd/user/keyturn-watch.service",
    "share/zsh/site-functions/_keyturn",
]


class InstallJourney(JourneyCase):
    def make(self, *words):
        result = subprocess.run(
            ["make", "--no-print-directory", *words, f"PROGRAM={KEYTURN}"], cwd=ROOT, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_a_user_installs_and_removes_it(self):
        prefix = self.workspace.path / "prefix"
        self.make("install-files", f"PREFIX={prefix}")
        for name in INSTALLED:
            self.assertTrue((prefix / name).is_file(), name)
        for path in prefix.rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o022, 0, path)
        entry = (prefix / "share/applications/keyturn-msauth.org.keyturn.app.desktop").read_text()
        self.assertIn(f"Exec={prefix}/bin/keyturn open-url -- %u\n", entry)
        subprocess.run(
            ["desktop-file-validate", prefix / "share/applications/keyturn-msauth.org.keyturn.app.desktop"], check=True)
        unit = prefix / "share/systemd/user/keyturn-watch.service"
        self.assertIn(f"ExecStart={prefix}/bin/keyturn watch\n", unit.read_text())
        if shutil.which("systemd-analyze"):
            verified = subprocess.run(
                ["systemd-analyze", "--user", "--man=no", "verify", unit], capture_output=True, text=True, check=False,
                env=self.workspace.environment)
            self.assertEqual((verified.returncode, verified.stderr), (0, ""))
        self.make("uninstall", f"PREFIX={prefix}")
        self.assertEqual([path for path in prefix.rglob("*") if not path.is_dir()], [])

    def test_a_folder_whose_path_has_a_space(self):
        """The desktop and systemd need quotes around the program."""
        prefix = self.workspace.path / "the prefix"
        self.make("install-files", f"PREFIX={prefix}")
        entry = prefix / "share/applications/keyturn-msauth.org.keyturn.app.desktop"
        self.assertIn(f'Exec="{prefix}/bin/keyturn" open-url -- %u\n', entry.read_text())
        subprocess.run(["desktop-file-validate", entry], check=True)
        unit = prefix / "share/systemd/user/keyturn-watch.service"
        self.assertIn(f'ExecStart="{prefix}/bin/keyturn" watch\n', unit.read_text())
        self.make("uninstall", f"PREFIX={prefix}")
        self.assertEqual([path for path in prefix.rglob("*") if not path.is_dir()], [])

    def test_the_links_of_the_documents_lead_to_installed_files(self):
        prefix = self.workspace.path / "prefix"
        self.make("install-files", f"PREFIX={prefix}")
        documents = prefix / "share/doc/keyturn"
        missing = [
            f"{document.relative_to(documents)}: {link}"
            for document in documents.rglob("*.md")
            for link in re.findall(r"\]\(([^)\s#]+)[^)]*\)", document.read_text())
            if not re.match("[a-z]+:", link) and not (document.parent / link).exists()]
        self.assertEqual(missing, [])

    def test_a_package_is_built_under_another_root(self):
        root = self.workspace.path / "root"
        self.make("install-files", "PREFIX=/usr", f"DESTDIR={root}")
        entry = root / "usr/share/applications/keyturn-msauth.org.keyturn.app.desktop"
        self.assertIn("Exec=/usr/bin/keyturn open-url -- %u\n", entry.read_text())
        self.assertTrue((root / "usr/bin/keyturn").is_file())

    def test_the_installed_program_reads_its_installed_plist(self):
        prefix = self.workspace.path / "prefix"
        self.make("install-files", f"PREFIX={prefix}")
        plist = prefix / "share/keyturn/Info.plist"

        def accounts():
            return subprocess.run(
                [prefix / "bin/keyturn", "accounts", "-q", "--client-id", "1", "--authority", "https://login.example.org",
                 "--redirect-uri", "org.example.added://auth"],
                env=self.workspace.environment, capture_output=True, text=True, check=False)

        refused = accounts()
        self.assertEqual(refused.returncode, 3, refused.stderr)
        self.assertIn("org.example.added", refused.stderr)
        plist.write_text(plist.read_text().replace(
            "<string>msauth.org.keyturn.app</string>",
            "<string>msauth.org.keyturn.app</string><string>org.example.added</string>"))
        self.assertEqual(accounts().returncode, 0, accounts().stderr)

    @unittest.skipUnless(os.path.exists("/usr/bin/man"), "needs man")
    def test_the_manual_is_found_and_is_clean(self):
        prefix = self.workspace.path / "prefix"
        self.make("install-files", f"PREFIX={prefix}")
        environment = {**self.workspace.environment, "MANWIDTH": "80"}
        for page, words in (
            ("keyturn", ("SYNOPSIS", "keyturn-token(1)", "EXIT STATUS", "KEYTURN_PROFILE")),
            ("keyturn-token", ("SYNOPSIS", "keyturn token", "--min-validity", "keyturn(1)")),
        ):
            shown = subprocess.run(
                ["man", "--manpath", prefix / "share/man", "--warnings", page], env=environment, capture_output=True,
                text=True, check=False)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""), page)
            for word in words:
                self.assertIn(word, shown.stdout)


if __name__ == "__main__":
    unittest.main()
