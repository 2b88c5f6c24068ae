/* Every answer of tests/vectors/known_answers_seal.json, which another implementation made, by C. Rust, Python and Go
   read the same file. */
#include "known.h"

#include "dualseal_legacy.h"

#define MOST 32
#define BOTH DUALSEAL_SEAL_POLICY_BOTH

static json answers;

/* What a case is made of. */
typedef struct {
    dualseal_domain *domain;
    dualseal_signing_key *signing;
    dualseal_seal_key *key;
    dualseal_ring *ring;
    const char *identity;
    uint8_t payload[4096];
    size_t length;
} made;

static made make(json item)
{
    made one;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES], key[64];
    memset(&one, 0, sizeof one);
    one.domain = domain_of(item);
    one.signing = key_of(of(item, "seed_hex"));
    one.identity = plain(of(item, "identity_id"));
    one.length = bytes_of(of(item, "payload_hex"), one.payload, sizeof one.payload - 1);
    OK(dualseal_seal_key_from_bytes(key, bytes_of(of(item, "seal_key_hex"), key, sizeof key), &one.key, &failure));
    public_of(one.signing, public_key);
    OK(dualseal_ring_new_pinned(one.identity, public_key, sizeof public_key, &one.ring, &failure));
    return one;
}

static void free_made(made *one)
{
    dualseal_ring_free(one->ring);
    dualseal_seal_key_free(one->key);
    dualseal_signing_key_free(one->signing);
    dualseal_domain_free(one->domain);
}

static dualseal_status verified(const made *one, const char *seal, size_t length, dualseal_seal_report **report)
{
    return dualseal_seal_verify(one->domain, one->ring, NULL, SIZED(seal), one->payload, length, one->identity, BOTH,
                                one->key, NULL, report, &failure);
}

static dualseal_status confirmed(const made *one, json legacy)
{
    return dualseal_seal_authenticate_legacy(one->domain, SIZED(plain(legacy)), one->payload, one->length,
                                             one->identity, one->key, NULL, &failure);
}

static size_t derived_keys(void)
{
    static const uint8_t payload[] = "payload";
    json items[MOST];
    uint8_t master[32], bytes[64];
    const size_t count = items_of(of(answers, "derived_keys"), items, MOST);
    for (size_t i = 0; i < count; i++) {
        dualseal_domain *domain = domain_of(items[i]);
        dualseal_signing_key *signing = test_key(1);
        dualseal_seal_key *derived = NULL, *expected = NULL;
        char *seal = NULL;
        const char *identity = plain(of(items[i], "identity_id"));
        size_t length = bytes_of(of(items[i], "master_hex"), master, sizeof master);
        OK(dualseal_seal_key_derive(domain, master, length, identity, &derived, &failure));
        length = bytes_of(of(items[i], "seal_key_hex"), bytes, sizeof bytes);
        OK(dualseal_seal_key_from_bytes(bytes, length, &expected, &failure));
        OK(dualseal_payload_seal(domain, identity, derived, signing, NO_RING, payload, sizeof payload, &seal,
                                 &failure));
        GIVES(DUALSEAL_STATUS_AUTHENTICATED,
              dualseal_seal_authenticate(domain, SIZED(seal), payload, sizeof payload, identity, expected, NULL,
                                         &failure));
        dualseal_string_free(seal);
        dualseal_seal_key_free(derived);
        dualseal_seal_key_free(expected);
        dualseal_signing_key_free(signing);
        dualseal_domain_free(domain);
    }
    return count;
}

