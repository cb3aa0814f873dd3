/* collectors/interrupt.h - Ctrl-C and its kin as a question asked between two steps of work
 *
 * A collector that makes files removes them before it goes, so it must not die in the middle.
 */
#pragma once
#include <stdbool.h>

/** interrupt_watch() - from now on SIGINT, SIGTERM and SIGHUP only set the flag (and end system
 * calls with EINTR); a second one kills as usual */
void interrupt_watch(void);

/** interrupt_is_pending() - one of them has come: clean up and return -EINTR */
bool interrupt_is_pending(void);

/** interrupt_repeat() - @signal_number came while somebody else listened: as if it came to us */
void interrupt_repeat(int signal_number);

/** interrupt_finish() - die of the signal that came, so that whoever waits sees the cause; returns
 * when none did */
void interrupt_finish(void);
