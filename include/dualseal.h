/*
 * dualseal: tamper-evident documents that outlive quantum computers.
 *
 * The contract of every function here:
 *
 * - Status: a function that can fail returns a `dualseal_status`. 0 alone is success, and a verification's 0 means
 *   Valid alone. 1 to 4 are the other verdicts, 100 to 199 malformed input, 200 to 299 rejected evidence, 300 to 399
 *   misuse, 400 failed randomness, 900 to 999 the C ABI's own. A number never changes its meaning.
 * - Errors: the last argument, `error`, may be NULL. On a status from 100 on, `*error` is set to a new error, which
 *   the caller frees with `dualseal_error_free`; else it is left as it was. Nothing is kept in globals.
 * - Outputs are written on success only; on a failure they, and every handle given, are as they were, but for an
 *   operation that a function says it ends. They need not be initialised, are not freed before they are overwritten,
 *   and must not overlap one another.
 * - NULL: no argument may be NULL unless its function says so, and one that is NULL gives
 *   `DUALSEAL_STATUS_NULL_ARGUMENT`. Bytes of length 0 may be NULL. NULL to a `_free` function does nothing.
 * - Ownership: a handle is freed once, by the `_free` function of its type, and not used again. Texts (`char **`) are
 *   freed by `dualseal_string_free` and bytes (`uint8_t **`) by `dualseal_bytes_free`, which overwrite them first.
 *   No function keeps an argument after it returns. Texts returned as `const char *` are not freed.
 * - Text is UTF-8 and ends with NUL, going in and coming out. Bytes come with their length. The length of a buffer
 *   that is written to counts the NUL and is exactly the one documented, else `DUALSEAL_STATUS_BUFFER_LENGTH`. Paths
 *   end with NUL too: any bytes on Unix, UTF-8 elsewhere.
 * - Identifiers and hashes are lowercase hexadecimal. Times are milliseconds since 1970-01-01T00:00:00Z, given by the
 *   caller: the library reads no clock and no network, and no file but one that a call names.
 * - Threads: different handles may be used by different threads at the same time. A `const` handle may be shared, so
 *   long as no other thread changes or frees it.
 * - Panics do not cross into C: the call returns `DUALSEAL_STATUS_PANIC`. That is a defect of the library, and the
 *   handles of the call are then only good to be freed.
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

/**
 * Raised whenever a program that was compiled against an older header would no longer work.
 */
#define DUALSEAL_ABI_VERSION 1

/**
 * What a function returns that did what it was asked to: `DUALSEAL_STATUS_VALID`.
 */
#define DUALSEAL_OK 0

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
 * Bytes of a ring key.
 */
#define DUALSEAL_RING_KEY_BYTES 32

/**
 * Bytes of an identifier, content hash or key hash as text: 64 hexadecimal characters and NUL.
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
#define DUALSEAL_PREPARED_KEY_BYTES 44960

/**
 * What a function returns. 0 alone is success; for a verification it means Valid and nothing less.
 */
enum dualseal_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Done; for a verification: every check held, with a valid key.
     */
    DUALSEAL_STATUS_VALID = 0,
    /**
     * Verdict: a check failed, or the key in the record is not one of its identity.
     */
    DUALSEAL_STATUS_INVALID = 1,
    /**
     * Verdict: the key is revoked; nothing else counts.
     */
    DUALSEAL_STATUS_REVOKED = 2,
    /**
     * Verdict: the key is suspended; the record is neither confirmed nor rejected.
     */
    DUALSEAL_STATUS_SUSPENDED = 3,
    /**
     * Verdict: every check held, with a honeypot key. It authorises nothing: somebody signs with a stolen secret.
     */
    DUALSEAL_STATUS_DECOY = 4,
    /**
     * Malformed: not as long as it must be.
     */
    DUALSEAL_STATUS_LENGTH = 100,
    /**
     * Malformed: not lowercase hexadecimal.
     */
    DUALSEAL_STATUS_HEX = 101,
    /**
     * Malformed: not UTF-8.
     */
    DUALSEAL_STATUS_UTF8 = 102,
    /**
     * Malformed: contains `::` or begins with `:`.
     */
    DUALSEAL_STATUS_AMBIGUOUS = 103,
    /**
     * Malformed: contains a control character.
     */
    DUALSEAL_STATUS_CONTROL = 104,
    /**
     * Malformed: not a time of the form 2026-11-21T09:00:00.000Z.
     */
    DUALSEAL_STATUS_TIMESTAMP = 105,
    /**
     * Malformed: outside the documented range.
     */
    DUALSEAL_STATUS_RANGE = 106,
    /**
     * Malformed: none of the known values.
     */
    DUALSEAL_STATUS_UNKNOWN_VALUE = 107,
    /**
     * Malformed: a JSON member is missing.
     */
    DUALSEAL_STATUS_MISSING_MEMBER = 108,
    /**
     * Malformed: a JSON member that is not part of the record.
     */
    DUALSEAL_STATUS_UNKNOWN_MEMBER = 109,
    /**
     * Malformed: two JSON members of one object have the same name.
     */
    DUALSEAL_STATUS_DUPLICATE_MEMBER = 110,
    /**
     * Malformed: another JSON type than the documented one.
     */
    DUALSEAL_STATUS_WRONG_TYPE = 111,
    /**
     * Malformed: not JSON.
     */
    DUALSEAL_STATUS_JSON_SYNTAX = 112,
    /**
     * Malformed: JSON nested deeper than 32.
     */
    DUALSEAL_STATUS_JSON_DEPTH = 113,
    /**
     * Malformed: a JSON number that is not an integer within 2^53-1.
     */
    DUALSEAL_STATUS_JSON_NUMBER = 114,
    /**
     * Malformed: a lone surrogate in a JSON string.
     */
    DUALSEAL_STATUS_JSON_SURROGATE = 115,
    /**
     * Malformed: a byte order mark before the JSON.
     */
    DUALSEAL_STATUS_JSON_BYTE_ORDER_MARK = 116,
    /**
     * Malformed: not the DER of an ML-DSA-65 key.
     */
    DUALSEAL_STATUS_DER = 117,
    /**
     * Malformed: not PEM with the right label.
     */
    DUALSEAL_STATUS_PEM = 118,
    /**
     * Malformed: all bytes are zero.
     */
    DUALSEAL_STATUS_ALL_ZERO = 119,
    /**
     * Malformed: an expanded key with coefficients out of range.
     */
    DUALSEAL_STATUS_KEY_COEFFICIENTS = 120,
    /**
     * Malformed: an expanded key that does not match its own public key.
     */
    DUALSEAL_STATUS_KEY_HASH = 121,
    /**
     * Malformed: not a valid domain constant.
     */
    DUALSEAL_STATUS_CONSTANT = 122,
    /**
     * Malformed: items are not in the documented order.
     */
    DUALSEAL_STATUS_ORDER = 123,
    /**
     * Malformed: the same item twice.
     */
    DUALSEAL_STATUS_REPEATED = 124,
    /**
     * Malformed: a number that is not below its field's modulus.
     */
    DUALSEAL_STATUS_NOT_CANONICAL = 130,
    /**
     * Malformed: does not begin as an encrypted stream does.
     */
    DUALSEAL_STATUS_STREAM_HEADER = 131,
    /**
     * Rejected chain: an entry does not have exactly the members of an entry.
     */
    DUALSEAL_STATUS_CHAIN_MEMBERS = 200,
    /**
     * Rejected chain: an entry does not name the one before it.
     */
    DUALSEAL_STATUS_CHAIN_PREV = 201,
    /**
     * Rejected chain: a member of an entry does not have its form, or a lone entry says another position.
     */
    DUALSEAL_STATUS_CHAIN_FORMAT = 202,
    /**
     * Rejected chain: an entry was altered.
     */
    DUALSEAL_STATUS_CHAIN_HASH = 203,
    /**
     * Rejected chain: entries that a checkpoint covers are missing at its end.
     */
    DUALSEAL_STATUS_CHAIN_TRUNCATED = 204,
    /**
     * Rejected chain: another chain than the one a checkpoint was signed over.
     */
    DUALSEAL_STATUS_CHAIN_REWRITTEN = 205,
    /**
     * Rejected chain: other times than those a checkpoint was signed over.
     */
    DUALSEAL_STATUS_CHAIN_RETIMED = 206,
    /**
     * Rejected ring: its chain holds a later change.
     */
    DUALSEAL_STATUS_RING_ROLLBACK = 207,
    /**
     * Rejected ring: not the one that its chain vouches for.
     */
    DUALSEAL_STATUS_RING_FORGED = 208,
    /**
     * Rejected shares: too few of them are usable.
     */
    DUALSEAL_STATUS_TOO_FEW_SHARES = 210,
    /**
     * Rejected shares: they are the dealer's, and what they give is not.
     */
    DUALSEAL_STATUS_DEALER_FAULT = 211,
    /**
     * Rejected shares: without commitments, more are wrong than can be corrected.
     */
    DUALSEAL_STATUS_TOO_MANY_ERRORS = 212,
    /**
     * Rejected shares: some belong to another set.
     */
    DUALSEAL_STATUS_MIXED_SHARES = 213,
    /**
     * Rejected stream: encrypted under another key, or for another use.
     */
    DUALSEAL_STATUS_STREAM_KEY = 216,
    /**
     * Rejected stream: changed, moved or cut off. The error's index is the chunk's.
     */
    DUALSEAL_STATUS_STREAM_CHUNK = 217,
    /**
     * Rejected presence: the challenge has expired.
     */
    DUALSEAL_STATUS_PRESENCE_EXPIRED = 220,
    /**
     * Rejected presence: the challenge expires more than 300 seconds from now.
     */
    DUALSEAL_STATUS_PRESENCE_TOO_FAR = 221,
    /**
     * Rejected presence: fewer good proofs by different keys than required.
     */
    DUALSEAL_STATUS_PRESENCE_TOO_FEW = 222,
    /**
     * Rejected presence: the nonce was used before.
     */
    DUALSEAL_STATUS_PRESENCE_NONCE_USED = 223,
    /**
     * Rejected session: no entry of it stands in the chain below the checkpoint.
     */
    DUALSEAL_STATUS_SESSION_ABSENT = 230,
    /**
     * Rejected session: the record of one of its entries was not given. The error's index is the entry's.
     */
    DUALSEAL_STATUS_SESSION_RECORD = 231,
    /**
     * Rejected session: a later record differs in what never changes.
     */
    DUALSEAL_STATUS_SESSION_CHANGED = 232,
    /**
     * Rejected session: its anchor is not the pinned one.
     */
    DUALSEAL_STATUS_SESSION_ANCHOR = 233,
    /**
     * Rejected session: the rebuilt secret is not the seed of its public key.
     */
    DUALSEAL_STATUS_SESSION_KEY = 234,
    /**
     * Rejected session: of the other kind, with a public key or without.
     */
    DUALSEAL_STATUS_SESSION_KIND = 235,
    /**
     * Rejected result: not what this session made of this message.
     */
    DUALSEAL_STATUS_SESSION_RESULT = 236,
    /**
     * Rejected share that was made again: not committed to for this custodian.
     */
    DUALSEAL_STATUS_SHARE_NOT_COMMITTED = 237,
    /**
     * Rejected shard: its seal does not hold.
     */
    DUALSEAL_STATUS_SHARD_SEAL = 240,
    /**
     * Rejected shard: its members do not give its identifier.
     */
    DUALSEAL_STATUS_SHARD_IDENTIFIER = 241,
    /**
     * Rejected shards: some are of another vault or splitting.
     */
    DUALSEAL_STATUS_MIXED_SHARDS = 242,
    /**
     * Rejected shards: of a splitting that was superseded.
     */
    DUALSEAL_STATUS_SUPERSEDED_SPLIT = 243,
    /**
     * Rejected vault: no splitting of it stands in the chain below the checkpoint.
     */
    DUALSEAL_STATUS_NO_SPLIT = 244,
    /**
     * Rejected vault: the stored bytes are not those that were verified.
     */
    DUALSEAL_STATUS_STORED_CHANGED = 250,
    /**
     * Rejected ledger: a record that the chain vouches for is missing or is another one. The error's index is its
     * place in the ledger, as for those below.
     */
    DUALSEAL_STATUS_LEDGER_TRUNCATED = 251,
    /**
     * Rejected ledger: one place was given to two records. The error's index is where the second of them came; of two
     * chain entries, it is their place.
     */
    DUALSEAL_STATUS_LEDGER_FORK = 252,
    /**
     * Rejected ledger: a record does not hold. The error's field is the layer that caught it.
     */
    DUALSEAL_STATUS_LEDGER_RECORD = 253,
    /**
     * Rejected ledger: a record of another one.
     */
    DUALSEAL_STATUS_OTHER_LEDGER = 254,
    /**
     * Rejected ledger: the ring does not hold the decoy key of a record.
     */
    DUALSEAL_STATUS_MISSING_DECOY = 255,
    /**
     * Rejected ledger: a chain entry begins as a vault record's and has not its form. The error's index is the
     * entry's.
     */
    DUALSEAL_STATUS_LEDGER_ENTRY = 256,
    /**
     * Misuse: a message of a form that the library alone appends.
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
     * Misuse: the identity has a current key, which a rotation would replace.
     */
    DUALSEAL_STATUS_HAS_CURRENT_KEY = 304,
    /**
     * Misuse: the state of a decoy key cannot be changed.
     */
    DUALSEAL_STATUS_DECOY_STATE = 305,
    /**
     * Misuse: a pinned key cannot be changed or exported.
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
     * Misuse: the expanded key makes no signature that its own public key accepts.
     */
    DUALSEAL_STATUS_UNFIT_KEY = 310,
    /**
     * Misuse: the chain, checkpoint or ring belongs to another origin.
     */
    DUALSEAL_STATUS_OTHER_ORIGIN = 311,
    /**
     * Misuse: a payload of a form that the library alone seals.
     */
    DUALSEAL_STATUS_RESERVED_PAYLOAD = 312,
    /**
     * Misuse: a seal key of a legacy length makes no seals.
     */
    DUALSEAL_STATUS_LEGACY_SEAL_KEY = 313,
    /**
     * Misuse: a presence policy that asks for no proof.
     */
    DUALSEAL_STATUS_NO_PROOFS_REQUIRED = 314,
    /**
     * Misuse: a list of shards that is empty.
     */
    DUALSEAL_STATUS_NO_SHARDS = 315,
    /**
     * Misuse: a dealer for another vault or identity than the one that is rebuilt.
     */
    DUALSEAL_STATUS_OTHER_VAULT = 316,
    /**
     * Misuse: a stream has at most 2^32 chunks.
     */
    DUALSEAL_STATUS_STREAM_TOO_LONG = 320,
    /**
     * Misuse: a stream that was refused, or has ended, takes nothing more.
     */
    DUALSEAL_STATUS_STREAM_ENDED = 321,
    /**
     * Misuse: a type of vault record that the library alone makes.
     */
    DUALSEAL_STATUS_RESERVED_TYPE = 330,
    /**
     * Misuse: a vault record that is not encrypted cannot be erased.
     */
    DUALSEAL_STATUS_NOT_ENCRYPTED = 331,
    /**
     * Misuse: a record of another ledger, identity or master, or one that comes after the head.
     */
    DUALSEAL_STATUS_FOREIGN_LEDGER = 332,
    /**
     * Misuse: a tier above public asked for without a table of keys.
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
     * The system's random number generator failed; nothing was made.
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
     * C only: the verdict is not `DUALSEAL_STATUS_DECOY`.
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
     * C only: a file could not be written, as above. `dualseal_error_os` is 0 for one that must not be replaced: the
     * other file of the call, a device, a pipe, a folder or a link.
     */
    DUALSEAL_STATUS_FILE_WRITE = 910,
    /**
     * C only: a file was written and has its name, and only its folder could not be forced to the disk: when the power
     * goes, the name may be that of what was there before. What the call makes was made.
     */
    DUALSEAL_STATUS_FILE_NOT_FORCED = 911,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_status dualseal_status;
