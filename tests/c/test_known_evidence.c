/* Every answer of tests/vectors/known_answers_evidence.json that is of a domain which C makes: a file that is put
   together of its parts here is the one that the library makes of them, and gives the report that everybody gets. */
#include "known.h"

#define MOST 32

typedef struct {
    char at[1 << 16];
    size_t length;
} text;

static void put(text *to, const char *more, size_t length)
{
    CHECK(to->length + length < sizeof to->at);
    memcpy(to->at + to->length, more, length);
    to->length += length;
    to->at[to->length] = '\0';
}

static void put_text(text *to, const char *more)
{
    put(to, SIZED(more));
}

static void put_member(text *to, const char *name, json value)
{
    put_text(to, to->length == 0 || strchr("{[:", to->at[to->length - 1]) != NULL ? "\"" : ",\"");
    put_text(to, name);
    put_text(to, "\":");
    put(to, value.at, value.length);
}

/* An entry of a chain, with its place. */
static void put_entry(text *to, json entry, size_t seq)
{
    char number[32];
    const json place = {number, (size_t)snprintf(number, sizeof number, "%u", (unsigned)seq)};
    put_text(to, "\"entry\":{");
    put_member(to, "h", of(entry, "h"));
    put_member(to, "poruka", of(entry, "poruka"));
    put_member(to, "prev", of(entry, "prev"));
    put_member(to, "seq", place);
    put_member(to, "t", of(entry, "t"));
    put_member(to, "w3", of(entry, "w3"));
    put_text(to, "}");
}

static void put_key(text *to, json of_seed)
{
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    char hex[2 * DUALSEAL_PUBLIC_KEY_BYTES + 3];
    const json value = {hex, sizeof hex - 1};
    dualseal_signing_key *key = key_of(of(of_seed, "seed_hex"));
    public_of(key, public_key);
    hex[0] = '"';
    for (size_t i = 0; i < sizeof public_key; i++) {
        snprintf(hex + 1 + 2 * i, 3, "%02x", public_key[i]);
    }
    strcpy(hex + sizeof hex - 2, "\"");
    put_member(to, "javni_kljuc", value);
    dualseal_signing_key_free(key);
}

/* The log's ring at this state: the file has seeds in place of its keys. */
static void put_ring(text *to, json ring)
{
    json keys[MOST];
    const size_t count = items_of(of(ring, "keys"), keys, MOST);
    put_text(to, "{\"keys\":[");
    for (size_t i = 0; i < count; i++) {
        put_text(to, i == 0 ? "{" : ",{");
        for (const char *at = keys[i].at + 1; at != NULL;) {
            const json name = value_at(at), value = value_at(name.at + name.length + 1);
            if (strncmp(name.at, "\"seed_hex\"", name.length) == 0) {
                put_key(to, keys[i]);
            } else {
                char plain_name[32];
                snprintf(plain_name, sizeof plain_name, "%.*s", (int)name.length - 2, name.at + 1);
                put_member(to, plain_name, value);
            }
            at = next(value);
        }
        put_text(to, "}");
    }
    put_text(to, "]");
    put_member(to, "origin", of(ring, "origin"));
    put_member(to, "revision", of(ring, "revision"));
    put_text(to, "}");
}

static void put_place(text *to, json checkpoint, json entry, size_t seq, json path)
{
    put_text(to, "{");
    put_member(to, "checkpoint", checkpoint);
    put_text(to, ",");
    put_entry(to, entry, seq);
    put_member(to, "path", path);
    put_text(to, "}");
}

/* A vault's record has no key of its own. */
static int has_no_key(json kept)
{
    const char *kind = plain(of(kept, "vrsta"));
    return strcmp(kind, "trezor") == 0 || strcmp(kind, "brisanje") == 0;
}

/* The file of a record, of the parts that the answers have. */
static void put_file(text *to, json log, json state, json kept, json of_file, const json *chain)
{
    const json none = {"null", 4}, version = {"\"1\"", 3};
    const size_t seq = (size_t)number_of(of(kept, "seq")), ring = (size_t)number_of(of(state, "ring_entry"));
    put_text(to, "{");
    put_member(to, "checkpoint", of(state, "checkpoint"));
    put_member(to, "domena", of(log, "domena"));
    put_text(to, ",");
    put_entry(to, chain[seq], seq);
    if (has_no_key(kept)) {
        put_key(to, kept);
    } else {
        put_member(to, "javni_kljuc", none);
    }
    put_member(to, "key", of(of_file, "key"));
    put_member(to, "note", of(state, "note"));
    put_member(to, "path", of(of_file, "path"));
    put_member(to, "record", of(kept, "record"));
    put_text(to, ",\"ring\":{");
    put_entry(to, chain[ring], ring);
    put_member(to, "path", of(state, "ring_path"));
    put_text(to, "}");
    put_member(to, "verzija", version);
    put_member(to, "vrsta", of(kept, "vrsta"));
    put_text(to, "}");
}

