/* Threshold sessions: founded, found in force, signing, and verified with and without shares. */
#include "check.h"

#define ORIGIN "example.org/log"
#define TEXT ((const uint8_t *)"resolution 7")
#define LENGTH ((size_t)12)

typedef struct {
    dualseal_domain *domain;
    dualseal_head *head;
    dualseal_session *session;
    dualseal_session_shares *shares;
    dualseal_session_in_force *in_force;
    char *record, *line, id[65], anchor[129];
} bench;

static const char *const owners[] = {ANA, BOB, ANA};

/* The value of a text member, which has this length. */
static void member(const char *json, const char *name, char *value, size_t length)
{
    const char *at = strstr(json, name);
    CHECK(at != NULL);
    memcpy(value, at + strlen(name), length);
    value[length] = '\0';
}

static dualseal_checkpoint *checkpoint_over(const bench *b)
{
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    char hash[DUALSEAL_ID_TEXT_BYTES], *json = NULL;
    dualseal_signing_key *log = test_key(5);
    dualseal_checkpoint_signer *signer = NULL;
    dualseal_checkpoint *checkpoint = NULL;
    test_public_key(5, key);
    OK(dualseal_public_key_hash(key, sizeof key, hash, sizeof hash, &failure));
    OK(dualseal_checkpoint_signer_new(b->domain, ORIGIN, BOB, log, &signer, &failure));
    OK(dualseal_checkpoint_signer_sign_first(signer, b->head, TIME, &json, &failure));
    OK(dualseal_checkpoint_verify(b->domain, ORIGIN, BOB, hash, 1, NULL, NULL, json, &checkpoint, NULL, &failure));
    dualseal_string_free(json);
    dualseal_checkpoint_signer_free(signer);
    dualseal_signing_key_free(log);
    return checkpoint;
}

static dualseal_status find(const bench *b, const char *id, const char *anchor, size_t count,
                            dualseal_session_in_force **in_force)
{
    dualseal_checkpoint *checkpoint = checkpoint_over(b);
    dualseal_session_check *check = NULL;
    const char *records[] = {b->record};
    OK(dualseal_session_check_new(b->domain, id, anchor, checkpoint, &check, &failure));
    OK(dualseal_session_check_push_line(check, b->line, &failure));
    NULL_IS("check", dualseal_session_check_push_line(NULL, b->line, &failure));
    NULL_IS("line", dualseal_session_check_push_line(check, NULL, &failure));
    NULL_IS("records_json", dualseal_session_check_finish(check, NULL, 1, in_force, &failure));
    NULL_IS("in_force", dualseal_session_check_finish(check, records, 1, NULL, &failure));
    dualseal_status status = dualseal_session_check_finish(check, records, count, in_force, &failure);
    dualseal_session_check_free(check);
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
        OK(dualseal_session_found_mldsa(b->domain, BOB, owners, 3, 2, BOB, b->head, TIME, &b->session, &b->shares,
                &entry,
                                        &failure));
    } else {
        OK(dualseal_session_found_hmac(b->domain, BOB, owners, 3, 2, b->head, TIME, &b->session, &b->shares, &entry,
                                       &failure));
    }
    CHECK(size_of_chain(b->head) == 1);
    OK(dualseal_entry_line(entry, &b->line, &failure));
    OK(dualseal_session_to_json(b->session, &b->record, &failure));
    member(b->record, "\"session_id\":\"", b->id, 64);
    member(b->record, "\"javni_sidro\":\"", b->anchor, 128);
    dualseal_string_free(entry);
    OK(find(b, b->id, b->anchor, 1, &b->in_force));
}

static void tear_down(bench *b)
{
    dualseal_string_free(b->record);
    dualseal_string_free(b->line);
    dualseal_session_in_force_free(b->in_force);
    dualseal_session_shares_free(b->shares);
    dualseal_session_free(b->session);
    dualseal_head_free(b->head);
    dualseal_domain_free(b->domain);
}

