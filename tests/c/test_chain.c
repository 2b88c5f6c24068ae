/* Heads, and chains read for themselves. */
#include "check.h"

/* By Python's hashlib, Z being '0' * 128: h = sha3_512(f"{ANA}|received|{Z}|0".encode()).hexdigest() and
 * R = sha256(b"\0" + leaf), the leaf being {"h":...,"seq":0,"t":"2026-11-21T09:00:00.000Z"}. */
#define H                                                              \
    "180b07974cba18c7eaba46f90a32099bf6aed8276b174859ccee8b2153020b5c" \
    "df605ee705dd4ec3372575109ff581544a950cb3c9ff3e432f0130fb4a8f88c7"
#define R "bdaaeec4caf9f9f6d4349e5dd0030716d1b599a5f938780985689c0642182c70"
#define NOTHING "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define ZEROS                                                          \
    "0000000000000000000000000000000000000000000000000000000000000000" \
    "0000000000000000000000000000000000000000000000000000000000000000"
/* The entry as a line of a chain, and with the members that follow "prev". */
#define LINE "{\"h\":\"" H "\",\"poruka\":\"received\",\"prev\":\"" ZEROS "\"" TAIL "}"
#define TAIL ",\"t\":\"2026-11-21T09:00:00.000Z\",\"w3\":\"" ANA "\""
#define ENTRY "{\"h\":\"" H "\",\"poruka\":\"received\",\"prev\":\"" ZEROS "\",\"seq\":0" TAIL "}"

static void append(dualseal_head *head, const dualseal_domain *domain, const char *message, char **entry)
{
    OK(dualseal_head_append(head, domain, ANA, SIZED(message), TIME, entry, &failure));
}

static void check_top(const dualseal_head *head, const char *top, const char *root)
{
    char one[DUALSEAL_CHAIN_HASH_TEXT_BYTES], other[DUALSEAL_ID_TEXT_BYTES];
    OK(dualseal_head_parts(head, NULL, one, sizeof one, other, sizeof other, NULL, &failure));
    CHECK(strcmp(one, top) == 0 && strcmp(other, root) == 0);
}

/* The entry, which is freed, as a line of the chain. */
static char *line_of(char *entry)
{
    char *line = NULL;
    OK(dualseal_entry_parts(SIZED(entry), &line, NULL, 0, &failure));
    dualseal_string_free(entry);
    return line;
}

static void an_entry_has_its_known_hash(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_head *head = test_head(), *copy = copy_of(head);
    char *entry = NULL;
    check_top(head, ZEROS, NOTHING);
    append(head, domain, "received", &entry);
    CHECK(strcmp(entry, ENTRY) == 0);
    CHECK(size_of_chain(head) == 1);
    check_top(head, H, R);
    /* A copy stays where it was. */
    CHECK(size_of_chain(copy) == 0);
    dualseal_string_free(entry);
    dualseal_head_free(copy);
    dualseal_head_free(head);
    dualseal_domain_free(domain);
}

