/* What every test program here shares: checks that name the line, and a few small helpers. */
#ifndef DUALSEAL_CHECK_H
#define DUALSEAL_CHECK_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dualseal.h"

#define ORIGIN "example.org/log"
/* 2026-11-21T09:00:00.000Z. */
#define TIME INT64_C(1795251600000)
/* SHA3-256 of "DUALSEAL-ID::::ana::::DUALSEAL" and of the same with "bob". */
#define ANA "44e4883e428e7ca79ee1d6f20572a8ee60b66b5aff40ef06d9e5365c6481cff4"
#define BOB "92e146bc9740ad81d1a79e0cec27aac46636dbf892128ba2d67505a1eb8cad60"

#define CHECK(condition)                                                                    \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);         \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)

static inline size_t length_of(const char *text)
{
    return text == NULL ? 0 : strlen(text);
}

/* A text as two arguments. */
#define SIZED(text) (text), length_of(text)

/* That a program has no ring to ask about a key, as two arguments. */
#define NO_RING NULL, 1
/* No checkpoint that a chain is held against. */
#define NO_CHECKPOINT NULL, 1

/* What an error tells of shares: those at fault, and those of another set. */
#define FAULTS(culprits, foreign) "{\"culprits\":" culprits ",\"foreign\":" foreign "}"

/* Where the call under test leaves its error. */
static dualseal_error *failure;

/* A verdict or success leaves no error; every other status comes with one that says the same, of an argument or a
   member of a record by its name. */
static inline void check_status(const char *file, int line, dualseal_status found, int32_t expected,
                                const char *field, int64_t index)
{
    const char *place = dualseal_error_field(failure);
    int good = found == expected;
    if (expected < 100) {
        good = good && failure == NULL;
    } else {
        good = good && failure != NULL && strlen(dualseal_error_message(failure)) > 0
            && (field == NULL || (place != NULL && strcmp(place, field) == 0))
            && (index == -2 || dualseal_error_index(failure) == index)
            && (place == NULL || (strchr(place, ' ') == NULL && strcmp(place, "json") != 0));
    }
    if (!good) {
        fprintf(stderr, "%s:%d: status %d, expected %d; error: %s (%s, %ld)\n", file, line, (int)found, (int)expected,
                failure ? dualseal_error_message(failure) : "none", place ? place : "no field",
                (long)dualseal_error_index(failure));
        exit(1);
    }
    dualseal_error_free(failure);
    failure = NULL;
}

/* Each takes a call whose last argument is `&failure`. */
#define GIVES(expected, call) check_status(__FILE__, __LINE__, (call), (expected), NULL, -2)
#define OK(call) GIVES(DUALSEAL_OK, call)
#define FAILS(expected, field, index, call) check_status(__FILE__, __LINE__, (call), (expected), (field), (index))
#define NULL_IS(field, call) FAILS(DUALSEAL_STATUS_NULL_ARGUMENT, field, -1, call)

/* Runs `work` in a thread of its own and waits. Rust's standard library gives a thread that runs a batch on others a
   handle to itself, freed as the thread ends; valgrind counts a main thread's as lost. */
static inline void in_a_thread(void *(*work)(void *), void *of)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, work, of) == 0 && pthread_join(thread, NULL) == 0);
}

static inline void *owned(void *memory)
{
    CHECK(memory != NULL);
    return memory;
}

/* A copy of `text` with the first `from` replaced, which must be there. The caller frees it. */
static inline char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    CHECK(at != NULL);
    size_t before = (size_t)(at - text), size = strlen(text) - strlen(from) + strlen(to) + 1;
    char *copy = (char *)owned(malloc(size));
    memcpy(copy, text, before);
    memcpy(copy + before, to, strlen(to));
    memcpy(copy + before + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    return copy;
}

/* Bytes that are told from what the library writes. */
static inline void mark(void *memory, size_t length)
{
    memset(memory, '#', length);
}

static inline int marked(const void *memory, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)memory;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != '#') {
            return 0;
        }
    }
    return 1;
}

