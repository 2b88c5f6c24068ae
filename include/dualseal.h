/*
 * dualseal: tamper-evident documents that outlive quantum computers.
 *
 * The contract of every function here:
 *
 * - Status: a function that can fail returns a `dualseal_status`. 0 alone is success, and a verification's 0 means
 *   Valid alone. 1 to 4 are the other verdicts, 5 is what a function whose name ends in `_authenticate` finds good, 100
 *   to 199 malformed input, 200 to 299 rejected evidence, 300 to 399 misuse, 400 failed randomness, 900 to 999 the C
 *   ABI's own. A number never changes its meaning.
 * - Errors: the last argument, `error`, may be NULL. Every call begins by setting `*error` to NULL, whatever it held,
 *   and on a status from 100 on sets it to a new error, which the caller frees with `dualseal_error_free`. Nothing is
 *   kept in globals.
 * - Other outputs are written on success only; on a failure they, and every handle given, are as they were, but for
 *   an operation that a function says it ends. They need not be initialised, are not freed before they are
 *   overwritten, and must not overlap one another.
 * - NULL: no argument may be NULL unless its function says so, and one that is NULL gives
 *   `DUALSEAL_STATUS_NULL_ARGUMENT`. Bytes of length 0 may be NULL, texts not. NULL to a `_free` function does
 *   nothing.
 * - Handles: a handle of another type, one that was freed and one that is not aligned give
 *   `DUALSEAL_STATUS_WRONG_HANDLE` where that can be told, and a `_free` function leaves them alone. It cannot be told
 *   of what was freed once its memory was given out again, nor of a pointer to what was never a handle.
 * - Ownership: a handle is freed once, by the `_free` function of its type, and not used again. Texts (`char **`) are
 *   freed by `dualseal_string_free` and bytes (`uint8_t **`) by `dualseal_bytes_free`, which overwrite them first.
 *   No function keeps an argument after it returns. Texts returned as `const char *` are not freed.
 * - Text is UTF-8. What somebody else may have written goes in with its length, and need not end with NUL: JSON, PEM,
 *   lines of a chain, seals, messages, notes, and what an identity is made of. Names, identifiers and paths end with
 *   NUL, paths being any bytes on Unix, and so does every text that comes out. Bytes come with their length. The
 *   length of a buffer that is written to counts the NUL and is exactly the one documented, else
 *   `DUALSEAL_STATUS_BUFFER_LENGTH`.
 * - Records are JSON texts. Lists of records are JSON arrays, and of one that is refused the error's index is its
 *   position. Lists of indices are JSON arrays of numbers, such as `[2,5]`. k, m, n and indices are `uint32_t`.
 * - Identifiers and hashes are lowercase hexadecimal. Times are milliseconds since 1970-01-01T00:00:00Z, given by the
 *   caller: the library reads no clock and no network, and no file but one that a call names. A time below 10^11, which
 *   is before March 1973, is refused: it was given in seconds.
 * - Threads: different handles may be used by different threads at the same time. A `const` handle may be shared, so
 *   long as no other thread changes or frees it.
 * - Panics do not cross into C, and write nothing: the call returns `DUALSEAL_STATUS_PANIC`. That is a defect of the
 *   library, and the handles of the call are then only good to be freed.
 * - Memory: where the system gives none, the process is aborted, as Rust's allocator does: no call returns then. No input
 *   makes the library take more than in proportion to its length. A call takes up to 512 KiB of the stack of its thread,
 *   and most of them far less (docs/C-API.md, *Stack*); the threads that a batch starts have their own.
 * - Processes: a process may fork where no call is running, and both halves go on; what they draw differs, since each
 *   call draws from the system's generator. Nothing is to be set up before the first call, and nothing after the last.
 */


#ifndef DUALSEAL_H
#define DUALSEAL_H

#include <stddef.h>
#include <stdint.h>

/* Whoever ignores a status takes a refusal for a success. */
#ifndef DUALSEAL_WARN_UNUSED
#if defined(__GNUC__) || defined(__clang__)
#define DUALSEAL_WARN_UNUSED __attribute__((warn_unused_result))
#else
#define DUALSEAL_WARN_UNUSED
#endif
#endif

/* What a function returns that did what it was asked to. */
#define DUALSEAL_OK DUALSEAL_STATUS_VALID

/* Of dualseal_vault.h. */
typedef struct dualseal_vault_master dualseal_vault_master;

/**
 * Raised whenever a program that was compiled against an older header would no longer work.
 */
#define DUALSEAL_ABI_VERSION 2

/**
 * Bytes of a signing key's seed.
 */
#define DUALSEAL_SEED_BYTES 32

/**
 * Bytes of an expanded signing key.
 */
#define DUALSEAL_EXPANDED_KEY_BYTES 4032

/**
 * Bytes of a public key.
 */
#define DUALSEAL_PUBLIC_KEY_BYTES 1952

/**
 * Bytes of a signature, which records carry as twice as many hexadecimal characters.
 */
#define DUALSEAL_SIGNATURE_BYTES 3309

/**
 * Bytes of a secret from which keys are derived: a ring key, a master.
 */
#define DUALSEAL_RING_KEY_BYTES 32

/**
 * Bytes of a seal key that is drawn here.
 */
#define DUALSEAL_SEAL_KEY_BYTES 64

/**
 * Bytes of an identifier, content hash, key hash or tree's root as text: 64 hexadecimal characters and NUL.
 */
#define DUALSEAL_ID_TEXT_BYTES 65

/**
 * Bytes of a chain hash as text: 128 hexadecimal characters and NUL.
 */
#define DUALSEAL_CHAIN_HASH_TEXT_BYTES 129

/**
 * Bytes of the name of a vault's master as text: 32 hexadecimal characters and NUL.
 */
#define DUALSEAL_KEY_ID_TEXT_BYTES 33

/**
 * Bytes of memory that one prepared key takes in a key cache.
 */
#define DUALSEAL_PREPARED_KEY_BYTES 36928

/**
 * What a function returns. 0 alone is success; for a verification it means Valid and nothing less, and from an
 * authentication it does not come.
 */
