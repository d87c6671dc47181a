"""The shared part of the two OpenID providers: a one-file Django project with a database in a temporary folder.

Environment variables of both: AT_TTL (lifetime of an access token in seconds), TLS (a folder with org.pem and org.key:
serve https). Both print `ready ISSUER` when they listen, and `grant TYPE STATUS` for each token request.
"""

import io
import os
import secrets
import signal
import socket
import sys
import tempfile
import urllib.parse

import django
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings

ACCESS_TOKEN_SECONDS = int(os.environ.get("AT_TTL", "3600"))
TLS_FOLDER = os.environ.get("TLS")

REDIRECT_URIS = [
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://localhost/",
    "http://localhost",
    "msauth.com.contoso.app://auth",
]


def signing_key():
    """A fresh RSA key as PEM."""
    key = rsa.generate_private_key(65537, 2048)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


def listening_socket():
    """A socket on 127.0.0.1, on the port of the command line or any free one."""
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    return listener


def configure(apps, middleware=(), **others):
    """Sets Django up with sessions, users and the given applications."""
    folder = tempfile.TemporaryDirectory(prefix="keyturn-provider-")
    settings.configure(
        DEBUG=False,
        SECRET_KEY=secrets.token_urlsafe(40),
        ALLOWED_HOSTS=["127.0.0.1", "localhost", "[::1]"],
        ROOT_URLCONF="__main__",
        USE_TZ=True,
        STATIC_URL="/static/",
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": os.path.join(folder.name, "provider.sqlite"),
                "OPTIONS": {"timeout": 20},
            }
        },
        INSTALLED_APPS=[
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.messages",
            *apps,
        ],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            *middleware,
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        **others,
    )
    django.setup()
    return folder


def create_alice():
    """Creates the tables and the user alice, whose password is password1."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from django.contrib.auth.models import User

    return User.objects.create_user(
        "alice", "alice@example.test", "password1", first_name="Alice", last_name="Test"
    )


class GrantLog:
    """Prints the grants that clients request, and nothing else of their requests."""

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        if environ["REQUEST_METHOD"] != "POST":
            return self._application(environ, start_response)
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = io.BytesIO(body)
        grant = urllib.parse.parse_qs(body.decode("latin-1")).get("grant_type", [None])[0]

        def start(status, *rest):
            if grant:
                print("grant", grant, status.split()[0], flush=True)
            return start_response(status, *rest)

        return self._application(environ, start)


def serve(listener, issuer):
    """Serves until the process ends."""
    from django.core.wsgi import get_wsgi_application

    # Exits through Python's own clean-up, which removes the temporary folder.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    application = GrantLog(get_wsgi_application())
    listener.listen(64)
    print("ready", issuer, flush=True)
    if TLS_FOLDER:
        from cheroot.ssl.builtin import BuiltinSSLAdapter
        from cheroot.wsgi import Server

        address = listener.getsockname()
        listener.close()
        server = Server(address, application, numthreads=4)
        server.ssl_adapter = BuiltinSSLAdapter(
            os.path.join(TLS_FOLDER, "org.pem"), os.path.join(TLS_FOLDER, "org.key")
        )
        server.start()
    else:
        import waitress

        waitress.serve(application, sockets=[listener], threads=4)
