/* Signing keys, public keys and ring keys: made, exported, read again, and refused. */
#include "check.h"

#include "dualseal_legacy.h"

static void a_generated_key_survives_every_form(void)
{
    dualseal_signing_key *key = NULL, *again = NULL;
    uint8_t seed[DUALSEAL_SEED_BYTES], public_key[DUALSEAL_PUBLIC_KEY_BYTES], other[DUALSEAL_PUBLIC_KEY_BYTES];
    uint8_t expanded[DUALSEAL_EXPANDED_KEY_BYTES], expanded_again[DUALSEAL_EXPANDED_KEY_BYTES];
    char *pem = NULL;

    OK(dualseal_signing_key_generate(&key, &failure));
    OK(dualseal_signing_key_public_key(key, public_key, sizeof public_key, &failure));
    OK(dualseal_signing_key_seed(key, seed, sizeof seed, &failure));
    OK(dualseal_signing_key_expanded(key, expanded, sizeof expanded, &failure));
    OK(dualseal_signing_key_to_pkcs8_pem(key, &pem, &failure));
    CHECK(strncmp(pem, "-----BEGIN PRIVATE KEY-----\n", 28) == 0);
    dualseal_signing_key_free(key);

    OK(dualseal_signing_key_from_seed(seed, sizeof seed, &again, &failure));
    OK(dualseal_signing_key_public_key(again, other, sizeof other, &failure));
    CHECK(memcmp(other, public_key, sizeof other) == 0);
    dualseal_signing_key_free(again);

    OK(dualseal_signing_key_from_pkcs8_pem(SIZED(pem), &again, &failure));
    OK(dualseal_signing_key_public_key(again, other, sizeof other, &failure));
    CHECK(memcmp(other, public_key, sizeof other) == 0);
    dualseal_signing_key_free(again);

    OK(dualseal_signing_key_from_expanded(expanded, sizeof expanded, &again, &failure));
    OK(dualseal_signing_key_public_key(again, other, sizeof other, &failure));
    CHECK(memcmp(other, public_key, sizeof other) == 0);
    OK(dualseal_signing_key_expanded(again, expanded_again, sizeof expanded_again, &failure));
    CHECK(memcmp(expanded_again, expanded, sizeof expanded) == 0);
    dualseal_signing_key_free(again);

    /* A program may overwrite a secret text itself before it gives it back. */
    memset(pem, 0, strlen(pem));
    dualseal_string_free(pem);
}

static void two_generated_keys_differ(void)
{
    dualseal_signing_key *one = NULL, *two = NULL;
    uint8_t seed_one[DUALSEAL_SEED_BYTES], seed_two[DUALSEAL_SEED_BYTES];
    OK(dualseal_signing_key_generate(&one, &failure));
    OK(dualseal_signing_key_generate(&two, &failure));
    OK(dualseal_signing_key_seed(one, seed_one, sizeof seed_one, &failure));
    OK(dualseal_signing_key_seed(two, seed_two, sizeof seed_two, &failure));
    CHECK(memcmp(seed_one, seed_two, sizeof seed_one) != 0);
    dualseal_signing_key_free(one);
    dualseal_signing_key_free(two);
}

