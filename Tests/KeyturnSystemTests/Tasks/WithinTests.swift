import Testing

@testable import KeyturnSystem

@Suite("Work with a time limit")
struct WithinTests {
    @Test("Returns the result of the work")
    func value() async {
        #expect(await within(.seconds(600)) { 42 } == 42)
    }

    @Test("Returns nil for late work, and cancels it")
    func late() async {
        let (stream, end) = AsyncStream<Void>.makeStream()
        let late: Void? = await within(.zero) {
            for await _ in stream {}
            if !Task.isCancelled { Issue.record("the work was not cancelled") }
        }
        #expect(late == nil)
        end.finish()
    }

    @Test("Doesn't wait for work that goes on after it was cancelled", .timeLimit(.minutes(1)))
    func endless() async {
        let (stream, end) = AsyncStream<Void>.makeStream()
        let late: Void? = await within(.zero) {
            await Task { for await _ in stream {} }.value
        }
        #expect(late == nil)
        end.finish()
    }
}
