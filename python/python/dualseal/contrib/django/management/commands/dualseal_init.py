"""Begins a log: draws what is not there, and founds it."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from dualseal import RingKey
from dualseal.contrib.django import conf
from dualseal.contrib.django.management.log import LogCommand


class Command(LogCommand):
    """``manage.py dualseal_init main --origin example.org/log --creator "Acme Ltd"``."""

    help = "Draws the log's keys where they are files that are not there, and founds the log."

    # What it makes is what they look for.
    requires_system_checks = ()

    def add_arguments(self, parser: Any) -> None:
        """The name of the log, the name that strangers know it by, and whose it is."""
        super().add_arguments(parser)
        parser.add_argument("--origin", required=True, help="what strangers know the log by: example.org/log")
        parser.add_argument("--creator", required=True, help="whose log it is, which its identity is made of")

    def handle(self, *_: Any, **options: Any) -> None:
        """Files first: a log that is founded has its keys."""
        if self.chains.filter(name=options["name"]).exists():
            raise CommandError(f"there is a log {options['name']!r}")
        domain = conf.domain()
        how, where = conf.source("RING_KEY", conf.SECRET)
        if how == "file" and not Path(where).exists():
            conf.draw(Path(where), lambda: RingKey.generate(domain).to_bytes().hex())
        if conf.has_seal_master():
            how, where = conf.source("SEAL_MASTER", conf.SECRET)
            if how == "file" and not Path(where).exists():
                conf.draw(Path(where), lambda: secrets.token_hex(32))
        identity_id = domain.identity_id(b"", options["creator"], options["origin"])
        keys = conf.signing_keys()
        if isinstance(keys, conf.FolderKeys):
            keys.draw(identity_id)
        marks = conf.marks()
        if isinstance(marks, conf.FolderMarks):
            marks.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        chain = self.chains.found(options["name"], origin=options["origin"], identity_id=identity_id)
        self.stdout.write(f"log {chain.name}: {chain.origin}")
        self.stdout.write(f"identity {identity_id}")
        self.stdout.write(f"checkpoint of {self.chains.checkpoint(chain.name).size} entries")
        self.stdout.write("Back up the keys apart from the database, and the mark in neither backup.")