enum dualseal_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Verdict: every check held, with a valid key.
     */
    DUALSEAL_STATUS_VALID = 0,
    /**
     * Verdict: a check failed, or the record's key is not one of its identity.
     */
    DUALSEAL_STATUS_INVALID = 1,
    /**
     * Verdict: the key is revoked; nothing else counts.
     */
    DUALSEAL_STATUS_REVOKED = 2,
    /**
     * Verdict: the key is suspended: the record is neither confirmed nor rejected.
     */
    DUALSEAL_STATUS_SUSPENDED = 3,
    /**
     * Verdict: every check held, with a honeypot key, which authorises nothing.
     */
    DUALSEAL_STATUS_DECOY = 4,
    /**
     * Authentication: whoever has the secret made it, who may be the caller. That is not Valid.
     */
    DUALSEAL_STATUS_AUTHENTICATED = 5,
    /**
     * Malformed: the input does not have the length that it must have.
     */
    DUALSEAL_STATUS_LENGTH = 100,
    /**
     * Malformed: the input is not lowercase hexadecimal.
     */
    DUALSEAL_STATUS_HEX = 101,
    /**
     * Malformed: the input is not UTF-8.
     */
    DUALSEAL_STATUS_UTF8 = 102,
    /**
     * Malformed: the input contains `::` or begins with `:`.
     */
    DUALSEAL_STATUS_AMBIGUOUS = 103,
    /**
     * Malformed: the input contains a control character.
     */
    DUALSEAL_STATUS_CONTROL = 104,
    /**
     * Malformed: the input is not a time of the form 2026-11-21T09:00:00.000Z.
     */
    DUALSEAL_STATUS_TIMESTAMP = 105,
    /**
     * Malformed: the input is out of range.
     */
    DUALSEAL_STATUS_RANGE = 106,
    /**
     * Malformed: the input has none of the known values.
     */
    DUALSEAL_STATUS_UNKNOWN_VALUE = 107,
    /**
     * Malformed: the input is missing.
     */
    DUALSEAL_STATUS_MISSING_MEMBER = 108,
    /**
     * Malformed: the input has an unknown member.
     */
    DUALSEAL_STATUS_UNKNOWN_MEMBER = 109,
    /**
     * Malformed: the input appears twice in one object.
     */
    DUALSEAL_STATUS_DUPLICATE_MEMBER = 110,
    /**
     * Malformed: the input has the wrong JSON type.
     */
    DUALSEAL_STATUS_WRONG_TYPE = 111,
    /**
     * Malformed: the input is not JSON.
     */
    DUALSEAL_STATUS_JSON_SYNTAX = 112,
    /**
     * Malformed: the input is nested deeper than 32.
     */
    DUALSEAL_STATUS_JSON_DEPTH = 113,
    /**
     * Malformed: the input has a number that is not an integer within 2^53-1.
     */
    DUALSEAL_STATUS_JSON_NUMBER = 114,
    /**
     * Malformed: the input has a lone surrogate.
     */
    DUALSEAL_STATUS_JSON_SURROGATE = 115,
    /**
     * Malformed: the input begins with a byte order mark.
     */
    DUALSEAL_STATUS_JSON_BYTE_ORDER_MARK = 116,
    /**
     * Malformed: the input is not the DER of an ML-DSA-65 key.
     */
    DUALSEAL_STATUS_DER = 117,
    /**
     * Malformed: the input is not PEM with the right label.
     */
    DUALSEAL_STATUS_PEM = 118,
    /**
     * Malformed: the input is all zeros.
     */
    DUALSEAL_STATUS_ALL_ZERO = 119,
    /**
     * Malformed: the input has coefficients out of range.
     */
    DUALSEAL_STATUS_KEY_COEFFICIENTS = 120,
    /**
     * Malformed: the input does not match its own public key.
     */
    DUALSEAL_STATUS_KEY_HASH = 121,
    /**
     * Malformed: the input is not a valid domain constant.
     */
    DUALSEAL_STATUS_CONSTANT = 122,
    /**
     * Malformed: the input is not in order.
     */
    DUALSEAL_STATUS_ORDER = 123,
    /**
     * Malformed: the input is there twice.
     */
    DUALSEAL_STATUS_REPEATED = 124,
    /**
     * Malformed: the input is not below the field's modulus.
     */
    DUALSEAL_STATUS_NOT_CANONICAL = 130,
    /**
     * Malformed: the input does not begin as an encrypted stream does.
     */
    DUALSEAL_STATUS_STREAM_HEADER = 131,
    /**
     * Rejected: a chain entry does not have exactly the members of an entry.
     */
    DUALSEAL_STATUS_CHAIN_MEMBERS = 200,
    /**
     * Rejected: a chain entry does not name the entry before it.
     */
    DUALSEAL_STATUS_CHAIN_PREV = 201,
    /**
     * Rejected: a chain entry has a member of the wrong form.
     */
    DUALSEAL_STATUS_CHAIN_FORMAT = 202,
    /**
     * Rejected: a chain entry was altered: its hash does not match.
     */
    DUALSEAL_STATUS_CHAIN_HASH = 203,
    /**
     * Rejected: the end of the chain is missing.
     */
    DUALSEAL_STATUS_CHAIN_TRUNCATED = 204,
    /**
     * Rejected: the chain is another one than the checkpoint's.
     */
    DUALSEAL_STATUS_CHAIN_REWRITTEN = 205,
    /**
     * Rejected: the tree over the entries is another one than the checkpoint's.
     */
    DUALSEAL_STATUS_TREE_DISAGREES = 206,
    /**
     * Rejected: the ring is an old one.
     */
    DUALSEAL_STATUS_RING_ROLLBACK = 207,
    /**
     * Rejected: the ring is not the one that its chain vouches for.
     */
    DUALSEAL_STATUS_RING_FORGED = 208,
    /**
     * Rejected: the checkpoint states another ring than its chain does.
     */
    DUALSEAL_STATUS_RING_MISSTATED = 209,
    /**
     * Rejected: too few of the shares are usable.
     */
    DUALSEAL_STATUS_TOO_FEW_SHARES = 210,
    /**
     * Rejected: the shares hold, but the secret is not the dealer's.
     */
    DUALSEAL_STATUS_DEALER_FAULT = 211,
    /**
     * Rejected: more of the shares are wrong than can be corrected.
     */
    DUALSEAL_STATUS_TOO_MANY_ERRORS = 212,
    /**
     * Rejected: shares of another set are among them.
     */
    DUALSEAL_STATUS_MIXED_SHARES = 213,
    /**
     * Rejected: the stream was encrypted under another key, or for another use.
     */
    DUALSEAL_STATUS_STREAM_KEY = 216,
    /**
     * Rejected: the stream was changed, moved or cut off.
     */
    DUALSEAL_STATUS_STREAM_CHUNK = 217,
    /**
     * Rejected: the challenge has expired.
     */
    DUALSEAL_STATUS_PRESENCE_EXPIRED = 220,
    /**
     * Rejected: the challenge expires more than 300 seconds from now.
     */
    DUALSEAL_STATUS_PRESENCE_TOO_FAR = 221,
    /**
     * Rejected: too few proofs of presence are good.
     */
    DUALSEAL_STATUS_PRESENCE_TOO_FEW = 222,
    /**
     * Rejected: the nonce of the challenge was used before.
     */
    DUALSEAL_STATUS_PRESENCE_NONCE_USED = 223,
    /**
     * Rejected: the signature of the statement does not hold.
     */
    DUALSEAL_STATUS_PRESENCE_SIGNATURE = 224,
    /**
     * Rejected: the record does not have the authority that it must have.
     */
    DUALSEAL_STATUS_SESSION_AUTHORITY = 229,
    /**
     * Rejected: the session's founding does not stand in the chain below the checkpoint.
     */
    DUALSEAL_STATUS_SESSION_ABSENT = 230,
    /**
     * Rejected: the record of the founding was not given.
     */
    DUALSEAL_STATUS_SESSION_RECORD = 231,
    /**
     * Rejected: the key of the session was revoked and authorises no generation.
     */
    DUALSEAL_STATUS_SESSION_REVOKED = 232,
    /**
     * Rejected: the ring does not hold the session's key.
     */
    DUALSEAL_STATUS_SESSION_KEY_UNKNOWN = 233,
    /**
     * Rejected: the rebuilt secret is not the seed of the session's key.
     */
    DUALSEAL_STATUS_SESSION_KEY = 234,
    /**
     * Rejected: the session is of the other kind.
     */
    DUALSEAL_STATUS_SESSION_KIND = 235,
    /**
     * Rejected: the result is not what this session made of this message.
     */
    DUALSEAL_STATUS_SESSION_RESULT = 236,
    /**
     * Rejected: the share was not committed to for this custodian.
     */
    DUALSEAL_STATUS_SHARE_NOT_COMMITTED = 237,
    /**
     * Rejected: another generation of the session is in force by now.
     */
    DUALSEAL_STATUS_STALE_GENERATION = 238,
    /**
     * Rejected: too few custodians said that they have their new shares.
     */
    DUALSEAL_STATUS_TOO_FEW_ACKNOWLEDGEMENTS = 239,
    /**
     * Rejected: the seal of the shard does not hold.
     */
    DUALSEAL_STATUS_SHARD_SEAL = 240,
    /**
     * Rejected: the members of the shard do not give its identifier.
     */
    DUALSEAL_STATUS_SHARD_IDENTIFIER = 241,
    /**
     * Rejected: shards of another vault or splitting are among them.
     */
    DUALSEAL_STATUS_MIXED_SHARDS = 242,
    /**
     * Rejected: the shards are of a splitting that was superseded.
     */
    DUALSEAL_STATUS_SUPERSEDED_SPLIT = 243,
    /**
     * Rejected: no splitting of the vault stands in the chain below the checkpoint.
     */
    DUALSEAL_STATUS_NO_SPLIT = 244,
    /**
     * Rejected: the request is for something else.
     */
    DUALSEAL_STATUS_OTHER_REQUEST = 245,
    /**
     * Rejected: another split was committed since this one was prepared.
     */
    DUALSEAL_STATUS_STALE_SPLIT = 246,
    /**
     * Rejected: too few nodes confirmed that they hold a new shard.
     */
    DUALSEAL_STATUS_UNCONFIRMED = 247,
    /**
     * Rejected: the vault was erased.
     */
    DUALSEAL_STATUS_ERASED_VAULT = 248,
    /**
     * Rejected: the node holds the shard of another preparation.
     */
    DUALSEAL_STATUS_ALREADY_PREPARED = 249,
    /**
     * Rejected: the stored bytes are not those that were verified.
     */
    DUALSEAL_STATUS_STORED_CHANGED = 250,
    /**
     * Rejected: a record of the ledger, which the chain vouches for, is missing or is another one.
     */
    DUALSEAL_STATUS_LEDGER_TRUNCATED = 251,
    /**
     * Rejected: two records share a place of the ledger.
     */
    DUALSEAL_STATUS_LEDGER_FORK = 252,
    /**
     * Rejected: a record of the ledger does not hold.
     */
    DUALSEAL_STATUS_LEDGER_RECORD = 253,
    /**
     * Rejected: a record of another ledger stands in the ledger.
     */
    DUALSEAL_STATUS_OTHER_LEDGER = 254,
    /**
     * Rejected: the ring does not hold the decoy key of a record.
     */
    DUALSEAL_STATUS_MISSING_DECOY = 255,
    /**
     * Rejected: the proven place in the chain is that of another entry.
     */
    DUALSEAL_STATUS_OTHER_PLACE = 256,
    /**
     * Rejected: the note is not signed by this log's key.
     */
    DUALSEAL_STATUS_NOTE_UNSIGNED = 260,
    /**
     * Rejected: the log's signature on the note does not hold.
     */
    DUALSEAL_STATUS_NOTE_SIGNATURE = 261,
    /**
     * Rejected: the cosignature of a witness does not hold.
     */
    DUALSEAL_STATUS_WITNESS_SIGNATURE = 262,
    /**
     * Rejected: too few witnesses saw the note.
     */
    DUALSEAL_STATUS_TOO_FEW_WITNESSES = 263,
    /**
     * Rejected: the proof does not lead from the leaf to the note's root.
     */
    DUALSEAL_STATUS_NOTE_NO_PLACE = 264,
    /**
     * Rejected: the log does not go on from what was seen of it: a fork.
     */
    DUALSEAL_STATUS_NOTE_FORK = 265,
    /**
     * Rejected: the note covers fewer entries than were seen of the log.
     */
    DUALSEAL_STATUS_NOTE_SHRUNK = 266,
    /**
     * Rejected: the note's root is not that of the chain's entries.
     */
    DUALSEAL_STATUS_NOTE_CHAIN = 267,
    /**
     * Rejected: a tile or bundle of the log is not what its entries make.
     */
    DUALSEAL_STATUS_NOTE_TILE = 268,
    /**
     * Rejected: there are fewer entries than the note covers.
     */
    DUALSEAL_STATUS_NOTE_INCOMPLETE = 269,
    /**
     * Rejected: it is not shown that the log only grew.
     */
    DUALSEAL_STATUS_NOT_GROWN = 270,
    /**
     * Rejected: the ring is another log's.
     */
    DUALSEAL_STATUS_RING_FOREIGN = 271,
    /**
     * Rejected: the ring is not the one that the checkpoint states.
     */
    DUALSEAL_STATUS_RING_MISMATCH = 272,
    /**
     * Rejected: the path of the key does not lead to the ring of the checkpoint.
     */
    DUALSEAL_STATUS_KEY_PATH = 273,
    /**
     * Rejected: the key is not the one of its proof.
     */
    DUALSEAL_STATUS_KEY_OTHER = 274,
    /**
     * Rejected: the proof of the place is of another log.
     */
    DUALSEAL_STATUS_PLACE_FOREIGN = 275,
    /**
     * Rejected: the proof of the place is for another size.
     */
    DUALSEAL_STATUS_PLACE_SIZE = 276,
    /**
     * Rejected: the place is beyond the checkpoint.
     */
    DUALSEAL_STATUS_PLACE_BEYOND = 277,
    /**
     * Rejected: the path has not the length that this place needs.
     */
    DUALSEAL_STATUS_PATH_LENGTH = 278,
    /**
     * Rejected: the path does not lead to the root of the checkpoint.
     */
    DUALSEAL_STATUS_PATH_ELSEWHERE = 279,
    /**
     * Rejected: the evidence is of another log.
     */
    DUALSEAL_STATUS_EVIDENCE_LOG = 281,
    /**
     * Rejected: the signature of the checkpoint does not hold.
     */
    DUALSEAL_STATUS_EVIDENCE_CHECKPOINT = 282,
    /**
     * Rejected: the checkpoint is older than was asked for.
     */
    DUALSEAL_STATUS_EVIDENCE_OLD = 283,
    /**
     * Rejected: the note says something else than the checkpoint.
     */
    DUALSEAL_STATUS_EVIDENCE_NOTE = 284,
    /**
     * Rejected: the entry of the ring does not stand under the checkpoint.
     */
    DUALSEAL_STATUS_EVIDENCE_RING_PLACE = 285,
    /**
     * Rejected: the checkpoint states another ring than the entry.
     */
    DUALSEAL_STATUS_EVIDENCE_RING = 286,
    /**
     * Rejected: the evidence is of another signer.
     */
    DUALSEAL_STATUS_EVIDENCE_SIGNER = 287,
    /**
     * Rejected: the record does not hold.
     */
    DUALSEAL_STATUS_EVIDENCE_RECORD = 288,
    /**
     * Rejected: too few witnesses saw the log after the time asked for.
     */
    DUALSEAL_STATUS_NOT_WITNESSED_AFTER = 289,
    /**
     * Rejected: the log's signer takes back what it said of the key.
     */
    DUALSEAL_STATUS_EVIDENCE_RETOLD = 290,
    /**
     * Rejected: the checkpoint covers more entries than the log's key counts for.
     */
    DUALSEAL_STATUS_EVIDENCE_LATE = 291,
    /**
     * Misuse: the message has a form that only the library itself appends.
     */
    DUALSEAL_STATUS_RESERVED_MESSAGE = 300,
    /**
     * Misuse: the ring has no current key for this identity.
     */
    DUALSEAL_STATUS_UNKNOWN_IDENTITY = 301,
    /**
     * Misuse: the ring has no such key for this identity.
     */
    DUALSEAL_STATUS_UNKNOWN_KEY = 302,
    /**
     * Misuse: the ring already holds this public key.
     */
    DUALSEAL_STATUS_KNOWN_KEY = 303,
    /**
     * Misuse: the identity already has a current key; rotate it instead.
     */
    DUALSEAL_STATUS_HAS_CURRENT_KEY = 304,
    /**
     * Misuse: the state of a decoy key cannot be changed.
     */
    DUALSEAL_STATUS_DECOY_STATE = 305,
    /**
     * Misuse: only an operator's own ring can be changed or stored.
     */
    DUALSEAL_STATUS_PINNED_RING = 306,
    /**
     * Misuse: the chain head is not after the identity's last rotation.
     */
    DUALSEAL_STATUS_STALE_HEAD = 307,
    /**
     * Misuse: a counter would pass 2^53-1.
     */
    DUALSEAL_STATUS_COUNTER_EXHAUSTED = 308,
    /**
     * Misuse: two domain constants that must differ are equal.
     */
    DUALSEAL_STATUS_SHARED_CONSTANTS = 309,
    /**
     * Misuse: a signature was made that the public key of its own key does not accept.
     */
    DUALSEAL_STATUS_UNFIT_KEY = 310,
    /**
     * Misuse: the chain, checkpoint or ring belongs to another origin.
     */
    DUALSEAL_STATUS_OTHER_ORIGIN = 311,
    /**
     * Misuse: the payload has a form that only the library itself seals.
     */
    DUALSEAL_STATUS_RESERVED_PAYLOAD = 312,
    /**
     * Misuse: a seal key of a legacy length makes no seals.
     */
    DUALSEAL_STATUS_LEGACY_SEAL_KEY = 313,
    /**
     * Misuse: a gate must ask for at least one proof of presence.
     */
    DUALSEAL_STATUS_NO_PROOFS_REQUIRED = 314,
    /**
     * Misuse: no shards were given.
     */
    DUALSEAL_STATUS_NO_SHARDS = 315,
    /**
     * Misuse: it is of another vault, identity, key or session.
     */
    DUALSEAL_STATUS_OTHER_VAULT = 316,
    /**
     * Misuse: the content was hashed for another identity.
     */
    DUALSEAL_STATUS_OTHER_SIGNER = 317,
    /**
     * Misuse: a stream has at most 2^32 chunks.
     */
    DUALSEAL_STATUS_STREAM_TOO_LONG = 320,
    /**
     * Misuse: the stream was refused or has ended, and takes nothing more.
     */
    DUALSEAL_STATUS_STREAM_ENDED = 321,
    /**
     * Misuse: records of this type are made by the library alone.
     */
    DUALSEAL_STATUS_RESERVED_TYPE = 330,
    /**
     * Misuse: a record that is not encrypted cannot be erased.
     */
    DUALSEAL_STATUS_NOT_ENCRYPTED = 331,
    /**
     * Misuse: the record or its places are of another ledger, identity or master, or come after the head.
     */
    DUALSEAL_STATUS_FOREIGN_LEDGER = 332,
    /**
     * Misuse: a tier above public can only be asked for with a table of keys.
     */
    DUALSEAL_STATUS_NO_TIER_KEYS = 333,
    /**
     * Misuse: an encrypted record opens with its vault secret only.
     */
    DUALSEAL_STATUS_NO_VAULT_SECRET = 334,
    /**
     * Misuse: the record does not say that another one was erased.
     */
    DUALSEAL_STATUS_NOT_ERASURE = 335,
    /**
     * Misuse: the operator's check takes places that were found with the master.
     */
    DUALSEAL_STATUS_UNVERIFIED_PLACES = 336,
    /**
     * Misuse: the splits were not read from where they must be, up to the head that is extended.
     */
    DUALSEAL_STATUS_UNREAD_CHAIN = 337,
    /**
     * Misuse: the reader began after what is to be shown.
     */
    DUALSEAL_STATUS_LATE_START = 340,
    /**
     * Misuse: the reader was given no checkpoint or head to end at.
     */
    DUALSEAL_STATUS_NO_END = 341,
    /**
     * Misuse: this reader has no such proof to give.
     */
    DUALSEAL_STATUS_OTHER_READER = 342,
    /**
     * Misuse: the ring was not followed to the chain head.
     */
    DUALSEAL_STATUS_STALE_RING = 343,
    /**
     * Misuse: the key is a decoy, and no evidence is made of what it signs.
     */
    DUALSEAL_STATUS_DECOY_KEY = 344,
    /**
     * Misuse: the key is not the identity's current and valid one in the ring.
     */
    DUALSEAL_STATUS_NOT_CURRENT = 345,
    /**
     * Randomness: the random number generator failed; nothing was made.
     */
    DUALSEAL_STATUS_RANDOMNESS = 400,
    /**
     * C only: an argument is NULL that must not be. The error's field names it.
     */
    DUALSEAL_STATUS_NULL_ARGUMENT = 900,
    /**
     * C only: the library panicked, which is a defect of it. Free the call's handles and use them no more.
     */
    DUALSEAL_STATUS_PANIC = 901,
    /**
     * C only: a buffer does not have the length that its output has, or a length is impossible.
     */
    DUALSEAL_STATUS_BUFFER_LENGTH = 902,
    /**
     * C only: the key was read in the expanded form and has no seed.
     */
    DUALSEAL_STATUS_NO_SEED = 903,
    /**
     * C only: the verdict is not about a decoy key.
     */
    DUALSEAL_STATUS_NOT_A_DECOY = 904,
    /**
     * C only: the entry was not asked for, or does not stand in the chain below the checkpoint.
     */
    DUALSEAL_STATUS_NOT_LOCATED = 905,
    /**
     * C only: layer A of a seal was checked alone, which gives no verdict.
     */
    DUALSEAL_STATUS_NO_VERDICT = 906,
    /**
     * C only: the report is not Valid, or not under the operator's policy, where that is needed.
     */
    DUALSEAL_STATUS_NOT_VERIFIED = 907,
    /**
     * C only: a quorum's key was kept beyond the call that it was lent to.
     */
    DUALSEAL_STATUS_KEY_KEPT = 908,
    /**
     * C only: a file could not be read. The error's field is the argument that names it, and `dualseal_error_os` the
     * system's number.
     */
    DUALSEAL_STATUS_FILE_READ = 909,
    /**
     * C only: a file could not be written. As above. `dualseal_error_os` is 0 for one that must not be replaced: the
     * other file of the call, a device, a pipe, a folder or a link.
     */
    DUALSEAL_STATUS_FILE_WRITE = 910,
    /**
     * C only: a file was written and has its name, and only its folder could not be forced to the disk. When the power
     * goes, the name may be that of what was there before. What the call makes was made.
     */
    DUALSEAL_STATUS_FILE_NOT_FORCED = 911,
    /**
     * C only: a handle is not one of its type, or was freed. Told where it can be told: what was freed may have been
     * given out again since.
     */
    DUALSEAL_STATUS_WRONG_HANDLE = 912,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_status dualseal_status;
