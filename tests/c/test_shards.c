/* Vault shards: split, verified, found in force, and rebuilt behind proofs of presence. */
#include "check.h"

#include "dualseal_vault.h"

#define SOON (TIME + 60000)
#define REBUILD DUALSEAL_OPERATION_REBUILD
#define REFRESH DUALSEAL_OPERATION_REFRESH
#define REPAIR DUALSEAL_OPERATION_REPAIR
#define RETHRESHOLD DUALSEAL_OPERATION_RETHRESHOLD

typedef struct {
    dualseal_domain *domain;
    dualseal_head *head;
    dualseal_vault_master *master;
    dualseal_secret *secret;
    dualseal_rebuilding *rebuilding;
    dualseal_ed25519_key *phone;
    char *shards, *lines[4], vault[65], public_key[65], nonce[65];
    size_t count;
} bench;

/* Who receives the shards, by the key that the nodes pinned. */
static const uint8_t service[] = "the service that rebuilds";
#define SERVICE service, sizeof service

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

/* An error of which all was looked at. */
static void forget(void)
{
    dualseal_error_free(failure);
    failure = NULL;
}

/* Only 1 says that the nonce was unused. */
static int two(const char *nonce_hex, void *user)
{
    CHECK(strlen(nonce_hex) == 64 && user == NULL);
    return 2;
}

/* The identifiers of these shards, at most three. */
static uint32_t ids_of(const char *shards, char ids[3][65], const char *names[3])
{
    const size_t count = count_of(shards);
    CHECK(count <= 3);
    for (size_t i = 0; i < count; i++) {
        char *shard = element(shards, i);
        member(shard, "\"shard_id\":\"", ids[i], 64);
        names[i] = ids[i];
        free(shard);
    }
    return (uint32_t)count;
}

/* A walk that was given the whole chain: under a checkpoint, or up to the head where that is NULL. */
static dualseal_chain_reader *walked(const bench *b, const char *whose, const dualseal_checkpoint *checkpoint)
{
    dualseal_chain_reader *reader = NULL;
    OK(dualseal_chain_reader_new_split(b->master, b->vault, whose, checkpoint, b->head, &reader, &failure));
    for (size_t i = 0; i < b->count; i++) {
        OK(dualseal_chain_reader_push(reader, SIZED(b->lines[i]), &failure));
    }
    return reader;
}

static dualseal_status commit(bench *b, const char *shards, uint32_t least, const dualseal_preparation *prepared)
{
    char ids[3][65], *entry = NULL;
    const char *names[3];
    const uint32_t count = ids_of(shards, ids, names);
    dualseal_chain_reader *reader = walked(b, ANA, NULL);
    dualseal_status status = dualseal_preparation_commit(prepared, names, count, least, reader, b->head, TIME, &entry,
                                                         &failure);
    CHECK((status == DUALSEAL_OK) == (entry != NULL));
    if (entry != NULL) {
        OK(dualseal_entry_line(SIZED(entry), &b->lines[b->count++], &failure));
        dualseal_string_free(entry);
    }
    dualseal_chain_reader_free(reader);
    return status;
}

static void set_up(bench *b)
{
    dualseal_preparation *prepared = NULL;
    uint8_t master[32], seed[DUALSEAL_SEED_BYTES], back[DUALSEAL_SEED_BYTES];
    memset(b, 0, sizeof *b);
    memset(master, 3, sizeof master);
    memset(seed, 7, sizeof seed);
    b->domain = test_domain();
    b->head = test_head();
    /* Nothing is rebuilt of what a vault identifier is computed from. */
    OK(dualseal_identity_id(b->domain, NULL, 0, SIZED("a vault"), SIZED(""), b->vault, sizeof b->vault, &failure));
    OK(dualseal_vault_master_from_secret(b->domain, master, sizeof master, &b->master, &failure));
    OK(dualseal_secret_generate(DUALSEAL_FIELD_GF2_256, &b->secret, &failure));
    OK(dualseal_shard_prepare(b->master, b->vault, ANA, NULL, 2, nodes, 3, b->secret, &b->shards, &prepared, &failure));
    CHECK(size_of_chain(b->head) == 0);
    OK(commit(b, b->shards, 0, prepared));
    dualseal_preparation_free(prepared);
    CHECK(size_of_chain(b->head) == 1 && count_of(b->shards) == 3);
    OK(dualseal_rebuilding_new(b->master, b->vault, ANA, NULL, SERVICE, &b->rebuilding, &failure));
    OK(dualseal_ed25519_key_from_seed(seed, sizeof seed, &b->phone, &failure));
    OK(dualseal_ed25519_key_seed(b->phone, back, sizeof back, &failure));
    CHECK(memcmp(seed, back, sizeof seed) == 0);
    OK(dualseal_ed25519_key_public_key(b->phone, b->public_key, sizeof b->public_key, &failure));
    char split[65], ids[3][65], *request = NULL;
    const char *names[3];
    const uint32_t count = ids_of(b->shards, ids, names);
    member(b->shards, "\"split_id\":\"", split, 64);
    OK(dualseal_rebuilding_request(b->rebuilding, REBUILD, split, names, count, 0, 0, NULL, 0, &request, b->nonce,
                                   sizeof b->nonce, &failure));
    CHECK(strlen(b->nonce) == 64);
    dualseal_string_free(request);
}

