/* A NULL in the place of every pointer of every function: a status that names the argument, no crash, no output.
   Under valgrind. */
#include "check.h"

#include "dualseal_legacy.h"

/* One of everything, and outputs that no refused call may touch. */
static dualseal_domain *domain;
static dualseal_signing_key *key;
static dualseal_ring_key *ring_key;
static dualseal_ring *ring;
static dualseal_head *head;
static dualseal_chain_reader *reader;
static dualseal_content_hasher *hasher;
static dualseal_key_cache *cache;
static dualseal_verdict *verdict;
static uint8_t bytes[DUALSEAL_EXPANDED_KEY_BYTES];
static char text[DUALSEAL_CHAIN_HASH_TEXT_BYTES];
static char *record, *entry, *out, *out_two;

#define PK bytes, DUALSEAL_PUBLIC_KEY_BYTES

static void set_up(void)
{
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    domain = test_domain();
    key = test_key(7);
    head = test_head();
    test_public_key(7, public_key);
    OK(dualseal_ring_key_generate(domain, &ring_key, &failure));
    OK(dualseal_ring_new_pinned(ANA, public_key, sizeof public_key, &ring, &failure));
    OK(dualseal_chain_reader_new(domain, NULL, NO_CHECKPOINT, NULL, &reader, &failure));
    OK(dualseal_content_hasher_new(domain, ANA, &hasher, &failure));
    OK(dualseal_key_cache_new(0, &cache, &failure));
    const char *hash = hashed(domain, ANA, NULL, 0);
    OK(dualseal_signature_sign(domain, ANA, key, NO_RING, hash, head, TIME, &record, &entry, &failure));
    OK(dualseal_signature_verify(domain, ring, cache, ANA, hash, SIZED(record), NULL, &verdict, &failure));
}

static void free_all(void)
{
    dualseal_string_free(entry);
    dualseal_string_free(record);
    dualseal_verdict_free(verdict);
    dualseal_key_cache_free(cache);
    dualseal_content_hasher_free(hasher);
    dualseal_chain_reader_free(reader);
    dualseal_head_free(head);
    dualseal_ring_free(ring);
    dualseal_ring_key_free(ring_key);
    dualseal_signing_key_free(key);
    dualseal_domain_free(domain);
}

static void null_to_every_free(void)
{
    dualseal_bytes_free(NULL);
    dualseal_chain_reader_free(NULL);
    dualseal_proofs_free(NULL);
    dualseal_content_hasher_free(NULL);
    dualseal_domain_free(NULL);
    dualseal_error_free(NULL);
    dualseal_head_free(NULL);
    dualseal_key_cache_free(NULL);
    dualseal_ring_free(NULL);
    dualseal_ring_key_free(NULL);
    dualseal_signing_key_free(NULL);
    dualseal_string_free(NULL);
    dualseal_verdict_free(NULL);
}

static void domains_and_hashes(void)
{
    const size_t size = DUALSEAL_ID_TEXT_BYTES;
    NULL_IS("name", dualseal_domain_new(NULL, &domain, &failure));
    NULL_IS("domain", dualseal_domain_new("ACME", NULL, &failure));

    NULL_IS("domain", dualseal_identity_id(NULL, NULL, 0, SIZED(""), SIZED(""), text, size, &failure));
    NULL_IS("content", dualseal_identity_id(domain, NULL, 1, SIZED(""), SIZED(""), text, size, &failure));
    NULL_IS("creator", dualseal_identity_id(domain, NULL, 0, SIZED(NULL), SIZED(""), text, size, &failure));
    NULL_IS("context", dualseal_identity_id(domain, NULL, 0, SIZED(""), SIZED(NULL), text, size, &failure));
    NULL_IS("identity_id", dualseal_identity_id(domain, NULL, 0, SIZED(""), SIZED(""), NULL, size, &failure));

    NULL_IS("domain", dualseal_content_hash(NULL, ANA, NULL, 0, text, size, &failure));
    NULL_IS("identity_id", dualseal_content_hash(domain, NULL, NULL, 0, text, size, &failure));
    NULL_IS("content", dualseal_content_hash(domain, ANA, NULL, 1, text, size, &failure));
    NULL_IS("content_hash", dualseal_content_hash(domain, ANA, NULL, 0, NULL, size, &failure));

    NULL_IS("domain", dualseal_content_hasher_new(NULL, ANA, &hasher, &failure));
    NULL_IS("identity_id", dualseal_content_hasher_new(domain, NULL, &hasher, &failure));
    NULL_IS("hasher", dualseal_content_hasher_new(domain, ANA, NULL, &failure));
    NULL_IS("hasher", dualseal_content_hasher_update(NULL, NULL, 0, &failure));
    NULL_IS("content", dualseal_content_hasher_update(hasher, NULL, 1, &failure));
    NULL_IS("hasher", dualseal_content_hasher_finish(NULL, text, size, &failure));
    NULL_IS("content_hash", dualseal_content_hasher_finish(hasher, NULL, size, &failure));
}