static void only_the_pinned_session_is_in_force(const bench *b)
{
    dualseal_session_in_force *none = NULL;
    dualseal_session *read = NULL;
    char other[129];
    memset(other, 'a', 128);
    other[128] = '\0';
    GIVES(DUALSEAL_STATUS_SESSION_ANCHOR, find(b, b->id, other, 1, &none));
    GIVES(DUALSEAL_STATUS_SESSION_ABSENT, find(b, ANA, b->anchor, 1, &none));
    FAILS(DUALSEAL_STATUS_SESSION_RECORD, NULL, 0, find(b, b->id, b->anchor, 0, &none));
    OK(dualseal_session_from_json(b->record, &read, &failure));
    dualseal_session_free(read);
    read = NULL;
    GIVES(DUALSEAL_STATUS_MISSING_MEMBER, dualseal_session_from_json("{}", &read, &failure));
    NULL_IS("session_json", dualseal_session_from_json(NULL, &read, &failure));
    NULL_IS("session", dualseal_session_from_json(b->record, NULL, &failure));
    CHECK(none == NULL && read == NULL);
}

/* A share that a node pulls is a pair; the one who pulled it knows what it is of. */
static void pulled(const bench *b)
{
    dualseal_session_shares *list = NULL;
    char *json = NULL, *pair = NULL, *again = NULL, *none = NULL;
    char session_id[65], split_id[65], owner[65];
    OK(dualseal_session_shares_new(&list, &failure));
    OK(dualseal_session_shares_get(b->shares, 1, &json, &failure));
    OK(dualseal_session_shares_get_pair(b->shares, 1, &pair, &failure));
    CHECK(strncmp(pair, "[2,\"", 4) == 0);
    member(json, "\"session_id\":\"", session_id, 64);
    member(json, "\"split_id\":\"", split_id, 64);
    member(json, "\"vlasnik\":\"", owner, 64);
    OK(dualseal_session_shares_push_pair(list, session_id, split_id, owner, pair, &failure));
    OK(dualseal_session_shares_get(list, 0, &again, &failure));
    CHECK(strcmp(json, again) == 0);
    GIVES(DUALSEAL_STATUS_LENGTH,
          dualseal_session_shares_push_pair(list, session_id, split_id, owner, "[1]", &failure));
    NULL_IS("shares", dualseal_session_shares_push_pair(NULL, session_id, split_id, owner, pair, &failure));
    NULL_IS("session_id", dualseal_session_shares_push_pair(list, NULL, split_id, owner, pair, &failure));
    NULL_IS("split_id", dualseal_session_shares_push_pair(list, session_id, NULL, owner, pair, &failure));
    NULL_IS("owner", dualseal_session_shares_push_pair(list, session_id, split_id, NULL, pair, &failure));
    NULL_IS("pair_json", dualseal_session_shares_push_pair(list, session_id, split_id, owner, NULL, &failure));
    NULL_IS("shares", dualseal_session_shares_get_pair(NULL, 0, &none, &failure));
    NULL_IS("pair_json", dualseal_session_shares_get_pair(b->shares, 0, NULL, &failure));
    dualseal_string_free(json);
    dualseal_string_free(pair);
    dualseal_string_free(again);
    dualseal_session_shares_free(list);
}

static dualseal_session_shares *some(const bench *b, size_t from, size_t to)
{
    dualseal_session_shares *list = NULL;
    OK(dualseal_session_shares_new(&list, &failure));
    for (size_t i = from; i < to; i++) {
        char *json = NULL;
        OK(dualseal_session_shares_get(b->shares, i, &json, &failure));
        OK(dualseal_session_shares_push(list, json, &failure));
        dualseal_string_free(json);
    }
    return list;
}

