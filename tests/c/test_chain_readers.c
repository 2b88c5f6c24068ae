/* One reader of a chain: many watchers in one pass, each with its own proof or its own fault, and every wrong way to
   ask for one. Under valgrind. */
#include "check.h"

#include "dualseal_vault.h"

#define ENTRIES ((size_t)3)

/* A chain of Ana's key and two notes, with a checkpoint over the first two. */
typedef struct {
    dualseal_domain *domain;
    dualseal_ring_key *ring_key;
    dualseal_ring *ring;
    dualseal_vault_master *master;
    dualseal_head *head;
    dualseal_checkpoint *checkpoint;
    char *lines[ENTRIES], *ring_json, handles[ENTRIES][DUALSEAL_ID_TEXT_BYTES], founder[DUALSEAL_ID_TEXT_BYTES];
} bench;

static void set_up(bench *b)
{
    uint8_t secret[32], key[DUALSEAL_PUBLIC_KEY_BYTES];
    memset(b, 0, sizeof *b);
    memset(b->founder, 'a', sizeof b->founder - 1);
    memset(secret, 3, sizeof secret);
    b->domain = test_domain();
    b->head = test_head();
    test_public_key(1, key);
    OK(dualseal_vault_master_from_secret(b->domain, secret, sizeof secret, &b->master, &failure));
    OK(dualseal_ring_key_generate(b->domain, &b->ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, b->ring_key, &b->ring, &failure));
    for (size_t i = 0; i < ENTRIES; i++) {
        char *entry = NULL;
        if (i == 0) {
            OK(dualseal_ring_add(b->ring, ANA, key, sizeof key, b->head, TIME, &entry, &failure));
        } else {
            OK(dualseal_head_append(b->head, b->domain, BOB, SIZED("note"), TIME, &entry, &failure));
        }
        OK(dualseal_entry_parts(SIZED(entry), &b->lines[i], NULL, 0, &failure));
        OK(dualseal_entry_parts(SIZED(entry), NULL, b->handles[i], sizeof b->handles[i], &failure));
        dualseal_string_free(entry);
        if (i == 1) {
            follow(b->ring, &b->lines[i], 1);
            b->checkpoint = test_checkpoint_of(b->domain, b->head, b->ring);
            OK(dualseal_ring_to_stored_json(b->ring, b->head, &b->ring_json, &failure));
        }
    }
}

static void tear_down(bench *b)
{
    for (size_t i = 0; i < ENTRIES; i++) {
        dualseal_string_free(b->lines[i]);
    }
    dualseal_string_free(b->ring_json);
    dualseal_checkpoint_free(b->checkpoint);
    dualseal_head_free(b->head);
    dualseal_ring_free(b->ring);
    dualseal_ring_key_free(b->ring_key);
    dualseal_vault_master_free(b->master);
    dualseal_domain_free(b->domain);
}

static dualseal_chain_reader *begun_at(const bench *b, const dualseal_head *begin,
                                       const dualseal_checkpoint *checkpoint, const dualseal_head *own)
{
    dualseal_chain_reader *reader = NULL;
    OK(dualseal_chain_reader_new(b->domain, begin, checkpoint, checkpoint == NULL, own, &reader, &failure));
    return reader;
}

#define WATCHERS 7

/* Everything that can be watched for. */
static dualseal_status watch(const bench *b, dualseal_chain_reader *reader, int what, dualseal_watched *watched)
{
    const char *wanted[] = {b->handles[1], b->handles[2]};
    switch (what) {
    case 0:
        return dualseal_chain_reader_watch_places(reader, wanted, 2, watched, &failure);
    case 1:
        return dualseal_chain_reader_watch_ring(reader, SIZED(b->ring_json), b->ring_key, NULL, 0, watched, &failure);
    case 2:
        return dualseal_chain_reader_watch_consistency(reader, b->checkpoint, b->checkpoint, watched, &failure);
    case 3:
        return dualseal_chain_reader_watch_session(reader, ANA, b->founder, NULL, watched, &failure);
    case 4:
        return dualseal_chain_reader_watch_splits(reader, b->master, ANA, ANA, NULL, watched, &failure);
    case 5:
        return dualseal_chain_reader_watch_ledger(reader, ANA, b->master, NULL, watched, &failure);
    default:
        return dualseal_chain_reader_watch_own_splits(reader, b->master, ANA, ANA, watched, &failure);
    }
}

