/* A panic inside the library, which a build for this program alone raises: it comes out as a status, on the main thread
   and on another, nothing is written of it, and the library works on. */
#include "../check.h"

#include <fcntl.h>
#include <unistd.h>

/* In no header, and in no library that is installed. It panics with the text "secret" where a function does its work,
   or, where `on_another` is 1, on a thread that the library started for it. */
#ifdef __cplusplus
extern "C"
#endif
dualseal_status dualseal_test_panic(int32_t on_another, dualseal_error **error);

typedef struct {
    dualseal_status with_error[2], without[2];
    char message[2][256];
} seen;

static void *panics(void *of)
{
    seen *found = (seen *)of;
    for (int32_t on_another = 0; on_another < 2; on_another++) {
        dualseal_error *error = NULL;
        found->with_error[on_another] = dualseal_test_panic(on_another, &error);
        strncpy(found->message[on_another], dualseal_error_message(error), sizeof found->message[0] - 1);
        dualseal_error_free(error);
        found->without[on_another] = dualseal_test_panic(on_another, NULL);
    }
    return NULL;
}

static void came_out(const seen *found)
{
    for (size_t i = 0; i < 2; i++) {
        CHECK(found->with_error[i] == DUALSEAL_STATUS_PANIC && found->without[i] == DUALSEAL_STATUS_PANIC);
        CHECK(found->message[i][0] != '\0' && strstr(found->message[i], "secret") == NULL);
    }
}

/* A key that was there before, and everything new, as if nothing had been. */
static void *works_on(void *of)
{
    const dualseal_signing_key *key = (const dualseal_signing_key *)of;
    uint8_t public_key[DUALSEAL_PUBLIC_KEY_BYTES];
    char *record = NULL, *entry = NULL, hash[DUALSEAL_ID_TEXT_BYTES];
    dualseal_domain *domain = test_domain();
    dualseal_head *head = test_head();
    dualseal_ring *ring = NULL;
    OK(dualseal_signing_key_public_key(key, public_key, sizeof public_key, &failure));
    OK(dualseal_ring_new_pinned(ANA, public_key, sizeof public_key, &ring, &failure));
    strcpy(hash, hashed(domain, ANA, "deed", 4));
    OK(dualseal_signature_sign(domain, ANA, key, NO_RING, hash, head, TIME, &record, &entry, &failure));
    OK(dualseal_signature_verify(domain, ring, NULL, ANA, hash, SIZED(record), NULL, NULL, &failure));
    CHECK(size_of_chain(head) == 1);
    dualseal_string_free(record);
    dualseal_string_free(entry);
    dualseal_ring_free(ring);
    dualseal_head_free(head);
    dualseal_domain_free(domain);
    return NULL;
}

/* What this process writes while nothing but panics happens. */
static off_t written(seen *own, seen *another)
{
    const int kept[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
    const int file = open("written", O_RDWR | O_CREAT | O_TRUNC, 0600);
    CHECK(kept[0] >= 0 && kept[1] >= 0 && file >= 0);
    CHECK(dup2(file, STDOUT_FILENO) >= 0 && dup2(file, STDERR_FILENO) >= 0);
    panics(own);
    in_a_thread(panics, another);
    CHECK(dup2(kept[0], STDOUT_FILENO) >= 0 && dup2(kept[1], STDERR_FILENO) >= 0);
    const off_t length = lseek(file, 0, SEEK_END);
    CHECK(close(file) == 0 && close(kept[0]) == 0 && close(kept[1]) == 0);
    return length;
}

int main(void)
{
    seen own, another;
    memset(&own, 0, sizeof own);
    memset(&another, 0, sizeof another);
    dualseal_signing_key *key = test_key(7);
    CHECK(written(&own, &another) == 0);
    came_out(&own);
    came_out(&another);
    works_on(key);
    in_a_thread(works_on, key);
    dualseal_signing_key_free(key);
    return 0;
}
