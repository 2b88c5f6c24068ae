/* Eight threads on one ring, one domain, one key, one cache of keys, one verdict and one set of proofs, all at the same
   time: whatever never changes may be shared. Compiled with ONE_HASHER they share what must not be, which helgrind has
   to tell. Under helgrind. */
#include "check.h"

#define THREADS ((size_t)8)
#define ROUNDS ((size_t)2)

typedef struct {
    dualseal_domain *domain;
    dualseal_signing_key *key;
    dualseal_seal_key *seal_key;
    dualseal_ring *ring;
    dualseal_key_cache *cache;
    dualseal_verdict *verdict;
    dualseal_content_hasher *hasher;
    char hash[DUALSEAL_ID_TEXT_BYTES], *record, *seal;
} shared;

static void set_up(shared *s)
{
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    const uint8_t secret[32] = {3};
    dualseal_head *head = test_head();
    dualseal_ring_key *ring_key = NULL;
    char *entry = NULL;
    memset(s, 0, sizeof *s);
    s->domain = test_domain();
    s->key = test_key(7);
    test_public_key(7, public_key);
    OK(dualseal_ring_key_generate(s->domain, &ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, ring_key, &s->ring, &failure));
    OK(dualseal_ring_add(s->ring, ANA, public_key, sizeof public_key, head, TIME, &entry, &failure));
    dualseal_string_free(entry);
    OK(dualseal_key_cache_new(DUALSEAL_PREPARED_KEY_BYTES * 2, &s->cache, &failure));
    OK(dualseal_seal_key_from_bytes(secret, sizeof secret, &s->seal_key, &failure));
    strcpy(s->hash, hashed(s->domain, ANA, "one contract", 12));
    OK(dualseal_signature_sign(s->domain, ANA, s->key, s->ring, 0, s->hash, head, TIME, &s->record, &entry, &failure));
    dualseal_string_free(entry);
    OK(dualseal_payload_seal(s->domain, ANA, s->seal_key, s->key, s->ring, 0, NULL, 0, &s->seal, &failure));
    OK(dualseal_signature_verify(s->domain, s->ring, NULL, ANA, s->hash, SIZED(s->record), NULL, &s->verdict,
                                 &failure));
    OK(dualseal_content_hasher_new(s->domain, ANA, &s->hasher, &failure));
    dualseal_ring_key_free(ring_key);
    dualseal_head_free(head);
}

static void tear_down(shared *s)
{
    dualseal_content_hasher_free(s->hasher);
    dualseal_verdict_free(s->verdict);
    dualseal_string_free(s->seal);
    dualseal_string_free(s->record);
    dualseal_seal_key_free(s->seal_key);
    dualseal_key_cache_free(s->cache);
    dualseal_ring_free(s->ring);
    dualseal_signing_key_free(s->key);
    dualseal_domain_free(s->domain);
}

/* Errors too: each of a thread's own. */
static void *one_of_eight(void *of)
{
    const shared *s = (const shared *)of;
    for (size_t i = 0; i < ROUNDS; i++) {
        char hash[DUALSEAL_ID_TEXT_BYTES], *record = NULL, *entry = NULL, *told = NULL;
        dualseal_head *head = NULL;
        dualseal_error *error = NULL;
        CHECK(dualseal_content_hash(s->domain, ANA, (const uint8_t *)"one contract", 12, hash, sizeof hash, NULL)
              == DUALSEAL_OK && strcmp(hash, s->hash) == 0);
        CHECK(dualseal_head_new(NULL, 0, &head, NULL) == DUALSEAL_OK);
        CHECK(dualseal_signature_sign(s->domain, ANA, s->key, s->ring, 0, s->hash, head, TIME, &record, &entry, NULL)
              == DUALSEAL_OK);
        CHECK(dualseal_signature_verify(s->domain, s->ring, s->cache, ANA, s->hash, SIZED(record), NULL, NULL, NULL)
              == DUALSEAL_OK);
        CHECK(dualseal_signature_verify(s->domain, s->ring, i % 2 == 0 ? s->cache : NULL, ANA, s->hash,
                                        SIZED(s->record), NULL, NULL, NULL) == DUALSEAL_OK);
        CHECK(dualseal_seal_verify(s->domain, s->ring, s->cache, SIZED(s->seal), NULL, 0, ANA,
                                   DUALSEAL_SEAL_POLICY_BOTH, s->seal_key, NULL, NULL, NULL) == DUALSEAL_OK);
        CHECK(dualseal_verdict_to_json(s->verdict, DUALSEAL_AUDIENCE_OPERATOR, &told, NULL, NULL) == DUALSEAL_OK);
        CHECK(dualseal_signature_verify(s->domain, s->ring, s->cache, BOB, s->hash, SIZED("{"), NULL, NULL, &error)
              == DUALSEAL_STATUS_JSON_SYNTAX && dualseal_error_index(error) == 1);
#ifdef ONE_HASHER
        CHECK(dualseal_content_hasher_update(s->hasher, (const uint8_t *)hash, sizeof hash, NULL) == DUALSEAL_OK);
#endif
        dualseal_error_free(error);
        dualseal_string_free(told);
        dualseal_string_free(entry);
        dualseal_string_free(record);
        dualseal_head_free(head);
    }
    return NULL;
}

int main(void)
{
    shared s;
    pthread_t threads[THREADS];
    set_up(&s);
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, one_of_eight, &s) == 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    tear_down(&s);
    return 0;
}
