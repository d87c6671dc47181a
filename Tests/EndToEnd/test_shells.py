"""The completion of bash, zsh and fish: each shell loads keyturn's file and completes."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from support import person
from support.case import JourneyCase
from support.provider import start_authority
from support.workspace import KEYTURN, ROOT

COMPLETIONS = ROOT / "Resources/completions"

# How a shell starts, and how it loads keyturn's completion.
SHELLS = {
    "bash": ("bash --noprofile --norc -i", ". /usr/share/bash-completion/bash_completion; . {folder}/keyturn.bash"),
    "zsh": ("zsh -f -i", "fpath=({folder} $fpath); autoload -U compinit; compinit -u -D"),
    "fish": ("fish --no-config -i", "source {folder}/keyturn.fish"),
}
OTHERWISE = {
    "bash alone": ("bash --noprofile --norc -i", ". {folder}/keyturn.bash"),
    "bash by eval": ("bash --noprofile --norc -i", 'eval "$(keyturn completions bash)"'),
    "zsh by eval": ("zsh -f -i", 'autoload -U compinit; compinit -u -D; eval "$(keyturn completions zsh)"'),
    "fish by source": ("fish --no-config -i", "keyturn completions fish | source"),
}

# The text before Tab, and the completed line.
LINES = [
    ("tok", "keyturn token"),
    ("sign-o", "keyturn sign-out"),
    ("token --min", "keyturn token --min-validity"),
    ("token -o exec", "keyturn token -o exec-credential"),
    ("remove an", "keyturn remove ann@contoso.example"),
    ("token --account wan", "keyturn token --account wang@contoso.example"),
    ("token --scope Us", "keyturn token --scope User.Read"),
    ("token --scope api://k", "keyturn token --scope api://keyturn/read"),
    ("--profile te", "keyturn --profile test"),
    ("demo passw", "keyturn demo password-changed"),
    ("completions fi", "keyturn completions fish"),
    ("import unified shar", "keyturn import unified shared.json"),
]


class CompletionJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(
            authority.address, cache={"key": "keyFile"}, scopes=["User.Read", "api://keyturn/read"])
        for one in (person.ANN, person.WANG):
            self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *one)
            signed_in = self.workspace.run("sign-in", "--scope", "User.Read")
            self.assertEqual(signed_in.returncode, 0, signed_in.stderr)
        self.workspace.environment["PATH"] = f"{KEYTURN.parent}:{os.environ['PATH']}"
        (self.workspace.path / "shared.json").write_text("{}")

    def test_shells_complete(self):
        for name, (command, start) in SHELLS.items():
            with self.subTest(name):
                self.complete_in(command, start, LINES)

    def test_other_ways_to_load_the_completion(self):
        for name, (command, start) in OTHERWISE.items():
            with self.subTest(name):
                self.complete_in(command, start, LINES[:1])

    def complete_in(self, command, start, lines):
        terminal = self.open_terminal(100, 24)
        self.enter(terminal, f"cd {self.workspace.path}; exec {command}")
        self.enter(terminal, start.format(folder=COMPLETIONS))
        self.enter(terminal, "clear; echo it is known")
        terminal.wait_for_match(r"(?m)^it is known$")
        for typed, completed in lines:
            self.enter(terminal, "clear")
            terminal.wait_until_gone("keyturn ")
            terminal.type(f"keyturn {typed}")
            terminal.press("Tab")
            terminal.wait_for(completed)
            terminal.press("C-u")
        terminal.close()

    def enter(self, terminal, line):
        terminal.type(line)
        terminal.press("Enter")


class QuotingCheck(unittest.TestCase):
    """A name can have any characters; bash reads a completed line as code."""

    NAMES = ["my work", "o'hara", "$(touch ran)", "`touch ran`;touch ran", "--profile=", "ann@contoso.example", "api://keyturn/read"]

    def test_bash_quotes_a_candidate(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "keyturn"
            program.write_text("#!/bin/sh\ncat <<'END'\n" + "".join(f"{name}\tits description\n" for name in self.NAMES) + "END\n")
            program.chmod(0o755)
            script = f'. {COMPLETIONS}/keyturn.bash; COMP_WORDS=(keyturn "") COMP_CWORD=1; _keyturn; ' \
                'eval "printf \'%s\\n\' ${COMPREPLY[*]}"; printf "%s\\n" "${COMPREPLY[@]:4}"'
            result = subprocess.run(
                ["bash", "--noprofile", "--norc", "-c", script], capture_output=True, text=True, check=False, cwd=folder,
                env={"PATH": f"{folder}:{os.environ['PATH']}"})
            self.assertEqual((result.stdout.splitlines(), result.stderr), (self.NAMES + self.NAMES[4:], ""))
            self.assertEqual(os.listdir(folder), ["keyturn"])


class SyntaxCheck(unittest.TestCase):
    def test_every_shell_parses_its_file(self):
        for shell, file in (("bash", "keyturn.bash"), ("zsh", "_keyturn"), ("fish", "keyturn.fish")):
            result = subprocess.run([shell, "-n", COMPLETIONS / file], capture_output=True, text=True, check=False)
            self.assertEqual((result.returncode, result.stderr), (0, ""), file)


if __name__ == "__main__":
    unittest.main()
