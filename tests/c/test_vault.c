/* The vault: documents sealed, verified layer by layer, and unsealed, in memory and in parts. */
#include "vault.h"

#define TEXT "one contract about two houses"

/* Letters for layers 0 to 8: p pass, f fail, r recorded, - not checked, n not required. */
/* An identity that is not in the ring. */
#define SOMEBODY "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static void outcomes(const dualseal_vault_report *report, const char *expected)
{
    const char *const names[] = {"pass\"", "fail\"", "recorded\"", "not_checked\"", "not_required\""};
    char found[10] = {0}, *json = NULL, name[32];
    OK(dualseal_vault_report_to_json(report, DUALSEAL_AUDIENCE_OPERATOR, &json, &failure));
    for (int layer = 0; layer < 9; layer++) {
        snprintf(name, sizeof name, "\"L%d\":{\"outcome\":\"", layer);
        const char *at = strstr(json, name);
        CHECK(at != NULL);
        for (size_t i = 0; i < 5; i++) {
            if (strncmp(at + strlen(name), names[i], strlen(names[i])) == 0) {
                found[layer] = "pfr-n"[i];
            }
        }
    }
    dualseal_string_free(json);
    if (strcmp(found, expected) != 0) {
        fprintf(stderr, "layers %s, expected %s\n", found, expected);
        exit(1);
    }
}

/* The verdict of everybody, who knows no place in the chain. */
static dualseal_status everybody(const archive *a, const char *record, const kept *beside,
                                 dualseal_vault_report **report)
{
    dualseal_stored_hash *hash = hash_of(a, beside);
    dualseal_key_cache *cache = NULL;
    OK(dualseal_key_cache_new(1 << 20, &cache, &failure));
    dualseal_status status = dualseal_vault_record_verify(a->domain, a->ring, cache, a->to_all, SIZED(record), hash,
        ANA, NULL, NULL, report, &failure);
    dualseal_key_cache_free(cache);
    dualseal_stored_hash_free(hash);
    return status;
}

static void unseals(const archive *a, const kept *one, const char *expected)
{
    dualseal_vault_report *verified = report_of(a, one);
    uint8_t *payload = NULL;
    size_t length = 0;
    OK(dualseal_vault_unseal(verified, one->secret, one->stored, one->length, &payload, &length, &failure));
    CHECK(length == strlen(expected) && memcmp(payload, expected, length) == 0);
    dualseal_bytes_free(payload);
    dualseal_vault_report_free(verified);
}

static void what_is_sealed_verifies_and_opens(archive *a)
{
    kept *hidden = archive_seal(a, TEXT, HIDDEN), *plain = archive_seal(a, TEXT, PLAIN);
    dualseal_vault_report *report = NULL;
    char *json = NULL;
    CHECK(hidden->secret != NULL && plain->secret == NULL);
    CHECK(plain->length == strlen(TEXT) && memcmp(plain->stored, TEXT, plain->length) == 0);
    CHECK(hidden->length == 68 + strlen(TEXT) + 16);
    GIVES(DUALSEAL_STATUS_VALID, everybody(a, hidden->record, hidden, &report));
    outcomes(report, "pr-p-p---");
    CHECK(failed(report) == -1);
    OK(dualseal_vault_report_to_json(report, DUALSEAL_AUDIENCE_EVERYBODY, &json, &failure));
    CHECK(strstr(json, "\"L2\":{\"outcome\":\"not_checked\",\"reason\":\"no master given\"}") != NULL);
    dualseal_string_free(json);
    dualseal_vault_report_free(report);
    GIVES(DUALSEAL_STATUS_VALID, operator_verifies(a, hidden, &report));
    outcomes(report, "prppppppp");
    OK(dualseal_vault_report_to_json(report, DUALSEAL_AUDIENCE_OPERATOR, &json, &failure));
    CHECK(strstr(json, "\"L8\":{\"outcome\":\"pass\",\"reason\":null}") != NULL);
    dualseal_string_free(json);
    dualseal_vault_report_free(report);
    GIVES(DUALSEAL_STATUS_VALID, everybody(a, plain->record, plain, NULL));
    unseals(a, hidden, TEXT);
    unseals(a, plain, TEXT);
}

