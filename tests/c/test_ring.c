/* Rings: changed, exported, read, and refused. */
#include "check.h"

/* What every change of a ring needs. */
typedef struct {
    dualseal_domain *domain;
    dualseal_ring *ring;
    dualseal_ring_key *ring_key;
    dualseal_head *head;
    char *entry;
    uint8_t one[DUALSEAL_PUBLIC_KEY_BYTES], two[DUALSEAL_PUBLIC_KEY_BYTES], three[DUALSEAL_PUBLIC_KEY_BYTES];
} bench;

static void set_up(bench *b)
{
    const uint8_t secret[DUALSEAL_RING_KEY_BYTES] = {9};
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->head = test_head();
    OK(dualseal_ring_key_from_secret(b->domain, secret, sizeof secret, &b->ring_key, &failure));
    OK(dualseal_ring_new("example.org/log", b->ring_key, &b->ring, &failure));
    test_public_key(1, b->one);
    test_public_key(2, b->two);
    test_public_key(3, b->three);
}

static void tear_down(bench *b)
{
    dualseal_string_free(b->entry);
    dualseal_head_free(b->head);
    dualseal_ring_key_free(b->ring_key);
    dualseal_ring_free(b->ring);
    dualseal_domain_free(b->domain);
}

static dualseal_status add(bench *b, const char *identity, const uint8_t *key)
{
    dualseal_string_free(b->entry);
    b->entry = NULL;
    return dualseal_ring_add(b->ring, identity, key, DUALSEAL_PUBLIC_KEY_BYTES, b->head, TIME, &b->entry,
                             &failure);
}

static dualseal_status rotate(bench *b, const char *identity, const uint8_t *key)
{
    dualseal_string_free(b->entry);
    b->entry = NULL;
    return dualseal_ring_rotate(b->ring, identity, key, DUALSEAL_PUBLIC_KEY_BYTES, b->head, TIME, &b->entry, &failure);
}

static dualseal_status set_state(bench *b, const char *identity, const char *key_hash, dualseal_key_state state)
{
    dualseal_string_free(b->entry);
    b->entry = NULL;
    return dualseal_ring_set_state(b->ring, identity, key_hash, state, NULL, b->head, TIME, &b->entry, &failure);
}

static dualseal_status add_decoy(bench *b, const char *identity, const uint8_t *key)
{
    dualseal_head *head = copy_of(b->head);
    char *sealed = NULL;
    OK(dualseal_head_append(head, b->domain, identity, SIZED("sealed"), TIME, &sealed, &failure));
    dualseal_status status =
        dualseal_ring_add_decoy(b->ring, key, DUALSEAL_PUBLIC_KEY_BYTES, SIZED(sealed), &failure);
    if (status == DUALSEAL_OK) {
        dualseal_head_free(b->head);
        b->head = head;
    } else {
        dualseal_head_free(head);
    }
    dualseal_string_free(sealed);
    return status;
}

static char *json_of(const bench *b)
{
    char *json = NULL;
    OK(dualseal_ring_to_stored_json(b->ring, b->head, &json, &failure));
    return json;
}

/* With as many entries, and more that no change made. */
static void check_revision(const bench *b, uint64_t expected, uint64_t more)
{
    char text[32], *json = json_of(b);
    snprintf(text, sizeof text, "\"revision\":%d}", (int)expected);
    CHECK(strstr(json, text) != NULL && size_of_chain(b->head) == expected + more);
    dualseal_string_free(json);
}

/* The state of the current key, for the operator and for everybody else. */
static void check_state(const bench *b, const char *internal, const char *to_all)
{
    char *texts[] = {json_of(b), NULL};
    OK(dualseal_ring_to_public_json(b->ring, &texts[1], &failure));
    const char *expected[] = {internal, to_all};
    for (int i = 0; i < 2; i++) {
        char *list = strstr(texts[i], "\"keys\":"), *key = NULL;
        for (size_t j = 0; key == NULL || strstr(key, "\"role\":\"current\"") == NULL; j++) {
            free(key);
            key = element(list + strlen("\"keys\":"), j);
        }
        CHECK(strstr(key, expected[i]) != NULL);
        free(key);
        dualseal_string_free(texts[i]);
    }
}

