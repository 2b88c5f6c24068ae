from typing import Any, ClassVar, TypeAlias, final

from typing_extensions import Buffer

__all__ = ["Finding", "Inspection", "canonical_json", "inspect"]

_JsonText: TypeAlias = str | Buffer
_Document: TypeAlias = dict[str, Any] | list[Any] | _JsonText

def canonical_json(document: _Document, /) -> bytes:
    """The canonical JSON (RFC 8785) of a document, as bytes: what signing it as JSON signs."""
def inspect(text: _JsonText, /) -> Inspection:
    """Says what a text is, which version, and what is wrong with its form. It verifies nothing: a text without findings
    is well-formed, no more.
    """

@final
class Inspection:
    """What was found out about a text."""
    @property
    def kind(self) -> str:
        """What it is, as far as its shape tells: `signature record`, `chain entry`, `chain`, `chain (JSON lines)`,
        `checkpoint`, `key ring`, `key pair info`, `verification result`, `dual seal`, `legacy seal` or `unknown`.
        """
    @property
    def version(self) -> str | None:
        """The version that it gives, where it gives one."""
    @property
    def count(self) -> int | None:
        """The number of entries or keys that it holds, where it holds several."""
    @property
    def findings(self) -> list[Finding]:
        """What is wrong with its form, up to 500 of it. Empty exactly when the reader of this kind accepts it."""
    @property
    def omitted(self) -> int:
        """How much more is wrong with it."""

@final
class Finding:
    """One thing that is wrong with a text's form."""
    @property
    def code(self) -> int:
        """The number of the error that its reader raises."""
    @property
    def message(self) -> str:
        """The error in words."""
    @property
    def field(self) -> str | None:
        """The field, by its name on the wire; None where a chain is broken."""
    @property
    def index(self) -> int | None:
        """The position of a byte in a text, of an item in a list or of an entry in a chain; None where there is only
        one.
        """
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
