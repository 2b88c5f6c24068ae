/* How much of its thread's stack each kind of call takes: what docs/C-API.md says is the most. It reads what was left
   on a stack. Not under valgrind. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/mman.h>

#include "vault.h"

/* What a thread gets here, of which a call must not take more than is said. */
#define STACK ((size_t)1 << 20)
#define KIB ((size_t)1024)

typedef struct {
    archive a;
    char hash[DUALSEAL_ID_TEXT_BYTES], *pem, *record, *entry, *seal, *dealing, *shares;
    dualseal_signing_key *key;
    dualseal_seal_key *layer_a;
    dualseal_ring *pinned;
    dualseal_secret *secret;
    dualseal_vault_report *report;
} bench;

static bench b;

/* Each is one call, and gives back what it made. */
static void key_generate(void)
{
    dualseal_signing_key *key = NULL;
    CHECK(dualseal_signing_key_generate(&key, NULL) == DUALSEAL_OK);
    dualseal_signing_key_free(key);
}

static void key_from_pem(void)
{
    dualseal_signing_key *key = NULL;
    CHECK(dualseal_signing_key_from_pkcs8_pem(SIZED(b.pem), &key, NULL) == DUALSEAL_OK);
    dualseal_signing_key_free(key);
}

/* As deep as JSON may be, and too deep. */
static void deep_json(void)
{
    char text[2000], *canonical = NULL, *told = NULL;
    memset(text, '[', sizeof text);
    CHECK(dualseal_json_canonical(text, sizeof text, &canonical, NULL) == DUALSEAL_STATUS_JSON_DEPTH);
    CHECK(dualseal_text_inspect((const uint8_t *)text, sizeof text, &told, NULL) == DUALSEAL_OK);
    dualseal_string_free(told);
    memset(text + 32, ']', 32);
    CHECK(dualseal_json_canonical(text, 64, &canonical, NULL) == DUALSEAL_OK);
    dualseal_string_free(canonical);
}

static void nothing(void)
{
    CHECK(dualseal_abi_version() == DUALSEAL_ABI_VERSION);
}

static void sign(void)
{
    char *record = NULL, *entry = NULL;
    dualseal_head *head = NULL;
    CHECK(dualseal_head_new(NULL, 0, &head, NULL) == DUALSEAL_OK);
    CHECK(dualseal_signature_sign(b.a.domain, ANA, b.key, NO_RING, b.hash, head, TIME, &record, &entry, NULL)
          == DUALSEAL_OK);
    dualseal_string_free(record);
    dualseal_string_free(entry);
    dualseal_head_free(head);
}

static void verify(void)
{
    CHECK(dualseal_signature_verify(b.a.domain, b.pinned, NULL, ANA, b.hash, SIZED(b.record), NULL, NULL, NULL)
          == DUALSEAL_OK);
}

static void content_hash(void)
{
    char hash[DUALSEAL_ID_TEXT_BYTES];
    CHECK(dualseal_content_hash(b.a.domain, ANA, NULL, 0, hash, sizeof hash, NULL) == DUALSEAL_OK);
}

static void seal(void)
{
    char *made = NULL;
    CHECK(dualseal_payload_seal(b.a.domain, ANA, b.layer_a, b.key, NO_RING, NULL, 0, &made, NULL) == DUALSEAL_OK);
    dualseal_string_free(made);
}

static void seal_verify(void)
{
    CHECK(dualseal_seal_verify(b.a.domain, b.pinned, NULL, SIZED(b.seal), NULL, 0, ANA, DUALSEAL_SEAL_POLICY_BOTH,
                               b.layer_a, NULL, NULL, NULL) == DUALSEAL_OK);
}

static void deal(void)
{
    char *dealing = NULL, *shares = NULL;
    CHECK(dualseal_dealing_deal(b.a.domain, b.secret, 3, 5, &dealing, &shares, NULL) == DUALSEAL_OK);
    dualseal_string_free(dealing);
    dualseal_string_free(shares);
}

static void reconstruct(void)
{
    dualseal_secret *secret = NULL;
    char *faults = NULL;
    CHECK(dualseal_dealing_reconstruct(b.a.domain, DUALSEAL_FIELD_FP521, SIZED(b.dealing), SIZED(b.shares), &secret,
                                       &faults, NULL) == DUALSEAL_OK);
    dualseal_string_free(faults);
    dualseal_secret_free(secret);
}

static void vault_seal(void)
{
    dualseal_sealed *sealed = NULL;
    dualseal_ledger_head *ledger = NULL;
    dualseal_head *head = NULL;
    uint8_t *stored = NULL;
    size_t length = 0;
    CHECK(dualseal_ledger_head_generate(&ledger, NULL) == DUALSEAL_OK);
    CHECK(dualseal_head_new(NULL, 0, &head, NULL) == DUALSEAL_OK);
    CHECK(dualseal_vault_sealer_seal(b.a.vault, NULL, 0, "DEED", HIDDEN, ledger, head, SIZED(""), TIME, &sealed,
                                     &stored, &length, NULL) == DUALSEAL_OK);
    dualseal_bytes_free(stored);
    dualseal_sealed_free(sealed);
    dualseal_ledger_head_free(ledger);
    dualseal_head_free(head);
}

static void vault_verify(void)
{
    dualseal_vault_report *report = NULL;
    OK(operator_verifies(&b.a, &b.a.records[0], &report));
    dualseal_vault_report_free(report);
}