/* Asks for what was watched for as one of them, and frees it. */
static dualseal_status ask(dualseal_proofs *proofs, dualseal_watched watched, int what, const char *handle)
{
    dualseal_located *place = NULL;
    dualseal_ring *ring = NULL;
    dualseal_consistency found = (dualseal_consistency)0;
    dualseal_session_in_force *session = NULL;
    dualseal_split_in_force *split = NULL;
    dualseal_located_ledger *ledger = NULL;
    dualseal_status status =
        what == 0   ? dualseal_proofs_place(proofs, watched, handle, 0, &place, NULL, &failure)
        : what == 1 ? dualseal_proofs_ring(proofs, watched, &ring, NULL, &failure)
        : what == 2 ? dualseal_proofs_consistency(proofs, watched, &found, &failure)
        : what == 3 ? dualseal_proofs_session(proofs, watched, SIZED("[]"), NULL, &session, &failure)
        : what == 4 ? dualseal_proofs_splits(proofs, watched, &split, NULL, &failure)
                    : dualseal_proofs_ledger(proofs, watched, &ledger, NULL, &failure);
    CHECK((place != NULL || ring != NULL || found != 0 || session != NULL || split != NULL || ledger != NULL)
          == (status == DUALSEAL_OK));
    dualseal_located_free(place);
    dualseal_ring_free(ring);
    dualseal_session_in_force_free(session);
    dualseal_split_in_force_free(split);
    dualseal_located_ledger_free(ledger);
    return status;
}

/* What each has to say of this chain. */
static const int32_t expected[] = {DUALSEAL_OK, DUALSEAL_OK, DUALSEAL_OK, DUALSEAL_STATUS_SESSION_ABSENT,
                                   DUALSEAL_STATUS_NO_SPLIT, DUALSEAL_OK};

/* All in one pass, under a checkpoint and up to the own head. */
static dualseal_proofs *all(const bench *b, dualseal_watched watched[WATCHERS])
{
    dualseal_chain_reader *reader = begun_at(b, NULL, b->checkpoint, b->head);
    for (int i = 0; i < WATCHERS; i++) {
        OK(watch(b, reader, i, &watched[i]));
        CHECK(watched[i] != 0);
    }
    return read_to(reader, b->lines, ENTRIES, NULL);
}

static void one_watchers_fault_stops_no_other(const bench *b)
{
    dualseal_watched watched[WATCHERS];
    dualseal_proofs *proofs = all(b, watched);
    for (int again = 0; again < 2; again++) {
        for (int i = WATCHERS - 2; i >= 0; i--) {
            /* A ring is its taker's to change: there is one. */
            const int32_t status = i == 1 && again ? DUALSEAL_STATUS_OTHER_READER : expected[i];
            GIVES(status, ask(proofs, watched[i], i, b->handles[1]));
        }
    }
    /* Beyond the checkpoint nothing is proven. */
    GIVES(DUALSEAL_STATUS_NOT_LOCATED, ask(proofs, watched[0], 0, b->handles[2]));
    dualseal_proofs_free(proofs);
}