static inline dualseal_domain *test_domain(void)
{
    dualseal_domain *domain = NULL;
    OK(dualseal_domain_new("DUALSEAL", &domain, &failure));
    return domain;
}

/* The key whose seed is 32 times this byte. */
static inline dualseal_signing_key *test_key(uint8_t byte)
{
    uint8_t seed[DUALSEAL_SEED_BYTES];
    dualseal_signing_key *key = NULL;
    memset(seed, byte, sizeof seed);
    OK(dualseal_signing_key_from_seed(seed, sizeof seed, &key, &failure));
    return key;
}

/* Its public half. */
static inline void test_public_key(uint8_t byte, uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES])
{
    dualseal_signing_key *key = test_key(byte);
    OK(dualseal_signing_key_public_key(key, public_key, DUALSEAL_PUBLIC_KEY_BYTES, &failure));
    dualseal_signing_key_free(key);
}

static inline dualseal_head *test_head(void)
{
    dualseal_head *head = NULL;
    OK(dualseal_head_new(NULL, 0, &head, &failure));
    return head;
}

/* It leaves the error of the call before as it is. */
static inline uint64_t size_of_chain(const dualseal_head *head)
{
    uint64_t size = UINT64_MAX;
    CHECK(dualseal_head_parts(head, &size, NULL, 0, NULL, 0, NULL, NULL) == DUALSEAL_OK);
    return size;
}

/* A head like this one, to come back to. */
static inline dualseal_head *copy_of(const dualseal_head *head)
{
    char *json = NULL;
    dualseal_head *copy = NULL;
    OK(dualseal_head_parts(head, NULL, NULL, 0, NULL, 0, &json, &failure));
    OK(dualseal_head_new(SIZED(json), &copy, &failure));
    dualseal_string_free(json);
    return copy;
}

/* A reader of the whole chain, under a checkpoint where that is not NULL. */
static inline dualseal_chain_reader *reader_under(const dualseal_domain *domain, const dualseal_checkpoint *checkpoint)
{
    dualseal_chain_reader *reader = NULL;
    OK(dualseal_chain_reader_new(domain, NULL, checkpoint, checkpoint == NULL, NULL, &reader, &failure));
    return reader;
}

/* Gives these lines to a reader and ends it: what it proved, and where the lines end unless that is NULL. */
static inline dualseal_proofs *read_to(dualseal_chain_reader *reader, char *const *lines, size_t count,
                                       dualseal_head **head)
{
    dualseal_proofs *proofs = NULL;
    for (size_t i = 0; i < count; i++) {
        OK(dualseal_chain_reader_push(reader, SIZED(lines[i]), &failure));
    }
    OK(dualseal_chain_reader_finish(reader, &proofs, NULL, head, &failure));
    dualseal_chain_reader_free(reader);
    return proofs;
}

/* Where these lines end. */
static inline dualseal_head *head_after(const dualseal_domain *domain, char *const *lines, size_t count)
{
    dualseal_head *head = NULL;
    dualseal_proofs_free(read_to(reader_under(domain, NULL), lines, count, &head));
    return head;
}

/* What a ring file gives to whoever begins where it was written: the status of the check, and the ring. */
static inline dualseal_status resumed(const dualseal_domain *domain, const char *ring_json,
                                      const dualseal_ring_key *ring_key, const dualseal_head *head,
                                      dualseal_ring **ring)
{
    dualseal_chain_reader *reader = NULL;
    dualseal_proofs *proofs = NULL;
    dualseal_watched watched = 0;
    dualseal_status status =
        dualseal_chain_reader_from_ring_file(domain, SIZED(ring_json), head, &reader, &failure);
    if (status == DUALSEAL_OK) {
        status = dualseal_chain_reader_watch_ring(reader, SIZED(ring_json), ring_key, NULL, 0, &watched, &failure);
    }
    if (status == DUALSEAL_OK) {
        status = dualseal_chain_reader_finish(reader, &proofs, NULL, NULL, &failure);
    }
    if (status == DUALSEAL_OK) {
        status = dualseal_proofs_ring(proofs, watched, ring, NULL, &failure);
    }
    dualseal_proofs_free(proofs);
    dualseal_chain_reader_free(reader);
    return status;
}

