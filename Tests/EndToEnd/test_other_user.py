"""Another user of the computer, not root, against a signed-in user and a waiting sign-in."""

import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

from support import person
from support.authority import start_authority
from support.case import JourneyCase
from support.session_bus import CONFIGURATION
from support.workspace import KEYTURN

# No account has these numbers; the kernel needs no names.
VICTIM, ATTACKER = 61001, 61002

READ_ALL = """
import os, sys
for folder, folders, files in os.walk(sys.argv[1], onerror=lambda error: print("closed", error.filename)):
    for name in files:
        path = os.path.join(folder, name)
        try:
            open(path, "rb").close()
            print("read", path)
        except PermissionError:
            print("closed", path)
"""

READ_PROCESS = """
import sys
for name in ("environ", "mem", "maps", "auxv"):
    try:
        open(f"/proc/{sys.argv[1]}/{name}", "rb").read(1)
        print("read", name)
    except OSError:
        print("closed", name)
"""


@unittest.skipUnless(os.geteuid() == 0, "skipped: only root can act as two other users")
class OtherUserJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.workspace.use_recording_browser()
        self.authority = start_authority(self)

    def give_home_to_victim(self, redirect="http://127.0.0.1"):
        """The victim's folders are open to all, so that only what the program itself creates is protected."""
        self.configure_for_authority(self.authority, redirectUri=redirect)
        for path in [self.workspace.path, *self.workspace.path.rglob("*")]:
            os.chown(path, VICTIM, VICTIM)
        for folder in [self.workspace.path, *self.workspace.path.iterdir(), self.workspace.path / "config/keyturn"]:
            if folder.is_dir():
                folder.chmod(0o755)

    def start_sign_in(self, *arguments):
        process = subprocess.Popen(
            [str(KEYTURN), "sign-in", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.workspace.environment, user=VICTIM, group=VICTIM, extra_groups=[])
        for clean_up in (process.stdout.close, process.stderr.close, process.wait, process.kill):
            self.addCleanup(clean_up)
        return process

    def attack(self, script, *arguments):
        result = subprocess.run(
            [sys.executable, "-c", script, *map(str, arguments)], capture_output=True, text=True, timeout=30,
            check=False, user=ATTACKER, group=ATTACKER, extra_groups=[])
        self.assertEqual(result.stderr, "")
        return result.stdout.splitlines()

    def test_reading_everything_that_a_sign_in_leaves(self):
        self.give_home_to_victim()
        process = self.start_sign_in()
        person.walk(self.opened_address(), *person.ANN)
        _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, errors)
        folder = self.workspace.path
        # The attack finds open files, but none that the program created.
        self.assertIn(f"read {folder}/config/keyturn/config.json", self.attack(READ_ALL, folder / "config"))
        for place in ("state", "cache", "runtime"):
            found = self.attack(READ_ALL, folder / place)
            self.assertEqual([line for line in found if line.startswith("read")], [])
        self.assertIn(f"closed {folder}/state/keyturn", self.attack(READ_ALL, folder / "state"))

    def test_reading_the_memory_of_a_waiting_process(self):
        self.give_home_to_victim()
        process = self.start_sign_in()
        address = self.opened_address()
        self.assertEqual({line.split()[0] for line in self.attack(READ_PROCESS, process.pid)}, {"closed"})
        arguments = pathlib.Path(f"/proc/{process.pid}/cmdline").read_text()
        for name, values in urllib.parse.parse_qs(urllib.parse.urlsplit(address).query).items():
            if name in ("state", "nonce", "code_challenge"):
                self.assertNotIn(values[0], arguments)

    def test_taking_the_port_first(self):
        for host in ("127.0.0.1", "::1"):
            with self.subTest(host):
                with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as free:
                    free.bind((host, 0))
                    port = free.getsockname()[1]
                holder = subprocess.Popen(
                    [sys.executable, "-c", HOLD, host, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    text=True, user=ATTACKER, group=ATTACKER, extra_groups=[])
                with holder:
                    self.assertEqual(holder.stdout.readline(), "listening\n")
                    self.give_home_to_victim(f"http://localhost:{port}")
                    process = self.start_sign_in()
                    _, errors = process.communicate(timeout=30)
                    holder.stdin.close()
                self.assertNotIn(process.returncode, (0, None))
                self.assertIn(str(port), errors)
                # No browser was sent to the attacker.
                self.assertIsNone(self.workspace.opened_address)

    def test_a_runtime_folder_of_another_user(self):
        with tempfile.TemporaryDirectory(prefix="keyturn-e2e-") as shared:
            os.chmod(shared, 0o1777)
            self.attack(
                "import os, sys; os.makedirs(sys.argv[1], 0o777); os.chmod(sys.argv[1], 0o777)",
                f"{shared}/keyturn")
            self.workspace.environment["XDG_RUNTIME_DIR"] = shared
            self.give_home_to_victim("msauth.org.keyturn.app://auth")
            self.start_sign_in()
            self.opened_address()
            # The socket is in a folder of the victim's instead.
            self.assertEqual(os.listdir(f"{shared}/keyturn"), [])
            sockets = list((self.workspace.path / "state/keyturn/run").glob("*.socket"))
            self.assertEqual([one.stat().st_uid for one in sockets], [VICTIM])

    def test_a_session_bus_of_another_user(self):
        """The address of a bus that ended, whose socket another user took. The keyring there would get the data key."""
        folder = tempfile.mkdtemp(prefix="keyturn-e2e-")
        self.addCleanup(shutil.rmtree, folder)
        # The bus accepts only users that have a name.
        nobody = pwd.getpwnam("nobody").pw_uid
        os.chown(folder, nobody, nobody)
        configuration = pathlib.Path(folder) / "bus.conf"
        text = CONFIGURATION.format(folder=folder, services=folder)
        configuration.write_text(text.replace("</policy>", '<allow user="*"/></policy>'))
        bus = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={configuration}", "--print-address"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, user=nobody, group=nobody, extra_groups=[])
        for clean_up in (bus.stdout.close, bus.wait, bus.kill):
            self.addCleanup(clean_up)
        self.workspace.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        self.configure_for_authority(self.authority)
        check = self.workspace.run("check", "--offline")
        self.assertIn(
            f"The session bus belongs to another user (ID {nobody}).", " ".join(check.stdout.split()))

    def test_a_silent_session_bus_of_another_user(self):
        """It never responds. Nothing is sent to it, and no time limit is waited for."""
        folder = tempfile.mkdtemp(prefix="keyturn-e2e-")
        self.addCleanup(shutil.rmtree, folder)
        os.chmod(folder, 0o777)
        bus = subprocess.Popen(
            [sys.executable, "-c", SILENT_BUS, f"{folder}/bus"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, user=ATTACKER, group=ATTACKER, extra_groups=[])
        for clean_up in (bus.stdout.close, bus.stdin.close, bus.wait, bus.kill):
            self.addCleanup(clean_up)
        self.assertEqual(bus.stdout.readline(), "listening\n")
        self.workspace.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={folder}/bus"
        self.configure_for_authority(self.authority)
        check = self.workspace.run("check", "--offline")
        self.assertIn(f"The session bus belongs to another user (ID {ATTACKER}).", " ".join(check.stdout.split()))
        bus.stdin.write("end\n")
        bus.stdin.flush()
        self.assertRegex(bus.stdout.readline(), r"^[1-9]\d* connections, 0 bytes$")

    def test_a_sticky_folder_above(self):
        """As in /tmp, others can create entries there, but not rename the victim's. Their own are not used."""
        with tempfile.TemporaryDirectory(prefix="keyturn-e2e-") as shared:
            os.chmod(shared, 0o1777)
            self.workspace.environment["XDG_STATE_HOME"] = f"{shared}/state"
            self.give_home_to_victim()
            process = self.start_sign_in()
            person.walk(self.opened_address(), *person.ANN)
            _, errors = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 0, errors)
            self.assertEqual(self.attack(TAKE, f"{shared}/state"), ["kept"])
            self.workspace.environment["XDG_STATE_HOME"] = f"{shared}/theirs"
            self.assertEqual(self.attack(TAKE, f"{shared}/theirs"), ["taken"])
            process = self.start_sign_in("--method", "device")
            _, errors = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 7, errors)
            self.assertIn("belongs to another user", errors)


