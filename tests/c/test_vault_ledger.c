/* Ledgers: checked as a whole, erased from, and traced back to by what leaked. */
#include "vault.h"

static dualseal_ledger_check *begin(const archive *a, const dualseal_vault_policy *policy,
                                    const dualseal_located_ledger *located)
{
    dualseal_ledger_check *check = NULL;
    OK(dualseal_ledger_check_new(a->domain, a->ring, NULL, policy, a->ledger_id, located, &check, &failure));
    return check;
}

static dualseal_status push(const archive *a, dualseal_ledger_check *check, const char *record,
                            const kept *beside)
{
    dualseal_stored_hash *hash = hash_of(a, beside);
    dualseal_status status = dualseal_ledger_check_push(check, SIZED(record), hash, NULL, &failure);
    dualseal_stored_hash_free(hash);
    return status;
}

typedef struct {
    dualseal_ledger_head *ledger;
    uint64_t valid, revoked, suspended, decoys;
} summary;

static dualseal_status finish(dualseal_ledger_check *check, summary *s)
{
    memset(s, 0, sizeof *s);
    dualseal_status status = dualseal_ledger_check_finish(check, &s->ledger, &s->valid, &s->revoked, &s->suspended,
                                                          &s->decoys, NULL, &failure);
    CHECK((status == DUALSEAL_OK) == (s->ledger != NULL));
    return status;
}

static void a_whole_ledger_holds(const archive *a)
{
    dualseal_located_ledger *located = archive_located(a);
    dualseal_ledger_check *check = begin(a, a->to_operator, located);
    dualseal_vault_report *report = NULL;
    char top[65], last[65], id[65];
    uint64_t size = 0;
    summary s;
    for (size_t i = 0; i < a->count; i++) {
        dualseal_stored_hash *hash = hash_of(a, &a->records[i]);
        OK(dualseal_ledger_check_push(check, SIZED(a->records[i].record), hash, &report, &failure));
        dualseal_vault_report_free(report);
        dualseal_stored_hash_free(hash);
    }
    OK(finish(check, &s));
    CHECK(s.valid == a->count && s.revoked == 0 && s.suspended == 0 && s.decoys == 0);
    OK(dualseal_ledger_head_parts(s.ledger, id, sizeof id, &size, top, sizeof top, &failure));
    OK(dualseal_ledger_head_parts(a->ledger, NULL, 0, NULL, last, sizeof last, &failure));
    CHECK(strcmp(top, last) == 0 && size == a->count && strcmp(id, a->ledger_id) == 0);
    dualseal_ledger_head_free(s.ledger);
    GIVES(DUALSEAL_STATUS_STREAM_ENDED, push(a, check, a->records[0].record, &a->records[0]));
    GIVES(DUALSEAL_STATUS_STREAM_ENDED, finish(check, &s));
    dualseal_ledger_check_free(check);
    dualseal_located_ledger_free(located);
}

