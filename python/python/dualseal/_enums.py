"""The enumerations. Their values are those of the Rust library, which looks members up by them."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NoReturn


class _NeitherTrueNorFalse:
    """A member in a condition would read as the good outcome, whichever it is."""

    def __bool__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} is neither true nor false: compare it with a member")


class KeyState(StrEnum):
    """The state of a key (BELA); the values are the names on the wire."""

    VALID = "istina"
    REVOKED = "laz"
    """Verification always fails."""
    DECOY = "oboje"
    """A honeypot: verification appears to pass to outsiders, and authorises nothing."""
    SUSPENDED = "nijedno"
    """Verification neither confirms nor rejects."""


class VerdictKind(_NeitherTrueNorFalse, IntEnum):
    """What a verification concluded; the numbers are those of every language.

    The truth value raises TypeError: VALID is 0, so that ``if verdict.kind`` would accept everything else.
    """

    VALID = 0
    INVALID = 1
    REVOKED = 2
    SUSPENDED = 3
    DECOY = 4


class Comparison(_NeitherTrueNorFalse, StrEnum):
    """What two checkpoints of one log say without the chain, where they are no Fork."""

    EQUAL = "equal"
    """They were signed over the same chain."""
    SIZES_DIFFER = "sizes differ"
    """Whether one grew from the other shows in the chain: ChainReader.consistency."""
    CONTRADICTION = "contradiction"
    """They contradict each other, and each is signed by somebody else: one is wrong, and nothing is proven."""


class Consistency(_NeitherTrueNorFalse, StrEnum):
    """What two checkpoints of one log say with the chain of the larger one, where they are no Fork."""

    EQUAL = "equal"
    """They were signed over the same chain."""
    GROWN = "grown"
    """The larger one's chain begins with the smaller one's."""
    CONTRADICTION = "contradiction"
    """They contradict each other, and each is signed by somebody else: one is wrong, and nothing is proven."""


class Followed(_NeitherTrueNorFalse, StrEnum):
    """What a checkpoint is to what a Follower saw before, where they are no Fork."""

    GROWN = "grown"
    """It goes on from the last, which it replaces."""
    SAME = "same"
    """The log has not changed."""
    OLDER = "older"
    """The last one goes on from it."""
    CONTRADICTION = "contradiction"
    """They contradict each other, and each is signed by somebody else: one is wrong, and nothing is proven."""


class SealFormat(StrEnum):
    """The format of a seal; the values are the prefixes on the wire."""

    DUAL = "SEAL-DUAL"
    LEGACY = "SEAL-L5"
    """Layer A alone, no signature."""


class SealPolicy(StrEnum):
    """What the verifier of a seal asks for."""

    BOTH = "both"
    """Both layers, with the identity's seal key: the whole dual seal."""
    LAYER_A = "layer_a"
    """Layer A alone. No key state is consulted; the seal is authenticated at best."""
    LAYER_B = "layer_b"
    """Layer B alone, for those who do not have the seal key."""


class LayerOutcome(_NeitherTrueNorFalse, StrEnum):
    """The outcome of one layer of a seal."""

    PASS = "pass"
    FAIL = "fail"
    NOT_CHECKED = "not_checked"
    """The policy did not ask for it."""
    ABSENT = "absent"
    """The seal does not have it."""


class SealOutcome(_NeitherTrueNorFalse, StrEnum):
    """What the check of a seal comes to; the values are the words on the wire."""

    OK = "ok"
    """Valid, or under the policy LAYER_A authenticated."""
    DECOY = "decoy"
    """A honeypot key made it. Only the operator is told."""
    SUSPENDED = "suspended"
    """The key is suspended."""
    REJECTED = "rejected"
    """Anything else."""


class SharingField(StrEnum):
    """The fields that secrets are shared over; the values are the names on the wire."""

    FP_521 = "SHAMIR-2^521-1"
    """The integers modulo 2^521-1: 66 bytes."""
    GF_2_256 = "SHAMIR-GF(2^256)"
    """Polynomials over GF(2), as the program ssss has them: 32 bytes."""


class Operation(StrEnum):
    """An operation that rebuilds a vault secret; the values are the names on the wire."""

    REBUILD = "rebuild"
    """Gives the secret back."""
    REFRESH = "refresh"
    """Deals the same secret anew."""
    REPAIR = "repair"
    """Gives one lost shard back."""
    RETHRESHOLD = "rethreshold"
    """Deals the same secret anew with other numbers."""


class Tier(StrEnum):
    """The tier of whoever seals, from the lowest; the values are the names on the wire."""

    PUBLIC = "public"
    """Without a key of its own."""
    NOBLE = "noble"
    """Shown by an Ed25519 signature."""
    NATIVE = "native"
    """The highest, shown by an Ed25519 signature."""


class Encryption(StrEnum):
    """Whether the stored bytes of a vault record are the document itself; the values are the names on the wire."""

    NONE = "none"
    """They are: whoever reads the store reads the document."""
    STREAM = "CHACHA20-POLY1305-STREAM"
    """They are encrypted under a secret of their own."""


class VaultOutcome(_NeitherTrueNorFalse, StrEnum):
    """The outcome of one layer of a vault record."""

    PASS = "pass"
    FAIL = "fail"
    RECORDED = "recorded"
    """It is there for people to read, and nothing can be checked."""
    NOT_CHECKED = "not_checked"
    """What would be needed was not given."""
    NOT_REQUIRED = "not_required"
    """The record's tier has no such layer."""


class EvidenceKind(StrEnum):
    """What evidence is about, and what its document is; the values are the names on the wire."""

    SIGNATURE = "potpis"
    """A signature record; the document is the content."""
    SEAL = "pecat"
    """A dual seal, of which layer B is checked; the document is the payload."""
    VAULT = "trezor"
    """A vault record; the document is the stored bytes."""
    QUORUM = "kvorum"
    """A result of a quorum with a public key; the document is the message."""
    ERASURE = "brisanje"
    """The vault record of an erasure; the document is its stored bytes."""


class NoteKind(StrEnum):
    """What a NoteKey signs."""

    LOG = "log"
    """A log's own notes."""
    WITNESS = "witness"
    """A witness's cosignatures."""


for _class in (
    KeyState,
    VerdictKind,
    Comparison,
    Consistency,
    Followed,
    SealFormat,
    SealPolicy,
    LayerOutcome,
    SealOutcome,
    SharingField,
    Operation,
    Tier,
    Encryption,
    VaultOutcome,
    EvidenceKind,
    NoteKind,
):
    # The name by which users import it, in representations and pickles.
    _class.__module__ = "dualseal"
