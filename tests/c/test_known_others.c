/* Sessions, shards, proofs of presence and a ledger that another implementation made, by C: the same files that Rust,
   Python and Go read. */
#include "known.h"

#include "dualseal_vault.h"

#define MOST 16
#define SOON (TIME + 60000)

/* A chain of the answers, where it ends, and a checkpoint over all of it by a log that is made for it. */
typedef struct {
    char *lines[MOST];
    size_t count;
    dualseal_head *head;
    dualseal_checkpoint *checkpoint;
} chain;

static chain chain_of(const dualseal_domain *domain, const char *origin, json list, size_t count)
{
    chain made = {{NULL}, count, NULL, NULL};
    json entries[MOST];
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    char hash[DUALSEAL_ID_TEXT_BYTES], *mark_json = NULL, *text = NULL;
    CHECK(items_of(list, entries, MOST) >= count);
    for (size_t i = 0; i < count; i++) {
        made.lines[i] = slice_of(entries[i]);
    }
    made.head = head_after(domain, made.lines, count);
    dualseal_signing_key *key = test_key(5);
    test_public_key(5, public_key);
    OK(dualseal_public_key_hash(public_key, sizeof public_key, hash, sizeof hash, &failure));
    OK(dualseal_mark_first(origin, made.head, NO_RING, &mark_json, &failure));
    OK(dualseal_checkpoint_sign(domain, BOB, key, NO_RING, NULL, SIZED(mark_json), TIME, &text, &failure));
    OK(dualseal_checkpoint_verify(domain, origin, BOB, hash, 0, NO_RING, NULL, SIZED(text), &made.checkpoint, NULL,
                                  &failure));
    dualseal_string_free(text);
    dualseal_string_free(mark_json);
    dualseal_signing_key_free(key);
    return made;
}

static void free_chain(chain *made)
{
    for (size_t i = 0; i < made->count; i++) {
        free(made->lines[i]);
    }
    dualseal_head_free(made->head);
    dualseal_checkpoint_free(made->checkpoint);
}

/* The short handle of an entry. */
static void handle_of(const chain *made, size_t seq, char handle[DUALSEAL_ID_TEXT_BYTES])
{
    const size_t size = strlen(made->lines[seq]) + 32;
    char *entry = (char *)owned(malloc(size)), *line = NULL;
    snprintf(entry, size, "{\"seq\":%u,%s", (unsigned)seq, made->lines[seq] + 1);
    OK(dualseal_entry_parts(SIZED(entry), &line, handle, DUALSEAL_ID_TEXT_BYTES, &failure));
    dualseal_string_free(line);
    free(entry);
}

/* The first items of an array, or a member of each, as an array. The caller frees it. */
static char *list_of(const json *items, size_t count, const char *name)
{
    size_t size = 3;
    for (size_t i = 0; i < count; i++) {
        size += (name == NULL ? items[i] : of(items[i], name)).length + 1;
    }
    char *list = (char *)owned(malloc(size)), *end = list;
    for (size_t i = 0; i < count; i++) {
        const json item = name == NULL ? items[i] : of(items[i], name);
        *end++ = i == 0 ? '[' : ',';
        memcpy(end, item.at, item.length);
        end += item.length;
    }
    *end++ = ']';
    *end = '\0';
    return list;
}

/* A ring with the session's key, or NULL for a session that has none. */
static dualseal_ring *ring_of(json session)
{
    static uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    size_t members = 0;
    dualseal_ring *ring = NULL;
    const json key = member_and_count(session, "javni_kljuc", &members);
    if (key.at != NULL) {
        const size_t length = bytes_of(key, public_key, sizeof public_key);
        OK(dualseal_ring_new_pinned(plain(of(session, "identity_id")), public_key, length, &ring, &failure));
    }
    return ring;
}

