/* The key of a quorum, lent for one call: ordinary records, seals and checkpoints, each by k of n custodians. */
#include "check.h"

#define ORIGIN "example.org/log"
#define TEXT ((const uint8_t *)"resolution 7")
#define LENGTH ((size_t)12)

typedef struct {
    dualseal_domain *domain;
    dualseal_head *head;
    dualseal_session_shares *shares;
    dualseal_session_in_force *in_force;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
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

static void set_up(bench *b, int mldsa)
{
    dualseal_session *session = NULL;
    dualseal_session_check *check = NULL;
    char *entry = NULL, *line = NULL, *record = NULL, id[65], anchor[129], hex[3] = {0};
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->head = test_head();
    if (mldsa) {
        OK(dualseal_session_found_mldsa(b->domain, BOB, owners, 3, 2, BOB, b->head, TIME, &session, &b->shares,
                                        &entry, &failure));
    } else {
        OK(dualseal_session_found_hmac(b->domain, BOB, owners, 3, 2, b->head, TIME, &session, &b->shares, &entry,
                                       &failure));
    }
    OK(dualseal_entry_line(entry, &line, &failure));
    OK(dualseal_session_to_json(session, &record, &failure));
    member(record, "\"session_id\":\"", id, 64);
    member(record, "\"javni_sidro\":\"", anchor, 128);
    if (mldsa) {
        const char *key = strstr(record, "\"javni_kljuc\":\"");
        CHECK(key != NULL);
        key += strlen("\"javni_kljuc\":\"");
        for (size_t i = 0; i < sizeof b->public_key; i++) {
            memcpy(hex, key + 2 * i, 2);
            b->public_key[i] = (uint8_t)strtoul(hex, NULL, 16);
        }
    }
    dualseal_checkpoint *checkpoint = checkpoint_over(b);
    const char *records[] = {record};
    OK(dualseal_session_check_new(b->domain, id, anchor, checkpoint, &check, &failure));
    OK(dualseal_session_check_push_line(check, line, &failure));
    OK(dualseal_session_check_finish(check, records, 1, &b->in_force, &failure));
    dualseal_session_check_free(check);
    dualseal_checkpoint_free(checkpoint);
    dualseal_session_free(session);
    dualseal_string_free(record);
    dualseal_string_free(line);
    dualseal_string_free(entry);
}

static void tear_down(bench *b)
{
    dualseal_session_in_force_free(b->in_force);
    dualseal_session_shares_free(b->shares);
    dualseal_head_free(b->head);
    dualseal_domain_free(b->domain);
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

/* What the quorum makes. */
typedef struct {
    const bench *b;
    const dualseal_seal_key *seal_key;
    char *record, *entry, *seal, *checkpoint;
    dualseal_signer *kept;
    int calls;
} made;

static void work(const dualseal_signing_key *key, void *user)
{
    made *m = (made *)user;
    dualseal_signer *signer = NULL;
    dualseal_sealer *sealer = NULL;
    dualseal_checkpoint_signer *log = NULL;
    OK(dualseal_signer_new(m->b->domain, BOB, key, &signer, &failure));
    OK(dualseal_signer_sign(signer, TEXT, LENGTH, m->b->head, TIME, &m->record, &m->entry, &failure));
    OK(dualseal_sealer_new(m->b->domain, BOB, m->seal_key, key, &sealer, &failure));
    OK(dualseal_sealer_seal(sealer, TEXT, LENGTH, &m->seal, &failure));
    OK(dualseal_checkpoint_signer_new(m->b->domain, ORIGIN, BOB, key, &log, &failure));
    OK(dualseal_checkpoint_signer_sign_first(log, m->b->head, TIME, &m->checkpoint, &failure));
    dualseal_checkpoint_signer_free(log);
    dualseal_sealer_free(sealer);
    dualseal_signer_free(signer);
    m->calls++;
}

static void keep(const dualseal_signing_key *key, void *user)
{
    made *m = (made *)user;
    OK(dualseal_signer_new(m->b->domain, BOB, key, &m->kept, &failure));
    m->calls++;
}

static void a_quorum_makes_what_one_signer_makes(const bench *b)
{
    const uint8_t master[32] = {9};
    char hash[DUALSEAL_ID_TEXT_BYTES];
    dualseal_session_shares *two = some(b, 1, 3), *three = some(b, 0, 2);
    dualseal_ring *ring = NULL;
    dualseal_seal_key *seal_key = NULL;
    dualseal_checkpoint *checkpoint = NULL;
    uint8_t *culprits = NULL;
    size_t count = 9;
    made m = {b, NULL, NULL, NULL, NULL, NULL, NULL, 0};
    OK(dualseal_seal_key_derive(b->domain, master, sizeof master, BOB, &seal_key, &failure));
    m.seal_key = seal_key;
    OK(dualseal_session_with_quorum_key(b->in_force, b->domain, two, work, &m, &culprits, &count, &failure));
    CHECK(m.calls == 1 && count == 0);
    dualseal_bytes_free(culprits);
    OK(dualseal_ring_pinned(BOB, b->public_key, sizeof b->public_key, &ring, &failure));
    OK(dualseal_verify(b->domain, ring, NULL, TEXT, LENGTH, m.record, NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_verify(b->domain, ring, NULL, TEXT, 5, m.record, NULL, &failure));
    OK(dualseal_verify_seal(b->domain, ring, NULL, m.seal, TEXT, LENGTH, BOB, DUALSEAL_SEAL_POLICY_BOTH, seal_key,
                            NULL, NULL, &failure));
    OK(dualseal_public_key_hash(b->public_key, sizeof b->public_key, hash, sizeof hash, &failure));
    OK(dualseal_checkpoint_verify(b->domain, ORIGIN, BOB, hash, 1, ring, NULL, m.checkpoint, &checkpoint, NULL,
                                  &failure));
    dualseal_checkpoint_free(checkpoint);

    /* A share that does not hold is named, and takes no part. */
    char *json = NULL, *at = NULL;
    OK(dualseal_session_shares_get(b->shares, 2, &json, &failure));
    at = strstr(json, "\"vrijednost_hex\":\"");
    CHECK(at != NULL);
    at += strlen("\"vrijednost_hex\":\"") + 100;
    *at = *at == '1' ? '2' : '1';
    OK(dualseal_session_shares_push(three, json, &failure));
    dualseal_string_free(json);
    dualseal_string_free(m.record);
    dualseal_string_free(m.entry);
    dualseal_string_free(m.seal);
    dualseal_string_free(m.checkpoint);
    OK(dualseal_session_with_quorum_key(b->in_force, b->domain, three, work, &m, &culprits, &count, &failure));
    CHECK(m.calls == 2 && count == 1 && culprits[0] == 3);
    dualseal_bytes_free(culprits);
    culprits = NULL;
    count = 9;

    /* Whoever keeps the key is told so. */
    GIVES(DUALSEAL_STATUS_KEY_KEPT,
          dualseal_session_with_quorum_key(b->in_force, b->domain, two, keep, &m, &culprits, &count, &failure));
    CHECK(m.calls == 3 && culprits == NULL && count == 9);
    dualseal_signer_free(m.kept);

    dualseal_session_shares *one = some(b, 0, 1);
    GIVES(DUALSEAL_STATUS_TOO_FEW_SHARES,
          dualseal_session_with_quorum_key(b->in_force, b->domain, one, work, &m, &culprits, &count, &failure));
    dualseal_session_shares_free(one);
    NULL_IS("in_force",
            dualseal_session_with_quorum_key(NULL, b->domain, two, work, &m, &culprits, &count, &failure));
    NULL_IS("domain",
            dualseal_session_with_quorum_key(b->in_force, NULL, two, work, &m, &culprits, &count, &failure));
    NULL_IS("shares",
            dualseal_session_with_quorum_key(b->in_force, b->domain, NULL, work, &m, &culprits, &count, &failure));
    NULL_IS("work",
            dualseal_session_with_quorum_key(b->in_force, b->domain, two, NULL, &m, &culprits, &count, &failure));
    NULL_IS("culprits",
            dualseal_session_with_quorum_key(b->in_force, b->domain, two, work, &m, NULL, &count, &failure));
    NULL_IS("culprits_len",
            dualseal_session_with_quorum_key(b->in_force, b->domain, two, work, &m, &culprits, NULL, &failure));
    CHECK(m.calls == 3 && culprits == NULL && count == 9);
    dualseal_string_free(m.record);
    dualseal_string_free(m.entry);
    dualseal_string_free(m.seal);
    dualseal_string_free(m.checkpoint);
    dualseal_ring_free(ring);
    dualseal_seal_key_free(seal_key);
    dualseal_session_shares_free(two);
    dualseal_session_shares_free(three);
}

static void a_session_without_a_key_has_none_to_lend(const bench *b)
{
    made m = {b, NULL, NULL, NULL, NULL, NULL, NULL, 0};
    uint8_t *culprits = NULL;
    size_t count = 9;
    GIVES(DUALSEAL_STATUS_SESSION_KIND,
          dualseal_session_with_quorum_key(b->in_force, b->domain, b->shares, work, &m, &culprits, &count, &failure));
    CHECK(m.calls == 0 && culprits == NULL && count == 9);
}

int main(void)
{
    bench b;
    set_up(&b, 1);
    a_quorum_makes_what_one_signer_makes(&b);
    tear_down(&b);
    set_up(&b, 0);
    a_session_without_a_key_has_none_to_lend(&b);
    tear_down(&b);
    return 0;
}
