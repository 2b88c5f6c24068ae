/* Checkpoints: signed, verified, compared, and what a chain that agrees with one proves. Under valgrind. */
#include "check.h"

/* A log whose chain is: Ana's key, what she signed, her next key, a note. Its own key is the one of byte 5. */
typedef struct {
    dualseal_domain *domain;
    dualseal_ring_key *ring_key;
    dualseal_ring *ring;
    dualseal_head *head;
    dualseal_signing_key *log;
    char *record, *old_ring, *new_ring, *lines[4], handles[4][DUALSEAL_ID_TEXT_BYTES], key_hash[DUALSEAL_ID_TEXT_BYTES];
} bench;

static void keep(bench *b, int at, char *entry)
{
    OK(dualseal_entry_parts(SIZED(entry), &b->lines[at], b->handles[at], DUALSEAL_ID_TEXT_BYTES, &failure));
    dualseal_string_free(entry);
}

static void set_up(bench *b)
{
    const uint8_t secret[DUALSEAL_RING_KEY_BYTES] = {9};
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    const size_t size = sizeof key;
    char *entry = NULL;
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->head = test_head();
    OK(dualseal_ring_key_from_secret(b->domain, secret, sizeof secret, &b->ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, b->ring_key, &b->ring, &failure));
    test_public_key(1, key);
    OK(dualseal_ring_add(b->ring, ANA, key, size, b->head, TIME, &entry, &failure));
    keep(b, 0, entry);
    OK(dualseal_ring_to_stored_json(b->ring, b->head, &b->old_ring, &failure));

    dualseal_signing_key *ana = test_key(1);
    OK(dualseal_signature_sign(b->domain, ANA, ana, NO_RING, hashed(b->domain, ANA, "deed", 4), b->head, TIME,
                               &b->record, &entry, &failure));
    keep(b, 1, entry);
    follow(b->ring, &b->lines[1], 1);
    test_public_key(2, key);
    OK(dualseal_ring_rotate(b->ring, ANA, key, size, b->head, TIME, &entry, &failure));
    keep(b, 2, entry);
    dualseal_ring *followed = copy_of_ring(b->domain, b->ring, b->ring_key, b->head);
    OK(dualseal_head_append(b->head, b->domain, BOB, SIZED("note"), TIME, &entry, &failure));
    keep(b, 3, entry);
    follow(followed, &b->lines[3], 1);
    OK(dualseal_ring_to_stored_json(followed, b->head, &b->new_ring, &failure));
    dualseal_ring_free(followed);

    b->log = test_key(5);
    test_public_key(5, key);
    OK(dualseal_public_key_hash(key, size, b->key_hash, DUALSEAL_ID_TEXT_BYTES, &failure));
    dualseal_signing_key_free(ana);
}

static void tear_down(bench *b)
{
    for (int i = 0; i < 4; i++) {
        dualseal_string_free(b->lines[i]);
    }
    dualseal_string_free(b->record);
    dualseal_signing_key_free(b->log);
    dualseal_head_free(b->head);
    dualseal_string_free(b->old_ring);
    dualseal_string_free(b->new_ring);
    dualseal_ring_free(b->ring);
    dualseal_ring_key_free(b->ring_key);
    dualseal_domain_free(b->domain);
}

static dualseal_status verify(const bench *b, const char *json, uint64_t least, dualseal_checkpoint **checkpoint)
{
    return dualseal_checkpoint_verify(b->domain, ORIGIN, BOB, b->key_hash, least, NO_RING, NULL, SIZED(json),
                                      checkpoint, NULL, &failure);
}

/* A verified checkpoint over the first `size` entries of a chain. */
static dualseal_checkpoint *checkpoint_of(const bench *b, char *const *lines, int size, const dualseal_ring *ring)
{
    dualseal_head *head = head_after(b->domain, lines, (size_t)size);
    dualseal_checkpoint *checkpoint = NULL;
    char *json = first_checkpoint(b->domain, b->log, head, ring);
    OK(verify(b, json, (uint64_t)size, &checkpoint));
    dualseal_string_free(json);
    dualseal_head_free(head);
    return checkpoint;
}

static dualseal_checkpoint *checkpoint_over(const bench *b, char *const *lines, int size)
{
    return checkpoint_of(b, lines, size, NULL);
}

