/* dualseal: documents sealed into a ledger, and the shards of their secrets. The contract is that of dualseal.h. */

#ifndef DUALSEAL_VAULT_H
#define DUALSEAL_VAULT_H

#include "dualseal.h"
#include "dualseal_sharing.h"

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
 * An operation during which the vault secret exists in memory. 0 is none of them.
 */
enum dualseal_operation
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * `dualseal_rebuilding_rebuild`.
     */
    DUALSEAL_OPERATION_REBUILD = 1,
    /**
     * `dualseal_rebuilding_prepare`, with the same numbers.
     */
    DUALSEAL_OPERATION_REFRESH = 2,
    /**
     * `dualseal_rebuilding_repair`.
     */
    DUALSEAL_OPERATION_REPAIR = 3,
    /**
     * `dualseal_rebuilding_prepare`, with others.
     */
    DUALSEAL_OPERATION_RETHRESHOLD = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum dualseal_operation dualseal_operation;
#else
typedef int32_t dualseal_operation;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * An Ed25519 signing key. Never changes; threads may share it. It is overwritten when it and every vault that was made
 * with it are freed.
 */
typedef struct dualseal_ed25519_key dualseal_ed25519_key;

/**
 * Checks the records of a ledger one after another. For one thread at a time.
 */
typedef struct dualseal_ledger_check dualseal_ledger_check;

/**
 * Where a ledger ends. Functions that seal take it and move it on: the caller stores it with the record, or neither.
 * For one thread at a time.
 */
typedef struct dualseal_ledger_head dualseal_ledger_head;

/**
 * Where the records of a ledger stand in a chain that agrees with a verified checkpoint. Never changes; threads may
 * share it.
 */
typedef struct dualseal_located_ledger dualseal_located_ledger;

/**
 * A split that was prepared and does not count yet. For one thread at a time.
 */
typedef struct dualseal_preparation dualseal_preparation;

/**
 * The gate that asks for proofs of presence, with the proofs that were brought. Never changes; threads may share it.
 */
typedef struct dualseal_presence dualseal_presence;

/**
 * Rebuilds the secret of one vault from m of its shards, behind a gate that is asked last and once. Never changes;
 * threads may share it.
 */
typedef struct dualseal_rebuilding dualseal_rebuilding;

/**
 * A new record, its secret and the public key of its fragment. Never changes; threads may share it. Secrets are
 * overwritten when it and every handle on them are freed.
 */
typedef struct dualseal_sealed dualseal_sealed;

/**
 * A record in the making. For one thread at a time.
 */
typedef struct dualseal_sealing dualseal_sealing;

/**
 * The split of a vault in force below a verified checkpoint. Never changes; threads may share it.
 */
typedef struct dualseal_split_in_force dualseal_split_in_force;

/**
 * What the layers need of stored bytes. It fits every record: each is compared with what it says of them. For one
 * thread at a time while it is updated; threads may share it then.
 */
typedef struct dualseal_stored_hash dualseal_stored_hash;

/**
 * Unseals a document whose stored bytes come in parts of any size. For one thread at a time.
 */
typedef struct dualseal_unsealer dualseal_unsealer;

/**
 * The master of the records of one domain. Never changes; threads may share it. It is overwritten when it and
 * everything that was made with it are freed.
 */
typedef struct dualseal_vault_master dualseal_vault_master;

/**
 * What is asked of records. For one thread at a time while keys are enrolled; threads may share it then.
 */
typedef struct dualseal_vault_policy dualseal_vault_policy;

/**
 * What a verification says of a record. Never changes; threads may share it.
 */
typedef struct dualseal_vault_report dualseal_vault_report;

/**
 * Seals for one identity, in the domain of the master. Never changes; threads may share it. It keeps what it needs of
 * the keys, which may be freed before it.
 */
typedef struct dualseal_vault_sealer dualseal_vault_sealer;

/**
 * Marks the nonce as used, in one step that nobody can come between, and returns 1 if it was unused until then. Every
 * other number keeps the gate shut. It is called last, once, and only when all else is good; `nonce_hex` lives until
 * it returns, which it must do without jumping out or throwing. It must use the head and every other handle of the
 * running call for nothing.
 */
typedef int (*dualseal_consume)(const char *nonce_hex, void *user);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

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
 * The 32 bytes, a secret that the caller overwrites after use. `secret_len` is `DUALSEAL_SEED_BYTES`.
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
 * Frees a master. NULL is ignored. What was made with it stays good.
 */
