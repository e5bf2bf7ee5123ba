# django-allauth 65.21.1, by its documentation, "Quickstart" and "OpenID Connect". PKCE is one of its
# settings for a provider, OAUTH_PKCE_ENABLED, which is off by default.
import os

import django_site

django_site.configure(
    apps=[
        "allauth",
        "allauth.account",
        "allauth.socialaccount",
        "allauth.socialaccount.providers.openid_connect",
    ],
    middleware=["allauth.account.middleware.AccountMiddleware"],
    AUTHENTICATION_BACKENDS=[
        "django.contrib.auth.backends.ModelBackend",
        "allauth.account.auth_backends.AuthenticationBackend",
    ],
    LOGIN_REDIRECT_URL="/profile/",
    LOGIN_URL="/accounts/oidc/lab/login/",
    SOCIALACCOUNT_PROVIDERS={
        "openid_connect": {
            "OAUTH_PKCE_ENABLED": True,
            "APPS": [
                {
                    "provider_id": "lab",
                    "name": "Lab",
                    "client_id": os.environ["CLIENT_ID"],
                    "secret": os.environ["CLIENT_SECRET"],
                    "settings": {"server_url": os.environ["ISSUER"]},
                }
            ],
        }
    },
    EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
    ACCOUNT_EMAIL_VERIFICATION="none",
)

from django.contrib.auth.decorators import login_required  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils.html import escape  # noqa: E402


def home(request):
    return HttpResponse('<a href="/accounts/login/">Sign in</a> <a href="/profile/">Profile</a>')


@login_required
def profile(request):
    name = escape(request.user.get_full_name() or request.user.username)
    return HttpResponse(f'Hello {name} <a href="/accounts/logout/">Sign out</a>')


urlpatterns = [
    path("", home),
    path("profile/", profile),
    path("accounts/", include("allauth.urls")),
]

if __name__ == "__main__":
    django_site.run()
