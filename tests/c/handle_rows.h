/* Every argument of every function that is a handle, for test_handles.c. A function that comes has its rows here: the
   suite compares them with the headers. */
#ifndef DUALSEAL_TEST_HANDLE_ROWS_H
#define DUALSEAL_TEST_HANDLE_ROWS_H

/* The function, its argument, the kind of that, and the call with `bad` in its place. O is of what may be NULL. */
#define ROWS(X)                                                                                                        \
    X(identity_id, domain, domain, bad, BYTES, TEXT, TEXT, NAME)                                                       \
    X(content_hash, domain, domain, bad, ANA, BYTES, NAME)                                                             \
    X(content_hash_of_file, domain, domain, bad, ANA, "/nowhere", NAME)                                                \
    X(content_hasher_new, domain, domain, bad, ANA, &out.content_hasher)                                               \
    X(content_hasher_update, hasher, content_hasher, bad, BYTES)                                                       \
    X(content_hasher_finish, hasher, content_hasher, bad, NAME)                                                        \
    X(signing_key_public_key, key, signing_key, bad, OUT_PK)                                                           \
    X(signing_key_seed, key, signing_key, bad, OUT_32)                                                                 \
    X(signing_key_to_pkcs8_pem, key, signing_key, bad, &out.text)                                                      \
    X(head_parts, head, head, bad, &out.number, NAME, NAME, &out.text)                                                 \
    X(head_append, head, head, bad, one.domain, ANA, TEXT, TIME, &out.text)                                            \
    X(head_append, domain, domain, one.head, bad, ANA, TEXT, TIME, &out.text)                                          \
    X(ring_new, ring_key, ring_key, "o", bad, &out.ring)                                                               \
    X(ring_to_stored_json, ring, ring, bad, one.head, &out.text)                                                       \
    X(ring_to_stored_json, head, head, one.ring, bad, &out.text)                                                       \
    X(ring_to_public_json, ring, ring, bad, &out.text)                                                                 \
    X(ring_add, ring, ring, bad, ANA, PK, one.head, TIME, &out.text)                                                   \
    X(ring_add, head, head, one.ring, ANA, PK, bad, TIME, &out.text)                                                   \
    X(ring_rotate, ring, ring, bad, ANA, PK, one.head, TIME, &out.text)                                                \
    X(ring_rotate, head, head, one.ring, ANA, PK, bad, TIME, &out.text)                                                \
    X(ring_set_state, ring, ring, bad, ANA, ANA, DUALSEAL_KEY_STATE_REVOKED, NULL, one.head, TIME, &out.text)          \
    X(ring_set_state, head, head, one.ring, ANA, ANA, DUALSEAL_KEY_STATE_REVOKED, NULL, bad, TIME, &out.text)          \
    X(ring_add_decoy, ring, ring, bad, PK, TEXT)                                                                       \
    X(ring_key_generate, domain, domain, bad, &out.ring_key)                                                           \
    X(ring_key_from_secret, domain, domain, bad, SECRET, &out.ring_key)                                                \
    X(ring_key_secret, ring_key, ring_key, bad, OUT_32)                                                                \
    X(signature_sign, domain, domain, bad, ANA, one.signing_key, one.ring, 0, ANA, one.head, TIME, &out.text,          \
      &out.text)                                                                                                       \
    X(signature_sign, key, signing_key, one.domain, ANA, bad, one.ring, 0, ANA, one.head, TIME, &out.text,             \
      &out.text)                                                                                                       \
    X(signature_sign, ring, ring, one.domain, ANA, one.signing_key, bad, 0, ANA, one.head, TIME, &out.text,            \
      &out.text)                                                                                                       \
    X(signature_sign, head, head, one.domain, ANA, one.signing_key, one.ring, 0, ANA, bad, TIME, &out.text,            \
      &out.text)                                                                                                       \
    X(signature_verify, domain, domain, bad, one.ring, one.key_cache, ANA, ANA, RECORD, one.located, &out.verdict)     \
    X(signature_verify, ring, ring, one.domain, bad, one.key_cache, ANA, ANA, RECORD, one.located, &out.verdict)       \
    O(signature_verify, cache, key_cache, one.domain, one.ring, bad, ANA, ANA, RECORD, one.located, &out.verdict)      \
    O(signature_verify, place, located, one.domain, one.ring, one.key_cache, ANA, ANA, RECORD, bad, &out.verdict)      \
    X(signature_verify_any_signer, domain, domain, bad, one.ring, one.key_cache, BYTES, RECORD, one.located, NAME,     \
      &out.verdict)                                                                                                    \
    X(signature_verify_any_signer, ring, ring, one.domain, bad, one.key_cache, BYTES, RECORD, one.located, NAME,       \
      &out.verdict)                                                                                                    \
    O(signature_verify_any_signer, cache, key_cache, one.domain, one.ring, bad, BYTES, RECORD, one.located, NAME,      \
      &out.verdict)                                                                                                    \
    O(signature_verify_any_signer, place, located, one.domain, one.ring, one.key_cache, BYTES, RECORD, bad, NAME,      \
      &out.verdict)                                                                                                    \
    X(verdict_to_json, verdict, verdict, bad, DUALSEAL_AUDIENCE_OPERATOR, &out.text, &out.text)                        \
    X(checkpoint_verify, domain, domain, bad, "o", ANA, ANA, 0, one.ring, 0, one.key_cache, CHECKPOINT,                \
      &out.checkpoint, &out.verdict)                                                                                   \
    X(checkpoint_verify, ring, ring, one.domain, "o", ANA, ANA, 0, bad, 0, one.key_cache, CHECKPOINT, &out.checkpoint, \
      &out.verdict)                                                                                                    \
    O(checkpoint_verify, cache, key_cache, one.domain, "o", ANA, ANA, 0, one.ring, 0, bad, CHECKPOINT, &out.checkpoint,\
      &out.verdict)                                                                                                    \
    X(checkpoint_fingerprint, domain, domain, bad, CHECKPOINT, NAME)                                                   \
    X(checkpoint_mark, checkpoint, checkpoint, bad, &out.text)                                                         \
    X(mark_first, head, head, "o", bad, one.ring, 0, &out.text)                                                        \
    X(mark_first, ring, ring, "o", one.head, bad, 0, &out.text)                                                        \
    X(mark_next, proofs, proofs, MARK, bad, one.ring, 0, &out.text)                                                    \
    X(mark_next, ring, ring, MARK, one.proofs, bad, 0, &out.text)                                                      \
    X(checkpoint_sign, domain, domain, bad, ANA, one.signing_key, one.ring, 0, ANA, MARK, TIME, &out.text)             \
    X(checkpoint_sign, key, signing_key, one.domain, ANA, bad, one.ring, 0, ANA, MARK, TIME, &out.text)                \
    X(checkpoint_sign, ring, ring, one.domain, ANA, one.signing_key, bad, 0, ANA, MARK, TIME, &out.text)               \
    X(ring_from_public_json, checkpoint, checkpoint, RING_FILE, bad, 0, &out.ring)                                     \
    X(chain_reader_new, domain, domain, bad, one.head, one.checkpoint, 0, one.head, &out.chain_reader)                 \
    O(chain_reader_new, begin, head, one.domain, bad, one.checkpoint, 0, one.head, &out.chain_reader)                  \
    X(chain_reader_new, checkpoint, checkpoint, one.domain, one.head, bad, 0, one.head, &out.chain_reader)             \
    O(chain_reader_new, own, head, one.domain, one.head, one.checkpoint, 0, bad, &out.chain_reader)                    \
    X(chain_reader_from_ring_file, domain, domain, bad, RING_FILE, one.head, &out.chain_reader)                        \
    X(chain_reader_from_ring_file, own, head, one.domain, RING_FILE, bad, &out.chain_reader)                           \
    X(chain_reader_push, reader, chain_reader, bad, TEXT)                                                              \
    X(chain_reader_finish, reader, chain_reader, bad, &out.proofs, &out.head, &out.head)                               \
    X(checkpoint_compare, first, checkpoint, bad, one.checkpoint, &out.consistency)                                    \
    X(checkpoint_compare, second, checkpoint, one.checkpoint, bad, &out.consistency)                                   \
    X(chain_reader_watch_consistency, reader, chain_reader, bad, one.checkpoint, one.checkpoint, &out.watched)         \
    X(chain_reader_watch_consistency, first, checkpoint, one.chain_reader, bad, one.checkpoint, &out.watched)          \
    X(chain_reader_watch_consistency, second, checkpoint, one.chain_reader, one.checkpoint, bad, &out.watched)         \
    X(proofs_consistency, proofs, proofs, bad, 0, &out.consistency)                                                    \
    X(chain_reader_watch_places, reader, chain_reader, bad, NULL, 0, &out.watched)                                     \
    X(proofs_place, proofs, proofs, bad, 0, ANA, 0, &out.located, &out.text)                                           \
    X(place_proof_verify, checkpoint, checkpoint, bad, TEXT, &out.located)                                             \
    X(chain_reader_watch_ring, reader, chain_reader, bad, RING_FILE, one.ring_key, NULL, 0, &out.watched)              \
    X(chain_reader_watch_ring, ring_key, ring_key, one.chain_reader, RING_FILE, bad, NULL, 0, &out.watched)            \
    X(proofs_ring, proofs, proofs, bad, 0, &out.ring, &out.text)                                                       \
    X(ring_follow, ring, ring, bad, TEXT, NULL, 0)                                                                     \
    X(evidence_make, domain, domain, bad, "o", RECORD, NULL, 0, one.ring, TEXT, TEXT, TEXT, &out.text)                 \
    X(evidence_make, ring, ring, one.domain, "o", RECORD, NULL, 0, bad, TEXT, TEXT, TEXT, &out.text)                   \
    O(evidence_open, domain, domain, bad, ANA, ANA, ANA, 0, 0, NULL, 0, 0, NULL, TEXT, &out.evidence)                  \
    X(evidence_update, evidence, evidence, bad, BYTES)                                                                 \
    X(evidence_finish, evidence, evidence, bad, &out.text)                                                             \
    X(evidence_compare, first, evidence, bad, one.evidence)                                                            \
    X(evidence_compare, second, evidence, one.evidence, bad)                                                           \
    X(payload_seal, domain, domain, bad, ANA, one.seal_key, one.signing_key, one.ring, 0, BYTES, &out.text)            \
    X(payload_seal, seal_key, seal_key, one.domain, ANA, bad, one.signing_key, one.ring, 0, BYTES, &out.text)          \
    X(payload_seal, key, signing_key, one.domain, ANA, one.seal_key, bad, one.ring, 0, BYTES, &out.text)               \
    X(payload_seal, ring, ring, one.domain, ANA, one.seal_key, one.signing_key, bad, 0, BYTES, &out.text)              \
    X(seal_verify, domain, domain, bad, one.ring, one.key_cache, SEAL, BYTES, ANA, DUALSEAL_SEAL_POLICY_BOTH,          \
      one.seal_key, one.located, &out.seal_report)                                                                     \
    X(seal_verify, ring, ring, one.domain, bad, one.key_cache, SEAL, BYTES, ANA, DUALSEAL_SEAL_POLICY_BOTH,            \
      one.seal_key, one.located, &out.seal_report)                                                                     \
    O(seal_verify, cache, key_cache, one.domain, one.ring, bad, SEAL, BYTES, ANA, DUALSEAL_SEAL_POLICY_BOTH,           \
      one.seal_key, one.located, &out.seal_report)                                                                     \
    X(seal_verify, seal_key, seal_key, one.domain, one.ring, one.key_cache, SEAL, BYTES, ANA,                          \
      DUALSEAL_SEAL_POLICY_BOTH, bad, one.located, &out.seal_report)                                                   \
    O(seal_verify, place, located, one.domain, one.ring, one.key_cache, SEAL, BYTES, ANA, DUALSEAL_SEAL_POLICY_BOTH,   \
      one.seal_key, bad, &out.seal_report)                                                                             \
    X(seal_authenticate, domain, domain, bad, SEAL, BYTES, ANA, one.seal_key, &out.seal_report)                        \
    X(seal_authenticate, seal_key, seal_key, one.domain, SEAL, BYTES, ANA, bad, &out.seal_report)                      \
    X(seal_append, head, head, SEAL, bad, one.domain, ANA, TIME, &out.text)                                            \
    X(seal_append, domain, domain, SEAL, one.head, bad, ANA, TIME, &out.text)                                          \
    X(seal_key_derive, domain, domain, bad, SECRET, ANA, &out.seal_key)                                                \
    X(seal_report_parts, report, seal_report, bad, &out.outcome, &out.outcome, &out.verdict)                           \
    X(seal_report_to_json, report, seal_report, bad, DUALSEAL_AUDIENCE_OPERATOR, &out.text)                            \
    X(signature_batch_new, domain, domain, bad, one.ring, one.key_cache, &out.signature_batch)                         \
    X(signature_batch_new, ring, ring, one.domain, bad, one.key_cache, &out.signature_batch)                           \
    O(signature_batch_new, cache, key_cache, one.domain, one.ring, bad, &out.signature_batch)                          \
    X(signature_batch_push, batch, signature_batch, bad, ANA, ANA, RECORD, one.located)                                \
    O(signature_batch_push, place, located, one.signature_batch, ANA, ANA, RECORD, bad)                                \
    X(signature_batch_run, batch, signature_batch, bad, 0, NULL, NULL)                                                 \
    X(signature_batch_verdict, batch, signature_batch, bad, 0, &out.verdict)                                           \
    X(signing_key_expanded, key, signing_key, bad, OUT_EXPANDED)                                                       \
    X(payload_seal_legacy, domain, domain, bad, ANA, one.seal_key, one.signing_key, one.ring, 0, BYTES, &out.text)     \
    X(payload_seal_legacy, seal_key, seal_key, one.domain, ANA, bad, one.signing_key, one.ring, 0, BYTES, &out.text)   \
    X(payload_seal_legacy, key, signing_key, one.domain, ANA, one.seal_key, bad, one.ring, 0, BYTES, &out.text)        \
    X(payload_seal_legacy, ring, ring, one.domain, ANA, one.seal_key, one.signing_key, bad, 0, BYTES, &out.text)       \
    X(seal_authenticate_legacy, domain, domain, bad, SEAL, BYTES, ANA, one.seal_key, &out.seal_report)                 \
    X(seal_authenticate_legacy, seal_key, seal_key, one.domain, SEAL, BYTES, ANA, bad, &out.seal_report)               \
    X(secret_bytes, secret, secret, bad, &out.bytes, &out.length)                                                      \
    X(dealing_deal, domain, domain, bad, one.secret, 2, 3, &out.text, &out.text)                                       \
    X(dealing_deal, secret, secret, one.domain, bad, 2, 3, &out.text, &out.text)                                       \
    X(dealing_reconstruct, domain, domain, bad, DUALSEAL_FIELD_GF2_256, TEXT, LIST, &out.secret, &out.text)            \
    X(dealing_repair, domain, domain, bad, DUALSEAL_FIELD_GF2_256, TEXT, LIST, 1, &out.text, &out.text)                \
    X(dealing_renew, domain, domain, bad, DUALSEAL_FIELD_GF2_256, TEXT, LIST, 2, 3, &out.text, &out.text, &out.text)   \
    X(dealing_health, domain, domain, bad, DUALSEAL_FIELD_GF2_256, TEXT, LIST, &out.text)                              \
    X(encryptor_new, secret, secret, bad, one.domain, ANA, "DEED", &out.encryptor, &out.bytes, &out.length)            \
    X(encryptor_new, domain, domain, one.secret, bad, ANA, "DEED", &out.encryptor, &out.bytes, &out.length)            \
    X(encryptor_update, encryptor, encryptor, bad, BYTES, &out.bytes, &out.length)                                     \
    X(encryptor_finish, encryptor, encryptor, bad, &out.bytes, &out.length)                                            \
    X(decryptor_new, secret, secret, bad, one.domain, ANA, "DEED", &out.decryptor)                                     \
    X(decryptor_new, domain, domain, one.secret, bad, ANA, "DEED", &out.decryptor)                                     \
    X(decryptor_update, decryptor, decryptor, bad, BYTES, &out.bytes, &out.length)                                     \
    X(decryptor_finish, decryptor, decryptor, bad, &out.bytes, &out.length)                                            \
    X(session_lend_key, in_force, session_in_force, bad, LIST, 0, NULL, &out.text)                                     \
    X(session_found_hmac, domain, domain, bad, ANA, NULL, 0, 2, one.head, TIME, &out.text, &out.text, &out.text)       \
    X(session_found_hmac, head, head, one.domain, ANA, NULL, 0, 2, bad, TIME, &out.text, &out.text, &out.text)         \
    X(session_found_mldsa, domain, domain, bad, ANA, NULL, 0, 2, ANA, one.head, TIME, &out.text, &out.text,            \
      &out.text)                                                                                                       \
    X(session_found_mldsa, head, head, one.domain, ANA, NULL, 0, 2, ANA, bad, TIME, &out.text, &out.text, &out.text)   \
    X(session_prepare, in_force, session_in_force, bad, LIST, NULL, 0, 2, TIME, &out.text, &out.text, &out.text)       \
    X(session_commit, in_force, session_in_force, bad, one.session_proofs, one.session_watched, SESSIONS, one.ring,    \
      LIST, 0, ANA, one.head, &out.text, &out.text)                                                                    \
    X(session_commit, proofs, proofs, one.session_in_force, bad, one.session_watched, SESSIONS, one.ring, LIST, 0,     \
      ANA, one.head, &out.text, &out.text)                                                                             \
    O(session_commit, ring, ring, one.session_in_force, one.session_proofs, one.session_watched, SESSIONS, bad,        \
      LIST, 0, ANA, one.head, &out.text, &out.text)                                                                    \
    X(session_commit, head, head, one.session_in_force, one.session_proofs, one.session_watched, SESSIONS, one.ring,   \
      LIST, 0, ANA, bad, &out.text, &out.text)                                                                         \
    X(session_quorum, in_force, session_in_force, bad, LIST, &out.small, &out.text, &out.flag)                         \
    X(session_repair, in_force, session_in_force, bad, LIST, 1, ANA, &out.text, &out.text)                             \
    X(session_sign, in_force, session_in_force, bad, one.ring, 0, BYTES, ANA, LIST, one.head, TIME, &out.text,         \
      &out.text, &out.text)                                                                                            \
    X(session_sign, ring, ring, one.session_in_force, bad, 0, BYTES, ANA, LIST, one.head, TIME, &out.text,             \
      &out.text, &out.text)                                                                                            \
    X(session_sign, head, head, one.session_in_force, one.ring, 0, BYTES, ANA, LIST, bad, TIME, &out.text,             \
      &out.text, &out.text)                                                                                            \
    X(session_authenticate, in_force, session_in_force, bad, BYTES, RESULT, LIST, &out.text)                           \
    X(session_verify, in_force, session_in_force, bad, BYTES, RESULT, one.ring, one.key_cache, one.located,            \
      &out.verdict)                                                                                                    \
    O(session_verify, ring, ring, one.session_in_force, BYTES, RESULT, bad, one.key_cache, one.located,                \
      &out.verdict)                                                                                                    \
    O(session_verify, cache, key_cache, one.session_in_force, BYTES, RESULT, one.ring, bad, one.located,               \
      &out.verdict)                                                                                                    \
    O(session_verify, place, located, one.session_in_force, BYTES, RESULT, one.ring, one.key_cache, bad,               \
      &out.verdict)                                                                                                    \
    X(session_verify_pinned, domain, domain, bad, ANA, ANA, PK, BYTES, RESULT, one.ring, one.key_cache, one.located,   \
      &out.verdict)                                                                                                    \
    O(session_verify_pinned, ring, ring, one.domain, ANA, ANA, PK, BYTES, RESULT, bad, one.key_cache, one.located,     \
      &out.verdict)                                                                                                    \
    O(session_verify_pinned, cache, key_cache, one.domain, ANA, ANA, PK, BYTES, RESULT, one.ring, bad, one.located,    \
      &out.verdict)                                                                                                    \
    O(session_verify_pinned, place, located, one.domain, ANA, ANA, PK, BYTES, RESULT, one.ring, one.key_cache, bad,    \
      &out.verdict)                                                                                                    \
    X(chain_reader_watch_session, reader, chain_reader, bad, ANA, ANA, one.session_in_force, &out.watched)             \
    O(chain_reader_watch_session, before, session_in_force, one.chain_reader, ANA, ANA, bad, &out.watched)             \
    X(proofs_session, proofs, proofs, bad, one.session_watched, SESSIONS, one.ring, &out.session_in_force)             \
    O(proofs_session, ring, ring, one.session_proofs, one.session_watched, SESSIONS, bad, &out.session_in_force)       \
    X(session_in_force_record, in_force, session_in_force, bad, &out.text, &out.number, &out.text, &out.text)          \
    X(ed25519_key_public_key, key, ed25519_key, bad, NAME)                                                             \
    X(ed25519_key_seed, key, ed25519_key, bad, OUT_32)                                                                 \
    X(vault_master_generate, domain, domain, bad, &out.vault_master)                                                   \
    X(vault_master_from_secret, domain, domain, bad, SECRET, &out.vault_master)                                        \
    X(vault_master_secret, master, vault_master, bad, OUT_32)                                                          \
    X(vault_master_key_id, master, vault_master, bad, NAME)                                                            \
    X(ledger_head_parts, ledger, ledger_head, bad, NAME, &out.number, NAME)                                            \
    X(sealed_parts, sealed, sealed, bad, &out.text, &out.text, &out.secret, OUT_PK)                                    \
    X(vault_sealer_new, master, vault_master, bad, ANA, one.signing_key, one.ring, 0, DUALSEAL_TIER_PUBLIC,            \
      one.ed25519_key, &out.vault_sealer)                                                                              \
    X(vault_sealer_new, key, signing_key, one.vault_master, ANA, bad, one.ring, 0, DUALSEAL_TIER_PUBLIC,               \
      one.ed25519_key, &out.vault_sealer)                                                                              \
    X(vault_sealer_new, ring, ring, one.vault_master, ANA, one.signing_key, bad, 0, DUALSEAL_TIER_PUBLIC,              \
      one.ed25519_key, &out.vault_sealer)                                                                              \
    O(vault_sealer_new, tier_key, ed25519_key, one.vault_master, ANA, one.signing_key, one.ring, 0,                    \
      DUALSEAL_TIER_PUBLIC, bad, &out.vault_sealer)                                                                    \
    X(vault_sealer_seal, sealer, vault_sealer, bad, BYTES, "DEED", DUALSEAL_ENCRYPTION_NONE, one.ledger_head,          \
      one.head, TEXT, TIME, &out.sealed, &out.bytes, &out.length)                                                      \
    X(vault_sealer_seal, ledger, ledger_head, one.vault_sealer, BYTES, "DEED", DUALSEAL_ENCRYPTION_NONE, bad,          \
      one.head, TEXT, TIME, &out.sealed, &out.bytes, &out.length)                                                      \
    X(vault_sealer_seal, head, head, one.vault_sealer, BYTES, "DEED", DUALSEAL_ENCRYPTION_NONE, one.ledger_head,       \
      bad, TEXT, TIME, &out.sealed, &out.bytes, &out.length)                                                           \
    X(vault_sealer_erase, sealer, vault_sealer, bad, one.vault_report, NULL, 0, 1, NULL, 0, one.ledger_head,           \
      one.head, TEXT, TIME, &out.sealed, &out.bytes, &out.length, &out.text)                                           \
    X(vault_sealer_erase, erased, vault_report, one.vault_sealer, bad, NULL, 0, 1, NULL, 0, one.ledger_head,           \
      one.head, TEXT, TIME, &out.sealed, &out.bytes, &out.length, &out.text)                                           \
    X(vault_sealer_erase, proofs, proofs, one.vault_sealer, one.vault_report, bad, 0, 0, NULL, 0, one.ledger_head,     \
      one.head, TEXT, TIME, &out.sealed, &out.bytes, &out.length, &out.text)                                           \
    X(vault_sealer_erase, ledger, ledger_head, one.vault_sealer, one.vault_report, NULL, 0, 1, NULL, 0, bad,           \
      one.head, TEXT, TIME, &out.sealed, &out.bytes, &out.length, &out.text)                                           \
    X(vault_sealer_erase, head, head, one.vault_sealer, one.vault_report, NULL, 0, 1, NULL, 0, one.ledger_head, bad,   \
      TEXT, TIME, &out.sealed, &out.bytes, &out.length, &out.text)                                                     \
    X(sealing_new, sealer, vault_sealer, bad, "DEED", DUALSEAL_ENCRYPTION_NONE, &out.sealing, &out.bytes,              \
      &out.length)                                                                                                     \
    X(sealing_update, sealing, sealing, bad, BYTES, &out.bytes, &out.length)                                           \
    X(sealing_finish, sealing, sealing, bad, one.ledger_head, one.head, TEXT, TIME, &out.sealed, &out.bytes,           \
      &out.length)                                                                                                     \
    X(sealing_finish, ledger, ledger_head, one.sealing, bad, one.head, TEXT, TIME, &out.sealed, &out.bytes,            \
      &out.length)                                                                                                     \
    X(sealing_finish, head, head, one.sealing, one.ledger_head, bad, TEXT, TIME, &out.sealed, &out.bytes,              \
      &out.length)                                                                                                     \
    X(vault_policy_new_operator, master, vault_master, bad, DUALSEAL_TIER_PUBLIC, &out.vault_policy)                   \
    X(vault_policy_enrol, policy, vault_policy, bad, ANA, DUALSEAL_TIER_PUBLIC, ANA)                                   \
    X(vault_record_trace_decoy, master, vault_master, VAULT_RECORD, bad, one.verdict, &out.flag)                       \
    X(vault_record_trace_decoy, verdict, verdict, VAULT_RECORD, one.vault_master, bad, &out.flag)                      \
    X(vault_record_verify, domain, domain, bad, one.ring, one.key_cache, one.vault_policy, VAULT_RECORD,               \
      one.stored_hash, ANA, one.located, one.ledger_head, &out.vault_report)                                           \
    X(vault_record_verify, ring, ring, one.domain, bad, one.key_cache, one.vault_policy, VAULT_RECORD,                 \
      one.stored_hash, ANA, one.located, one.ledger_head, &out.vault_report)                                           \
    O(vault_record_verify, cache, key_cache, one.domain, one.ring, bad, one.vault_policy, VAULT_RECORD,                \
      one.stored_hash, ANA, one.located, one.ledger_head, &out.vault_report)                                           \
    X(vault_record_verify, policy, vault_policy, one.domain, one.ring, one.key_cache, bad, VAULT_RECORD,               \
      one.stored_hash, ANA, one.located, one.ledger_head, &out.vault_report)                                           \
    X(vault_record_verify, stored_hash, stored_hash, one.domain, one.ring, one.key_cache, one.vault_policy,            \
      VAULT_RECORD, bad, ANA, one.located, one.ledger_head, &out.vault_report)                                         \
    O(vault_record_verify, place, located, one.domain, one.ring, one.key_cache, one.vault_policy, VAULT_RECORD,        \
      one.stored_hash, ANA, bad, one.ledger_head, &out.vault_report)                                                   \
    O(vault_record_verify, after, ledger_head, one.domain, one.ring, one.key_cache, one.vault_policy, VAULT_RECORD,    \
      one.stored_hash, ANA, one.located, bad, &out.vault_report)                                                       \
    X(vault_report_to_json, report, vault_report, bad, DUALSEAL_AUDIENCE_OPERATOR, &out.text)                          \
    X(stored_hash_new, domain, domain, bad, "/nowhere", &out.stored_hash)                                              \
    X(stored_hash_update, stored_hash, stored_hash, bad, BYTES)                                                        \
    X(vault_sealer_seal_file, sealer, vault_sealer, bad, "/nowhere", "/nowhere", "DEED", DUALSEAL_ENCRYPTION_NONE,     \
      one.ledger_head, one.head, TEXT, TIME, &out.sealed)                                                              \
    X(vault_sealer_seal_file, ledger, ledger_head, one.vault_sealer, "/nowhere", "/nowhere", "DEED",                   \
      DUALSEAL_ENCRYPTION_NONE, bad, one.head, TEXT, TIME, &out.sealed)                                                \
    X(vault_sealer_seal_file, head, head, one.vault_sealer, "/nowhere", "/nowhere", "DEED",                            \
      DUALSEAL_ENCRYPTION_NONE, one.ledger_head, bad, TEXT, TIME, &out.sealed)                                         \
    X(vault_unseal_file, report, vault_report, bad, one.secret, "/nowhere", "/nowhere")                                \
    O(vault_unseal_file, secret, secret, one.vault_report, bad, "/nowhere", "/nowhere")                                \
    X(vault_unseal, report, vault_report, bad, one.secret, BYTES, &out.bytes, &out.length)                             \
    O(vault_unseal, secret, secret, one.vault_report, bad, BYTES, &out.bytes, &out.length)                             \
    X(unsealer_new, report, vault_report, bad, one.secret, &out.unsealer)                                              \
    O(unsealer_new, secret, secret, one.vault_report, bad, &out.unsealer)                                              \
    X(unsealer_update, unsealer, unsealer, bad, BYTES, &out.bytes, &out.length)                                        \
    X(unsealer_finish, unsealer, unsealer, bad, &out.bytes, &out.length)                                               \
    X(vault_erasure_covers, report, vault_report, bad, one.located, BYTES, VAULT_RECORD, &out.flag)                    \
    O(vault_erasure_covers, place, located, one.vault_report, bad, BYTES, VAULT_RECORD, &out.flag)                     \
    X(ledger_check_new, domain, domain, bad, one.ring, one.key_cache, one.vault_policy, ANA, one.located_ledger,       \
      &out.ledger_check)                                                                                               \
    X(ledger_check_new, ring, ring, one.domain, bad, one.key_cache, one.vault_policy, ANA, one.located_ledger,         \
      &out.ledger_check)                                                                                               \
    O(ledger_check_new, cache, key_cache, one.domain, one.ring, bad, one.vault_policy, ANA, one.located_ledger,        \
      &out.ledger_check)                                                                                               \
    X(ledger_check_new, policy, vault_policy, one.domain, one.ring, one.key_cache, bad, ANA, one.located_ledger,       \
      &out.ledger_check)                                                                                               \
    O(ledger_check_new, located_ledger, located_ledger, one.domain, one.ring, one.key_cache, one.vault_policy, ANA,    \
      bad, &out.ledger_check)                                                                                          \
    X(ledger_check_push, check, ledger_check, bad, VAULT_RECORD, one.stored_hash, &out.vault_report)                   \
    X(ledger_check_push, stored_hash, stored_hash, one.ledger_check, VAULT_RECORD, bad, &out.vault_report)             \
    X(ledger_check_finish, check, ledger_check, bad, &out.ledger_head, &out.number, &out.number, &out.number,          \
      &out.number, &out.text)                                                                                          \
    X(chain_reader_watch_ledger, reader, chain_reader, bad, ANA, one.vault_master, one.located_ledger, &out.watched)   \
    O(chain_reader_watch_ledger, master, vault_master, one.chain_reader, ANA, bad, one.located_ledger, &out.watched)   \
    O(chain_reader_watch_ledger, before, located_ledger, one.chain_reader, ANA, one.vault_master, bad, &out.watched)   \
    X(proofs_ledger, proofs, proofs, bad, 0, &out.located_ledger, &out.text)                                           \
    O(located_ledger_locate, located_ledger, located_ledger, bad, VAULT_RECORD, &out.located)                          \
    X(shard_prepare, master, vault_master, bad, VAULT_RECORD, NULL, 2, NULL, 0, one.secret, &out.text,                 \
      &out.preparation)                                                                                                \
    X(shard_prepare, secret, secret, one.vault_master, VAULT_RECORD, NULL, 2, NULL, 0, bad, &out.text,                 \
      &out.preparation)                                                                                                \
    X(preparation_commit, preparation, preparation, bad, NULL, 0, 0, one.split_proofs, one.split_watched, one.head,    \
      TIME, &out.text)                                                                                                 \
    X(preparation_commit, proofs, proofs, one.preparation, NULL, 0, 0, bad, 0, one.head, TIME, &out.text)              \
    X(preparation_commit, head, head, one.preparation, NULL, 0, 0, one.split_proofs, one.split_watched, bad, TIME,     \
      &out.text)                                                                                                       \
    X(shard_from_answer, master, vault_master, bad, ANA, ANA, 0, BYTES, &out.text, &out.status)                        \
    X(chain_reader_watch_splits, reader, chain_reader, bad, one.vault_master, ANA, ANA, one.split_in_force,            \
      &out.watched)                                                                                                    \
    X(chain_reader_watch_splits, master, vault_master, one.chain_reader, bad, ANA, ANA, NULL, &out.watched)            \
    O(chain_reader_watch_splits, before, split_in_force, one.chain_reader, one.vault_master, ANA, ANA, bad,            \
      &out.watched)                                                                                                    \
    X(chain_reader_watch_own_splits, reader, chain_reader, bad, one.vault_master, ANA, ANA, &out.watched)              \
    X(chain_reader_watch_own_splits, master, vault_master, one.chain_reader, bad, ANA, ANA, &out.watched)              \
    X(proofs_splits, proofs, proofs, bad, 0, &out.split_in_force, &out.text)                                           \
    X(presence_challenge, domain, domain, bad, REQUEST, ANA, TIME, NAME)                                               \
    X(presence_proof_sign, domain, domain, bad, REQUEST, ANA, TIME, one.ed25519_key, &out.text)                        \
    X(presence_proof_sign, key, ed25519_key, one.domain, REQUEST, ANA, TIME, bad, &out.text)                           \
    X(shard_release, domain, domain, bad, SHARD, REQUEST, PK, ANA, 0, one.presence, consume, NULL, TIME)               \
    X(shard_release, presence, presence, one.domain, SHARD, REQUEST, PK, ANA, 0, bad, consume, NULL, TIME)             \
    X(rebuilding_new, master, vault_master, bad, ANA, ANA, one.split_in_force, 0, PK, &out.rebuilding)                 \
    X(rebuilding_new, in_force, split_in_force, one.vault_master, ANA, ANA, bad, 0, PK, &out.rebuilding)               \
    X(rebuilding_health, rebuilding, rebuilding, bad, SHARD, LIST, &out.text)                                          \
    X(rebuilding_request, rebuilding, rebuilding, bad, DUALSEAL_OPERATION_REBUILD, ANA, NULL, 0, 1, 2, NULL, 0,        \
      &out.text, NAME)                                                                                                 \
    X(rebuilding_rebuild, rebuilding, rebuilding, bad, REQUEST, LIST, one.presence, consume, NULL, TIME,               \
      &out.secret, &out.text)                                                                                          \
    X(rebuilding_rebuild, presence, presence, one.rebuilding, REQUEST, LIST, bad, consume, NULL, TIME, &out.secret,    \
      &out.text)                                                                                                       \
    X(rebuilding_repair, rebuilding, rebuilding, bad, REQUEST, LIST, 1, ANA, ANA, one.presence, consume, NULL, TIME,   \
      &out.text, &out.text)                                                                                            \
    X(rebuilding_repair, presence, presence, one.rebuilding, REQUEST, LIST, 1, ANA, ANA, bad, consume, NULL, TIME,     \
      &out.text, &out.text)                                                                                            \
    X(rebuilding_prepare, rebuilding, rebuilding, bad, REQUEST, LIST, 2, NULL, 0, one.presence, consume, NULL, TIME,   \
      &out.text, &out.preparation, &out.text)                                                                          \
    X(rebuilding_prepare, presence, presence, one.rebuilding, REQUEST, LIST, 2, NULL, 0, bad, consume, NULL, TIME,     \
      &out.text, &out.preparation, &out.text)

#endif