/* The HMAC is the same each time. The signature is another, unless it is in the file. */
static size_t seals(const char *name, size_t complete)
{
    json items[MOST];
    size_t whole = 0;
    const size_t count = items_of(of(answers, name), items, MOST);
    for (size_t i = 0; i < count; i++) {
        made one = make(items[i]);
        const json legacy = of(items[i], "legacy"), stored = of(items[i], "seal");
        char *seal = NULL, *short_one = NULL;
        OK(dualseal_payload_seal(one.domain, one.identity, one.key, one.signing, NO_RING, one.payload, one.length,
                                 &seal, &failure));
        CHECK(strncmp(seal + strlen("SEAL-DUAL::"), plain(legacy) + strlen("SEAL-L5::"), 128) == 0);
        OK(verified(&one, seal, one.length, NULL));
        OK(dualseal_payload_seal_legacy(one.domain, one.identity, one.key, one.signing, NO_RING, one.payload,
                                        one.length, &short_one, &failure));
        CHECK(strcmp(short_one, plain(legacy)) == 0);
        GIVES(DUALSEAL_STATUS_AUTHENTICATED, confirmed(&one, legacy));
        if (!is_null(stored)) {
            dualseal_head *head = test_head();
            char *entry = NULL, text[256];
            snprintf(text, sizeof text, "\"poruka\":\"%s\"", plain(of(items[i], "poruka")));
            OK(verified(&one, plain(stored), one.length, NULL));
            OK(dualseal_seal_append(SIZED(plain(stored)), head, one.domain, one.identity, TIME, &entry, &failure));
            CHECK(strstr(entry, text) != NULL);
            dualseal_string_free(entry);
            dualseal_head_free(head);
            whole++;
        }
        /* One byte more is another payload. */
        GIVES(DUALSEAL_STATUS_INVALID, verified(&one, seal, one.length + 1, NULL));
        dualseal_string_free(short_one);
        dualseal_string_free(seal);
        free_made(&one);
    }
    CHECK(whole == complete);
    return count;
}

static size_t reserved(void)
{
    json items[MOST];
    size_t whole = 0;
    const size_t count = items_of(of(answers, "reserved"), items, MOST);
    for (size_t i = 0; i < count; i++) {
        made one = make(items[i]);
        const json stored = of(items[i], "seal");
        char *seal = NULL;
        GIVES(DUALSEAL_STATUS_RESERVED_PAYLOAD,
              dualseal_payload_seal(one.domain, one.identity, one.key, one.signing, NO_RING, one.payload, one.length,
                                    &seal, &failure));
        GIVES(DUALSEAL_STATUS_INVALID, confirmed(&one, of(items[i], "legacy")));
        if (!is_null(stored)) {
            dualseal_seal_report *report = NULL;
            dualseal_layer_outcome a = (dualseal_layer_outcome)0, b = a;
            GIVES(DUALSEAL_STATUS_INVALID, verified(&one, plain(stored), one.length, &report));
            OK(dualseal_seal_report_parts(report, &a, &b, NULL, &failure));
            CHECK(a == DUALSEAL_LAYER_OUTCOME_FAIL && b == DUALSEAL_LAYER_OUTCOME_PASS);
            dualseal_seal_report_free(report);
            whole++;
        }
        CHECK(seal == NULL);
        free_made(&one);
    }
    CHECK(whole == 2);
    return count;
}

static size_t legacy_keys(void)
{
    json items[MOST];
    uint8_t bytes[256], payload[64];
    dualseal_domain *domain = test_domain();
    const size_t count = items_of(of(answers, "legacy_keys"), items, MOST);
    for (size_t i = 0; i < count; i++) {
        dualseal_seal_key *key = NULL;
        const char *seal = plain(of(items[i], "legacy"));
        size_t length = bytes_of(of(items[i], "seal_key_hex"), bytes, sizeof bytes);
        OK(dualseal_seal_key_from_legacy(bytes, length, &key, &failure));
        length = bytes_of(of(items[i], "payload_hex"), payload, sizeof payload - 1);
        GIVES(DUALSEAL_STATUS_AUTHENTICATED,
              dualseal_seal_authenticate_legacy(domain, SIZED(seal), payload, length, ANA, key, NULL, &failure));
        payload[length] = 0;
        GIVES(DUALSEAL_STATUS_INVALID,
              dualseal_seal_authenticate_legacy(domain, SIZED(seal), payload, length + 1, ANA, key, NULL, &failure));
        dualseal_seal_key_free(key);
    }
    dualseal_domain_free(domain);
    return count;
}

