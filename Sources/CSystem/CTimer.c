#include "CTimer.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

// In C, because Swift's Glibc module lacks timerfd_create(2).
int32_t keyturn_wall_timer(int64_t seconds) {
    int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    // A time of 0 would never come.
    struct itimerspec time = {.it_value.tv_sec = seconds > 0 ? seconds : 1};
    if (timer < 0 || timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL) == 0) return timer;
    int error = errno;
    close(timer);
    errno = error;
    return -1;
}
