/* Threshold sessions: founded, found in force, signing, and verified with and without shares. */
#include "check.h"

#include "dualseal_sharing.h"

#define TEXT ((const uint8_t *)"resolution 7")
#define LENGTH ((size_t)12)

typedef struct {
    dualseal_domain *domain;
    dualseal_head *head;
    dualseal_session_in_force *in_force;
    dualseal_checkpoint *checkpoint;
    dualseal_ring *ring;
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    char *record, *shares, *line, *signed_line, id[65], founder[65];
} bench;

static const char *const owners[] = {ANA, BOB, ANA};

static dualseal_status sign(const dualseal_session_in_force *f, const uint8_t *text, const char *who,
                            const char *list, dualseal_head *head, char **result, char **entry)
{
    return dualseal_session_sign(f, NO_RING, text, LENGTH, who, SIZED(list), head, TIME, result, entry, NULL, &failure);
}

static dualseal_status find(const bench *b, const char *id, const char *founder, const char *records,
                            dualseal_session_in_force **in_force)
{
    dualseal_checkpoint *checkpoint = test_checkpoint(b->domain, b->head);
    dualseal_chain_reader *reader = reader_under(b->domain, checkpoint);
    dualseal_watched watched = 0;
    OK(dualseal_chain_reader_watch_session(reader, id, founder, NULL, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, &b->line, 1, NULL);
    NULL_IS("proofs", dualseal_proofs_session(NULL, watched, SIZED(records), b->ring, in_force, &failure));
    NULL_IS("records_json", dualseal_proofs_session(proofs, watched, SIZED(NULL), b->ring, in_force, &failure));
    NULL_IS("in_force", dualseal_proofs_session(proofs, watched, SIZED("[]"), b->ring, NULL, &failure));
    dualseal_status status = dualseal_proofs_session(proofs, watched, SIZED(records), b->ring, in_force, &failure);
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(checkpoint);
    return status;
}

static void set_up(bench *b, int mldsa)
{
    char *entry = NULL;
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->head = test_head();
    if (mldsa) {
        OK(dualseal_session_found_mldsa(b->domain, BOB, owners, 3, 2, BOB, b->head, TIME, &b->record, &b->shares,
                                        &entry, &failure));
        const char *hex = strstr(b->record, "\"javni_kljuc\":\"") + 15;
        for (size_t i = 0; i < sizeof b->key; i++) {
            unsigned byte = 0;
            CHECK(sscanf(hex + 2 * i, "%2x", &byte) == 1);
            b->key[i] = (uint8_t)byte;
        }
        OK(dualseal_ring_new_pinned(BOB, b->key, sizeof b->key, &b->ring, &failure));
    } else {
        OK(dualseal_session_found_hmac(b->domain, BOB, owners, 3, 2, b->head, TIME, &b->record, &b->shares, &entry,
                                       &failure));
    }
    CHECK(size_of_chain(b->head) == 1 && count_of(b->shares) == 3);
    OK(dualseal_entry_parts(SIZED(entry), &b->line, NULL, 0, &failure));
    member(b->record, "\"session_id\":\"", b->id, 64);
    OK(dualseal_entry_parts(SIZED(entry), NULL, b->founder, sizeof b->founder, &failure));
    dualseal_string_free(entry);
    b->checkpoint = test_checkpoint(b->domain, b->head);
    char *records = with("[]", b->record);
    OK(find(b, b->id, b->founder, records, &b->in_force));
    free(records);
}

/* Without a chain the session, the identity and the key are the caller's own, and the result is of no other. */
static void pinned_by_hand(const bench *b, const uint8_t *key, const char *result, const dualseal_ring *ring)
{
    const dualseal_domain *d = b->domain;
    const size_t len = DUALSEAL_PUBLIC_KEY_BYTES;
    char other[65];
    memset(other, '0', 64);
    other[64] = '\0';
    dualseal_verdict *verdict = NULL;
    OK(dualseal_session_verify_pinned(d, b->id, BOB, key, len, TEXT, LENGTH, SIZED(result), ring, NULL, NULL, &verdict,
                                      &failure));
    CHECK(kind_of(verdict) == DUALSEAL_STATUS_VALID);
    dualseal_verdict_free(verdict);
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_session_verify_pinned(d, other, BOB, key, len, TEXT, LENGTH, SIZED(result), ring, NULL, NULL, NULL,
                                         &failure));
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_session_verify_pinned(d, b->id, ANA, key, len, TEXT, LENGTH, SIZED(result), ring, NULL, NULL, NULL,
                                         &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "javni_kljuc", -2,
          dualseal_session_verify_pinned(d, b->id, BOB, key, 3, TEXT, 1, SIZED(result), ring, NULL, NULL, NULL,
                                         &failure));
    NULL_IS("domain",
            dualseal_session_verify_pinned(NULL, b->id, BOB, key, len, TEXT, 1, SIZED(result), ring, NULL, NULL, NULL,
                                           &failure));
    NULL_IS("session_id",
            dualseal_session_verify_pinned(d, NULL, BOB, key, len, TEXT, 1, SIZED(result), ring, NULL, NULL, NULL,
                                           &failure));
    NULL_IS("public_key",
            dualseal_session_verify_pinned(d, b->id, BOB, NULL, len, TEXT, 1, SIZED(result), ring, NULL, NULL, NULL,
                                           &failure));
}

