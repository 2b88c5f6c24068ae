/* What somebody does to a ring file or writes into its log: edits and old files are refused, junk stops nothing. */
#include "vault.h"

/* What a reader says of a ring file and these lines: the first status that is not 0. */
static dualseal_status compared(const archive *a, dualseal_chain_reader *reader, const char *const *lines, size_t count,
                                const char *file, const dualseal_vault_master *const *masters, size_t masters_count,
                                char **ignored)
{
    dualseal_proofs *proofs = NULL;
    dualseal_ring *ring = NULL;
    dualseal_watched watched = 0;
    dualseal_status status = dualseal_chain_reader_watch_ring(reader, SIZED(file), a->ring_key, masters, masters_count,
                                                              &watched, &failure);
    for (size_t i = 0; status == DUALSEAL_OK && i < count; i++) {
        status = dualseal_chain_reader_push(reader, SIZED(lines[i]), &failure);
    }
    if (status == DUALSEAL_OK) {
        status = dualseal_chain_reader_finish(reader, &proofs, NULL, NULL, &failure);
    }
    if (status == DUALSEAL_OK) {
        status = dualseal_proofs_ring(proofs, watched, &ring, ignored, &failure);
    }
    CHECK((ring != NULL) == (status == DUALSEAL_OK));
    dualseal_ring_free(ring);
    dualseal_proofs_free(proofs);
    dualseal_chain_reader_free(reader);
    return status;
}

/* A ring file against the chain from the first entry on. */
static dualseal_status checked(const archive *a, const char *const *lines, size_t count, const dualseal_head *head,
                               const char *file, const dualseal_vault_master *master, const char *ignored)
{
    dualseal_checkpoint *checkpoint = test_checkpoint_of(a->domain, head, a->ring);
    const dualseal_vault_master *masters[] = {master};
    char *listed = NULL;
    dualseal_status status =
        compared(a, reader_under(a->domain, checkpoint), lines, count, file, masters, master != NULL, &listed);
    if (status == DUALSEAL_OK) {
        is(listed, ignored);
    }
    dualseal_checkpoint_free(checkpoint);
    return status;
}

/* The same from where the file was written on, which is behind `from` entries: what the next change begins with. */
static dualseal_status resumed_at(const archive *a, const char *const *lines, size_t from, size_t count,
                                  const dualseal_head *head, const char *file, const dualseal_vault_master *master)
{
    const dualseal_vault_master *masters[] = {master};
    dualseal_chain_reader *reader = NULL;
    dualseal_status status = dualseal_chain_reader_from_ring_file(a->domain, SIZED(file), head, &reader, &failure);
    return status != DUALSEAL_OK
               ? status
               : compared(a, reader, lines + from, count - from, file, masters, master != NULL, NULL);
}

#define NOTHING "{\"entries\":[],\"more\":0}"
#define LINES(a) ((const char *const *)(a)->lines)

/* Refused by both ways to read the file. */
static void refused(const archive *a, dualseal_status status, const char *file, size_t from)
{
    size_t count = a->count + 1;
    GIVES(status, checked(a, LINES(a), count, a->head, file, a->master, NOTHING));
    GIVES(status, resumed_at(a, LINES(a), from, count, a->head, file, a->master));
}

static char *file_of(const archive *a)
{
    char *file = NULL;
    OK(dualseal_ring_to_stored_json(a->ring, a->head, &file, &failure));
    return file;
}

/* ANA's key, and two documents with their decoys: entries 0, 1 and 2. */
static void set_up(archive *a)
{
    archive_open(a);
    archive_seal(a, "one", DUALSEAL_ENCRYPTION_NONE);
    archive_seal(a, "two", DUALSEAL_ENCRYPTION_STREAM);
}

/* From before the second document was sealed, with its own good MAC. */
static void an_old_file_with_its_old_mac_is_refused(void)
{
    archive a;
    archive_open(&a);
    archive_seal(&a, "one", DUALSEAL_ENCRYPTION_NONE);
    char *old = file_of(&a);
    archive_seal(&a, "two", DUALSEAL_ENCRYPTION_STREAM);
    refused(&a, DUALSEAL_STATUS_RING_ROLLBACK, old, 2);
    /* A master of another log's vault tells nothing, and neither does none. */
    uint8_t secret[32] = {4};
    dualseal_vault_master *other = NULL;
    OK(dualseal_vault_master_from_secret(a.domain, secret, sizeof secret, &other, &failure));
    OK(resumed_at(&a, LINES(&a), 2, 3, a.head, old, other));
    OK(checked(&a, LINES(&a), 3, a.head, old, NULL, NOTHING));
    char *file = file_of(&a);
    OK(checked(&a, LINES(&a), 3, a.head, file, a.master, NOTHING));
    dualseal_vault_master_free(other);
    dualseal_string_free(file);
    dualseal_string_free(old);
    archive_close(&a);
}