static void canonical(void)
{
    NULL_IS("text_json", dualseal_json_canonical(SIZED(NULL), &out, &failure));
    NULL_IS("canonical_json", dualseal_json_canonical(SIZED("1"), NULL, &failure));
}

static void keys(void)
{
    const size_t seed = DUALSEAL_SEED_BYTES, expanded = DUALSEAL_EXPANDED_KEY_BYTES;
    const uint8_t some[DUALSEAL_SEED_BYTES] = {1};
    NULL_IS("key", dualseal_signing_key_generate(NULL, &failure));
    NULL_IS("seed", dualseal_signing_key_from_seed(NULL, seed, &key, &failure));
    NULL_IS("key", dualseal_signing_key_from_seed(some, seed, NULL, &failure));
    NULL_IS("expanded", dualseal_signing_key_from_expanded(NULL, expanded, &key, &failure));
    NULL_IS("key", dualseal_signing_key_from_expanded(bytes, expanded, NULL, &failure));
    NULL_IS("pem", dualseal_signing_key_from_pkcs8_pem(SIZED(NULL), &key, &failure));
    NULL_IS("key", dualseal_signing_key_from_pkcs8_pem(SIZED(""), NULL, &failure));
    NULL_IS("key", dualseal_signing_key_public_key(NULL, PK, &failure));
    NULL_IS("public_key", dualseal_signing_key_public_key(key, NULL, DUALSEAL_PUBLIC_KEY_BYTES, &failure));
    NULL_IS("key", dualseal_signing_key_seed(NULL, bytes, seed, &failure));
    NULL_IS("seed", dualseal_signing_key_seed(key, NULL, seed, &failure));
    NULL_IS("key", dualseal_signing_key_expanded(NULL, bytes, expanded, &failure));
    NULL_IS("expanded", dualseal_signing_key_expanded(key, NULL, expanded, &failure));
    NULL_IS("key", dualseal_signing_key_to_pkcs8_pem(NULL, &out, &failure));
    NULL_IS("pem", dualseal_signing_key_to_pkcs8_pem(key, NULL, &failure));

    const size_t pk = DUALSEAL_PUBLIC_KEY_BYTES, id = DUALSEAL_ID_TEXT_BYTES;
    NULL_IS("public_key", dualseal_public_key_hash(NULL, pk, text, id, &failure));
    NULL_IS("key_hash", dualseal_public_key_hash(PK, NULL, id, &failure));
    NULL_IS("public_key", dualseal_public_key_to_spki_pem(NULL, pk, &out, &failure));
    NULL_IS("pem", dualseal_public_key_to_spki_pem(PK, NULL, &failure));
    NULL_IS("pem", dualseal_public_key_from_spki_pem(SIZED(NULL), PK, &failure));
    NULL_IS("public_key", dualseal_public_key_from_spki_pem(SIZED(""), NULL, pk, &failure));

    NULL_IS("domain", dualseal_ring_key_generate(NULL, &ring_key, &failure));
    NULL_IS("ring_key", dualseal_ring_key_generate(domain, NULL, &failure));
    NULL_IS("domain", dualseal_ring_key_from_secret(NULL, bytes, 32, &ring_key, &failure));
    NULL_IS("secret", dualseal_ring_key_from_secret(domain, NULL, 32, &ring_key, &failure));
    NULL_IS("ring_key", dualseal_ring_key_from_secret(domain, bytes, 32, NULL, &failure));
    NULL_IS("ring_key", dualseal_ring_key_secret(NULL, bytes, 32, &failure));
    NULL_IS("secret", dualseal_ring_key_secret(ring_key, NULL, 32, &failure));
}