void dualseal_vault_master_free(dualseal_vault_master *master);

/**
 * The head of a new ledger, whose name is drawn with the system's random number generator.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_head_generate(dualseal_ledger_head **ledger,
                                              dualseal_error **error);

/**
 * A head from its stored parts, to resume from: the ledger's name, the number of records, and L0 of the last one (64
 * zeros for none). Nothing is checked here: a wrong head forks the ledger.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_head_new(const char *ledger_id,
                                         uint64_t size,
                                         const char *top,
                                         dualseal_ledger_head **ledger,
                                         dualseal_error **error);

/**
 * The parts of a head, to be stored: the name of the ledger, the number of records, which is the `seq` of the next
 * one, and L0 of the last one, zeros when there is none. `ledger_id_len` and `top_len` are `DUALSEAL_ID_TEXT_BYTES`.
 * Whoever wants only some of them gives NULL for the others.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_head_parts(const dualseal_ledger_head *ledger,
                                           char *ledger_id,
                                           size_t ledger_id_len,
                                           uint64_t *size,
                                           char *top,
                                           size_t top_len,
                                           dualseal_error **error);

/**
 * Frees a head. NULL is ignored.
 */
void dualseal_ledger_head_free(dualseal_ledger_head *ledger);

/**
 * What belongs to a new record; whoever wants only some of it gives NULL for the others.
 *
 * `record_json` is the record for the store, with its fragment: a secret. No other function gives the fragment out;
 * whatever leaves the store is `dualseal_vault_record_redact`. `entry_json` is the record's entry in the chain, as
 * JSON with its `seq`, which is stored with it. `secret` is a new handle on the secret of an encrypted record, which
 * is split among nodes and kept nowhere else; it is set to NULL for a record that is not encrypted. `decoy_key` is the
 * public key of the record's fragment, which the ring takes as a decoy of the identity (`dualseal_ring_add_decoy`)
 * with the record's time; `decoy_key_len` is `DUALSEAL_PUBLIC_KEY_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_sealed_parts(const dualseal_sealed *sealed,
                                      char **record_json,
                                      char **entry_json,
                                      dualseal_secret **secret,
                                      uint8_t *decoy_key,
                                      size_t decoy_key_len,
                                      dualseal_error **error);

/**
 * Frees what was sealed. NULL is ignored.
 */
void dualseal_sealed_free(dualseal_sealed *sealed);

/**
 * A sealer for `identity_id`. `tier_key` shows the tier, and is NULL for `DUALSEAL_TIER_PUBLIC` alone. One signing key
 * serves one domain. `ring` and `no_ring` as for `dualseal_signature_sign`: the ring is asked now, and not again when
 * the sealer seals, so that no sealer is kept past a change of the ring.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_sealer_new(const dualseal_vault_master *master,
                                          const char *identity_id,
                                          const dualseal_signing_key *key,
                                          const dualseal_ring *ring,
                                          int32_t no_ring,
                                          dualseal_tier tier,
                                          const dualseal_ed25519_key *tier_key,
                                          dualseal_vault_sealer **sealer,
                                          dualseal_error **error);

/**
 * Frees a sealer. NULL is ignored. Sealings that were begun with it stay good.
 */
void dualseal_vault_sealer_free(dualseal_vault_sealer *sealer);