/* What the chain proves under a checkpoint, read from behind so many entries. */
static dualseal_proofs *agree(const bench *b, const dualseal_checkpoint *checkpoint, int from,
                              dualseal_watched *watched)
{
    const char *wanted[] = {b->handles[1], b->handles[0], b->handles[3]};
    dualseal_head *at = head_after(b->domain, b->lines, (size_t)from);
    dualseal_chain_reader *reader = NULL;
    OK(dualseal_chain_reader_new(b->domain, at, checkpoint, checkpoint == NULL, NULL, &reader, &failure));
    OK(dualseal_chain_reader_watch_places(reader, wanted, 3, watched, &failure));
    dualseal_head_free(at);
    return read_to(reader, b->lines + from, (size_t)(4 - from), NULL);
}

static void pins_decide(const bench *b)
{
    char *json = NULL, *again = NULL;
    dualseal_checkpoint *checkpoint = NULL;
    dualseal_verdict *verdict = NULL;
    char *first = NULL, *mark = NULL;
    OK(dualseal_mark_first(ORIGIN, b->head, NO_RING, &first, &failure));
    OK(dualseal_checkpoint_sign(b->domain, BOB, b->log, NO_RING, NULL, SIZED(first), TIME, &json, &failure));
    OK(verify(b, json, 4, &checkpoint));
    OK(dualseal_checkpoint_mark(checkpoint, &mark, &failure));
    CHECK(strcmp(mark, first) == 0);
    dualseal_string_free(mark);
    dualseal_string_free(first);
    dualseal_checkpoint_free(checkpoint);
    checkpoint = NULL;

    GIVES(DUALSEAL_STATUS_INVALID, verify(b, json, 5, &checkpoint));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_checkpoint_verify(b->domain, "example.org/other", BOB, b->key_hash, 0,
                                                              NO_RING, NULL, SIZED(json), &checkpoint, NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_checkpoint_verify(b->domain, ORIGIN, ANA, b->key_hash, 0, NO_RING, NULL,
        SIZED(json),
                                                              &checkpoint, NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_checkpoint_verify(b->domain, ORIGIN, BOB, ANA, 0, NO_RING, NULL, SIZED(json), &checkpoint, &verdict,
                  &failure));
    CHECK(kind_of(verdict) == DUALSEAL_STATUS_INVALID);
    OK(dualseal_verdict_to_json(verdict, DUALSEAL_AUDIENCE_OPERATOR, &again, NULL, &failure));
    CHECK(strstr(again, "\"razlog\":\"pin\"") != NULL);
    dualseal_verdict_free(verdict);
    char *other = replaced(json, "\"size\":4", "\"size\":5");
    GIVES(DUALSEAL_STATUS_INVALID, verify(b, other, 0, &checkpoint));
    free(other);
    /* A ring that does not hold the log's key has no state for it. */
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_checkpoint_verify(b->domain, ORIGIN, BOB, b->key_hash, 0, b->ring, 0, NULL,
            SIZED(json),
                                                              &checkpoint, NULL, &failure));
    GIVES(DUALSEAL_STATUS_MISSING_MEMBER, verify(b, "{}", 0, &checkpoint));
    CHECK(checkpoint == NULL);
    dualseal_string_free(again);
    dualseal_string_free(json);
}

/* Whoever has the proof and a checkpoint of that size, and not the chain. */
static void a_stranger_verifies_the_place(const bench *b, const dualseal_checkpoint *checkpoint, const char *proof)
{
    dualseal_checkpoint *larger = checkpoint_over(b, b->lines, 4);
    dualseal_located *place = NULL;
    OK(dualseal_place_proof_verify(checkpoint, SIZED(proof), &place, &failure));
    dualseal_located_free(place);
    place = NULL;
    GIVES(DUALSEAL_STATUS_PLACE_SIZE, dualseal_place_proof_verify(larger, SIZED(proof), &place, &failure));
    char *moved = replaced(proof, "\"seq\":1", "\"seq\":2");
    char *cut = replaced(proof, "\"path\":[", "\"path\":[],\"#\":[");
    GIVES(DUALSEAL_STATUS_PATH_LENGTH, dualseal_place_proof_verify(checkpoint, SIZED(moved), &place, &failure));
    GIVES(DUALSEAL_STATUS_UNKNOWN_MEMBER, dualseal_place_proof_verify(checkpoint, SIZED(cut), &place, &failure));
    NULL_IS("checkpoint", dualseal_place_proof_verify(NULL, SIZED(proof), &place, &failure));
    NULL_IS("proof_json", dualseal_place_proof_verify(checkpoint, SIZED(NULL), &place, &failure));
    NULL_IS("place", dualseal_place_proof_verify(checkpoint, SIZED(proof), NULL, &failure));
    CHECK(place == NULL);
    free(moved);
    free(cut);
    dualseal_checkpoint_free(larger);
}