#else
typedef int32_t dualseal_status;
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
     * They cannot both be true: the log's signer showed different chains to different people. Both are kept, and
     * convince anybody.
     */
    DUALSEAL_CONSISTENCY_FORK = 3,
    /**
     * They have different sizes; only the chain shows more (`dualseal_consistency_check_new`).
     */
    DUALSEAL_CONSISTENCY_SIZES_DIFFER = 4,
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
 * (`dualseal_authenticate_seal`).
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
 * A field of secret sharing. 0 is none of them.
 */
enum dualseal_field
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The integers modulo 2^521-1; a value has 132 hexadecimal characters.
     */
    DUALSEAL_FIELD_FP521 = 1,
    /**
     * GF(2^256), that of `ssss`; a value has 64 hexadecimal characters.
     */
    DUALSEAL_FIELD_GF2_256 = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_field dualseal_field;
#else
typedef int32_t dualseal_field;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Whether what is stored is the document itself. 0 is none of them.
 */
enum dualseal_encryption
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It is: whoever reads the store reads the document.
     */
    DUALSEAL_ENCRYPTION_NONE = 1,
    /**
     * It is encrypted under a secret of its own.
     */
    DUALSEAL_ENCRYPTION_STREAM = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_encryption dualseal_encryption;
#else
typedef int32_t dualseal_encryption;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The tier of whoever seals, from the lowest. 0 is none of them.
 */
enum dualseal_tier
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Without a key of its own.
     */
    DUALSEAL_TIER_PUBLIC = 1,
    /**
     * Shown by an Ed25519 signature.
     */
    DUALSEAL_TIER_NOBLE = 2,
    /**
     * The highest, shown by an Ed25519 signature.
     */
    DUALSEAL_TIER_NATIVE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_tier dualseal_tier;
#else
typedef int32_t dualseal_tier;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The outcome of a layer of a vault record. 0 is none of them.
 */
enum dualseal_outcome
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It holds.
     */
    DUALSEAL_OUTCOME_PASS = 1,
    /**
     * It does not.
     */
    DUALSEAL_OUTCOME_FAIL = 2,
    /**
     * It is there for people to read, and nothing can be checked.
     */
    DUALSEAL_OUTCOME_RECORDED = 3,
    /**
     * What would be needed was not given.
     */
    DUALSEAL_OUTCOME_NOT_CHECKED = 4,
    /**
     * The record's tier has no such layer.
     */
    DUALSEAL_OUTCOME_NOT_REQUIRED = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_outcome dualseal_outcome;
#else
typedef int32_t dualseal_outcome;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A chain that was shown to agree with a verified checkpoint of its log. Never changes; threads may share it.
 */
typedef struct dualseal_agreed_chain dualseal_agreed_chain;

/**
 * A whole chain in memory, every entry of it checked. For one thread at a time while it grows.
 */
typedef struct dualseal_chain dualseal_chain;

/**
 * Checks a chain entry by entry against a verified checkpoint, in memory for the entries that it is asked to locate.
 * For one thread at a time.
 */
typedef struct dualseal_chain_check dualseal_chain_check;

/**
 * Checks a chain entry by entry in constant memory. After a fault it stays where it was: what follows a bad entry
 * proves nothing. For one thread at a time.
 */
typedef struct dualseal_chain_checker dualseal_chain_checker;

/**
 * A checkpoint whose verification was Valid. Only `dualseal_checkpoint_verify` makes one. Never changes; threads may
 * share it.
 */
typedef struct dualseal_checkpoint dualseal_checkpoint;

/**
 * Signs the checkpoints of one log. Never changes; threads may share it. It keeps what it needs of the domain and the
 * key, which may be freed before it.
 */
typedef struct dualseal_checkpoint_signer dualseal_checkpoint_signer;

/**
 * Streams the chain of the larger of two checkpoints past both. For one thread at a time.
 */
typedef struct dualseal_consistency_check dualseal_consistency_check;

/**
 * Hashes content that comes in parts, of any size. For one thread at a time.
 */
typedef struct dualseal_content_hasher dualseal_content_hasher;

/**
 * What a dealer publishes about one set of shares. Never changes; threads may share it.
 */
typedef struct dualseal_dealing dualseal_dealing;

/**
 * Decrypts a stream that comes in parts of any size. For one thread at a time.
 */
typedef struct dualseal_decryptor dualseal_decryptor;

/**
 * The constants that keep one deployment's hashes and statements apart from another's. Never changes; threads may
 * share it.
 */
typedef struct dualseal_domain dualseal_domain;

/**
 * An Ed25519 signing key. Never changes; threads may share it. It is overwritten when it and every vault that was made
 * with it are freed.
 */
typedef struct dualseal_ed25519_key dualseal_ed25519_key;

/**
 * Encrypts data that comes in parts, of any size. For one thread at a time.
 */
typedef struct dualseal_encryptor dualseal_encryptor;

/**
 * The Ed25519 keys that may prove presence, for each identity: none at first, so that everything is denied. For one
 * thread at a time while it changes.
 */
typedef struct dualseal_enrolled_keys dualseal_enrolled_keys;

/**
 * What a verified record of type `ERASURE` says. Never changes; threads may share it.
 */
typedef struct dualseal_erasure dualseal_erasure;

/**
 * What went wrong in one call. Holds no secret.
 */
typedef struct dualseal_error dualseal_error;

/**
 * Where a chain ends. Functions that append take it, move it on, and return the new entry: the caller stores both or
 * neither. For one thread at a time.
 */
typedef struct dualseal_head dualseal_head;

/**
 * Contents to be identified. For one thread at a time.
 */
typedef struct dualseal_identity_batch dualseal_identity_batch;

/**
 * Computes the general identifier of content that comes in parts, of any size. For one thread at a time.
 */
typedef struct dualseal_identity_hasher dualseal_identity_hasher;

/**
 * Public keys prepared for verification, which makes repeated verifications with the same keys faster. Threads may use
 * it together.
 */
typedef struct dualseal_key_cache dualseal_key_cache;

/**
 * Checks the records of a ledger one after another. For one thread at a time.
 */
typedef struct dualseal_ledger_check dualseal_ledger_check;

/**
 * Streams a chain past a checkpoint and remembers where each record of a ledger stands. For one thread at a time.
 */
typedef struct dualseal_ledger_entries dualseal_ledger_entries;

/**
 * Where a ledger ends. Functions that seal take it and move it on: the caller stores it with the record, or neither.
 * For one thread at a time.
 */
typedef struct dualseal_ledger_head dualseal_ledger_head;

/**
 * Proof that an entry stands at its place in a chain that a verified checkpoint covers. Never changes; threads may
 * share it.
 */
typedef struct dualseal_located dualseal_located;

/**
 * Where the records of a ledger stand in a chain that agrees with a verified checkpoint. Never changes; threads may
 * share it.
 */
typedef struct dualseal_located_ledger dualseal_located_ledger;

/**
 * The gate that asks for proofs of presence, with the proofs that were brought. Never changes; threads may share it.
 */
typedef struct dualseal_presence dualseal_presence;

/**
 * What is asked of the gate. Proofs of presence are made for one request and fit no other. Never changes; threads may
 * share it.
 */
typedef struct dualseal_rebuild_request dualseal_rebuild_request;

/**
 * Rebuilds the secret of one vault from m of its shards, behind a gate that is asked last and once. Never changes;
 * threads may share it.
 */
typedef struct dualseal_rebuilding dualseal_rebuilding;

/**
 * Vault records to be verified, each by itself: what a ledger says as a whole is for `dualseal_ledger_check_new`. For
 * one thread at a time.
 */
typedef struct dualseal_record_batch dualseal_record_batch;

/**
 * The keys of many identities, each with its state. Threads may read it together; a change needs it alone. A changed
 * ring, its entry and the head are stored together, or none of them; on an error all are as they were.
 */
typedef struct dualseal_ring dualseal_ring;

/**
 * Streams a chain past a checkpoint and compares a ring with what the chain says of it. For one thread at a time.
 */
typedef struct dualseal_ring_check dualseal_ring_check;

/**
 * The secret that vouches for a ring's changes in the chain, kept apart from the ring. Never changes; threads may
 * share it.
 */
typedef struct dualseal_ring_key dualseal_ring_key;

/**
 * A check of layer A alone, over a payload that comes in parts, of any size. For one thread at a time.
 */
typedef struct dualseal_seal_authentication dualseal_seal_authentication;

/**
 * Seals to be checked. For one thread at a time.
 */
typedef struct dualseal_seal_batch dualseal_seal_batch;

/**
 * A verification of a seal over a payload that comes in parts, of any size. For one thread at a time.
 */
typedef struct dualseal_seal_check dualseal_seal_check;

/**
 * The secret of layer A of one identity. Everybody who can check layer A can also make it. Never changes; threads may
 * share it. It is overwritten when it and everything that was begun with it are freed.
 */
typedef struct dualseal_seal_key dualseal_seal_key;

/**
 * The outcome of a check of a seal. Never changes; threads may share it.
 */
typedef struct dualseal_seal_report dualseal_seal_report;

/**
 * A dual seal in the making, over a payload that comes in parts, of any size. For one thread at a time.
 */
typedef struct dualseal_seal_stream dualseal_seal_stream;

/**
 * A new record with all that belongs to it. Never changes; threads may share it. Secrets are overwritten when it and
 * every handle on them are freed.
 */
typedef struct dualseal_sealed dualseal_sealed;

/**
 * Seals for one identity in one domain. Never changes; threads may share it. It keeps what it needs of the domain and
 * the keys, which may be freed before it.
 */
typedef struct dualseal_sealer dualseal_sealer;

/**
 * A record in the making. For one thread at a time.
 */
typedef struct dualseal_sealing dualseal_sealing;

/**
 * A secret that this library drew: the only kind that is shared. Never changes; threads may share it. It is
 * overwritten when it and every decryption with it are freed.
 */
typedef struct dualseal_secret dualseal_secret;

/**
 * A session record. Holding one says nothing about its validity. Never changes; threads may share it.
 */
typedef struct dualseal_session dualseal_session;

/**
 * Streams a chain past a checkpoint and finds the record of a session that is in force. For one thread at a time.
 */
typedef struct dualseal_session_check dualseal_session_check;

/**
 * A session record that was shown to be the last one of its session below a verified checkpoint. Never changes;
 * threads may share it.
 */
typedef struct dualseal_session_in_force dualseal_session_in_force;

/**
 * A list of a session's shares, which is overwritten when it is freed. For one thread at a time while it grows.
 */
typedef struct dualseal_session_shares dualseal_session_shares;

/**
 * The key that seals an identity's shards. Everybody who can check a shard's seal can also make it. Never changes;
 * threads may share it. It is overwritten when it and every rebuilding with it are freed.
 */
typedef struct dualseal_shard_key dualseal_shard_key;

/**
 * A list of shards, which is overwritten when it is freed. For one thread at a time while it grows.
 */
typedef struct dualseal_shards dualseal_shards;

/**
 * A list of shares of one field: what a dealer hands out, or what its holders bring. It is overwritten when it is
 * freed. For one thread at a time while it grows.
 */
typedef struct dualseal_shares dualseal_shares;

/**
 * Signature records to be verified. For one thread at a time.
 */
typedef struct dualseal_signature_batch dualseal_signature_batch;

/**
 * Signs for one identity in one domain. Never changes; threads may share it. It keeps what it needs of the domain and
 * the key, which may be freed before it.
 */
typedef struct dualseal_signer dualseal_signer;

/**
 * An ML-DSA-65 signing key. Never changes; threads may share it. It is overwritten when it and every signer that was
 * made with it are freed.
 */
typedef struct dualseal_signing_key dualseal_signing_key;

/**
 * Streams a chain past a checkpoint and finds the last splitting of a vault. For one thread at a time.
 */
typedef struct dualseal_split_check dualseal_split_check;

/**
 * The last splitting of a vault below a verified checkpoint. Never changes; threads may share it.
 */
typedef struct dualseal_split_in_force dualseal_split_in_force;

/**
 * What the layers need of stored bytes. It fits every record: each is compared with what it says of them. Never
 * changes; threads may share it.
 */
typedef struct dualseal_stored_hash dualseal_stored_hash;

/**
 * Hashes stored bytes that come in parts, of any size. For one thread at a time.
 */
typedef struct dualseal_stored_hasher dualseal_stored_hasher;

/**
 * The Ed25519 keys that show a tier, for each identity: a key that only a record names shows nothing. For one thread
 * at a time while it changes.
 */
typedef struct dualseal_tier_keys dualseal_tier_keys;

/**
 * Unseals a document whose stored bytes come in parts of any size. For one thread at a time.
 */
typedef struct dualseal_unsealer dualseal_unsealer;

/**
 * Seals for one identity, in the domain of the master. Never changes; threads may share it. It keeps what it needs of
 * the keys, which may be freed before it.
 */
typedef struct dualseal_vault dualseal_vault;

/**
 * The master of the records of one domain. Never changes; threads may share it. It is overwritten when it and
 * everything that was made with it are freed.
 */
typedef struct dualseal_vault_master dualseal_vault_master;

/**
 * What is asked of records. Never changes; threads may share it.
 */
typedef struct dualseal_vault_policy dualseal_vault_policy;

/**
 * A vault record, without the bytes that are stored beside it. Holding one says nothing about its validity. Never
 * changes; threads may share it. Its fragment is overwritten when it is freed.
 */
typedef struct dualseal_vault_record dualseal_vault_record;

/**
 * What a verification says of a record. Never changes; threads may share it.
 */
typedef struct dualseal_vault_report dualseal_vault_report;

/**
 * What a verification concluded. Never changes; threads may share it.
 */
typedef struct dualseal_verdict dualseal_verdict;

/**
 * A record whose verification was Valid. Only a report gives one. Never changes; threads may share it.
 */
typedef struct dualseal_verified_record dualseal_verified_record;

/**
 * Works with the key of a quorum, which is freed when it returns. Everything that it made with the key, such as a
 * signer, is to be freed before. It must return without jumping out or throwing.
 */
typedef void (*dualseal_quorum_work)(const dualseal_signing_key *key, void *user);

/**
 * Marks the nonce as used, in one step that nobody can come between, and returns 1 if it was unused until then. Every
 * other number keeps the gate shut. It is called last, once, and only when all else is good; `nonce_hex` lives until
 * it returns, which it must do without jumping out or throwing.
 */
typedef int (*dualseal_consume)(const char *nonce_hex, void *user);

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
 * The status that the failed call returned. `DUALSEAL_STATUS_NULL_ARGUMENT` for NULL.
 */
dualseal_status dualseal_error_code(const dualseal_error *error);

/**
 * What went wrong, in one line of English without secrets. It lives as long as the error. NULL for NULL.
 */
const char *dualseal_error_message(const dualseal_error *error);

/**
 * The argument, or the member of a record by its name on the wire, that was wrong, and of a record of a ledger the
 * layer; NULL where the error is about none, and for NULL. It lives as long as the error.
 */
const char *dualseal_error_field(const dualseal_error *error);

/**
 * Where it was wrong, from 0: the byte of a text, the item of a list, the entry of a chain, the record of a ledger; -1
 * where the error is about no such place, and for NULL.
 */
int64_t dualseal_error_index(const dualseal_error *error);

/**
 * Of shares that gave no secret: the indices of those to blame, ascending, as many as `culprits_len` is set to; NULL
 * and 0 where there are none, and for NULL. They live as long as the error. `culprits_len` may be NULL.
 */
const uint8_t *dualseal_error_culprits(const dualseal_error *error,
                                       size_t *culprits_len);

/**
 * Of a refused `dualseal_session_sign`: the result with `ok: false`, as JSON; NULL for every other error, and for
 * NULL. It lives as long as the error.
 */