/**
 * Seals a document in memory: `kind` is its type, 1 to 255 bytes without control characters and `::`, not beginning
 * with `:`, and not `ERASURE`; `note` is what the network's perimeter reported (L1), empty for nothing. Both heads
 * move on. The caller stores the record, the bytes to be `stored`, the entry and both heads, or none of them.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_sealer_seal(const dualseal_vault_sealer *sealer,
                                           const uint8_t *payload,
                                           size_t payload_len,
                                           const char *kind,
                                           dualseal_encryption encryption,
                                           dualseal_ledger_head *ledger,
                                           dualseal_head *head,
                                           const char *note,
                                           size_t note_len,
                                           int64_t time_ms,
                                           dualseal_sealed **sealed,
                                           uint8_t **stored,
                                           size_t *stored_len,
                                           dualseal_error **error);

/**
 * Records that an encrypted record of this identity and ledger was erased. `erased` is the report on it under the
 * operator's policy, which is Valid, or Revoked or Suspended with no layer that fails or was not checked, else
 * `DUALSEAL_STATUS_NOT_VERIFIED`: whoever put another record in its place would choose what is destroyed.
 * `DUALSEAL_STATUS_FOREIGN_LEDGER` for a sealer of another identity, master or domain, and for a record that the
 * ledger up to this head has not.
 *
 * `watched` is what `dualseal_chain_reader_watch_own_splits` watched for, of this vault up to this head, and `proofs`
 * what that reader gave. Every split that it found is recorded as erased, with the `count` of `splits`, which were
 * prepared and never committed. Only where no split of the vault was ever committed to a chain is `no_chain` 1,
 * `proofs` NULL, `watched` 0, and `splits` all that there are. `end_json` is the entry after the record's, to be
 * stored with it, after which nothing continues the vault's splits; NULL where `no_chain` is 1 and where an erasure
 * before ended them.
 *
 * The rest as for `dualseal_vault_sealer_seal`. The caller destroys the secret and the shards.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_sealer_erase(const dualseal_vault_sealer *sealer,
                                            const dualseal_vault_report *erased,
                                            const dualseal_proofs *proofs,
                                            dualseal_watched watched,
                                            int32_t no_chain,
                                            const char *const *splits,
                                            size_t count,
                                            dualseal_ledger_head *ledger,
                                            dualseal_head *head,
                                            const char *note,
                                            size_t note_len,
                                            int64_t time_ms,
                                            dualseal_sealed **sealed,
                                            uint8_t **stored,
                                            size_t *stored_len,
                                            char **end_json,
                                            dualseal_error **error);

/**
 * Begins a record; `kind` and `encryption` as for `dualseal_vault_sealer_seal`. `out` is set to the first bytes to be
 * stored, perhaps none, and freed with `dualseal_bytes_free`, as are those of the functions below. All of them are
 * worth nothing until `dualseal_sealing_finish`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_sealing_new(const dualseal_vault_sealer *sealer,
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
 * the sealing, whatever comes of it. The rest as for `dualseal_vault_sealer_seal`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_sealing_finish(dualseal_sealing *sealing,
                                        dualseal_ledger_head *ledger,
                                        dualseal_head *head,
                                        const char *note,
                                        size_t note_len,
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
 * Without the chain anybody can make L8, L6 and `krunica_hash` anew: a report under this policy never speaks for the
 * record's place in the chain, unless it was given that place.
 *
 * For everybody: L0, L3, L5 by its signature, and L4 at the least tier asked for; L6 and L8 must be consistent. It
 * needs no secret. A least tier above public is verified once a key was enrolled (`dualseal_vault_policy_enrol`);
 * until then `DUALSEAL_STATUS_NO_TIER_KEYS` is returned by whatever verifies.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_policy_new_public(dualseal_tier least_tier,
                                                 dualseal_vault_policy **policy,
                                                 dualseal_error **error);

/**
 * For the operator, who holds the master: every layer that the record's tier requires must pass, its place in the
 * chain included. Unsealing needs what this policy verified. Tiers as for `dualseal_vault_policy_new_public`; without
 * an enrolled key only records of the tier public pass.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_policy_new_operator(const dualseal_vault_master *master,
                                                   dualseal_tier least_tier,
                                                   dualseal_vault_policy **policy,
                                                   dualseal_error **error);

/**
 * Enrols an Ed25519 public key, in hexadecimal, that shows a tier above public for an identity: a key that only a
 * record names shows nothing. One that no strict verifier accepts is refused. Checks that were begun with the policy
 * keep it as it was.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_policy_enrol(dualseal_vault_policy *policy,
                                            const char *identity_id,
                                            dualseal_tier tier,
                                            const char *public_key,
                                            dualseal_error **error);

/**
 * Frees a policy. NULL is ignored. Checks that were begun with it stay good.
 */
void dualseal_vault_policy_free(dualseal_vault_policy *policy);

