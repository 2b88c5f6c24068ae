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
 * - Outputs are written on success only; on a failure they, and every handle given, are as they were. They need not
 *   be initialised, are not freed before they are overwritten, and must not overlap one another.
 * - NULL: no argument may be NULL unless its function says so, and one that is NULL gives
 *   `DUALSEAL_STATUS_NULL_ARGUMENT`. Bytes of length 0 may be NULL. NULL to a `_free` function does nothing.
 * - Ownership: a handle is freed once, by the `_free` function of its type, and not used again. Texts (`char **`) are
 *   freed by `dualseal_string_free` and bytes (`uint8_t **`) by `dualseal_bytes_free`, which overwrite them first.
 *   No function keeps an argument after it returns. Texts returned as `const char *` are not freed.
 * - Text is UTF-8 and ends with NUL, going in and coming out. Bytes come with their length. The length of a buffer
 *   that is written to counts the NUL and is exactly the one documented, else `DUALSEAL_STATUS_BUFFER_LENGTH`.
 * - Identifiers and hashes are lowercase hexadecimal. Times are milliseconds since 1970-01-01T00:00:00Z, given by the
 *   caller: the library reads no clock, no file and no network.
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
 * A whole chain in memory, every entry of it checked. For one thread at a time while it grows.
 */
typedef struct dualseal_chain dualseal_chain;

/**
 * Checks a chain entry by entry in constant memory. After a fault it stays where it was: what follows a bad entry
 * proves nothing. For one thread at a time.
 */
typedef struct dualseal_chain_checker dualseal_chain_checker;

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
 * What went wrong in one call. Holds no secret.
 */
typedef struct dualseal_error dualseal_error;

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
 * The keys of many identities, each with its state. Threads may read it together; a change needs it alone. A changed
 * ring, its entry and the head are stored together, or none of them; on an error all are as they were.
 */
typedef struct dualseal_ring dualseal_ring;

/**
 * The secret that vouches for a ring's changes in the chain, kept apart from the ring. Never changes; threads may
 * share it.
 */
typedef struct dualseal_ring_key dualseal_ring_key;

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
 * What a verification concluded. Never changes; threads may share it.
 */
typedef struct dualseal_verdict dualseal_verdict;

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
 * The argument, or the member of a record by its name on the wire, that was wrong; NULL where the error is about none,
 * and for NULL. It lives as long as the error.
 */
const char *dualseal_error_field(const dualseal_error *error);

/**
 * Where it was wrong, from 0: the byte of a text, the item of a list, the entry of a chain; -1 where the error is
 * about no such place, and for NULL.
 */
int64_t dualseal_error_index(const dualseal_error *error);

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
 * The head of an empty chain.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_head_empty(dualseal_head **head,
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
 * Overwrites and frees a ring key. NULL is ignored.
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

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DUALSEAL_H */
