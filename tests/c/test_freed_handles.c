/* A handle that was freed is told, as long as its memory was not given out again. To tell it, the library reads memory
   that was freed, which is an error to whatever watches over memory. Not under valgrind. */
#include "check.h"

static void freed_handles_are_told(void)
{
    dualseal_domain *domain = test_domain();
    dualseal_head *head = test_head();
    char *entry = NULL;
    dualseal_head_free(head);
    FAILS(DUALSEAL_STATUS_WRONG_HANDLE, "head", -1,
        dualseal_head_append(head, domain, ANA, SIZED("x"), TIME, &entry, &failure));
    dualseal_head_free(head);
    CHECK(entry == NULL);
    dualseal_domain_free(domain);
}

/* The loop that frees its error in every round, and after the loop once more. */
static void an_error_that_is_freed_twice_is_left_alone(void)
{
    dualseal_error *error = NULL;
    char *text = NULL;
    CHECK(dualseal_json_canonical(SIZED("{"), &text, &error) == DUALSEAL_STATUS_JSON_SYNTAX);
    dualseal_error_free(error);
    CHECK(dualseal_error_message(error) == NULL && dualseal_error_field(error) == NULL);
    CHECK(dualseal_error_index(error) == -1 && dualseal_error_os(error) == 0);
    dualseal_error_free(error);
}

int main(void)
{
    freed_handles_are_told();
    an_error_that_is_freed_twice_is_left_alone();
    return 0;
}