static void a_number_of_something_else_gives_nothing(const bench *b)
{
    dualseal_watched watched[WATCHERS], others[WATCHERS];
    dualseal_proofs *proofs = all(b, watched), *other = all(b, others);
    const dualseal_watched none[] = {0, 1, WATCHERS, watched[0] + WATCHERS, watched[0] - 1, UINT64_MAX, UINT64_MAX / 2};
    for (int i = 0; i < WATCHERS - 1; i++) {
        for (size_t j = 0; j < sizeof none / sizeof *none; j++) {
            GIVES(DUALSEAL_STATUS_OTHER_READER, ask(proofs, none[j], i, b->handles[1]));
        }
        GIVES(DUALSEAL_STATUS_OTHER_READER, ask(proofs, others[i], i, b->handles[1]));
        for (int j = 0; j < WATCHERS; j++) {
            if (i != j && (j > 4 || expected[j] == DUALSEAL_OK)) {
                GIVES(DUALSEAL_STATUS_OTHER_READER, ask(proofs, watched[j], i, b->handles[1]));
            }
        }
    }
    /* All of it left everything where it was. */
    for (int i = 0; i < WATCHERS - 1; i++) {
        GIVES(expected[i], ask(proofs, watched[i], i, b->handles[1]));
        GIVES(expected[i], ask(other, others[i], i, b->handles[1]));
    }
    dualseal_proofs_free(other);
    dualseal_proofs_free(proofs);
}

static void an_ended_reader_takes_nothing_more(const bench *b)
{
    for (int whole = 0; whole < 2; whole++) {
        dualseal_chain_reader *reader = begun_at(b, NULL, b->checkpoint, b->head);
        dualseal_proofs *proofs = NULL, *more = NULL;
        dualseal_watched watched = 0;
        for (size_t i = 0; i < ENTRIES - !whole; i++) {
            OK(dualseal_chain_reader_push(reader, SIZED(b->lines[i]), &failure));
        }
        GIVES(whole ? DUALSEAL_OK : DUALSEAL_STATUS_CHAIN_TRUNCATED,
              dualseal_chain_reader_finish(reader, &proofs, NULL, NULL, &failure));
        CHECK((proofs != NULL) == whole);
        GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_chain_reader_push(reader, SIZED(b->lines[0]), &failure));
        GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_chain_reader_finish(reader, &more, NULL, NULL, &failure));
        for (int i = 0; i < WATCHERS; i++) {
            GIVES(DUALSEAL_STATUS_STREAM_ENDED, watch(b, reader, i, &watched));
        }
        CHECK(more == NULL && watched == 0);
        /* The proofs stay when their reader goes. */
        dualseal_chain_reader_free(reader);
        dualseal_proofs_free(proofs);
    }
}

static void a_fault_of_the_chain_gives_no_proofs(const bench *b)
{
    dualseal_chain_reader *reader = begun_at(b, NULL, b->checkpoint, NULL);
    dualseal_proofs *proofs = NULL;
    dualseal_head *signed_head = NULL, *head = NULL;
    dualseal_watched watched = 0, late = 0;
    OK(watch(b, reader, 0, &watched));
    OK(dualseal_chain_reader_push(reader, SIZED(b->lines[0]), &failure));
    for (int i = 0; i < WATCHERS - 1; i++) {
        GIVES(DUALSEAL_STATUS_LATE_START, watch(b, reader, i, &late));
    }
    FAILS(DUALSEAL_STATUS_CHAIN_PREV, NULL, 1, dualseal_chain_reader_push(reader, SIZED(b->lines[2]), &failure));
    FAILS(DUALSEAL_STATUS_CHAIN_PREV, NULL, 1, dualseal_chain_reader_push(reader, SIZED(b->lines[1]), &failure));
    FAILS(DUALSEAL_STATUS_CHAIN_PREV, NULL, 1,
          dualseal_chain_reader_finish(reader, &proofs, &signed_head, &head, &failure));
    CHECK(proofs == NULL && signed_head == NULL && head == NULL && late == 0);
    dualseal_chain_reader_free(reader);
}

