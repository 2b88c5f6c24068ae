from collections.abc import Iterable, Sequence
from types import GenericAlias
from typing import Any, Generic, Self, TypeVar, final

from typing_extensions import Buffer

from . import CheckedRing, Domain, Entry, Head, RingFile, RingKey
from ._checkpoint import AgreedChain, Fork, Located, PlaceProof, VerifiedCheckpoint
from ._enums import Consistency
from ._shard import CoveredSplits, OwnSplits, ShardKey
from ._threshold import LocatedSession, SessionInForce
from ._vault import VaultMaster
from ._vault_check import LocatedLedger

__all__ = ["ChainReader", "FoundRing", "Proofs", "RingChanges", "StatedRing", "Watched"]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)

@final
class ChainReader:
    """Reads a chain once, entry by entry, past everything that is watched for, in memory for what the watchers keep.

    It begins at the first entry, or at `begin`, a Head that the caller stored where nobody else writes, such as
    AgreedChain.signed_head. It ends `under` a verified checkpoint, with which the chain must agree and beyond which
    nothing is proven; `up_to` the caller's own head, where it must end exactly; at both; or wherever the entries end.
    What is watched for is said before the first entry: each watcher gives its proof at the end, or its own fault, which
    stops no other. A fault of the chain stops all, and who goes on after one is given no proof.
    """
    def __new__(
        cls,
        domain: Domain,
        *,
        begin: Head | None = None,
        under: VerifiedCheckpoint | None = None,
        up_to: Head | None = None,
    ) -> Self: ...
    @staticmethod
    def from_ring_file(domain: Domain, json: RingFile | str | Buffer, /, *, up_to: Head) -> ChainReader:
        """Begins where the chain ended when a ring file was written, which is what a change of the ring needs: the
        entries from `size` on are pushed, and end at `up_to`, which the caller keeps with the chain. Before that place
        nothing is known, so that only the ring can be watched for.
        """
    def place(self, krunica_hash: str, /) -> Watched[Located | None]:
        """The place of the entry with this krunica_hash: Located, or None where it does not stand below the checkpoint.
        """
    def places(self, krunica_hashes: Iterable[str], /) -> Watched[list[Located]]:
        """The places of the entries with these krunica_hashes that stand below the checkpoint: a list of Located, in
        their order.
        """
    def place_proofs(self, krunica_hashes: Iterable[str], /) -> Watched[list[PlaceProof]]:
        """Proofs of the same places for whoever does not read the chain: a list of PlaceProof, in their order."""
    def ring_place(self) -> Watched[PlaceProof | None]:
        """The PlaceProof of the entry by which the ring became what the checkpoint states, of an EvidenceFile the place
        of the ring: of the first of which Checkpoint.is_ring_of says so. Later ones are copies, which anybody may
        append. None where the checkpoint states no ring, and where the entry stands before the reader's beginning.
        """
    def ring(
        self, key: RingKey, json: RingFile | str | Buffer, /, *, masters: Sequence[VaultMaster]
    ) -> Watched[FoundRing]:
        """A ring file, held against the chain that vouches for it: a FoundRing. `masters` are all vault masters of the
        log: a file from before one of their records is an old one. Entries beyond the checkpoint count too.

        Its fault is a RejectedError for an old ring (`ring` and `chain` are the two revisions) and for an edited one
        (`identity_id` is the first whose keys differ). Raises RejectedError where the file's MAC does not hold,
        MisuseError for the ring of another log, without a checkpoint or a head to end at, and where the reader begins
        after the file's end.
        """
    def stated_ring(self) -> Watched[StatedRing]:
        """The ring that the checkpoint states, sought without the ring key: a StatedRing.

        Its fault is a RejectedError where no entry below the checkpoint says so, a MisuseError where that is not known
        because the reader began after the first entry. Raises MisuseError without a checkpoint.
        """
    def ring_changes(self, key: RingKey, /) -> Watched[RingChanges]:
        """The changes of the log's ring that count, by its key: RingChanges, which any number of checkpoints are held
        against. Nobody who lacks the key can write one that counts.
        """
    def consistency(
        self, first: VerifiedCheckpoint, second: VerifiedCheckpoint, /
    ) -> Watched[Consistency | Fork]:
        """What two verified checkpoints of one log say of each other, with the chain of the larger one: a Consistency,
        or a Fork, which holds both.

        Its fault is a RejectedError when the chain is not the larger checkpoint's: then nothing can be said of the two.
        Raises MisuseError when they are of different logs.
        """
    def session(self, session_id: str, founder: str) -> Watched[LocatedSession]:
        """The entries of a session: a LocatedSession. `founder` is the handle of the founding's chain entry, which the
        caller pinned then.
        """
    def session_since(self, in_force: SessionInForce, /) -> Watched[LocatedSession]:
        """The entries of a session since it was found in force: the reader begins where the checkpoint ended then."""
    def splits(self, key: ShardKey | None, vault_id: str) -> Watched[CoveredSplits]:
        """The splits of a vault below the checkpoint: CoveredSplits. `key` is the one that seals the shards of the
        vault's identity; a public reader has None, and for him nothing counts.
        """
    def splits_since(self, before: CoveredSplits, /) -> Watched[CoveredSplits]:
        """The same, where they were found before: the reader begins where the checkpoint ended then."""
    def own_splits(self, key: ShardKey, vault_id: str) -> Watched[OwnSplits]:
        """The splits of a vault up to the caller's own head (`up_to`): OwnSplits, by which a split is committed and a
        vault erased in the transaction that appends. For erasing the reader may begin at a head where the vault's
        record did not stand yet.
        """
    def ledger(self, ledger: str, *, master: VaultMaster | None = None) -> Watched[LocatedLedger]:
        """Where each record of a ledger stands below the checkpoint: a LocatedLedger.

        With the master only entries count whose tag it made for their place; anybody who may write to the log can write
        others. Without it, for whoever is not the operator, entries are unverified. Its fault is a RejectedError when
        two entries that the master made are for one place of the ledger and different seals.
        """
    def ledger_since(
        self, before: LocatedLedger, /, *, master: VaultMaster | None = None
    ) -> Watched[LocatedLedger]:
        """The same, where they were located before with the same master: the reader begins where the checkpoint ended
        then.
        """
    def push(self, entry: Entry, /) -> None:
        """Takes the next entry. Raises RejectedError for a broken chain, and from the entry on where it is found to be
        another chain than the one that was signed; after that the same again.
        """
    def push_json(self, json: str | Buffer, /) -> Entry:
        """Takes the next entry as JSON without `seq`, as it stands in a list or on a line."""
    def push_lines(self, data: Buffer, /) -> None:
        """Takes the next bytes of a file of JSON lines, cut anywhere."""
    def read(self, entries: Iterable[Entry | str | Buffer], /) -> Proofs:
        """Takes the entries that are left, each an Entry or its JSON without `seq`, and ends the chain."""
    @property
    def size(self) -> int:
        """The number of entries up to where it stands: the position of the next one."""
    @property
    def head(self) -> Head | None:
        """Where the entries so far end; None where reading began at a ring file's end."""
    def finish(self) -> Proofs:
        """Ends the chain. Raises RejectedError when it has fewer entries than the checkpoint covers, or the caller's
        own head has, when it ends at another head, and again for what was found before.
        """

