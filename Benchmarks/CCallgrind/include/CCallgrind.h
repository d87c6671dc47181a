#pragma once

#include <stdint.h>

/// Has callgrind count instructions from here on. 0: this does not run under valgrind, or was built without its headers.
int32_t keyturn_callgrind_start(void);

/// Has it stop counting.
void keyturn_callgrind_stop(void);
