/*
 * The vault: an archive seals a file, anybody verifies it, and the archive, who knows where it stands in the chain,
 * takes it out again.
 *
 *     cc seal_and_unseal.c $(pkg-config --cflags --libs dualseal) && ./a.out
 */
#include <dualseal_vault.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOG "archive.example/log"

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
    const char *deed = "House 7 belongs to Ana.";
    const int64_t now = (int64_t)time(NULL) * 1000;
    dualseal_error *error = NULL;
    dualseal_domain *domain = NULL;
    char archive[DUALSEAL_ID_TEXT_BYTES];
    must(dualseal_domain_new("ACME", &domain, &error), &error);
    must(dualseal_identity_id(domain, NULL, 0, "archive", 7, "9b21d4", 6, archive, sizeof archive, &error), &error);

    /* Three secrets: the master of all vault keys, the signing key, and the vault secret of each record. */
    dualseal_vault_master *master = NULL;
    dualseal_signing_key *key = NULL;
    dualseal_vault_sealer *sealer = NULL;
    dualseal_ring *ring = NULL;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    must(dualseal_vault_master_generate(domain, &master, &error), &error);
    must(dualseal_signing_key_generate(&key, &error), &error);
    must(dualseal_signing_key_public_key(key, public_key, sizeof public_key, &error), &error);
    must(dualseal_ring_new_pinned(archive, public_key, sizeof public_key, &ring, &error), &error);

    /* Nobody seals or signs here with a key that is not the archive's current one in the ring. */
    must(dualseal_vault_sealer_new(master, archive, key, ring, 0, DUALSEAL_TIER_PUBLIC, NULL, &sealer, &error), &error);

    /* Store the record, the bytes, the entry and both heads, or none of them. Split the secret among nodes. */
    dualseal_ledger_head *ledger = NULL;
    dualseal_head *head = NULL;
    dualseal_sealed *sealed = NULL;
    dualseal_secret *secret = NULL;
    char *record = NULL, *entry = NULL;
    uint8_t *stored = NULL;
    size_t stored_len = 0;
    must(dualseal_ledger_head_generate(&ledger, &error), &error);
    must(dualseal_head_new(NULL, 0, &head, &error), &error);
    must(dualseal_vault_sealer_seal(sealer, (const uint8_t *)deed, strlen(deed), "DEED", DUALSEAL_ENCRYPTION_STREAM,
                                    ledger, head, "", 0, now, &sealed, &stored, &stored_len, &error), &error);
    must(dualseal_sealed_parts(sealed, &record, &entry, &secret, NULL, 0, &error), &error);
    printf("sealed: %zu bytes, %zu stored\n", strlen(deed), stored_len);

    /* Everybody: the stored bytes and a copy of the record without its fragment are enough. */
    dualseal_stored_hash *hash = NULL;
    char *copy = NULL;
    dualseal_vault_policy *to_all = NULL;
    must(dualseal_stored_hash_new(domain, NULL, &hash, &error), &error);
    must(dualseal_stored_hash_update(hash, stored, stored_len, &error), &error);
    must(dualseal_vault_record_redact(record, strlen(record), &copy, &error), &error);
    must(dualseal_vault_policy_new_public(DUALSEAL_TIER_PUBLIC, &to_all, &error), &error);
    dualseal_status genuine =
        dualseal_vault_record_verify(domain, ring, NULL, to_all, copy, strlen(copy), hash, archive, NULL, NULL, NULL,
                                     NULL);
    printf("for everybody:  %s\n", dualseal_status_text(genuine));

    /* One bit of what is stored is enough to be noticed. */
    dualseal_stored_hash *other = NULL;
    stored[70] ^= 1;
    must(dualseal_stored_hash_new(domain, NULL, &other, &error), &error);
    must(dualseal_stored_hash_update(other, stored, stored_len, &error), &error);
    stored[70] ^= 1;
    dualseal_status altered =
        dualseal_vault_record_verify(domain, ring, NULL, to_all, copy, strlen(copy), other, archive, NULL, NULL, NULL,
                                     NULL);
    printf("altered:        %s\n", dualseal_status_text(altered));

    /* The archive: its chain agrees with a checkpoint, which shows where the record stands. */
    char key_hash[DUALSEAL_ID_TEXT_BYTES], ledger_id[DUALSEAL_ID_TEXT_BYTES];
    char *mark = NULL, *signed_head = NULL, *line = NULL;
    dualseal_checkpoint *checkpoint = NULL;
    dualseal_chain_reader *reader = NULL;
    dualseal_watched watched = 0;
    dualseal_proofs *proofs = NULL;
    dualseal_located_ledger *places = NULL;
    dualseal_located *at = NULL;
    must(dualseal_public_key_hash(public_key, sizeof public_key, key_hash, sizeof key_hash, &error), &error);
    must(dualseal_ledger_head_parts(ledger, ledger_id, sizeof ledger_id, NULL, NULL, 0, &error), &error);
    must(dualseal_mark_first(LOG, head, NULL, 1, &mark, &error), &error);
    must(dualseal_checkpoint_sign(domain, archive, key, ring, 0, NULL, mark, strlen(mark), now, &signed_head, &error),
         &error);
    must(dualseal_checkpoint_verify(domain, LOG, archive, key_hash, 1, NULL, 1, NULL, signed_head, strlen(signed_head),
                                    &checkpoint, NULL, &error), &error);
    must(dualseal_chain_reader_new(domain, NULL, checkpoint, 0, NULL, &reader, &error), &error);
    must(dualseal_chain_reader_watch_ledger(reader, ledger_id, master, NULL, &watched, &error), &error);
    must(dualseal_entry_parts(entry, strlen(entry), &line, NULL, 0, &error), &error);
    must(dualseal_chain_reader_push(reader, line, strlen(line), &error), &error);
    must(dualseal_chain_reader_finish(reader, &proofs, NULL, NULL, &error), &error);
    must(dualseal_proofs_ledger(proofs, watched, &places, NULL, &error), &error);
    must(dualseal_located_ledger_locate(places, record, strlen(record), &at, &error), &error);

    /* Every layer must pass before anything is taken out. */
    dualseal_vault_policy *to_operator = NULL;
    dualseal_vault_report *report = NULL;
    uint8_t *document = NULL;
    size_t document_len = 0;
    must(dualseal_vault_policy_new_operator(master, DUALSEAL_TIER_PUBLIC, &to_operator, &error), &error);
    must(dualseal_vault_record_verify(domain, ring, NULL, to_operator, record, strlen(record), hash, archive, at,
                                      NULL, &report, &error), &error);
    must(dualseal_vault_unseal(report, secret, stored, stored_len, &document, &document_len, &error), &error);
    printf("taken out:      %.*s\n", (int)document_len, (const char *)document);
    int whole = document_len == strlen(deed) && memcmp(document, deed, document_len) == 0;

    dualseal_bytes_free(document);
    dualseal_vault_report_free(report);
    dualseal_vault_policy_free(to_operator);
    dualseal_located_free(at);
    dualseal_located_ledger_free(places);
    dualseal_proofs_free(proofs);
    dualseal_chain_reader_free(reader);
    dualseal_checkpoint_free(checkpoint);
    dualseal_string_free(line);
    dualseal_string_free(mark);
    dualseal_string_free(signed_head);
    dualseal_stored_hash_free(other);
    dualseal_vault_policy_free(to_all);
    dualseal_string_free(copy);
    dualseal_stored_hash_free(hash);
    dualseal_ring_free(ring);
    dualseal_bytes_free(stored);
    dualseal_secret_free(secret);
    dualseal_string_free(entry);
    dualseal_string_free(record);
    dualseal_sealed_free(sealed);
    dualseal_head_free(head);
    dualseal_ledger_head_free(ledger);
    dualseal_vault_sealer_free(sealer);
    dualseal_signing_key_free(key);
    dualseal_vault_master_free(master);
    dualseal_domain_free(domain);
    return genuine == DUALSEAL_STATUS_VALID && altered == DUALSEAL_STATUS_INVALID && whole ? 0 : 1;
}
