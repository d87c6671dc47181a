"""The time that a door adds to a request: a gate beside a direct connection, both with TLS, and a managed identity."""

import pathlib
import re
import socket
import ssl
import statistics
import subprocess
import threading
import time

from support.secure_provider import make_authority

RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}"
REQUESTS = 1000
GIGABYTE = 1 << 30


class Origin:
    """A server that does nothing but answer."""

    def __init__(self, folder):
        make_authority(folder)
        self.certificates = folder / "ca.pem"
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(folder / "org.pem", folder / "org.key")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self._listener.accept()
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._context.wrap_socket(client, server_side=True) as secure:
            received = b""
            while part := secure.recv(1 << 16):
                received += part
                while b"\r\n\r\n" in received:
                    head, received = received.split(b"\r\n\r\n", 1)
                    if b" /large " not in head:
                        secure.sendall(RESPONSE)
                        continue
                    secure.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % GIGABYTE)
                    for _ in range(GIGABYTE >> 20):
                        secure.sendall(bytes(1 << 20))


class Client:
    def __init__(self, port, fields="", certificates=None):
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if certificates:
            context = ssl.create_default_context(cafile=certificates)
            self._socket = context.wrap_socket(self._socket, server_hostname="localhost")
        self._fields = f"Host: 127.0.0.1:{port}\r\n{fields}"

    def send(self, path):
        self._socket.sendall(f"GET {path} HTTP/1.1\r\n{self._fields}\r\n".encode())

    def seconds(self, path):
        """The median of the time of a request."""
        times = []
        for _ in range(REQUESTS):
            start = time.perf_counter()
            self.send(path)
            received = b""
            while not received.rstrip().endswith(b"}"):
                received += self._socket.recv(1 << 16)
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    def drain(self, count):
        room = bytearray(1 << 20)
        while count > 0:
            received = self._socket.recv_into(room)
            if not received:
                raise SystemExit("the response ended early")
            count -= received


def opened(command, environment, pattern):
    """A door, and what it prints of itself."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=environment)
    text = ""
    while not (found := re.search(pattern, text)):
        line = process.stdout.readline()
        if not line:
            raise SystemExit(f"{command} ended: {text}")
        text += line
    return process, found.groups()


def gate(keyturn, environment, folder):
    """Seconds of a request, directly and through a gate; then kilobytes of a gate: its own, and more after 1 GB."""
    origin = Origin(folder)
    process, (port, secret) = opened(
        [keyturn, "gate", "-q", "--ca-file", origin.certificates, "--scope", "User.Read",
         f"https://localhost:{origin.port}"], environment, r":(\d+)(/\w+)\n")
    try:
        through, direct = Client(int(port)), Client(origin.port, certificates=origin.certificates)
        times = direct.seconds("/"), through.seconds(f"{secret}/")
        before = kilobytes(process, "VmHWM")
        through.send(f"{secret}/large")
        through.drain(GIGABYTE)
        return *times, kilobytes(process, "RssAnon"), kilobytes(process, "VmHWM") - before
    finally:
        process.kill()
        process.wait()


def managed_identity(keyturn, environment):
    """Seconds of a cached token."""
    process, (port, secret) = opened(
        [keyturn, "serve", "managed-identity", "-q"], environment, r"(?s):(\d+)/msi/token'.*HEADER='(\w+)'")
    try:
        client = Client(int(port), f"X-IDENTITY-HEADER: {secret}\r\n")
        return client.seconds("/msi/token?api-version=2019-08-01&resource=https://graph.microsoft.com")
    finally:
        process.kill()
        process.wait()


def kilobytes(process, kind):
    return int(re.search(rf"{kind}:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text()).group(1))
