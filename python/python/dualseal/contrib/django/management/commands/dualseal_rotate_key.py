"""Gives an identity a new key."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dualseal import SigningKey
from dualseal.contrib.django import conf
from dualseal.contrib.django.models import Chain


class Command(BaseCommand):
    """``manage.py dualseal_rotate_key main IDENTITY``."""

    help = "Retires an identity's key at this place of the log and draws the next one into the folder of keys."

    def add_arguments(self, parser: Any) -> None:
        """The log and the identity."""
        parser.add_argument("name")
        parser.add_argument("identity_id")

    def handle(self, *_: Any, **options: Any) -> None:
        """The new key stands in its file before the ring knows it, and the old one stays beside it until then."""
        name, identity_id = options["name"], options["identity_id"]
        keys = conf.signing_keys()
        if not isinstance(keys, conf.FolderKeys):
            raise CommandError("the project's own keys are rotated by it: Chain.objects.step(...).rotate(...)")
        if keys(identity_id) is None:
            raise CommandError(f"no key of {identity_id}")
        is_the_logs = Chain.objects.get(name=name).identity_id == identity_id
        if is_the_logs:
            # All that stands there by now is evidence by the old key, too.
            Chain.objects.checkpoint(name)
        path, next_ = keys.path(identity_id), keys.path(identity_id).with_suffix(".next")
        if next_.exists():
            # A rotation that was cut off, of which nobody knows whether the ring has it.
            new = SigningKey.from_pkcs8_pem(conf.secret_text(next_))
        else:
            new = SigningKey.generate()
            conf.draw(next_, new.to_pkcs8_pem())
        with Chain.objects.step(name) as step:
            if not step.is_current(identity_id, new.public_key):
                step.rotate(identity_id, new.public_key)
        next_.replace(path)
        if is_the_logs:
            Chain.objects.checkpoint(name)
        self.stdout.write(f"{identity_id} signs with {new.public_key.hash}")