#else
typedef int32_t dualseal_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What kind of thing a status tells, which says what to do about it. 0 is none of them.
 */
enum dualseal_family
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * What was concluded, of which `DUALSEAL_OK` alone is success.
     */
    DUALSEAL_FAMILY_VERDICT = 1,
    /**
     * Input that does not have the documented form: it goes back to whoever wrote it.
     */
    DUALSEAL_FAMILY_MALFORMED = 2,
    /**
     * Well-formed evidence that does not hold: it is kept and looked into.
     */
    DUALSEAL_FAMILY_REJECTED = 3,
    /**
     * A call that cannot be served as it was made: a defect of the calling program.
     */
    DUALSEAL_FAMILY_MISUSE = 4,
    /**
     * The random number generator failed: a defect of the machine.
     */
    DUALSEAL_FAMILY_RANDOMNESS = 5,
    /**
     * What only the C ABI tells: of an argument, a handle, a file, or a defect of the library.
     */
    DUALSEAL_FAMILY_CALL = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_family dualseal_family;
#else
typedef int32_t dualseal_family;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Who is told of a verification. 0 is none of them.
 */
enum dualseal_audience
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The operator: decoys are unmasked, and an invalid record has its reason.
     */
    DUALSEAL_AUDIENCE_OPERATOR = 1,
    /**
     * Everybody else: a decoy reads as valid, and an invalid record has no reason. A courtesy, not evidence.
     */
    DUALSEAL_AUDIENCE_EVERYBODY = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_audience dualseal_audience;