/* The library makes the same file of the parts. */
static void is_made(const dualseal_domain *domain, json log, json state, json kept, json of_file, const json *chain,
                    const text *expected)
{
    static text ring, place, ring_place;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    char *note = NULL, *found = NULL;
    size_t note_length = 0;
    dualseal_ring *read = NULL;
    const size_t seq = (size_t)number_of(of(kept, "seq")), ring_entry = (size_t)number_of(of(state, "ring_entry"));
    const json checkpoint = of(state, "checkpoint"), record = of(kept, "record");
    const int given = has_no_key(kept);
    ring.length = place.length = ring_place.length = 0;
    put_ring(&ring, of(state, "ring"));
    put_place(&place, checkpoint, chain[seq], seq, of(of_file, "path"));
    put_place(&ring_place, checkpoint, chain[ring_entry], ring_entry, of(state, "ring_path"));
    note = text_of(of(state, "note"), &note_length);
    dualseal_signing_key *key = key_of(of(kept, "seed_hex"));
    public_of(key, public_key);
    OK(dualseal_ring_from_public_json(ring.at, ring.length, NULL, 1, &read, &failure));
    OK(dualseal_evidence_make(domain, plain(of(log, "domena")), record.at, record.length, given ? public_key : NULL,
                              given ? sizeof public_key : 0, read, place.at, place.length, ring_place.at,
                              ring_place.length, note, note_length, &found, &failure));
    CHECK(strcmp(found, expected->at) == 0);
    dualseal_string_free(found);
    dualseal_ring_free(read);
    dualseal_signing_key_free(key);
    free(note);
}

static dualseal_status opened(json log, const char *const *witnesses, uint32_t needed, const text *file,
                              dualseal_evidence **evidence)
{
    return dualseal_evidence_open(NULL, plain(of(log, "fingerprint")), NULL, NULL, 1, 0, witnesses, 3, needed, NULL,
                                  file->at, file->length, evidence, &failure);
}

/* Files whose domain only who made it can know. */
static size_t refused = 0;

/* How many files of a log hold, each with its report. */
static size_t files(json log, const char *const *witnesses, uint32_t needed)
{
    static text file;
    static uint8_t document[4096];
    json chain[MOST], records[MOST], states[MOST], of_files[MOST];
    size_t found = 0;
    items_of(of(log, "chain"), chain, MOST);
    const size_t count = items_of(of(log, "records"), records, MOST);
    const size_t shown = items_of(of(log, "states"), states, MOST);
    for (size_t at = 0; at < shown * count; at++) {
        const json state = states[at / count], kept = records[at % count];
        CHECK(items_of(of(state, "files"), of_files, MOST) == count);
        const json of_file = of_files[at % count];
        dualseal_evidence *evidence = NULL;
        char *report = NULL;
        const size_t length = bytes_of(of(kept, "document_hex"), document, sizeof document - 1);
        file.length = 0;
        put_file(&file, log, state, kept, of_file, chain);
        if (is_null(of(log, "domena"))) {
            FAILS(DUALSEAL_STATUS_MISSING_MEMBER, "domena", -1, opened(log, witnesses, needed, &file, &evidence));
            refused++;
            continue;
        }
        dualseal_domain *domain = NULL;
        OK(dualseal_domain_new(plain(of(log, "domena")), &domain, &failure));
        is_made(domain, log, state, kept, of_file, chain, &file);
        for (size_t more = 0; more <= 1; more++) {
            OK(opened(log, witnesses, needed, &file, &evidence));
            OK(dualseal_evidence_update(evidence, document, length + more, &failure));
            const dualseal_status status = dualseal_evidence_finish(evidence, &report, &failure);
            if (more == 0) {
                CHECK(status == DUALSEAL_OK || status == DUALSEAL_STATUS_REVOKED ||
                      status == DUALSEAL_STATUS_SUSPENDED);
                is_value(report, of(of_file, "report"));
                report = NULL;
                found++;
            } else {
                GIVES(DUALSEAL_STATUS_EVIDENCE_RECORD, status);
                CHECK(report == NULL);
            }
            dualseal_evidence_free(evidence);
        }
        dualseal_domain_free(domain);
    }
    return found;
}

int main(void)
{
    json logs[2], keys[3];
    const char *witnesses[3];
    char *file = known_answers("known_answers_evidence.json");
    const json answers = value_at(file);
    const uint32_t needed = (uint32_t)number_of(of(answers, "needed"));
    CHECK(items_of(of(answers, "witnesses"), keys, 3) == 3 && items_of(of(answers, "logs"), logs, 2) == 2);
    for (size_t i = 0; i < 3; i++) {
        witnesses[i] = plain(of(keys[i], "key"));
    }
    const size_t first = files(logs[0], witnesses, needed), by_hand = files(logs[1], witnesses, needed);
    printf("%u files are made and verified, %u is of a domain that C cannot make\n", (unsigned)first,
           (unsigned)refused);
    CHECK(first == 10 && by_hand == 0 && refused == 1);
    dualseal_string_free(file);
    return 0;
}