static void a_ledger_that_does_not_hold_is_refused(archive *a)
{
    const kept *first = &a->records[0], *second = &a->records[1];
    dualseal_located_ledger *located = archive_located(a);
    summary s;

    /* The end is missing: the chain alone can tell. */
    dualseal_ledger_check *check = begin(a, a->to_all, located);
    OK(push(a, check, first->record, first));
    FAILS(DUALSEAL_STATUS_LEDGER_TRUNCATED, NULL, 1, finish(check, &s));
    dualseal_ledger_check_free(check);
    check = begin(a, a->to_all, NULL);
    OK(push(a, check, first->record, first));
    OK(finish(check, &s));
    dualseal_ledger_head_free(s.ledger);
    dualseal_ledger_check_free(check);

    /* One comes twice. What was found is not forgotten. */
    check = begin(a, a->to_all, located);
    OK(push(a, check, first->record, first));
    FAILS(DUALSEAL_STATUS_LEDGER_FORK, NULL, 1, push(a, check, first->record, first));
    FAILS(DUALSEAL_STATUS_LEDGER_FORK, NULL, 1, push(a, check, second->record, second));
    FAILS(DUALSEAL_STATUS_LEDGER_FORK, NULL, 1, finish(check, &s));
    dualseal_ledger_check_free(check);

    /* One was changed: the error names its place and the layer. */
    char *other = altered(second->record, "\"L2\":", "\"tag\":\"");
    check = begin(a, a->to_all, located);
    OK(push(a, check, first->record, first));
    FAILS(DUALSEAL_STATUS_LEDGER_RECORD, "L5", 1, push(a, check, other, second));
    dualseal_ledger_check_free(check);
    free(other);
    check = begin(a, a->to_operator, NULL);
    FAILS(DUALSEAL_STATUS_LEDGER_RECORD, "L6", 0, push(a, check, first->record, first));
    dualseal_ledger_check_free(check);

    /* One is of another ledger. */
    archive b;
    archive_open(&b);
    kept *stranger = archive_seal(&b, "elsewhere", PLAIN);
    check = begin(a, a->to_all, located);
    FAILS(DUALSEAL_STATUS_OTHER_LEDGER, NULL, 0, push(a, check, stranger->record, stranger));
    dualseal_ledger_check_free(check);
    dualseal_located *at = NULL;
    GIVES(DUALSEAL_STATUS_NOT_LOCATED, dualseal_located_ledger_locate(located, SIZED(stranger->record), &at, &failure));
    CHECK(at == NULL);

    /* A fragment whose decoy is not in the ring would be no trap. */
    dualseal_sealed *sealed = NULL;
    uint8_t *stored = NULL;
    size_t length = 0;
    OK(dualseal_vault_sealer_seal(b.vault, NULL, 0, "EMPTY", PLAIN, b.ledger, b.head, SIZED(""), TIME, &sealed, &stored,
            &length,
                           &failure));
    kept *forgotten = archive_keep(&b, sealed, stored, length, 0);
    dualseal_located_ledger *places = archive_located(&b);
    check = begin(&b, b.to_operator, places);
    OK(push(&b, check, stranger->record, stranger));
    FAILS(DUALSEAL_STATUS_MISSING_DECOY, NULL, 1, push(&b, check, forgotten->record, forgotten));
    dualseal_ledger_check_free(check);
    dualseal_located_ledger_free(places);
    archive_close(&b);
    dualseal_located_ledger_free(located);
}

/* What a chain tells of the splits of one vault. */
typedef struct {
    dualseal_proofs *proofs;
    dualseal_watched watched;
} walk;

/* The splits of a vault of Ana's, read up to a head that the chain had with so many entries. */
static walk splits_of(const archive *a, const kept *one, const dualseal_head *head, size_t entries)
{
    char vault_id[65];
    walk found = {NULL, 0};
    dualseal_chain_reader *reader = NULL;
    member(one->record, "\"vault_id\":\"", vault_id, 64);
    OK(dualseal_chain_reader_new(a->domain, NULL, NO_CHECKPOINT, head, &reader, &failure));
    OK(dualseal_chain_reader_watch_own_splits(reader, a->master, vault_id, ANA, &found.watched, &failure));
    found.proofs = read_to(reader, a->lines, entries, NULL);
    return found;
}

/* Erases on copies of the heads, or is refused, and nothing of it is kept. */
static void erases(const archive *a, const dualseal_vault_sealer *vault, const dualseal_vault_report *report,
        walk found, int32_t status)
{
    char *end = NULL;
    dualseal_ledger_head *ledger = copy_of_ledger(a->ledger);
    dualseal_head *head = copy_of(a->head);
    dualseal_sealed *sealed = NULL;
    uint8_t *stored = NULL;
    size_t length = 0;
    GIVES(status, dualseal_vault_sealer_erase(vault, report, found.proofs, found.watched, found.proofs == NULL, NULL, 0,
                                              ledger, head, SIZED(""), TIME, &sealed, &stored, &length, &end,
                                              &failure));
    CHECK((sealed != NULL) == (status == DUALSEAL_STATUS_VALID));
    CHECK((end != NULL) == (sealed != NULL && found.proofs != NULL));
    CHECK(size_of_chain(head) == size_of_chain(a->head) + (sealed != NULL) + (end != NULL));
    dualseal_string_free(end);
    dualseal_proofs_free(found.proofs);
    dualseal_sealed_free(sealed);
    dualseal_bytes_free(stored);
    dualseal_head_free(head);
    dualseal_ledger_head_free(ledger);
}

/* A record whose key was revoked or suspended since is erased all the same: never one that was planted, nor one of a
 * decoy key. */
