/* witness/counter_reading.h - the CPU's free-running counter beside the kernel's raw clock */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct counter_reading {
        bool is_read; /* false where this CPU has no counter that a program may read */
        uint64_t ticks;
        int64_t raw_ns;   /* CLOCK_MONOTONIC_RAW at the same instant ... */
        int64_t width_ns; /* ... within this */
};

/** counter_read() - the tightest of a few readings; takes some microseconds */
struct counter_reading counter_read(void);

/** counter_stated_hz() - what the CPU itself says its counter's rate is; 0 when it does not say */
uint64_t counter_stated_hz(void);

/** counter_has_hypervisor() - a virtual machine, whose counter may be offset or scaled */
bool counter_has_hypervisor(void);

/* The time from the counter's reset to the kernel's start, once the counter was asked. */
struct pre_kernel {
        bool is_known;
        int64_t elapsed_us;
        int64_t error_us;
        char implausible[160]; /* why it cannot be true; "" when it can */
};
