/* What the programs about evidence share: a chain that was read once, what is made of it, and what a stranger asks. */
#ifndef DUALSEAL_TEST_EVIDENCE_H
#define DUALSEAL_TEST_EVIDENCE_H

#include "vault.h"

/* Of the Ed25519 key whose seed is 32 times the byte 20. */
#define NOTE_KEY "20828bf5c5bdcacb684863336c202fb5599da48be5596615742170705beca9f7"

/* What is known of a chain under one checkpoint. */
typedef struct {
    char *json, log[DUALSEAL_ID_TEXT_BYTES];
    dualseal_checkpoint *checkpoint;
    dualseal_proofs *proofs;
    dualseal_watched watched;
} seen;

static inline seen see(const dualseal_domain *domain, const char *key_hash, const dualseal_signing_key *log,
                       char *const *lines, size_t size, const dualseal_ring *ring, const char *const *wanted,
                       size_t count)
{
    seen found = {0};
    char *mark = NULL;
    dualseal_head *head = head_after(domain, lines, size);
    OK(dualseal_mark_first(ORIGIN, head, ring, ring == NULL, &mark, &failure));
    OK(dualseal_checkpoint_sign(domain, BOB, log, NO_RING, NOTE_KEY, SIZED(mark), TIME, &found.json, &failure));
    OK(dualseal_checkpoint_verify(domain, ORIGIN, BOB, key_hash, 1, NO_RING, NULL, SIZED(found.json), &found.checkpoint,
                                  NULL, &failure));
    OK(dualseal_checkpoint_fingerprint(domain, SIZED(found.json), found.log, sizeof found.log, &failure));
    dualseal_chain_reader *reader = reader_under(domain, found.checkpoint);
    OK(dualseal_chain_reader_watch_places(reader, wanted, count, &found.watched, &failure));
    found.proofs = read_to(reader, lines, size, NULL);
    dualseal_string_free(mark);
    dualseal_head_free(head);
    return found;
}

static inline void forget_seen(seen *s)
{
    dualseal_proofs_free(s->proofs);
    dualseal_checkpoint_free(s->checkpoint);
    dualseal_string_free(s->json);
}

static inline dualseal_status make(const dualseal_domain *domain, const seen *s, const char *record, const uint8_t *key,
                                   const dualseal_ring *ring, const char *handle, const char *note, char **evidence)
{
    char *place = NULL, *of_ring = NULL;
    OK(dualseal_proofs_place(s->proofs, s->watched, handle, 0, NULL, &place, &failure));
    OK(dualseal_proofs_place(s->proofs, s->watched, NULL, 1, NULL, &of_ring, &failure));
    dualseal_status status =
        dualseal_evidence_make(domain, "DUALSEAL", SIZED(record), key, key == NULL ? 0 : DUALSEAL_PUBLIC_KEY_BYTES,
                               ring, SIZED(place), SIZED(of_ring), SIZED(note), evidence, &failure);
    dualseal_string_free(place);
    dualseal_string_free(of_ring);
    return status;
}

/* What a stranger asks for. */
typedef struct {
    const char *log, *signer, *key_hash;
    uint64_t least_size;
    const char *const *witnesses;
    size_t count;
    uint32_t needed;
    const int64_t *after;
} asked;

/* Opens a file, and reads the document in two parts: the first status that is not 0. */
static inline dualseal_status verify(const char *json, asked by, const uint8_t *document, size_t length, char **report)
{
    dualseal_evidence *evidence = NULL;
    dualseal_status status =
        dualseal_evidence_open(NULL, by.log, by.signer, by.key_hash, by.signer == NULL && by.key_hash == NULL,
                               by.least_size, by.witnesses, by.count, by.needed, by.after, SIZED(json), &evidence,
                               &failure);
    CHECK((evidence != NULL) == (status == DUALSEAL_OK));
    if (evidence != NULL) {
        OK(dualseal_evidence_update(evidence, document, length / 2, &failure));
        OK(dualseal_evidence_update(evidence, document + length / 2, length - length / 2, &failure));
        status = dualseal_evidence_finish(evidence, report, &failure);
    }
    dualseal_evidence_free(evidence);
    return status;
}

/* The same, refused: nothing is told. */
static inline dualseal_status refused(const char *json, asked by, const uint8_t *document, size_t length)
{
    char *report = NULL;
    dualseal_status status = verify(json, by, document, length, &report);
    CHECK(report == NULL);
    return status;
}

#endif
