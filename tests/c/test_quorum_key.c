/* The key of a quorum, lent for one call: ordinary records, seals and checkpoints, each by k of n custodians; and
   whether it is current. Under valgrind. */
#include "check.h"

#include "dualseal_sharing.h"
#include "dualseal_vault.h"

#define TEXT ((const uint8_t *)"resolution 7")
#define LENGTH ((size_t)12)

typedef struct {
    dualseal_domain *domain;
    dualseal_head *head;
    dualseal_session_in_force *in_force;
    char *shares;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
} bench;

static const char *const owners[] = {ANA, BOB, ANA};

static void set_up(bench *b, int mldsa)
{
    char *entry = NULL, *line = NULL, *record = NULL, id[65], founder[65], hex[3] = {0};
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->head = test_head();
    if (mldsa) {
        OK(dualseal_session_found_mldsa(b->domain, BOB, owners, 3, 2, BOB, b->head, TIME, &record, &b->shares, &entry,
                                        &failure));
    } else {
        OK(dualseal_session_found_hmac(b->domain, BOB, owners, 3, 2, b->head, TIME, &record, &b->shares, &entry,
                                       &failure));
    }
    OK(dualseal_entry_parts(SIZED(entry), &line, NULL, 0, &failure));
    member(record, "\"session_id\":\"", id, 64);
    OK(dualseal_entry_parts(SIZED(entry), NULL, founder, sizeof founder, &failure));
    if (mldsa) {
        const char *key = strstr(record, "\"javni_kljuc\":\"");
        CHECK(key != NULL);
        key += strlen("\"javni_kljuc\":\"");
        for (size_t i = 0; i < sizeof b->public_key; i++) {
            memcpy(hex, key + 2 * i, 2);
            b->public_key[i] = (uint8_t)strtoul(hex, NULL, 16);
        }
    }
    dualseal_checkpoint *checkpoint = test_checkpoint(b->domain, b->head);
    char *records = with("[]", record);
    dualseal_chain_reader *reader = reader_under(b->domain, checkpoint);
    dualseal_watched watched = 0;
    OK(dualseal_chain_reader_watch_session(reader, id, founder, NULL, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, &line, 1, NULL);
    dualseal_ring *ring = NULL;
    if (mldsa) {
        OK(dualseal_ring_new_pinned(BOB, b->public_key, sizeof b->public_key, &ring, &failure));
    }
    OK(dualseal_proofs_session(proofs, watched, SIZED(records), ring, &b->in_force, &failure));
    dualseal_ring_free(ring);
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(checkpoint);
    free(records);
    dualseal_string_free(record);
    dualseal_string_free(line);
    dualseal_string_free(entry);
}

static void tear_down(bench *b)
{
    dualseal_session_in_force_free(b->in_force);
    dualseal_string_free(b->shares);
    dualseal_head_free(b->head);
    dualseal_domain_free(b->domain);
}

/* What the quorum makes. */
typedef struct {
    const bench *b;
    const dualseal_seal_key *seal_key;
    char *record, *entry, *seal, *checkpoint;
    dualseal_vault_sealer *kept;
    int calls;
} made;

static void work(const dualseal_signing_key *key, void *user)
{
    made *m = (made *)user;
    const dualseal_domain *d = m->b->domain;
    OK(dualseal_signature_sign(d, BOB, key, NO_RING, hashed(d, BOB, TEXT, LENGTH), m->b->head, TIME, &m->record,
                               &m->entry, &failure));
    OK(dualseal_payload_seal(d, BOB, m->seal_key, key, NO_RING, TEXT, LENGTH, &m->seal, &failure));
    m->checkpoint = first_checkpoint(d, key, m->b->head, NULL);
    m->calls++;
}

/* A vault sealer keeps the key for as long as it is there. */
static void keep(const dualseal_signing_key *key, void *user)
{
    made *m = (made *)user;
    dualseal_vault_master *master = NULL;
    OK(dualseal_vault_master_generate(m->b->domain, &master, &failure));
    OK(dualseal_vault_sealer_new(master, BOB, key, NO_RING, DUALSEAL_TIER_PUBLIC, NULL, &m->kept, &failure));
    dualseal_vault_master_free(master);
    m->calls++;
}

static void free_made(made *m)
{
    dualseal_string_free(m->record);
    dualseal_string_free(m->entry);
    dualseal_string_free(m->seal);
    dualseal_string_free(m->checkpoint);
}

static void a_quorum_makes_what_one_signer_makes(const bench *b)
{
    const uint8_t master[32] = {9};
    const dualseal_domain *d = b->domain;
    const dualseal_session_in_force *f = b->in_force;
    char hash[DUALSEAL_ID_TEXT_BYTES], *two = slice(b->shares, 1, 3), *one = slice(b->shares, 0, 1), *culprits = NULL;
    dualseal_ring *ring = NULL;
    dualseal_seal_key *seal_key = NULL;
    dualseal_checkpoint *checkpoint = NULL;
    made m = {b, NULL, NULL, NULL, NULL, NULL, NULL, 0};
    OK(dualseal_seal_key_derive(d, master, sizeof master, BOB, &seal_key, &failure));
    m.seal_key = seal_key;
    OK(dualseal_session_lend_key(f, SIZED(two), work, &m, &culprits, &failure));
    CHECK(m.calls == 1);
    is(culprits, "{\"culprits\":[],\"misdealt\":[]}");
    OK(dualseal_ring_new_pinned(BOB, b->public_key, sizeof b->public_key, &ring, &failure));
    OK(dualseal_signature_verify(d, ring, NULL, BOB, hashed(d, BOB, TEXT, LENGTH), SIZED(m.record), NULL, NULL,
                                 &failure));
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_signature_verify(d, ring, NULL, BOB, hashed(d, BOB, TEXT, 5), SIZED(m.record), NULL, NULL,
                                    &failure));
    OK(dualseal_seal_verify(d, ring, NULL, SIZED(m.seal), TEXT, LENGTH, BOB, DUALSEAL_SEAL_POLICY_BOTH, seal_key, NULL,
        NULL,
                            &failure));
    OK(dualseal_public_key_hash(b->public_key, sizeof b->public_key, hash, sizeof hash, &failure));
    OK(dualseal_checkpoint_verify(d, ORIGIN, BOB, hash, 1, ring, 0, NULL, SIZED(m.checkpoint), &checkpoint, NULL,
                                  &failure));
    dualseal_checkpoint_free(checkpoint);

    /* A share that does not hold is named, and takes no part. */
    char *three = slice(b->shares, 0, 3), *at = strstr(three, "\"indeks\":3");
    CHECK(at != NULL);
    at = strstr(at, "\"vrijednost_hex\":\"");
    CHECK(at != NULL);
    at += strlen("\"vrijednost_hex\":\"") + 100;
    *at = *at == '1' ? '2' : '1';
    free_made(&m);
    OK(dualseal_session_lend_key(f, SIZED(three), work, &m, &culprits, &failure));
    CHECK(m.calls == 2);
    is(culprits, "{\"culprits\":[3],\"misdealt\":[]}");
    culprits = NULL;

    /* Whoever keeps the key is told so. */
    GIVES(DUALSEAL_STATUS_KEY_KEPT, dualseal_session_lend_key(f, SIZED(two), keep, &m, &culprits, &failure));
    CHECK(m.calls == 3 && culprits == NULL);
    dualseal_vault_sealer_free(m.kept);

    GIVES(DUALSEAL_STATUS_TOO_FEW_SHARES, dualseal_session_lend_key(f, SIZED(one), work, &m, &culprits, &failure));
    NULL_IS("in_force", dualseal_session_lend_key(NULL, SIZED(two), work, &m, &culprits, &failure));
    NULL_IS("shares_json", dualseal_session_lend_key(f, SIZED(NULL), work, &m, &culprits, &failure));
    NULL_IS("work", dualseal_session_lend_key(f, SIZED(two), NULL, &m, &culprits, &failure));
    NULL_IS("faults_json", dualseal_session_lend_key(f, SIZED(two), work, &m, NULL, &failure));
    CHECK(m.calls == 3 && culprits == NULL);
    free_made(&m);
    dualseal_ring_free(ring);
    dualseal_seal_key_free(seal_key);
    free(three);
    free(two);
    free(one);
}