/* Reads the entry that a change gave. */
static void reads(dualseal_chain_reader *reader, const char *entry)
{
    char *line = NULL;
    OK(dualseal_entry_parts(SIZED(entry), &line, NULL, 0, &failure));
    OK(dualseal_chain_reader_push(reader, SIZED(line), &failure));
    dualseal_string_free(line);
}

static void changes_move_ring_and_head_together(void)
{
    bench b;
    char hash[DUALSEAL_ID_TEXT_BYTES];
    set_up(&b);
    dualseal_chain_reader *reader = reader_under(b.domain, NULL);
    check_revision(&b, 0, 0);

    OK(add(&b, ANA, b.one));
    CHECK(strstr(b.entry, "\"poruka\":\"DUALSEAL-SIGN::RING::1::") != NULL);
    reads(reader, b.entry);
    check_state(&b, "\"bela_stanje\":\"istina\"", "\"bela_stanje\":\"istina\"");
    OK(rotate(&b, ANA, b.two));
    reads(reader, b.entry);
    OK(set_state(&b, ANA, NULL, DUALSEAL_KEY_STATE_DECOY));
    reads(reader, b.entry);
    check_state(&b, "\"bela_stanje\":\"oboje\"", "\"bela_stanje\":\"istina\"");
    OK(set_state(&b, ANA, NULL, DUALSEAL_KEY_STATE_SUSPENDED));
    check_state(&b, "\"bela_stanje\":\"nijedno\"", "\"bela_stanje\":\"nijedno\"");
    OK(set_state(&b, ANA, NULL, DUALSEAL_KEY_STATE_VALID));
    /* A retired key is named by its hash. */
    OK(dualseal_public_key_hash(b.one, sizeof b.one, hash, sizeof hash, &failure));
    OK(set_state(&b, ANA, hash, DUALSEAL_KEY_STATE_REVOKED));
    check_state(&b, "\"bela_stanje\":\"istina\"", "\"bela_stanje\":\"istina\"");
    check_revision(&b, 6, 0);
    /* Since when it counts as compromised, at most from the change itself on. */
    const uint64_t from = 3, late = 99;
    const dualseal_key_state revoked = DUALSEAL_KEY_STATE_REVOKED, valid = DUALSEAL_KEY_STATE_VALID;
    char *json = json_of(&b);
    CHECK(strstr(json, "\"opozvan_od\":5") != NULL);
    dualseal_string_free(json);
    dualseal_string_free(b.entry);
    b.entry = NULL;
    GIVES(DUALSEAL_STATUS_UNKNOWN_VALUE,
          dualseal_ring_set_state(b.ring, ANA, NULL, valid, &from, b.head, TIME, &b.entry, &failure));
    OK(dualseal_ring_set_state(b.ring, ANA, NULL, revoked, &late, b.head, TIME, &b.entry, &failure));
    json = json_of(&b);
    CHECK(strstr(json, "\"opozvan_od\":6") != NULL);
    dualseal_string_free(json);
    dualseal_string_free(b.entry);
    OK(dualseal_ring_set_state(b.ring, ANA, NULL, revoked, &from, b.head, TIME, &b.entry, &failure));
    json = json_of(&b);
    CHECK(strstr(json, "\"opozvan_od\":3") != NULL);
    dualseal_string_free(json);
    dualseal_chain_reader_free(reader);
    tear_down(&b);
}

