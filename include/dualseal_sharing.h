/* dualseal: secrets shared, data encrypted under them, and threshold sessions. The contract is that of dualseal.h. */

#ifndef DUALSEAL_SHARING_H
#define DUALSEAL_SHARING_H

#include "dualseal.h"

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
 * Decrypts a stream that comes in parts of any size. For one thread at a time.
 */
typedef struct dualseal_decryptor dualseal_decryptor;

/**
 * Encrypts data that comes in parts, of any size. For one thread at a time.
 */
typedef struct dualseal_encryptor dualseal_encryptor;

/**
 * A secret that this library drew: the only kind that is shared. Never changes; threads may share it. It is
 * overwritten when it and every decryption with it are freed.
 */
typedef struct dualseal_secret dualseal_secret;

/**
 * What a chain says of a session below a verified checkpoint: its pinned founder, and the generations that continue
 * it. Threads may share it. It holds at most one preparation, from `dualseal_session_prepare` until it is committed,
 * another is prepared, or it is freed.
 */
typedef struct dualseal_session_in_force dualseal_session_in_force;

/**
 * Works with the key of a quorum, which is freed when it returns. Everything that it made with the key, such as a
 * vault sealer, is to be freed before. It must return without jumping out or throwing.
 */
typedef void (*dualseal_quorum_work)(const dualseal_signing_key *key, void *user);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Draws a secret with the system's random number generator.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_secret_generate(dualseal_field field,
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
 * Frees a secret. NULL is ignored.
 */
void dualseal_secret_free(dualseal_secret *secret);