static dualseal_session_in_force *in_force_of(const dualseal_domain *domain, const chain *made, json founder,
                                              const char *records, const dualseal_ring *ring)
{
    char handle[DUALSEAL_ID_TEXT_BYTES];
    dualseal_watched watched = 0;
    dualseal_session_in_force *found = NULL;
    handle_of(made, 1, handle);
    dualseal_chain_reader *reader = reader_under(domain, made->checkpoint);
    const char *session_id = plain(of(founder, "session_id"));
    OK(dualseal_chain_reader_watch_session(reader, session_id, handle, NULL, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, made->lines, made->count, NULL);
    OK(dualseal_proofs_session(proofs, watched, SIZED(records), ring, &found, &failure));
    dualseal_proofs_free(proofs);
    return found;
}

static void sessions(json answers)
{
    json items[MOST], deals[MOST], signings[MOST];
    uint8_t message[256];
    size_t verified = 0, confirmed = 0;
    const size_t count = items_of(of(answers, "sessions"), items, MOST);
    for (size_t i = 0; i < count; i++) {
        dualseal_domain *domain = domain_of(items[i]);
        const size_t length = bytes_of(of(items[i], "message_hex"), message, sizeof message);
        CHECK(items_of(of(items[i], "deals"), deals, MOST) == 2);
        CHECK(items_of(of(items[i], "signings"), signings, MOST) == 2);
        const json founder = of(deals[0], "session");
        dualseal_ring *ring = ring_of(founder);
        for (size_t last = 1; last <= 2; last++) {
            chain made = chain_of(domain, ORIGIN, of(items[i], "chain"), 1 + 2 * last);
            char *records = list_of(deals, last, "session"), *shares = slice_of(of(deals[last - 1], "shares"));
            dualseal_session_in_force *session = in_force_of(domain, &made, founder, records, ring);
            for (size_t one = ring == NULL ? last - 1 : 0; one < last; one++) {
                char *result = slice_of(of(signings[one], "result")), *faults = NULL;
                if (ring == NULL) {
                    GIVES(DUALSEAL_STATUS_AUTHENTICATED,
                          dualseal_session_authenticate(session, message, length, SIZED(result), SIZED(shares), &faults,
                                                        &failure));
                    dualseal_string_free(faults);
                    GIVES(DUALSEAL_STATUS_SESSION_RESULT,
                          dualseal_session_authenticate(session, message, length - 1, SIZED(result), SIZED(shares),
                                                        &faults, &failure));
                    confirmed++;
                } else {
                    OK(dualseal_session_verify(session, message, length, SIZED(result), ring, NULL, NULL, NULL,
                                               &failure));
                    GIVES(DUALSEAL_STATUS_INVALID,
                          dualseal_session_verify(session, message, length - 1, SIZED(result), ring, NULL, NULL, NULL,
                                                  &failure));
                    verified++;
                }
                free(result);
            }
            dualseal_session_in_force_free(session);
            free(records);
            free(shares);
            free_chain(&made);
        }
        dualseal_ring_free(ring);
        dualseal_domain_free(domain);
    }
    CHECK(count == 4 && verified == 6 && confirmed == 4);
}

static int unused(const char *nonce_hex, void *user)
{
    ++*(int *)user;
    return strlen(nonce_hex) == 64;
}

/* Rebuilds a secret from the first shards of a splitting, behind a proof that is made for it. */
static void rebuild(const dualseal_domain *domain, const dualseal_rebuilding *rebuilding, const char *identity,
                    json split, json secret_hex)
{
    json shards[MOST];
    const char *names[MOST];
    char *request = NULL, *proof = NULL, *faults = NULL, nonce[DUALSEAL_ID_TEXT_BYTES], key[DUALSEAL_ID_TEXT_BYTES];
    const char *const keys[] = {key};
    uint8_t expected[64], *found = NULL;
    size_t length = 0;
    int calls = 0;
    dualseal_ed25519_key *phone = NULL;
    dualseal_presence *presence = NULL;
    dualseal_secret *secret = NULL;
    const uint32_t m = (uint32_t)number_of(of(split, "m"));
    CHECK(items_of(of(split, "shards"), shards, MOST) > m);
    for (uint32_t i = 0; i < m; i++) {
        names[i] = plain(of(shards[i], "shard_id"));
    }
    OK(dualseal_rebuilding_request(rebuilding, DUALSEAL_OPERATION_REBUILD, plain(of(shards[0], "split_id")), names, m,
                                   0, 0, NULL, 0, &request, nonce, sizeof nonce, &failure));
    OK(dualseal_ed25519_key_generate(&phone, &failure));
    OK(dualseal_ed25519_key_public_key(phone, key, sizeof key, &failure));
    OK(dualseal_presence_proof_sign(domain, SIZED(request), nonce, SOON, phone, &proof, &failure));
    char *proofs = (char *)owned(malloc(strlen(proof) + 3)), *list = list_of(shards, m, NULL);
    sprintf(proofs, "[%s]", proof);
    OK(dualseal_presence_new(identity, keys, 1, SIZED(proofs), nonce, SOON, 1, &presence, &failure));
    OK(dualseal_rebuilding_rebuild(rebuilding, SIZED(request), SIZED(list), presence, unused, &calls, TIME, &secret,
                                   &faults, &failure));
    OK(dualseal_secret_bytes(secret, &found, &length, &failure));
    CHECK(length == bytes_of(secret_hex, expected, sizeof expected) && memcmp(found, expected, length) == 0);
    CHECK(calls == 1);
    dualseal_bytes_free(found);
    dualseal_secret_free(secret);
    dualseal_presence_free(presence);
    dualseal_ed25519_key_free(phone);
    dualseal_string_free(faults);
    dualseal_string_free(proof);
    dualseal_string_free(request);
    free(proofs);
    free(list);
}

static dualseal_vault_master *master_of(const dualseal_domain *domain, json item)
{
    uint8_t secret[32];
    dualseal_vault_master *master = NULL;
    const size_t length = bytes_of(of(item, "master_hex"), secret, sizeof secret);
    OK(dualseal_vault_master_from_secret(domain, secret, length, &master, &failure));
    return master;
}

static void shards(json answers)
{
    json items[MOST], splits[MOST];
    uint8_t recipient[64];
    size_t rebuilt = 0;
    const size_t count = items_of(of(answers, "vaults"), items, MOST);
    for (size_t i = 0; i < count; i++) {
        dualseal_domain *domain = domain_of(items[i]);
        dualseal_vault_master *master = master_of(domain, items[i]);
        const char *vault = plain(of(items[i], "vault_id")), *identity = plain(of(items[i], "identity_id"));
        const size_t length = bytes_of(of(items[i], "recipient_key_hex"), recipient, sizeof recipient);
        CHECK(items_of(of(items[i], "splits"), splits, MOST) == 2);
        for (size_t last = 1; last <= 2; last++) {
            chain made = chain_of(domain, ORIGIN, of(items[i], "chain"), last);
            dualseal_watched watched = 0;
            dualseal_split_in_force *in_force = NULL;
            dualseal_rebuilding *rebuilding = NULL;
            char *told = NULL;
            dualseal_chain_reader *reader = reader_under(domain, made.checkpoint);
            OK(dualseal_chain_reader_watch_splits(reader, master, vault, identity, NULL, &watched, &failure));
            dualseal_proofs *proofs = read_to(reader, made.lines, made.count, NULL);
            OK(dualseal_proofs_splits(proofs, watched, &in_force, &told, &failure));
            OK(dualseal_rebuilding_new(master, vault, identity, in_force, 0, recipient, length, &rebuilding, &failure));
            rebuild(domain, rebuilding, identity, splits[last - 1], of(items[i], "secret_hex"));
            rebuilt++;
            if (last == 2) {
                /* The splitting before is not in force any more. */
                json old[MOST];
                char *request = NULL, nonce[DUALSEAL_ID_TEXT_BYTES];
                CHECK(items_of(of(splits[0], "shards"), old, MOST) == 5);
                const char *const names[] = {plain(of(old[0], "shard_id")), plain(of(old[1], "shard_id")),
                                             plain(of(old[2], "shard_id"))};
                GIVES(DUALSEAL_STATUS_SUPERSEDED_SPLIT,
                      dualseal_rebuilding_request(rebuilding, DUALSEAL_OPERATION_REBUILD, plain(of(old[0], "split_id")),
                                                  names, 3, 0, 0, NULL, 0, &request, nonce, sizeof nonce, &failure));
            }
            dualseal_rebuilding_free(rebuilding);
            dualseal_split_in_force_free(in_force);
            dualseal_string_free(told);
            dualseal_proofs_free(proofs);
            free_chain(&made);
        }
        dualseal_vault_master_free(master);
        dualseal_domain_free(domain);
    }
    CHECK(count == 2 && rebuilt == 4);
}

static void proofs_of_presence(json answers)
{
    static const char *const asked[] = {"op", "vault_id", "split_id", "shard_ids", "args", "primatelj", "identity_id"};
    json items[MOST];
    char request[4096];
    uint8_t seed[DUALSEAL_SEED_BYTES];
    const size_t count = items_of(of(answers, "proofs"), items, MOST);
    for (size_t i = 0; i < count; i++) {
        const json expected = of(items[i], "proof");
        size_t end = 0;
        for (size_t name = 0; name < sizeof asked / sizeof *asked; name++) {
            const json value = of(expected, asked[name]);
            end += (size_t)snprintf(request + end, sizeof request - end, "%c\"%s\":%.*s", name == 0 ? '{' : ',',
                                    asked[name], (int)value.length, value.at);
        }
        CHECK(end + 2 < sizeof request);
        memcpy(request + end, "}", 2);
        dualseal_domain *domain = domain_of(items[i]);
        dualseal_ed25519_key *key = NULL;
        char *proof = NULL;
        const size_t length = bytes_of(of(items[i], "seed_hex"), seed, sizeof seed);
        OK(dualseal_ed25519_key_from_seed(seed, length, &key, &failure));
        OK(dualseal_presence_proof_sign(domain, SIZED(request), plain(of(expected, "nonce")),
                                        time_of(of(expected, "expiry")), key, &proof, &failure));
        is_value(proof, expected);
        dualseal_ed25519_key_free(key);
        dualseal_domain_free(domain);
    }
    CHECK(count == 8);
}

static dualseal_stored_hash *hash_of(const dualseal_domain *domain, const char *text, size_t length)
{
    dualseal_stored_hash *hash = NULL;
    OK(dualseal_stored_hash_new(domain, NULL, &hash, &failure));
    OK(dualseal_stored_hash_update(hash, (const uint8_t *)text, length, &failure));
    return hash;
}

/* The log's ring by its file, the key that vouches for it and the vault whose records it has traps of. */
static dualseal_ring *stored_ring(const dualseal_domain *domain, const chain *made, json item,
                                  const dualseal_vault_master *master)
{
    uint8_t secret[32];
    dualseal_ring_key *key = NULL;
    dualseal_chain_reader *reader = NULL;
    dualseal_watched watched = 0;
    dualseal_ring *ring = NULL;
    const dualseal_vault_master *const masters[] = {master};
    char *file = slice_of(of(item, "ring"));
    const size_t length = bytes_of(of(item, "ring_key_hex"), secret, sizeof secret);
    OK(dualseal_ring_key_from_secret(domain, secret, length, &key, &failure));
    OK(dualseal_chain_reader_new(domain, NULL, NO_CHECKPOINT, made->head, &reader, &failure));
    OK(dualseal_chain_reader_watch_ring(reader, SIZED(file), key, masters, 1, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, made->lines, made->count, NULL);
    OK(dualseal_proofs_ring(proofs, watched, &ring, NULL, &failure));
    dualseal_proofs_free(proofs);
    dualseal_ring_key_free(key);
    free(file);
    return ring;
}

/* The ledger's first record is valid at its place, and opens with its secret for the operator alone. */
static void first_opens(const dualseal_domain *domain, const dualseal_ring *ring,
                        dualseal_vault_policy *const *policies, json item, json first,
                        const dualseal_located_ledger *places)
{
    uint8_t stored[128], *payload = NULL;
    size_t payload_length = 0;
    dualseal_located *place = NULL;
    const json record = of(first, "record");
    const size_t length = bytes_of(of(first, "stored_hex"), stored, sizeof stored);
    dualseal_stored_hash *hash = hash_of(domain, (const char *)stored, length);
    dualseal_secret *secret =
        rebuilt(domain, of(item, "first_dealing"), of(item, "first_shares"), of(first, "secret_hex"));
    OK(dualseal_located_ledger_locate(places, record.at, record.length, &place, &failure));
    for (size_t i = 0; i < 2; i++) {
        dualseal_vault_report *report = NULL;
        OK(dualseal_vault_record_verify(domain, ring, NULL, policies[i], record.at, record.length, hash,
                                        plain(of(item, "identity_id")), place, NULL, &report, &failure));
        GIVES(i == 1 ? DUALSEAL_OK : DUALSEAL_STATUS_NOT_VERIFIED,
              dualseal_vault_unseal(report, secret, stored, length, &payload, &payload_length, &failure));
        dualseal_vault_report_free(report);
    }
    CHECK(payload_length == number_of(of(first, "payload_length")));
    dualseal_bytes_free(payload);
    dualseal_secret_free(secret);
    dualseal_stored_hash_free(hash);
    dualseal_located_free(place);
}

/* The record of an erasure, which is the ledger's last, is valid under either policy at its place, and covers the first
   one alone. */
static void ledger(json item)
{
    json records[MOST], splits[MOST];
    uint8_t seed[DUALSEAL_SEED_BYTES], stored[512];
    char erased[512], key[DUALSEAL_ID_TEXT_BYTES];
    dualseal_ed25519_key *shown = NULL;
    dualseal_watched watched = 0;
    dualseal_located_ledger *places = NULL;
    dualseal_located *place = NULL;
    dualseal_vault_policy *policies[2] = {NULL, NULL};
    dualseal_domain *domain = domain_of(item);
    dualseal_vault_master *master = master_of(domain, item);
    const char *identity = plain(of(item, "identity_id")), *name = plain(of(item, "ledger"));
    chain made = chain_of(domain, "log.example/vault", of(item, "chain"), 8);
    dualseal_ring *ring = stored_ring(domain, &made, item, master);
    CHECK(items_of(of(item, "records"), records, MOST) == 5 && items_of(of(item, "splits"), splits, MOST) == 2);
    char *first = slice_of(of(records[0], "record")), *last = slice_of(of(records[4], "record"));
    dualseal_chain_reader *reader = reader_under(domain, made.checkpoint);
    OK(dualseal_chain_reader_watch_ledger(reader, name, master, NULL, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, made.lines, made.count, NULL);
    OK(dualseal_proofs_ledger(proofs, watched, &places, NULL, &failure));
    OK(dualseal_located_ledger_locate(places, SIZED(last), &place, &failure));

    const char *one = plain(splits[0]), *other = plain(splits[1]);
    const int in_order = strcmp(one, other) < 0;
    const char *vault = plain(of(of(of(of(records[0], "record"), "sealed"), "header"), "vault_id"));
    snprintf(erased, sizeof erased, "{\"splits\":[\"%s\",\"%s\"],\"vault_id\":\"%s\"}", in_order ? one : other,
             in_order ? other : one, vault);
    CHECK(bytes_of(of(records[4], "stored_hex"), stored, sizeof stored) == strlen(erased));
    CHECK(memcmp(stored, erased, strlen(erased)) == 0);
    dualseal_stored_hash *hash = hash_of(domain, SIZED(erased)), *cut = hash_of(domain, erased, strlen(erased) - 1);
    const size_t length = bytes_of(of(of(item, "tier_seeds_hex"), "native"), seed, sizeof seed);
    OK(dualseal_ed25519_key_from_seed(seed, length, &shown, &failure));
    OK(dualseal_ed25519_key_public_key(shown, key, sizeof key, &failure));
    OK(dualseal_vault_policy_new_public(DUALSEAL_TIER_NATIVE, &policies[0], &failure));
    OK(dualseal_vault_policy_new_operator(master, DUALSEAL_TIER_NATIVE, &policies[1], &failure));
    for (size_t i = 0; i < 2; i++) {
        dualseal_vault_report *report = NULL;
        int32_t covers = 0;
        OK(dualseal_vault_policy_enrol(policies[i], identity, DUALSEAL_TIER_NATIVE, key, &failure));
        GIVES(DUALSEAL_STATUS_INVALID,
              dualseal_vault_record_verify(domain, ring, NULL, policies[i], SIZED(last), cut, identity, place, NULL,
                                           &report, &failure));
        dualseal_vault_report_free(report);
        OK(dualseal_vault_record_verify(domain, ring, NULL, policies[i], SIZED(last), hash, identity, place, NULL,
                                        &report, &failure));
        OK(dualseal_vault_erasure_covers(report, place, (const uint8_t *)erased, strlen(erased), SIZED(first), &covers,
                                         &failure));
        CHECK(covers == 1);
        OK(dualseal_vault_erasure_covers(report, place, (const uint8_t *)erased, strlen(erased), SIZED(last), &covers,
                                         &failure));
        CHECK(covers == 0);
        dualseal_vault_report_free(report);
    }
    first_opens(domain, ring, policies, item, records[0], places);
    dualseal_vault_policy_free(policies[0]);
    dualseal_vault_policy_free(policies[1]);
    dualseal_stored_hash_free(hash);
    dualseal_stored_hash_free(cut);
    dualseal_ed25519_key_free(shown);
    dualseal_located_free(place);
    dualseal_located_ledger_free(places);
    dualseal_proofs_free(proofs);
    dualseal_ring_free(ring);
    free(first);
    free(last);
    free_chain(&made);
    dualseal_vault_master_free(master);
    dualseal_domain_free(domain);
}

int main(void)
{
    json items[MOST];
    size_t members = 0;
    char *file = known_answers("known_answers_quorum.json");
    const json quorum = value_at(file);
    /* Statements of presence to a service (login, peer, alive) are the service's: C has none. */
    member_and_count(quorum, "", &members);
    CHECK(members == 5 && items_of(of(quorum, "statements"), items, MOST) == 6);
    sessions(quorum);
    shards(quorum);
    proofs_of_presence(quorum);
    dualseal_string_free(file);
    file = known_answers("known_answers_vault.json");
    CHECK(items_of(of(value_at(file), "ledgers"), items, MOST) == 2);
    ledger(items[0]);
    ledger(items[1]);
    dualseal_string_free(file);
    return 0;
}
