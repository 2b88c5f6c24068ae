/* dualseal: what other programs wrote before, and what they still read. The contract is that of dualseal.h. */

#ifndef DUALSEAL_LEGACY_H
#define DUALSEAL_LEGACY_H

#include "dualseal.h"
#include "dualseal_sharing.h"

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

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
 * The expanded form, a secret that the caller overwrites after use. `expanded_len` is `DUALSEAL_EXPANDED_KEY_BYTES`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_signing_key_expanded(const dualseal_signing_key *key,
                                              uint8_t *expanded,
                                              size_t expanded_len,
                                              dualseal_error **error);

/**
 * From at least 16 bytes that were issued elsewhere before. A key of another length than 32 or 64 makes no seal, and
 * checks legacy seals alone.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_key_from_legacy(const uint8_t *key,
                                              size_t key_len,
                                              dualseal_seal_key **seal_key,
                                              dualseal_error **error);

/**
 * Makes a legacy seal, layer A alone, for those who read nothing else yet. `ring` and `no_ring` as for
 * `dualseal_signature_sign`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_payload_seal_legacy(const dualseal_domain *domain,
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
 * As `dualseal_seal_authenticate`, where a legacy seal counts too.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_seal_authenticate_legacy(const dualseal_domain *domain,
                                                  const char *seal,
                                                  size_t seal_len,
                                                  const uint8_t *payload,
                                                  size_t payload_len,
                                                  const char *identity_id,
                                                  const dualseal_seal_key *seal_key,
                                                  dualseal_seal_report **report,
                                                  dualseal_error **error);

/**
 * Rebuilds a value from a list of shares that come without a dealing, of which any `k` should give it. **Nobody
 * vouches for it.** With t shares, floor((t-k)/2) wrong ones are corrected and their indices given as the list
 * `outliers_json`, which are not culprits: more wrong ones that work together choose the value, and the honest shares
 * are then the outliers. `unchecked` is 1 when there are exactly k shares, with which nothing was checked. The bytes
 * are freed with `dualseal_bytes_free`.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_shares_reconstruct(dualseal_field field,
                                            const char *shares_json,
                                            size_t shares_json_len,
                                            uint32_t k,
                                            uint8_t **bytes,
                                            size_t *bytes_len,
                                            char **outliers_json,
                                            int32_t *unchecked,
                                            dualseal_error **error);

/**
 * Reads a share that `ssss` wrote for the threshold `k`, as a pair `[index, value in hexadecimal]` of GF(2^256). With
 * another k than it was made for, what is rebuilt later is not the secret.
 */
DUALSEAL_WARN_UNUSED
dualseal_status dualseal_share_from_ssss(const char *ssss,
                                         size_t ssss_len,
                                         uint32_t k,
                                         char **share_json,
                                         dualseal_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DUALSEAL_LEGACY_H */
