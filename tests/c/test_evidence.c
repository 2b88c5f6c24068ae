/* Evidence in one file, made from a chain that was read once and verified by whoever has nothing else; every part that
   somebody edits is refused by name. Under valgrind. */
#include "evidence.h"

#define ENTRIES ((size_t)5)
#define DEED ((const uint8_t *)"deed")
#define GOODS ((const uint8_t *)"goods")

/* Of the Ed25519 keys whose seeds are 32 times the bytes 8 and 9. */
#define WITNESS "witness.example+e6557821+BBOY9ixtGkV8UbpqS189vS9p/KkyFiGNyJl+QWvRfZPK"
#define STRANGER "stranger.example+ee9ec8f6+BP0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY"
/* The note of the first two entries by that key, cosigned by the witness at SEEN, as C2SP writes both. */
#define SEEN (TIME + 60000)
#define NOTE                                                                                                           \
    "example.org/log\n"                                                                                                \
    "2\n"                                                                                                              \
    "fZqCT/Tt36Yk0nZMeR8DieQt36k7qmdw2/IGyJi/cBg=\n"                                                                   \
    "\n"                                                                                                               \
    "\xe2\x80\x94 example.org/log jsTlKa78Nny9ZFihZA/IhdhPyvRyuO8zZODdE6Xjc1NVz2W7RUn3DKlRXq9t542IxRrCHhZ"             \
    "iqNfsV7flVKihZmcXvQI=\n"                                                                                          \
    "\xe2\x80\x94 witness.example 5lV4IQAAAABrAV3MKdlAwfOGpd4TkXWKN1wSGs4ssI/U6Z8TaHPt0Zl/C2L/O87TZn2a50Y"             \
    "Y1Z2BeVM33+jHiaFfSqK+npqfESzQAw==\n"                                                                             

/* Ana's key, her signature, her seal, a note of Bob's, and the revocation of her key. */
typedef struct {
    dualseal_domain *domain;
    dualseal_ring_key *ring_key;
    dualseal_ring *ring, *early, *revoked;
    dualseal_signing_key *ana, *log;
    dualseal_seal_key *seal_key;
    char *lines[ENTRIES], handles[ENTRIES][DUALSEAL_ID_TEXT_BYTES], *record, *seal, *seal_record;
    char key_hash[DUALSEAL_ID_TEXT_BYTES], ana_hash[DUALSEAL_ID_TEXT_BYTES];
    uint8_t ana_key[DUALSEAL_PUBLIC_KEY_BYTES];
} bench;

static void keep(bench *b, size_t at, char *entry)
{
    OK(dualseal_entry_parts(SIZED(entry), &b->lines[at], b->handles[at], DUALSEAL_ID_TEXT_BYTES, &failure));
    dualseal_string_free(entry);
}

/* A seal names neither signer nor key: its record does. */
static char *sealed_by(const char *seal, const uint8_t *public_key)
{
    const size_t length = strlen(seal) + 2 * (size_t)DUALSEAL_PUBLIC_KEY_BYTES + 200;
    char *record = (char *)owned(malloc(length)), *end = record;
    end += sprintf(end, "{\"identity_id\":\"" ANA "\",\"javni_kljuc\":\"");
    for (size_t i = 0; i < DUALSEAL_PUBLIC_KEY_BYTES; i++) {
        end += sprintf(end, "%02x", public_key[i]);
    }
    sprintf(end, "\",\"seal\":\"%s\"}", seal);
    return record;
}

static void set_up(bench *b)
{
    const uint8_t secret[32] = {9};
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    char *entry = NULL;
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->ana = test_key(1);
    b->log = test_key(5);
    dualseal_head *head = test_head();
    test_public_key(1, b->ana_key);
    OK(dualseal_public_key_hash(b->ana_key, sizeof b->ana_key, b->ana_hash, DUALSEAL_ID_TEXT_BYTES, &failure));
    test_public_key(5, key);
    OK(dualseal_public_key_hash(key, sizeof key, b->key_hash, DUALSEAL_ID_TEXT_BYTES, &failure));
    OK(dualseal_seal_key_derive(b->domain, secret, sizeof secret, ANA, &b->seal_key, &failure));
    OK(dualseal_ring_key_from_secret(b->domain, secret, sizeof secret, &b->ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, b->ring_key, &b->ring, &failure));
    OK(dualseal_ring_add(b->ring, ANA, b->ana_key, sizeof b->ana_key, head, TIME, &entry, &failure));
    keep(b, 0, entry);
    OK(dualseal_signature_sign(b->domain, ANA, b->ana, NO_RING, hashed(b->domain, ANA, DEED, 4), head, TIME, &b->record,
                               &entry, &failure));
    keep(b, 1, entry);
    follow(b->ring, &b->lines[1], 1);
    b->early = copy_of_ring(b->domain, b->ring, b->ring_key, head);
    OK(dualseal_payload_seal(b->domain, ANA, b->seal_key, b->ana, NO_RING, GOODS, 5, &b->seal, &failure));
    OK(dualseal_seal_append(SIZED(b->seal), head, b->domain, ANA, TIME, &entry, &failure));
    keep(b, 2, entry);
    OK(dualseal_head_append(head, b->domain, BOB, SIZED("note"), TIME, &entry, &failure));
    keep(b, 3, entry);
    follow(b->ring, &b->lines[2], 2);
    b->seal_record = sealed_by(b->seal, b->ana_key);
    b->revoked = copy_of_ring(b->domain, b->ring, b->ring_key, head);
    const uint64_t from = 2;
    OK(dualseal_ring_set_state(b->revoked, ANA, NULL, DUALSEAL_KEY_STATE_REVOKED, &from, head, TIME, &entry, &failure));
    keep(b, 4, entry);
    dualseal_head_free(head);
}

