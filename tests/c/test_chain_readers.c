/* What every reader of a chain does alike: once it was ended, whatever came of that, it takes nothing more.
   Under valgrind. */
#include "check.h"

#include "dualseal_vault.h"

typedef struct {
    dualseal_domain *domain;
    dualseal_ring_key *ring_key;
    dualseal_ring *ring;
    dualseal_checkpoint *checkpoint;
    char *line, *ring_json, founder[DUALSEAL_ID_TEXT_BYTES];
} bench;

static void set_up(bench *b)
{
    dualseal_head *head = test_head();
    char *entry = NULL;
    memset(b, 0, sizeof *b);
    memset(b->founder, 'a', sizeof b->founder - 1);
    b->domain = test_domain();
    OK(dualseal_ring_key_generate(b->domain, &b->ring_key, &failure));
    OK(dualseal_ring_new(ORIGIN, b->ring_key, &b->ring, &failure));
    dualseal_head *empty = test_head();
    OK(dualseal_ring_to_stored_json(b->ring, empty, &b->ring_json, &failure));
    dualseal_head_free(empty);
    OK(dualseal_head_append(head, b->domain, BOB, SIZED("note"), TIME, &entry, &failure));
    OK(dualseal_entry_line(SIZED(entry), &b->line, &failure));
    b->checkpoint = test_checkpoint(b->domain, head);
    dualseal_string_free(entry);
    dualseal_head_free(head);
}

static void tear_down(bench *b)
{
    dualseal_string_free(b->line);
    dualseal_string_free(b->ring_json);
    dualseal_checkpoint_free(b->checkpoint);
    dualseal_ring_free(b->ring);
    dualseal_ring_key_free(b->ring_key);
    dualseal_domain_free(b->domain);
}

static dualseal_status begin_agreement(const bench *b, dualseal_chain_reader **reader)
{
    return dualseal_chain_reader_new_agreement(b->checkpoint, NULL, 0, NULL, reader, &failure);
}

static dualseal_status finish_agreement(const bench *b, dualseal_chain_reader *reader)
{
    dualseal_agreed_chain *agreed = NULL;
    (void)b;
    dualseal_status status = dualseal_chain_reader_finish_agreement(reader, &agreed, &failure);
    dualseal_agreed_chain_free(agreed);
    return status;
}

static dualseal_status begin_ring(const bench *b, dualseal_chain_reader **reader)
{
    return dualseal_chain_reader_new_ring(SIZED(b->ring_json), b->ring_key, NULL, 0, b->checkpoint, reader, &failure);
}

static dualseal_status finish_ring(const bench *b, dualseal_chain_reader *reader)
{
    dualseal_ring *ring = NULL;
    (void)b;
    dualseal_status status = dualseal_chain_reader_finish_ring(reader, &ring, NULL, &failure);
    dualseal_ring_free(ring);
    return status;
}

static dualseal_status begin_consistency(const bench *b, dualseal_chain_reader **reader)
{
    return dualseal_chain_reader_new_consistency(b->checkpoint, b->checkpoint, reader, &failure);
}

static dualseal_status finish_consistency(const bench *b, dualseal_chain_reader *reader)
{
    dualseal_consistency found = 0;
    (void)b;
    return dualseal_chain_reader_finish_consistency(reader, &found, &failure);
}

static dualseal_status begin_session(const bench *b, dualseal_chain_reader **reader)
{
    return dualseal_chain_reader_new_session(b->domain, ANA, b->founder, b->checkpoint, reader, &failure);
}

static dualseal_status finish_session(const bench *b, dualseal_chain_reader *reader)
{
    dualseal_session_in_force *in_force = NULL;
    (void)b;
    dualseal_status status = dualseal_chain_reader_finish_session(reader, SIZED("[]"), NULL, &in_force, &failure);
    dualseal_session_in_force_free(in_force);
    return status;
}

static dualseal_status begin_split(const bench *b, dualseal_chain_reader **reader)
{
    uint8_t secret[32];
    dualseal_vault_master *master = NULL;
    memset(secret, 3, sizeof secret);
    OK(dualseal_vault_master_from_secret(b->domain, secret, sizeof secret, &master, &failure));
    dualseal_status status = dualseal_chain_reader_new_split(master, ANA, ANA, b->checkpoint, NULL, reader, &failure);
    dualseal_vault_master_free(master);
    return status;
}

static dualseal_status finish_split(const bench *b, dualseal_chain_reader *reader)
{
    dualseal_split_in_force *in_force = NULL;
    (void)b;
    dualseal_status status = dualseal_chain_reader_finish_split(reader, &in_force, NULL, &failure);
    dualseal_split_in_force_free(in_force);
    return status;
}

static dualseal_status begin_ledger(const bench *b, dualseal_chain_reader **reader)
{
    return dualseal_chain_reader_new_ledger(b->domain, ANA, NULL, b->checkpoint, reader, &failure);
}

static dualseal_status finish_ledger(const bench *b, dualseal_chain_reader *reader)
{
    dualseal_located_ledger *places = NULL;
    (void)b;
    dualseal_status status = dualseal_chain_reader_finish_ledger(reader, &places, NULL, &failure);
    dualseal_located_ledger_free(places);
    return status;
}

/* Each reader, and how it ends over the whole chain, which is one note. */
static const struct {
    dualseal_status (*begin)(const bench *, dualseal_chain_reader **);
    dualseal_status (*finish)(const bench *, dualseal_chain_reader *);
    int32_t whole;
} readers[] = {
    {begin_agreement, finish_agreement, DUALSEAL_OK},
    {begin_ring, finish_ring, DUALSEAL_OK},
    {begin_consistency, finish_consistency, DUALSEAL_OK},
    {begin_session, finish_session, DUALSEAL_STATUS_SESSION_ABSENT},
    {begin_split, finish_split, DUALSEAL_STATUS_NO_SPLIT},
    {begin_ledger, finish_ledger, DUALSEAL_OK},
};

static void an_ended_reader_takes_nothing_more(const bench *b)
{
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        for (int whole = 0; whole < 2; whole++) {
            dualseal_chain_reader *reader = NULL;
            OK(readers[i].begin(b, &reader));
            if (whole) {
                OK(dualseal_chain_reader_push(reader, SIZED(b->line), &failure));
            }
            GIVES(whole ? readers[i].whole : DUALSEAL_STATUS_CHAIN_TRUNCATED, readers[i].finish(b, reader));
            GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_chain_reader_push(reader, SIZED(b->line), &failure));
            GIVES(DUALSEAL_STATUS_STREAM_ENDED, readers[i].finish(b, reader));
            dualseal_chain_reader_free(reader);
        }
    }
}

int main(void)
{
    bench b;
    set_up(&b);
    an_ended_reader_takes_nothing_more(&b);
    tear_down(&b);
    return 0;
}