/* A text of the library's that begins so, which is freed. */
static void begins(char *text, const char *expected)
{
    CHECK(strncmp(text, expected, strlen(expected)) == 0);
    dualseal_string_free(text);
}

/* What is in force is told: a caller without a JSON reader need not keep the record himself. */
static void the_record_in_force_is_told(const bench *b)
{
    char *record = NULL;
    uint64_t seq = 7;
    char *ignored = NULL, *candidates = NULL;
    OK(dualseal_session_in_force_record(b->in_force, &record, &seq, &candidates, &ignored, &failure));
    CHECK(seq == 0);
    is(record, b->record);
    CHECK(count_of(candidates) == 1);
    begins(candidates, "[{\"seq\":0,\"session\":{");
    is(ignored, "{\"entries\":[],\"more\":0}");
    OK(dualseal_session_in_force_record(b->in_force, NULL, NULL, NULL, NULL, &failure));
    NULL_IS("in_force", dualseal_session_in_force_record(NULL, &record, &seq, NULL, NULL, &failure));
}

static void tear_down(bench *b)
{
    dualseal_string_free(b->record);
    dualseal_string_free(b->shares);
    dualseal_string_free(b->line);
    dualseal_string_free(b->signed_line);
    dualseal_checkpoint_free(b->checkpoint);
    dualseal_session_in_force_free(b->in_force);
    dualseal_ring_free(b->ring);
    dualseal_head_free(b->head);
    dualseal_domain_free(b->domain);
}

static void only_the_pinned_session_is_in_force(const bench *b)
{
    dualseal_session_in_force *none = NULL;
    char other[65], *records = with("[]", b->record);
    memset(other, 'a', 64);
    other[64] = '\0';
    GIVES(DUALSEAL_STATUS_SESSION_ABSENT, find(b, b->id, other, records, &none));
    GIVES(DUALSEAL_STATUS_SESSION_ABSENT, find(b, ANA, b->founder, records, &none));
    FAILS(DUALSEAL_STATUS_SESSION_RECORD, NULL, 0, find(b, b->id, b->founder, "[]", &none));
    char *twice = with(records, "{}");
    FAILS(DUALSEAL_STATUS_MISSING_MEMBER, NULL, 1, find(b, b->id, b->founder, twice, &none));
    CHECK(none == NULL);
    free(twice);
    free(records);
}

static void a_quorum_signs(bench *b, int mldsa)
{
    const dualseal_session_in_force *f = b->in_force;
    char *two = slice(b->shares, 1, 3), *one = slice(b->shares, 0, 1), *result = NULL, *entry = NULL, *list = NULL;
    uint32_t needed = 0;
    int32_t reached = 7;
    OK(dualseal_session_quorum(f, SIZED(two), &needed, &list, &reached, &failure));
    CHECK(needed == 2 && reached == 1);
    begins(list, "{\"foreign\":[],\"ignored\":{\"entries\":[],\"more\":0},\"in_force\":true,\"invalid\":[],"
                 "\"missing\":[1],\"present\":[2,3],\"seq\":0,\"split_id\":\"");
    OK(dualseal_session_quorum(f, SIZED(one), &needed, &list, &reached, &failure));
    CHECK(reached == 0 && strstr(list, "\"present\":[1],") != NULL);
    dualseal_string_free(list);
    list = NULL;
    dualseal_status refused = sign(f, TEXT, ANA, one, b->head, &result, &entry);
    CHECK(strstr(dualseal_error_session_result(failure), "\"ok\":false") != NULL);
    CHECK(dualseal_error_session_result(NULL) == NULL);
    GIVES(DUALSEAL_STATUS_TOO_FEW_SHARES, refused);
    CHECK(size_of_chain(b->head) == 1 && result == NULL && entry == NULL);
    OK(sign(f, TEXT, ANA, two, b->head, &result, &entry));
    CHECK(size_of_chain(b->head) == 2);
    OK(dualseal_entry_parts(SIZED(entry), &b->signed_line, NULL, 0, &failure));
    if (mldsa) {
        const dualseal_ring *ring = b->ring;
        dualseal_verdict *verdict = NULL;
        OK(dualseal_session_verify(f, TEXT, LENGTH, SIZED(result), ring, NULL, NULL, &verdict, &failure));
        CHECK(kind_of(verdict) == DUALSEAL_STATUS_VALID);
        dualseal_verdict_free(verdict);
        GIVES(DUALSEAL_STATUS_INVALID,
              dualseal_session_verify(f, TEXT, 11, SIZED(result), ring, NULL, NULL, NULL, &failure));
        GIVES(DUALSEAL_STATUS_SESSION_KIND,
              dualseal_session_authenticate(f, TEXT, LENGTH, SIZED(result), SIZED(two), &list, &failure));
        NULL_IS("in_force", dualseal_session_verify(NULL, TEXT, 1, SIZED(result), ring, NULL, NULL, NULL, &failure));
        NULL_IS("message", dualseal_session_verify(f, NULL, 1, SIZED(result), ring, NULL, NULL, NULL, &failure));
        NULL_IS("result_json", dualseal_session_verify(f, TEXT, 1, SIZED(NULL), ring, NULL, NULL, NULL, &failure));
        NULL_IS("ring", dualseal_session_verify(f, TEXT, 1, SIZED(result), NULL, NULL, NULL, NULL, &failure));
        pinned_by_hand(b, b->key, result, ring);
    } else {
        GIVES(DUALSEAL_STATUS_AUTHENTICATED,
              dualseal_session_authenticate(f, TEXT, LENGTH, SIZED(result), SIZED(two), &list, &failure));
        is(list, "{\"culprits\":[],\"misdealt\":[]}");
        list = NULL;
        GIVES(DUALSEAL_STATUS_SESSION_RESULT,
              dualseal_session_authenticate(f, TEXT, 11, SIZED(result), SIZED(two), &list, &failure));
    }
    NULL_IS("in_force", dualseal_session_authenticate(NULL, TEXT, 1, SIZED(result), SIZED(two), &list, &failure));
    NULL_IS("message", dualseal_session_authenticate(f, NULL, 1, SIZED(result), SIZED(two), &list, &failure));
    NULL_IS("result_json", dualseal_session_authenticate(f, TEXT, 1, SIZED(NULL), SIZED(two), &list, &failure));
    NULL_IS("shares_json", dualseal_session_authenticate(f, TEXT, 1, SIZED(result), SIZED(NULL), &list, &failure));
    NULL_IS("faults_json", dualseal_session_authenticate(f, TEXT, 1, SIZED(result), SIZED(two), NULL, &failure));
    char *no = NULL;
    dualseal_head *h = b->head;
    NULL_IS("in_force", sign(NULL, TEXT, ANA, two, h, &no, &no));
    NULL_IS("message", sign(f, NULL, ANA, two, h, &no, &no));
    NULL_IS("requester", sign(f, TEXT, NULL, two, h, &no, &no));
    NULL_IS("shares_json", sign(f, TEXT, ANA, NULL, h, &no, &no));
    NULL_IS("head", sign(f, TEXT, ANA, two, NULL, &no, &no));
    NULL_IS("result_json", sign(f, TEXT, ANA, two, h, NULL, &no));
    NULL_IS("entry_json", sign(f, TEXT, ANA, two, h, &no, NULL));
    NULL_IS("in_force", dualseal_session_quorum(NULL, SIZED(two), &needed, &list, &reached, &failure));
    NULL_IS("shares_json", dualseal_session_quorum(f, SIZED(NULL), &needed, &list, &reached, &failure));
    NULL_IS("needed", dualseal_session_quorum(f, SIZED(two), NULL, &list, &reached, &failure));
    NULL_IS("quorum_json", dualseal_session_quorum(f, SIZED(two), &needed, NULL, &reached, &failure));
    NULL_IS("reached", dualseal_session_quorum(f, SIZED(two), &needed, &list, NULL, &failure));
    CHECK(no == NULL && list == NULL && size_of_chain(h) == 2);
    dualseal_string_free(result);
    dualseal_string_free(entry);
    free(one);
    free(two);
}

