/* Every answer of tests/vectors/known_answers.json, which other implementations computed, by C. Rust, Python and Go
   read the same file. Under valgrind. */
#include "known.h"

#define MOST 16

/* What C has no function of: parts of what it does, which records show as a whole. Nothing else is left out. */
static const char *const inner[] = {"vault_identifiers", "bindings", "hmac", "hkdf"};

static char *file;
static json answers;

static json answer(const char *name, size_t count, json items[MOST])
{
    const json found = of(answers, name);
    CHECK(items_of(found, items, MOST) == count);
    return found;
}

static void no_answer_is_left_out(void)
{
    static const char *const read[] = {"about", "identifiers", "content_hashes", "chain", "checkpoints", "ring",
                                       "mldsa", "records"};
    size_t count = 0;
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        of(answers, read[i]);
    }
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        of(answers, inner[i]);
    }
    member_and_count(answers, "", &count);
    CHECK(count == (sizeof read + sizeof inner) / sizeof *read);
}

static void identifiers_and_hashes(void)
{
    static uint8_t content[4096];
    json items[MOST];
    char found[DUALSEAL_ID_TEXT_BYTES];
    answer("identifiers", 12, items);
    for (size_t i = 0; i < 12; i++) {
        dualseal_domain *domain = domain_of(items[i]);
        const size_t length = bytes_of(of(items[i], "content_hex"), content, sizeof content);
        const char *creator = plain(of(items[i], "creator")), *context = plain(of(items[i], "context"));
        OK(dualseal_identity_id(domain, content, length, SIZED(creator), SIZED(context), found, sizeof found,
                                &failure));
        CHECK(strcmp(found, plain(of(items[i], "identity_id"))) == 0);
        dualseal_domain_free(domain);
    }
    answer("content_hashes", 12, items);
    for (size_t i = 0; i < 12; i++) {
        dualseal_domain *domain = domain_of(items[i]);
        const size_t length = bytes_of(of(items[i], "content_hex"), content, sizeof content);
        const char *identity = plain(of(items[i], "identity_id"));
        CHECK(strcmp(hashed(domain, identity, content, length), plain(of(items[i], "sadrzaj_hash"))) == 0);
        dualseal_domain_free(domain);
    }
}

/* Appends what an entry says: the same line comes out, which is freed. */
static void append(dualseal_head *head, const dualseal_domain *domain, json expected)
{
    size_t length = 0;
    char *message = text_of(of(expected, "poruka"), &length), *entry = NULL, *line = NULL;
    OK(dualseal_head_append(head, domain, plain(of(expected, "w3")), message, length, time_of(of(expected, "t")),
                            &entry, &failure));
    OK(dualseal_entry_parts(SIZED(entry), &line, NULL, 0, &failure));
    is_value(line, expected);
    dualseal_string_free(entry);
    free(message);
}

static void root_is(const dualseal_head *head, json expected)
{
    char root[DUALSEAL_ID_TEXT_BYTES];
    OK(dualseal_head_parts(head, NULL, NULL, 0, root, sizeof root, NULL, &failure));
    CHECK(strcmp(root, plain(expected)) == 0);
}

static void the_chain(void)
{
    json entries[MOST], roots[MOST], handles[MOST];
    const json chain = of(answers, "chain");
    CHECK(items_of(of(chain, "entries"), entries, MOST) == 5 && items_of(of(chain, "roots"), roots, MOST) == 6);
    CHECK(items_of(of(chain, "krunica_hashes"), handles, MOST) == 5);
    dualseal_domain *domain = test_domain();
    dualseal_head *head = test_head();
    char *lines[5];
    root_is(head, roots[0]);
    for (size_t i = 0; i < 5; i++) {
        append(head, domain, entries[i]);
        root_is(head, roots[i + 1]);
        lines[i] = slice_of(entries[i]);
    }
    dualseal_head *read = head_after(domain, lines, 5);
    root_is(read, roots[5]);
    dualseal_head_free(read);
    for (size_t i = 0; i < 5; i++) {
        /* The short handle of each, by the proof of its place. */
        dualseal_located_free(test_place(domain, head, lines, 5, plain(handles[i])));
    }
    for (size_t i = 0; i < 5; i++) {
        free(lines[i]);
    }
    dualseal_head_free(head);
    dualseal_domain_free(domain);
}

/* The members of what was signed now are those of the answer, but for the signature, which is another each time. */
static void same_but_for_the_signature(const char *signed_now, json expected)
{
    json found = {signed_now, strlen(signed_now)};
    static const char *const members[] = {"size", "top",  "root",        "ring",      "nota", "origin",
                                          "time", "identity_id", "algoritam"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const json one = of(found, members[i]), other = of(expected, members[i]);
        CHECK(one.length == other.length && memcmp(one.at, other.at, one.length) == 0);
    }
}

