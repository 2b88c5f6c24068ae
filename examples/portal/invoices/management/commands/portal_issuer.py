"""Makes an issuer, with a key in the log."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from invoices.services.issuing import issuer_create


class Command(BaseCommand):
    """``manage.py portal_issuer --name "Pekara d.o.o." --oib 12345678903 … --member ana``."""

    help = "Makes an issuer, draws its key and takes it into the log."

    def add_arguments(self, parser: Any) -> None:
        """What documents say of it, and who sends for it."""
        for name in ("name", "address", "oib", "email"):
            parser.add_argument(f"--{name}", required=True)
        parser.add_argument("--iban", default="")
        parser.add_argument("--member", action="append", default=[], help="a user who sends for it")

    def handle(self, *_: Any, **options: Any) -> None:
        """Says its identity."""
        users = get_user_model().objects.filter(username__in=options["member"])
        if missing := set(options["member"]) - {user.get_username() for user in users}:
            raise CommandError(f"there is no user {', '.join(sorted(missing))}")
        fields = {name: options[name] for name in ("name", "address", "oib", "email", "iban")}
        try:
            issuer = issuer_create(members=users, **fields)
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        self.stdout.write(f"identity {issuer.identity_id}")
