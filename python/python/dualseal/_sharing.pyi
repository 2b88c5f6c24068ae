from collections.abc import Sequence
from typing import Any, ClassVar, Self, final

from typing_extensions import Buffer

from . import Domain
from ._enums import SharingField

__all__ = [
    "Dealing",
    "Decryptor",
    "DrawnSecret",
    "Encryptor",
    "Health",
    "Purpose",
    "Share",
    "Unattested",
    "decrypt",
    "encrypt",
    "reconstruct_unanchored",
]

def decrypt(secret: DrawnSecret | Buffer, purpose: Purpose, stored: Buffer, /) -> bytes:
    """Decrypts what encrypt or an Encryptor made: all of it or nothing. The plaintext is a copy that Python cannot
    wipe.

    Raises RejectedError for another secret or purpose, and for bytes that were changed, moved or cut off.
    """
def encrypt(secret: DrawnSecret | Buffer, purpose: Purpose, plaintext: Buffer, /) -> bytes:
    """Encrypts any bytes-like object under a DrawnSecret, or 32 or 66 secret bytes, for one purpose."""
def reconstruct_unanchored(shares: Sequence[Share], /, *, k: int) -> Unattested:
    """A value from t shares that come without the dealer's record, of which any k should give it.

    With t > k, up to (t-k)//2 wrong shares are corrected, unless their holders work together: then they can choose what
    comes out, and frame others. With t = k nothing is checked. Whoever has the dealer's record uses
    Dealing.reconstruct. Raises SharingError.
    """

@final
class DrawnSecret:
    """A secret that this library drew: the only kind that is shared. Anything else, such as a password or a file, is
    encrypted under one (see encrypt). It is wiped when it is no longer used.

    One that from_bytes read opens and encrypts, and is not shared: of a value that somebody chose, what a dealer
    publishes would let others try guesses.
    """
    @staticmethod
    def draw(field: SharingField | str, /) -> DrawnSecret:
        """Draws a secret, uniformly over the field."""
    @staticmethod
    def from_bytes(data: Buffer, /) -> DrawnSecret:
        """One that was drawn before, by what to_bytes gave, 66 bytes (FP_521) or 32 (GF_2_256): it opens what it
        encrypted. It is not shared, for which TypeError is raised. Raises MalformedError for what no secret's bytes
        are.
        """
    def split(self, *, k: int, n: int) -> list[Share]:
        """Deals n shares, of which any k give the secret, for other programs: nothing is kept to tell a bad share by
        later. Dealing.deal makes those that can be checked.
        """
    def to_bytes(self) -> bytes:
        """The secret bytes, big-endian, 66 (FP_521) or 32 (GF_2_256): a copy that Python cannot wipe."""
    @property
    def field(self) -> SharingField:
        """The field."""

@final
class Share:
    """One share: an index (1 to 255) and a secret value. It is wiped when it is no longer used, and shows its index
    alone.
    """
    @staticmethod
    def from_bytes(field: SharingField | str, index: int, value: Buffer, /) -> Share:
        """From the value's 66 (FP_521) or 32 (GF_2_256) bytes, big-endian. A bytearray can be overwritten by the caller
        afterwards, bytes cannot.
        """
    @staticmethod
    def from_hex(field: SharingField | str, index: int, value_hex: str, /) -> Share:
        """From the value in lowercase hexadecimal (`vrijednost_hex`): 132 (FP_521) or 64 (GF_2_256) characters."""
    @staticmethod
    def from_ssss(line: str, /, *, k: int) -> Share:
        """Reads a share that `ssss-split -s 256 -x -D` wrote for the threshold k."""
    def to_ssss(self, *, k: int, n: int) -> str:
        """Writes a share of GF_2_256 as `ssss-split -s 256 -x -D` does. Secret."""
    def to_bytes(self) -> bytes:
        """The value's bytes, big-endian: a copy that Python cannot wipe."""
    def to_hex(self) -> str:
        """The value in lowercase hexadecimal (`vrijednost_hex`): a copy that Python cannot wipe."""
    @property
    def index(self) -> int:
        """Which share it is."""
    @property
    def field(self) -> SharingField:
        """The field."""

