/* The common jobs as docs/C-API.md shows them, word for word, and what only a record alone tells. Under valgrind. */
#include "vault.h"

/* Signs a file. The caller stores record, entry and head together, and frees both texts. */
static dualseal_status sign_file(const dualseal_domain *domain, const char *who, const dualseal_signing_key *key,
                                 const dualseal_ring *ring, dualseal_head *head, const char *path, int64_t now,
                                 char **record, char **entry, dualseal_error **error)
{
    char hash[DUALSEAL_ID_TEXT_BYTES];
    dualseal_status status = dualseal_content_hash_of_file(domain, who, path, hash, sizeof hash, error);
    if (status == DUALSEAL_OK) {
        status = dualseal_signature_sign(domain, who, key, ring, 0, hash, head, now, record, entry, error);
    }
    return status;
}

/* Verifies a file with nothing but its record and the key that was pinned for whoever signed it, who is told. */
static dualseal_status verify_file(const dualseal_domain *domain, const char *who, const uint8_t *key,
                                   const char *path, const char *record, size_t record_len, dualseal_error **error)
{
    char hash[DUALSEAL_ID_TEXT_BYTES];
    dualseal_ring *ring = NULL;
    dualseal_status status = dualseal_ring_new_pinned(who, key, DUALSEAL_PUBLIC_KEY_BYTES, &ring, error);
    if (status == DUALSEAL_OK) {
        status = dualseal_content_hash_of_file(domain, who, path, hash, sizeof hash, error);
    }
    if (status == DUALSEAL_OK) {
        status = dualseal_signature_verify(domain, ring, NULL, who, hash, record, record_len, NULL, NULL, error);
    }
    dualseal_ring_free(ring);
    return status;
}

/* Seals a file to another one. The caller keeps what comes out: the record, its entry and both heads in one
   transaction, the secret split among nodes, the decoy in the ring. */
static dualseal_status seal_file(const dualseal_vault_sealer *sealer, const char *from, const char *to,
                                 dualseal_ledger_head *ledger, dualseal_head *head, int64_t now, char **record,
                                 char **entry, dualseal_secret **secret, uint8_t *decoy, dualseal_error **error)
{
    dualseal_sealed *sealed = NULL;
    dualseal_status status = dualseal_vault_sealer_seal_file(
        sealer, from, to, "SCAN", DUALSEAL_ENCRYPTION_STREAM, ledger, head, "", 0, now, &sealed, error);
    if (status == DUALSEAL_OK) {
        status = dualseal_sealed_parts(sealed, record, entry, secret, decoy, DUALSEAL_PUBLIC_KEY_BYTES, error);
    }
    dualseal_sealed_free(sealed);
    return status;
}

/* Takes the document out of a sealed file, whose record stands at a proven place. */
static dualseal_status unseal_file(const dualseal_domain *domain, const dualseal_ring *ring,
                                   const dualseal_vault_policy *policy, const char *who, const char *record,
                                   size_t record_len, const dualseal_located *place, const dualseal_secret *secret,
                                   const char *from, const char *to, dualseal_error **error)
{
    dualseal_stored_hash *hash = NULL;
    dualseal_vault_report *report = NULL;
    dualseal_status status = dualseal_stored_hash_new(domain, from, &hash, error);
    if (status == DUALSEAL_OK) {
        status = dualseal_vault_record_verify(domain, ring, NULL, policy, record, record_len, hash, who, place, NULL,
                                              &report, error);
    }
    if (status == DUALSEAL_OK) {
        status = dualseal_vault_unseal_file(report, secret, from, to, error);
    }
    dualseal_vault_report_free(report);
    dualseal_stored_hash_free(hash);
    return status;
}

/* Shares a new secret among five, of whom any three give it back. The dealing is published. */
static dualseal_status share(const dualseal_domain *domain, dualseal_secret **secret, char **dealing, char **shares,
                             dualseal_error **error)
{
    dualseal_status status = dualseal_secret_generate(DUALSEAL_FIELD_GF2_256, secret, error);
    if (status == DUALSEAL_OK) {
        status = dualseal_dealing_deal(domain, *secret, 3, 5, dealing, shares, error);
    }
    return status;
}