static void tear_down(bench *b)
{
    for (size_t i = 0; i < b->count; i++) {
        dualseal_string_free(b->lines[i]);
    }
    dualseal_string_free(b->shards);
    dualseal_ed25519_key_free(b->phone);
    dualseal_rebuilding_free(b->rebuilding);
    dualseal_secret_free(b->secret);
    dualseal_vault_master_free(b->master);
    dualseal_head_free(b->head);
    dualseal_domain_free(b->domain);
}

static dualseal_presence *gate_for(const bench *b, const char *public_key, const char *request, int64_t expiry)
{
    char *proof = NULL, *proofs = NULL;
    const char *keys[] = {public_key};
    dualseal_presence *presence = NULL;
    OK(dualseal_presence_proof_sign(b->domain, SIZED(request), b->nonce, expiry, b->phone, &proof, &failure));
    proofs = with("[]", proof);
    OK(dualseal_presence_new(ANA, keys, 1, SIZED(proofs), b->nonce, expiry, 1, &presence, &failure));
    free(proofs);
    dualseal_string_free(proof);
    return presence;
}

/* A request for these shards, at most three, and the splitting of the first. */
static dualseal_status asking(const dualseal_rebuilding *rebuilding, dualseal_operation operation, const char *shards,
                              uint32_t lost, uint32_t m, const char *const *urls, uint32_t n, char **request)
{
    char split[65] = "", ids[3][65];
    const char *names[3];
    const uint32_t count = ids_of(shards, ids, names);
    if (count > 0) {
        member(shards, "\"split_id\":\"", split, 64);
    }
    return dualseal_rebuilding_request(rebuilding, operation, split, names, count, lost, m, urls, n, request,
                                       NULL, 0, &failure);
}

static dualseal_status ask(const dualseal_rebuilding *rebuilding, const char *shards, char **request)
{
    return asking(rebuilding, REBUILD, shards, 0, 0, NULL, 0, request);
}

static char *to_rebuild(const bench *b, const char *shards)
{
    char *request = NULL;
    OK(ask(b->rebuilding, shards, &request));
    return request;
}

static dualseal_status rebuild(const bench *b, const char *request, const char *shards,
                               const dualseal_presence *presence, int64_t now, nonces *known, const char *blamed)
{
    dualseal_secret *secret = NULL;
    uint8_t *expected = NULL, *found = NULL;
    char *culprits = NULL;
    size_t one = 0, other = 0;
    dualseal_status status = dualseal_rebuilding_rebuild(b->rebuilding, SIZED(request), SIZED(shards), presence,
                                                         consume, known,
                                                         now, &secret, &culprits, &failure);
    CHECK((status == DUALSEAL_OK) == (secret != NULL));
    if (secret != NULL) {
        OK(dualseal_secret_bytes(b->secret, &expected, &one, &failure));
        OK(dualseal_secret_bytes(secret, &found, &other, &failure));
        CHECK(one == 32 && other == 32 && memcmp(expected, found, 32) == 0);
        is(culprits, blamed);
        dualseal_bytes_free(expected);
        dualseal_bytes_free(found);
        dualseal_secret_free(secret);
    }
    return status;
}

static void the_gate_opens_once(const bench *b)
{
    nonces known = {"", 0};
    char challenge[65], *given = slice(b->shards, 1, 3), *request = to_rebuild(b, given);
    OK(dualseal_presence_challenge(b->domain, SIZED(request), b->nonce, SOON, challenge, 65, &failure));
    CHECK(strlen(challenge) == 64);
    char *other = replaced(request, "rebuild", "Rebuild");
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "op", -1,
          dualseal_presence_challenge(b->domain, SIZED(other), b->nonce, SOON, challenge, 65, &failure));
    free(other);
    dualseal_presence *good = gate_for(b, b->public_key, request, SOON);
    OK(rebuild(b, request, given, good, TIME, &known, "{\"culprits\":[],\"misdealt\":[]}"));
    GIVES(DUALSEAL_STATUS_PRESENCE_NONCE_USED, rebuild(b, request, given, good, TIME, &known, ""));
    CHECK(known.calls == 2);
    dualseal_presence *none = NULL;
    /* One gate, at three times. */
    GIVES(DUALSEAL_STATUS_PRESENCE_EXPIRED, rebuild(b, request, given, good, SOON, &known, ""));
    GIVES(DUALSEAL_STATUS_PRESENCE_TOO_FAR, rebuild(b, request, given, good, SOON - 300001, &known, ""));
    dualseal_presence_free(good);
    OK(dualseal_presence_new(ANA, NULL, 0, SIZED("[]"), b->nonce, SOON, 0, &none, &failure));
    GIVES(DUALSEAL_STATUS_NO_PROOFS_REQUIRED, rebuild(b, request, given, none, TIME, &known, ""));

    /* A key that is not enrolled proves nothing. */
    dualseal_ed25519_key *stranger = NULL;
    char public_key[65];
    OK(dualseal_ed25519_key_generate(&stranger, &failure));
    OK(dualseal_ed25519_key_public_key(stranger, public_key, sizeof public_key, &failure));
    dualseal_presence *shut = gate_for(b, public_key, request, SOON);
    CHECK(rebuild(b, request, given, shut, TIME, &known, "") == DUALSEAL_STATUS_PRESENCE_TOO_FEW);
    CHECK(strcmp(dualseal_error_culprits(failure), "[0]") == 0 && strcmp(dualseal_error_foreign(failure), "[]") == 0);
    forget();
    CHECK(known.calls == 2);
    dualseal_ed25519_key_free(stranger);
    dualseal_presence_free(shut);
    dualseal_presence_free(none);
    dualseal_string_free(request);
    free(given);
}