static void heads_and_chains(void)
{
    NULL_IS("head", dualseal_head_new(NULL, 0, NULL, &failure));
    NULL_IS("head", dualseal_head_parts(NULL, NULL, text, sizeof text, NULL, 0, NULL, &failure));
    NULL_IS("head", dualseal_head_append(NULL, domain, ANA, SIZED(""), TIME, &out, &failure));
    NULL_IS("domain", dualseal_head_append(head, NULL, ANA, SIZED(""), TIME, &out, &failure));
    NULL_IS("identity_id", dualseal_head_append(head, domain, NULL, SIZED(""), TIME, &out, &failure));
    NULL_IS("message", dualseal_head_append(head, domain, ANA, SIZED(NULL), TIME, &out, &failure));
    NULL_IS("entry_json", dualseal_head_append(head, domain, ANA, SIZED(""), TIME, NULL, &failure));

    dualseal_chain_reader *other = NULL;
    dualseal_proofs *proofs = NULL;
    NULL_IS("domain", dualseal_chain_reader_new(NULL, head, NO_CHECKPOINT, head, &other, &failure));
    NULL_IS("reader", dualseal_chain_reader_new(domain, head, NO_CHECKPOINT, head, NULL, &failure));
    NULL_IS("domain", dualseal_chain_reader_from_ring_file(NULL, SIZED("{}"), head, &other, &failure));
    NULL_IS("ring_json", dualseal_chain_reader_from_ring_file(domain, SIZED(NULL), head, &other, &failure));
    NULL_IS("reader", dualseal_chain_reader_push(NULL, SIZED("{}"), &failure));
    NULL_IS("line", dualseal_chain_reader_push(reader, SIZED(NULL), &failure));
    NULL_IS("reader", dualseal_chain_reader_finish(NULL, &proofs, NULL, NULL, &failure));
    NULL_IS("proofs", dualseal_chain_reader_finish(reader, NULL, NULL, NULL, &failure));
    CHECK(other == NULL && proofs == NULL);
}

