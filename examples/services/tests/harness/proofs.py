"""What is asked of proofs in each world: of a thief nothing is proven, and he waits for a checkpoint for ever."""

from __future__ import annotations

import os

from dualseal_second import presence

from .load import encoded
from .worlds import Walk

PROOF = "/api/v1/proof"
NAME = "0192f0c1-2345-7abc-8def-0123456789ab"
DAY = {"od": "2026-01-01T00:00:00.000Z", "do": "2026-01-02T00:00:00.000Z"}


def proofs(walk: Walk) -> None:
    """What is refused for want of evidence, and who asks for others."""
    names = walk.world.names
    body = {"identity_id": names["ana"], "content_b64": encoded(b"to prove")}
    record = walk.ask("noble", "POST", "/api/v1/dsa/potpisi", body).json() | {"krunica_hash": "ab" * 32}
    for who, identity_id in (("noble", names["ana"]), ("noble", names["cy"]), ("ana", names["ana"])):
        whose = {"identity_id": identity_id}
        walk.ask(who, "POST", f"{PROOF}/put", whose | {"vehicle_id": NAME} | DAY)
        walk.ask(who, "POST", f"{PROOF}/istina", whose | {"record": record})
        walk.ask(who, "POST", f"{PROOF}/svjedok", whose)
        walk.ask(who, "POST", f"{PROOF}/zivot/challenge", whose)
    asked = walk.ask("noble", "POST", f"{PROOF}/zivot/challenge", {"identity_id": names["ana"]}).json()
    key = {"kind": "ed25519", "public_key": presence.public_key_of(os.urandom(32)), "signature": os.urandom(64).hex()}
    for challenge, accept in ((asked["izazov_id"], "json"), (asked["izazov_id"], "pdf"), (NAME, "json")):
        answer = {"izazov_id": challenge, "odgovor": key}
        walk.ask("noble", "POST", f"{PROOF}/zivot", answer, headers={"Accept": f"application/{accept}"})
    for query in ({}, {"identity_id": names["ana"], "vrsta": "D9_SVJEDOK"}):
        walk.ask("noble", "GET", f"{PROOF}/", params=query)
    for method in ("GET", "DELETE"):
        walk.ask("noble", method, f"{PROOF}/{{dokaz_id}}", parts={"dokaz_id": NAME})