/**
 * The record without its fragment, which verifies as well: the only form that leaves the store. The caller overwrites
 * its own copy of a text that has a fragment.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_redact(const char *record_json,
                                             size_t record_json_len,
                                             char **redacted_json,
                                             dualseal_error **error);

/**
 * The head of the ledger after this record: what the next one is verified with, or sealed at.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_ledger_head(const char *record_json,
                                                  size_t record_json_len,
                                                  dualseal_ledger_head **ledger,
                                                  dualseal_error **error);

/**
 * Tells whether somebody signed with this record's fragment, by a verdict `DUALSEAL_STATUS_DECOY`: `found` is 1 or 0.
 * The fragment is computed again from the master. Of a fragment that was found the caller makes such a verdict
 * himself: it is the seed of the decoy's key.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_trace_decoy(const char *record_json,
                                                  size_t record_json_len,
                                                  const dualseal_vault_master *master,
                                                  const dualseal_verdict *verdict,
                                                  int32_t *found,
                                                  dualseal_error **error);

/**
 * Verifies a record of the identity `identity_id` against the hash of its stored bytes, which the caller computed from
 * the bytes at hand; nothing is decrypted. Each identity of the ring can seal any document: whoever takes a record by
 * any of them reads the identity from it, and decides by that. The status is the verdict, and only 0 is Valid. `cache`
 * may be NULL. `place` is the proven place of the record's entry in the chain, without which L6 and L8 are at best
 * consistent, and may be NULL. `after` is the head of the ledger before this record
 * (`dualseal_vault_record_ledger_head` of the one before), and may be NULL. `report` may be NULL; else it is set with
 * each of the five verdicts.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_record_verify(const dualseal_domain *domain,
                                             const dualseal_ring *ring,
                                             const dualseal_key_cache *cache,
                                             const dualseal_vault_policy *policy,
                                             const char *record_json,
                                             size_t record_json_len,
                                             const dualseal_stored_hash *stored_hash,
                                             const char *identity_id,
                                             const dualseal_located *place,
                                             const dualseal_ledger_head *after,
                                             dualseal_vault_report **report,
                                             dualseal_error **error);

/**
 * What an audience is told, as JSON: the operator every layer with its reason, and decoys unmasked; everybody else a
 * decoy as valid, and of a refusal neither layers nor reason, which is a courtesy, not evidence.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_report_to_json(const dualseal_vault_report *report,
                                              dualseal_audience audience,
                                              char **report_json,
                                              dualseal_error **error);

/**
 * Frees a report. NULL is ignored. Unsealers that were begun with it stay good.
 */
void dualseal_vault_report_free(dualseal_vault_report *report);

/**
 * The hash of the file `source` of stored bytes, of any size, which is then whole: `DUALSEAL_STATUS_FILE_READ` where
 * it cannot be read. With NULL for `source` it is the hash of no bytes, which `dualseal_stored_hash_update` adds to.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_stored_hash_new(const dualseal_domain *domain,
                                         const char *source,
                                         dualseal_stored_hash **stored_hash,
                                         dualseal_error **error);

/**
 * Adds the stored bytes, or the next part of them. What takes a hash takes it of all the bytes so far. One of a file
 * is whole, and gives `DUALSEAL_STATUS_STREAM_ENDED`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_stored_hash_update(dualseal_stored_hash *stored_hash,
                                            const uint8_t *stored,
                                            size_t stored_len,
                                            dualseal_error **error);

/**
 * Frees a hash. NULL is ignored.
 */
void dualseal_stored_hash_free(dualseal_stored_hash *stored_hash);

