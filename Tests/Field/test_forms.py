"""Forms and prompts: unverified input, names of files, and a configuration that can't be read."""

import json
import shlex
import shutil
import unittest
import urllib.parse

from field import FieldCase, complaint
from support.provider import start_authority
from support.workspace import ROOT

EVIDENCE = ROOT / "Tests/DiagnosisTests/Explanation/Evidence/unknown_client.har"
DEAD = "http://127.0.0.1:9/common"


class SetUpRow(FieldCase):
    def open_form(self):
        terminal = self.open_keyturn(shows="Where do users sign in?")
        terminal.press("Enter")
        terminal.wait_for("Authority")
        return terminal

    @complaint(
        "https://github.com/hrfee/jfa-go/issues/129",
        "The wizard goes on, and saves a server's address, although its test failed or was never run.",
        "Leaving the field by any key tests the authority. One that fails gets the cursor back, and is saved only after a question")
    def test_no_way_around_the_test(self):
        for key in ("Tab", "Enter", "Down", "BTab"):
            with self.subTest(key):
                terminal = self.open_form()
                terminal.paste(DEAD)
                terminal.press(key)
                terminal.wait_for_match("✗ .*127.0.0.1:9")
                terminal.press("Enter")
                terminal.paste("11111111")
                terminal.wait_for("11111111")
                terminal.press(*["Enter"] * 5)
                terminal.wait_for("Save anyway?")
                terminal.press("Escape")
                terminal.wait_until_gone("Save anyway?")
                terminal.close()
        self.assertFalse((self.workspace.path / "config/keyturn/config.json").exists())

    @complaint(
        "https://github.com/owncloud/client/issues/10002",
        "After a wrong or unreachable address the wizard has no retry, and the address must be typed again.",
        "The text and the cursor stay in the field; a corrected address is tested again")
    def test_the_text_stays(self):
        authority = self.closing(start_authority(self.workspace))
        good = f"{authority.address}/common"
        terminal = self.open_form()
        terminal.paste(good + "x")
        terminal.press("Tab")
        terminal.wait_for_match("✗ ")
        terminal.press("BSpace")
        terminal.wait_for("Not tested yet.", good)
        terminal.press("Tab")
        terminal.wait_for("The issuer is", "✓")


class FileNameRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.folder = self.workspace.path / "Customer logs"
        self.folder.mkdir()
        self.recording = self.folder / "it's case 01.har"
        shutil.copy(EVIDENCE, self.recording)

    def open_dialog(self):
        terminal = self.open_keyturn("demo", shows="No accounts yet.")
        terminal.press("e")
        terminal.wait_for("enter the name of a file")
        return terminal

    @complaint(
        "https://github.com/huggingface/tau/pull/408",
        "A file that is dropped on the terminal arrives with backslashes, in quotes or as a file: URL, and isn't found.",
        "Reads each of these forms, also with spaces and quotes in the name")
    def test_dropped_files(self):
        name = str(self.recording)
        escaped = "".join("\\" + letter if letter in " '" else letter for letter in name)
        for dropped in (shlex.quote(name), f'"{name}"', escaped + " ", "file://" + urllib.parse.quote(name), name):
            with self.subTest(dropped):
                terminal = self.open_dialog()
                terminal.paste(dropped)
                terminal.wait_for("doesn't know this client ID")
                terminal.close()

    @complaint(
        "https://github.com/mridgers/clink/issues/26",
        "Completing a quoted name with spaces drops the quotes, so that the result names no file.",
        "Tab keeps the quotes, closes them at the end, and lists a folder's names")
    def test_completion_in_quotes(self):
        terminal = self.open_dialog()
        terminal.type(f"'{self.workspace.path}/Cust")
        terminal.press("Tab")
        terminal.wait_for("Customer logs/")
        terminal.press("Tab")
        terminal.wait_for("01.har'")
        terminal.press("Enter")
        terminal.wait_for("doesn't know this client ID")


class EditorRow(FieldCase):
    BROKEN = (
        '{ "profiles": { "work": {\n  "clientId": "1", "authority": "https://id.example.org",\n  "colour": "red"\n} } }\n')

    def setUp(self):
        super().setUp()
        self.config = self.workspace.path / "config/keyturn/config.json"
        self.config.parent.mkdir(parents=True, exist_ok=True)
        self.config.write_text(self.BROKEN)
        self.config.chmod(0o600)

    def use_editor(self, script, *words):
        """An editor named vim that records its arguments, then changes the file with the script."""
        folder = self.workspace.path / "my editors"
        folder.mkdir(exist_ok=True)
        editor = folder / "vim"
        editor.write_text(
            f'#!/bin/sh\nprintf "%s\\n" "$@" > {shlex.quote(str(self.workspace.path / "arguments"))}\n'
            f'for file; do :; done\n{script}\n')
        editor.chmod(0o755)
        self.workspace.environment["EDITOR"] = " ".join([shlex.quote(str(editor)), *words])
        self.workspace.environment.pop("VISUAL", None)

    @complaint(
        "https://github.com/r-darwish/topgrade/issues/241",
        "The command that edits the configuration reads it first, so that a mistake must be found and fixed by hand.",
        "E opens the broken file in the editor at the line of its mistake; afterwards it is read again and used")
    def test_a_broken_file_opens(self):
        self.use_editor('sed -i "s/colour/browser/" "$file"')
        terminal = self.open_keyturn(shows="The configuration is invalid.")
        terminal.wait_for("Press E to edit")
        terminal.press("E")
        terminal.wait_for("Accounts", "work")
        arguments = (self.workspace.path / "arguments").read_text().split("\n")
        self.assertEqual(arguments[:2], ["+3", str(self.config)])

    @complaint(
        "https://github.com/CelikE/soko/issues/203",
        "An $EDITOR with arguments isn't found, and the edited file is called saved although it can't be read.",
        "Splits $EDITOR as a shell does, and shows the next mistake after the first one is fixed")
    def test_arguments_and_the_next_mistake(self):
        self.use_editor('sed -i "s/colour/shape/" "$file"', "-u", "NONE")
        terminal = self.open_keyturn(shows="The configuration is invalid.")
        terminal.press("E")
        terminal.wait_for_words("profiles.work.shape")
        arguments = (self.workspace.path / "arguments").read_text().split("\n")
        self.assertEqual(arguments[:3], ["-u", "NONE", "+3"])
        self.assertIn("shape", json.loads(self.config.read_text())["profiles"]["work"])


if __name__ == "__main__":
    unittest.main()
