# social-auth-app-django 8.0.0, by python-social-auth.readthedocs.io: Django Framework; OpenID Connect.
# Who is signed in, and signs in as someone else who has an account, stays who they were.
import os

import django_site

django_site.configure(
    apps=["social_django"],
    middleware=["social_django.middleware.SocialAuthExceptionMiddleware"],
    AUTHENTICATION_BACKENDS=["social_core.backends.open_id_connect.OpenIdConnectAuth"],
    SOCIAL_AUTH_OIDC_OIDC_ENDPOINT=os.environ["ISSUER"],
    SOCIAL_AUTH_OIDC_KEY=os.environ["CLIENT_ID"],
    SOCIAL_AUTH_OIDC_SECRET=os.environ["CLIENT_SECRET"],
    SOCIAL_AUTH_LOGIN_ERROR_URL="/failed/",
    LOGIN_URL="/login/",
    LOGIN_REDIRECT_URL="/profile/",
)

from django.contrib.auth import logout  # noqa: E402
from django.contrib.auth.decorators import login_required  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.middleware.csrf import get_token  # noqa: E402
from django.shortcuts import redirect  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils.html import escape  # noqa: E402
from django.views.decorators.http import require_POST  # noqa: E402


def button(request, action, text):
    return f"""<form method="post" action="{action}">
      <input type="hidden" name="csrfmiddlewaretoken" value="{get_token(request)}">
      <button>{text}</button></form>"""


def login(request):
    return HttpResponse(button(request, "/login/oidc/", "Log in with OpenID Connect"))


@login_required
def profile(request):
    name = escape(request.user.get_full_name())
    return HttpResponse(f"<p>Hello {name}</p>" + button(request, "/sign-out/", "Log out"))


@require_POST
def sign_out(request):
    logout(request)
    return redirect("/")


urlpatterns = [
    path("", lambda request: HttpResponse('<a href="/login/">Log in</a>')),
    path("login/", login),
    path("profile/", profile),
    path("sign-out/", sign_out),
    path("failed/", lambda request: HttpResponse("The login failed.")),
    path("", include("social_django.urls", namespace="social")),
]
django_site.run()