static void a_place_before_the_rotation_makes_it_valid(const bench *b)
{
    const uint8_t *deed = (const uint8_t *)"deed";
    char hash[DUALSEAL_ID_TEXT_BYTES], *proof = NULL;
    dualseal_checkpoint *checkpoint = checkpoint_over(b, b->lines, 3);
    dualseal_watched watched = 0;
    dualseal_proofs *proofs = agree(b, checkpoint, 0, &watched);
    dualseal_located *located = NULL, *elsewhere = NULL;
    dualseal_verdict *verdict = NULL;
    OK(dualseal_content_hash(b->domain, ANA, deed, 4, hash, sizeof hash, &failure));
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_signature_verify(b->domain, b->ring, NULL, ANA, hash, SIZED(b->record), NULL, NULL, &failure));
    OK(dualseal_proofs_place(proofs, watched, b->handles[1], 0, &located, &proof, &failure));
    CHECK(strstr(proof, "\"seq\":1") != NULL && strstr(proof, "\"path\":[") != NULL);
    a_stranger_verifies_the_place(b, checkpoint, proof);
    OK(dualseal_signature_verify(b->domain, b->ring, NULL, ANA, hash, SIZED(b->record), located, &verdict, &failure));
    CHECK(kind_of(verdict) == DUALSEAL_STATUS_VALID);
    dualseal_verdict_free(verdict);
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_signature_verify(b->domain, b->ring, NULL, ANA, ANA, SIZED(b->record), located, NULL, &failure));
    OK(dualseal_proofs_place(proofs, watched, b->handles[0], 0, &elsewhere, NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_signature_verify(b->domain, b->ring, NULL, ANA, hash, SIZED(b->record), elsewhere, NULL, &failure));
    dualseal_located_free(elsewhere);
    elsewhere = NULL;
    /* Beyond the checkpoint nothing is proven. */
    FAILS(DUALSEAL_STATUS_NOT_LOCATED, "krunica_hash", -1,
          dualseal_proofs_place(proofs, watched, b->handles[3], 0, &elsewhere, NULL, &failure));
    GIVES(DUALSEAL_STATUS_HEX, dualseal_proofs_place(
        proofs, watched, "g4e4883e428e7ca79ee1d6f20572a8ee60b66b5aff40ef06d9e5365c6481cff4", 0, &elsewhere,
        NULL, &failure));

    NULL_IS("proofs", dualseal_proofs_place(NULL, watched, b->handles[1], 0, &elsewhere, NULL, &failure));
    /* The checkpoint states no ring, and so no entry made it. */
    NULL_IS("krunica_hash", dualseal_proofs_place(proofs, watched, NULL, 0, &elsewhere, NULL, &failure));
    for (int32_t wrong = 1; wrong <= 2; wrong++)
        FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "of_ring", -1,
              dualseal_proofs_place(proofs, watched, b->handles[1], wrong, &elsewhere, NULL, &failure));
    GIVES(DUALSEAL_STATUS_NOT_LOCATED, dualseal_proofs_place(proofs, watched, NULL, 1, &elsewhere, NULL, &failure));
    OK(dualseal_proofs_place(proofs, watched, b->handles[1], 0, NULL, NULL, &failure));
    CHECK(elsewhere == NULL);
    dualseal_string_free(proof);
    dualseal_located_free(located);
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(checkpoint);
}

static void the_next_checkpoint_goes_on_from_the_last(const bench *b)
{
    dualseal_checkpoint *first = checkpoint_over(b, b->lines, 3), *next = NULL;
    dualseal_watched watched = 0;
    dualseal_proofs *proofs = agree(b, first, 3, &watched), *alone = NULL;
    char *json = NULL;
    char *mark = NULL, *later = NULL;
    OK(dualseal_checkpoint_mark(first, &mark, &failure));
    OK(dualseal_mark_next(SIZED(mark), proofs, NO_RING, &later, &failure));
    GIVES(DUALSEAL_STATUS_NOT_GROWN, dualseal_mark_next(SIZED(later), proofs, NO_RING, &json, &failure));
    GIVES(DUALSEAL_STATUS_RANGE,
          dualseal_checkpoint_sign(b->domain, BOB, b->log, NO_RING, NULL, SIZED(later), INT64_MAX, &json, &failure));
    CHECK(json == NULL);
    OK(dualseal_checkpoint_sign(b->domain, BOB, b->log, NO_RING, ANA, SIZED(later), TIME, &json, &failure));
    CHECK(strstr(json, "\"nota\":\"" ANA "\"") != NULL);
    OK(verify(b, json, 4, &next));
    NULL_IS("mark_json", dualseal_mark_next(SIZED(NULL), proofs, NO_RING, &later, &failure));
    NULL_IS("proofs", dualseal_mark_next(SIZED(mark), NULL, NO_RING, &later, &failure));
    NULL_IS("next_json", dualseal_mark_next(SIZED(mark), proofs, NO_RING, NULL, &failure));
    /* Without a checkpoint nothing was signed that it could go on from. */
    alone = read_to(reader_under(b->domain, NULL), b->lines, 4, NULL);
    char *none = NULL;
    GIVES(DUALSEAL_STATUS_NO_END, dualseal_mark_next(SIZED(mark), alone, NO_RING, &none, &failure));
    CHECK(none == NULL);
    dualseal_proofs_free(alone);
    dualseal_string_free(mark);
    dualseal_string_free(later);
    dualseal_string_free(json);
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(next);
    dualseal_checkpoint_free(first);
}

