/* tests/test.h - cmocka with the headers that it wants before it, and our macros */
#pragma once
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "record/macros.h"
