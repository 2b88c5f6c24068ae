/* A worker that did not hear of a rotation, a revocation or a suspension makes nothing, and neither does one with
   another's key; and that there is no ring must be said. Under valgrind. */
#include "check.h"

#include "dualseal_legacy.h"
#include "dualseal_vault.h"

#define CONTENT ((const uint8_t *)"one contract")
#define LENGTH ((size_t)12)

/* A ring in which ANA has the key 7 and BOB the key 9. */
typedef struct {
    dualseal_domain *domain;
    dualseal_ring *ring;
    dualseal_ring_key *ring_key;
    dualseal_head *head;
    dualseal_seal_key *seal_key;
    dualseal_vault_master *master;
    char *mark;
} bench;

static void add(bench *b, const char *identity, uint8_t seed)
{
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    char *entry = NULL;
    test_public_key(seed, public_key);
    OK(dualseal_ring_add(b->ring, identity, public_key, sizeof public_key, b->head, TIME, &entry, &failure));
    dualseal_string_free(entry);
}

static void set_up(bench *b)
{
    const uint8_t master[32] = {9};
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->head = test_head();
    OK(dualseal_ring_key_generate(b->domain, &b->ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, b->ring_key, &b->ring, &failure));
    add(b, ANA, 7);
    add(b, BOB, 9);
    OK(dualseal_seal_key_derive(b->domain, master, sizeof master, ANA, &b->seal_key, &failure));
    OK(dualseal_vault_master_generate(b->domain, &b->master, &failure));
    OK(dualseal_mark_first(ORIGIN, b->head, b->ring, 0, &b->mark, &failure));
}

static void tear_down(bench *b)
{
    dualseal_string_free(b->mark);
    dualseal_vault_master_free(b->master);
    dualseal_seal_key_free(b->seal_key);
    dualseal_head_free(b->head);
    dualseal_ring_key_free(b->ring_key);
    dualseal_ring_free(b->ring);
    dualseal_domain_free(b->domain);
}

static void set_state(bench *b, dualseal_key_state state)
{
    char *entry = NULL;
    OK(dualseal_ring_set_state(b->ring, ANA, NULL, state, NULL, b->head, TIME, &entry, &failure));
    dualseal_string_free(entry);
}

/* What a worker makes for an identity with the key that it holds. Nothing is there but where the status is 0. */
typedef dualseal_status (*attempt)(const bench *b, const char *identity, const dualseal_signing_key *key,
                                   const dualseal_ring *ring, int32_t no_ring);

static dualseal_status end(dualseal_status status, char *made)
{
    CHECK((status == DUALSEAL_OK) == (made != NULL));
    dualseal_string_free(made);
    return status;
}

static dualseal_status signs(const bench *b, const char *identity, const dualseal_signing_key *key,
                             const dualseal_ring *ring, int32_t no_ring)
{
    dualseal_head *head = copy_of(b->head);
    char *record = NULL, *entry = NULL;
    const char *hash = hashed(b->domain, identity, CONTENT, LENGTH);
    dualseal_status status =
        dualseal_signature_sign(b->domain, identity, key, ring, no_ring, hash, head, TIME, &record, &entry, &failure);
    CHECK((status == DUALSEAL_OK) == (entry != NULL));
    CHECK(size_of_chain(head) == size_of_chain(b->head) + (status == DUALSEAL_OK));
    dualseal_string_free(entry);
    dualseal_head_free(head);
    return end(status, record);
}

static dualseal_status signs_a_checkpoint(const bench *b, const char *identity, const dualseal_signing_key *key,
                                          const dualseal_ring *ring, int32_t no_ring)
{
    char *json = NULL;
    dualseal_status status = dualseal_checkpoint_sign(b->domain, identity, key, ring, no_ring, NULL, SIZED(b->mark),
                                                      TIME, &json, &failure);
    return end(status, json);
}

static dualseal_status seals(const bench *b, const char *identity, const dualseal_signing_key *key,
                             const dualseal_ring *ring, int32_t no_ring)
{
    char *seal = NULL;
    dualseal_status status = dualseal_payload_seal(b->domain, identity, b->seal_key, key, ring, no_ring, CONTENT,
                                                   LENGTH, &seal, &failure);
    return end(status, seal);
}

