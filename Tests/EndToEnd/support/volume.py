"""A small file system in memory, to fill."""

import os
import subprocess


class Volume:
    """Mounted at a folder. Only root can mount one."""

    def __init__(self, folder, mebibytes=16):
        self.folder = folder
        self._filler = folder / "filler"
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"mode=700,size={mebibytes}m", "tmpfs", folder], check=True,
            capture_output=True)

    @staticmethod
    def is_possible():
        """Whether this process may mount one."""
        return os.geteuid() == 0 and subprocess.run(
            ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, check=False
        ).returncode == 0

    def close(self):
        subprocess.run(["umount", "--lazy", self.folder], check=False, capture_output=True)

    def lock(self, is_locked=True):
        """Makes the file system read-only, or writable again."""
        subprocess.run(
            ["mount", "-o", f"remount,{'ro' if is_locked else 'rw'}", self.folder], check=True, capture_output=True)

    def fill(self, free_kibibytes):
        """Leaves this much free space."""
        with open(self._filler, "ab") as file:
            facts = os.statvfs(self.folder)
            surplus = facts.f_bavail * facts.f_frsize - free_kibibytes * 1024
            if surplus > 0:
                os.posix_fallocate(file.fileno(), file.tell(), surplus)

    def empty(self):
        self._filler.unlink(missing_ok=True)