const char *dualseal_error_session_result(const dualseal_error *error);

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
 * The ABI version of the library at hand, to be compared with `DUALSEAL_ABI_VERSION`.
 */
uint32_t dualseal_abi_version(void);

/**
 * The version of the library at hand, such as `0.1.0`. The text lives for ever.
 */
const char *dualseal_version(void);

/**
 * `DUALSEAL_SEED_BYTES`.
 */
size_t dualseal_seed_bytes(void);

/**
 * `DUALSEAL_EXPANDED_KEY_BYTES`.
 */
size_t dualseal_expanded_key_bytes(void);

/**
 * `DUALSEAL_PUBLIC_KEY_BYTES`.
 */
size_t dualseal_public_key_bytes(void);

/**
 * `DUALSEAL_SIGNATURE_BYTES`.
 */
size_t dualseal_signature_bytes(void);

/**
 * `DUALSEAL_RING_KEY_BYTES`.
 */
size_t dualseal_ring_key_bytes(void);

/**
 * `DUALSEAL_ID_TEXT_BYTES`.
 */
size_t dualseal_id_text_bytes(void);

/**
 * `DUALSEAL_CHAIN_HASH_TEXT_BYTES`.
 */
size_t dualseal_chain_hash_text_bytes(void);

/**
 * `DUALSEAL_KEY_ID_TEXT_BYTES`.
 */
size_t dualseal_key_id_text_bytes(void);

/**
 * `DUALSEAL_PREPARED_KEY_BYTES`.
 */
size_t dualseal_prepared_key_bytes(void);

/**
 * What a status means, in English; `unknown status` for a number that is none. The text lives for ever.
 */
const char *dualseal_status_text(dualseal_status status);

/**
 * Derives every constant of a domain from one name: 1 or more characters 0x21 to 0x7E without `:`, not all of them
 * `0-9a-f`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_domain_new(const char *name,
                                    dualseal_domain **domain,
                                    dualseal_error **error);

/**
 * The domain named `DUALSEAL`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_domain_default(dualseal_domain **domain,
                                        dualseal_error **error);

/**
 * Frees a domain. NULL is ignored. Handles that were made with it stay good.
 */
void dualseal_domain_free(dualseal_domain *domain);

/**
 * The general identifier of `content` by `creator` in `context`, both of which may be empty, contain no `::` and do
 * not begin with `:`. `identity_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_identity_id(const dualseal_domain *domain,
                                     const uint8_t *content,
                                     size_t content_len,
                                     const char *creator,
                                     const char *context,
                                     char *identity_id,
                                     size_t identity_id_len,
                                     dualseal_error **error);

/**
 * The vault identifier of `payload` at position `seq` (at most 2^53-1) of its ledger; creator and context as for
 * `dualseal_identity_id`. `vault_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_id(const dualseal_domain *domain,
                                  const uint8_t *payload,
                                  size_t payload_len,
                                  const char *creator,
                                  const char *context,
                                  uint64_t seq,
                                  char *vault_id,
                                  size_t vault_id_len,
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
 * As `dualseal_content_hash`, for a JSON text, which is hashed in its canonical form (RFC 8785): spacing and the order
 * of members do not count.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_content_hash_json(const dualseal_domain *domain,
                                           const char *identity_id,
                                           const char *content_json,
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
 * Begins an identifier by `creator` in `context`, with the rules of `dualseal_identity_id`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_identity_hasher_new(const dualseal_domain *domain,
                                             const char *creator,
                                             const char *context,
                                             dualseal_identity_hasher **hasher,
                                             dualseal_error **error);

/**
 * Takes the next part of the content.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_identity_hasher_update(dualseal_identity_hasher *hasher,
                                                const uint8_t *content,
                                                size_t content_len,
                                                dualseal_error **error);

/**
 * The identifier of all parts so far; the hasher can go on. `identity_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_identity_hasher_finish(const dualseal_identity_hasher *hasher,
                                                char *identity_id,
                                                size_t identity_id_len,
                                                dualseal_error **error);

/**
 * Frees a hasher. NULL is ignored.
 */
void dualseal_identity_hasher_free(dualseal_identity_hasher *hasher);

/**
 * Says of a stored creator and context whether each breaks the rules of `dualseal_identity_id` (1) or not (0): another
 * input may share the identifier of one that does.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_identity_lint(const char *creator,
                                       const char *context,
                                       int32_t *creator_ambiguous,
                                       int32_t *context_ambiguous,
                                       dualseal_error **error);

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
 * SubjectPublicKeyInfo in DER (RFC 9881), to be freed with `dualseal_bytes_free`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_public_key_to_spki_der(const uint8_t *public_key,
                                                size_t public_key_len,
                                                uint8_t **der,
                                                size_t *der_len,
                                                dualseal_error **error);

/**
 * Reads SubjectPublicKeyInfo in DER. `public_key_len` is `DUALSEAL_PUBLIC_KEY_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_public_key_from_spki_der(const uint8_t *der,
                                                  size_t der_len,
                                                  uint8_t *public_key,
                                                  size_t public_key_len,
                                                  dualseal_error **error);

/**
 * SubjectPublicKeyInfo in PEM (`BEGIN PUBLIC KEY`), to be freed with `dualseal_string_free`.
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
 * From the expanded form of `DUALSEAL_EXPANDED_KEY_BYTES` (FIPS 204, algorithm 24). Such a key has no seed, and so no
 * PKCS#8; each of its signatures is verified before it is returned.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_from_expanded(const uint8_t *expanded,
                                                   size_t expanded_len,
                                                   dualseal_signing_key **key,
                                                   dualseal_error **error);

/**
 * Reads PKCS#8 in DER, in the seed form of RFC 9881.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_from_pkcs8_der(const uint8_t *der,
                                                    size_t der_len,
                                                    dualseal_signing_key **key,
                                                    dualseal_error **error);

/**
 * Reads PKCS#8 in PEM (`BEGIN PRIVATE KEY`), in the seed form of RFC 9881.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_from_pkcs8_pem(const char *pem,
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
 * The expanded form, a secret that the caller overwrites after use. `expanded_len` is `DUALSEAL_EXPANDED_KEY_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_expanded(const dualseal_signing_key *key,
                                              uint8_t *expanded,
                                              size_t expanded_len,
                                              dualseal_error **error);

/**
 * PKCS#8 in DER in the seed form, a secret to be freed with `dualseal_bytes_free`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_to_pkcs8_der(const dualseal_signing_key *key,
                                                  uint8_t **der,
                                                  size_t *der_len,
                                                  dualseal_error **error);

/**
 * PKCS#8 in PEM in the seed form, a secret to be freed with `dualseal_string_free`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_to_pkcs8_pem(const dualseal_signing_key *key,
                                                  char **pem,
                                                  dualseal_error **error);

/**
 * Frees a signing key. NULL is ignored. Signers that were made with it stay good.
 */
void dualseal_signing_key_free(dualseal_signing_key *key);

/**
 * An empty chain.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_new(dualseal_chain **chain,
                                   dualseal_error **error);

/**
 * Reads a JSON array of entries (without `seq`) and checks every one. The index of an error is the first bad entry's.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_from_json(const char *chain_json,
                                         dualseal_chain **chain,
                                         dualseal_error **error);

/**
 * Adds an entry (with its `seq`) that was made at this chain's head. On an error the chain is as it was.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_push(dualseal_chain *chain,
                                    const char *entry_json,
                                    dualseal_error **error);

/**
 * The JSON array of the entries, without `seq`: the form in which a chain is shown to others.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_to_json(const dualseal_chain *chain,
                                       char **chain_json,
                                       dualseal_error **error);

/**
 * A new handle on where the chain ends, from which one appends.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_head(const dualseal_chain *chain,
                                    dualseal_head **head,
                                    dualseal_error **error);

/**
 * Frees a chain. NULL is ignored.
 */
void dualseal_chain_free(dualseal_chain *chain);

/**
 * Begins after `from`, a head that was checked before and kept where nobody else writes; at the first entry when it
 * is NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_checker_new(const dualseal_head *from,
                                           dualseal_chain_checker **checker,
                                           dualseal_error **error);

/**
 * Checks the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_checker_push_line(dualseal_chain_checker *checker,
                                                 const char *line,
                                                 dualseal_error **error);

/**
 * Checks the next entry as it travels alone, with its `seq`: what the functions that append return.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_checker_push_entry(dualseal_chain_checker *checker,
                                                  const char *entry_json,
                                                  dualseal_error **error);

/**
 * A new handle on where the entries checked so far end.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_checker_head(const dualseal_chain_checker *checker,
                                            dualseal_head **head,
                                            dualseal_error **error);

/**
 * Frees a checker. NULL is ignored.
 */
void dualseal_chain_checker_free(dualseal_chain_checker *checker);

/**
 * The short handle of an entry, which records carry. It is computed, and says nothing about the entry's validity.
 * `krunica_hash_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_entry_krunica_hash(const char *entry_json,
                                            char *krunica_hash,
                                            size_t krunica_hash_len,
                                            dualseal_error **error);

/**
 * The entry as a line of a chain file: without its `seq`, ended by LF.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_entry_line(const char *entry_json,
                                    char **line,
                                    dualseal_error **error);

/**
 * The head of an empty chain.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_head_empty(dualseal_head **head,
                                    dualseal_error **error);

/**
 * A head from its stored parts, to resume from. Nothing is checked here: a wrong head starts another chain.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_head_from_parts(uint64_t size,
                                         const char *top,
                                         const char *time_top,
                                         dualseal_head **head,
                                         dualseal_error **error);

/**
 * A copy, to come back to when an entry could not be stored.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_head_clone(const dualseal_head *head,
                                    dualseal_head **copy,
                                    dualseal_error **error);

/**
 * The number of entries, which is the `seq` of the next one.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_head_size(const dualseal_head *head,
                                   uint64_t *size,
                                   dualseal_error **error);

/**
 * The hash of the last entry, zeros when there is none. `top_len` is `DUALSEAL_CHAIN_HASH_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_head_top(const dualseal_head *head,
                                  char *top,
                                  size_t top_len,
                                  dualseal_error **error);

/**
 * The running hash over the times of all entries. `time_top_len` is `DUALSEAL_CHAIN_HASH_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_head_time_top(const dualseal_head *head,
                                       char *time_top,
                                       size_t time_top_len,
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
                                     int64_t time_ms,
                                     char **entry_json,
                                     dualseal_error **error);

/**
 * Frees a head. NULL is ignored.
 */
void dualseal_head_free(dualseal_head *head);

/**
 * An empty ring whose changes are recorded in the chain named `origin`: 1 to 255 bytes without control characters and
 * `::`, not beginning with `:`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_new(const char *origin,
                                  dualseal_ring **ring,
                                  dualseal_error **error);

/**
 * A ring of one key that a stranger got from its owner and trusts. It cannot be changed or exported.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_pinned(const char *identity_id,
                                     const uint8_t *public_key,
                                     size_t public_key_len,
                                     dualseal_ring **ring,
                                     dualseal_error **error);

/**
 * Reads a ring.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_from_json(const char *ring_json,
                                        dualseal_ring **ring,
                                        dualseal_error **error);

/**
 * The whole ring, for its operator alone: it tells decoys from keys. Others get `dualseal_ring_public`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_to_json(const dualseal_ring *ring,
                                      char **ring_json,
                                      dualseal_error **error);

/**
 * A new handle on the only form in which a ring leaves its operator: no decoys, and `oboje` reads `istina`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_public(const dualseal_ring *ring,
                                     dualseal_ring **public_ring,
                                     dualseal_error **error);

/**
 * The number of changes of current and retired keys.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_revision(const dualseal_ring *ring,
                                       uint64_t *revision,
                                       dualseal_error **error);

/**
 * The number of decoy keys.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_decoy_count(const dualseal_ring *ring,
                                          size_t *count,
                                          dualseal_error **error);

/**
 * What the operator is told of an identity's current key, as JSON.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_info_internal(const dualseal_ring *ring,
                                            const char *identity_id,
                                            char **info_json,
                                            dualseal_error **error);

/**
 * What everybody else is told of it, as JSON: `oboje` reads `istina`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_info_public(const dualseal_ring *ring,
                                          const char *identity_id,
                                          char **info_json,
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
                                  const dualseal_ring_key *ring_key,
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
                                     const dualseal_ring_key *ring_key,
                                     char **entry_json,
                                     dualseal_error **error);

/**
 * Sets the state of an identity's current key, or of the one of its keys that has the hash `key_hash`
 * (`dualseal_public_key_hash`; NULL for the current key). The specification calls this `bela`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_set_state(dualseal_ring *ring,
                                        const char *identity_id,
                                        const char *key_hash,
                                        dualseal_key_state state,
                                        dualseal_head *head,
                                        int64_t time_ms,
                                        const dualseal_ring_key *ring_key,
                                        char **entry_json,
                                        dualseal_error **error);

/**
 * Adds a decoy key: whoever signs with its leaked private half gets `DUALSEAL_STATUS_DECOY`. No entry records it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_add_decoy(dualseal_ring *ring,
                                        const char *identity_id,
                                        const uint8_t *public_key,
                                        size_t public_key_len,
                                        int64_t time_ms,
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
 * Frees a ring key, which is overwritten when every check that was begun with it is freed too. NULL is ignored.
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
 * The number of keys in the cache.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_key_cache_count(const dualseal_key_cache *cache,
                                         size_t *count,
                                         dualseal_error **error);

/**
 * Frees a cache. NULL is ignored.
 */
void dualseal_key_cache_free(dualseal_key_cache *cache);

/**
 * A signer for `identity_id`. One signing key serves one domain.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signer_new(const dualseal_domain *domain,
                                    const char *identity_id,
                                    const dualseal_signing_key *key,
                                    dualseal_signer **signer,
                                    dualseal_error **error);

/**
 * Signs content in memory: appends an entry at the head, moves the head on, and makes a record that names the entry.
 * `time_ms` counts from 1970-01-01T00:00:00Z. The caller stores record, entry and head, or none of them. Signatures
 * mix in fresh randomness of the system (FIPS 204, section 3.4).
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signer_sign(const dualseal_signer *signer,
                                     const uint8_t *content,
                                     size_t content_len,
                                     dualseal_head *head,
                                     int64_t time_ms,
                                     char **record_json,
                                     char **entry_json,
                                     dualseal_error **error);

/**
 * As `dualseal_signer_sign`, for content whose hash for the signer's identity is known
 * (`dualseal_content_hasher_new`).
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signer_sign_hash(const dualseal_signer *signer,
                                          const char *content_hash,
                                          dualseal_head *head,
                                          int64_t time_ms,
                                          char **record_json,
                                          char **entry_json,
                                          dualseal_error **error);

/**
 * As `dualseal_signer_sign`, for a JSON text, over its canonical form (RFC 8785). Nothing marks the record as one over
 * JSON.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signer_sign_json(const dualseal_signer *signer,
                                          const char *content_json,
                                          dualseal_head *head,
                                          int64_t time_ms,
                                          char **record_json,
                                          char **entry_json,
                                          dualseal_error **error);

/**
 * As `dualseal_signer_sign_hash`, in the deterministic variant of FIPS 204, for tests and known answers. Prefer the
 * others, which resist faults better.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signer_sign_hash_deterministic(const dualseal_signer *signer,
                                                        const char *content_hash,
                                                        dualseal_head *head,
                                                        int64_t time_ms,
                                                        char **record_json,
                                                        char **entry_json,
                                                        dualseal_error **error);

/**
 * Frees a signer. NULL is ignored.
 */
void dualseal_signer_free(dualseal_signer *signer);

/**
 * The status that the verification returned, 0 to 4. `DUALSEAL_STATUS_NULL_ARGUMENT` for NULL.
 */