static void a_state_lets_erase(const archive *a, dualseal_ring *ring, int32_t verdict)
{
    archive changed = *a;
    kept planted = a->records[0];
    dualseal_vault_report *report = NULL;
    changed.ring = ring;
    GIVES(verdict, operator_verifies(&changed, &a->records[0], &report));
    erases(a, a->vault, report, (walk){NULL, 0}, verdict == DUALSEAL_STATUS_DECOY ? DUALSEAL_STATUS_NOT_VERIFIED
                                                                 : DUALSEAL_STATUS_VALID);
    dualseal_vault_report_free(report);
    /* Another record's text beside the first one's stored bytes. */
    planted.record = a->records[2].record;
    CHECK(operator_verifies(&changed, &planted, &report) != DUALSEAL_STATUS_VALID);
    erases(a, a->vault, report, (walk){NULL, 0}, DUALSEAL_STATUS_NOT_VERIFIED);
    dualseal_vault_report_free(report);
}

/* What another vault says would not verify beside the record. */
static void another_vault_erases_nothing(const archive *a)
{
    dualseal_vault_report *report = NULL;
    dualseal_vault_master *master = NULL;
    dualseal_vault_sealer *vault = NULL;
    dualseal_signing_key *key = test_key(7);
    OK(operator_verifies(a, &a->records[0], &report));
    OK(dualseal_vault_master_generate(a->domain, &master, &failure));
    OK(dualseal_vault_sealer_new(master, ANA, key, NO_RING, DUALSEAL_TIER_PUBLIC, NULL, &vault, &failure));
    erases(a, vault, report, (walk){NULL, 0}, DUALSEAL_STATUS_FOREIGN_LEDGER);
    erases(a, a->vault, report, (walk){NULL, 0}, DUALSEAL_STATUS_VALID);
    dualseal_vault_sealer_free(vault);
    dualseal_vault_master_free(master);
    dualseal_signing_key_free(key);
    dualseal_vault_report_free(report);
}

/* A key whose state was changed since leaves the ledger in order, and its records are not Valid. */
static void verdicts_are_counted(archive *a, dualseal_key_state state, int32_t verdict)
{
    dualseal_located_ledger *located = archive_located(a);
    dualseal_ring *copy = NULL;
    dualseal_head *head = copy_of(a->head);
    dualseal_vault_report *report = NULL;
    uint8_t *payload = NULL;
    size_t payload_len = 0;
    char *json = NULL, *entry = NULL;
    summary s;
    copy = copy_of_ring(a->domain, a->ring, a->ring_key, a->head);
    OK(dualseal_ring_set_state(copy, ANA, NULL, state, NULL, head, TIME, &entry, &failure));
    dualseal_ledger_check *check = NULL;
    dualseal_key_cache *cache = NULL;
    OK(dualseal_key_cache_new(1 << 20, &cache, &failure));
    OK(dualseal_ledger_check_new(a->domain, copy, cache, a->to_all, a->ledger_id, located, &check, &failure));
    dualseal_key_cache_free(cache);
    dualseal_stored_hash *hash = hash_of(a, &a->records[0]);
    GIVES(verdict, dualseal_vault_record_verify(a->domain, copy, NULL, a->to_all, SIZED(a->records[0].record), hash,
        ANA, NULL, NULL, &report, &failure));
    /* What everybody else is told of a decoy does not give it away. */
    OK(dualseal_vault_report_to_json(report, DUALSEAL_AUDIENCE_EVERYBODY, &json, &failure));
    CHECK((strstr(json, "\"validan\":true") != NULL) == (verdict == DUALSEAL_STATUS_DECOY));
    CHECK(strstr(json, "oboje") == NULL && strstr(json, "decoy") == NULL);
    GIVES(DUALSEAL_STATUS_NOT_VERIFIED,
          dualseal_vault_unseal(report, a->records[0].secret, a->records[0].stored, a->records[0].length, &payload,
                                &payload_len, &failure));
    dualseal_string_free(json);
    dualseal_vault_report_free(report);
    dualseal_stored_hash_free(hash);
    a_state_lets_erase(a, copy, verdict);
    dualseal_ring_free(copy);
    for (size_t i = 0; i < a->count; i++) {
        GIVES(verdict, push(a, check, a->records[i].record, &a->records[i]));
    }
    OK(finish(check, &s));
    CHECK(s.valid == 0 && s.revoked + s.suspended + s.decoys == a->count);
    CHECK((s.revoked > 0) == (verdict == DUALSEAL_STATUS_REVOKED));
    CHECK((s.suspended > 0) == (verdict == DUALSEAL_STATUS_SUSPENDED));
    CHECK((s.decoys > 0) == (verdict == DUALSEAL_STATUS_DECOY));
    dualseal_ledger_head_free(s.ledger);
    dualseal_ledger_check_free(check);
    dualseal_string_free(entry);
    dualseal_head_free(head);
    dualseal_located_ledger_free(located);
}

