/* The known answers, tests/vectors/known_answers*.json, for programs in C: brought to their canonical form by the
   library, in which a text has no blanks between its members and as few escapes as can be. */
#ifndef DUALSEAL_TEST_KNOWN_H
#define DUALSEAL_TEST_KNOWN_H

#include "check.h"

#include "dualseal_sharing.h"

/* A value of a canonical text: a part of it. */
typedef struct {
    const char *at;
    size_t length;
} json;

/* A whole file, freed with `dualseal_string_free`. */
static inline char *known_answers(const char *name)
{
    char path[4096], *text = (char *)owned(malloc(1 << 20)), *canonical = NULL;
    const char *end = strrchr(__FILE__, '/');
    CHECK(end != NULL);
    snprintf(path, sizeof path, "%.*s/../vectors/%s", (int)(end - __FILE__), __FILE__, name);
    FILE *file = (FILE *)owned(fopen(path, "rb"));
    const size_t length = fread(text, 1, 1 << 20, file);
    CHECK(length < 1 << 20 && fclose(file) == 0);
    OK(dualseal_json_canonical(text, length, &canonical, &failure));
    free(text);
    return canonical;
}

/* The value that begins here. */
static inline json value_at(const char *at)
{
    const char *end = at;
    size_t depth = 0;
    do {
        if (*end == '"') {
            for (end++; *end != '"'; end++) {
                end += *end == '\\';
                CHECK(*end != '\0');
            }
        }
        depth += *end == '[' || *end == '{';
        depth -= *end == ']' || *end == '}';
        CHECK(*end != '\0');
        end++;
    } while (depth > 0 || (strchr("[{\"", *at) == NULL && strchr(",]}", *end) == NULL));
    const json found = {at, (size_t)(end - at)};
    return found;
}

static inline int is_text(json value)
{
    return *value.at == '"';
}

static inline int is_null(json value)
{
    return value.length == 4 && memcmp(value.at, "null", 4) == 0;
}

/* The text of an object's or an array's next value behind this one, or NULL behind the last. */
static inline const char *next(json value)
{
    const char *end = value.at + value.length;
    return *end == ',' ? end + 1 : NULL;
}

/* The member of an object that has this name, which is there, and how many it has. */
static inline json member_and_count(json object, const char *name, size_t *count)
{
    json found = {NULL, 0};
    CHECK(*object.at == '{');
    *count = 0;
    for (const char *at = object.length == 2 ? NULL : object.at + 1; at != NULL; ++*count) {
        const json key = value_at(at), value = value_at(key.at + key.length + 1);
        if (key.length == strlen(name) + 2 && memcmp(key.at + 1, name, strlen(name)) == 0) {
            found = value;
        }
        at = next(value);
    }
    return found;
}

static inline json of(json object, const char *name)
{
    size_t count = 0;
    const json found = member_and_count(object, name, &count);
    if (found.at == NULL) {
        fprintf(stderr, "no member %s\n", name);
        exit(1);
    }
    return found;
}

/* The items of an array, at most `most`, and how many they are. */
static inline size_t items_of(json array, json *items, size_t most)
{
    size_t count = 0;
    CHECK(*array.at == '[');
    for (const char *at = array.length == 2 ? NULL : array.at + 1; at != NULL; at = next(items[count - 1])) {
        CHECK(count < most);
        items[count++] = value_at(at);
    }
    return count;
}

static inline uint64_t number_of(json value)
{
    char *end = NULL;
    const uint64_t number = strtoull(value.at, &end, 10);
    CHECK(end == value.at + value.length);
    return number;
}

/* A text with its length, since a NUL may stand in it; the caller frees it. */
static inline char *text_of(json value, size_t *length)
{
    char *copy = (char *)owned(malloc(value.length)), *to = copy;
    CHECK(is_text(value));
    for (const char *from = value.at + 1; from + 1 < value.at + value.length; from++) {
        unsigned code = 0;
        if (*from != '\\') {
            *to++ = *from;
        } else if (*++from == 'u') {
            CHECK(sscanf(from + 1, "%4x", &code) == 1 && code < 32);
            *to++ = (char)code;
            from += 4;
        } else {
            const char *escape = strchr("b\bf\fn\nr\rt\t\"\"\\\\", *from);
            CHECK(escape != NULL);
            *to++ = escape[1];
        }
    }
    *to = '\0';
    *length = (size_t)(to - copy);
    return copy;
}