static void a_quorum_signs(bench *b, int mldsa)
{
    const dualseal_domain *d = b->domain;
    dualseal_session_shares *two = some(b, 1, 3), *one = some(b, 0, 1);
    char *result = NULL, *entry = NULL;
    uint8_t *list = NULL, needed = 0;
    size_t len = 9;
    int32_t reached = 7;
    OK(dualseal_session_quorum(b->session, d, two, &needed, &list, &len, &reached, &failure));
    CHECK(needed == 2 && len == 2 && memcmp(list, "\2\3", 2) == 0 && reached == 1);
    dualseal_bytes_free(list);
    OK(dualseal_session_quorum(b->session, d, one, &needed, &list, &len, &reached, &failure));
    CHECK(len == 1 && reached == 0);
    dualseal_bytes_free(list);
    list = NULL;
    dualseal_status refused = dualseal_session_sign(b->in_force, d, TEXT, LENGTH, ANA, one, b->head, TIME, &result,
                                                    &entry, &failure);
    CHECK(strstr(dualseal_error_session_result(failure), "\"ok\":false") != NULL);
    CHECK(dualseal_error_session_result(NULL) == NULL);
    GIVES(DUALSEAL_STATUS_TOO_FEW_SHARES, refused);
    CHECK(size_of_chain(b->head) == 1 && result == NULL && entry == NULL);
    OK(dualseal_session_sign(b->in_force, d, TEXT, LENGTH, ANA, two, b->head, TIME, &result, &entry, &failure));
    CHECK(size_of_chain(b->head) == 2);
    if (mldsa) {
        uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
        const char *hex = strstr(b->record, "\"javni_kljuc\":\"") + 15;
        for (size_t i = 0; i < sizeof key; i++) {
            unsigned byte = 0;
            CHECK(sscanf(hex + 2 * i, "%2x", &byte) == 1);
            key[i] = (uint8_t)byte;
        }
        dualseal_ring *ring = NULL;
        dualseal_verdict *verdict = NULL;
        OK(dualseal_ring_pinned(BOB, key, sizeof key, &ring, &failure));
        OK(dualseal_verify_quorum(d, b->session, TEXT, LENGTH, result, ring, NULL, NULL, &verdict, &failure));
        CHECK(dualseal_verdict_kind(verdict) == DUALSEAL_STATUS_VALID);
        dualseal_verdict_free(verdict);
        GIVES(DUALSEAL_STATUS_INVALID,
              dualseal_verify_quorum(d, b->session, TEXT, 11, result, ring, NULL, NULL, NULL, &failure));
        GIVES(DUALSEAL_STATUS_SESSION_KIND, dualseal_session_authenticate(b->in_force, d, TEXT, LENGTH, result, two,
                &list,
                                                                          &len, &failure));
        NULL_IS("domain", dualseal_verify_quorum(NULL, b->session, TEXT, 1, result, ring, NULL, NULL, NULL, &failure));
        NULL_IS("session", dualseal_verify_quorum(d, NULL, TEXT, 1, result, ring, NULL, NULL, NULL, &failure));
        NULL_IS("message", dualseal_verify_quorum(d, b->session, NULL, 1, result, ring, NULL, NULL, NULL, &failure));
        NULL_IS("result_json", dualseal_verify_quorum(d, b->session, TEXT, 1, NULL, ring, NULL, NULL, NULL, &failure));
        NULL_IS("ring", dualseal_verify_quorum(d, b->session, TEXT, 1, result, NULL, NULL, NULL, NULL, &failure));
        dualseal_ring_free(ring);
    } else {
        OK(dualseal_session_authenticate(b->in_force, d, TEXT, LENGTH, result, two, &list, &len, &failure));
        CHECK(len == 0);
        dualseal_bytes_free(list);
        list = NULL;
        GIVES(DUALSEAL_STATUS_SESSION_RESULT,
              dualseal_session_authenticate(b->in_force, d, TEXT, 11, result, two, &list, &len, &failure));
    }
    NULL_IS("in_force", dualseal_session_authenticate(NULL, d, TEXT, 1, result, two, &list, &len, &failure));
    NULL_IS("domain", dualseal_session_authenticate(b->in_force, NULL, TEXT, 1, result, two, &list, &len, &failure));
    NULL_IS("message", dualseal_session_authenticate(b->in_force, d, NULL, 1, result, two, &list, &len, &failure));
    NULL_IS("result_json", dualseal_session_authenticate(b->in_force, d, TEXT, 1, NULL, two, &list, &len, &failure));
    NULL_IS("shares", dualseal_session_authenticate(b->in_force, d, TEXT, 1, result, NULL, &list, &len, &failure));
    NULL_IS("culprits", dualseal_session_authenticate(b->in_force, d, TEXT, 1, result, two, NULL, &len, &failure));
    char *no = NULL;
    dualseal_head *h = b->head;
    NULL_IS("in_force", dualseal_session_sign(NULL, d, TEXT, 1, ANA, two, h, TIME, &no, &no, &failure));
    NULL_IS("domain", dualseal_session_sign(b->in_force, NULL, TEXT, 1, ANA, two, h, TIME, &no, &no, &failure));
    NULL_IS("message", dualseal_session_sign(b->in_force, d, NULL, 1, ANA, two, h, TIME, &no, &no, &failure));
    NULL_IS("requester", dualseal_session_sign(b->in_force, d, TEXT, 1, NULL, two, h, TIME, &no, &no, &failure));
    NULL_IS("shares", dualseal_session_sign(b->in_force, d, TEXT, 1, ANA, NULL, h, TIME, &no, &no, &failure));
    NULL_IS("head", dualseal_session_sign(b->in_force, d, TEXT, 1, ANA, two, NULL, TIME, &no, &no, &failure));
    NULL_IS("result_json", dualseal_session_sign(b->in_force, d, TEXT, 1, ANA, two, h, TIME, NULL, &no, &failure));
    NULL_IS("entry_json", dualseal_session_sign(b->in_force, d, TEXT, 1, ANA, two, h, TIME, &no, NULL, &failure));
    NULL_IS("session", dualseal_session_quorum(NULL, d, two, &needed, &list, &len, &reached, &failure));
    NULL_IS("domain", dualseal_session_quorum(b->session, NULL, two, &needed, &list, &len, &reached, &failure));
    NULL_IS("shares", dualseal_session_quorum(b->session, d, NULL, &needed, &list, &len, &reached, &failure));
    NULL_IS("needed", dualseal_session_quorum(b->session, d, two, NULL, &list, &len, &reached, &failure));
    NULL_IS("present", dualseal_session_quorum(b->session, d, two, &needed, NULL, &len, &reached, &failure));
    NULL_IS("present_len", dualseal_session_quorum(b->session, d, two, &needed, &list, NULL, &reached, &failure));
    NULL_IS("reached", dualseal_session_quorum(b->session, d, two, &needed, &list, &len, NULL, &failure));
    CHECK(no == NULL && list == NULL && size_of_chain(h) == 2);
    dualseal_string_free(result);
    dualseal_string_free(entry);
    dualseal_session_shares_free(one);
    dualseal_session_shares_free(two);
}

