"""The ring of a log, for whoever verifies: in a request, a job or the admin."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

from dualseal import (
    CheckedRing,
    HashedContent,
    KeyCache,
    RingKey,
    SignatureRecord,
    Verdict,
    VerdictKind,
    Verifier,
)

from . import conf, store


# The revision, the number of rows, the mark, and the key that vouches for all of it.
_Said = tuple[int, int, str | None, RingKey]


@dataclass(frozen=True)
class _Seen:
    """A ring, and what the log and its mark said when it was read."""

    said: _Said
    ring: CheckedRing


def of_key(kind: VerdictKind, *, public: bool) -> list[str]:
    """What the state of a key has against what it signed; that it is invalid, the caller says."""
    untold = [VerdictKind.VALID, VerdictKind.INVALID, *([VerdictKind.DECOY] if public else [])]
    return [] if kind in untold else [kind.name.lower()]


class RingStore:
    """The ring of one log, held against the log on each use. One object serves all threads of a process::

        RINGS = RingStore("main")

        verdict = RINGS.verifier().verify(record=record, signer=identity_id, content=pdf)

    The ring is read from its rows, under the log's lock, only where it was changed since: where its revision, the
    number of its rows or the signer's mark is another than at the last use. Each use costs two short queries and the
    mark.
    """

    def __init__(self, name: str, *, chains: Any = None) -> None:
        """``chains`` is the manager of the project's own chains, where it has not those of `models`."""
        self.name = name
        self._chains = chains
        self._cache = KeyCache(conf.cache_bytes())
        self._seen: _Seen | None = None

    @property
    def ring(self) -> CheckedRing:
        """The ring as it is now. It is shared: a step changes rings, and nobody else.

        :raises dualseal.operator.RefusedError: what stands there does not belong together, or is an old copy.
        """
        chains = self._manager()
        using = store.alias(chains)
        said = self._said(chains.using(using).get(name=self.name))
        seen = self._seen
        if seen is None or seen.said != said:
            with store.held(chains, self.name) as chain:
                seen = _Seen(self._said(chain), store.load(chain).state.ring)
            self._seen = seen
        return seen.ring

    def verifier(self) -> Verifier:
        """One by the ring as it is now. Its keys stay expanded in a cache that all verifiers of this store share."""
        return Verifier(conf.domain(), self.ring, cache=self._cache)

    def verdict(self, record: SignatureRecord, content: HashedContent) -> Verdict[SignatureRecord]:
        """Of a record whose signer is who it says. What a key signed that was retired since counts by its place, once a
        checkpoint covers that.
        """
        verifier, signer = self.verifier(), record.identity_id
        found = verifier.verify(record=record, signer=signer, content_hash=content)
        if found.kind == VerdictKind.INVALID:
            chains = self._manager()
            chain = chains.using(store.alias(chains)).get(name=self.name)
            signed = store.verified(chain, self.ring, chain.checkpoint)
            verify = partial(verifier.verify, record=record, signer=signer, content_hash=content)
            found = store.at_its_place(chain, record.krunica_hash, signed, found, verify)
        return found

    def _said(self, chain: Any) -> _Said:
        # An identity's row changes with the revision, and a trap's row never: what is there is told by both numbers. A
        # copy from before has a lower revision, or an older log than its mark.
        revision = int(json.loads(chain.ring_seal)["revision"])
        return revision, store.rows(chain, "ring_rows").count(), conf.marks().read(self.name), conf.ring_key()

    def _manager(self) -> Any:
        if self._chains is None:
            from .models import Chain  # noqa: PLC0415

            self._chains = Chain.objects
        return self._chains