static void another_chain_is_found_out(const bench *b)
{
    dualseal_checkpoint *checkpoint = checkpoint_over(b, b->lines, 4);
    dualseal_chain_reader *check = reader_under(b->domain, checkpoint);
    dualseal_proofs *proofs = NULL;
    OK(dualseal_chain_reader_push(check, SIZED(b->lines[0]), &failure));
    GIVES(DUALSEAL_STATUS_CHAIN_TRUNCATED, dualseal_chain_reader_finish(check, &proofs, NULL, NULL, &failure));
    dualseal_chain_reader_free(check);

    /* After a fault it takes nothing more, not the right entry either. */
    check = reader_under(b->domain, checkpoint);
    FAILS(DUALSEAL_STATUS_CHAIN_PREV, NULL, 0, dualseal_chain_reader_push(check, SIZED(b->lines[1]), &failure));
    FAILS(DUALSEAL_STATUS_CHAIN_PREV, NULL, 0, dualseal_chain_reader_push(check, SIZED(b->lines[0]), &failure));
    NULL_IS("proofs", dualseal_chain_reader_finish(check, NULL, NULL, NULL, &failure));
    FAILS(DUALSEAL_STATUS_CHAIN_PREV, NULL, 0, dualseal_chain_reader_finish(check, &proofs, NULL, NULL, &failure));
    dualseal_chain_reader_free(check);

    /* The same entries at another time, and another last entry. */
    dualseal_domain *domain = b->domain;
    char *early = replaced(b->lines[3], "T09:00:00.000Z", "T08:00:00.000Z"), *note = NULL, *entry = NULL;
    dualseal_head *head = head_after(domain, b->lines, 3);
    OK(dualseal_head_append(head, domain, BOB, SIZED("another note"), TIME, &entry, &failure));
    OK(dualseal_entry_parts(SIZED(entry), &note, NULL, 0, &failure));
    const struct {
        const char *line;
        int32_t status;
    } cases[] = {{early, DUALSEAL_STATUS_TREE_DISAGREES}, {note, DUALSEAL_STATUS_CHAIN_REWRITTEN}};
    for (size_t i = 0; i < 2; i++) {
        check = reader_under(b->domain, checkpoint);
        for (int j = 0; j < 3; j++) {
            OK(dualseal_chain_reader_push(check, SIZED(b->lines[j]), &failure));
        }
        GIVES(cases[i].status, dualseal_chain_reader_push(check, SIZED(cases[i].line), &failure));
        GIVES(cases[i].status, dualseal_chain_reader_finish(check, &proofs, NULL, NULL, &failure));
        dualseal_chain_reader_free(check);
    }
    CHECK(proofs == NULL);

    /* The rewritten chain, signed as well, is a fork. */
    char *lines[] = {b->lines[0], b->lines[1], b->lines[2], note};
    dualseal_checkpoint *fork = checkpoint_over(b, lines, 4), *smaller = checkpoint_over(b, lines, 2);
    dualseal_consistency found = (dualseal_consistency)0;
    OK(dualseal_checkpoint_compare(checkpoint, fork, &found, &failure));
    CHECK(found == DUALSEAL_CONSISTENCY_FORK);
    OK(dualseal_checkpoint_compare(fork, fork, &found, &failure));
    CHECK(found == DUALSEAL_CONSISTENCY_EQUAL);
    OK(dualseal_checkpoint_compare(fork, smaller, &found, &failure));
    CHECK(found == DUALSEAL_CONSISTENCY_SIZES_DIFFER);
    /* By somebody else, who signs for the same origin with a key of his own, it convicts nobody. */
    bench stranger = *b;
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    stranger.log = test_key(6);
    test_public_key(6, key);
    OK(dualseal_public_key_hash(key, sizeof key, stranger.key_hash, DUALSEAL_ID_TEXT_BYTES, &failure));
    dualseal_checkpoint *made_up = checkpoint_over(&stranger, lines, 4);
    OK(dualseal_checkpoint_compare(checkpoint, made_up, &found, &failure));
    CHECK(found == DUALSEAL_CONSISTENCY_CONTRADICTION);
    const struct {
        const dualseal_checkpoint *other;
        dualseal_consistency expected;
    } pairs[] = {
        {checkpoint, DUALSEAL_CONSISTENCY_EQUAL},
        {smaller, DUALSEAL_CONSISTENCY_GROWN},
        {fork, DUALSEAL_CONSISTENCY_FORK},
        {made_up, DUALSEAL_CONSISTENCY_CONTRADICTION},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        /* The chain, and then too little of it. */
        for (int j = 0; j < 2; j++) {
            dualseal_chain_reader *both = reader_under(b->domain, NULL);
            dualseal_watched watched = 0;
            OK(dualseal_chain_reader_watch_consistency(both, pairs[i].other, checkpoint, &watched, &failure));
            proofs = read_to(both, b->lines, j == 0 ? 4 : 1, NULL);
            if (j == 0) {
                OK(dualseal_proofs_consistency(proofs, watched, &found, &failure));
                CHECK(found == pairs[i].expected);
            } else if (pairs[i].expected == DUALSEAL_CONSISTENCY_GROWN) {
                GIVES(DUALSEAL_STATUS_CHAIN_TRUNCATED, dualseal_proofs_consistency(proofs, watched, &found, &failure));
            }
            dualseal_proofs_free(proofs);
        }
    }
    dualseal_signing_key_free(stranger.log);
    dualseal_checkpoint_free(made_up);
    dualseal_checkpoint_free(smaller);
    dualseal_checkpoint_free(fork);
    dualseal_string_free(note);
    dualseal_string_free(entry);
    free(early);
    dualseal_head_free(head);
    dualseal_checkpoint_free(checkpoint);
}