static dualseal_status release(const bench *b, const char *shard, const char *request, const char *in_force,
                               const dualseal_presence *presence, nonces *known)
{
    return dualseal_shard_release(b->domain, SIZED(shard), SIZED(request), SERVICE, in_force, presence, consume,
                                  known, TIME,
                                  &failure);
}

/* A node compares before it asks: Bob is enrolled for himself, and a curious node passes on what it got. Neither gets
   Ana's shard, and no nonce is spent. */
static void a_node_compares_before_it_asks(const bench *b)
{
    nonces known = {"", 0};
    char *own = element(b->shards, 0), *other = element(b->shards, 2), *given = slice(b->shards, 0, 2), split[65];
    char *request = to_rebuild(b, given), *his = replaced(request, ANA, BOB), *proof = NULL, *proofs = NULL;
    const char *keys[] = {b->public_key};
    dualseal_presence *good = gate_for(b, b->public_key, request, SOON), *bobs = NULL;
    OK(dualseal_presence_proof_sign(b->domain, SIZED(his), b->nonce, SOON, b->phone, &proof, &failure));
    proofs = with("[]", proof);
    OK(dualseal_presence_new(BOB, keys, 1, SIZED(proofs), b->nonce, SOON, 1, &bobs, &failure));
    FAILS(DUALSEAL_STATUS_OTHER_REQUEST, "identity_id", -1, release(b, own, his, NULL, bobs, &known));
    FAILS(DUALSEAL_STATUS_OTHER_REQUEST, "primatelj", -1,
          dualseal_shard_release(b->domain, SIZED(own), SIZED(request), service, 6, NULL, good, consume, &known, TIME,
                                 &failure));
    FAILS(DUALSEAL_STATUS_OTHER_REQUEST, "shard_ids", -1, release(b, other, request, NULL, good, &known));
    GIVES(DUALSEAL_STATUS_SUPERSEDED_SPLIT, release(b, own, request, b->nonce, good, &known));
    FAILS(DUALSEAL_STATUS_LENGTH, "split_id", -1, release(b, own, request, "Z", good, &known));
    GIVES(DUALSEAL_STATUS_PRESENCE_EXPIRED, dualseal_shard_release(b->domain, SIZED(own), SIZED(request), SERVICE,
                                                                   NULL, good, consume, &known, SOON, &failure));
    CHECK(known.calls == 0);
    GIVES(DUALSEAL_STATUS_PRESENCE_NONCE_USED, dualseal_shard_release(b->domain, SIZED(own), SIZED(request), SERVICE,
                                                                      NULL, good, two, NULL, TIME, &failure));
    member(own, "\"split_id\":\"", split, 64);
    OK(release(b, own, request, split, good, &known));
    GIVES(DUALSEAL_STATUS_PRESENCE_NONCE_USED, release(b, own, request, NULL, good, &known));
    CHECK(known.calls == 2);
    NULL_IS("domain", dualseal_shard_release(NULL, SIZED(own), SIZED(request), SERVICE, NULL, good, consume, &known,
                                             TIME, &failure));
    NULL_IS("shard_json", release(b, NULL, request, NULL, good, &known));
    NULL_IS("request_json", release(b, own, NULL, NULL, good, &known));
    NULL_IS("recipient_key", dualseal_shard_release(b->domain, SIZED(own), SIZED(request), NULL, 1, NULL, good,
                                                    consume, &known, TIME, &failure));
    NULL_IS("presence", release(b, own, request, NULL, NULL, &known));
    NULL_IS("consume", dualseal_shard_release(b->domain, SIZED(own), SIZED(request), SERVICE, NULL, good, NULL, NULL,
                                              TIME, &failure));
    dualseal_presence_free(good);
    dualseal_presence_free(bobs);
    dualseal_string_free(proof);
    dualseal_string_free(request);
    free(proofs);
    free(his);
    free(given);
    free(other);
    free(own);
}

/* Shard 1 is of a later splitting than the request, shard 2 is not what the dealer made, shard 3 is good. */
static void who_is_foreign_and_who_is_at_fault(const bench *b, const char *later)
{
    nonces known = {"", 0};
    char *second = element(b->shards, 1), *bad = replaced(second, "b.example", "x.example");
    char *third = slice(b->shards, 2, 3), *two = with(third, later), *given = with(two, bad);
    char *request = to_rebuild(b, given);
    dualseal_presence *presence = gate_for(b, b->public_key, request, SOON);
    CHECK(rebuild(b, request, given, presence, TIME, &known, "") == DUALSEAL_STATUS_MIXED_SHARDS);
    CHECK(strcmp(dualseal_error_foreign(failure), "[1]") == 0 && strcmp(dualseal_error_culprits(failure), "[2]") == 0);
    CHECK(dualseal_error_foreign(NULL) == NULL && dualseal_error_culprits(NULL) == NULL);
    forget();
    dualseal_presence_free(presence);
    dualseal_string_free(request);
    free(given);
    free(two);
    free(third);
    free(bad);
    free(second);
}