static void tear_down(bench *b)
{
    for (size_t i = 0; i < ENTRIES; i++) {
        dualseal_string_free(b->lines[i]);
    }
    free(b->seal_record);
    dualseal_string_free(b->record);
    dualseal_string_free(b->seal);
    dualseal_seal_key_free(b->seal_key);
    dualseal_signing_key_free(b->log);
    dualseal_signing_key_free(b->ana);
    dualseal_ring_free(b->revoked);
    dualseal_ring_free(b->early);
    dualseal_ring_free(b->ring);
    dualseal_ring_key_free(b->ring_key);
    dualseal_domain_free(b->domain);
}

static seen look(const bench *b, size_t size, const dualseal_ring *ring)
{
    const char *wanted[] = {b->handles[1], b->handles[2]};
    return see(b->domain, b->key_hash, b->log, b->lines, size, ring, wanted, 2);
}

static void a_record_is_shown_to_a_stranger(const bench *b)
{
    seen s = look(b, 4, b->ring);
    char *evidence = NULL, *report = NULL;
    OK(make(b->domain, &s, b->record, NULL, b->ring, b->handles[1], NULL, &evidence));
    CHECK(strlen(evidence) < 32768);
    const asked ways[] = {{.log = s.log, .signer = ANA}, {.log = s.log, .key_hash = b->ana_hash}, {.log = s.log}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        OK(verify(evidence, ways[i], DEED, 4, &report));
        CHECK(strstr(report, "\"vrsta\":\"potpis\"") != NULL && strstr(report, "\"before\":null") != NULL);
        CHECK(strstr(report, "\"identity_id\":\"" ANA "\"") != NULL && strstr(report, "\"place\":1") != NULL);
        CHECK(strstr(report, "\"size\":4") != NULL && strstr(report, b->ana_hash) != NULL);
        dualseal_string_free(report);
    }
    OK(verify(evidence, ways[0], DEED, 4, NULL));

    /* Another document, log or signer, and a checkpoint that is older than was asked for. */
    GIVES(DUALSEAL_STATUS_EVIDENCE_RECORD, refused(evidence, ways[0], DEED, 3));
    GIVES(DUALSEAL_STATUS_EVIDENCE_LOG, refused(evidence, (asked){.log = b->ana_hash}, DEED, 4));
    GIVES(DUALSEAL_STATUS_EVIDENCE_SIGNER, refused(evidence, (asked){.log = s.log, .signer = BOB}, DEED, 4));
    GIVES(DUALSEAL_STATUS_EVIDENCE_SIGNER, refused(evidence, (asked){.log = s.log, .key_hash = s.log}, DEED, 4));
    GIVES(DUALSEAL_STATUS_EVIDENCE_OLD, refused(evidence, (asked){.log = s.log, .least_size = 5}, DEED, 4));
    OK(verify(evidence, (asked){.log = s.log, .least_size = 4}, DEED, 4, NULL));

    /* Edited: the ring leaf's state, its index, a path, the entry, the checkpoint and the name of the domain. */
    char first[65];
    member(evidence, "\"path\":[\"", first, 64);
    char *cut = replaced(evidence, first, ""), *shorter = replaced(cut, "[\"\",", "[");
    const struct {
        const char *from, *to;
        int32_t status;
    } edits[] = {
        {"\"bela_stanje\":\"istina\"", "\"bela_stanje\":\"nijedno\"", DUALSEAL_STATUS_RANGE},
        {"\"generirano\":\"2026", "\"generirano\":\"2025", DUALSEAL_STATUS_KEY_PATH},
        {",\"seq\":0,\"size\":1}", ",\"seq\":1,\"size\":1}", DUALSEAL_STATUS_KEY_PATH},
        {",\"seq\":0,\"size\":1}", ",\"seq\":0,\"size\":2}", DUALSEAL_STATUS_KEY_PATH},
        {"\"size\":4", "\"size\":5", DUALSEAL_STATUS_EVIDENCE_CHECKPOINT},
        {"\"domena\":\"DUALSEAL\"", "\"domena\":\"OTHER\"", DUALSEAL_STATUS_EVIDENCE_LOG},
        {"\"vrsta\":\"potpis\"", "\"vrsta\":\"pecat\"", DUALSEAL_STATUS_UNKNOWN_VALUE},
        {"\"verzija\":\"1\"", "\"verzija\":\"2\"", DUALSEAL_STATUS_UNKNOWN_VALUE},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char *edited = replaced(evidence, edits[i].from, edits[i].to);
        GIVES(edits[i].status, refused(edited, ways[0], DEED, 4));
        free(edited);
    }
    CHECK(refused(shorter, ways[0], DEED, 4) >= 200);
    dualseal_error_free(failure);
    failure = NULL;
    free(shorter);
    free(cut);
    dualseal_string_free(evidence);
    forget_seen(&s);
}