static void a_session_without_a_key_has_none_to_lend(const bench *b)
{
    made m = {b, NULL, NULL, NULL, NULL, NULL, NULL, 0};
    char *culprits = NULL;
    GIVES(DUALSEAL_STATUS_SESSION_KIND,
          dualseal_session_lend_key(b->in_force, SIZED(b->shares), work, &m, &culprits, &failure));
    CHECK(m.calls == 0 && culprits == NULL);
}

/* What two of three sign by what a ring says of the quorum's key. */
static dualseal_status signed_by_two(const bench *b, const dualseal_ring *ring, int32_t no_ring)
{
    char *two = slice(b->shares, 1, 3), *result = NULL, *entry = NULL;
    dualseal_head *head = copy_of(b->head);
    dualseal_status status = dualseal_session_sign(b->in_force, ring, no_ring, TEXT, LENGTH, ANA, SIZED(two), head,
                                                   TIME, &result, &entry, NULL, &failure);
    CHECK((status == DUALSEAL_OK) == (result != NULL && entry != NULL));
    CHECK(size_of_chain(head) == size_of_chain(b->head) + (status == DUALSEAL_OK));
    dualseal_head_free(head);
    dualseal_string_free(entry);
    dualseal_string_free(result);
    free(two);
    return status;
}

