/* Seals: made, verified by signature, authenticated by layer A alone. */
#include "check.h"

#include "dualseal_legacy.h"

#define TEXT ((const uint8_t *)"one contract")
#define LENGTH ((size_t)12)
#define BOTH DUALSEAL_SEAL_POLICY_BOTH
#define LAYER_B DUALSEAL_SEAL_POLICY_LAYER_B

typedef struct {
    dualseal_domain *domain;
    dualseal_ring *ring;
    dualseal_seal_key *key, *other_key, *legacy_key;
    dualseal_signing_key *signing;
    char *dual, *legacy;
} bench;

static void set_up(bench *b)
{
    const uint8_t master[32] = {9}, other[64] = {8}, issued[20] = {7};
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->signing = test_key(7);
    test_public_key(7, public_key);
    OK(dualseal_ring_new_pinned(ANA, public_key, sizeof public_key, &b->ring, &failure));
    OK(dualseal_seal_key_derive(b->domain, master, sizeof master, ANA, &b->key, &failure));
    OK(dualseal_seal_key_from_bytes(other, sizeof other, &b->other_key, &failure));
    OK(dualseal_seal_key_from_legacy(issued, sizeof issued, &b->legacy_key, &failure));
    OK(dualseal_payload_seal(b->domain, ANA, b->key, b->signing, NO_RING, TEXT, LENGTH, &b->dual, &failure));
    OK(dualseal_payload_seal_legacy(b->domain, ANA, b->key, b->signing, NO_RING, TEXT, LENGTH, &b->legacy, &failure));
}

static void tear_down(bench *b)
{
    dualseal_string_free(b->legacy);
    dualseal_string_free(b->dual);
    dualseal_signing_key_free(b->signing);
    dualseal_seal_key_free(b->legacy_key);
    dualseal_seal_key_free(b->other_key);
    dualseal_seal_key_free(b->key);
    dualseal_ring_free(b->ring);
    dualseal_domain_free(b->domain);
}

static void verifies(const bench *b, const char *seal, const uint8_t *payload, dualseal_seal_policy policy,
                     const dualseal_seal_key *key, int32_t expected, dualseal_seal_report **report)
{
    GIVES(expected, dualseal_seal_verify(b->domain, b->ring, NULL, SIZED(seal), payload, LENGTH, ANA, policy, key, NULL,
                                         report, &failure));
}

/* With legacy seals and without them. */
static void authenticates(const bench *b, const char *seal, const uint8_t *payload, const dualseal_seal_key *key,
                          int32_t legacy, int32_t expected, dualseal_seal_report **report)
{
    if (legacy) {
        GIVES(expected,
              dualseal_seal_authenticate_legacy(b->domain, SIZED(seal), payload, LENGTH, ANA, key, report, &failure));
    } else {
        GIVES(expected, dualseal_seal_authenticate(b->domain, SIZED(seal), payload, LENGTH, ANA, key, report,
            &failure));
    }
}

static void says(const dualseal_seal_report *report, dualseal_layer_outcome a, dualseal_layer_outcome b,
                 const char *internal, const char *public_pair)
{
    dualseal_layer_outcome layer_a = (dualseal_layer_outcome)0, layer_b = layer_a;
    char *pair = NULL;
    OK(dualseal_seal_report_parts(report, &layer_a, &layer_b, NULL, &failure));
    CHECK(layer_a == a && layer_b == b);
    OK(dualseal_seal_report_to_json(report, DUALSEAL_AUDIENCE_OPERATOR, &pair, &failure));
    CHECK(strcmp(pair, internal) == 0);
    dualseal_string_free(pair);
    OK(dualseal_seal_report_to_json(report, DUALSEAL_AUDIENCE_EVERYBODY, &pair, &failure));
    CHECK(strcmp(pair, public_pair) == 0);
    dualseal_string_free(pair);
}

#define PASS DUALSEAL_LAYER_OUTCOME_PASS
#define FAIL DUALSEAL_LAYER_OUTCOME_FAIL
#define NOT_CHECKED DUALSEAL_LAYER_OUTCOME_NOT_CHECKED
#define ABSENT DUALSEAL_LAYER_OUTCOME_ABSENT
#define GOOD "[true,\"ok\"]"
#define BAD "[false,\"rejected\"]"

