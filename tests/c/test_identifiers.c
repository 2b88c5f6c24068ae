/* Identifiers of content in parts, and the check of stored inputs. */
#include "check.h"

static void parts_give_the_identifier_of_the_whole(void)
{
    const uint8_t *content = (const uint8_t *)"deed 17";
    char whole[DUALSEAL_ID_TEXT_BYTES], parts[DUALSEAL_ID_TEXT_BYTES];
    dualseal_domain *domain = test_domain();
    dualseal_identity_hasher *hasher = NULL;
    OK(dualseal_identity_hasher_new(domain, "ana", "", &hasher, &failure));
    OK(dualseal_identity_id(domain, content, 7, "ana", "", whole, sizeof whole, &failure));
    dualseal_domain_free(domain);
    OK(dualseal_identity_hasher_finish(hasher, parts, sizeof parts, &failure));
    CHECK(strcmp(parts, ANA) == 0);
    OK(dualseal_identity_hasher_update(hasher, content, 3, &failure));
    OK(dualseal_identity_hasher_update(hasher, NULL, 0, &failure));
    OK(dualseal_identity_hasher_update(hasher, content + 3, 4, &failure));
    OK(dualseal_identity_hasher_finish(hasher, parts, sizeof parts, &failure));
    CHECK(strcmp(parts, whole) == 0);

    mark(parts, sizeof parts);
    NULL_IS("hasher", dualseal_identity_hasher_update(NULL, content, 7, &failure));
    NULL_IS("content", dualseal_identity_hasher_update(hasher, NULL, 7, &failure));
    NULL_IS("hasher", dualseal_identity_hasher_finish(NULL, parts, sizeof parts, &failure));
    NULL_IS("identity_id", dualseal_identity_hasher_finish(hasher, NULL, sizeof parts, &failure));
    GIVES(DUALSEAL_STATUS_BUFFER_LENGTH, dualseal_identity_hasher_finish(hasher, parts, 64, &failure));
    CHECK(marked(parts, sizeof parts));
    dualseal_identity_hasher_free(hasher);
    dualseal_identity_hasher_free(NULL);
}

static void what_is_ambiguous_is_refused(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_identity_hasher *hasher = NULL;
    FAILS(DUALSEAL_STATUS_AMBIGUOUS, "creator", -1, dualseal_identity_hasher_new(domain, "a::b", "", &hasher,
            &failure));
    FAILS(DUALSEAL_STATUS_AMBIGUOUS, "context", -1, dualseal_identity_hasher_new(domain, "", ":b", &hasher, &failure));
    NULL_IS("domain", dualseal_identity_hasher_new(NULL, "", "", &hasher, &failure));
    NULL_IS("creator", dualseal_identity_hasher_new(domain, NULL, "", &hasher, &failure));
    NULL_IS("context", dualseal_identity_hasher_new(domain, "", NULL, &hasher, &failure));
    NULL_IS("hasher", dualseal_identity_hasher_new(domain, "", "", NULL, &failure));
    CHECK(hasher == NULL);
    dualseal_domain_free(domain);

    const struct {
        const char *creator, *context;
        int32_t first, second;
    } cases[] = {{"ana", "2026", 0, 0}, {"ana::b", ":x", 1, 1}, {"", "a::", 0, 1}, {":", "a:b", 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t first = 7, second = 7;
        OK(dualseal_identity_lint(cases[i].creator, cases[i].context, &first, &second, &failure));
        CHECK(first == cases[i].first && second == cases[i].second);
    }
    int32_t first = 7, second = 7;
    NULL_IS("creator", dualseal_identity_lint(NULL, "", &first, &second, &failure));
    NULL_IS("context", dualseal_identity_lint("", NULL, &first, &second, &failure));
    NULL_IS("creator_ambiguous", dualseal_identity_lint("", "", NULL, &second, &failure));
    NULL_IS("context_ambiguous", dualseal_identity_lint("", "", &first, NULL, &failure));
    CHECK(first == 7 && second == 7);
}

int main(void)
{
    parts_give_the_identifier_of_the_whole();
    what_is_ambiguous_is_refused();
    return 0;
}