static void a_reader_begins_where_another_ended(const bench *b)
{
    dualseal_chain_reader *reader = begun_at(b, NULL, b->checkpoint, NULL), *later = NULL;
    dualseal_proofs *proofs = NULL;
    dualseal_head *signed_head = NULL, *head = NULL, *none = NULL;
    dualseal_watched watched = 0;
    for (size_t i = 0; i < ENTRIES; i++) {
        OK(dualseal_chain_reader_push(reader, SIZED(b->lines[i]), &failure));
    }
    OK(dualseal_chain_reader_finish(reader, &proofs, &signed_head, &head, &failure));
    CHECK(size_of_chain(signed_head) == 2 && size_of_chain(head) == 3);
    dualseal_chain_reader_free(reader);
    dualseal_proofs_free(proofs);

    /* Only what stands from there on is read and shown. */
    later = begun_at(b, signed_head, b->checkpoint, b->head);
    OK(watch(b, later, 0, &watched));
    GIVES(DUALSEAL_STATUS_LATE_START, watch(b, later, 4, &watched));
    GIVES(DUALSEAL_STATUS_LATE_START, watch(b, later, 5, &watched));
    proofs = read_to(later, b->lines + 2, 1, NULL);
    GIVES(DUALSEAL_STATUS_NOT_LOCATED, ask(proofs, watched, 0, b->handles[1]));
    dualseal_proofs_free(proofs);

    /* Not after the end of the checkpoint, and not at that end of another chain. */
    dualseal_head *elsewhere = test_head();
    char *entry = NULL;
    for (int i = 0; i < 2; i++) {
        OK(dualseal_head_append(elsewhere, b->domain, BOB, SIZED("other"), TIME, &entry, &failure));
        dualseal_string_free(entry);
    }
    later = NULL;
    GIVES(DUALSEAL_STATUS_LATE_START,
          dualseal_chain_reader_new(b->domain, b->head, b->checkpoint, 0, NULL, &later, &failure));
    GIVES(DUALSEAL_STATUS_CHAIN_REWRITTEN,
          dualseal_chain_reader_new(b->domain, elsewhere, b->checkpoint, 0, NULL, &later, &failure));
    CHECK(later == NULL);
    later = begun_at(b, NULL, NULL, elsewhere);
    OK(dualseal_chain_reader_push(later, SIZED(b->lines[0]), &failure));
    OK(dualseal_chain_reader_push(later, SIZED(b->lines[1]), &failure));
    proofs = NULL;
    GIVES(DUALSEAL_STATUS_CHAIN_REWRITTEN, dualseal_chain_reader_finish(later, &proofs, NULL, NULL, &failure));
    dualseal_chain_reader_free(later);

    /* Without a checkpoint nothing was signed; at a ring file's end the tree is not known. */
    none = head;
    later = begun_at(b, NULL, NULL, NULL);
    GIVES(DUALSEAL_STATUS_NO_END, watch(b, later, 0, &watched));
    OK(dualseal_chain_reader_finish(later, &proofs, &none, NULL, &failure));
    CHECK(none == NULL);
    dualseal_proofs_free(proofs);
    dualseal_chain_reader_free(later);
    later = NULL;
    none = head;
    OK(dualseal_chain_reader_from_ring_file(b->domain, SIZED(b->ring_json), b->head, &later, &failure));
    for (int i = 0; i < WATCHERS; i++) {
        const int32_t status = i == 1 || i == 6 ? DUALSEAL_OK
                               : i == 0 || i == 4 ? DUALSEAL_STATUS_NO_END : DUALSEAL_STATUS_LATE_START;
        GIVES(status, watch(b, later, i, &watched));
    }
    OK(dualseal_chain_reader_push(later, SIZED(b->lines[2]), &failure));
    OK(dualseal_chain_reader_finish(later, &proofs, NULL, &none, &failure));
    CHECK(none == NULL);
    dualseal_proofs_free(proofs);
    dualseal_chain_reader_free(later);
    dualseal_head_free(elsewhere);
    dualseal_head_free(signed_head);
    dualseal_head_free(head);
}

int main(void)
{
    bench b;
    set_up(&b);
    one_watchers_fault_stops_no_other(&b);
    a_number_of_something_else_gives_nothing(&b);
    an_ended_reader_takes_nothing_more(&b);
    a_fault_of_the_chain_gives_no_proofs(&b);
    a_reader_begins_where_another_ended(&b);
    tear_down(&b);
    return 0;
}
