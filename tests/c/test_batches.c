/* Batches of signatures: each has what the single call gives, none stops the rest, and the threads change nothing.
   Under valgrind. */
#define _POSIX_C_SOURCE 200809L
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define MANY ((size_t)300)

/* A record by ANA, the hashes of what she signed and of something else, and the proof of the record's place. */
typedef struct {
    dualseal_domain *domain;
    dualseal_ring *ring, *retired;
    dualseal_ring_key *ring_key;
    dualseal_head *head;
    dualseal_located *located;
    char good[DUALSEAL_ID_TEXT_BYTES], bad[DUALSEAL_ID_TEXT_BYTES], *record;
} bench;

static void set_up(bench *b)
{
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    char *entries[2] = {NULL}, *lines[2] = {NULL}, place[DUALSEAL_ID_TEXT_BYTES];
    dualseal_signing_key *key = test_key(7);
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->head = test_head();
    test_public_key(7, public_key);
    OK(dualseal_ring_key_generate(b->domain, &b->ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, b->ring_key, &b->ring, &failure));
    OK(dualseal_ring_add(b->ring, ANA, public_key, sizeof public_key, b->head, TIME, &entries[0],
                         &failure));
    strcpy(b->good, hashed(b->domain, ANA, "one contract", 12));
    strcpy(b->bad, hashed(b->domain, ANA, "two contract", 12));
    OK(dualseal_signature_sign(b->domain, ANA, key, NO_RING, b->good, b->head, TIME, &b->record, &entries[1],
                               &failure));
    OK(dualseal_entry_parts(SIZED(entries[1]), NULL, place, sizeof place, &failure));

    for (int i = 0; i < 2; i++) {
        OK(dualseal_entry_parts(SIZED(entries[i]), &lines[i], NULL, 0, &failure));
        dualseal_string_free(entries[i]);
    }
    follow(b->ring, lines + 1, 1);
    b->located = test_place(b->domain, b->head, lines, 2, place);
    dualseal_string_free(lines[0]);
    dualseal_string_free(lines[1]);
    b->retired = copy_of_ring(b->domain, b->ring, b->ring_key, b->head);
    test_public_key(8, public_key);
    dualseal_head *head = copy_of(b->head);
    OK(dualseal_ring_rotate(b->retired, ANA, public_key, sizeof public_key, head, TIME, &entries[0], &failure));
    dualseal_head_free(head);
    dualseal_string_free(entries[0]);
    dualseal_signing_key_free(key);
}

static void tear_down(bench *b)
{
    dualseal_string_free(b->record);
    dualseal_located_free(b->located);
    dualseal_head_free(b->head);
    dualseal_ring_key_free(b->ring_key);
    dualseal_ring_free(b->retired);
    dualseal_ring_free(b->ring);
    dualseal_domain_free(b->domain);
}

