"""What stands between the program and the authority, and spoils the answers of chosen steps."""

import collections
import socket
import struct
import threading
import time

# In the order in which a sign-in comes to them.
STEPS = ("discovery", "keys", "code", "refresh")


def step_of(head, body):
    """Which step of a sign-in a request is; None: a page, or a document that is not spoilt."""
    path = head.split(b" ", 2)[1].split(b"?")[0]
    if path.endswith(b"/.well-known/openid-configuration"):
        return "discovery"
    if path.endswith(b"/keys"):
        return "keys"
    if path.endswith(b"/token"):
        return "refresh" if b"grant_type=refresh_token" in body else "code"
    return None


class Interposer:
    """Listens where the authority believes that it is itself."""

    def __init__(self):
        self._listener = None
        self._connections = set()
        self._lock = threading.Lock()
        # How the answers to a step are spoilt, one after the other. The last of `always` stays.
        self._once = collections.defaultdict(collections.deque)
        self._always = {}
        self.upstream = None
        self.chooses = None
        self.port = self._listen(0)
        self.origin = f"http://127.0.0.1:{self.port}"

    def spoil(self, step, how, always=False):
        if always:
            self._always[step] = how
        else:
            self._once[step].append(how)

    def relent(self):
        self._once.clear()
        self._always.clear()

    def _listen(self, port):
        self._listener = socket.create_server(("127.0.0.1", port), backlog=64)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()
        return self._listener.getsockname()[1]

    def vanish(self):
        """Nobody listens any more, and what was open is reset: as when a server's process dies."""
        # A thread that accepts holds the socket open; shutting it down ends that.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            held, self._connections = self._connections, set()
        for connection in held:
            reset(connection)

    def return_(self):
        self._listen(self.port)

    def close(self):
        self.vanish()

    def _accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with self._lock:
                self._connections.add(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            # One request for each connection is enough, and leaves no doubt about which one is reset.
            request = read_message(connection)
            if request:
                self._how(*request)(self, connection, b"".join(request))
        except OSError:
            pass
        finally:
            with self._lock:
                self._connections.discard(connection)
            connection.close()

    def _how(self, head, body):
        step = step_of(head, body)
        if step and self._once[step]:
            return self._once[step].popleft()
        return self._always.get(step) or (self.chooses and self.chooses(step)) or passes

    def ask(self, request):
        """What the authority answers, whole."""
        with socket.create_connection(("127.0.0.1", self.upstream), timeout=60) as upstream:
            upstream.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
            parts = []
            while part := upstream.recv(65536):
                parts.append(part)
        return b"".join(parts)


def read_message(connection):
    """The head and the body of one request; None when the other side says nothing more."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            return None
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while lengths and len(body) < int(lengths[0]):
        body += connection.recv(65536)
    return head + b"\r\n\r\n", body


def reset(connection):
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    except OSError:
        pass


# How an answer can be spoilt.

def passes(interposer, connection, request):
    connection.sendall(interposer.ask(request))


def resets(_, connection, __):
    """The authority never hears of it."""
    reset(connection)


def loses(interposer, connection, request):
    """The authority has done what it was asked, and nobody hears of that."""
    interposer.ask(request)
    reset(connection)


def breaks_in_the_head(interposer, connection, request):
    connection.sendall(interposer.ask(request)[:40])
    reset(connection)


def breaks_in_the_body(interposer, connection, request):
    answer = interposer.ask(request)
    connection.sendall(answer[: answer.index(b"\r\n\r\n") + 40])
    reset(connection)


def drips(pieces, seconds):
    """A part of the answer at a time: over `seconds` as a whole."""

    def drip(interposer, connection, request):
        answer = interposer.ask(request)
        size = max(1, len(answer) // pieces)
        for start in range(0, len(answer), size):
            connection.sendall(answer[start : start + size])
            time.sleep(seconds / pieces)

    return drip


def answers(status, *fields):
    """In place of the authority, which never hears of it."""
    body = b'{"error":"temporarily_unavailable"}'
    head = [f"HTTP/1.1 {status} No", f"Content-Length: {len(body)}", "Content-Type: application/json"]
    text = "\r\n".join([*head, "Connection: close", *fields, "", ""]).encode() + body

    def answer(_, connection, __):
        connection.sendall(text)

    return answer
