/*
 * A first program: Ana signs a contract, and a stranger who has Ana's public key verifies it.
 *
 *     cc sign_and_verify.c $(pkg-config --cflags --libs dualseal) && ./a.out
 */
#include <dualseal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Stops the program when a call failed, and says why. */
static void must(dualseal_status status, dualseal_error **error)
{
    if (status != DUALSEAL_OK) {
        fprintf(stderr, "%s: %s\n", dualseal_status_text(status), dualseal_error_message(*error));
        exit(1);
    }
}

int main(void)
{
    const char *contract = "Ana sells the boat to Bob for 900 euro.";
    const char *forged = "Ana sells the boat to Bob for 100 euro.";
    dualseal_error *error = NULL;

    /* A domain keeps one deployment's signatures apart from another's. */
    dualseal_domain *domain = NULL;
    must(dualseal_domain_new("ACME", &domain, &error), &error);

    /* An identity is computed, not registered. For a person, put a random value into the context and keep it. */
    char ana[DUALSEAL_ID_TEXT_BYTES];
    must(dualseal_identity_id(domain, NULL, 0, "ana", 3, "5f3a9c", 6, ana, sizeof ana, &error), &error);

    dualseal_signing_key *key = NULL;
    must(dualseal_signing_key_generate(&key, &error), &error);

    /* Signing also appends to a chain: store the record, the entry and the head together, or none of them. */
    dualseal_head *head = NULL;
    char hash[DUALSEAL_ID_TEXT_BYTES], *record = NULL, *entry = NULL;
    must(dualseal_head_new(NULL, 0, &head, &error), &error);
    must(dualseal_content_hash(domain, ana, (const uint8_t *)contract, strlen(contract), hash, sizeof hash, &error),
         &error);
    /* No ring here tells whether the key was rotated or revoked since: NULL, and 1 says that this is meant. An operator
       gives his ring, and 0. */
    must(dualseal_signature_sign(domain, ana, key, NULL, 1, hash, head, (int64_t)time(NULL) * 1000, &record, &entry,
                                 &error), &error);
    printf("signed; the record has %zu bytes of JSON\n", strlen(record));

    /* The stranger got Ana's public key from Ana and pins it. The key inside the record proves nothing. */
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    dualseal_ring *ring = NULL;
    must(dualseal_signing_key_public_key(key, public_key, sizeof public_key, &error), &error);
    must(dualseal_ring_new_pinned(ana, public_key, sizeof public_key, &ring, &error), &error);

    /* The verdict says who signed; this ring holds nobody but Ana. Only 0 is Valid. 1 to 4 are the other verdicts; from
       100 on there is no verdict. */
    dualseal_status genuine =
        dualseal_signature_verify(domain, ring, NULL, ana, hash, record, strlen(record), NULL, NULL, NULL);
    must(dualseal_content_hash(domain, ana, (const uint8_t *)forged, strlen(forged), hash, sizeof hash, &error),
         &error);
    dualseal_status altered =
        dualseal_signature_verify(domain, ring, NULL, ana, hash, record, strlen(record), NULL, NULL, NULL);
    printf("the contract: %s\n", dualseal_status_text(genuine));
    printf("the forgery:  %s\n", dualseal_status_text(altered));

    /* Every handle has its own free function; returned texts have one for all. */
    dualseal_string_free(entry);
    dualseal_string_free(record);
    dualseal_ring_free(ring);
    dualseal_head_free(head);
    dualseal_signing_key_free(key);
    dualseal_domain_free(domain);
    return genuine == DUALSEAL_STATUS_VALID && altered == DUALSEAL_STATUS_INVALID ? 0 : 1;
}
