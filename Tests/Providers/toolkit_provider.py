"""A foreign OpenID provider: django-oauth-toolkit.

usage: toolkit_provider.py [PORT]

Public client `native` (code and refresh grants; PKCE required), device client `native-device`, user alice / password1.
Resource /api/letters (scope read) with metadata (RFC 9728); every client can register (RFC 7591).
Loopback redirect URIs on any port. With TLS=FOLDER it is https://localhost:PORT/o. With CLAIMS=scoped the ID token has
only alice's subject, and her email address once `email` is granted.
"""

import json
import os

import django_provider as provider

listener = provider.listening_socket()
PORT = listener.getsockname()[1]
BASE = f"https://localhost:{PORT}" if provider.TLS_FOLDER else f"http://127.0.0.1:{PORT}"

folder = provider.configure(
    apps=["django.contrib.admin", "oauth2_provider"],
    LOGIN_URL="/login/",
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": provider.signing_key(),
        "PKCE_REQUIRED": True,
        "SCOPES": {
            "openid": "OpenID",
            "profile": "Profile",
            "email": "E-mail",
            "offline_access": "Offline",
            "read": "Read letters",
        },
        "DCR_ENABLED": True,
        "DCR_REGISTRATION_PERMISSION_CLASSES": ("oauth2_provider.dcr.AllowAllDCRPermission",),
        "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["client_secret_post", "client_secret_basic", "none"],
        "OAUTH2_PROTECTED_RESOURCE_AUTHORIZATION_SERVERS": [BASE + "/o"],
        "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "https", "msauth.com.contoso.app"],
        "ALLOW_LOCALHOST_LOOPBACK": True,
        "ROTATE_REFRESH_TOKEN": True,
        "REFRESH_TOKEN_REUSE_PROTECTION": True,
        "ACCESS_TOKEN_EXPIRE_SECONDS": provider.ACCESS_TOKEN_SECONDS,
        "OAUTH_DEVICE_VERIFICATION_URI": BASE + "/o/device",
        "OAUTH_DEVICE_VERIFICATION_URI_COMPLETE": lambda code: f"{BASE}/o/device/?user_code={code}",
        "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
        "OIDC_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["client_secret_post", "client_secret_basic", "none"],
        "OAUTH2_VALIDATOR_CLASS": "__main__.Validator",
    },
)

from django.contrib import admin  # noqa: E402  (Django must be set up first)
from django.contrib.auth.views import LoginView  # noqa: E402
from django.http import JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider.oauth2_validators import OAuth2Validator  # noqa: E402
from oauth2_provider.urls import metadata_urlpatterns  # noqa: E402
from oauth2_provider.views import ConnectDiscoveryInfoView  # noqa: E402
from oauth2_provider.views.generic import ScopedProtectedResourceMetadataView  # noqa: E402


class Validator(OAuth2Validator):
    """Puts the user's names into the ID token."""

    oidc_claim_scope = {"sub": "openid", "email": "email"} if os.environ.get("CLAIMS") == "scoped" else None

    def get_additional_claims(self, request):
        user = request.user
        if self.oidc_claim_scope:
            return {"sub": user.username, "email": user.email}
        return {"preferred_username": user.username, "email": user.email, "name": user.get_full_name()}

    def validate_silent_authorization(self, request):
        return True

    def validate_silent_login(self, request):
        return bool(getattr(request.user, "is_authenticated", False))


class Discovery(ConnectDiscoveryInfoView):
    """Version 3.4.1 announces neither its device endpoint nor its revocation endpoint; this adds them."""

    def get(self, request, *args, **kwargs):
        document = json.loads(super().get(request, *args, **kwargs).content)
        document["device_authorization_endpoint"] = BASE + "/o/device-authorization/"
        document["revocation_endpoint"] = BASE + "/o/revoke_token/"
        document["grant_types_supported"] = [
            "authorization_code",
            "refresh_token",
            "urn:ietf:params:oauth:grant-type:device_code",
        ]
        return JsonResponse(document)


class Letters(ScopedProtectedResourceMetadataView):
    """An API that names its metadata in its challenge."""

    required_scopes = ["read"]

    def get_resource_metadata_url(self, request):
        return f"{BASE}/.well-known/oauth-protected-resource{request.path}"

    def get(self, request, *args, **kwargs):
        return JsonResponse({"user": request.resource_owner.username})


login = LoginView.as_view(
    template_name="admin/login.html", extra_context={"site_header": "Django provider", "title": "Sign in"}
)
urlpatterns = [
    path("o/.well-known/openid-configuration", Discovery.as_view()),
    path("", include((metadata_urlpatterns, "root"))),
    path("api/letters", Letters.as_view()),
    path("login/", login),
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
    path("admin/", admin.site.urls),
]


def create_directory():
    alice = provider.create_alice()
    from oauth2_provider.models import Application

    common = {"client_type": "public", "algorithm": "RS256", "user": alice}
    Application.objects.create(
        client_id="native",
        name="Native app",
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
        redirect_uris=" ".join(provider.REDIRECT_URIS),
        skip_authorization=False,
        client_secret="",
        **common,
    )
    Application.objects.create(
        client_id="native-device",
        name="Native device",
        authorization_grant_type=Application.GRANT_DEVICE_CODE,
        **common,
    )


if __name__ == "__main__":
    create_directory()
    provider.serve(listener, BASE + "/o")
