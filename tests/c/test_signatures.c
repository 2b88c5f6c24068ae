/* Signing and verifying: every verdict, every way to hand the content over, and what is no verdict at all. */
#include "check.h"

#include "dualseal_legacy.h"

#define CONTENT "one contract"

/* A ring in which ANA has the key 7 and a decoy 8, and a record that each key signed over CONTENT. */
typedef struct {
    dualseal_domain *domain;
    dualseal_ring *ring;
    dualseal_ring_key *ring_key;
    dualseal_head *head;
    char *record, *decoy_record;
} bench;

/* Over content that was hashed for ANA. */
static dualseal_status verify(const bench *b, const char *content, const char *record, dualseal_verdict **verdict)
{
    return dualseal_signature_verify(b->domain, b->ring, NULL, ANA, hashed(b->domain, ANA, content, strlen(content)),
        SIZED(record),
                                     NULL, verdict, &failure);
}

static dualseal_status sign(const bench *b, const dualseal_signing_key *key, const char *hash, char **record,
                            char **entry)
{
    return dualseal_signature_sign(b->domain, ANA, key, NO_RING, hash, b->head, TIME, record, entry, &failure);
}

/* A record over CONTENT by the key 32 times `seed`, for `identity`. */
static char *signed_by(bench *b, const char *identity, uint8_t seed)
{
    dualseal_signing_key *key = test_key(seed);
    char *record = NULL, *entry = NULL;
    OK(dualseal_signature_sign(b->domain, identity, key, NO_RING, hashed(b->domain, identity, CONTENT, strlen(CONTENT)),
                               b->head, TIME, &record, &entry, &failure));
    dualseal_signing_key_free(key);
    follow_entry(b->ring, entry);
    dualseal_string_free(entry);
    return record;
}

static void set_state(bench *b, dualseal_key_state state)
{
    char *entry = NULL;
    OK(dualseal_ring_set_state(b->ring, ANA, NULL, state, NULL, b->head, TIME, &entry, &failure));
    dualseal_string_free(entry);
}

static void set_up(bench *b)
{
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    char *entry = NULL;
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->head = test_head();
    OK(dualseal_ring_key_generate(b->domain, &b->ring_key, &failure));
    OK(dualseal_ring_new("example.org/log", b->ring_key, &b->ring, &failure));
    test_public_key(7, public_key);
    OK(dualseal_ring_add(b->ring, ANA, public_key, sizeof public_key, b->head, TIME, &entry, &failure));
    dualseal_string_free(entry);
    test_public_key(8, public_key);
    OK(dualseal_head_append(b->head, b->domain, ANA, SIZED("sealed"), TIME, &entry, &failure));
    OK(dualseal_ring_add_decoy(b->ring, public_key, sizeof public_key, SIZED(entry), &failure));
    dualseal_string_free(entry);
    b->record = signed_by(b, ANA, 7);
    b->decoy_record = signed_by(b, ANA, 8);
}

static void tear_down(bench *b)
{
    dualseal_string_free(b->decoy_record);
    dualseal_string_free(b->record);
    dualseal_head_free(b->head);
    dualseal_ring_key_free(b->ring_key);
    dualseal_ring_free(b->ring);
    dualseal_domain_free(b->domain);
}

/* Verifies, and compares the verdict in full with what the operator and everybody else must be told. */
static void check_verdict(const bench *b, const char *content, const char *record, int32_t expected,
                          const char *internal, const char *to_all)
{
    dualseal_verdict *verdict = NULL;
    char *json = NULL;
    GIVES(expected, verify(b, content, record, &verdict));
    CHECK(verdict != NULL && kind_of(verdict) == expected);
    char result[512];
    const char *form = "{\"algoritam\":\"ML-DSA-65\",%s,\"timestamp\":\"2026-11-21T09:00:00.000Z\",\"validan\":%s}";
    const char *told[] = {internal, to_all};
    for (int i = 0; i < 2; i++) {
        /* As "validan bela_stanje razlog". */
        char valid[8], state[16], reason[32], members[256];
        CHECK(sscanf(told[i], "%7s %15s %31[^\n]", valid, state, reason) == 3);
        snprintf(members, sizeof members, "\"bela_stanje\":%s,\"identity_id\":\"" ANA "\",\"razlog\":%s", state,
                 reason);
        snprintf(result, sizeof result, form, members, valid);
        if (i == 0) {
            OK(dualseal_verdict_to_json(verdict, DUALSEAL_AUDIENCE_OPERATOR, &json, NULL, &failure));
        } else {
            OK(dualseal_verdict_to_json(verdict, DUALSEAL_AUDIENCE_EVERYBODY, &json, NULL, &failure));
        }
        if (strcmp(json, result) != 0) {
            fprintf(stderr, "found    %s\nexpected %s\n", json, result);
            exit(1);
        }
        dualseal_string_free(json);
    }
    dualseal_verdict_free(verdict);
}