/* What is kept of a ledger and of a master is enough to go on. */
static void kept_parts_come_back(const archive *a)
{
    char id[65], top[65], again[65], key_id[DUALSEAL_KEY_ID_TEXT_BYTES], same[DUALSEAL_KEY_ID_TEXT_BYTES];
    uint8_t secret[DUALSEAL_SEED_BYTES];
    uint64_t size = 0;
    dualseal_ledger_head *head = NULL;
    dualseal_vault_master *master = NULL;
    OK(dualseal_ledger_head_parts(a->ledger, id, sizeof id, &size, top, sizeof top, &failure));
    CHECK(size == a->count && strcmp(id, a->ledger_id) == 0);
    OK(dualseal_ledger_head_new(id, size, top, &head, &failure));
    size = 0;
    OK(dualseal_ledger_head_parts(head, NULL, 0, &size, again, sizeof again, &failure));
    CHECK(size == a->count && strcmp(top, again) == 0);
    FAILS(DUALSEAL_STATUS_LENGTH, "ledger", -1, dualseal_ledger_head_new("X", 0, top, &head, &failure));
    OK(dualseal_vault_master_secret(a->master, secret, sizeof secret, &failure));
    OK(dualseal_vault_master_from_secret(a->domain, secret, sizeof secret, &master, &failure));
    OK(dualseal_vault_master_key_id(master, key_id, sizeof key_id, &failure));
    OK(dualseal_vault_master_key_id(a->master, same, sizeof same, &failure));
    CHECK(strcmp(key_id, same) == 0);
    memset(secret, 0, sizeof secret);
    dualseal_vault_master_free(master);
    FAILS(DUALSEAL_STATUS_ALL_ZERO, "master", -1,
          dualseal_vault_master_from_secret(a->domain, secret, sizeof secret, &master, &failure));
    dualseal_ledger_head_free(head);
}

/* What leaves the store has no fragment, and verifies all the same. */
static void redacted_records_verify(archive *a)
{
    const kept *one = &a->records[0];
    kept copy = *one;
    char id[65], *none = NULL;
    CHECK(strstr(one->record, "\"fragment\":null") == NULL);
    OK(dualseal_vault_record_redact(SIZED(one->record), &copy.record, &failure));
    CHECK(strstr(copy.record, "\"fragment\":null") != NULL);
    OK(operator_verifies(a, &copy, NULL));
    member(one->record, "\"vault_id\":\"", id, 64);
    CHECK(strstr(copy.record, id) != NULL && strstr(copy.record, "\"identity_id\":\"" ANA "\"") != NULL);
    dualseal_string_free(copy.record);
    FAILS(DUALSEAL_STATUS_MISSING_MEMBER, "L5", -1, dualseal_vault_record_redact(SIZED("{}"), &none, &failure));
    CHECK(none == NULL);
}

typedef struct {
    const char *object, *member;
    int layer;
} change;

static void every_change_is_caught_by_its_layer(archive *a)
{
    const change changes[] = {
        {"\"L0\":", "\"hash\":\"", 0},
        {"\"L2\":", "\"hmac\":\"", 2},
        {"\"header\":", "\"key_id\":\"", 2},
        {"\"L3\":", "\"baseline\":\"", 3},
        {"\"header\":", "\"vault_id\":\"", 3},
        {"\"L4\":", "\"signature\":\"", 4},
        {"\"L5\":\"", "SEAL-DUAL::", 5},
        {"\"seal_id\":", "SEAL-DUAL::", 5},
        {"\"L6\":\"", "\"L6\":\"", 6},
        {"\"krunica_hash\":", "\"krunica_hash\":\"", 6},
        {"\"L8\":", "\"h\":\"", 6},
        {"\"L7\":", "\"fragment\":\"", 7},
        {"\"L8\":", "\"w3\":\"", 8},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        kept copy = a->records[0];
        dualseal_located_ledger *ledger = archive_located(a);
        dualseal_located *at = NULL;
        dualseal_stored_hash *hash = hash_of(a, &copy);
        dualseal_vault_report *report = NULL;
        uint8_t *payload = NULL;
        size_t payload_len = 0;
        char *json = NULL;
        OK(dualseal_located_ledger_locate(ledger, SIZED(copy.record), &at, &failure));
        copy.record = altered(copy.record, changes[i].object, changes[i].member);
        GIVES(DUALSEAL_STATUS_INVALID, dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_operator,
            SIZED(copy.record), hash, ANA, at, NULL, &report, &failure));
        if (failed(report) != changes[i].layer) {
            fprintf(stderr, "%s %s: layer %d\n", changes[i].object, changes[i].member, failed(report));
            exit(1);
        }
        FAILS(DUALSEAL_STATUS_NOT_VERIFIED, "report", -1,
              dualseal_vault_unseal(report, copy.secret, copy.stored, copy.length, &payload, &payload_len, &failure));
        OK(dualseal_vault_report_to_json(report, DUALSEAL_AUDIENCE_EVERYBODY, &json, &failure));
        CHECK(strstr(json, "\"layers\":null") != NULL && payload == NULL);
        dualseal_string_free(json);
        dualseal_vault_report_free(report);
        free(copy.record);
        dualseal_stored_hash_free(hash);
        dualseal_located_free(at);
        dualseal_located_ledger_free(ledger);
    }
}

