/* Vault shards: split, verified, found in force, and rebuilt behind proofs of presence. */
#include "check.h"

#define ORIGIN "example.org/log"
#define FAR (TIME + 300001)
#define SOON (TIME + 60000)

typedef struct {
    dualseal_domain *domain;
    dualseal_head *head;
    dualseal_shard_key *key;
    dualseal_secret *secret;
    dualseal_shards *shards;
    dualseal_rebuilding *rebuilding;
    dualseal_ed25519_key *phone;
    dualseal_enrolled_keys *enrolled;
    char *entry, vault[65], public_key[65], nonce[65];
} bench;

static const char *const nodes[] = {"https://a.example", "https://b.example", "https://c.example"};

/* A register of nonces that knows one nonce at most. */
typedef struct {
    char used[65];
    int calls;
} nonces;

static int consume(const char *nonce_hex, void *user)
{
    nonces *known = (nonces *)user;
    known->calls++;
    if (strcmp(known->used, nonce_hex) == 0) {
        return 0;
    }
    memcpy(known->used, nonce_hex, sizeof known->used);
    return 1;
}

/* Only 1 says that the nonce was unused. */
static int two(const char *nonce_hex, void *user)
{
    CHECK(strlen(nonce_hex) == 64 && user == NULL);
    return 2;
}

static void set_up(bench *b)
{
    uint8_t master[32], seed[DUALSEAL_SEED_BYTES], back[DUALSEAL_SEED_BYTES];
    memset(b, 0, sizeof *b);
    memset(master, 3, sizeof master);
    memset(seed, 7, sizeof seed);
    b->domain = test_domain();
    b->head = test_head();
    OK(dualseal_vault_id(b->domain, NULL, 0, "ana", "", 0, b->vault, sizeof b->vault, &failure));
    OK(dualseal_shard_key_derive(b->domain, master, sizeof master, ANA, &b->key, &failure));
    OK(dualseal_secret_draw(DUALSEAL_FIELD_GF2_256, &b->secret, &failure));
    OK(dualseal_shards_split(b->domain, b->key, b->vault, ANA, 2, nodes, 3, b->secret, b->head, TIME, &b->shards,
                             &b->entry, &failure));
    CHECK(size_of_chain(b->head) == 1);
    OK(dualseal_rebuilding_new(b->domain, b->key, b->vault, ANA, NULL, &b->rebuilding, &failure));
    OK(dualseal_ed25519_key_from_seed(seed, sizeof seed, &b->phone, &failure));
    OK(dualseal_ed25519_key_seed(b->phone, back, sizeof back, &failure));
    CHECK(memcmp(seed, back, sizeof seed) == 0);
    OK(dualseal_ed25519_key_public_key(b->phone, b->public_key, sizeof b->public_key, &failure));
    OK(dualseal_enrolled_keys_new(&b->enrolled, &failure));
    OK(dualseal_enrolled_keys_enrol(b->enrolled, ANA, b->public_key, &failure));
    OK(dualseal_presence_nonce(b->nonce, sizeof b->nonce, &failure));
}

static void tear_down(bench *b)
{
    dualseal_string_free(b->entry);
    dualseal_enrolled_keys_free(b->enrolled);
    dualseal_ed25519_key_free(b->phone);
    dualseal_rebuilding_free(b->rebuilding);
    dualseal_shards_free(b->shards);
    dualseal_secret_free(b->secret);
    dualseal_shard_key_free(b->key);
    dualseal_head_free(b->head);
    dualseal_domain_free(b->domain);
}

static char *shard(const bench *b, size_t position)
{
    char *json = NULL;
    OK(dualseal_shards_get(b->shards, position, &json, &failure));
    return json;
}

static void push(const bench *b, dualseal_shards *list, size_t position)
{
    char *json = shard(b, position);
    OK(dualseal_shards_push(list, json, &failure));
    dualseal_string_free(json);
}

static dualseal_shards *some(const bench *b, size_t from, size_t to)
{
    dualseal_shards *list = NULL;
    OK(dualseal_shards_new(&list, &failure));
    for (size_t i = from; i < to; i++) {
        push(b, list, i);
    }
    return list;
}

/* The gate with one proof by the phone for this request, which is freed. */
static dualseal_presence *gate(const bench *b, dualseal_rebuild_request *request, int64_t expiry)
{
    char *proof = NULL;
    dualseal_presence *presence = NULL;
    OK(dualseal_presence_proof_sign(b->domain, request, b->nonce, expiry, b->phone, &proof, &failure));
    const char *proofs[] = {proof};
    OK(dualseal_presence_new(b->enrolled, proofs, 1, b->nonce, expiry, 1, TIME, &presence, &failure));
    dualseal_string_free(proof);
    dualseal_rebuild_request_free(request);
    return presence;
}

static dualseal_rebuild_request *to_rebuild(const bench *b, const dualseal_shards *given)
{
    dualseal_rebuild_request *request = NULL;
    OK(dualseal_rebuilding_request_rebuild(b->rebuilding, given, &request, &failure));
    return request;
}

static dualseal_status rebuild(const bench *b, const dualseal_shards *given, const dualseal_presence *presence,
                               nonces *known)
{
    dualseal_secret *secret = NULL;
    uint8_t *culprits = NULL, *expected = NULL, *found = NULL;
    size_t count = 0, one = 0, other = 0;
    dualseal_status status = dualseal_rebuilding_rebuild(b->rebuilding, given, presence, consume, known, &secret,
                                                         &culprits, &count, &failure);
    CHECK((status == DUALSEAL_OK) == (secret != NULL));
    if (secret != NULL) {
        OK(dualseal_secret_bytes(b->secret, &expected, &one, &failure));
        OK(dualseal_secret_bytes(secret, &found, &other, &failure));
        CHECK(one == 32 && other == 32 && memcmp(expected, found, 32) == 0);
        dualseal_bytes_free(expected);
        dualseal_bytes_free(found);
        dualseal_bytes_free(culprits);
        dualseal_secret_free(secret);
    }
    return status;
}

