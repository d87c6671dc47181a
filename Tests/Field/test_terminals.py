"""Terminals as they are: split and unknown sequences, pastes without an end, other keyboards, stuck and lost terminals."""

import os
import termios
import unittest

from field import FieldCase, complaint
from support.pseudo_terminal import PseudoTerminal
from support.tmux import Terminal
from support.typing_keys import TypingMixin
from support.waiting import wait_until
from support.workspace import KEYTURN


class TerminalRow(TypingMixin, FieldCase):
    def open_palette(self):
        self.start_screen("demo")
        self.terminal.send(b":")
        self.terminal.wait_for("Commands: Accounts")


class PasteRow(TerminalRow):
    @complaint(
        "https://github.com/irssi/irssi/issues/942",
        "The screen lives on, but no key does anything, for days: the end of a paste never came. Typing that end blindly helps",
        "Without input for a second, or with input no faster than typing, the paste is over and the keys work")
    def test_a_paste_whose_end_is_lost(self):
        self.start_screen("demo")
        self.terminal.send(b"\x1b[200~https://example.org/")

        def works():
            self.terminal.send(b"?")
            return "Keys: Accounts" in self.terminal.screen

        wait_until(works, 10, "no key works")

    @complaint(
        "https://github.com/Yeachan-Heo/gajae-code/pull/3944",
        "After the start of a paste without an end, neither Esc nor Ctrl-C does anything. Only a kill from outside helps",
        "Ctrl-C acts at once; what follows of the paste is ignored")
    def test_control_c_after_the_start_of_a_paste(self):
        self.start_screen("demo")
        self.terminal.send(b"\x1b[200~hello")
        self.terminal.send(b"\x03")
        self.assertEqual(self.terminal.exit_status(), 0)


class SequenceRow(TerminalRow):
    @complaint(
        "https://github.com/Karanjot786/TermUI/issues/1957",
        "Over ssh an arrow key comes in several pieces: it acts as Esc, and the rest as letters",
        "Over ssh the wait after Esc is longer. The rest of a sequence is no letter, however late it is")
    def test_an_arrow_in_pieces(self):
        self.start_sign_in(SSH_CONNECTION="192.0.2.1 1 192.0.2.2 22")
        self.send_slowly(b"\x1b[B", 0.2)
        self.terminal.send(b"5")
        self.terminal.wait_for("5 has no effect here", "Code expires in")

    @complaint(
        "https://github.com/earendil-works/pi/pull/7899",
        "Alt-Enter in two pieces over a poor ssh connection is Esc, which aborts the running work",
        "Within 0.15 seconds over ssh, Esc and a key are Alt with the key")
    def test_alt_enter_in_pieces(self):
        self.start_sign_in(SSH_TTY="/dev/pts/9")
        self.send_slowly(b"\x1b\r", 0.05)
        self.terminal.wait_for("Alt-Enter has no effect here", "Code expires in")

    @complaint(
        "https://github.com/tamboui/tamboui/pull/455",
        "Alt-Backspace arrives as Esc and DEL, which the program can't tell from an unknown key",
        "It deletes a word in every field")
    def test_alt_backspace(self):
        self.open_palette()
        self.terminal.send(b"help zzzz")
        self.terminal.wait_for("No matching command")
        self.terminal.send(b"\x1b\x7f")
        self.terminal.wait_until_gone("No matching command")
        self.terminal.wait_for(": help", "Commands: Accounts")

    @complaint(
        "https://github.com/MidnightCommander/mc/issues/4063",
        "A click types characters, which depend on the row: the terminal has only the first form of mouse reports",
        "Reports in the first form are clicks, never keys")
    def test_clicks_in_the_first_form(self):
        self.start_screen("demo")
        for row in b"!icop?q":
            self.terminal.send(b"\x1b[M i" + bytes([row]))
            self.terminal.send(b"\x1b[M#i" + bytes([row]))
        self.terminal.send(b"%")
        self.terminal.wait_for("% has no effect here", "No accounts yet.")

    @complaint(
        "https://github.com/1jehuang/jcode/issues/970",
        "The terminal's answer about its background colour appears in the input line, before the first prompt",
        "Control strings are ignored, whoever asked for them")
    def test_an_answer_about_colours(self):
        self.open_palette()
        self.terminal.send(b"\x1b]11;rgb:3030/3434/4646\x1b\\")
        self.terminal.send(b"theme\x1b]10;rgb:c6c6/d0d0/f5f5\x07")
        self.terminal.wait_for(": theme", "Change the colour theme.")

    @complaint(
        "https://github.com/angband/angband/issues/2870",
        "In PuTTY the digits of the keypad are letters from q to y",
        "The keypad types its digits and signs in its application mode too")
    def test_the_keypad_of_putty(self):
        self.open_palette()
        self.terminal.send(b"".join(b"\x1bO" + bytes([byte]) for byte in b"qrstuvwxyp"))
        self.terminal.wait_for(": 1234567890")

    @complaint(
        "https://github.com/Norbert515/nocterm/pull/96",
        "In terminals with kitty's protocol, Ctrl-C arrives as a sequence and does nothing. Another shell must kill the program",
        "Ctrl-C in the forms of kitty and xterm is Ctrl-C, also if another program left them on")
    def test_control_c_of_kitty(self):
        for sequence in (b"\x1b[99;5u", b"\x1b[27;5;99~"):
            self.start_screen("demo")
            self.terminal.send(sequence)
            self.assertEqual(self.terminal.exit_status(), 0)


