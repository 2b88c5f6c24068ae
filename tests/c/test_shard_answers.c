/* What nodes answer that were asked for their shards: who is at fault, and the health of what arrived. */
#include "shards.h"

/* What becomes of shard 1, as a node answered it. */
static char *answered(const bench *b, const char *whose, const char *answer, dualseal_status *outcome)
{
    char id[65], *own = element(b->shards, 0), *shard = NULL;
    member(own, "\"shard_id\":\"", id, 64);
    OK(dualseal_shard_from_answer(b->master, whose, id, 1, (const uint8_t *)answer, strlen(answer), &shard, outcome,
                                  &failure));
    free(own);
    return shard;
}

static dualseal_status verified(const bench *b, const char *whose, const char *answer)
{
    dualseal_status outcome = DUALSEAL_STATUS_PANIC;
    dualseal_string_free(answered(b, whose, answer, &outcome));
    return outcome;
}

static void bad_shards_are_named(const bench *b)
{
    nonces known = {"", 0};
    char *shard = element(b->shards, 0), *bad = replaced(shard, "a.example", "x.example"), *no = NULL;
    char *given = slice(b->shards, 1, 3), *mixed = with(given, bad), *one = slice(b->shards, 0, 1);
    char *twice = with(one, bad), *few = slice(b->shards, 1, 2), *still_few = with(few, bad);
    CHECK(verified(b, ANA, shard) == DUALSEAL_OK && verified(b, BOB, shard) == DUALSEAL_STATUS_SHARD_SEAL);
    CHECK(verified(b, ANA, bad) == DUALSEAL_STATUS_SHARD_IDENTIFIER);
    char *request = to_rebuild(b, mixed);
    dualseal_presence *presence = gate_for(b, b->public_key, request, SOON);
    OK(rebuild(b, request, mixed, presence, TIME, &known, "{\"culprits\":[1],\"misdealt\":[]}"));
    FAILS(DUALSEAL_STATUS_REPEATED, "shard_ids", 1, ask(b->rebuilding, twice, &no));
    CHECK(rebuild(b, request, twice, presence, TIME, &known, "") == DUALSEAL_STATUS_TOO_FEW_SHARES);
    CHECK(strcmp(dualseal_error_faults(failure), FAULTS("[]", "[]")) == 0);
    forget();
    GIVES(DUALSEAL_STATUS_TOO_FEW_SHARES, rebuild(b, request, few, presence, TIME, &known, ""));
    CHECK(rebuild(b, request, still_few, presence, TIME, &known, "") == DUALSEAL_STATUS_TOO_FEW_SHARES);
    CHECK(strcmp(dualseal_error_faults(failure), FAULTS("[1]", "[]")) == 0);
    forget();
    GIVES(DUALSEAL_STATUS_NO_SHARDS, rebuild(b, request, "[]", presence, TIME, &known, ""));
    /* What is no shard is named by its position. */
    char *junk = with(given, "{}");
    FAILS(DUALSEAL_STATUS_MISSING_MEMBER, NULL, 2, rebuild(b, request, junk, presence, TIME, &known, ""));
    CHECK(no == NULL && known.calls == 1);
    dualseal_presence_free(presence);
    dualseal_string_free(request);
    free(junk);
    free(still_few);
    free(few);
    free(twice);
    free(one);
    free(mixed);
    free(given);
    free(bad);
    free(shard);
}

