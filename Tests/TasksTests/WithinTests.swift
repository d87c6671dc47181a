import Testing

@testable import Tasks

@Suite("Work that may take a while only")
struct WithinTests {
    @Test("gives what the work gives")
    func value() async {
        #expect(await within(.seconds(600)) { 42 } == 42)
    }

    @Test("gives nothing for work that is late, and cancels it")
    func late() async {
        let (stream, end) = AsyncStream<Void>.makeStream()
        let late: Void? = await within(.zero) {
            for await _ in stream {}
            if !Task.isCancelled { Issue.record("the work was not cancelled") }
        }
        #expect(late == nil)
        end.finish()
    }
}
