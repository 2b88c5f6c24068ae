/* Batches of seals and of identifiers: each item has what the single call gives, none stops the rest, and the threads
   change nothing. Under valgrind. */
#define _POSIX_C_SOURCE 200809L
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define TEXT ((const uint8_t *)"one contract")
#define LENGTH ((size_t)12)
#define BOTH DUALSEAL_SEAL_POLICY_BOTH
#define LAYER_B DUALSEAL_SEAL_POLICY_LAYER_B
#define MANY ((size_t)300)

typedef struct {
    dualseal_domain *domain;
    dualseal_ring *ring;
    dualseal_seal_key *key, *other_key;
    char *dual, *legacy;
} bench;

static void set_up(bench *b)
{
    const uint8_t master[32] = {9}, other[64] = {8};
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    dualseal_signing_key *signing = test_key(7);
    dualseal_sealer *sealer = NULL;
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    test_public_key(7, public_key);
    OK(dualseal_ring_pinned(ANA, public_key, sizeof public_key, &b->ring, &failure));
    OK(dualseal_seal_key_derive(b->domain, master, sizeof master, ANA, &b->key, &failure));
    OK(dualseal_seal_key_from_bytes(other, sizeof other, &b->other_key, &failure));
    OK(dualseal_sealer_new(b->domain, ANA, b->key, signing, &sealer, &failure));
    OK(dualseal_sealer_seal(sealer, TEXT, LENGTH, &b->dual, &failure));
    OK(dualseal_sealer_seal_legacy(sealer, TEXT, LENGTH, &b->legacy, &failure));
    dualseal_sealer_free(sealer);
    dualseal_signing_key_free(signing);
}

static void tear_down(bench *b)
{
    dualseal_string_free(b->legacy);
    dualseal_string_free(b->dual);
    dualseal_seal_key_free(b->other_key);
    dualseal_seal_key_free(b->key);
    dualseal_ring_free(b->ring);
    dualseal_domain_free(b->domain);
}

static dualseal_seal_batch *seals(const bench *b, const dualseal_ring *ring)
{
    dualseal_seal_batch *batch = NULL;
    OK(dualseal_seal_batch_new(b->domain, ring, NULL, &batch, &failure));
    return batch;
}

static void layers(const dualseal_seal_report *report, dualseal_layer_outcome a, dualseal_layer_outcome b)
{
    dualseal_layer_outcome layer_a = 0, layer_b = 0;
    OK(dualseal_seal_report_layers(report, &layer_a, &layer_b, &failure));
    CHECK(layer_a == a && layer_b == b);
}

/* How often a run told, and what it told last; the thread that it runs for. */
typedef struct {
    size_t calls, done, all;
} progress;

static pthread_t running;

static void told(size_t done, size_t all, void *user)
{
    progress *seen = (progress *)user;
    CHECK(pthread_equal(pthread_self(), running));
    CHECK(done > seen->done && done <= all);
    seen->calls++;
    seen->done = done;
    seen->all = all;
}

