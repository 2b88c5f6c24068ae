/* The binary forms of record, entry and seal: what is read is what was written, and nothing else is read. */
#include "check.h"

typedef struct {
    uint8_t *bytes;
    size_t length;
} form;

/* The form of a text; `length` is how long it is, or 0 where that depends on its message. */
static form written(dualseal_binary kind, const char *text, size_t length)
{
    form out = {NULL, 0};
    OK(dualseal_binary_from_text(kind, SIZED(text), &out.bytes, &out.length, &failure));
    CHECK((length == 0 || out.length == length) && memcmp(out.bytes, "DSB1", 4) == 0);
    return out;
}

/* Of these bytes the text, which is this one; no part of them has one, nor has what is longer. */
static void comes_back(dualseal_binary kind, form stored, const uint8_t *key, size_t key_len, const char *text)
{
    char *found = NULL;
    OK(dualseal_binary_to_text(kind, stored.bytes, stored.length, key, key_len, &found, &failure));
    is(found, text);
    found = NULL;
    const size_t cuts[] = {0, 5, 6, 69, stored.length - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        FAILS(DUALSEAL_STATUS_LENGTH, "bytes", -1,
              dualseal_binary_to_text(kind, stored.bytes, cuts[i], key, key_len, &found, &failure));
    }
    uint8_t *longer = (uint8_t *)owned(calloc(1, stored.length + 1));
    memcpy(longer, stored.bytes, stored.length);
    FAILS(DUALSEAL_STATUS_LENGTH, "bytes", -1,
          dualseal_binary_to_text(kind, longer, stored.length + 1, key, key_len, &found, &failure));
    longer[5] = 2;
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "flags", -1,
          dualseal_binary_to_text(kind, longer, stored.length, key, key_len, &found, &failure));
    free(longer);
    CHECK(found == NULL);
}

