/* collectors/processors.h - how many processors a workload may keep busy */
#pragma once

/** processors_we_may_use() - those of our affinity, from 1 */
unsigned processors_we_may_use(void);