@final
class Watched(Generic[_T_co]):
    """What a ChainReader watches for: `proofs[watched]` is its proof. The parameter is the proof's type."""
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

@final
class Proofs:
    """What a chain proved that has no fault of its own. Only a ChainReader gives them."""
    def __getitem__(self, watched: Watched[_T], /) -> _T: ...
    @property
    def agreed(self) -> AgreedChain | None:
        """The chain's agreement with the checkpoint that it was read under; None where there was none."""
    @property
    def head(self) -> Head | None:
        """The head of all that was read; None where reading began at a ring file's end."""

@final
class FoundRing:
    """A ring that its chain vouches for, and what that chain holds beside."""
    @property
    def ring(self) -> CheckedRing:
        """The ring, to be changed: always the same."""
    @property
    def ignored(self) -> dict[str, Any]:
        """The entries that begin as ring entries and are none of this ring's, `{"entries": [{"reason": …, "seq": …},
        …], "more": …}`: anybody may write such entries, and they count for nothing.
        """

@final
class RingChanges:
    """The changes of a ring that count in its chain. The ring that a checkpoint of any size states is the one that the
    last change below that size left.
    """
    def check(self, checkpoint: VerifiedCheckpoint, /) -> None:
        """Whether a checkpoint of this log states the ring that it should. Whether it was signed over this chain, its
        head tells.

        Raises RejectedError when it states another ring or none, and when the chain has fewer entries than it covers;
        MisuseError where reading began too late to know.
        """

@final
class StatedRing:
    """The entry of the ring that a checkpoint states, and what stands after it in the form of a ring's change."""
    @property
    def entry(self) -> Located | None:
        """The first entry that names the ring, as Located; None where the checkpoint states none."""
    @property
    def unverified(self) -> dict[str, Any]:
        """What begins as a ring entry and stands after it, `{"entries": [{"reason": …, "seq": …}, …], "more": …}`: only
        the ring key tells whether it is a change.
        """