static void a_seal_is_shown_and_is_of_its_own_place(const bench *b)
{
    seen s = look(b, 4, b->ring);
    char *evidence = NULL, *report = NULL, *wrong = NULL;
    const asked by = {.log = s.log, .signer = ANA};
    OK(make(b->domain, &s, b->seal_record, NULL, b->ring, b->handles[2], NULL, &evidence));
    OK(verify(evidence, by, GOODS, 5, &report));
    CHECK(strstr(report, "\"vrsta\":\"pecat\"") != NULL && strstr(report, "\"place\":2") != NULL);
    GIVES(DUALSEAL_STATUS_EVIDENCE_RECORD, refused(evidence, by, DEED, 4));
    /* The place of another record. */
    OK(make(b->domain, &s, b->seal_record, NULL, b->ring, b->handles[1], NULL, &wrong));
    GIVES(DUALSEAL_STATUS_EVIDENCE_RECORD, refused(wrong, by, GOODS, 5));
    dualseal_string_free(wrong);
    dualseal_string_free(report);
    dualseal_string_free(evidence);
    forget_seen(&s);
}

static void a_revocation_is_told_with_its_place(const bench *b)
{
    seen s = look(b, 5, b->revoked);
    char *evidence = NULL, *report = NULL;
    const asked by = {.log = s.log, .signer = ANA};
    const char *const records[] = {b->record, b->seal_record};
    const char *const claims[] = {"\"claimed\":false", "\"claimed\":true"};
    for (size_t i = 0; i < 2; i++) {
        OK(make(b->domain, &s, records[i], NULL, b->revoked, b->handles[i + 1], NULL, &evidence));
        GIVES(DUALSEAL_STATUS_REVOKED, verify(evidence, by, i == 0 ? DEED : GOODS, 4 + i, &report));
        CHECK(strstr(report, claims[i]) != NULL && strstr(report, "\"revoked_now\":4") != NULL);
        CHECK(strstr(report, "\"opozvan_od\":2") != NULL && strstr(report, "\"since\":4") != NULL);
        dualseal_string_free(report);
        dualseal_string_free(evidence);
    }
    /* A ring of another time leads to another root, and no file is made by it. */
    evidence = NULL;
    GIVES(DUALSEAL_STATUS_KEY_PATH, make(b->domain, &s, b->record, NULL, b->ring, b->handles[1], NULL, &evidence));
    CHECK(evidence == NULL);
    forget_seen(&s);
}