static void bad_shards_are_named(const bench *b)
{
    nonces known = {"", 0};
    char *shard = element(b->shards, 0), *bad = replaced(shard, "a.example", "x.example"), *no = NULL;
    char *given = slice(b->shards, 1, 3), *mixed = with(given, bad), *one = slice(b->shards, 0, 1);
    char *twice = with(one, bad), *few = slice(b->shards, 1, 2), *still_few = with(few, bad);
    OK(dualseal_shard_verify(b->master, ANA, SIZED(shard), &failure));
    GIVES(DUALSEAL_STATUS_SHARD_IDENTIFIER, dualseal_shard_verify(b->master, ANA, SIZED(bad), &failure));
    GIVES(DUALSEAL_STATUS_SHARD_SEAL, dualseal_shard_verify(b->master, BOB, SIZED(shard), &failure));
    char *request = to_rebuild(b, mixed);
    dualseal_presence *presence = gate_for(b, b->public_key, request, SOON);
    OK(rebuild(b, request, mixed, presence, TIME, &known, "{\"culprits\":[1],\"misdealt\":[]}"));
    FAILS(DUALSEAL_STATUS_REPEATED, "shard_ids", 1, ask(b->rebuilding, twice, &no));
    CHECK(rebuild(b, request, twice, presence, TIME, &known, "") == DUALSEAL_STATUS_TOO_FEW_SHARES);
    CHECK(strcmp(dualseal_error_culprits(failure), "[]") == 0);
    forget();
    GIVES(DUALSEAL_STATUS_TOO_FEW_SHARES, rebuild(b, request, few, presence, TIME, &known, ""));
    CHECK(rebuild(b, request, still_few, presence, TIME, &known, "") == DUALSEAL_STATUS_TOO_FEW_SHARES);
    CHECK(strcmp(dualseal_error_culprits(failure), "[1]") == 0);
    forget();
    GIVES(DUALSEAL_STATUS_NO_SHARDS, rebuild(b, request, "[]", presence, TIME, &known, ""));
    /* What is no shard is named by its position. */
    char *junk = with(given, "{}");
    FAILS(DUALSEAL_STATUS_MISSING_MEMBER, NULL, 2, rebuild(b, request, junk, presence, TIME, &known, ""));
    CHECK(no == NULL && known.calls == 1);
    dualseal_presence_free(presence);
    dualseal_string_free(request);
    free(junk);
    free(still_few);
    free(few);
    free(twice);
    free(one);
    free(mixed);
    free(given);
    free(bad);
    free(shard);
}

static void health(const dualseal_rebuilding *asked, const char *of, const char *given, const char *expected)
{
    char *found = NULL;
    OK(dualseal_rebuilding_health(asked, SIZED(of), SIZED(given), &found, &failure));
    is(found, expected);
}

#define ALL "{\"foreign\":[],\"invalid\":[],\"missing\":[],\"present\":[1,2,3]}"

static void the_health_of_a_set_is_told(const bench *b)
{
    dualseal_preparation *again = NULL;
    char *given = slice(b->shards, 1, 3), *of = element(b->shards, 0), *bad = replaced(of, "a.example", "x.example");
    char *other = NULL, *none = NULL;
    health(b->rebuilding, of, b->shards, ALL);
    health(b->rebuilding, of, given, "{\"foreign\":[],\"invalid\":[],\"missing\":[1],\"present\":[2,3]}");
    health(b->rebuilding, of, "[]", "{\"foreign\":[],\"invalid\":[],\"missing\":[1,2,3],\"present\":[]}");
    char *with_bad = with(given, bad);
    health(b->rebuilding, of, with_bad, "{\"foreign\":[],\"invalid\":[1],\"missing\":[1],\"present\":[2,3]}");
    /* The same secret dealt again: its shards are another splitting's. */
    OK(dualseal_shard_prepare(b->master, b->vault, ANA, b->nonce, 2, nodes, 3, b->secret, &other, &again, &failure));
    char *stranger = element(other, 1), *with_both = with(with_bad, stranger);
    health(b->rebuilding, of, with_both, "{\"foreign\":[2],\"invalid\":[1],\"missing\":[1],\"present\":[2,3]}");
    health(b->rebuilding, stranger, with_both,
           "{\"foreign\":[1,2,3],\"invalid\":[],\"missing\":[1,3],\"present\":[2]}");
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX, dualseal_rebuilding_health(b->rebuilding, SIZED(""), SIZED(given), &none,
        &failure));
    NULL_IS("rebuilding", dualseal_rebuilding_health(NULL, SIZED(of), SIZED(given), &none, &failure));
    NULL_IS("shard_json", dualseal_rebuilding_health(b->rebuilding, SIZED(NULL), SIZED(given), &none, &failure));
    NULL_IS("shards_json", dualseal_rebuilding_health(b->rebuilding, SIZED(of), SIZED(NULL), &none, &failure));
    NULL_IS("health_json", dualseal_rebuilding_health(b->rebuilding, SIZED(of), SIZED(given), NULL, &failure));
    CHECK(none == NULL);
    free(with_both);
    free(stranger);
    free(with_bad);
    free(bad);
    free(of);
    free(given);
    dualseal_preparation_free(again);
    dualseal_string_free(other);
}

#define REPAIRED TIME, &back, &culprits, &failure

