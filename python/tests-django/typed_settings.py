"""A project, for the checker of types alone."""

NAMES = ("contenttypes", "auth", "admin", "messages", "sessions")
INSTALLED_APPS = [*(f"django.contrib.{name}" for name in NAMES), "dualseal.contrib.django"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
SECRET_KEY = "types"
USE_TZ = True