/* Signs with what three custodians answered, and tells who was named, or NULL when nothing was signed. */
static const char *named(const bench *b, char *const answered[3])
{
    static char culprits[16];
    dualseal_head *head = copy_of(b->head);
    char *list = with("[]", answered[0]), *result = NULL, *entry = NULL;
    for (int i = 1; i < 3; i++) {
        char *longer = answered[i] ? with(list, answered[i]) : with(list, answered[0]);
        free(list);
        list = longer;
    }
    dualseal_status status = sign(b->in_force, TEXT, ANA, list, head, &result, &entry);
    CHECK(status == DUALSEAL_OK || status == DUALSEAL_STATUS_TOO_FEW_SHARES);
    const char *told = status == DUALSEAL_OK ? result : dualseal_error_faults(failure);
    const char *from = strstr(told, "\"culprits\":") + 11;
    snprintf(culprits, sizeof culprits, "%s%.*s", status == DUALSEAL_OK ? "" : "no ",
             (int)(strchr(from, ']') + 1 - from), from);
    dualseal_error_free(failure);
    failure = NULL;
    dualseal_string_free(result);
    dualseal_string_free(entry);
    dualseal_head_free(head);
    free(list);
    return culprits;
}

/* A custodian who answers with another's number, or with anything at all, is named himself; the others sign, and no
   answer keeps the list from being read. */
static void whoever_answers_with_junk_is_named(const bench *b)
{
    char split[65], value[133], pairs[3][160], *answered[3] = {NULL, NULL, NULL}, *no = NULL;
    const char *const asked[] = {ANA, BOB, ANA};
    member(b->record, "\"split_id\":\"", split, 64);
    for (uint32_t i = 0; i < 3; i++) {
        char *share = element(b->shares, i);
        member(share, "\"vrijednost_hex\":\"", value, 132);
        snprintf(pairs[i], sizeof pairs[i], "[%u,\"%s\"]", (unsigned)i + 1, value);
        OK(dualseal_session_share_from_answer(b->id, split, asked[i], i + 1, (const uint8_t *)pairs[i],
                                              strlen(pairs[i]), &answered[i], &failure));
        CHECK(strcmp(answered[i], share) == 0);
        free(share);
    }
    CHECK(strcmp(named(b, answered), "[]") == 0);

    char junk[160], deep[1000];
    memset(value, '0', 132);
    snprintf(junk, sizeof junk, "[2,\"%s\"]", value);
    memset(deep, '[', sizeof deep);
    const struct {
        const char *bytes;
        size_t length;
    } answers[] = {{junk, strlen(junk)}, {pairs[1], strlen(pairs[1])}, {NULL, 0}, {"{}", 2}, {"[1]", 3},
                   {"\0", 1}, {"\xff\xfe", 2}, {deep, sizeof deep}, {pairs[0], strlen(pairs[0]) - 1}};
    char *good = answered[0], *third = answered[2];
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        OK(dualseal_session_share_from_answer(b->id, split, ANA, 1, (const uint8_t *)answers[i].bytes,
                                              answers[i].length, &answered[0], &failure));
        CHECK(strcmp(named(b, answered), "[1]") == 0);
        answered[2] = NULL;
        CHECK(strcmp(named(b, answered), "no [1]") == 0);
        answered[2] = third;
        dualseal_string_free(answered[0]);
    }
    answered[0] = good;
    const uint8_t *pair = (const uint8_t *)pairs[0];
