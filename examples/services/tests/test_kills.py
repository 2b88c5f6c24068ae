"""Killed in the middle of its work, again and again, the service loses nothing that it promised.

SERVICES_KILLS is how often, over both backends; SERVICES_KILLS_SEED gives the same moments once more.
"""

from __future__ import annotations

import os
import random
import time

from conftest import BACKENDS, Make
from harness.configuration import Backend
from harness.load import Signers, encoded, entry, identity
from harness.stored import Sealers, sealed, verifies
from harness.trustd import OPERATOR, Trustd

KILLS = max(1, int(os.environ.get("SERVICES_KILLS", "100")) // len(BACKENDS))
CALLERS = 6
# A start takes less; after the longest of these, group commits of all callers are under way.
LONGEST = 0.6
# After so many kills the whole chain is read, which grows by some hundred entries with each.
WHOLE = 25
VERIFYING = 600.0


def test_acknowledged_records_survive_kills(own_backend: Backend, make: Make) -> None:
    seed = int(os.environ.get("SERVICES_KILLS_SEED", random.randrange(1 << 32)))
    print(f"SERVICES_KILLS_SEED={seed}")
    moments = random.Random(seed)
    trustd = make(own_backend, {"log": {"checkpoint_entries": 200}}).start()
    signer = identity(trustd.client(trustd.first_token()), "signer")
    promised: list[str] = []
    checked: set[str] = set()
    in_flight = 0
    for kill in range(KILLS):
        # A fresh one each time, since an hour may pass.
        token = trustd.token(OPERATOR, "native", "trust")
        signers = Signers([trustd.client(token) for _ in range(CALLERS)], signer)
        sealers = Sealers([trustd.client(token)], signer)
        time.sleep(moments.uniform(0, LONGEST))
        trustd.kill()
        if kill % 10 == 9:
            # And once more, while it looks at what the last one left.
            trustd.launch()
            time.sleep(moments.uniform(0, LONGEST))
            trustd.kill()
        promises, vault = signers.wait(), sealers.wait()
        assert promises.others + vault.others == []
        in_flight += bool(promises.records)
        promised += promises.records
        # It reads what came since the last checkpoint, and would refuse to start over a chain that is broken there.
        trustd.start()
        has_a_place_for_each(trustd, promises.records, f"kill {kill}")
        if kill % WHOLE == WHOLE - 1:
            trustd.run("chain verify", seconds=VERIFYING)
        # Every row of the vault has its object, promised or not.
        new = set(sealed(trustd.client(token))) - checked
        assert new >= set(vault.records), f"kill {kill}: a sealed record is gone"
        assert all(verifies(trustd.client(), vault_id) for vault_id in new), f"kill {kill}: a row without its object"
        checked |= new
    # Most moments must have been under load, or nothing was tried.
    assert in_flight >= KILLS // 2, f"only {in_flight} of {KILLS} kills found records promised"
    has_a_place_for_each(trustd, promised, "at the end")
    trustd.run("chain verify", seconds=VERIFYING)
    after = trustd.client(token).post("/api/v1/dsa/potpisi", {"identity_id": signer, "content_b64": encoded(b"after")})
    assert after.status_code == 201, after.text


def has_a_place_for_each(trustd: Trustd, promised: list[str], when: str) -> None:
    """Each record's entry is in the chain, at a place of its own."""
    stranger = trustd.client()
    places = {handle: entry(stranger, handle)["seq"] for handle in promised}
    assert len(set(places.values())) == len(promised), f"{when}: two records at one place"
