/* Evidence of what has no text of its own, a quorum's result and an erasure: made, verified, and lied about. */
#include "evidence.h"

#include "dualseal_sharing.h"

#define MOTION ((const uint8_t *)"resolution 7")
#define LENGTH ((size_t)12)

/* Who keeps the log: the key of byte 5. */
typedef struct {
    dualseal_signing_key *key;
    char hash[DUALSEAL_ID_TEXT_BYTES];
} keeper;

static keeper log_keeper(void)
{
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    keeper log = {test_key(5), {0}};
    test_public_key(5, key);
    OK(dualseal_public_key_hash(key, sizeof key, log.hash, sizeof log.hash, &failure));
    return log;
}

/* Every way to lie that does not depend on the kind: another document, another log, signer or size, and a path, an
   entry or a kind that was edited. */
static void lies_are_told(const char *evidence, asked by, const uint8_t *document, size_t length, const char *kind)
{
    char vrsta[32];
    uint8_t *other = (uint8_t *)owned(malloc(length));
    memcpy(other, document, length);
    other[length / 2] ^= 1;
    GIVES(DUALSEAL_STATUS_EVIDENCE_RECORD, refused(evidence, by, other, length));
    GIVES(DUALSEAL_STATUS_EVIDENCE_RECORD, refused(evidence, by, document, length - 1));
    free(other);
    GIVES(DUALSEAL_STATUS_EVIDENCE_LOG, refused(evidence, (asked){.log = ANA, .signer = ANA}, document, length));
    GIVES(DUALSEAL_STATUS_EVIDENCE_SIGNER, refused(evidence, (asked){.log = by.log, .signer = BOB}, document, length));
    GIVES(DUALSEAL_STATUS_EVIDENCE_SIGNER,
          refused(evidence, (asked){.log = by.log, .key_hash = BOB}, document, length));
    GIVES(DUALSEAL_STATUS_EVIDENCE_OLD,
          refused(evidence, (asked){.log = by.log, .signer = ANA, .least_size = 99}, document, length));
    snprintf(vrsta, sizeof vrsta, "\"vrsta\":\"%s\"", kind);
    const struct {
        const char *object, *name;
        int32_t status;
    } digits[] = {
        {"\"note\":", "\"path\":[\"", DUALSEAL_STATUS_PATH_ELSEWHERE},
        {"\"ring\":{", "\"path\":[\"", DUALSEAL_STATUS_PATH_ELSEWHERE},
        {"\"entry\":{", "\"h\":\"", DUALSEAL_STATUS_CHAIN_HASH},
    };
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
        char *edited = altered(evidence, digits[i].object, digits[i].name);
        GIVES(digits[i].status, refused(edited, by, document, length));
        free(edited);
    }
    const char *const kinds[] = {"\"vrsta\":\"potpis\"", "\"vrsta\":\"pecat\"", "\"vrsta\":\"trezor\"",
                                 "\"vrsta\":\"kvorum\"", "\"vrsta\":\"brisanje\""};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i], vrsta) != 0) {
            char *edited = replaced(evidence, vrsta, kinds[i]);
            GIVES(DUALSEAL_STATUS_UNKNOWN_VALUE, refused(edited, by, document, length));
            free(edited);
        }
    }
}

/* A result with what it does not say itself. */
static char *quorum_record(const char *identity, const char *key_hex, const char *result, const char *session)
{
    char *record = (char *)owned(malloc(strlen(key_hex) + strlen(result) + 300));
    sprintf(record, "{\"identity_id\":\"%s\",\"javni_kljuc\":\"%s\",\"result\":%s,\"session_id\":\"%s\"}", identity,
            key_hex, result, session);
    return record;
}