static void lost_shards_are_made_again(const bench *b)
{
    nonces known = {"", 0};
    const dualseal_rebuilding *r = b->rebuilding;
    char *shard = element(b->shards, 0), *given = slice(b->shards, 1, 3), *request = NULL, *back = NULL;
    char *culprits = NULL, id[129];
    const char *at = strstr(shard, "\"shard_id\":\"");
    CHECK(at != NULL);
    member(shard, "\"shard_id\":\"", id, strcspn(at + strlen("\"shard_id\":\""), "\""));
    OK(asking(r, REPAIR, given, 1, 0, NULL, 0, &request));
    dualseal_presence *p = gate_for(b, b->public_key, request, SOON);
    char *to_be_rebuilt = to_rebuild(b, given), *no = NULL;
    FAILS(DUALSEAL_STATUS_OTHER_REQUEST, "op", -1, rebuild(b, request, given, p, TIME, &known, ""));
    GIVES(DUALSEAL_STATUS_PRESENCE_TOO_FEW, rebuild(b, to_be_rebuilt, given, p, TIME, &known, ""));
    dualseal_string_free(to_be_rebuilt);
    OK(dualseal_rebuilding_repair(r, SIZED(request), SIZED(given), 1, nodes[0], id, p, consume, &known, REPAIRED));
    is(culprits, "{\"culprits\":[],\"misdealt\":[]}");
    is(back, shard);
    back = culprits = NULL;
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 257, asking(r, REPAIR, given, 257, 0, NULL, 0, &no));
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 257,
          dualseal_rebuilding_repair(r, SIZED(request), SIZED(given), 257, nodes[0], id, p, consume, &known, REPAIRED));
    NULL_IS("rebuilding", dualseal_rebuilding_repair(NULL, SIZED(request), SIZED(given), 1, nodes[0], id, p, consume,
                                                     &known, REPAIRED));
    NULL_IS("shards_json", dualseal_rebuilding_repair(r, SIZED(request), SIZED(NULL), 1, nodes[0], id, p, consume,
                                                      &known, REPAIRED));
    NULL_IS("request_json",
            dualseal_rebuilding_repair(r, SIZED(NULL), SIZED(given), 1, nodes[0], id, p, consume, &known, REPAIRED));
    NULL_IS("node_url", dualseal_rebuilding_repair(r, SIZED(request), SIZED(given), 1, NULL, id, p, consume, &known,
                                                   REPAIRED));
    NULL_IS("shard_id", dualseal_rebuilding_repair(r, SIZED(request), SIZED(given), 1, nodes[0], NULL, p, consume,
                                                   &known, REPAIRED));
    NULL_IS("presence", dualseal_rebuilding_repair(r, SIZED(request), SIZED(given), 1, nodes[0], id, NULL, consume,
                                                   &known, REPAIRED));
    NULL_IS("shard_json", dualseal_rebuilding_repair(r, SIZED(request), SIZED(given), 1, nodes[0], id, p, consume,
                                                     &known, TIME, NULL, &culprits, &failure));
    NULL_IS("faults_json", dualseal_rebuilding_repair(r, SIZED(request), SIZED(given), 1, nodes[0], id, p, consume,
                                                      &known, TIME, &back, NULL, &failure));
    CHECK(no == NULL && back == NULL && culprits == NULL);
    dualseal_presence_free(p);
    dualseal_string_free(request);
    free(given);
    free(shard);
}

