import Testing

@testable import Tasks

@Suite("Waking up")
struct WakeUpTests {
    @Test("each call is kept until it is taken")
    func kept() throws {
        let wakeUp = try WakeUp()
        #expect(!wakeUp.take())
        wakeUp.signal()
        wakeUp.signal()
        wakeUp.wait()
        #expect(wakeUp.take())
        #expect(wakeUp.take())
        #expect(!wakeUp.take())
    }

    @Test("of several descriptors those with something to read are named")
    func readiness() throws {
        let (quiet, loud) = (try WakeUp(), try WakeUp())
        loud.signal()
        let both = [quiet.descriptor, loud.descriptor]
        #expect(descriptorsReady(of: both, atMost: nil) == [loud.descriptor])
        #expect(descriptorsReady(of: [quiet.descriptor], atMost: .zero).isEmpty)
    }
}