static void rings(void)
{
    const size_t pk = DUALSEAL_PUBLIC_KEY_BYTES;
    const dualseal_key_state state = DUALSEAL_KEY_STATE_REVOKED;
    NULL_IS("origin", dualseal_ring_new(NULL, ring_key, &ring, &failure));
    NULL_IS("ring_key", dualseal_ring_new("o", NULL, &ring, &failure));
    NULL_IS("ring", dualseal_ring_new("o", ring_key, NULL, &failure));
    NULL_IS("identity_id", dualseal_ring_new_pinned(NULL, PK, &ring, &failure));
    NULL_IS("public_key", dualseal_ring_new_pinned(ANA, NULL, pk, &ring, &failure));
    NULL_IS("ring", dualseal_ring_new_pinned(ANA, PK, NULL, &failure));
    NULL_IS("ring_json", dualseal_ring_from_public_json(SIZED(NULL), NULL, 1, &ring, &failure));
    NULL_IS("checkpoint", dualseal_ring_from_public_json(SIZED("{}"), NULL, 0, &ring, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "unattested", -1,
          dualseal_ring_from_public_json(SIZED("{}"), NULL, 2, &ring, &failure));
    NULL_IS("ring", dualseal_ring_from_public_json(SIZED("{}"), NULL, 1, NULL, &failure));
    NULL_IS("ring", dualseal_ring_to_stored_json(NULL, head, &out, &failure));
    NULL_IS("head", dualseal_ring_to_stored_json(ring, NULL, &out, &failure));
    NULL_IS("ring_json", dualseal_ring_to_stored_json(ring, head, NULL, &failure));
    NULL_IS("ring", dualseal_ring_to_public_json(NULL, &out, &failure));
    NULL_IS("ring_json", dualseal_ring_to_public_json(ring, NULL, &failure));

    NULL_IS("ring", dualseal_ring_follow(NULL, SIZED("{}"), NULL, 0, &failure));
    NULL_IS("line", dualseal_ring_follow(ring, SIZED(NULL), NULL, 0, &failure));
    NULL_IS("masters", dualseal_ring_follow(ring, SIZED("{}"), NULL, 1, &failure));
    NULL_IS("ring", dualseal_ring_add(NULL, ANA, PK, head, TIME, &out, &failure));
    NULL_IS("identity_id", dualseal_ring_add(ring, NULL, PK, head, TIME, &out, &failure));
    NULL_IS("public_key", dualseal_ring_add(ring, ANA, NULL, pk, head, TIME, &out, &failure));
    NULL_IS("head", dualseal_ring_add(ring, ANA, PK, NULL, TIME, &out, &failure));
    NULL_IS("entry_json", dualseal_ring_add(ring, ANA, PK, head, TIME, NULL, &failure));
    NULL_IS("ring", dualseal_ring_rotate(NULL, ANA, PK, head, TIME, &out, &failure));
    NULL_IS("identity_id", dualseal_ring_rotate(ring, NULL, PK, head, TIME, &out, &failure));
    NULL_IS("public_key", dualseal_ring_rotate(ring, ANA, NULL, pk, head, TIME, &out, &failure));
    NULL_IS("head", dualseal_ring_rotate(ring, ANA, PK, NULL, TIME, &out, &failure));
    NULL_IS("entry_json", dualseal_ring_rotate(ring, ANA, PK, head, TIME, NULL, &failure));
    NULL_IS("ring", dualseal_ring_set_state(NULL, ANA, NULL, state, NULL, head, TIME, &out, &failure));
    NULL_IS("identity_id", dualseal_ring_set_state(ring, NULL, NULL, state, NULL, head, TIME, &out, &failure));
    NULL_IS("head", dualseal_ring_set_state(ring, ANA, NULL, state, NULL, NULL, TIME, &out, &failure));
    NULL_IS("entry_json", dualseal_ring_set_state(ring, ANA, NULL, state, NULL, head, TIME, NULL, &failure));
    NULL_IS("ring", dualseal_ring_add_decoy(NULL, PK, SIZED("{}"), &failure));
    NULL_IS("public_key", dualseal_ring_add_decoy(ring, NULL, pk, SIZED("{}"), &failure));
    NULL_IS("entry_json", dualseal_ring_add_decoy(ring, PK, SIZED(NULL), &failure));
}

static void signatures(void)
{
    const char *id = ANA, *hash = BOB;
    NULL_IS("domain", dualseal_signature_sign(NULL, id, key, NO_RING, hash, head, TIME, &out, &out_two, &failure));
    NULL_IS("identity_id", dualseal_signature_sign(domain, NULL, key, NO_RING, hash, head, TIME, &out, &out_two,
                                                   &failure));
    NULL_IS("key", dualseal_signature_sign(domain, id, NULL, NO_RING, hash, head, TIME, &out, &out_two, &failure));
    NULL_IS("content_hash", dualseal_signature_sign(domain, id, key, NO_RING, NULL, head, TIME, &out, &out_two,
                                                    &failure));
    NULL_IS("head", dualseal_signature_sign(domain, id, key, NO_RING, hash, NULL, TIME, &out, &out_two, &failure));
    NULL_IS("record_json", dualseal_signature_sign(domain, id, key, NO_RING, hash, head, TIME, NULL, &out_two,
                                                   &failure));
    NULL_IS("entry_json", dualseal_signature_sign(domain, id, key, NO_RING, hash, head, TIME, &out, NULL, &failure));
}

static void verifications(void)
{
    NULL_IS("domain", dualseal_signature_verify(NULL, ring, cache, ANA, ANA, SIZED(record), NULL, &verdict, &failure));
    NULL_IS("ring", dualseal_signature_verify(domain, NULL, cache, ANA, ANA, SIZED(record), NULL, &verdict, &failure));
    NULL_IS("content_hash", dualseal_signature_verify(domain, ring, cache, ANA, NULL, SIZED(record), NULL, &verdict,
        &failure));
    NULL_IS("record_json",
            dualseal_signature_verify(domain, ring, cache, ANA, ANA, SIZED(NULL), NULL, &verdict, &failure));
    NULL_IS("identity_id",
            dualseal_signature_verify(domain, ring, cache, NULL, ANA, SIZED(record), NULL, &verdict, &failure));
    char signer[DUALSEAL_ID_TEXT_BYTES];
    const uint8_t *none = (const uint8_t *)"";
    NULL_IS("domain", dualseal_signature_verify_any_signer(NULL, ring, cache, none, 0, SIZED(record), NULL, signer,
                                                           sizeof signer, &verdict, &failure));
    NULL_IS("ring", dualseal_signature_verify_any_signer(domain, NULL, cache, none, 0, SIZED(record), NULL, signer,
                                                         sizeof signer, &verdict, &failure));
    NULL_IS("content", dualseal_signature_verify_any_signer(domain, ring, cache, NULL, 1, SIZED(record), NULL, signer,
                                                            sizeof signer, &verdict, &failure));
    NULL_IS("record_json", dualseal_signature_verify_any_signer(domain, ring, cache, none, 0, SIZED(NULL), NULL, signer,
                                                                sizeof signer, &verdict, &failure));
    NULL_IS("signer", dualseal_signature_verify_any_signer(domain, ring, cache, none, 0, SIZED(record), NULL, NULL,
                                                           sizeof signer, &verdict, &failure));

    NULL_IS("verdict", dualseal_verdict_to_json(NULL, DUALSEAL_AUDIENCE_OPERATOR, &out, NULL, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "audience", -1,
          dualseal_verdict_to_json(verdict, (dualseal_audience)0, &out, &out, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "audience", -1,
          dualseal_verdict_to_json(verdict, (dualseal_audience)3, &out, &out, &failure));
    NULL_IS("cache", dualseal_key_cache_new(0, NULL, &failure));
}

int main(void)
{
    set_up();
    mark(bytes, sizeof bytes);
    mark(text, sizeof text);
    null_to_every_free();
    domains_and_hashes();
    canonical();
    keys();
    heads_and_chains();
    rings();
    signatures();
    verifications();
    CHECK(marked(bytes, sizeof bytes) && marked(text, sizeof text));
    CHECK(out == NULL && out_two == NULL);
    /* Whatever handle a refused call had overwritten would be lost here, which a leak reader sees. */
    CHECK(size_of_chain(head) == 1);
    free_all();
    return 0;
}