/**
 * Deals `n` shares of a secret, of which any `k` give it. The dealing is published. The shares are a list of pairs
 * `[index, value in hexadecimal]`, which go to their holders, one each, and nowhere else.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_deal(const dualseal_domain *domain,
                                      const dualseal_secret *secret,
                                      uint32_t k,
                                      uint32_t n,
                                      char **dealing_json,
                                      char **shares_json,
                                      dualseal_error **error);

/**
 * Rebuilds the secret. The domain and the field are those that it was dealt under. `faults_json` is
 * `{"culprits","misdealt"}`, two lists of indices, each ascending: of the shares that are not what the dealer
 * committed to, and of those that are and do not go with the others, for which the dealer is to blame and not who sent
 * them. Neither took part. The latter are looked for where the first shares do not give the secret. Of a refusal,
 * `dualseal_error_faults` names the culprits.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_reconstruct(const dualseal_domain *domain,
                                             dualseal_field field,
                                             const char *dealing_json,
                                             size_t dealing_json_len,
                                             const char *shares_json,
                                             size_t shares_json_len,
                                             dualseal_secret **secret,
                                             char **faults_json,
                                             dualseal_error **error);

/**
 * Makes the lost share of this index again from others, as the pair `[index, value in hexadecimal]`. The rest as for
 * `dualseal_dealing_reconstruct`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_repair(const dualseal_domain *domain,
                                        dualseal_field field,
                                        const char *dealing_json,
                                        size_t dealing_json_len,
                                        const char *shares_json,
                                        size_t shares_json_len,
                                        uint32_t lost,
                                        char **share_json,
                                        char **faults_json,
                                        dualseal_error **error);

/**
 * Deals the same secret anew: shares of the old and of the new set do not go together. With 0 for `k` and for `n` both
 * stay what they are, so that no slip lowers them. It protects only while fewer than k shares of every earlier set
 * survive: old shares keep the old k for as long as they exist. The rest as for `dualseal_dealing_reconstruct`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_renew(const dualseal_domain *domain,
                                       dualseal_field field,
                                       const char *dealing_json,
                                       size_t dealing_json_len,
                                       const char *shares_json,
                                       size_t shares_json_len,
                                       uint32_t k,
                                       uint32_t n,
                                       char **new_dealing_json,
                                       char **new_shares_json,
                                       char **faults_json,
                                       dualseal_error **error);

/**
 * Tells which shares of the set are present, missing, invalid and foreign, without rebuilding anything, as JSON:
 * `{"foreign","invalid","missing","present"}`, four lists of indices, each ascending.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_dealing_health(const dualseal_domain *domain,
                                        dualseal_field field,
                                        const char *dealing_json,
                                        size_t dealing_json_len,
                                        const char *shares_json,
                                        size_t shares_json_len,
                                        char **health_json,
                                        dualseal_error **error);

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
 * signature records, seals and checkpoints. `user` is for `work` alone, and may be NULL. `faults_json` as
 * for `dualseal_dealing_reconstruct`; of a refusal, `dualseal_error_faults` names the culprits.
 * `DUALSEAL_STATUS_KEY_KEPT` when something that was made with the key is still there after the call: it holds the key
 * of the quorum, and is to be freed at once.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_lend_key(const dualseal_session_in_force *in_force,
                                          const char *shares_json,
                                          size_t shares_json_len,
                                          dualseal_quorum_work work,
                                          void *user,
                                          char **faults_json,
                                          dualseal_error **error);

/**
 * Founds a session whose results k shares verify (HMAC-SHA3-512). `owners` are the custodians' identities, `n` of
 * them, in share order; any `k` of their shares sign. The session's entry is appended at the head, which moves on. The
 * caller stores the record, the entry and the head, or none of them, pins the entry's `krunica_hash`, and gives each
 * share of the list `new_shares_json` to its custodian alone.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_found_hmac(const dualseal_domain *domain,
                                            const char *founder,
                                            const char *const *owners,
                                            uint32_t n,
                                            uint32_t k,
                                            dualseal_head *head,
                                            int64_t time_ms,
                                            char **session_json,
                                            char **new_shares_json,
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
                                             uint32_t n,
                                             uint32_t k,
                                             const char *identity_id,
                                             dualseal_head *head,
                                             int64_t time_ms,
                                             char **session_json,
                                             char **new_shares_json,
                                             char **entry_json,
                                             dualseal_error **error);

/**
 * Prepares other shares of the secret of a session in force, for these custodians: a new record under the same
 * identifier, without its authority, which does not count yet. `k` shares of the new ones will sign; with 0 for `k`
 * both k and n stay what they are, so that no slip lowers them. `shares_json` is a list of k shares or more, as for
 * `dualseal_session_sign`, and `faults_json` as for `dualseal_dealing_reconstruct`. Each of the new shares goes to its
 * custodian with the record; nodes keep the old one beside it. The preparation stays in `in_force`, in memory: one
 * that is lost is prepared again.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_prepare(const dualseal_session_in_force *in_force,
                                         const char *shares_json,
                                         size_t shares_json_len,
                                         const char *const *owners,
                                         uint32_t n,
                                         uint32_t k,
                                         int64_t time_ms,
                                         char **session_json,
                                         char **new_shares_json,
                                         char **faults_json,
                                         dualseal_error **error);

/**
 * Brings what was prepared into force: appends its entry at the head of the caller's own chain, which moves on.
 * `watched` is what `dualseal_chain_reader_watch_session` watched for, of the same session, and `proofs` what that
 * reader gave, which read up to that head; `records_json` and `ring` are as for `dualseal_proofs_session`.
 * `acknowledgements_json` is the list of what the custodians said whose shares arrived and hold, each a pair
 * `[index,{"split_id","udio_sidra"}]`: whom the channel authenticated, by the index of the share that was sent to him,
 * and what he said, the split and the commitment to his share. What he says of another's counts for nobody. `needed`
 * is how many must, at least k; 0 stands for all. The record, with its authority, the entry and the head are stored
 * together, or none of them. `DUALSEAL_STATUS_STALE_GENERATION` when another generation is in force by now.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_commit(const dualseal_session_in_force *in_force,
                                        const dualseal_proofs *proofs,
                                        dualseal_watched watched,
                                        const char *records_json,
                                        size_t records_json_len,
                                        const dualseal_ring *ring,
                                        const char *acknowledgements_json,
                                        size_t acknowledgements_json_len,
                                        uint32_t needed,
                                        const char *requester,
                                        dualseal_head *head,
                                        char **session_json,
                                        char **entry_json,
                                        dualseal_error **error);

/**
 * Tells whether these shares are enough to sign: `needed` is how many it takes, and `reached` is 1 when they are
 * enough, else 0. They are sorted by the commitments of every record, as for signing: `quorum_json` is
 * `{"foreign","ignored","in_force","invalid","missing","present","seq","split_id"}`, lists of indices by the record of
 * that split, whose entry stands at `seq`. `in_force` is false where nothing tells whether that record counts: of an
 * HMAC session that is continued k good shares tell it. Foreign are shares of other records too, whose holders are no
 * cheats. `ignored` is as for `dualseal_session_in_force_record`, with forged records once k good shares tell of them.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_quorum(const dualseal_session_in_force *in_force,
                                        const char *shares_json,
                                        size_t shares_json_len,
                                        uint32_t *needed,
                                        char **quorum_json,
                                        int32_t *reached,
                                        dualseal_error **error);

/**
 * Makes the lost share of this index again from k others, for its custodian `owner`, as JSON: a secret.
 * `faults_json` as for `dualseal_dealing_reconstruct`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_repair(const dualseal_session_in_force *in_force,
                                        const char *shares_json,
                                        size_t shares_json_len,
                                        uint32_t lost,
                                        const char *owner,
                                        char **share_json,
                                        char **faults_json,
                                        dualseal_error **error);

/**
 * What a node answered that was asked for share `index` of a session, made into a share for the lists that these
 * functions take, as JSON: a secret. A good answer is the pair `[index, value in hexadecimal]`, beside which the node
 * says of which split it is: `split_id`. Whatever the answer is, in any bytes, it becomes a share of the custodian
 * `owner` who was asked. One that is no pair, or names another number, does not hold, and names him among the
 * culprits: nothing that a custodian answers keeps a list from being read, or accuses another.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_share_from_answer(const char *session_id,
                                                   const char *split_id,
                                                   const char *owner,
                                                   uint32_t index,
                                                   const uint8_t *answer,
                                                   size_t answer_len,
                                                   char **share_json,
                                                   dualseal_error **error);

/**
 * Signs a message with a list of k shares or more, for `requester`. The result names the culprits; the misdealt, as
 * `dualseal_dealing_reconstruct` tells them, are the list `misdealt_json`, which may be NULL. The entry is appended at
 * the head, which moves on. Of a refusal, `dualseal_error_faults` names the culprits and
 * `dualseal_error_session_result` is the result; nothing was appended then. `ring` and `no_ring` as for
 * `dualseal_signature_sign`, of the quorum's key: an HMAC session has none, and asks no ring.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_sign(const dualseal_session_in_force *in_force,
                                      const dualseal_ring *ring,
                                      int32_t no_ring,
                                      const uint8_t *message,
                                      size_t message_len,
                                      const char *requester,
                                      const char *shares_json,
                                      size_t shares_json_len,
                                      dualseal_head *head,
                                      int64_t time_ms,
                                      char **result_json,
                                      char **entry_json,
                                      char **misdealt_json,
                                      dualseal_error **error);

/**
 * Confirms a result of an HMAC session with k shares. `DUALSEAL_STATUS_AUTHENTICATED`, and never 0, says that somebody
 * who had k shares made it, who may be the caller: **that is not Valid**. `faults_json` as for
 * `dualseal_dealing_reconstruct`, of the shares given now.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_authenticate(const dualseal_session_in_force *in_force,
                                              const uint8_t *message,
                                              size_t message_len,
                                              const char *result_json,
                                              size_t result_json_len,
                                              const char *shares_json,
                                              size_t shares_json_len,
                                              char **faults_json,
                                              dualseal_error **error);

/**
 * Verifies a result of an ML-DSA session without any share, by the session in force. The status is the verdict, and
 * only 0 is Valid. `cache`, `place` and `verdict` may be NULL, as for `dualseal_signature_verify`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_verify(const dualseal_session_in_force *in_force,
                                        const uint8_t *message,
                                        size_t message_len,
                                        const char *result_json,
                                        size_t result_json_len,
                                        const dualseal_ring *ring,
                                        const dualseal_key_cache *cache,
                                        const dualseal_located *place,
                                        dualseal_verdict **verdict,
                                        dualseal_error **error);

/**
 * As `dualseal_session_verify`, without a chain: the session, the identity and the quorum's public key are those that
 * the caller pinned by hand. Never take them from a session record that came with the result: a member of the ring
 * could name himself there, and sign alone.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_verify_pinned(const dualseal_domain *domain,
                                               const char *session_id,
                                               const char *identity_id,
                                               const uint8_t *public_key,
                                               size_t public_key_len,
                                               const uint8_t *message,
                                               size_t message_len,
                                               const char *result_json,
                                               size_t result_json_len,
                                               const dualseal_ring *ring,
                                               const dualseal_key_cache *cache,
                                               const dualseal_located *place,
                                               dualseal_verdict **verdict,
                                               dualseal_error **error);

/**
 * Of a refused `dualseal_session_sign`: the result with `ok: false`, as JSON; NULL for every other error, and for
 * NULL. It lives as long as the error.
 */
