/* A NULL in the place of every pointer of the vault's functions: a status that names it, no crash, no output.
   Under valgrind. */
#include "vault.h"

static archive a;
static dualseal_ed25519_key *tier_key;
static dualseal_signing_key *key;
static dualseal_stored_hash *hash;
static dualseal_sealing *sealing;
static dualseal_sealed *kept_sealed;
static dualseal_vault_report *report;
static dualseal_unsealer *unsealer;
static dualseal_located_ledger *located;
static dualseal_ledger_check *check;
static dualseal_verdict *verdict;
static dualseal_checkpoint *checkpoint;
static dualseal_chain_reader *entries;
static dualseal_watched watched;

/* What no refused call may touch. */
static dualseal_vault_master *no_master;
static dualseal_vault_policy *no_policy;
static dualseal_vault_sealer *no_vault;
static dualseal_ledger_head *no_ledger;
static char *no_record;
static dualseal_stored_hash *no_hash;
static dualseal_sealing *no_sealing;
static dualseal_sealed *no_sealed;
static dualseal_secret *no_secret;
static dualseal_vault_report *no_report;
static dualseal_unsealer *no_unsealer;
static dualseal_located_ledger *no_located_ledger;
static dualseal_located *no_located;
static dualseal_ledger_check *no_check;
static char *no_text, text[65];
static uint8_t *no_bytes, bytes[DUALSEAL_PUBLIC_KEY_BYTES];
static size_t no_length;
static uint64_t number;
static int32_t answer;

static void set_up(void)
{
    uint8_t *out = NULL;
    size_t length = 0;
    archive_open(&a);
    archive_seal(&a, "first", HIDDEN);
    key = test_key(7);
    OK(dualseal_ed25519_key_generate(&tier_key, &failure));
    hash = hash_of(&a, &a.records[0]);
    OK(dualseal_sealing_new(a.vault, "A", PLAIN, &sealing, &out, &length, &failure));
    dualseal_bytes_free(out);
    report = report_of(&a, &a.records[0]);
    OK(dualseal_unsealer_new(report, a.records[0].secret, &unsealer, &failure));
    located = archive_located(&a);
    checkpoint = test_checkpoint(a.domain, a.head);
    entries = reader_under(a.domain, checkpoint);
    OK(dualseal_chain_reader_watch_ledger(entries, a.ledger_id, a.master, NULL, &watched, &failure));
    OK(dualseal_ledger_check_new(a.domain, a.ring, NULL, a.to_all, a.ledger_id, NULL, &check, &failure));
    /* A verdict that is about no decoy, and what was sealed, kept out of the archive. */
    char *record = NULL, *entry = NULL;
    dualseal_head *head = copy_of(a.head);
    dualseal_ledger_head *ledger = copy_of_ledger(a.ledger);
    const char *content = hashed(a.domain, ANA, NULL, 0);
    OK(dualseal_signature_sign(a.domain, ANA, key, NO_RING, content, head, TIME, &record, &entry, &failure));
    OK(dualseal_signature_verify(a.domain, a.ring, NULL, ANA, content, SIZED(record), NULL, &verdict, &failure));
    char *end = NULL;
    OK(dualseal_vault_sealer_erase(a.vault, report, NULL, 0, 1, NULL, 0, ledger, head, SIZED(""), TIME, &kept_sealed,
                                   &out, &length, &end, &failure));
    CHECK(end == NULL);
    dualseal_bytes_free(out);
    dualseal_string_free(record);
    dualseal_string_free(entry);
    dualseal_ledger_head_free(ledger);
    dualseal_head_free(head);
}

static void free_all(void)
{
    dualseal_sealed_free(kept_sealed);
    dualseal_ledger_check_free(check);
    dualseal_chain_reader_free(entries);
    dualseal_checkpoint_free(checkpoint);
    dualseal_located_ledger_free(located);
    dualseal_unsealer_free(unsealer);
    dualseal_verdict_free(verdict);
    dualseal_vault_report_free(report);
    dualseal_sealing_free(sealing);
    dualseal_stored_hash_free(hash);
    dualseal_ed25519_key_free(tier_key);
    dualseal_signing_key_free(key);
    archive_close(&a);
}

