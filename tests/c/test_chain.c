/* Heads, chains and the streaming checker. */
#include "check.h"

/* By Python's hashlib, Z being '0' * 128: h = sha3_512(f"{ANA}|received|{Z}|0".encode()).hexdigest() and
 * T = sha3_512(f"{Z}|{h}|2026-11-21T09:00:00.000Z".encode()).hexdigest(). */
#define H                                                              \
    "180b07974cba18c7eaba46f90a32099bf6aed8276b174859ccee8b2153020b5c" \
    "df605ee705dd4ec3372575109ff581544a950cb3c9ff3e432f0130fb4a8f88c7"
#define T                                                              \
    "df2fc76ab65d8461b11b1c05c1fae458c2e2e4ac71a6244aa91d474b562dc241" \
    "e077ac7c8cf9e6b85f6b738b74bd0805c500ab78f5766e8147fd0e662259173b"
#define ZEROS                                                          \
    "0000000000000000000000000000000000000000000000000000000000000000" \
    "0000000000000000000000000000000000000000000000000000000000000000"
/* The entry as a line of a chain, and with the members that follow "prev". */
#define LINE "{\"h\":\"" H "\",\"poruka\":\"received\",\"prev\":\"" ZEROS "\"" TAIL "}"
#define TAIL ",\"t\":\"2026-11-21T09:00:00.000Z\",\"w3\":\"" ANA "\""
#define ENTRY "{\"h\":\"" H "\",\"poruka\":\"received\",\"prev\":\"" ZEROS "\",\"seq\":0" TAIL "}"

static void append(dualseal_head *head, const dualseal_domain *domain, const char *message, char **entry)
{
    OK(dualseal_head_append(head, domain, ANA, message, TIME, entry, &failure));
}

static void check_top(const dualseal_head *head, const char *top, const char *time_top)
{
    char hash[DUALSEAL_CHAIN_HASH_TEXT_BYTES];
    OK(dualseal_head_top(head, hash, sizeof hash, &failure));
    CHECK(strcmp(hash, top) == 0);
    OK(dualseal_head_time_top(head, hash, sizeof hash, &failure));
    CHECK(strcmp(hash, time_top) == 0);
}

