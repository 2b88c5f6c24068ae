/* What liboqs-python 0.16 asks of liboqs when it is imported, and liboqs 0.13 does not have yet. It is linked into the
   shared library, which has ML-DSA-65 alone: that takes a context. */

#include <stdbool.h>

bool OQS_SIG_supports_ctx_str(const char *name);

bool OQS_SIG_supports_ctx_str(const char *name)
{
    return name != 0;
}