static void null_to_every_free(void)
{
    dualseal_ledger_check_free(NULL);
    dualseal_chain_reader_free(NULL);
    dualseal_ledger_head_free(NULL);
    dualseal_located_ledger_free(NULL);
    dualseal_sealed_free(NULL);
    dualseal_sealing_free(NULL);
    dualseal_stored_hash_free(NULL);
    dualseal_unsealer_free(NULL);
    dualseal_vault_sealer_free(NULL);
    dualseal_vault_master_free(NULL);
    dualseal_vault_policy_free(NULL);
    dualseal_vault_report_free(NULL);
}

static void masters_tiers_and_policies(void)
{
    const dualseal_tier low = DUALSEAL_TIER_PUBLIC, high = DUALSEAL_TIER_NATIVE;
    NULL_IS("domain", dualseal_vault_master_generate(NULL, &no_master, &failure));
    NULL_IS("master", dualseal_vault_master_generate(a.domain, NULL, &failure));
    NULL_IS("domain", dualseal_vault_master_from_secret(NULL, bytes, 32, &no_master, &failure));
    NULL_IS("secret", dualseal_vault_master_from_secret(a.domain, NULL, 32, &no_master, &failure));
    NULL_IS("master", dualseal_vault_master_from_secret(a.domain, bytes, 32, NULL, &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "secret", -1,
          dualseal_vault_master_from_secret(a.domain, bytes, 31, &no_master, &failure));
    NULL_IS("master", dualseal_vault_master_secret(NULL, bytes, 32, &failure));
    NULL_IS("secret", dualseal_vault_master_secret(a.master, NULL, 32, &failure));
    NULL_IS("master", dualseal_vault_master_key_id(NULL, text, 33, &failure));
    NULL_IS("key_id", dualseal_vault_master_key_id(a.master, NULL, 33, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "key_id", -1, dualseal_vault_master_key_id(a.master, text, 65, &failure));
    NULL_IS("policy", dualseal_vault_policy_new_public(low, NULL, &failure));
    NULL_IS("policy", dualseal_vault_policy_enrol(NULL, ANA, high, a.tier_key, &failure));
    NULL_IS("identity_id", dualseal_vault_policy_enrol(a.to_all, NULL, high, a.tier_key, &failure));
    NULL_IS("public_key", dualseal_vault_policy_enrol(a.to_all, ANA, high, NULL, &failure));
    NULL_IS("master", dualseal_vault_policy_new_operator(NULL, high, &no_policy, &failure));
    NULL_IS("policy", dualseal_vault_policy_new_operator(a.master, high, NULL, &failure));
    NULL_IS("master", dualseal_vault_sealer_new(NULL, ANA, key, NO_RING, low, NULL, &no_vault, &failure));
    NULL_IS("identity_id", dualseal_vault_sealer_new(a.master, NULL, key, NO_RING, low, NULL, &no_vault, &failure));
    NULL_IS("key", dualseal_vault_sealer_new(a.master, ANA, NULL, NO_RING, low, NULL, &no_vault, &failure));
    NULL_IS("tier_key", dualseal_vault_sealer_new(a.master, ANA, key, NO_RING, high, NULL, &no_vault, &failure));
    NULL_IS("sealer", dualseal_vault_sealer_new(a.master, ANA, key, NO_RING, high, tier_key, NULL, &failure));
}

static void heads_records_and_hashes(void)
{
    const char *record = a.records[0].record;
    NULL_IS("ledger", dualseal_ledger_head_generate(NULL, &failure));
    NULL_IS("ledger_id", dualseal_ledger_head_new(NULL, 0, ANA, &no_ledger, &failure));
    NULL_IS("top", dualseal_ledger_head_new(ANA, 0, NULL, &no_ledger, &failure));
    NULL_IS("ledger", dualseal_ledger_head_new(ANA, 0, ANA, NULL, &failure));
    NULL_IS("ledger", dualseal_ledger_head_parts(NULL, text, 65, &number, NULL, 0, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "ledger_id", -1,
          dualseal_ledger_head_parts(a.ledger, text, 64, &number, NULL, 0, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "top", -1,
          dualseal_ledger_head_parts(a.ledger, NULL, 0, &number, text, 66, &failure));
    NULL_IS("domain", dualseal_stored_hash_new(NULL, NULL, &no_hash, &failure));
    NULL_IS("stored_hash", dualseal_stored_hash_new(a.domain, NULL, NULL, &failure));
    NULL_IS("stored_hash", dualseal_stored_hash_update(NULL, bytes, 1, &failure));
    NULL_IS("stored", dualseal_stored_hash_update(hash, NULL, 1, &failure));
    NULL_IS("record_json", dualseal_vault_record_redact(SIZED(NULL), &no_record, &failure));
    NULL_IS("redacted_json", dualseal_vault_record_redact(SIZED(record), NULL, &failure));
    NULL_IS("record_json", dualseal_vault_record_ledger_head(SIZED(NULL), &no_ledger, &failure));
    NULL_IS("ledger", dualseal_vault_record_ledger_head(SIZED(record), NULL, &failure));
    NULL_IS("record_json", dualseal_vault_record_trace_decoy(SIZED(NULL), a.master, verdict, &answer, &failure));
    NULL_IS("master", dualseal_vault_record_trace_decoy(SIZED(record), NULL, verdict, &answer, &failure));
    NULL_IS("verdict", dualseal_vault_record_trace_decoy(SIZED(record), a.master, NULL, &answer, &failure));
    GIVES(DUALSEAL_STATUS_NOT_A_DECOY,
          dualseal_vault_record_trace_decoy(SIZED(record), a.master, verdict, &answer, &failure));
}

#define MADE &no_sealed, &no_bytes, &no_length, &failure
#define PAYLOAD bytes, 1

static void sealings(void)
{
    dualseal_ledger_head *l = a.ledger;
    dualseal_head *h = a.head;
    const dualseal_vault_sealer *v = a.vault;
    NULL_IS("sealer", dualseal_vault_sealer_seal(NULL, PAYLOAD, "A", PLAIN, l, h, SIZED(""), TIME, MADE));
    NULL_IS("payload", dualseal_vault_sealer_seal(v, NULL, 1, "A", PLAIN, l, h, SIZED(""), TIME, MADE));
    NULL_IS("kind", dualseal_vault_sealer_seal(v, PAYLOAD, NULL, PLAIN, l, h, SIZED(""), TIME, MADE));
    NULL_IS("ledger", dualseal_vault_sealer_seal(v, PAYLOAD, "A", PLAIN, NULL, h, SIZED(""), TIME, MADE));
    NULL_IS("head", dualseal_vault_sealer_seal(v, PAYLOAD, "A", PLAIN, l, NULL, SIZED(""), TIME, MADE));
    NULL_IS("note", dualseal_vault_sealer_seal(v, PAYLOAD, "A", PLAIN, l, h, SIZED(NULL), TIME, MADE));
    NULL_IS("sealed",
            dualseal_vault_sealer_seal(v, PAYLOAD, "A", PLAIN, l, h, SIZED(""), TIME, NULL, &no_bytes, &no_length,
                &failure));
    NULL_IS("stored",
            dualseal_vault_sealer_seal(v, PAYLOAD, "A", PLAIN, l, h, SIZED(""), TIME, &no_sealed, NULL, &no_length,
                &failure));
    NULL_IS("stored_len",
            dualseal_vault_sealer_seal(v, PAYLOAD, "A", PLAIN, l, h, SIZED(""), TIME, &no_sealed, &no_bytes, NULL,
                &failure));
#define ENDED TIME, &no_sealed, &no_bytes, &no_length, &no_text, &failure
    NULL_IS("sealer", dualseal_vault_sealer_erase(NULL, report, NULL, 0, 1, NULL, 0, l, h, SIZED(""), ENDED));
    NULL_IS("erased", dualseal_vault_sealer_erase(v, NULL, NULL, 0, 1, NULL, 0, l, h, SIZED(""), ENDED));
    NULL_IS("proofs", dualseal_vault_sealer_erase(v, report, NULL, 0, 0, NULL, 0, l, h, SIZED(""), ENDED));
    NULL_IS("splits", dualseal_vault_sealer_erase(v, report, NULL, 0, 1, NULL, 1, l, h, SIZED(""), ENDED));
    NULL_IS("ledger", dualseal_vault_sealer_erase(v, report, NULL, 0, 1, NULL, 0, NULL, h, SIZED(""), ENDED));
    NULL_IS("head", dualseal_vault_sealer_erase(v, report, NULL, 0, 1, NULL, 0, l, NULL, SIZED(""), ENDED));
    NULL_IS("note", dualseal_vault_sealer_erase(v, report, NULL, 0, 1, NULL, 0, l, h, SIZED(NULL), ENDED));
    NULL_IS("sealed", dualseal_vault_sealer_erase(v, report, NULL, 0, 1, NULL, 0, l, h, SIZED(""), TIME, NULL,
                                                  &no_bytes, &no_length, &no_text, &failure));
    NULL_IS("stored", dualseal_vault_sealer_erase(v, report, NULL, 0, 1, NULL, 0, l, h, SIZED(""), TIME, &no_sealed,
                                                  NULL, &no_length, &no_text, &failure));
    NULL_IS("stored_len", dualseal_vault_sealer_erase(v, report, NULL, 0, 1, NULL, 0, l, h, SIZED(""), TIME, &no_sealed,
                                                      &no_bytes, NULL, &no_text, &failure));
    NULL_IS("end_json", dualseal_vault_sealer_erase(v, report, NULL, 0, 1, NULL, 0, l, h, SIZED(""), TIME, &no_sealed,
                                                    &no_bytes, &no_length, NULL, &failure));
    NULL_IS("sealed", dualseal_sealed_parts(NULL, &no_record, NULL, &no_secret, bytes, sizeof bytes, &failure));
    OK(dualseal_sealed_parts(kept_sealed, NULL, NULL, NULL, NULL, 0, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "decoy_key", -2,
          dualseal_sealed_parts(kept_sealed, &no_record, NULL, &no_secret, bytes, sizeof bytes - 1, &failure));
    NULL_IS("sealer", dualseal_sealing_new(NULL, "A", PLAIN, &no_sealing, &no_bytes, &no_length, &failure));
    NULL_IS("kind", dualseal_sealing_new(v, NULL, PLAIN, &no_sealing, &no_bytes, &no_length, &failure));
    NULL_IS("sealing", dualseal_sealing_new(v, "A", PLAIN, NULL, &no_bytes, &no_length, &failure));
    NULL_IS("out", dualseal_sealing_new(v, "A", PLAIN, &no_sealing, NULL, &no_length, &failure));
    NULL_IS("out_len", dualseal_sealing_new(v, "A", PLAIN, &no_sealing, &no_bytes, NULL, &failure));
    NULL_IS("sealing", dualseal_sealing_update(NULL, PAYLOAD, &no_bytes, &no_length, &failure));
    NULL_IS("payload", dualseal_sealing_update(sealing, NULL, 1, &no_bytes, &no_length, &failure));
    NULL_IS("out", dualseal_sealing_update(sealing, PAYLOAD, NULL, &no_length, &failure));
    NULL_IS("out_len", dualseal_sealing_update(sealing, PAYLOAD, &no_bytes, NULL, &failure));
    NULL_IS("sealing", dualseal_sealing_finish(NULL, l, h, SIZED(""), TIME, MADE));
    NULL_IS("ledger", dualseal_sealing_finish(sealing, NULL, h, SIZED(""), TIME, MADE));
    NULL_IS("head", dualseal_sealing_finish(sealing, l, NULL, SIZED(""), TIME, MADE));
    NULL_IS("note", dualseal_sealing_finish(sealing, l, h, SIZED(NULL), TIME, MADE));
    NULL_IS("sealed", dualseal_sealing_finish(sealing, l, h, SIZED(""), TIME, NULL, &no_bytes, &no_length, &failure));
    NULL_IS("out", dualseal_sealing_finish(sealing, l, h, SIZED(""), TIME, &no_sealed, NULL, &no_length, &failure));
    NULL_IS("out_len", dualseal_sealing_finish(sealing, l, h, SIZED(""), TIME, &no_sealed, &no_bytes, NULL, &failure));
}

static void verifications_and_documents(void)
{
    const char *r = a.records[0].record;
    const dualseal_domain *d = a.domain;
    const dualseal_vault_policy *p = a.to_all;
    const uint8_t *s = a.records[0].stored;
    const size_t n = a.records[0].length;
    dualseal_located *place = place_of(&a, &a.records[0]);
    NULL_IS("domain", dualseal_vault_record_verify(NULL, a.ring, NULL, p, SIZED(r), hash, ANA, NULL, NULL, &no_report,
        &failure));
    NULL_IS("ring", dualseal_vault_record_verify(d, NULL, NULL, p, SIZED(r), hash, ANA, NULL, NULL, &no_report,
        &failure));
    NULL_IS("policy", dualseal_vault_record_verify(d, a.ring, NULL, NULL, SIZED(r), hash, ANA, NULL, NULL, &no_report,
        &failure));
    NULL_IS("record_json", dualseal_vault_record_verify(d, a.ring, NULL, p, SIZED(NULL), hash, ANA, NULL, NULL,
        &no_report, &failure));
    NULL_IS("stored_hash", dualseal_vault_record_verify(d, a.ring, NULL, p, SIZED(r), NULL, ANA, NULL, NULL,
        &no_report, &failure));
    NULL_IS("identity_id", dualseal_vault_record_verify(d, a.ring, NULL, p, SIZED(r), hash, NULL, NULL, NULL,
        &no_report, &failure));
    NULL_IS("report", dualseal_vault_report_to_json(NULL, DUALSEAL_AUDIENCE_OPERATOR, &no_text, &failure));
    NULL_IS("report_json", dualseal_vault_report_to_json(report, DUALSEAL_AUDIENCE_OPERATOR, NULL, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "audience", -1,
          dualseal_vault_report_to_json(report, (dualseal_audience)0, &no_text, &failure));
    const dualseal_secret *k = a.records[0].secret;
    NULL_IS("report", dualseal_vault_unseal(NULL, k, s, n, &no_bytes, &no_length, &failure));
    NULL_IS("stored", dualseal_vault_unseal(report, k, NULL, n, &no_bytes, &no_length, &failure));
    NULL_IS("payload", dualseal_vault_unseal(report, k, s, n, NULL, &no_length, &failure));
    NULL_IS("payload_len", dualseal_vault_unseal(report, k, s, n, &no_bytes, NULL, &failure));
    NULL_IS("report", dualseal_unsealer_new(NULL, k, &no_unsealer, &failure));
    NULL_IS("unsealer", dualseal_unsealer_new(report, k, NULL, &failure));
    NULL_IS("unsealer", dualseal_unsealer_update(NULL, s, n, &no_bytes, &no_length, &failure));
    NULL_IS("stored", dualseal_unsealer_update(unsealer, NULL, n, &no_bytes, &no_length, &failure));
    NULL_IS("out", dualseal_unsealer_update(unsealer, s, n, NULL, &no_length, &failure));
    NULL_IS("report", dualseal_vault_erasure_covers(NULL, place, s, n, SIZED(r), &answer, &failure));
    NULL_IS("place", dualseal_vault_erasure_covers(report, NULL, s, n, SIZED(r), &answer, &failure));
    NULL_IS("stored", dualseal_vault_erasure_covers(report, place, NULL, n, SIZED(r), &answer, &failure));
    NULL_IS("record_json", dualseal_vault_erasure_covers(report, place, s, n, SIZED(NULL), &answer, &failure));
    NULL_IS("covers", dualseal_vault_erasure_covers(report, place, s, n, SIZED(r), NULL, &failure));
    NULL_IS("out_len", dualseal_unsealer_update(unsealer, s, n, &no_bytes, NULL, &failure));
    NULL_IS("unsealer", dualseal_unsealer_finish(NULL, &no_bytes, &no_length, &failure));
    NULL_IS("out", dualseal_unsealer_finish(unsealer, NULL, &no_length, &failure));
    NULL_IS("out_len", dualseal_unsealer_finish(unsealer, &no_bytes, NULL, &failure));
    dualseal_located_free(place);
}

static void ledgers(void)
{
    const dualseal_domain *d = a.domain;
    const dualseal_ring *g = a.ring;
    const char *r = a.records[0].record;
    const char *id = a.ledger_id;
    uint64_t *n = &number;
    dualseal_watched none = 0;
    NULL_IS("reader", dualseal_chain_reader_watch_ledger(NULL, id, NULL, NULL, &none, &failure));
    NULL_IS("ledger_id", dualseal_chain_reader_watch_ledger(entries, NULL, NULL, NULL, &none, &failure));
    NULL_IS("watched", dualseal_chain_reader_watch_ledger(entries, id, NULL, NULL, NULL, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "before", -1,
          dualseal_chain_reader_watch_ledger(entries, id, NULL, located, &none, &failure));
    CHECK(none == 0);
    dualseal_proofs *proofs = read_to(entries, a.lines, a.entries, NULL);
    entries = NULL;
    NULL_IS("proofs", dualseal_proofs_ledger(NULL, watched, &no_located_ledger, NULL, &failure));
    NULL_IS("located_ledger", dualseal_proofs_ledger(proofs, watched, NULL, NULL, &failure));
    dualseal_proofs_free(proofs);
    NULL_IS("located_ledger", dualseal_located_ledger_locate(NULL, SIZED(r), &no_located, &failure));
    NULL_IS("record_json", dualseal_located_ledger_locate(located, SIZED(NULL), &no_located, &failure));
    NULL_IS("place", dualseal_located_ledger_locate(located, SIZED(r), NULL, &failure));
    NULL_IS("domain", dualseal_ledger_check_new(NULL, g, NULL, a.to_all, id, located, &no_check, &failure));
    NULL_IS("ring", dualseal_ledger_check_new(d, NULL, NULL, a.to_all, id, located, &no_check, &failure));
    NULL_IS("policy", dualseal_ledger_check_new(d, g, NULL, NULL, id, located, &no_check, &failure));
    NULL_IS("ledger_id", dualseal_ledger_check_new(d, g, NULL, a.to_all, NULL, located, &no_check, &failure));
    NULL_IS("check", dualseal_ledger_check_new(d, g, NULL, a.to_all, id, located, NULL, &failure));
    NULL_IS("check", dualseal_ledger_check_push(NULL, SIZED(r), hash, &no_report, &failure));
    NULL_IS("record_json", dualseal_ledger_check_push(check, SIZED(NULL), hash, &no_report, &failure));
    NULL_IS("stored_hash", dualseal_ledger_check_push(check, SIZED(r), NULL, &no_report, &failure));
    NULL_IS("check", dualseal_ledger_check_finish(NULL, &no_ledger, n, n, n, n, NULL, &failure));
    NULL_IS("ledger", dualseal_ledger_check_finish(check, NULL, n, n, n, n, NULL, &failure));
    NULL_IS("valid", dualseal_ledger_check_finish(check, &no_ledger, NULL, n, n, n, NULL, &failure));
    NULL_IS("revoked", dualseal_ledger_check_finish(check, &no_ledger, n, NULL, n, n, NULL, &failure));
    NULL_IS("suspended", dualseal_ledger_check_finish(check, &no_ledger, n, n, NULL, n, NULL, &failure));
    NULL_IS("decoys", dualseal_ledger_check_finish(check, &no_ledger, n, n, n, NULL, NULL, &failure));
}

int main(void)
{
    set_up();
    mark(text, sizeof text);
    mark(bytes, sizeof bytes);
    null_to_every_free();
    masters_tiers_and_policies();
    heads_records_and_hashes();
    sealings();
    verifications_and_documents();
    ledgers();
    CHECK(marked(text, sizeof text) && marked(bytes, sizeof bytes) && number == 0 && answer == 0);
    CHECK(no_text == NULL && no_bytes == NULL && no_length == 0 && no_master == NULL);
    CHECK(no_policy == NULL && no_vault == NULL && no_ledger == NULL && no_record == NULL && no_hash == NULL);
    CHECK(no_sealing == NULL && no_sealed == NULL && no_secret == NULL && no_report == NULL);
    CHECK(no_unsealer == NULL && size_of_chain(a.head) == 2);
    CHECK(no_located_ledger == NULL && no_located == NULL && no_check == NULL);
    free_all();
    return 0;
}