static void checkpoints(void)
{
    json items[MOST], entries[MOST];
    size_t complete = 0, members = 0;
    CHECK(items_of(of(of(answers, "chain"), "entries"), entries, MOST) == 5);
    answer("checkpoints", 3, items);
    for (size_t i = 0; i < 3; i++) {
        const json expected = of(items[i], "checkpoint");
        dualseal_domain *domain = domain_of(items[i]);
        dualseal_signing_key *key = key_of(of(items[i], "seed_hex"));
        dualseal_head *head = test_head();
        char mark[1024], *made = NULL, hash[DUALSEAL_ID_TEXT_BYTES];
        const char *identity = plain(of(expected, "identity_id")), *origin = plain(of(expected, "origin"));
        const json ring = of(expected, "ring"), note = of(expected, "nota"), root = of(expected, "root");
        for (uint64_t entry = 0; entry < number_of(of(expected, "size")); entry++) {
            append(head, domain, entries[entry]);
        }
        root_is(head, root);
        /* The ring that one states is of no log: the mark has what of it is signed. */
        snprintf(mark, sizeof mark, "{\"origin\":\"%s\",\"ring\":%.*s,\"root\":%.*s,\"size\":%d,\"top\":%.*s}", origin,
                 (int)ring.length, ring.at, (int)root.length, root.at, (int)number_of(of(expected, "size")),
                 (int)of(expected, "top").length, of(expected, "top").at);
        OK(dualseal_checkpoint_sign(domain, identity, key, NO_RING, is_null(note) ? NULL : plain(note), SIZED(mark),
                                    time_of(of(expected, "time")), &made, &failure));
        same_but_for_the_signature(made, expected);
        if (member_and_count(expected, "potpis", &members).at != NULL) {
            uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
            dualseal_checkpoint *checkpoint = NULL;
            public_of(key, public_key);
            OK(dualseal_public_key_hash(public_key, sizeof public_key, hash, sizeof hash, &failure));
            OK(dualseal_checkpoint_verify(domain, origin, identity, hash, 5, NO_RING, NULL, expected.at,
                                          expected.length, &checkpoint, NULL, &failure));
            dualseal_checkpoint_free(checkpoint);
            complete++;
        }
        dualseal_string_free(made);
        dualseal_head_free(head);
        dualseal_signing_key_free(key);
        dualseal_domain_free(domain);
    }
    CHECK(complete == 1);
}

/* One of the four changes, appended at the head. */
static char *change(dualseal_ring *ring, json what, const char *identity, uint8_t keys[2][DUALSEAL_PUBLIC_KEY_BYTES],
                    dualseal_head *head, int64_t time)
{
    char *entry = NULL, hash[DUALSEAL_ID_TEXT_BYTES];
    const char *name = plain(of(what, "change"));
    const size_t size = DUALSEAL_PUBLIC_KEY_BYTES;
    if (strcmp(name, "add") == 0) {
        OK(dualseal_ring_add(ring, identity, keys[0], size, head, time, &entry, &failure));
    } else if (strcmp(name, "rotate") == 0) {
        OK(dualseal_ring_rotate(ring, identity, keys[1], size, head, time, &entry, &failure));
    } else if (strcmp(name, "bela") == 0) {
        OK(dualseal_ring_set_state(ring, identity, NULL, DUALSEAL_KEY_STATE_DECOY, NULL, head, time, &entry, &failure));
    } else {
        CHECK(strcmp(name, "revoke") == 0);
        const uint64_t from = number_of(of(what, "opozvan_od"));
        OK(dualseal_public_key_hash(keys[0], size, hash, sizeof hash, &failure));
        OK(dualseal_ring_set_state(ring, identity, hash, DUALSEAL_KEY_STATE_REVOKED, &from, head, time, &entry,
                                   &failure));
    }
    return entry;
}

/* The content that the ring's entries stand around. */
static void signs(const dualseal_domain *domain, json seed, dualseal_head *head, json expected)
{
    char *record = NULL, *entry = NULL, *line = NULL;
    dualseal_signing_key *key = key_of(seed);
    const char *who = plain(of(expected, "w3"));
    OK(dualseal_signature_sign(domain, who, key, NO_RING, hashed(domain, who, "ring", 4), head,
                               time_of(of(expected, "t")), &record, &entry, &failure));
    OK(dualseal_entry_parts(SIZED(entry), &line, NULL, 0, &failure));
    is_value(line, expected);
    dualseal_string_free(entry);
    dualseal_string_free(record);
    dualseal_signing_key_free(key);
}

