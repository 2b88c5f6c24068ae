/*
 * sealdoc: seals files, verifies them, and tells what a file of ours is.
 *
 *     sealdoc key ana                     ana.key and ana.secret, and ana.pub, which Ana hands to whoever asks
 *     sealdoc seal ana contract.pdf       contract.pdf.seal, and one more entry in ana.chain
 *     sealdoc verify ana contract.pdf     by ana.pub and contract.pdf.seal; Ana, who has ana.secret, checks both layers
 *     sealdoc inspect contract.pdf.seal   what it is, and what is wrong with its form; it verifies nothing
 *
 * It ends with 0 where a seal is Valid and what was asked for was done, with 1 for every other verdict, and with 2
 * where there is none. A name is an identity: two of one name in one deployment are told apart by their keys alone.
 */
#define _POSIX_C_SOURCE 200809L
#include <dualseal.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DEPLOYMENT "SEALDOC"
/* More than any key, seal or head has. */
#define MOST ((size_t)64 * 1024)

_Noreturn static void fail(const char *form, ...)
{
    va_list arguments;
    va_start(arguments, form);
    fputs("sealdoc: ", stderr);
    vfprintf(stderr, form, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

/* Ends the program when a call gave no verdict, and says why. */
static dualseal_status must(dualseal_status status, dualseal_error *error)
{
    if (dualseal_status_family(status) != DUALSEAL_FAMILY_VERDICT) {
        const char *field = dualseal_error_field(error);
        fail("%s%s%s", field == NULL ? "" : field, field == NULL ? "" : ": ", dualseal_error_message(error));
    }
    return status;
}

/* A path made of two parts, in one of a few buffers that are used in turn. */
static const char *path(const char *name, const char *ending)
{
    static char paths[4][4096];
    static unsigned next;
    char *made = paths[next++ % 4];
    if (snprintf(made, sizeof paths[0], "%s%s", name, ending) >= (int)sizeof paths[0]) {
        fail("%s: too long a name", name);
    }
    return made;
}

/* All of a small file, in memory that the caller frees; NULL where there is none and `absent` allows that. */
static char *read_file(const char *from, size_t *length, int absent)
{
    FILE *file = fopen(from, "rb");
    if (file == NULL && errno == ENOENT && absent) {
        *length = 0;
        return NULL;
    }
    char *text = malloc(MOST);
    if (file == NULL || text == NULL) {
        fail("%s: %s", from, strerror(errno));
    }
    *length = fread(text, 1, MOST, file);
    if (ferror(file) || *length == MOST) {
        fail("%s: %s", from, ferror(file) ? "cannot be read" : "too long to be one of ours");
    }
    fclose(file);
    return text;
}

/* Writes a file that takes its name when it is whole and on the disk. A secret is for its owner alone. */
static void write_file(const char *to, const void *bytes, size_t length, mode_t mode)
{
    const char *partial = path(to, ".partial");
    int file = open(partial, O_WRONLY | O_CREAT | O_TRUNC, mode);
    if (file < 0 || write(file, bytes, length) != (ssize_t)length || fsync(file) != 0 || close(file) != 0
        || rename(partial, to) != 0) {
        fail("%s: %s", to, strerror(errno));
    }
}

static void append_file(const char *to, const char *line)
{
    int file = open(to, O_WRONLY | O_CREAT | O_APPEND, 0644);
    size_t length = strlen(line);
    if (file < 0 || write(file, line, length) != (ssize_t)length || fsync(file) != 0 || close(file) != 0) {
        fail("%s: %s", to, strerror(errno));
    }
}

/* A document of any size, as if it were in memory. */
static const uint8_t *map(const char *document, size_t *length)
{
    struct stat what;
    int file = open(document, O_RDONLY);
    if (file < 0 || fstat(file, &what) != 0) {
        fail("%s: %s", document, strerror(errno));
    }
    *length = (size_t)what.st_size;
    void *bytes = *length == 0 ? NULL : mmap(NULL, *length, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) {
        fail("%s: %s", document, strerror(errno));
    }
    close(file);
    return bytes;
}

/* How many lines a file has; 0 for none. */
static uint64_t lines_of(const char *from)
{
    uint64_t lines = 0;
    FILE *file = fopen(from, "rb");
    if (file == NULL) {
        return 0;
    }
    for (int c; (c = getc(file)) != EOF;) {
        lines += c == '\n';
    }
    fclose(file);
    return lines;
}

static dualseal_domain *open_domain(const char *name, char identity[DUALSEAL_ID_TEXT_BYTES])
{
    dualseal_error *error = NULL;
    dualseal_domain *domain = NULL;
    must(dualseal_domain_new(DEPLOYMENT, &domain, &error), error);
    must(dualseal_identity_id(domain, NULL, 0, name, strlen(name), "", 0, identity, DUALSEAL_ID_TEXT_BYTES, &error),
         error);
    return domain;
}

static int make_key(const char *name)
{
    dualseal_error *error = NULL;
    dualseal_signing_key *key = NULL;
    dualseal_seal_key *layer_a = NULL;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES], secret[DUALSEAL_SEAL_KEY_BYTES];
    char *pem = NULL, *shown = NULL, hash[DUALSEAL_ID_TEXT_BYTES];
    if (access(path(name, ".key"), F_OK) == 0) {
        fail("%s.key is there already; what it sealed needs it", name);
    }
    must(dualseal_seal_key_generate(secret, sizeof secret, &layer_a, &error), error);
    must(dualseal_signing_key_generate(&key, &error), error);
    must(dualseal_signing_key_to_pkcs8_pem(key, &pem, &error), error);
    must(dualseal_signing_key_public_key(key, public_key, sizeof public_key, &error), error);
    must(dualseal_public_key_to_spki_pem(public_key, sizeof public_key, &shown, &error), error);
    must(dualseal_public_key_hash(public_key, sizeof public_key, hash, sizeof hash, &error), error);
    write_file(path(name, ".secret"), secret, sizeof secret, 0600);
    write_file(path(name, ".pub"), shown, strlen(shown), 0644);
    write_file(path(name, ".key"), pem, strlen(pem), 0600);
    printf("%s\n", hash);
    memset(secret, 0, sizeof secret);
    dualseal_string_free(pem);
    dualseal_string_free(shown);
    dualseal_seal_key_free(layer_a);
    dualseal_signing_key_free(key);
    return 0;
}

/* The pinned key of a name: the one that its owner handed over, never the one in a record. */
static dualseal_ring *pinned(const char *name, const char *identity)
{
    dualseal_error *error = NULL;
    dualseal_ring *ring = NULL;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    size_t length;
    char *pem = read_file(path(name, ".pub"), &length, 0);
    must(dualseal_public_key_from_spki_pem(pem, length, public_key, sizeof public_key, &error), error);
    must(dualseal_ring_new_pinned(identity, public_key, sizeof public_key, &ring, &error), error);
    free(pem);
    return ring;
}

/* The secret of layer A, of whoever has it; NULL for everybody else. */
static dualseal_seal_key *layer_a_of(const char *name, int absent)
{
    dualseal_error *error = NULL;
    dualseal_seal_key *key = NULL;
    size_t length;
    char *secret = read_file(path(name, ".secret"), &length, absent);
    if (secret != NULL) {
        dualseal_status status = dualseal_seal_key_from_bytes((const uint8_t *)secret, length, &key, &error);
        memset(secret, 0, length);
        free(secret);
        must(status, error);
    }
    return key;
}

static int seal(const char *name, const char *document)
{
    dualseal_error *error = NULL;
    dualseal_signing_key *key = NULL;
    dualseal_head *head = NULL;
    char identity[DUALSEAL_ID_TEXT_BYTES], *made = NULL, *entry = NULL, *line = NULL, *end = NULL;
    size_t length;
    uint64_t size = 0;
    dualseal_domain *domain = open_domain(name, identity);
    dualseal_ring *ring = pinned(name, identity);
    dualseal_seal_key *layer_a = layer_a_of(name, 0);

    char *pem = read_file(path(name, ".key"), &length, 0);
    dualseal_status status = dualseal_signing_key_from_pkcs8_pem(pem, length, &key, &error);
    memset(pem, 0, length);
    free(pem);
    must(status, error);
    char *stored = read_file(path(name, ".head"), &length, 1);
    must(dualseal_head_new(stored, length, &head, &error), error);
    free(stored);
    /* A chain that goes on from somewhere else than where it ends is two chains. */
    must(dualseal_head_parts(head, &size, NULL, 0, NULL, 0, NULL, &error), error);
    if (size != lines_of(path(name, ".chain"))) {
        fail("%s.chain and %s.head are not of one moment: put both back from one backup", name, name);
    }
    const uint8_t *bytes = map(document, &length);
    must(dualseal_payload_seal(domain, identity, layer_a, key, ring, 0, bytes, length, &made, &error), error);
    must(dualseal_seal_append(made, strlen(made), head, domain, identity, (int64_t)time(NULL) * 1000, &entry, &error),
         error);
    must(dualseal_entry_parts(entry, strlen(entry), &line, NULL, 0, &error), error);
    must(dualseal_head_parts(head, NULL, NULL, 0, NULL, 0, &end, &error), error);
    append_file(path(name, ".chain"), line);
    write_file(path(name, ".head"), end, strlen(end), 0644);
    write_file(path(document, ".seal"), made, strlen(made), 0644);
    printf("%s.seal\n", document);
    dualseal_string_free(end);
    dualseal_string_free(line);
    dualseal_string_free(entry);
    dualseal_string_free(made);
    dualseal_head_free(head);
    dualseal_signing_key_free(key);
    dualseal_seal_key_free(layer_a);
    dualseal_ring_free(ring);
    dualseal_domain_free(domain);
    return 0;
}

static int verify(const char *name, const char *document)
{
    dualseal_error *error = NULL;
    char identity[DUALSEAL_ID_TEXT_BYTES];
    size_t length, seal_length;
    dualseal_domain *domain = open_domain(name, identity);
    dualseal_ring *ring = pinned(name, identity);
    dualseal_seal_key *layer_a = layer_a_of(name, 1);
    dualseal_seal_policy policy = layer_a == NULL ? DUALSEAL_SEAL_POLICY_LAYER_B : DUALSEAL_SEAL_POLICY_BOTH;
    char *found = read_file(path(document, ".seal"), &seal_length, 0);
    const uint8_t *bytes = map(document, &length);
    dualseal_status verdict = must(dualseal_seal_verify(domain, ring, NULL, found, seal_length, bytes, length, identity,
                                                        policy, layer_a, NULL, NULL, &error), error);
    printf("%s\n", dualseal_status_text(verdict));
    free(found);
    dualseal_seal_key_free(layer_a);
    dualseal_ring_free(ring);
    dualseal_domain_free(domain);
    return verdict == DUALSEAL_OK ? 0 : 1;
}

static int inspect(const char *file)
{
    dualseal_error *error = NULL;
    char *told = NULL;
    size_t length;
    char *text = read_file(file, &length, 0);
    must(dualseal_text_inspect((const uint8_t *)text, length, &told, &error), error);
    printf("%s\n", told);
    dualseal_string_free(told);
    free(text);
    return 0;
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "key") == 0) {
        return make_key(words[2]);
    }
    if (count == 4 && strcmp(words[1], "seal") == 0) {
        return seal(words[2], words[3]);
    }
    if (count == 4 && strcmp(words[1], "verify") == 0) {
        return verify(words[2], words[3]);
    }
    if (count == 3 && strcmp(words[1], "inspect") == 0) {
        return inspect(words[2]);
    }
    fputs("usage: sealdoc key NAME | seal NAME FILE | verify NAME FILE | inspect FILE\n", stderr);
    return 2;
}