/* A text without NUL and without escapes, good to the end of the program. */
static inline const char *plain(json value)
{
    static char texts[1 << 18], *end = texts;
    char *text = end;
    CHECK(is_text(value) && memchr(value.at, '\\', value.length) == NULL);
    CHECK((size_t)(end - texts) + value.length <= sizeof texts);
    memcpy(text, value.at + 1, value.length - 2);
    text[value.length - 2] = '\0';
    end += value.length;
    return text;
}

/* A value as a text of its own, which the caller frees. */
static inline char *slice_of(json value)
{
    char *copy = (char *)owned(malloc(value.length + 1));
    memcpy(copy, value.at, value.length);
    copy[value.length] = '\0';
    return copy;
}

/* The bytes of a text in hexadecimal, at most `most`, and how many they are. */
static inline size_t bytes_of(json value, uint8_t *bytes, size_t most)
{
    const size_t length = (value.length - 2) / 2;
    CHECK(is_text(value) && length <= most);
    for (size_t i = 0; i < length; i++) {
        unsigned byte = 0;
        CHECK(sscanf(value.at + 1 + 2 * i, "%2x", &byte) == 1);
        bytes[i] = (uint8_t)byte;
    }
    return length;
}

/* Milliseconds of a moment of the day that all the answers are of. */
static inline int64_t time_of(json value)
{
    int hour = 0, minute = 0, second = 0, milli = 0;
    CHECK(sscanf(plain(value), "2026-11-21T%2d:%2d:%2d.%3dZ", &hour, &minute, &second, &milli) == 4);
    return TIME + (((hour - 9) * 60 + minute) * 60 + second) * 1000 + milli;
}

/* A text of the library's is this value; it is freed. A line of a chain ends as a line does. */
static inline void is_value(char *found, json expected)
{
    char *end = found == NULL ? NULL : strchr(found, '\n');
    if (end != NULL && end[1] == '\0') {
        *end = '\0';
    }
    if (found == NULL || strlen(found) != expected.length || memcmp(found, expected.at, expected.length) != 0) {
        fprintf(stderr, "found    %s\nexpected %.*s\n", found ? found : "NULL", (int)expected.length, expected.at);
        exit(1);
    }
    dualseal_string_free(found);
}

static inline dualseal_domain *domain_of(json item)
{
    dualseal_domain *domain = NULL;
    OK(dualseal_domain_new(plain(of(item, "domain")), &domain, &failure));
    return domain;
}

static inline dualseal_signing_key *key_of(json seed)
{
    uint8_t bytes[DUALSEAL_SEED_BYTES];
    dualseal_signing_key *key = NULL;
    const size_t length = bytes_of(seed, bytes, sizeof bytes);
    OK(dualseal_signing_key_from_seed(bytes, length, &key, &failure));
    return key;
}

static inline void public_of(const dualseal_signing_key *key, uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES])
{
    OK(dualseal_signing_key_public_key(key, public_key, DUALSEAL_PUBLIC_KEY_BYTES, &failure));
}

/* The secret that was dealt to these shares, which is this one. */
static inline dualseal_secret *rebuilt(const dualseal_domain *domain, json dealing, json shares, json expected)
{
    uint8_t secret[66], *found = NULL;
    size_t length = bytes_of(expected, secret, sizeof secret), found_length = 0;
    dualseal_secret *made = NULL;
    char *faults = NULL;
    OK(dualseal_dealing_reconstruct(domain, length == 66 ? DUALSEAL_FIELD_FP521 : DUALSEAL_FIELD_GF2_256, dealing.at,
                                    dealing.length, shares.at, shares.length, &made, &faults, &failure));
    CHECK(strcmp(faults, "{\"culprits\":[],\"misdealt\":[]}") == 0);
    OK(dualseal_secret_bytes(made, &found, &found_length, &failure));
    CHECK(found_length == length && memcmp(found, secret, length) == 0);
    dualseal_bytes_free(found);
    dualseal_string_free(faults);
    return made;
}

#endif