/**
 * Seals the file `source`, of any size, and writes the bytes to be stored to the file `target`. The rest as for
 * `dualseal_vault_sealer_seal`. They are written without that name, forced to the disk, and named: whenever the power
 * goes, what was there is there, or all of what is new. Only the owner may read them. The folder of `target` must be
 * one that can be read: it is opened before anything is written, to be forced to the disk at the end.
 *
 * `DUALSEAL_STATUS_FILE_READ` and `DUALSEAL_STATUS_FILE_WRITE` say which file failed, and `dualseal_error_os` why. The
 * latter is returned too where both are one file, and where a device, a pipe, a folder or a link has the name. On all
 * of these nothing was replaced or made.
 *
 * `DUALSEAL_STATUS_FILE_NOT_FORCED` is another thing: the new file has its name, whole, and only forcing the folder to
 * the disk failed. `sealed` is set and both heads have moved on, as for 0, and are kept as then.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_sealer_seal_file(const dualseal_vault_sealer *sealer,
                                                const char *source,
                                                const char *target,
                                                const char *kind,
                                                dualseal_encryption encryption,
                                                dualseal_ledger_head *ledger,
                                                dualseal_head *head,
                                                const char *note,
                                                size_t note_len,
                                                int64_t time_ms,
                                                dualseal_sealed **sealed,
                                                dualseal_error **error);

/**
 * Unseals the file `source` of stored bytes to the file `target`, which gets its name after the last byte was checked.
 * `report` and `secret` as for `dualseal_vault_unseal`, the files as for `dualseal_vault_sealer_seal_file`. On a
 * failure what was written is removed again, and what was there is there; but on `DUALSEAL_STATUS_FILE_NOT_FORCED` the
 * whole document has its name, and only forcing the folder to the disk failed. What `source` holds is compared with
 * what was verified, and may have been changed since.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_unseal_file(const dualseal_vault_report *report,
                                           const dualseal_secret *secret,
                                           const char *source,
                                           const char *target,
                                           dualseal_error **error);

/**
 * Unseals a document in memory, all of it or nothing. `report` is one on its record that is Valid under the operator's
 * policy, else `DUALSEAL_STATUS_NOT_VERIFIED`. `secret` is the vault secret of an encrypted record, and else may be
 * NULL. `payload` is freed with `dualseal_bytes_free`, which overwrites it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_unseal(const dualseal_vault_report *report,
                                      const dualseal_secret *secret,
                                      const uint8_t *stored,
                                      size_t stored_len,
                                      uint8_t **payload,
                                      size_t *payload_len,
                                      dualseal_error **error);

/**
 * Begins a second pass over the stored bytes; `report` and `secret` as for `dualseal_vault_unseal`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_unsealer_new(const dualseal_vault_report *report,
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
 * Tells whether an erasure counts for a record, which must be an encrypted one of the same ledger and identity:
 * `covers` is 1 or 0. `report` is one on the record of the erasure that is Valid, under either policy, `place` the
 * proven place of its entry, without which none counts, and `stored` are its stored bytes: `{"splits","vault_id"}`,
 * which say what was erased. `dualseal_proofs_splits` tells of splits that were made after it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_vault_erasure_covers(const dualseal_vault_report *report,
                                              const dualseal_located *place,
                                              const uint8_t *stored,
                                              size_t stored_len,
                                              const char *record_json,
                                              size_t record_json_len,
                                              int32_t *covers,
                                              dualseal_error **error);

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
                                           const char *record_json,
                                           size_t record_json_len,
                                           const dualseal_stored_hash *stored_hash,
                                           dualseal_vault_report **report,
                                           dualseal_error **error);

/**
 * Ends the ledger, and the check, whatever comes of it. `ledger` is the head after the last record; the rest are the
 * numbers of records by their verdict. `unverified_json`, which may be NULL, lists the entries of the chain that name
 * the ledger and are of no record that came, as `dualseal_proofs_ledger` lists those that it ignored:
 * without the master nobody can tell whether a record is missing, or somebody made them up.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_ledger_check_finish(dualseal_ledger_check *check,
                                             dualseal_ledger_head **ledger,
                                             uint64_t *valid,
                                             uint64_t *revoked,
                                             uint64_t *suspended,
                                             uint64_t *decoys,
                                             char **unverified_json,
                                             dualseal_error **error);

/**
 * Frees a check. NULL is ignored.
 */
void dualseal_ledger_check_free(dualseal_ledger_check *check);

/**
 * Watches for where the records of a ledger stand below the checkpoint. With the master only entries count whose tag
 * it made for their place; anybody who may write to the log can write others. NULL is for whoever is not the operator:
 * entries are then unverified. Or `before` is where they were located with the same master, and the reader begins
 * where the checkpoint ended then: `ledger_id` is NULL. Else `before` is.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_reader_watch_ledger(dualseal_chain_reader *reader,
                                                   const char *ledger_id,
                                                   const dualseal_vault_master *master,
                                                   const dualseal_located_ledger *before,
                                                   dualseal_watched *watched,
                                                   dualseal_error **error);

/**
 * Where they stand. Two entries that the master made for one place of the ledger and different seals are
 * `DUALSEAL_STATUS_LEDGER_FORK`. `ignored_json`, which may be NULL, lists the entries that begin as a record's and
 * count for nothing, with position and reason, up to 1,000: `{"entries":[{"reason":…,"seq":…}],"more":…}`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_proofs_ledger(const dualseal_proofs *proofs,
                                       dualseal_watched watched,
                                       dualseal_located_ledger **located_ledger,
                                       char **ignored_json,
                                       dualseal_error **error);

/**
 * The proven place of a record's entry; `DUALSEAL_STATUS_NOT_LOCATED` when the chain vouches for another one, or for
 * none, at its place of the ledger.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_located_ledger_locate(const dualseal_located_ledger *located_ledger,
                                               const char *record_json,
                                               size_t record_json_len,
                                               dualseal_located **place,
                                               dualseal_error **error);

/**
 * Frees the places. NULL is ignored. Checks that were begun with them, and what they located, stay good.
 */
