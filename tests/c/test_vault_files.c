/* The vault from files to files: whole under their names, or not there. Under valgrind. */
#define _POSIX_C_SOURCE 200809L

#include "vault.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define BIG ((size_t)200001)
#define DOCUMENT "c files document"
#define STORED "c files stored"
#define OUT "c files out"

static uint8_t *document(void)
{
    uint8_t *text = (uint8_t *)owned(malloc(BIG));
    for (size_t i = 0; i < BIG; i++) {
        text[i] = (uint8_t)(i * 31 + i / 253);
    }
    return text;
}

static void write_file(const char *path, const uint8_t *bytes, size_t length)
{
    FILE *file = (FILE *)owned(fopen(path, "wb"));
    CHECK(fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

static int there(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

/* Whether something lies here that is not finished. */
static int unfinished(void)
{
    static const char ending[] = ".unfinished";
    DIR *folder = (DIR *)owned(opendir("."));
    int found = 0;
    for (struct dirent *one = readdir(folder); one != NULL; one = readdir(folder)) {
        size_t length = strlen(one->d_name);
        found |= length >= sizeof ending && strcmp(one->d_name + length - (sizeof ending - 1), ending) == 0;
    }
    CHECK(closedir(folder) == 0);
    return found;
}

#ifdef __linux__
static int folders_fail = 0;

/* In the place of the system's, which the library calls: a disk that goes bad when the folder is forced to it. */
int fsync(int file)
{
    struct stat what;
    if (folders_fail && fstat(file, &what) == 0 && S_ISDIR(what.st_mode)) {
        errno = EIO;
        return -1;
    }
    return fdatasync(file);
}
#endif

/* All of a file, which the caller frees. */
static uint8_t *read_file(const char *path, size_t *length)
{
    uint8_t *bytes = (uint8_t *)owned(malloc(BIG + 1000));
    FILE *file = (FILE *)owned(fopen(path, "rb"));
    *length = fread(bytes, 1, BIG + 1000, file);
    CHECK(fclose(file) == 0);
    return bytes;
}

/* As check_status, with the system's number. */
static void file_fails(int line, dualseal_status found, int32_t expected, const char *field, int32_t os)
{
    int32_t number = dualseal_error_os(failure);
    check_status(__FILE__, line, found, expected, field, -1);
    if (number != os) {
        fprintf(stderr, "%s:%d: system error %d, expected %d\n", __FILE__, line, (int)number, (int)os);
        exit(1);
    }
}

#define FILE_FAILS(expected, field, os, call)                        \
    do {                                                             \
        dualseal_status given = (call);                              \
        file_fails(__LINE__, given, (expected), (field), (os));      \
    } while (0)
#define NOT_READ(os, call) FILE_FAILS(DUALSEAL_STATUS_FILE_READ, "source", os, call)
#define NOT_WRITTEN(os, call) FILE_FAILS(DUALSEAL_STATUS_FILE_WRITE, "target", os, call)

static dualseal_status seal_file(archive *a, const char *from, const char *to, dualseal_encryption encryption,
                                 dualseal_sealed **sealed)
{
    return dualseal_vault_sealer_seal_file(a->vault, from, to, "SCAN", encryption, a->ledger, a->head,
        SIZED("scanner 4"),
            TIME,
                                    sealed, &failure);
}

/* What is sealed from a file to a file is a record like every other one. */
static kept *sealed_from(archive *a, const char *from, const char *to, dualseal_encryption encryption)
{
    dualseal_sealed *sealed = NULL;
    OK(seal_file(a, from, to, encryption, &sealed));
    return archive_keep(a, sealed, NULL, 0, 1);
}

/* The operator's proof, from the hash of a file. */
static dualseal_vault_report *proof_by_file(const archive *a, const kept *one, const char *stored)
{
    dualseal_located_ledger *ledger = archive_located(a);
    dualseal_located *at = NULL;
    dualseal_stored_hash *hash = NULL;
    dualseal_vault_report *report = NULL;
    OK(dualseal_stored_hash_new(a->domain, stored, &hash, &failure));
    OK(dualseal_located_ledger_locate(ledger, SIZED(one->record), &at, &failure));
    OK(dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_operator, SIZED(one->record), hash, ANA, at, NULL,
        &report, &failure));
    dualseal_stored_hash_free(hash);
    dualseal_located_free(at);
    dualseal_located_ledger_free(ledger);
    return report;
}

static void unseals_to(const dualseal_vault_report *verified, const kept *one, const char *stored, const char *out)
{
    uint8_t *expected = document(), *found = NULL;
    size_t length = 0;
    OK(dualseal_vault_unseal_file(verified, one->secret, stored, out, &failure));
    found = read_file(out, &length);
    CHECK(length == BIG && memcmp(found, expected, BIG) == 0 && !unfinished());
    free(found);
    free(expected);
}

static void files_go_in_and_come_out(archive *a)
{
    const kept *hidden = sealed_from(a, DOCUMENT, STORED, HIDDEN);
    /* Any bytes are a name on Unix. */
    const kept *plain = sealed_from(a, DOCUMENT, STORED " \xff\xfe", PLAIN);
    uint8_t *text = document();
    size_t length = 0;
    CHECK(hidden->secret != NULL && plain->secret == NULL && !unfinished());
    uint8_t *stored = read_file(STORED, &length);
    CHECK(length == 68 + BIG + 4 * 16 && memcmp(stored + 68, text, 1000) != 0);
    free(stored);
    stored = read_file(STORED " \xff\xfe", &length);
    CHECK(length == BIG && memcmp(stored, text, BIG) == 0);
    free(stored);
    dualseal_vault_report *verified = proof_by_file(a, hidden, STORED);
    unseals_to(verified, hidden, STORED, OUT);
    /* What was there is replaced. */
    write_file(OUT, (const uint8_t *)"before", 6);
    unseals_to(verified, hidden, STORED, OUT);
    dualseal_vault_report_free(verified);
    verified = proof_by_file(a, plain, STORED " \xff\xfe");
    unseals_to(verified, plain, STORED " \xff\xfe", OUT);
    dualseal_vault_report_free(verified);
    CHECK(remove(OUT) == 0 && remove(STORED " \xff\xfe") == 0);

    /* The hash of a file is whole. */
    dualseal_stored_hash *of_file = NULL;
    OK(dualseal_stored_hash_new(a->domain, DOCUMENT, &of_file, &failure));
    GIVES(DUALSEAL_STATUS_STREAM_ENDED, dualseal_stored_hash_update(of_file, text, 1, &failure));
    dualseal_stored_hash_free(of_file);
    free(text);
}

#ifdef __linux__
/* What had the name is gone by then: the record and the secret are handed over, so that nothing is lost. */
static void what_is_named_is_handed_over(archive *a)
{
    dualseal_sealed *sealed = NULL;
    write_file(OUT, (const uint8_t *)"before", 6);
    folders_fail = 1;
    FILE_FAILS(DUALSEAL_STATUS_FILE_NOT_FORCED, "target", EIO, seal_file(a, DOCUMENT, OUT, HIDDEN, &sealed));
    folders_fail = 0;
    CHECK(sealed != NULL);
    const kept *one = archive_keep(a, sealed, NULL, 0, 1);
    dualseal_vault_report *verified = proof_by_file(a, one, OUT);
    CHECK(rename(OUT, STORED) == 0);
    folders_fail = 1;
    FILE_FAILS(DUALSEAL_STATUS_FILE_NOT_FORCED, "target", EIO,
               dualseal_vault_unseal_file(verified, one->secret, STORED, OUT, &failure));
    folders_fail = 0;
    CHECK(there(OUT) && !unfinished());
    unseals_to(verified, one, STORED, OUT);
    dualseal_vault_report_free(verified);
}
#endif

static uint64_t size_of_ledger(const archive *a)
{
    uint64_t size = UINT64_MAX;
    OK(dualseal_ledger_head_parts(a->ledger, NULL, 0, &size, NULL, 0, &failure));
    return size;
}

static void files_that_cannot_be_used_change_nothing(archive *a, const dualseal_vault_report *verified)
{
    const dualseal_secret *secret = a->records[0].secret;
    dualseal_sealed *sealed = NULL;
    dualseal_stored_hash *hash = NULL;
    uint64_t before = size_of_ledger(a);
    NOT_WRITTEN(ENOENT, seal_file(a, DOCUMENT, "no such folder/out", HIDDEN, &sealed));
    NOT_READ(ENOENT, seal_file(a, "no such file", OUT, HIDDEN, &sealed));
    NOT_READ(ENOENT, seal_file(a, "", OUT, HIDDEN, &sealed));
    NOT_WRITTEN(0, seal_file(a, DOCUMENT, "", HIDDEN, &sealed));
    NOT_READ(EISDIR, seal_file(a, ".", OUT, HIDDEN, &sealed));
    /* Sealed in place, the document would be gone with the secret. */
    NOT_WRITTEN(0, seal_file(a, DOCUMENT, "./" DOCUMENT, HIDDEN, &sealed));
    /* A link is not replaced, nor what it leads to. */
    CHECK(symlink(STORED, OUT) == 0);
    NOT_WRITTEN(0, seal_file(a, DOCUMENT, OUT, HIDDEN, &sealed));
    CHECK(there(OUT) && remove(OUT) == 0 && there(STORED));
    NOT_WRITTEN(ENOENT, dualseal_vault_unseal_file(verified, secret, STORED, "no such folder/out", &failure));
    NOT_READ(ENOENT, dualseal_vault_unseal_file(verified, secret, "no such file", OUT, &failure));
    NOT_WRITTEN(0, dualseal_vault_unseal_file(verified, secret, STORED, STORED, &failure));
    NOT_READ(ENOENT, dualseal_stored_hash_new(a->domain, "no such file", &hash, &failure));
    NOT_READ(EISDIR, dualseal_stored_hash_new(a->domain, ".", &hash, &failure));
    /* An error about no file has no number of the system, and a failed write no message of the disk's contents. */
    FILE_FAILS(DUALSEAL_STATUS_RESERVED_TYPE, NULL, 0,
               dualseal_vault_sealer_seal_file(a->vault, DOCUMENT, OUT, "ERASURE", HIDDEN, a->ledger, a->head,
                   SIZED(""), TIME,
                                        &sealed, &failure));
    CHECK(dualseal_error_os(NULL) == 0);
    CHECK(!there(OUT) && !unfinished() && sealed == NULL && hash == NULL);
    CHECK(size_of_ledger(a) == before && size_of_chain(a->head) == a->entries);
}

/* A byte is changed after the record was verified: nothing of the document is left. */
static void changed_files_leave_nothing(archive *a, const dualseal_vault_report *verified)
{
    const kept *one = &a->records[0];
    size_t length = 0;
    uint8_t *stored = read_file(STORED, &length);
    dualseal_stored_hash *hash = NULL;
    dualseal_vault_report *weak = NULL;
    dualseal_secret *other = NULL;
    /* The last chunk: three good ones have been written by then. */
    stored[length - 1] ^= 1;
    write_file(STORED, stored, length);
    FAILS(DUALSEAL_STATUS_STREAM_CHUNK, NULL, 3,
          dualseal_vault_unseal_file(verified, one->secret, STORED, OUT, &failure));
    CHECK(!there(OUT) && !unfinished());
    OK(dualseal_stored_hash_new(a->domain, STORED, &hash, &failure));
    GIVES(DUALSEAL_STATUS_INVALID, dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_all,
        SIZED(one->record), hash, ANA, NULL, NULL, NULL, &failure));
    dualseal_stored_hash_free(hash);
    stored[length - 1] ^= 1;
    write_file(STORED, stored, length - 1);
    FAILS(DUALSEAL_STATUS_STREAM_CHUNK, NULL, 3,
          dualseal_vault_unseal_file(verified, one->secret, STORED, OUT, &failure));
    /* What was there before stays. */
    write_file(OUT, (const uint8_t *)"before", 6);
    FAILS(DUALSEAL_STATUS_STREAM_CHUNK, NULL, 3,
          dualseal_vault_unseal_file(verified, one->secret, STORED, OUT, &failure));
    size_t kept_length = 0;
    uint8_t *before = read_file(OUT, &kept_length);
    CHECK(kept_length == 6 && memcmp(before, "before", 6) == 0 && remove(OUT) == 0);
    free(before);
    write_file(STORED, stored, length);

    OK(dualseal_secret_generate(DUALSEAL_FIELD_GF2_256, &other, &failure));
    GIVES(DUALSEAL_STATUS_STREAM_KEY, dualseal_vault_unseal_file(verified, other, STORED, OUT, &failure));
    GIVES(DUALSEAL_STATUS_NO_VAULT_SECRET, dualseal_vault_unseal_file(verified, NULL, STORED, OUT, &failure));
    OK(dualseal_stored_hash_new(a->domain, STORED, &hash, &failure));
    OK(dualseal_vault_record_verify(a->domain, a->ring, NULL, a->to_all, SIZED(one->record), hash, ANA, NULL, NULL,
        &weak, &failure));
    FAILS(DUALSEAL_STATUS_NOT_VERIFIED, "report", -1,
          dualseal_vault_unseal_file(weak, one->secret, STORED, OUT, &failure));
    CHECK(!there(OUT) && !unfinished());
    dualseal_secret_free(other);
    dualseal_vault_report_free(weak);
    dualseal_stored_hash_free(hash);
    free(stored);
}

static void null_arguments(archive *a, const dualseal_vault_report *verified)
{
    const dualseal_vault_sealer *v = a->vault;
    dualseal_ledger_head *l = a->ledger;
    dualseal_head *h = a->head;
    dualseal_sealed *sealed = NULL;
    dualseal_stored_hash *hash = NULL;
    const char *in = DOCUMENT, *out = OUT;
    NULL_IS("sealer", dualseal_vault_sealer_seal_file(NULL, in, out, "SCAN", HIDDEN, l, h, SIZED(""), TIME, &sealed,
            &failure));
    NULL_IS("source", dualseal_vault_sealer_seal_file(v, NULL, out, "SCAN", HIDDEN, l, h, SIZED(""), TIME, &sealed,
        &failure));
    NULL_IS("target", dualseal_vault_sealer_seal_file(v, in, NULL, "SCAN", HIDDEN, l, h, SIZED(""), TIME, &sealed,
        &failure));
    NULL_IS("kind", dualseal_vault_sealer_seal_file(v, in, out, NULL, HIDDEN, l, h, SIZED(""), TIME, &sealed,
        &failure));
    NULL_IS("ledger", dualseal_vault_sealer_seal_file(v, in, out, "SCAN", HIDDEN, NULL, h, SIZED(""), TIME, &sealed,
            &failure));
    NULL_IS("head", dualseal_vault_sealer_seal_file(v, in, out, "SCAN", HIDDEN, l, NULL, SIZED(""), TIME, &sealed,
        &failure));
    NULL_IS("note", dualseal_vault_sealer_seal_file(v, in, out, "SCAN", HIDDEN, l, h, SIZED(NULL), TIME, &sealed,
        &failure));
    NULL_IS("sealed", dualseal_vault_sealer_seal_file(v, in, out, "SCAN", HIDDEN, l, h, SIZED(""), TIME, NULL,
        &failure));
    FAILS(DUALSEAL_STATUS_UNKNOWN_VALUE, "encryption", -1,
          dualseal_vault_sealer_seal_file(v, in, out, "SCAN", (dualseal_encryption)0, l, h, SIZED(""), TIME, &sealed,
                  &failure));
    NULL_IS("domain", dualseal_stored_hash_new(NULL, in, &hash, &failure));
    NULL_IS("stored_hash", dualseal_stored_hash_new(a->domain, in, NULL, &failure));
    NULL_IS("report", dualseal_vault_unseal_file(NULL, NULL, STORED, out, &failure));
    NULL_IS("source", dualseal_vault_unseal_file(verified, NULL, NULL, out, &failure));
    NULL_IS("target", dualseal_vault_unseal_file(verified, NULL, STORED, NULL, &failure));
    CHECK(sealed == NULL && hash == NULL && !there(OUT) && !unfinished());
}

int main(void)
{
    archive a;
    uint8_t *text = document();
    archive_open(&a);
    write_file(DOCUMENT, text, BIG);
    remove(OUT);
    files_go_in_and_come_out(&a);
    dualseal_vault_report *verified = proof_by_file(&a, &a.records[0], STORED);
    files_that_cannot_be_used_change_nothing(&a, verified);
    changed_files_leave_nothing(&a, verified);
    null_arguments(&a, verified);
    unseals_to(verified, &a.records[0], STORED, OUT);
#ifdef __linux__
    what_is_named_is_handed_over(&a);
#endif
    CHECK(remove(OUT) == 0 && remove(STORED) == 0 && remove(DOCUMENT) == 0);
    dualseal_vault_report_free(verified);
    archive_close(&a);
    free(text);
    return 0;
}
