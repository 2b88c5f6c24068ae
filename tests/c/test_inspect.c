/* What a text is, and what is wrong with its form. */
#include "check.h"

static void says(const char *text, const char *expected)
{
    char *found = NULL;
    OK(dualseal_text_inspect((const uint8_t *)text, strlen(text), &found, &failure));
    is(found, expected);
}

int main(void)
{
    char *found = NULL;
    says("SEAL-L5::00FF", "{\"count\":null,\"findings\":[{\"code\":100,\"field\":\"hmac_hex\",\"index\":null,"
                        "\"message\":\"hmac_hex: must have length 128, has 4\"}],\"kind\":\"legacy seal\","
                        "\"omitted\":0,\"version\":\"SEAL-L5\"}");
    says("[]", "{\"count\":0,\"findings\":[],\"kind\":\"chain\",\"omitted\":0,\"version\":null}");
    OK(dualseal_text_inspect((const uint8_t *)"\xff\0", 2, &found, &failure));
    CHECK(strstr(found, "\"kind\":\"unknown\"") != NULL);
    dualseal_string_free(found);
    OK(dualseal_text_inspect(NULL, 0, &found, &failure));
    CHECK(strstr(found, "\"kind\":\"unknown\"") != NULL);
    dualseal_string_free(found);
    found = NULL;
    NULL_IS("text", dualseal_text_inspect(NULL, 1, &found, &failure));
    NULL_IS("inspection_json", dualseal_text_inspect((const uint8_t *)"", 0, NULL, &failure));
    CHECK(found == NULL);
    return 0;
}