static void a_verdict_at_a_place_has_dates(const bench *b)
{
    seen s = look(b, 5, b->revoked);
    dualseal_located *places[2] = {NULL, NULL};
    dualseal_verdict *verdict = NULL;
    dualseal_seal_report *report = NULL;
    char *as_of = NULL, hash[DUALSEAL_ID_TEXT_BYTES], signer[DUALSEAL_ID_TEXT_BYTES];
    strcpy(hash, hashed(b->domain, ANA, DEED, 4));
    for (int i = 0; i < 2; i++) {
        OK(dualseal_proofs_place(s.proofs, s.watched, b->handles[i + 1], 0, &places[i], NULL, &failure));
    }
    const char *const dated[] = {
        "{\"claimed\":false,\"failed\":null,\"opozvan_od\":2,\"place\":1,\"result\":{\"algoritam\":\"ML-DSA-65\"",
        "{\"claimed\":true,\"failed\":null,\"opozvan_od\":2,\"place\":2,\"result\":{\"algoritam\":\"ML-DSA-65\"",
    };
    for (int i = 0; i < 3; i++) {
        if (i == 0) {
            GIVES(DUALSEAL_STATUS_REVOKED, dualseal_signature_verify(b->domain, b->revoked, NULL, ANA, hash,
                                                                     SIZED(b->record), places[0], &verdict, &failure));
        } else if (i == 1) {
            GIVES(DUALSEAL_STATUS_REVOKED,
                  dualseal_signature_verify_any_signer(b->domain, b->revoked, NULL, DEED, 4, SIZED(b->record),
                                                       places[0], signer, sizeof signer, &verdict, &failure));
        } else {
            GIVES(DUALSEAL_STATUS_REVOKED,
                  dualseal_seal_verify(b->domain, b->revoked, NULL, SIZED(b->seal), GOODS, 5, ANA,
                                       DUALSEAL_SEAL_POLICY_BOTH, b->seal_key, places[1], &report, &failure));
            OK(dualseal_seal_report_parts(report, NULL, NULL, &verdict, &failure));
        }
        OK(dualseal_verdict_to_json(verdict, DUALSEAL_AUDIENCE_OPERATOR, NULL, &as_of, &failure));
        CHECK(strncmp(as_of, dated[i == 2], strlen(dated[0]) - 1) == 0);
        CHECK(strstr(as_of, "\"revoked_now\":4,\"revoked_then\":null,\"size\":5}") != NULL);
        dualseal_string_free(as_of);
        OK(dualseal_verdict_to_json(verdict, DUALSEAL_AUDIENCE_EVERYBODY, NULL, &as_of, &failure));
        CHECK(strstr(as_of, "\"razlog\":\"rejected\"") != NULL);
        dualseal_string_free(as_of);
        dualseal_verdict_free(verdict);
    }
    /* Another record's place dates nothing, and no place gives no dates. */
    GIVES(DUALSEAL_STATUS_REVOKED, dualseal_signature_verify(b->domain, b->revoked, NULL, ANA, hash, SIZED(b->record),
                                                             places[1], &verdict, &failure));
    OK(dualseal_verdict_to_json(verdict, DUALSEAL_AUDIENCE_OPERATOR, NULL, &as_of, &failure));
    CHECK(strstr(as_of, "\"claimed\":false,\"failed\":\"located\"") != NULL && strstr(as_of, "\"place\":null") != NULL);
    dualseal_string_free(as_of);
    dualseal_verdict_free(verdict);
    GIVES(DUALSEAL_STATUS_REVOKED, dualseal_signature_verify(b->domain, b->revoked, NULL, ANA, hash, SIZED(b->record),
                                                             NULL, &verdict, &failure));
    OK(dualseal_verdict_to_json(verdict, DUALSEAL_AUDIENCE_OPERATOR, NULL, &as_of, &failure));
    CHECK(as_of == NULL);
    dualseal_verdict_free(verdict);
    dualseal_seal_report_free(report);
    dualseal_located_free(places[0]);
    dualseal_located_free(places[1]);
    forget_seen(&s);
}