DUALSEAL_WARN_UNUSED dualseal_status dualseal_verdict_kind(const dualseal_verdict *verdict);

/**
 * The identity that the record names. It signed only if the verdict is Valid. `identity_id_len` is
 * `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verdict_identity_id(const dualseal_verdict *verdict,
                                             char *identity_id,
                                             size_t identity_id_len,
                                             dualseal_error **error);

/**
 * What the operator is told, as JSON: decoys are unmasked, and an invalid record has its reason.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verdict_internal(const dualseal_verdict *verdict,
                                          char **result_json,
                                          dualseal_error **error);

/**
 * What everybody else is told, as JSON: a decoy reads as valid. A courtesy, not evidence.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verdict_public(const dualseal_verdict *verdict,
                                        char **result_json,
                                        dualseal_error **error);

/**
 * Of a decoy verdict: the hash of the decoy's public key, which says which trap it was. `key_hash_len` is
 * `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verdict_decoy_key_hash(const dualseal_verdict *verdict,
                                                char *key_hash,
                                                size_t key_hash_len,
                                                dualseal_error **error);

/**
 * Frees a verdict. NULL is ignored.
 */
void dualseal_verdict_free(dualseal_verdict *verdict);

/**
 * Verifies a record over content in memory. The status is the verdict, and only 0 is Valid; a status from 100 on says
 * that there is no verdict. `cache` may be NULL. `verdict` may be NULL; else it is set with each of the five verdicts.
 *
 * Valid means that the identity which the record names signed this content. Whether it is the identity that should
 * have signed, the caller compares (`dualseal_verdict_identity_id`).
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verify(const dualseal_domain *domain,
                                const dualseal_ring *ring,
                                const dualseal_key_cache *cache,
                                const uint8_t *content,
                                size_t content_len,
                                const char *record_json,
                                dualseal_verdict **verdict,
                                dualseal_error **error);

/**
 * As `dualseal_verify`, for content that was hashed for the expected identity (`dualseal_content_hasher_new`).
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verify_hash(const dualseal_domain *domain,
                                     const dualseal_ring *ring,
                                     const dualseal_key_cache *cache,
                                     const char *content_hash,
                                     const char *record_json,
                                     dualseal_verdict **verdict,
                                     dualseal_error **error);

/**
 * As `dualseal_verify`, for a JSON text, over its canonical form (RFC 8785).
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verify_json(const dualseal_domain *domain,
                                     const dualseal_ring *ring,
                                     const dualseal_key_cache *cache,
                                     const char *content_json,
                                     const char *record_json,
                                     dualseal_verdict **verdict,
                                     dualseal_error **error);

/**
 * As `dualseal_verify`, for a record that `located` shows at its place in the chain: a record by a key that was
 * retired since is Valid when that place is before the retirement. A proof of another record's place makes it Invalid.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verify_at(const dualseal_domain *domain,
                                   const dualseal_ring *ring,
                                   const dualseal_key_cache *cache,
                                   const uint8_t *content,
                                   size_t content_len,
                                   const char *record_json,
                                   const dualseal_located *located,
                                   dualseal_verdict **verdict,
                                   dualseal_error **error);

/**
 * As `dualseal_verify_at`, for content that was hashed for the expected identity.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verify_hash_at(const dualseal_domain *domain,
                                        const dualseal_ring *ring,
                                        const dualseal_key_cache *cache,
                                        const char *content_hash,
                                        const char *record_json,
                                        const dualseal_located *located,
                                        dualseal_verdict **verdict,
                                        dualseal_error **error);

/**
 * As `dualseal_verify_at`, for a JSON text, over its canonical form (RFC 8785).
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verify_json_at(const dualseal_domain *domain,
                                        const dualseal_ring *ring,
                                        const dualseal_key_cache *cache,
                                        const char *content_json,
                                        const char *record_json,
                                        const dualseal_located *located,
                                        dualseal_verdict **verdict,
                                        dualseal_error **error);

/**
 * Begins at the first entry. The entries with these `krunica_hashes`, as many as `count`, are to be located.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_check_new(const dualseal_checkpoint *checkpoint,
                                         const char *const *krunica_hashes,
                                         size_t count,
                                         dualseal_chain_check **check,
                                         dualseal_error **error);

/**
 * Begins where the checkpoint ends: the entries since then are shown to go on from it. That is what the log's own
 * signer needs; nothing is located this way.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_check_resume(const dualseal_checkpoint *checkpoint,
                                            dualseal_chain_check **check,
                                            dualseal_error **error);

/**
 * Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_check_push_line(dualseal_chain_check *check,
                                               const char *line,
                                               dualseal_error **error);

/**
 * Ends the chain, and the check, whatever comes of it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_check_finish(dualseal_chain_check *check,
                                            dualseal_agreed_chain **agreed,
                                            dualseal_error **error);

/**
 * Frees a check. NULL is ignored.
 */
void dualseal_chain_check_free(dualseal_chain_check *check);

/**
 * The name of the log.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_agreed_chain_origin(const dualseal_agreed_chain *agreed,
                                             char **origin,
                                             dualseal_error **error);

/**
 * The number of entries that the checkpoint covers.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_agreed_chain_covered(const dualseal_agreed_chain *agreed,
                                              uint64_t *covered,
                                              dualseal_error **error);

/**
 * A new handle on the head of the whole chain, entries beyond the checkpoint included.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_agreed_chain_head(const dualseal_agreed_chain *agreed,
                                           dualseal_head **head,
                                           dualseal_error **error);

/**
 * The proof that the entry with this `krunica_hash` stands in the chain, below the size of the checkpoint.
 * `DUALSEAL_STATUS_NOT_LOCATED` for an entry that does not, or that the check was not asked for.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_agreed_chain_located(const dualseal_agreed_chain *agreed,
                                              const char *krunica_hash,
                                              dualseal_located **located,
                                              dualseal_error **error);

/**
 * Frees an agreed chain. NULL is ignored. What it located stays good.
 */
void dualseal_agreed_chain_free(dualseal_agreed_chain *agreed);

/**
 * The entry as JSON, with its `seq`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_located_entry(const dualseal_located *located,
                                       char **entry_json,
                                       dualseal_error **error);

/**
 * Frees a proof. NULL is ignored.
 */
void dualseal_located_free(dualseal_located *located);

/**
 * Verifies a checkpoint against what is known of its log beforehand: its name, its signer's identity, the hash of its
 * signer's public key, and the least size that is accepted, which is that of the last checkpoint seen. The status is
 * the verdict. `ring` may be NULL; else it adds the state of the signer's key. `cache` may be NULL. `checkpoint` is
 * set when the status is 0. `verdict` may be NULL; else it is set with each of the five verdicts.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_checkpoint_verify(const dualseal_domain *domain,
                                           const char *origin,
                                           const char *identity_id,
                                           const char *key_hash,
                                           uint64_t least_size,
                                           const dualseal_ring *ring,
                                           const dualseal_key_cache *cache,
                                           const char *checkpoint_json,
                                           dualseal_checkpoint **checkpoint,
                                           dualseal_verdict **verdict,
                                           dualseal_error **error);

/**
 * The checkpoint as JSON.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_checkpoint_to_json(const dualseal_checkpoint *checkpoint,
                                            char **checkpoint_json,
                                            dualseal_error **error);

/**
 * A new handle on the head that was signed.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_checkpoint_head(const dualseal_checkpoint *checkpoint,
                                         dualseal_head **head,
                                         dualseal_error **error);

/**
 * Frees a checkpoint. NULL is ignored. Checks that were begun with it stay good.
 */
void dualseal_checkpoint_free(dualseal_checkpoint *checkpoint);

/**
 * A signer for the log named `origin`: 1 to 255 bytes without control characters and `::`, not beginning with `:`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_checkpoint_signer_new(const dualseal_domain *domain,
                                               const char *origin,
                                               const char *identity_id,
                                               const dualseal_signing_key *key,
                                               dualseal_checkpoint_signer **signer,
                                               dualseal_error **error);

/**
 * Signs the first checkpoint of a log: once, for there is nothing that the chain could be compared with.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_checkpoint_signer_sign_first(const dualseal_checkpoint_signer *signer,
                                                      const dualseal_head *head,
                                                      int64_t time_ms,
                                                      char **checkpoint_json,
                                                      dualseal_error **error);

/**
 * Signs the head of a chain that was shown to agree with the last checkpoint.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_checkpoint_signer_sign_next(const dualseal_checkpoint_signer *signer,
                                                     const dualseal_agreed_chain *agreed,
                                                     int64_t time_ms,
                                                     char **checkpoint_json,
                                                     dualseal_error **error);

/**
 * Frees a signer. NULL is ignored.
 */
void dualseal_checkpoint_signer_free(dualseal_checkpoint_signer *signer);

/**
 * Compares two checkpoints of one log without the chain: equal, a fork, or of different sizes.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_checkpoint_compare(const dualseal_checkpoint *first,
                                            const dualseal_checkpoint *second,
                                            dualseal_consistency *consistency,
                                            dualseal_error **error);

/**
 * Begins at the first entry, with two checkpoints of one log.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_consistency_check_new(const dualseal_checkpoint *first,
                                               const dualseal_checkpoint *second,
                                               dualseal_consistency_check **check,
                                               dualseal_error **error);

/**
 * Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_consistency_check_push_line(dualseal_consistency_check *check,
                                                     const char *line,
                                                     dualseal_error **error);

/**
 * Ends the chain, and the check, whatever comes of it. A chain that is not the larger checkpoint's is refused: then
 * nothing can be said of two sizes.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_consistency_check_finish(dualseal_consistency_check *check,
                                                  dualseal_consistency *consistency,
                                                  dualseal_error **error);

/**
 * Frees a check. NULL is ignored.
 */
void dualseal_consistency_check_free(dualseal_consistency_check *check);

/**
 * Begins at the first entry, with the ring's authority.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_check_new(const dualseal_ring_key *ring_key,
                                        const dualseal_checkpoint *checkpoint,
                                        dualseal_ring_check **check,
                                        dualseal_error **error);

/**
 * Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_check_push_line(dualseal_ring_check *check,
                                              const char *line,
                                              dualseal_error **error);

/**
 * Ends the chain, and the check, whatever comes of it, and compares the ring with what the chain says: an old ring is
 * `DUALSEAL_STATUS_RING_ROLLBACK`, every other difference `DUALSEAL_STATUS_RING_FORGED`. `agreed` may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ring_check_finish(dualseal_ring_check *check,
                                           const dualseal_ring *ring,
                                           dualseal_agreed_chain **agreed,
                                           dualseal_error **error);

/**
 * Frees a check. NULL is ignored.
 */
void dualseal_ring_check_free(dualseal_ring_check *check);

/**
 * Verifies a seal over a payload in memory. The status is the verdict, and only 0 is Valid. `seal_key` may be NULL
 * with `DUALSEAL_SEAL_POLICY_LAYER_B`. `cache` may be NULL, and so may `located`: a seal by a key that was retired
 * since is Valid only at a proven place before the retirement, of an entry whose message is the seal's
 * (`dualseal_seal_chain_message`). A legacy seal is never Valid. `report` may be NULL; else it is set with each of the
 * five verdicts.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verify_seal(const dualseal_domain *domain,
                                     const dualseal_ring *ring,
                                     const dualseal_key_cache *cache,
                                     const char *seal,
                                     const uint8_t *payload,
                                     size_t payload_len,
                                     const char *identity_id,
                                     dualseal_seal_policy policy,
                                     const dualseal_seal_key *seal_key,
                                     const dualseal_located *located,
                                     dualseal_seal_report **report,
                                     dualseal_error **error);

/**
 * Checks layer A of a seal alone. 0 says that somebody who has the seal key made it, who may be the caller. **That is
 * not Valid**: no signature was checked and no key state consulted, and whoever must rely on who sealed calls
 * `dualseal_verify_seal`. `DUALSEAL_STATUS_INVALID` says that layer A does not hold. A legacy seal is refused with
 * `legacy_permitted` 0, and counts with 1. `report` may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_authenticate_seal(const dualseal_domain *domain,
                                           const char *seal,
                                           const uint8_t *payload,
                                           size_t payload_len,
                                           const char *identity_id,
                                           const dualseal_seal_key *seal_key,
                                           int32_t legacy_permitted,
                                           dualseal_seal_report **report,
                                           dualseal_error **error);

/**
 * As `dualseal_verify_seal`, for a payload that comes in parts. It keeps the ring as it is now.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_check_new(const dualseal_domain *domain,
                                        const dualseal_ring *ring,
                                        const dualseal_key_cache *cache,
                                        const char *seal,
                                        const char *identity_id,
                                        dualseal_seal_policy policy,
                                        const dualseal_seal_key *seal_key,
                                        const dualseal_located *located,
                                        dualseal_seal_check **check,
                                        dualseal_error **error);

/**
 * Takes the next part of the payload.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_check_update(dualseal_seal_check *check,
                                           const uint8_t *payload,
                                           size_t payload_len,
                                           dualseal_error **error);

/**
 * The verdict on all parts, as the status of `dualseal_verify_seal`. It ends the check. `report` may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_check_finish(dualseal_seal_check *check,
                                           dualseal_seal_report **report,
                                           dualseal_error **error);

/**
 * Frees a check. NULL is ignored.
 */
void dualseal_seal_check_free(dualseal_seal_check *check);

/**
 * As `dualseal_authenticate_seal`, for a payload that comes in parts.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_authentication_new(const dualseal_domain *domain,
                                                 const char *seal,
                                                 const char *identity_id,
                                                 const dualseal_seal_key *seal_key,
                                                 int32_t legacy_permitted,
                                                 dualseal_seal_authentication **authentication,
                                                 dualseal_error **error);

/**
 * Takes the next part of the payload.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_authentication_update(dualseal_seal_authentication *authentication,
                                                    const uint8_t *payload,
                                                    size_t payload_len,
                                                    dualseal_error **error);

/**
 * The outcome on all parts, as the status of `dualseal_authenticate_seal`: 0 is **not Valid**. It ends the check.
 * `report` may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_authentication_finish(dualseal_seal_authentication *authentication,
                                                    dualseal_seal_report **report,
                                                    dualseal_error **error);

/**
 * Frees a check. NULL is ignored.
 */
void dualseal_seal_authentication_free(dualseal_seal_authentication *authentication);

/**
 * From 32 or 64 bytes that were drawn before. The caller overwrites its own copy.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_key_from_bytes(const uint8_t *key,
                                             size_t key_len,
                                             dualseal_seal_key **seal_key,
                                             dualseal_error **error);

/**
 * From at least 16 bytes that were issued elsewhere before. A key of another length than 32 or 64 makes no seal, and
 * checks legacy seals alone.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_key_legacy(const uint8_t *key,
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
 * Frees a seal key. NULL is ignored. Sealers and checks that were made with it stay good.
 */
void dualseal_seal_key_free(dualseal_seal_key *seal_key);

/**
 * The outcome of each layer: the HMAC (A) and the signature (B). One that holds is not yet a verdict.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_report_layers(const dualseal_seal_report *report,
                                            dualseal_layer_outcome *layer_a,
                                            dualseal_layer_outcome *layer_b,
                                            dualseal_error **error);

/**
 * A new handle on the verdict; `DUALSEAL_STATUS_NO_VERDICT` where layer A alone was checked, which gives none.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_report_verdict(const dualseal_seal_report *report,
                                             dualseal_verdict **verdict,
                                             dualseal_error **error);

/**
 * The pair that the operator is told, as JSON, such as `[false,"decoy"]`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_report_internal(const dualseal_seal_report *report,
                                              char **pair_json,
                                              dualseal_error **error);

/**
 * The pair that everybody else is told, as JSON: a decoy reads as `[true,"ok"]`. A courtesy, not evidence.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_report_public(const dualseal_seal_report *report,
                                            char **pair_json,
                                            dualseal_error **error);

/**
 * Frees a report. NULL is ignored.
 */