static void shares_are_repaired_and_dealt_anew(bench *b)
{
    const dualseal_domain *d = b->domain;
    dualseal_session_shares *two = some(b, 1, 3), *more = NULL;
    dualseal_session *next = NULL;
    char *share = NULL, *expected = NULL, *entry = NULL;
    uint8_t *culprits = NULL;
    size_t len = 9, count = 0;
    OK(dualseal_session_repair(b->in_force, d, two, 1, ANA, &share, &culprits, &len, &failure));
    OK(dualseal_session_shares_get(b->shares, 0, &expected, &failure));
    CHECK(strcmp(share, expected) == 0 && len == 0);
    dualseal_bytes_free(culprits);
    culprits = NULL;
    dualseal_string_free(share);
    share = NULL;
    CHECK(dualseal_session_repair(b->in_force, d, two, 1, BOB, &share, &culprits, &len, &failure)
          == DUALSEAL_STATUS_SHARE_NOT_COMMITTED);
    const uint8_t *blamed = dualseal_error_culprits(failure, &count);
    CHECK(count == 1 && blamed[0] == 1);
    dualseal_error_free(failure);
    failure = NULL;
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 4,
          dualseal_session_repair(b->in_force, d, two, 4, ANA, &share, &culprits, &len, &failure));
    NULL_IS("in_force", dualseal_session_repair(NULL, d, two, 1, ANA, &share, &culprits, &len, &failure));
    NULL_IS("domain", dualseal_session_repair(b->in_force, NULL, two, 1, ANA, &share, &culprits, &len, &failure));
    NULL_IS("shares", dualseal_session_repair(b->in_force, d, NULL, 1, ANA, &share, &culprits, &len, &failure));
    NULL_IS("owner", dualseal_session_repair(b->in_force, d, two, 1, NULL, &share, &culprits, &len, &failure));
    NULL_IS("share_json", dualseal_session_repair(b->in_force, d, two, 1, ANA, NULL, &culprits, &len, &failure));
    NULL_IS("culprits", dualseal_session_repair(b->in_force, d, two, 1, ANA, &share, NULL, &len, &failure));

    GIVES(DUALSEAL_STATUS_RANGE, dualseal_session_rethreshold(b->in_force, d, two, BOB, owners, 2, 3, b->head, TIME,
            &next,
                                                              &more, &entry, &culprits, &len, &failure));
    NULL_IS("in_force", dualseal_session_rethreshold(NULL, d, two, BOB, owners, 2, 2, b->head, TIME, &next, &more,
            &entry,
                                                     &culprits, &len, &failure));
    NULL_IS("given", dualseal_session_rethreshold(b->in_force, d, NULL, BOB, owners, 2, 2, b->head, TIME, &next, &more,
                                                  &entry, &culprits, &len, &failure));
    NULL_IS("owners", dualseal_session_rethreshold(b->in_force, d, two, BOB, NULL, 2, 2, b->head, TIME, &next, &more,
                                                   &entry, &culprits, &len, &failure));
    NULL_IS("culprits_len", dualseal_session_rethreshold(b->in_force, d, two, BOB, owners, 2, 2, b->head, TIME, &next,
                                                         &more, &entry, &culprits, NULL, &failure));
    CHECK(share == NULL && next == NULL && more == NULL && entry == NULL && size_of_chain(b->head) == 2);
    OK(dualseal_session_rethreshold(b->in_force, d, two, BOB, owners, 2, 2, b->head, TIME, &next, &more, &entry,
            &culprits,
                                    &len, &failure));
    OK(dualseal_session_shares_count(more, &count, &failure));
    CHECK(count == 2 && len == 0 && size_of_chain(b->head) == 3);
    dualseal_bytes_free(culprits);
    dualseal_string_free(entry);
    dualseal_string_free(expected);
    dualseal_session_free(next);
    dualseal_session_shares_free(more);

    /* A refresh keeps the numbers that the session has. */
    const char *three[] = {ANA, BOB, ANA};
    next = NULL, more = NULL, entry = NULL, culprits = NULL;
    FAILS(DUALSEAL_STATUS_RANGE, "n", -1,
          dualseal_session_refresh(b->in_force, d, two, BOB, owners, 2, 2, b->head, TIME, &next, &more, &entry,
                                   &culprits, &len, &failure));
    CHECK(next == NULL && more == NULL && entry == NULL && size_of_chain(b->head) == 3);
    OK(dualseal_session_refresh(b->in_force, d, two, BOB, three, 3, 2, b->head, TIME, &next, &more, &entry, &culprits,
                                &len, &failure));
    OK(dualseal_session_shares_count(more, &count, &failure));
    CHECK(count == 3 && len == 0 && size_of_chain(b->head) == 4);
    dualseal_bytes_free(culprits);
    dualseal_string_free(entry);
    dualseal_session_free(next);
    dualseal_session_shares_free(more);
    dualseal_session_shares_free(two);
}