static void the_policy_decides(const bench *b)
{
    const uint8_t *altered = (const uint8_t *)"two contract";
    dualseal_seal_report *report = NULL;
    dualseal_verdict *verdict = NULL;
    verifies(b, b->dual, TEXT, BOTH, b->key, DUALSEAL_STATUS_VALID, &report);
    says(report, PASS, PASS, GOOD, GOOD);
    OK(dualseal_seal_report_parts(report, NULL, NULL, &verdict, &failure));
    CHECK(kind_of(verdict) == DUALSEAL_STATUS_VALID);
    dualseal_verdict_free(verdict);
    verdict = NULL;
    dualseal_seal_report_free(report);
    verifies(b, b->dual, TEXT, LAYER_B, NULL, DUALSEAL_STATUS_VALID, &report);
    says(report, NOT_CHECKED, PASS, GOOD, GOOD);
    dualseal_seal_report_free(report);
    verifies(b, b->dual, TEXT, BOTH, b->other_key, DUALSEAL_STATUS_INVALID, &report);
    says(report, FAIL, PASS, BAD, BAD);
    dualseal_seal_report_free(report);
    verifies(b, b->dual, altered, BOTH, b->key, DUALSEAL_STATUS_INVALID, &report);
    says(report, FAIL, FAIL, BAD, BAD);
    dualseal_seal_report_free(report);
    verifies(b, b->dual, altered, LAYER_B, NULL, DUALSEAL_STATUS_INVALID, NULL);
    /* A legacy seal has no signature: it is never Valid. */
    verifies(b, b->legacy, TEXT, BOTH, b->key, DUALSEAL_STATUS_INVALID, &report);
    says(report, PASS, ABSENT, BAD, BAD);
    dualseal_seal_report_free(report);

    /* What holds here is no verdict: whoever compares with 0 refuses it. */
    authenticates(b, b->dual, TEXT, b->key, 0, DUALSEAL_STATUS_AUTHENTICATED, &report);
    says(report, PASS, NOT_CHECKED, GOOD, GOOD);
    FAILS(DUALSEAL_STATUS_NO_VERDICT, "report", -1, dualseal_seal_report_parts(report, NULL, NULL, &verdict, &failure));
    CHECK(verdict == NULL);
    dualseal_seal_report_free(report);
    authenticates(b, b->dual, altered, b->key, 1, DUALSEAL_STATUS_INVALID, NULL);
    authenticates(b, b->dual, TEXT, b->other_key, 1, DUALSEAL_STATUS_INVALID, NULL);
    authenticates(b, b->legacy, TEXT, b->key, 1, DUALSEAL_STATUS_AUTHENTICATED, NULL);
    authenticates(b, b->legacy, TEXT, b->key, 0, DUALSEAL_STATUS_INVALID, &report);
    says(report, PASS, ABSENT, BAD, BAD);
    dualseal_seal_report_free(report);
}

static void the_state_of_the_key_counts(const bench *b)
{
    const uint8_t secret[DUALSEAL_RING_KEY_BYTES] = {9};
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    dualseal_ring_key *ring_key = NULL;
    dualseal_head *head = test_head();
    char *entry = NULL;
    bench other = *b;
    OK(dualseal_ring_key_from_secret(b->domain, secret, sizeof secret, &ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, ring_key, &other.ring, &failure));
    test_public_key(7, key);
    OK(dualseal_ring_add(other.ring, ANA, key, sizeof key, head, TIME, &entry, &failure));
    dualseal_string_free(entry);
    char hash[DUALSEAL_ID_TEXT_BYTES];
    dualseal_seal_report *report = NULL;
    OK(dualseal_public_key_hash(key, sizeof key, hash, sizeof hash, &failure));
    OK(dualseal_ring_set_state(other.ring, ANA, hash, DUALSEAL_KEY_STATE_SUSPENDED, NULL, head, TIME, &entry,
            &failure));
    verifies(&other, b->dual, TEXT, BOTH, b->key, DUALSEAL_STATUS_SUSPENDED, &report);
    says(report, PASS, PASS, "[false,\"suspended\"]", "[false,\"suspended\"]");
    dualseal_seal_report_free(report);
    dualseal_string_free(entry);
    /* A decoy: others are told that all is well, and whoever acts on seals is not. */
    dualseal_verdict *verdict = NULL;
    OK(dualseal_ring_set_state(other.ring, ANA, hash, DUALSEAL_KEY_STATE_DECOY, NULL, head, TIME, &entry,
            &failure));
    verifies(&other, b->dual, TEXT, BOTH, b->key, DUALSEAL_STATUS_DECOY, &report);
    says(report, PASS, PASS, "[false,\"decoy\"]", GOOD);
    OK(dualseal_seal_report_parts(report, NULL, NULL, &verdict, &failure));
    CHECK(kind_of(verdict) == DUALSEAL_STATUS_DECOY);
    dualseal_verdict_free(verdict);
    dualseal_seal_report_free(report);
    verifies(&other, b->dual, TEXT, LAYER_B, NULL, DUALSEAL_STATUS_DECOY, &report);
    says(report, NOT_CHECKED, PASS, "[false,\"decoy\"]", GOOD);
    dualseal_seal_report_free(report);
    verifies(&other, b->dual, (const uint8_t *)"two contract", BOTH, b->key, DUALSEAL_STATUS_INVALID, NULL);
    dualseal_string_free(entry);
    dualseal_ring_free(other.ring);
    dualseal_ring_key_free(ring_key);
    dualseal_head_free(head);
}

