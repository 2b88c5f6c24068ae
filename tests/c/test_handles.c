/* A handle of every kind in the place of every argument that is one: NULL, of another kind, not aligned, SIZE_MAX, and
   freed. The rows are in handle_rows.h. To tell what was freed, the library reads it. Not under valgrind. */
#include "one_of_each.h"

#include "handle_rows.h"

#define OUT_PK out.raw, DUALSEAL_PUBLIC_KEY_BYTES
#define OUT_EXPANDED out.raw, DUALSEAL_EXPANDED_KEY_BYTES
#define OUT_32 out.raw, 32
#define SECRET one.bytes, 32
#define TEXT "{}", 2
#define LIST "[]", 2
#define NAME out.name, DUALSEAL_ID_TEXT_BYTES

/* Where no refused call may write. */
static struct {
#define K(kind) dualseal_##kind *kind;
    KINDS(K)
#undef K
    char *text, name[DUALSEAL_CHAIN_HASH_TEXT_BYTES];
    uint8_t *bytes, raw[DUALSEAL_EXPANDED_KEY_BYTES];
    size_t length;
    uint64_t number;
    int64_t time;
    int32_t flag;
    uint32_t small;
    dualseal_status status;
    dualseal_layer_outcome outcome;
    dualseal_watched watched;
    dualseal_consistency consistency;
} out, none;

static int consume(const char *nonce, void *user)
{
    CHECK(nonce == NULL && user == NULL);
    return 1;
}

/* Every row is a function of the handle in question. */
#define X(function, argument, kind, ...)                                                                               \
    static dualseal_status function##_of_##argument(void *given)                                                       \
    {                                                                                                                  \
        dualseal_##kind *bad = (dualseal_##kind *)given;                                                               \
        return dualseal_##function(__VA_ARGS__, &failure);                                                             \
    }
#define O X
ROWS(X)
#undef O
#undef X

typedef struct {
    const char *function, *argument, *kind;
    dualseal_status (*call)(void *given);
    int optional;
} row;

static const row rows[] = {
#define X(function, argument, kind, ...) {#function, #argument, #kind, function##_of_##argument, 0},
#define O(function, argument, kind, ...) {#function, #argument, #kind, function##_of_##argument, 1},
    ROWS(X)
#undef O
#undef X
};

#define COUNT (sizeof rows / sizeof *rows)

static int failures;

/* What a call with a handle that is none gives; `field` may be NULL for any. */
static void refuses(const row *r, void *given, dualseal_status expected, const char *field, const char *what)
{
    const dualseal_status status = r->call(given);
    const char *found = dualseal_error_field(failure);
    if (status != expected || (field != NULL && (found == NULL || strcmp(found, field) != 0))) {
        fprintf(stderr, "dualseal_%s, %s %s: status %d of %s, expected %d\n", r->function, what, r->argument,
                (int)status, found ? found : "nothing", (int)expected);
        failures++;
    }
    dualseal_error_free(failure);
    failure = NULL;
}

static void what_is_no_handle_is_told(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        const row *r = &rows[i];
        void *of_another = strcmp(r->kind, "domain") == 0 ? (void *)one.head : (void *)one.domain;
        if (!r->optional) {
            refuses(r, NULL, DUALSEAL_STATUS_NULL_ARGUMENT, r->argument, "NULL for");
        }
        refuses(r, of_another, DUALSEAL_STATUS_WRONG_HANDLE, r->argument, "another kind of");
        for (uintptr_t by = 1; by < 8; by++) {
            refuses(r, (char *)one.domain + by, DUALSEAL_STATUS_WRONG_HANDLE, r->argument, "not aligned");
        }
        refuses(r, (void *)SIZE_MAX, DUALSEAL_STATUS_WRONG_HANDLE, r->argument, "SIZE_MAX for");
    }
    CHECK(memcmp(&out, &none, sizeof out) == 0);
}

/* Each of an array is looked at, and not the first alone. */
static void of_several_each_is_told(void)
{
    void *const given[] = {one.domain, (char *)one.vault_master + 1, (void *)SIZE_MAX};
    for (size_t i = 0; i < 2 * sizeof given / sizeof *given; i++) {
        const dualseal_vault_master *masters[] = {one.vault_master, one.vault_master};
        masters[i % 2] = (const dualseal_vault_master *)given[i / 2];
        FAILS(DUALSEAL_STATUS_WRONG_HANDLE, "masters", -1,
              dualseal_ring_follow(one.ring, TEXT, masters, 2, &failure));
        FAILS(DUALSEAL_STATUS_WRONG_HANDLE, "masters", -1,
              dualseal_chain_reader_watch_ring(one.chain_reader, RING_FILE, one.ring_key, masters, 2, &out.watched,
                                               &failure));
    }
    CHECK(memcmp(&out, &none, sizeof out) == 0);
}

/* What only tells of an error tells nothing then. */
static void of_what_is_no_error_nothing_is_told(void)
{
    void *const given[] = {NULL, one.domain, (char *)one.domain + 1, (void *)SIZE_MAX};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        dualseal_error *error = (dualseal_error *)given[i];
        CHECK(dualseal_error_message(error) == NULL && dualseal_error_field(error) == NULL);
        CHECK(dualseal_error_index(error) == -1 && dualseal_error_os(error) == 0);
        dualseal_error_free(error);
    }
    CHECK(strlen(hashed(one.domain, ANA, "", 0)) == 64);
}

/* Left alone by every function that frees, and good afterwards. */
static void what_is_no_handle_is_not_freed(void)
{
#define K(kind)                                                                                                        \
    dualseal_##kind##_free(NULL);                                                                                      \
    dualseal_##kind##_free((dualseal_##kind *)SIZE_MAX);                                                               \
    dualseal_##kind##_free((dualseal_##kind *)((char *)one.kind + 1));                                                 \
    dualseal_##kind##_free((dualseal_##kind *)another(one.kind));
#define another(handle) ((void *)(handle) == (void *)one.domain ? (void *)one.head : (void *)one.domain)
    KINDS(K)
#undef another
#undef K
    CHECK(size_of_chain(one.head) > 0);
    CHECK(strlen(hashed(one.domain, ANA, "", 0)) == 64);
}

/* Its memory is still what it was when the next call reads it: nothing of its kind was made since. */
static void every_row_of(const char *kind, void *freed)
{
    size_t count = 0;
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(rows[i].kind, kind) == 0) {
            refuses(&rows[i], freed, DUALSEAL_STATUS_WRONG_HANDLE, NULL, "freed");
            count++;
        }
    }
    if (count == 0) {
        fprintf(stderr, "no row has a %s\n", kind);
        failures++;
    }
}

static void what_was_freed_is_told(void)
{
#define K(kind)                                                                                                        \
    dualseal_##kind##_free(one.kind);                                                                                  \
    every_row_of(#kind, one.kind);                                                                                     \
    dualseal_##kind##_free(one.kind);
    KINDS(K)
#undef K
    CHECK(memcmp(&out, &none, sizeof out) == 0);
}

int main(void)
{
    archive a;
    make_one_of_each(&a);
    what_is_no_handle_is_told();
    of_what_is_no_error_nothing_is_told();
    of_several_each_is_told();
    what_is_no_handle_is_not_freed();
    what_was_freed_is_told();
    /* What the archive had beside these. */
    a.domain = NULL;
    a.head = NULL;
    a.ring = NULL;
    a.ring_key = NULL;
    a.master = NULL;
    a.vault = NULL;
    a.to_operator = NULL;
    a.ledger = NULL;
    archive_close(&a);
    free_texts();
    return failures == 0 ? 0 : 1;
}