static void a_public_ring_is_the_one_that_the_checkpoint_states(const bench *b)
{
    seen before = look(b, 4, b->ring), after = look(b, 5, b->revoked);
    char *old = NULL, *now = NULL;
    dualseal_ring *ring = NULL;
    dualseal_verdict *verdict = NULL;
    OK(dualseal_ring_to_public_json(b->ring, &old, &failure));
    OK(dualseal_ring_to_public_json(b->revoked, &now, &failure));
    OK(dualseal_ring_from_public_json(SIZED(now), after.checkpoint, 0, &ring, &failure));
    GIVES(DUALSEAL_STATUS_REVOKED,
          dualseal_signature_verify(b->domain, ring, NULL, ANA, hashed(b->domain, ANA, DEED, 4), SIZED(b->record), NULL,
                                    &verdict, &failure));
    dualseal_verdict_free(verdict);
    dualseal_ring_free(ring);
    ring = NULL;
    /* `laz` edited to `istina`, an older one, a newer one, and another log's. */
    char *state = replaced(now, "\"bela_stanje\":\"laz\"", "\"bela_stanje\":\"istina\"");
    char *date = replaced(state, "\"opozvan_od\":2", "\"opozvan_od\":null");
    char *edited = replaced(date, ",[4,\"laz\"]", ""), *foreign = replaced(now, ORIGIN, "example.org/gol");
    const char *hash = hashed(b->domain, ANA, DEED, 4);
    OK(dualseal_ring_from_public_json(SIZED(edited), NULL, 1, &ring, &failure));
    OK(dualseal_signature_verify(b->domain, ring, NULL, ANA, hash, SIZED(b->record), NULL, NULL, &failure));
    dualseal_ring_free(ring);
    ring = NULL;
    GIVES(DUALSEAL_STATUS_RING_MISMATCH,
          dualseal_ring_from_public_json(SIZED(edited), after.checkpoint, 0, &ring, &failure));
    NULL_IS("checkpoint", dualseal_ring_from_public_json(SIZED(edited), NULL, 0, &ring, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "unattested", -1,
          dualseal_ring_from_public_json(SIZED(edited), after.checkpoint, 1, &ring, &failure));
    GIVES(DUALSEAL_STATUS_RING_ROLLBACK,
          dualseal_ring_from_public_json(SIZED(old), after.checkpoint, 0, &ring, &failure));
    GIVES(DUALSEAL_STATUS_RING_MISMATCH,
          dualseal_ring_from_public_json(SIZED(now), before.checkpoint, 0, &ring, &failure));
    GIVES(DUALSEAL_STATUS_RING_FOREIGN,
          dualseal_ring_from_public_json(SIZED(foreign), after.checkpoint, 0, &ring, &failure));
    CHECK(ring == NULL);
    free(foreign);
    free(edited);
    free(date);
    free(state);
    dualseal_string_free(now);
    dualseal_string_free(old);
    forget_seen(&after);
    forget_seen(&before);
}

static void witnesses_are_counted_by_their_keys(const bench *b)
{
    const char *wanted[] = {b->handles[1]};
    const char *const both[] = {WITNESS, STRANGER}, *const broken[] = {"witness.example+00000000+AAAA"};
    const int64_t seen_at = SEEN, later = SEEN + 1000;
    seen s = see(b->domain, b->key_hash, b->log, b->lines, 2, b->early, wanted, 1);
    char *evidence = NULL, *report = NULL, *none = NULL;
    OK(make(b->domain, &s, b->record, NULL, b->ring, b->handles[1], NOTE, &evidence));
    asked by = {.log = s.log, .signer = ANA, .witnesses = both, .count = 2, .needed = 1, .after = &seen_at};
    OK(verify(evidence, by, DEED, 4, &report));
    CHECK(strstr(report, "\"before\":\"2026-11-21T09:01:00.000Z\"") != NULL);
    dualseal_string_free(report);
    by.after = &later;
    GIVES(DUALSEAL_STATUS_NOT_WITNESSED_AFTER, refused(evidence, by, DEED, 4));
    by.after = &seen_at;
    by.needed = 2;
    GIVES(DUALSEAL_STATUS_TOO_FEW_WITNESSES, refused(evidence, by, DEED, 4));
    /* Named, and forgotten in a structure of zeros. */
    by.needed = 0;
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "needed", -1, refused(evidence, by, DEED, 4));
    by.needed = 3;
    FAILS(DUALSEAL_STATUS_RANGE, "witnesses", -1, refused(evidence, by, DEED, 4));
    /* The low byte would be one. */
    by.needed = 257;
    FAILS(DUALSEAL_STATUS_RANGE, "needed", 257, refused(evidence, by, DEED, 4));
    /* Whoever asks for nobody has no time. */
    by = (asked){.log = s.log, .signer = ANA, .after = &seen_at};
    GIVES(DUALSEAL_STATUS_NOT_WITNESSED_AFTER, refused(evidence, by, DEED, 4));
    by = (asked){.log = s.log, .signer = ANA, .witnesses = broken, .count = 1};
    CHECK(refused(evidence, by, DEED, 4) >= 100);
    dualseal_error_free(failure);
    failure = NULL;
    /* A note of another size is not this checkpoint's. */
    seen larger = look(b, 4, b->ring);
    GIVES(DUALSEAL_STATUS_EVIDENCE_NOTE,
          make(b->domain, &larger, b->record, NULL, b->ring, b->handles[1], NOTE, &none));
    CHECK(none == NULL);
    forget_seen(&larger);
    dualseal_string_free(evidence);
    forget_seen(&s);
}

/* Outsiders would read what a stolen honeypot key signed as a pass. */
static void no_evidence_is_made_of_a_honeypot(const bench *b)
{
    dualseal_head *head = head_after(b->domain, b->lines, 4);
    dualseal_ring *trap = copy_of_ring(b->domain, b->ring, b->ring_key, head);
    char *entry = NULL, *line = NULL, *evidence = NULL, *lines[ENTRIES];
    OK(dualseal_ring_set_state(trap, ANA, NULL, DUALSEAL_KEY_STATE_DECOY, NULL, head, TIME, &entry, &failure));
    OK(dualseal_entry_parts(SIZED(entry), &line, NULL, 0, &failure));
    memcpy(lines, b->lines, sizeof lines);
    lines[4] = line;
    const char *wanted[] = {b->handles[1]};
    seen s = see(b->domain, b->key_hash, b->log, lines, 5, trap, wanted, 1);
    GIVES(DUALSEAL_STATUS_DECOY_KEY, make(b->domain, &s, b->record, NULL, trap, b->handles[1], NULL, &evidence));
    CHECK(evidence == NULL);
    forget_seen(&s);
    dualseal_string_free(line);
    dualseal_string_free(entry);
    dualseal_ring_free(trap);
    dualseal_head_free(head);
}