void dualseal_seal_report_free(dualseal_seal_report *report);

/**
 * A sealer for `identity_id`, with its seal key (layer A) and its signing key (layer B).
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_sealer_new(const dualseal_domain *domain,
                                    const char *identity_id,
                                    const dualseal_seal_key *seal_key,
                                    const dualseal_signing_key *key,
                                    dualseal_sealer **sealer,
                                    dualseal_error **error);

/**
 * Makes a dual seal over a payload in memory. Its signature mixes in fresh randomness of the system.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_sealer_seal(const dualseal_sealer *sealer,
                                     const uint8_t *payload,
                                     size_t payload_len,
                                     char **seal,
                                     dualseal_error **error);

/**
 * Makes a legacy seal, layer A alone, for those who read nothing else yet.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_sealer_seal_legacy(const dualseal_sealer *sealer,
                                            const uint8_t *payload,
                                            size_t payload_len,
                                            char **seal,
                                            dualseal_error **error);

/**
 * Frees a sealer. NULL is ignored.
 */
void dualseal_sealer_free(dualseal_sealer *sealer);

/**
 * Begins a dual seal.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_stream_new(const dualseal_sealer *sealer,
                                         dualseal_seal_stream **stream,
                                         dualseal_error **error);

/**
 * Takes the next part of the payload.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_stream_update(dualseal_seal_stream *stream,
                                            const uint8_t *payload,
                                            size_t payload_len,
                                            dualseal_error **error);

/**
 * The dual seal over all parts. It ends the stream, whatever comes of it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_stream_finish(dualseal_seal_stream *stream,
                                            char **seal,
                                            dualseal_error **error);

/**
 * Frees a stream. NULL is ignored.
 */
void dualseal_seal_stream_free(dualseal_seal_stream *stream);

/**
 * What a seal of either format says of itself, as JSON: `format`, `hmac_hex`, `seal_id`, `signature_hex`. Nothing is
 * verified.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_info(const char *seal,
                                   char **info_json,
                                   dualseal_error **error);

/**
 * The identifier of a dual seal: `SEAL-DUAL::` and 64 hexadecimal characters.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_id(const char *seal,
                                 char **seal_id,
                                 dualseal_error **error);

/**
 * The message that a chain entry about a dual seal has, for whoever wants the seal to outlive its key. `message_len`
 * is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_chain_message(const char *seal,
                                            char *message,
                                            size_t message_len,
                                            dualseal_error **error);

/**
 * Says what a text is, which version, and everything that is wrong with its form, as JSON:
 * `{"count","findings":[{"code","field","index","message"}],"kind","version"}`, with `null` for what there is not. It
 * verifies nothing: a text without findings is well-formed, no more. The text need not be UTF-8.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_inspect(const uint8_t *text,
                                 size_t text_len,
                                 char **inspection_json,
                                 dualseal_error **error);

/**
 * Deals `n` shares of a secret, of which any `k` give it. The dealing is published; the shares go to their holders,
 * one each, and nowhere else.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_deal(const dualseal_domain *domain,
                                      const dualseal_secret *secret,
                                      uint64_t k,
                                      uint64_t n,
                                      dualseal_dealing **dealing,
                                      dualseal_shares **shares,
                                      dualseal_error **error);

/**
 * Reads a dealing over a field. The domain is the one that it was made under.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_from_json(const dualseal_domain *domain,
                                           dualseal_field field,
                                           const char *dealing_json,
                                           dualseal_dealing **dealing,
                                           dualseal_error **error);

/**
 * The dealing as JSON: what is published.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_to_json(const dualseal_dealing *dealing,
                                         char **dealing_json,
                                         dualseal_error **error);

/**
 * Rebuilds the secret. `culprits` are the indices of the shares that are not what the dealer committed to, ascending,
 * to be freed with `dualseal_bytes_free`; they took no part. Of a refusal, `dualseal_error_culprits` names them.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_reconstruct(const dualseal_dealing *dealing,
                                             const dualseal_shares *shares,
                                             dualseal_secret **secret,
                                             uint8_t **culprits,
                                             size_t *culprits_len,
                                             dualseal_error **error);

/**
 * Makes the lost share of this index again from others, as a list of one. `culprits` as for
 * `dualseal_dealing_reconstruct`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_repair(const dualseal_dealing *dealing,
                                        const dualseal_shares *shares,
                                        uint64_t lost,
                                        dualseal_shares **share,
                                        uint8_t **culprits,
                                        size_t *culprits_len,
                                        dualseal_error **error);

/**
 * Deals the same secret anew with the same k and n: shares of the old and of the new set do not go together. It
 * protects only while fewer than k shares of every earlier set survive. `culprits` as for
 * `dualseal_dealing_reconstruct`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_refresh(const dualseal_dealing *dealing,
                                         const dualseal_shares *shares,
                                         dualseal_dealing **new_dealing,
                                         dualseal_shares **new_shares,
                                         uint8_t **culprits,
                                         size_t *culprits_len,
                                         dualseal_error **error);

/**
 * As `dualseal_dealing_refresh`, with another `k` and `n`. Old shares keep the old k for as long as they exist.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_rethreshold(const dualseal_dealing *dealing,
                                             const dualseal_shares *shares,
                                             uint64_t k,
                                             uint64_t n,
                                             dualseal_dealing **new_dealing,
                                             dualseal_shares **new_shares,
                                             uint8_t **culprits,
                                             size_t *culprits_len,
                                             dualseal_error **error);

/**
 * Tells which shares of the set are present, missing, invalid and foreign, without rebuilding anything: four lists of
 * indices, each ascending and to be freed with `dualseal_bytes_free`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_health(const dualseal_dealing *dealing,
                                        const dualseal_shares *shares,
                                        uint8_t **present,
                                        size_t *present_len,
                                        uint8_t **missing,
                                        size_t *missing_len,
                                        uint8_t **invalid,
                                        size_t *invalid_len,
                                        uint8_t **foreign,
                                        size_t *foreign_len,
                                        dualseal_error **error);

/**
 * Frees a dealing. NULL is ignored.
 */
void dualseal_dealing_free(dualseal_dealing *dealing);

/**
 * Draws a secret with the system's random number generator.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_secret_draw(dualseal_field field,
                                     dualseal_secret **secret,
                                     dualseal_error **error);

/**
 * The secret's bytes, 66 or 32 as its field says, to be freed with `dualseal_bytes_free`, which overwrites them.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_secret_bytes(const dualseal_secret *secret,
                                      uint8_t **bytes,
                                      size_t *bytes_len,
                                      dualseal_error **error);

/**
 * Deals `n` shares, of which any `k` give the secret, without anything to tell a bad share by later: for other
 * programs. Shares that `dualseal_dealing_reconstruct` can check are dealt by `dualseal_dealing_deal`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_secret_split(const dualseal_secret *secret,
                                      uint64_t k,
                                      uint64_t n,
                                      dualseal_shares **shares,
                                      dualseal_error **error);

/**
 * Frees a secret. NULL is ignored.
 */
void dualseal_secret_free(dualseal_secret *secret);

/**
 * An empty list of shares of a field.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shares_new(dualseal_field field,
                                    dualseal_shares **shares,
                                    dualseal_error **error);

/**
 * Adds a share: its index, 1 to 255, and its value in lowercase hexadecimal, which the caller overwrites.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shares_push(dualseal_shares *shares,
                                     uint64_t index,
                                     const char *value_hex,
                                     dualseal_error **error);

/**
 * Adds a share that `ssss` wrote for the threshold `k`, to a list of GF(2^256). With another k than it was made for,
 * what is rebuilt later is not the secret.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shares_push_ssss(dualseal_shares *shares,
                                          const char *share,
                                          uint64_t k,
                                          dualseal_error **error);

/**
 * The number of shares in the list.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shares_count(const dualseal_shares *shares,
                                      size_t *count,
                                      dualseal_error **error);

/**
 * The share at a position of the list, from 0: its index, and its value in hexadecimal, a secret.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shares_get(const dualseal_shares *shares,
                                    size_t position,
                                    uint8_t *index,
                                    char **value_hex,
                                    dualseal_error **error);

/**
 * The share at a position of a list of GF(2^256), as `ssss-split -x -D` writes it for any `k` of `n`: a secret.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shares_ssss(const dualseal_shares *shares,
                                     size_t position,
                                     uint64_t k,
                                     uint64_t n,
                                     char **share,
                                     dualseal_error **error);

/**
 * Rebuilds a value from shares that come without a dealing, of which any `k` should give it. **Nobody vouches for
 * it.** With t shares, floor((t-k)/2) wrong ones are corrected and their indices given as `outliers`, which are not
 * culprits: more wrong ones that work together choose the value, and the honest shares are then the outliers.
 * `unchecked` is 1 when there are exactly k shares, with which nothing was checked. The bytes are freed with
 * `dualseal_bytes_free`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shares_reconstruct_unanchored(const dualseal_shares *shares,
                                                       uint64_t k,
                                                       uint8_t **bytes,
                                                       size_t *bytes_len,
                                                       uint8_t **outliers,
                                                       size_t *outliers_len,
                                                       int32_t *unchecked,
                                                       dualseal_error **error);

/**
 * Overwrites and frees a list of shares. NULL is ignored.
 */
void dualseal_shares_free(dualseal_shares *shares);

/**
 * Begins a stream under a secret, for an identity and a `kind`: 1 to 255 bytes without control characters and `::`,
 * not beginning with `:`. `out` is set to the stream's first bytes, and freed with `dualseal_bytes_free`, as are those
 * of the functions below.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_encryptor_new(const dualseal_secret *secret,
                                       const dualseal_domain *domain,
                                       const char *identity_id,
                                       const char *kind,
                                       dualseal_encryptor **encryptor,
                                       uint8_t **out,
                                       size_t *out_len,
                                       dualseal_error **error);

/**
 * Takes the next part, and gives the next bytes of the stream, perhaps none.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_encryptor_update(dualseal_encryptor *encryptor,
                                          const uint8_t *plaintext,
                                          size_t plaintext_len,
                                          uint8_t **out,
                                          size_t *out_len,
                                          dualseal_error **error);

/**
 * Gives the last bytes of the stream, which does not open without them, and ends it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_encryptor_finish(dualseal_encryptor *encryptor,
                                          uint8_t **out,
                                          size_t *out_len,
                                          dualseal_error **error);

/**
 * Frees an encryptor. NULL is ignored.
 */
void dualseal_encryptor_free(dualseal_encryptor *encryptor);

/**
 * Begins before the first byte of a stream, with the secret, identity and type that it was encrypted with.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_decryptor_new(const dualseal_secret *secret,
                                       const dualseal_domain *domain,
                                       const char *identity_id,
                                       const char *kind,
                                       dualseal_decryptor **decryptor,
                                       dualseal_error **error);

/**
 * Takes the next part, and gives the next bytes of the plaintext, perhaps none. Each is authenticated and in its
 * place; that nothing is missing at the end, only `dualseal_decryptor_finish` tells.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_decryptor_update(dualseal_decryptor *decryptor,
                                          const uint8_t *stored,
                                          size_t stored_len,
                                          uint8_t **out,
                                          size_t *out_len,
                                          dualseal_error **error);

/**
 * Gives the last bytes of the plaintext, and says with 0 that it was the whole. It ends the decryption.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_decryptor_finish(dualseal_decryptor *decryptor,
                                          uint8_t **out,
                                          size_t *out_len,
                                          dualseal_error **error);

/**
 * Frees a decryptor. NULL is ignored.
 */
void dualseal_decryptor_free(dualseal_decryptor *decryptor);

/**
 * Rebuilds the key of an ML-DSA session from k shares and lends it to `work`, so that a quorum makes ordinary
 * signature records, seals and checkpoints. `user` is for `work` alone, and may be NULL. `culprits` are the indices of
 * the shares given that do not hold, to be freed with `dualseal_bytes_free`; of a refusal, `dualseal_error_culprits`
 * names them. `DUALSEAL_STATUS_KEY_KEPT` when something that was made with the key is still there after the call: it
 * holds the key of the quorum, and is to be freed at once.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_with_quorum_key(const dualseal_session_in_force *in_force,
                                                 const dualseal_domain *domain,
                                                 const dualseal_session_shares *shares,
                                                 dualseal_quorum_work work,
                                                 void *user,
                                                 uint8_t **culprits,
                                                 size_t *culprits_len,
                                                 dualseal_error **error);

/**
 * Founds a session whose results k shares verify (HMAC-SHA3-512). `owners` are the custodians' identities, `n` of
 * them, in share order; any `k` of their shares sign. The session's entry is appended at the head, which moves on. The
 * caller stores record, entry and head, or none of them, and gives each share to its custodian alone.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_found_hmac(const dualseal_domain *domain,
                                            const char *founder,
                                            const char *const *owners,
                                            size_t n,
                                            uint8_t k,
                                            dualseal_head *head,
                                            int64_t time_ms,
                                            dualseal_session **session,
                                            dualseal_session_shares **shares,
                                            char **entry_json,
                                            dualseal_error **error);

/**
 * As `dualseal_session_found_hmac`, for a session whose results anybody verifies (ML-DSA-65): its public key is in the
 * record, and the caller adds it to a ring under `identity_id`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_found_mldsa(const dualseal_domain *domain,
                                             const char *founder,
                                             const char *const *owners,
                                             size_t n,
                                             uint8_t k,
                                             const char *identity_id,
                                             dualseal_head *head,
                                             int64_t time_ms,
                                             dualseal_session **session,
                                             dualseal_session_shares **shares,
                                             char **entry_json,
                                             dualseal_error **error);

/**
 * Deals the secret of a session in force anew, to these custodians and with this `k`: a new record under the same
 * identifier, other shares, the same results. `culprits` are the indices of the shares given that do not hold, to be
 * freed with `dualseal_bytes_free`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_rethreshold(const dualseal_session_in_force *in_force,
                                             const dualseal_domain *domain,
                                             const dualseal_session_shares *given,
                                             const char *founder,
                                             const char *const *owners,
                                             size_t n,
                                             uint8_t k,
                                             dualseal_head *head,
                                             int64_t time_ms,
                                             dualseal_session **session,
                                             dualseal_session_shares **shares,
                                             char **entry_json,
                                             uint8_t **culprits,
                                             size_t *culprits_len,
                                             dualseal_error **error);

/**
 * As `dualseal_session_rethreshold`, where `k` and `n` must be those that the session has: a slip lowers neither.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_refresh(const dualseal_session_in_force *in_force,
                                         const dualseal_domain *domain,
                                         const dualseal_session_shares *given,
                                         const char *founder,
                                         const char *const *owners,
                                         size_t n,
                                         uint8_t k,
                                         dualseal_head *head,
                                         int64_t time_ms,
                                         dualseal_session **session,
                                         dualseal_session_shares **shares,
                                         char **entry_json,
                                         uint8_t **culprits,
                                         size_t *culprits_len,
                                         dualseal_error **error);

/**
 * Reads a session record.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_from_json(const char *session_json,
                                           dualseal_session **session,
                                           dualseal_error **error);

/**
 * The record as JSON, with the session's identifier and its anchor, which callers pin.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_to_json(const dualseal_session *session,
                                         char **session_json,
                                         dualseal_error **error);

/**
 * Tells whether these shares are enough to sign, without rebuilding anything: `reached` is 1 when they are, else 0.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_quorum(const dualseal_session *session,
                                        const dualseal_domain *domain,
                                        const dualseal_session_shares *shares,
                                        uint8_t *needed,
                                        uint8_t **present,
                                        size_t *present_len,
                                        int32_t *reached,
                                        dualseal_error **error);

/**
 * Frees a record. NULL is ignored.
 */
void dualseal_session_free(dualseal_session *session);

