from collections.abc import Callable, Sequence
from datetime import datetime
from typing import ClassVar, Self, TypeAlias, final

from typing_extensions import Buffer

from . import Domain, Entry, ExpandedSigningKey, Head, KeyCache, KeyRing, PublicKey, SigningKey, Verdict
from ._checkpoint import Located
from ._enums import LayerOutcome, SealFormat, SealOutcome, SealPolicy
from ._errors import MalformedError
from ._evidence import AsOf

__all__ = [
    "Authenticated",
    "Seal",
    "SealCheck",
    "SealKey",
    "SealReport",
    "SealStream",
    "SealVerifier",
    "Sealer",
    "UnplacedSeal",
]

_Moment: TypeAlias = str | int | datetime

@final
class SealKey:
    """The key of layer A: 32 or 64 secret bytes, one key for each identity. Everybody who can check layer A can also
    make it. The key is wiped when it is no longer used.
    """
    @staticmethod
    def derive(domain: Domain, master: Buffer, identity_id: str) -> SealKey:
        """An identity's key from a master of 32 drawn bytes (HKDF-SHA3-256)."""
    @staticmethod
    def from_bytes(data: Buffer, /) -> SealKey:
        """From 32 or 64 bytes. A bytearray can be overwritten by the caller afterwards, bytes cannot."""
    @staticmethod
    def legacy(data: Buffer, /) -> SealKey:
        """A key of another length, at least 16 bytes, that was issued elsewhere. It makes no seal, and verifies
        `SEAL-L5` alone.
        """
    def to_bytes(self) -> bytes:
        """The secret bytes, a copy that Python cannot wipe."""

