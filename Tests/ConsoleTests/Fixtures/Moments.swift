import Foundation

/// 2026-11-20 10:30:00 UTC, the current time in these tests.
let testTime = Date(timeIntervalSince1970: 1_795_170_600)

/// One hour ahead of UTC, without daylight saving time.
let testZone = TimeZone(secondsFromGMT: 3600) ?? .gmt
