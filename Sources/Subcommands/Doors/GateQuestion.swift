import Foundation
import Glibc
import KeyturnSystem
import TerminalUI

/// Asks the user on the terminal whether a kind of request may pass, once for each kind.
actor GateQuestion {
    /// The seconds that an answer can take.
    private static let patience: Int32 = 60

    private let terminal: any TextSink
    private var decisions: [String: Bool] = [:]
    private var last: Task<Bool, Never>?

    init(_ terminal: any TextSink) { self.terminal = terminal }

    /// Whether there is a terminal to ask on.
    static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }

    func allows(_ kind: String) async -> Bool {
        if let decision = decisions[kind] { return decision }
        let task = Task(executorPreference: ThreadPool.current) { [self, earlier = last] in
            await decide(about: kind, after: earlier)
        }
        last = task
        return await task.value
    }

    /// One question at a time, and each kind once.
    private func decide(about kind: String, after earlier: Task<Bool, Never>?) async -> Bool {
        _ = await earlier?.value
        if let decision = decisions[kind] { return decision }
        let decision = await Self.decision(about: kind, on: terminal)
        decisions[kind] = decision
        return decision
    }

    private static func decision(about kind: String, on terminal: any TextSink) async -> Bool {
        let shown = Printable.sanitize(kind.prefix(200))
        forgetTyped()
        try? terminal.write("Allow \(shown) until the gate closes? [y/N] ")
        return await withCheckedContinuation { continuation in
            let read: @Sendable () -> Void = { continuation.resume(returning: typedDecision()) }
            if (try? SystemThread.start(read)) == nil { continuation.resume(returning: false) }
        }
    }

    /// What was typed before the question isn't its answer.
    private static func forgetTyped() {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return }
        tcflush(terminal, TCIFLUSH)
        close(terminal)
    }

    /// The line that the user types, in time.
    private static func typedDecision() -> Bool {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        var wanted = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        var line = [UInt8](repeating: 0, count: 64)
        guard poll(&wanted, 1, patience * 1000) > 0, read(terminal, &line, line.count) > 0 else { return false }
        return line[0] == UInt8(ascii: "y") || line[0] == UInt8(ascii: "Y")
    }
}
