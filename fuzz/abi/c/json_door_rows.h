/* Every text of somebody else's that a function of the C ABI reads: JSON, lines of a chain, seals. A function that
   comes has its rows here: the suite `c` compares them with the headers. */
#ifndef DUALSEAL_JSON_DOOR_ROWS_H
#define DUALSEAL_JSON_DOOR_ROWS_H

/* The function, its argument, a text that is in order there, and the call with `GIVEN` in its place. */
#define DOORS(D)                                                                                                       \
    D(json_canonical, text_json, one.record, GIVEN, &out.text)                                                         \
    D(entry_parts, entry_json, kept_texts.entry, GIVEN, &out.text, NAME)                                               \
    D(head_new, head_json, kept_texts.head, GIVEN, &out.head)                                                          \
    D(ring_add_decoy, entry_json, kept_texts.entry, a_ring(), decoy, sizeof decoy, GIVEN)                              \
    D(signature_verify, record_json, one.record, one.domain, one.ring, NULL, ANA, deed, GIVEN, NULL,                   \
      &out.verdict)                                                                                                    \
    D(signature_record_parts, record_json, one.record, GIVEN, NAME, OTHER_NAME, THIRD_NAME, OUT_PK, &out.time)         \
    D(signature_verify_any_signer, record_json, one.record, one.domain, one.ring, NULL, (const uint8_t *)"deed",       \
      4, GIVEN, NULL, NAME, &out.verdict)                                                                              \
    D(checkpoint_verify, checkpoint_json, one.checkpoint_json, one.domain, ORIGIN, BOB, log_hash, 1, NO_RING, NULL,    \
      GIVEN, &out.checkpoint, &out.verdict)                                                                            \
    D(checkpoint_fingerprint, checkpoint_json, one.checkpoint_json, one.domain, GIVEN, NAME)                           \
    D(mark_next, mark_json, one.mark, GIVEN, one.proofs, one.ring, 0, &out.text)                                       \
    D(checkpoint_sign, mark_json, one.mark, one.domain, BOB, one.signing_key, NO_RING, NULL, GIVEN, TIME,              \
      &out.text)                                                                                                       \
    D(ring_from_public_json, ring_json, kept_texts.ring, GIVEN, NULL, 1, &out.ring)                                    \
    D(chain_reader_from_ring_file, ring_json, one.ring_file, one.domain, GIVEN, one.head, &out.chain_reader)           \
    D(chain_reader_push, line, world.lines[0], a_reader(), GIVEN)                                                      \
    D(chain_reader_watch_ring, ring_json, one.ring_file, a_reader_of_a_file(), GIVEN, one.ring_key, NULL, 0,           \
      &out.watched)                                                                                                    \
    D(ring_follow, line, kept_texts.line, a_ring(), GIVEN, NULL, 0)                                                    \
    D(place_proof_verify, proof_json, one.place, one.checkpoint, GIVEN, &out.located)                                  \
    D(evidence_make, record_json, one.record, one.domain, "DUALSEAL", GIVEN, NULL, 0, one.ring,                        \
      SIZED(one.place), SIZED(one.ring_place), NULL, 0, &out.text)                                                     \
    D(evidence_make, place_json, one.place, one.domain, "DUALSEAL", RECORD, NULL, 0, one.ring, GIVEN,                  \
      SIZED(one.ring_place), NULL, 0, &out.text)                                                                       \
    D(evidence_make, ring_place_json, one.ring_place, one.domain, "DUALSEAL", RECORD, NULL, 0, one.ring,               \
      SIZED(one.place), GIVEN, NULL, 0, &out.text)                                                                     \
    D(evidence_open, evidence_json, one.file, NULL, log_name, ANA, NULL, 0, 1, NULL, 0, 0, NULL, GIVEN,                \
      &out.evidence)                                                                                                   \
    D(seal_verify, seal, one.seal, one.domain, one.ring, NULL, GIVEN, NULL, 0, ANA, DUALSEAL_SEAL_POLICY_BOTH,         \
      one.seal_key, NULL, &out.seal_report)                                                                            \
    D(seal_authenticate, seal, one.seal, one.domain, GIVEN, NULL, 0, ANA, one.seal_key, &out.seal_report)              \
    D(seal_authenticate_legacy, seal, one.seal, one.domain, GIVEN, NULL, 0, ANA, one.seal_key, &out.seal_report)       \
    D(seal_append, seal, one.seal, GIVEN, a_head(), one.domain, ANA, TIME, &out.text)                                  \
    D(signature_batch_push, record_json, one.record, a_batch(), ANA, deed, GIVEN, NULL)                                \
    D(shares_reconstruct, shares_json, kept_texts.shares, DUALSEAL_FIELD_GF2_256, GIVEN, 2, &out.bytes,                \
      &out.length, &out.text, &out.flag)                                                                               \
    D(dealing_reconstruct, dealing_json, kept_texts.dealing, one.domain, DUALSEAL_FIELD_GF2_256, GIVEN, SHARES,        \
      &out.secret, &out.text)                                                                                          \
    D(dealing_reconstruct, shares_json, kept_texts.shares, one.domain, DUALSEAL_FIELD_GF2_256, DEALING, GIVEN,         \
      &out.secret, &out.text)                                                                                          \
    D(dealing_repair, dealing_json, kept_texts.dealing, one.domain, DUALSEAL_FIELD_GF2_256, GIVEN, SHARES, 1,          \
      &out.text, &out.second)                                                                                          \
    D(dealing_repair, shares_json, kept_texts.shares, one.domain, DUALSEAL_FIELD_GF2_256, DEALING, GIVEN, 1,           \
      &out.text, &out.second)                                                                                          \
    D(dealing_renew, dealing_json, kept_texts.dealing, one.domain, DUALSEAL_FIELD_GF2_256, GIVEN, SHARES, 2, 3,        \
      &out.text, &out.second, &out.third)                                                                              \
    D(dealing_renew, shares_json, kept_texts.shares, one.domain, DUALSEAL_FIELD_GF2_256, DEALING, GIVEN, 2, 3,         \
      &out.text, &out.second, &out.third)                                                                              \
    D(dealing_health, dealing_json, kept_texts.dealing, one.domain, DUALSEAL_FIELD_GF2_256, GIVEN, SHARES,             \
      &out.text)                                                                                                       \
    D(dealing_health, shares_json, kept_texts.shares, one.domain, DUALSEAL_FIELD_GF2_256, DEALING, GIVEN,              \
      &out.text)                                                                                                       \
    D(session_lend_key, shares_json, one.session_shares, one.session_in_force, GIVEN, work, NULL, &out.text)           \
    D(session_prepare, shares_json, one.session_shares, one.session_in_force, GIVEN, owners, 3, 2, TIME,               \
      &out.text, &out.second, &out.third)                                                                              \
    D(session_commit, records_json, one.sessions, one.session_in_force, one.session_proofs, one.session_watched,       \
      GIVEN, NULL, SIZED("[]"), 0, BOB, a_head(), &out.text, &out.second)                                              \
    D(session_commit, acknowledgements_json, "[]", one.session_in_force, one.session_proofs,                           \
      one.session_watched, SESSIONS, NULL, GIVEN, 0, BOB, a_head(), &out.text, &out.second)                            \
    D(session_quorum, shares_json, one.session_shares, one.session_in_force, GIVEN, &out.small, &out.text,             \
      &out.flag)                                                                                                       \
    D(session_repair, shares_json, one.session_shares, one.session_in_force, GIVEN, 1, ANA, &out.text,                 \
      &out.second)                                                                                                     \
    D(session_sign, shares_json, one.session_shares, one.session_in_force, NO_RING, BYTES, BOB, GIVEN, a_head(),       \
      TIME, &out.text, &out.second, &out.third)                                                                        \
    D(session_authenticate, result_json, one.result, one.session_in_force, BYTES, GIVEN,                               \
      SIZED(one.session_shares), &out.text)                                                                            \
    D(session_authenticate, shares_json, one.session_shares, one.session_in_force, BYTES, RESULT, GIVEN,               \
      &out.text)                                                                                                       \
    D(session_verify, result_json, one.result, one.session_in_force, BYTES, GIVEN, one.ring, NULL, NULL,               \
      &out.verdict)                                                                                                    \
    D(session_verify_pinned, result_json, one.result, one.domain, ANA, ANA, PK, BYTES, GIVEN, one.ring, NULL,          \
      NULL, &out.verdict)                                                                                              \
    D(proofs_session, records_json, one.sessions, one.session_proofs, one.session_watched, GIVEN, NULL,                \
      &out.session_in_force)                                                                                           \
    D(vault_record_redact, record_json, one.vault_record, GIVEN, &out.text)                                            \
    D(vault_record_ledger_head, record_json, one.vault_record, GIVEN, &out.ledger_head)                                \
    D(vault_record_trace_decoy, record_json, one.vault_record, GIVEN, one.vault_master, one.verdict, &out.flag)        \
    D(vault_record_verify, record_json, one.vault_record, one.domain, one.ring, NULL, one.vault_policy, GIVEN,         \
      one.stored_hash, ANA, one.located, NULL, &out.vault_report)                                                      \
    D(vault_erasure_covers, record_json, one.vault_record, one.vault_report, one.located, BYTES, GIVEN,                \
      &out.flag)                                                                                                       \
    D(ledger_check_push, record_json, one.vault_record, a_check(), GIVEN, one.stored_hash, &out.vault_report)          \
    D(located_ledger_locate, record_json, one.vault_record, one.located_ledger, GIVEN, &out.located)                   \
    D(shard_prepare, record_json, one.vault_record, one.vault_master, GIVEN, NULL, 2, nodes, 3,                        \
      world.records[0].secret, &out.text, &out.preparation)                                                            \
    D(presence_challenge, request_json, one.request, one.domain, GIVEN, one.nonce, SOON, NAME)                         \
    D(presence_proof_sign, request_json, one.request, one.domain, GIVEN, one.nonce, SOON, one.ed25519_key,             \
      &out.text)                                                                                                       \
    D(presence_new, proofs_json, kept_texts.proofs, ANA, phones, 1, GIVEN, one.nonce, SOON, 1, &out.presence)          \
    D(shard_release, shard_json, one.shard, one.domain, GIVEN, REQUEST, PK, NULL, 1, gate, agree, NULL, TIME)          \
    D(shard_release, request_json, one.request, one.domain, SHARD, GIVEN, PK, NULL, 1, gate, agree, NULL, TIME)        \
    D(rebuilding_health, shard_json, one.shard, one.rebuilding, GIVEN, SIZED(one.shards), &out.text)                   \
    D(rebuilding_health, shards_json, one.shards, one.rebuilding, SHARD, GIVEN, &out.text)                             \
    D(rebuilding_rebuild, request_json, one.request, one.rebuilding, GIVEN, SIZED(one.shards), gate, agree,            \
      NULL, TIME, &out.secret, &out.text)                                                                              \
    D(rebuilding_rebuild, shards_json, one.shards, one.rebuilding, REQUEST, GIVEN, gate, agree, NULL, TIME,            \
      &out.secret, &out.text)                                                                                          \
    D(rebuilding_repair, request_json, kept_texts.repair, one.rebuilding, GIVEN, SIZED(kept_texts.two_shards),         \
      1, nodes[0], first_shard, repair_gate, agree, NULL, TIME, &out.text, &out.second)                                \
    D(rebuilding_repair, shards_json, kept_texts.two_shards, one.rebuilding, SIZED(kept_texts.repair), GIVEN, 1,       \
      nodes[0], first_shard, repair_gate, agree, NULL, TIME, &out.text, &out.second)                                   \
    D(rebuilding_prepare, request_json, kept_texts.refresh, one.rebuilding, GIVEN, SIZED(kept_texts.two_shards),       \
      2, nodes, 3, refresh_gate, agree, NULL, TIME, &out.text, &out.preparation, &out.second)                          \
    D(rebuilding_prepare, shards_json, kept_texts.two_shards, one.rebuilding, SIZED(kept_texts.refresh), GIVEN,        \
      2, nodes, 3, refresh_gate, agree, NULL, TIME, &out.text, &out.preparation, &out.second)

#endif