#else
typedef int32_t dualseal_audience;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The state of a key. 0 is none of them, so that memory of zeros is not a valid key.
 */
enum dualseal_key_state
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * `istina`.
     */
    DUALSEAL_KEY_STATE_VALID = 1,
    /**
     * `laz`: verification always fails.
     */
    DUALSEAL_KEY_STATE_REVOKED = 2,
    /**
     * `oboje`: a honeypot. To outsiders verification appears to pass.
     */
    DUALSEAL_KEY_STATE_DECOY = 3,
    /**
     * `nijedno`: verification neither confirms nor rejects.
     */
    DUALSEAL_KEY_STATE_SUSPENDED = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_key_state dualseal_key_state;
#else
typedef int32_t dualseal_key_state;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What two verified checkpoints say of their log. 0 is none of them.
 */
enum dualseal_consistency
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * They were signed over the same chain.
     */
    DUALSEAL_CONSISTENCY_EQUAL = 1,
    /**
     * The larger one's chain begins with the smaller one's.
     */
    DUALSEAL_CONSISTENCY_GROWN = 2,
    /**
     * They cannot both be true, and one signer signed both: he showed different chains to different people. Both are
     * kept, and convince anybody who knows his key.
     */
    DUALSEAL_CONSISTENCY_FORK = 3,
    /**
     * They have different sizes; only the chain shows more (`dualseal_chain_reader_watch_consistency`).
     */
    DUALSEAL_CONSISTENCY_SIZES_DIFFER = 4,
    /**
     * They cannot both be true, and each is signed by somebody else: one of the two is wrong, and it proves nothing
     * against either. Anybody may name a log as its owner did.
     */
    DUALSEAL_CONSISTENCY_CONTRADICTION = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_consistency dualseal_consistency;
#else
typedef int32_t dualseal_consistency;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a verification of a seal asks for. 0 is none of them. Layer A alone is no verification
 * (`dualseal_seal_authenticate`).
 */
enum dualseal_seal_policy
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Both layers, with the identity's seal key: the whole dual seal.
     */
    DUALSEAL_SEAL_POLICY_BOTH = 1,
    /**
     * The signature alone, for those who do not have the seal key, which is then NULL.
     */
    DUALSEAL_SEAL_POLICY_LAYER_B = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_seal_policy dualseal_seal_policy;
#else
typedef int32_t dualseal_seal_policy;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a binary form is of. 0 is none of them.
 */
enum dualseal_binary
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A signature record, with its public key: 5371 bytes. Its text is JSON.
     */
    DUALSEAL_BINARY_RECORD = 1,
    /**
     * The same without its public key, which the reader has: 3419 bytes.
     */
    DUALSEAL_BINARY_SHORT_RECORD = 2,
    /**
     * A chain's entry that travels alone: 186 bytes and its message. Its text is JSON.
     */
    DUALSEAL_BINARY_ENTRY = 3,
    /**
     * A seal of either format: 3379 bytes, of a legacy seal 70. Its text is the seal itself.
     */
    DUALSEAL_BINARY_SEAL = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_binary dualseal_binary;
#else
typedef int32_t dualseal_binary;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The outcome of one layer of a seal. 0 is none of them.
 */
enum dualseal_layer_outcome
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It holds.
     */
    DUALSEAL_LAYER_OUTCOME_PASS = 1,
    /**
     * It does not.
     */
    DUALSEAL_LAYER_OUTCOME_FAIL = 2,
    /**
     * It was not asked for.
     */
    DUALSEAL_LAYER_OUTCOME_NOT_CHECKED = 3,
    /**
     * The seal does not have it.
     */
    DUALSEAL_LAYER_OUTCOME_ABSENT = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_layer_outcome dualseal_layer_outcome;
#else
typedef int32_t dualseal_layer_outcome;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What went wrong in one call. Holds no secret.
 */
typedef struct dualseal_error dualseal_error;

/**
 * Reads a chain once, entry by entry, past everything that is watched for, in memory for what the watchers keep. What
 * is watched for is said before the first entry. For one thread at a time.
 */
typedef struct dualseal_chain_reader dualseal_chain_reader;

/**
 * A checkpoint whose verification was Valid. Only `dualseal_checkpoint_verify` makes one. Never changes; threads may
 * share it.
 */
typedef struct dualseal_checkpoint dualseal_checkpoint;

/**
 * Hashes content that comes in parts, of any size. For one thread at a time.
 */
typedef struct dualseal_content_hasher dualseal_content_hasher;

/**
 * The constants that keep one deployment's hashes and statements apart from another's. Never changes; threads may
 * share it.
 */
typedef struct dualseal_domain dualseal_domain;

/**
 * Evidence of which all holds that needs no document, and the document so far; then what it shows. For one thread at a
 * time.
 */
typedef struct dualseal_evidence dualseal_evidence;

/**
 * Where a chain ends. Functions that append take it, move it on, and return the new entry: the caller stores both or
 * neither. For one thread at a time.
 */
typedef struct dualseal_head dualseal_head;

/**
 * Public keys prepared for verification, which makes repeated verifications with the same keys faster. Threads may use
 * it together.
 */
typedef struct dualseal_key_cache dualseal_key_cache;

/**
 * Proof that an entry stands at its place in a chain that a verified checkpoint covers. Never changes; threads may
 * share it.
 */
typedef struct dualseal_located dualseal_located;

/**
 * What a chain proved that has no fault of its own. Threads may ask it together.
 */
typedef struct dualseal_proofs dualseal_proofs;

/**
 * The keys that verifiers go by: of an operator's own ring, which can be changed, of a public ring, or one that was
 * pinned. Threads may read it together; a change needs it alone. A changed ring, its entry and the head are stored
 * together, or none of them; on an error all are as they were.
 */
typedef struct dualseal_ring dualseal_ring;

/**
 * The secret that vouches for a ring's changes in the chain, kept apart from the ring. Never changes; threads may
 * share it.
 */
typedef struct dualseal_ring_key dualseal_ring_key;

/**
 * The secret of layer A of one identity. Everybody who can check layer A can also make it. Never changes; threads may
 * share it. It is overwritten when it is freed.
 */
typedef struct dualseal_seal_key dualseal_seal_key;

/**
 * The outcome of a check of a seal. Never changes; threads may share it.
 */
typedef struct dualseal_seal_report dualseal_seal_report;

/**
 * Signature records to be verified. For one thread at a time.
 */
typedef struct dualseal_signature_batch dualseal_signature_batch;

/**
 * An ML-DSA-65 signing key. Never changes; threads may share it. It is overwritten when it and everything that was
 * made with it are freed.
 */
typedef struct dualseal_signing_key dualseal_signing_key;

/**
 * What a verification concluded. Never changes; threads may share it.
 */
typedef struct dualseal_verdict dualseal_verdict;

/**
 * What a reader watches for, as a number that only its own proofs know. 0 is none.
 */
typedef uint64_t dualseal_watched;

/**
 * Is told how far a batch has come: `done` of `all` items. It is called on the thread that called the run, whichever
 * threads the run uses, one call after another, and never once the run has returned. It must return without jumping
 * out or throwing, in the process that it was called in, and use the batch for nothing.
 */
typedef void (*dualseal_batch_told)(size_t done, size_t all, void *user);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The ABI version of the library at hand, to be compared with `DUALSEAL_ABI_VERSION`.
 */
uint32_t dualseal_abi_version(void);

/**
 * The version of the library at hand, such as `0.1.0`. The text lives for ever.
 */
const char *dualseal_version(void);

/**
 * What a status means, in English; `unknown status` for a number that is none. The text lives for ever.
 */
const char *dualseal_status_text(dualseal_status status);

/**
 * The family of a status; 0 for a number that is none.
 */
dualseal_family dualseal_status_family(dualseal_status status);

/**
 * What went wrong, in one line of English without secrets. It lives as long as the error. NULL for NULL.
 */
const char *dualseal_error_message(const dualseal_error *error);

/**
 * The argument, or the member of a record by its name on the wire, that was wrong; of a record of a ledger the layer.
 * NULL where the error is about none, and for NULL. It lives as long as the error.
 */
const char *dualseal_error_field(const dualseal_error *error);

/**
 * Where it was wrong, from 0: the byte of a text, the item of a list, the entry of a chain, the record of a ledger or
 * the chunk of a stream. Of two records at one place of a ledger it is where the second of them came, and of two such
 * chain entries their place in the ledger. -1 where the error is about no such place, and for NULL.
 */
int64_t dualseal_error_index(const dualseal_error *error);

/**
 * Of shares, shards or proofs that gave nothing, as JSON: `culprits`, those at fault, and `foreign`, those that hold
 * and are of another set, such as `{"culprits":[2,5],"foreign":[]}`. Both ascend; of shares and shards they are
 * indices, of proofs of presence positions, from 0. It lives as long as the error. NULL for NULL.
 */
const char *dualseal_error_faults(const dualseal_error *error);

/**
 * Of a file: the system's own number of what went wrong, `errno` on Unix and `GetLastError` on Windows; 0 where the
 * system gave none, where the error is about no file, and for NULL.
 */
int32_t dualseal_error_os(const dualseal_error *error);

/**
 * Frees an error. NULL is ignored.
 */
void dualseal_error_free(dualseal_error *error);

/**
 * Overwrites and frees a text that a function of this library returned. NULL is ignored.
 */
void dualseal_string_free(char *text);

/**
 * Overwrites and frees bytes that a function of this library returned. NULL is ignored.
 */
void dualseal_bytes_free(uint8_t *bytes);