/**
 * An empty list of shares.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_shares_new(dualseal_session_shares **shares,
                                            dualseal_error **error);

/**
 * Adds a share as JSON, which the caller overwrites.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_shares_push(dualseal_session_shares *shares,
                                             const char *share_json,
                                             dualseal_error **error);

/**
 * Adds a share that was pulled from a node, as the pair `[indeks, vrijednost_hex]`, which the caller overwrites. What
 * it is of, the caller knows.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_shares_push_pair(dualseal_session_shares *shares,
                                                  const char *session_id,
                                                  const char *split_id,
                                                  const char *owner,
                                                  const char *pair_json,
                                                  dualseal_error **error);

/**
 * The share at a position of the list, from 0, as the pair `[indeks, vrijednost_hex]` that a node pulls: a secret.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_shares_get_pair(const dualseal_session_shares *shares,
                                                 size_t position,
                                                 char **pair_json,
                                                 dualseal_error **error);

/**
 * The number of shares in the list.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_shares_count(const dualseal_session_shares *shares,
                                              size_t *count,
                                              dualseal_error **error);

/**
 * The share at a position of the list, from 0, as JSON: a secret.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_shares_get(const dualseal_session_shares *shares,
                                            size_t position,
                                            char **share_json,
                                            dualseal_error **error);

/**
 * Overwrites and frees a list of shares. NULL is ignored.
 */
void dualseal_session_shares_free(dualseal_session_shares *shares);

/**
 * Begins at the first entry. `anchor` is the one that the caller pinned when the session was founded (`javni_sidro`).
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_check_new(const dualseal_domain *domain,
                                           const char *session_id,
                                           const char *anchor,
                                           const dualseal_checkpoint *checkpoint,
                                           dualseal_session_check **check,
                                           dualseal_error **error);

/**
 * Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_check_push_line(dualseal_session_check *check,
                                                 const char *line,
                                                 dualseal_error **error);

/**
 * Ends the chain, and the check, whatever comes of it. `records_json` are records of the session, `count` of them, at
 * least the first and the last that the chain has entries of.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_check_finish(dualseal_session_check *check,
                                              const char *const *records_json,
                                              size_t count,
                                              dualseal_session_in_force **in_force,
                                              dualseal_error **error);

/**
 * Frees a check. NULL is ignored.
 */
void dualseal_session_check_free(dualseal_session_check *check);

/**
 * Signs a message with k shares, for `requester`. The result names the culprits. The entry is appended at the head,
 * which moves on. Of a refusal, `dualseal_error_culprits` names them and `dualseal_error_session_result` is the
 * result; nothing was appended then.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_sign(const dualseal_session_in_force *in_force,
                                      const dualseal_domain *domain,
                                      const uint8_t *message,
                                      size_t message_len,
                                      const char *requester,
                                      const dualseal_session_shares *shares,
                                      dualseal_head *head,
                                      int64_t time_ms,
                                      char **result_json,
                                      char **entry_json,
                                      dualseal_error **error);

/**
 * Confirms a result of an HMAC session with k shares. 0 says that somebody who had k shares made it, who may be the
 * caller: **that is not Valid**. `culprits` are the indices of the shares given now that do not hold.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_authenticate(const dualseal_session_in_force *in_force,
                                              const dualseal_domain *domain,
                                              const uint8_t *message,
                                              size_t message_len,
                                              const char *result_json,
                                              const dualseal_session_shares *shares,
                                              uint8_t **culprits,
                                              size_t *culprits_len,
                                              dualseal_error **error);

/**
 * Verifies a result of an ML-DSA session without any share. The status is the verdict, and only 0 is Valid. `cache`,
 * `located` and `verdict` may be NULL, as for `dualseal_verify` and `dualseal_verify_at`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verify_quorum(const dualseal_domain *domain,
                                       const dualseal_session *session,
                                       const uint8_t *message,
                                       size_t message_len,
                                       const char *result_json,
                                       const dualseal_ring *ring,
                                       const dualseal_key_cache *cache,
                                       const dualseal_located *located,
                                       dualseal_verdict **verdict,
                                       dualseal_error **error);

/**
 * Makes the lost share of this index again from k others, for its custodian `owner`, as JSON: a secret. `culprits` as
 * for `dualseal_session_authenticate`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_repair(const dualseal_session_in_force *in_force,
                                        const dualseal_domain *domain,
                                        const dualseal_session_shares *shares,
                                        uint64_t lost,
                                        const char *owner,
                                        char **share_json,
                                        uint8_t **culprits,
                                        size_t *culprits_len,
                                        dualseal_error **error);

/**
 * Frees a session in force. NULL is ignored.
 */
void dualseal_session_in_force_free(dualseal_session_in_force *in_force);

/**
 * Draws a key with the system's random number generator.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ed25519_key_generate(dualseal_ed25519_key **key,
                                              dualseal_error **error);

/**
 * From a seed of `DUALSEAL_SEED_BYTES` that was drawn before. The caller overwrites its own copy.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ed25519_key_from_seed(const uint8_t *seed,
                                               size_t seed_len,
                                               dualseal_ed25519_key **key,
                                               dualseal_error **error);

/**
 * The public half, in hexadecimal. `public_key_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ed25519_key_public_key(const dualseal_ed25519_key *key,
                                                char *public_key,
                                                size_t public_key_len,
                                                dualseal_error **error);

/**
 * The seed, a secret that the caller overwrites after use. `seed_len` is `DUALSEAL_SEED_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ed25519_key_seed(const dualseal_ed25519_key *key,
                                          uint8_t *seed,
                                          size_t seed_len,
                                          dualseal_error **error);

/**
 * Frees a key. NULL is ignored. Vaults that were made with it stay good.
 */
void dualseal_ed25519_key_free(dualseal_ed25519_key *key);

/**
 * Draws the nonce of a challenge, in hexadecimal. `nonce_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_presence_nonce(char *nonce,
                                        size_t nonce_len,
                                        dualseal_error **error);

/**
 * No keys.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_enrolled_keys_new(dualseal_enrolled_keys **enrolled,
                                           dualseal_error **error);

/**
 * Enrols a public key, in hexadecimal, for an identity. One that no strict verifier accepts is refused.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_enrolled_keys_enrol(dualseal_enrolled_keys *enrolled,
                                             const char *identity_id,
                                             const char *public_key,
                                             dualseal_error **error);

/**
 * Takes a key away. One that was not enrolled is no error.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_enrolled_keys_remove(dualseal_enrolled_keys *enrolled,
                                              const char *identity_id,
                                              const char *public_key,
                                              dualseal_error **error);

/**
 * Frees a set of keys. NULL is ignored. Gates that were made with it stay as they are.
 */
void dualseal_enrolled_keys_free(dualseal_enrolled_keys *enrolled);

/**
 * Answers the challenge of a request with an Ed25519 key. The proof is JSON.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_presence_proof_sign(const dualseal_domain *domain,
                                             const dualseal_rebuild_request *request,
                                             const char *nonce,
                                             int64_t expiry_ms,
                                             const dualseal_ed25519_key *key,
                                             char **proof_json,
                                             dualseal_error **error);

/**
 * A gate for `needed` good proofs, at least 1, by different keys that are enrolled now. `proofs_json` are `count`
 * proofs, all for the challenge of this nonce and expiry, which is at most 300 seconds after `now_ms`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_presence_new(const dualseal_enrolled_keys *enrolled,
                                      const char *const *proofs_json,
                                      size_t count,
                                      const char *nonce,
                                      int64_t expiry_ms,
                                      uint8_t needed,
                                      int64_t now_ms,
                                      dualseal_presence **presence,
                                      dualseal_error **error);

/**
 * Asks the gate outside of a rebuilding, as a node does before it lets a shard go. It spends the nonce. `user` is for
 * `consume` alone, and may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_presence_pass(const dualseal_presence *presence,
                                       const dualseal_domain *domain,
                                       const dualseal_rebuild_request *request,
                                       dualseal_consume consume,
                                       void *user,
                                       dualseal_error **error);

/**
 * Frees a gate. NULL is ignored.
 */
void dualseal_presence_free(dualseal_presence *presence);

/**
 * `in_force` is the last splitting in the chain, and every other one is refused; NULL where there is no chain at hand.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_new(const dualseal_domain *domain,
                                        const dualseal_shard_key *shard_key,
                                        const char *vault_id,
                                        const char *identity_id,
                                        const dualseal_split_in_force *in_force,
                                        dualseal_rebuilding **rebuilding,
                                        dualseal_error **error);

/**
 * Frees a rebuilding. NULL is ignored.
 */
void dualseal_rebuilding_free(dualseal_rebuilding *rebuilding);

/**
 * Tells what the shards at hand amount to for the splitting that `shard_json` is of, a shard known to be good
 * (`dualseal_shard_verify`), without rebuilding anything: four lists of their numbers, each ascending and to be freed
 * with `dualseal_bytes_free`. `foreign` are those of another vault, identity or splitting, or with other numbers, and
 * all of them where another splitting is in force; `invalid` those whose identifier or seal does not hold. A number
 * that is there twice may show in two lists.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_health(const dualseal_rebuilding *rebuilding,
                                           const char *shard_json,
                                           const dualseal_shards *given,
                                           uint8_t **present,
                                           size_t *present_len,
                                           uint8_t **missing,
                                           size_t *missing_len,
                                           uint8_t **invalid,
                                           size_t *invalid_len,
                                           uint8_t **foreign,
                                           size_t *foreign_len,
                                           dualseal_error **error);

/**
 * What the gate will be asked by `dualseal_rebuilding_rebuild`, for whoever makes the proofs. These four functions
 * refuse what the operation would refuse before it asks.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_request_rebuild(const dualseal_rebuilding *rebuilding,
                                                    const dualseal_shards *given,
                                                    dualseal_rebuild_request **request,
                                                    dualseal_error **error);

/**
 * As `dualseal_rebuilding_request_rebuild`, for `dualseal_rebuilding_repair`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_request_repair(const dualseal_rebuilding *rebuilding,
                                                   const dualseal_shards *given,
                                                   uint64_t lost,
                                                   dualseal_rebuild_request **request,
                                                   dualseal_error **error);

/**
 * As `dualseal_rebuilding_request_rebuild`, for `dualseal_rebuilding_refresh`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_request_refresh(const dualseal_rebuilding *rebuilding,
                                                    const dualseal_shards *given,
                                                    const char *const *node_urls,
                                                    size_t n,
                                                    dualseal_rebuild_request **request,
                                                    dualseal_error **error);

/**
 * As `dualseal_rebuilding_request_rebuild`, for `dualseal_rebuilding_rethreshold`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_request_rethreshold(const dualseal_rebuilding *rebuilding,
                                                        const dualseal_shards *given,
                                                        uint8_t m,
                                                        const char *const *node_urls,
                                                        size_t n,
                                                        dualseal_rebuild_request **request,
                                                        dualseal_error **error);

/**
 * The request as JSON, for whoever makes the proofs elsewhere; nonce and expiry go beside it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuild_request_to_json(const dualseal_rebuild_request *request,
                                                 char **request_json,
                                                 dualseal_error **error);

/**
 * Reads a request that somebody else is to be asked for. Holding one says nothing about what it names.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuild_request_from_json(const char *request_json,
                                                   dualseal_rebuild_request **request,
                                                   dualseal_error **error);

/**
 * What an authenticator answers, in hexadecimal. `challenge_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuild_request_challenge(const dualseal_rebuild_request *request,
                                                   const dualseal_domain *domain,
                                                   const char *nonce,
                                                   int64_t expiry_ms,
                                                   char *challenge,
                                                   size_t challenge_len,
                                                   dualseal_error **error);

/**
 * Frees a request. NULL is ignored.
 */
void dualseal_rebuild_request_free(dualseal_rebuild_request *request);

/**
 * Rebuilds the secret. `consume` and `user` as for `dualseal_presence_pass`, here and below. `culprits` are the
 * numbers of the shards that do not hold, ascending, to be freed with `dualseal_bytes_free`; they took no part. Of a
 * refusal, `dualseal_error_culprits` names them.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_rebuild(const dualseal_rebuilding *rebuilding,
                                            const dualseal_shards *given,
                                            const dualseal_presence *presence,
                                            dualseal_consume consume,
                                            void *user,
                                            dualseal_secret **secret,
                                            uint8_t **culprits,
                                            size_t *culprits_len,
                                            dualseal_error **error);

/**
 * Makes the lost shard of this number again from m others, as JSON: a secret. `node_url` is the label that it had,
 * and `shard_id` the identifier that the caller knows. The rest as for `dualseal_rebuilding_rebuild`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_repair(const dualseal_rebuilding *rebuilding,
                                           const dualseal_shards *given,
                                           uint64_t lost,
                                           const char *node_url,
                                           const char *shard_id,
                                           const dualseal_presence *presence,
                                           dualseal_consume consume,
                                           void *user,
                                           char **shard_json,
                                           uint8_t **culprits,
                                           size_t *culprits_len,
                                           dualseal_error **error);

/**
 * Deals the same secret anew with the same m and n, to these nodes, as `dualseal_shards_split` does. Shards of the old
 * and of the new splitting do not go together. It protects only while fewer than m shards of every earlier splitting
 * survive. The rest as for `dualseal_rebuilding_rebuild`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_refresh(const dualseal_rebuilding *rebuilding,
                                            const dualseal_shards *given,
                                            uint8_t m,
                                            const char *const *node_urls,
                                            size_t n,
                                            const dualseal_presence *presence,
                                            dualseal_consume consume,
                                            void *user,
                                            dualseal_head *head,
                                            int64_t time_ms,
                                            dualseal_shards **shards,
                                            char **entry_json,
                                            uint8_t **culprits,
                                            size_t *culprits_len,
                                            dualseal_error **error);

/**
 * As `dualseal_rebuilding_refresh`, with another m and n. Old shards keep the old m for as long as they exist.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_rethreshold(const dualseal_rebuilding *rebuilding,
                                                const dualseal_shards *given,
                                                uint8_t m,
                                                const char *const *node_urls,
                                                size_t n,
                                                const dualseal_presence *presence,
                                                dualseal_consume consume,
                                                void *user,
                                                dualseal_head *head,
                                                int64_t time_ms,
                                                dualseal_shards **shards,
                                                char **entry_json,
                                                uint8_t **culprits,
                                                size_t *culprits_len,
                                                dualseal_error **error);

/**
 * Derives an identity's key from a master of 32 drawn bytes, which the caller overwrites.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shard_key_derive(const dualseal_domain *domain,
                                          const uint8_t *master,
                                          size_t master_len,
                                          const char *identity_id,
                                          dualseal_shard_key **shard_key,
                                          dualseal_error **error);

/**
 * Frees a shard key. NULL is ignored. Rebuildings that were made with it stay good.
 */
void dualseal_shard_key_free(dualseal_shard_key *shard_key);

/**
 * Verifies a shard, as JSON: its members give its identifier, and its seal holds. 0 says that somebody who has the
 * shard key made it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shard_verify(const dualseal_domain *domain,
                                      const dualseal_shard_key *shard_key,
                                      const char *shard_json,
                                      dualseal_error **error);

/**
 * Verifies a shard's seal from four fields, without the shard.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shard_verify_seal(const dualseal_domain *domain,
                                           const dualseal_shard_key *shard_key,
                                           const char *shard_id,
                                           const char *vault_id,
                                           const char *identity_id,
                                           const char *seal,
                                           dualseal_error **error);

/**
 * An empty list of shards.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shards_new(dualseal_shards **shards,
                                    dualseal_error **error);

/**
 * Adds a shard as JSON, which the caller overwrites. Nothing is verified yet.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shards_push(dualseal_shards *shards,
                                     const char *shard_json,
                                     dualseal_error **error);

/**
 * The number of shards in the list.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shards_count(const dualseal_shards *shards,
                                      size_t *count,
                                      dualseal_error **error);

/**
 * The shard at a position of the list, from 0, as JSON: a secret.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shards_get(const dualseal_shards *shards,
                                    size_t position,
                                    char **shard_json,
                                    dualseal_error **error);

/**
 * Overwrites and frees a list of shards. NULL is ignored.
 */
