/* tests/fuzz/fuzz-import.c - libFuzzer's door to the importers. BOOTLAP_FUZZ_FORMAT names the
 * grammar; without it the text is recognized, as auto does. "make fuzz" runs every grammar in turn.
 */
#include <stdint.h>
#include <stdlib.h>
#include "tests/fuzz/import_one.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        import_one(getenv("BOOTLAP_FUZZ_FORMAT"), data, size);
        return 0;
}
