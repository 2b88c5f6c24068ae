/* Secret sharing over both fields, and streams encrypted under a drawn secret. */
#include "check.h"

#define FP521 DUALSEAL_FIELD_FP521
#define GF2_256 DUALSEAL_FIELD_GF2_256

typedef struct {
    dualseal_domain *domain;
    dualseal_field field;
    size_t bytes;
    dualseal_secret *secret;
    dualseal_dealing *dealing;
    dualseal_shares *shares;
} bench;

static void set_up(bench *b, dualseal_field field)
{
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->field = field;
    b->bytes = field == FP521 ? 66 : 32;
    OK(dualseal_secret_draw(field, &b->secret, &failure));
    OK(dualseal_dealing_deal(b->domain, b->secret, 3, 5, &b->dealing, &b->shares, &failure));
}

static void tear_down(bench *b)
{
    dualseal_shares_free(b->shares);
    dualseal_dealing_free(b->dealing);
    dualseal_secret_free(b->secret);
    dualseal_domain_free(b->domain);
}

static size_t count_of(const dualseal_shares *shares)
{
    size_t count = SIZE_MAX;
    OK(dualseal_shares_count(shares, &count, &failure));
    return count;
}

/* The shares from `from` to before `to`; the one at `bad` has another value. */
static dualseal_shares *some(const bench *b, size_t from, size_t to, size_t bad)
{
    dualseal_shares *list = NULL;
    OK(dualseal_shares_new(b->field, &list, &failure));
    for (size_t i = from; i < to; i++) {
        uint8_t index = 0;
        char *value = NULL;
        OK(dualseal_shares_get(b->shares, i, &index, &value, &failure));
        CHECK(index == i + 1 && strlen(value) == 2 * b->bytes);
        if (i == bad) {
            value[2 * b->bytes - 1] = value[2 * b->bytes - 1] == '0' ? '1' : '0';
        }
        OK(dualseal_shares_push(list, index, value, &failure));
        dualseal_string_free(value);
    }
    return list;
}

static int same_secret(const dualseal_secret *one, const dualseal_secret *two)
{
    uint8_t *first = NULL, *second = NULL;
    size_t first_len = 0, second_len = 0;
    OK(dualseal_secret_bytes(one, &first, &first_len, &failure));
    OK(dualseal_secret_bytes(two, &second, &second_len, &failure));
    int same = first_len == second_len && memcmp(first, second, first_len) == 0;
    dualseal_bytes_free(first);
    dualseal_bytes_free(second);
    return same;
}