static void each_seal_is_checked_under_its_own_policy(const bench *b)
{
    const uint8_t *altered = (const uint8_t *)"two contract";
    dualseal_key_cache *cache = NULL;
    dualseal_seal_batch *batch = NULL;
    dualseal_seal_report *report = NULL;
    dualseal_verdict *verdict = NULL;
    progress seen = {0, 0, 0};
    OK(dualseal_key_cache_new(1 << 20, &cache, &failure));
    OK(dualseal_seal_batch_new(b->domain, b->ring, cache, &batch, &failure));
    /* The batch keeps what it needs of the cache, of the payload and of the key. */
    dualseal_key_cache_free(cache);
    uint8_t *payload = (uint8_t *)owned(malloc(LENGTH));
    dualseal_seal_key *key = NULL;
    const uint8_t master[32] = {9};
    memcpy(payload, TEXT, LENGTH);
    OK(dualseal_seal_key_derive(b->domain, master, sizeof master, ANA, &key, &failure));
    OK(dualseal_seal_batch_push(batch, b->dual, payload, LENGTH, ANA, BOTH, key, NULL, &failure));
    memset(payload, 0, LENGTH);
    free(payload);
    dualseal_seal_key_free(key);
    OK(dualseal_seal_batch_push(batch, b->dual, altered, LENGTH, ANA, BOTH, b->key, NULL, &failure));
    OK(dualseal_seal_batch_push(batch, b->dual, TEXT, LENGTH, ANA, BOTH, b->other_key, NULL, &failure));
    OK(dualseal_seal_batch_push(batch, b->dual, TEXT, LENGTH, ANA, LAYER_B, NULL, NULL, &failure));
    OK(dualseal_seal_batch_push(batch, b->dual, TEXT, LENGTH, ANA, LAYER_B, b->other_key, NULL, &failure));
    OK(dualseal_seal_batch_push(batch, b->legacy, TEXT, LENGTH, ANA, BOTH, b->key, NULL, &failure));
    OK(dualseal_seal_batch_push_authentication(batch, b->dual, TEXT, LENGTH, ANA, b->key, 0, &failure));
    OK(dualseal_seal_batch_push_authentication(batch, b->legacy, TEXT, LENGTH, ANA, b->key, 0, &failure));
    OK(dualseal_seal_batch_push_authentication(batch, b->legacy, TEXT, LENGTH, ANA, b->key, 1, &failure));
    OK(dualseal_seal_batch_push_authentication(batch, b->dual, altered, LENGTH, ANA, b->key, 1, &failure));
    OK(dualseal_seal_batch_push(batch, b->dual, TEXT, LENGTH, BOB, BOTH, b->key, NULL, &failure));
    OK(dualseal_seal_batch_push(batch, b->dual, NULL, 0, ANA, BOTH, b->key, NULL, &failure));
    OK(dualseal_seal_batch_run(batch, 0, told, &seen, &failure));
    CHECK(seen.calls == 1 && seen.done == 12 && seen.all == 12);

    OK(dualseal_seal_batch_report(batch, 0, &report, &failure));
    layers(report, DUALSEAL_LAYER_OUTCOME_PASS, DUALSEAL_LAYER_OUTCOME_PASS);
    OK(dualseal_seal_report_verdict(report, &verdict, &failure));
    CHECK(dualseal_verdict_kind(verdict) == DUALSEAL_STATUS_VALID);
    dualseal_verdict_free(verdict);
    dualseal_seal_report_free(report);
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_seal_batch_report(batch, 1, &report, &failure));
    layers(report, DUALSEAL_LAYER_OUTCOME_FAIL, DUALSEAL_LAYER_OUTCOME_FAIL);
    dualseal_seal_report_free(report);
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_seal_batch_report(batch, 2, &report, &failure));
    layers(report, DUALSEAL_LAYER_OUTCOME_FAIL, DUALSEAL_LAYER_OUTCOME_PASS);
    dualseal_seal_report_free(report);
    OK(dualseal_seal_batch_report(batch, 3, &report, &failure));
    layers(report, DUALSEAL_LAYER_OUTCOME_NOT_CHECKED, DUALSEAL_LAYER_OUTCOME_PASS);
    dualseal_seal_report_free(report);
    OK(dualseal_seal_batch_report(batch, 4, NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_seal_batch_report(batch, 5, &report, &failure));
    layers(report, DUALSEAL_LAYER_OUTCOME_PASS, DUALSEAL_LAYER_OUTCOME_ABSENT);
    dualseal_seal_report_free(report);
    OK(dualseal_seal_batch_authentication(batch, 6, &report, &failure));
    layers(report, DUALSEAL_LAYER_OUTCOME_PASS, DUALSEAL_LAYER_OUTCOME_NOT_CHECKED);
    FAILS(DUALSEAL_STATUS_NO_VERDICT, "report", -1, dualseal_seal_report_verdict(report, &verdict, &failure));
    dualseal_seal_report_free(report);
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_seal_batch_authentication(batch, 7, NULL, &failure));
    OK(dualseal_seal_batch_authentication(batch, 8, NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_seal_batch_authentication(batch, 9, NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_seal_batch_report(batch, 10, NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_seal_batch_report(batch, 11, NULL, &failure));

    /* Layer A that holds is never read as Valid, and a verdict never as layer A. */
    report = NULL;
    for (size_t i = 6; i < 10; i++) {
        FAILS(DUALSEAL_STATUS_NO_VERDICT, "report", -1, dualseal_seal_batch_report(batch, i, &report, &failure));
    }
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_seal_batch_authentication(batch, 0, &report, &failure));
    CHECK(report == NULL);
    dualseal_seal_batch_free(batch);
}

static void a_bad_seal_in_the_middle_stops_no_other(const bench *b)
{
    dualseal_seal_batch *batch = seals(b, b->ring);
    dualseal_seal_report *report = NULL;
    progress seen = {0, 0, 0};
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_seal_batch_report(batch, 0, &report, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_seal_batch_authentication(batch, 0, &report, &failure));
    OK(dualseal_seal_batch_run(batch, 0, told, &seen, &failure));
    CHECK(seen.calls == 0);
    for (size_t i = 0; i < MANY; i++) {
        const uint8_t *payload = i == 150 ? (const uint8_t *)"two contract" : TEXT;
        if (i == 200) {
            /* One that cannot be read is not added. */
            FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "seal", -1,
                  dualseal_seal_batch_push(batch, "SEAL", TEXT, LENGTH, ANA, LAYER_B, NULL, NULL, &failure));
            GIVES(DUALSEAL_STATUS_LENGTH,
                  dualseal_seal_batch_push_authentication(batch, "SEAL-L5::00", TEXT, LENGTH, ANA, b->key, 1,
                                                          &failure));
        }
        OK(dualseal_seal_batch_push(batch, b->dual, payload, LENGTH, ANA, LAYER_B, NULL, NULL, &failure));
    }
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_seal_batch_report(batch, 0, &report, &failure));
    OK(dualseal_seal_batch_run(batch, 0, told, &seen, &failure));
    CHECK(seen.calls == 2 && seen.done == MANY && seen.all == MANY);
    for (size_t i = 0; i < MANY; i++) {
        GIVES(i == 150 ? DUALSEAL_STATUS_INVALID : DUALSEAL_STATUS_VALID,
              dualseal_seal_batch_report(batch, i, NULL, &failure));
    }
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_seal_batch_report(batch, MANY, &report, &failure));
    /* What is added later goes on from there, and what has a report keeps it. */
    OK(dualseal_seal_batch_push(batch, b->dual, TEXT, LENGTH, ANA, BOTH, b->key, NULL, &failure));
    OK(dualseal_seal_batch_run(batch, 0, NULL, NULL, &failure));
    OK(dualseal_seal_batch_report(batch, MANY, NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_seal_batch_report(batch, 150, NULL, &failure));
    CHECK(report == NULL);
    dualseal_seal_batch_free(batch);
}

