/* What the programs about the vault share: an operator with a chain, a ring and a ledger of its own. */
#ifndef DUALSEAL_TEST_VAULT_H
#define DUALSEAL_TEST_VAULT_H

#include "check.h"

#include "dualseal_vault.h"

#define MOST 8
#define PLAIN DUALSEAL_ENCRYPTION_NONE
#define HIDDEN DUALSEAL_ENCRYPTION_STREAM

/* A record as it is kept, with what lies beside it. */
typedef struct {
    char *record;
    dualseal_secret *secret;
    uint8_t *stored;
    size_t length;
} kept;

typedef struct {
    dualseal_domain *domain;
    dualseal_vault_master *master;
    dualseal_ring_key *ring_key;
    dualseal_ring *ring;
    dualseal_vault_sealer *vault;
    dualseal_vault_policy *to_all, *to_operator;
    dualseal_ledger_head *ledger;
    dualseal_head *head;
    char ledger_id[65], tier_key[65], *lines[2 * MOST];
    size_t count, entries;
    kept records[MOST];
} archive;

/* Keeps an entry that was appended, and frees it. */
static inline void archive_append(archive *a, char *entry)
{
    CHECK(a->entries < sizeof a->lines / sizeof a->lines[0]);
    OK(dualseal_entry_parts(SIZED(entry), &a->lines[a->entries++], NULL, 0, &failure));
    dualseal_string_free(entry);
}

static inline void archive_open(archive *a)
{
    uint8_t master[32], public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    char *entry = NULL;
    dualseal_signing_key *key = test_key(7);
    dualseal_ed25519_key *tier = NULL;
    memset(a, 0, sizeof *a);
    memset(master, 3, sizeof master);
    a->domain = test_domain();
    a->head = test_head();
    test_public_key(7, public_key);
    OK(dualseal_vault_master_from_secret(a->domain, master, sizeof master, &a->master, &failure));
    OK(dualseal_ring_key_generate(a->domain, &a->ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, a->ring_key, &a->ring, &failure));
    OK(dualseal_ring_add(a->ring, ANA, public_key, sizeof public_key, a->head, TIME, &entry, &failure));
    archive_append(a, entry);
    OK(dualseal_ed25519_key_generate(&tier, &failure));
    OK(dualseal_ed25519_key_public_key(tier, a->tier_key, sizeof a->tier_key, &failure));
    OK(dualseal_vault_sealer_new(a->master, ANA, key, NO_RING, DUALSEAL_TIER_NATIVE, tier, &a->vault, &failure));
    OK(dualseal_vault_policy_new_public(DUALSEAL_TIER_PUBLIC, &a->to_all, &failure));
    OK(dualseal_vault_policy_new_operator(a->master, DUALSEAL_TIER_NOBLE, &a->to_operator, &failure));
    OK(dualseal_vault_policy_enrol(a->to_operator, ANA, DUALSEAL_TIER_NATIVE, a->tier_key, &failure));
    OK(dualseal_ledger_head_generate(&a->ledger, &failure));
    OK(dualseal_ledger_head_parts(a->ledger, a->ledger_id, sizeof a->ledger_id, NULL, NULL, 0, &failure));
    dualseal_ed25519_key_free(tier);
    dualseal_signing_key_free(key);
}

static inline void archive_close(archive *a)
{
    for (size_t i = 0; i < a->count; i++) {
        dualseal_string_free(a->records[i].record);
        dualseal_secret_free(a->records[i].secret);
        dualseal_bytes_free(a->records[i].stored);
    }
    for (size_t i = 0; i < a->entries; i++) {
        dualseal_string_free(a->lines[i]);
    }
    dualseal_head_free(a->head);
    dualseal_ledger_head_free(a->ledger);
    dualseal_vault_policy_free(a->to_operator);
    dualseal_vault_policy_free(a->to_all);
    dualseal_vault_sealer_free(a->vault);
    dualseal_ring_free(a->ring);
    dualseal_ring_key_free(a->ring_key);
    dualseal_vault_master_free(a->master);
    dualseal_domain_free(a->domain);
}

/* Keeps what was sealed, as the next record, and its decoy in the ring unless it is to be forgotten. */
static inline kept *archive_keep(archive *a, dualseal_sealed *sealed, uint8_t *stored, size_t length, int with_decoy)
{
    uint8_t decoy[DUALSEAL_PUBLIC_KEY_BYTES];
    char *entry = NULL;
    CHECK(a->count < MOST);
    kept *one = &a->records[a->count];
    OK(dualseal_sealed_parts(sealed, &one->record, &entry, &one->secret, decoy, sizeof decoy, &failure));
    if (with_decoy) {
        OK(dualseal_ring_add_decoy(a->ring, decoy, sizeof decoy, SIZED(entry), &failure));
    } else {
        follow_entry(a->ring, entry);
    }
    a->count++;
    archive_append(a, entry);
    one->stored = stored;
    one->length = length;
    dualseal_sealed_free(sealed);
    return one;
}