static void enough_shares_give_the_secret_and_name_the_culprit(const bench *b)
{
    dualseal_secret *secret = NULL;
    uint8_t *culprits = NULL;
    size_t len = 9;
    dualseal_shares *list = some(b, 0, 4, 1);
    OK(dualseal_dealing_reconstruct(b->dealing, list, &secret, &culprits, &len, &failure));
    CHECK(len == 1 && culprits[0] == 2 && same_secret(secret, b->secret));
    dualseal_secret_free(secret);
    dualseal_bytes_free(culprits);
    dualseal_shares_free(list);
    secret = NULL;
    culprits = NULL;

    list = some(b, 0, 3, 2);
    dualseal_error *error = NULL;
    CHECK(dualseal_dealing_reconstruct(b->dealing, list, &secret, &culprits, &len, &error)
          == DUALSEAL_STATUS_TOO_FEW_SHARES);
    size_t blamed = 0;
    const uint8_t *indices = dualseal_error_culprits(error, &blamed);
    CHECK(blamed == 1 && indices[0] == 3 && dualseal_error_culprits(error, NULL) == indices);
    dualseal_error_free(error);
    blamed = 7;
    CHECK(dualseal_error_culprits(NULL, &blamed) == NULL && blamed == 0);
    CHECK(secret == NULL && culprits == NULL && len == 1);
    dualseal_shares_free(list);

    list = some(b, 0, 3, 9);
    dualseal_shares *twice = some(b, 0, 3, 9);
    char *value = NULL;
    uint8_t index = 0;
    OK(dualseal_shares_get(twice, 0, &index, &value, &failure));
    OK(dualseal_shares_push(twice, index, value, &failure));
    FAILS(DUALSEAL_STATUS_REPEATED, "indeks", 1,
          dualseal_dealing_reconstruct(b->dealing, twice, &secret, &culprits, &len, &failure));
    dualseal_string_free(value);

    NULL_IS("dealing", dualseal_dealing_reconstruct(NULL, list, &secret, &culprits, &len, &failure));
    NULL_IS("shares", dualseal_dealing_reconstruct(b->dealing, NULL, &secret, &culprits, &len, &failure));
    NULL_IS("secret", dualseal_dealing_reconstruct(b->dealing, list, NULL, &culprits, &len, &failure));
    NULL_IS("culprits", dualseal_dealing_reconstruct(b->dealing, list, &secret, NULL, &len, &failure));
    NULL_IS("culprits_len", dualseal_dealing_reconstruct(b->dealing, list, &secret, &culprits, NULL, &failure));
    dualseal_shares *other = NULL;
    OK(dualseal_shares_new(b->field == FP521 ? GF2_256 : FP521, &other, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "shares", -1,
          dualseal_dealing_reconstruct(b->dealing, other, &secret, &culprits, &len, &failure));
    CHECK(secret == NULL && culprits == NULL);
    dualseal_shares_free(other);
    dualseal_shares_free(twice);
    dualseal_shares_free(list);
}

static void a_lost_share_comes_back(const bench *b)
{
    dualseal_shares *list = some(b, 1, 4, 9), *made = NULL;
    uint8_t *culprits = NULL, index = 0, again = 0;
    size_t len = 9;
    char *value = NULL, *expected = NULL;
    OK(dualseal_dealing_repair(b->dealing, list, 1, &made, &culprits, &len, &failure));
    CHECK(len == 0 && count_of(made) == 1);
    OK(dualseal_shares_get(made, 0, &index, &value, &failure));
    OK(dualseal_shares_get(b->shares, 0, &again, &expected, &failure));
    CHECK(index == 1 && again == 1 && strcmp(value, expected) == 0);
    dualseal_bytes_free(culprits);
    dualseal_shares_free(made);
    culprits = NULL;
    made = NULL;
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 6,
          dualseal_dealing_repair(b->dealing, list, 6, &made, &culprits, &len, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 257,
          dualseal_dealing_repair(b->dealing, list, 257, &made, &culprits, &len, &failure));
    NULL_IS("dealing", dualseal_dealing_repair(NULL, list, 1, &made, &culprits, &len, &failure));
    NULL_IS("shares", dualseal_dealing_repair(b->dealing, NULL, 1, &made, &culprits, &len, &failure));
    NULL_IS("share", dualseal_dealing_repair(b->dealing, list, 1, NULL, &culprits, &len, &failure));
    NULL_IS("culprits", dualseal_dealing_repair(b->dealing, list, 1, &made, NULL, &len, &failure));
    NULL_IS("culprits_len", dualseal_dealing_repair(b->dealing, list, 1, &made, &culprits, NULL, &failure));
    CHECK(made == NULL && culprits == NULL);
    dualseal_string_free(value);
    dualseal_string_free(expected);
    dualseal_shares_free(list);
}

static void the_same_secret_is_dealt_anew(const bench *b)
{
    dualseal_dealing *refreshed = NULL, *other = NULL, *read = NULL;
    dualseal_shares *shares = NULL, *more = NULL;
    dualseal_secret *secret = NULL;
    uint8_t *culprits = NULL;
    size_t len = 9;
    char *json = NULL, *again = NULL;
    OK(dualseal_dealing_refresh(b->dealing, b->shares, &refreshed, &shares, &culprits, &len, &failure));
    CHECK(len == 0 && count_of(shares) == 5);
    dualseal_bytes_free(culprits);
    OK(dualseal_dealing_rethreshold(refreshed, shares, 2, 7, &other, &more, &culprits, &len, &failure));
    CHECK(len == 0 && count_of(more) == 7);
    dualseal_bytes_free(culprits);
    OK(dualseal_dealing_to_json(other, &json, &failure));
    OK(dualseal_dealing_from_json(b->domain, b->field, json, &read, &failure));
    OK(dualseal_dealing_to_json(read, &again, &failure));
    CHECK(strcmp(json, again) == 0);
    OK(dualseal_dealing_reconstruct(read, more, &secret, &culprits, &len, &failure));
    CHECK(same_secret(secret, b->secret));
    dualseal_bytes_free(culprits);
    culprits = NULL;
    dualseal_secret_free(secret);

    dualseal_dealing *none = NULL;
    dualseal_shares *no_shares = NULL;
    const dualseal_field wrong = b->field == FP521 ? GF2_256 : FP521;
    GIVES(DUALSEAL_STATUS_UNKNOWN_VALUE, dualseal_dealing_from_json(b->domain, wrong, json, &none, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "field", -1,
          dualseal_dealing_from_json(b->domain, (dualseal_field)0, json, &none, &failure));
    NULL_IS("domain", dualseal_dealing_from_json(NULL, b->field, json, &none, &failure));
    NULL_IS("dealing_json", dualseal_dealing_from_json(b->domain, b->field, NULL, &none, &failure));
    NULL_IS("dealing", dualseal_dealing_from_json(b->domain, b->field, json, NULL, &failure));
    NULL_IS("dealing", dualseal_dealing_to_json(NULL, &again, &failure));
    NULL_IS("dealing_json", dualseal_dealing_to_json(read, NULL, &failure));
    /* Shares of an earlier set. */
    GIVES(DUALSEAL_STATUS_TOO_FEW_SHARES,
          dualseal_dealing_refresh(refreshed, b->shares, &none, &no_shares, &culprits, &len, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "k", 1,
          dualseal_dealing_rethreshold(b->dealing, b->shares, 1, 5, &none, &no_shares, &culprits, &len, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "n", 256,
          dualseal_dealing_rethreshold(b->dealing, b->shares, 2, 256, &none, &no_shares, &culprits, &len, &failure));
    NULL_IS("dealing", dualseal_dealing_refresh(NULL, shares, &none, &no_shares, &culprits, &len, &failure));
    NULL_IS("shares", dualseal_dealing_refresh(refreshed, NULL, &none, &no_shares, &culprits, &len, &failure));
    NULL_IS("new_dealing", dualseal_dealing_refresh(refreshed, shares, NULL, &no_shares, &culprits, &len, &failure));
    NULL_IS("new_shares", dualseal_dealing_refresh(refreshed, shares, &none, NULL, &culprits, &len, &failure));
    NULL_IS("culprits", dualseal_dealing_refresh(refreshed, shares, &none, &no_shares, NULL, &len, &failure));
    NULL_IS("culprits_len", dualseal_dealing_refresh(refreshed, shares, &none, &no_shares, &culprits, NULL, &failure));
    NULL_IS("dealing", dualseal_dealing_rethreshold(NULL, shares, 2, 3, &none, &no_shares, &culprits, &len, &failure));
    NULL_IS("shares", dualseal_dealing_rethreshold(read, NULL, 2, 3, &none, &no_shares, &culprits, &len, &failure));
    NULL_IS("new_dealing", dualseal_dealing_rethreshold(read, more, 2, 3, NULL, &no_shares, &culprits, &len, &failure));
    NULL_IS("new_shares", dualseal_dealing_rethreshold(read, more, 2, 3, &none, NULL, &culprits, &len, &failure));
    NULL_IS("culprits", dualseal_dealing_rethreshold(read, more, 2, 3, &none, &no_shares, NULL, &len, &failure));
    CHECK(none == NULL && no_shares == NULL && culprits == NULL);
    dualseal_string_free(again);
    dualseal_string_free(json);
    dualseal_shares_free(more);
    dualseal_shares_free(shares);
    dualseal_dealing_free(read);
    dualseal_dealing_free(other);
    dualseal_dealing_free(refreshed);
}

static void health_is_told_without_rebuilding(const bench *b)
{
    dualseal_shares *list = some(b, 0, 3, 1);
    uint8_t *lists[4] = {NULL};
    size_t lens[4] = {0};
    OK(dualseal_dealing_health(b->dealing, list, &lists[0], &lens[0], &lists[1], &lens[1], &lists[2], &lens[2],
            &lists[3],
                               &lens[3], &failure));
    CHECK(lens[0] == 2 && memcmp(lists[0], "\1\3", 2) == 0);
    CHECK(lens[1] == 3 && memcmp(lists[1], "\2\4\5", 3) == 0);
    CHECK(lens[2] == 1 && lists[2][0] == 2);
    CHECK(lens[3] == 0);
    for (int i = 0; i < 4; i++) {
        dualseal_bytes_free(lists[i]);
    }
    const char *names[] = {"present", "present_len", "missing", "missing_len", "invalid", "invalid_len", "foreign",
                           "foreign_len"};
    for (int i = 0; i < 8; i++) {
        uint8_t *out = NULL, **places[4] = {&out, &out, &out, &out};
        size_t len = 0, *lengths[4] = {&len, &len, &len, &len};
        if (i % 2 == 0) {
            places[i / 2] = NULL;
        } else {
            lengths[i / 2] = NULL;
        }
        NULL_IS(names[i], dualseal_dealing_health(b->dealing, list, places[0], lengths[0], places[1], lengths[1],
                                                  places[2], lengths[2], places[3], lengths[3], &failure));
        CHECK(out == NULL);
    }
    NULL_IS("dealing", dualseal_dealing_health(NULL, list, &lists[0], lens, &lists[1], lens, &lists[2], lens, &lists[3],
                                               lens, &failure));
    NULL_IS("shares", dualseal_dealing_health(b->dealing, NULL, &lists[0], lens, &lists[1], lens, &lists[2], lens,
                                              &lists[3], lens, &failure));
    dualseal_shares_free(list);
}

static void without_a_dealing_nobody_vouches(const bench *b)
{
    dualseal_shares *shares = NULL, *none = NULL;
    uint8_t *bytes = NULL, *outliers = NULL, *expected = NULL;
    size_t len = 0, outliers_len = 9, expected_len = 0;
    int32_t unchecked = 7;
    OK(dualseal_secret_bytes(b->secret, &expected, &expected_len, &failure));
    CHECK(expected_len == b->bytes);
    OK(dualseal_secret_split(b->secret, 2, 4, &shares, &failure));
    OK(dualseal_shares_reconstruct_unanchored(shares, 2, &bytes, &len, &outliers, &outliers_len, &unchecked, &failure));
    CHECK(len == b->bytes && memcmp(bytes, expected, len) == 0 && outliers_len == 0 && unchecked == 0);
    dualseal_bytes_free(outliers);
    dualseal_bytes_free(bytes);
    dualseal_bytes_free(expected);
    bytes = NULL;
    outliers = NULL;
    FAILS(DUALSEAL_STATUS_RANGE, "k", 1,
          dualseal_shares_reconstruct_unanchored(shares, 1, &bytes, &len, &outliers, &outliers_len, &unchecked,
                  &failure));
    GIVES(DUALSEAL_STATUS_TOO_MANY_ERRORS, dualseal_shares_reconstruct_unanchored(
        b->shares, 2, &bytes, &len, &outliers, &outliers_len, &unchecked, &failure));
    NULL_IS("shares", dualseal_shares_reconstruct_unanchored(NULL, 2, &bytes, &len, &outliers, &outliers_len,
            &unchecked,
                                                             &failure));
    NULL_IS("bytes", dualseal_shares_reconstruct_unanchored(shares, 2, NULL, &len, &outliers, &outliers_len, &unchecked,
                                                            &failure));
    NULL_IS("bytes_len", dualseal_shares_reconstruct_unanchored(shares, 2, &bytes, NULL, &outliers, &outliers_len,
                                                                &unchecked, &failure));
    NULL_IS("outliers", dualseal_shares_reconstruct_unanchored(shares, 2, &bytes, &len, NULL, &outliers_len, &unchecked,
                                                               &failure));
    NULL_IS("outliers_len", dualseal_shares_reconstruct_unanchored(shares, 2, &bytes, &len, &outliers, NULL, &unchecked,
                                                                   &failure));
    NULL_IS("unchecked", dualseal_shares_reconstruct_unanchored(shares, 2, &bytes, &len, &outliers, &outliers_len, NULL,
                                                                &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "k", 258, dualseal_secret_split(b->secret, 258, 5, &none, &failure));
    NULL_IS("secret", dualseal_secret_split(NULL, 2, 3, &none, &failure));
    NULL_IS("shares", dualseal_secret_split(b->secret, 2, 3, NULL, &failure));
    CHECK(bytes == NULL && outliers == NULL && none == NULL);
    dualseal_shares_free(shares);
}

static void lists_refuse_what_is_no_share(const bench *b)
{
    dualseal_shares *list = some(b, 0, 1, 9), *none = NULL;
    dualseal_secret *secret = NULL;
    uint8_t index = 0, *bytes = NULL;
    char *value = NULL, top[133];
    size_t count = 7, len = 0;
    memset(top, 'f', sizeof top);
    top[2 * b->bytes] = '\0';
    FAILS(DUALSEAL_STATUS_LENGTH, "vrijednost_hex", 2, dualseal_shares_push(list, 2, "00", &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 0, dualseal_shares_push(list, 0, top, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 258, dualseal_shares_push(list, 258, top, &failure));
    if (b->field == FP521) {
        FAILS(DUALSEAL_STATUS_NOT_CANONICAL, "vrijednost_hex", 2, dualseal_shares_push(list, 2, top, &failure));
    }
    top[0] = 'F';
    FAILS(DUALSEAL_STATUS_HEX, "vrijednost_hex", 2, dualseal_shares_push(list, 2, top, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_shares_get(list, 1, &index, &value, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "field", -1, dualseal_shares_new((dualseal_field)3, &none, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "field", -1, dualseal_secret_draw((dualseal_field)0, &secret, &failure));
    CHECK(count_of(list) == 1);
    NULL_IS("shares", dualseal_shares_new(FP521, NULL, &failure));
    NULL_IS("shares", dualseal_shares_push(NULL, 2, top, &failure));
    NULL_IS("value_hex", dualseal_shares_push(list, 2, NULL, &failure));
    NULL_IS("shares", dualseal_shares_count(NULL, &count, &failure));
    NULL_IS("count", dualseal_shares_count(list, NULL, &failure));
    NULL_IS("shares", dualseal_shares_get(NULL, 0, &index, &value, &failure));
    NULL_IS("index", dualseal_shares_get(list, 0, NULL, &value, &failure));
    NULL_IS("value_hex", dualseal_shares_get(list, 0, &index, NULL, &failure));
    NULL_IS("secret", dualseal_secret_draw(FP521, NULL, &failure));
    NULL_IS("secret", dualseal_secret_bytes(NULL, &bytes, &len, &failure));
    NULL_IS("bytes", dualseal_secret_bytes(b->secret, NULL, &len, &failure));
    NULL_IS("bytes_len", dualseal_secret_bytes(b->secret, &bytes, NULL, &failure));
    dualseal_dealing *dealing = NULL;
    NULL_IS("domain", dualseal_dealing_deal(NULL, b->secret, 2, 3, &dealing, &none, &failure));
    NULL_IS("secret", dualseal_dealing_deal(b->domain, NULL, 2, 3, &dealing, &none, &failure));
    NULL_IS("dealing", dualseal_dealing_deal(b->domain, b->secret, 2, 3, NULL, &none, &failure));
    NULL_IS("shares", dualseal_dealing_deal(b->domain, b->secret, 2, 3, &dealing, NULL, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "k", 4, dualseal_dealing_deal(b->domain, b->secret, 4, 3, &dealing, &none, &failure));
    CHECK(none == NULL && secret == NULL && value == NULL && bytes == NULL && dealing == NULL && count == 7);
    dualseal_shares_free(list);
}

static void shares_travel_as_ssss_writes_them(const bench *b)
{
    dualseal_shares *read = NULL;
    char *text = NULL, *one = NULL, *two = NULL;
    uint8_t index = 0;
    OK(dualseal_shares_new(b->field, &read, &failure));
    if (b->field == FP521) {
        FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "shares", -1, dualseal_shares_ssss(b->shares, 0, 3, 5, &text, &failure));
        FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "shares", -1, dualseal_shares_push_ssss(read, "1-00", 3, &failure));
    } else {
        OK(dualseal_shares_ssss(b->shares, 1, 3, 5, &text, &failure));
        CHECK(text[0] == '2' && text[1] == '-');
        OK(dualseal_shares_push_ssss(read, text, 3, &failure));
        OK(dualseal_shares_get(read, 0, &index, &one, &failure));
        OK(dualseal_shares_get(b->shares, 1, &index, &two, &failure));
        CHECK(strcmp(one, two) == 0);
        dualseal_string_free(text);
        text = NULL;
        FAILS(DUALSEAL_STATUS_RANGE, "indeks", -2, dualseal_shares_push_ssss(read, "0-00", 3, &failure));
        FAILS(DUALSEAL_STATUS_RANGE, "position", -1, dualseal_shares_ssss(b->shares, 5, 3, 5, &text, &failure));
        FAILS(DUALSEAL_STATUS_RANGE, "k", 6, dualseal_shares_ssss(b->shares, 0, 6, 5, &text, &failure));
    }
    NULL_IS("shares", dualseal_shares_push_ssss(NULL, "", 3, &failure));
    NULL_IS("share", dualseal_shares_push_ssss(read, NULL, 3, &failure));
    NULL_IS("shares", dualseal_shares_ssss(NULL, 0, 3, 5, &text, &failure));
    NULL_IS("share", dualseal_shares_ssss(b->shares, 0, 3, 5, NULL, &failure));
    CHECK(text == NULL);
    dualseal_string_free(one);
    dualseal_string_free(two);
    dualseal_shares_free(read);
}

/* Appends what a step gave to a buffer, and frees it. */
static void gather(uint8_t *buffer, size_t *at, uint8_t *out, size_t out_len)
{
    memcpy(buffer + *at, out, out_len);
    *at += out_len;
    dualseal_bytes_free(out);
}

static void a_stream_opens_under_its_own_secret(const bench *b)
{
    static uint8_t plain[70000], stored[71000], opened[71000];
    dualseal_encryptor *encryptor = NULL;
    dualseal_decryptor *decryptor = NULL;
    dualseal_secret *other = NULL;
    uint8_t *out = NULL;
    size_t len = 0, size = 0, at = 0;
    memset(plain, 'x', sizeof plain);
    OK(dualseal_encryptor_new(b->secret, b->domain, ANA, "CONTRACT", &encryptor, &out, &len, &failure));
    gather(stored, &size, out, len);
    CHECK(size == 68);
    OK(dualseal_encryptor_update(encryptor, plain, sizeof plain, &out, &len, &failure));
    gather(stored, &size, out, len);
    NULL_IS("out", dualseal_encryptor_finish(encryptor, NULL, &len, &failure));
    OK(dualseal_encryptor_finish(encryptor, &out, &len, &failure));
    gather(stored, &size, out, len);
    CHECK(size == 68 + sizeof plain + 32);

    OK(dualseal_decryptor_new(b->secret, b->domain, ANA, "CONTRACT", &decryptor, &failure));
    OK(dualseal_decryptor_update(decryptor, stored, 100, &out, &len, &failure));
    gather(opened, &at, out, len);
    OK(dualseal_decryptor_update(decryptor, stored + 100, size - 100, &out, &len, &failure));
    gather(opened, &at, out, len);
    OK(dualseal_decryptor_finish(decryptor, &out, &len, &failure));
    gather(opened, &at, out, len);
    CHECK(at == sizeof plain && memcmp(opened, plain, at) == 0);
    out = NULL;
    GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_encryptor_update(encryptor, plain, 1, &out, &len, &failure));
    GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_encryptor_finish(encryptor, &out, &len, &failure));
    GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_decryptor_update(decryptor, plain, 1, &out, &len, &failure));
    GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_decryptor_finish(decryptor, &out, &len, &failure));
    dualseal_decryptor_free(decryptor);

    /* Another use, another secret, a changed chunk, a cut end, no stream at all. */
    OK(dualseal_secret_draw(b->field, &other, &failure));
    OK(dualseal_decryptor_new(b->secret, b->domain, ANA, "OTHER", &decryptor, &failure));
    GIVES(DUALSEAL_STATUS_STREAM_KEY, dualseal_decryptor_update(decryptor, stored, size, &out, &len, &failure));
    dualseal_decryptor_free(decryptor);
    OK(dualseal_decryptor_new(other, b->domain, ANA, "CONTRACT", &decryptor, &failure));
    dualseal_secret_free(other);
    GIVES(DUALSEAL_STATUS_STREAM_KEY, dualseal_decryptor_update(decryptor, stored, size, &out, &len, &failure));
    dualseal_decryptor_free(decryptor);
    OK(dualseal_decryptor_new(b->secret, b->domain, ANA, "CONTRACT", &decryptor, &failure));
    FAILS(DUALSEAL_STATUS_STREAM_HEADER, NULL, -2, dualseal_decryptor_update(decryptor, plain, 100, &out, &len,
            &failure));
    dualseal_decryptor_free(decryptor);
    OK(dualseal_decryptor_new(b->secret, b->domain, ANA, "CONTRACT", &decryptor, &failure));
    OK(dualseal_decryptor_update(decryptor, stored, size - 1, &out, &len, &failure));
    dualseal_bytes_free(out);
    out = NULL;
    FAILS(DUALSEAL_STATUS_STREAM_CHUNK, NULL, 1, dualseal_decryptor_finish(decryptor, &out, &len, &failure));
    dualseal_decryptor_free(decryptor);
    stored[68] ^= 1;
    OK(dualseal_decryptor_new(b->secret, b->domain, ANA, "CONTRACT", &decryptor, &failure));
    FAILS(DUALSEAL_STATUS_STREAM_CHUNK, NULL, 0, dualseal_decryptor_update(decryptor, stored, size, &out, &len,
            &failure));

    dualseal_encryptor *no_encryptor = NULL;
    dualseal_decryptor *no_decryptor = NULL;
    NULL_IS("secret", dualseal_encryptor_new(NULL, b->domain, ANA, "X", &no_encryptor, &out, &len, &failure));
    NULL_IS("domain", dualseal_encryptor_new(b->secret, NULL, ANA, "X", &no_encryptor, &out, &len, &failure));
    NULL_IS("identity_id", dualseal_encryptor_new(b->secret, b->domain, NULL, "X", &no_encryptor, &out, &len,
            &failure));
    NULL_IS("kind", dualseal_encryptor_new(b->secret, b->domain, ANA, NULL, &no_encryptor, &out, &len, &failure));
    NULL_IS("encryptor", dualseal_encryptor_new(b->secret, b->domain, ANA, "X", NULL, &out, &len, &failure));
    NULL_IS("out", dualseal_encryptor_new(b->secret, b->domain, ANA, "X", &no_encryptor, NULL, &len, &failure));
    NULL_IS("out_len", dualseal_encryptor_new(b->secret, b->domain, ANA, "X", &no_encryptor, &out, NULL, &failure));
    GIVES(DUALSEAL_STATUS_AMBIGUOUS,
          dualseal_encryptor_new(b->secret, b->domain, ANA, "a::b", &no_encryptor, &out, &len, &failure));
    NULL_IS("encryptor", dualseal_encryptor_update(NULL, plain, 1, &out, &len, &failure));
    NULL_IS("plaintext", dualseal_encryptor_update(encryptor, NULL, 1, &out, &len, &failure));
    NULL_IS("out", dualseal_encryptor_update(encryptor, plain, 1, NULL, &len, &failure));
    NULL_IS("out_len", dualseal_encryptor_update(encryptor, plain, 1, &out, NULL, &failure));
    NULL_IS("encryptor", dualseal_encryptor_finish(NULL, &out, &len, &failure));
    NULL_IS("secret", dualseal_decryptor_new(NULL, b->domain, ANA, "X", &no_decryptor, &failure));
    NULL_IS("domain", dualseal_decryptor_new(b->secret, NULL, ANA, "X", &no_decryptor, &failure));
    NULL_IS("identity_id", dualseal_decryptor_new(b->secret, b->domain, NULL, "X", &no_decryptor, &failure));
    NULL_IS("kind", dualseal_decryptor_new(b->secret, b->domain, ANA, NULL, &no_decryptor, &failure));
    NULL_IS("decryptor", dualseal_decryptor_new(b->secret, b->domain, ANA, "X", NULL, &failure));
    NULL_IS("decryptor", dualseal_decryptor_update(NULL, plain, 1, &out, &len, &failure));
    NULL_IS("stored", dualseal_decryptor_update(decryptor, NULL, 1, &out, &len, &failure));
    NULL_IS("out", dualseal_decryptor_update(decryptor, plain, 1, NULL, &len, &failure));
    NULL_IS("decryptor", dualseal_decryptor_finish(NULL, &out, &len, &failure));
    NULL_IS("out", dualseal_decryptor_finish(decryptor, NULL, &len, &failure));
    CHECK(out == NULL && no_encryptor == NULL && no_decryptor == NULL);
    dualseal_decryptor_free(decryptor);
    dualseal_encryptor_free(encryptor);
}

int main(void)
{
    const dualseal_field fields[] = {FP521, GF2_256};
    for (size_t i = 0; i < 2; i++) {
        bench b;
        set_up(&b, fields[i]);
        enough_shares_give_the_secret_and_name_the_culprit(&b);
        a_lost_share_comes_back(&b);
        the_same_secret_is_dealt_anew(&b);
        health_is_told_without_rebuilding(&b);
        without_a_dealing_nobody_vouches(&b);
        lists_refuse_what_is_no_share(&b);
        shares_travel_as_ssss_writes_them(&b);
        a_stream_opens_under_its_own_secret(&b);
        tear_down(&b);
    }
    dualseal_dealing_free(NULL);
    dualseal_decryptor_free(NULL);
    dualseal_encryptor_free(NULL);
    dualseal_secret_free(NULL);
    dualseal_shares_free(NULL);
    return 0;
}