static dualseal_signature_batch *batch_of(const bench *b, const dualseal_ring *ring)
{
    dualseal_signature_batch *batch = NULL;
    OK(dualseal_signature_batch_new(b->domain, ring, NULL, &batch, &failure));
    return batch;
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

static void a_bad_record_in_the_middle_stops_no_other(const bench *b)
{
    dualseal_signature_batch *batch = NULL;
    dualseal_key_cache *cache = NULL;
    dualseal_verdict *verdict = NULL;
    progress seen = {0, 0, 0};
    OK(dualseal_key_cache_new(1 << 20, &cache, &failure));
    OK(dualseal_signature_batch_new(b->domain, b->ring, cache, &batch, &failure));
    /* The batch keeps what it needs of the cache. */
    dualseal_key_cache_free(cache);
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_signature_batch_verdict(batch, 0, &verdict, &failure));
    OK(dualseal_signature_batch_run(batch, 0, told, &seen, &failure));
    CHECK(seen.calls == 0);
    for (size_t i = 0; i < MANY; i++) {
        if (i == 200) {
            /* One that cannot be read is not added. */
            GIVES(DUALSEAL_STATUS_JSON_SYNTAX, dualseal_signature_batch_push(batch, ANA, b->good, SIZED("{"), NULL,
                &failure));
            GIVES(DUALSEAL_STATUS_LENGTH,
                  dualseal_signature_batch_push(batch, ANA, "00", SIZED(b->record), NULL, &failure));
        }
        OK(dualseal_signature_batch_push(batch, ANA, i == 150 ? b->bad : b->good, SIZED(b->record), NULL, &failure));
    }
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_signature_batch_verdict(batch, 0, &verdict, &failure));
    OK(dualseal_signature_batch_run(batch, 0, told, &seen, &failure));
    CHECK(seen.calls == 2 && seen.done == MANY && seen.all == MANY);
    for (size_t i = 0; i < MANY; i++) {
        const int32_t expected = i == 150 ? DUALSEAL_STATUS_INVALID : DUALSEAL_STATUS_VALID;
        GIVES(expected, dualseal_signature_batch_verdict(batch, i, &verdict, &failure));
        CHECK(kind_of(verdict) == expected);
        dualseal_verdict_free(verdict);
    }
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_signature_batch_verdict(batch, MANY, NULL, &failure));
    /* What is added later goes on from there, and what has a verdict keeps it. */
    OK(dualseal_signature_batch_push(batch, ANA, b->good, SIZED(b->record), NULL, &failure));
    OK(dualseal_signature_batch_run(batch, 0, NULL, NULL, &failure));
    OK(dualseal_signature_batch_verdict(batch, MANY, NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_signature_batch_verdict(batch, 150, NULL, &failure));
    dualseal_signature_batch_free(batch);
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
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        dualseal_ring *ring = copy_of_ring(b->domain, b->ring, b->ring_key, b->head);
        dualseal_head *head = copy_of(b->head);
        char *entry = NULL;
        dualseal_signature_batch *both[2] = {batch_of(b, ring), NULL};
        OK(dualseal_ring_set_state(ring, ANA, NULL, states[i].state, NULL, head, TIME, &entry, &failure));
        both[1] = batch_of(b, ring);
        dualseal_string_free(entry);
        dualseal_head_free(head);
        dualseal_ring_free(ring);
        for (size_t j = 0; j < 2; j++) {
            OK(dualseal_signature_batch_push(both[j], ANA, b->good, SIZED(b->record), NULL, &failure));
            OK(dualseal_signature_batch_run(both[j], 0, NULL, NULL, &failure));
            GIVES(j == 0 ? DUALSEAL_STATUS_VALID : states[i].expected,
                  dualseal_signature_batch_verdict(both[j], 0, NULL, &failure));
            dualseal_signature_batch_free(both[j]);
        }
    }
}

static void a_place_counts_as_it_does_alone(const bench *b)
{
    dualseal_signature_batch *batch = batch_of(b, b->retired);
    OK(dualseal_signature_batch_push(batch, ANA, b->good, SIZED(b->record), NULL, &failure));
    OK(dualseal_signature_batch_push(batch, ANA, b->good, SIZED(b->record), b->located, &failure));
    OK(dualseal_signature_batch_run(batch, 0, NULL, NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_signature_batch_verdict(batch, 0, NULL, &failure));
    OK(dualseal_signature_batch_verdict(batch, 1, NULL, &failure));
    dualseal_signature_batch_free(batch);
}

/* Record 7 is the only bad one, on whatever threads. */
static void verified_on(const bench *b, size_t threads, size_t count)
{
    dualseal_signature_batch *batch = batch_of(b, b->ring);
    progress seen = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        OK(dualseal_signature_batch_push(batch, ANA, i == 7 ? b->bad : b->good, SIZED(b->record), NULL, &failure));
    }
    OK(dualseal_signature_batch_run(batch, threads, told, &seen, &failure));
    CHECK(seen.calls == (count + 255) / 256 && seen.done == count && seen.all == count);
    for (size_t i = 0; i < count; i++) {
        GIVES(i == 7 ? DUALSEAL_STATUS_INVALID : DUALSEAL_STATUS_VALID,
              dualseal_signature_batch_verdict(batch, i, NULL, &failure));
    }
    dualseal_signature_batch_free(batch);
}

static void any_number_of_threads_gives_the_same(const bench *b)
{
    const size_t threads[] = {0, 1, 2, 3}, sizes[] = {1, 2, 20};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            verified_on(b, threads[i], sizes[j]);
        }
    }
    verified_on(b, 2, 257);
    /* As many as there are items. */
    verified_on(b, 1024, 8);
}