void dualseal_shards_free(dualseal_shards *shards);

/**
 * Splits the secret of a vault, of GF(2^256), among `n` nodes: `node_urls` are their labels, in shard order, which
 * nothing dials. Any `m` of the shards rebuild it. The split's entry is appended at the head, which moves on. The
 * caller stores entry and head, or neither, and lets each node pull its own shard.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shards_split(const dualseal_domain *domain,
                                      const dualseal_shard_key *shard_key,
                                      const char *vault_id,
                                      const char *identity_id,
                                      uint8_t m,
                                      const char *const *node_urls,
                                      size_t n,
                                      const dualseal_secret *secret,
                                      dualseal_head *head,
                                      int64_t time_ms,
                                      dualseal_shards **shards,
                                      char **entry_json,
                                      dualseal_error **error);

/**
 * Begins at the first entry.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_split_check_new(const dualseal_domain *domain,
                                         const char *vault_id,
                                         const char *identity_id,
                                         const dualseal_checkpoint *checkpoint,
                                         dualseal_split_check **check,
                                         dualseal_error **error);

/**
 * Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_split_check_push_line(dualseal_split_check *check,
                                               const char *line,
                                               dualseal_error **error);

/**
 * Ends the chain, and the check, whatever comes of it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_split_check_finish(dualseal_split_check *check,
                                            dualseal_split_in_force **in_force,
                                            dualseal_error **error);

/**
 * Frees a check. NULL is ignored.
 */
void dualseal_split_check_free(dualseal_split_check *check);

/**
 * The position of its chain entry.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_split_in_force_seq(const dualseal_split_in_force *in_force,
                                            uint64_t *seq,
                                            dualseal_error **error);

/**
 * Frees a splitting in force. NULL is ignored. Rebuildings that were made with it stay good.
 */
void dualseal_split_in_force_free(dualseal_split_in_force *in_force);

/**
 * The head of a new ledger, whose name is drawn with the system's random number generator.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_head_draw(dualseal_ledger_head **ledger,
                                          dualseal_error **error);

/**
 * A head from its stored parts, to resume from: the ledger's name, the number of records, and L0 of the last one (64
 * zeros for none). Nothing is checked here: a wrong head forks the ledger.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_head_from_parts(const char *ledger_id,
                                                uint64_t size,
                                                const char *top,
                                                dualseal_ledger_head **ledger,
                                                dualseal_error **error);

/**
 * A copy, to come back to when a record could not be stored.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_head_clone(const dualseal_ledger_head *ledger,
                                           dualseal_ledger_head **copy,
                                           dualseal_error **error);

/**
 * The name of the ledger. `ledger_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_head_id(const dualseal_ledger_head *ledger,
                                        char *ledger_id,
                                        size_t ledger_id_len,
                                        dualseal_error **error);

/**
 * The number of records, which is the `seq` of the next one.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_head_size(const dualseal_ledger_head *ledger,
                                          uint64_t *size,
                                          dualseal_error **error);

/**
 * L0 of the last record, zeros when there is none. `top_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_head_top(const dualseal_ledger_head *ledger,
                                         char *top,
                                         size_t top_len,
                                         dualseal_error **error);

/**
 * Frees a head. NULL is ignored.
 */
void dualseal_ledger_head_free(dualseal_ledger_head *ledger);

/**
 * Begins a record; `kind` and `encryption` as for `dualseal_vault_seal`. `out` is set to the first bytes to be stored,
 * perhaps none, and freed with `dualseal_bytes_free`, as are those of the functions below. All of them are worth
 * nothing until `dualseal_sealing_finish`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_sealing_new(const dualseal_vault *vault,
                                     const char *kind,
                                     dualseal_encryption encryption,
                                     dualseal_sealing **sealing,
                                     uint8_t **out,
                                     size_t *out_len,
                                     dualseal_error **error);

/**
 * Takes the next part of the document, and gives the next bytes to be stored, perhaps none.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_sealing_update(dualseal_sealing *sealing,
                                        const uint8_t *payload,
                                        size_t payload_len,
                                        uint8_t **out,
                                        size_t *out_len,
                                        dualseal_error **error);

/**
 * Makes the record at its place, which is needed now and not before, and gives the last bytes to be stored. It ends
 * the sealing, whatever comes of it. The rest as for `dualseal_vault_seal`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_sealing_finish(dualseal_sealing *sealing,
                                        dualseal_ledger_head *ledger,
                                        dualseal_head *head,
                                        const char *note,
                                        int64_t time_ms,
                                        dualseal_sealed **sealed,
                                        uint8_t **out,
                                        size_t *out_len,
                                        dualseal_error **error);

/**
 * Frees a sealing. NULL is ignored.
 */
void dualseal_sealing_free(dualseal_sealing *sealing);

/**
 * Hashes stored bytes in memory.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_stored_hash_of(const dualseal_domain *domain,
                                        const uint8_t *stored,
                                        size_t stored_len,
                                        dualseal_stored_hash **stored_hash,
                                        dualseal_error **error);

/**
 * SHA3-256 over the stored bytes (L3). `baseline_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_stored_hash_baseline(const dualseal_stored_hash *stored_hash,
                                              char *baseline,
                                              size_t baseline_len,
                                              dualseal_error **error);

/**
 * The number of stored bytes.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_stored_hash_length(const dualseal_stored_hash *stored_hash,
                                            uint64_t *length,
                                            dualseal_error **error);

/**
 * Frees a hash. NULL is ignored.
 */
void dualseal_stored_hash_free(dualseal_stored_hash *stored_hash);

/**
 * Begins before the first stored byte.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_stored_hasher_new(const dualseal_domain *domain,
                                           dualseal_stored_hasher **hasher,
                                           dualseal_error **error);

/**
 * Takes the next part.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_stored_hasher_update(dualseal_stored_hasher *hasher,
                                              const uint8_t *stored,
                                              size_t stored_len,
                                              dualseal_error **error);

/**
 * What the layers need of all parts so far; the hasher can go on.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_stored_hasher_finish(const dualseal_stored_hasher *hasher,
                                              dualseal_stored_hash **stored_hash,
                                              dualseal_error **error);

/**
 * Frees a hasher. NULL is ignored.
 */
void dualseal_stored_hasher_free(dualseal_stored_hasher *hasher);

/**
 * A vault for `identity_id`. `tier_key` shows the tier, and is NULL for `DUALSEAL_TIER_PUBLIC` alone. One signing key
 * serves one domain.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_new(const dualseal_vault_master *master,
                                   const char *identity_id,
                                   const dualseal_signing_key *key,
                                   dualseal_tier tier,
                                   const dualseal_ed25519_key *tier_key,
                                   dualseal_vault **vault,
                                   dualseal_error **error);

/**
 * Frees a vault. NULL is ignored. Sealings that were begun with it stay good.
 */
void dualseal_vault_free(dualseal_vault *vault);

/**
 * Seals a document in memory: `kind` is its type, 1 to 255 bytes without control characters and `::`, not beginning
 * with `:`, and not `ERASURE`; `note` is what the network's perimeter reported (L1), empty for nothing. Both heads
 * move on. The caller stores the record, the bytes to be `stored`, the entry and both heads, or none of them.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_seal(const dualseal_vault *vault,
                                    const uint8_t *payload,
                                    size_t payload_len,
                                    const char *kind,
                                    dualseal_encryption encryption,
                                    dualseal_ledger_head *ledger,
                                    dualseal_head *head,
                                    const char *note,
                                    int64_t time_ms,
                                    dualseal_sealed **sealed,
                                    uint8_t **stored,
                                    size_t *stored_len,
                                    dualseal_error **error);

/**
 * Records that an encrypted record of this identity and ledger was erased, with the splits of its secret, `count` of
 * them. `erased` is the report on it under the operator's policy, which is Valid, or Revoked or Suspended with no
 * layer that fails or was not checked, else `DUALSEAL_STATUS_NOT_VERIFIED`: whoever put another record in its place
 * would choose what is destroyed. `DUALSEAL_STATUS_FOREIGN_LEDGER` for a vault of another identity, master or domain,
 * and for a record that the ledger up to this head has not. The rest as for `dualseal_vault_seal`. The caller destroys
 * the secret and the shards.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_erase(const dualseal_vault *vault,
                                     const dualseal_vault_report *erased,
                                     const char *const *splits,
                                     size_t count,
                                     dualseal_ledger_head *ledger,
                                     dualseal_head *head,
                                     const char *note,
                                     int64_t time_ms,
                                     dualseal_sealed **sealed,
                                     uint8_t **stored,
                                     size_t *stored_len,
                                     dualseal_error **error);

/**
 * A new handle on the record, with its fragment and its chain entry.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_sealed_record(const dualseal_sealed *sealed,
                                       dualseal_vault_record **record,
                                       dualseal_error **error);

/**
 * A new handle on the secret of an encrypted record, which is split among nodes and kept nowhere else; `secret` is set
 * to NULL for a record that is not encrypted.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_sealed_secret(const dualseal_sealed *sealed,
                                       dualseal_secret **secret,
                                       dualseal_error **error);

/**
 * The public key of the record's fragment, which the ring takes as a decoy of the identity (`dualseal_ring_add_decoy`)
 * with the record's time. `public_key_len` is `DUALSEAL_PUBLIC_KEY_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_sealed_decoy(const dualseal_sealed *sealed,
                                      uint8_t *public_key,
                                      size_t public_key_len,
                                      dualseal_error **error);

/**
 * Frees what was sealed. NULL is ignored.
 */
void dualseal_sealed_free(dualseal_sealed *sealed);

/**
 * Draws a master with the system's random number generator.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_master_generate(const dualseal_domain *domain,
                                               dualseal_vault_master **master,
                                               dualseal_error **error);

/**
 * From 32 bytes that were drawn before. The caller overwrites its own copy.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_master_from_secret(const dualseal_domain *domain,
                                                  const uint8_t *secret,
                                                  size_t secret_len,
                                                  dualseal_vault_master **master,
                                                  dualseal_error **error);

/**
 * The 32 bytes, a secret that the caller overwrites after use; `dualseal_shard_key_derive` takes them too.
 * `secret_len` is `DUALSEAL_SEED_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_master_secret(const dualseal_vault_master *master,
                                             uint8_t *secret,
                                             size_t secret_len,
                                             dualseal_error **error);

/**
 * The name that records give the master, which shows nothing of it. `key_id_len` is `DUALSEAL_KEY_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_master_key_id(const dualseal_vault_master *master,
                                             char *key_id,
                                             size_t key_id_len,
                                             dualseal_error **error);

/**
 * Frees a master. NULL is ignored. Vaults and policies that were made with it stay good.
 */
void dualseal_vault_master_free(dualseal_vault_master *master);

/**
 * No keys.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_tier_keys_new(dualseal_tier_keys **tier_keys,
                                       dualseal_error **error);

/**
 * Enrols a public key, in hexadecimal, for an identity and a tier above public. One that no strict verifier accepts is
 * refused.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_tier_keys_enrol(dualseal_tier_keys *tier_keys,
                                         const char *identity_id,
                                         dualseal_tier tier,
                                         const char *public_key,
                                         dualseal_error **error);

/**
 * Frees a table of keys. NULL is ignored. Policies that were made with it stay as they are.
 */
void dualseal_tier_keys_free(dualseal_tier_keys *tier_keys);

/**
 * Without the chain anybody can make L8, L6 and `krunica_hash` anew: a report under this policy never speaks for the
 * record's place in the chain, unless it was given that place.
 *
 * For everybody: L0, L3, L5 by its signature, and L4 at the least tier asked for; L6 and L8 must be consistent. It
 * needs no secret. `tier_keys` may be NULL with `DUALSEAL_TIER_PUBLIC`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_policy_public(const dualseal_tier_keys *tier_keys,
                                             dualseal_tier least_tier,
                                             dualseal_vault_policy **policy,
                                             dualseal_error **error);

/**
 * For the operator, who holds the master: every layer that the record's tier requires must pass, its place in the
 * chain included. Unsealing needs what this policy verified. `tier_keys` may be NULL with `DUALSEAL_TIER_PUBLIC`;
 * then only records of that tier pass.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_policy_operator(const dualseal_vault_master *master,
                                               const dualseal_tier_keys *tier_keys,
                                               dualseal_tier least_tier,
                                               dualseal_vault_policy **policy,
                                               dualseal_error **error);

/**
 * Frees a policy. NULL is ignored. Checks that were begun with it stay good.
 */
void dualseal_vault_policy_free(dualseal_vault_policy *policy);

/**
 * Reads a record. The caller overwrites its own copy of the text where that has its fragment.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_from_json(const char *record_json,
                                                dualseal_vault_record **record,
                                                dualseal_error **error);

/**
 * The record as it is stored: a secret where it has its fragment. Whatever leaves the store is
 * `dualseal_vault_record_redacted`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_to_json(const dualseal_vault_record *record,
                                              char **record_json,
                                              dualseal_error **error);

/**
 * A new handle on the record without its fragment, which verifies as well.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_redacted(const dualseal_vault_record *record,
                                               dualseal_vault_record **redacted,
                                               dualseal_error **error);

/**
 * The identifier that the record gives itself. `vault_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_vault_id(const dualseal_vault_record *record,
                                               char *vault_id,
                                               size_t vault_id_len,
                                               dualseal_error **error);

/**
 * Whose record it says that it is. `identity_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_identity_id(const dualseal_vault_record *record,
                                                  char *identity_id,
                                                  size_t identity_id_len,
                                                  dualseal_error **error);

/**
 * The record's entry in the chain, as JSON with its `seq`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_entry(const dualseal_vault_record *record,
                                            char **entry_json,
                                            dualseal_error **error);

/**
 * A new handle on the head of the ledger after this record: what the next one is verified with, or sealed at.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_ledger_head(const dualseal_vault_record *record,
                                                  dualseal_ledger_head **ledger,
                                                  dualseal_error **error);

/**
 * Tells whether a fragment that somebody found, in hexadecimal, is this record's: `found` is 1 when it is, else 0.
 * Redacted records do as well as stored ones.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_trace(const dualseal_vault_record *record,
                                            const char *fragment_hex,
                                            int32_t *found,
                                            dualseal_error **error);

/**
 * Tells whether somebody signed with this record's fragment, by a verdict `DUALSEAL_STATUS_DECOY`: `found` is 1 or 0.
 * The fragment is computed again from the master.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_trace_decoy(const dualseal_vault_record *record,
                                                  const dualseal_vault_master *master,
                                                  const dualseal_verdict *verdict,
                                                  int32_t *found,
                                                  dualseal_error **error);

/**
 * Overwrites and frees a record. NULL is ignored.
 */
void dualseal_vault_record_free(dualseal_vault_record *record);

/**
 * Unseals a document in memory, all of it or nothing, from a record that the operator's policy verified. `secret` is
 * the vault secret of an encrypted record, and else may be NULL. `payload` is freed with `dualseal_bytes_free`, which
 * overwrites it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_unseal(const dualseal_verified_record *verified,
                                const dualseal_secret *secret,
                                const uint8_t *stored,
                                size_t stored_len,
                                uint8_t **payload,
                                size_t *payload_len,
                                dualseal_error **error);

/**
 * Begins a second pass over the stored bytes; `verified` and `secret` as for `dualseal_unseal`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_unsealer_new(const dualseal_verified_record *verified,
                                      const dualseal_secret *secret,
                                      dualseal_unsealer **unsealer,
                                      dualseal_error **error);

/**
 * Takes the next part of the stored bytes, and gives the next plain bytes, perhaps none. **They are provisional**
 * until `dualseal_unsealer_finish` returns 0: whoever writes a file writes it under another name, and renames it then.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_unsealer_update(dualseal_unsealer *unsealer,
                                         const uint8_t *stored,
                                         size_t stored_len,
                                         uint8_t **out,
                                         size_t *out_len,
                                         dualseal_error **error);

/**
 * Gives the last plain bytes, and says with 0 that it was the whole document, unchanged since it was verified. It ends
 * the unsealing, whatever comes of it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_unsealer_finish(dualseal_unsealer *unsealer,
                                         uint8_t **out,
                                         size_t *out_len,
                                         dualseal_error **error);

/**
 * Frees an unsealer. NULL is ignored.
 */
