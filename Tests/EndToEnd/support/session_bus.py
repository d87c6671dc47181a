"""A separate session bus, which starts the scripted broker, or a desktop's service for notices, on demand."""

import json
import pathlib
import subprocess
import sys

CONFIGURATION = """
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{services}</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
  </policy>
</busconfig>
"""
SERVICE = "[D-BUS Service]\nName={name}\nExec={python} {script} {folder}\n"


class SessionBus:
    """For one test: ends with it. Programs of the workspace find it."""

    def __init__(self, case, has_broker=True, shows_notices=False):
        self.folder = case.workspace.path / "bus"
        services = self.folder / "services"
        services.mkdir(parents=True)
        configuration = self.folder / "bus.conf"
        configuration.write_text(CONFIGURATION.format(folder=self.folder, services=services))
        names = {"broker": "com.microsoft.identity.broker1"} if has_broker else {}
        if shows_notices:
            names["notifications"] = "org.freedesktop.Notifications"
        for file, name in names.items():
            script = pathlib.Path(__file__).with_name(f"{file}.py")
            (services / f"{file}.service").write_text(
                SERVICE.format(name=name, python=sys.executable, script=script, folder=self.folder))
        process = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={configuration}", "--print-address"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=case.workspace.environment)
        case.addCleanup(process.stdout.close)
        case.addCleanup(process.wait)
        case.addCleanup(process.terminate)
        case.workspace.environment["DBUS_SESSION_BUS_ADDRESS"] = process.stdout.readline().strip()

    def behave(self, *words):
        """Sets the broker's quirks, in place of earlier ones."""
        (self.folder / "manner").write_text(" ".join(words))

    @property
    def calls(self):
        """Every call so far: method, version, correlation ID, request."""
        log = self.folder / "calls"
        lines = log.read_text().splitlines() if log.exists() else []
        return [[*call[:3], json.loads(call[3])] if len(call) == 4 else call for call in map(json.loads, lines)]

    @property
    def notices(self):
        """The title and text of each notice."""
        log = self.folder / "notices"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    @property
    def methods(self):
        return [call[0] for call in self.calls]