/* Everybody who may write to the log can write what looks like a record's entry. With the master it is ignored; without
 * it nobody can tell it from a record that is missing, and it is called unverified. */
static void what_anybody_writes_ends_no_ledger(const archive *a)
{
    dualseal_domain *elsewhere = NULL;
    dualseal_head *head = copy_of(a->head);
    dualseal_located_ledger *located = NULL;
    dualseal_ledger_head *ledger = NULL;
    uint64_t number = 0;
    char zeros[65], *lines[2] = {NULL, NULL}, *ignored = NULL, *unverified = NULL;
    memset(zeros, '0', 64);
    zeros[64] = '\0';
    OK(dualseal_domain_new("ELSEWHERE", &elsewhere, &failure));
    for (size_t i = 0; i < 2; i++) {
        char message[512], *entry = NULL;
        snprintf(message, sizeof message, i == 0 ? "DUALSEAL-VAULT::L8::%s::0::%s::%s::DUALSEAL"
                                                 : "DUALSEAL-VAULT::L8::%s::", a->ledger_id, zeros, zeros);
        OK(dualseal_head_append(head, elsewhere, ANA, SIZED(message), TIME, &entry, &failure));
        OK(dualseal_entry_parts(SIZED(entry), &lines[i], NULL, 0, &failure));
        dualseal_string_free(entry);
    }
    dualseal_checkpoint *checkpoint = test_checkpoint(a->domain, head);
    for (int with_master = 0; with_master < 2; with_master++) {
        dualseal_chain_reader *reader = reader_under(a->domain, checkpoint);
        dualseal_watched watched = 0;
        OK(dualseal_chain_reader_watch_ledger(reader, a->ledger_id, with_master ? a->master : NULL, NULL, &watched,
                                              &failure));
        for (size_t i = 0; i < a->entries; i++) {
            OK(dualseal_chain_reader_push(reader, SIZED(a->lines[i]), &failure));
        }
        dualseal_proofs *proofs = read_to(reader, lines, 2, NULL);
        OK(dualseal_proofs_ledger(proofs, watched, &located, &ignored, &failure));
        CHECK((strstr(ignored, "\"reason\":\"tag\"") != NULL) == with_master);
        /* And again from there on, by whoever found them: the same master, or none. */
        dualseal_chain_reader *later = NULL;
        dualseal_located_ledger *same = NULL;
        OK(dualseal_chain_reader_new(a->domain, head, checkpoint, checkpoint == NULL, NULL, &later, &failure));
        GIVES(DUALSEAL_STATUS_UNVERIFIED_PLACES,
              dualseal_chain_reader_watch_ledger(later, NULL, with_master ? NULL : a->master, located, &watched,
                                                 &failure));
        OK(dualseal_chain_reader_watch_ledger(later, NULL, with_master ? a->master : NULL, located, &watched,
                                              &failure));
        dualseal_proofs *more = read_to(later, NULL, 0, NULL);
        char *listed = NULL;
        OK(dualseal_proofs_ledger(more, watched, &same, &listed, &failure));
        is(listed, ignored);
        dualseal_located_ledger_free(same);
        dualseal_proofs_free(more);
        CHECK(strstr(ignored, "\"reason\":\"form\"") != NULL && strstr(ignored, "\"more\":0") != NULL);
        /* The operator's check takes no places that nobody verified. */
        dualseal_ledger_check *check = begin(a, a->to_operator, located);
        GIVES(with_master ? DUALSEAL_OK : DUALSEAL_STATUS_UNVERIFIED_PLACES,
              push(a, check, a->records[0].record, &a->records[0]));
        dualseal_ledger_check_free(check);
        check = begin(a, a->to_all, located);
        for (size_t i = 0; i < a->count; i++) {
            OK(push(a, check, a->records[i].record, &a->records[i]));
        }
        OK(dualseal_ledger_check_finish(check, &ledger, &number, &number, &number, &number, &unverified, &failure));
        CHECK((strstr(unverified, "\"reason\":\"unverified\"") != NULL) == !with_master);
        dualseal_ledger_head_free(ledger);
        dualseal_string_free(unverified);
        dualseal_string_free(ignored);
        dualseal_ledger_check_free(check);
        dualseal_located_ledger_free(located);
        dualseal_proofs_free(proofs);
    }
    dualseal_checkpoint_free(checkpoint);
    dualseal_string_free(lines[0]);
    dualseal_string_free(lines[1]);
    dualseal_head_free(head);
    dualseal_domain_free(elsewhere);
}