/* Revoked, suspended and decoy keys show in a batch as they do alone; the ring is kept as it was. */
static void the_state_of_the_key_counts(const bench *b)
{
    const struct {
        dualseal_key_state state;
        int32_t expected;
    } states[] = {
        {DUALSEAL_KEY_STATE_REVOKED, DUALSEAL_STATUS_REVOKED},
        {DUALSEAL_KEY_STATE_SUSPENDED, DUALSEAL_STATUS_SUSPENDED},
        {DUALSEAL_KEY_STATE_DECOY, DUALSEAL_STATUS_DECOY},
    };
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    char hash[DUALSEAL_ID_TEXT_BYTES], *entry = NULL;
    test_public_key(7, key);
    OK(dualseal_public_key_hash(key, sizeof key, hash, sizeof hash, &failure));
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        dualseal_ring *ring = NULL;
        dualseal_ring_key *ring_key = NULL;
        dualseal_head *head = test_head();
        OK(dualseal_ring_new("example.org/log", &ring, &failure));
        OK(dualseal_ring_key_generate(b->domain, &ring_key, &failure));
        OK(dualseal_ring_add(ring, ANA, key, sizeof key, head, TIME, ring_key, &entry, &failure));
        dualseal_string_free(entry);
        dualseal_seal_batch *before = seals(b, ring);
        OK(dualseal_ring_set_state(ring, ANA, hash, states[i].state, head, TIME, ring_key, &entry, &failure));
        dualseal_string_free(entry);
        dualseal_seal_batch *after = seals(b, ring);
        dualseal_ring_free(ring);
        dualseal_seal_batch *both[2] = {before, after};
        for (size_t j = 0; j < 2; j++) {
            OK(dualseal_seal_batch_push(both[j], b->dual, TEXT, LENGTH, ANA, BOTH, b->key, NULL, &failure));
            OK(dualseal_seal_batch_run(both[j], 0, NULL, NULL, &failure));
            GIVES(j == 0 ? DUALSEAL_STATUS_VALID : states[i].expected,
                  dualseal_seal_batch_report(both[j], 0, NULL, &failure));
            dualseal_seal_batch_free(both[j]);
        }
        dualseal_ring_key_free(ring_key);
        dualseal_head_free(head);
    }
}