static inline kept *archive_seal(archive *a, const char *text, dualseal_encryption encryption)
{
    dualseal_sealed *sealed = NULL;
    uint8_t *stored = NULL;
    size_t length = 0;
    OK(dualseal_vault_sealer_seal(a->vault, (const uint8_t *)text, strlen(text), "CONTRACT", encryption, a->ledger,
            a->head,
                           SIZED(""), TIME, &sealed, &stored, &length, &failure));
    kept *one = archive_keep(a, sealed, stored, length, 1);
    CHECK(size_of_chain(a->head) == a->entries);
    return one;
}

/* Where the records stand in the chain so far. */
static inline dualseal_located_ledger *archive_located(const archive *a)
{
    dualseal_checkpoint *checkpoint = test_checkpoint(a->domain, a->head);
    dualseal_chain_reader *reader = reader_under(a->domain, checkpoint);
    dualseal_located_ledger *located = NULL;
    dualseal_watched watched = 0;
    OK(dualseal_chain_reader_watch_ledger(reader, a->ledger_id, a->master, NULL, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, a->lines, a->entries, NULL);
    OK(dualseal_proofs_ledger(proofs, watched, &located, NULL, &failure));
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(checkpoint);
    return located;
}

static inline dualseal_stored_hash *hash_of(const archive *a, const kept *one)
{
    dualseal_stored_hash *hash = NULL;
    OK(dualseal_stored_hash_new(a->domain, NULL, &hash, &failure));
    OK(dualseal_stored_hash_update(hash, one->stored, one->length, &failure));
    return hash;
}

/* The proven place of a record. */
static inline dualseal_located *place_of(const archive *a, const kept *one)
{
    dualseal_located_ledger *ledger = archive_located(a);
    dualseal_located *at = NULL;
    OK(dualseal_located_ledger_locate(ledger, SIZED(one->record), &at, &failure));
    dualseal_located_ledger_free(ledger);
    return at;
}

/* The operator's verdict on a record at its place. */
static inline dualseal_status operator_verifies(const archive *a, const kept *one, dualseal_vault_report **report)
{
    dualseal_located *at = place_of(a, one);
    dualseal_stored_hash *hash = hash_of(a, one);
    dualseal_status status = dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_operator,
        SIZED(one->record), hash, ANA, at, NULL, report, &failure);
    dualseal_stored_hash_free(hash);
    dualseal_located_free(at);
    return status;
}

/* The operator's report on a record as it was kept, which is Valid. */
static inline dualseal_vault_report *report_of(const archive *a, const kept *one)
{
    dualseal_vault_report *report = NULL;
    OK(operator_verifies(a, one, &report));
    return report;
}

/* The record with one digit changed: the first of the value of `member` in the first object called `object`. The caller
   frees it. */
static inline char *altered(const char *record, const char *object, const char *name)
{
    char *copy = replaced(record, object, object), *at = strstr(copy, object);
    at = strstr(at, name);
    CHECK(at != NULL);
    at += strlen(name);
    *at = *at == '1' ? '2' : '1';
    return copy;
}

/* A head of a ledger like this one, to come back to. */
static inline dualseal_ledger_head *copy_of_ledger(const dualseal_ledger_head *ledger)
{
    uint64_t size = 0;
    char id[65], top[65];
    dualseal_ledger_head *copy = NULL;
    OK(dualseal_ledger_head_parts(ledger, id, sizeof id, &size, top, sizeof top, &failure));
    OK(dualseal_ledger_head_new(id, size, top, &copy, &failure));
    return copy;
}

/* The first layer that failed, in the order L0, L2 to L8; -1 for none. */
static inline int failed(const dualseal_vault_report *report)
{
    char *json = NULL, name[32];
    int found = -1;
    OK(dualseal_vault_report_to_json(report, DUALSEAL_AUDIENCE_OPERATOR, &json, &failure));
    for (int layer = 8; layer >= 0; layer--) {
        snprintf(name, sizeof name, "\"L%d\":{\"outcome\":\"fail\"", layer);
        found = strstr(json, name) != NULL ? layer : found;
    }
    dualseal_string_free(json);
    return found;
}

#endif