static void what_leaked_names_its_vault(archive *a)
{
    char fragment[65], *record = NULL, *entry = NULL;
    uint8_t seed[32];
    char *public_copy = NULL;
    dualseal_signing_key *stolen = NULL;
    dualseal_verdict *verdict = NULL;
    dualseal_head *head = test_head();
    int32_t found = 9;
    member(a->records[1].record, "\"fragment\":\"", fragment, 64);
    OK(dualseal_vault_record_redact(SIZED(a->records[1].record), &public_copy, &failure));

    /* Whoever signs with it is a decoy, and the key says which vault was broken into. */
    for (size_t i = 0; i < sizeof seed; i++) {
        char digits[3] = {fragment[2 * i], fragment[2 * i + 1], '\0'};
        seed[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    OK(dualseal_signing_key_from_seed(seed, sizeof seed, &stolen, &failure));
    OK(dualseal_signature_sign(a->domain, ANA, stolen, NO_RING, hashed(a->domain, ANA, NULL, 0), head, TIME, &record,
                               &entry, &failure));
    GIVES(DUALSEAL_STATUS_DECOY,
          dualseal_signature_verify(a->domain, a->ring, NULL, ANA, hashed(a->domain, ANA, NULL, 0), SIZED(record), NULL,
              &verdict,
                                    &failure));
    for (size_t i = 0; i < a->count; i++) {
        OK(dualseal_vault_record_trace_decoy(SIZED(a->records[i].record), a->master, verdict, &found, &failure));
        CHECK(found == (i == 1));
    }
    OK(dualseal_vault_record_trace_decoy(SIZED(public_copy), a->master, verdict, &found, &failure));
    CHECK(found == 1);
    dualseal_verdict_free(verdict);

    /* A decoy key makes no seal that holds. */
    archive b = *a;
    kept one = {NULL, NULL, NULL, 0};
    dualseal_sealed *sealed = NULL;
    OK(dualseal_vault_sealer_new(a->master, ANA, stolen, NO_RING, DUALSEAL_TIER_PUBLIC, NULL, &b.vault, &failure));
    b.ledger = copy_of_ledger(a->ledger);
    OK(dualseal_vault_sealer_seal(b.vault, NULL, 0, "FORGED", PLAIN, b.ledger, head, SIZED(""), TIME, &sealed,
        &one.stored,
                           &one.length, &failure));
    OK(dualseal_sealed_parts(sealed, &one.record, NULL, NULL, NULL, 0, &failure));
    dualseal_stored_hash *stored_hash = hash_of(a, &one);
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_all,
        SIZED(one.record), stored_hash, ANA, NULL, NULL, NULL, &failure));
    dualseal_stored_hash_free(stored_hash);
    dualseal_bytes_free(one.stored);
    dualseal_string_free(one.record);
    dualseal_sealed_free(sealed);
    dualseal_ledger_head_free(b.ledger);
    dualseal_vault_sealer_free(b.vault);

    /* A verdict that is about no decoy traces nothing. */
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_signature_verify(a->domain, a->ring, NULL, ANA, hashed(a->domain, ANA, "x", 1), SIZED(record), NULL,
              &verdict,
                                    &failure));
    GIVES(DUALSEAL_STATUS_NOT_A_DECOY,
          dualseal_vault_record_trace_decoy(SIZED(a->records[1].record), a->master, verdict, &found, &failure));
    dualseal_verdict_free(verdict);
    dualseal_string_free(record);
    dualseal_string_free(entry);
    dualseal_head_free(head);
    dualseal_signing_key_free(stolen);
    dualseal_string_free(public_copy);
}

/* The report of a verification that needs no master. */
static dualseal_vault_report *public_report_of(const archive *a, const kept *one)
{
    dualseal_stored_hash *stored = hash_of(a, one);
    dualseal_vault_report *report = NULL;
    OK(dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_all, SIZED(one->record), stored, ANA, NULL, NULL,
        &report, &failure));
    dualseal_stored_hash_free(stored);
    return report;
}

