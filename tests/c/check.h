/* What every test program here shares: checks that name the line, and a few small helpers. */
#ifndef DUALSEAL_CHECK_H
#define DUALSEAL_CHECK_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dualseal.h"

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

/* Where the call under test leaves its error. */
static dualseal_error *failure;

/* A verdict or success leaves no error; every other status comes with one that says the same. */
static inline void check_status(const char *file, int line, dualseal_status found, int32_t expected,
                                const char *field, int64_t index)
{
    const char *place = dualseal_error_field(failure);
    int good = found == expected;
    if (expected < 100) {
        good = good && failure == NULL;
    } else {
        good = good && failure != NULL && dualseal_error_code(failure) == expected
            && strlen(dualseal_error_message(failure)) > 0
            && (field == NULL || (place != NULL && strcmp(place, field) == 0))
            && (index == -2 || dualseal_error_index(failure) == index);
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
    OK(dualseal_domain_default(&domain, &failure));
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
    OK(dualseal_head_empty(&head, &failure));
    return head;
}

static inline uint64_t size_of_chain(const dualseal_head *head)
{
    uint64_t size = UINT64_MAX;
    OK(dualseal_head_size(head, &size, &failure));
    return size;
}

#endif