#define OUT &no, &failure
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 0, dualseal_session_share_from_answer(b->id, split, ANA, 0, pair, 1, OUT));
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 257,
          dualseal_session_share_from_answer(b->id, split, ANA, 257, pair, 1, OUT));
    NULL_IS("session_id", dualseal_session_share_from_answer(NULL, split, ANA, 1, pair, 1, OUT));
    NULL_IS("split_id", dualseal_session_share_from_answer(b->id, NULL, ANA, 1, pair, 1, OUT));
    NULL_IS("owner", dualseal_session_share_from_answer(b->id, split, NULL, 1, pair, 1, OUT));
    NULL_IS("answer", dualseal_session_share_from_answer(b->id, split, ANA, 1, NULL, 1, OUT));
    NULL_IS("share_json", dualseal_session_share_from_answer(b->id, split, ANA, 1, pair, 1, NULL, &failure));
#undef OUT
    CHECK(no == NULL);
    for (int i = 0; i < 3; i++) {
        dualseal_string_free(answered[i]);
    }
}

/* Messages of the session by whoever writes to the log, here with a domain that keeps no form for itself: junk, and the
   founding again. They are listed, stop nothing and blame nobody. */
static void what_anybody_writes_stops_nothing(const bench *b)
{
    dualseal_domain *mallory = NULL;
    dualseal_head *head = copy_of(b->head);
    dualseal_watched watched = 0;
    char founding[300], junk[300], *lines[3] = {NULL, NULL, NULL}, *ignored = NULL, *result = NULL, *entry = NULL;
    const char *end = strchr(strstr(b->line, "\"poruka\":\"") + 10, '"');
    const char *begin = strstr(b->line, "\"poruka\":\"") + 10;
    snprintf(founding, sizeof founding, "%.*s", (int)(end - begin), begin);
    snprintf(junk, sizeof junk, "DUALSEAL-THRESHOLD::SESSION::%s::", b->id);
    OK(dualseal_domain_new("ACME", &mallory, &failure));
    const char *const messages[] = {junk, founding, founding};
    const int64_t times[] = {TIME, TIME, TIME + 1};
    for (int i = 0; i < 3; i++) {
        GIVES(DUALSEAL_STATUS_RESERVED_MESSAGE,
              dualseal_head_append(head, b->domain, BOB, SIZED(messages[i]), times[i], &entry, &failure));
        OK(dualseal_head_append(head, mallory, BOB, SIZED(messages[i]), times[i], &entry, &failure));
        OK(dualseal_entry_parts(SIZED(entry), &lines[i], NULL, 0, &failure));
        dualseal_string_free(entry);
        entry = NULL;
    }
    dualseal_checkpoint *checkpoint = test_checkpoint(b->domain, head);
    dualseal_session_in_force *found = NULL;
    dualseal_chain_reader *reader = reader_under(b->domain, checkpoint);
    OK(dualseal_chain_reader_watch_session(reader, b->id, b->founder, NULL, &watched, &failure));
    OK(dualseal_chain_reader_push(reader, SIZED(b->line), &failure));
    dualseal_proofs *proofs = read_to(reader, lines, 3, NULL);
    for (int i = 0; i < 3; i++) {
        dualseal_string_free(lines[i]);
    }
    char *records = with("[]", b->record);
    OK(dualseal_proofs_session(proofs, watched, SIZED(records), b->ring, &found, &failure));
    OK(dualseal_session_in_force_record(found, NULL, NULL, NULL, &ignored, &failure));
    /* And again from there on, where the chain is not read again. */
    dualseal_chain_reader *later = NULL;
    dualseal_session_in_force *same = NULL;
    OK(dualseal_chain_reader_new(b->domain, head, checkpoint, checkpoint == NULL, NULL, &later, &failure));
    OK(dualseal_chain_reader_watch_session(later, NULL, NULL, found, &watched, &failure));
    dualseal_proofs_free(proofs);
    proofs = read_to(later, NULL, 0, NULL);
    char *listed = NULL;
    OK(dualseal_proofs_session(proofs, watched, SIZED(records), b->ring, &same, &failure));
    OK(dualseal_session_in_force_record(same, NULL, NULL, NULL, &listed, &failure));
    is(listed, ignored);
    dualseal_session_in_force_free(same);
    is(ignored, "{\"entries\":[{\"reason\":\"form\",\"seq\":1},{\"reason\":\"repeated\",\"seq\":2},"
                "{\"reason\":\"no-record\",\"seq\":3}],\"more\":0}");
    char *two = slice(b->shares, 1, 3);
    OK(sign(found, TEXT, ANA, two, head, &result, &entry));
    CHECK(strstr(result, "\"culprits\":[]") != NULL);
    dualseal_string_free(result);
    dualseal_string_free(entry);
    free(two);
    free(records);
    dualseal_session_in_force_free(found);
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(checkpoint);
    dualseal_head_free(head);
    dualseal_domain_free(mallory);
}

