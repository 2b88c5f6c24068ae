"""Looks for identities that are two, or none."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from django.apps import apps

from dualseal.contrib.django import conf, store
from dualseal.contrib.django.base import AbstractChain, AbstractRecord
from dualseal.contrib.django.fields import IdentityIdField
from dualseal.contrib.django.management.log import LogCommand
from dualseal.contrib.django.management.progress import Progress


class Command(LogCommand):
    """``manage.py dualseal_lint_ids main``."""

    help = "Names the identities in the project's own columns that the log's ring does not know."

    def handle(self, *_: Any, **options: Any) -> None:
        """Ends with 1 where there is one."""
        with store.held(self.chains, options["name"]) as chain:
            known = set(store.load(chain).state.ring.identities())
        keys, faults = conf.signing_keys(), 0
        for identity_id in sorted(known):
            if keys(identity_id) is None:
                self.stdout.write(f"{identity_id}: in the ring, and no key here")
        for label, column, identity_id in self.columns(Progress(self.stderr, "identities")):
            if identity_id not in known:
                self.stderr.write(self.style.ERROR(f"{label}.{column}: {identity_id} is not in the ring"))
                faults += 1
        if faults:
            sys.exit(1)

    @staticmethod
    def columns(progress: Progress) -> Iterator[tuple[str, str, str]]:
        """Every identity in a column of the project's own models."""
        for model in apps.get_models():
            # Those of logs have the identities of their own rings.
            if issubclass(model, AbstractChain | AbstractRecord):
                continue
            for field in model._meta.get_fields():
                if isinstance(field, IdentityIdField):
                    there = model._base_manager.exclude(**{field.name: None})
                    rows = there.order_by().values_list(field.name, flat=True).distinct()
                    count = rows.count()
                    for done, identity_id in enumerate(rows.iterator(), 1):
                        yield model._meta.label, field.name, identity_id
                        progress(done, count)