static void other_bytes_places_and_masters_are_refused(archive *a)
{
    const kept *one = &a->records[0], *next = &a->records[1];
    dualseal_vault_report *report = NULL;
    one->stored[70] ^= 1;
    GIVES(DUALSEAL_STATUS_INVALID, everybody(a, one->record, one, &report));
    outcomes(report, "fr-f-p---");
    one->stored[70] ^= 1;
    dualseal_vault_report_free(report);

    dualseal_stored_hash *hash = hash_of(a, next);
    dualseal_ledger_head *after = NULL, *wrong = NULL;
    char *other_signer = NULL;
    OK(dualseal_vault_record_ledger_head(SIZED(one->record), &after, &failure));
    OK(dualseal_vault_record_ledger_head(SIZED(next->record), &wrong, &failure));
    OK(dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_all, SIZED(next->record), hash, ANA, NULL, after,
        NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_all,
        SIZED(next->record), hash, ANA, NULL, wrong, &report, &failure));
    CHECK(failed(report) == 0);
    dualseal_vault_report_free(report);

    /* The record of another identity than the one that is expected, whatever the layers say. */
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_all,
        SIZED(next->record), hash, SOMEBODY, NULL, after, &report, &failure));
    CHECK(failed(report) == -1);
    OK(dualseal_vault_report_to_json(report, DUALSEAL_AUDIENCE_OPERATOR, &other_signer, &failure));
    CHECK(strstr(other_signer, "\"other signer\"") != NULL);
    dualseal_string_free(other_signer);
    dualseal_vault_report_free(report);
    FAILS(DUALSEAL_STATUS_LENGTH, "identity_id", -1, dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_all,
        SIZED(next->record), hash, "00", NULL, after, NULL, &failure));
    dualseal_ledger_head_free(wrong);
    dualseal_ledger_head_free(after);

    /* Without its place a record is enough for everybody, and not for the operator. */
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_operator,
        SIZED(next->record), hash, ANA, NULL, NULL, &report, &failure));
    outcomes(report, "prpppp-p-");
    CHECK(failed(report) == -1);
    dualseal_vault_report_free(report);

    dualseal_vault_master *other = NULL;
    dualseal_vault_policy *stranger = NULL;
    char key_id[DUALSEAL_KEY_ID_TEXT_BYTES], name[DUALSEAL_KEY_ID_TEXT_BYTES], *json = NULL;
    OK(dualseal_vault_master_generate(a->domain, &other, &failure));
    OK(dualseal_vault_master_key_id(other, key_id, sizeof key_id, &failure));
    OK(dualseal_vault_master_key_id(a->master, name, sizeof name, &failure));
    CHECK(strlen(key_id) == 32 && strcmp(key_id, name) != 0);
    OK(dualseal_vault_policy_new_operator(other, DUALSEAL_TIER_PUBLIC, &stranger, &failure));
    OK(dualseal_vault_policy_enrol(stranger, ANA, DUALSEAL_TIER_NATIVE, a->tier_key, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_vault_record_verify(a->domain, a->ring, NULL, stranger,
        SIZED(next->record), hash, ANA, NULL, NULL, &report, &failure));
    outcomes(report, "prfppf-f-");
    OK(dualseal_vault_report_to_json(report, DUALSEAL_AUDIENCE_OPERATOR, &json, &failure));
    CHECK(failed(report) == 2 && strstr(json, "another master") != NULL);
    dualseal_string_free(json);
    dualseal_vault_report_free(report);
    dualseal_vault_policy_free(stranger);
    dualseal_vault_master_free(other);
    dualseal_stored_hash_free(hash);
}