void dualseal_located_ledger_free(dualseal_located_ledger *located_ledger);

/**
 * Prepares a split of the secret of a vault record, of GF(2^256), among `n` nodes: `node_urls` are their labels, in
 * shard order, which nothing dials. Any `m` of the shards rebuild it. They are sealed with a key that is derived from
 * the master for the record's identity. The record need not be verified; `DUALSEAL_STATUS_FOREIGN_LEDGER` where it is
 * of another master or domain, or its digest (L7) is not the master's: an erasure would leave such a split out.
 * `previous` is the split_id in force, NULL for the vault's first split. Each node pulls its own shard of the list
 * `new_shards_json`, all of which are secrets, and keeps the one that it had beside it; when they hold theirs, the
 * preparation is committed. One that is lost is prepared again.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shard_prepare(const dualseal_vault_master *master,
                                       const char *record_json,
                                       size_t record_json_len,
                                       const char *previous,
                                       uint32_t m,
                                       const char *const *node_urls,
                                       uint32_t n,
                                       const dualseal_secret *secret,
                                       char **new_shards_json,
                                       dualseal_preparation **preparation,
                                       dualseal_error **error);

/**
 * Appends the entry by which a prepared split comes into force: before it is stored the old shards rebuild, after that
 * the new ones do. `shard_ids`, `count` of them, are the new shards of which a node, which the caller authenticated,
 * said that it holds them: all n, or `least`, at least m, where that is not 0. `watched` is what
 * `dualseal_chain_reader_watch_own_splits` watched for, up to this head over the whole chain, and `proofs` what that
 * reader gave. The head moves on; the caller stores entry and head, or neither. `DUALSEAL_STATUS_STALE_SPLIT` where
 * another split was committed since.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_preparation_commit(const dualseal_preparation *preparation,
                                            const char *const *shard_ids,
                                            uint32_t count,
                                            uint32_t least,
                                            const dualseal_proofs *proofs,
                                            dualseal_watched watched,
                                            dualseal_head *head,
                                            int64_t time_ms,
                                            char **entry_json,
                                            dualseal_error **error);

/**
 * Frees a preparation. NULL is ignored.
 */
void dualseal_preparation_free(dualseal_preparation *preparation);

/**
 * What a node answered that was asked for its shard, made into a shard for the lists that these functions take, as
 * JSON: a secret. `shard_id` is the identifier that it was asked for, and `index` the number that this shard has.
 * Whatever the answer is, in any bytes, it becomes a shard of the node that was asked. One that is no shard, or
 * another one, does not hold, and names that node among the culprits: nothing that a node answers keeps a list from
 * being read, blocks the others or accuses one of them.
 *
 * `outcome` verifies that shard, of an identity, where it is not NULL: 0 says that its members give its identifier and
 * its seal holds, so that somebody who has the master, or the key that is derived from it for this identity, made it;
 * `DUALSEAL_STATUS_SHARD_IDENTIFIER` or `DUALSEAL_STATUS_SHARD_SEAL` that it does not. The call itself succeeds.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shard_from_answer(const dualseal_vault_master *master,
                                           const char *identity_id,
                                           const char *shard_id,
                                           uint32_t index,
                                           const uint8_t *answer,
                                           size_t answer_len,
                                           char **shard_json,
                                           dualseal_status *outcome,
                                           dualseal_error **error);

/**
 * Watches for the splits of a vault's secret below the checkpoint: what rebuilding, letting shards go and having older
 * ones deleted go by. The master is the one that the vault record names. Or `before` is the split that was found in
 * force, and the reader begins where the checkpoint ended then: `master`, `vault_id` and `identity_id` are NULL. Else
 * `before` is.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_reader_watch_splits(dualseal_chain_reader *reader,
                                                   const dualseal_vault_master *master,
                                                   const char *vault_id,
                                                   const char *identity_id,
                                                   const dualseal_split_in_force *before,
                                                   dualseal_watched *watched,
                                                   dualseal_error **error);

/**
 * Watches for the splits of a vault's secret up to `own`, the caller's own head, by which a split is committed
 * (`dualseal_preparation_commit`) and the vault erased (`dualseal_vault_sealer_erase`) in the transaction that
 * appends. To erase, the reader may begin at a head where the vault's record did not stand yet.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_reader_watch_own_splits(dualseal_chain_reader *reader,
                                                       const dualseal_vault_master *master,
                                                       const char *vault_id,
                                                       const char *identity_id,
                                                       dualseal_watched *watched,
                                                       dualseal_error **error);

/**
 * The split in force below the checkpoint. `splits_json`, unless it is NULL, is told all of them, also where none is
 * in force, as JSON: `{"erased","found","ignored","later","more"}`. `found` lists what the operator made, as
 * `{"counted","seq","split_id"}`; `ignored` the first thousand entries that count for nothing, as `{"reason","seq"}`,
 * and `more` counts the rest; `erased` is the position of the entry by which the vault was erased, or null, and
 * `later` lists the positions of splits that were made after it, whose shards were not destroyed with the others.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_proofs_splits(const dualseal_proofs *proofs,
                                       dualseal_watched watched,
                                       dualseal_split_in_force **in_force,
                                       char **splits_json,
                                       dualseal_error **error);

/**
 * Frees a split in force. NULL is ignored. Rebuildings that were made with it stay good.
 */