static void null_everywhere(const bench *b)
{
    const dualseal_domain *d = b->domain;
    dualseal_session *s = NULL;
    dualseal_session_shares *l = NULL;
    dualseal_session_check *c = NULL;
    dualseal_session_in_force *f = NULL;
    dualseal_head *h = b->head;
    dualseal_checkpoint *checkpoint = checkpoint_over(b);
    size_t count = 7;
    char *e = NULL;
    NULL_IS("domain", dualseal_session_found_hmac(NULL, BOB, owners, 3, 2, h, TIME, &s, &l, &e, &failure));
    NULL_IS("founder", dualseal_session_found_hmac(d, NULL, owners, 3, 2, h, TIME, &s, &l, &e, &failure));
    NULL_IS("owners", dualseal_session_found_hmac(d, BOB, NULL, 3, 2, h, TIME, &s, &l, &e, &failure));
    NULL_IS("head", dualseal_session_found_hmac(d, BOB, owners, 3, 2, NULL, TIME, &s, &l, &e, &failure));
    NULL_IS("session", dualseal_session_found_hmac(d, BOB, owners, 3, 2, h, TIME, NULL, &l, &e, &failure));
    NULL_IS("shares", dualseal_session_found_hmac(d, BOB, owners, 3, 2, h, TIME, &s, NULL, &e, &failure));
    NULL_IS("entry_json", dualseal_session_found_hmac(d, BOB, owners, 3, 2, h, TIME, &s, &l, NULL, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "k", 4, dualseal_session_found_hmac(d, BOB, owners, 3, 4, h, TIME, &s, &l, &e,
            &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "n", 0, dualseal_session_found_hmac(d, BOB, NULL, 0, 2, h, TIME, &s, &l, &e,
            &failure));
    NULL_IS("identity_id", dualseal_session_found_mldsa(d, BOB, owners, 3, 2, NULL, h, TIME, &s, &l, &e, &failure));
    NULL_IS("head", dualseal_session_found_mldsa(d, BOB, owners, 3, 2, BOB, NULL, TIME, &s, &l, &e, &failure));
    NULL_IS("session", dualseal_session_to_json(NULL, &e, &failure));
    NULL_IS("session_json", dualseal_session_to_json(b->session, NULL, &failure));
    NULL_IS("shares", dualseal_session_shares_new(NULL, &failure));
    NULL_IS("shares", dualseal_session_shares_push(NULL, "{}", &failure));
    NULL_IS("share_json", dualseal_session_shares_push(b->shares, NULL, &failure));
    GIVES(DUALSEAL_STATUS_MISSING_MEMBER, dualseal_session_shares_push(b->shares, "{}", &failure));
    NULL_IS("shares", dualseal_session_shares_count(NULL, &count, &failure));
    NULL_IS("count", dualseal_session_shares_count(b->shares, NULL, &failure));
    NULL_IS("shares", dualseal_session_shares_get(NULL, 0, &e, &failure));
    NULL_IS("share_json", dualseal_session_shares_get(b->shares, 0, NULL, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_session_shares_get(b->shares, 3, &e, &failure));
    NULL_IS("domain", dualseal_session_check_new(NULL, b->id, b->anchor, checkpoint, &c, &failure));
    NULL_IS("session_id", dualseal_session_check_new(d, NULL, b->anchor, checkpoint, &c, &failure));
    NULL_IS("anchor", dualseal_session_check_new(d, b->id, NULL, checkpoint, &c, &failure));
    NULL_IS("checkpoint", dualseal_session_check_new(d, b->id, b->anchor, NULL, &c, &failure));
    NULL_IS("check", dualseal_session_check_new(d, b->id, b->anchor, checkpoint, NULL, &failure));
    NULL_IS("check", dualseal_session_check_finish(NULL, NULL, 0, &f, &failure));
    CHECK(s == NULL && l == NULL && e == NULL && c == NULL && f == NULL && count == 7);
    dualseal_checkpoint_free(checkpoint);
    dualseal_session_check_free(NULL);
    dualseal_session_free(NULL);
    dualseal_session_in_force_free(NULL);
    dualseal_session_shares_free(NULL);
}

int main(void)
{
    for (int mldsa = 0; mldsa < 2; mldsa++) {
        bench b;
        set_up(&b, mldsa);
        only_the_pinned_session_is_in_force(&b);
        null_everywhere(&b);
        pulled(&b);
        a_quorum_signs(&b, mldsa);
        shares_are_repaired_and_dealt_anew(&b);
        tear_down(&b);
    }
    return 0;
}
