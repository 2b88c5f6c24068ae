/* What a process may do while it uses the library: fork, so that both halves go on and draw other secrets, and run out
   of memory, which ends it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define LARGE ((size_t)64 << 20)

/* Held by both halves. */
static dualseal_domain *domain;
static dualseal_signing_key *key;
/* A text of which the canonical form does not fit: 64 MiB of it lie there, and the system gives not 16 more. */
static char *large;

static void forget_all(void)
{
    free(large);
    dualseal_signing_key_free(key);
    dualseal_domain_free(domain);
}

/* What a child wrote before it ended, and how it did. */
static int ended(void (*child)(int), uint8_t *wrote, size_t length, size_t *found)
{
    int ends[2], status = 0;
    CHECK(pipe(ends) == 0);
    fflush(NULL);
    pid_t id = fork();
    CHECK(id >= 0);
    if (id == 0) {
        alarm(300);
        close(ends[0]);
        child(ends[1]);
        forget_all();
        exit(0);
    }
    close(ends[1]);
    *found = 0;
    for (ssize_t n; (n = read(ends[0], wrote + *found, length - *found)) > 0;) {
        *found += (size_t)n;
    }
    close(ends[0]);
    CHECK(waitpid(id, &status, 0) == id);
    return status;
}

static void draws(int out)
{
    uint8_t drawn[DUALSEAL_SEAL_KEY_BYTES];
    char *record = NULL, *entry = NULL, hash[DUALSEAL_ID_TEXT_BYTES];
    dualseal_seal_key *seal_key = NULL;
    dualseal_head *head = test_head();
    OK(dualseal_seal_key_generate(drawn, sizeof drawn, &seal_key, &failure));
    CHECK(write(out, drawn, sizeof drawn) == (ssize_t)sizeof drawn);
    /* A signature mixes in randomness, too. */
    strcpy(hash, hashed(domain, ANA, "x", 1));
    OK(dualseal_signature_sign(domain, ANA, key, NO_RING, hash, head, TIME, &record, &entry, &failure));
    CHECK(write(out, strstr(record, "\"potpis\":\""), 64) == 64);
    dualseal_string_free(entry);
    dualseal_string_free(record);
    dualseal_head_free(head);
    dualseal_seal_key_free(seal_key);
}

static void both_halves_draw_other_secrets(void)
{
    uint8_t wrote[3][2 * DUALSEAL_SEAL_KEY_BYTES];
    size_t found = 0;
    int ends[2];
    for (size_t i = 0; i < 2; i++) {
        CHECK(ended(draws, wrote[i], sizeof wrote[i], &found) == 0 && found == sizeof wrote[i]);
    }
    CHECK(pipe(ends) == 0);
    draws(ends[1]);
    CHECK(read(ends[0], wrote[2], sizeof wrote[2]) == (ssize_t)sizeof wrote[2]);
    close(ends[0]);
    close(ends[1]);
    for (size_t i = 0; i < 3; i++) {
        const uint8_t *one = wrote[i], *other = wrote[(i + 1) % 3];
        CHECK(memcmp(one, other, DUALSEAL_SEAL_KEY_BYTES) != 0);
        CHECK(memcmp(one + DUALSEAL_SEAL_KEY_BYTES, other + DUALSEAL_SEAL_KEY_BYTES, DUALSEAL_SEAL_KEY_BYTES) != 0);
    }
}

static void canonical_without_memory(int out)
{
    char *canonical = NULL;
    struct rlimit limit;
    FILE *pages = fopen("/proc/self/statm", "r");
    unsigned long taken = 0;
    CHECK(pages != NULL && fscanf(pages, "%lu", &taken) == 1 && fclose(pages) == 0);
    limit.rlim_cur = limit.rlim_max = (rlim_t)taken * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)16 << 20);
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0 && freopen("/dev/null", "w", stderr) != NULL);
    limit.rlim_cur = limit.rlim_max = 0;
    CHECK(setrlimit(RLIMIT_CORE, &limit) == 0);
    dualseal_status status = dualseal_json_canonical(large, LARGE, &canonical, NULL);
    CHECK(write(out, &status, sizeof status) == (ssize_t)sizeof status);
}

/* The call returns nothing, neither a success nor an error that a program might go on after. */
static void without_memory_the_process_ends(void)
{
    uint8_t wrote[16];
    size_t found = 0;
    large = (char *)owned(malloc(LARGE));
    memset(large, 'x', LARGE);
    large[0] = large[LARGE - 1] = '"';
    int status = ended(canonical_without_memory, wrote, sizeof wrote, &found);
    CHECK(found == 0);
    /* By the abort of Rust's allocator; an allocator of a sanitizer's ends it in its own way. */
    CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGABRT : WEXITSTATUS(status) != 0);
}

int main(void)
{
    domain = test_domain();
    key = test_key(7);
    both_halves_draw_other_secrets();
    without_memory_the_process_ends();
    forget_all();
    return 0;
}
