/* A plain message in ANA's name is no entry of the library's, whatever it says, and the library's own forms are
   refused to it: what somebody placed early cannot be completed with a key that was stolen after it was retired. */
#include "check.h"

#define CONTENT "one contract"

typedef struct {
    dualseal_domain *domain;
    dualseal_ring *ring;
    dualseal_ring_key *ring_key;
    dualseal_head *head, *before;
    dualseal_signing_key *key;
    dualseal_seal_key *seal_key;
    char *seal, *entries[4], *lines[4], places[4][DUALSEAL_ID_TEXT_BYTES];
    char signed_hash[DUALSEAL_ID_TEXT_BYTES], seal_hash[DUALSEAL_ID_TEXT_BYTES];
} bench;

/* ANA's key 7 enters the ring, two bare hashes are appended in her name, and key 8 takes over. */
static void set_up(bench *b)
{
    const uint8_t secret[32] = {3};
    uint8_t first[DUALSEAL_PUBLIC_KEY_BYTES], second[DUALSEAL_PUBLIC_KEY_BYTES];
    char *entry = NULL;
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->head = test_head();
    b->key = test_key(7);
    test_public_key(7, first);
    test_public_key(8, second);
    OK(dualseal_seal_key_from_bytes(secret, sizeof secret, &b->seal_key, &failure));
    OK(dualseal_payload_seal(b->domain, ANA, b->seal_key, b->key, NO_RING, (const uint8_t *)CONTENT, strlen(CONTENT),
                             &b->seal, &failure));
    dualseal_head *apart = test_head();
    OK(dualseal_seal_append(SIZED(b->seal), apart, b->domain, ANA, TIME, &entry, &failure));
    member(entry, "::SEALED::", b->seal_hash, 64);
    dualseal_string_free(entry);
    dualseal_head_free(apart);
    strcpy(b->signed_hash, hashed(b->domain, ANA, CONTENT, strlen(CONTENT)));
    OK(dualseal_ring_key_generate(b->domain, &b->ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, b->ring_key, &b->ring, &failure));
    OK(dualseal_ring_add(b->ring, ANA, first, sizeof first, b->head, TIME, &b->entries[0], &failure));
    b->before = copy_of(b->head);
    OK(dualseal_head_append(b->head, b->domain, ANA, SIZED(b->signed_hash), TIME, &b->entries[1], &failure));
    OK(dualseal_head_append(b->head, b->domain, ANA, SIZED(b->seal_hash), TIME, &b->entries[2], &failure));
    follow_entry(b->ring, b->entries[1]);
    follow_entry(b->ring, b->entries[2]);
    OK(dualseal_ring_rotate(b->ring, ANA, second, sizeof second, b->head, TIME, &b->entries[3], &failure));
    for (size_t i = 0; i < 4; i++) {
        OK(dualseal_entry_parts(SIZED(b->entries[i]), &b->lines[i], b->places[i], sizeof b->places[i], &failure));
    }
}

static void tear_down(bench *b)
{
    for (size_t i = 0; i < 4; i++) {
        dualseal_string_free(b->entries[i]);
        dualseal_string_free(b->lines[i]);
    }
    dualseal_string_free(b->seal);
    dualseal_seal_key_free(b->seal_key);
    dualseal_signing_key_free(b->key);
    dualseal_head_free(b->before);
    dualseal_head_free(b->head);
    dualseal_ring_key_free(b->ring_key);
    dualseal_ring_free(b->ring);
    dualseal_domain_free(b->domain);
}

static void a_bare_hash_is_no_place_of_a_signature(const bench *b)
{
    dualseal_head *head = copy_of(b->before);
    dualseal_located *at = test_place(b->domain, b->head, b->lines, 4, b->places[1]);
    char *forged = NULL, *entry = NULL;
    OK(dualseal_signature_sign(b->domain, ANA, b->key, NO_RING, b->signed_hash, head, TIME, &forged, &entry, &failure));
    CHECK(strstr(entry, "\"poruka\":\"DUALSEAL-SIGN::SIGNED::") != NULL);
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_signature_verify(b->domain, b->ring, NULL, ANA, b->signed_hash, SIZED(forged), at, NULL, &failure));
    dualseal_string_free(forged);
    dualseal_string_free(entry);
    dualseal_located_free(at);
    dualseal_head_free(head);
}

static void a_bare_hash_is_no_place_of_a_seal(const bench *b)
{
    dualseal_located *at = test_place(b->domain, b->head, b->lines, 4, b->places[2]);
    GIVES(DUALSEAL_STATUS_INVALID,
          dualseal_seal_verify(b->domain, b->ring, NULL, SIZED(b->seal), (const uint8_t *)CONTENT, strlen(CONTENT), ANA,
                               DUALSEAL_SEAL_POLICY_BOTH, b->seal_key, at, NULL, &failure));
    dualseal_located_free(at);
}

static void the_librarys_own_forms_are_refused(const bench *b)
{
    char message[256], *none = NULL;
    snprintf(message, sizeof message, "DUALSEAL-SIGN::SIGNED::%s::%s::DUALSEAL", b->signed_hash, BOB);
    GIVES(DUALSEAL_STATUS_RESERVED_MESSAGE,
          dualseal_head_append(b->head, b->domain, ANA, SIZED(message), TIME, &none, &failure));
    snprintf(message, sizeof message, "DUALSEAL-SEAL::SEALED::%s::DUALSEAL", b->seal_hash);
    GIVES(DUALSEAL_STATUS_RESERVED_MESSAGE,
          dualseal_head_append(b->head, b->domain, ANA, SIZED(message), TIME, &none, &failure));
    CHECK(none == NULL);
}

int main(void)
{
    bench b;
    set_up(&b);
    a_bare_hash_is_no_place_of_a_signature(&b);
    a_bare_hash_is_no_place_of_a_seal(&b);
    the_librarys_own_forms_are_refused(&b);
    tear_down(&b);
    return 0;
}