static void a_refused_message_changes_nothing(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_head *head = test_head();
    char *entry = NULL, hash[DUALSEAL_CHAIN_HASH_TEXT_BYTES + 1];
    GIVES(DUALSEAL_STATUS_RESERVED_MESSAGE,
          dualseal_head_append(head, domain, ANA, SIZED("DUALSEAL-SIGN::RING::1"), TIME, &entry, &failure));
    FAILS(DUALSEAL_STATUS_UTF8, "message", 0, dualseal_head_append(head, domain, ANA, SIZED("\xfe"), TIME, &entry,
        &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "timestamp", -1, dualseal_head_append(head, domain, ANA, SIZED(""), -1, &entry,
        &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "timestamp", -1,
          dualseal_head_append(head, domain, ANA, SIZED(""), INT64_MAX, &entry, &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "identity_id", -1, dualseal_head_append(head, domain, "", SIZED(""), 0, &entry,
        &failure));
    CHECK(entry == NULL);
    CHECK(size_of_chain(head) == 0);

    mark(hash, sizeof hash);
    uint64_t size = 7;
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "top", -1,
          dualseal_head_parts(head, &size, hash, sizeof hash, NULL, 0, NULL, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "root", -1,
          dualseal_head_parts(head, &size, NULL, 0, hash, 64, NULL, &failure));
    CHECK(size == 7);
    CHECK(marked(hash, sizeof hash));
    dualseal_head_free(head);
    dualseal_domain_free(domain);
}

static void a_chain_is_kept_and_resumed(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_head *head = test_head(), *middle = NULL, *end = NULL;
    dualseal_chain_reader *resumed = NULL;
    char *one = NULL, *two = NULL, *three = NULL, *again = NULL;
    append(head, domain, "received", &one);
    append(head, domain, "paid", &two);
    FAILS(DUALSEAL_STATUS_MISSING_MEMBER, "seq", -1, dualseal_entry_parts(SIZED(LINE), &again, NULL, 0, &failure));
    one = line_of(one);
    two = line_of(two);
    CHECK(strcmp(one, LINE "\n") == 0);

    middle = head_after(domain, &one, 1);
    check_top(middle, H, R);
    OK(dualseal_chain_reader_new(domain, middle, NO_CHECKPOINT, NULL, &resumed, &failure));
    dualseal_proofs_free(read_to(resumed, &two, 1, &end));
    CHECK(size_of_chain(end) == 2);
    /* The second bad entry is the first one's fault again. */
    const char *const bad[] = {two, LINE, ENTRY};
    const int32_t faults[] = {DUALSEAL_STATUS_CHAIN_PREV, DUALSEAL_STATUS_CHAIN_PREV, DUALSEAL_STATUS_CHAIN_MEMBERS};
    for (int i = 0; i < 3; i++) {
        dualseal_chain_reader *reader = reader_under(domain, NULL);
        dualseal_proofs *proofs = NULL;
        if (i > 0) {
            OK(dualseal_chain_reader_push(reader, SIZED(one), &failure));
        }
        FAILS(faults[i], NULL, i > 0, dualseal_chain_reader_push(reader, SIZED(bad[i]), &failure));
        FAILS(faults[i], NULL, i > 0, dualseal_chain_reader_push(reader, SIZED(i > 0 ? two : one), &failure));
        FAILS(faults[i], NULL, i > 0, dualseal_chain_reader_finish(reader, &proofs, NULL, NULL, &failure));
        CHECK(proofs == NULL);
        dualseal_chain_reader_free(reader);
    }
    /* Appending goes on from there as from the first head. */
    append(head, domain, "shipped", &three);
    append(end, domain, "shipped", &again);
    CHECK(strcmp(three, again) == 0);

    dualseal_string_free(again);
    dualseal_string_free(three);
    dualseal_string_free(two);
    dualseal_string_free(one);
    dualseal_head_free(end);
    dualseal_head_free(middle);
    dualseal_head_free(head);
    dualseal_domain_free(domain);
}

/* Every fault of a chain names the entry, and the right one comes too late after a bad one. */
static void check_fault(const char *line, int32_t expected)
{
    dualseal_domain *domain = test_domain();
    dualseal_chain_reader *reader = reader_under(domain, NULL);
    FAILS(expected, NULL, 0, dualseal_chain_reader_push(reader, SIZED(line), &failure));
    FAILS(expected, NULL, 0, dualseal_chain_reader_push(reader, SIZED(LINE), &failure));
    dualseal_chain_reader_free(reader);
    dualseal_domain_free(domain);
}

static void every_fault_is_named(void)
{
    const struct {
        const char *from, *to;
        int32_t status;
    } cases[] = {
        {"\"poruka\"", "\"poruke\"", DUALSEAL_STATUS_CHAIN_MEMBERS},
        {"\"prev\":\"00", "\"prev\":\"01", DUALSEAL_STATUS_CHAIN_PREV},
        {"2026", "26", DUALSEAL_STATUS_CHAIN_FORMAT},
        {"received", "refused!", DUALSEAL_STATUS_CHAIN_HASH},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *line = replaced(LINE, cases[i].from, cases[i].to);
        check_fault(line, cases[i].status);
        free(line);
    }
    check_fault("{}", DUALSEAL_STATUS_CHAIN_MEMBERS);
}

/* A head is stored as its JSON; without that it is the one of an empty chain. */
static void a_head_is_its_json(void)
{
    dualseal_head *head = NULL;
    uint64_t size = 7;
    char *json = NULL;
    OK(dualseal_head_new(SIZED("{\"frontier\":[\"" R "\"],\"size\":1,\"top\":\"" H "\"}"), &head, &failure));
    check_top(head, H, R);
    OK(dualseal_head_parts(head, &size, NULL, 0, NULL, 0, NULL, &failure));
    CHECK(size == 1);
    OK(dualseal_head_parts(head, NULL, NULL, 0, NULL, 0, &json, &failure));
    CHECK(strcmp(json, "{\"frontier\":[\"" R "\"],\"size\":1,\"top\":\"" H "\"}") == 0);
    dualseal_head_free(head);
    dualseal_string_free(json);
    json = NULL;
    head = test_head();
    check_top(head, ZEROS, NOTHING);
    OK(dualseal_head_parts(head, NULL, NULL, 0, NULL, 0, &json, &failure));
    CHECK(strcmp(json, "{\"frontier\":[],\"size\":0,\"top\":\"" ZEROS "\"}") == 0);
    dualseal_string_free(json);
    dualseal_head_free(head);
    head = NULL;
    json = NULL;
    FAILS(DUALSEAL_STATUS_RANGE, "frontier", -1,
          dualseal_head_new(SIZED("{\"frontier\":[],\"size\":1,\"top\":\"" H "\"}"), &head, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "top", -1,
          dualseal_head_new(SIZED("{\"frontier\":[],\"size\":0,\"top\":\"" H "\"}"), &head, &failure));
    NULL_IS("head", dualseal_head_new(NULL, 0, NULL, &failure));
    NULL_IS("head", dualseal_head_parts(NULL, NULL, NULL, 0, NULL, 0, &json, &failure));
    CHECK(head == NULL && json == NULL);
}

int main(void)
{
    an_entry_has_its_known_hash();
    a_refused_message_changes_nothing();
    a_chain_is_kept_and_resumed();
    every_fault_is_named();
    a_head_is_its_json();
    return 0;
}
