/* Every text of somebody else's that C hands in, through the headers: a status that there is, an error exactly where
   the status says so, and nothing written on a refusal. What is left allocated the caller counts. */
#include "one_of_each.h"
#include "shards.h"

#include "json_door_rows.h"

#define GIVEN given, length
#define NAME out.name, DUALSEAL_ID_TEXT_BYTES
#define OTHER_NAME out.other_name, DUALSEAL_ID_TEXT_BYTES
#define THIRD_NAME out.third_name, DUALSEAL_ID_TEXT_BYTES
#define OUT_PK out.raw, DUALSEAL_PUBLIC_KEY_BYTES
#define DEALING SIZED(kept_texts.dealing)
#define SHARES SIZED(kept_texts.shares)

static archive world;
static uint8_t decoy[DUALSEAL_PUBLIC_KEY_BYTES];
static char deed[DUALSEAL_ID_TEXT_BYTES], log_hash[DUALSEAL_ID_TEXT_BYTES], log_name[DUALSEAL_ID_TEXT_BYTES],
    phone[65], first_shard[65];
static const char *const owners[] = {ANA, BOB, ANA}, *const phones[] = {phone};
static dualseal_presence *gate, *repair_gate, *refresh_gate;

static struct {
    char *entry, *line, *head, *ring, *dealing, *shares, *proofs, *two_shards, *repair, *refresh;
} kept_texts;

static struct out {
#define K(kind) dualseal_##kind *kind;
    KINDS(K)
#undef K
    char *text, *second, *third;
    char name[DUALSEAL_ID_TEXT_BYTES], other_name[DUALSEAL_ID_TEXT_BYTES], third_name[DUALSEAL_ID_TEXT_BYTES];
    uint8_t *bytes, raw[DUALSEAL_PUBLIC_KEY_BYTES];
    size_t length;
    int64_t time;
    int32_t flag;
    uint32_t small;
    dualseal_watched watched;
} out, none;

/* What one call may change, made for it. */
static struct {
    dualseal_head *head;
    dualseal_ring *ring;
    dualseal_chain_reader *chain_reader;
    dualseal_signature_batch *signature_batch;
    dualseal_ledger_check *ledger_check;
} fresh;

static dualseal_head *a_head(void)
{
    return fresh.head = copy_of(one.head);
}

static dualseal_ring *a_ring(void)
{
    OK(dualseal_ring_new(ORIGIN, one.ring_key, &fresh.ring, &failure));
    return fresh.ring;
}

static dualseal_chain_reader *a_reader(void)
{
    return fresh.chain_reader = reader_under(one.domain, NULL);
}

static dualseal_chain_reader *a_reader_of_a_file(void)
{
    OK(dualseal_chain_reader_from_ring_file(one.domain, RING_FILE, one.head, &fresh.chain_reader, &failure));
    return fresh.chain_reader;
}

static dualseal_signature_batch *a_batch(void)
{
    OK(dualseal_signature_batch_new(one.domain, one.ring, NULL, &fresh.signature_batch, &failure));
    return fresh.signature_batch;
}

static dualseal_ledger_check *a_check(void)
{
    OK(dualseal_ledger_check_new(one.domain, one.ring, NULL, one.vault_policy, world.ledger_id, one.located_ledger,
                                 &fresh.ledger_check, &failure));
    return fresh.ledger_check;
}

static int agree(const char *nonce, void *user)
{
    return nonce != NULL && user == NULL;
}

static void work(const dualseal_signing_key *key, void *user)
{
    CHECK(key != NULL && user == NULL);
}

#define D(function, argument, text, ...)                                                                               \
    static dualseal_status function##_of_##argument(const char *given, size_t length)                                  \
    {                                                                                                                  \
        return dualseal_##function(__VA_ARGS__, &failure);                                                             \
    }
DOORS(D)
#undef D

typedef struct {
    const char *name;
    dualseal_status (*call)(const char *given, size_t length);
} door;

static const door doors[] = {
#define D(function, argument, text, ...) {#function " of " #argument, function##_of_##argument},
    DOORS(D)
#undef D
};

#define COUNT (sizeof doors / sizeof *doors)

static const char *good[COUNT];

static dualseal_presence *opened(const char *request, char **proofs)
{
    char *proof = NULL;
    dualseal_presence *presence = NULL;
    OK(dualseal_presence_proof_sign(one.domain, SIZED(request), one.nonce, SOON, one.ed25519_key, &proof, &failure));
    *proofs = with("[]", proof);
    OK(dualseal_presence_new(ANA, phones, 1, SIZED(*proofs), one.nonce, SOON, 1, &presence, &failure));
    dualseal_string_free(proof);
    return presence;
}