static void the_ring(void)
{
    const json all = of(answers, "ring"), file_of_ring = of(all, "ring");
    json changes[MOST], chain[MOST], seeds[MOST];
    uint8_t secret[DUALSEAL_RING_KEY_BYTES], keys[3][DUALSEAL_PUBLIC_KEY_BYTES];
    char *entry = NULL, *text = NULL;
    size_t changed = 0;
    dualseal_domain *domain = domain_of(all);
    dualseal_ring_key *ring_key = NULL;
    dualseal_ring *ring = NULL;
    dualseal_head *head = test_head();
    CHECK(items_of(of(all, "changes"), changes, MOST) == 4 && items_of(of(all, "chain"), chain, MOST) == 6);
    CHECK(items_of(of(all, "seeds_hex"), seeds, MOST) == 3);
    for (size_t i = 0; i < 3; i++) {
        dualseal_signing_key *key = key_of(seeds[i]);
        public_of(key, keys[i]);
        dualseal_signing_key_free(key);
    }
    bytes_of(of(all, "ring_key_hex"), secret, sizeof secret);
    OK(dualseal_ring_key_from_secret(domain, secret, sizeof secret, &ring_key, &failure));
    OK(dualseal_ring_new(plain(of(file_of_ring, "origin")), ring_key, &ring, &failure));
    for (size_t i = 0; i < 6; i++) {
        const char *message = plain(of(chain[i], "poruka"));
        char *line = slice_of(chain[i]), *found = NULL;
        if (strcmp(message, "sealed") == 0) {
            append(head, domain, chain[i]);
        } else if (strstr(message, "::SIGNED::") != NULL) {
            signs(domain, seeds[0], head, chain[i]);
            follow(ring, &line, 1);
        } else {
            entry = change(ring, changes[changed++], plain(of(all, "identity_id")), keys, head,
                           time_of(of(chain[i], "t")));
            OK(dualseal_entry_parts(SIZED(entry), &found, NULL, 0, &failure));
            is_value(found, chain[i]);
            dualseal_string_free(entry);
        }
        free(line);
    }
    CHECK(changed == 4 && size_of_chain(head) == 6);

    /* The decoy's record is the last entry. */
    char *sealed = (char *)owned(malloc(chain[5].length + 16));
    sprintf(sealed, "%.*s,\"seq\":5}", (int)chain[5].length - 1, chain[5].at);
    OK(dualseal_ring_add_decoy(ring, keys[2], sizeof keys[2], SIZED(sealed), &failure));
    free(sealed);
    OK(dualseal_ring_to_stored_json(ring, head, &text, &failure));
    is_value(text, file_of_ring);
    OK(dualseal_ring_to_public_json(ring, &text, &failure));
    is_value(text, of(all, "public_ring"));
    dualseal_head_free(head);
    dualseal_ring_free(ring);
    dualseal_ring_key_free(ring_key);
    dualseal_domain_free(domain);
}

static void keys(void)
{
    json items[MOST];
    answer("mldsa", 3, items);
    for (size_t i = 0; i < 3; i++) {
        uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
        char hash[DUALSEAL_ID_TEXT_BYTES];
        dualseal_signing_key *key = key_of(of(items[i], "seed_hex"));
        public_of(key, public_key);
        OK(dualseal_public_key_hash(public_key, sizeof public_key, hash, sizeof hash, &failure));
        CHECK(strcmp(hash, plain(of(items[i], "public_key_sha3_256"))) == 0);
        dualseal_signing_key_free(key);
    }
}

/* What the library signs now has the entry of the answer, and every member of its record but the signature. */
static void records(void)
{
    static uint8_t content[4096];
    json items[MOST], chain[MOST];
    size_t complete = 0;
    answer("records", 2, items);
    for (size_t i = 0; i < 2; i++) {
        CHECK(items_of(of(items[i], "chain"), chain, MOST) == 2);
        dualseal_domain *domain = domain_of(items[i]);
        dualseal_signing_key *key = key_of(of(items[i], "seed_hex"));
        dualseal_head *head = test_head();
        char *made = NULL, *entry = NULL, *line = NULL;
        const char *who = plain(of(chain[1], "w3"));
        const size_t length = bytes_of(of(items[i], "content_hex"), content, sizeof content);
        char hash[DUALSEAL_ID_TEXT_BYTES];
        strcpy(hash, hashed(domain, who, content, length));
        append(head, domain, chain[0]);
        OK(dualseal_signature_sign(domain, who, key, NO_RING, hash, head, time_of(of(chain[1], "t")), &made, &entry,
                                   &failure));
        OK(dualseal_entry_parts(SIZED(entry), &line, NULL, 0, &failure));
        is_value(line, chain[1]);
        const json record = of(items[i], "record");
        if (!is_null(record)) {
            uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
            dualseal_ring *ring = NULL;
            /* Up to the signature, and behind it. */
            const json potpis = of(record, "potpis");
            const size_t first = (size_t)(potpis.at - record.at), behind = first + potpis.length;
            CHECK(strlen(made) == record.length && memcmp(made, record.at, first) == 0);
            CHECK(memcmp(made + behind, record.at + behind, record.length - behind) == 0);
            public_of(key, public_key);
            OK(dualseal_ring_new_pinned(who, public_key, sizeof public_key, &ring, &failure));
            OK(dualseal_signature_verify(domain, ring, NULL, who, hash, record.at, record.length, NULL, NULL,
                                         &failure));
            dualseal_ring_free(ring);
            complete++;
        }
        dualseal_string_free(entry);
        dualseal_string_free(made);
        dualseal_head_free(head);
        dualseal_signing_key_free(key);
        dualseal_domain_free(domain);
    }
    CHECK(complete == 1);
}

int main(void)
{
    file = known_answers("known_answers.json");
    answers = value_at(file);
    no_answer_is_left_out();
    identifiers_and_hashes();
    the_chain();
    checkpoints();
    the_ring();
    keys();
    records();
    dualseal_string_free(file);
    return 0;
}