/* Takes a ring past the entries of these lines, which neither changed it nor sealed a document. */
static inline void follow(dualseal_ring *ring, char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        OK(dualseal_ring_follow(ring, SIZED(lines[i]), NULL, 0, &failure));
    }
}

/* The same with an entry that was appended just now. */
static inline void follow_entry(dualseal_ring *ring, const char *entry)
{
    char *line = NULL;
    OK(dualseal_entry_parts(SIZED(entry), &line, NULL, 0, &failure));
    follow(ring, &line, 1);
    dualseal_string_free(line);
}

/* A ring like this one, which was followed to the head, by way of its file. */
static inline dualseal_ring *copy_of_ring(const dualseal_domain *domain, const dualseal_ring *ring,
                                          const dualseal_ring_key *ring_key, const dualseal_head *head)
{
    char *json = NULL;
    dualseal_ring *copy = NULL;
    OK(dualseal_ring_to_stored_json(ring, head, &json, &failure));
    OK(resumed(domain, json, ring_key, head, &copy));
    dualseal_string_free(json);
    return copy;
}

/* What is signed of content for an identity, good until the next call. */
static inline const char *hashed(const dualseal_domain *domain, const char *identity_id, const void *content,
                                 size_t length)
{
    static char hash[DUALSEAL_ID_TEXT_BYTES];
    OK(dualseal_content_hash(domain, identity_id, (const uint8_t *)content, length, hash, sizeof hash, &failure));
    return hash;
}

/* The verdict that the operator's result tells. */
static inline int32_t kind_of(const dualseal_verdict *verdict)
{
    char *json = NULL;
    OK(dualseal_verdict_to_json(verdict, DUALSEAL_AUDIENCE_OPERATOR, &json, NULL, &failure));
    int32_t kind = strstr(json, "\"validan\":true") != NULL           ? DUALSEAL_STATUS_VALID
                   : strstr(json, "\"razlog\":\"revoked\"") != NULL   ? DUALSEAL_STATUS_REVOKED
                   : strstr(json, "\"razlog\":\"suspended\"") != NULL ? DUALSEAL_STATUS_SUSPENDED
                   : strstr(json, "\"razlog\":\"decoy\"") != NULL     ? DUALSEAL_STATUS_DECOY
                                                                      : DUALSEAL_STATUS_INVALID;
    dualseal_string_free(json);
    return kind;
}

/* The first checkpoint of a log, by Bob, with its ring, which was followed to the head. */
static inline char *first_checkpoint(const dualseal_domain *domain, const dualseal_signing_key *key,
                                     const dualseal_head *head, const dualseal_ring *ring)
{
    char *mark = NULL, *json = NULL;
    OK(dualseal_mark_first(ORIGIN, head, ring, ring == NULL, &mark, &failure));
    OK(dualseal_checkpoint_sign(domain, BOB, key, NO_RING, NULL, SIZED(mark), TIME, &json, &failure));
    dualseal_string_free(mark);
    return json;
}

/* A verified checkpoint over a chain, stating its ring, by the log's key, which is that of byte 5. */
static inline dualseal_checkpoint *test_checkpoint_of(const dualseal_domain *domain, const dualseal_head *head,
                                                      const dualseal_ring *ring)
{
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    char hash[DUALSEAL_ID_TEXT_BYTES];
    dualseal_signing_key *log = test_key(5);
    dualseal_checkpoint *checkpoint = NULL;
    test_public_key(5, key);
    OK(dualseal_public_key_hash(key, sizeof key, hash, sizeof hash, &failure));
    char *json = first_checkpoint(domain, log, head, ring);
    OK(dualseal_checkpoint_verify(domain, ORIGIN, BOB, hash, 1, NO_RING, NULL, SIZED(json), &checkpoint, NULL,
                                  &failure));
    dualseal_string_free(json);
    dualseal_signing_key_free(log);
    return checkpoint;
}