/* Watches for the ring, pushes the chain, ends, and frees all. */
static dualseal_status finishes(const bench *b, dualseal_chain_reader *reader, const dualseal_ring_key *key,
                                const char *ring_json, int from)
{
    dualseal_ring *ring = NULL;
    dualseal_proofs *proofs = NULL;
    dualseal_watched watched = 0;
    char *ignored = NULL;
    dualseal_status status =
        dualseal_chain_reader_watch_ring(reader, SIZED(ring_json), key, NULL, 0, &watched, &failure);
    for (int i = from; status == DUALSEAL_OK && i < 4; i++) {
        OK(dualseal_chain_reader_push(reader, SIZED(b->lines[i]), &failure));
    }
    if (status == DUALSEAL_OK) {
        status = dualseal_chain_reader_finish(reader, &proofs, NULL, NULL, &failure);
    }
    if (status == DUALSEAL_OK) {
        NULL_IS("ring", dualseal_proofs_ring(proofs, watched, NULL, &ignored, &failure));
        NULL_IS("proofs", dualseal_proofs_ring(NULL, watched, &ring, &ignored, &failure));
        status = dualseal_proofs_ring(proofs, watched, &ring, &ignored, &failure);
    }
    CHECK((ring != NULL) == (status == DUALSEAL_OK) && (ignored != NULL) == (status == DUALSEAL_OK));
    if (ignored != NULL) {
        is(ignored, "{\"entries\":[],\"more\":0}");
    }
    dualseal_ring_free(ring);
    dualseal_proofs_free(proofs);
    dualseal_chain_reader_free(reader);
    return status;
}

static dualseal_status check_ring(const bench *b, const dualseal_ring_key *key, const char *ring_json)
{
    dualseal_checkpoint *checkpoint = checkpoint_of(b, b->lines, 3, b->ring);
    dualseal_status status = finishes(b, reader_under(b->domain, checkpoint), key, ring_json, 0);
    dualseal_checkpoint_free(checkpoint);
    return status;
}

/* From where the file was written, which is behind so many entries. */
static dualseal_status resume_ring(const bench *b, const char *ring_json, int from)
{
    dualseal_chain_reader *reader = NULL;
    OK(dualseal_chain_reader_from_ring_file(b->domain, SIZED(ring_json), b->head, &reader, &failure));
    return finishes(b, reader, b->ring_key, ring_json, from);
}