static void a_quorum_whose_key_is_not_current_signs_nothing(const bench *b)
{
    const dualseal_key_state bad[] = {DUALSEAL_KEY_STATE_REVOKED, DUALSEAL_KEY_STATE_SUSPENDED,
                                      DUALSEAL_KEY_STATE_DECOY};
    uint8_t next[DUALSEAL_PUBLIC_KEY_BYTES];
    char *entry = NULL;
    dualseal_ring *ring = NULL;
    dualseal_ring_key *ring_key = NULL;
    dualseal_head *head = test_head();
    OK(dualseal_ring_key_generate(b->domain, &ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, ring_key, &ring, &failure));
    GIVES(DUALSEAL_STATUS_UNKNOWN_IDENTITY, signed_by_two(b, ring, 0));
    OK(dualseal_ring_add(ring, BOB, b->public_key, sizeof b->public_key, head, TIME, &entry, &failure));
    dualseal_string_free(entry);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        OK(dualseal_ring_set_state(ring, BOB, NULL, bad[i], NULL, head, TIME, &entry, &failure));
        dualseal_string_free(entry);
        GIVES(DUALSEAL_STATUS_NOT_CURRENT, signed_by_two(b, ring, 0));
        OK(dualseal_ring_set_state(ring, BOB, NULL, DUALSEAL_KEY_STATE_VALID, NULL, head, TIME, &entry, &failure));
        dualseal_string_free(entry);
        OK(signed_by_two(b, ring, 0));
    }
    test_public_key(8, next);
    OK(dualseal_ring_rotate(ring, BOB, next, sizeof next, head, TIME, &entry, &failure));
    dualseal_string_free(entry);
    GIVES(DUALSEAL_STATUS_NOT_CURRENT, signed_by_two(b, ring, 0));
    NULL_IS("ring", signed_by_two(b, NULL, 0));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "no_ring", -1, signed_by_two(b, ring, 1));
    OK(signed_by_two(b, NULL, 1));
    dualseal_head_free(head);
    dualseal_ring_key_free(ring_key);
    dualseal_ring_free(ring);
}

static void a_session_without_a_key_asks_no_ring(const bench *b)
{
    uint8_t other[DUALSEAL_PUBLIC_KEY_BYTES];
    dualseal_ring *ring = NULL;
    test_public_key(8, other);
    OK(dualseal_ring_new_pinned(BOB, other, sizeof other, &ring, &failure));
    OK(signed_by_two(b, ring, 0));
    OK(signed_by_two(b, NULL, 1));
    NULL_IS("ring", signed_by_two(b, NULL, 0));
    dualseal_ring_free(ring);
}

int main(void)
{
    bench b;
    set_up(&b, 1);
    a_quorum_makes_what_one_signer_makes(&b);
    a_quorum_whose_key_is_not_current_signs_nothing(&b);
    tear_down(&b);
    set_up(&b, 0);
    a_session_without_a_key_has_none_to_lend(&b);
    a_session_without_a_key_asks_no_ring(&b);
    tear_down(&b);
    return 0;
}
