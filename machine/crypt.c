/* machine/crypt.c - dm-crypt in the stack
 *
 * The type stands in the mapping's uuid ("CRYPT-LUKS2-..."), which sysfs shows to anybody. */
#include <string.h>
#include "machine/root.h"
#include "machine/stack.h"

/* "luks2" of "CRYPT-LUKS2-<uuid>-<name>" */
static void capture_layer(struct capture *c, const struct stack_node *n)
{
        const char *type = n->uuid + strlen("CRYPT-");
        size_t n_bytes = strcspn(type, "-");
        char lower[32];

        if (n_bytes == 0 || n_bytes >= sizeof lower) {
                factor_absent(c, "crypt.type", "the mapping's uuid does not tell");
                return;
        }
        for (size_t i = 0; i < n_bytes; i++)
                lower[i] =
                        (char) (type[i] >= 'A' && type[i] <= 'Z' ? type[i] - 'A' + 'a' : type[i]);
        lower[n_bytes] = '\0';
        factor_text(c, "crypt.type", lower);
}

void crypt_capture(struct capture *c, const struct stack *s, const char *absent)
{
        if (absent)
                factor_absent(c, "crypt.type", "%s", absent);
        else if (stack_capture(c, s, STACK_CRYPT, capture_layer) == 0)
                factor_text(c, "crypt.type", "none");
}