@final
class Dealing:
    """What the dealer publishes about one set of shares: hashes of the secret and of every share. Whoever rebuilds must
    have it from the dealer, unaltered; it need not be kept secret.

    Its methods take shares in any order and accuse by number: a culprit's share is not what the dealer committed to.
    """
    @staticmethod
    def deal(domain: Domain, secret: DrawnSecret, *, k: int, n: int) -> tuple[Dealing, list[Share]]:
        """Deals n shares of a secret for the first time. They go to their holders, one each, and nowhere else."""
    @staticmethod
    def from_json(domain: Domain, json: str | Buffer, /) -> Dealing:
        """Reads the JSON. The domain is the one that it was made under."""
    def to_json(self) -> str:
        """Canonical JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The members, by their names on the wire."""
    def reconstruct(self, shares: Sequence[Share], /) -> tuple[DrawnSecret, list[int], list[int]]:
        """The dealer's secret from k shares or more, the culprits, and the misdealt: the numbers of the shares that
        hold and do not go with the others, for which the dealer is to blame. Neither took part. The misdealt are looked
        for where the first shares do not give the secret. Raises SharingError.
        """
    def repair(self, shares: Sequence[Share], /, *, lost: int) -> tuple[Share, list[int], list[int]]:
        """A lost share, made again from k others, the culprits and the misdealt. Raises SharingError."""
    def refresh(self, shares: Sequence[Share], /) -> tuple[Dealing, list[Share], list[int], list[int]]:
        """Deals the same secret on a new polynomial: the new record, its shares, the culprits and the misdealt. Shares
        of the old and of the new set do not go together. It protects only while fewer than k shares of every earlier
        set survive.
        """
    def rethreshold(
        self, shares: Sequence[Share], /, *, k: int, n: int
    ) -> tuple[Dealing, list[Share], list[int], list[int]]:
        """As refresh, with another k and n. Old shares keep the old threshold for as long as they exist."""
    def health(self, shares: Sequence[Share], /) -> Health:
        """Which shares are present, missing, invalid and foreign. Nothing is rebuilt."""
    @property
    def dealing_id(self) -> str:
        """The secret's identifier, which stays the same when it is dealt again."""
    @property
    def split_id(self) -> str:
        """The identifier of this set of shares."""
    @property
    def k(self) -> int:
        """How many shares give the secret."""
    @property
    def n(self) -> int:
        """How many shares there are."""

@final
class Health:
    """The state of a set of shares: lists of their numbers, ascending. Nothing was rebuilt to find it out."""
    @property
    def present(self) -> list[int]:
        """Shares that hold."""
    @property
    def missing(self) -> list[int]:
        """Numbers of the set of which no share that holds was given."""
    @property
    def invalid(self) -> list[int]:
        """Shares of the set that are not what was committed to."""
    @property
    def foreign(self) -> list[int]:
        """Shares of another set, or with a number above n."""

@final
class Unattested:
    """What shares without commitments give. Nobody vouches for it, and nothing here takes it for a DrawnSecret."""
    def to_bytes(self) -> bytes:
        """The value's bytes, big-endian: a copy that Python cannot wipe."""
    @property
    def outliers(self) -> list[int]:
        """The numbers of the shares that do not fit the others. Not culprits: a few holders who work together can make
        honest shares look like this.
        """
    @property
    def unchecked(self) -> bool:
        """There were exactly k shares. Any k values give some secret: nothing was checked."""

@final
class Purpose:
    """What a stream is for: a deployment, an identity and a type, 1 to 255 bytes of text. It opens under the same three
    only.
    """
    def __new__(cls, domain: Domain, identity_id: str, kind: str) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Encryptor:
    """Encrypts data that comes in parts of any size. What update and finish return is stored in that order. Threads may
    share one; the parts of a single update stay together.
    """
    def __new__(cls, secret: DrawnSecret | Buffer, purpose: Purpose) -> Self: ...
    def update(self, plaintext: Buffer, /) -> bytes:
        """Takes the next part, any bytes-like object, and returns what is encrypted so far."""
    def finish(self) -> bytes:
        """Returns the end of the stream. Without it, it does not open."""

@final
class Decryptor:
    """Decrypts a stream that comes in parts of any size. All that it gives out is authenticated and in its place; that
    nothing is missing at the end, only finish tells. Threads may share one.
    """
    def __new__(cls, secret: DrawnSecret | Buffer, purpose: Purpose) -> Self: ...
    def update(self, stored: Buffer, /) -> bytes:
        """Takes the next part and returns the plaintext of the chunks that are complete. Raises as decrypt does, and
        gives nothing more afterwards.
        """
    def finish(self) -> bytes:
        """Returns the end of the plaintext: with it, it is the whole."""
