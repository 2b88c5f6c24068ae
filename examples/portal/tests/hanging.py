"""Settings under which the server stops where PORTAL_HANG says: before an acknowledgement is committed, or after that
and before it is answered. A file says that it got there, to whoever kills it.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from portal import settings
from portal.settings import *  # noqa: F403

MIDDLEWARE = ["hanging.middleware", *settings.MIDDLEWARE]


def stop(where: str) -> None:
    """For longer than any test waits."""
    if os.environ["PORTAL_HANG"] == where:
        Path(os.environ["PORTAL_HANG_FILE"]).touch()
        time.sleep(600)


def middleware(handler: Any) -> Any:
    """Around everything."""
    from django.db.models.signals import post_save
    from invoices.models import Acknowledgement

    post_save.connect(lambda **_: stop("before"), sender=Acknowledgement, weak=False)

    def handle(request: Any) -> Any:
        response = handler(request)
        if request.path.endswith("/prihvati/"):
            stop("after")
        return response

    return handle