/* Node 1 answers with something else than its shard, in the name of node 2, which is absent, or in its own. */
static void a_lie_names_who_sent_it(const bench *b)
{
    dualseal_preparation *again = NULL;
    nonces known = {"", 0};
    char id[65], *own = element(b->shards, 0), *second = element(b->shards, 1), *other = NULL, *junk = NULL;
    OK(dualseal_shard_prepare(b->master, SIZED(b->record), b->nonce, 2, nodes, 3, b->secret, &other, &again, &failure));
    char *in_his_name = replaced(second, "b.example", "x.example"), *stranger = element(other, 1);
    char *one = slice(b->shards, 2, 3), *two = slice(b->shards, 1, 3), *request = to_rebuild(b, b->shards);
    const char *lies[] = {"", "\xff\xfe", "{}", "],[", in_his_name, second, stranger};
    member(own, "\"shard_id\":\"", id, 64);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        junk = answered(b, ANA, lies[i], NULL);
        CHECK(verified(b, ANA, lies[i]) == DUALSEAL_STATUS_SHARD_IDENTIFIER);
        char *few = with(one, junk), *enough = with(two, junk);
        dualseal_presence *presence = gate_for(b, b->public_key, request, SOON);
        CHECK(rebuild(b, request, few, presence, TIME, &known, "") == DUALSEAL_STATUS_TOO_FEW_SHARES);
        CHECK(strcmp(dualseal_error_faults(failure), FAULTS("[1]", "[]")) == 0);
        forget();
        memset(&known, 0, sizeof known);
        OK(rebuild(b, request, enough, presence, TIME, &known, "{\"culprits\":[1],\"misdealt\":[]}"));
        dualseal_presence_free(presence);
        free(enough);
        free(few);
        dualseal_string_free(junk);
    }
    junk = answered(b, ANA, own, NULL);
    CHECK(strcmp(junk, own) == 0);
    dualseal_string_free(junk);
    junk = NULL;
    const dualseal_vault_master *m = b->master;
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 256,
          dualseal_shard_from_answer(m, ANA, id, 256, NULL, 0, &junk, NULL, &failure));
    NULL_IS("master", dualseal_shard_from_answer(NULL, ANA, id, 1, NULL, 0, &junk, NULL, &failure));
    NULL_IS("identity_id", dualseal_shard_from_answer(m, NULL, id, 1, NULL, 0, &junk, NULL, &failure));
    NULL_IS("shard_id", dualseal_shard_from_answer(m, ANA, NULL, 1, NULL, 0, &junk, NULL, &failure));
    NULL_IS("answer", dualseal_shard_from_answer(m, ANA, id, 1, NULL, 1, &junk, NULL, &failure));
    NULL_IS("shard_json", dualseal_shard_from_answer(m, ANA, id, 1, NULL, 0, NULL, NULL, &failure));
    CHECK(junk == NULL);
    dualseal_preparation_free(again);
    dualseal_string_free(request);
    dualseal_string_free(other);
    free(two);
    free(one);
    free(stranger);
    free(in_his_name);
    free(second);
    free(own);
}

static void the_health_of_a_set_is_told(const bench *b)
{
    dualseal_preparation *again = NULL;
    char *given = slice(b->shards, 1, 3), *of = element(b->shards, 0), *bad = replaced(of, "a.example", "x.example");
    char *other = NULL, *none = NULL;
    health(b->rebuilding, of, b->shards, ALL);
    health(b->rebuilding, of, given, "{\"foreign\":[],\"invalid\":[],\"missing\":[1],\"present\":[2,3]}");
    health(b->rebuilding, of, "[]", "{\"foreign\":[],\"invalid\":[],\"missing\":[1,2,3],\"present\":[]}");
    char *with_bad = with(given, bad);
    health(b->rebuilding, of, with_bad, "{\"foreign\":[],\"invalid\":[1],\"missing\":[1],\"present\":[2,3]}");
    /* The same secret dealt again: its shards are another splitting's. */
    OK(dualseal_shard_prepare(b->master, SIZED(b->record), b->nonce, 2, nodes, 3, b->secret, &other, &again, &failure));
    char *stranger = element(other, 1), *with_both = with(with_bad, stranger);
    health(b->rebuilding, of, with_both, "{\"foreign\":[2],\"invalid\":[1],\"missing\":[1],\"present\":[2,3]}");
    health(b->rebuilding, stranger, with_both,
           "{\"foreign\":[2,3],\"invalid\":[1],\"missing\":[1,3],\"present\":[2]}");
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX, dualseal_rebuilding_health(b->rebuilding, SIZED(""), SIZED(given), &none,
        &failure));
    NULL_IS("rebuilding", dualseal_rebuilding_health(NULL, SIZED(of), SIZED(given), &none, &failure));
    NULL_IS("shard_json", dualseal_rebuilding_health(b->rebuilding, SIZED(NULL), SIZED(given), &none, &failure));
    NULL_IS("shards_json", dualseal_rebuilding_health(b->rebuilding, SIZED(of), SIZED(NULL), &none, &failure));
    NULL_IS("health_json", dualseal_rebuilding_health(b->rebuilding, SIZED(of), SIZED(given), NULL, &failure));
    CHECK(none == NULL);
    free(with_both);
    free(stranger);
    free(with_bad);
    free(bad);
    free(of);
    free(given);
    dualseal_preparation_free(again);
    dualseal_string_free(other);
}

int main(void)
{
    bench b;
    set_up(&b);
    bad_shards_are_named(&b);
    a_lie_names_who_sent_it(&b);
    the_health_of_a_set_is_told(&b);
    tear_down(&b);
    return 0;
}