static void bad_keys_are_refused(void)
{
    dualseal_signing_key *good = test_key(7), *key = NULL;
    uint8_t expanded[DUALSEAL_EXPANDED_KEY_BYTES], zeros[DUALSEAL_SEED_BYTES] = {0};
    char *pem = NULL;

    FAILS(DUALSEAL_STATUS_LENGTH, "seed", -1, dualseal_signing_key_from_seed(zeros, 31, &key, &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "seed", -1, dualseal_signing_key_from_seed(NULL, 0, &key, &failure));
    FAILS(DUALSEAL_STATUS_ALL_ZERO, "seed", -1, dualseal_signing_key_from_seed(zeros, 32, &key, &failure));

    OK(dualseal_signing_key_expanded(good, expanded, sizeof expanded, &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "expanded", -1,
          dualseal_signing_key_from_expanded(expanded, sizeof expanded - 1, &key, &failure));
    expanded[128] = 0xff;
    GIVES(DUALSEAL_STATUS_KEY_COEFFICIENTS,
          dualseal_signing_key_from_expanded(expanded, sizeof expanded, &key, &failure));
    OK(dualseal_signing_key_expanded(good, expanded, sizeof expanded, &failure));
    expanded[64] ^= 1;
    GIVES(DUALSEAL_STATUS_KEY_HASH, dualseal_signing_key_from_expanded(expanded, sizeof expanded, &key, &failure));

    OK(dualseal_signing_key_to_pkcs8_pem(good, &pem, &failure));
    char *relabelled = replaced(pem, "PRIVATE", "PUBLIC");
    GIVES(DUALSEAL_STATUS_PEM, dualseal_signing_key_from_pkcs8_pem(SIZED(relabelled), &key, &failure));
    GIVES(DUALSEAL_STATUS_PEM, dualseal_signing_key_from_pkcs8_pem(SIZED(""), &key, &failure));
    /* PEM all right, and what it holds is no key. */
    GIVES(DUALSEAL_STATUS_DER, dualseal_signing_key_from_pkcs8_pem(
        SIZED("-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n"), &key, &failure));
    CHECK(key == NULL);

    free(relabelled);
    dualseal_string_free(pem);
    dualseal_signing_key_free(good);
}

static void an_expanded_key_has_no_seed(void)
{
    dualseal_signing_key *good = test_key(7), *key = NULL;
    uint8_t expanded[DUALSEAL_EXPANDED_KEY_BYTES], seed[DUALSEAL_SEED_BYTES];
    char *pem = NULL;
    OK(dualseal_signing_key_expanded(good, expanded, sizeof expanded, &failure));
    OK(dualseal_signing_key_from_expanded(expanded, sizeof expanded, &key, &failure));
    mark(seed, sizeof seed);
    FAILS(DUALSEAL_STATUS_NO_SEED, "key", -1, dualseal_signing_key_seed(key, seed, sizeof seed, &failure));
    FAILS(DUALSEAL_STATUS_NO_SEED, "key", -1, dualseal_signing_key_to_pkcs8_pem(key, &pem, &failure));
    CHECK(marked(seed, sizeof seed) && pem == NULL);
    dualseal_signing_key_free(key);
    dualseal_signing_key_free(good);
}

static void exports_need_the_exact_length(void)
{
    dualseal_signing_key *key = test_key(7);
    uint8_t buffer[DUALSEAL_EXPANDED_KEY_BYTES + 1];
    mark(buffer, sizeof buffer);
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "seed", -1, dualseal_signing_key_seed(key, buffer, 33, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "public_key", -1,
          dualseal_signing_key_public_key(key, buffer, sizeof buffer, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "expanded", -1,
          dualseal_signing_key_expanded(key, buffer, sizeof buffer, &failure));
    CHECK(marked(buffer, sizeof buffer));
    dualseal_signing_key_free(key);
}

static void public_keys_survive_every_form(void)
{
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES], again[DUALSEAL_PUBLIC_KEY_BYTES];
    char *pem = NULL, hash[DUALSEAL_ID_TEXT_BYTES];

    /* The first of "mldsa" in tests/vectors/known_answers.json, which other implementations computed. */
    const uint8_t seed[DUALSEAL_SEED_BYTES] = {
        0x59, 0x8a, 0xf1, 0x91, 0x92, 0x6a, 0x7b, 0x62, 0x2c, 0x1a, 0xc1, 0xbc, 0x13, 0x0b, 0x29, 0x2b,
        0xef, 0xc3, 0xea, 0xee, 0xa2, 0x9a, 0x2e, 0x4a, 0x14, 0x30, 0x86, 0x23, 0x21, 0xae, 0x3e, 0xfc,
    };
    dualseal_signing_key *key = NULL;
    OK(dualseal_signing_key_from_seed(seed, sizeof seed, &key, &failure));
    OK(dualseal_signing_key_public_key(key, public_key, sizeof public_key, &failure));
    dualseal_signing_key_free(key);
    OK(dualseal_public_key_hash(public_key, sizeof public_key, hash, sizeof hash, &failure));
    CHECK(strcmp(hash, "825f0c3774b4e3eef5e75d606914930ef3dc34ad4880cfea833e18f2e2450344") == 0);

    OK(dualseal_public_key_to_spki_pem(public_key, sizeof public_key, &pem, &failure));
    CHECK(strncmp(pem, "-----BEGIN PUBLIC KEY-----\n", 27) == 0);
    mark(again, sizeof again);
    GIVES(DUALSEAL_STATUS_PEM, dualseal_public_key_from_spki_pem(SIZED(pem + 1), again, sizeof again, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "public_key", -1,
          dualseal_public_key_from_spki_pem(SIZED(pem), again, sizeof again - 1, &failure));
    CHECK(marked(again, sizeof again));
    OK(dualseal_public_key_from_spki_pem(SIZED(pem), again, sizeof again, &failure));
    CHECK(memcmp(again, public_key, sizeof again) == 0);
    dualseal_string_free(pem);

    pem = NULL;
    mark(hash, sizeof hash);
    const size_t short_len = sizeof public_key - 1;
    GIVES(DUALSEAL_STATUS_LENGTH, dualseal_public_key_hash(public_key, short_len, hash, sizeof hash, &failure));
    GIVES(DUALSEAL_STATUS_LENGTH, dualseal_public_key_to_spki_pem(public_key, short_len, &pem, &failure));
    CHECK(marked(hash, sizeof hash) && pem == NULL);
}

static void ring_keys(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_ring_key *drawn = NULL, *read = NULL;
    uint8_t secret[DUALSEAL_RING_KEY_BYTES], again[DUALSEAL_RING_KEY_BYTES];
    OK(dualseal_ring_key_generate(domain, &drawn, &failure));
    OK(dualseal_ring_key_secret(drawn, secret, sizeof secret, &failure));
    OK(dualseal_ring_key_from_secret(domain, secret, sizeof secret, &read, &failure));
    OK(dualseal_ring_key_secret(read, again, sizeof again, &failure));
    CHECK(memcmp(secret, again, sizeof secret) == 0);
    dualseal_ring_key_free(read);

    read = NULL;
    mark(again, sizeof again);
    FAILS(DUALSEAL_STATUS_LENGTH, "secret", -1,
          dualseal_ring_key_from_secret(domain, secret, sizeof secret - 1, &read, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "secret", -1,
          dualseal_ring_key_secret(drawn, again, sizeof again - 1, &failure));
    CHECK(read == NULL && marked(again, sizeof again));
    dualseal_ring_key_free(drawn);
    dualseal_domain_free(domain);
}

int main(void)
{
    a_generated_key_survives_every_form();
    two_generated_keys_differ();
    bad_keys_are_refused();
    an_expanded_key_has_no_seed();
    exports_need_the_exact_length();
    public_keys_survive_every_form();
    ring_keys();
    return 0;
}
