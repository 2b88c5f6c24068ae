/* What the contract says of every function: of errors from one call to the next, of texts with a NUL in them, of wrong
   handles, of times, and of the stack. */
#include "check.h"

/* The loop of docs/C-API.md, which frees what it was told of each record: a malformed one leaves an error, and the
   Invalid one after it must not leave the same. Under AddressSanitizer. */
static void an_error_is_freed_once(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_signing_key *key = test_key(7), *other = test_key(8);
    dualseal_head *head = test_head();
    dualseal_ring *ring = NULL;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    char hash[DUALSEAL_ID_TEXT_BYTES], *good = NULL, *forged = NULL, *entry = NULL;
    test_public_key(7, public_key);
    OK(dualseal_ring_new_pinned(ANA, public_key, sizeof public_key, &ring, &failure));
    OK(dualseal_content_hash(domain, ANA, NULL, 0, hash, sizeof hash, &failure));
    OK(dualseal_signature_sign(domain, ANA, key, NO_RING, hash, head, TIME, &good, &entry, &failure));
    dualseal_string_free(entry);
    OK(dualseal_signature_sign(domain, ANA, other, NO_RING, hash, head, TIME, &forged, &entry, &failure));
    dualseal_string_free(entry);

    const char *records[] = {"{}", forged, good, "[]", good, forged};
    const dualseal_status expected[] = {DUALSEAL_STATUS_MISSING_MEMBER, DUALSEAL_STATUS_INVALID, DUALSEAL_STATUS_VALID,
        DUALSEAL_STATUS_WRONG_TYPE, DUALSEAL_STATUS_VALID, DUALSEAL_STATUS_INVALID};
    dualseal_error *error;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        dualseal_status status = dualseal_signature_verify(domain, ring, NULL, ANA, hash, SIZED(records[i]), NULL, NULL,
            &error);
        CHECK(status == expected[i]);
        CHECK((error != NULL) == (status >= 100));
        if (status != DUALSEAL_OK) {
            CHECK(strlen(error != NULL ? dualseal_error_message(error) : dualseal_status_text(status)) > 0);
            dualseal_error_free(error);
        }
    }

    dualseal_string_free(forged);
    dualseal_string_free(good);
    dualseal_ring_free(ring);
    dualseal_head_free(head);
    dualseal_signing_key_free(other);
    dualseal_signing_key_free(key);
    dualseal_domain_free(domain);
}

/* A text, a NUL, and what would follow it unseen, with its length. */
#define HIDDEN(text) (join((text), "x")), length_of(text) + 2

static const char *join(const char *text, const char *rest)
{
    static char joined[65536];
    size_t before = strlen(text), behind = strlen(rest);
    CHECK(before + behind + 2 <= sizeof joined);
    memcpy(joined, text, before + 1);
    memcpy(joined + before + 1, rest, behind + 1);
    return joined;
}