static void an_old_ring_is_found_out(const bench *b)
{
    const uint8_t secret[DUALSEAL_RING_KEY_BYTES] = {8};
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    char hex[2 * DUALSEAL_PUBLIC_KEY_BYTES + 1], *elsewhere = NULL;
    dualseal_ring_key *other = NULL;
    dualseal_ring *other_log = NULL;
    OK(dualseal_ring_key_from_secret(b->domain, secret, sizeof secret, &other, &failure));
    OK(dualseal_ring_new("example.org/other", b->ring_key, &other_log, &failure));
    dualseal_head *empty = test_head();
    OK(dualseal_ring_to_stored_json(other_log, empty, &elsewhere, &failure));
    dualseal_head_free(empty);
    OK(check_ring(b, b->ring_key, b->new_ring));
    OK(resume_ring(b, b->new_ring, 4));
    GIVES(DUALSEAL_STATUS_RING_ROLLBACK, check_ring(b, b->ring_key, b->old_ring));
    GIVES(DUALSEAL_STATUS_RING_ROLLBACK, resume_ring(b, b->old_ring, 1));
    GIVES(DUALSEAL_STATUS_RING_FORGED, check_ring(b, other, b->new_ring));
    GIVES(DUALSEAL_STATUS_OTHER_ORIGIN, check_ring(b, b->ring_key, elsewhere));

    /* A key swapped in the store: no later change blesses it. */
    test_public_key(2, key);
    for (size_t i = 0; i < sizeof key; i++) {
        sprintf(hex + 2 * i, "%02x", key[i]);
    }
    char *swapped = replaced(b->new_ring, hex, hex);
    char *at = strstr(swapped, hex);
    CHECK(at != NULL);
    *at = *at == '0' ? '1' : '0';
    GIVES(DUALSEAL_STATUS_RING_FORGED, check_ring(b, b->ring_key, swapped));
    GIVES(DUALSEAL_STATUS_RING_FORGED, resume_ring(b, swapped, 4));
    free(swapped);
    /* A decoy put in, so that a stranger's record passes in public. */
    const char *row = "{\"keys\":[{\"algoritam\":\"ML-DSA-65\",\"bela_stanje\":\"oboje\","
                      "\"generirano\":\"2026-11-21T09:00:00.000Z\",\"identity_id\":"
                      "\"0000000000000000000000000000000000000000000000000000000000000000\",\"javni_kljuc\":"
                      "\"0000000000000000000000000000000000000000000000000000000000000000\",\"opozvan_od\":null,"
                      "\"povijest\":[[1,\"oboje\"]],\"retired\":null,\"role\":\"decoy\"},";
    char *trapped = replaced(b->new_ring, "{\"keys\":[", row);
    GIVES(DUALSEAL_STATUS_RING_FORGED, check_ring(b, b->ring_key, trapped));
    GIVES(DUALSEAL_STATUS_RING_FORGED, resume_ring(b, trapped, 4));
    free(trapped);
    dualseal_string_free(elsewhere);
    dualseal_ring_free(other_log);
    dualseal_ring_key_free(other);
}