/**
 * The general identifier of `content` by `creator` in `context`, both of which may be empty, contain no `::` and do
 * not begin with `:`. `identity_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_identity_id(const dualseal_domain *domain,
                                     const uint8_t *content,
                                     size_t content_len,
                                     const char *creator,
                                     size_t creator_len,
                                     const char *context,
                                     size_t context_len,
                                     char *identity_id,
                                     size_t identity_id_len,
                                     dualseal_error **error);

/**
 * The canonical form (RFC 8785) of a JSON text, in which spacing and the order of members do not count: what is hashed
 * of content that is JSON. Fractions, exponents and integers beyond 2^53-1 are refused.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_json_canonical(const char *text_json,
                                        size_t text_json_len,
                                        char **canonical_json,
                                        dualseal_error **error);

/**
 * The hash of content in memory for a signature by `identity_id`. `content_hash_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_content_hash(const dualseal_domain *domain,
                                      const char *identity_id,
                                      const uint8_t *content,
                                      size_t content_len,
                                      char *content_hash,
                                      size_t content_hash_len,
                                      dualseal_error **error);

/**
 * The same of the file `source`, of any size: `DUALSEAL_STATUS_FILE_READ` where it cannot be read. It is read once;
 * what it holds later is another matter.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_content_hash_of_file(const dualseal_domain *domain,
                                              const char *identity_id,
                                              const char *source,
                                              char *content_hash,
                                              size_t content_hash_len,
                                              dualseal_error **error);

/**
 * Begins to hash content for a signature by `identity_id`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_content_hasher_new(const dualseal_domain *domain,
                                            const char *identity_id,
                                            dualseal_content_hasher **hasher,
                                            dualseal_error **error);

/**
 * Takes the next part of the content.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_content_hasher_update(dualseal_content_hasher *hasher,
                                               const uint8_t *content,
                                               size_t content_len,
                                               dualseal_error **error);

/**
 * The hash of all parts so far; the hasher can go on. `content_hash_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_content_hasher_finish(const dualseal_content_hasher *hasher,
                                               char *content_hash,
                                               size_t content_hash_len,
                                               dualseal_error **error);

/**
 * Frees a hasher. NULL is ignored.
 */
void dualseal_content_hasher_free(dualseal_content_hasher *hasher);

/**
 * Derives every constant of a domain from one name: 1 or more characters 0x21 to 0x7E without `:`, not all of them
 * `0-9a-f`. `DUALSEAL` is the name of the domain that the Rust library and the wheel take by default.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_domain_new(const char *name,
                                    dualseal_domain **domain,
                                    dualseal_error **error);

/**
 * Frees a domain. NULL is ignored. Handles that were made with it stay good.
 */
void dualseal_domain_free(dualseal_domain *domain);

/**
 * The hash of a public key (SHA3-256), which names it in a ring. `key_hash_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_public_key_hash(const uint8_t *public_key,
                                         size_t public_key_len,
                                         char *key_hash,
                                         size_t key_hash_len,
                                         dualseal_error **error);

/**
 * SubjectPublicKeyInfo (RFC 9881) in PEM (`BEGIN PUBLIC KEY`), to be freed with `dualseal_string_free`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_public_key_to_spki_pem(const uint8_t *public_key,
                                                size_t public_key_len,
                                                char **pem,
                                                dualseal_error **error);

/**
 * Reads SubjectPublicKeyInfo in PEM. `public_key_len` is `DUALSEAL_PUBLIC_KEY_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_public_key_from_spki_pem(const char *pem,
                                                  size_t pem_len,
                                                  uint8_t *public_key,
                                                  size_t public_key_len,
                                                  dualseal_error **error);

/**
 * Draws a key with the system's random number generator.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_generate(dualseal_signing_key **key,
                                              dualseal_error **error);

/**
 * From a seed of `DUALSEAL_SEED_BYTES` that was drawn before. The caller overwrites its own copy.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_from_seed(const uint8_t *seed,
                                               size_t seed_len,
                                               dualseal_signing_key **key,
                                               dualseal_error **error);

/**
 * Reads PKCS#8 in PEM (`BEGIN PRIVATE KEY`), in the seed form of RFC 9881.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_from_pkcs8_pem(const char *pem,
                                                    size_t pem_len,
                                                    dualseal_signing_key **key,
                                                    dualseal_error **error);

/**
 * The public half. `public_key_len` is `DUALSEAL_PUBLIC_KEY_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_public_key(const dualseal_signing_key *key,
                                                uint8_t *public_key,
                                                size_t public_key_len,
                                                dualseal_error **error);

/**
 * The seed, a secret that the caller overwrites after use. `seed_len` is `DUALSEAL_SEED_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_seed(const dualseal_signing_key *key,
                                          uint8_t *seed,
                                          size_t seed_len,
                                          dualseal_error **error);

/**
 * PKCS#8 in PEM in the seed form, a secret to be freed with `dualseal_string_free`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_to_pkcs8_pem(const dualseal_signing_key *key,
                                                  char **pem,
                                                  dualseal_error **error);

/**
 * Frees a signing key. NULL is ignored. What was made with it stays good.
 */
void dualseal_signing_key_free(dualseal_signing_key *key);

/**
 * The entry as a line of a chain file, without its `seq` and ended by LF; and its short handle, which records carry.
 * It is computed, and says nothing about the entry's validity. `krunica_hash_len` is `DUALSEAL_ID_TEXT_BYTES`. Whoever
 * wants only one of them gives NULL for the other.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_entry_parts(const char *entry_json,
                                     size_t entry_json_len,
                                     char **line,
                                     char *krunica_hash,
                                     size_t krunica_hash_len,
                                     dualseal_error **error);

/**
 * A head as it was stored (`dualseal_head_parts`), to resume from; that of an empty chain when `head_json` is NULL.
 * Only its form is checked here: a wrong head starts another chain.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_head_new(const char *head_json,
                                  size_t head_json_len,
                                  dualseal_head **head,
                                  dualseal_error **error);

/**
 * What a checkpoint signs of a head: the number of entries, the hash of the last one (zeros when there is none), and
 * the root of the tree over all; and the head as its holder stores it, at most 4 kB of JSON. `top_len` is
 * `DUALSEAL_CHAIN_HASH_TEXT_BYTES`, `root_len` `DUALSEAL_ID_TEXT_BYTES`. Whoever wants only some of them gives NULL
 * for the others.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_head_parts(const dualseal_head *head,
                                    uint64_t *size,
                                    char *top,
                                    size_t top_len,
                                    char *root,
                                    size_t root_len,
                                    char **head_json,
                                    dualseal_error **error);

/**
 * Appends a message about an identity and moves the head on. Messages that begin with one of the domain's prefixes and
 * `::` are refused. `time_ms` counts from 1970-01-01T00:00:00Z. The entry is JSON.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_head_append(dualseal_head *head,
                                     const dualseal_domain *domain,
                                     const char *identity_id,
                                     const char *message,
                                     size_t message_len,
                                     int64_t time_ms,
                                     char **entry_json,
                                     dualseal_error **error);

/**
 * Frees a head. NULL is ignored.
 */
void dualseal_head_free(dualseal_head *head);

/**
 * An empty ring whose changes are recorded in the chain named `origin`: 1 to 255 bytes without control characters and
 * `::`, not beginning with `:`. Every change of it is made with `ring_key`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_new(const char *origin,
                                  const dualseal_ring_key *ring_key,
                                  dualseal_ring **ring,
                                  dualseal_error **error);

/**
 * A ring of one key that a stranger got from its owner and trusts. It cannot be changed or exported.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_new_pinned(const char *identity_id,
                                         const uint8_t *public_key,
                                         size_t public_key_len,
                                         dualseal_ring **ring,
                                         dualseal_error **error);

/**
 * The ring file, for its operator's store alone: it tells decoys from keys. Its MAC binds all of it to `head`, where
 * the chain ends now; write it with each change and each decoy.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_to_stored_json(const dualseal_ring *ring,
                                             const dualseal_head *head,
                                             char **ring_json,
                                             dualseal_error **error);

/**
 * The only form in which a ring leaves its operator: no decoys, and `oboje` reads `istina`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_to_public_json(const dualseal_ring *ring,
                                             char **ring_json,
                                             dualseal_error **error);

/**
 * Gives an identity its first key, in state `istina`, and moves the head over the entry that records it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_add(dualseal_ring *ring,
                                  const char *identity_id,
                                  const uint8_t *public_key,
                                  size_t public_key_len,
                                  dualseal_head *head,
                                  int64_t time_ms,
                                  char **entry_json,
                                  dualseal_error **error);

/**
 * Puts a new key in place of an identity's current one, which is retired and keeps its state. The new key takes the
 * old one's state over, but starts as `istina` where that is `laz`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_rotate(dualseal_ring *ring,
                                     const char *identity_id,
                                     const uint8_t *public_key,
                                     size_t public_key_len,
                                     dualseal_head *head,
                                     int64_t time_ms,
                                     char **entry_json,
                                     dualseal_error **error);

/**
 * Sets the state of an identity's current key, or of the one of its keys that has the hash `key_hash`
 * (`dualseal_public_key_hash`; NULL for the current key). The specification calls this `bela`. `compromised_from` may
 * be NULL; with `DUALSEAL_KEY_STATE_REVOKED` it is the position in the chain from which the key counts as compromised,
 * at most that of the change itself and of what was said before.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_set_state(dualseal_ring *ring,
                                        const char *identity_id,
                                        const char *key_hash,
                                        dualseal_key_state state,
                                        const uint64_t *compromised_from,
                                        dualseal_head *head,
                                        int64_t time_ms,
                                        char **entry_json,
                                        dualseal_error **error);

/**
 * Adds the decoy key of a vault record, by the record's own chain entry: whoever signs with its leaked private half
 * gets `DUALSEAL_STATUS_DECOY`. No entry records it; the ring file does. The entry is the chain's next one, which this
 * takes the ring past, or one that the ring is past.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_add_decoy(dualseal_ring *ring,
                                        const uint8_t *public_key,
                                        size_t public_key_len,
                                        const char *entry_json,
                                        size_t entry_json_len,
                                        dualseal_error **error);

/**
 * Frees a ring. NULL is ignored.
 */
void dualseal_ring_free(dualseal_ring *ring);