static void a_vault_record_is_shown_with_its_stored_bytes(void)
{
    archive a;
    archive_open(&a);
    kept *one = archive_seal(&a, "first", HIDDEN);
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES], key[DUALSEAL_PUBLIC_KEY_BYTES];
    char handle[DUALSEAL_ID_TEXT_BYTES], key_hash[DUALSEAL_ID_TEXT_BYTES], *redacted = NULL, *evidence = NULL;
    const char *wanted[] = {handle};
    dualseal_signing_key *log = test_key(5);
    test_public_key(5, key);
    test_public_key(7, public_key);
    OK(dualseal_public_key_hash(key, sizeof key, key_hash, sizeof key_hash, &failure));
    member(one->record, "\"krunica_hash\":\"", handle, 64);
    OK(dualseal_vault_record_redact(SIZED(one->record), &redacted, &failure));
    seen s = see(a.domain, key_hash, log, a.lines, a.entries, a.ring, wanted, 1);
    /* A fragment that is published is a trap given away; and a record that lacks its key comes with it. */
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "fragment", -1,
          make(a.domain, &s, one->record, public_key, a.ring, handle, NULL, &evidence));
    NULL_IS("public_key", make(a.domain, &s, redacted, NULL, a.ring, handle, NULL, &evidence));
    GIVES(DUALSEAL_STATUS_UNKNOWN_KEY, make(a.domain, &s, redacted, key, a.ring, handle, NULL, &evidence));
    OK(make(a.domain, &s, redacted, public_key, a.ring, handle, NULL, &evidence));
    const asked by = {.log = s.log, .signer = ANA};
    char *report = NULL;
    OK(verify(evidence, by, one->stored, one->length, &report));
    CHECK(strstr(report, "\"vrsta\":\"trezor\"") != NULL);
    GIVES(DUALSEAL_STATUS_EVIDENCE_RECORD, refused(evidence, by, one->stored, one->length - 1));
    dualseal_string_free(report);
    dualseal_string_free(evidence);
    dualseal_string_free(redacted);
    forget_seen(&s);
    dualseal_signing_key_free(log);
    archive_close(&a);
}

/* The evidence of what was signed, by a log that has these entries, verified to its end. */
static dualseal_evidence *shown(const bench *b, char *const *lines, size_t size, const dualseal_ring *ring,
                                dualseal_status expected)
{
    const char *wanted[] = {b->handles[1]};
    seen s = see(b->domain, b->key_hash, b->log, lines, size, ring, wanted, 1);
    dualseal_evidence *evidence = NULL;
    char *json = NULL;
    OK(make(b->domain, &s, b->record, NULL, ring, b->handles[1], NULL, &json));
    OK(dualseal_evidence_open(NULL, s.log, ANA, NULL, 0, 0, NULL, 0, 0, NULL, SIZED(json), &evidence, &failure));
    NULL_IS("first", dualseal_evidence_compare(NULL, evidence, &failure));
    OK(dualseal_evidence_update(evidence, DEED, 4, &failure));
    FAILS(DUALSEAL_STATUS_NOT_VERIFIED, "first", -1, dualseal_evidence_compare(evidence, evidence, &failure));
    GIVES(expected, dualseal_evidence_finish(evidence, NULL, &failure));
    NULL_IS("second", dualseal_evidence_compare(evidence, NULL, &failure));
    OK(dualseal_evidence_compare(evidence, evidence, &failure));
    dualseal_string_free(json);
    forget_seen(&s);
    return evidence;
}

/* Her key is revoked, as compromised from 2 on. Then the date falls, as it may; or the log's signer tells of it that it
   was compromised from 4 on. */
static void a_date_that_was_raised_since_convicts_the_log(const bench *b)
{
    const uint64_t fallen = 1;
    char *entry = NULL, *lines[ENTRIES + 1];
    memcpy(lines, b->lines, sizeof b->lines);
    dualseal_head *before = head_after(b->domain, lines, 4), *head = head_after(b->domain, lines, 5);
    dualseal_ring *goes_on = copy_of_ring(b->domain, b->revoked, b->ring_key, head);
    dualseal_ring *raised = copy_of_ring(b->domain, b->ring, b->ring_key, before);
    dualseal_evidence *valid = shown(b, lines, 4, b->ring, DUALSEAL_STATUS_VALID);
    dualseal_evidence *revoked = shown(b, lines, 5, b->revoked, DUALSEAL_STATUS_REVOKED);
    OK(dualseal_ring_set_state(goes_on, ANA, NULL, DUALSEAL_KEY_STATE_REVOKED, &fallen, head, TIME, &entry, &failure));
    OK(dualseal_entry_parts(SIZED(entry), &lines[5], NULL, 0, &failure));
    dualseal_string_free(entry);
    dualseal_evidence *later = shown(b, lines, 6, goes_on, DUALSEAL_STATUS_REVOKED);
    dualseal_string_free(lines[5]);
    const dualseal_evidence *const honest[] = {valid, revoked, later};
    for (size_t i = 0; i < 9; i++) {
        OK(dualseal_evidence_compare(honest[i / 3], honest[i % 3], &failure));
    }

    for (size_t i = 4; i < 6; i++) {
        OK(dualseal_ring_set_state(raised, ANA, NULL, DUALSEAL_KEY_STATE_REVOKED, NULL, before, TIME + 1, &entry,
                                   &failure));
        OK(dualseal_entry_parts(SIZED(entry), &lines[i], NULL, 0, &failure));
        dualseal_string_free(entry);
    }
    dualseal_evidence *lie = shown(b, lines, 6, raised, DUALSEAL_STATUS_REVOKED);
    OK(dualseal_evidence_compare(valid, lie, &failure));
    for (size_t i = 1; i < 3; i++) {
        GIVES(DUALSEAL_STATUS_EVIDENCE_RETOLD, dualseal_evidence_compare(honest[i], lie, &failure));
        GIVES(DUALSEAL_STATUS_EVIDENCE_RETOLD, dualseal_evidence_compare(lie, honest[i], &failure));
    }
    dualseal_string_free(lines[4]);
    dualseal_string_free(lines[5]);
    dualseal_evidence_free(lie);
    dualseal_evidence_free(later);
    dualseal_evidence_free(revoked);
    dualseal_evidence_free(valid);
    dualseal_ring_free(raised);
    dualseal_ring_free(goes_on);
    dualseal_head_free(before);
    dualseal_head_free(head);
}

