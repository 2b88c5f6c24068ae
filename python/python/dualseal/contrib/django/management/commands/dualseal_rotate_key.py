"""Gives an identity a new key."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError

from dualseal import SigningKey
from dualseal.contrib.django import conf
from dualseal.contrib.django.management.log import LogCommand


class Command(LogCommand):
    """``manage.py dualseal_rotate_key main IDENTITY``."""

    help = "Retires an identity's key at this place of the log and draws the next one into the folder of keys."

    def add_arguments(self, parser: Any) -> None:
        """The log and the identity."""
        super().add_arguments(parser)
        parser.add_argument("identity_id")

    def handle(self, *_: Any, **options: Any) -> None:
        """The new key stands in its file before the ring knows it, and the old one stays beside it until then."""
        name, identity_id = options["name"], options["identity_id"]
        keys = conf.signing_keys()
        if not isinstance(keys, conf.FolderKeys):
            raise CommandError("the project's own keys are rotated by it: Chain.objects.step(...).rotate(...)")
        if keys(identity_id) is None:
            raise CommandError(f"no key of {identity_id}")
        # All that stands there by now is evidence by the old key.
        self.chains.checkpoint(name)
        # One that is there is of a rotation that was cut off, of which nobody knows whether the ring has it.
        new = keys.next(identity_id)
        if new is None:
            new = SigningKey.generate()
            conf.draw(keys.next_path(identity_id), new.to_pkcs8_pem)
        with self.chains.step(name) as step:
            if not step.is_current(identity_id, new.public_key):
                step.rotate(identity_id, new.public_key)
        keys.next_path(identity_id).replace(keys.path(identity_id))
        # And what others signed by the old key meanwhile.
        self.chains.checkpoint(name)
        self.stdout.write(f"{identity_id} signs with {new.public_key.hash}")
