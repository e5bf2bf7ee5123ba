# mozilla-django-oidc 5.0.2, by its documentation, "Installation".
import os

import django_site

issuer = os.environ["ISSUER"]
django_site.configure(
    apps=["mozilla_django_oidc"],
    AUTHENTICATION_BACKENDS=["mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
    OIDC_RP_CLIENT_ID=os.environ["CLIENT_ID"],
    OIDC_RP_CLIENT_SECRET=os.environ["CLIENT_SECRET"],
    OIDC_RP_SIGN_ALGO="RS256",
    OIDC_RP_SCOPES="openid email profile",
    OIDC_OP_AUTHORIZATION_ENDPOINT=issuer + "/oauth2/authorize",
    OIDC_OP_TOKEN_ENDPOINT=issuer + "/oauth2/token",
    OIDC_OP_USER_ENDPOINT=issuer + "/oauth2/userinfo",
    OIDC_OP_JWKS_ENDPOINT=issuer + "/oauth2/jwks",
    LOGIN_URL="/oidc/authenticate/",
    LOGIN_REDIRECT_URL="/profile/",
    LOGIN_REDIRECT_URL_FAILURE="/failed/",
    LOGOUT_REDIRECT_URL="/",
)

from django.contrib.auth.decorators import login_required  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.middleware.csrf import get_token  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils.html import escape  # noqa: E402


def home(request):
    return HttpResponse('<a href="/oidc/authenticate/">Login</a>')


@login_required
def profile(request):
    return HttpResponse(
        f"""<p>Current user: {escape(request.user.email)}</p>
        <form action="/oidc/logout/" method="post">
          <input type="hidden" name="csrfmiddlewaretoken" value="{get_token(request)}">
          <input type="submit" value="logout">
        </form>"""
    )


def failed(request):
    return HttpResponse("Failed", status=401)


urlpatterns = [
    path("", home),
    path("profile/", profile),
    path("failed/", failed),
    path("oidc/", include("mozilla_django_oidc.urls")),
]

if __name__ == "__main__":
    django_site.run()