static uint8_t digit(char c)
{
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static size_t from_hex(const char *hex, uint8_t *bytes)
{
    size_t length = strlen(hex) / 2;
    for (size_t i = 0; i < length; i++) {
        bytes[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    }
    return length;
}

/* Where the answers lie, beside this source. */
static FILE *answers(void)
{
    char path[4096];
    const char *end = strrchr(__FILE__, '/');
    CHECK(end != NULL);
    snprintf(path, sizeof path, "%.*s/../vectors/known_answers_binary.tsv", (int)(end - __FILE__), __FILE__);
    return (FILE *)owned(fopen(path, "rb"));
}

/* What the second implementation writes, both ways; Rust and Python read the same file. */
static void known_answers(void)
{
    static char line[1 << 15];
    static uint8_t bytes[8192], key[4096];
    FILE *file = answers();
    int count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        char *kind_name = strtok(line, "\t"), *stored = strtok(NULL, "\t"), *key_hex = strtok(NULL, "\t");
        char *text = strtok(NULL, "\n"), *found = NULL;
        uint8_t *out = NULL;
        size_t length = from_hex(stored, bytes), key_len = from_hex(key_hex, key), out_len = 0;
        dualseal_binary kind = strcmp(kind_name, "record") == 0 ? DUALSEAL_BINARY_RECORD
                             : strcmp(kind_name, "short") == 0  ? DUALSEAL_BINARY_SHORT_RECORD
                             : strcmp(kind_name, "entry") == 0  ? DUALSEAL_BINARY_ENTRY
                                                                : DUALSEAL_BINARY_SEAL;
        const uint8_t *with = kind == DUALSEAL_BINARY_SHORT_RECORD ? key : NULL;
        OK(dualseal_binary_to_text(kind, bytes, length, with, key_len, &found, &failure));
        is(found, text);
        OK(dualseal_binary_from_text(kind, SIZED(text), &out, &out_len, &failure));
        CHECK(out_len == length && memcmp(out, bytes, length) == 0);
        dualseal_bytes_free(out);
        count++;
    }
    CHECK(count == 20 && fclose(file) == 0);
}

int main(void)
{
    known_answers();
    dualseal_domain *domain = test_domain();
    dualseal_signing_key *key = test_key(7);
    dualseal_seal_key *seal_key = NULL;
    dualseal_head *head = test_head();
    char hash[DUALSEAL_ID_TEXT_BYTES], *record = NULL, *entry = NULL, *seal = NULL, *found = NULL;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES], another[DUALSEAL_PUBLIC_KEY_BYTES], secret[32] = {7};
    test_public_key(7, public_key);
    test_public_key(8, another);
    OK(dualseal_content_hash(domain, ANA, (const uint8_t *)"deed", 4, hash, sizeof hash, &failure));
    OK(dualseal_signature_sign(domain, ANA, key, NO_RING, hash, head, TIME, &record, &entry, &failure));
    OK(dualseal_seal_key_from_bytes(secret, sizeof secret, &seal_key, &failure));
    OK(dualseal_payload_seal(domain, ANA, seal_key, key, NO_RING, (const uint8_t *)"hi", 2, &seal, &failure));

    form whole = written(DUALSEAL_BINARY_RECORD, record, 5371);
    form small = written(DUALSEAL_BINARY_SHORT_RECORD, record, 3419);
    form line = written(DUALSEAL_BINARY_ENTRY, entry, 0);
    form dual = written(DUALSEAL_BINARY_SEAL, seal, 3379);
    comes_back(DUALSEAL_BINARY_RECORD, whole, NULL, 0, record);
    comes_back(DUALSEAL_BINARY_SHORT_RECORD, small, public_key, sizeof public_key, record);
    comes_back(DUALSEAL_BINARY_SHORT_RECORD, whole, public_key, sizeof public_key, record);
    comes_back(DUALSEAL_BINARY_ENTRY, line, NULL, 0, entry);
    comes_back(DUALSEAL_BINARY_SEAL, dual, NULL, 0, seal);

    /* A record is read with its own key alone, and what is of another kind is not read at all. */
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "javni_kljuc", -1,
          dualseal_binary_to_text(DUALSEAL_BINARY_SHORT_RECORD, whole.bytes, whole.length, another, sizeof another,
                                  &found, &failure));
    FAILS(DUALSEAL_STATUS_MISSING_MEMBER, "javni_kljuc", -1,
          dualseal_binary_to_text(DUALSEAL_BINARY_RECORD, small.bytes, small.length, NULL, 0, &found, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "kind", -1,
          dualseal_binary_to_text(DUALSEAL_BINARY_SEAL, whole.bytes, whole.length, NULL, 0, &found, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "kind", -1,
          dualseal_binary_to_text(DUALSEAL_BINARY_ENTRY, dual.bytes, dual.length, NULL, 0, &found, &failure));

    /* Arguments. */
    uint8_t *out = NULL;
    size_t out_len = 0;
    const int32_t unknown[] = {-1, 0, 5};
    for (size_t i = 0; i < 3; i++) {
        const dualseal_binary kind = (dualseal_binary)unknown[i];
        FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "kind", -1,
              dualseal_binary_from_text(kind, SIZED(record), &out, &out_len, &failure));
        FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "kind", -1,
              dualseal_binary_to_text(kind, whole.bytes, whole.length, NULL, 0, &found, &failure));
    }
    NULL_IS("text", dualseal_binary_from_text(DUALSEAL_BINARY_RECORD, NULL, 0, &out, &out_len, &failure));
    NULL_IS("text", dualseal_binary_from_text(DUALSEAL_BINARY_SEAL, NULL, 0, &out, &out_len, &failure));
    NULL_IS("out", dualseal_binary_from_text(DUALSEAL_BINARY_RECORD, SIZED(record), NULL, &out_len, &failure));
    NULL_IS("out_len", dualseal_binary_from_text(DUALSEAL_BINARY_RECORD, SIZED(record), &out, NULL, &failure));
    NULL_IS("stored", dualseal_binary_to_text(DUALSEAL_BINARY_RECORD, NULL, 1, NULL, 0, &found, &failure));
    NULL_IS("text",
            dualseal_binary_to_text(DUALSEAL_BINARY_RECORD, whole.bytes, whole.length, NULL, 0, NULL, &failure));
    NULL_IS("public_key", dualseal_binary_to_text(DUALSEAL_BINARY_SHORT_RECORD, small.bytes, small.length, NULL, 1952,
                                                  &found, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "public_key", -1,
          dualseal_binary_to_text(DUALSEAL_BINARY_RECORD, whole.bytes, whole.length, public_key, sizeof public_key,
                                  &found, &failure));
    FAILS(DUALSEAL_STATUS_MISSING_MEMBER, NULL, -1,
          dualseal_binary_from_text(DUALSEAL_BINARY_RECORD, SIZED("{}"), &out, &out_len, &failure));
    CHECK(out == NULL && out_len == 0 && found == NULL);

    dualseal_bytes_free(whole.bytes);
    dualseal_bytes_free(small.bytes);
    dualseal_bytes_free(line.bytes);
    dualseal_bytes_free(dual.bytes);
    dualseal_string_free(record);
    dualseal_string_free(entry);
    dualseal_string_free(seal);
    dualseal_head_free(head);
    dualseal_seal_key_free(seal_key);
    dualseal_signing_key_free(key);
    dualseal_domain_free(domain);
    return 0;
}
