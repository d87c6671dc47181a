import Foundation
import Glibc
import Testing

@testable import KeyturnSystem

@Suite("Waiting for a change", .timeLimit(.minutes(1)))
struct ChangeWaitTests {
    private func inFolder(_ work: (String) async throws -> Void) async throws {
        var template = Array("/tmp/keyturn-wait-XXXXXX".utf8CString)
        let folder = String(cString: try #require(mkdtemp(&template)))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await work(folder)
    }

    /// Not on a thread of the runtime, which has few.
    private func waiting(_ wait: ChangeWait, until date: Date? = nil) -> Task<Void, any Error> {
        Task { try await ThreadPool.runBlocking { try await wait.wait(until: date) } }
    }

    @Test("Returns at a time of the wall clock, also a past one", arguments: [0, Date().timeIntervalSince1970, -1e15])
    func time(seconds: TimeInterval) async throws {
        try await ChangeWait().wait(until: Date(timeIntervalSince1970: seconds))
    }

    @Test("Returns when a file appears, changes or is replaced, also behind a link")
    func changes() async throws {
        try await inFolder { folder in
            let file = "\(folder)/cache"
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: file)
            for (text, path) in [("a", file), ("ab", "\(folder)/link"), ("abc", file)] {
                var wait = ChangeWait()
                wait.add(path)
                let waiting = waiting(wait)
                try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: text == "abc" ? .atomic : [])
                try await waiting.value
            }
        }
    }

    @Test("Returns at once for a change before the wait")
    func earlierChange() async throws {
        try await inFolder { folder in
            var wait = ChangeWait()
            wait.add("\(folder)/cache")
            try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/cache"))
            try await wait.wait(until: nil)
        }
    }

    @Test("Ends with its task")
    func cancelled() async throws {
        let waiting = waiting(ChangeWait(), until: .distantFuture)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