/* A seal outlives its key where the chain shows that it was there before the key was retired. */
static void a_place_before_the_retirement_counts(const bench *b)
{
    const dualseal_domain *d = b->domain;
    uint8_t first[DUALSEAL_PUBLIC_KEY_BYTES], second[DUALSEAL_PUBLIC_KEY_BYTES];
    char *entries[4] = {NULL}, *lines[4] = {NULL}, places[4][DUALSEAL_ID_TEXT_BYTES];
    dualseal_ring *ring = NULL;
    dualseal_ring_key *ring_key = NULL;
    dualseal_head *head = test_head();
    dualseal_seal_report *report = NULL;
    test_public_key(7, first);
    test_public_key(8, second);
    OK(dualseal_ring_key_generate(d, &ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, ring_key, &ring, &failure));
    OK(dualseal_ring_add(ring, ANA, first, sizeof first, head, TIME, &entries[0], &failure));
    OK(dualseal_seal_append(SIZED(b->dual), head, d, ANA, TIME, &entries[1], &failure));
    CHECK(strstr(entries[1], "\"poruka\":\"DUALSEAL-SEAL::SEALED::") != NULL);
    follow_entry(ring, entries[1]);
    OK(dualseal_ring_rotate(ring, ANA, second, sizeof second, head, TIME, &entries[2], &failure));
    OK(dualseal_seal_append(SIZED(b->dual), head, d, ANA, TIME + 1, &entries[3], &failure));
    for (size_t i = 0; i < 4; i++) {
        OK(dualseal_entry_parts(SIZED(entries[i]), &lines[i], NULL, 0, &failure));
        OK(dualseal_entry_parts(SIZED(entries[i]), NULL, places[i], sizeof places[i], &failure));
    }
    const int32_t expected[] = {DUALSEAL_STATUS_INVALID, DUALSEAL_STATUS_VALID, DUALSEAL_STATUS_INVALID,
                                DUALSEAL_STATUS_INVALID};
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_seal_verify(d, ring, NULL, SIZED(b->dual), TEXT, LENGTH, ANA, BOTH, b->key,
        NULL,
                                                        &report, &failure));
    says(report, PASS, PASS, BAD, BAD);
    dualseal_seal_report_free(report);
    for (size_t i = 0; i < 4; i++) {
        dualseal_located *at = test_place(d, head, lines, 4, places[i]);
        GIVES(expected[i], dualseal_seal_verify(d, ring, NULL, SIZED(b->dual), TEXT, LENGTH, ANA, BOTH, b->key, at,
                                                NULL, &failure));
        GIVES(expected[i], dualseal_seal_verify(d, ring, NULL, SIZED(b->dual), TEXT, LENGTH, ANA, LAYER_B, NULL, at,
            NULL,
                                                &failure));
        dualseal_located_free(at);
    }
    for (size_t i = 0; i < 4; i++) {
        dualseal_string_free(entries[i]);
        dualseal_string_free(lines[i]);
    }
    dualseal_ring_free(ring);
    dualseal_ring_key_free(ring_key);
    dualseal_head_free(head);
}

