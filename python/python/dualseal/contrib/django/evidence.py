"""Evidence in one file, of what stands in a log."""

from __future__ import annotations

from typing import Any

from dualseal import EvidenceFile, PublicKey, SealEvidence, SignatureRecord, log_fingerprint

from . import conf, store


def of_record(chain: Any, record: SignatureRecord) -> EvidenceFile | None:
    """See `AbstractChain.evidence`."""
    return _made(chain, record, record.krunica_hash, record.public_key.hash)


def of_seal(chain: Any, row: Any) -> EvidenceFile | None:
    """See `models.Sealed.evidence`."""
    with store.held_again(chain) as held:
        key = _key_at(store.load(held).state.ring, row.signer, row.entry.seq)
    record = SealEvidence(row.seal, identity_id=row.signer, public_key=key)
    return _made(chain, record, row.entry.krunica_hash, key.hash)


def fingerprint(chain: Any) -> str:
    """See `AbstractChain.fingerprint`."""
    with store.held_again(chain) as held:
        key, _ = store.load(held).state.ring.keys(chain.identity_id)[0]
    return log_fingerprint(conf.domain(), chain.origin, chain.identity_id, key)


def _key_at(ring: Any, identity_id: str, seq: int) -> PublicKey:
    """The key that was the identity's current one at this place."""
    found: PublicKey | None = None
    for key, _ in ring.keys(identity_id):
        retired = ring.retired_at(identity_id, key.hash)
        if retired is None or seq < retired:
            found = key
    if found is None:
        raise LookupError(f"the ring has no key of {identity_id} at {seq}")
    return found


def _made(chain: Any, record: SignatureRecord | SealEvidence, krunica_hash: str, key_hash: str) -> EvidenceFile | None:
    with store.held_again(chain) as held:
        ring = store.load(held).state.ring
        changed = store.rows(held, "entries").get(seq=ring.last_change)
        place, of_ring = held.place(krunica_hash), held.place(changed.krunica_hash)
        if place is None or of_ring is None:
            return None
        key = ring.prove(key_hash)
    return EvidenceFile(record, domain=conf.domain(), name=conf.domain_name(), place=place, ring=of_ring, key=key)
