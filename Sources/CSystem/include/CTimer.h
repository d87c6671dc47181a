#pragma once

#include <stdint.h>

/// Creates a descriptor that becomes readable at a time of the wall clock, in seconds since 1970, and when the clock is set or
/// the computer resumes from suspension. Returns -1 with errno on failure.
int32_t keyturn_wall_timer(int64_t seconds);