# Accepts connections until a line of input, then prints what arrived.
SILENT_BUS = """
import os, selectors, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
listener.listen()
print("listening", flush=True)
selector = selectors.DefaultSelector()
for one in (listener, sys.stdin):
    selector.register(one, selectors.EVENT_READ)
connections, bytes_read = 0, 0
while True:
    for key, _ in selector.select():
        if key.fileobj is sys.stdin:
            print(f"{connections} connections, {bytes_read} bytes", flush=True)
            raise SystemExit
        if key.fileobj is listener:
            connections += 1
            selector.register(listener.accept()[0], selectors.EVENT_READ)
            continue
        data = key.fileobj.recv(4096)
        bytes_read += len(data)
        if not data:
            selector.unregister(key.fileobj)
"""

# Replaces a folder by one of its own, that all can change.
TAKE = """
import os, sys
try:
    if os.path.exists(sys.argv[1]):
        os.rename(sys.argv[1], sys.argv[1] + ".old")
    os.makedirs(sys.argv[1])
    os.chmod(sys.argv[1], 0o777)
    print("taken")
except PermissionError:
    print("kept")
"""

HOLD = """
import socket, sys
host, port = sys.argv[1], int(sys.argv[2])
one = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
one.bind((host, port))
one.listen()
print("listening", flush=True)
sys.stdin.read()
"""


if __name__ == "__main__":
    unittest.main()