static void only_the_right_secret_and_policy_open(archive *a)
{
    const kept *one = &a->records[0];
    dualseal_vault_report *verified = report_of(a, one), *weak = NULL;
    dualseal_secret *other = NULL;
    dualseal_unsealer *unsealer = NULL;
    uint8_t *out = NULL;
    size_t len = 0;
    OK(dualseal_secret_generate(DUALSEAL_FIELD_GF2_256, &other, &failure));
    GIVES(DUALSEAL_STATUS_STREAM_KEY, dualseal_vault_unseal(verified, other, one->stored, one->length, &out, &len,
            &failure));
    GIVES(DUALSEAL_STATUS_NO_VAULT_SECRET,
          dualseal_vault_unseal(verified, NULL, one->stored, one->length, &out, &len, &failure));
    GIVES(DUALSEAL_STATUS_NO_VAULT_SECRET, dualseal_unsealer_new(verified, NULL, &unsealer, &failure));
    one->stored[80] ^= 1;
    FAILS(DUALSEAL_STATUS_STREAM_CHUNK, NULL, 0,
          dualseal_vault_unseal(verified, one->secret, one->stored, one->length, &out, &len, &failure));
    one->stored[80] ^= 1;
    OK(everybody(a, one->record, one, &weak));
    FAILS(DUALSEAL_STATUS_NOT_VERIFIED, "report", -1,
          dualseal_vault_unseal(weak, one->secret, one->stored, one->length, &out, &len, &failure));
    FAILS(DUALSEAL_STATUS_NOT_VERIFIED, "report", -1,
          dualseal_unsealer_new(weak, one->secret, &unsealer, &failure));
    CHECK(out == NULL && len == 0 && unsealer == NULL);

    /* A document that is not encrypted has been changed since it was verified. */
    const kept *plain = &a->records[1];
    dualseal_vault_report *open = report_of(a, plain);
    plain->stored[0] ^= 1;
    GIVES(DUALSEAL_STATUS_STORED_CHANGED,
          dualseal_vault_unseal(open, NULL, plain->stored, plain->length, &out, &len, &failure));
    plain->stored[0] ^= 1;
    dualseal_vault_report_free(open);
    dualseal_secret_free(other);
    dualseal_vault_report_free(weak);
    dualseal_vault_report_free(verified);
}

#define BIG ((size_t)200001)
#define PART ((size_t)7001)

/* Adds what a step gave to the end of a buffer. */
static size_t gather(uint8_t *all, size_t length, uint8_t *out, size_t out_len)
{
    if (out_len > 0) {
        memcpy(all + length, out, out_len);
    }
    dualseal_bytes_free(out);
    return length + out_len;
}