/* Good texts are refused once a NUL and more follow them, and an identity of such a text is another's. */
static void nothing_hides_behind_a_nul(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_signing_key *key = test_key(7), *read = NULL;
    dualseal_head *head = test_head();
    dualseal_ring *ring = NULL, *read_ring = NULL;
    dualseal_ring_key *ring_key = NULL;
    dualseal_seal_key *seal_key = NULL;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES], read_key[DUALSEAL_PUBLIC_KEY_BYTES], secret[32] = {1, 2, 3};
    char id[DUALSEAL_ID_TEXT_BYTES], hash[DUALSEAL_ID_TEXT_BYTES], *record = NULL, *entry = NULL, *line = NULL;
    char *text = NULL, *pem = NULL, *public_pem = NULL, *ring_json = NULL, *seal = NULL, *none = NULL;
    test_public_key(7, public_key);

    OK(dualseal_json_canonical(SIZED("{}"), &text, &failure));
    is(text, "{}");
    FAILS(DUALSEAL_STATUS_JSON_SYNTAX, NULL, 2, dualseal_json_canonical(HIDDEN("{}"), &none, &failure));

    char other[DUALSEAL_ID_TEXT_BYTES];
    OK(dualseal_identity_id(domain, NULL, 0, SIZED("ana"), SIZED("lab"), id, sizeof id, &failure));
    OK(dualseal_identity_id(domain, NULL, 0, HIDDEN("ana"), SIZED("lab"), other, sizeof other, &failure));
    CHECK(strcmp(id, other) != 0);
    OK(dualseal_identity_id(domain, NULL, 0, SIZED("ana"), HIDDEN("lab"), other, sizeof other, &failure));
    CHECK(strcmp(id, other) != 0);

    OK(dualseal_signing_key_to_pkcs8_pem(key, &pem, &failure));
    GIVES(DUALSEAL_STATUS_PEM, dualseal_signing_key_from_pkcs8_pem(HIDDEN(pem), &read, &failure));
    OK(dualseal_public_key_to_spki_pem(public_key, sizeof public_key, &public_pem, &failure));
    GIVES(DUALSEAL_STATUS_PEM,
        dualseal_public_key_from_spki_pem(HIDDEN(public_pem), read_key, sizeof read_key, &failure));

    OK(dualseal_ring_key_generate(domain, &ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, ring_key, &ring, &failure));
    OK(dualseal_ring_add(ring, ANA, public_key, sizeof public_key, head, TIME, &entry, &failure));
    OK(dualseal_ring_to_public_json(ring, &ring_json, &failure));
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX,
          dualseal_ring_from_public_json(HIDDEN(ring_json), NULL, 1, &read_ring, &failure));

    OK(dualseal_entry_parts(SIZED(entry), &line, NULL, 0, &failure));
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX, dualseal_entry_parts(HIDDEN(entry), &none, NULL, 0, &failure));
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX, dualseal_entry_parts(HIDDEN(entry), NULL, id, sizeof id, &failure));
    dualseal_chain_reader *reader = reader_under(domain, NULL);
    GIVES(DUALSEAL_STATUS_CHAIN_MEMBERS, dualseal_chain_reader_push(reader, HIDDEN(line), &failure));
    OK(dualseal_head_append(head, domain, ANA, HIDDEN("hello"), TIME, &text, &failure));
    CHECK(strstr(text, "hello\\u0000x") != NULL);
    dualseal_string_free(text);

    OK(dualseal_content_hash(domain, ANA, NULL, 0, hash, sizeof hash, &failure));
    dualseal_string_free(entry);
    OK(dualseal_signature_sign(domain, ANA, key, NO_RING, hash, head, TIME, &record, &entry, &failure));
    OK(dualseal_signature_verify(domain, ring, NULL, ANA, hash, SIZED(record), NULL, NULL, &failure));
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX,
        dualseal_signature_verify(domain, ring, NULL, ANA, hash, HIDDEN(record), NULL, NULL, &failure));

    OK(dualseal_seal_key_from_bytes(secret, sizeof secret, &seal_key, &failure));
    OK(dualseal_payload_seal(domain, ANA, seal_key, key, NO_RING, NULL, 0, &seal, &failure));
    GIVES(DUALSEAL_STATUS_AUTHENTICATED,
        dualseal_seal_authenticate(domain, SIZED(seal), NULL, 0, ANA, seal_key, NULL, &failure));
    CHECK(dualseal_seal_authenticate(domain, HIDDEN(seal), NULL, 0, ANA, seal_key, NULL, NULL) >= 100);

    CHECK(none == NULL && read == NULL && read_ring == NULL);
    dualseal_string_free(seal);
    dualseal_string_free(record);
    dualseal_string_free(line);
    dualseal_string_free(entry);
    dualseal_string_free(ring_json);
    dualseal_string_free(public_pem);
    dualseal_string_free(pem);
    dualseal_chain_reader_free(reader);
    dualseal_seal_key_free(seal_key);
    dualseal_ring_key_free(ring_key);
    dualseal_ring_free(ring);
    dualseal_head_free(head);
    dualseal_signing_key_free(key);
    dualseal_domain_free(domain);
}