static void an_older_splitting_is_refused(bench *b)
{
    const dualseal_domain *d = b->domain;
    const dualseal_rebuilding *r = b->rebuilding;
    nonces known = {"", 0};
    char *given = slice(b->shards, 1, 3), *fresh = NULL, *wide = NULL, *request = NULL, *culprits = NULL, *no = NULL;
    dualseal_preparation *one = NULL, *beside = NULL;
#define FRESH TIME, &fresh, &one, &culprits, &failure
    OK(asking(r, REFRESH, given, 0, 0, nodes, 3, &request));
    dualseal_presence *p = gate_for(b, b->public_key, request, SOON);
    FAILS(DUALSEAL_STATUS_RANGE, "m", -1,
          dualseal_rebuilding_prepare(r, SIZED(request), SIZED(given), 3, nodes, 3, p, consume, &known, FRESH));
    FAILS(DUALSEAL_STATUS_RANGE, "m", 258,
          dualseal_rebuilding_prepare(r, SIZED(request), SIZED(given), 258, nodes, 3, p, consume, &known, FRESH));
    NULL_IS("node_urls",
            dualseal_rebuilding_prepare(r, SIZED(request), SIZED(given), 2, NULL, 3, p, consume, &known, FRESH));
    NULL_IS("new_shards_json", dualseal_rebuilding_prepare(r, SIZED(request), SIZED(given), 2, nodes, 3, p, consume,
                                                           &known, TIME, NULL, &one, &culprits, &failure));
    CHECK(fresh == NULL && one == NULL && culprits == NULL && known.calls == 0);
    OK(dualseal_rebuilding_prepare(r, SIZED(request), SIZED(given), 2, nodes, 3, p, consume, &known, FRESH));
    is(culprits, "{\"culprits\":[],\"misdealt\":[]}");
    CHECK(size_of_chain(b->head) == 1);
    /* A second one that was prepared from the same is stale when the first was committed. */
    char split[65];
    member(given, "\"split_id\":\"", split, 64);
    OK(dualseal_shard_prepare(b->master, b->vault, ANA, split, 2, nodes, 2, b->secret, &no, &beside, &failure));
    GIVES(DUALSEAL_STATUS_UNCONFIRMED, commit(b, "[]", 0, one));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "shard_id", 0, commit(b, no, 0, one));
    FAILS(DUALSEAL_STATUS_RANGE, "least", 1, commit(b, fresh, 1, one));
    OK(commit(b, fresh, 2, one));
    GIVES(DUALSEAL_STATUS_STALE_SPLIT, commit(b, no, 0, beside));
    CHECK(size_of_chain(b->head) == 2);
    dualseal_string_free(no);
    no = NULL;
    dualseal_preparation_free(beside);
    dualseal_preparation_free(one);
    dualseal_presence_free(p);
    dualseal_string_free(request);
    memset(&known, 0, sizeof known);
    OK(asking(r, RETHRESHOLD, fresh, 0, 2, nodes, 2, &request));
    p = gate_for(b, b->public_key, request, SOON);
    OK(dualseal_rebuilding_prepare(r, SIZED(request), SIZED(fresh), 2, nodes, 2, p, consume, &known, TIME, &wide, &one,
                                   &culprits, &failure));
    dualseal_string_free(request);
    is(culprits, "{\"culprits\":[],\"misdealt\":[]}");
    OK(commit(b, wide, 0, one));
    dualseal_preparation_free(one);
    CHECK(count_of(wide) == 2 && size_of_chain(b->head) == 3);

    dualseal_checkpoint *checkpoint = test_checkpoint(d, b->head);
    dualseal_chain_reader *reader = walked(b, ANA, checkpoint), *other = walked(b, BOB, checkpoint);
    dualseal_split_in_force *in_force = NULL;
    char *splits = NULL, *of_bob = NULL;
    GIVES(DUALSEAL_STATUS_NO_SPLIT, dualseal_chain_reader_finish_split(other, &in_force, &of_bob, &failure));
    OK(dualseal_chain_reader_finish_split(reader, &in_force, &splits, &failure));
    CHECK(strstr(splits, "\"ignored\":[],\"later\":[],\"more\":0}") != NULL);
    CHECK(strstr(splits, "{\"erased\":null,\"found\":[{\"counted\":true,") == splits);
    /* By a key that is not the vault's, no tag holds. */
    CHECK(strstr(of_bob, "\"found\":[],\"ignored\":[{\"reason\":\"tag\",\"seq\":0}") != NULL);
    dualseal_string_free(splits);
    dualseal_string_free(of_bob);
    dualseal_rebuilding *last = NULL;
    OK(dualseal_rebuilding_new(b->master, b->vault, ANA, in_force, SERVICE, &last, &failure));
    GIVES(DUALSEAL_STATUS_SUPERSEDED_SPLIT, ask(last, fresh, &no));
    OK(ask(last, wide, &request));
    dualseal_string_free(request);
    /* Its health says as much: nothing of what was superseded is there to rebuild from. */
    char *old = element(fresh, 1), *now = element(wide, 1), *first = element(fresh, 0);
    health(last, old, fresh, "{\"foreign\":[1,2,3],\"invalid\":[],\"missing\":[1,2,3],\"present\":[]}");
    health(r, old, fresh, ALL);
    health(last, now, wide, "{\"foreign\":[],\"invalid\":[],\"missing\":[],\"present\":[1,2]}");
    who_is_foreign_and_who_is_at_fault(b, first);
    CHECK(no == NULL);
    free(old);
    free(now);
    free(first);
    free(given);
    dualseal_string_free(fresh);
    dualseal_string_free(wide);
    dualseal_rebuilding_free(last);
    dualseal_chain_reader_free(reader);
    dualseal_chain_reader_free(other);
    dualseal_split_in_force_free(in_force);
    dualseal_checkpoint_free(checkpoint);
    dualseal_presence_free(p);
}

#define SPLIT &l, &e, &failure