static void documents_of_any_size_go_in_parts(archive *a)
{
    uint8_t *text = (uint8_t *)owned(malloc(BIG)), *stored = (uint8_t *)owned(malloc(BIG + 1000)), *out = NULL;
    size_t length = 0, out_len = 0;
    dualseal_sealing *sealing = NULL;
    dualseal_sealed *sealed = NULL;
    for (size_t i = 0; i < BIG; i++) {
        text[i] = (uint8_t)(i * 31 + i / 253);
    }
    OK(dualseal_sealing_new(a->vault, "SCAN", HIDDEN, &sealing, &out, &out_len, &failure));
    length = gather(stored, length, out, out_len);
    for (size_t i = 0; i < BIG; i += PART) {
        size_t part = BIG - i < PART ? BIG - i : PART;
        OK(dualseal_sealing_update(sealing, text + i, part, &out, &out_len, &failure));
        length = gather(stored, length, out, out_len);
    }
    OK(dualseal_sealing_finish(sealing, a->ledger, a->head, SIZED("scanner 4"), TIME, &sealed, &out, &out_len,
        &failure));
    length = gather(stored, length, out, out_len);
    GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_sealing_update(sealing, text, 1, &out, &out_len, &failure));
    GIVES(DUALSEAL_STATUS_STREAM_ENDED,
          dualseal_sealing_finish(sealing, a->ledger, a->head, SIZED(""), TIME, &sealed, &out, &out_len, &failure));
    dualseal_sealing_free(sealing);
    kept *one = archive_keep(a, sealed, NULL, length, 1);

    dualseal_stored_hash *hash = NULL;
    OK(dualseal_stored_hash_new(a->domain, NULL, &hash, &failure));
    OK(dualseal_stored_hash_update(hash, stored, PART, &failure));
    /* A hash is of the bytes so far, and goes on. */
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_all,
        SIZED(one->record), hash, ANA, NULL, NULL, NULL, &failure));
    OK(dualseal_stored_hash_update(hash, stored + PART, length - PART, &failure));
    OK(dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_all, SIZED(one->record), hash, ANA, NULL, NULL,
        NULL, &failure));
    dualseal_stored_hash_free(hash);

    one->stored = stored;
    dualseal_vault_report *verified = report_of(a, one);
    one->stored = NULL;
    uint8_t *plain = (uint8_t *)owned(malloc(BIG));
    /* A beginning is given out, and the end says that it was not the whole. */
    for (int cut = 1; cut >= 0; cut--) {
        dualseal_unsealer *unsealer = NULL;
        size_t found = 0, read = cut ? length / 2 : length;
        OK(dualseal_unsealer_new(verified, one->secret, &unsealer, &failure));
        for (size_t i = 0; i < read; i += PART) {
            OK(dualseal_unsealer_update(unsealer, stored + i, read - i < PART ? read - i : PART, &out, &out_len,
                                        &failure));
            found = gather(plain, found, out, out_len);
        }
        CHECK(found > 0 && memcmp(plain, text, found) == 0);
        if (cut) {
            GIVES(DUALSEAL_STATUS_STREAM_CHUNK, dualseal_unsealer_finish(unsealer, &out, &out_len, &failure));
        } else {
            OK(dualseal_unsealer_finish(unsealer, &out, &out_len, &failure));
            found = gather(plain, found, out, out_len);
            CHECK(found == BIG && memcmp(plain, text, BIG) == 0);
        }
        GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_unsealer_finish(unsealer, &out, &out_len, &failure));
        GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_unsealer_update(unsealer, stored, 1, &out, &out_len, &failure));
        dualseal_unsealer_free(unsealer);
    }
    dualseal_vault_report_free(verified);
    free(plain);
    free(stored);
    free(text);
}