/* The whole chain is read up to the head that the entry goes to. */
static dualseal_status commit_by(const bench *b, const dualseal_ring *ring, const char *said, uint32_t needed,
                                 char **session, char **entry)
{
    dualseal_chain_reader *reader = reader_under(b->domain, b->checkpoint);
    dualseal_watched watched = 0;
    char *records = with("[]", b->record), *lines[] = {b->line, b->signed_line};
    OK(dualseal_chain_reader_watch_session(reader, b->id, b->founder, NULL, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, lines, 1 + (b->signed_line != NULL), NULL);
    GIVES(DUALSEAL_STATUS_OTHER_READER,
          dualseal_session_commit(b->in_force, proofs, watched + 1, SIZED(records), ring, SIZED(said), needed, BOB,
                                  b->head, session, entry, &failure));
    NULL_IS("proofs", dualseal_session_commit(b->in_force, NULL, watched, SIZED(records), ring, SIZED(said), needed,
                                              BOB, b->head, session, entry, &failure));
    dualseal_status status = dualseal_session_commit(b->in_force, proofs, watched, SIZED(records), ring, SIZED(said),
                                                     needed, BOB, b->head, session, entry, &failure);
    dualseal_error_free(failure);
    failure = NULL;
    dualseal_proofs_free(proofs);
    free(records);
    return status;
}

static dualseal_status commit(const bench *b, const char *said, uint32_t needed, char **session, char **entry)
{
    return commit_by(b, b->ring, said, needed, session, entry);
}

/* What the first custodians of a prepared record say. */
static void acknowledged(const char *record, int custodians, char *said)
{
    char split[65];
    const char *commitment = strstr(record, "\"udio_sidra\":[\"") + 15;
    member(record, "\"split_id\":\"", split, 64);
    for (int i = 0; i < custodians; i++) {
        said += sprintf(said, "%s[%d,{\"split_id\":\"%s\",\"udio_sidra\":\"%.128s\"}]", i == 0 ? "[" : ",", i + 1,
                        split, commitment + 131 * i);
    }
    strcpy(said, "]");
}

/* Of an HMAC session two records may continue the founder as far as the chain tells; the second was appended by
   somebody else, and is last. Nobody's share is invalid by it. */
static void a_candidate_of_somebody_else_makes_no_share_invalid(bench *b)
{
    dualseal_domain *mallory = NULL;
    dualseal_head *first = b->head, *heads[2] = {copy_of(first), copy_of(first)};
    char *two = slice(b->shares, 1, 3), *record = NULL, *shares[2], *faults = NULL, *committed[2], *entries[2];
    char said[1000], message[300], *lines[2], *json = NULL;
    for (int i = 0; i < 2; i++) {
        committed[i] = entries[i] = NULL;
        OK(dualseal_session_prepare(b->in_force, SIZED(two), owners, 3, 0, TIME, &record, &shares[i], &faults,
                                    &failure));
        acknowledged(record, 3, said);
        b->head = heads[i];
        OK(commit(b, said, 0, &committed[i], &entries[i]));
        dualseal_string_free(record);
        dualseal_string_free(faults);
    }
    b->head = first;
    const char *begin = strstr(entries[1], "\"poruka\":\"") + 10;
    snprintf(message, sizeof message, "%.*s", (int)(strchr(begin, '"') - begin), begin);
    OK(dualseal_domain_new("ACME", &mallory, &failure));
    OK(dualseal_entry_parts(SIZED(entries[0]), &lines[0], NULL, 0, &failure));
    OK(dualseal_head_append(heads[0], mallory, BOB, SIZED(message), TIME, &json, &failure));
    OK(dualseal_entry_parts(SIZED(json), &lines[1], NULL, 0, &failure));
    dualseal_string_free(json);

    dualseal_checkpoint *checkpoint = test_checkpoint(b->domain, heads[0]);
    dualseal_chain_reader *reader = reader_under(b->domain, checkpoint);
    dualseal_session_in_force *found = NULL;
    dualseal_watched watched = 0;
    OK(dualseal_chain_reader_watch_session(reader, b->id, b->founder, NULL, &watched, &failure));
    OK(dualseal_chain_reader_push(reader, SIZED(b->line), &failure));
    dualseal_proofs *proofs = read_to(reader, lines, 2, NULL);
    char *one = with("[]", b->record), *some = with(one, committed[0]), *records = with(some, committed[1]);
    OK(dualseal_proofs_session(proofs, watched, SIZED(records), b->ring, &found, &failure));
    char *told = b->record, *candidates = NULL;
    uint64_t seq = 7;
    OK(dualseal_session_in_force_record(found, &told, &seq, &candidates, NULL, &failure));
    CHECK(told == NULL && seq == UINT64_MAX && count_of(candidates) == 3);
    uint32_t needed = 0;
    int32_t reached = 0;
    OK(dualseal_session_quorum(found, SIZED(shares[0]), &needed, &json, &reached, &failure));
    CHECK(reached == 1 && needed == 2 && strstr(json, "\"seq\":1,") != NULL);
    begins(json, "{\"foreign\":[],\"ignored\":{\"entries\":[{\"reason\":\"predecessor\",\"seq\":2}],\"more\":0},"
                 "\"in_force\":true,\"invalid\":[],\"missing\":[],\"present\":[1,2,3],");
    /* One share tells of nothing; it holds all the same. */
    char *alone = slice(shares[0], 0, 1);
    OK(dualseal_session_quorum(found, SIZED(alone), &needed, &json, &reached, &failure));
    CHECK(reached == 0 && strstr(json, "\"in_force\":false,\"invalid\":[],") != NULL);
    CHECK(strstr(json, "\"present\":[1],") != NULL);
    dualseal_string_free(json);
    /* A share that is ahead of what is in force under a checkpoint is no cheat's. */
    OK(dualseal_session_quorum(b->in_force, SIZED(shares[0]), &needed, &json, &reached, &failure));
    CHECK(reached == 0);
    begins(json, "{\"foreign\":[1,2,3],\"ignored\":{\"entries\":[],\"more\":0},\"in_force\":true,\"invalid\":[],");

    free(alone);
    free(one);
    free(some);
    free(records);
    free(two);
    dualseal_string_free(candidates);
    for (int i = 0; i < 2; i++) {
        dualseal_string_free(lines[i]);
        dualseal_string_free(shares[i]);
        dualseal_string_free(committed[i]);
        dualseal_string_free(entries[i]);
        dualseal_head_free(heads[i]);
    }
    dualseal_session_in_force_free(found);
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(checkpoint);
    dualseal_domain_free(mallory);
}

/* What is in force when the chain has the founding and one entry more. */
static dualseal_status found_by(const bench *b, const dualseal_ring *ring, char *line, const char *records,
                                const dualseal_head *head, uint64_t *seq, char **ignored)
{
    dualseal_checkpoint *checkpoint = test_checkpoint(b->domain, head);
    dualseal_chain_reader *reader = reader_under(b->domain, checkpoint);
    dualseal_session_in_force *found = NULL;
    dualseal_watched watched = 0;
    char *lines[] = {b->line, line};
    OK(dualseal_chain_reader_watch_session(reader, b->id, b->founder, NULL, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, lines, 2, NULL);
    dualseal_status status = dualseal_proofs_session(proofs, watched, SIZED(records), ring, &found, &failure);
    CHECK((found != NULL) == (status == DUALSEAL_OK));
    if (found != NULL) {
        OK(dualseal_session_in_force_record(found, NULL, seq, NULL, ignored, &failure));
    }
    dualseal_session_in_force_free(found);
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(checkpoint);
    return status;
}

/* A thief with the quorum's key appends a generation, which its own authority holds for: by a ring that says that the
   key was revoked it is in force nowhere, and nothing is committed. Nobody can leave the ring out. */
static void a_revoked_key_authorises_nothing(bench *b)
{
    dualseal_ring_key *ring_key = NULL;
    dualseal_ring *revoked = NULL, *stranger = NULL;
    dualseal_head *first = b->head, *own = copy_of(first), *head = copy_of(first);
    const uint64_t from = 1;
    uint64_t seq = 7;
    char *json = NULL, *record = NULL, *shares = NULL, *faults = NULL, *committed = NULL, *line = NULL, said[1000];
    OK(dualseal_ring_key_generate(b->domain, &ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, ring_key, &revoked, &failure));
    follow(revoked, &b->line, 1);
    OK(dualseal_ring_add(revoked, BOB, b->key, sizeof b->key, own, TIME, &json, &failure));
    dualseal_string_free(json);
    json = NULL;
    OK(dualseal_ring_set_state(revoked, BOB, NULL, DUALSEAL_KEY_STATE_REVOKED, &from, own, TIME, &json, &failure));
    dualseal_string_free(json);
    json = NULL;
    OK(dualseal_ring_new_pinned(ANA, b->key, sizeof b->key, &stranger, &failure));

    char *two = slice(b->shares, 1, 3);
    OK(dualseal_session_prepare(b->in_force, SIZED(two), owners, 3, 0, TIME, &record, &shares, &faults, &failure));
    acknowledged(record, 3, said);
    b->head = head;
    CHECK(commit_by(b, revoked, said, 0, &committed, &json) == DUALSEAL_STATUS_SESSION_REVOKED);
    CHECK(commit_by(b, stranger, said, 0, &committed, &json) == DUALSEAL_STATUS_SESSION_KEY_UNKNOWN);
    CHECK(commit_by(b, NULL, said, 0, &committed, &json) == DUALSEAL_STATUS_SESSION_KEY_UNKNOWN);
    CHECK(committed == NULL && json == NULL && size_of_chain(head) == 1);
    OK(commit(b, said, 0, &committed, &json));
    b->head = first;
    OK(dualseal_entry_parts(SIZED(json), &line, NULL, 0, &failure));
    dualseal_string_free(json);
    char *one = with("[]", b->record), *records = with(one, committed), *ignored = NULL;
    OK(found_by(b, b->ring, line, records, head, &seq, &ignored));
    CHECK(seq == 1);
    is(ignored, "{\"entries\":[],\"more\":0}");
    OK(found_by(b, revoked, line, records, head, &seq, &ignored));
    CHECK(seq == 0);
    is(ignored, "{\"entries\":[{\"reason\":\"revoked\",\"seq\":1}],\"more\":0}");
    GIVES(DUALSEAL_STATUS_SESSION_KEY_UNKNOWN, found_by(b, stranger, line, records, head, &seq, &ignored));
    GIVES(DUALSEAL_STATUS_SESSION_KEY_UNKNOWN, found_by(b, NULL, line, records, head, &seq, &ignored));

    free(one);
    free(records);
    free(two);
    dualseal_string_free(line);
    dualseal_string_free(committed);
    dualseal_string_free(record);
    dualseal_string_free(shares);
    dualseal_string_free(faults);
    dualseal_head_free(head);
    dualseal_head_free(own);
    dualseal_ring_free(stranger);
    dualseal_ring_free(revoked);
    dualseal_ring_key_free(ring_key);
}

static void shares_are_repaired_and_dealt_anew(bench *b)
{
    const dualseal_session_in_force *f = b->in_force;
    dualseal_head *h = b->head;
    char *two = slice(b->shares, 1, 3), *expected = element(b->shares, 0), *share = NULL, *culprits = NULL;
    char *next = NULL, *more = NULL, *entry = NULL;
    OK(dualseal_session_repair(f, SIZED(two), 1, ANA, &share, &culprits, &failure));
    is(share, expected);
    is(culprits, "{\"culprits\":[],\"misdealt\":[]}");
    share = culprits = NULL;
    /* The caller names another's share: nobody cheated. */
    CHECK(dualseal_session_repair(f, SIZED(two), 1, BOB, &share, &culprits, &failure)
          == DUALSEAL_STATUS_SHARE_NOT_COMMITTED);
    CHECK(dualseal_error_index(failure) == 1 && strcmp(dualseal_error_faults(failure), FAULTS("[]", "[]")) == 0);
    dualseal_error_free(failure);
    failure = NULL;
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 4, dualseal_session_repair(f, SIZED(two), 4, ANA, &share, &culprits,
        &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 257,
          dualseal_session_repair(f, SIZED(two), 257, ANA, &share, &culprits, &failure));
    NULL_IS("in_force", dualseal_session_repair(NULL, SIZED(two), 1, ANA, &share, &culprits, &failure));
    NULL_IS("shares_json", dualseal_session_repair(f, SIZED(NULL), 1, ANA, &share, &culprits, &failure));
    NULL_IS("owner", dualseal_session_repair(f, SIZED(two), 1, NULL, &share, &culprits, &failure));
    NULL_IS("share_json", dualseal_session_repair(f, SIZED(two), 1, ANA, NULL, &culprits, &failure));
    NULL_IS("faults_json", dualseal_session_repair(f, SIZED(two), 1, ANA, &share, NULL, &failure));

#define NEW &next, &more, &culprits, &failure
    GIVES(DUALSEAL_STATUS_RANGE, dualseal_session_prepare(f, SIZED(two), owners, 2, 3, TIME, NEW));
    FAILS(DUALSEAL_STATUS_RANGE, "k", 258, dualseal_session_prepare(f, SIZED(two), owners, 2, 258, TIME, NEW));
    FAILS(DUALSEAL_STATUS_RANGE, "n", 259, dualseal_session_prepare(f, SIZED(two), owners, 259, 2, TIME, NEW));
    /* With 0 for k the numbers stay what they are. */
    FAILS(DUALSEAL_STATUS_RANGE, "n", -1, dualseal_session_prepare(f, SIZED(two), owners, 2, 0, TIME, NEW));
    NULL_IS("in_force", dualseal_session_prepare(NULL, SIZED(two), owners, 2, 2, TIME, NEW));
    NULL_IS("shares_json", dualseal_session_prepare(f, SIZED(NULL), owners, 2, 2, TIME, NEW));
    NULL_IS("owners", dualseal_session_prepare(f, SIZED(two), NULL, 2, 2, TIME, NEW));
    NULL_IS("session_json", dualseal_session_prepare(f, SIZED(two), owners, 2, 2, TIME, NULL, &more, &culprits,
                                                     &failure));
    NULL_IS("new_shares_json", dualseal_session_prepare(f, SIZED(two), owners, 2, 2, TIME, &next, NULL, &culprits,
                                                        &failure));
    NULL_IS("faults_json", dualseal_session_prepare(f, SIZED(two), owners, 2, 2, TIME, &next, &more, NULL, &failure));
    CHECK(share == NULL && culprits == NULL && next == NULL && more == NULL && entry == NULL && size_of_chain(h) == 2);
    CHECK(commit(b, "[]", 0, &next, &entry) == DUALSEAL_STATUS_UNKNOWN_VALUE && "nothing was prepared");
    OK(dualseal_session_prepare(f, SIZED(two), owners, 3, 0, TIME, NEW));
    CHECK(count_of(more) == 3 && size_of_chain(h) == 2 && strstr(next, "\"ovlast\":null") != NULL);
    is(culprits, "{\"culprits\":[],\"misdealt\":[]}");

    /* As many as sign have their shares; the entry brings them into force. */
    char said[1000], *next_record = NULL;
    acknowledged(next, 2, said);
    /* The first says what the second would, by the record that he has: he has said it for nobody. */
    char forged[1000];
    strcpy(forged, said);
    *strstr(forged, ",[2,") = ' ';
    memcpy(strstr(forged, " [2,"), ",[1,", 4);
    CHECK(commit(b, forged, 2, &next_record, &entry) == DUALSEAL_STATUS_TOO_FEW_ACKNOWLEDGEMENTS);
    CHECK(commit(b, "[[1]]", 2, &next_record, &entry) == DUALSEAL_STATUS_WRONG_TYPE);
    CHECK(commit(b, "[[0,{}]]", 2, &next_record, &entry) == DUALSEAL_STATUS_RANGE && next_record == NULL);
    dualseal_string_free(next);
    dualseal_string_free(more);
    next = more = NULL;
    CHECK(commit(b, said, 0, &next, &entry) == DUALSEAL_STATUS_TOO_FEW_ACKNOWLEDGEMENTS);
    CHECK(commit(b, said, 1, &next, &entry) == DUALSEAL_STATUS_RANGE);
    CHECK(next == NULL && entry == NULL && size_of_chain(h) == 2);
    CHECK(commit(b, said, 2, &next, &entry) == DUALSEAL_OK);
    CHECK(size_of_chain(h) == 3 && strstr(next, "\"prethodni\":\"") != NULL && strstr(next, "\"ovlast\":\"") != NULL);
    CHECK(commit(b, said, 2, &more, &more) == DUALSEAL_STATUS_UNKNOWN_VALUE && "it is committed once");
    dualseal_string_free(next);
    dualseal_string_free(entry);
    free(expected);
    free(two);
}

static void null_everywhere(const bench *b)
{
    const dualseal_domain *d = b->domain;
    dualseal_head *h = b->head;
    dualseal_chain_reader *r = reader_under(d, NULL);
    dualseal_watched w = 0;
    char *s = NULL, *l = NULL, *e = NULL;
    NULL_IS("domain", dualseal_session_found_hmac(NULL, BOB, owners, 3, 2, h, TIME, &s, &l, &e, &failure));
    NULL_IS("founder", dualseal_session_found_hmac(d, NULL, owners, 3, 2, h, TIME, &s, &l, &e, &failure));
    NULL_IS("owners", dualseal_session_found_hmac(d, BOB, NULL, 3, 2, h, TIME, &s, &l, &e, &failure));
    NULL_IS("head", dualseal_session_found_hmac(d, BOB, owners, 3, 2, NULL, TIME, &s, &l, &e, &failure));
    NULL_IS("session_json", dualseal_session_found_hmac(d, BOB, owners, 3, 2, h, TIME, NULL, &l, &e, &failure));
    NULL_IS("new_shares_json", dualseal_session_found_hmac(d, BOB, owners, 3, 2, h, TIME, &s, NULL, &e, &failure));
    NULL_IS("entry_json", dualseal_session_found_hmac(d, BOB, owners, 3, 2, h, TIME, &s, &l, NULL, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "k", 4,
          dualseal_session_found_hmac(d, BOB, owners, 3, 4, h, TIME, &s, &l, &e, &failure));
    /* The low byte would be a k of 2. */
    FAILS(DUALSEAL_STATUS_RANGE, "k", 258,
          dualseal_session_found_hmac(d, BOB, owners, 3, 258, h, TIME, &s, &l, &e, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "n", 0,
          dualseal_session_found_hmac(d, BOB, NULL, 0, 2, h, TIME, &s, &l, &e, &failure));
    NULL_IS("identity_id", dualseal_session_found_mldsa(d, BOB, owners, 3, 2, NULL, h, TIME, &s, &l, &e, &failure));
    NULL_IS("head", dualseal_session_found_mldsa(d, BOB, owners, 3, 2, BOB, NULL, TIME, &s, &l, &e, &failure));
    NULL_IS("reader", dualseal_chain_reader_watch_session(NULL, b->id, b->founder, NULL, &w, &failure));
    NULL_IS("session_id", dualseal_chain_reader_watch_session(r, NULL, b->founder, NULL, &w, &failure));
    NULL_IS("founder", dualseal_chain_reader_watch_session(r, b->id, NULL, NULL, &w, &failure));
    NULL_IS("watched", dualseal_chain_reader_watch_session(r, b->id, b->founder, NULL, NULL, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "before", -1,
          dualseal_chain_reader_watch_session(r, b->id, NULL, b->in_force, &w, &failure));
    CHECK(s == NULL && l == NULL && e == NULL && w == 0);
    dualseal_chain_reader_free(r);
    dualseal_session_in_force_free(NULL);
}

int main(void)
{
    for (int mldsa = 0; mldsa < 2; mldsa++) {
        bench b;
        set_up(&b, mldsa);
        only_the_pinned_session_is_in_force(&b);
        the_record_in_force_is_told(&b);
        null_everywhere(&b);
        whoever_answers_with_junk_is_named(&b);
        what_anybody_writes_stops_nothing(&b);
        if (mldsa) {
            a_revoked_key_authorises_nothing(&b);
        } else {
            a_candidate_of_somebody_else_makes_no_share_invalid(&b);
        }
        a_quorum_signs(&b, mldsa);
        shares_are_repaired_and_dealt_anew(&b);
        tear_down(&b);
    }
    return 0;
}
