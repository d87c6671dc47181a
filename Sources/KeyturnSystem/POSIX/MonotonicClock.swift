import Glibc

/// The clock for waits, which nobody sets.
package enum MonotonicClock {
    /// The seconds since an unspecified time.
    package static func seconds() -> Double { clock(CLOCK_MONOTONIC) }

    /// The seconds since 1970, as in the times of files.
    static func secondsSince1970() -> Double { clock(CLOCK_REALTIME) }

    private static func clock(_ id: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
