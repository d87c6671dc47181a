"""Keys, colours and commands of the user's own, several accounts at once, and small windows: what went wrong in other programs."""

import json

from field import FieldCase, complaint
from support import person
from support.provider import start_authority
from support.pseudo_terminal import PseudoTerminal
from support.waiting import wait_until
from support.workspace import KEYTURN


class OwnRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(self.authority.address, cache={"key": "keyFile"})
        self.file = self.workspace.path / "config/keyturn/config.json"

    def sign_in(self, *people):
        for one in people or (person.ANN,):
            self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *one)
            self.succeed("sign-in")

    def choose(self, **settings):
        self.file.write_text(json.dumps({**json.loads(self.file.read_text()), **settings}))

    def choose_command(self, *command):
        self.choose(commands=[{"key": "F6", "title": "Mine", "argv": command}])

    def mistake(self, **settings):
        self.choose(**settings)
        result = self.workspace.run("accounts")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        return " ".join(result.stderr.split())

    def colored(self, **environment):
        terminal = self.closing(PseudoTerminal([KEYTURN], {**self.workspace.environment, **environment}))
        seen = terminal.read_until(b"ann@contoso.example", b"help")
        terminal.press(b"q")
        return seen + terminal.read_to_end()


class KeyRow(OwnRow):
    @complaint(
        "https://github.com/jesseduffield/lazygit/issues/1319",
        "A command on Ctrl-M also runs at Enter, because terminals send both as the same",
        "rejects keys that terminals can't send on their own, with line and column")
    def test_a_key_that_is_another(self):
        seen = self.mistake(commands=[{"key": "Ctrl-M", "title": "Mine", "argv": ["true"]}])
        self.assertRegex(seen, r'commands\[0\]\.key: invalid key "Ctrl-M" \(column \d+\)\. Use a character, Ctrl-X')

    @complaint(
        "https://github.com/jesseduffield/lazygit/issues/4839",
        "A misspelled section of the configuration is ignored, and the new key does nothing",
        "names the misspelled key, and the one that was meant")
    def test_a_misspelled_section(self):
        self.assertRegex(self.mistake(key={"copy": "F6"}), r'key: unknown key\. Did you mean "keys"\?')

    @complaint(
        "https://github.com/derailed/k9s/issues/378",
        "The key of an own command does nothing, and nothing says why",
        "says that the program doesn't exist, and what to check")
    def test_a_program_that_is_not_there(self):
        self.choose_command("kubectl-none")
        self.sign_in()
        terminal = self.open_keyturn(shows="F6 Mine")
        terminal.press("F6")
        terminal.wait_for("The program kubectl-none doesn't exist.", "Check its name and PATH.")
        terminal.press("Escape")
        terminal.wait_for("Accounts")


class CommandRow(OwnRow):
    @complaint(
        "https://github.com/derailed/k9s/issues/837",
        "After an own command that was interrupted the program hangs, until it is killed",
        "Esc ends the command with all that it started, and the list is there again")
    def test_a_command_that_hangs(self):
        trace = self.workspace.path / "ended"
        self.choose_command("sh", "-c", f"trap 'touch {trace}' TERM; echo begun > {self.workspace.path}/begun; sleep 600")
        self.sign_in()
        terminal = self.open_keyturn(shows="F6 Mine")
        terminal.press("F6")
        terminal.wait_for("It can take 60", "seconds.")
        wait_until((self.workspace.path / "begun").exists, 15, "the command doesn't run")
        terminal.press("Escape")
        terminal.wait_for("Cancelled.", "USERNAME")
        self.quit(terminal)

    @complaint(
        "https://github.com/jesseduffield/lazygit/issues/4320",
        "An own command that reads the terminal suspends the whole program",
        "gives commands no terminal: a read ends at once, and the program goes on")
    def test_a_command_that_reads(self):
        self.choose_command("sh", "-c", "read line; echo read $?; read line < /dev/tty; echo tty $?")
        self.sign_in()
        terminal = self.open_keyturn(shows="F6 Mine")
        terminal.press("F6")
        terminal.wait_for("It has succeeded.", "read 1", "tty ")
        terminal.press("Escape")
        terminal.wait_for("USERNAME")

    @complaint(
        "https://github.com/anthropics/claude-code/issues/5679",
        "Colours of a program's output are shown as letters and brackets",
        "leaves out the sequences, and no program's output moves the cursor or clears the screen")
    def test_escape_sequences(self):
        self.choose_command("printf", r"\033[2J\033[31mred\033[0m \033]0;title\007\033[5;5Hhere \302\2331mend\n")
        self.sign_in()
        terminal = self.open_keyturn(shows="F6 Mine")
        terminal.press("F6")
        screen = terminal.wait_for("It has succeeded.", "red here ")
        self.assertNotIn("[31m", screen)
        self.assertIn("Mine", screen.splitlines()[0])

    @complaint(
        "https://github.com/derailed/k9s/issues/3971",
        "A variable that an own command uses isn't filled in",
        "passes the account and the profile as variables, and a token only to keyturn exec")
    def test_the_selected_account(self):
        self.choose_command("sh", "-c", 'echo "$KEYTURN_ACCOUNT at $KEYTURN_PROFILE"; env | grep -c eyJ')
        self.sign_in()
        terminal = self.open_keyturn(shows="F6 Mine")
        terminal.press("F6")
        terminal.wait_for("ann@contoso.example at test", "It failed with status 1.")