static void identifiers_are_those_of_single_calls(const bench *b)
{
    dualseal_identity_batch *batch = NULL;
    progress seen = {0, 0, 0};
    char id[DUALSEAL_ID_TEXT_BYTES], expected[DUALSEAL_ID_TEXT_BYTES];
    uint8_t content[2];
    OK(dualseal_identity_batch_new(b->domain, &batch, &failure));
    mark(id, sizeof id);
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1,
          dualseal_identity_batch_id(batch, 0, id, sizeof id, &failure));
    OK(dualseal_identity_batch_run(batch, 0, told, &seen, &failure));
    CHECK(seen.calls == 0);
    for (size_t i = 0; i < MANY; i++) {
        memcpy(content, &(uint8_t[]){(uint8_t)i, (uint8_t)(i >> 8)}, 2);
        OK(dualseal_identity_batch_push(batch, content, sizeof content, i == 150 ? "a::b" : "ana",
                                        i == 151 ? ":" : "", &failure));
    }
    /* Text that is none is refused at once, and not added. */
    FAILS(DUALSEAL_STATUS_UTF8, "creator", 1,
          dualseal_identity_batch_push(batch, content, sizeof content, "a\xff", "", &failure));
    FAILS(DUALSEAL_STATUS_UTF8, "context", 0,
          dualseal_identity_batch_push(batch, content, sizeof content, "", "\xc3", &failure));
    OK(dualseal_identity_batch_push(batch, NULL, 0, "ana", "", &failure));
    OK(dualseal_identity_batch_run(batch, 0, told, &seen, &failure));
    CHECK(seen.calls == 2 && seen.done == MANY + 1 && seen.all == MANY + 1);
    for (size_t i = 0; i < MANY; i++) {
        uint8_t one[2] = {(uint8_t)i, (uint8_t)(i >> 8)};
        if (i == 150 || i == 151) {
            mark(id, sizeof id);
            FAILS(DUALSEAL_STATUS_AMBIGUOUS, i == 150 ? "creator" : "context", -2,
                  dualseal_identity_batch_id(batch, i, id, sizeof id, &failure));
            CHECK(marked(id, sizeof id));
            continue;
        }
        OK(dualseal_identity_batch_id(batch, i, id, sizeof id, &failure));
        OK(dualseal_identity_id(b->domain, one, sizeof one, "ana", "", expected, sizeof expected, &failure));
        CHECK(strcmp(id, expected) == 0);
    }
    OK(dualseal_identity_batch_id(batch, MANY, id, sizeof id, &failure));
    OK(dualseal_identity_id(b->domain, NULL, 0, "ana", "", expected, sizeof expected, &failure));
    CHECK(strcmp(id, expected) == 0);
    /* The next run goes on from there. */
    OK(dualseal_identity_batch_push(batch, NULL, 0, "ana", "", &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1,
          dualseal_identity_batch_id(batch, MANY + 1, id, sizeof id, &failure));
    OK(dualseal_identity_batch_run(batch, 0, NULL, NULL, &failure));
    OK(dualseal_identity_batch_id(batch, MANY + 1, id, sizeof id, &failure));
    CHECK(strcmp(id, expected) == 0);
    GIVES(DUALSEAL_STATUS_BUFFER_LENGTH, dualseal_identity_batch_id(batch, 0, id, 64, &failure));
    dualseal_identity_batch_free(batch);
}