/**
 * Draws a ring key with the system's random number generator.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_key_generate(const dualseal_domain *domain,
                                           dualseal_ring_key **ring_key,
                                           dualseal_error **error);

/**
 * From `DUALSEAL_RING_KEY_BYTES` that were drawn before. The caller overwrites its own copy.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_key_from_secret(const dualseal_domain *domain,
                                              const uint8_t *secret,
                                              size_t secret_len,
                                              dualseal_ring_key **ring_key,
                                              dualseal_error **error);

/**
 * The secret bytes, which the caller overwrites after use. `secret_len` is `DUALSEAL_RING_KEY_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_key_secret(const dualseal_ring_key *ring_key,
                                         uint8_t *secret,
                                         size_t secret_len,
                                         dualseal_error **error);

/**
 * Frees a ring key, which is overwritten when every reader that was begun with it is freed too. NULL is ignored.
 */
void dualseal_ring_key_free(dualseal_ring_key *ring_key);

/**
 * A cache of at most `budget` bytes, `DUALSEAL_PREPARED_KEY_BYTES` for each key. It lets the least recently used keys
 * go.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_key_cache_new(size_t budget,
                                       dualseal_key_cache **cache,
                                       dualseal_error **error);

/**
 * Frees a cache. NULL is ignored.
 */
void dualseal_key_cache_free(dualseal_key_cache *cache);

/**
 * Signs content for `identity_id`, for which it was hashed (`dualseal_content_hash`): appends an entry at the head,
 * moves the head on, and makes a record that names the entry. `time_ms` counts from 1970-01-01T00:00:00Z. The caller
 * stores record, entry and head, or none of them. Signatures mix in fresh randomness of the system (FIPS 204, section
 * 3.4). One signing key serves one domain.
 *
 * `ring` says whether `key` is the identity's current key, and valid: `DUALSEAL_STATUS_NOT_CURRENT` for one that was
 * rotated or called back, or is another's, `DUALSEAL_STATUS_UNKNOWN_IDENTITY` for an identity without a key. What such
 * a key signs is invalid for good, so that a program reads its ring anew before it signs. Only where it has no ring is
 * `ring` NULL, and `no_ring` 1.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signature_sign(const dualseal_domain *domain,
                                        const char *identity_id,
                                        const dualseal_signing_key *key,
                                        const dualseal_ring *ring,
                                        int32_t no_ring,
                                        const char *content_hash,
                                        dualseal_head *head,
                                        int64_t time_ms,
                                        char **record_json,
                                        char **entry_json,
                                        dualseal_error **error);

/**
 * Verifies a record by `identity_id`, the signer who is expected, over a content hash that was made for that identity
 * (`dualseal_content_hash`). Anybody else's record is Invalid, whoever in the ring signed it. The status is the
 * verdict, and only 0 is Valid; a status from 100 on says that there is no verdict. `cache` may be NULL. `place` may
 * be NULL; else it shows the record's place in the chain: a record by a key that was retired since is Valid when that
 * place is before the retirement, and a proof of another record's place makes it Invalid. `verdict` may be NULL; else
 * it is set with each of the five verdicts.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signature_verify(const dualseal_domain *domain,
                                          const dualseal_ring *ring,
                                          const dualseal_key_cache *cache,
                                          const char *identity_id,
                                          const char *content_hash,
                                          const char *record_json,
                                          size_t record_json_len,
                                          const dualseal_located *place,
                                          dualseal_verdict **verdict,
                                          dualseal_error **error);

/**
 * What a record says, for a program that reads no JSON: whose it claims to be, the hash of what was signed, the short
 * handle of its entry in the chain (each `DUALSEAL_ID_TEXT_BYTES` long), the key (`DUALSEAL_PUBLIC_KEY_BYTES`), and
 * when, in milliseconds since 1970-01-01T00:00:00Z. **Nothing is verified**: anybody can write such a record, and
 * which signer is expected must not be read from it. Whoever wants only some of them gives NULL for the others.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signature_record_parts(const char *record_json,
                                                size_t record_json_len,
                                                char *identity_id,
                                                size_t identity_id_len,
                                                char *content_hash,
                                                size_t content_hash_len,
                                                char *krunica_hash,
                                                size_t krunica_hash_len,
                                                uint8_t *public_key,
                                                size_t public_key_len,
                                                int64_t *time_ms,
                                                dualseal_error **error);

/**
 * Verifies a record over content in memory by whomever of the ring it names, for a caller who then decides by that
 * identity: each of them can sign any content, so that the status alone authorises nothing. `signer`, which is
 * `DUALSEAL_ID_TEXT_BYTES` long, takes it; for every status but 0 it is the empty text. The rest is as for
 * `dualseal_signature_verify`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signature_verify_any_signer(const dualseal_domain *domain,
                                                     const dualseal_ring *ring,
                                                     const dualseal_key_cache *cache,
                                                     const uint8_t *content,
                                                     size_t content_len,
                                                     const char *record_json,
                                                     size_t record_json_len,
                                                     const dualseal_located *place,
                                                     char *signer,
                                                     size_t signer_len,
                                                     dualseal_verdict **verdict,
                                                     dualseal_error **error);

/**
 * What an audience is told, as JSON. `as_of_json` is the verdict with its dates, of a signature or a seal that was
 * verified at a proven place: `{claimed, failed, opozvan_od, place, result, revoked_now, revoked_then, size}`. The
 * verdict follows the state of the key as of that `size`; the dates tell whether the record stands before a revocation
 * (`revoked_now`), within a revoked interval (`revoked_then`), and at or after the place from which the key is said to
 * be compromised (`claimed`). It is set to NULL where there was no place. Each may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verdict_to_json(const dualseal_verdict *verdict,
                                         dualseal_audience audience,
                                         char **result_json,
                                         char **as_of_json,
                                         dualseal_error **error);

/**
 * Frees a verdict. NULL is ignored.
 */
void dualseal_verdict_free(dualseal_verdict *verdict);

/**
 * Verifies a checkpoint against what is known of its log beforehand: its name, its signer's identity, the hash of its
 * signer's public key, and the least size that is accepted, which is that of the last checkpoint seen. The status is
 * the verdict. `ring` adds the state of the signer's key: for whoever has no ring, and is told nothing of a key that
 * was called back, it is NULL, and `no_ring` 1. `cache` may be NULL. `checkpoint` is set when the status is 0.
 * `verdict` may be NULL; else it is set with each of the five verdicts.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_checkpoint_verify(const dualseal_domain *domain,
                                           const char *origin,
                                           const char *identity_id,
                                           const char *key_hash,
                                           uint64_t least_size,
                                           const dualseal_ring *ring,
                                           int32_t no_ring,
                                           const dualseal_key_cache *cache,
                                           const char *checkpoint_json,
                                           size_t checkpoint_json_len,
                                           dualseal_checkpoint **checkpoint,
                                           dualseal_verdict **verdict,
                                           dualseal_error **error);

/**
 * The fingerprint of the log that a checkpoint says to be of, verified or not: what people compare, and what evidence
 * is verified by. It pins the log's name, its signer, the signer's key and the domain at once. `log_len` is
 * `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_checkpoint_fingerprint(const dualseal_domain *domain,
                                                const char *checkpoint_json,
                                                size_t checkpoint_json_len,
                                                char *log,
                                                size_t log_len,
                                                dualseal_error **error);

/**
 * What was signed, which is the mark of a log whose last checkpoint this is (`dualseal_mark_first`):
 * `{"origin","ring","root","size","top"}`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_checkpoint_mark(const dualseal_checkpoint *checkpoint,
                                         char **mark_json,
                                         dualseal_error **error);

/**
 * Frees a checkpoint. NULL is ignored. Readers that were begun with it stay good.
 */
void dualseal_checkpoint_free(dualseal_checkpoint *checkpoint);

/**
 * The high-water mark of a log that never had a checkpoint, named `origin`: 1 to 255 bytes without control characters
 * and `::`, not beginning with `:`. `ring` is the log's own, read up to `head` or changed there; for a log that has
 * none it is NULL, and `no_ring` 1. Nothing is compared with anything: a caller who makes a first mark twice can sign
 * a fork.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_mark_first(const char *origin,
                                    const dualseal_head *head,
                                    const dualseal_ring *ring,
                                    int32_t no_ring,
                                    char **mark_json,
                                    dualseal_error **error);

/**
 * The mark of a chain that was shown to go on from what `mark_json` says: `proofs` are those of a reader under the
 * checkpoint of that mark, which began anywhere up to there. A ring that is older than the mark's, or another one, is
 * refused. `ring` and `no_ring` as for `dualseal_mark_first`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_mark_next(const char *mark_json,
                                   size_t mark_json_len,
                                   const dualseal_proofs *proofs,
                                   const dualseal_ring *ring,
                                   int32_t no_ring,
                                   char **next_json,
                                   dualseal_error **error);

/**
 * Signs what a mark says, once it is written where a restored backup does not take it back. `note_key` is the Ed25519
 * public key of the log's notes, 64 hexadecimal characters, or NULL. `ring` and `no_ring` as for
 * `dualseal_signature_sign`: it is the log's own ring that says who signs for it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_checkpoint_sign(const dualseal_domain *domain,
                                         const char *identity_id,
                                         const dualseal_signing_key *key,
                                         const dualseal_ring *ring,
                                         int32_t no_ring,
                                         const char *note_key,
                                         const char *mark_json,
                                         size_t mark_json_len,
                                         int64_t time_ms,
                                         char **checkpoint_json,
                                         dualseal_error **error);

/**
 * Reads a public ring, which cannot be changed, and holds it against the checkpoint that states it:
 * `DUALSEAL_STATUS_RING_FOREIGN` for the ring of another log, `DUALSEAL_STATUS_RING_ROLLBACK` for an older one,
 * `DUALSEAL_STATUS_RING_MISMATCH` for one that was edited, or is newer. Only a ring that nothing attests has no
 * `checkpoint`, and `unattested` is 1: whoever hands it over can write in it what he likes. What it calls valid is its
 * operator's word. The operator's own file is read by `dualseal_chain_reader_watch_ring`, which holds it against its
 * chain.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_from_public_json(const char *ring_json,
                                               size_t ring_json_len,
                                               const dualseal_checkpoint *checkpoint,
                                               int32_t unattested,
                                               dualseal_ring **ring,
                                               dualseal_error **error);

/**
 * Begins at the first entry, or at `begin`, a head that the caller stored where nobody else writes, such as a
 * `signed_head` (`dualseal_chain_reader_finish`). The chain must agree with `checkpoint`, beyond which nothing is
 * proven to others; for whoever appends, and proves nothing by what is read, it is NULL, and `no_checkpoint` 1. It
 * must end exactly at `own`, the head that the caller keeps with it and will append to. `begin` and `own` may be NULL;
 * without an end the chain is checked for itself.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_reader_new(const dualseal_domain *domain,
                                          const dualseal_head *begin,
                                          const dualseal_checkpoint *checkpoint,
                                          int32_t no_checkpoint,
                                          const dualseal_head *own,
                                          dualseal_chain_reader **reader,
                                          dualseal_error **error);

/**
 * Begins where the chain ended when a ring file was written, which is what a change of the ring needs: the entries
 * from that size on are pushed, and end at `own`, which the caller keeps with the chain. Before that place nothing is
 * known, so that nothing can be watched for that is shown to others.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_reader_from_ring_file(const dualseal_domain *domain,
                                                     const char *ring_json,
                                                     size_t ring_json_len,
                                                     const dualseal_head *own,
                                                     dualseal_chain_reader **reader,
                                                     dualseal_error **error);

/**
 * Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines
 * (`dualseal_entry_parts`). Of a broken chain the error's index is the first bad entry; after that the same again, for
 * what follows a bad entry proves nothing.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_reader_push(dualseal_chain_reader *reader,
                                           const char *line,
                                           size_t line_len,
                                           dualseal_error **error);

/**
 * Ends the chain, and the reader whatever comes of it. A fault of the chain is told here, and stops every proof; the
 * fault of one watcher is told where its proof is asked for, and stops no other. `signed_head` is where the checkpoint
 * ended, which a later reader begins with, and `head` where all that was read did. Both may be NULL; they are set to
 * NULL where there was no checkpoint, and where the reader began at a ring file.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_reader_finish(dualseal_chain_reader *reader,
                                             dualseal_proofs **proofs,
                                             dualseal_head **signed_head,
                                             dualseal_head **head,
                                             dualseal_error **error);

/**
 * Frees a reader. NULL is ignored. What it proved stays good.
 */
