import Testing

@testable import KeyturnSystem

@Suite("Wake-ups")
struct WakeUpTests {
    @Test("Each call is kept until it is read")
    func kept() throws {
        let wakeUp = try WakeUp()
        #expect(!wakeUp.takeSignal())
        wakeUp.signal()
        wakeUp.signal()
        wakeUp.wait()
        #expect(wakeUp.takeSignal())
        #expect(wakeUp.takeSignal())
        #expect(!wakeUp.takeSignal())
    }

    @Test("Of several descriptors, those with data are returned")
    func readiness() throws {
        let (quiet, loud) = (try WakeUp(), try WakeUp())
        loud.signal()
        let both = [quiet.descriptor, loud.descriptor]
        #expect(descriptorsReady(of: both, atMost: nil) == [loud.descriptor])
        #expect(descriptorsReady(of: [quiet.descriptor], atMost: .zero).isEmpty)
    }
}
