//! What an error tells beside its number and message: the members of `dualseal::error::Evidence`.

/// A word, its type and default in Python, and what it means.
pub(super) const WORDS: [(&str, &str, &str); 8] = [
    (
        "field",
        "str | None = None",
        "The argument, or the member of a record by its name on the wire; of a record of a ledger the layer.",
    ),
    (
        "index",
        "int | None = None",
        "The position, from 0, of a byte, item, entry, record or chunk; of a share's value, the share's index.",
    ),
    (
        "identity_id",
        "str | None = None",
        "The first identity whose keys in a ring are not those that the chain vouches for.",
    ),
    (
        "needed",
        "int | None = None",
        "How much there must be: a length, the entries under a checkpoint, a ring's revision, shares, proofs.",
    ),
    ("found", "int | None = None", "How much of that there is."),
    (
        "culprits",
        "tuple[int, ...] = ()",
        "Who is at fault, ascending: the numbers of shares or shards, the positions of proofs from 0.",
    ),
    (
        "foreign",
        "tuple[int, ...] = ()",
        "The numbers of the shares or shards that hold and are of another set, ascending.",
    ),
    ("reason", "str | None = None", "The check of a record in a file of evidence that failed, as results name it."),
];