/* Another process sealed a document: a handle that goes past it would write its decoy away. */
static void a_ring_goes_past_nobody_elses_record(void)
{
    archive a;
    uint8_t secret[32] = {4};
    char *file = NULL;
    dualseal_vault_master *other = NULL;
    archive_open(&a);
    archive_seal(&a, "one", DUALSEAL_ENCRYPTION_NONE);
    dualseal_ring *stale = copy_of_ring(a.domain, a.ring, a.ring_key, a.head);
    archive_seal(&a, "two", DUALSEAL_ENCRYPTION_STREAM);
    OK(dualseal_vault_master_from_secret(a.domain, secret, sizeof secret, &other, &failure));
    const dualseal_vault_master *masters[] = {other, a.master};
    for (size_t first = 0; first < 2; first++) {
        GIVES(DUALSEAL_STATUS_RING_ROLLBACK,
              dualseal_ring_follow(stale, SIZED(a.lines[2]), masters + first, 2 - first, &failure));
        GIVES(DUALSEAL_STATUS_STALE_RING, dualseal_ring_to_stored_json(stale, a.head, &file, &failure));
    }
    CHECK(file == NULL);
    /* No master of another log knows it. */
    OK(dualseal_ring_follow(stale, SIZED(a.lines[2]), masters, 1, &failure));
    dualseal_vault_master_free(other);
    dualseal_ring_free(stale);
    archive_close(&a);
}

/* From before ANA's key was called back. */
static void a_ring_file_restored_with_its_mac_is_a_rollback(void)
{
    archive a;
    char *entry = NULL, *lines[4];
    set_up(&a);
    char *old = file_of(&a);
    OK(dualseal_ring_set_state(a.ring, ANA, NULL, DUALSEAL_KEY_STATE_REVOKED, NULL, a.head, TIME, &entry, &failure));
    memcpy(lines, a.lines, 3 * sizeof *lines);
    OK(dualseal_entry_parts(SIZED(entry), &lines[3], NULL, 0, &failure));
    const char *const *all = (const char *const *)lines;
    GIVES(DUALSEAL_STATUS_RING_ROLLBACK, checked(&a, all, 4, a.head, old, a.master, NOTHING));
    GIVES(DUALSEAL_STATUS_RING_ROLLBACK, resumed_at(&a, all, 3, 4, a.head, old, a.master));
    char *file = file_of(&a);
    OK(checked(&a, all, 4, a.head, file, a.master, NOTHING));
    OK(resumed_at(&a, all, 4, 4, a.head, file, a.master));
    dualseal_string_free(file);
    dualseal_string_free(lines[3]);
    dualseal_string_free(entry);
    dualseal_string_free(old);
    archive_close(&a);
}

/* A stranger's key as a decoy of ANA's would make what he signs a public pass. */
static void a_decoy_row_put_into_the_ring_is_forged(void)
{
    archive a;
    char row[512];
    set_up(&a);
    /* In front of her decoys: the least hash there is, at the seq of a plain message. */
    char *entry = NULL, *lines[4];
    OK(dualseal_head_append(a.head, a.domain, ANA, SIZED("a message"), TIME, &entry, &failure));
    memcpy(lines, a.lines, 3 * sizeof *lines);
    OK(dualseal_entry_parts(SIZED(entry), &lines[3], NULL, 0, &failure));
    const char *const *all = (const char *const *)lines;
    follow(a.ring, lines + 3, 1);
    const char *begin = "{\"algoritam\":\"ML-DSA-65\",\"bela_stanje\":\"oboje\"";
    snprintf(row, sizeof row, "%s,\"generirano\":\"2026-11-21T09:00:00.000Z\",\"identity_id\":\"%s\","
             "\"javni_kljuc\":\"%064d\",\"opozvan_od\":null,\"povijest\":[[3,\"oboje\"]],\"retired\":null,"
             "\"role\":\"decoy\"},%s", begin, ANA, 0, begin);
    char *file = file_of(&a);
    char *inserted = replaced(file, begin, row);
    GIVES(DUALSEAL_STATUS_RING_FORGED, checked(&a, all, 4, a.head, inserted, a.master, NOTHING));
    GIVES(DUALSEAL_STATUS_RING_FORGED, resumed_at(&a, all, 4, 4, a.head, inserted, a.master));
    free(inserted);
    dualseal_string_free(lines[3]);
    dualseal_string_free(entry);
    dualseal_string_free(file);
    archive_close(&a);
}

