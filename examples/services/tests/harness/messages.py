"""What callers do with messages, the same in each world."""

from __future__ import annotations

import time

from .worlds import Walk

MESSAGING = "/api/v1/messaging"


def messages(walk: Walk) -> None:
    """Somebody is added, written to, changed and erased: of what a thief does nobody hears."""
    people, log = f"{MESSAGING}/contacts", f"{MESSAGING}/log"
    body = {"name": "Ivo", "language": "hr", "relay": "7", "identity_id": walk.world.names["ana"]}
    made = walk.ask("ana", "POST", people, body, headers={"Idempotency-Key": "ivo"}).json()
    parts = {"contact_id": made["contact_id"]}
    at = f"{people}/{{contact_id}}"
    for who in ("ana", "noble"):
        walk.ask(who, "GET", people)
        walk.ask(who, "GET", log)
        walk.ask(who, "GET", at, parts=parts)
    for who in ("ana", "noble"):
        walk.ask(who, "POST", f"{MESSAGING}/send", parts | {"text": "Javi se."})
    for version in (1, 1):
        walk.ask("ana", "PATCH", at, {"version": version, "name": "Ivan"}, parts=parts)
    walk.ask("ana", "GET", at, parts=parts)
    # Without a provider each is given up at once.
    time.sleep(2)
    walk.ask("ana", "GET", log)
    for _ in range(2):
        walk.ask("ana", "DELETE", at, parts=parts)
    walk.ask("ana", "GET", log)
    walk.ask("ana", "POST", f"{MESSAGING}/send", {"contact_id": "0192f0c1-2345-7abc-8def-0123456789ab", "text": "x"})
