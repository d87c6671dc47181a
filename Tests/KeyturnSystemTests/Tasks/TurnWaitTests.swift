import Testing

@testable import KeyturnSystem

@Suite("Wait for another process's turn")
struct TurnWaitTests {
    private func seconds(_ wait: TurnWait, _ holder: (Double) -> TurnHolder?) -> Double {
        var wait = wait
        while wait.next(holder(wait.waited)) != nil {}
        return wait.waited
    }

    private let running = TurnHolder(name: "a (process 1)", isStopped: false)
    private let stopped = TurnHolder(name: "a (process 1)", isStopped: true)

    @Test("Ends after its limit, or sooner if the process stays suspended")
    func limits() {
        for holder in [running, nil] {
            #expect((45..<46).contains(seconds(TurnWait(limit: 45)) { _ in holder }))
        }
        #expect((10..<11).contains(seconds(TurnWait(limit: 45)) { _ in stopped }))
        #expect((5..<6).contains(seconds(TurnWait(limit: 5)) { _ in stopped }))
        // Continued after a while, and suspended again later.
        #expect((45..<46).contains(seconds(TurnWait(limit: 45)) { $0 < 9 || $0 > 40 ? stopped : running }))
        #expect((40..<41).contains(seconds(TurnWait(limit: 45)) { $0 > 30 ? stopped : running }))
    }

    @Test("Says what helps")
    func remedies() {
        #expect(TurnHolder.remedy(stopped).contains("kill -CONT"))
        #expect(TurnHolder.remedy(running) == "Try again later, or end that process.")
        #expect(TurnHolder.remedy(nil) == "Try again later, or end that program.")
    }
}
