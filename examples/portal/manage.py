#!/usr/bin/env python
"""Django's commands for the portal."""

import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    try:
        # Django would say that no models are loaded.
        _ = settings.SECRET_KEY
    except ImproperlyConfigured as error:
        sys.exit(f"portal: {error}")
    execute_from_command_line(sys.argv)
