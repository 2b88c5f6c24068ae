/* One handle of every kind and one text of every kind, all in order, for the programs that try every function. */
#ifndef DUALSEAL_TEST_ONE_OF_EACH_H
#define DUALSEAL_TEST_ONE_OF_EACH_H

#include "evidence.h"

#include "dualseal_legacy.h"
#include "dualseal_sharing.h"

/* What there are handles of, but for errors. */
#define KINDS(K)                                                                                                       \
    K(content_hasher) K(domain) K(signing_key) K(head) K(ring) K(ring_key) K(key_cache) K(verdict) K(checkpoint)       \
    K(chain_reader) K(located) K(proofs) K(evidence) K(seal_key) K(seal_report) K(signature_batch) K(secret)           \
    K(encryptor) K(decryptor) K(session_in_force) K(ed25519_key) K(vault_master) K(ledger_head) K(sealed)              \
    K(vault_sealer) K(sealing) K(vault_policy) K(vault_report) K(stored_hash) K(unsealer) K(ledger_check)              \
    K(located_ledger) K(preparation) K(split_in_force) K(presence) K(rebuilding)

#define PK one.public_key, sizeof one.public_key
#define BYTES one.bytes, 1
#define RECORD SIZED(one.record)
#define VAULT_RECORD SIZED(one.vault_record)
#define CHECKPOINT SIZED(one.checkpoint_json)
#define MARK SIZED(one.mark)
#define RING_FILE SIZED(one.ring_file)
#define SEAL SIZED(one.seal)
#define SESSIONS SIZED(one.sessions)
#define RESULT SIZED(one.result)
#define REQUEST SIZED(one.request)
#define SHARD SIZED(one.shard)

/* One of every kind, by its name. */
static struct {
#define K(kind) dualseal_##kind *kind;
    KINDS(K)
#undef K
    dualseal_proofs *session_proofs, *split_proofs;
    dualseal_watched session_watched, split_watched;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES], bytes[32];
    /* Texts that are in order, since some are read before the handle in question. */
    char *record, *vault_record, *checkpoint_json, *mark, *ring_file, *seal, *sessions, *session_shares, *result,
        *request, *shard, *shards, *place, *ring_place, *file;
    char nonce[DUALSEAL_ID_TEXT_BYTES];
} one;

/* A session of three, in a chain of its own. */
static void found_a_session(void)
{
    static const char *const owners[] = {ANA, BOB, ANA};
    char *session = NULL, *shares = NULL, *entry = NULL, *line = NULL, id[65], founder[65];
    dualseal_head *head = test_head();
    OK(dualseal_session_found_hmac(one.domain, BOB, owners, 3, 2, head, TIME, &session, &shares, &entry, &failure));
    OK(dualseal_entry_parts(SIZED(entry), &line, founder, sizeof founder, &failure));
    member(session, "\"session_id\":\"", id, 64);
    dualseal_checkpoint *checkpoint = test_checkpoint(one.domain, head);
    dualseal_chain_reader *reader = reader_under(one.domain, checkpoint);
    OK(dualseal_chain_reader_watch_session(reader, id, founder, NULL, &one.session_watched, &failure));
    one.session_proofs = read_to(reader, &line, 1, NULL);
    one.sessions = with("[]", session);
    OK(dualseal_proofs_session(one.session_proofs, one.session_watched, SESSIONS, NULL, &one.session_in_force,
                               &failure));
    dualseal_string_free(entry);
    OK(dualseal_session_sign(one.session_in_force, NO_RING, BYTES, BOB, SIZED(shares), head, TIME, &one.result, &entry,
                             NULL, &failure));
    dualseal_checkpoint_free(checkpoint);
    dualseal_head_free(head);
    one.session_shares = shares;
    dualseal_string_free(line);
    dualseal_string_free(entry);
    dualseal_string_free(session);
}