const char *dualseal_error_session_result(const dualseal_error *error);

/**
 * Watches for the entries of a session. `founder` is the handle of the founding's entry (`krunica_hash`), which the
 * caller pinned then. Or `before` is the session as it was found in force, and the reader begins where the checkpoint
 * ended then: `session_id` and `founder` are NULL. Else `before` is.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_chain_reader_watch_session(dualseal_chain_reader *reader,
                                                    const char *session_id,
                                                    const char *founder,
                                                    const dualseal_session_in_force *before,
                                                    dualseal_watched *watched,
                                                    dualseal_error **error);

/**
 * The session as its chain says below the checkpoint. `records_json` is a list of records of the session: the
 * founder's, and those of the generations since. An entry of which none is there is listed as ignored. `ring` is the
 * ring that the caller trusts: a quorum's key that was revoked authorises nothing from there on. It may be NULL for an
 * HMAC session, which has no key; `DUALSEAL_STATUS_SESSION_KEY_UNKNOWN` where it does not hold the session's. It may
 * be asked again, with other records.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_proofs_session(const dualseal_proofs *proofs,
                                        dualseal_watched watched,
                                        const char *records_json,
                                        size_t records_json_len,
                                        const dualseal_ring *ring,
                                        dualseal_session_in_force **in_force,
                                        dualseal_error **error);

/**
 * What the chain says: `session_json` is the record in force and `seq` the position of its entry, where the chain
 * alone tells it. Of an HMAC session that is continued it does not: then they are NULL and `UINT64_MAX`, and
 * `dualseal_session_quorum` tells of shares by which record they hold. `candidates_json` is a list of the founder's
 * record, which was pinned and holds what a session never changes, and of those that may continue it:
 * `[{"seq","session"},…]`, in the order of the chain. Of an HMAC session anybody may have written any but the first.
 * `ignored_json` lists the entries of the session that count for nothing: `{"entries":[{"reason","seq"},…],"more"}`.
 * Each may be NULL.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_session_in_force_record(const dualseal_session_in_force *in_force,
                                                 char **session_json,
                                                 uint64_t *seq,
                                                 char **candidates_json,
                                                 char **ignored_json,
                                                 dualseal_error **error);

/**
 * Frees a session in force. NULL is ignored.
 */
void dualseal_session_in_force_free(dualseal_session_in_force *in_force);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DUALSEAL_SHARING_H */