#define NOBODY NULL, 0, 0, NULL

/* In one way: a signer that somebody forgot to fill is not anybody. */
static void whose_record_it_must_be_is_said(const bench *b)
{
    seen s = look(b, 4, b->ring);
    char *json = NULL;
    dualseal_evidence *e = NULL;
    OK(make(b->domain, &s, b->record, NULL, b->ring, b->handles[1], NULL, &json));
    NULL_IS("signer", dualseal_evidence_open(NULL, s.log, NULL, NULL, 0, 0, NOBODY, SIZED(json), &e, &failure));
    const struct {
        const char *signer, *key_hash;
        int32_t any_signer;
    } ways[] = {{ANA, b->ana_hash, 0}, {ANA, NULL, 1}, {NULL, b->ana_hash, 1}, {NULL, NULL, 2}, {NULL, NULL, -1}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "any_signer", -1,
              dualseal_evidence_open(NULL, s.log, ways[i].signer, ways[i].key_hash, ways[i].any_signer, 0, NOBODY,
                                     SIZED(json), &e, &failure));
    }
    CHECK(e == NULL);
    dualseal_string_free(json);
    forget_seen(&s);
}

/* Anybody may append the ring's message again: its place is the first. */
static void copies_of_the_rings_message_are_not_its_place(const bench *b)
{
    char *lines[7], message[512], *entry = NULL, *of_ring = NULL, *evidence = NULL;
    const char *wanted[] = {b->handles[1]};
    const char *at = strstr(b->lines[0], "\"poruka\":\"") + strlen("\"poruka\":\"");
    dualseal_domain *elsewhere = NULL;
    dualseal_head *head = head_after(b->domain, b->lines, 4);
    dualseal_ring *ring = copy_of_ring(b->domain, b->ring, b->ring_key, head);
    snprintf(message, sizeof message, "%.*s", (int)strcspn(at, "\""), at);
    OK(dualseal_domain_new("ELSEWHERE", &elsewhere, &failure));
    memcpy(lines, b->lines, 4 * sizeof *lines);
    for (size_t i = 4; i < 7; i++) {
        OK(dualseal_head_append(head, elsewhere, BOB, SIZED(message), TIME, &entry, &failure));
        OK(dualseal_entry_parts(SIZED(entry), &lines[i], NULL, 0, &failure));
        dualseal_string_free(entry);
    }
    follow(ring, lines + 4, 3);
    seen s = see(b->domain, b->key_hash, b->log, lines, 7, ring, wanted, 1);
    OK(dualseal_proofs_place(s.proofs, s.watched, NULL, 1, NULL, &of_ring, &failure));
    CHECK(strstr(of_ring, "\"seq\":0,") != NULL);
    OK(make(b->domain, &s, b->record, NULL, ring, b->handles[1], NULL, &evidence));
    OK(verify(evidence, (asked){.log = s.log, .signer = ANA}, DEED, 4, NULL));
    for (size_t i = 4; i < 7; i++) {
        dualseal_string_free(lines[i]);
    }
    dualseal_string_free(evidence);
    dualseal_string_free(of_ring);
    forget_seen(&s);
    dualseal_ring_free(ring);
    dualseal_head_free(head);
    dualseal_domain_free(elsewhere);
}