/* The same of a chain without a ring. */
static inline dualseal_checkpoint *test_checkpoint(const dualseal_domain *domain, const dualseal_head *head)
{
    return test_checkpoint_of(domain, head, NULL);
}

/* The proof of the place of one of these lines. */
static inline dualseal_located *test_place(const dualseal_domain *d, const dualseal_head *head, char *const *lines,
                                           size_t count, const char *krunica_hash)
{
    const char *const wanted[] = {krunica_hash};
    dualseal_checkpoint *checkpoint = test_checkpoint(d, head);
    dualseal_chain_reader *reader = reader_under(d, checkpoint);
    dualseal_located *located = NULL;
    dualseal_watched watched = 0;
    OK(dualseal_chain_reader_watch_places(reader, wanted, 1, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, lines, count, NULL);
    OK(dualseal_proofs_place(proofs, watched, krunica_hash, 0, &located, NULL, &failure));
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(checkpoint);
    return located;
}

/* The value of a text member, named as `"name":"`, which has this length. */
static inline void member(const char *json, const char *name, char *value, size_t length)
{
    const char *at = strstr(json, name);
    CHECK(at != NULL);
    memcpy(value, at + strlen(name), length);
    value[length] = '\0';
}

/* A text is this one; it is freed. */
static inline void is(char *text, const char *expected)
{
    if (text == NULL || strcmp(text, expected) != 0) {
        fprintf(stderr, "found    %s\nexpected %s\n", text ? text : "NULL", expected);
        exit(1);
    }
    dualseal_string_free(text);
}

/* Where the element at a position of a JSON array begins, and how long it is; 0 behind the last. */
static inline const char *element_at(const char *list, size_t position, size_t *length)
{
    const char *start = ++list;
    int depth = 0, quoted = 0;
    for (;; list++) {
        CHECK(*list != '\0');
        if (*list == '"') {
            quoted = !quoted;
        } else if (!quoted && (*list == '[' || *list == '{')) {
            depth++;
        } else if (!quoted && depth == 0 && (*list == ',' || *list == ']')) {
            *length = (size_t)(list - start);
            if (position-- == 0 || *list == ']') {
                return start;
            }
            start = list + 1;
        } else if (!quoted && (*list == ']' || *list == '}')) {
            depth--;
        }
    }
}

/* The element at a position of a list, which the caller frees. */
static inline char *element(const char *list, size_t position)
{
    size_t length = 0;
    const char *start = element_at(list, position, &length);
    char *copy = (char *)owned(malloc(length + 1));
    memcpy(copy, start, length);
    copy[length] = '\0';
    return copy;
}

/* The list of the elements from `from` to before `to`, which the caller frees. */
static inline char *slice(const char *list, size_t from, size_t to)
{
    char *copy = (char *)owned(malloc(strlen(list) + 1)), *end = copy;
    *end++ = '[';
    for (size_t i = from; i < to; i++) {
        size_t length = 0;
        const char *start = element_at(list, i, &length);
        if (i > from) {
            *end++ = ',';
        }
        memcpy(end, start, length);
        end += length;
    }
    memcpy(end, "]", 2);
    return copy;
}

/* A list with one more element, which the caller frees. */
static inline char *with(const char *list, const char *more)
{
    char *copy = (char *)owned(malloc(strlen(list) + strlen(more) + 2));
    sprintf(copy, "%.*s%s%s]", (int)strlen(list) - 1, list, list[1] == ']' ? "" : ",", more);
    return copy;
}

static inline size_t count_of(const char *list)
{
    size_t count = 0, length = 0;
    if (strcmp(list, "[]") != 0) {
        const char *start = list;
        do {
            start = element_at(list, count++, &length);
        } while (start[length] != ']' || start[length + 1] != '\0');
    }
    return count;
}

#endif
