/* machine/temperature.c - how warm the processor is
 *
 * A hot processor is a slow one. The processor's own sensor answers from a register; ACPI's zones
 * ask the firmware, which may take milliseconds, so that they come last. */
#include <string.h>
#include "machine/root.h"
#include "machine/topics.h"

#define MILLI 1000

static bool is_one_of(const char *word, const char *const *words, size_t n_words)
{
        for (size_t i = 0; i < n_words; i++)
                if (strcmp(word, words[i]) == 0)
                        return true;
        return false;
}

/* enter_from() - the first sensor in a folder of sensors whose name is one of @words */
static bool enter_from(struct capture *c, const char *folder, const char *name_file,
                       const char *value_file, const char *const *words, size_t n_words)
{
        CLEANUP(root_list_freep) char **sensors = NULL;

        if (root_list(c->m, &sensors, "%s", folder) < 0)
                return false;
        for (char **sensor = sensors; *sensor; sensor++) {
                CLEANUP(freep) char *name = NULL;
                int64_t millidegrees;

                if (root_line(c->m, &name, "%s/%s/%s", folder, *sensor, name_file) < 0 ||
                    !is_one_of(name, words, n_words) ||
                    root_integer(c->m, &millidegrees, "%s/%s/%s", folder, *sensor, value_file) < 0)
                        continue;
                factor_integer(c, "cpu.temperature_celsius", (millidegrees + MILLI / 2) / MILLI);
                return true;
        }
        return false;
}

void temperature_capture(struct capture *c)
{
        static const char *const chips[] = { "coretemp", "k10temp", "zenpower", "cpu_thermal" };
        static const char *const zones[] = { "x86_pkg_temp", "cpu-thermal", "cpu_thermal",
                                             "soc-thermal", "cpu0-thermal" };
        static const char *const firmware[] = { "acpitz" };

        if (!enter_from(c, "sys/class/hwmon", "name", "temp1_input", chips, ELEMENTSOF(chips)) &&
            !enter_from(c, "sys/class/thermal", "type", "temp", zones, ELEMENTSOF(zones)) &&
            !enter_from(c, "sys/class/thermal", "type", "temp", firmware, ELEMENTSOF(firmware)))
                factor_absent(c, "cpu.temperature_celsius", "no sensor of the processor in sysfs");
}