/* Rebuilds it; who sent a bad share is told. */
static dualseal_status rebuild(const dualseal_domain *domain, const char *dealing, const char *shares,
                               dualseal_secret **secret, dualseal_error **error)
{
    char *faults = NULL;
    dualseal_status status =
        dualseal_dealing_reconstruct(domain, DUALSEAL_FIELD_GF2_256, dealing, strlen(dealing), shares, strlen(shares),
                                     secret, &faults, error);
    if (status == DUALSEAL_OK) {
        printf("bad shares: %s\n", faults);
    }
    dualseal_string_free(faults);
    return status;
}

static void put(const char *path, const char *text)
{
    FILE *file = (FILE *)owned(fopen(path, "wb"));
    CHECK(fputs(text, file) >= 0 && fclose(file) == 0);
}

static void signing_and_verifying(archive *a)
{
    char *record = NULL, *entry = NULL, id[DUALSEAL_ID_TEXT_BYTES], hash[DUALSEAL_ID_TEXT_BYTES];
    char place[DUALSEAL_ID_TEXT_BYTES], expected[DUALSEAL_ID_TEXT_BYTES];
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES], told[DUALSEAL_PUBLIC_KEY_BYTES];
    int64_t when = 0;
    dualseal_signing_key *key = test_key(7);
    test_public_key(7, public_key);
    put("contract", "one contract");
    OK(sign_file(a->domain, ANA, key, a->ring, a->head, "contract", TIME, &record, &entry, &failure));
    OK(verify_file(a->domain, ANA, public_key, "contract", SIZED(record), &failure));

    OK(dualseal_signature_record_parts(SIZED(record), id, sizeof id, hash, sizeof hash, place, sizeof place, told,
                                       sizeof told, &when, &failure));
    CHECK(strcmp(id, ANA) == 0 && strcmp(hash, hashed(a->domain, ANA, "one contract", 12)) == 0 && when == TIME);
    CHECK(memcmp(told, public_key, sizeof told) == 0);
    OK(dualseal_entry_parts(SIZED(entry), NULL, expected, sizeof expected, &failure));
    CHECK(strcmp(place, expected) == 0);
    OK(dualseal_signature_record_parts(SIZED(record), NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, &failure));
    /* A wrong length of one output leaves all of them. */
    mark(id, sizeof id);
    when = 0;
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "public_key", -2,
          dualseal_signature_record_parts(SIZED(record), id, sizeof id, NULL, 0, NULL, 0, told, sizeof told - 1, &when,
                                          &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "content_hash", -2,
          dualseal_signature_record_parts(SIZED(record), id, sizeof id, hash, SIZE_MAX, NULL, 0, NULL, 0, &when,
                                          &failure));
    CHECK(marked(id, sizeof id) && when == 0);
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX,
          dualseal_signature_record_parts(SIZED("{"), id, sizeof id, NULL, 0, NULL, 0, NULL, 0, NULL, &failure));
    NULL_IS("record_json", dualseal_signature_record_parts(SIZED(NULL), id, sizeof id, NULL, 0, NULL, 0, NULL, 0, NULL,
                                                           &failure));

    put("contract", "two contract");
    GIVES(DUALSEAL_STATUS_INVALID, verify_file(a->domain, ANA, public_key, "contract", SIZED(record), &failure));
    GIVES(DUALSEAL_STATUS_FILE_READ, verify_file(a->domain, ANA, public_key, "none", SIZED(record), &failure));
    NULL_IS("domain", dualseal_content_hash_of_file(NULL, ANA, "contract", hash, sizeof hash, &failure));
    NULL_IS("identity_id", dualseal_content_hash_of_file(a->domain, NULL, "contract", hash, sizeof hash, &failure));
    NULL_IS("source", dualseal_content_hash_of_file(a->domain, ANA, NULL, hash, sizeof hash, &failure));
    NULL_IS("content_hash", dualseal_content_hash_of_file(a->domain, ANA, "contract", NULL, sizeof hash, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "content_hash", -2,
          dualseal_content_hash_of_file(a->domain, ANA, "contract", hash, sizeof hash - 1, &failure));
    archive_append(a, entry);
    follow(a->ring, a->lines + a->entries - 1, 1);
    dualseal_string_free(record);
    dualseal_signing_key_free(key);
}

