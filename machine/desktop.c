/* machine/desktop.c - display manager and session
 *
 * The window manager's own name is on its screen: the X witness enters wm.name. */
#include <string.h>
#include <systemd/sd-login.h>
#include "machine/root.h"
#include "machine/topics.h"

static void cut_suffix(char *text, const char *suffix)
{
        size_t n = strlen(text), m = strlen(suffix);

        if (n > m && strcmp(text + n - m, suffix) == 0)
                text[n - m] = '\0';
}

static void capture_manager(struct capture *c)
{
        CLEANUP(freep) char *unit = NULL, *path = NULL;
        const char *slash;

        if (root_link_base(c->m, &unit, "etc/systemd/system/display-manager.service") == 0) {
                cut_suffix(unit, ".service");
                factor_text(c, "display.manager", unit);
        } else if (root_line(c->m, &path, "etc/X11/default-display-manager") == 0 && *path) {
                slash = strrchr(path, '/');
                factor_text(c, "display.manager", slash ? slash + 1 : path);
        } else if (!root_exists(c->m, "etc/systemd/system") && !root_exists(c->m, "etc/X11")) {
                factor_absent(c, "display.manager", "no /etc/systemd/system and no /etc/X11");
        } else {
                factor_text(c, "display.manager", "none");
        }
}

static void capture_session(struct capture *c)
{
        CLEANUP(freep) char *session = NULL, *type = NULL, *desktop = NULL;
        int r = c->m->is_live ? sd_seat_get_active("seat0", &session, NULL) : -ENOTSUP;

        if (r < 0) {
                factor_absent(c, "session.type", "%s",
                              r == -ENOTSUP ? "only the running system tells"
                                            : "logind knows no active session on seat0");
                return;
        }
        if (sd_session_get_type(session, &type) >= 0)
                factor_text(c, "session.type", type);
        else
                factor_absent(c, "session.type", "logind does not tell");
        if (sd_session_get_desktop(session, &desktop) >= 0 && *desktop)
                factor_text(c, "session.desktop", desktop);
}

void desktop_capture(struct capture *c)
{
        capture_manager(c);
        capture_session(c);
}