void dualseal_unsealer_free(dualseal_unsealer *unsealer);

/**
 * Reads the stored bytes of a record that was verified, under either policy.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_erasure_read(const dualseal_verified_record *verified,
                                      const uint8_t *stored,
                                      size_t stored_len,
                                      dualseal_erasure **erasure,
                                      dualseal_error **error);

/**
 * The record that was erased. `vault_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_erasure_vault_id(const dualseal_erasure *erasure,
                                          char *vault_id,
                                          size_t vault_id_len,
                                          dualseal_error **error);

/**
 * The number of splits whose shards were destroyed.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_erasure_split_count(const dualseal_erasure *erasure,
                                             size_t *count,
                                             dualseal_error **error);

/**
 * The split at a position, from 0, ascending. `split_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_erasure_split(const dualseal_erasure *erasure,
                                       size_t position,
                                       char *split_id,
                                       size_t split_id_len,
                                       dualseal_error **error);

/**
 * Tells whether it counts for this record, an encrypted one of the same ledger and identity: `covers` is 1 or 0.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_erasure_covers(const dualseal_erasure *erasure,
                                        const dualseal_vault_record *record,
                                        int32_t *covers,
                                        dualseal_error **error);

/**
 * Frees what was read. NULL is ignored.
 */
void dualseal_erasure_free(dualseal_erasure *erasure);

/**
 * Seals the file `source`, of any size, and writes the bytes to be stored to the file `target`. The rest as for
 * `dualseal_vault_seal`. They are written beside it, as `<name>.unfinished`, forced to the disk, and renamed: whenever
 * the power goes, what was there is there, or all of what is new. Only the owner may read them. The folder of `target`
 * must be one that can be read: it is opened before anything is written, to be forced to the disk at the end.
 *
 * `DUALSEAL_STATUS_FILE_READ` and `DUALSEAL_STATUS_FILE_WRITE` say which file failed, and `dualseal_error_os` why. The
 * latter is returned too where both are one file, where a device, a pipe, a folder or a link has the name, and where
 * the unfinished file is there: somebody else is writing it, or a crash left it, and whoever knows that removes it.
 * On all of these nothing was replaced or made.
 *
 * `DUALSEAL_STATUS_FILE_NOT_FORCED` is another thing: the new file has its name, whole, and only forcing the folder to
 * the disk failed. `sealed` is set and both heads have moved on, as for 0, and are kept as then.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_seal_file(const dualseal_vault *vault,
                                         const char *source,
                                         const char *target,
                                         const char *kind,
                                         dualseal_encryption encryption,
                                         dualseal_ledger_head *ledger,
                                         dualseal_head *head,
                                         const char *note,
                                         int64_t time_ms,
                                         dualseal_sealed **sealed,
                                         dualseal_error **error);

/**
 * Hashes the file `source` of stored bytes, of any size, for `dualseal_verify_vault_record` and whatever else takes
 * stored bytes as their hash. `DUALSEAL_STATUS_FILE_READ` where it cannot be read.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_stored_hash_of_file(const dualseal_domain *domain,
                                             const char *source,
                                             dualseal_stored_hash **stored_hash,
                                             dualseal_error **error);

/**
 * Unseals the file `source` of stored bytes to the file `target`, which gets its name after the last byte was checked.
 * `verified` and `secret` as for `dualseal_unseal`, the files as for `dualseal_vault_seal_file`. On a failure what was
 * written is removed again, and what was there is there; but on `DUALSEAL_STATUS_FILE_NOT_FORCED` the whole document
 * has its name, and only forcing the folder to the disk failed. What `source` holds is compared with what was
 * verified, and may have been changed since.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_unseal_file(const dualseal_verified_record *verified,
                                     const dualseal_secret *secret,
                                     const char *source,
                                     const char *target,
                                     dualseal_error **error);

/**
 * Verifies a record against the hash of its stored bytes, which the caller computed from the bytes at hand; nothing is
 * decrypted. The status is the verdict, and only 0 is Valid. `cache` may be NULL. `located` is the proven place of the
 * record's entry in the chain, without which L6 and L8 are at best consistent, and may be NULL. `after` is the head of
 * the ledger before this record (`dualseal_vault_record_ledger_head` of the one before), and may be NULL. `report` may
 * be NULL; else it is set with each of the five verdicts.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_verify_vault_record(const dualseal_domain *domain,
                                             const dualseal_ring *ring,
                                             const dualseal_key_cache *cache,
                                             const dualseal_vault_policy *policy,
                                             const dualseal_vault_record *record,
                                             const dualseal_stored_hash *stored_hash,
                                             const dualseal_located *located,
                                             const dualseal_ledger_head *after,
                                             dualseal_vault_report **report,
                                             dualseal_error **error);

/**
 * What came of layer 0 to 8. The reasons are in the JSON.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_report_outcome(const dualseal_vault_report *report,
                                              uint32_t layer,
                                              dualseal_outcome *outcome,
                                              dualseal_error **error);

/**
 * The number of the first layer that failed, in the order L0, L2 to L8; -1 for none.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_report_failed(const dualseal_vault_report *report,
                                             int32_t *failed,
                                             dualseal_error **error);

/**
 * The report for the operator, as JSON: every layer with its reason, and decoys unmasked.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_report_internal(const dualseal_vault_report *report,
                                               char **report_json,
                                               dualseal_error **error);

/**
 * The report for everybody else, as JSON: a decoy reads as valid, and a refusal shows neither layers nor reason. A
 * courtesy, not evidence.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_report_public(const dualseal_vault_report *report,
                                             char **report_json,
                                             dualseal_error **error);

/**
 * A new handle on the verdict.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_report_verdict(const dualseal_vault_report *report,
                                              dualseal_verdict **verdict,
                                              dualseal_error **error);

/**
 * A new handle on the proof that the record was verified; `DUALSEAL_STATUS_NOT_VERIFIED` unless the report is Valid.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_report_verified(const dualseal_vault_report *report,
                                               dualseal_verified_record **verified,
                                               dualseal_error **error);

/**
 * Frees a report. NULL is ignored.
 */
void dualseal_vault_report_free(dualseal_vault_report *report);

/**
 * Frees a proof. NULL is ignored. Unsealers that were begun with it stay good.
 */
void dualseal_verified_record_free(dualseal_verified_record *verified);

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
 * Adds a record, as for `dualseal_verify_hash`, and as for `dualseal_verify_hash_at` where `located` is not NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signature_batch_push(dualseal_signature_batch *batch,
                                              const char *content_hash,
                                              const char *record_json,
                                              const dualseal_located *located,
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
 * An empty batch. `cache` may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_record_batch_new(const dualseal_domain *domain,
                                          const dualseal_ring *ring,
                                          const dualseal_key_cache *cache,
                                          const dualseal_vault_policy *policy,
                                          dualseal_record_batch **batch,
                                          dualseal_error **error);

/**
 * Adds a record, as for `dualseal_verify_vault_record`. `located` and `after` may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_record_batch_push(dualseal_record_batch *batch,
                                           const dualseal_vault_record *record,
                                           const dualseal_stored_hash *stored_hash,
                                           const dualseal_located *located,
                                           const dualseal_ledger_head *after,
                                           dualseal_error **error);

/**
 * Verifies the items that were added since the last run, on as many threads as `dualseal_signature_batch_run`. `told`
 * and `user` may be NULL. 0 says that all have a report, and nothing of what it says.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_record_batch_run(dualseal_record_batch *batch,
                                          size_t threads,
                                          dualseal_batch_told told,
                                          void *user,
                                          dualseal_error **error);

/**
 * The verdict on the record that was added at this position, from 0, as the status. `report` may be NULL.
 * `DUALSEAL_STATUS_RANGE` for a record that has none yet.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_record_batch_report(const dualseal_record_batch *batch,
                                             size_t position,
                                             dualseal_vault_report **report,
                                             dualseal_error **error);

/**
 * Frees a batch. NULL is ignored.
 */
void dualseal_record_batch_free(dualseal_record_batch *batch);

/**
 * An empty batch.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_identity_batch_new(const dualseal_domain *domain,
                                            dualseal_identity_batch **batch,
                                            dualseal_error **error);

/**
 * Adds a content, of which the batch keeps a copy until it has its identifier. Whether `creator` and `context` keep
 * the rules of `dualseal_identity_id` is said by `dualseal_identity_batch_id`, and stops no other item.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_identity_batch_push(dualseal_identity_batch *batch,
                                             const uint8_t *content,
                                             size_t content_len,
                                             const char *creator,
                                             const char *context,
                                             dualseal_error **error);

/**
 * Identifies the items that were added since the last run, on as many threads as `dualseal_signature_batch_run`.
 * `told` and `user` may be NULL. 0 says that all have an identifier or an error of their own, and nothing of which.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_identity_batch_run(dualseal_identity_batch *batch,
                                            size_t threads,
                                            dualseal_batch_told told,
                                            void *user,
                                            dualseal_error **error);

/**
 * The identifier of the item that was added at this position, from 0, or what `dualseal_identity_id` would refuse it
 * with. `identity_id_len` is `DUALSEAL_ID_TEXT_BYTES`. `DUALSEAL_STATUS_RANGE` with the field `position` for an item
 * that has none yet.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_identity_batch_id(const dualseal_identity_batch *batch,
                                           size_t position,
                                           char *identity_id,
                                           size_t identity_id_len,
                                           dualseal_error **error);

/**
 * Frees a batch. NULL is ignored.
 */
void dualseal_identity_batch_free(dualseal_identity_batch *batch);

/**
 * Begins at the first entry.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_entries_new(const dualseal_domain *domain,
                                            const char *ledger_id,
                                            const dualseal_checkpoint *checkpoint,
                                            dualseal_ledger_entries **entries,
                                            dualseal_error **error);

/**
 * Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_entries_push_line(dualseal_ledger_entries *entries,
                                                  const char *line,
                                                  dualseal_error **error);

/**
 * Ends the chain, whatever comes of it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_entries_finish(dualseal_ledger_entries *entries,
                                               dualseal_located_ledger **located_ledger,
                                               dualseal_error **error);

/**
 * Frees a stream of entries. NULL is ignored.
 */
void dualseal_ledger_entries_free(dualseal_ledger_entries *entries);

/**
 * The number of records that the chain vouches for.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_located_ledger_count(const dualseal_located_ledger *located_ledger,
                                              size_t *count,
                                              dualseal_error **error);

/**
 * The proven place of a record's entry; `DUALSEAL_STATUS_NOT_LOCATED` when the chain vouches for another one, or for
 * none, at its place of the ledger.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_located_ledger_locate(const dualseal_located_ledger *located_ledger,
                                               const dualseal_vault_record *record,
                                               dualseal_located **located,
                                               dualseal_error **error);

/**
 * Frees the places. NULL is ignored. Checks that were begun with them, and what they located, stay good.
 */
void dualseal_located_ledger_free(dualseal_located_ledger *located_ledger);

/**
 * Begins before the first record. `cache` may be NULL. Without a `located_ledger`, which may be NULL, nothing tells of
 * records that are missing at the end. Under the operator's policy every record must be located, and the decoy key of
 * its fragment must stand in the ring.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_check_new(const dualseal_domain *domain,
                                          const dualseal_ring *ring,
                                          const dualseal_key_cache *cache,
                                          const dualseal_vault_policy *policy,
                                          const char *ledger_id,
                                          const dualseal_located_ledger *located_ledger,
                                          dualseal_ledger_check **check,
                                          dualseal_error **error);

/**
 * Takes the next record with the hash of its stored bytes. A status from 100 on says that the ledger does not hold,
 * with the place as the error's index and the layer, if one caught it, as its field; the check then takes nothing
 * more. Else the record holds at its place, and the status is its verdict: the key of a record in order may have been
 * revoked since. `report` may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_check_push(dualseal_ledger_check *check,
                                           const dualseal_vault_record *record,
                                           const dualseal_stored_hash *stored_hash,
                                           dualseal_vault_report **report,
                                           dualseal_error **error);

/**
 * Ends the ledger, and the check, whatever comes of it. `ledger` is the head after the last record; the rest are the
 * numbers of records by their verdict.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_check_finish(dualseal_ledger_check *check,
                                             dualseal_ledger_head **ledger,
                                             uint64_t *valid,
                                             uint64_t *revoked,
                                             uint64_t *suspended,
                                             uint64_t *decoys,
                                             dualseal_error **error);

/**
 * Frees a check. NULL is ignored.
 */
void dualseal_ledger_check_free(dualseal_ledger_check *check);

/**
 * An empty batch. `cache` may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_batch_new(const dualseal_domain *domain,
                                        const dualseal_ring *ring,
                                        const dualseal_key_cache *cache,
                                        dualseal_seal_batch **batch,
                                        dualseal_error **error);

/**
 * Adds a seal, as for `dualseal_verify_seal`: `seal_key` may be NULL with `DUALSEAL_SEAL_POLICY_LAYER_B`, and
 * `located` may be NULL. The batch keeps a copy of the payload until the seal has its report.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_batch_push(dualseal_seal_batch *batch,
                                         const char *seal,
                                         const uint8_t *payload,
                                         size_t payload_len,
                                         const char *identity_id,
                                         dualseal_seal_policy policy,
                                         const dualseal_seal_key *seal_key,
                                         const dualseal_located *located,
                                         dualseal_error **error);

/**
 * Adds a seal of which layer A alone is checked, as for `dualseal_authenticate_seal`. The batch keeps a copy of the
 * payload until then. **That is not Valid**: the outcome is read with `dualseal_seal_batch_authentication`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_batch_push_authentication(dualseal_seal_batch *batch,
                                                        const char *seal,
                                                        const uint8_t *payload,
                                                        size_t payload_len,
                                                        const char *identity_id,
                                                        const dualseal_seal_key *seal_key,
                                                        int32_t legacy_permitted,
                                                        dualseal_error **error);

/**
 * Checks the items that were added since the last run, on as many threads as `dualseal_signature_batch_run`. `told`
 * and `user` may be NULL. 0 says that all have a report, and nothing of what it says.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_batch_run(dualseal_seal_batch *batch,
                                        size_t threads,
                                        dualseal_batch_told told,
                                        void *user,
                                        dualseal_error **error);

/**
 * The verdict on the seal that was added at this position, from 0, as the status: only 0 is Valid. `report` may be
 * NULL. `DUALSEAL_STATUS_RANGE` for a seal that has none yet, and `DUALSEAL_STATUS_NO_VERDICT` for one that was added
 * with `dualseal_seal_batch_push_authentication`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_batch_report(const dualseal_seal_batch *batch,
                                           size_t position,
                                           dualseal_seal_report **report,
                                           dualseal_error **error);

/**
 * Whether layer A holds of the seal that was added with `dualseal_seal_batch_push_authentication` at this position,
 * from 0, as the status of `dualseal_authenticate_seal`: **0 is not Valid**. `report` may be NULL.
 * `DUALSEAL_STATUS_RANGE` for a seal that has none yet, and for one that was added with `dualseal_seal_batch_push`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_batch_authentication(const dualseal_seal_batch *batch,
                                                   size_t position,
                                                   dualseal_seal_report **report,
                                                   dualseal_error **error);

/**
 * Frees a batch. NULL is ignored.
 */
void dualseal_seal_batch_free(dualseal_seal_batch *batch);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DUALSEAL_H */