static void an_entry_has_its_known_hash(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_head *head = test_head(), *copy = NULL;
    char *entry = NULL;
    check_top(head, ZEROS, ZEROS);
    OK(dualseal_head_clone(head, &copy, &failure));
    append(head, domain, "received", &entry);
    CHECK(strcmp(entry, ENTRY) == 0);
    CHECK(size_of_chain(head) == 1);
    check_top(head, H, T);
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
          dualseal_head_append(head, domain, ANA, "DUALSEAL-SIGN::RING::1", TIME, &entry, &failure));
    FAILS(DUALSEAL_STATUS_UTF8, "message", 0, dualseal_head_append(head, domain, ANA, "\xfe", TIME, &entry, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "timestamp", -1, dualseal_head_append(head, domain, ANA, "", -1, &entry, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "timestamp", -1,
          dualseal_head_append(head, domain, ANA, "", INT64_MAX, &entry, &failure));
    FAILS(DUALSEAL_STATUS_LENGTH, "identity_id", -1, dualseal_head_append(head, domain, "", "", 0, &entry, &failure));
    CHECK(entry == NULL);
    CHECK(size_of_chain(head) == 0);

    mark(hash, sizeof hash);
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "top", -1, dualseal_head_top(head, hash, sizeof hash, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "time_top", -1, dualseal_head_time_top(head, hash, 128, &failure));
    CHECK(marked(hash, sizeof hash));
    dualseal_head_free(head);
    dualseal_domain_free(domain);
}

static void a_chain_is_kept_shown_and_resumed(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_head *head = test_head(), *resumed = NULL;
    dualseal_chain *chain = NULL, *again = NULL;
    char *one = NULL, *two = NULL, *json = NULL, *json_again = NULL;
    append(head, domain, "received", &one);
    append(head, domain, "paid", &two);

    OK(dualseal_chain_new(&chain, &failure));
    FAILS(DUALSEAL_STATUS_CHAIN_FORMAT, NULL, 0, dualseal_chain_push(chain, two, &failure));
    OK(dualseal_chain_push(chain, one, &failure));
    OK(dualseal_chain_push(chain, two, &failure));
    OK(dualseal_chain_to_json(chain, &json, &failure));
    CHECK(strncmp(json, "[" LINE ",{", strlen("[" LINE ",{")) == 0);

    OK(dualseal_chain_from_json(json, &again, &failure));
    OK(dualseal_chain_to_json(again, &json_again, &failure));
    CHECK(strcmp(json, json_again) == 0);
    OK(dualseal_chain_head(again, &resumed, &failure));
    CHECK(size_of_chain(resumed) == 2);

    /* Appending goes on from there as from the first head. */
    char *three = NULL, *three_again = NULL;
    append(head, domain, "shipped", &three);
    append(resumed, domain, "shipped", &three_again);
    CHECK(strcmp(three, three_again) == 0);

    dualseal_string_free(three_again);
    dualseal_string_free(three);
    dualseal_string_free(json_again);
    dualseal_string_free(json);
    dualseal_string_free(two);
    dualseal_string_free(one);
    dualseal_chain_free(again);
    dualseal_chain_free(chain);
    dualseal_head_free(resumed);
    dualseal_head_free(head);
    dualseal_domain_free(domain);
}

/* Every fault of a chain, by an array and by lines; each names the entry. */
static void check_fault(const char *line, int32_t expected)
{
    const char *form[] = {"[", "]", "," LINE "]"};
    dualseal_chain *chain = NULL;
    dualseal_chain_checker *checker = NULL;
    dualseal_head *head = NULL;
    for (int more = 1; more <= 2; more++) {
        char *array = (char *)owned(malloc(strlen(line) + strlen(LINE) + 8));
        strcpy(array, form[0]);
        strcat(array, line);
        strcat(array, form[more]);
        FAILS(expected, NULL, 0, dualseal_chain_from_json(array, &chain, &failure));
        free(array);
    }
    CHECK(chain == NULL);

    OK(dualseal_chain_checker_new(NULL, &checker, &failure));
    FAILS(expected, NULL, 0, dualseal_chain_checker_push_line(checker, line, &failure));
    OK(dualseal_chain_checker_head(checker, &head, &failure));
    CHECK(size_of_chain(head) == 0);
    /* The right entry is still good after a bad one. */
    OK(dualseal_chain_checker_push_line(checker, LINE, &failure));
    dualseal_head_free(head);
    dualseal_chain_checker_free(checker);
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
    dualseal_chain *chain = NULL;
    FAILS(DUALSEAL_STATUS_WRONG_TYPE, "krunica", -1, dualseal_chain_from_json("{}", &chain, &failure));
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX, dualseal_chain_from_json("[", &chain, &failure));
    CHECK(chain == NULL);
}

static void the_checker_streams_both_forms(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_head *head = test_head(), *middle = NULL, *end = NULL;
    dualseal_chain_checker *checker = NULL, *resumed = NULL;
    char *one = NULL, *two = NULL;
    append(head, domain, "received", &one);
    append(head, domain, "paid", &two);

    OK(dualseal_chain_checker_new(NULL, &checker, &failure));
    OK(dualseal_chain_checker_push_line(checker, LINE, &failure));
    OK(dualseal_chain_checker_head(checker, &middle, &failure));
    check_top(middle, H, T);
    FAILS(DUALSEAL_STATUS_CHAIN_PREV, NULL, 1, dualseal_chain_checker_push_line(checker, LINE, &failure));
    FAILS(DUALSEAL_STATUS_CHAIN_FORMAT, NULL, 1, dualseal_chain_checker_push_entry(checker, one, &failure));
    FAILS(DUALSEAL_STATUS_MISSING_MEMBER, "seq", -1, dualseal_chain_checker_push_entry(checker, LINE, &failure));
    FAILS(DUALSEAL_STATUS_CHAIN_MEMBERS, NULL, 1, dualseal_chain_checker_push_line(checker, two, &failure));
    OK(dualseal_chain_checker_push_entry(checker, two, &failure));

    OK(dualseal_chain_checker_new(middle, &resumed, &failure));
    OK(dualseal_chain_checker_push_entry(resumed, two, &failure));
    OK(dualseal_chain_checker_head(resumed, &end, &failure));
    CHECK(size_of_chain(end) == 2);

    dualseal_string_free(two);
    dualseal_string_free(one);
    dualseal_chain_checker_free(resumed);
    dualseal_chain_checker_free(checker);
    dualseal_head_free(end);
    dualseal_head_free(middle);
    dualseal_head_free(head);
    dualseal_domain_free(domain);
}

int main(void)
{
    an_entry_has_its_known_hash();
    a_refused_message_changes_nothing();
    a_chain_is_kept_shown_and_resumed();
    every_fault_is_named();
    the_checker_streams_both_forms();
    return 0;
}
