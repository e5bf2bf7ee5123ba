# What the three applications with Django 5.2 have in common: one file, and a database in memory.
import os
import sys

import django
from django.conf import settings
from django.core.management import call_command, execute_from_command_line


def configure(apps, middleware=(), **others):
    settings.configure(
        DEBUG=False,
        SECRET_KEY="!secret",
        ALLOWED_HOSTS=["localhost"],
        ROOT_URLCONF="__main__",
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
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": f"file:{os.environ['PORT']}?mode=memory&cache=shared",
                "OPTIONS": {"uri": True},
            }
        },
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        USE_TZ=True,
        STATIC_URL="static/",
        **others,
    )
    django.setup()


def run():
    call_command("migrate", verbosity=0)
    execute_from_command_line(
        [sys.argv[0], "runserver", "--noreload", f"localhost:{os.environ['PORT']}"]
    )