static void every_refused_change_leaves_all_as_it_was(void)
{
    bench b;
    char hash[DUALSEAL_ID_TEXT_BYTES];
    set_up(&b);
    OK(add(&b, ANA, b.one));
    OK(add_decoy(&b, ANA, b.three));

    GIVES(DUALSEAL_STATUS_HAS_CURRENT_KEY, add(&b, ANA, b.two));
    GIVES(DUALSEAL_STATUS_KNOWN_KEY, add(&b, BOB, b.one));
    GIVES(DUALSEAL_STATUS_KNOWN_KEY, add(&b, BOB, b.three));
    GIVES(DUALSEAL_STATUS_KNOWN_KEY, add_decoy(&b, BOB, b.one));
    GIVES(DUALSEAL_STATUS_UNKNOWN_IDENTITY, rotate(&b, BOB, b.two));
    GIVES(DUALSEAL_STATUS_UNKNOWN_IDENTITY, set_state(&b, BOB, NULL, DUALSEAL_KEY_STATE_VALID));
    OK(dualseal_public_key_hash(b.two, sizeof b.two, hash, sizeof hash, &failure));
    GIVES(DUALSEAL_STATUS_UNKNOWN_KEY, set_state(&b, ANA, hash, DUALSEAL_KEY_STATE_VALID));
    OK(dualseal_public_key_hash(b.three, sizeof b.three, hash, sizeof hash, &failure));
    GIVES(DUALSEAL_STATUS_DECOY_STATE, set_state(&b, ANA, hash, DUALSEAL_KEY_STATE_VALID));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "state", -1, set_state(&b, ANA, NULL, (dualseal_key_state)0));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "state", -1, set_state(&b, ANA, NULL, (dualseal_key_state)5));
    GIVES(DUALSEAL_STATUS_LENGTH, set_state(&b, ANA, "", DUALSEAL_KEY_STATE_VALID));
    CHECK(b.entry == NULL);
    check_revision(&b, 1, 1);
    check_state(&b, "\"bela_stanje\":\"istina\"", "\"bela_stanje\":\"istina\"");
    tear_down(&b);
}

