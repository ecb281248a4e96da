import os
import sys
from pathlib import Path

from django.conf import settings

here = Path(__file__).parent
settings.configure(
    SECRET_KEY="only-for-tests",
    DEBUG=True,
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF="site_urls",
    LOGIN_REDIRECT_URL="/",
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.staticfiles",
        "clip_host.django",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "DIRS": [here / "templates"],
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": here / "site.sqlite", "OPTIONS": {"timeout": 10}}},
    STATIC_URL="/static/",
    STATICFILES_DIRS=[here / "static"],
    CLIP_HOST={
        "SERVICE_URL": os.environ.get("CLIP_API_URL", "http://127.0.0.1:9/v2"),
        "API_KEY": os.environ.get("CLIP_API_KEY", "none"),
        "PLAYER_URL": "https://clips.example",
        "APP_URL": "https://clips.example",
        "SCRIPT_URL": "/static/clip-kit.js",
    },
)

if __name__ == "__main__":
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
