import Console
import Foundation
import KeyturnSystem

@testable import Subcommands

/// Keeps the written text. With a width, it is a terminal.
final class MemorySink: TextSink {
    private let written = Locked("")
    let columns: Int?

    init(columns: Int? = nil) { self.columns = columns }

    var isTerminal: Bool { columns != nil }

    var text: String { written.withLock { $0 } }

    func write(_ text: String) throws(TextSinkFailure) { written.withLock { $0 += text } }
}

extension Surroundings {
    /// No terminal, a fixed time, and streams in memory.
    static func test(
        _ environment: [String: String] = [:], output: any TextSink = MemorySink(), errors: any TextSink = MemorySink(),
        browser: (@Sendable (URL) async throws -> Void)? = nil,
        pastes: @escaping @Sendable () -> AsyncStream<String> = { AsyncStream { $0.finish() } },
        machine: MachineFacts = MachineFacts(environment: [:])
    ) -> Surroundings {
        Surroundings(
            environment: environment, output: output, errors: errors, hasTerminal: false,
            now: { Date(timeIntervalSince1970: 1_763_636_400) }, browser: browser, pastes: pastes, machine: machine)
    }
}