/* Seal 7 is the only bad one, on whatever threads. */
static void seals_are_checked_on(const bench *b, size_t threads)
{
    dualseal_seal_batch *batch = seals(b, b->ring);
    progress seen = {0, 0, 0};
    for (size_t i = 0; i < 20; i++) {
        const uint8_t *payload = i == 7 ? (const uint8_t *)"two contract" : TEXT;
        OK(dualseal_seal_batch_push(batch, b->dual, payload, LENGTH, ANA, BOTH, b->key, NULL, &failure));
    }
    OK(dualseal_seal_batch_run(batch, threads, told, &seen, &failure));
    CHECK(seen.calls == 1 && seen.done == 20 && seen.all == 20);
    for (size_t i = 0; i < 20; i++) {
        GIVES(i == 7 ? DUALSEAL_STATUS_INVALID : DUALSEAL_STATUS_VALID,
              dualseal_seal_batch_report(batch, i, NULL, &failure));
    }
    dualseal_seal_batch_free(batch);
}

static void identifiers_are_found_on(const bench *b, size_t threads, size_t count)
{
    dualseal_identity_batch *batch = NULL;
    progress seen = {0, 0, 0};
    char id[DUALSEAL_ID_TEXT_BYTES], expected[DUALSEAL_ID_TEXT_BYTES];
    OK(dualseal_identity_batch_new(b->domain, &batch, &failure));
    for (size_t i = 0; i < count; i++) {
        OK(dualseal_identity_batch_push(batch, (const uint8_t *)&i, sizeof i, "ana", "", &failure));
    }
    OK(dualseal_identity_batch_run(batch, threads, told, &seen, &failure));
    CHECK(seen.calls == (count + 255) / 256 && seen.done == count && seen.all == count);
    for (size_t i = 0; i < count; i++) {
        OK(dualseal_identity_batch_id(batch, i, id, sizeof id, &failure));
        OK(dualseal_identity_id(b->domain, (const uint8_t *)&i, sizeof i, "ana", "", expected, sizeof expected,
                                &failure));
        CHECK(strcmp(id, expected) == 0);
    }
    dualseal_identity_batch_free(batch);
}

static void any_number_of_threads_gives_the_same(const bench *b)
{
    const size_t threads[] = {0, 1, 2, 3}, sizes[] = {1, 2, 255, 256, 257};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        seals_are_checked_on(b, threads[i]);
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            identifiers_are_found_on(b, threads[i], sizes[j]);
        }
    }
    /* As many as there are items. */
    identifiers_are_found_on(b, 1024, 8);
}

static void absurd_numbers_of_threads_are_refused(const bench *b)
{
    dualseal_seal_batch *batch = seals(b, b->ring);
    dualseal_identity_batch *ids = NULL;
    progress seen = {0, 0, 0};
    char id[DUALSEAL_ID_TEXT_BYTES];
    OK(dualseal_identity_batch_new(b->domain, &ids, &failure));
    OK(dualseal_seal_batch_push(batch, b->dual, TEXT, LENGTH, ANA, BOTH, b->key, NULL, &failure));
    OK(dualseal_identity_batch_push(ids, TEXT, LENGTH, "ana", "", &failure));
    const size_t absurd[] = {1025, SIZE_MAX};
    for (size_t i = 0; i < 2; i++) {
        FAILS(DUALSEAL_STATUS_RANGE, "threads", -1,
              dualseal_seal_batch_run(batch, absurd[i], told, &seen, &failure));
        FAILS(DUALSEAL_STATUS_RANGE, "threads", -1,
              dualseal_identity_batch_run(ids, absurd[i], told, &seen, &failure));
    }
    /* What waited still waits. */
    CHECK(seen.calls == 0);
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_seal_batch_report(batch, 0, NULL, &failure));
    OK(dualseal_seal_batch_run(batch, 1024, NULL, NULL, &failure));
    OK(dualseal_identity_batch_run(ids, 1024, NULL, NULL, &failure));
    OK(dualseal_seal_batch_report(batch, 0, NULL, &failure));
    OK(dualseal_identity_batch_id(ids, 0, id, sizeof id, &failure));
    dualseal_seal_batch_free(batch);
    dualseal_identity_batch_free(ids);
}