static void begin(void)
{
    uint8_t key[DUALSEAL_PUBLIC_KEY_BYTES];
    char *entry = NULL, *proofs = NULL;
    make_one_of_each(&world);
    memcpy(deed, hashed(one.domain, ANA, "deed", 4), sizeof deed);
    test_public_key(5, key);
    OK(dualseal_public_key_hash(key, sizeof key, log_hash, sizeof log_hash, &failure));
    OK(dualseal_checkpoint_fingerprint(one.domain, CHECKPOINT, log_name, sizeof log_name, &failure));
    OK(dualseal_sealed_parts(one.sealed, NULL, &kept_texts.entry, NULL, decoy, sizeof decoy, &failure));
    OK(dualseal_head_parts(one.head, NULL, NULL, 0, NULL, 0, &kept_texts.head, &failure));
    OK(dualseal_ring_to_public_json(one.ring, &kept_texts.ring, &failure));
    OK(dualseal_dealing_deal(one.domain, one.secret, 2, 3, &kept_texts.dealing, &kept_texts.shares, &failure));
    OK(dualseal_ed25519_key_public_key(one.ed25519_key, phone, sizeof phone, &failure));
    /* The first entry of a chain, which says something. */
    dualseal_head *head = test_head();
    OK(dualseal_head_append(head, one.domain, ANA, SIZED("said"), TIME, &entry, &failure));
    OK(dualseal_entry_parts(SIZED(entry), &kept_texts.line, NULL, 0, &failure));
    dualseal_string_free(entry);
    dualseal_head_free(head);
    gate = opened(one.request, &kept_texts.proofs);
    kept_texts.two_shards = slice(one.shards, 1, 3);
    OK(asking(one.rebuilding, REPAIR, kept_texts.two_shards, 1, 0, NULL, 0, &kept_texts.repair));
    repair_gate = opened(kept_texts.repair, &proofs);
    free(proofs);
    OK(asking(one.rebuilding, REFRESH, kept_texts.two_shards, 0, 0, nodes, 3, &kept_texts.refresh));
    refresh_gate = opened(kept_texts.refresh, &proofs);
    free(proofs);
    member(one.shard, "\"shard_id\":\"", first_shard, 64);
    size_t at = 0;
#define D(function, argument, text, ...) good[at++] = text;
    DOORS(D)
#undef D
}

static void free_all(void)
{
#define K(kind) dualseal_##kind##_free(out.kind);
    KINDS(K)
#undef K
    dualseal_string_free(out.text);
    dualseal_string_free(out.second);
    dualseal_string_free(out.third);
    dualseal_bytes_free(out.bytes);
    memset(&out, 0, sizeof out);
    dualseal_head_free(fresh.head);
    dualseal_ring_free(fresh.ring);
    dualseal_chain_reader_free(fresh.chain_reader);
    dualseal_signature_batch_free(fresh.signature_batch);
    dualseal_ledger_check_free(fresh.ledger_check);
    memset(&fresh, 0, sizeof fresh);
    dualseal_error_free(failure);
    failure = NULL;
}

size_t json_doors(void)
{
    if (gate == NULL) {
        begin();
    }
    return COUNT;
}

const char *json_door_name(size_t door)
{
    return doors[door].name;
}

const char *json_door_text(size_t door)
{
    return good[door];
}

/* Calls one with a text, writes its status, and tells which rule of the ABI it broke: NULL for none. */
const char *json_door_call(size_t door, const char *given, size_t length, int32_t *told)
{
    const char *broken = NULL;
    const dualseal_status status = doors[door].call(given, length);
    *told = (int32_t)status;
    if (status == DUALSEAL_STATUS_PANIC) {
        broken = "it panicked";
    } else if (strcmp(dualseal_status_text(status), dualseal_status_text((dualseal_status)-1)) == 0) {
        broken = "there is no such status";
    } else if ((status >= 100) != (failure != NULL)) {
        broken = "an error without a status of one, or a status of one without";
    } else if (status >= 100 && (dualseal_error_message(failure) == NULL || *dualseal_error_message(failure) == 0)) {
        broken = "an error that says nothing";
    } else if (status >= 100 && memcmp(&out, &none, sizeof out) != 0) {
        broken = "it wrote where it refused";
    }
    free_all();
    return broken;
}