void dualseal_chain_reader_free(dualseal_chain_reader *reader);

/**
 * Compares two checkpoints of one log without the chain: equal, a fork, a contradiction, or of different sizes.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_checkpoint_compare(const dualseal_checkpoint *first,
                                            const dualseal_checkpoint *second,
                                            dualseal_consistency *consistency,
                                            dualseal_error **error);

/**
 * Watches for what two verified checkpoints of one log say of each other with the chain of the larger one.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_reader_watch_consistency(dualseal_chain_reader *reader,
                                                        const dualseal_checkpoint *first,
                                                        const dualseal_checkpoint *second,
                                                        dualseal_watched *watched,
                                                        dualseal_error **error);

/**
 * What the two say. A chain that is not the larger checkpoint's is refused: then nothing can be said of two sizes.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_proofs_consistency(const dualseal_proofs *proofs,
                                            dualseal_watched watched,
                                            dualseal_consistency *consistency,
                                            dualseal_error **error);

/**
 * Watches for the entries with these `krunica_hashes`, as many as `count`, among those that are read below the
 * checkpoint; and for the one by which the log's ring became what the checkpoint states, where it states one: the
 * first that reads so, for anybody may append copies.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_reader_watch_places(dualseal_chain_reader *reader,
                                                   const char *const *krunica_hashes,
                                                   size_t count,
                                                   dualseal_watched *watched,
                                                   dualseal_error **error);

/**
 * The proof that the entry with this `krunica_hash` stands in the chain, below the size of the checkpoint; or, with
 * NULL and `of_ring` 1, the entry by which the ring became what the checkpoint states. `DUALSEAL_STATUS_NOT_LOCATED`
 * for an entry that does not stand there, or that was not watched for. `proof_json` is the same for others, who do not
 * have the chain: `{"checkpoint","entry","path"}`. `place` and `proof_json` may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_proofs_place(const dualseal_proofs *proofs,
                                      dualseal_watched watched,
                                      const char *krunica_hash,
                                      int32_t of_ring,
                                      dualseal_located **place,
                                      char **proof_json,
                                      dualseal_error **error);

/**
 * Verifies a proof of a place that somebody else made (`dualseal_proofs_place`), under the verified checkpoint that
 * came with it, or any other of the same log and size. What it shows is that the entry stands in the log, and not that
 * the chain before it holds together.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_place_proof_verify(const dualseal_checkpoint *checkpoint,
                                            const char *proof_json,
                                            size_t proof_json_len,
                                            dualseal_located **place,
                                            dualseal_error **error);

/**
 * Frees a proof. NULL is ignored.
 */
void dualseal_located_free(dualseal_located *place);

/**
 * Frees proofs. NULL is ignored. What was taken from them stays good.
 */
void dualseal_proofs_free(dualseal_proofs *proofs);

/**
 * Watches for the changes of a ring file's ring, with its authority and every vault master of the log, in an array of
 * `masters_count`: a file from before one of their records is an old one. Only where no vault has a record there are
 * they NULL and 0. The reader begins at the first entry, or anywhere that is not after the file's end. Entries beyond
 * the checkpoint count too.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_reader_watch_ring(dualseal_chain_reader *reader,
                                                 const char *ring_json,
                                                 size_t ring_json_len,
                                                 const dualseal_ring_key *ring_key,
                                                 const dualseal_vault_master *const *masters,
                                                 size_t masters_count,
                                                 dualseal_watched *watched,
                                                 dualseal_error **error);

/**
 * The ring, compared with what the chain says, once: it is the caller's to change. An old ring is
 * `DUALSEAL_STATUS_RING_ROLLBACK`, every other difference `DUALSEAL_STATUS_RING_FORGED`, and
 * `DUALSEAL_STATUS_RING_MISSTATED` a checkpoint that states another ring than its chain. `ignored_json` may be NULL;
 * else it is set to what counts for nothing, `{"entries":[{"reason":…,"seq":…},…],"more":…}`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_proofs_ring(dualseal_proofs *proofs,
                                     dualseal_watched watched,
                                     dualseal_ring **ring,
                                     char **ignored_json,
                                     dualseal_error **error);

/**
 * Takes the ring past an entry that was appended since: one line of a file of JSON lines, without `seq`
 * (`dualseal_entry_parts`), the chain's next one. A ring is changed, stored and stated where it was taken past every
 * entry up to the head, each in its turn (`DUALSEAL_STATUS_STALE_RING` is one that was not); its own changes, and
 * `dualseal_ring_add_decoy`, take it past theirs. `masters`, `masters_count` of them, are every vault master of the
 * log, and only where no vault has a record there NULL and 0.
 *
 * A change of this ring that was made elsewhere, and a vault record whose decoy it lacks, are
 * `DUALSEAL_STATUS_RING_ROLLBACK`: the ring is then read again, against its chain
 * (`dualseal_chain_reader_from_ring_file`). Of a line that does not go on from the chain so far the error's index is
 * the entry. On an error the ring is as it was.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_follow(dualseal_ring *ring,
                                     const char *line,
                                     size_t line_len,
                                     const dualseal_vault_master *const *masters,
                                     size_t masters_count,
                                     dualseal_error **error);

/**
 * Makes a file of evidence (`.evidence.json`), by whoever has the log. `name` is what `domain` was made of; with NULL,
 * where constants were set by hand, the verifier has to know the domain. `record_json` is a signature record, a vault
 * record that was redacted, `{"identity_id","javni_kljuc","seal"}` of a dual seal, or
 * `{"identity_id","javni_kljuc","result","session_id"}` of a quorum. `public_key` is the key of a vault record, which
 * lacks it, and else NULL with length 0. `ring` is the log's, as the checkpoint states it. `place_json` is the proof
 * of the place of the record's entry, and `ring_place_json` of the ring's (`dualseal_proofs_place`). `note`, the log's
 * signed note with what its witnesses added, may be NULL.
 *
 * What nobody could verify is not given out; whether the record holds over its document, the verifier says.
 * `DUALSEAL_STATUS_DECOY_KEY` where the operator's own ring knows the key as a honeypot: outsiders would read what it
 * signed as a pass. That is for the operator alone.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_evidence_make(const dualseal_domain *domain,
                                       const char *name,
                                       const char *record_json,
                                       size_t record_json_len,
                                       const uint8_t *public_key,
                                       size_t public_key_len,
                                       const dualseal_ring *ring,
                                       const char *place_json,
                                       size_t place_json_len,
                                       const char *ring_place_json,
                                       size_t ring_place_json_len,
                                       const char *note,
                                       size_t note_len,
                                       char **evidence_json,
                                       dualseal_error **error);

/**
 * Verifies of a file of evidence all that needs no document: the fingerprint of the log that is believed (`log`,
 * `dualseal_checkpoint_fingerprint`, known from elsewhere), the checkpoint, the note, the places of the record's entry
 * and of the ring's, the path of the key, and whose it is, in this order. `domain` is needed where its constants were
 * set by hand, must not be another's, and else may be NULL.
 *
 * Whose record it must be is said in one way of three: `signer`, an identity; `key_hash`, SHA3-256 over a public key,
 * which is the signer's fingerprint; or `any_signer` 1, for a caller who then decides by the report's `identity_id`:
 * every identity of a log's ring can sign any document.
 *
 * `least_size` is the least size of the checkpoint: one that was seen elsewhere keeps an old one from hiding a
 * revocation. `witnesses`, `count` of them, are verifier keys as `tlog-cosignature` writes them, of which `needed`
 * must have seen the log, 1 or more where any is named, by `witnessed_after_ms` or later where that is not NULL; both
 * are judged with the document.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_evidence_open(const dualseal_domain *domain,
                                       const char *log,
                                       const char *signer,
                                       const char *key_hash,
                                       int32_t any_signer,
                                       uint64_t least_size,
                                       const char *const *witnesses,
                                       size_t count,
                                       uint32_t needed,
                                       const int64_t *witnessed_after_ms,
                                       const char *evidence_json,
                                       size_t evidence_json_len,
                                       dualseal_evidence **evidence,
                                       dualseal_error **error);

/**
 * Takes the next part of the document: of the content, the payload, the stored bytes or the message, by the kind of
 * the record (`vrsta`).
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_evidence_update(dualseal_evidence *evidence,
                                         const uint8_t *document,
                                         size_t document_len,
                                         dualseal_error **error);

/**
 * Verifies the record over all parts, by the key in its state as of the checkpoint, then counts the witnesses, and
 * ends the check. The status is the verdict: Valid, Revoked or Suspended. A record that does not hold over this
 * document is `DUALSEAL_STATUS_EVIDENCE_RECORD`, whatever the state of its key. `report_json`, which may be NULL, is
 * set with each verdict: `{as_of, before, identity_id, key, log, not_shown, origin, since, state, vault_id, vrsta,
 * witnesses}`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_evidence_finish(dualseal_evidence *evidence,
                                         char **report_json,
                                         dualseal_error **error);

/**
 * Compares what two files of evidence of one key show, each with a verdict (`dualseal_evidence_finish`), in any order:
 * from the smaller size to the larger a key's history only grows, by changes from there on, and the place from which
 * it counts as compromised only falls. `DUALSEAL_STATUS_EVIDENCE_RETOLD` is a log whose signer took something back,
 * dated a change back, or signed two checkpoints that no log has: keep both files, which convict him. Evidence of two
 * logs is `DUALSEAL_STATUS_EVIDENCE_LOG`, of two keys `DUALSEAL_STATUS_KEY_OTHER`, and without a verdict
 * `DUALSEAL_STATUS_NOT_VERIFIED`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_evidence_compare(const dualseal_evidence *first,
                                          const dualseal_evidence *second,
                                          dualseal_error **error);

/**
 * Frees evidence. NULL is ignored.
 */
