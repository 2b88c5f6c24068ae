from collections.abc import Callable, Iterable, Sequence
from typing import Self, final

from typing_extensions import Buffer

from ._errors import MalformedError

__all__ = ["ContentHasher", "Domain", "HashedContent", "IdentityHasher", "lint_ids", "message_hash"]

def lint_ids(pairs: Iterable[tuple[str, str]], /) -> list[tuple[int, str]]:
    """Says which of the stored (creator, context) pairs break the rules of Domain.identity_id: (index, field) for each.
    """
def message_hash(message: Buffer, /) -> str:
    """SHA3-512 over a message that a quorum signs, 128 hexadecimal characters."""

@final
class Domain:
    """The constants that keep one deployment's hashes and statements apart from another's.

    `Domain("ACME")` derives all of them from the name: 1 or more printable ASCII characters without `:`, at least one
    of them outside `0-9a-f`.

    The other arguments set some by hand, for a deployment that must reproduce identifiers that it already issued:
    `prefixes={"identifier": "OLD"}` and `suffixes` by row (`identifier`, `vault`, `signature`, `threshold`, `seal`,
    `shard`, `presence`, `krunica`), `labels={("signature", "CONTENT"): "BODY"}` by row and default text.
    `legacy_shared_constants=True` allows rows to share a prefix; then a vault identifier can equal a general one.
    """
    def __new__(
        cls,
        name: str = "DUALSEAL",
        *,
        prefixes: dict[str, str] = {},
        suffixes: dict[str, str] = {},
        labels: dict[tuple[str, str], str] = {},
        legacy_shared_constants: bool = False,
    ) -> Self: ...
    def identity_id(self, content: Buffer, creator: str, context: str) -> str:
        """The identifier of `content` by `creator` in `context`, 64 hexadecimal characters, computed offline.

        creator and context may be empty, contain no `::` and do not begin with `:`; no Unicode normalisation is
        applied. A low-entropy identity can be guessed from its identifier: put a random value into context.
        """
    def identity_hasher(self, creator: str, context: str) -> IdentityHasher:
        """As identity_id, for content that comes in parts: files of any size, through `hashlib.file_digest` too."""
    def identify_many(
        self,
        items: Sequence[tuple[Buffer, str, str]],
        *,
        progress: Callable[[int, int], object] | None = None,
        threads: int | None = None,
    ) -> list[str | MalformedError]:
        """Identifies many contents without the interpreter lock: for each item, in order, what identity_id returns, or
        the MalformedError that it would raise, none stopping the rest. An item is a content, its creator and its
        context.

        `progress` is called now and then with the number of items that have a result, and of all. What it raises is
        raised when all have one. Text with a lone surrogate is no text, and raises before any item is identified.

        It runs on `threads` threads, 1 to 1024, which have ended when it returns: 1 is the calling one, None as many as
        the machine runs at once. `progress` is called on the calling thread, whichever these are.
        """
    def legacy_identity_id(self, content: Buffer, creator: str, context: str) -> str:
        """As identity_id without its rules, for identifiers issued elsewhere before. Different inputs can share one;
        lint_ids finds them.
        """
    def vault_id(self, payload: Buffer, creator: str, context: str, seq: int) -> str:
        """The vault identifier of a payload at position `seq` (0 to 2^53-1) of its ledger, 64 hexadecimal characters.
        """
    def legacy_vault_id(self, payload: Buffer, creator: str, context: str, seq: int) -> str:
        """As vault_id without its rules on creator and context, for identifiers issued elsewhere before."""
    def content_hash(self, identity_id: str, content: Buffer) -> HashedContent:
        """Content, hashed for `identity_id`, who signs it or is expected to have signed it."""
    def content_hasher(self, identity_id: str) -> ContentHasher:
        """As content_hash, for content that comes in parts: files of any size, through `hashlib.file_digest` too."""
    def threshold_binding(self, session_id: str, message_hash: str) -> str:
        """Binds a threshold session to a message by its message_hash (128 hexadecimal characters)."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class IdentityHasher:
    """Computes an identifier in parts. Threads may share one; the parts of a single update stay together."""
    def update(self, content: Buffer, /) -> None:
        """Takes the next part of the content, any bytes-like object."""
    def finish(self) -> str:
        """The identifier of all parts so far, 64 hexadecimal characters; the hasher can go on."""
    def hexdigest(self) -> str:
        """As finish, by the name that hashlib has for it."""

@final
class ContentHasher:
    """Hashes content in parts. Threads may share one; the parts of a single update stay together."""
    def update(self, content: Buffer, /) -> None:
        """Takes the next part of the content, any bytes-like object."""
    def finish(self) -> HashedContent:
        """All parts so far, hashed for the identity; the hasher can go on."""
    def hexdigest(self) -> str:
        """The hash alone, 64 hexadecimal characters."""

@final
class HashedContent:
    """Content at hand, hashed for the identity that signs it or is expected to have signed it."""
    @staticmethod
    def from_parts(identity_id: str, hash: str) -> HashedContent:
        """Content that was hashed elsewhere for this identity, by its `sadrzaj_hash` of 64 hexadecimal characters. Of a
        record that is verified, its own two members would be compared with themselves.
        """
    @property
    def identity_id(self) -> str:
        """Whose signature it is for."""
    @property
    def hash(self) -> str:
        """What a signature is over (`sadrzaj_hash`), 64 hexadecimal characters."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
