import Console
import Foundation
import Testing

@Suite("Dates for readers")
struct MomentTests {
    @Test func absolute() {
        #expect(Moment.utc(testTime) == "2026-11-20 10:30:00 UTC")
        #expect(Moment.local(testTime, in: testZone) == "2026-11-20 11:30:00 +01:00")
        #expect(Moment.local(testTime, in: TimeZone(secondsFromGMT: -12_600) ?? .gmt) == "2026-11-20 07:00:00 -03:30")
    }

    @Test(
        "Relative",
        arguments: [
            (0, "in under 1 min"), (59, "in under 1 min"), (-1, "under 1 min ago"),
            (60, "in 1 min"),
            (3540, "in 59 min"), (-3600, "1 h ago"), (3900, "in 1 h 5 min"), (86_400, "in 1 day"),
            (-259_200, "3 days ago"),
            (63_072_000, "in 2 years"), (1e15, "in thousands of years"), (-1e18, "thousands of years ago"),
        ])
    func relative(seconds: Double, text: String) {
        #expect(Moment.relative(testTime.addingTimeInterval(seconds), to: testTime) == text)
    }

    @Test(
        "Durations",
        arguments: [
            (0, "0.0 s"), (0.25, "0.3 s"), (0.96, "1.0 s"), (9.94, "9.9 s"), (9.96, "9 s"), (12.7, "12 s"),
            (65, "1 min 05 s"),
            (3700, "1 h 1 min"),
        ])
    func durations(seconds: Double, text: String) {
        #expect(Moment.duration(seconds) == text)
    }
}