class ListRow(OwnRow):
    @complaint(
        "https://github.com/containers/podman-tui/issues/301",
        "Ten entries to remove are ten times the same key and the same question",
        "Space marks accounts, and one question signs out all of them")
    def test_several_accounts(self):
        self.sign_in(person.ANN, person.WANG)
        terminal = self.open_keyturn(shows="wang@contoso.example")
        terminal.press("Space", "Space")
        terminal.wait_for("2 of 2, 2 marked")
        terminal.press("D")
        terminal.wait_for("Sign out these accounts?", "ann@contoso.example", "wang@contoso.example")
        terminal.press("y")
        terminal.wait_for("Removed 2 accounts from this computer.", "No accounts yet.")
        self.assertEqual(json.loads(self.succeed("accounts", "-o", "json")), [])

    @complaint(
        "https://github.com/earendil-works/pi/issues/9610",
        "In a small window, a question shows its buttons but not the text to decide on, and no key scrolls it",
        "Down reads the question to its end, also at 40 columns and 12 rows")
    def test_a_small_window(self):
        self.sign_in()
        terminal = self.open_keyturn(size=(40, 12), shows="ann@contoso.example")
        terminal.press("D")
        self.assertNotIn("session there.", terminal.wait_for("Sign out this account?", "[Cancel]"))
        for _ in range(3):
            terminal.press("Down")
        terminal.wait_for("session there.", "[This computer]")


class ColorRow(OwnRow):
    @complaint(
        "https://github.com/fox0430/moe/issues/844",
        "One unknown colour switches all of the user's colours off, without a word",
        "names the colour with its line and column, and what would be right")
    def test_an_unknown_colour(self):
        seen = self.mistake(colors={"key": "blue", "danger": "pink"})
        self.assertRegex(seen, r'json:\d+: colors\.danger: unknown colour "pink" \(column \d+\)\. Use a name such as blue')

    @complaint(
        "https://github.com/derailed/k9s/issues/761",
        "The selected row is hard to read, and no setting changes its colours",
        "colors has a role for each kind of text, the selected row among them")
    def test_the_selected_row(self):
        self.choose(colors={"selection": "reverse #5fd7d7", "key": "underline 208"})
        self.sign_in()
        seen = self.colored()
        self.assertIn(b"38;5;80m", seen)
        self.assertIn(b"38;5;208m", seen)
        self.assertNotIn(b"38;5;208m", self.colored(NO_COLOR="1"))

    @complaint(
        "https://github.com/derailed/k9s/issues/1290",
        "On a light background, headings and hints can't be read",
        "uses colours that are readable on the terminal's background")
    def test_a_light_background(self):
        self.sign_in()
        self.assertIn(b"38;5;25m", self.colored(COLORFGBG="0;15"))
        self.assertNotIn(b"38;5;25m", self.colored(COLORFGBG="15;0"))