/* A text of a length is read to there, whether or not a NUL stands behind it, which a text that was mapped from a file
   or came from a socket has not. */
static void a_text_need_not_end_with_nul(void)
{
    char bare[] = {'{', '}', '!', '!'}, *text = NULL;
    OK(dualseal_json_canonical(bare, 2, &text, &failure));
    is(text, "{}");
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX, dualseal_json_canonical(bare, 1, &text, &failure));
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX, dualseal_json_canonical(bare, 0, &text, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "text_json", -2, dualseal_json_canonical(bare, SIZE_MAX, &text, &failure));
}

/* A handle of another type and one that is not aligned are told, and freeing them does nothing. Those that were freed
   are in test_freed_handles.c. */
static void wrong_handles_are_told(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_head *head = test_head();
    dualseal_signature_batch *no_batch = NULL;
    dualseal_ring *ring = NULL;
    dualseal_ring_key *ring_key = NULL;
    char *none = NULL, hash[DUALSEAL_ID_TEXT_BYTES];
    uint64_t size = 0;
    OK(dualseal_ring_key_generate(domain, &ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, ring_key, &ring, &failure));

    const dualseal_domain *other = (const dualseal_domain *)(const void *)head;
    FAILS(DUALSEAL_STATUS_WRONG_HANDLE, "domain", -1,
        dualseal_content_hash(other, ANA, NULL, 0, hash, sizeof hash, &failure));
    FAILS(DUALSEAL_STATUS_WRONG_HANDLE, "head", -1,
        dualseal_head_append((dualseal_head *)(void *)ring, domain, ANA, SIZED("x"), TIME, &none, &failure));
    FAILS(DUALSEAL_STATUS_WRONG_HANDLE, "cache", -1,
        dualseal_signature_batch_new(domain, ring, (const dualseal_key_cache *)(const void *)head, &no_batch,
            &failure));
    const dualseal_ring *odd = (const dualseal_ring *)(const void *)((const char *)ring + 1);
    FAILS(DUALSEAL_STATUS_WRONG_HANDLE, "ring", -1, dualseal_ring_to_public_json(odd, &none, &failure));
    dualseal_ring_free((dualseal_ring *)(void *)head);
    dualseal_head_free((dualseal_head *)(void *)((char *)head + 1));
    OK(dualseal_head_parts(head, &size, NULL, 0, NULL, 0, NULL, &failure));

    CHECK(none == NULL && no_batch == NULL);
    dualseal_head_free(head);
    dualseal_ring_free(ring);
    dualseal_ring_key_free(ring_key);
    dualseal_domain_free(domain);
}

/* A time in seconds would make a record of January 1970. */
static void seconds_are_no_milliseconds(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_head *head = test_head();
    char *entry = NULL;
    GIVES(DUALSEAL_STATUS_RANGE, dualseal_head_append(head, domain, ANA, SIZED("x"), TIME / 1000, &entry, &failure));
    GIVES(DUALSEAL_STATUS_RANGE, dualseal_head_append(head, domain, ANA, SIZED("x"), 0, &entry, &failure));
    CHECK(entry == NULL && size_of_chain(head) == 0);
    dualseal_head_free(head);
    dualseal_domain_free(domain);
}

static void *sign_and_verify(void *unused)
{
    (void)unused;
    an_error_is_freed_once();
    return NULL;
}

/* The stack that the contract names is enough to sign and to verify. */
static void the_stack_suffices(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, 512 * 1024) == 0);
    CHECK(pthread_create(&thread, &attributes, sign_and_verify, NULL) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(pthread_attr_destroy(&attributes) == 0);
}

int main(void)
{
    an_error_is_freed_once();
    nothing_hides_behind_a_nul();
    a_text_need_not_end_with_nul();
    wrong_handles_are_told();
    seconds_are_no_milliseconds();
    the_stack_suffices();
    return 0;
}
