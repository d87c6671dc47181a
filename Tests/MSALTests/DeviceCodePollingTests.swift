import Foundation
import MSAL
import TestSupport
import Testing

/// When a client polls again for a device code (RFC 8628 §3.5).
@Suite struct DeviceCodePollingTests {
    private let start = ManualTime.start

    @Test(
        "The pause before the next poll",
        arguments: [
            ([], 5), ([.pending], 5), ([.pending, .pending], 5), ([.slowDown], 10), ([.slowDown, .pending], 10),
            ([.slowDown, .slowDown, .pending], 15), ([.trouble(retryAfter: nil)], 10),
            ([.trouble(retryAfter: nil), .trouble(retryAfter: nil)], 20), ([.trouble(retryAfter: 90)], 90),
            ([.trouble(retryAfter: 2)], 10), ([.trouble(retryAfter: nil), .pending], 5),
            ([.trouble(retryAfter: nil), .slowDown, .pending], 10),
            (Array(repeating: .trouble(retryAfter: nil), count: 20), 60),
            ([.trouble(retryAfter: 200), .trouble(retryAfter: nil)], 60),
        ] as [([DeviceCodePolling.Reply], Double)])
    func pauses(answers: [DeviceCodePolling.Reply], seconds: Double) {
        var polling = DeviceCodePolling(interval: 5, expiresOn: start.addingTimeInterval(900))
        for reply in answers { polling.note(reply) }
        #expect(polling.step(at: start) == .poll(after: seconds))
    }

    @Test(
        "Never polls faster than the server allows",
        arguments: [1, 5, 30, 120])
    func neverFaster(interval: Int) {
        var polling = DeviceCodePolling(interval: interval, expiresOn: start.addingTimeInterval(1e6))
        var told = Double(interval)
        for number in 0..<200 {
            let reply: DeviceCodePolling.Reply =
                switch number % 7 {
                case 2: .slowDown
                case 4, 5: .trouble(retryAfter: number % 2 == 0 ? 3 : nil)
                default: .pending
                }
            if reply == .slowDown { told += 5 }
            polling.note(reply)
            guard case .poll(let pause) = polling.step(at: start) else { return #expect(Bool(false), "it ended") }
            #expect(pause >= told)
        }
    }

    @Test(
        "A code that expires before the next poll ends the wait",
        arguments: [(5.1, .poll(after: 5)), (5, .expire(after: 5)), (2, .expire(after: 2)), (-1, .expire(after: 0))]
            as [(Double, DeviceCodePolling.Step)])
    func ends(left: Double, step: DeviceCodePolling.Step) {
        let polling = DeviceCodePolling(interval: 5, expiresOn: start.addingTimeInterval(left))
        #expect(polling.step(at: start) == step)
    }
}
