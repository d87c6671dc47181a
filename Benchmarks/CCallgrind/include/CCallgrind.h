#pragma once

#include <stdint.h>

/// Starts callgrind's instruction count. Returns 0 outside valgrind, or if built without its headers.
int32_t keyturn_callgrind_start(void);

/// Stops the count.
void keyturn_callgrind_stop(void);
