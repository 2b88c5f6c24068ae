/* Vault shards: split, verified, found in force, and rebuilt behind proofs of presence. */
#include "shards.h"

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
    CHECK(strcmp(dualseal_error_faults(failure), FAULTS("[0]", "[]")) == 0);
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
    return dualseal_shard_release(b->domain, SIZED(shard), SIZED(request), SERVICE, in_force, in_force == NULL,
                                  presence, consume, known, TIME, &failure);
}

/* A node compares before it asks: Bob is enrolled for himself, and a curious node passes on what it got. Neither gets
   Ana's shard, and no nonce is spent. */
static void a_node_compares_before_it_asks(const bench *b)
{
    nonces known = {"", 0};
    char *own = element(b->shards, 0), *other = element(b->shards, 2), *given = slice(b->shards, 0, 2), split[65];
    dualseal_rebuilding *none = NULL;
    char *request = to_rebuild(b, given), *his = replaced(request, ANA, BOB), *proof = NULL, *proofs = NULL;
    const char *keys[] = {b->public_key};
    dualseal_presence *good = gate_for(b, b->public_key, request, SOON), *bobs = NULL;
    OK(dualseal_presence_proof_sign(b->domain, SIZED(his), b->nonce, SOON, b->phone, &proof, &failure));
    proofs = with("[]", proof);
    OK(dualseal_presence_new(BOB, keys, 1, SIZED(proofs), b->nonce, SOON, 1, &bobs, &failure));
    FAILS(DUALSEAL_STATUS_OTHER_REQUEST, "identity_id", -1, release(b, own, his, NULL, bobs, &known));
    FAILS(DUALSEAL_STATUS_OTHER_REQUEST, "primatelj", -1,
          dualseal_shard_release(b->domain, SIZED(own), SIZED(request), service, 6, NULL, 1, good, consume, &known,
                                 TIME, &failure));
    FAILS(DUALSEAL_STATUS_OTHER_REQUEST, "shard_ids", -1, release(b, other, request, NULL, good, &known));
    /* A split that somebody forgot to fill in is not "there is no chain". */
    NULL_IS("in_force", dualseal_shard_release(b->domain, SIZED(own), SIZED(request), SERVICE, NULL, 0, good, consume,
                                               &known, TIME, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "no_chain", -1,
          dualseal_shard_release(b->domain, SIZED(own), SIZED(request), SERVICE, b->nonce, 1, good, consume, &known,
                                 TIME, &failure));
    NULL_IS("in_force", dualseal_rebuilding_new(b->master, b->vault, ANA, NULL, 0, SERVICE, &none, &failure));
    GIVES(DUALSEAL_STATUS_SUPERSEDED_SPLIT, release(b, own, request, b->nonce, good, &known));
    FAILS(DUALSEAL_STATUS_LENGTH, "split_id", -1, release(b, own, request, "Z", good, &known));
    GIVES(DUALSEAL_STATUS_PRESENCE_EXPIRED, dualseal_shard_release(b->domain, SIZED(own), SIZED(request), SERVICE,
                                                                   NULL, 1, good, consume, &known, SOON, &failure));
    CHECK(known.calls == 0);
    GIVES(DUALSEAL_STATUS_PRESENCE_NONCE_USED, dualseal_shard_release(b->domain, SIZED(own), SIZED(request), SERVICE,
                                                                      NULL, 1, good, two, NULL, TIME, &failure));
    member(own, "\"split_id\":\"", split, 64);
    OK(release(b, own, request, split, good, &known));
    GIVES(DUALSEAL_STATUS_PRESENCE_NONCE_USED, release(b, own, request, NULL, good, &known));
    CHECK(known.calls == 2);
    NULL_IS("domain", dualseal_shard_release(NULL, SIZED(own), SIZED(request), SERVICE, NULL, 1, good, consume,
                                             &known, TIME, &failure));
    NULL_IS("shard_json", release(b, NULL, request, NULL, good, &known));
    NULL_IS("request_json", release(b, own, NULL, NULL, good, &known));
    NULL_IS("recipient_key", dualseal_shard_release(b->domain, SIZED(own), SIZED(request), NULL, 1, NULL, 1, good,
                                                    consume, &known, TIME, &failure));
    NULL_IS("presence", release(b, own, request, NULL, NULL, &known));
    NULL_IS("consume", dualseal_shard_release(b->domain, SIZED(own), SIZED(request), SERVICE, NULL, 1, good, NULL,
                                              NULL, TIME, &failure));
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
    CHECK(strcmp(dualseal_error_faults(failure), FAULTS("[2]", "[1]")) == 0);
    CHECK(dualseal_error_faults(NULL) == NULL);
    forget();
    dualseal_presence_free(presence);
    dualseal_string_free(request);
    free(given);
    free(two);
    free(third);
    free(bad);
    free(second);
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
    OK(dualseal_shard_prepare(b->master, SIZED(b->record), split, 2, nodes, 2, b->secret, &no, &beside, &failure));
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
    dualseal_watched of_ana = 0, by_bob = 0;
    dualseal_proofs *proofs = walked(b, ANA, checkpoint, &of_ana), *other = walked(b, BOB, checkpoint, &by_bob);
    dualseal_split_in_force *in_force = NULL;
    char *splits = NULL, *of_bob = NULL;
    GIVES(DUALSEAL_STATUS_NO_SPLIT, dualseal_proofs_splits(other, by_bob, &in_force, &of_bob, &failure));
    OK(dualseal_proofs_splits(proofs, of_ana, &in_force, &splits, &failure));
    CHECK(strstr(splits, "\"ignored\":[],\"later\":[],\"more\":0}") != NULL);
    CHECK(strstr(splits, "{\"erased\":null,\"found\":[{\"counted\":true,") == splits);
    /* By a key that is not the vault's, no tag holds. */
    CHECK(strstr(of_bob, "\"found\":[],\"ignored\":[{\"reason\":\"tag\",\"seq\":0}") != NULL);
    dualseal_string_free(splits);
    dualseal_string_free(of_bob);
    /* Found again from there on, where the chain is not read again. */
    dualseal_watched again = 0;
    dualseal_chain_reader *whole = reader_under(d, checkpoint), *later = NULL;
    dualseal_split_in_force *same = NULL;
    GIVES(DUALSEAL_STATUS_LATE_START,
          dualseal_chain_reader_watch_splits(whole, NULL, NULL, NULL, in_force, &again, &failure));
    dualseal_chain_reader_free(whole);
    OK(dualseal_chain_reader_new(d, b->head, checkpoint, checkpoint == NULL, NULL, &later, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "before", -1,
          dualseal_chain_reader_watch_splits(later, b->master, NULL, NULL, in_force, &again, &failure));
    OK(dualseal_chain_reader_watch_splits(later, NULL, NULL, NULL, in_force, &again, &failure));
    dualseal_proofs_free(proofs);
    proofs = read_to(later, NULL, 0, NULL);
    OK(dualseal_proofs_splits(proofs, again, &same, &splits, &failure));
    CHECK(strstr(splits, "{\"erased\":null,\"found\":[{\"counted\":true,") == splits);
    dualseal_string_free(splits);
    dualseal_split_in_force_free(same);
    dualseal_rebuilding *last = NULL;
    OK(dualseal_rebuilding_new(b->master, b->vault, ANA, in_force, 0, SERVICE, &last, &failure));
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
    dualseal_proofs_free(proofs);
    dualseal_proofs_free(other);
    dualseal_split_in_force_free(in_force);
    dualseal_checkpoint_free(checkpoint);
    dualseal_presence_free(p);
}

#define SPLIT &l, &e, &failure

static void null_to_keys_and_splits(const bench *b)
{
    const dualseal_domain *d = b->domain;
    const dualseal_vault_master *m = b->master;
    dualseal_split_in_force *f = NULL;
    dualseal_watched w = 0;
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
    NULL_IS("master", dualseal_shard_prepare(NULL, SIZED(b->record), NULL, 2, nodes, 3, b->secret, SPLIT));
    NULL_IS("record_json", dualseal_shard_prepare(m, NULL, 1, NULL, 2, nodes, 3, b->secret, SPLIT));
    NULL_IS("node_urls", dualseal_shard_prepare(m, SIZED(b->record), NULL, 2, NULL, 3, b->secret, SPLIT));
    NULL_IS("node_urls", dualseal_shard_prepare(m, SIZED(b->record), NULL, 2, holes, 3, b->secret, SPLIT));
    NULL_IS("secret", dualseal_shard_prepare(m, SIZED(b->record), NULL, 2, nodes, 3, NULL, SPLIT));
    NULL_IS("new_shards_json",
            dualseal_shard_prepare(m, SIZED(b->record), NULL, 2, nodes, 3, b->secret, NULL, &e, &failure));
    NULL_IS("preparation",
            dualseal_shard_prepare(m, SIZED(b->record), NULL, 2, nodes, 3, b->secret, &l, NULL, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "m", 4,
          dualseal_shard_prepare(m, SIZED(b->record), NULL, 4, nodes, 3, b->secret, SPLIT));
    /* The low bytes would be 2 of 3. */
    FAILS(DUALSEAL_STATUS_RANGE, "m", 258,
          dualseal_shard_prepare(m, SIZED(b->record), NULL, 258, nodes, 3, b->secret, SPLIT));
    FAILS(DUALSEAL_STATUS_RANGE, "n", 259,
          dualseal_shard_prepare(m, SIZED(b->record), NULL, 2, nodes, 259, b->secret, SPLIT));
    dualseal_chain_reader *r = reader_under(d, checkpoint);
    NULL_IS("reader", dualseal_chain_reader_watch_splits(NULL, m, b->vault, ANA, NULL, &w, &failure));
    NULL_IS("master", dualseal_chain_reader_watch_splits(r, NULL, b->vault, ANA, NULL, &w, &failure));
    NULL_IS("vault_id", dualseal_chain_reader_watch_splits(r, m, NULL, ANA, NULL, &w, &failure));
    NULL_IS("identity_id", dualseal_chain_reader_watch_splits(r, m, b->vault, NULL, NULL, &w, &failure));
    NULL_IS("watched", dualseal_chain_reader_watch_splits(r, m, b->vault, ANA, NULL, NULL, &failure));
    NULL_IS("reader", dualseal_chain_reader_watch_own_splits(NULL, m, b->vault, ANA, &w, &failure));
    NULL_IS("master", dualseal_chain_reader_watch_own_splits(r, NULL, b->vault, ANA, &w, &failure));
    NULL_IS("vault_id", dualseal_chain_reader_watch_own_splits(r, m, NULL, ANA, &w, &failure));
    NULL_IS("identity_id", dualseal_chain_reader_watch_own_splits(r, m, b->vault, NULL, &w, &failure));
    NULL_IS("watched", dualseal_chain_reader_watch_own_splits(r, m, b->vault, ANA, NULL, &failure));
    GIVES(DUALSEAL_STATUS_NO_END, dualseal_chain_reader_watch_own_splits(r, m, b->vault, ANA, &w, &failure));
    CHECK(w == 0);
    dualseal_chain_reader_free(r);
    dualseal_proofs *p = walked(b, ANA, checkpoint, &w);
    NULL_IS("proofs", dualseal_proofs_splits(NULL, w, &f, NULL, &failure));
    NULL_IS("in_force", dualseal_proofs_splits(p, w, NULL, NULL, &failure));
    dualseal_proofs_free(p);
    CHECK(k == NULL && l == NULL && f == NULL && e == NULL);
    CHECK(marked(text, sizeof text) && marked(bytes, sizeof bytes) && size_of_chain(h) == size);
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
    NULL_IS("master", dualseal_rebuilding_new(NULL, b->vault, ANA, NULL, 1, SERVICE, &no, &failure));
    NULL_IS("vault_id", dualseal_rebuilding_new(b->master, NULL, ANA, NULL, 1, SERVICE, &no, &failure));
    NULL_IS("identity_id", dualseal_rebuilding_new(b->master, b->vault, NULL, NULL, 1, SERVICE, &no, &failure));
    NULL_IS("recipient_key", dualseal_rebuilding_new(b->master, b->vault, ANA, NULL, 1, NULL, 1, &no, &failure));
    NULL_IS("rebuilding", dualseal_rebuilding_new(b->master, b->vault, ANA, NULL, 1, SERVICE, NULL, &failure));
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
    lost_shards_are_made_again(&b);
    an_older_splitting_is_refused(&b);
    null_to_keys_and_splits(&b);
    null_to_rebuildings_and_gates(&b);
    tear_down(&b);
    return 0;
}