static void what_must_not_be_sealed_is_refused(const bench *b)
{
    const uint8_t *reserved = (const uint8_t *)"DUALSEAL-SHARD::x", zeros[32] = {0}, some[32] = {1};
    const dualseal_signing_key *signing = b->signing;
    const dualseal_domain *d = b->domain;
    dualseal_seal_key *key = NULL;
    char *seal = NULL;
    GIVES(DUALSEAL_STATUS_RESERVED_PAYLOAD,
          dualseal_payload_seal(d, ANA, b->key, signing, NO_RING, reserved, 17, &seal, &failure));
    GIVES(DUALSEAL_STATUS_RESERVED_PAYLOAD,
          dualseal_payload_seal_legacy(d, ANA, b->key, signing, NO_RING, reserved, 17, &seal, &failure));
    GIVES(DUALSEAL_STATUS_LEGACY_SEAL_KEY,
          dualseal_payload_seal(d, ANA, b->legacy_key, signing, NO_RING, TEXT, LENGTH, &seal, &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "key", -1, dualseal_seal_key_from_bytes(some, 31, &key, &failure));
    FAILS(DUALSEAL_STATUS_ALL_ZERO, "key", -1, dualseal_seal_key_from_bytes(zeros, 32, &key, &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "key", -1, dualseal_seal_key_from_legacy(some, 15, &key, &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "master", -1, dualseal_seal_key_derive(d, some, 31, ANA, &key, &failure));
    NULL_IS("key", dualseal_seal_key_from_bytes(NULL, 32, &key, &failure));
    NULL_IS("seal_key", dualseal_seal_key_from_bytes(some, 32, NULL, &failure));
    NULL_IS("key", dualseal_seal_key_from_legacy(NULL, 32, &key, &failure));
    NULL_IS("seal_key", dualseal_seal_key_from_legacy(some, 32, NULL, &failure));
    NULL_IS("domain", dualseal_seal_key_derive(NULL, some, 32, ANA, &key, &failure));
    NULL_IS("master", dualseal_seal_key_derive(d, NULL, 32, ANA, &key, &failure));
    NULL_IS("identity_id", dualseal_seal_key_derive(d, some, 32, NULL, &key, &failure));
    NULL_IS("seal_key", dualseal_seal_key_derive(d, some, 32, ANA, NULL, &failure));
    typedef dualseal_status (*sealing)(const dualseal_domain *, const char *, const dualseal_seal_key *,
                                       const dualseal_signing_key *, const dualseal_ring *, int32_t, const uint8_t *,
                                       size_t, char **, dualseal_error **);
    const sealing both[] = {dualseal_payload_seal, dualseal_payload_seal_legacy};
    for (int i = 0; i < 2; i++) {
        NULL_IS("domain", both[i](NULL, ANA, b->key, signing, NO_RING, TEXT, LENGTH, &seal, &failure));
        NULL_IS("identity_id", both[i](d, NULL, b->key, signing, NO_RING, TEXT, LENGTH, &seal, &failure));
        NULL_IS("seal_key", both[i](d, ANA, NULL, signing, NO_RING, TEXT, LENGTH, &seal, &failure));
        NULL_IS("key", both[i](d, ANA, b->key, NULL, NO_RING, TEXT, LENGTH, &seal, &failure));
        NULL_IS("payload", both[i](d, ANA, b->key, signing, NO_RING, NULL, LENGTH, &seal, &failure));
        NULL_IS("seal", both[i](d, ANA, b->key, signing, NO_RING, TEXT, LENGTH, NULL, &failure));
    }
    CHECK(seal == NULL && key == NULL);
}

static void a_seal_has_an_entry_of_its_own(const bench *b)
{
    char *none = NULL;
    dualseal_head *head = test_head();
    OK(dualseal_seal_append(SIZED(b->dual), head, b->domain, ANA, TIME, &none, &failure));
    CHECK(strstr(none, "::SEALED::") != NULL);
    dualseal_string_free(none);
    none = NULL;
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "seal", -1,
          dualseal_seal_append(SIZED(b->legacy), head, b->domain, ANA, TIME, &none, &failure));
    GIVES(DUALSEAL_STATUS_LENGTH,
          dualseal_seal_append(SIZED("SEAL-L5::00"), head, b->domain, ANA, TIME, &none, &failure));
    NULL_IS("seal", dualseal_seal_append(SIZED(NULL), head, b->domain, ANA, TIME, &none, &failure));
    NULL_IS("head", dualseal_seal_append(SIZED(b->dual), NULL, b->domain, ANA, TIME, &none, &failure));
    NULL_IS("domain", dualseal_seal_append(SIZED(b->dual), head, NULL, ANA, TIME, &none, &failure));
    NULL_IS("identity_id", dualseal_seal_append(SIZED(b->dual), head, b->domain, NULL, TIME, &none, &failure));
    NULL_IS("entry_json", dualseal_seal_append(SIZED(b->dual), head, b->domain, ANA, TIME, NULL, &failure));
    uint64_t size = 0;
    OK(dualseal_head_parts(head, &size, NULL, 0, NULL, 0, NULL, &failure));
    CHECK(none == NULL && size == 1);
    dualseal_head_free(head);
}

static void null_and_unknown_values(const bench *b)
{
    dualseal_seal_report *report = NULL;
    const dualseal_domain *d = b->domain;
    const dualseal_ring *r = b->ring;
    const dualseal_seal_key *k = b->key;
    const char *s = b->dual;
    NULL_IS("domain", dualseal_seal_verify(NULL, r, NULL, SIZED(s), TEXT, LENGTH, ANA, BOTH, k, NULL, &report,
        &failure));
    NULL_IS("ring", dualseal_seal_verify(d, NULL, NULL, SIZED(s), TEXT, LENGTH, ANA, BOTH, k, NULL, &report, &failure));
    NULL_IS("seal", dualseal_seal_verify(d, r, NULL, SIZED(NULL), TEXT, LENGTH, ANA, BOTH, k, NULL, &report, &failure));
    NULL_IS("payload", dualseal_seal_verify(d, r, NULL, SIZED(s), NULL, LENGTH, ANA, BOTH, k, NULL, &report, &failure));
    NULL_IS("identity_id", dualseal_seal_verify(d, r, NULL, SIZED(s), TEXT, LENGTH, NULL, BOTH, k, NULL, &report,
        &failure));
    NULL_IS("seal_key", dualseal_seal_verify(d, r, NULL, SIZED(s), TEXT, LENGTH, ANA, BOTH, NULL, NULL, &report,
        &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "policy", -1,
          dualseal_seal_verify(d, r, NULL, SIZED(s), TEXT, LENGTH, ANA, (dualseal_seal_policy)0, k, NULL, &report,
              &failure));
    GIVES(DUALSEAL_STATUS_UNKNOWN_VALUE,
          dualseal_seal_verify(d, r, NULL, SIZED("SEAL"), TEXT, LENGTH, ANA, BOTH, k, NULL, &report, &failure));
    NULL_IS("domain", dualseal_seal_authenticate_legacy(NULL, SIZED(s), TEXT, LENGTH, ANA, k, &report, &failure));
    NULL_IS("seal_key", dualseal_seal_authenticate_legacy(d, SIZED(s), TEXT, LENGTH, ANA, NULL, &report, &failure));
    NULL_IS("domain", dualseal_seal_authenticate(NULL, SIZED(s), TEXT, LENGTH, ANA, k, &report, &failure));
    NULL_IS("seal", dualseal_seal_authenticate(d, SIZED(NULL), TEXT, LENGTH, ANA, k, &report, &failure));
    NULL_IS("payload", dualseal_seal_authenticate(d, SIZED(s), NULL, LENGTH, ANA, k, &report, &failure));
    NULL_IS("identity_id", dualseal_seal_authenticate(d, SIZED(s), TEXT, LENGTH, NULL, k, &report, &failure));
    NULL_IS("seal_key", dualseal_seal_authenticate(d, SIZED(s), TEXT, LENGTH, ANA, NULL, &report, &failure));
    CHECK(report == NULL);

    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_seal_verify(d, r, NULL, SIZED(s), TEXT, LENGTH - 1, ANA, BOTH, k, NULL, &report, &failure));
    dualseal_layer_outcome a = (dualseal_layer_outcome)0, l = a;
    dualseal_verdict *verdict = NULL;
    char *pair = NULL;
    NULL_IS("report", dualseal_seal_report_parts(NULL, &a, &l, NULL, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "audience", -1,
          dualseal_seal_report_to_json(report, (dualseal_audience)0, &pair, &failure));
    NULL_IS("report", dualseal_seal_report_to_json(NULL, DUALSEAL_AUDIENCE_OPERATOR, &pair, &failure));
    NULL_IS("pair_json", dualseal_seal_report_to_json(report, DUALSEAL_AUDIENCE_OPERATOR, NULL, &failure));
    NULL_IS("report", dualseal_seal_report_to_json(NULL, DUALSEAL_AUDIENCE_EVERYBODY, &pair, &failure));
    NULL_IS("pair_json", dualseal_seal_report_to_json(report, DUALSEAL_AUDIENCE_EVERYBODY, NULL, &failure));
    CHECK(a == 0 && l == 0 && verdict == NULL && pair == NULL);
    dualseal_seal_report_free(report);
    dualseal_seal_key_free(NULL);
    dualseal_seal_report_free(NULL);
}

int main(void)
{
    bench b;
    set_up(&b);
    the_policy_decides(&b);
    the_state_of_the_key_counts(&b);
    a_place_before_the_retirement_counts(&b);
    what_must_not_be_sealed_is_refused(&b);
    a_seal_has_an_entry_of_its_own(&b);
    null_and_unknown_values(&b);
    tear_down(&b);
    return 0;
}
