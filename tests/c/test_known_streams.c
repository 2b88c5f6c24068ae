/* Encrypted streams that another implementation made, by C. Secrets come from shares alone here, so each is rebuilt
   from those of its dealing. Of the longer streams one is in the file as a whole; Go and Python compute the others. */
#include "known.h"

#define MOST 16
#define CHUNK ((size_t)65536)
#define HEADER ((size_t)68)

static json answers;

static dualseal_secret *secret_of(const dualseal_domain *domain, json secret)
{
    json items[MOST], found = {NULL, 0};
    const size_t count = items_of(of(answers, "dealings"), items, MOST);
    for (size_t i = 0; i < count; i++) {
        const json one = of(items[i], "secret");
        if (one.length == secret.length && memcmp(one.at, secret.at, one.length) == 0) {
            found = items[i];
        }
    }
    CHECK(found.at != NULL);
    return rebuilt(domain, of(found, "dealing"), of(found, "shares"), secret);
}

static dualseal_status take(dualseal_status status, uint8_t *out, size_t length, uint8_t *to, size_t *count)
{
    if (status == DUALSEAL_OK) {
        memcpy(to + *count, out, length);
        *count += length;
        dualseal_bytes_free(out);
    }
    return status;
}

/* Decrypts a stream in two parts: the first status that is not 0, and the plain bytes. */
static dualseal_status decrypted(const dualseal_secret *secret, const dualseal_domain *domain, json whose,
                                 const uint8_t *stored, size_t length, uint8_t *to, size_t *count)
{
    dualseal_decryptor *decryptor = NULL;
    uint8_t *out = NULL;
    size_t got = 0;
    *count = 0;
    OK(dualseal_decryptor_new(secret, domain, plain(of(whose, "identity_id")), plain(of(whose, "type")), &decryptor,
                              &failure));
    dualseal_status status = dualseal_decryptor_update(decryptor, stored, length / 2, &out, &got, &failure);
    status = take(status, out, got, to, count);
    if (status == DUALSEAL_OK) {
        status = dualseal_decryptor_update(decryptor, stored + length / 2, length - length / 2, &out, &got, &failure);
        status = take(status, out, got, to, count);
    }
    if (status == DUALSEAL_OK) {
        status = dualseal_decryptor_finish(decryptor, &out, &got, &failure);
        status = take(status, out, got, to, count);
    }
    dualseal_decryptor_free(decryptor);
    return status;
}

static void streams(void)
{
    static uint8_t stored[HEADER + CHUNK + 64], opened[CHUNK + 64];
    json items[MOST];
    size_t whole = 0, chunks = 0, members = 0, got = 0;
    const size_t count = items_of(of(answers, "streams"), items, MOST);
    for (size_t i = 0; i < count; i++) {
        json text = member_and_count(items[i], "stored", &members);
        if (text.at == NULL) {
            text = of(items[i], "stored_begin");
        }
        if ((text.length - 2) / 2 != number_of(of(items[i], "stored_length"))) {
            continue;
        }
        dualseal_domain *domain = domain_of(items[i]);
        dualseal_secret *secret = secret_of(domain, of(items[i], "secret"));
        const size_t length = bytes_of(text, stored, sizeof stored);
        OK(decrypted(secret, domain, items[i], stored, length, opened, &got));
        CHECK(got == number_of(of(items[i], "payload_length")));
        const char *hash = hashed(domain, plain(of(items[i], "identity_id")), opened, got);
        CHECK(strcmp(hash, plain(of(items[i], "content_hash"))) == 0);
        GIVES(DUALSEAL_STATUS_STREAM_CHUNK, decrypted(secret, domain, items[i], stored, length - 1, opened, &got));
        /* What comes before the chunk that does not hold is given out. */
        CHECK(got == (length > CHUNK ? CHUNK : 0));
        stored[HEADER - 1] ^= 1;
        GIVES(DUALSEAL_STATUS_STREAM_KEY, decrypted(secret, domain, items[i], stored, length, opened, &got));
        whole++;
        chunks += length > CHUNK ? 2 : 1;
        dualseal_secret_free(secret);
        dualseal_domain_free(domain);
    }
    CHECK(count == 16 && whole == 7 && chunks == 8);
    printf("%u of %u streams are whole and open\n", (unsigned)whole, (unsigned)count);
}

/* A chunk whose tag holds under two keys: with either key's commitment before it, it opens under that key alone. */
static void two_keys(void)
{
    const json attack = of(answers, "two_keys");
    uint8_t stored[256], opened[256], payload[64];
    json secrets[2], payloads[2], commitments[2];
    size_t got = 0;
    CHECK(items_of(of(attack, "secrets"), secrets, 2) == 2 && items_of(of(attack, "payloads"), payloads, 2) == 2);
    CHECK(items_of(of(attack, "commitments"), commitments, 2) == 2);
    dualseal_domain *domain = test_domain();
    for (size_t place = 0; place < 2; place++) {
        memcpy(stored, "DSV1", 4);
        CHECK(bytes_of(of(attack, "salt"), stored + 4, 32) == 32);
        CHECK(bytes_of(commitments[place], stored + 36, 32) == 32);
        const size_t length = HEADER + bytes_of(of(attack, "chunk"), stored + HEADER, sizeof stored - HEADER);
        for (size_t reader = 0; reader < 2; reader++) {
            dualseal_secret *secret = secret_of(domain, secrets[reader]);
            GIVES(reader == place ? DUALSEAL_OK : DUALSEAL_STATUS_STREAM_KEY,
                  decrypted(secret, domain, attack, stored, length, opened, &got));
            if (reader == place) {
                CHECK(got == bytes_of(payloads[place], payload, sizeof payload) && memcmp(opened, payload, got) == 0);
            }
            dualseal_secret_free(secret);
        }
    }
    dualseal_domain_free(domain);
}

int main(void)
{
    json items[MOST];
    size_t members = 0;
    char *file = known_answers("stream.json");
    answers = value_at(file);
    member_and_count(answers, "", &members);
    CHECK(members == 3 && items_of(of(answers, "dealings"), items, MOST) == 4);
    streams();
    two_keys();
    dualseal_string_free(file);
    return 0;
}
