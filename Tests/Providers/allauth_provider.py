"""A foreign OpenID provider: django-allauth's allauth.idp.oidc.

usage: allauth_provider.py [PORT]

Public client `native` (code, refresh and device grants; PKCE required), user alice / password1.
Loopback redirect URIs on any port for 127.0.0.1 and [::1], not for localhost. AT_FORMAT=jwt|opaque.
"""

import os

import django_provider as provider

listener = provider.listening_socket()
folder = provider.configure(
    apps=["allauth", "allauth.account", "allauth.idp.oidc"],
    middleware=["allauth.account.middleware.AccountMiddleware"],
    AUTHENTICATION_BACKENDS=[
        "django.contrib.auth.backends.ModelBackend",
        "allauth.account.auth_backends.AuthenticationBackend",
    ],
    EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
    ACCOUNT_EMAIL_VERIFICATION="none",
    ACCOUNT_RATE_LIMITS=False,
    IDP_OIDC_RATE_LIMITS=False,
    IDP_OIDC_PRIVATE_KEY=provider.signing_key(),
    IDP_OIDC_ACCESS_TOKEN_FORMAT=os.environ.get("AT_FORMAT", "jwt"),
    IDP_OIDC_ACCESS_TOKEN_EXPIRES_IN=provider.ACCESS_TOKEN_SECONDS,
)

from django.urls import include, path  # noqa: E402  (Django must be set up first)

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("", include("allauth.idp.urls")),
]


def create_directory():
    alice = provider.create_alice()
    from allauth.account.models import EmailAddress
    from allauth.idp.oidc.models import Client

    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    Client.objects.create(
        id="native",
        name="Native app",
        type="public",
        secret="!",
        scopes="openid\nprofile\nemail\noffline_access",
        grant_types="authorization_code\nrefresh_token\nurn:ietf:params:oauth:grant-type:device_code",
        redirect_uris="\n".join(provider.REDIRECT_URIS),
    )


if __name__ == "__main__":
    create_directory()
    provider.serve(listener, f"http://127.0.0.1:{listener.getsockname()[1]}")