static dualseal_status seals_layer_a_alone(const bench *b, const char *identity, const dualseal_signing_key *key,
                                           const dualseal_ring *ring, int32_t no_ring)
{
    char *seal = NULL;
    dualseal_status status = dualseal_payload_seal_legacy(b->domain, identity, b->seal_key, key, ring, no_ring,
                                                          CONTENT, LENGTH, &seal, &failure);
    return end(status, seal);
}

static dualseal_status begins_a_vault(const bench *b, const char *identity, const dualseal_signing_key *key,
                                      const dualseal_ring *ring, int32_t no_ring)
{
    dualseal_vault_sealer *sealer = NULL;
    dualseal_status status = dualseal_vault_sealer_new(b->master, identity, key, ring, no_ring, DUALSEAL_TIER_PUBLIC,
                                                       NULL, &sealer, &failure);
    CHECK((status == DUALSEAL_OK) == (sealer != NULL));
    dualseal_vault_sealer_free(sealer);
    return status;
}

static const attempt all[] = {signs, signs_a_checkpoint, seals, seals_layer_a_alone, begins_a_vault};

#define COUNT (sizeof all / sizeof *all)

/* What each of them gives with the key of this byte. */
static void gives(dualseal_status expected, const bench *b, const char *identity, uint8_t seed)
{
    dualseal_signing_key *key = test_key(seed);
    for (size_t i = 0; i < COUNT; i++) {
        GIVES(expected, all[i](b, identity, key, b->ring, 0));
    }
    dualseal_signing_key_free(key);
}

static void a_rotated_key_makes_nothing(void)
{
    bench b;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    char *entry = NULL;
    set_up(&b);
    gives(DUALSEAL_OK, &b, ANA, 7);
    gives(DUALSEAL_STATUS_NOT_CURRENT, &b, ANA, 8);
    test_public_key(8, public_key);
    OK(dualseal_ring_rotate(b.ring, ANA, public_key, sizeof public_key, b.head, TIME, &entry, &failure));
    dualseal_string_free(entry);
    gives(DUALSEAL_STATUS_NOT_CURRENT, &b, ANA, 7);
    gives(DUALSEAL_OK, &b, ANA, 8);
    tear_down(&b);
}

static void a_key_that_was_called_back_makes_nothing(void)
{
    const dualseal_key_state bad[] = {DUALSEAL_KEY_STATE_REVOKED, DUALSEAL_KEY_STATE_SUSPENDED,
                                      DUALSEAL_KEY_STATE_DECOY};
    bench b;
    set_up(&b);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        set_state(&b, bad[i]);
        gives(DUALSEAL_STATUS_NOT_CURRENT, &b, ANA, 7);
        gives(DUALSEAL_OK, &b, BOB, 9);
        set_state(&b, DUALSEAL_KEY_STATE_VALID);
        gives(DUALSEAL_OK, &b, ANA, 7);
    }
    tear_down(&b);
}

static void anothers_key_makes_nothing(void)
{
    bench b;
    set_up(&b);
    gives(DUALSEAL_STATUS_NOT_CURRENT, &b, ANA, 9);
    gives(DUALSEAL_STATUS_NOT_CURRENT, &b, BOB, 7);
    gives(DUALSEAL_STATUS_UNKNOWN_IDENTITY, &b, "0000000000000000000000000000000000000000000000000000000000000001", 7);
    tear_down(&b);
}

static void that_there_is_no_ring_is_said(void)
{
    bench b;
    dualseal_signing_key *key = test_key(7);
    set_up(&b);
    set_state(&b, DUALSEAL_KEY_STATE_REVOKED);
    for (size_t i = 0; i < COUNT; i++) {
        NULL_IS("ring", all[i](&b, ANA, key, NULL, 0));
        FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "no_ring", -1, all[i](&b, ANA, key, b.ring, 1));
        FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "no_ring", -1, all[i](&b, ANA, key, NULL, 2));
        FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "no_ring", -1, all[i](&b, ANA, key, NULL, -1));
        OK(all[i](&b, ANA, key, NULL, 1));
    }
    dualseal_signing_key_free(key);
    tear_down(&b);
}

int main(void)
{
    a_rotated_key_makes_nothing();
    a_key_that_was_called_back_makes_nothing();
    anothers_key_makes_nothing();
    that_there_is_no_ring_is_said();
    return 0;
}