static void absurd_numbers_of_threads_are_refused(const bench *b)
{
    dualseal_signature_batch *batch = batch_of(b, b->ring);
    progress seen = {0, 0, 0};
    OK(dualseal_signature_batch_push(batch, ANA, b->good, SIZED(b->record), NULL, &failure));
    const size_t absurd[] = {1025, SIZE_MAX};
    for (size_t i = 0; i < 2; i++) {
        FAILS(DUALSEAL_STATUS_RANGE, "threads", -1,
              dualseal_signature_batch_run(batch, absurd[i], told, &seen, &failure));
    }
    /* What waited still waits. */
    CHECK(seen.calls == 0);
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_signature_batch_verdict(batch, 0, NULL, &failure));
    OK(dualseal_signature_batch_run(batch, 1024, NULL, NULL, &failure));
    OK(dualseal_signature_batch_verdict(batch, 0, NULL, &failure));
    dualseal_signature_batch_free(batch);
}

static void *verified(void *of)
{
    running = pthread_self();
    verified_on((const bench *)of, 2, 20);
    verified_on((const bench *)of, 0, 20);
    return NULL;
}

/* A server that ran a batch and then forks its workers: theirs start threads of their own. */
static void a_forked_process_runs_batches(bench *b)
{
    int status = 0;
    in_a_thread(verified, b);
    fflush(NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        /* One that hangs is ended by the alarm, which is no clean exit. */
        alarm(300);
        in_a_thread(verified, b);
        tear_down(b);
        exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void *one_of_several(void *of)
{
    const bench *b = (const bench *)of;
    dualseal_signature_batch *batch = NULL;
    CHECK(dualseal_signature_batch_new(b->domain, b->ring, NULL, &batch, NULL) == DUALSEAL_OK);
    for (size_t i = 0; i < 20; i++) {
        CHECK(dualseal_signature_batch_push(batch, ANA, b->good, SIZED(b->record), NULL, NULL) == DUALSEAL_OK);
    }
    CHECK(dualseal_signature_batch_run(batch, 2, NULL, NULL, NULL) == DUALSEAL_OK);
    for (size_t i = 0; i < 20; i++) {
        CHECK(dualseal_signature_batch_verdict(batch, i, NULL, NULL) == DUALSEAL_OK);
    }
    dualseal_signature_batch_free(batch);
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

static void null_everywhere(const bench *b)
{
    dualseal_signature_batch *batch = batch_of(b, b->ring), *no = NULL;
    dualseal_verdict *verdict = NULL;
    NULL_IS("domain", dualseal_signature_batch_new(NULL, b->ring, NULL, &no, &failure));
    NULL_IS("ring", dualseal_signature_batch_new(b->domain, NULL, NULL, &no, &failure));
    NULL_IS("batch", dualseal_signature_batch_new(b->domain, b->ring, NULL, NULL, &failure));
    NULL_IS("batch", dualseal_signature_batch_push(NULL, ANA, b->good, SIZED(b->record), NULL, &failure));
    NULL_IS("identity_id", dualseal_signature_batch_push(batch, NULL, b->good, SIZED(b->record), NULL, &failure));
    NULL_IS("content_hash", dualseal_signature_batch_push(batch, ANA, NULL, SIZED(b->record), NULL, &failure));
    NULL_IS("record_json", dualseal_signature_batch_push(batch, ANA, b->good, SIZED(NULL), NULL, &failure));
    NULL_IS("batch", dualseal_signature_batch_run(NULL, 0, told, NULL, &failure));
    NULL_IS("batch", dualseal_signature_batch_verdict(NULL, 0, &verdict, &failure));
    /* None of them was added, and what waits is freed with its batch. */
    OK(dualseal_signature_batch_run(batch, 0, NULL, NULL, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_signature_batch_verdict(batch, 0, &verdict, &failure));
    OK(dualseal_signature_batch_push(batch, ANA, b->good, SIZED(b->record), b->located, &failure));
    CHECK(no == NULL && verdict == NULL);
    dualseal_signature_batch_free(batch);
    dualseal_signature_batch_free(NULL);
}

static void *each_is_as_alone(void *of)
{
    const bench *b = (const bench *)of;
    running = pthread_self();
    a_bad_record_in_the_middle_stops_no_other(b);
    the_state_of_the_key_counts(b);
    a_place_counts_as_it_does_alone(b);
    any_number_of_threads_gives_the_same(b);
    absurd_numbers_of_threads_are_refused(b);
    null_everywhere(b);
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