class KeyboardRow(TerminalRow):
    @complaint(
        "https://github.com/openai/codex/issues/35599",
        "With a Cyrillic layout, Ctrl-C and Ctrl-D of kitty's protocol name the Cyrillic letter, and are ignored",
        "Ctrl and a Cyrillic or Greek letter is Ctrl and the letter at its place, also if the terminal doesn't name that")
    def test_control_c_on_a_cyrillic_layout(self):
        for sequence in (b"\x1b[1089::99;5:1u", b"\x1b[1089;5u"):
            self.start_screen("demo")
            self.terminal.send(sequence)
            self.assertEqual(self.terminal.exit_status(), 0)

    @complaint(
        "https://github.com/Kuberwastaken/claurst/issues/47",
        "With the Ukrainian or Russian layout no shortcut works",
        "A letter counts as the key at its place, except in a field")
    def test_letters_of_a_cyrillic_layout(self):
        self.start_screen("demo")
        self.terminal.send("Ж".encode())
        self.terminal.wait_for("Commands: Accounts")
        self.terminal.send("й".encode())
        self.terminal.wait_for(": й")
        self.terminal.send(b"\x1b")
        self.terminal.wait_until_gone("Commands: Accounts")
        self.terminal.send("й".encode())
        self.assertEqual(self.terminal.exit_status(), 0)

    @complaint(
        "https://github.com/mitmproxy/mitmproxy/issues/406",
        "The cursor stays on the status line while the selection moves, so a screen reader reads the wrong line",
        "The cursor, even if hidden, is on the selected row, also in the command palette")
    def test_the_cursor_is_on_the_selection(self):
        self.open_palette()
        for _ in range(3):
            before = self.terminal.cursor
            self.terminal.press("Down")
            wait_until(lambda: self.terminal.cursor != before, 5, "the cursor doesn't move")
            row = self.terminal.screen.splitlines()[self.terminal.cursor[1]]
            self.assertRegex(row, r"^\W*[›>]")


class LostTerminalRow(TerminalRow):
    @complaint(
        "https://github.com/earendil-works/pi/issues/9743",
        "The terminal stops reading. The program hangs in a write, no key quits it, and only closing the window helps",
        "Keys and signals act while a write waits: Ctrl-C ends the program within two seconds")
    def test_a_terminal_that_stops_reading(self):
        terminal = self.closing(PseudoTerminal([KEYTURN, "demo"], self.workspace.environment))
        terminal.read_until(b"No accounts yet.")
        side = terminal.open_program_side()
        self.addCleanup(os.close, side)
        termios.tcflow(side, termios.TCOOFF)
        terminal.press(b"?")
        terminal.press(b"\x03")
        wait_until(lambda: terminal.exit_status() is not None, 2, "the program does not end")
        self.assertEqual(terminal.exit_status(), 0)

    @complaint(
        "https://github.com/lxc/lxc/pull/1424",
        "Under timeout the program changes the terminal's modes from the background, is stopped for it, and hangs for ever",
        "It stops until the time is over, then ends; the shell gets 124")
    def test_the_program_under_timeout(self):
        terminal = self.open_terminal(shell=Terminal.BASH)
        terminal.enter(f"clear; timeout 1 {KEYTURN} demo; echo exit status $?")
        self.assertEqual(terminal.exit_status(), 124)
        self.assert_sane(terminal)

    @complaint(
        "https://github.com/arighi/virtme-ng/pull/453",
        "The program ends in the background, restores the terminal's modes there, and is stopped by that; `wait` never returns",
        "In the background it ends without touching the terminal")
    def test_an_end_in_the_background(self):
        terminal = self.open_terminal(shell=Terminal.BASH)
        terminal.enter(f"{KEYTURN} demo")
        terminal.wait_for("No accounts yet.", "? help")
        terminal.press("C-z")
        terminal.wait_for_prompt()
        terminal.enter("clear; kill %1; wait %1; echo exit status $?")
        self.assertEqual(terminal.exit_status(), 143)
        self.assert_sane(terminal)

    @complaint(
        "https://github.com/rivo/tview/issues/438",
        "Question marks appear in the place of lines. Another value of LC_CTYPE helps",
        "If the locale isn't installed, the screen uses C.UTF-8, and `keyturn check` names the locale")
    def test_a_locale_that_is_missing(self):
        terminal = self.closing(PseudoTerminal([KEYTURN, "demo"], {**self.workspace.environment, "LANG": "xx_XX.UTF-8"}))
        output = terminal.read_until(b"No accounts yet.")
        self.assertIn("───".encode(), output)
        self.assertIn("xx_XX.UTF-8 isn't installed", " ".join(self.workspace.run("check", LANG="xx_XX.UTF-8").stdout.split()))


if __name__ == "__main__":
    unittest.main()