static void bad_arguments_are_named(void)
{
    bench b;
    dualseal_ring *ring = NULL;
    set_up(&b);
    const size_t short_len = DUALSEAL_PUBLIC_KEY_BYTES - 1;
    FAILS(DUALSEAL_STATUS_LENGTH, "javni_kljuc", -1,
          dualseal_ring_add(b.ring, ANA, b.one, short_len, b.head, TIME, &b.entry, &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "javni_kljuc", -1,
          dualseal_ring_rotate(b.ring, ANA, b.one, short_len, b.head, TIME, &b.entry, &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "javni_kljuc", -1,
          dualseal_ring_add_decoy(b.ring, b.one, short_len, SIZED("{}"), &failure));
    FAILS(DUALSEAL_STATUS_MISSING_MEMBER, "h", -1,
          dualseal_ring_add_decoy(b.ring, b.one, sizeof b.one, SIZED("{}"), &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "javni_kljuc", -1, dualseal_ring_new_pinned(ANA, b.one, short_len, &ring, &failure));
    GIVES(DUALSEAL_STATUS_RANGE, dualseal_ring_new("", b.ring_key, &ring, &failure));
    GIVES(DUALSEAL_STATUS_CONTROL, dualseal_ring_new("a\nb", b.ring_key, &ring, &failure));
    GIVES(DUALSEAL_STATUS_AMBIGUOUS, dualseal_ring_new("a::b", b.ring_key, &ring, &failure));
    CHECK(ring == NULL && b.entry == NULL);
    tear_down(&b);
}

static void a_stale_head_cannot_rotate(void)
{
    bench b;
    set_up(&b);
    OK(add(&b, ANA, b.one));
    dualseal_head *old = copy_of(b.head);
    OK(rotate(&b, ANA, b.two));
    dualseal_head_free(b.head);
    b.head = old;
    GIVES(DUALSEAL_STATUS_STALE_HEAD, rotate(&b, ANA, b.three));
    CHECK(b.entry == NULL && size_of_chain(b.head) == 1);
    tear_down(&b);
}

static void a_ring_is_stored_and_shown(void)
{
    bench b;
    dualseal_ring *again = NULL, *shown = NULL, *none = NULL;
    char *json = NULL, *json_again = NULL, *public_json = NULL;
    set_up(&b);
    OK(add(&b, ANA, b.one));
    OK(rotate(&b, ANA, b.two));
    OK(add_decoy(&b, ANA, b.three));

    json = json_of(&b);
    OK(resumed(b.domain, json, b.ring_key, b.head, &again));
    OK(dualseal_ring_to_stored_json(again, b.head, &json_again, &failure));
    CHECK(strcmp(json, json_again) == 0 && strstr(json, "oboje") != NULL && strstr(json, "decoy") != NULL);
    OK(dualseal_ring_to_public_json(b.ring, &public_json, &failure));
    CHECK(strstr(public_json, "oboje") == NULL && strstr(public_json, "decoy") == NULL);
    OK(dualseal_ring_from_public_json(SIZED(public_json), NULL, 1, &shown, &failure));
    dualseal_string_free(json_again);
    OK(dualseal_ring_to_public_json(shown, &json_again, &failure));
    is(json_again, public_json);
    /* Neither stands for the other, and what was given out is not changed. */
    GIVES(DUALSEAL_STATUS_UNKNOWN_MEMBER, dualseal_ring_from_public_json(SIZED(json), NULL, 1, &none, &failure));
    GIVES(DUALSEAL_STATUS_MISSING_MEMBER, resumed(b.domain, public_json, b.ring_key, b.head, &none));
    GIVES(DUALSEAL_STATUS_PINNED_RING, dualseal_ring_to_stored_json(shown, b.head, &b.entry, &failure));
    dualseal_ring_free(b.ring);
    b.ring = shown;
    GIVES(DUALSEAL_STATUS_PINNED_RING, rotate(&b, ANA, b.three));
    CHECK(none == NULL);

    dualseal_ring_free(again);
    dualseal_string_free(public_json);
    dualseal_string_free(json);
    tear_down(&b);
}

static void broken_rings_are_refused(void)
{
    bench b;
    char *json = NULL;
    dualseal_ring *ring = NULL;
    set_up(&b);
    OK(add(&b, ANA, b.one));
    OK(dualseal_ring_to_public_json(b.ring, &json, &failure));
    const struct {
        const char *from, *to;
        int32_t status;
    } cases[] = {
        {"\"origin\"", "\"origine\"", DUALSEAL_STATUS_UNKNOWN_MEMBER},
        {",\"revision\":1", "", DUALSEAL_STATUS_MISSING_MEMBER},
        {"\"revision\":1", "\"revision\":\"1\"", DUALSEAL_STATUS_WRONG_TYPE},
        {"\"revision\":1", "\"revision\":0", DUALSEAL_STATUS_RANGE},
        {"istina", "truth", DUALSEAL_STATUS_UNKNOWN_VALUE},
        {"2026-11-21T", "2026-11-21 ", DUALSEAL_STATUS_TIMESTAMP},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *broken = replaced(json, cases[i].from, cases[i].to);
        GIVES(cases[i].status, dualseal_ring_from_public_json(SIZED(broken), NULL, 1, &ring, &failure));
        free(broken);
    }

    /* Another identity with the same key: a key stands once in a ring, whoever's it is. */
    bench other;
    char *other_json = NULL;
    set_up(&other);
    OK(add(&other, BOB, other.one));
    OK(dualseal_ring_to_public_json(other.ring, &other_json, &failure));
    const size_t start = strlen("{\"keys\":[");
    const char *end = strstr(other_json, "],\"origin\"");
    CHECK(end != NULL);
    const int length = (int)(end - other_json) - (int)start;
    char *list = (char *)owned(malloc(2 * strlen(json) + 64));

    CHECK(strcmp(ANA, BOB) < 0);
    sprintf(list, "{\"keys\":[%.*s,%s", length, other_json + start, json + start);
    FAILS(DUALSEAL_STATUS_ORDER, "keys", 1, dualseal_ring_from_public_json(SIZED(list), NULL, 1, &ring, &failure));
    sprintf(list, "%.*s,%s", (int)start + length, json, other_json + start);
    FAILS(DUALSEAL_STATUS_REPEATED, "keys", 1, dualseal_ring_from_public_json(SIZED(list), NULL, 1, &ring, &failure));
    CHECK(ring == NULL);

    free(list);
    dualseal_string_free(other_json);
    dualseal_string_free(json);
    tear_down(&other);
    tear_down(&b);
}

static void a_full_counter_refuses(void)
{
    bench b;
    char top[DUALSEAL_CHAIN_HASH_TEXT_BYTES], json[8192] = "{\"frontier\":[";
    set_up(&b);
    OK(add(&b, ANA, b.one));
    OK(dualseal_head_parts(b.head, NULL, top, sizeof top, NULL, 0, NULL, &failure));
    dualseal_head_free(b.head);
    /* 2^53-1 has 53 ones. */
    for (int i = 0; i < 53; i++) {
        strcat(json, i == 0 ? "\"" ANA "\"" : ",\"" ANA "\"");
    }
    strcat(strcat(strcat(json, "],\"size\":9007199254740991,\"top\":\""), top), "\"}");
    OK(dualseal_head_new(SIZED(json), &b.head, &failure));
    GIVES(DUALSEAL_STATUS_COUNTER_EXHAUSTED, rotate(&b, ANA, b.two));
    tear_down(&b);
}

/* A line of the chain: of a note, or of another process's change. */
static char *line_of(const char *entry)
{
    char *line = NULL;
    OK(dualseal_entry_parts(SIZED(entry), &line, NULL, 0, &failure));
    return line;
}

/* Each entry that somebody else appended, in its turn, and none that says what this ring's authority alone says. */
static void a_ring_follows_the_chain_entry_by_entry(void)
{
    bench b;
    char *mark = NULL, *entry = NULL, *notes[2];
    set_up(&b);
    OK(add(&b, ANA, b.one));
    dualseal_ring *stale = copy_of_ring(b.domain, b.ring, b.ring_key, b.head);
    for (int i = 0; i < 2; i++) {
        OK(dualseal_head_append(b.head, b.domain, BOB, SIZED("note"), TIME + i, &entry, &failure));
        notes[i] = line_of(entry);
        dualseal_string_free(entry);
        entry = NULL;
    }
    GIVES(DUALSEAL_STATUS_STALE_RING, dualseal_mark_first(ORIGIN, b.head, b.ring, 0, &mark, &failure));
    /* Not one past the next, not an edited one, not what is none; and never the same twice. */
    FAILS(DUALSEAL_STATUS_CHAIN_PREV, NULL, 1, dualseal_ring_follow(b.ring, SIZED(notes[1]), NULL, 0, &failure));
    char *edited = replaced(notes[0], "note", "nota");
    FAILS(DUALSEAL_STATUS_CHAIN_HASH, NULL, 1, dualseal_ring_follow(b.ring, SIZED(edited), NULL, 0, &failure));
    FAILS(DUALSEAL_STATUS_CHAIN_MEMBERS, NULL, 1, dualseal_ring_follow(b.ring, SIZED("{}"), NULL, 0, &failure));
    free(edited);
    OK(dualseal_ring_follow(b.ring, SIZED(notes[0]), NULL, 0, &failure));
    FAILS(DUALSEAL_STATUS_CHAIN_PREV, NULL, 2, dualseal_ring_follow(b.ring, SIZED(notes[0]), NULL, 0, &failure));
    GIVES(DUALSEAL_STATUS_STALE_RING, dualseal_mark_first(ORIGIN, b.head, b.ring, 0, &mark, &failure));
    CHECK(mark == NULL);
    OK(dualseal_ring_follow(b.ring, SIZED(notes[1]), NULL, 0, &failure));
    OK(dualseal_mark_first(ORIGIN, b.head, b.ring, 0, &mark, &failure));
    dualseal_string_free(mark);
    OK(set_state(&b, ANA, NULL, DUALSEAL_KEY_STATE_REVOKED));
    char *revoked = line_of(b.entry);

    /* The other handle learns of the revocation, and stays where it was. */
    follow(stale, notes, 2);
    for (int again = 0; again < 2; again++) {
        GIVES(DUALSEAL_STATUS_RING_ROLLBACK, dualseal_ring_follow(stale, SIZED(revoked), NULL, 0, &failure));
    }
    dualseal_string_free(revoked);
    dualseal_string_free(notes[0]);
    dualseal_string_free(notes[1]);
    dualseal_ring_free(stale);
    tear_down(&b);
}

/* Two processes with one file: what one revoked is not lost by the other's handle, nor by a file that it writes. */
static void a_stale_ring_cannot_be_changed_stored_or_trapped(void)
{
    bench b;
    char *entry = NULL, *json = NULL;
    set_up(&b);
    OK(add(&b, ANA, b.one));
    dualseal_ring *stale = copy_of_ring(b.domain, b.ring, b.ring_key, b.head);
    OK(set_state(&b, ANA, NULL, DUALSEAL_KEY_STATE_REVOKED));
    const uint64_t size = size_of_chain(b.head);
    const dualseal_key_state valid = DUALSEAL_KEY_STATE_VALID;
    GIVES(DUALSEAL_STATUS_STALE_RING,
          dualseal_ring_add(stale, BOB, b.two, sizeof b.two, b.head, TIME, &entry, &failure));
    GIVES(DUALSEAL_STATUS_STALE_RING,
          dualseal_ring_rotate(stale, ANA, b.two, sizeof b.two, b.head, TIME, &entry, &failure));
    GIVES(DUALSEAL_STATUS_STALE_RING,
          dualseal_ring_set_state(stale, ANA, NULL, valid, NULL, b.head, TIME, &entry, &failure));
    GIVES(DUALSEAL_STATUS_STALE_RING, dualseal_ring_to_stored_json(stale, b.head, &json, &failure));
    CHECK(entry == NULL && json == NULL && size_of_chain(b.head) == size);
    /* Nor by way of a decoy: its record's entry stands behind the revocation. */
    OK(dualseal_head_append(b.head, b.domain, ANA, SIZED("sealed"), TIME, &entry, &failure));
    GIVES(DUALSEAL_STATUS_STALE_RING,
          dualseal_ring_add_decoy(stale, b.three, sizeof b.three, SIZED(entry), &failure));
    OK(dualseal_ring_add_decoy(b.ring, b.three, sizeof b.three, SIZED(entry), &failure));
    check_revision(&b, 2, 1);
    dualseal_string_free(entry);
    dualseal_ring_free(stale);
    tear_down(&b);
}

static void a_pinned_key_cannot_be_changed(void)
{
    bench b;
    char *json = NULL;
    set_up(&b);
    dualseal_ring_free(b.ring);
    OK(dualseal_ring_new_pinned(ANA, b.one, sizeof b.one, &b.ring, &failure));
    GIVES(DUALSEAL_STATUS_PINNED_RING, dualseal_ring_to_stored_json(b.ring, b.head, &json, &failure));
    GIVES(DUALSEAL_STATUS_PINNED_RING, dualseal_ring_to_public_json(b.ring, &json, &failure));
    GIVES(DUALSEAL_STATUS_PINNED_RING, rotate(&b, ANA, b.two));
    GIVES(DUALSEAL_STATUS_PINNED_RING, add(&b, BOB, b.two));
    GIVES(DUALSEAL_STATUS_PINNED_RING, add_decoy(&b, ANA, b.two));
    GIVES(DUALSEAL_STATUS_PINNED_RING, dualseal_ring_follow(b.ring, SIZED("{}"), NULL, 0, &failure));
    GIVES(DUALSEAL_STATUS_PINNED_RING, set_state(&b, ANA, NULL, DUALSEAL_KEY_STATE_REVOKED));
    CHECK(json == NULL && b.entry == NULL);
    tear_down(&b);
}

int main(void)
{
    changes_move_ring_and_head_together();
    every_refused_change_leaves_all_as_it_was();
    bad_arguments_are_named();
    a_stale_head_cannot_rotate();
    a_ring_is_stored_and_shown();
    broken_rings_are_refused();
    a_full_counter_refuses();
    a_ring_follows_the_chain_entry_by_entry();
    a_stale_ring_cannot_be_changed_stored_or_trapped();
    a_pinned_key_cannot_be_changed();
    return 0;
}