static void misuse_is_named(archive *a)
{
    dualseal_sealed *sealed = NULL;
    dualseal_sealing *sealing = NULL;
    dualseal_vault_sealer *vault = NULL;
    dualseal_vault_policy *policy = NULL;
    dualseal_signing_key *key = test_key(7);
    dualseal_ed25519_key *tier = NULL;
    uint8_t *out = NULL;
    size_t len = 0;
    OK(dualseal_ed25519_key_generate(&tier, &failure));
    GIVES(DUALSEAL_STATUS_RESERVED_TYPE,
          dualseal_vault_sealer_seal(a->vault, NULL, 0, "ERASURE", PLAIN, a->ledger, a->head, SIZED(""), TIME, &sealed,
              &out,
                  &len,
                              &failure));
    FAILS(DUALSEAL_STATUS_AMBIGUOUS, "type", -1,
          dualseal_sealing_new(a->vault, "a::b", PLAIN, &sealing, &out, &len, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "encryption", -1,
          dualseal_sealing_new(a->vault, "A", (dualseal_encryption)0, &sealing, &out, &len, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "tier", -1,
          dualseal_vault_sealer_new(a->master, ANA, key, NO_RING, (dualseal_tier)0, NULL, &vault, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "tier", -1,
          dualseal_vault_sealer_new(a->master, ANA, key, NO_RING, DUALSEAL_TIER_PUBLIC, tier, &vault, &failure));
    /* A tier above public is verified once somebody's key was enrolled for one. */
    const kept *first = &a->records[0];
    dualseal_stored_hash *hash = hash_of(a, first);
    OK(dualseal_vault_policy_new_public(DUALSEAL_TIER_NOBLE, &policy, &failure));
    GIVES(DUALSEAL_STATUS_NO_TIER_KEYS, dualseal_vault_record_verify(a->domain, a->ring, NULL, policy,
        SIZED(first->record), hash, ANA, NULL, NULL, NULL, &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "public_key", -1,
          dualseal_vault_policy_enrol(policy, ANA, DUALSEAL_TIER_NATIVE, "00", &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "tier", -1,
          dualseal_vault_policy_enrol(policy, ANA, (dualseal_tier)0, a->tier_key, &failure));
    GIVES(DUALSEAL_STATUS_NO_TIER_KEYS, dualseal_vault_record_verify(a->domain, a->ring, NULL, policy,
        SIZED(first->record), hash, ANA, NULL, NULL, NULL, &failure));
    OK(dualseal_vault_policy_enrol(policy, ANA, DUALSEAL_TIER_NATIVE, a->tier_key, &failure));
    OK(dualseal_vault_record_verify(a->domain, a->ring, NULL, policy, SIZED(first->record), hash, ANA, NULL, NULL,
        NULL, &failure));
    dualseal_vault_policy_free(policy);
    policy = NULL;
    dualseal_stored_hash_free(hash);
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "least_tier", -1,
          dualseal_vault_policy_new_public((dualseal_tier)4, &policy, &failure));
    CHECK(sealed == NULL && sealing == NULL && vault == NULL && policy == NULL && out == NULL && len == 0);
    CHECK(size_of_chain(a->head) == a->entries);
    dualseal_ed25519_key_free(tier);
    dualseal_signing_key_free(key);
}

/* A tier that nobody enrolled shows nothing, and the tier public has no L4. */
static void tiers_are_what_the_verifier_holds(archive *a)
{
    dualseal_vault_sealer *plain = NULL;
    dualseal_signing_key *key = test_key(7);
    dualseal_sealed *sealed = NULL;
    dualseal_vault_report *report = NULL;
    dualseal_vault_policy *strict = NULL;
    uint8_t *stored = NULL;
    size_t length = 0;
    OK(dualseal_vault_sealer_new(a->master, ANA, key, NO_RING, DUALSEAL_TIER_PUBLIC, NULL, &plain, &failure));
    OK(dualseal_vault_sealer_seal(plain, NULL, 0, "EMPTY", PLAIN, a->ledger, a->head, SIZED(""), TIME, &sealed, &stored,
            &length,
                           &failure));
    kept *one = archive_keep(a, sealed, stored, length, 1);
    GIVES(DUALSEAL_STATUS_VALID, everybody(a, one->record, one, &report));
    outcomes(report, "pr-pnp---");
    dualseal_vault_report_free(report);
    GIVES(DUALSEAL_STATUS_INVALID, operator_verifies(a, one, &report));
    outcomes(report, "prppfpppp");
    dualseal_vault_report_free(report);
    OK(dualseal_vault_policy_new_public(DUALSEAL_TIER_NATIVE, &strict, &failure));
    OK(dualseal_vault_policy_enrol(strict, ANA, DUALSEAL_TIER_NATIVE, a->tier_key, &failure));
    dualseal_stored_hash *hash = hash_of(a, &a->records[0]);
    OK(dualseal_vault_record_verify(a->domain, a->ring, NULL, strict, SIZED(a->records[0].record), hash, ANA, NULL,
        NULL, NULL, &failure));
    dualseal_stored_hash_free(hash);
    dualseal_vault_policy_free(strict);
    dualseal_vault_sealer_free(plain);
    dualseal_signing_key_free(key);
}

int main(void)
{
    archive a;
    archive_open(&a);
    what_is_sealed_verifies_and_opens(&a);
    kept_parts_come_back(&a);
    redacted_records_verify(&a);
    every_change_is_caught_by_its_layer(&a);
    other_bytes_places_and_masters_are_refused(&a);
    only_the_right_secret_and_policy_open(&a);
    documents_of_any_size_go_in_parts(&a);
    misuse_is_named(&a);
    tiers_are_what_the_verifier_holds(&a);
    archive_close(&a);
    return 0;
}