/* Nobody gets a ring to change out of an edited file, so the next change blesses nothing. */
static void laz_edited_to_istina_is_not_blessed_by_the_next_change(void)
{
    archive a;
    char *entry = NULL, *lines[4];
    set_up(&a);
    OK(dualseal_ring_set_state(a.ring, ANA, NULL, DUALSEAL_KEY_STATE_REVOKED, NULL, a.head, TIME, &entry, &failure));
    memcpy(lines, a.lines, 3 * sizeof *lines);
    OK(dualseal_entry_parts(SIZED(entry), &lines[3], NULL, 0, &failure));
    const char *const *all = (const char *const *)lines;
    char *file = file_of(&a);
    char *state = replaced(file, "\"bela_stanje\":\"laz\"", "\"bela_stanje\":\"istina\"");
    char *since = replaced(state, "\"opozvan_od\":3", "\"opozvan_od\":null");
    char *edited = replaced(since, "[3,\"laz\"]", "[3,\"istina\"]");
    GIVES(DUALSEAL_STATUS_RING_FORGED, checked(&a, all, 4, a.head, edited, a.master, NOTHING));
    GIVES(DUALSEAL_STATUS_RING_FORGED, resumed_at(&a, all, 4, 4, a.head, edited, a.master));
    free(edited);
    free(since);
    free(state);
    dualseal_string_free(file);
    dualseal_string_free(lines[3]);
    dualseal_string_free(entry);
    archive_close(&a);
}

/* Another program's append refuses no form: the ring's own entry again, one with zeros, and a beginning. */
static void junk_ring_messages_by_anybody_stop_nothing(void)
{
    archive a;
    char *lines[6], good[512], zeros[512];
    dualseal_domain *elsewhere = NULL;
    set_up(&a);
    char *file = file_of(&a);
    const char *at = strstr(a.lines[0], "\"poruka\":\"") + strlen("\"poruka\":\"");
    snprintf(good, sizeof good, "%.*s", (int)strcspn(at, "\""), at);
    snprintf(zeros, sizeof zeros, "DUALSEAL-SIGN::RING::2::%064d::%064d::%064d::DUALSEAL", 0, 0, 0);
    const char *junk[] = {good, zeros, "DUALSEAL-SIGN::RING::"};
    OK(dualseal_domain_new("ELSEWHERE", &elsewhere, &failure));
    memcpy(lines, a.lines, 3 * sizeof *lines);
    for (size_t i = 0; i < 3; i++) {
        char *entry = NULL;
        GIVES(DUALSEAL_STATUS_RESERVED_MESSAGE,
              dualseal_head_append(a.head, a.domain, BOB, SIZED(junk[i]), TIME, &entry, &failure));
        OK(dualseal_head_append(a.head, elsewhere, BOB, SIZED(junk[i]), TIME, &entry, &failure));
        OK(dualseal_entry_parts(SIZED(entry), &lines[3 + i], NULL, 0, &failure));
        dualseal_string_free(entry);
    }
    follow(a.ring, lines + 3, 3);
    const char *const *all = (const char *const *)lines;
    OK(checked(&a, all, 6, a.head, file, a.master,
               "{\"entries\":[{\"reason\":\"tag\",\"seq\":3},{\"reason\":\"tag\",\"seq\":4},"
               "{\"reason\":\"form\",\"seq\":5}],\"more\":0}"));
    OK(resumed_at(&a, all, 3, 6, a.head, file, a.master));
    for (size_t i = 3; i < 6; i++) {
        dualseal_string_free(lines[i]);
    }
    dualseal_domain_free(elsewhere);
    dualseal_string_free(file);
    archive_close(&a);
}

int main(void)
{
    an_old_file_with_its_old_mac_is_refused();
    a_ring_goes_past_nobody_elses_record();
    a_ring_file_restored_with_its_mac_is_a_rollback();
    a_decoy_row_put_into_the_ring_is_forged();
    laz_edited_to_istina_is_not_blessed_by_the_next_change();
    junk_ring_messages_by_anybody_stop_nothing();
    return 0;
}
