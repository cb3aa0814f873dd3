/* machine/topics.h - one function a topic, each in the file of its name, called in this order */
#pragma once
#include "machine/factor.h"

void kernel_capture(struct capture *c);
void cpu_capture(struct capture *c);
void memory_capture(struct capture *c);
void os_capture(struct capture *c);
void virt_capture(struct capture *c);
