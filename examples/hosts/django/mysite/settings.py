import os
from pathlib import Path

DATA = Path(os.environ.get("DATA_DIR", "."))
SECRET_KEY = os.environ["DJANGO_SECRET_KEY"]
ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
ROOT_URLCONF = "mysite.urls"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LOGIN_REDIRECT_URL = "/"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "clip_host.django",
    "mysite",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates",
    "APP_DIRS": True,
    "OPTIONS": {"context_processors": [
        "django.template.context_processors.request",
        "django.contrib.auth.context_processors.auth",
    ]},
}]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA / "site.sqlite", "OPTIONS": {"timeout": 10}}}
STATIC_URL = "/static/"
# The folder with clip-kit.js: dist/cdn of the package.
STATICFILES_DIRS = [("clip-kit", os.environ["CLIP_KIT_DIR"])] if "CLIP_KIT_DIR" in os.environ else []

CLIP_HOST = {
    "SERVICE_URL": os.environ["CLIP_SERVICE_URL"],
    "API_KEY": os.environ["CLIP_API_KEY"],
    "PLAYER_URL": os.environ.get("CLIP_PLAYER_URL"),
    "APP_URL": os.environ.get("CLIP_APP_URL"),
    "HANDSHAKE": "clip-ready",
}
