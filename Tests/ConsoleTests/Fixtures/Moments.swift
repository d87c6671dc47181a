import Foundation

/// 2026-11-20 10:30:00 UTC, when everything in these tests happens.
let testTime = Date(timeIntervalSince1970: 1_795_170_600)

/// An hour ahead of UTC, without summer time.
let testZone = TimeZone(secondsFromGMT: 3600) ?? .gmt
