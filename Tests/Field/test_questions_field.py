"""Questions on a terminal about what another program wants: what went wrong with other programs that ask."""

import pathlib
import re
import secrets
import signal
import subprocess

from field import FieldCase, complaint
from support.origin import Origin
from support.rotating_provider import RotatingProvider
from support.tmux import Terminal
from support.workspace import KEYTURN

PROGRAM = """
import os, sys, termios, threading, time, tty, urllib.error, urllib.request
def ask(place):
    try:
        return urllib.request.urlopen(os.environ["KEYTURN_GATE_URL"] + place).status
    except urllib.error.HTTPError as error:
        return error.code
def wait_for(name):
    while not os.path.exists(os.environ["HOME"] + "/" + name):
        time.sleep(0.05)
"""


class QuestionRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.provider = RotatingProvider.of(self)
        self.sign_in()
        self.origin = self.closing(Origin())

    def in_shell(self, program):
        """A shell on a terminal, and there a program behind a gate that asks."""
        file = self.workspace.path / f"program-{secrets.token_hex(4)}.py"
        file.write_text(PROGRAM + program)
        terminal = self.open_terminal(shell=Terminal.BASH)
        terminal.enter(f"clear; {KEYTURN} gate -q --ask {self.origin.address} -- python3 {file}")
        return terminal

    def number(self, terminal, place):
        """The number that the question about a place wants, once it is asked."""
        return terminal.wait_for_match(rf"Allow GET {place}[^?]*\?\s+Type (\d{{4}}) and Enter, or n for no:\s*\Z").group(1)

    def go(self, name="go"):
        (pathlib.Path(self.workspace.environment["HOME"], name)).touch()

    @complaint(
        "https://github.com/mrdushidush/claudette/pull/68",
        "One key approves a dangerous action, so a letter of a sentence that is just being typed approves it",
        "An answer is the question's own number and Enter: what was typed before, and single letters, are none")
    def test_a_sentence_that_is_being_typed(self):
        terminal = self.in_shell('tty.setcbreak(0)\nprint("ready", flush=True)\nwait_for("go")\nprint("status", ask("/mail/1"))')
        terminal.wait_for("ready")
        terminal.type("yes, why not y")
        terminal.press("Enter")
        self.go()
        number = self.number(terminal, "/mail")
        terminal.enter("y")
        terminal.enter("yes")
        self.assertEqual(self.origin.seen, [])
        terminal.wait_for_match(rf"(?m)^Type {number} and Enter, or n for no:\s*\Z")
        terminal.enter("n")
        terminal.wait_for("status 403")

    @complaint(
        "https://github.com/stepfun-ai/Step-Realtime-CLI/issues/76",
        "Several questions in a row: the next ones appear although nobody answered, and one answer counts for all",
        "One question is open at a time, and each has a number of its own")
    def test_several_at_once(self):
        terminal = self.in_shell(
            'places = ["/a", "/b", "/c"]\nresults = {}\n'
            "threads = [threading.Thread(target=lambda place=place: results.update({place: ask(place)})) for place in places]\n"
            "for thread in threads:\n    thread.start()\nfor thread in threads:\n    thread.join()\n"
            'print("statuses", *sorted(results.values()))')
        asked = []
        for answers_yes in (True, False, False):
            place, number = terminal.wait_for_match(
                rf"Allow GET (/(?!{'|'.join(asked) or '-'})\w)[^?]*\?\s+Type (\d{{4}}) and Enter, or n for no:\s*\Z").groups()
            self.assertEqual(terminal.screen.count("or n for no:"), len(asked) + 1)
            asked.append(place[1:])
            terminal.enter(number if answers_yes else "n")
        terminal.wait_for("statuses 200 403 403")
        self.assertEqual(len(self.origin.seen), 1)

    @complaint(
        "https://github.com/Dicklesworthstone/pi_agent_rust/issues/196",
        "The mode that asks never asks, because nobody is there to show the question: everything is denied, and only a log says so",
        "Without a terminal the gate doesn't open, and says why")
    def test_nobody_to_ask(self):
        asked = self.workspace.run("gate", "--ask", self.origin.address, "--", "true")
        self.assertEqual(asked.returncode, 2)
        self.assertIn("terminal", asked.stderr)

    @complaint(
        "https://github.com/FerroxLabs/wayland/issues/1131",
        "In a terminal in raw mode, Enter sends another character, so no answer ever ends and the question can't be answered",
        "The question sets the terminal itself: the number and Enter are an answer whatever mode the program has set")
    def test_a_program_in_raw_mode(self):
        terminal = self.in_shell('tty.setraw(0)\nprint("status", ask("/mail/1"), end="\\r\\n")')
        terminal.enter(self.number(terminal, "/mail"))
        terminal.wait_for("status 200")

    @complaint(
        "https://github.com/antirez/ds4/pull/367",
        "A command that changes the terminal's modes leaves the program that started it deaf to keys",
        "Between two questions the program may set what it likes")
    def test_modes_change_between_questions(self):
        terminal = self.in_shell(
            'statuses = []\nfor set_mode in (tty.setraw, tty.setcbreak):\n    set_mode(0)\n    statuses.append(ask("/mail"))\n'
            '    statuses.append(ask(f"/{set_mode.__name__}"))\nprint("statuses", *statuses, end="\\r\\n")')
        terminal.enter(self.number(terminal, "/mail"))
        for place in ("/setraw", "/setcbreak"):
            terminal.enter(self.number(terminal, place))
        terminal.wait_for("statuses 200 200 200 200")

    @complaint(
        "https://github.com/nodejs/node/issues/12101",
        "A program in raw mode that is killed leaves the terminal without echo, until somebody types 'stty sane' blindly",
        "The gate puts the terminal back, however its program ends")
    def test_a_program_that_is_killed(self):
        terminal = self.in_shell('tty.setraw(0)\nprint("process", os.getpid(), flush=True)\nwait_for("go")\nask("/mail/1")')
        process = int(terminal.wait_for_match(r"process (\d+)").group(1))
        self.go()
        self.number(terminal, "/mail")
        subprocess.run(["kill", "-KILL", str(process)], check=True)
        terminal.wait_for_prompt()
        self.assert_sane(terminal)

    @complaint(
        "https://github.com/util-linux/util-linux/issues/4499",
        "A signal ends the program between the user's terminal and the command, and the terminal stays in raw mode",
        "SIGTERM, SIGHUP, SIGQUIT, SIGALRM and SIGUSR1 end the gate with the terminal as it was")
    def test_signals_to_the_gate(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGALRM, signal.SIGUSR1):
            with self.subTest(number.name):
                terminal = self.in_shell('tty.setraw(0)\nask("/mail/1")')
                self.number(terminal, "/mail")
                gate = int(re.search(r"\d+", subprocess.run(
                    ["pgrep", "--full", "--newest", f"{KEYTURN} gate -q --ask {self.origin.address}"], capture_output=True,
                    text=True, check=True).stdout).group())
                subprocess.run(["kill", f"-{number.name[3:]}", str(gate)], check=True)
                terminal.wait_for_prompt()
                self.assert_sane(terminal)
                terminal.close()
