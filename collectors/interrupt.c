/* collectors/interrupt.c - the one file-scope variable that a signal handler cannot do without */
#include "collectors/interrupt.h"
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t pending_signal;

static void note(int signal_number) { pending_signal = signal_number; }

void interrupt_watch(void)
{
        static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
        /* No SA_RESTART: a blocked read or wait has to return. SA_RESETHAND: the second one kills.
         */
        struct sigaction action = { .sa_handler = note, .sa_flags = (int) SA_RESETHAND };
        struct sigaction before;

        (void) sigemptyset(&action.sa_mask);
        for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
                /* What nohup and shells have made ignored stays so. */
                if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
                        (void) sigaction(signals[i], &action, NULL);
}

bool interrupt_is_pending(void) { return pending_signal != 0; }

void interrupt_repeat(int signal_number) { (void) raise(signal_number); }

void interrupt_finish(void)
{
        if (!pending_signal)
                return;
        (void) signal((int) pending_signal, SIG_DFL);
        (void) raise((int) pending_signal);
}
