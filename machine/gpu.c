/* machine/gpu.c - graphics cards and their drivers */
#include <string.h>
#include "machine/root.h"
#include "machine/topics.h"

#define CARDS_MAX 16

/* is_card() - "card0"; "card0-HDMI-A-1" is a connector of it */
static bool is_card(const char *name)
{
        return strncmp(name, "card", 4) == 0 && name[4] &&
               strspn(name + 4, "0123456789") == strlen(name + 4);
}

static void capture_card(struct capture *c, const char *card)
{
        CLEANUP(freep) char *driver = NULL, *vendor = NULL, *device = NULL;
        char id[16];

        if (root_link_base(c->m, &driver, "sys/class/drm/%s/device/driver", card) == 0)
                factor_text(c, "gpu.driver", driver);
        else
                factor_absent(c, "gpu.driver", "the card is bound to none");
        if (root_line(c->m, &vendor, "sys/class/drm/%s/device/vendor", card) == 0 &&
            root_line(c->m, &device, "sys/class/drm/%s/device/device", card) == 0 &&
            strlen(vendor) == 6 && strlen(device) == 6) {
                (void) snprintf(id, sizeof id, "%s:%s", vendor + 2, device + 2);
                factor_text(c, "gpu.pci_id", id);
        } else {
                factor_absent(c, "gpu.pci_id", "the card is no PCI device");
        }
}

void gpu_capture(struct capture *c)
{
        CLEANUP(root_list_freep) char **names = NULL;
        struct record *cards[CARDS_MAX];
        size_t n_cards = 0;

        if (root_list(c->m, &names, "sys/class/drm") == 0)
                for (char **name = names; *name && n_cards < CARDS_MAX; name++) {
                        struct capture card = { .m = c->m, .prefix = "" };

                        if (!is_card(*name))
                                continue;
                        card.r = record_new();
                        if (!card.r) {
                                c->error = -ENOMEM;
                                break;
                        }
                        cards[n_cards++] = card.r;
                        capture_card(&card, *name);
                        if (card.error < 0)
                                c->error = card.error;
                }
        if (n_cards > 0) {
                factor_integer(c, "gpu.count", (int64_t) n_cards);
                factor_merge(c, cards, n_cards);
        } else {
                factor_absent(c, "gpu.driver", "no graphics card in /sys/class/drm");
        }
        for (size_t i = 0; i < n_cards; i++)
                (void) record_free(cards[i]);
}