static void null_everywhere(const bench *b)
{
    seen s = look(b, 4, b->ring);
    char *place = NULL, *of_ring = NULL, *made = NULL, *report = NULL, *good = NULL, log[DUALSEAL_ID_TEXT_BYTES];
    const dualseal_domain *d = b->domain;
    const char *r = b->record, *name = "DUALSEAL";
    dualseal_evidence *e = NULL;
    OK(make(d, &s, r, NULL, b->ring, b->handles[1], NULL, &good));
    OK(dualseal_proofs_place(s.proofs, s.watched, b->handles[1], 0, NULL, &place, &failure));
    OK(dualseal_proofs_place(s.proofs, s.watched, NULL, 1, NULL, &of_ring, &failure));
#define PLACES SIZED(place), SIZED(of_ring), NULL, 0
    NULL_IS("domain", dualseal_evidence_make(NULL, name, SIZED(r), NULL, 0, b->ring, PLACES, &made, &failure));
    NULL_IS("record_json", dualseal_evidence_make(d, name, SIZED(NULL), NULL, 0, b->ring, PLACES, &made, &failure));
    NULL_IS("ring", dualseal_evidence_make(d, name, SIZED(r), NULL, 0, NULL, PLACES, &made, &failure));
    NULL_IS("place_json", dualseal_evidence_make(d, name, SIZED(r), NULL, 0, b->ring, SIZED(NULL), SIZED(of_ring), NULL,
                                                 0, &made, &failure));
    NULL_IS("ring_place_json", dualseal_evidence_make(d, name, SIZED(r), NULL, 0, b->ring, SIZED(place), SIZED(NULL),
                                                      NULL, 0, &made, &failure));
    NULL_IS("evidence_json", dualseal_evidence_make(d, name, SIZED(r), NULL, 0, b->ring, PLACES, NULL, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "public_key", -1,
          dualseal_evidence_make(d, name, SIZED(r), b->ana_key, sizeof b->ana_key, b->ring, PLACES, &made, &failure));
    GIVES(DUALSEAL_STATUS_CONSTANT,
          dualseal_evidence_make(d, "OTHER", SIZED(r), NULL, 0, b->ring, PLACES, &made, &failure));
    /* Without a name the verifier has to know the domain. */
    OK(dualseal_evidence_make(d, NULL, SIZED(r), NULL, 0, b->ring, PLACES, &made, &failure));
    FAILS(DUALSEAL_STATUS_MISSING_MEMBER, "domena", -1,
          dualseal_evidence_open(NULL, s.log, ANA, NULL, 0, 0, NOBODY, SIZED(made), &e, &failure));
    OK(dualseal_evidence_open(d, s.log, ANA, NULL, 0, 0, NOBODY, SIZED(made), &e, &failure));
    dualseal_evidence_free(e);
    e = NULL;
    NULL_IS("log", dualseal_evidence_open(d, NULL, ANA, NULL, 0, 0, NOBODY, SIZED(good), &e, &failure));
    NULL_IS("witnesses",
            dualseal_evidence_open(d, s.log, ANA, NULL, 0, 0, NULL, 1, 0, NULL, SIZED(good), &e, &failure));
    NULL_IS("evidence_json", dualseal_evidence_open(d, s.log, ANA, NULL, 0, 0, NOBODY, SIZED(NULL), &e, &failure));
    NULL_IS("evidence", dualseal_evidence_open(d, s.log, ANA, NULL, 0, 0, NOBODY, SIZED(good), NULL, &failure));
    CHECK(e == NULL);
    NULL_IS("evidence", dualseal_evidence_update(NULL, DEED, 4, &failure));
    NULL_IS("evidence", dualseal_evidence_finish(NULL, &report, &failure));
    OK(dualseal_evidence_open(d, s.log, ANA, NULL, 0, 0, NOBODY, SIZED(good), &e, &failure));
    NULL_IS("document", dualseal_evidence_update(e, NULL, 4, &failure));
    OK(dualseal_evidence_update(e, DEED, 4, &failure));
    OK(dualseal_evidence_finish(e, NULL, &failure));
    GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_evidence_update(e, DEED, 4, &failure));
    GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_evidence_finish(e, &report, &failure));
    mark(log, sizeof log);
    NULL_IS("domain", dualseal_checkpoint_fingerprint(NULL, SIZED(s.json), log, sizeof log, &failure));
    NULL_IS("checkpoint_json", dualseal_checkpoint_fingerprint(d, SIZED(NULL), log, sizeof log, &failure));
    NULL_IS("log", dualseal_checkpoint_fingerprint(d, SIZED(s.json), NULL, sizeof log, &failure));
    CHECK(report == NULL && marked(log, sizeof log));
    dualseal_evidence_free(e);
    dualseal_evidence_free(NULL);
    dualseal_string_free(made);
    dualseal_string_free(good);
    dualseal_string_free(place);
    dualseal_string_free(of_ring);
    forget_seen(&s);
}

int main(void)
{
    bench b;
    set_up(&b);
    a_record_is_shown_to_a_stranger(&b);
    a_seal_is_shown_and_is_of_its_own_place(&b);
    a_revocation_is_told_with_its_place(&b);
    a_verdict_at_a_place_has_dates(&b);
    a_public_ring_is_the_one_that_the_checkpoint_states(&b);
    witnesses_are_counted_by_their_keys(&b);
    no_evidence_is_made_of_a_honeypot(&b);
    whose_record_it_must_be_is_said(&b);
    a_date_that_was_raised_since_convicts_the_log(&b);
    copies_of_the_rings_message_are_not_its_place(&b);
    null_everywhere(&b);
    tear_down(&b);
    a_vault_record_is_shown_with_its_stored_bytes();
    return 0;
}