/* Splits the secret of a record among two nodes; both confirm. */
static void splits(archive *a, const kept *one, const dualseal_head *before, char split_id[65])
{
    const char *nodes[] = {"https://a.example", "https://b.example"};
    char ids[2][65], *shards = NULL, *entry = NULL;
    const char *held[] = {ids[0], ids[1]};
    dualseal_preparation *prepared = NULL;
    OK(dualseal_shard_prepare(a->master, SIZED(one->record), NULL, 2, nodes, 2, one->secret, &shards, &prepared,
                              &failure));
    member(shards, "\"split_id\":\"", split_id, 64);
    member(shards, "\"shard_id\":\"", ids[0], 64);
    member(strstr(shards, "},{"), "\"shard_id\":\"", ids[1], 64);
    walk found = splits_of(a, one, a->head, a->entries);
    OK(dualseal_preparation_commit(prepared, held, 2, 0, found.proofs, found.watched, a->head, TIME, &entry, &failure));
    follow_entry(a->ring, entry);
    archive_append(a, entry);
    entry = NULL;
    /* Not where the chain was read to another head than the one that moves on, and so not twice. */
    walk early = splits_of(a, one, before, size_of_chain(before));
    const walk both[] = {early, found};
    for (size_t i = 0; i < 2; i++) {
        GIVES(DUALSEAL_STATUS_UNREAD_CHAIN, dualseal_preparation_commit(prepared, held, 2, 0, both[i].proofs,
                                                                        both[i].watched, a->head, TIME, &entry,
                                                                        &failure));
        dualseal_proofs_free(both[i].proofs);
    }
    CHECK(entry == NULL && size_of_chain(a->head) == a->entries);
    dualseal_preparation_free(prepared);
    dualseal_string_free(shards);
}

/* The erasure goes by the record's own master, and would leave the split out. Not where the store names the other one
   in the record, or another vault, either. */
static void a_split_under_another_master_is_not_dealt(const archive *a)
{
    const char *nodes[] = {"https://a.example", "https://b.example"};
    const kept *one = &a->records[0];
    uint8_t drawn[32];
    char own[33], next[33], vault[65], other[65], *shards = NULL;
    dualseal_vault_master *master = NULL;
    dualseal_preparation *prepared = NULL;
    memset(drawn, 4, sizeof drawn);
    OK(dualseal_vault_master_from_secret(a->domain, drawn, sizeof drawn, &master, &failure));
    OK(dualseal_vault_master_key_id(a->master, own, sizeof own, &failure));
    OK(dualseal_vault_master_key_id(master, next, sizeof next, &failure));
    member(one->record, "\"vault_id\":\"", vault, 64);
    member(a->records[2].record, "\"vault_id\":\"", other, 64);
    char *named = replaced(one->record, own, next), *moved = replaced(one->record, vault, other);
    GIVES(DUALSEAL_STATUS_FOREIGN_LEDGER, dualseal_shard_prepare(master, SIZED(one->record), NULL, 2, nodes, 2,
                                                                 one->secret, &shards, &prepared, &failure));
    GIVES(DUALSEAL_STATUS_FOREIGN_LEDGER, dualseal_shard_prepare(master, SIZED(named), NULL, 2, nodes, 2, one->secret,
                                                                 &shards, &prepared, &failure));
    GIVES(DUALSEAL_STATUS_FOREIGN_LEDGER, dualseal_shard_prepare(a->master, SIZED(moved), NULL, 2, nodes, 2,
                                                                 one->secret, &shards, &prepared, &failure));
    CHECK(shards == NULL && prepared == NULL);
    free(moved);
    free(named);
    dualseal_vault_master_free(master);
}

/* A walk of another vault, over part of the chain, or none at all would erase without the splits that there are. */
static void a_walk_of_something_else_erases_nothing(const archive *a, const dualseal_head *before)
{
    const kept *one = &a->records[0];
    dualseal_vault_report *report = report_of(a, one);
    dualseal_ledger_head *ledger = copy_of_ledger(a->ledger);
    dualseal_sealed *sealed = NULL;
    uint8_t *stored = NULL;
    size_t length = 0;
    char *end = NULL;
    erases(a, a->vault, report, splits_of(a, &a->records[2], a->head, a->entries), DUALSEAL_STATUS_OTHER_VAULT);
    erases(a, a->vault, report, splits_of(a, one, before, size_of_chain(before)), DUALSEAL_STATUS_UNREAD_CHAIN);
    erases(a, a->vault, report, splits_of(a, one, a->head, a->entries), DUALSEAL_STATUS_VALID);
    FAILS(DUALSEAL_STATUS_NULL_ARGUMENT, "proofs", -1,
          dualseal_vault_sealer_erase(a->vault, report, NULL, 0, 0, NULL, 0, ledger, a->head, SIZED(""), TIME, &sealed,
                                      &stored, &length, &end, &failure));
    walk found = splits_of(a, one, a->head, a->entries);
    for (int32_t no_chain = 1; no_chain < 3; no_chain++) {
        FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "no_chain", -1,
              dualseal_vault_sealer_erase(a->vault, report, found.proofs, found.watched, no_chain, NULL, 0, ledger,
                                          a->head, SIZED(""), TIME, &sealed, &stored, &length, &end, &failure));
    }
    /* Proofs of something else are no splits. */
    GIVES(DUALSEAL_STATUS_OTHER_READER,
          dualseal_vault_sealer_erase(a->vault, report, found.proofs, 0, 0, NULL, 0, ledger, a->head, SIZED(""), TIME,
                                      &sealed, &stored, &length, &end, &failure));
    CHECK(sealed == NULL && stored == NULL && end == NULL);
    dualseal_proofs_free(found.proofs);
    dualseal_ledger_head_free(ledger);
    dualseal_vault_report_free(report);
}