/* A split of a record's secret, in force by an entry in a chain of its own. */
static void split(const kept *record)
{
    static const char *const nodes[] = {"https://a.example", "https://b.example", "https://c.example"};
    char *shards = NULL, *entry = NULL, *line = NULL, vault[65], of[65], ids[3][65];
    const char *names[3];
    dualseal_head *head = test_head();
    dualseal_chain_reader *reader = NULL;
    dualseal_watched watched = 0;
    one.vault_record = record->record;
    member(record->record, "\"vault_id\":\"", vault, 64);
    OK(dualseal_shard_prepare(one.vault_master, SIZED(record->record), NULL, 2, nodes, 3, record->secret, &shards,
                              &one.preparation, &failure));
    for (size_t i = 0; i < 3; i++) {
        char *shard = element(shards, i);
        member(shard, "\"shard_id\":\"", ids[i], 64);
        names[i] = ids[i];
        member(shard, "\"split_id\":\"", of, 64);
        free(i == 0 ? NULL : shard);
        one.shard = i == 0 ? shard : one.shard;
    }
    one.shards = shards;
    OK(dualseal_chain_reader_new(one.domain, NULL, NO_CHECKPOINT, head, &reader, &failure));
    OK(dualseal_chain_reader_watch_own_splits(reader, one.vault_master, vault, ANA, &one.split_watched, &failure));
    one.split_proofs = read_to(reader, NULL, 0, NULL);
    OK(dualseal_preparation_commit(one.preparation, names, 3, 0, one.split_proofs, one.split_watched, head, TIME,
                                   &entry, &failure));
    OK(dualseal_entry_parts(SIZED(entry), &line, NULL, 0, &failure));
    dualseal_checkpoint *checkpoint = test_checkpoint(one.domain, head);
    reader = reader_under(one.domain, checkpoint);
    OK(dualseal_chain_reader_watch_splits(reader, one.vault_master, vault, ANA, NULL, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, &line, 1, NULL);
    OK(dualseal_proofs_splits(proofs, watched, &one.split_in_force, NULL, &failure));
    OK(dualseal_rebuilding_new(one.vault_master, vault, ANA, NULL, 1, PK, &one.rebuilding, &failure));
    OK(dualseal_rebuilding_request(one.rebuilding, DUALSEAL_OPERATION_REBUILD, of, names, 3, 0, 0, NULL, 0,
                                   &one.request, one.nonce, sizeof one.nonce, &failure));
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(checkpoint);
    dualseal_head_free(head);
    dualseal_string_free(line);
    dualseal_string_free(entry);
}

/* A signature in the archive's chain, and evidence of it. */
static void show(archive *a)
{
    char *entry = NULL, *file = NULL, handle[DUALSEAL_ID_TEXT_BYTES], log_hash[DUALSEAL_ID_TEXT_BYTES];
    const char *wanted[] = {handle};
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    dualseal_signing_key *log = test_key(5);
    const char *hash = hashed(a->domain, ANA, "deed", 4);
    test_public_key(5, key);
    OK(dualseal_public_key_hash(key, sizeof key, log_hash, sizeof log_hash, &failure));
    OK(dualseal_signature_sign(a->domain, ANA, one.signing_key, NO_RING, hash, a->head, TIME, &one.record, &entry,
                               &failure));
    OK(dualseal_entry_parts(SIZED(entry), NULL, handle, sizeof handle, &failure));
    archive_append(a, entry);
    follow(a->ring, &a->lines[a->entries - 1], 1);
    OK(dualseal_signature_verify(a->domain, a->ring, NULL, ANA, hash, RECORD, NULL, &one.verdict, &failure));
    seen s = see(a->domain, log_hash, log, a->lines, a->entries, a->ring, wanted, 1);
    OK(make(a->domain, &s, one.record, NULL, a->ring, handle, NULL, &file));
    OK(dualseal_evidence_open(NULL, s.log, ANA, NULL, 0, 1, NULL, 0, 0, NULL, SIZED(file), &one.evidence, &failure));
    one.checkpoint = s.checkpoint;
    one.proofs = s.proofs;
    one.checkpoint_json = s.json;
    OK(dualseal_checkpoint_mark(one.checkpoint, &one.mark, &failure));
    OK(dualseal_ring_to_stored_json(a->ring, a->head, &one.ring_file, &failure));
    /* Read to its end, so that it can be compared. */
    OK(dualseal_evidence_update(one.evidence, (const uint8_t *)"deed", 4, &failure));
    OK(dualseal_evidence_finish(one.evidence, NULL, &failure));
    OK(dualseal_proofs_place(s.proofs, s.watched, handle, 0, NULL, &one.place, &failure));
    OK(dualseal_proofs_place(s.proofs, s.watched, NULL, 1, NULL, &one.ring_place, &failure));
    one.file = file;
    dualseal_signing_key_free(log);
}

static void make_one_of_each(archive *a)
{
    char phone[65];
    const char *phones[] = {phone};
    uint8_t seal_key[DUALSEAL_SEAL_KEY_BYTES];
    uint8_t *made = NULL;
    size_t length = 0;
    archive_open(a);
    one.domain = a->domain;
    one.vault_master = a->master;
    one.signing_key = test_key(7);
    test_public_key(7, one.public_key);
    mark(one.bytes, sizeof one.bytes);
    const kept *record = archive_seal(a, "a deed", HIDDEN);
    one.vault_report = report_of(a, record);
    one.stored_hash = hash_of(a, record);
    one.located = place_of(a, record);
    one.located_ledger = archive_located(a);
    show(a);
    split(record);
    found_a_session();
    one.head = a->head;
    one.ring = a->ring;
    one.ring_key = a->ring_key;
    one.vault_sealer = a->vault;
    one.vault_policy = a->to_operator;
    one.ledger_head = a->ledger;
    one.chain_reader = reader_under(a->domain, one.checkpoint);
    OK(dualseal_key_cache_new(0, &one.key_cache, &failure));
    OK(dualseal_content_hasher_new(a->domain, ANA, &one.content_hasher, &failure));
    OK(dualseal_seal_key_generate(seal_key, sizeof seal_key, &one.seal_key, &failure));
    OK(dualseal_payload_seal(a->domain, ANA, one.seal_key, one.signing_key, NO_RING, NULL, 0, &one.seal, &failure));
    OK(dualseal_seal_verify(a->domain, a->ring, NULL, SEAL, NULL, 0, ANA, DUALSEAL_SEAL_POLICY_BOTH, one.seal_key,
                            NULL, &one.seal_report, &failure));
    OK(dualseal_signature_batch_new(a->domain, a->ring, NULL, &one.signature_batch, &failure));
    OK(dualseal_secret_generate(DUALSEAL_FIELD_GF2_256, &one.secret, &failure));
    OK(dualseal_encryptor_new(one.secret, a->domain, ANA, "FILE", &one.encryptor, &made, &length, &failure));
    dualseal_bytes_free(made);
    OK(dualseal_decryptor_new(one.secret, a->domain, ANA, "FILE", &one.decryptor, &failure));
    OK(dualseal_ed25519_key_generate(&one.ed25519_key, &failure));
    OK(dualseal_ed25519_key_public_key(one.ed25519_key, phone, sizeof phone, &failure));
    OK(dualseal_presence_new(ANA, phones, 1, SIZED("[]"), ANA, TIME, 1, &one.presence, &failure));
    OK(dualseal_sealing_new(a->vault, "FILE", HIDDEN, &one.sealing, &made, &length, &failure));
    dualseal_bytes_free(made);
    OK(dualseal_unsealer_new(one.vault_report, record->secret, &one.unsealer, &failure));
    OK(dualseal_ledger_check_new(a->domain, a->ring, NULL, a->to_operator, a->ledger_id, NULL, &one.ledger_check,
                                 &failure));
    dualseal_head *head = test_head();
    dualseal_ledger_head *ledger = NULL;
    OK(dualseal_ledger_head_generate(&ledger, &failure));
    OK(dualseal_vault_sealer_seal(a->vault, NULL, 0, "DEED", HIDDEN, ledger, head, SIZED(""), TIME, &one.sealed, &made,
                                  &length, &failure));
    dualseal_bytes_free(made);
    dualseal_ledger_head_free(ledger);
    dualseal_head_free(head);
}

/* What no handle is freed with. */
static inline void free_texts(void)
{
    dualseal_proofs_free(one.session_proofs);
    dualseal_proofs_free(one.split_proofs);
    free(one.sessions);
    free(one.shard);
    char *texts[] = {one.record, one.checkpoint_json, one.mark, one.ring_file, one.seal, one.session_shares, one.result,
                     one.request, one.shards, one.place, one.ring_place, one.file};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dualseal_string_free(texts[i]);
    }
}

#endif