static void vault_unseal(void)
{
    uint8_t *payload = NULL;
    size_t length = 0;
    const kept *one = &b.a.records[0];
    CHECK(dualseal_vault_unseal(b.report, one->secret, one->stored, one->length, &payload, &length, NULL)
          == DUALSEAL_OK);
    dualseal_bytes_free(payload);
}

static void session(void)
{
    const char *owners[] = {ANA, BOB, ANA};
    char *session_json = NULL, *shares = NULL, *entry = NULL;
    dualseal_head *head = NULL;
    owners[2] = b.hash;
    CHECK(dualseal_head_new(NULL, 0, &head, NULL) == DUALSEAL_OK);
    CHECK(dualseal_session_found_mldsa(b.a.domain, ANA, owners, 3, 2, BOB, head, TIME, &session_json, &shares, &entry,
                                       NULL) == DUALSEAL_OK);
    dualseal_string_free(session_json);
    dualseal_string_free(shares);
    dualseal_string_free(entry);
    dualseal_head_free(head);
}

static const struct {
    const char *name;
    void (*call)(void);
    size_t most;
} calls[] = {
    {"a function that does nothing", nothing, 8},
    {"dualseal_content_hash", content_hash, 16},
    {"dualseal_json_canonical", deep_json, 64},
    {"dualseal_signing_key_generate", key_generate, 48},
    {"dualseal_signing_key_from_pkcs8_pem", key_from_pem, 48},
    {"dualseal_signature_sign", sign, 136},
    {"dualseal_signature_verify", verify, 64},
    {"dualseal_payload_seal", seal, 136},
    {"dualseal_seal_verify", seal_verify, 96},
    {"dualseal_dealing_deal", deal, 32},
    {"dualseal_dealing_reconstruct", reconstruct, 32},
    {"dualseal_session_found_mldsa", session, 56},
    {"dualseal_vault_sealer_seal", vault_seal, 152},
    {"dualseal_vault_record_verify", vault_verify, 152},
    {"dualseal_vault_unseal", vault_unseal, 32},
};

static void *run(void *of)
{
    (*(void (*const *)(void))of)();
    return NULL;
}

/* A thread whose whole stack was filled before: what it wrote to is what it took. */
static size_t taken_by(void (*const *call)(void))
{
    pthread_attr_t attributes;
    pthread_t thread;
    uint8_t *stack = (uint8_t *)mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t untouched = 0;
    CHECK(stack != MAP_FAILED);
    memset(stack, 0xa5, STACK);
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstack(&attributes, stack, STACK) == 0);
    CHECK(pthread_create(&thread, &attributes, run, (void *)(uintptr_t)call) == 0);
    CHECK(pthread_join(thread, NULL) == 0 && pthread_attr_destroy(&attributes) == 0);
    while (untouched < STACK && stack[untouched] == 0xa5) {
        untouched++;
    }
    CHECK(munmap(stack, STACK) == 0);
    return STACK - untouched;
}

int main(void)
{
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    const uint8_t layer_a[32] = {9};
    archive_open(&b.a);
    b.key = test_key(7);
    test_public_key(7, public_key);
    strcpy(b.hash, hashed(b.a.domain, ANA, "one contract", 12));
    OK(dualseal_signing_key_to_pkcs8_pem(b.key, &b.pem, &failure));
    OK(dualseal_ring_new_pinned(ANA, public_key, sizeof public_key, &b.pinned, &failure));
    OK(dualseal_seal_key_from_bytes(layer_a, sizeof layer_a, &b.layer_a, &failure));
    OK(dualseal_payload_seal(b.a.domain, ANA, b.layer_a, b.key, NO_RING, NULL, 0, &b.seal, &failure));
    OK(dualseal_secret_generate(DUALSEAL_FIELD_FP521, &b.secret, &failure));
    OK(dualseal_dealing_deal(b.a.domain, b.secret, 3, 5, &b.dealing, &b.shares, &failure));
    archive_seal(&b.a, "a deed", HIDDEN);
    b.report = report_of(&b.a, &b.a.records[0]);
    dualseal_head *head = test_head();
    OK(dualseal_signature_sign(b.a.domain, ANA, b.key, NO_RING, b.hash, head, TIME, &b.record, &b.entry, &failure));
    dualseal_head_free(head);
    int good = 1;
    const size_t before = taken_by(&calls[0].call);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const size_t all = taken_by(&calls[i].call), taken = all < before ? 0 : all - before;
        printf("%-36s %4zu KiB\n", calls[i].name, (taken + KIB - 1) / KIB);
        if (taken > calls[i].most * KIB) {
            fprintf(stderr, "%s takes more than %zu KiB of its stack\n", calls[i].name, calls[i].most);
            good = 0;
        }
    }
    dualseal_vault_report_free(b.report);
    dualseal_string_free(b.entry);
    dualseal_string_free(b.record);
    dualseal_string_free(b.shares);
    dualseal_string_free(b.dealing);
    dualseal_secret_free(b.secret);
    dualseal_string_free(b.seal);
    dualseal_seal_key_free(b.layer_a);
    dualseal_ring_free(b.pinned);
    dualseal_string_free(b.pem);
    dualseal_signing_key_free(b.key);
    archive_close(&b.a);
    return good ? 0 : 1;
}