@final
class Seal:
    """A seal of either format; `str()` gives its text. Holding one says nothing about its validity."""
    @staticmethod
    def parse(text: str, /) -> Seal:
        """Reads a seal string: `SEAL-DUAL::<128 hex>::<6618 hex>` or the legacy `SEAL-L5::<128 hex>`."""
    @staticmethod
    def from_bytes(stored: Buffer, /) -> Seal:
        """Reads the binary form."""
    def to_bytes(self) -> bytes:
        """The binary form: 3379 bytes of a dual seal, 70 of a legacy one."""
    def info(self) -> dict[str, str | None]:
        """A description for people and interfaces: `format`, `hmac_hex`, `seal_id` and `signature_hex`."""
    @property
    def format(self) -> SealFormat:
        """Which format it is."""
    @property
    def seal_id(self) -> str | None:
        """The identifier of a dual seal: `SEAL-DUAL::` and SHA3-256 over the seal string. None for a legacy seal."""
    def chain_message(self, domain: Domain) -> str | None:
        """The message of a dual seal's entry in the chain, to find it by. None for a legacy seal."""
    def append_to(self, head: Head, domain: Domain, identity_id: str, time: _Moment) -> tuple[Entry, Head]:
        """The chain entry of whoever wants a dual seal to outlive its key, and the new head, to be stored together or
        not at all. No plain message stands for it. A legacy seal is refused.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Sealer:
    """Seals for one identity in one domain: layer A with the seal key, layer B with the signing key."""
    def __new__(
        cls, domain: Domain, identity_id: str, seal_key: SealKey, signing_key: SigningKey | ExpandedSigningKey
    ) -> Self: ...
    @staticmethod
    def current(
        domain: Domain,
        ring: KeyRing,
        identity_id: str,
        seal_key: SealKey,
        signing_key: SigningKey | ExpandedSigningKey,
    ) -> Sealer:
        """A sealer whose signing key is the identity's current one in a ring, and VALID. Raises as KeyRing.check_signer
        does.
        """
    def seal(self, payload: Buffer, /) -> Seal:
        """Makes a dual seal over a payload, any bytes-like object.

        Raises MisuseError for a payload that begins with the vault or shard prefix and `::`, and for a legacy seal key.
        """
    def seal_many(
        self,
        payloads: Sequence[Buffer],
        *,
        progress: Callable[[int, int], object] | None = None,
        threads: int | None = None,
    ) -> list[Seal]:
        """Makes a dual seal over each of many payloads without the interpreter lock. Where one cannot be sealed, it
        raises as seal does, and none is.

        `progress` and `threads` are those of SealVerifier.verify_many.
        """
    def seal_unplaced(self, payload: Buffer, /) -> UnplacedSeal:
        """As seal, with whose seal it is: what a step of the operator takes (Step.seal)."""
    def seal_legacy(self, payload: Buffer, /) -> Seal:
        """Makes a legacy seal, layer A alone, for those who read nothing else yet. Raises as seal does."""
    def stream(self) -> SealStream:
        """As seal, for a payload that comes in parts."""
    @property
    def identity_id(self) -> str:
        """Whose seals these are."""
    @property
    def public_key(self) -> PublicKey:
        """The public half of the signing key."""

@final
class SealStream:
    """A seal in the making. Threads may share one; the parts of a single update stay together."""
    def update(self, payload: Buffer, /) -> None:
        """Takes the next part of the payload, any bytes-like object."""
    def finish(self) -> Seal:
        """The dual seal over all parts. Raises as Sealer.seal does."""
    def finish_unplaced(self) -> UnplacedSeal:
        """The same, with whose seal it is: what a step of the operator takes (Step.seal)."""

@final
class UnplacedSeal:
    """A dual seal with whose it is, as its sealer made it, which has no place in the chain yet: Step.seal appends its
    entry where its key is its identity's current one, and VALID.
    """
    @property
    def seal(self) -> Seal:
        """The seal."""
    @property
    def identity_id(self) -> str:
        """Whose it is."""
    @property
    def public_key(self) -> PublicKey:
        """The public half of the key that made it."""

@final
class SealVerifier:
    """Checks seals of one domain against a ring, of which it sees every change. Threads may share one.

    Keys that were expanded for verification are kept: in a KeyCache that verifiers share, or up to `cache_bytes`, of
    which None is 16 MiB.
    """
    def __new__(
        cls, domain: Domain, ring: KeyRing, *, cache: KeyCache | None = None, cache_bytes: int | None = None
    ) -> Self: ...
    def verify(
        self,
        seal: Seal | str,
        payload: Buffer,
        identity_id: str,
        *,
        policy: SealPolicy | str,
        seal_key: SealKey | None = None,
        allow_legacy: bool = False,
        place: Located | None = None,
    ) -> SealReport:
        """Checks a seal (a Seal or its text) over a payload, any bytes-like object, with the ring as it is when it
        begins.

        The policies `both` and `layer_a` need the identity's seal key, `layer_b` takes none. The seal names no key:
        layer B is tried on the identity's current key and its latest retired ones, 16 at most, and with `place` on the
        key in force there. A seal by a retired key is valid only at a proven `place` before the retirement, whose
        message is Seal.chain_message. `allow_legacy=True` lets a legacy seal count under `layer_a`, and under nothing
        else.
        """
    def stream(
        self,
        seal: Seal | str,
        identity_id: str,
        *,
        policy: SealPolicy | str,
        seal_key: SealKey | None = None,
        allow_legacy: bool = False,
        place: Located | None = None,
    ) -> SealCheck:
        """As verify, for a payload that comes in parts."""
    def verify_as_of(
        self,
        seal: Seal | str,
        payload: Buffer,
        identity_id: str,
        *,
        place: Located,
        seal_key: SealKey | None = None,
    ) -> AsOf[Seal]:
        """The verdict as verify gives it at a proven `place`, under the policy `both` with a `seal_key` and `layer_b`
        without one, with what became of the deciding key before and after that place: an AsOf.
        """
    def verify_many(
        self,
        items: Sequence[tuple[Seal | str, Buffer, str, SealKey | None, Located | None]],
        *,
        policy: SealPolicy | str,
        allow_legacy: bool = False,
        progress: Callable[[int, int], object] | None = None,
        threads: int | None = None,
    ) -> list[SealReport | MalformedError]:
        """Checks many seals under one policy without the interpreter lock: one outcome for each item, in order, none
        stopping the rest. It is a SealReport, or, of what is no seal at all or names no identity, the MalformedError
        that verify raises. An item is a seal (a Seal or its text), its payload, the identity_id, and `seal_key` and
        `place` as for verify, or None. The ring is as it is when the batch begins.

        `progress` is called now and then with the number of items that have an outcome, and of all. What it raises is
        raised when all have one. A seal key that the policy does not fit raises TypeError, before any is checked.

        It runs on `threads` threads, 1 to 1024, which have ended when it returns: 1 is the calling one, None as many as
        the machine runs at once. `progress` is called on the calling thread, whichever these are.
        """
    @property
    def ring(self) -> KeyRing:
        """The ring."""

@final
class SealCheck:
    """A seal check in progress. Threads may share one; the parts of a single update stay together."""
    def update(self, payload: Buffer, /) -> None:
        """Takes the next part of the payload, any bytes-like object."""
    def finish(self) -> SealReport:
        """The report on all parts."""

@final
class SealReport:
    """The outcome of each layer, and what they come to under the policy. Its truth value raises TypeError."""
    @property
    def layer_a(self) -> LayerOutcome:
        """HMAC-SHA3-512 with the seal key."""
    @property
    def layer_b(self) -> LayerOutcome:
        """ML-DSA-65 with a key of the identity."""
    @property
    def verdict(self) -> Verdict[Seal] | None:
        """The verdict under the policies BOTH and LAYER_B; None under LAYER_A, which asks no key."""
    @property
    def authenticated(self) -> Authenticated | None:
        """Under the policy LAYER_A, what was authenticated; None when nothing was, and under the other policies."""
    def internal(self) -> SealOutcome:
        """What the operator is told: a SealOutcome."""
    def public(self) -> SealOutcome:
        """What everybody else is told: a decoy is OK."""
    def to_json(self) -> str:
        """The pair on the wire for the operator: `[true,"ok"]`, or false with `decoy`, `suspended` or `rejected`."""
    def to_public_json(self) -> str:
        """The pair on the wire for everybody else: a decoy reads as `[true,"ok"]`."""

@final
class Authenticated:
    """A payload whose layer A held. It was made by somebody who has the seal key, which may be the verifier; no key
    state was consulted. Only a check makes one.
    """
    @property
    def identity_id(self) -> str:
        """Whose seal key it was, as the verifier says."""
    @property
    def format(self) -> SealFormat:
        """The format of the seal."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