void dualseal_split_in_force_free(dualseal_split_in_force *in_force);

/**
 * What an authenticator answers of a request (`dualseal_rebuilding_request`), in hexadecimal. `challenge_len` is
 * `DUALSEAL_ID_TEXT_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_presence_challenge(const dualseal_domain *domain,
                                            const char *request_json,
                                            size_t request_json_len,
                                            const char *nonce,
                                            int64_t expiry_ms,
                                            char *challenge,
                                            size_t challenge_len,
                                            dualseal_error **error);

/**
 * Answers the challenge of a request with an Ed25519 key. The proof is JSON.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_presence_proof_sign(const dualseal_domain *domain,
                                             const char *request_json,
                                             size_t request_json_len,
                                             const char *nonce,
                                             int64_t expiry_ms,
                                             const dualseal_ed25519_key *key,
                                             char **proof_json,
                                             dualseal_error **error);

/**
 * A gate for `needed` good proofs, at least 1, by different keys of those that are enrolled for the identity:
 * `public_keys`, in hexadecimal, as many as `count`. One that no strict verifier accepts is refused. `proofs_json` is
 * a list of proofs, all for the challenge of this nonce and expiry, which is at most 300 seconds after the operation.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_presence_new(const char *identity_id,
                                      const char *const *public_keys,
                                      size_t count,
                                      const char *proofs_json,
                                      size_t proofs_json_len,
                                      const char *nonce,
                                      int64_t expiry_ms,
                                      uint32_t needed,
                                      dualseal_presence **presence,
                                      dualseal_error **error);

/**
 * Whether a node lets its shard go: the one call that it makes before it answers a request. 0 is yes.
 *
 * `recipient_key` is the public key of who asks, as the node pinned it and the channel authenticated it: of TLS the
 * SubjectPublicKeyInfo in DER, on the same machine the service's ML-DSA-65 key; never what the request says of itself.
 * `in_force` is the split_id that the operator told the node; only where there is no chain it is NULL and `no_chain`
 * is 1. Vault, splitting, identity, recipient and shards of the request are compared before the gate is asked, so that
 * a request which does not fit spends no nonce. `user` is for `consume` alone, and may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shard_release(const dualseal_domain *domain,
                                       const char *shard_json,
                                       size_t shard_json_len,
                                       const char *request_json,
                                       size_t request_json_len,
                                       const uint8_t *recipient_key,
                                       size_t recipient_key_len,
                                       const char *in_force,
                                       int32_t no_chain,
                                       const dualseal_presence *presence,
                                       dualseal_consume consume,
                                       void *user,
                                       int64_t now_ms,
                                       dualseal_error **error);

/**
 * Frees a gate. NULL is ignored.
 */
void dualseal_presence_free(dualseal_presence *presence);

/**
 * `in_force` is the last splitting in the chain, and every other one is refused; only where there is no chain it is
 * NULL and `no_chain` is 1.
 * `recipient_key` is the public key of the caller, by which the nodes know it.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_new(const dualseal_vault_master *master,
                                        const char *vault_id,
                                        const char *identity_id,
                                        const dualseal_split_in_force *in_force,
                                        int32_t no_chain,
                                        const uint8_t *recipient_key,
                                        size_t recipient_key_len,
                                        dualseal_rebuilding **rebuilding,
                                        dualseal_error **error);

/**
 * Frees a rebuilding. NULL is ignored.
 */
