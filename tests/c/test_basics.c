/* Versions, errors, domains, identifiers and content hashes. Under valgrind. */
#include "check.h"

static void versions(void)
{
    CHECK(dualseal_abi_version() == DUALSEAL_ABI_VERSION);
    CHECK(strchr(dualseal_version(), '.') != NULL);
}

static void errors_say_what_and_where(void)
{
    dualseal_domain *domain = NULL;
    dualseal_error *error = NULL;
    CHECK(dualseal_domain_new("A:B", &domain, &error) == DUALSEAL_STATUS_CONSTANT);
    CHECK(domain == NULL);
    CHECK(strstr(dualseal_error_message(error), dualseal_error_field(error)) == dualseal_error_message(error));
    CHECK(strcmp(dualseal_error_faults(error), FAULTS("[]", "[]")) == 0 && dualseal_error_os(error) == 0);
    dualseal_error_free(error);

    /* The error may be left out, and a success sets it to NULL, whatever was there. */
    CHECK(dualseal_domain_new("A:B", &domain, NULL) == DUALSEAL_STATUS_CONSTANT);
    error = (dualseal_error *)&domain;
    CHECK(dualseal_domain_new("ACME", &domain, &error) == DUALSEAL_OK);
    CHECK(error == NULL);
    dualseal_domain_free(domain);

    CHECK(dualseal_error_message(NULL) == NULL);
    CHECK(dualseal_error_field(NULL) == NULL);
    CHECK(dualseal_error_index(NULL) == -1);
    CHECK(dualseal_error_faults(NULL) == NULL && dualseal_error_os(NULL) == 0);
    dualseal_error_free(NULL);
}

/* Each by Python, such as
 * python3 -c "import hashlib; print(hashlib.sha3_256(b'DUALSEAL-ID::hello::alice::demo::DUALSEAL').hexdigest())" */
static void known_identifiers(void)
{
    dualseal_domain *domain = test_domain(), *named = NULL, *other = NULL;
    const uint8_t hello[] = {'h', 'e', 'l', 'l', 'o'};
    char id[DUALSEAL_ID_TEXT_BYTES];

    OK(dualseal_identity_id(domain, hello, sizeof hello, SIZED("alice"), SIZED("demo"), id, sizeof id, &failure));
    CHECK(strcmp(id, "00875a0161d603ff6d23d6bc9a628b0ce45b0d96843798c5107b2981df39a604") == 0);
    OK(dualseal_identity_id(domain, NULL, 0, SIZED("ana"), SIZED(""), id, sizeof id, &failure));
    CHECK(strcmp(id, ANA) == 0);

    OK(dualseal_domain_new("DUALSEAL", &named, &failure));
    OK(dualseal_identity_id(named, NULL, 0, SIZED("ana"), SIZED(""), id, sizeof id, &failure));
    CHECK(strcmp(id, ANA) == 0);
    OK(dualseal_domain_new("ACME", &other, &failure));
    OK(dualseal_identity_id(other, NULL, 0, SIZED("ana"), SIZED(""), id, sizeof id, &failure));
    CHECK(strcmp(id, ANA) != 0);

    /* In place: the output may be where the input was. */
    memcpy(id, hello, sizeof hello);
    OK(dualseal_identity_id(domain, (uint8_t *)id, sizeof hello, SIZED("alice"), SIZED("demo"), id, sizeof id,
        &failure));
    CHECK(strcmp(id, "00875a0161d603ff6d23d6bc9a628b0ce45b0d96843798c5107b2981df39a604") == 0);

    dualseal_domain_free(other);
    dualseal_domain_free(named);
    dualseal_domain_free(domain);
}

