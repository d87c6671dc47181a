import Testing

@testable import KeyturnSystem

@Suite("Deadlines")
struct DeadlinesTests {
    private func deadlines(_ instants: [Int]) -> Deadlines<Int, String> {
        instants.enumerated().reduce(into: Deadlines()) { deadlines, entry in
            deadlines.add("\(entry.element)#\(entry.offset)", ticket: entry.offset, at: entry.element)
        }
    }

    @Test(
        "Expired deadlines are returned in order",
        arguments: [
            (0, []), (1, ["1#1"]), (2, ["1#1", "2#2", "2#4"]), (9, ["1#1", "2#2", "2#4", "5#0", "7#3"]),
        ] as [(Int, [String])])
    func due(_ now: Int, _ expected: [String]) {
        var deadlines = deadlines([5, 1, 2, 7, 2])
        #expect(deadlines.removeDue(at: now) == expected)
        #expect(deadlines.removeDue(at: now).isEmpty)
        #expect(deadlines.removeDue(at: .max).count == 5 - expected.count)
        #expect(deadlines.earliest == nil)
    }

    @Test("The earliest deadline sets the wait")
    func earliest() {
        var deadlines = deadlines([5, 1, 7])
        #expect(deadlines.earliest == 1)
        #expect(deadlines.remove(ticket: 1) == "1#1")
        #expect(deadlines.remove(ticket: 1) == nil)
        #expect(deadlines.earliest == 5)
    }
}