static void null_to_keys_and_splits(const bench *b)
{
    const dualseal_domain *d = b->domain;
    const dualseal_vault_master *m = b->master;
    dualseal_chain_reader *r = NULL;
    dualseal_split_in_force *f = NULL;
    dualseal_ed25519_key *k = NULL;
    dualseal_head *h = b->head;
    dualseal_checkpoint *checkpoint = test_checkpoint(d, h);
    dualseal_preparation *e = NULL;
    char *l = NULL, *shard = element(b->shards, 0), text[65];
    uint8_t bytes[DUALSEAL_SEED_BYTES] = {1};
    const char *const holes[] = {"https://a.example", NULL, "https://c.example"};
    const uint64_t size = size_of_chain(h);
    mark(text, sizeof text);
    NULL_IS("key", dualseal_ed25519_key_generate(NULL, &failure));
    NULL_IS("seed", dualseal_ed25519_key_from_seed(NULL, 32, &k, &failure));
    NULL_IS("key", dualseal_ed25519_key_from_seed(bytes, 32, NULL, &failure));
    NULL_IS("key", dualseal_ed25519_key_public_key(NULL, text, 65, &failure));
    NULL_IS("public_key", dualseal_ed25519_key_public_key(b->phone, NULL, 65, &failure));
    mark(bytes, sizeof bytes);
    NULL_IS("key", dualseal_ed25519_key_seed(NULL, bytes, sizeof bytes, &failure));
    NULL_IS("seed", dualseal_ed25519_key_seed(b->phone, NULL, sizeof bytes, &failure));
    NULL_IS("master", dualseal_shard_prepare(NULL, b->vault, ANA, NULL, 2, nodes, 3, b->secret, SPLIT));
    NULL_IS("vault_id", dualseal_shard_prepare(m, NULL, ANA, NULL, 2, nodes, 3, b->secret, SPLIT));
    NULL_IS("identity_id", dualseal_shard_prepare(m, b->vault, NULL, NULL, 2, nodes, 3, b->secret, SPLIT));
    NULL_IS("node_urls", dualseal_shard_prepare(m, b->vault, ANA, NULL, 2, NULL, 3, b->secret, SPLIT));
    NULL_IS("node_urls", dualseal_shard_prepare(m, b->vault, ANA, NULL, 2, holes, 3, b->secret, SPLIT));
    NULL_IS("secret", dualseal_shard_prepare(m, b->vault, ANA, NULL, 2, nodes, 3, NULL, SPLIT));
    NULL_IS("new_shards_json",
            dualseal_shard_prepare(m, b->vault, ANA, NULL, 2, nodes, 3, b->secret, NULL, &e, &failure));
    NULL_IS("preparation", dualseal_shard_prepare(m, b->vault, ANA, NULL, 2, nodes, 3, b->secret, &l, NULL, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "m", 4,
          dualseal_shard_prepare(m, b->vault, ANA, NULL, 4, nodes, 3, b->secret, SPLIT));
    /* The low bytes would be 2 of 3. */
    FAILS(DUALSEAL_STATUS_RANGE, "m", 258,
          dualseal_shard_prepare(m, b->vault, ANA, NULL, 258, nodes, 3, b->secret, SPLIT));
    FAILS(DUALSEAL_STATUS_RANGE, "n", 259,
          dualseal_shard_prepare(m, b->vault, ANA, NULL, 2, nodes, 259, b->secret, SPLIT));
    NULL_IS("master", dualseal_shard_verify(NULL, ANA, SIZED(shard), &failure));
    NULL_IS("identity_id", dualseal_shard_verify(m, NULL, SIZED(shard), &failure));
    NULL_IS("shard_json", dualseal_shard_verify(m, ANA, SIZED(NULL), &failure));
    NULL_IS("master", dualseal_chain_reader_new_split(NULL, b->vault, ANA, checkpoint, NULL, &r, &failure));
    NULL_IS("vault_id", dualseal_chain_reader_new_split(m, NULL, ANA, checkpoint, NULL, &r, &failure));
    NULL_IS("identity_id", dualseal_chain_reader_new_split(m, b->vault, NULL, checkpoint, NULL, &r, &failure));
    NULL_IS("head", dualseal_chain_reader_new_split(m, b->vault, ANA, NULL, NULL, &r, &failure));
    NULL_IS("reader", dualseal_chain_reader_new_split(m, b->vault, ANA, checkpoint, NULL, NULL, &failure));
    NULL_IS("reader", dualseal_chain_reader_finish_split(NULL, &f, NULL, &failure));
    OK(dualseal_chain_reader_new_split(m, b->vault, ANA, checkpoint, NULL, &r, &failure));
    NULL_IS("in_force", dualseal_chain_reader_finish_split(r, NULL, NULL, &failure));
    CHECK(k == NULL && l == NULL && f == NULL && e == NULL);
    CHECK(marked(text, sizeof text) && marked(bytes, sizeof bytes) && size_of_chain(h) == size);
    dualseal_chain_reader_free(r);
    free(shard);
    dualseal_checkpoint_free(checkpoint);
}

#define REBUILT TIME, &secret, &culprits, &failure
#define ANEW TIME, &l, &made, &culprits, &failure

static void null_to_rebuildings_and_gates(bench *b)
{
    dualseal_preparation *made = NULL;
    const dualseal_domain *d = b->domain;
    const dualseal_rebuilding *r = b->rebuilding;
    const char *s = b->shards, *n = b->nonce, *keys[] = {b->public_key}, *holes[] = {NULL};
    const char *const two[] = {b->nonce, b->public_key};
    char *request = to_rebuild(b, s), *q = NULL, *l = NULL, *e = NULL, *culprits = NULL, text[65];
    dualseal_rebuilding *no = NULL;
    dualseal_presence *p = NULL, *open = gate_for(b, b->public_key, request, SOON);
    dualseal_secret *secret = NULL;
    nonces known = {"", 0};
    mark(text, sizeof text);
    NULL_IS("master", dualseal_rebuilding_new(NULL, b->vault, ANA, NULL, SERVICE, &no, &failure));
    NULL_IS("vault_id", dualseal_rebuilding_new(b->master, NULL, ANA, NULL, SERVICE, &no, &failure));
    NULL_IS("identity_id", dualseal_rebuilding_new(b->master, b->vault, NULL, NULL, SERVICE, &no, &failure));
    NULL_IS("recipient_key", dualseal_rebuilding_new(b->master, b->vault, ANA, NULL, NULL, 1, &no, &failure));
    NULL_IS("rebuilding", dualseal_rebuilding_new(b->master, b->vault, ANA, NULL, SERVICE, NULL, &failure));
    NULL_IS("rebuilding", ask(NULL, s, &q));
    NULL_IS("request_json", ask(r, s, NULL));
    NULL_IS("split_id", dualseal_rebuilding_request(r, REBUILD, NULL, two, 2, 0, 0, NULL, 0, &q, NULL, 0, &failure));
    NULL_IS("shard_ids", dualseal_rebuilding_request(r, REBUILD, n, NULL, 2, 0, 0, NULL, 0, &q, NULL, 0, &failure));
    NULL_IS("shard_ids", dualseal_rebuilding_request(r, REBUILD, n, holes, 1, 0, 0, NULL, 0, &q, NULL, 0, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "shard_ids", -1,
          dualseal_rebuilding_request(r, REBUILD, n, two, 1, 0, 0, NULL, 0, &q, NULL, 0, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "count", 258,
          dualseal_rebuilding_request(r, REBUILD, n, two, 258, 0, 0, NULL, 0, &q, NULL, 0, &failure));
    NULL_IS("node_urls", asking(r, REFRESH, s, 0, 0, NULL, 3, &q));
    NULL_IS("node_urls", asking(r, RETHRESHOLD, s, 0, 2, NULL, 3, &q));
    FAILS(DUALSEAL_STATUS_RANGE, "m", 258, asking(r, RETHRESHOLD, s, 0, 258, nodes, 3, &q));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "operation", -1, asking(r, (dualseal_operation)0, s, 0, 0, NULL, 0, &q));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "operation", -1, asking(r, (dualseal_operation)5, s, 0, 0, NULL, 0, &q));
    NULL_IS("domain", dualseal_presence_challenge(NULL, SIZED(request), n, SOON, text, 65, &failure));
    NULL_IS("request_json", dualseal_presence_challenge(d, SIZED(NULL), n, SOON, text, 65, &failure));
    NULL_IS("nonce", dualseal_presence_challenge(d, SIZED(request), NULL, SOON, text, 65, &failure));
    NULL_IS("challenge", dualseal_presence_challenge(d, SIZED(request), n, SOON, NULL, 65, &failure));
    NULL_IS("domain", dualseal_presence_proof_sign(NULL, SIZED(request), n, SOON, b->phone, &e, &failure));
    NULL_IS("request_json", dualseal_presence_proof_sign(d, SIZED(NULL), n, SOON, b->phone, &e, &failure));
    NULL_IS("nonce", dualseal_presence_proof_sign(d, SIZED(request), NULL, SOON, b->phone, &e, &failure));
    NULL_IS("key", dualseal_presence_proof_sign(d, SIZED(request), n, SOON, NULL, &e, &failure));
    NULL_IS("proof_json", dualseal_presence_proof_sign(d, SIZED(request), n, SOON, b->phone, NULL, &failure));
    NULL_IS("identity_id", dualseal_presence_new(NULL, keys, 1, SIZED("[]"), n, SOON, 1, &p, &failure));
    NULL_IS("public_keys", dualseal_presence_new(ANA, NULL, 1, SIZED("[]"), n, SOON, 1, &p, &failure));
    NULL_IS("public_keys", dualseal_presence_new(ANA, holes, 1, SIZED("[]"), n, SOON, 1, &p, &failure));
    NULL_IS("proofs_json", dualseal_presence_new(ANA, keys, 1, SIZED(NULL), n, SOON, 1, &p, &failure));
    NULL_IS("nonce", dualseal_presence_new(ANA, keys, 1, SIZED("[]"), NULL, SOON, 1, &p, &failure));
    NULL_IS("presence", dualseal_presence_new(ANA, keys, 1, SIZED("[]"), n, SOON, 1, NULL, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "needed", 257,
          dualseal_presence_new(ANA, keys, 1, SIZED("[]"), n, SOON, 257, &p, &failure));
    NULL_IS("rebuilding", dualseal_rebuilding_rebuild(NULL, SIZED(request), SIZED(s), open, consume, &known, REBUILT));
    NULL_IS("shards_json", dualseal_rebuilding_rebuild(r, SIZED(request), SIZED(NULL), open, consume, &known, REBUILT));
    NULL_IS("presence", dualseal_rebuilding_rebuild(r, SIZED(request), SIZED(s), NULL, consume, &known, REBUILT));
    NULL_IS("consume", dualseal_rebuilding_rebuild(r, SIZED(request), SIZED(s), open, NULL, &known, REBUILT));
    NULL_IS("secret", dualseal_rebuilding_rebuild(r, SIZED(request), SIZED(s), open, consume, &known, TIME, NULL,
                                                  &culprits, &failure));
    NULL_IS("faults_json", dualseal_rebuilding_rebuild(r, SIZED(request), SIZED(s), open, consume, &known, TIME,
                                                       &secret, NULL, &failure));
    NULL_IS("request_json", dualseal_rebuilding_rebuild(r, SIZED(NULL), SIZED(s), open, consume, &known, REBUILT));
    FAILS(DUALSEAL_STATUS_RANGE, "timestamp", -1,
          dualseal_rebuilding_rebuild(r, SIZED(request), SIZED(s), open, consume, &known, -1, &secret, &culprits,
                                      &failure));
    NULL_IS("presence",
            dualseal_rebuilding_prepare(r, SIZED(request), SIZED(s), 2, nodes, 3, NULL, consume, &known, ANEW));
    NULL_IS("preparation", dualseal_rebuilding_prepare(r, SIZED(request), SIZED(s), 2, nodes, 3, open, consume, &known,
                                                       TIME, &l, NULL, &culprits, &failure));
    NULL_IS("preparation", commit(b, s, 0, NULL));
    dualseal_preparation_free(NULL);
    CHECK(no == NULL && q == NULL && p == NULL && secret == NULL && l == NULL && e == NULL && culprits == NULL);
    CHECK(known.calls == 0 && marked(text, sizeof text));
    dualseal_presence_free(open);
    dualseal_string_free(request);
    dualseal_ed25519_key_free(NULL);
    dualseal_presence_free(NULL);
    dualseal_rebuilding_free(NULL);
    dualseal_split_in_force_free(NULL);
    dualseal_vault_master_free(NULL);
}

int main(void)
{
    bench b;
    set_up(&b);
    the_gate_opens_once(&b);
    a_node_compares_before_it_asks(&b);
    bad_shards_are_named(&b);
    the_health_of_a_set_is_told(&b);
    lost_shards_are_made_again(&b);
    an_older_splitting_is_refused(&b);
    null_to_keys_and_splits(&b);
    null_to_rebuildings_and_gates(&b);
    tear_down(&b);
    return 0;
}