void dualseal_evidence_free(dualseal_evidence *evidence);

/**
 * Makes a dual seal over a payload for `identity_id`, with its seal key (layer A) and its signing key (layer B). The
 * signature mixes in fresh randomness of the system. `ring` and `no_ring` as for `dualseal_signature_sign`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_payload_seal(const dualseal_domain *domain,
                                      const char *identity_id,
                                      const dualseal_seal_key *seal_key,
                                      const dualseal_signing_key *key,
                                      const dualseal_ring *ring,
                                      int32_t no_ring,
                                      const uint8_t *payload,
                                      size_t payload_len,
                                      char **seal,
                                      dualseal_error **error);

/**
 * Verifies a seal over a payload in memory. The status is the verdict, and only 0 is Valid. `seal_key` may be NULL
 * with `DUALSEAL_SEAL_POLICY_LAYER_B`. `cache` may be NULL, and so may `place`: a seal by a key that was retired
 * since is Valid only at a proven place before the retirement, of the seal's own entry (`dualseal_seal_append`). A
 * legacy seal is never Valid. `report` may be NULL; else it is set with each of the five verdicts.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_verify(const dualseal_domain *domain,
                                     const dualseal_ring *ring,
                                     const dualseal_key_cache *cache,
                                     const char *seal,
                                     size_t seal_len,
                                     const uint8_t *payload,
                                     size_t payload_len,
                                     const char *identity_id,
                                     dualseal_seal_policy policy,
                                     const dualseal_seal_key *seal_key,
                                     const dualseal_located *place,
                                     dualseal_seal_report **report,
                                     dualseal_error **error);

/**
 * Checks layer A of a dual seal alone. `DUALSEAL_STATUS_AUTHENTICATED`, and never 0, says that somebody who has the
 * seal key made it, who may be the caller. **That is not Valid**: no signature was checked and no key state consulted,
 * and whoever must rely on who sealed calls `dualseal_seal_verify`. `DUALSEAL_STATUS_INVALID` says that layer A does
 * not hold, or that the seal has nothing else. `report` may be NULL; else it is set with both of them.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_authenticate(const dualseal_domain *domain,
                                           const char *seal,
                                           size_t seal_len,
                                           const uint8_t *payload,
                                           size_t payload_len,
                                           const char *identity_id,
                                           const dualseal_seal_key *seal_key,
                                           dualseal_seal_report **report,
                                           dualseal_error **error);

/**
 * Appends the entry of a dual seal of `identity_id`, for whoever wants the seal to outlive its key, and moves the head
 * on. A plain message, whatever it says, is no seal's entry. `time_ms` counts from 1970-01-01T00:00:00Z. The entry is
 * JSON.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_append(const char *seal,
                                     size_t seal_len,
                                     dualseal_head *head,
                                     const dualseal_domain *domain,
                                     const char *identity_id,
                                     int64_t time_ms,
                                     char **entry_json,
                                     dualseal_error **error);

/**
 * Draws a seal key with the system's random number generator. `key` takes its bytes, a secret to be stored, which the
 * caller overwrites after use; `key_len` is `DUALSEAL_SEAL_KEY_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_key_generate(uint8_t *key,
                                           size_t key_len,
                                           dualseal_seal_key **seal_key,
                                           dualseal_error **error);

/**
 * From 32 or 64 bytes that were drawn before. The caller overwrites its own copy.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_key_from_bytes(const uint8_t *key,
                                             size_t key_len,
                                             dualseal_seal_key **seal_key,
                                             dualseal_error **error);

/**
 * An identity's key from a master of 32 drawn bytes, which the caller overwrites.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_key_derive(const dualseal_domain *domain,
                                         const uint8_t *master,
                                         size_t master_len,
                                         const char *identity_id,
                                         dualseal_seal_key **seal_key,
                                         dualseal_error **error);

/**
 * Frees a seal key. NULL is ignored. What was made with it stays good.
 */
void dualseal_seal_key_free(dualseal_seal_key *seal_key);

/**
 * The outcome of each layer, the HMAC (A) and the signature (B), of which one that holds is not yet a verdict; and a
 * new handle on the verdict, `DUALSEAL_STATUS_NO_VERDICT` where layer A alone was checked, which gives none. Whoever
 * wants only some of them gives NULL for the others.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_report_parts(const dualseal_seal_report *report,
                                           dualseal_layer_outcome *layer_a,
                                           dualseal_layer_outcome *layer_b,
                                           dualseal_verdict **verdict,
                                           dualseal_error **error);

/**
 * The pair that an audience is told, as JSON, such as `[false,"decoy"]`; for everybody a decoy reads as `[true,"ok"]`,
 * which is a courtesy, not evidence.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_report_to_json(const dualseal_seal_report *report,
                                             dualseal_audience audience,
                                             char **pair_json,
                                             dualseal_error **error);

/**
 * Frees a report. NULL is ignored.
 */
void dualseal_seal_report_free(dualseal_seal_report *report);

/**
 * The binary form of a record, entry or seal. `out` is to be freed with `dualseal_bytes_free`. Nothing is verified,
 * and nothing is hashed or signed in this form. `DUALSEAL_STATUS_UNKNOWN_VALUE` with the argument `kind` for a kind
 * that is none of these; for a text that is none of its kind, the status and the member that reading it elsewhere
 * would name.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_binary_from_text(dualseal_binary kind,
                                          const char *text,
                                          size_t text_len,
                                          uint8_t **out,
                                          size_t *out_len,
                                          dualseal_error **error);

/**
 * The text of a binary form. With `DUALSEAL_BINARY_SHORT_RECORD`, `public_key` is the key that the reader has for the
 * record, of `DUALSEAL_PUBLIC_KEY_BYTES`. With every other kind it is NULL.
 *
 * `DUALSEAL_STATUS_UNKNOWN_VALUE` names what it is of: `kind`, for a kind that is none of these, and for bytes of
 * another one; `public_key`, for a key beside another kind; `javni_kljuc`, for a record that has another key than
 * this one; `flags`. `DUALSEAL_STATUS_MISSING_MEMBER` is a record without its key, read as one that has it, and
 * `DUALSEAL_STATUS_LENGTH` bytes that are too few or too many.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_binary_to_text(dualseal_binary kind,
                                        const uint8_t *stored,
                                        size_t stored_len,
                                        const uint8_t *public_key,
                                        size_t public_key_len,
                                        char **text,
                                        dualseal_error **error);

/**
 * An empty batch. `cache` may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signature_batch_new(const dualseal_domain *domain,
                                             const dualseal_ring *ring,
                                             const dualseal_key_cache *cache,
                                             dualseal_signature_batch **batch,
                                             dualseal_error **error);

/**
 * Adds a record, as for `dualseal_signature_verify`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signature_batch_push(dualseal_signature_batch *batch,
                                              const char *identity_id,
                                              const char *content_hash,
                                              const char *record_json,
                                              size_t record_json_len,
                                              const dualseal_located *place,
                                              dualseal_error **error);

/**
 * Verifies the items that were added since the last run, on `threads` threads: 0 is as many as the machine runs at
 * once, 1 the calling thread. No more are started than there are items, and where the system does not start as many,
 * fewer do it. They have ended when this returns. `DUALSEAL_STATUS_RANGE` for more than 1024; the items then wait as
 * before. `told` and `user` may be NULL. The status 0 says that all have a verdict, and nothing of what it is.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signature_batch_run(dualseal_signature_batch *batch,
                                             size_t threads,
                                             dualseal_batch_told told,
                                             void *user,
                                             dualseal_error **error);

/**
 * The verdict on the item that was added at this position, from 0, as the status. `verdict` may be NULL.
 * `DUALSEAL_STATUS_RANGE` for an item that has none yet.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signature_batch_verdict(const dualseal_signature_batch *batch,
                                                 size_t position,
                                                 dualseal_verdict **verdict,
                                                 dualseal_error **error);

/**
 * Frees a batch. NULL is ignored.
 */
void dualseal_signature_batch_free(dualseal_signature_batch *batch);

/**
 * Says what a text is, which version, and what is wrong with its form, as JSON:
 * `{"count","findings":[{"code","field","index","message"}],"kind","omitted","version"}`, with `null` for what there
 * is not. There are at most 500 findings; `omitted` counts the rest. It verifies nothing: a text without findings is
 * well-formed, no more. The text need not be UTF-8.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_text_inspect(const uint8_t *text,
                                      size_t text_len,
                                      char **inspection_json,
                                      dualseal_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DUALSEAL_H */
