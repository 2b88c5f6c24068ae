"""Settings, from the environment: safe on an open network where it says nothing. README.md has the table."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from . import config
from .catalogues import compile_all

BASE_DIR = Path(__file__).resolve().parent.parent
HOME = Path(os.environ.get("PORTAL_HOME", BASE_DIR / "data"))
# Over plain HTTP on this machine; never where others can reach it.
DEMO = config.flag("PORTAL_DEMO", default=False)
BASE_URL = os.environ.get("PORTAL_BASE_URL", "https://localhost").rstrip("/")
SECRET_KEY = config.secret(Path(os.environ.get("PORTAL_SECRET_KEY_FILE", HOME / "secret.key")))
DEBUG = False
ALLOWED_HOSTS = [urlsplit(BASE_URL).hostname or "localhost"]
TRUSTED_PROXIES = config.networks("PORTAL_TRUSTED_PROXIES")
# Of one address, requests a second, and tries of one name's password a minute; 0 where a proxy limits them.
RATE = config.number("PORTAL_RATE", default=20)
LOGINS_A_MINUTE = 5

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "dualseal.contrib.django",
    "portal",
    "invoices",
    "pos",
]
MIDDLEWARE = [
    "portal.middleware.of_proxies",
    "portal.limits.bounded",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "portal.limits.limited",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "portal.middleware.not_stored",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "portal.urls"
WSGI_APPLICATION = "portal.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "portal.context.of_every_page",
            ]
        },
    }
]
DATABASES = {"default": config.databases(HOME)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "UserAttributeSimilarityValidator")
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "issuer"
LOGOUT_REDIRECT_URL = "login"

# The log: domain, keys, and the mark where no backup of the database reaches.
DUALSEAL = {
    "DOMAIN": "PORTAL",
    "RING_KEY": {"file": HOME / "secrets" / "ring.key"},
    "SEAL_MASTER": {"file": HOME / "secrets" / "seal.key"},
    "SIGNING_KEYS": {"folder": HOME / "secrets" / "keys"},
    "MARK": {"folder": HOME / "mark"},
}
LOG = "main"

LANGUAGE_CODE = "hr"
LANGUAGES = [("hr", _("Croatian")), ("de", _("German")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
# Here, and in no later step: Django's own models ask for LANGUAGE_CODE's catalogue while they are read, and the process
# keeps what it found.
compile_all(LOCALE_PATHS[0])
USE_TZ = True
TIME_ZONE = "Europe/Zagreb"

STATIC_URL = "/static/"
STATIC_ROOT = HOME / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = HOME / "media"
MEDIA_URL = "/media/"
STORAGES = {
    # A code's name is the hash of what it says: the same name is the same picture.
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"allow_overwrite": True}},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
# An invoice's PDF, and what comes with it.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 << 20
UPLOAD_MOST_BYTES = 10 << 20

# What `cargo xtask verifier` wrote: the page that verifies receipts offline.
VERIFIER = Path(os.environ.get("PORTAL_VERIFIER", BASE_DIR.parent.parent / "target" / "verifier"))

# How long a client's link opens its page, in days.
TOKEN_DAYS = 90
EMAIL_HOST = os.environ.get("EMAIL_HOST", "localhost")
EMAIL_PORT = int(os.environ.get("EMAIL_PORT", "25"))
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
# A server that says nothing stops no other mail.
EMAIL_TIMEOUT = 30
EMAIL_USE_TLS = config.flag("EMAIL_USE_TLS", default=False)
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", f"portal@{ALLOWED_HOSTS[0]}")
if os.environ.get("PORTAL_MAIL_FOLDER"):
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = os.environ["PORTAL_MAIL_FOLDER"]

# Fiscal receipts: `default` is the form of the specification, `cis` that of the Croatian tax authority.
FISCAL_PROFILE = os.environ.get("FISCAL_HR_PROFILE", "default")
FISCAL_VERIFY_URL = os.environ.get("FISCAL_HR_VERIFY_URL", "https://porezna.gov.hr/rn")
FISCAL_DEMO_MODE = config.flag("FISCAL_HR_DEMO_MODE", default=True)
FISCAL_P12_PATH = os.environ.get("FISCAL_HR_P12_PATH", "")
FISCAL_P12_PASS = os.environ.get("FISCAL_HR_P12_PASS", "")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"without_tokens": {"()": "portal.logs.WithoutTokens"}},
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "filters": ["without_tokens"], "formatter": "line"},
    },
    "loggers": {
        "django": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "portal": {"handlers": ["stderr"], "level": "INFO"},
        "dualseal": {"handlers": ["stderr"], "level": "INFO"},
    },
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
# `no-referrer` would take from forms without a script what the check against forgery compares.
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not DEMO
SECURE_HSTS_SECONDS = 0 if DEMO else 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = not DEMO
CSRF_COOKIE_HTTPONLY = True
CSRF_TRUSTED_ORIGINS = [BASE_URL]
CSRF_FAILURE_VIEW = "portal.views.forged"
# The middleware takes this header from everybody but trusted proxies.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_AGE = 8 * 3600