static void null_everywhere(const bench *b)
{
    dualseal_checkpoint *checkpoint = checkpoint_over(b, b->lines, 4), *out = NULL;
    dualseal_chain_reader *reader = reader_under(b->domain, checkpoint), *none = NULL;
    dualseal_consistency found = (dualseal_consistency)0;
    dualseal_watched watched = 0;
    const char *hashes[] = {ANA, NULL};
    char hash[DUALSEAL_ID_TEXT_BYTES], *json = NULL;
    const dualseal_domain *domain = b->domain;
    const char *kh = b->key_hash;

    const dualseal_signing_key *log = b->log;
    mark(hash, sizeof hash);
    char *mark_json = NULL;
    NULL_IS("origin", dualseal_mark_first(NULL, b->head, NO_RING, &mark_json, &failure));
    NULL_IS("head", dualseal_mark_first(ORIGIN, NULL, NO_RING, &mark_json, &failure));
    NULL_IS("mark_json", dualseal_mark_first(ORIGIN, b->head, NO_RING, NULL, &failure));
    FAILS(DUALSEAL_STATUS_AMBIGUOUS, "origin", -1, dualseal_mark_first("a::b", b->head, NO_RING, &mark_json, &failure));
    /* The entries since its last change were not looked at: one of them may be somebody else's revocation. */
    GIVES(DUALSEAL_STATUS_STALE_RING, dualseal_mark_first(ORIGIN, b->head, b->ring, 0, &mark_json, &failure));
    CHECK(mark_json == NULL);
    OK(dualseal_mark_first(ORIGIN, b->head, NO_RING, &mark_json, &failure));
    NULL_IS("domain", dualseal_checkpoint_sign(NULL, BOB, log, NO_RING, NULL, SIZED(mark_json), TIME, &json, &failure));
    NULL_IS("identity_id", dualseal_checkpoint_sign(domain, NULL, log, NO_RING, NULL, SIZED(mark_json), TIME, &json,
                                                    &failure));
    NULL_IS("key", dualseal_checkpoint_sign(domain, BOB, NULL, NO_RING, NULL, SIZED(mark_json), TIME, &json, &failure));
    NULL_IS("mark_json", dualseal_checkpoint_sign(domain, BOB, log, NO_RING, NULL, SIZED(NULL), TIME, &json, &failure));
    NULL_IS("checkpoint_json",
            dualseal_checkpoint_sign(domain, BOB, log, NO_RING, NULL, SIZED(mark_json), TIME, NULL, &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "public_key", -1,
          dualseal_checkpoint_sign(domain, BOB, log, NO_RING, "00", SIZED(mark_json), TIME, &json, &failure));
    dualseal_string_free(mark_json);
    NULL_IS("domain", dualseal_checkpoint_verify(NULL, ORIGIN, BOB, kh, 0, NO_RING, NULL, SIZED(""), &out, NULL,
        &failure));
    NULL_IS("origin", dualseal_checkpoint_verify(domain, NULL, BOB, kh, 0, NO_RING, NULL, SIZED(""), &out, NULL,
        &failure));
    NULL_IS("identity_id", dualseal_checkpoint_verify(domain, ORIGIN, NULL, kh, 0, NO_RING, NULL, SIZED(""), &out, NULL,
            &failure));
    NULL_IS("key_hash", dualseal_checkpoint_verify(domain, ORIGIN, BOB, NULL, 0, NO_RING, NULL, SIZED(""), &out, NULL,
        &failure));
    NULL_IS("checkpoint_json", dualseal_checkpoint_verify(domain, ORIGIN, BOB, kh, 0, NO_RING, NULL, SIZED(NULL), &out,
        NULL,
            &failure));
    char *signed_json = first_checkpoint(domain, log, b->head, NULL);
    NULL_IS("checkpoint",
            dualseal_checkpoint_verify(domain, ORIGIN, BOB, kh, 0, NO_RING, NULL, SIZED(signed_json), NULL, NULL,
                &failure));
    dualseal_string_free(signed_json);
    NULL_IS("checkpoint", dualseal_checkpoint_mark(NULL, &json, &failure));
    NULL_IS("mark_json", dualseal_checkpoint_mark(checkpoint, NULL, &failure));
    NULL_IS("first", dualseal_checkpoint_compare(NULL, checkpoint, &found, &failure));
    NULL_IS("second", dualseal_checkpoint_compare(checkpoint, NULL, &found, &failure));
    NULL_IS("consistency", dualseal_checkpoint_compare(checkpoint, checkpoint, NULL, &failure));

    NULL_IS("reader", dualseal_chain_reader_watch_places(NULL, hashes, 1, &watched, &failure));
    NULL_IS("krunica_hashes", dualseal_chain_reader_watch_places(reader, NULL, 1, &watched, &failure));
    NULL_IS("krunica_hashes", dualseal_chain_reader_watch_places(reader, hashes, 2, &watched, &failure));
    GIVES(DUALSEAL_STATUS_BUFFER_LENGTH,
          dualseal_chain_reader_watch_places(reader, hashes, SIZE_MAX, &watched, &failure));
    NULL_IS("watched", dualseal_chain_reader_watch_places(reader, hashes, 1, NULL, &failure));
    NULL_IS("reader", dualseal_chain_reader_watch_consistency(NULL, checkpoint, checkpoint, &watched, &failure));
    NULL_IS("first", dualseal_chain_reader_watch_consistency(reader, NULL, checkpoint, &watched, &failure));
    NULL_IS("second", dualseal_chain_reader_watch_consistency(reader, checkpoint, NULL, &watched, &failure));
    NULL_IS("watched", dualseal_chain_reader_watch_consistency(reader, checkpoint, checkpoint, NULL, &failure));
    NULL_IS("own", dualseal_chain_reader_from_ring_file(domain, SIZED(b->new_ring), NULL, &none, &failure));
    NULL_IS("reader", dualseal_chain_reader_from_ring_file(domain, SIZED(b->new_ring), b->head, NULL, &failure));
    const dualseal_ring_key *rk = b->ring_key;
    const char *file = b->new_ring;
    NULL_IS("reader", dualseal_chain_reader_watch_ring(NULL, SIZED(file), rk, NULL, 0, &watched, &failure));
    NULL_IS("ring_json", dualseal_chain_reader_watch_ring(reader, SIZED(NULL), rk, NULL, 0, &watched, &failure));
    NULL_IS("ring_key", dualseal_chain_reader_watch_ring(reader, SIZED(file), NULL, NULL, 0, &watched, &failure));
    NULL_IS("watched", dualseal_chain_reader_watch_ring(reader, SIZED(file), rk, NULL, 0, NULL, &failure));
    const dualseal_vault_master *no_master = NULL;
    NULL_IS("masters", dualseal_chain_reader_watch_ring(reader, SIZED(file), rk, NULL, 1, &watched, &failure));
    NULL_IS("masters", dualseal_chain_reader_watch_ring(reader, SIZED(file), rk, &no_master, 1, &watched, &failure));
    CHECK(watched == 0);
    OK(dualseal_chain_reader_watch_consistency(reader, checkpoint, checkpoint, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, b->lines, 4, NULL);
    NULL_IS("proofs", dualseal_proofs_consistency(NULL, watched, &found, &failure));
    NULL_IS("consistency", dualseal_proofs_consistency(proofs, watched, NULL, &failure));
    dualseal_proofs_free(proofs);

    NULL_IS("entry_json", dualseal_entry_parts(SIZED(NULL), &json, NULL, 0, &failure));
    GIVES(DUALSEAL_STATUS_MISSING_MEMBER, dualseal_entry_parts(SIZED("{}"), &json, NULL, 0, &failure));
    char *entry = NULL;
    OK(dualseal_head_append(b->head, domain, BOB, SIZED("last"), TIME, &entry, &failure));
    OK(dualseal_entry_parts(SIZED(entry), NULL, NULL, sizeof hash, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "krunica_hash", -1, dualseal_entry_parts(SIZED(entry), &json, hash, 64,
        &failure));
    dualseal_string_free(entry);
    CHECK(json == NULL && out == NULL && none == NULL && found == 0 && marked(hash, sizeof hash));
    dualseal_checkpoint_free(checkpoint);
    dualseal_proofs_free(NULL);
    dualseal_chain_reader_free(NULL);
    dualseal_checkpoint_free(NULL);
    dualseal_located_free(NULL);
    dualseal_chain_reader_free(NULL);
}

/* A NULL that somebody forgot to fill says nothing. */
static void that_there_is_none_is_said(const bench *b)
{
    static const int32_t none_of_both[] = {2, -1};
    dualseal_checkpoint *checkpoint = checkpoint_over(b, b->lines, 4), *out = NULL;
    dualseal_proofs *proofs = read_to(reader_under(b->domain, checkpoint), b->lines, 4, NULL);
    dualseal_chain_reader *reader = NULL;
    char *mark_json = NULL, *json = NULL, *signed_json = first_checkpoint(b->domain, b->log, b->head, NULL);
    OK(dualseal_checkpoint_mark(checkpoint, &mark_json, &failure));
    for (size_t i = 0; i < 4; i++) {
        const dualseal_ring *ring = i == 1 ? b->ring : NULL;
        const dualseal_checkpoint *under = i == 1 ? checkpoint : NULL;
        const int32_t none = i == 0 ? 0 : i == 1 ? 1 : none_of_both[i - 2];
        const int32_t status = i == 0 ? DUALSEAL_STATUS_NULL_ARGUMENT : DUALSEAL_STATUS_UNKNOWN_VALUE;
        const char *of_ring = i == 0 ? "ring" : "no_ring", *of_reader = i == 0 ? "checkpoint" : "no_checkpoint";
        FAILS(status, of_ring, -1, dualseal_mark_first(ORIGIN, b->head, ring, none, &json, &failure));
        FAILS(status, of_ring, -1, dualseal_mark_next(SIZED(mark_json), proofs, ring, none, &json, &failure));
        FAILS(status, of_ring, -1, dualseal_checkpoint_verify(b->domain, ORIGIN, BOB, b->key_hash, 0, ring, none, NULL,
                                                              SIZED(signed_json), &out, NULL, &failure));
        FAILS(status, of_reader, -1, dualseal_chain_reader_new(b->domain, NULL, under, none, b->head, &reader,
                                                               &failure));
    }
    CHECK(json == NULL && out == NULL && reader == NULL);
    dualseal_string_free(signed_json);
    dualseal_string_free(mark_json);
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(checkpoint);
}

int main(void)
{
    bench b;
    set_up(&b);
    pins_decide(&b);
    a_place_before_the_rotation_makes_it_valid(&b);
    the_next_checkpoint_goes_on_from_the_last(&b);
    another_chain_is_found_out(&b);
    an_old_ring_is_found_out(&b);
    null_everywhere(&b);
    that_there_is_none_is_said(&b);
    tear_down(&b);
    return 0;
}