void dualseal_rebuilding_free(dualseal_rebuilding *rebuilding);

/**
 * Tells what a list of shards amounts to for the splitting that `shard_json` is of, a shard known to be good (the
 * `outcome` of `dualseal_shard_from_answer`), without rebuilding anything, as JSON:
 * `{"foreign","invalid","missing","present"}`, four lists of their numbers, each ascending. Invalid are those
 * whose identifier or seal does not hold, whatever they say that they are of; foreign those that hold, of another
 * vault, identity or splitting, or with other numbers, and all that hold where another splitting is in force. A
 * number that is there twice may show in two lists.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_health(const dualseal_rebuilding *rebuilding,
                                           const char *shard_json,
                                           size_t shard_json_len,
                                           const char *shards_json,
                                           size_t shards_json_len,
                                           char **health_json,
                                           dualseal_error **error);

/**
 * What the nodes and the gate are asked, as JSON, for whoever makes the proofs of presence: to let these shards of a
 * splitting go to this caller. Any m of the `count` shards that `shard_ids` names will do. A proof is made for one
 * request and fits no other. Expiry and nonce go beside it: `nonce` is drawn here, in hexadecimal, and `nonce_len` is
 * `DUALSEAL_ID_TEXT_BYTES`; NULL where one was drawn before. `lost` counts for a repair alone, `m` for a rethreshold,
 * and `node_urls` with `n` for a refresh and a rethreshold.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_request(const dualseal_rebuilding *rebuilding,
                                            dualseal_operation operation,
                                            const char *split_id,
                                            const char *const *shard_ids,
                                            uint32_t count,
                                            uint32_t lost,
                                            uint32_t m,
                                            const char *const *node_urls,
                                            uint32_t n,
                                            char **request_json,
                                            char *nonce,
                                            size_t nonce_len,
                                            dualseal_error **error);

/**
 * Rebuilds the secret from m or more of the shards that the request names, and no other. What a node answered goes
 * through `dualseal_shard_from_answer` first: m good shards rebuild, whatever is among them. `presence`,
 * `consume`, `user` and `now_ms` as for `dualseal_shard_release`, here and below. `faults_json` as for
 * `dualseal_dealing_reconstruct`, with the numbers of the shards. Of a refusal, `dualseal_error_faults` names the
 * culprits.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_rebuild(const dualseal_rebuilding *rebuilding,
                                            const char *request_json,
                                            size_t request_json_len,
                                            const char *shards_json,
                                            size_t shards_json_len,
                                            const dualseal_presence *presence,
                                            dualseal_consume consume,
                                            void *user,
                                            int64_t now_ms,
                                            dualseal_secret **secret,
                                            char **faults_json,
                                            dualseal_error **error);

/**
 * Makes the lost shard of this number again from m others, as JSON: a secret. `node_url` is the label that it had,
 * and `shard_id` the identifier that the caller knows. The rest as for `dualseal_rebuilding_rebuild`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_repair(const dualseal_rebuilding *rebuilding,
                                           const char *request_json,
                                           size_t request_json_len,
                                           const char *shards_json,
                                           size_t shards_json_len,
                                           uint32_t lost,
                                           const char *node_url,
                                           const char *shard_id,
                                           const dualseal_presence *presence,
                                           dualseal_consume consume,
                                           void *user,
                                           int64_t now_ms,
                                           char **shard_json,
                                           char **faults_json,
                                           dualseal_error **error);

/**
 * Prepares the same secret for these nodes, as the request says: with the same m and n for a refresh, with others for
 * a rethreshold. What comes of it is committed by `dualseal_preparation_commit`; until then the old shards rebuild,
 * and after it the new ones do. Shards of both do not go together. It protects only while fewer than m shards of every
 * earlier split survive. The rest as for `dualseal_rebuilding_rebuild`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_rebuilding_prepare(const dualseal_rebuilding *rebuilding,
                                            const char *request_json,
                                            size_t request_json_len,
                                            const char *shards_json,
                                            size_t shards_json_len,
                                            uint32_t m,
                                            const char *const *node_urls,
                                            uint32_t n,
                                            const dualseal_presence *presence,
                                            dualseal_consume consume,
                                            void *user,
                                            int64_t now_ms,
                                            char **new_shards_json,
                                            dualseal_preparation **preparation,
                                            char **faults_json,
                                            dualseal_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DUALSEAL_VAULT_H */