/* A seal by a retired key with its chain and the log's checkpoint, which is everything that a stranger gets. */
static void outlived(void)
{
    const json item = of(answers, "outlived"), expected = of(item, "expected"), stated = of(item, "checkpoint");
    const json ring_json = of(item, "ring");
    json chain[MOST];
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES], key[64], payload[64];
    char hash[DUALSEAL_ID_TEXT_BYTES], handles[3][DUALSEAL_ID_TEXT_BYTES], *lines[3];
    const char *const wanted[] = {handles[0], handles[1], handles[2]};
    dualseal_checkpoint *checkpoint = NULL;
    dualseal_ring *ring = NULL;
    dualseal_seal_key *seal_key = NULL;
    dualseal_watched watched = 0;
    size_t members = 0, valid = 0;
    dualseal_domain *domain = domain_of(item);
    const char *identity = plain(of(item, "identity_id")), *seal = plain(of(item, "seal"));
    const size_t length = bytes_of(of(item, "payload_hex"), payload, sizeof payload);
    OK(dualseal_seal_key_from_bytes(key, bytes_of(of(item, "seal_key_hex"), key, sizeof key), &seal_key, &failure));
    OK(dualseal_ring_from_public_json(ring_json.at, ring_json.length, NULL, 1, &ring, &failure));
    OK(dualseal_public_key_hash(public_key, bytes_of(of(stated, "javni_kljuc"), public_key, sizeof public_key), hash,
                                sizeof hash, &failure));
    OK(dualseal_checkpoint_verify(domain, plain(of(ring_json, "origin")), plain(of(stated, "identity_id")), hash, 3,
                                  NO_RING, NULL, stated.at, stated.length, &checkpoint, NULL, &failure));
    CHECK(items_of(of(item, "chain"), chain, MOST) == 3);
    for (unsigned i = 0; i < 3; i++) {
        char *line = NULL, entry[2048];
        lines[i] = slice_of(chain[i]);
        snprintf(entry, sizeof entry, "{\"seq\":%u,%s", i, lines[i] + 1);
        OK(dualseal_entry_parts(SIZED(entry), &line, handles[i], sizeof handles[i], &failure));
        dualseal_string_free(line);
    }
    dualseal_chain_reader *reader = reader_under(domain, checkpoint);
    OK(dualseal_chain_reader_watch_places(reader, wanted, 3, &watched, &failure));
    dualseal_proofs *proofs = read_to(reader, lines, 3, NULL);
    for (unsigned i = 0; i <= 3; i++) {
        char name[16];
        dualseal_located *place = NULL;
        snprintf(name, sizeof name, "%u", i);
        if (i < 3) {
            OK(dualseal_proofs_place(proofs, watched, handles[i], 0, &place, NULL, &failure));
        }
        const int holds = is_null(of(expected, i < 3 ? name : "no place"));
        GIVES(holds ? DUALSEAL_STATUS_VALID : DUALSEAL_STATUS_INVALID,
              dualseal_seal_verify(domain, ring, NULL, SIZED(seal), payload, length, identity, BOTH, seal_key, place,
                                   NULL, &failure));
        valid += (size_t)holds;
        dualseal_located_free(place);
    }
    member_and_count(expected, "", &members);
    CHECK(members == 4 && valid == 1);
    for (unsigned i = 0; i < 3; i++) {
        free(lines[i]);
    }
    dualseal_proofs_free(proofs);
    dualseal_checkpoint_free(checkpoint);
    dualseal_ring_free(ring);
    dualseal_seal_key_free(seal_key);
    dualseal_domain_free(domain);
}

int main(void)
{
    size_t members = 0;
    char *file = known_answers("known_answers_seal.json");
    answers = value_at(file);
    member_and_count(answers, "", &members);
    CHECK(members == 7);
    const size_t derived = derived_keys(), sealed = seals("seals", 1), near_reserved = seals("near_reserved", 2);
    const size_t refused = reserved(), legacy = legacy_keys();
    outlived();
    printf("%u derived keys, %u and %u seals, %u reserved payloads, %u legacy seals\n", (unsigned)derived,
           (unsigned)sealed, (unsigned)near_reserved, (unsigned)refused, (unsigned)legacy);
    CHECK(derived == 4 && sealed == 24 && near_reserved == 8 && refused == 6 && legacy == 18);
    dualseal_string_free(file);
    return 0;
}