static void refused_identifiers_leave_the_buffer_alone(void)
{
    dualseal_domain *domain = test_domain();
    char id[DUALSEAL_ID_TEXT_BYTES + 1];
    const size_t size = DUALSEAL_ID_TEXT_BYTES;
    mark(id, sizeof id);

    FAILS(DUALSEAL_STATUS_AMBIGUOUS, "creator", -1,
          dualseal_identity_id(domain, NULL, 0, SIZED("a::b"), SIZED(""), id, size, &failure));
    FAILS(DUALSEAL_STATUS_AMBIGUOUS, "context", -1,
          dualseal_identity_id(domain, NULL, 0, SIZED(""), SIZED(":c"), id, size, &failure));
    FAILS(DUALSEAL_STATUS_UTF8, "creator", 1, dualseal_identity_id(domain, NULL, 0, SIZED("a\xff"), SIZED(""), id, size,
        &failure));
    FAILS(DUALSEAL_STATUS_UTF8, "context", 0, dualseal_identity_id(domain, NULL, 0, SIZED(""), SIZED("\x80"), id, size,
        &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "identity_id", -1,
          dualseal_identity_id(domain, NULL, 0, SIZED(""), SIZED(""), id, size - 1, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "identity_id", -1,
          dualseal_identity_id(domain, NULL, 0, SIZED(""), SIZED(""), id, size + 1, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "content", -1,
          dualseal_identity_id(domain, (uint8_t *)id, SIZE_MAX, SIZED(""), SIZED(""), id, size, &failure));
    CHECK(marked(id, sizeof id));
    dualseal_domain_free(domain);
}

static void content_hashes(void)
{
    dualseal_domain *domain = test_domain();
    const char content[] = "one contract";
    const uint8_t *bytes = (const uint8_t *)content;
    char hash[DUALSEAL_ID_TEXT_BYTES];
    dualseal_content_hasher *hasher = NULL;

    /* sha3_256(b'DUALSEAL-SIGN::CONTENT::' + ANA + b'::DUALSEAL' + b'one contract') */
    const char *known = "efeb13818d50f8e53395e5a7b69d053ae5d0914d393bbed08d832ca04d85c40f";
    OK(dualseal_content_hash(domain, ANA, bytes, strlen(content), hash, sizeof hash, &failure));
    CHECK(strcmp(hash, known) == 0);
    mark(hash, sizeof hash);
    OK(dualseal_content_hasher_new(domain, ANA, &hasher, &failure));
    OK(dualseal_content_hasher_update(hasher, bytes, 4, &failure));
    OK(dualseal_content_hasher_update(hasher, NULL, 0, &failure));
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "content_hash", -1,
          dualseal_content_hasher_finish(hasher, hash, sizeof hash - 1, &failure));
    CHECK(marked(hash, sizeof hash));
    OK(dualseal_content_hasher_finish(hasher, hash, sizeof hash, &failure));
    CHECK(strcmp(hash, known) != 0);
    OK(dualseal_content_hasher_update(hasher, bytes + 4, strlen(content) - 4, &failure));
    OK(dualseal_content_hasher_finish(hasher, hash, sizeof hash, &failure));
    CHECK(strcmp(hash, known) == 0);
    dualseal_content_hasher_free(hasher);

    /* The same with b'{"a":1,"b":[true,null]}' for content. */
    char *canonical = NULL;
    OK(dualseal_json_canonical(SIZED(" {\"b\" : [true, null], \"a\": 1}"), &canonical, &failure));
    OK(dualseal_content_hash(domain, ANA, (uint8_t *)canonical, strlen(canonical), hash, sizeof hash, &failure));
    is(canonical, "{\"a\":1,\"b\":[true,null]}");
    CHECK(strcmp(hash, "161c582998896ad69a00b96af5904c7231f83db098e276b7279ec691379f5e06") == 0);

    hasher = NULL;
    mark(hash, sizeof hash);
    FAILS(DUALSEAL_STATUS_LENGTH, "identity_id", -1,
          dualseal_content_hash(domain, "00", bytes, 1, hash, sizeof hash, &failure));
    char *capital = replaced(ANA, "e", "E");
    FAILS(DUALSEAL_STATUS_HEX, "identity_id", 2, dualseal_content_hasher_new(domain, capital, &hasher, &failure));
    free(capital);
    FAILS(DUALSEAL_STATUS_BUFFER_LENGTH, "content_hash", -1,
          dualseal_content_hash(domain, ANA, bytes, 1, hash, sizeof hash - 1, &failure));
    CHECK(marked(hash, sizeof hash) && hasher == NULL);
    dualseal_domain_free(domain);
}

static void domains_are_checked(void)
{
    dualseal_domain *domain = NULL;
    GIVES(DUALSEAL_STATUS_CONSTANT, dualseal_domain_new("", &domain, &failure));
    GIVES(DUALSEAL_STATUS_CONSTANT, dualseal_domain_new("a b", &domain, &failure));
    GIVES(DUALSEAL_STATUS_CONSTANT, dualseal_domain_new("0af", &domain, &failure));
    FAILS(DUALSEAL_STATUS_UTF8, "name", 3, dualseal_domain_new("ACM\xc3", &domain, &failure));
    CHECK(domain == NULL);
}

static void json_is_read_strictly(void)
{
    char deep[67], *canonical = NULL;
    const struct {
        const char *json;
        int32_t status;
    } cases[] = {
        {"{\"a\":1,\"a\":2}", DUALSEAL_STATUS_DUPLICATE_MEMBER},
        {"[1.5]", DUALSEAL_STATUS_JSON_NUMBER},
        {"[9007199254740992]", DUALSEAL_STATUS_JSON_NUMBER},
        {"\"\\ud800\"", DUALSEAL_STATUS_JSON_SURROGATE},
        {"\xef\xbb\xbf[]", DUALSEAL_STATUS_JSON_BYTE_ORDER_MARK},
        {"\"\xff\"", DUALSEAL_STATUS_UTF8},
        {"{} {}", DUALSEAL_STATUS_JSON_SYNTAX},
        {"", DUALSEAL_STATUS_JSON_SYNTAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GIVES(cases[i].status, dualseal_json_canonical(SIZED(cases[i].json), &canonical, &failure));
    }
    memset(deep, '[', 33);
    memset(deep + 33, ']', 33);
    deep[66] = '\0';
    GIVES(DUALSEAL_STATUS_JSON_DEPTH, dualseal_json_canonical(SIZED(deep), &canonical, &failure));
    FAILS(DUALSEAL_STATUS_JSON_SYNTAX, "text_json", 1, dualseal_json_canonical(SIZED("["), &canonical, &failure));
    CHECK(canonical == NULL);
    deep[65] = '\0';
    OK(dualseal_json_canonical(SIZED(deep + 1), &canonical, &failure));
    is(canonical, deep + 1);
}

int main(void)
{
    versions();
    errors_say_what_and_where();
    known_identifiers();
    refused_identifiers_leave_the_buffer_alone();
    content_hashes();
    domains_are_checked();
    json_is_read_strictly();
    return 0;
}
