/* machine/topics.h - one function a topic, each in the file of its name, called in this order */
#pragma once
#include "machine/factor.h"

void kernel_capture(struct capture *c);
void mitigations_capture(struct capture *c);
void cpu_capture(struct capture *c);
void temperature_capture(struct capture *c);
void memory_capture(struct capture *c);
void gpu_capture(struct capture *c);
void desktop_capture(struct capture *c);
void firmware_capture(struct capture *c);
void power_capture(struct capture *c);
void os_capture(struct capture *c);
void init_capture(struct capture *c);
void virt_capture(struct capture *c);
void loader_capture(struct capture *c);
void boot_kind_capture(struct capture *c);
