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

/* Whoever holds the authenticator gets the request as text, and answers the same challenge. */
static void arrives(const bench *b, const dualseal_rebuild_request *request, const char *challenge)
{
    char *json = NULL, *again = NULL, answered[65];
    dualseal_rebuild_request *arrived = NULL;
    OK(dualseal_rebuild_request_to_json(request, &json, &failure));
    OK(dualseal_rebuild_request_from_json(json, &arrived, &failure));
    OK(dualseal_rebuild_request_to_json(arrived, &again, &failure));
    OK(dualseal_rebuild_request_challenge(arrived, b->domain, b->nonce, SOON, answered, 65, &failure));
    CHECK(strcmp(json, again) == 0 && strcmp(answered, challenge) == 0);
    dualseal_rebuild_request_free(arrived);
    arrived = NULL;
    *strstr(again, "rebuild") = 'R';
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "op", -1, dualseal_rebuild_request_from_json(again, &arrived, &failure));
    CHECK(arrived == NULL);
    dualseal_string_free(again);
    dualseal_string_free(json);
}

static void the_gate_opens_once(bench *b)
{
    nonces known = {"", 0};
    char challenge[65];
    dualseal_shards *given = some(b, 1, 3);
    dualseal_rebuild_request *request = to_rebuild(b, given);
    OK(dualseal_rebuild_request_challenge(request, b->domain, b->nonce, SOON, challenge, 65, &failure));
    CHECK(strlen(challenge) == 64);
    arrives(b, request, challenge);
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
    dualseal_presence *late = gate(b, to_rebuild(b, given), TIME);
    dualseal_presence *far = gate(b, to_rebuild(b, given), FAR), *none = NULL;
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

/* One list of a set's health: these numbers, in digits. */
static void lists(uint8_t *found, size_t length, const char *expected)
{
    CHECK(length == strlen(expected));
    for (size_t i = 0; i < length; i++) {
        CHECK(found[i] == expected[i] - '0');
    }
    dualseal_bytes_free(found);
}

static void health(const dualseal_rebuilding *asked, const char *of, const dualseal_shards *given, const char *present,
                   const char *missing, const char *invalid, const char *foreign)
{
    uint8_t *p = NULL, *m = NULL, *i = NULL, *f = NULL;
    size_t ps = 9, ms = 9, is = 9, fs = 9;
    OK(dualseal_rebuilding_health(asked, of, given, &p, &ps, &m, &ms, &i, &is, &f, &fs, &failure));
    lists(p, ps, present);
    lists(m, ms, missing);
    lists(i, is, invalid);
    lists(f, fs, foreign);
}

static void the_health_of_a_set_is_told(bench *b)
{
    dualseal_shards *given = some(b, 1, 3), *none = some(b, 0, 0), *other = NULL;
    dualseal_head *head = test_head();
    char *of = shard(b, 0), *bad = replaced(of, "a.example", "x.example"), *entry = NULL, *stranger = NULL;
    uint8_t *l = NULL;
    size_t n = 9;
    OK(dualseal_shard_verify(b->domain, b->key, of, &failure));
    health(b->rebuilding, of, b->shards, "123", "", "", "");
    health(b->rebuilding, of, given, "23", "1", "", "");
    health(b->rebuilding, of, none, "", "123", "", "");
    OK(dualseal_shards_push(given, bad, &failure));
    health(b->rebuilding, of, given, "23", "1", "1", "");
    /* The same secret dealt again: its shards are another splitting's. */
    OK(dualseal_shards_split(b->domain, b->key, b->vault, ANA, 2, nodes, 3, b->secret, head, TIME, &other, &entry,
                             &failure));
    OK(dualseal_shards_get(other, 1, &stranger, &failure));
    OK(dualseal_shards_push(given, stranger, &failure));
    health(b->rebuilding, of, given, "23", "1", "1", "2");
    health(b->rebuilding, stranger, given, "2", "13", "", "123");
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX,
          dualseal_rebuilding_health(b->rebuilding, "", given, &l, &n, &l, &n, &l, &n, &l, &n, &failure));
    NULL_IS("rebuilding", dualseal_rebuilding_health(NULL, of, given, &l, &n, &l, &n, &l, &n, &l, &n, &failure));
    const dualseal_rebuilding *r = b->rebuilding;
    NULL_IS("shard_json", dualseal_rebuilding_health(r, NULL, given, &l, &n, &l, &n, &l, &n, &l, &n, &failure));
    NULL_IS("given", dualseal_rebuilding_health(r, of, NULL, &l, &n, &l, &n, &l, &n, &l, &n, &failure));
    NULL_IS("present", dualseal_rebuilding_health(r, of, given, NULL, &n, &l, &n, &l, &n, &l, &n, &failure));
    NULL_IS("present_len", dualseal_rebuilding_health(r, of, given, &l, NULL, &l, &n, &l, &n, &l, &n, &failure));
    NULL_IS("missing", dualseal_rebuilding_health(r, of, given, &l, &n, NULL, &n, &l, &n, &l, &n, &failure));
    NULL_IS("missing_len", dualseal_rebuilding_health(r, of, given, &l, &n, &l, NULL, &l, &n, &l, &n, &failure));
    NULL_IS("invalid", dualseal_rebuilding_health(r, of, given, &l, &n, &l, &n, NULL, &n, &l, &n, &failure));
    NULL_IS("invalid_len", dualseal_rebuilding_health(r, of, given, &l, &n, &l, &n, &l, NULL, &l, &n, &failure));
    NULL_IS("foreign", dualseal_rebuilding_health(r, of, given, &l, &n, &l, &n, &l, &n, NULL, &n, &failure));
    NULL_IS("foreign_len", dualseal_rebuilding_health(r, of, given, &l, &n, &l, &n, &l, &n, &l, NULL, &failure));
    CHECK(l == NULL && n == 9);
    free(bad);
    dualseal_string_free(of);
    dualseal_string_free(stranger);
    dualseal_string_free(entry);
    dualseal_shards_free(given);
    dualseal_shards_free(none);
    dualseal_shards_free(other);
    dualseal_head_free(head);
}

