# django-allauth 65.21.1 by its "Quickstart", with what `hallpass client add --app` prints for its
# settings.py.
import os

import django_site

with open(os.environ["LINES"]) as lines:
    exec(lines.read())

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
    LOGIN_URL="/accounts/login/",
    SOCIALACCOUNT_PROVIDERS=SOCIALACCOUNT_PROVIDERS,  # noqa: F821
    EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
    ACCOUNT_EMAIL_VERIFICATION="none",
)

from allauth.account.models import EmailAddress  # noqa: E402
from django.contrib.auth.decorators import login_required  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils.html import escape  # noqa: E402


@login_required
def profile(request):
    user = request.user
    verified = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    known = [user.username, user.get_full_name(), *verified]
    return HttpResponse(f'{escape(" ".join(known))} <a href="/accounts/logout/">Sign out</a>')


urlpatterns = [path("profile/", profile), path("accounts/", include("allauth.urls"))]

if __name__ == "__main__":
    django_site.run()
