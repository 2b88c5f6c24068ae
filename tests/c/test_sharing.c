/* Secret sharing over both fields, and streams encrypted under a drawn secret. */
#include "check.h"

#include "dualseal_legacy.h"
#include "dualseal_sharing.h"

#define FP521 DUALSEAL_FIELD_FP521
#define GF2_256 DUALSEAL_FIELD_GF2_256

typedef struct {
    dualseal_domain *domain;
    dualseal_field field;
    size_t bytes;
    dualseal_secret *secret;
    char *dealing, *shares;
} bench;

static void set_up(bench *b, dualseal_field field)
{
    memset(b, 0, sizeof *b);
    b->domain = test_domain();
    b->field = field;
    b->bytes = field == FP521 ? 66 : 32;
    OK(dualseal_secret_generate(field, &b->secret, &failure));
    OK(dualseal_dealing_deal(b->domain, b->secret, 3, 5, &b->dealing, &b->shares, &failure));
    CHECK(count_of(b->shares) == 5 && strncmp(b->shares, "[[1,\"", 5) == 0);
}

static void tear_down(bench *b)
{
    dualseal_string_free(b->shares);
    dualseal_string_free(b->dealing);
    dualseal_secret_free(b->secret);
    dualseal_domain_free(b->domain);
}

/* The shares from `from` to before `to`; the one at `bad` has another value. The caller frees the list. */
static char *some(const bench *b, size_t from, size_t to, size_t bad)
{
    char *list = slice(b->shares, from, to);
    if (bad >= from && bad < to) {
        size_t length = 0;
        char *share = list + (element_at(list, bad - from, &length) - list);
        char *last = share + length - 3;
        *last = *last == '0' ? '1' : '0';
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

static dualseal_status reconstruct(const bench *b, const char *shares, dualseal_secret **secret, char **culprits)
{
    return dualseal_dealing_reconstruct(b->domain, b->field, SIZED(b->dealing), SIZED(shares), secret, culprits,
        &failure);
}

static void enough_shares_give_the_secret_and_name_the_culprit(const bench *b)
{
    const dualseal_domain *d = b->domain;
    const dualseal_field f = b->field;
    dualseal_secret *secret = NULL;
    char *culprits = NULL, *list = some(b, 0, 4, 1);
    OK(reconstruct(b, list, &secret, &culprits));
    is(culprits, "{\"culprits\":[2],\"misdealt\":[]}");
    CHECK(same_secret(secret, b->secret));
    dualseal_secret_free(secret);
    free(list);
    secret = NULL;
    culprits = NULL;

    list = some(b, 0, 3, 2);
    dualseal_error *error = NULL;
    CHECK(dualseal_dealing_reconstruct(d, f, SIZED(b->dealing), SIZED(list), &secret, &culprits, &error)
          == DUALSEAL_STATUS_TOO_FEW_SHARES);
    CHECK(strcmp(dualseal_error_faults(error), FAULTS("[3]", "[]")) == 0);
    dualseal_error_free(error);
    CHECK(secret == NULL && culprits == NULL);
    free(list);

    list = some(b, 0, 3, 9);
    char *first = element(b->shares, 0), *twice = with(list, first);
    OK(reconstruct(b, twice, &secret, &culprits));
    is(culprits, "{\"culprits\":[],\"misdealt\":[]}");
    dualseal_secret_free(secret);
    secret = NULL;
    culprits = NULL;
    free(first);
    free(twice);

    const dualseal_field other = f == FP521 ? GF2_256 : FP521;
    NULL_IS("domain", dualseal_dealing_reconstruct(NULL, f, SIZED(b->dealing), SIZED(list), &secret, &culprits,
        &failure));
    NULL_IS("dealing_json", dualseal_dealing_reconstruct(d, f, SIZED(NULL), SIZED(list), &secret, &culprits, &failure));
    NULL_IS("shares_json", dualseal_dealing_reconstruct(d, f, SIZED(b->dealing), SIZED(NULL), &secret, &culprits,
        &failure));
    NULL_IS("secret", dualseal_dealing_reconstruct(d, f, SIZED(b->dealing), SIZED(list), NULL, &culprits, &failure));
    NULL_IS("faults_json", dualseal_dealing_reconstruct(d, f, SIZED(b->dealing), SIZED(list), &secret, NULL, &failure));
    GIVES(DUALSEAL_STATUS_UNKNOWN_VALUE,
          dualseal_dealing_reconstruct(d, other, SIZED(b->dealing), SIZED(list), &secret, &culprits, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "field", -1,
          dualseal_dealing_reconstruct(d, (dualseal_field)0, SIZED(b->dealing), SIZED(list), &secret, &culprits,
              &failure));
    CHECK(secret == NULL && culprits == NULL);
    free(list);
}

/* Made by the second implementation: the dealer committed to a first share that is not on the line of the others. */
static const char MISDEALT[] =
    "{\"algoritam\":\"SHAMIR-GF(2^256)\",\"dealing_id\":\"121212121212121212121212121212121212121212"
    "1212121212121212121212\",\"javni_sidro\":\"e7d56006ff72e0d751c62ab07f28c311794fa13ed4a21811f"
    "e2d7c3bc2751e0ba313454a8c8f88d9b3390a9a89fff9d7e3c20d26a20aa1bbcfe620adfaa696ab\",\"k\":2,\""
    "n\":4,\"split_id\":\"3434343434343434343434343434343434343434343434343434343434343434\",\"udio"
    "_sidra\":[\"c1f3c3206a5aadd98a34e222e46fccb8c8a531a97c491ab6acc4fab53c5358c40afef69e4cf4e3"
    "311fd73f54f180efe5cb09adaee5cdcd656653e0db19cbcece\",\"9fe17adcef2421e918f07dd61406386c486"
    "97ce264736587552f413fb946c15bd8289911d1d1c236f2111fd0990cb0e2cf568fdf10e7dee7976aa0d21d5"
    "8e65d\",\"5dbe06a40a2adc6d735d8a32bd2d23711565334adc2b2f562c0bc8b531dee2ed3b06a643b312975f"
    "9b7a5fc3d6baa36a37ecc2479128ac054df3d304258b165f\",\"869dc8466824ba068b62ce72c040fceaff5bb"
    "dcb0623e3e2d5df601b25ba3ed8e983152d34196ede4ad4b3fb34684fa180d6fd3e52243e9b6abca44554d79"
    "4de\"]}";
static const char *const VALUES[] = {
    "5b58595e5f5c5d52535051565754554a4b48494e4f4c4d42434041464744457b",
    "b5b6b7b0b1b2b3bcbdbebfb8b9babba4a5a6a7a0a1a2a3acadaeafa8a9aaab94",
    "efecedeaebe8e9e6e7e4e5e2e3e0e1fefffcfdfafbf8f9f6f7f4f5f2f3f0f1ce",
    "686b6a6d6c6f6e616063626564676679787b7a7d7c7f7e71707372757477726d",
};

static void a_misdealt_share_is_no_culprits(const bench *b)
{
    static const int orders[][4] = {{1, 2, 3, 4}, {4, 3, 2, 1}, {2, 1, 4, 3}, {3, 4, 1, 2}};
    dualseal_secret *secret = NULL;
    char list[400], *faults = NULL;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const int *at = orders[i];
        snprintf(list, sizeof list, "[[%d,\"%s\"],[%d,\"%s\"],[%d,\"%s\"],[%d,\"%s\"]]", at[0], VALUES[at[0] - 1],
                 at[1], VALUES[at[1] - 1], at[2], VALUES[at[2] - 1], at[3], VALUES[at[3] - 1]);
        OK(dualseal_dealing_reconstruct(b->domain, GF2_256, SIZED(MISDEALT), SIZED(list), &secret, &faults, &failure));
        is(faults, "{\"culprits\":[],\"misdealt\":[1]}");
        uint8_t *bytes = NULL;
        size_t len = 0;
        OK(dualseal_secret_bytes(secret, &bytes, &len, &failure));
        CHECK(len == 32 && bytes[0] == 1 && bytes[31] == 32);
        dualseal_bytes_free(bytes);
        dualseal_secret_free(secret);
        secret = NULL;
        faults = NULL;
    }
    snprintf(list, sizeof list, "[[1,\"%s\"],[2,\"%s\"],[3,\"%s\"]]", VALUES[0], VALUES[1], VALUES[2]);
    GIVES(DUALSEAL_STATUS_DEALER_FAULT,
          dualseal_dealing_reconstruct(b->domain, GF2_256, SIZED(MISDEALT), SIZED(list), &secret, &faults, &failure));
    CHECK(secret == NULL && faults == NULL);
}

static void a_lost_share_comes_back(const bench *b)
{
    const dualseal_domain *d = b->domain;
    const dualseal_field f = b->field;
    char *list = some(b, 1, 4, 9), *made = NULL, *culprits = NULL, *expected = element(b->shares, 0);
    OK(dualseal_dealing_repair(d, f, SIZED(b->dealing), SIZED(list), 1, &made, &culprits, &failure));
    is(culprits, "{\"culprits\":[],\"misdealt\":[]}");
    is(made, expected);
    culprits = NULL;
    made = NULL;
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 6,
          dualseal_dealing_repair(d, f, SIZED(b->dealing), SIZED(list), 6, &made, &culprits, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", 257,
          dualseal_dealing_repair(d, f, SIZED(b->dealing), SIZED(list), 257, &made, &culprits, &failure));
    NULL_IS("domain", dualseal_dealing_repair(NULL, f, SIZED(b->dealing), SIZED(list), 1, &made, &culprits, &failure));
    NULL_IS("dealing_json", dualseal_dealing_repair(d, f, SIZED(NULL), SIZED(list), 1, &made, &culprits, &failure));
    NULL_IS("shares_json", dualseal_dealing_repair(d, f, SIZED(b->dealing), SIZED(NULL), 1, &made, &culprits,
        &failure));
    NULL_IS("share_json", dualseal_dealing_repair(d, f, SIZED(b->dealing), SIZED(list), 1, NULL, &culprits, &failure));
    NULL_IS("faults_json", dualseal_dealing_repair(d, f, SIZED(b->dealing), SIZED(list), 1, &made, NULL, &failure));
    CHECK(made == NULL && culprits == NULL);
    free(expected);
    free(list);
}

static void the_same_secret_is_dealt_anew(const bench *b)
{
    const dualseal_domain *d = b->domain;
    const dualseal_field f = b->field;
    dualseal_secret *secret = NULL;
    char *refreshed = NULL, *shares = NULL, *other = NULL, *more = NULL, *culprits = NULL;
    OK(dualseal_dealing_renew(d, f, SIZED(b->dealing), SIZED(b->shares), 0, 0, &refreshed, &shares, &culprits,
        &failure));
    is(culprits, "{\"culprits\":[],\"misdealt\":[]}");
    CHECK(count_of(shares) == 5);
    OK(dualseal_dealing_renew(d, f, SIZED(refreshed), SIZED(shares), 2, 7, &other, &more, &culprits, &failure));
    is(culprits, "{\"culprits\":[],\"misdealt\":[]}");
    CHECK(count_of(more) == 7);
    OK(dualseal_dealing_reconstruct(d, f, SIZED(other), SIZED(more), &secret, &culprits, &failure));
    is(culprits, "{\"culprits\":[],\"misdealt\":[]}");
    CHECK(same_secret(secret, b->secret));
    dualseal_secret_free(secret);

    char *no = NULL, *none = NULL;
    culprits = NULL;
#define NEW &no, &none, &culprits, &failure
    /* Shares of an earlier set. */
    for (uint32_t k = 0; k <= 2; k += 2) {
        GIVES(DUALSEAL_STATUS_TOO_FEW_SHARES,
              dualseal_dealing_renew(d, f, SIZED(refreshed), SIZED(b->shares), k, k, NEW));
    }
    /* One 0 is no way to keep one of the two. */
    FAILS(DUALSEAL_STATUS_RANGE, "k", 0, dualseal_dealing_renew(d, f, SIZED(b->dealing), SIZED(b->shares), 0, 5, NEW));
    FAILS(DUALSEAL_STATUS_RANGE, "n", 0, dualseal_dealing_renew(d, f, SIZED(b->dealing), SIZED(b->shares), 2, 0, NEW));
    FAILS(DUALSEAL_STATUS_RANGE, "k", 1, dualseal_dealing_renew(d, f, SIZED(b->dealing), SIZED(b->shares), 1, 5, NEW));
    FAILS(DUALSEAL_STATUS_RANGE, "n", 256,
          dualseal_dealing_renew(d, f, SIZED(b->dealing), SIZED(b->shares), 2, 256, NEW));
    /* The low byte would be a threshold of 2. */
    FAILS(DUALSEAL_STATUS_RANGE, "k", 258,
          dualseal_dealing_renew(d, f, SIZED(b->dealing), SIZED(b->shares), 258, 5, NEW));
    NULL_IS("domain", dualseal_dealing_renew(NULL, f, SIZED(other), SIZED(more), 2, 3, NEW));
    NULL_IS("dealing_json", dualseal_dealing_renew(d, f, SIZED(NULL), SIZED(more), 2, 3, NEW));
    NULL_IS("shares_json", dualseal_dealing_renew(d, f, SIZED(other), SIZED(NULL), 2, 3, NEW));
    NULL_IS("new_dealing_json",
            dualseal_dealing_renew(d, f, SIZED(other), SIZED(more), 2, 3, NULL, &none, &culprits, &failure));
    NULL_IS("new_shares_json",
            dualseal_dealing_renew(d, f, SIZED(other), SIZED(more), 2, 3, &no, NULL, &culprits, &failure));
    NULL_IS("faults_json", dualseal_dealing_renew(d, f, SIZED(other), SIZED(more), 2, 3, &no, &none, NULL, &failure));
#undef NEW
    CHECK(no == NULL && none == NULL && culprits == NULL);
    dualseal_string_free(refreshed);
    dualseal_string_free(shares);
    dualseal_string_free(other);
    dualseal_string_free(more);
}

static void health_is_told_without_rebuilding(const bench *b)
{
    char *list = some(b, 0, 3, 1), *health = NULL;
    OK(dualseal_dealing_health(b->domain, b->field, SIZED(b->dealing), SIZED(list), &health, &failure));
    is(health, "{\"foreign\":[],\"invalid\":[2],\"missing\":[2,4,5],\"present\":[1,3]}");
    health = NULL;
    NULL_IS("domain", dualseal_dealing_health(NULL, b->field, SIZED(b->dealing), SIZED(list), &health, &failure));
    NULL_IS("dealing_json", dualseal_dealing_health(b->domain, b->field, SIZED(NULL), SIZED(list), &health, &failure));
    NULL_IS("shares_json", dualseal_dealing_health(b->domain, b->field, SIZED(b->dealing), SIZED(NULL), &health,
        &failure));
    NULL_IS("health_json", dualseal_dealing_health(b->domain, b->field, SIZED(b->dealing), SIZED(list), NULL,
        &failure));
    CHECK(health == NULL);
    free(list);
}

static void without_a_dealing_nobody_vouches(const bench *b)
{
    const dualseal_field f = b->field;
    uint8_t *bytes = NULL, *expected = NULL;
    char *outliers = NULL, *list = some(b, 0, 5, 1), *exact = some(b, 0, 3, 9);
    size_t len = 0, expected_len = 0;
    int32_t unchecked = 7;
    OK(dualseal_secret_bytes(b->secret, &expected, &expected_len, &failure));
    CHECK(expected_len == b->bytes);
    OK(dualseal_shares_reconstruct(f, SIZED(list), 3, &bytes, &len, &outliers, &unchecked, &failure));
    CHECK(len == b->bytes && memcmp(bytes, expected, len) == 0 && unchecked == 0);
    is(outliers, "[2]");
    dualseal_bytes_free(bytes);
    OK(dualseal_shares_reconstruct(f, SIZED(exact), 3, &bytes, &len, &outliers, &unchecked, &failure));
    CHECK(len == b->bytes && memcmp(bytes, expected, len) == 0 && unchecked == 1);
    is(outliers, "[]");
    dualseal_bytes_free(bytes);
    dualseal_bytes_free(expected);
    bytes = NULL;
    outliers = NULL;
    FAILS(DUALSEAL_STATUS_RANGE, "k", 1,
          dualseal_shares_reconstruct(f, SIZED(list), 1, &bytes, &len, &outliers, &unchecked, &failure));
    GIVES(DUALSEAL_STATUS_TOO_MANY_ERRORS,
          dualseal_shares_reconstruct(f, SIZED(b->shares), 2, &bytes, &len, &outliers, &unchecked, &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "field", -1,
          dualseal_shares_reconstruct((dualseal_field)3, SIZED(list), 3, &bytes, &len, &outliers, &unchecked,
              &failure));
    NULL_IS("shares_json", dualseal_shares_reconstruct(f, SIZED(NULL), 3, &bytes, &len, &outliers, &unchecked,
        &failure));
    NULL_IS("bytes", dualseal_shares_reconstruct(f, SIZED(list), 3, NULL, &len, &outliers, &unchecked, &failure));
    NULL_IS("bytes_len", dualseal_shares_reconstruct(f, SIZED(list), 3, &bytes, NULL, &outliers, &unchecked, &failure));
    NULL_IS("outliers_json", dualseal_shares_reconstruct(f, SIZED(list), 3, &bytes, &len, NULL, &unchecked, &failure));
    NULL_IS("unchecked", dualseal_shares_reconstruct(f, SIZED(list), 3, &bytes, &len, &outliers, NULL, &failure));
    CHECK(bytes == NULL && outliers == NULL);
    free(exact);
    free(list);
}

/* Of a list the error's index is the position of what is no share. */
static void lists_refuse_what_is_no_share(const bench *b)
{
    char top[133], text[200], *culprits = NULL;
    dualseal_secret *secret = NULL;
    memset(top, 'f', sizeof top);
    top[2 * b->bytes] = '\0';
    const struct {
        const char *form;
        int32_t status;
        const char *field;
    } cases[] = {
        {"[0,\"%s\"]", DUALSEAL_STATUS_RANGE, "indeks"},
        {"[258,\"%s\"]", DUALSEAL_STATUS_RANGE, "indeks"},
        {"[2,\"0%s\"]", DUALSEAL_STATUS_LENGTH, "vrijednost_hex"},
        {"[2,\"%s\",3]", DUALSEAL_STATUS_LENGTH, "share"},
        {"{\"indeks\":2,\"x\":\"%s\"}", DUALSEAL_STATUS_WRONG_TYPE, "share"},
        {"[2,\"%s\"", DUALSEAL_STATUS_JSON_SYNTAX, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, cases[i].form, top);
        char *one = some(b, 0, 1, 9), *list = with(one, text);
        FAILS(cases[i].status, cases[i].field, i == 5 ? -2 : 1, reconstruct(b, list, &secret, &culprits));
        free(list);
        free(one);
    }
    top[0] = 'F';
    snprintf(text, sizeof text, "[[2,\"%s\"]]", top);
    FAILS(DUALSEAL_STATUS_HEX, "vrijednost_hex", 0, reconstruct(b, text, &secret, &culprits));
    if (b->field == FP521) {
        top[0] = 'f';
        snprintf(text, sizeof text, "[[2,\"%s\"]]", top);
        FAILS(DUALSEAL_STATUS_NOT_CANONICAL, "vrijednost_hex", 0, reconstruct(b, text, &secret, &culprits));
    }
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX, reconstruct(b, "", &secret, &culprits));
    GIVES(DUALSEAL_STATUS_JSON_SYNTAX, reconstruct(b, "{}", &secret, &culprits));
    GIVES(DUALSEAL_STATUS_TOO_FEW_SHARES, reconstruct(b, "[]", &secret, &culprits));

    uint8_t *bytes = NULL;
    size_t len = 0;
    char *dealing = NULL, *shares = NULL;
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "field", -1,
          dualseal_secret_generate((dualseal_field)0, &secret, &failure));
    NULL_IS("secret", dualseal_secret_generate(FP521, NULL, &failure));
    NULL_IS("secret", dualseal_secret_bytes(NULL, &bytes, &len, &failure));
    NULL_IS("bytes", dualseal_secret_bytes(b->secret, NULL, &len, &failure));
    NULL_IS("bytes_len", dualseal_secret_bytes(b->secret, &bytes, NULL, &failure));
    NULL_IS("domain", dualseal_dealing_deal(NULL, b->secret, 2, 3, &dealing, &shares, &failure));
    NULL_IS("secret", dualseal_dealing_deal(b->domain, NULL, 2, 3, &dealing, &shares, &failure));
    NULL_IS("dealing_json", dualseal_dealing_deal(b->domain, b->secret, 2, 3, NULL, &shares, &failure));
    NULL_IS("shares_json", dualseal_dealing_deal(b->domain, b->secret, 2, 3, &dealing, NULL, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "k", 4,
          dualseal_dealing_deal(b->domain, b->secret, 4, 3, &dealing, &shares, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "n", 259,
          dualseal_dealing_deal(b->domain, b->secret, 2, 259, &dealing, &shares, &failure));
    CHECK(secret == NULL && culprits == NULL && bytes == NULL && dealing == NULL && shares == NULL);
}

/* Three of five that ssss 0.5 wrote for the threshold 3, and what they are of. */
static void shares_that_ssss_wrote_give_their_secret(void)
{
    const char *written[] = {
        "1-69add7745b67f236d1a4e5f1a2984888b0ef0bfbbdbe045bc7f215f606fa7aa9",
        "3-e5e0e3c21633a3584ab8bd6fba27d6ef52d17ba5cf11a976539c0231ff0dde22",
        "5-c359ec694020095bb74c9cd08a49cea2bb29634936864ff1b767cb2c780b7a53",
    };
    const char *secret = "19c687614df031b79630d0bd0df250e7f80762d5492530f326cc203f4ba261de";
    char list[512] = "[", *read = NULL, *outliers = NULL, found[65];
    uint8_t *bytes = NULL;
    size_t len = 0;
    int32_t unchecked = 0;
    for (size_t i = 0; i < 3; i++) {
        OK(dualseal_share_from_ssss(SIZED(written[i]), 3, &read, &failure));
        strcat(strcat(list, i == 0 ? "" : ","), read);
        dualseal_string_free(read);
    }
    strcat(list, "]");
    OK(dualseal_shares_reconstruct(GF2_256, SIZED(list), 3, &bytes, &len, &outliers, &unchecked, &failure));
    CHECK(len == 32 && unchecked == 1);
    for (size_t i = 0; i < len; i++) {
        sprintf(found + 2 * i, "%02x", bytes[i]);
    }
    CHECK(strcmp(found, secret) == 0);
    is(outliers, "[]");
    dualseal_bytes_free(bytes);
    read = NULL;
    FAILS(DUALSEAL_STATUS_RANGE, "indeks", -2, dualseal_share_from_ssss(SIZED("0-00"), 3, &read, &failure));
    FAILS(DUALSEAL_STATUS_RANGE, "k", 259, dualseal_share_from_ssss(SIZED("1-00"), 259, &read, &failure));
    NULL_IS("ssss", dualseal_share_from_ssss(SIZED(NULL), 3, &read, &failure));
    NULL_IS("share_json", dualseal_share_from_ssss(SIZED(""), 3, NULL, &failure));
    CHECK(read == NULL);
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
    OK(dualseal_secret_generate(b->field, &other, &failure));
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
        a_misdealt_share_is_no_culprits(&b);
        a_lost_share_comes_back(&b);
        the_same_secret_is_dealt_anew(&b);
        health_is_told_without_rebuilding(&b);
        without_a_dealing_nobody_vouches(&b);
        lists_refuse_what_is_no_share(&b);
        shares_that_ssss_wrote_give_their_secret();
        a_stream_opens_under_its_own_secret(&b);
        tear_down(&b);
    }
    dualseal_decryptor_free(NULL);
    dualseal_encryptor_free(NULL);
    dualseal_secret_free(NULL);
    return 0;
}