/* The value of a text member, which the caller frees. */
static char *member(const char *json, const char *name)
{
    const char *at = strstr(json, name);
    CHECK(at != NULL);
    at += strlen(name);
    size_t length = strcspn(at, "\"");
    char *value = (char *)owned(malloc(length + 1));
    memcpy(value, at, length);
    value[length] = '\0';
    return value;
}

static void seals_and_lost_shards(bench *b)
{
    const dualseal_domain *d = b->domain;
    nonces known = {"", 0};
    char *json = shard(b, 0), *id = member(json, "\"shard_id\":\""), *seal = member(json, "\"seal\":\""), *back = NULL;
    dualseal_shards *given = some(b, 1, 3);
    dualseal_rebuild_request *request = NULL;
    uint8_t *culprits = NULL;
    size_t count = 9;
    OK(dualseal_shard_verify_seal(d, b->key, id, b->vault, ANA, seal, &failure));
    GIVES(DUALSEAL_STATUS_SHARD_SEAL, dualseal_shard_verify_seal(d, b->key, id, b->vault, BOB, seal, &failure));
    NULL_IS("shard_id", dualseal_shard_verify_seal(d, b->key, NULL, b->vault, ANA, seal, &failure));
    NULL_IS("vault_id", dualseal_shard_verify_seal(d, b->key, id, NULL, ANA, seal, &failure));
    NULL_IS("identity_id", dualseal_shard_verify_seal(d, b->key, id, b->vault, NULL, seal, &failure));
    NULL_IS("seal", dualseal_shard_verify_seal(d, b->key, id, b->vault, ANA, NULL, &failure));
    OK(dualseal_rebuilding_request_repair(b->rebuilding, given, 1, &request, &failure));
    dualseal_presence *presence = gate(b, request, SOON);
    GIVES(DUALSEAL_STATUS_PRESENCE_TOO_FEW, rebuild(b, given, presence, &known));
    OK(dualseal_rebuilding_repair(b->rebuilding, given, 1, nodes[0], id, presence, consume, &known, &back, &culprits,
                                  &count, &failure));
    CHECK(strcmp(json, back) == 0 && count == 0);
    NULL_IS("node_url", dualseal_rebuilding_repair(b->rebuilding, given, 1, NULL, id, presence, consume, &known, &back,
                                                   &culprits, &count, &failure));
    NULL_IS("shard_id", dualseal_rebuilding_repair(b->rebuilding, given, 1, nodes[0], NULL, presence, consume, &known,
                                                   &back, &culprits, &count, &failure));
    NULL_IS("shard_json", dualseal_rebuilding_repair(b->rebuilding, given, 1, nodes[0], id, presence, consume, &known,
                                                     NULL, &culprits, &count, &failure));
    free(id);
    free(seal);
    dualseal_bytes_free(culprits);
    dualseal_string_free(json);
    dualseal_string_free(back);
    dualseal_presence_free(presence);
    dualseal_shards_free(given);
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

static void an_older_splitting_is_refused(bench *b)
{
    const dualseal_domain *d = b->domain;
    nonces known = {"", 0};
    dualseal_shards *given = some(b, 1, 3), *fresh = NULL, *wide = NULL;
    dualseal_rebuild_request *request = NULL;
    char *entries[3] = {b->entry, NULL, NULL}, *json = NULL;
    uint8_t *culprits = NULL;
    size_t count = 9;
    uint64_t seq = 9;
    OK(dualseal_rebuilding_request_refresh(b->rebuilding, given, nodes, 3, &request, &failure));
    dualseal_presence *presence = gate(b, request, SOON);
    FAILS(DUALSEAL_STATUS_RANGE, "m", -1,
          dualseal_rebuilding_refresh(b->rebuilding, given, 3, nodes, 3, presence, consume, &known, b->head, TIME,
                                      &fresh, &entries[1], &culprits, &count, &failure));
    NULL_IS("head", dualseal_rebuilding_refresh(b->rebuilding, given, 2, nodes, 3, presence, consume, &known, NULL,
                                                TIME, &fresh, &entries[1], &culprits, &count, &failure));
    NULL_IS("node_urls", dualseal_rebuilding_refresh(b->rebuilding, given, 2, NULL, 3, presence, consume, &known,
                                                     b->head, TIME, &fresh, &entries[1], &culprits, &count, &failure));
    CHECK(fresh == NULL && known.calls == 0 && size_of_chain(b->head) == 1);
    OK(dualseal_rebuilding_refresh(b->rebuilding, given, 2, nodes, 3, presence, consume, &known, b->head, TIME, &fresh,
                                   &entries[1], &culprits, &count, &failure));
    CHECK(count == 0 && size_of_chain(b->head) == 2);
    dualseal_bytes_free(culprits);
    dualseal_presence_free(presence);
    memset(&known, 0, sizeof known);
    OK(dualseal_rebuilding_request_rethreshold(b->rebuilding, fresh, 2, nodes, 2, &request, &failure));
    presence = gate(b, request, SOON);
    OK(dualseal_rebuilding_rethreshold(b->rebuilding, fresh, 2, nodes, 2, presence, consume, &known, b->head, TIME,
                                       &wide, &entries[2], &culprits, &count, &failure));
    OK(dualseal_shards_count(wide, &count, &failure));
    CHECK(count == 2 && size_of_chain(b->head) == 3);
    dualseal_checkpoint *checkpoint = checkpoint_over(b);
    dualseal_split_check *check = NULL, *other = NULL;
    dualseal_split_in_force *in_force = NULL;
    OK(dualseal_split_check_new(d, b->vault, ANA, checkpoint, &check, &failure));
    OK(dualseal_split_check_new(d, b->vault, BOB, checkpoint, &other, &failure));
    for (size_t i = 0; i < 3; i++) {
        char *line = NULL;
        OK(dualseal_entry_line(entries[i], &line, &failure));
        OK(dualseal_split_check_push_line(check, line, &failure));
        OK(dualseal_split_check_push_line(other, line, &failure));
        dualseal_string_free(line);
    }
    GIVES(DUALSEAL_STATUS_NO_SPLIT, dualseal_split_check_finish(other, &in_force, &failure));
    OK(dualseal_split_check_finish(check, &in_force, &failure));
    OK(dualseal_split_in_force_seq(in_force, &seq, &failure));
    CHECK(seq == 2);
    dualseal_rebuilding *last = NULL;
    dualseal_rebuild_request *no = NULL;
    OK(dualseal_rebuilding_new(d, b->key, b->vault, ANA, in_force, &last, &failure));
    GIVES(DUALSEAL_STATUS_SUPERSEDED_SPLIT, dualseal_rebuilding_request_rebuild(last, fresh, &no, &failure));
    OK(dualseal_rebuilding_request_rebuild(last, wide, &no, &failure));
    dualseal_rebuild_request_free(no);
    no = NULL;
    /* Its health says as much: nothing of what was superseded is there to rebuild from. */
    char *old = NULL, *now = NULL;
    OK(dualseal_shards_get(fresh, 1, &old, &failure));
    OK(dualseal_shards_get(wide, 1, &now, &failure));
    health(last, old, fresh, "", "123", "", "123");
    health(b->rebuilding, old, fresh, "123", "", "", "");
    health(last, now, wide, "12", "", "", "");
    dualseal_string_free(old);
    dualseal_string_free(now);
    OK(dualseal_shards_get(fresh, 0, &json, &failure));
    OK(dualseal_shards_push(given, json, &failure));
    GIVES(DUALSEAL_STATUS_MIXED_SHARDS, dualseal_rebuilding_request_rebuild(b->rebuilding, given, &no, &failure));
    NULL_IS("check", dualseal_split_check_push_line(NULL, "{}", &failure));
    NULL_IS("line", dualseal_split_check_push_line(check, NULL, &failure));
    NULL_IS("in_force", dualseal_split_check_finish(check, NULL, &failure));
    NULL_IS("checkpoint", dualseal_split_check_new(d, b->vault, ANA, NULL, &check, &failure));
    NULL_IS("in_force", dualseal_split_in_force_seq(NULL, &seq, &failure));
    CHECK(no == NULL);
    dualseal_bytes_free(culprits);
    dualseal_string_free(json);
    dualseal_string_free(entries[1]);
    dualseal_string_free(entries[2]);
    dualseal_rebuilding_free(last);
    dualseal_split_check_free(check);
    dualseal_split_check_free(other);
    dualseal_split_in_force_free(in_force);
    dualseal_checkpoint_free(checkpoint);
    dualseal_presence_free(presence);
    dualseal_shards_free(given);
    dualseal_shards_free(fresh);
    dualseal_shards_free(wide);
}

static void null_everywhere(bench *b)
{
    const dualseal_domain *d = b->domain;
    dualseal_shard_key *k = NULL;
    dualseal_shards *l = NULL;
    dualseal_rebuilding *r = NULL;
    dualseal_presence *p = NULL;
    dualseal_ed25519_key *drawn = NULL;
    char *e = NULL;
    const uint8_t *master = (const uint8_t *)"0123456789abcdef0123456789abcdef";
    OK(dualseal_ed25519_key_generate(&drawn, &failure));
    dualseal_ed25519_key_free(drawn);
    NULL_IS("key", dualseal_ed25519_key_generate(NULL, &failure));
    NULL_IS("key", dualseal_ed25519_key_public_key(NULL, b->nonce, 65, &failure));
    NULL_IS("domain", dualseal_shard_key_derive(NULL, master, 32, ANA, &k, &failure));
    NULL_IS("master", dualseal_shard_key_derive(d, NULL, 32, ANA, &k, &failure));
    NULL_IS("shard_key", dualseal_shard_key_derive(d, master, 32, ANA, NULL, &failure));
    dualseal_head *h = b->head;
    NULL_IS("domain",
            dualseal_shards_split(NULL, b->key, b->vault, ANA, 2, nodes, 3, b->secret, h, TIME, &l, &e, &failure));
    NULL_IS("shard_key",
            dualseal_shards_split(d, NULL, b->vault, ANA, 2, nodes, 3, b->secret, h, TIME, &l, &e, &failure));
    NULL_IS("secret",
            dualseal_shards_split(d, b->key, b->vault, ANA, 2, nodes, 3, NULL, h, TIME, &l, &e, &failure));
    NULL_IS("head",
            dualseal_shards_split(d, b->key, b->vault, ANA, 2, nodes, 3, b->secret, NULL, TIME, &l, &e, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "m", 4,
          dualseal_shards_split(d, b->key, b->vault, ANA, 4, nodes, 3, b->secret, h, TIME, &l, &e, &failure));
    NULL_IS("shard_json", dualseal_shards_push(b->shards, NULL, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_shards_get(b->shards, 3, &e, &failure));
    NULL_IS("shard_key", dualseal_rebuilding_new(d, NULL, b->vault, ANA, NULL, &r, &failure));
    NULL_IS("vault_id", dualseal_rebuilding_new(d, b->key, NULL, ANA, NULL, &r, &failure));
    NULL_IS("enrolled", dualseal_presence_new(NULL, NULL, 0, b->nonce, SOON, 1, TIME, &p, &failure));
    NULL_IS("proofs_json", dualseal_presence_new(b->enrolled, NULL, 1, b->nonce, SOON, 1, TIME, &p, &failure));
    NULL_IS("nonce", dualseal_presence_new(b->enrolled, NULL, 0, NULL, SOON, 1, TIME, &p, &failure));
    NULL_IS("enrolled", dualseal_enrolled_keys_enrol(NULL, ANA, b->public_key, &failure));
    NULL_IS("identity_id", dualseal_enrolled_keys_enrol(b->enrolled, NULL, b->public_key, &failure));
    NULL_IS("request", dualseal_presence_proof_sign(d, NULL, b->nonce, SOON, b->phone, &e, &failure));
    CHECK(k == NULL && l == NULL && r == NULL && p == NULL && e == NULL);
}

static void null_to_shards_and_splits(bench *b)
{
    const dualseal_domain *d = b->domain;
    dualseal_shard_key *k = NULL;
    dualseal_shards *l = NULL;
    dualseal_split_check *c = NULL;
    dualseal_split_in_force *f = NULL;
    dualseal_head *h = b->head;
    dualseal_checkpoint *checkpoint = checkpoint_over(b);
    char *e = NULL, *json = shard(b, 0), text[65];
    uint8_t bytes[DUALSEAL_SEED_BYTES];
    const uint8_t *master = (const uint8_t *)"0123456789abcdef0123456789abcdef";
    const char *const holes[] = {"https://a.example", NULL, "https://c.example"};
    size_t count = 7;
    uint64_t seq = 7;
    const uint64_t size = size_of_chain(h);
    mark(text, sizeof text);
    mark(bytes, sizeof bytes);
    NULL_IS("identity_id", dualseal_shard_key_derive(d, master, 32, NULL, &k, &failure));
    NULL_IS("vault_id",
            dualseal_shards_split(d, b->key, NULL, ANA, 2, nodes, 3, b->secret, h, TIME, &l, &e, &failure));
    NULL_IS("identity_id",
            dualseal_shards_split(d, b->key, b->vault, NULL, 2, nodes, 3, b->secret, h, TIME, &l, &e, &failure));
    NULL_IS("node_urls",
            dualseal_shards_split(d, b->key, b->vault, ANA, 2, NULL, 3, b->secret, h, TIME, &l, &e, &failure));
    NULL_IS("node_urls",
            dualseal_shards_split(d, b->key, b->vault, ANA, 2, holes, 3, b->secret, h, TIME, &l, &e, &failure));
    NULL_IS("shards",
            dualseal_shards_split(d, b->key, b->vault, ANA, 2, nodes, 3, b->secret, h, TIME, NULL, &e, &failure));
    NULL_IS("entry_json",
            dualseal_shards_split(d, b->key, b->vault, ANA, 2, nodes, 3, b->secret, h, TIME, &l, NULL, &failure));
    NULL_IS("domain", dualseal_shard_verify(NULL, b->key, json, &failure));
    NULL_IS("shard_key", dualseal_shard_verify(d, NULL, json, &failure));
    NULL_IS("shard_json", dualseal_shard_verify(d, b->key, NULL, &failure));
    NULL_IS("domain", dualseal_shard_verify_seal(NULL, b->key, ANA, b->vault, ANA, "", &failure));
    NULL_IS("shard_key", dualseal_shard_verify_seal(d, NULL, ANA, b->vault, ANA, "", &failure));
    NULL_IS("shards", dualseal_shards_new(NULL, &failure));
    NULL_IS("shards", dualseal_shards_push(NULL, json, &failure));
    NULL_IS("shards", dualseal_shards_count(NULL, &count, &failure));
    NULL_IS("count", dualseal_shards_count(b->shards, NULL, &failure));
    NULL_IS("shards", dualseal_shards_get(NULL, 0, &e, &failure));
    NULL_IS("shard_json", dualseal_shards_get(b->shards, 0, NULL, &failure));
    NULL_IS("domain", dualseal_split_check_new(NULL, b->vault, ANA, checkpoint, &c, &failure));
    NULL_IS("vault_id", dualseal_split_check_new(d, NULL, ANA, checkpoint, &c, &failure));
    NULL_IS("identity_id", dualseal_split_check_new(d, b->vault, NULL, checkpoint, &c, &failure));
    NULL_IS("check", dualseal_split_check_new(d, b->vault, ANA, checkpoint, NULL, &failure));
    NULL_IS("check", dualseal_split_check_finish(NULL, &f, &failure));
    NULL_IS("in_force", dualseal_split_in_force_seq(NULL, &seq, &failure));
    NULL_IS("seed", dualseal_ed25519_key_from_seed(NULL, 32, &b->phone, &failure));
    NULL_IS("key", dualseal_ed25519_key_from_seed(master, 32, NULL, &failure));
    NULL_IS("public_key", dualseal_ed25519_key_public_key(b->phone, NULL, 65, &failure));
    NULL_IS("key", dualseal_ed25519_key_seed(NULL, bytes, sizeof bytes, &failure));
    NULL_IS("seed", dualseal_ed25519_key_seed(b->phone, NULL, sizeof bytes, &failure));
    CHECK(k == NULL && l == NULL && c == NULL && f == NULL && e == NULL && count == 7 && seq == 7);
    CHECK(marked(text, sizeof text) && marked(bytes, sizeof bytes) && size_of_chain(h) == size);
    dualseal_string_free(json);
    dualseal_checkpoint_free(checkpoint);
}

static void null_to_rebuildings_and_gates(bench *b)
{
    const dualseal_domain *d = b->domain;
    dualseal_rebuilding *r = NULL;
    dualseal_rebuild_request *q = NULL, *request = to_rebuild(b, b->shards);
    dualseal_presence *p = NULL, *open = gate(b, to_rebuild(b, b->shards), SOON);
    dualseal_enrolled_keys *enrolled = NULL;
    dualseal_secret *secret = NULL;
    dualseal_shards *l = NULL;
    dualseal_head *h = b->head;
    nonces known = {"", 0};
    char *e = NULL, text[65];
    uint8_t *culprits = NULL;
    size_t count = 7;
    const char *const holes[] = {NULL};
    mark(text, sizeof text);
    NULL_IS("domain", dualseal_rebuilding_new(NULL, b->key, b->vault, ANA, NULL, &r, &failure));
    NULL_IS("identity_id", dualseal_rebuilding_new(d, b->key, b->vault, NULL, NULL, &r, &failure));
    NULL_IS("rebuilding", dualseal_rebuilding_new(d, b->key, b->vault, ANA, NULL, NULL, &failure));
    NULL_IS("rebuilding", dualseal_rebuilding_request_rebuild(NULL, b->shards, &q, &failure));
    NULL_IS("given", dualseal_rebuilding_request_rebuild(b->rebuilding, NULL, &q, &failure));
    NULL_IS("request", dualseal_rebuilding_request_rebuild(b->rebuilding, b->shards, NULL, &failure));
    NULL_IS("given", dualseal_rebuilding_request_repair(b->rebuilding, NULL, 1, &q, &failure));
    NULL_IS("node_urls", dualseal_rebuilding_request_refresh(b->rebuilding, b->shards, NULL, 3, &q, &failure));
    NULL_IS("node_urls", dualseal_rebuilding_request_rethreshold(b->rebuilding, b->shards, 2, NULL, 3, &q, &failure));
    NULL_IS("request", dualseal_rebuild_request_to_json(NULL, &e, &failure));
    NULL_IS("request_json", dualseal_rebuild_request_to_json(request, NULL, &failure));
    NULL_IS("request_json", dualseal_rebuild_request_from_json(NULL, &q, &failure));
    NULL_IS("request", dualseal_rebuild_request_from_json("{}", NULL, &failure));
    NULL_IS("request", dualseal_rebuild_request_challenge(NULL, d, b->nonce, SOON, text, 65, &failure));
    NULL_IS("domain", dualseal_rebuild_request_challenge(request, NULL, b->nonce, SOON, text, 65, &failure));
    NULL_IS("nonce", dualseal_rebuild_request_challenge(request, d, NULL, SOON, text, 65, &failure));
    NULL_IS("challenge", dualseal_rebuild_request_challenge(request, d, b->nonce, SOON, NULL, 65, &failure));
    NULL_IS("rebuilding", dualseal_rebuilding_rebuild(NULL, b->shards, open, consume, &known, &secret, &culprits,
                                                      &count, &failure));
    NULL_IS("given", dualseal_rebuilding_rebuild(b->rebuilding, NULL, open, consume, &known, &secret, &culprits,
                                                 &count, &failure));
    NULL_IS("presence", dualseal_rebuilding_rebuild(b->rebuilding, b->shards, NULL, consume, &known, &secret,
                                                    &culprits, &count, &failure));
    NULL_IS("consume", dualseal_rebuilding_rebuild(b->rebuilding, b->shards, open, NULL, &known, &secret, &culprits,
                                                   &count, &failure));
    NULL_IS("secret", dualseal_rebuilding_rebuild(b->rebuilding, b->shards, open, consume, &known, NULL, &culprits,
                                                  &count, &failure));
    NULL_IS("culprits", dualseal_rebuilding_rebuild(b->rebuilding, b->shards, open, consume, &known, &secret, NULL,
                                                    &count, &failure));
    NULL_IS("culprits_len", dualseal_rebuilding_rebuild(b->rebuilding, b->shards, open, consume, &known, &secret,
                                                        &culprits, NULL, &failure));
    NULL_IS("presence", dualseal_rebuilding_repair(b->rebuilding, b->shards, 1, "x", ANA, NULL, consume, &known, &e,
                                                   &culprits, &count, &failure));
    NULL_IS("shards", dualseal_rebuilding_refresh(b->rebuilding, b->shards, 2, nodes, 3, open, consume, &known, h,
                                                  TIME, NULL, &e, &culprits, &count, &failure));
    NULL_IS("presence", dualseal_rebuilding_rethreshold(b->rebuilding, b->shards, 2, nodes, 3, NULL, consume, &known,
                                                        h, TIME, &l, &e, &culprits, &count, &failure));
    NULL_IS("entry_json", dualseal_rebuilding_rethreshold(b->rebuilding, b->shards, 2, nodes, 3, open, consume,
                                                          &known, h, TIME, &l, NULL, &culprits, &count, &failure));
    NULL_IS("nonce", dualseal_presence_nonce(NULL, 65, &failure));
    NULL_IS("enrolled", dualseal_enrolled_keys_new(NULL, &failure));
    NULL_IS("public_key", dualseal_enrolled_keys_enrol(b->enrolled, ANA, NULL, &failure));
    NULL_IS("enrolled", dualseal_enrolled_keys_remove(NULL, ANA, b->public_key, &failure));
    NULL_IS("identity_id", dualseal_enrolled_keys_remove(b->enrolled, NULL, b->public_key, &failure));
    NULL_IS("public_key", dualseal_enrolled_keys_remove(b->enrolled, ANA, NULL, &failure));
    NULL_IS("domain", dualseal_presence_proof_sign(NULL, request, b->nonce, SOON, b->phone, &e, &failure));
    NULL_IS("nonce", dualseal_presence_proof_sign(d, request, NULL, SOON, b->phone, &e, &failure));
    NULL_IS("key", dualseal_presence_proof_sign(d, request, b->nonce, SOON, NULL, &e, &failure));
    NULL_IS("proof_json", dualseal_presence_proof_sign(d, request, b->nonce, SOON, b->phone, NULL, &failure));
    NULL_IS("proofs_json", dualseal_presence_new(b->enrolled, holes, 1, b->nonce, SOON, 1, TIME, &p, &failure));
    NULL_IS("presence", dualseal_presence_new(b->enrolled, NULL, 0, b->nonce, SOON, 1, TIME, NULL, &failure));
    CHECK(r == NULL && q == NULL && p == NULL && enrolled == NULL && secret == NULL && l == NULL && e == NULL);
    CHECK(culprits == NULL && count == 7 && known.calls == 0 && marked(text, sizeof text));
    dualseal_presence_free(open);
    dualseal_rebuild_request_free(request);
    dualseal_ed25519_key_free(NULL);
    dualseal_enrolled_keys_free(NULL);
    dualseal_presence_free(NULL);
    dualseal_rebuild_request_free(NULL);
    dualseal_rebuilding_free(NULL);
    dualseal_shard_key_free(NULL);
    dualseal_shards_free(NULL);
    dualseal_split_check_free(NULL);
    dualseal_split_in_force_free(NULL);
}

int main(void)
{
    bench b;
    set_up(&b);
    the_gate_opens_once(&b);
    bad_shards_are_named(&b);
    the_health_of_a_set_is_told(&b);
    seals_and_lost_shards(&b);
    an_older_splitting_is_refused(&b);
    null_everywhere(&b);
    null_to_shards_and_splits(&b);
    null_to_rebuildings_and_gates(&b);
    tear_down(&b);
    return 0;
}