static void the_four_states(void)
{
    bench b;
    set_up(&b);
    check_verdict(&b, CONTENT, b.record, DUALSEAL_STATUS_VALID, "true \"istina\" null", "true \"istina\" null");
    set_state(&b, DUALSEAL_KEY_STATE_REVOKED);
    check_verdict(&b, CONTENT, b.record, DUALSEAL_STATUS_REVOKED, "false \"laz\" \"revoked\"",
                  "false \"laz\" \"rejected\"");
    set_state(&b, DUALSEAL_KEY_STATE_DECOY);
    check_verdict(&b, CONTENT, b.record, DUALSEAL_STATUS_DECOY, "false \"oboje\" \"decoy\"", "true \"istina\" null");
    set_state(&b, DUALSEAL_KEY_STATE_SUSPENDED);
    check_verdict(&b, CONTENT, b.record, DUALSEAL_STATUS_SUSPENDED, "null \"nijedno\" \"suspended\"",
                  "null \"nijedno\" \"suspended\"");
    set_state(&b, DUALSEAL_KEY_STATE_VALID);
    check_verdict(&b, CONTENT, b.record, DUALSEAL_STATUS_VALID, "true \"istina\" null", "true \"istina\" null");
    tear_down(&b);
}

static void a_decoy_names_its_trap(void)
{
    bench b;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    char hex[2 * DUALSEAL_PUBLIC_KEY_BYTES + 1], hash[DUALSEAL_ID_TEXT_BYTES], row[256], *file = NULL;
    set_up(&b);
    check_verdict(&b, CONTENT, b.decoy_record, DUALSEAL_STATUS_DECOY, "false \"oboje\" \"decoy\"",
                  "true \"istina\" null");
    /* The verdict is on the key in the record, whose hash stands in the ring file. */
    member(b.decoy_record, "\"javni_kljuc\":\"", hex, sizeof hex - 1);
    for (size_t i = 0; i < sizeof public_key; i++) {
        const char digits[] = {hex[2 * i], hex[2 * i + 1], '\0'};
        public_key[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    OK(dualseal_public_key_hash(public_key, sizeof public_key, hash, sizeof hash, &failure));
    OK(dualseal_ring_to_stored_json(b.ring, b.head, &file, &failure));
    snprintf(row, sizeof row, "\"javni_kljuc\":\"%s\",\"opozvan_od\":null,\"povijest\":[[1,\"oboje\"]],"
             "\"retired\":null,\"role\":\"decoy\"", hash);
    CHECK(strstr(file, row) != NULL);
    dualseal_string_free(file);
    tear_down(&b);
}

static void every_reason_to_refuse(void)
{
    bench b;
    set_up(&b);
    check_verdict(&b, "another contract", b.record, DUALSEAL_STATUS_INVALID, "false \"istina\" \"content\"",
                  "false \"istina\" \"rejected\"");
    char *tampered = replaced(b.record, "\"timestamp\":\"2026-11-21T09:00:00.000Z\"",
                              "\"timestamp\":\"2026-11-21T09:00:00.001Z\"");
    GIVES(DUALSEAL_STATUS_INVALID, verify(&b, CONTENT, tampered, NULL));
    free(tampered);

    char *foreign = signed_by(&b, ANA, 5);
    check_verdict(&b, CONTENT, foreign, DUALSEAL_STATUS_INVALID, "false null \"foreign key\"",
                  "false null \"rejected\"");
    dualseal_string_free(foreign);
    /* Whose record it is makes no difference to the content, which was hashed for ANA. */
    char *stranger = signed_by(&b, BOB, 7);
    GIVES(DUALSEAL_STATUS_INVALID, verify(&b, CONTENT, stranger, NULL));
    dualseal_string_free(stranger);

    /* A record of one domain is none of another. */
    dualseal_domain *other = NULL;
    OK(dualseal_domain_new("ACME", &other, &failure));
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_signature_verify(other, b.ring, NULL, ANA, hashed(other, ANA, CONTENT, strlen(CONTENT)),
                                    SIZED(b.record), NULL, NULL, &failure));
    dualseal_domain_free(other);

    uint8_t next[DUALSEAL_PUBLIC_KEY_BYTES];
    char *entry = NULL;
    test_public_key(9, next);
    OK(dualseal_ring_rotate(b.ring, ANA, next, sizeof next, b.head, TIME, &entry, &failure));
    dualseal_string_free(entry);
    check_verdict(&b, CONTENT, b.record, DUALSEAL_STATUS_INVALID, "false \"istina\" \"retired key\"",
                  "false \"istina\" \"rejected\"");
    tear_down(&b);
}

/* Mallory, who has a key in the same ring, signs what was hashed for ANA: it is no record of ANA's. Who asks for any
   signer of the ring is told who it was. */
static void another_signers_record_is_invalid_whoever_that_is(void)
{
    bench b;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    char mallory[DUALSEAL_ID_TEXT_BYTES], signer[DUALSEAL_ID_TEXT_BYTES], *record = NULL, *entry = NULL;
    dualseal_signing_key *key = test_key(6);
    dualseal_verdict *verdict = NULL;
    set_up(&b);
    OK(dualseal_identity_id(b.domain, NULL, 0, SIZED("mallory"), SIZED(""), mallory, sizeof mallory, &failure));
    test_public_key(6, public_key);
    OK(dualseal_ring_add(b.ring, mallory, public_key, sizeof public_key, b.head, TIME, &entry, &failure));
    dualseal_string_free(entry);
    OK(dualseal_signature_sign(b.domain, mallory, key, NO_RING, hashed(b.domain, ANA, CONTENT, strlen(CONTENT)), b.head,
                               TIME, &record, &entry, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, verify(&b, CONTENT, record, &verdict));
    CHECK(kind_of(verdict) == DUALSEAL_STATUS_INVALID);
    dualseal_verdict_free(verdict);
    dualseal_string_free(record);
    dualseal_string_free(entry);
    OK(dualseal_signature_sign(b.domain, mallory, key, NO_RING, hashed(b.domain, mallory, CONTENT, strlen(CONTENT)),
                               b.head, TIME, &record, &entry, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, verify(&b, CONTENT, record, NULL));
    const uint8_t *content = (const uint8_t *)CONTENT;
    const size_t length = strlen(CONTENT);
    OK(dualseal_signature_verify_any_signer(b.domain, b.ring, NULL, content, length, SIZED(record), NULL, signer,
                                            sizeof signer, NULL, &failure));
    CHECK(strcmp(signer, mallory) == 0);
    OK(dualseal_signature_verify_any_signer(b.domain, b.ring, NULL, content, length, SIZED(b.record), NULL, signer,
                                            sizeof signer, &verdict, &failure));
    CHECK(strcmp(signer, ANA) == 0 && kind_of(verdict) == DUALSEAL_STATUS_VALID);
    dualseal_verdict_free(verdict);
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_signature_verify_any_signer(b.domain, b.ring, NULL, content, length - 1, SIZED(b.record), NULL,
                                               signer, sizeof signer, NULL, &failure));
    CHECK(signer[0] == '\0');
    GIVES(DUALSEAL_STATUS_BUFFER_LENGTH,
          dualseal_signature_verify_any_signer(b.domain, b.ring, NULL, content, length, SIZED(b.record), NULL, signer,
                                               64, NULL, &failure));

    /* A ring that holds nobody but ANA leaves no such choice. */
    dualseal_ring *pinned = NULL;
    test_public_key(7, public_key);
    OK(dualseal_ring_new_pinned(ANA, public_key, sizeof public_key, &pinned, &failure));
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_signature_verify(b.domain, pinned, NULL, ANA, hashed(b.domain, ANA, CONTENT, strlen(CONTENT)),
              SIZED(record),
                                    NULL, NULL, &failure));
    dualseal_ring_free(pinned);
    dualseal_signing_key_free(key);
    dualseal_string_free(entry);
    dualseal_string_free(record);
    tear_down(&b);
}

static void a_malformed_record_is_no_verdict(void)
{
    bench b;
    dualseal_verdict *verdict = NULL;
    set_up(&b);
    const struct {
        const char *from, *to, *field;
        int32_t status;
    } cases[] = {
        {"ML-DSA-65", "ML-DSA-87", "algoritam", DUALSEAL_STATUS_UNKNOWN_VALUE},
        {"\"verzija\":\"1\"", "\"verzija\":\"2\"", "verzija", DUALSEAL_STATUS_UNKNOWN_VALUE},
        {"true", "false", "quantum_ready", DUALSEAL_STATUS_UNKNOWN_VALUE},
        {"\"quantum_ready\":true,", "", "quantum_ready", DUALSEAL_STATUS_MISSING_MEMBER},
        {"\"potpis\":\"", "\"potpis\":\"00", "potpis", DUALSEAL_STATUS_LENGTH},
        {"2026-11-21T09:00:00.000Z", "2026-11-21T09:00:00Z", "timestamp", DUALSEAL_STATUS_TIMESTAMP},
        {"{", "{\"x\":1,", "record_json", DUALSEAL_STATUS_UNKNOWN_MEMBER},
        {ANA, "44E4883E428E7CA79EE1D6F20572A8EE60B66B5AFF40EF06D9E5365C6481CFF4", "identity_id", DUALSEAL_STATUS_HEX},
        {"\"1\"", "1", "verzija", DUALSEAL_STATUS_WRONG_TYPE},
        {"}", "", NULL, DUALSEAL_STATUS_JSON_SYNTAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *broken = replaced(b.record, cases[i].from, cases[i].to);
        FAILS(cases[i].status, cases[i].field, -2, verify(&b, CONTENT, broken, &verdict));
        free(broken);
    }
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX, verify(&b, CONTENT, "", &verdict));
    CHECK(verdict == NULL);
    tear_down(&b);
}

static void content_in_parts_and_as_json(void)
{
    bench b;
    dualseal_signing_key *key = test_key(7);
    dualseal_content_hasher *hasher = NULL;
    char hash[DUALSEAL_ID_TEXT_BYTES], *record = NULL, *entry = NULL, *canonical = NULL;
    set_up(&b);
    OK(dualseal_content_hasher_new(b.domain, ANA, &hasher, &failure));
    OK(dualseal_content_hasher_update(hasher, (const uint8_t *)CONTENT, 3, &failure));
    OK(dualseal_content_hasher_update(hasher, (const uint8_t *)CONTENT + 3, strlen(CONTENT) - 3, &failure));
    OK(dualseal_content_hasher_finish(hasher, hash, sizeof hash, &failure));
    dualseal_content_hasher_free(hasher);
    OK(sign(&b, key, hash, &record, &entry));
    OK(verify(&b, CONTENT, record, NULL));
    dualseal_string_free(entry);
    dualseal_string_free(record);

    OK(dualseal_json_canonical(SIZED("{\"b\":[true,null],\"a\":1}"), &canonical, &failure));
    OK(sign(&b, key, hashed(b.domain, ANA, canonical, strlen(canonical)), &record, &entry));
    dualseal_string_free(canonical);
    OK(dualseal_json_canonical(SIZED("{\"a\": 1, \"b\": [true, null]}"), &canonical, &failure));
    OK(verify(&b, canonical, record, NULL));
    GIVES(DUALSEAL_STATUS_INVALID, verify(&b, "{\"a\":2,\"b\":[]}", record, NULL));
    FAILS(DUALSEAL_STATUS_LENGTH, "sadrzaj_hash", -1,
          dualseal_signature_verify(b.domain, b.ring, NULL, ANA, "00", SIZED(record), NULL, NULL, &failure));
    dualseal_string_free(canonical);
    dualseal_string_free(entry);
    dualseal_string_free(record);
    dualseal_signing_key_free(key);
    tear_down(&b);
}

static void hedged_signatures_differ_over_the_same_entry(void)
{
    bench b;
    dualseal_signing_key *key = test_key(7);
    char hash[DUALSEAL_ID_TEXT_BYTES], *records[2] = {0}, *entries[2] = {0};
    set_up(&b);
    OK(dualseal_content_hash(b.domain, ANA, (const uint8_t *)CONTENT, strlen(CONTENT), hash, sizeof hash, &failure));
    for (int i = 0; i < 2; i++) {
        dualseal_head *head = copy_of(b.head);
        OK(dualseal_signature_sign(b.domain, ANA, key, NO_RING, hash, head, TIME, &records[i], &entries[i], &failure));
        CHECK(size_of_chain(head) == size_of_chain(b.head) + 1);
        OK(verify(&b, CONTENT, records[i], NULL));
        dualseal_head_free(head);
    }
    CHECK(strcmp(entries[0], entries[1]) == 0 && strcmp(records[0], records[1]) != 0);
    for (int i = 0; i < 2; i++) {
        dualseal_string_free(records[i]);
        dualseal_string_free(entries[i]);
    }
    dualseal_signing_key_free(key);
    tear_down(&b);
}

static void refused_signatures_change_nothing(void)
{
    bench b;
    dualseal_signing_key *key = test_key(7), *unfit = NULL;
    uint8_t expanded[DUALSEAL_EXPANDED_KEY_BYTES];
    char *record = NULL, *entry = NULL;
    set_up(&b);
    const uint64_t size = size_of_chain(b.head);
    FAILS(DUALSEAL_STATUS_RANGE, "timestamp", -1,
          dualseal_signature_sign(b.domain, ANA, key, NO_RING, BOB, b.head, -1, &record, &entry, &failure));
    FAILS(DUALSEAL_STATUS_HEX, "sadrzaj_hash", 63,
          sign(&b, key, "000000000000000000000000000000000000000000000000000000000000000g", &record, &entry));
    FAILS(DUALSEAL_STATUS_LENGTH, "identity_id", -1,
          dualseal_signature_sign(b.domain, "ana", key, NO_RING, BOB, b.head, TIME, &record, &entry, &failure));

    /* What follows s2 cannot be checked when the key is read, so its signatures are. */
    OK(dualseal_signing_key_expanded(key, expanded, sizeof expanded, &failure));
    for (size_t i = 1536; i < sizeof expanded; i++) {
        expanded[i] ^= 0xff;
    }
    OK(dualseal_signing_key_from_expanded(expanded, sizeof expanded, &unfit, &failure));
    GIVES(DUALSEAL_STATUS_UNFIT_KEY, sign(&b, unfit, BOB, &record, &entry));
    CHECK(record == NULL && entry == NULL && size_of_chain(b.head) == size);
    dualseal_signing_key_free(unfit);
    dualseal_signing_key_free(key);
    tear_down(&b);
}

static void an_expanded_key_signs(void)
{
    bench b;
    dualseal_signing_key *key = test_key(7), *expanded_key = NULL;
    uint8_t expanded[DUALSEAL_EXPANDED_KEY_BYTES];
    char *record = NULL, *entry = NULL;
    set_up(&b);
    OK(dualseal_signing_key_expanded(key, expanded, sizeof expanded, &failure));
    OK(dualseal_signing_key_from_expanded(expanded, sizeof expanded, &expanded_key, &failure));
    OK(sign(&b, expanded_key, hashed(b.domain, ANA, CONTENT, strlen(CONTENT)), &record, &entry));
    OK(verify(&b, CONTENT, record, NULL));
    dualseal_string_free(entry);
    dualseal_string_free(record);
    dualseal_signing_key_free(expanded_key);
    dualseal_signing_key_free(key);
    tear_down(&b);
}

static void a_cache_changes_no_verdict(void)
{
    bench b;
    dualseal_key_cache *cache = NULL;
    set_up(&b);
    /* The budget is for one key, and two keys are met. */
    OK(dualseal_key_cache_new(DUALSEAL_PREPARED_KEY_BYTES, &cache, &failure));
    const char *content = hashed(b.domain, ANA, CONTENT, strlen(CONTENT));
    for (int i = 0; i < 3; i++) {
        OK(dualseal_signature_verify(b.domain, b.ring, cache, ANA, content, SIZED(b.record), NULL, NULL, &failure));
        GIVES(DUALSEAL_STATUS_DECOY,
              dualseal_signature_verify(b.domain, b.ring, cache, ANA, content, SIZED(b.decoy_record), NULL, NULL,
                                        &failure));
        GIVES(DUALSEAL_STATUS_INVALID,
              dualseal_signature_verify(b.domain, b.ring, cache, ANA, ANA, SIZED(b.record), NULL, NULL, &failure));
    }
    dualseal_key_cache_free(cache);
    tear_down(&b);
}

static void a_stranger_verifies_with_a_pinned_key(void)
{
    bench b;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    set_up(&b);
    dualseal_ring_free(b.ring);
    test_public_key(7, public_key);
    OK(dualseal_ring_new_pinned(ANA, public_key, sizeof public_key, &b.ring, &failure));
    check_verdict(&b, CONTENT, b.record, DUALSEAL_STATUS_VALID, "true \"istina\" null", "true \"istina\" null");
    GIVES(DUALSEAL_STATUS_INVALID, verify(&b, CONTENT, b.decoy_record, NULL));
    tear_down(&b);
}

int main(void)
{
    the_four_states();
    a_decoy_names_its_trap();
    every_reason_to_refuse();
    another_signers_record_is_invalid_whoever_that_is();
    a_malformed_record_is_no_verdict();
    content_in_parts_and_as_json();
    hedged_signatures_differ_over_the_same_entry();
    refused_signatures_change_nothing();
    an_expanded_key_signs();
    a_cache_changes_no_verdict();
    a_stranger_verifies_with_a_pinned_key();
    return 0;
}
