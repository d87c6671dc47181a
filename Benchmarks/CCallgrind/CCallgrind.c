#include "CCallgrind.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

int32_t keyturn_callgrind_start(void) {
    CALLGRIND_START_INSTRUMENTATION;
    return RUNNING_ON_VALGRIND ? 1 : 0;
}

void keyturn_callgrind_stop(void) { CALLGRIND_STOP_INSTRUMENTATION; }
#else
int32_t keyturn_callgrind_start(void) { return 0; }

void keyturn_callgrind_stop(void) {}
#endif
