"""Sends what waits: mail to clients, and answers to who asked for a new link."""

from __future__ import annotations

import logging
import time
from typing import Any

from django.core.management.base import BaseCommand
from django.db import InterfaceError, OperationalError, close_old_connections

from invoices.services import delivery

logger = logging.getLogger("portal")


class Command(BaseCommand):
    """``manage.py portal_mail [--watch SECONDS]``."""

    help = "Answers requests for new links and sends the mail that waits: once, or again and again."

    def add_arguments(self, parser: Any) -> None:
        """How long it pauses."""
        parser.add_argument("--watch", type=float, metavar="SECONDS", help="go on, with such a pause")

    def handle(self, *_: Any, **options: Any) -> None:
        """Says what left."""
        while True:
            try:
                delivery.renewals_answer()
                if sent := delivery.outgoing_send():
                    self.stdout.write(f"{sent} mails sent")
            except (OperationalError, InterfaceError):
                # A database that starts anew is there again in a while.
                if options["watch"] is None:
                    raise
                logger.exception("the database does not answer")
            if options["watch"] is None:
                return
            close_old_connections()
            time.sleep(options["watch"])