/* Three custodians of Ana's key, of whom two sign: the founding, her key in the ring, the result, and a note. */
static void a_quorums_result_is_shown(void)
{
    static const char *const owners[] = {ANA, BOB, ANA};
    dualseal_domain *d = test_domain();
    dualseal_head *head = test_head();
    keeper log = log_keeper();
    dualseal_ring_key *ring_key = NULL;
    dualseal_ring *ring = NULL;
    dualseal_session_in_force *in_force = NULL;
    char *session = NULL, *shares = NULL, *entry = NULL, *result = NULL, *lines[4], *evidence = NULL, *report = NULL;
    char id[65], founder[65], handles[4][DUALSEAL_ID_TEXT_BYTES], hex[2 * DUALSEAL_PUBLIC_KEY_BYTES + 1];
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    OK(dualseal_session_found_mldsa(d, BOB, owners, 3, 2, ANA, head, TIME, &session, &shares, &entry, &failure));
    OK(dualseal_entry_parts(SIZED(entry), &lines[0], founder, sizeof founder, &failure));
    dualseal_string_free(entry);
    member(session, "\"session_id\":\"", id, 64);
    member(session, "\"javni_kljuc\":\"", hex, sizeof hex - 1);
    for (size_t i = 0; i < sizeof key; i++) {
        const char digits[] = {hex[2 * i], hex[2 * i + 1], '\0'};
        key[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    OK(dualseal_ring_key_generate(d, &ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, ring_key, &ring, &failure));
    follow(ring, lines, 1);
    OK(dualseal_ring_add(ring, ANA, key, sizeof key, head, TIME, &entry, &failure));
    OK(dualseal_entry_parts(SIZED(entry), &lines[1], handles[1], sizeof handles[1], &failure));
    dualseal_string_free(entry);

    dualseal_checkpoint *first = test_checkpoint_of(d, head, ring);
    dualseal_chain_reader *reader = reader_under(d, first);
    dualseal_watched watched = 0;
    OK(dualseal_chain_reader_watch_session(reader, id, founder, NULL, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, lines, 2, NULL);
    char *records = with("[]", session), *two = slice(shares, 0, 2);
    OK(dualseal_proofs_session(proofs, watched, SIZED(records), ring, &in_force, &failure));
    OK(dualseal_session_sign(in_force, NO_RING, MOTION, LENGTH, BOB, SIZED(two), head, TIME, &result, &entry, NULL,
                             &failure));
    OK(dualseal_entry_parts(SIZED(entry), &lines[2], handles[2], sizeof handles[2], &failure));
    dualseal_string_free(entry);
    OK(dualseal_head_append(head, d, BOB, SIZED("note"), TIME, &entry, &failure));
    OK(dualseal_entry_parts(SIZED(entry), &lines[3], handles[3], sizeof handles[3], &failure));
    dualseal_string_free(entry);
    follow(ring, lines + 2, 2);

    const char *wanted[] = {handles[1], handles[2], handles[3]};
    seen s = see(d, log.hash, log.key, lines, 4, ring, wanted, 3);
    const asked by = {.log = s.log, .signer = ANA};
    char *record = quorum_record(ANA, hex, result, id);
    OK(make(d, &s, record, NULL, ring, handles[2], NULL, &evidence));
    OK(verify(evidence, by, MOTION, LENGTH, &report));
    CHECK(strstr(report, "\"vrsta\":\"kvorum\"") != NULL && strstr(report, "\"place\":2") != NULL);
    CHECK(strstr(report, "\"not_shown\":\"session in force not shown\"") != NULL);
    dualseal_string_free(report);
    lies_are_told(evidence, by, MOTION, LENGTH, "kvorum");
    dualseal_string_free(evidence);

    /* At another entry's place, as another session's or another identity's, and with another key. */
    for (size_t i = 1; i < 4; i += 2) {
        OK(make(d, &s, record, NULL, ring, handles[i], NULL, &evidence));
        GIVES(DUALSEAL_STATUS_EVIDENCE_RECORD, refused(evidence, by, MOTION, LENGTH));
        dualseal_string_free(evidence);
    }
    char *other_session = quorum_record(ANA, hex, result, founder);
    OK(make(d, &s, other_session, NULL, ring, handles[2], NULL, &evidence));
    GIVES(DUALSEAL_STATUS_EVIDENCE_RECORD, refused(evidence, by, MOTION, LENGTH));
    dualseal_string_free(evidence);
    evidence = NULL;
    char *bobs = quorum_record(BOB, hex, result, id);
    GIVES(DUALSEAL_STATUS_KEY_OTHER, make(d, &s, bobs, NULL, ring, handles[2], NULL, &evidence));
    hex[0] = hex[0] == '1' ? '2' : '1';
    char *no_key = quorum_record(ANA, hex, result, id);
    GIVES(DUALSEAL_STATUS_UNKNOWN_KEY, make(d, &s, no_key, NULL, ring, handles[2], NULL, &evidence));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "public_key", -1,
          make(d, &s, record, key, ring, handles[2], NULL, &evidence));
    CHECK(evidence == NULL);

    free(no_key);
    free(bobs);
    free(other_session);
    free(record);
    forget_seen(&s);
    free(two);
    free(records);
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(first);
    dualseal_session_in_force_free(in_force);
    for (size_t i = 0; i < 4; i++) {
        dualseal_string_free(lines[i]);
    }
    dualseal_string_free(result);
    dualseal_string_free(shares);
    dualseal_string_free(session);
    dualseal_ring_free(ring);
    dualseal_ring_key_free(ring_key);
    dualseal_signing_key_free(log.key);
    dualseal_head_free(head);
    dualseal_domain_free(d);
}

/* That a document was destroyed is shown to whoever asks for it, without the document. */
static void an_erasure_is_shown(void)
{
    archive a;
    archive_open(&a);
    kept *gone = archive_seal(&a, "first", HIDDEN);
    archive_seal(&a, "second", HIDDEN);
    keeper log = log_keeper();
    const char *splits[] = {ANA};
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES], *stored = NULL;
    size_t length = 0;
    dualseal_sealed *sealed = NULL;
    char *end = NULL, *evidence = NULL, *report = NULL, id[65], expected[100], handles[3][DUALSEAL_ID_TEXT_BYTES];
    dualseal_vault_report *erased = report_of(&a, gone);
    OK(dualseal_vault_sealer_erase(a.vault, erased, NULL, 0, 1, splits, 1, a.ledger, a.head, SIZED("court order"), TIME,
                                   &sealed, &stored, &length, &end, &failure));
    CHECK(end == NULL);
    dualseal_vault_report_free(erased);
    kept *erasure = archive_keep(&a, sealed, stored, length, 1);
    char *redacted[3];
    for (size_t i = 0; i < 3; i++) {
        member(a.records[i].record, "\"krunica_hash\":\"", handles[i], 64);
        OK(dualseal_vault_record_redact(SIZED(a.records[i].record), &redacted[i], &failure));
    }
    const char *wanted[] = {handles[0], handles[1], handles[2]};
    test_public_key(7, key);
    seen s = see(a.domain, log.hash, log.key, a.lines, a.entries, a.ring, wanted, 3);
    const asked by = {.log = s.log, .signer = ANA};
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "fragment", -1,
          make(a.domain, &s, erasure->record, key, a.ring, handles[2], NULL, &evidence));
    OK(make(a.domain, &s, redacted[2], key, a.ring, handles[2], NULL, &evidence));
    OK(verify(evidence, by, erasure->stored, erasure->length, &report));
    member(gone->record, "\"vault_id\":\"", id, 64);
    snprintf(expected, sizeof expected, "\"vault_id\":\"%s\",\"vrsta\":\"brisanje\"", id);
    CHECK(strstr(report, expected) != NULL);
    CHECK(strstr(report, "\"not_shown\":\"completeness of splits not shown\"") != NULL);
    dualseal_string_free(report);
    lies_are_told(evidence, by, erasure->stored, erasure->length, "brisanje");
    /* What it says was erased is in the document: with that of another it does not hold. */
    GIVES(DUALSEAL_STATUS_EVIDENCE_RECORD, refused(evidence, by, gone->stored, gone->length));
    char second[65], *other = (char *)owned(malloc(length + 1));
    memcpy(other, erasure->stored, length);
    other[length] = '\0';
    member(a.records[1].record, "\"vault_id\":\"", second, 64);
    char *of_second = replaced(other, id, second);
    GIVES(DUALSEAL_STATUS_EVIDENCE_RECORD, refused(evidence, by, (const uint8_t *)of_second, length));
    dualseal_string_free(evidence);

    /* The place of what it erases is not its own, and what was erased is no erasure at its place. */
    for (size_t i = 0; i < 3; i += 2) {
        OK(make(a.domain, &s, redacted[i], key, a.ring, handles[2 - i], NULL, &evidence));
        GIVES(DUALSEAL_STATUS_EVIDENCE_RECORD, refused(evidence, by, a.records[i].stored, a.records[i].length));
        dualseal_string_free(evidence);
    }
    /* The record that was erased is shown as before, by whoever kept its stored bytes. */
    OK(make(a.domain, &s, redacted[0], key, a.ring, handles[0], NULL, &evidence));
    OK(verify(evidence, by, gone->stored, gone->length, &report));
    CHECK(strstr(report, "\"vault_id\":null,\"vrsta\":\"trezor\"") != NULL);
    dualseal_string_free(report);
    dualseal_string_free(evidence);
    free(of_second);
    free(other);
    for (size_t i = 0; i < 3; i++) {
        dualseal_string_free(redacted[i]);
    }
    forget_seen(&s);
    dualseal_signing_key_free(log.key);
    archive_close(&a);
}

int main(void)
{
    a_quorums_result_is_shown();
    an_erasure_is_shown();
    return 0;
}
