/* witness/bus.h - sd-bus connections with a deadline for every call */
#pragma once
#include <stdint.h>
#include <systemd/sd-bus.h>
#include "record/fault.h"

/** bus_open() - a peer-to-peer connection to @address, without a bus daemon in between */
int bus_open(const char *address, uint64_t timeout_us, sd_bus **ret, struct fault *fault);

/** bus_open_system() - the system bus */
int bus_open_system(uint64_t timeout_us, sd_bus **ret, struct fault *fault);

/** bus_fault() - fault_errno() with what the other side said, when it said something */
int bus_fault(struct fault *fault, int code, const sd_bus_error *error, const char *format, ...)
        PRINTF_LIKE(4, 5);
