/* daemon/probes/x11_time.h - when an event happened, by the X server's own stamp */
#pragma once
#include <stdint.h>

/**
 * x11_time_place() - the instant of an event
 * @server_ms: low 32 bits of CLOCK_MONOTONIC in ms, as every X server of Linux has it
 * @since_ns: the event came after that; a stamp before it is of some other clock
 * @now_ns: CLOCK_MONOTONIC when the event was read
 * @ret_ns: now, or earlier if the event was late
 * @ret_error_us: how much later than the event that is at most; 0 when the stamp is of no use, and
 * then it is late by what the last wake-up was
 */
void x11_time_place(uint32_t server_ms, int64_t since_ns, int64_t now_ns, int64_t *ret_ns,
                    int64_t *ret_error_us);