/* What the chain tells of a vault's splits, under a checkpoint over all of it. */
static void tells(const archive *a, const char *vault_id, const char *expected)
{
    dualseal_checkpoint *checkpoint = test_checkpoint(a->domain, a->head);
    dualseal_chain_reader *reader = reader_under(a->domain, checkpoint);
    dualseal_split_in_force *in_force = NULL;
    dualseal_watched watched = 0;
    char *told = NULL;
    OK(dualseal_chain_reader_watch_splits(reader, a->master, vault_id, ANA, NULL, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, a->lines, a->entries, NULL);
    GIVES(DUALSEAL_STATUS_ERASED_VAULT, dualseal_proofs_splits(proofs, watched, &in_force, &told, &failure));
    CHECK(in_force == NULL && strcmp(told, expected) == 0);
    dualseal_string_free(told);
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(checkpoint);
}

static void an_erasure_is_a_record(archive *a)
{
    char split[65], committed[65], *const longer = split, id[65], expected[400], *end = NULL;
    const char *prepared[] = {longer, ANA, longer};
    dualseal_sealed *sealed = NULL;
    uint8_t *stored = NULL;
    size_t length = 0;
    dualseal_ledger_head *elsewhere = NULL;
    int32_t covers = 9;
    memset(split, 'f', 64);
    split[64] = '\0';
    dualseal_head *before = copy_of(a->head);
    splits(a, &a->records[0], before, committed);
    a_walk_of_something_else_erases_nothing(a, before);
    dualseal_head_free(before);
    dualseal_vault_report *first = report_of(a, &a->records[0]), *plain = report_of(a, &a->records[1]);
    dualseal_vault_report *of_all = public_report_of(a, &a->records[0]);
    OK(dualseal_ledger_head_generate(&elsewhere, &failure));
    GIVES(DUALSEAL_STATUS_NOT_ENCRYPTED,
          dualseal_vault_sealer_erase(a->vault, plain, NULL, 0, 1, prepared, 2, a->ledger, a->head, SIZED(""), TIME,
                                      &sealed, &stored, &length, &end, &failure));
    GIVES(DUALSEAL_STATUS_FOREIGN_LEDGER,
          dualseal_vault_sealer_erase(a->vault, first, NULL, 0, 1, prepared, 2, elsewhere, a->head, SIZED(""), TIME,
                                      &sealed, &stored, &length, &end, &failure));
    /* What anybody can verify is not the operator's word. */
    GIVES(DUALSEAL_STATUS_NOT_VERIFIED,
          dualseal_vault_sealer_erase(a->vault, of_all, NULL, 0, 1, prepared, 2, a->ledger, a->head, SIZED(""), TIME,
                                      &sealed, &stored, &length, &end, &failure));
    CHECK(sealed == NULL && stored == NULL && end == NULL && size_of_chain(a->head) == a->entries);
    dualseal_ledger_head_free(elsewhere);
    walk found = splits_of(a, &a->records[0], a->head, a->entries);
    const size_t size = a->entries;
    OK(dualseal_vault_sealer_erase(a->vault, first, found.proofs, found.watched, 0, prepared, 3, a->ledger, a->head,
                                   SIZED("court order"), TIME, &sealed, &stored, &length, &end, &failure));
    dualseal_proofs_free(found.proofs);
    dualseal_vault_report_free(of_all);
    dualseal_vault_report_free(plain);
    dualseal_vault_report_free(first);
    CHECK(end != NULL && size_of_chain(a->head) == size + 2);
    kept *one = archive_keep(a, sealed, stored, length, 1);
    follow_entry(a->ring, end);
    archive_append(a, end);
    dualseal_vault_report *verified = report_of(a, one), *other = report_of(a, &a->records[1]);
    /* What it says is its document, which is not encrypted: every split once, and the record. */
    member(a->records[0].record, "\"vault_id\":\"", id, 64);
    const int order = strcmp(ANA, committed);
    snprintf(expected, sizeof expected, "{\"splits\":[\"%s\",\"%s\",\"%s\"],\"vault_id\":\"%s\"}",
             order < 0 ? ANA : committed, order < 0 ? committed : ANA, split, id);
    CHECK(one->length == strlen(expected) && memcmp(one->stored, expected, one->length) == 0);
    snprintf(expected, sizeof expected,
             "{\"erased\":%zu,\"found\":[{\"counted\":true,\"seq\":%zu,\"split_id\":\"%s\"}],\"ignored\":[],"
             "\"later\":[],\"more\":0}",
             size + 1, size - 1, committed);
    tells(a, id, expected);
    /* It counts at its own place only. */
    dualseal_located *at = place_of(a, one), *of_other = place_of(a, &a->records[1]);
    OK(dualseal_vault_erasure_covers(verified, at, one->stored, one->length, SIZED(a->records[0].record), &covers,
        &failure));
    CHECK(covers == 1);
    OK(dualseal_vault_erasure_covers(verified, at, one->stored, one->length, SIZED(a->records[2].record), &covers,
        &failure));
    CHECK(covers == 0);
    /* Whoever holds no master reads it too. */
    dualseal_vault_report *public_report = public_report_of(a, one);
    OK(dualseal_vault_erasure_covers(public_report, at, one->stored, one->length, SIZED(a->records[0].record), &covers,
        &failure));
    CHECK(covers == 1);
    dualseal_vault_report_free(public_report);
    covers = 9;
    const kept *second = &a->records[1];
    GIVES(DUALSEAL_STATUS_NOT_ERASURE,
          dualseal_vault_erasure_covers(other, of_other, second->stored, second->length, SIZED(a->records[0].record),
                                        &covers, &failure));
    GIVES(DUALSEAL_STATUS_OTHER_PLACE,
          dualseal_vault_erasure_covers(verified, of_other, one->stored, one->length, SIZED(a->records[0].record),
                                        &covers, &failure));
    GIVES(DUALSEAL_STATUS_STORED_CHANGED,
          dualseal_vault_erasure_covers(verified, at, second->stored, second->length, SIZED(a->records[0].record),
                                        &covers, &failure));
    CHECK(covers == 9);
    dualseal_located_free(at);
    dualseal_located_free(of_other);

    /* The erased record verifies as before, and opens no more: its secret is gone. */
    dualseal_secret_free(a->records[0].secret);
    a->records[0].secret = NULL;
    dualseal_vault_report *gone = report_of(a, &a->records[0]);
    uint8_t *payload = NULL;
    GIVES(DUALSEAL_STATUS_NO_VAULT_SECRET,
          dualseal_vault_unseal(gone, NULL, a->records[0].stored, a->records[0].length, &payload, &length, &failure));
    CHECK(payload == NULL);
    dualseal_vault_report_free(gone);
    dualseal_vault_report_free(other);
    dualseal_vault_report_free(verified);
}

int main(void)
{
    archive a;
    archive_open(&a);
    archive_seal(&a, "first", HIDDEN);
    archive_seal(&a, "second", PLAIN);
    archive_seal(&a, "third", HIDDEN);
    a_whole_ledger_holds(&a);
    a_ledger_that_does_not_hold_is_refused(&a);
    what_anybody_writes_ends_no_ledger(&a);
    verdicts_are_counted(&a, DUALSEAL_KEY_STATE_REVOKED, DUALSEAL_STATUS_REVOKED);
    verdicts_are_counted(&a, DUALSEAL_KEY_STATE_SUSPENDED, DUALSEAL_STATUS_SUSPENDED);
    verdicts_are_counted(&a, DUALSEAL_KEY_STATE_DECOY, DUALSEAL_STATUS_DECOY);
    what_leaked_names_its_vault(&a);
    another_vault_erases_nothing(&a);
    a_split_under_another_master_is_not_dealt(&a);
    an_erasure_is_a_record(&a);
    a_whole_ledger_holds(&a);
    archive_close(&a);
    return 0;
}