static void *seals_are_checked(void *of)
{
    running = pthread_self();
    seals_are_checked_on((const bench *)of, 2);
    seals_are_checked_on((const bench *)of, 0);
    return NULL;
}

/* A server that ran a batch and then forks its workers: theirs start threads of their own. */
static void a_forked_process_runs_batches(bench *b)
{
    int status = 0;
    in_a_thread(seals_are_checked, b);
    fflush(NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        /* One that hangs is ended by the alarm, which is no clean exit. */
        alarm(300);
        in_a_thread(seals_are_checked, b);
        tear_down(b);
        exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void *one_of_several(void *of)
{
    const bench *b = (const bench *)of;
    dualseal_seal_batch *batch = NULL;
    CHECK(dualseal_seal_batch_new(b->domain, b->ring, NULL, &batch, NULL) == DUALSEAL_OK);
    for (size_t i = 0; i < 20; i++) {
        CHECK(dualseal_seal_batch_push(batch, b->dual, TEXT, LENGTH, ANA, BOTH, b->key, NULL, NULL) == DUALSEAL_OK);
    }
    CHECK(dualseal_seal_batch_run(batch, 2, NULL, NULL, NULL) == DUALSEAL_OK);
    for (size_t i = 0; i < 20; i++) {
        CHECK(dualseal_seal_batch_report(batch, i, NULL, NULL) == DUALSEAL_OK);
    }
    dualseal_seal_batch_free(batch);
    return NULL;
}

static void several_threads_run_batches_at_once(bench *b)
{
    pthread_t threads[3];
    for (size_t i = 0; i < 3; i++) {
        CHECK(pthread_create(&threads[i], NULL, one_of_several, b) == 0);
    }
    for (size_t i = 0; i < 3; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
}

static void null_and_unknown_values(const bench *b)
{
    dualseal_seal_batch *batch = seals(b, b->ring), *no = NULL;
    dualseal_identity_batch *ids = NULL, *no_ids = NULL;
    dualseal_seal_report *report = NULL;
    const dualseal_seal_key *k = b->key;
    const char *s = b->dual;
    char id[DUALSEAL_ID_TEXT_BYTES];
    size_t n = LENGTH;
    NULL_IS("domain", dualseal_seal_batch_new(NULL, b->ring, NULL, &no, &failure));
    NULL_IS("ring", dualseal_seal_batch_new(b->domain, NULL, NULL, &no, &failure));
    NULL_IS("batch", dualseal_seal_batch_new(b->domain, b->ring, NULL, NULL, &failure));
    NULL_IS("batch", dualseal_seal_batch_push(NULL, s, TEXT, n, ANA, BOTH, k, NULL, &failure));
    NULL_IS("seal", dualseal_seal_batch_push(batch, NULL, TEXT, n, ANA, BOTH, k, NULL, &failure));
    NULL_IS("payload", dualseal_seal_batch_push(batch, s, NULL, n, ANA, BOTH, k, NULL, &failure));
    NULL_IS("identity_id", dualseal_seal_batch_push(batch, s, TEXT, n, NULL, BOTH, k, NULL, &failure));
    NULL_IS("seal_key", dualseal_seal_batch_push(batch, s, TEXT, n, ANA, BOTH, NULL, NULL, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "policy", -1,
          dualseal_seal_batch_push(batch, s, TEXT, n, ANA, (dualseal_seal_policy)3, k, NULL, &failure));
    NULL_IS("batch", dualseal_seal_batch_push_authentication(NULL, s, TEXT, n, ANA, k, 0, &failure));
    NULL_IS("seal", dualseal_seal_batch_push_authentication(batch, NULL, TEXT, n, ANA, k, 0, &failure));
    NULL_IS("payload", dualseal_seal_batch_push_authentication(batch, s, NULL, n, ANA, k, 0, &failure));
    NULL_IS("identity_id", dualseal_seal_batch_push_authentication(batch, s, TEXT, n, NULL, k, 0, &failure));
    NULL_IS("seal_key", dualseal_seal_batch_push_authentication(batch, s, TEXT, n, ANA, NULL, 0, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "legacy_permitted", -1,
          dualseal_seal_batch_push_authentication(batch, s, TEXT, n, ANA, k, 2, &failure));
    NULL_IS("batch", dualseal_seal_batch_run(NULL, 0, told, NULL, &failure));
    NULL_IS("batch", dualseal_seal_batch_report(NULL, 0, &report, &failure));
    NULL_IS("batch", dualseal_seal_batch_authentication(NULL, 0, &report, &failure));
    /* None of them was added. */
    OK(dualseal_seal_batch_run(batch, 0, NULL, NULL, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_seal_batch_report(batch, 0, &report, &failure));

    OK(dualseal_identity_batch_new(b->domain, &ids, &failure));
    mark(id, sizeof id);
    NULL_IS("domain", dualseal_identity_batch_new(NULL, &no_ids, &failure));
    NULL_IS("batch", dualseal_identity_batch_new(b->domain, NULL, &failure));
    NULL_IS("batch", dualseal_identity_batch_push(NULL, TEXT, n, "", "", &failure));
    NULL_IS("content", dualseal_identity_batch_push(ids, NULL, n, "", "", &failure));
    NULL_IS("creator", dualseal_identity_batch_push(ids, TEXT, n, NULL, "", &failure));
    NULL_IS("context", dualseal_identity_batch_push(ids, TEXT, n, "", NULL, &failure));
    NULL_IS("batch", dualseal_identity_batch_run(NULL, 0, told, NULL, &failure));
    NULL_IS("batch", dualseal_identity_batch_id(NULL, 0, id, sizeof id, &failure));
    NULL_IS("identity_id", dualseal_identity_batch_id(ids, 0, NULL, sizeof id, &failure));
    OK(dualseal_identity_batch_run(ids, 0, NULL, NULL, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_identity_batch_id(ids, 0, id, sizeof id, &failure));
    CHECK(no == NULL && no_ids == NULL && report == NULL && marked(id, sizeof id));

    /* What waits is freed with its batch. */
    OK(dualseal_seal_batch_push(batch, s, TEXT, n, ANA, BOTH, k, NULL, &failure));
    OK(dualseal_identity_batch_push(ids, TEXT, n, "ana", "", &failure));
    dualseal_seal_batch_free(batch);
    dualseal_identity_batch_free(ids);
    dualseal_seal_batch_free(NULL);
    dualseal_identity_batch_free(NULL);
}

static void *each_is_as_alone(void *of)
{
    const bench *b = (const bench *)of;
    running = pthread_self();
    each_seal_is_checked_under_its_own_policy(b);
    a_bad_seal_in_the_middle_stops_no_other(b);
    the_state_of_the_key_counts(b);
    identifiers_are_those_of_single_calls(b);
    any_number_of_threads_gives_the_same(b);
    absurd_numbers_of_threads_are_refused(b);
    null_and_unknown_values(b);
    return NULL;
}

int main(void)
{
    bench b;
    set_up(&b);
    in_a_thread(each_is_as_alone, &b);
    a_forked_process_runs_batches(&b);
    several_threads_run_batches_at_once(&b);
    tear_down(&b);
    return 0;
}
