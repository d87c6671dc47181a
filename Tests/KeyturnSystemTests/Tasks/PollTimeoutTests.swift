import Testing

@testable import KeyturnSystem

@Suite("The timeout of poll(2)")
struct PollTimeoutTests {
    @Test(
        "Is rounded up, and never above the maximum",
        arguments: [
            (nil, -1), (.seconds(-1), 0), (.zero, 0), (.nanoseconds(1), 1), (.milliseconds(250), 250),
            (.microseconds(1001), 2), (.seconds(90), 90_000), (.seconds(1e12), Int32.max),
        ] as [(Duration?, Int32)])
    func milliseconds(_ duration: Duration?, _ expected: Int32) {
        #expect(pollMilliseconds(duration) == expected)
    }
}
