"""The documents: every command in them is run, and prints the documented output."""

import json
import os
import re
import shutil
import subprocess
import unittest

import jsonschema

from support import person
from support.case import JourneyCase
from support.provider import free_port
from support.waiting import wait_until
from support.workspace import KEYTURN, ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The URL of the built-in authority in the documents.
PORT = "8400"


def blocks(document, language):
    return [text for name, text in BLOCK.findall(document.read_text()) if name == language]


def steps(session):
    """The commands of a session, each with its output lines. Lines with "> " continue a command."""
    steps = []
    for line in session.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif line.startswith("> ") and not steps[-1][1]:
            steps[-1] = (f"{steps[-1][0]}\n{line[2:]}", [])
        else:
            steps[-1][1].append(line)
    return steps


def pattern(lines):
    """The expected output; an ellipsis matches any text, and on a separate line any lines."""
    parts = []
    for line in lines:
        parts.append(r"(?:.*\n)*?" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n")
    return "".join(parts)


class Shell:
    """One bash for a whole document."""

    END = "end-of-answer"

    def __init__(self, case):
        self._folder = case.workspace.path / "shell"
        self._folder.mkdir()
        environment = {**case.workspace.environment, "PATH": f"{KEYTURN.parent}:{os.environ['PATH']}"}
        self._process = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], cwd=self._folder, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)

    def run(self, command):
        # The status of the command is in $? for the next one.
        self._process.stdin.write(f"{command}\n_status=$?; echo {self.END}; (exit $_status)\n")
        self._process.stdin.flush()
        lines = []
        for line in self._process.stdout:
            if line.endswith(f"{self.END}\n"):
                # The output need not end with a line break.
                rest = line.removesuffix(f"{self.END}\n")
                return "".join(lines + ([f"{rest}\n"] if rest else []))
            lines.append(line)
        raise AssertionError(f"the shell ended at: {command}")

    def serve(self, command):
        """Starts a server, and returns its output once it prints its URL."""
        words, _, name = command.removesuffix("&").partition(">")
        file = self._folder / (name.strip() or "served.txt")
        self.run(f"{words} >{file} &")
        return wait_until(
            lambda: file.exists() and "passwords:" in file.read_text() and file.read_text(), 15, f"{words} does not serve")

    def close(self):
        self.run("kill $(jobs -p) 2>/dev/null; wait")
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()


class DocumentSessions(JourneyCase):
    def test_sessions(self):
        for document in DOCUMENTS:
            sessions = blocks(document, "console")
            if sessions:
                with self.subTest(document.name):
                    self.play(sessions)

    def play(self, sessions):
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        port = str(free_port())
        shell = Shell(self)
        try:
            for command, lines in [step for session in sessions for step in steps(session)]:
                command = command.replace(PORT, port)
                printed = shell.serve(command) if command.endswith("&") else shell.run(command)
                expected = pattern([line.replace(PORT, port) for line in lines])
                self.assertRegex(printed, rf"\A{expected}\Z", f"\n$ {command}\n{printed}")
        finally:
            shell.close()
        for name in ("shell", "state/keyturn", "cache/keyturn"):
            shutil.rmtree(self.workspace.path / name, ignore_errors=True)


class DocumentContents(unittest.TestCase):
    def test_configurations_are_valid(self):
        schema = json.loads((ROOT / "docs/config.schema.json").read_text())
        found = 0
        for document in DOCUMENTS:
            for text in blocks(document, "json"):
                if '"profiles"' in text:
                    found += 1
                    jsonschema.Draft202012Validator(schema).validate(json.loads(text))
        self.assertGreater(found, 0)

    def test_every_command_in_a_sentence_exists(self):
        """`keyturn …` in a sentence names an existing command and existing options."""
        helped = {}
        for document in DOCUMENTS:
            for line in re.findall(r"`keyturn ([a-z-]+[^`]*)`", document.read_text()):
                words = [word for word in re.split(r"[ =|\\]+", line) if word]
                command = words[0]
                if command not in helped:
                    # What isn't a command is a global option.
                    asked = ["help", "options"] if command.startswith("-") else [command, "--help"]
                    helped[command] = subprocess.run(
                        [str(KEYTURN), *asked], capture_output=True, text=True, check=False)
                with self.subTest(document=document.name, line=line):
                    self.assertEqual(helped[command].returncode, 0, helped[command].stderr)
                    for option in re.findall(r"--[a-z-]+", line):
                        self.assertIn(option, helped[command].stdout)

    def test_links_have_targets(self):
        for document in DOCUMENTS:
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text()):
                with self.subTest(document=document.name, target=target):
                    self.assertTrue((document.parent / target).exists())

    def test_the_index_has_every_document(self):
        index = (ROOT / "docs/README.md").read_text()
        for document in (ROOT / "docs").glob("*.md"):
            if document.name != "README.md":
                self.assertIn(f"]({document.name})", index)

    def test_the_tests_in_the_threat_model_exist(self):
        tests = "\n".join(
            path.read_text(errors="replace") for path in (ROOT / "Tests").rglob("*") if path.suffix in (".swift", ".py"))
        files = {path.stem for path in (ROOT / "Tests").rglob("*.py")}
        commands = {f"`make {name}`" for name in re.findall("(?m)^([a-z]+):", (ROOT / "Makefile").read_text())}
        claims = (ROOT / "docs/security.md").read_text()
        claims += (ROOT / "docs/reliability.md").read_text().partition("## Tests of these claims")[2].partition("##")[0]
        rows = re.findall(r"^\|.*\| ([^|]+) \|$", claims, re.MULTILINE)
        names = [name.strip() for row in rows for name in row.split(";") if set(row) - set("-: ") and row != "Shown by"]
        self.assertGreater(len(names), 25)
        for name in names:
            with self.subTest(name):
                there = f'@Suite("{name}"' in tests or f"def {name}(" in tests or name in files or name in commands
                self.assertTrue(there, name)


if __name__ == "__main__":
    unittest.main()