static void sealing_and_unsealing(archive *a)
{
    kept one = {NULL, NULL, NULL, 0};
    char *entry = NULL, found[32] = "";
    uint8_t decoy[DUALSEAL_PUBLIC_KEY_BYTES];
    put("deed", "House 7 belongs to Ana.");
    OK(seal_file(a->vault, "deed", "deed.sealed", a->ledger, a->head, TIME, &one.record, &entry, &one.secret, decoy,
                 &failure));
    OK(dualseal_ring_add_decoy(a->ring, decoy, sizeof decoy, SIZED(entry), &failure));
    archive_append(a, entry);
    dualseal_located *at = place_of(a, &one);
    OK(unseal_file(a->domain, a->ring, a->to_operator, ANA, SIZED(one.record), at, one.secret, "deed.sealed", "out",
                   &failure));
    FILE *file = (FILE *)owned(fopen("out", "rb"));
    CHECK(fread(found, 1, sizeof found, file) == 23 && strcmp(found, "House 7 belongs to Ana.") == 0);
    CHECK(fclose(file) == 0);
    put("deed.sealed", "something else");
    GIVES(DUALSEAL_STATUS_INVALID, unseal_file(a->domain, a->ring, a->to_operator, ANA, SIZED(one.record), at,
                                               one.secret, "deed.sealed", "out", &failure));
    dualseal_located_free(at);
    dualseal_secret_free(one.secret);
    dualseal_string_free(one.record);
}

static void sharing_and_rebuilding(const archive *a)
{
    dualseal_secret *secret = NULL, *again = NULL;
    char *dealing = NULL, *shares = NULL;
    uint8_t *one = NULL, *other = NULL;
    size_t one_len = 0, other_len = 0;
    OK(share(a->domain, &secret, &dealing, &shares, &failure));
    char *three = slice(shares, 1, 4), *two = slice(shares, 0, 2);
    OK(rebuild(a->domain, dealing, three, &again, &failure));
    OK(dualseal_secret_bytes(secret, &one, &one_len, &failure));
    OK(dualseal_secret_bytes(again, &other, &other_len, &failure));
    CHECK(one_len == 32 && other_len == 32 && memcmp(one, other, 32) == 0);
    dualseal_secret_free(again);
    again = NULL;
    GIVES(DUALSEAL_STATUS_TOO_FEW_SHARES, rebuild(a->domain, dealing, two, &again, &failure));
    CHECK(again == NULL);
    dualseal_bytes_free(one);
    dualseal_bytes_free(other);
    free(two);
    free(three);
    dualseal_string_free(shares);
    dualseal_string_free(dealing);
    dualseal_secret_free(secret);
}

/* What was drawn is handed out once, and makes the same key again. */
static void a_drawn_seal_key(const archive *a)
{
    uint8_t bytes[DUALSEAL_SEAL_KEY_BYTES] = {0}, more[DUALSEAL_SEAL_KEY_BYTES] = {0};
    const uint8_t *text = (const uint8_t *)"text";
    dualseal_seal_key *drawn = NULL, *read = NULL, *other = NULL;
    dualseal_signing_key *key = test_key(7);
    char *seal = NULL;
    OK(dualseal_seal_key_generate(bytes, sizeof bytes, &drawn, &failure));
    OK(dualseal_seal_key_generate(more, sizeof more, &other, &failure));
    CHECK(memcmp(bytes, more, sizeof bytes) != 0);
    OK(dualseal_seal_key_from_bytes(bytes, sizeof bytes, &read, &failure));
    OK(dualseal_payload_seal(a->domain, ANA, drawn, key, NO_RING, text, 4, &seal, &failure));
    GIVES(DUALSEAL_STATUS_AUTHENTICATED,
          dualseal_seal_authenticate(a->domain, SIZED(seal), text, 4, ANA, read, NULL, &failure));
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_seal_authenticate(a->domain, SIZED(seal), text, 4, ANA, other, NULL, &failure));
    dualseal_seal_key_free(other);
    other = NULL;
    mark(more, sizeof more);
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "key", -2, dualseal_seal_key_generate(more, 32, &other, &failure));
    NULL_IS("key", dualseal_seal_key_generate(NULL, sizeof more, &other, &failure));
    NULL_IS("seal_key", dualseal_seal_key_generate(more, sizeof more, NULL, &failure));
    CHECK(other == NULL && marked(more, sizeof more));
    dualseal_string_free(seal);
    dualseal_signing_key_free(key);
    dualseal_seal_key_free(read);
    dualseal_seal_key_free(drawn);
}

int main(void)
{
    archive a;
    archive_open(&a);
    signing_and_verifying(&a);
    sealing_and_unsealing(&a);
    sharing_and_rebuilding(&a);
    a_drawn_seal_key(&a);
    archive_close(&a);
    return 0;
}
