/* What the programs about vault shards share: a vault whose secret is split among three nodes, and a gate. */
#ifndef DUALSEAL_TEST_SHARDS_H
#define DUALSEAL_TEST_SHARDS_H

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
    char *record, *shards, *lines[4], vault[65], public_key[65], nonce[65];
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

static inline int consume(const char *nonce_hex, void *user)
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
static inline void forget(void)
{
    dualseal_error_free(failure);
    failure = NULL;
}

/* Only 1 says that the nonce was unused. */
static inline int two(const char *nonce_hex, void *user)
{
    CHECK(strlen(nonce_hex) == 64 && user == NULL);
    return 2;
}

/* The identifiers of these shards, at most three. */
static inline uint32_t ids_of(const char *shards, char ids[3][65], const char *names[3])
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

/* What the whole chain tells of the splits: under a checkpoint, or up to the head where that is NULL. */
static inline dualseal_proofs *walked(const bench *b, const char *whose, const dualseal_checkpoint *checkpoint,
                                      dualseal_watched *watched)
{
    dualseal_chain_reader *reader = NULL;
    OK(dualseal_chain_reader_new(b->domain, NULL, checkpoint, checkpoint == NULL, b->head, &reader, &failure));
    if (checkpoint != NULL) {
        OK(dualseal_chain_reader_watch_splits(reader, b->master, b->vault, whose, NULL, watched, &failure));
    } else {
        OK(dualseal_chain_reader_watch_own_splits(reader, b->master, b->vault, whose, watched, &failure));
    }
    return read_to(reader, b->lines, b->count, NULL);
}

static inline dualseal_status commit(bench *b, const char *shards, uint32_t least, const dualseal_preparation *prepared)
{
    char ids[3][65], *entry = NULL;
    const char *names[3];
    const uint32_t count = ids_of(shards, ids, names);
    dualseal_watched watched = 0;
    dualseal_proofs *proofs = walked(b, ANA, NULL, &watched);
    dualseal_status status = dualseal_preparation_commit(prepared, names, count, least, proofs, watched, b->head, TIME,
                                                         &entry, &failure);
    CHECK((status == DUALSEAL_OK) == (entry != NULL));
    if (entry != NULL) {
        OK(dualseal_entry_parts(SIZED(entry), &b->lines[b->count++], NULL, 0, &failure));
        dualseal_string_free(entry);
    }
    dualseal_proofs_free(proofs);
    return status;
}

/* The record whose secret is split. It stands in a chain of its own, so that the other has splits alone. */
static inline void seal_record(bench *b)
{
    dualseal_signing_key *key = test_key(7);
    dualseal_head *head = test_head();
    dualseal_ledger_head *ledger = NULL;
    dualseal_vault_sealer *vault = NULL;
    dualseal_sealed *sealed = NULL;
    uint8_t *stored = NULL;
    size_t length = 0;
    OK(dualseal_ledger_head_generate(&ledger, &failure));
    OK(dualseal_vault_sealer_new(b->master, ANA, key, NO_RING, DUALSEAL_TIER_PUBLIC, NULL, &vault, &failure));
    OK(dualseal_vault_sealer_seal(vault, NULL, 0, "CONTRACT", DUALSEAL_ENCRYPTION_STREAM, ledger, head, SIZED(""), TIME,
                                  &sealed, &stored, &length, &failure));
    OK(dualseal_sealed_parts(sealed, &b->record, NULL, &b->secret, NULL, 0, &failure));
    member(b->record, "\"vault_id\":\"", b->vault, 64);
    dualseal_bytes_free(stored);
    dualseal_sealed_free(sealed);
    dualseal_vault_sealer_free(vault);
    dualseal_ledger_head_free(ledger);
    dualseal_head_free(head);
    dualseal_signing_key_free(key);
}

static inline void set_up(bench *b)
{
    dualseal_preparation *prepared = NULL;
    uint8_t master[32], seed[DUALSEAL_SEED_BYTES], back[DUALSEAL_SEED_BYTES];
    memset(b, 0, sizeof *b);
    memset(master, 3, sizeof master);
    memset(seed, 7, sizeof seed);
    b->domain = test_domain();
    b->head = test_head();
    OK(dualseal_vault_master_from_secret(b->domain, master, sizeof master, &b->master, &failure));
    seal_record(b);
    OK(dualseal_shard_prepare(b->master, SIZED(b->record), NULL, 2, nodes, 3, b->secret, &b->shards, &prepared,
                              &failure));
    CHECK(size_of_chain(b->head) == 0);
    OK(commit(b, b->shards, 0, prepared));
    dualseal_preparation_free(prepared);
    CHECK(size_of_chain(b->head) == 1 && count_of(b->shards) == 3);
    OK(dualseal_rebuilding_new(b->master, b->vault, ANA, NULL, 1, SERVICE, &b->rebuilding, &failure));
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

static inline void tear_down(bench *b)
{
    for (size_t i = 0; i < b->count; i++) {
        dualseal_string_free(b->lines[i]);
    }
    dualseal_string_free(b->shards);
    dualseal_string_free(b->record);
    dualseal_ed25519_key_free(b->phone);
    dualseal_rebuilding_free(b->rebuilding);
    dualseal_secret_free(b->secret);
    dualseal_vault_master_free(b->master);
    dualseal_head_free(b->head);
    dualseal_domain_free(b->domain);
}

static inline dualseal_presence *gate_for(const bench *b, const char *public_key, const char *request, int64_t expiry)
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
static inline dualseal_status asking(const dualseal_rebuilding *rebuilding, dualseal_operation operation,
                                     const char *shards, uint32_t lost, uint32_t m, const char *const *urls,
                                     uint32_t n, char **request)
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

static inline dualseal_status ask(const dualseal_rebuilding *rebuilding, const char *shards, char **request)
{
    return asking(rebuilding, REBUILD, shards, 0, 0, NULL, 0, request);
}

static inline char *to_rebuild(const bench *b, const char *shards)
{
    char *request = NULL;
    OK(ask(b->rebuilding, shards, &request));
    return request;
}

static inline dualseal_status rebuild(const bench *b, const char *request, const char *shards,
                                      const dualseal_presence *presence, int64_t now, nonces *known,
                                      const char *blamed)
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

static inline void health(const dualseal_rebuilding *asked, const char *of, const char *given, const char *expected)
{
    char *found = NULL;
    OK(dualseal_rebuilding_health(asked, SIZED(of), SIZED(given), &found, &failure));
    is(found, expected);
}

#define ALL "{\"foreign\":[],\"invalid\":[],\"missing\":[],\"present\":[1,2,3]}"

#endif