static void the_gate_opens_once(bench *b)
{
    nonces known = {"", 0};
    char challenge[65];
    dualseal_shards *given = some(b, 1, 3);
    dualseal_rebuild_request *request = to_rebuild(b, given);
    OK(dualseal_rebuild_request_challenge(request, b->domain, b->nonce, SOON, challenge, 65, &failure));
    CHECK(strlen(challenge) == 64);
    dualseal_presence *good = gate(b, request, SOON);
    GIVES(DUALSEAL_STATUS_PRESENCE_NONCE_USED,
          dualseal_presence_pass(good, b->domain, request = to_rebuild(b, given), two, NULL, &failure));
    OK(rebuild(b, given, good, &known));
    GIVES(DUALSEAL_STATUS_PRESENCE_NONCE_USED, rebuild(b, given, good, &known));
    CHECK(known.calls == 2);
    NULL_IS("consume", dualseal_presence_pass(good, b->domain, request, NULL, NULL, &failure));
    NULL_IS("presence", dualseal_presence_pass(NULL, b->domain, request, consume, &known, &failure));
    NULL_IS("domain", dualseal_presence_pass(good, NULL, request, consume, &known, &failure));
    NULL_IS("request", dualseal_presence_pass(good, b->domain, NULL, consume, &known, &failure));
    dualseal_rebuild_request_free(request);
    dualseal_presence_free(good);
    dualseal_presence *late = gate(b, to_rebuild(b, given), TIME), *far = gate(b, to_rebuild(b, given), FAR), *none = NULL;
    GIVES(DUALSEAL_STATUS_PRESENCE_EXPIRED, rebuild(b, given, late, &known));
    GIVES(DUALSEAL_STATUS_PRESENCE_TOO_FAR, rebuild(b, given, far, &known));
    OK(dualseal_presence_new(b->enrolled, NULL, 0, b->nonce, SOON, 0, TIME, &none, &failure));
    GIVES(DUALSEAL_STATUS_NO_PROOFS_REQUIRED, rebuild(b, given, none, &known));
    OK(dualseal_enrolled_keys_remove(b->enrolled, ANA, b->public_key, &failure));
    dualseal_presence *stranger = gate(b, to_rebuild(b, given), SOON);
    GIVES(DUALSEAL_STATUS_PRESENCE_TOO_FEW, rebuild(b, given, stranger, &known));
    OK(dualseal_enrolled_keys_enrol(b->enrolled, ANA, b->public_key, &failure));
    CHECK(known.calls == 2);
    dualseal_presence_free(late);
    dualseal_presence_free(far);
    dualseal_presence_free(none);
    dualseal_presence_free(stranger);
    dualseal_shards_free(given);
}

static void bad_shards_are_named(bench *b)
{
    nonces known = {"", 0};
    dualseal_shards *given = some(b, 1, 3), *few = some(b, 0, 1), *none = some(b, 0, 0);
    dualseal_rebuild_request *no = NULL;
    char *json = shard(b, 0), *bad = replaced(json, "a.example", "x.example");
    uint8_t *culprits = NULL;
    size_t count = 0;
    OK(dualseal_shard_verify(b->domain, b->key, json, &failure));
    GIVES(DUALSEAL_STATUS_SHARD_IDENTIFIER, dualseal_shard_verify(b->domain, b->key, bad, &failure));
    OK(dualseal_shards_push(given, bad, &failure));
    dualseal_secret *secret = NULL;
    dualseal_presence *presence = gate(b, to_rebuild(b, given), SOON);
    OK(dualseal_rebuilding_rebuild(b->rebuilding, given, presence, consume, &known, &secret, &culprits, &count,
                                   &failure));
    CHECK(count == 1 && culprits[0] == 1);
    OK(dualseal_shards_push(few, bad, &failure));
    FAILS(DUALSEAL_STATUS_REPEATED, "indeks", 1,
          dualseal_rebuilding_request_rebuild(b->rebuilding, few, &no, &failure));
    dualseal_shards_free(few);
    few = some(b, 1, 2);
    GIVES(DUALSEAL_STATUS_TOO_FEW_SHARES, rebuild(b, few, presence, &known));
    OK(dualseal_shards_push(few, bad, &failure));
    CHECK(dualseal_rebuilding_request_rebuild(b->rebuilding, few, &no, &failure) == DUALSEAL_STATUS_TOO_FEW_SHARES);
    const uint8_t *blamed = dualseal_error_culprits(failure, &count);
    CHECK(count == 1 && blamed[0] == 1);
    dualseal_error_free(failure);
    failure = NULL;
    GIVES(DUALSEAL_STATUS_NO_SHARDS, rebuild(b, none, presence, &known));
    CHECK(no == NULL && known.calls == 1);
    free(bad);
    dualseal_bytes_free(culprits);
    dualseal_secret_free(secret);
    dualseal_presence_free(presence);
    dualseal_string_free(json);
    dualseal_shards_free(given);
    dualseal_shards_free(few);
    dualseal_shards_free(none);
}

int main(void)
{
    bench b;
    set_up(&b);
    the_gate_opens_once(&b);
    bad_shards_are_named(&b);
    tear_down(&b);
    return 0;
}
