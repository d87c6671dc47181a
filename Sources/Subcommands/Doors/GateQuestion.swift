import CSystem
import Foundation
import Glibc
import KeyturnSystem
import TerminalUI

/// Asks the user on the terminal whether a kind of request may pass, once for each kind.
actor GateQuestion {
    /// The seconds that an answer can take.
    private static let patience = 60

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
        let number = String(Int.random(in: 1000...9999))
        // The program on its own terminal neither gets keys nor prints meanwhile.
        keyturn_relay_hold(1)
        defer { keyturn_relay_hold(0) }
        forgetTyped()
        try? terminal.write("Allow \(shown) until the gate closes? Type \(number) and Enter, or n for no: ")
        return await withCheckedContinuation { continuation in
            let read: @Sendable () -> Void = { continuation.resume(returning: isTyped(number, on: terminal)) }
            if (try? SystemThread.start(read)) == nil { continuation.resume(returning: false) }
        }
    }

    /// What was typed before the question isn't its answer.
    private static func forgetTyped() {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return }
        PastedInput.forget(terminal)
        close(terminal)
    }

    /// While the program's terminal is relayed, the user's shows no keys by itself.
    private static func echo(_ byte: UInt8, after entry: GateEntry, on terminal: Int32) {
        var modes = termios()
        guard tcgetattr(terminal, &modes) == 0, modes.c_lflag & tcflag_t(ECHO) == 0 else { return }
        let text =
            switch byte {
            case 0x0D: "\r\n"
            case 0x20..<0x7F: String(UnicodeScalar(byte))
            default: entry.erases(byte) ? "\u{8} \u{8}" : ""
            }
        _ = write(terminal, text, text.utf8.count)
    }

    /// Whether the user types the number, in time. Who types for the program doesn't mean the question.
    private static func isTyped(_ number: String, on sink: any TextSink) -> Bool {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        var entry = GateEntry(number: number)
        let end = ContinuousClock.now + .seconds(patience)
        while true {
            var wanted = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            let left = Int32(clamping: Int((end - .now) / .milliseconds(1)))
            var bytes = [UInt8](repeating: 0, count: 256)
            guard left > 0, poll(&wanted, 1, left) > 0 else { return false }
            let count = read(terminal, &bytes, bytes.count)
            guard count > 0 else { return false }
            for byte in bytes.prefix(count) {
                echo(byte, after: entry, on: terminal)
                switch entry.take(byte) {
                case .allowed: return true
                case .denied: return false
                case .unclear: try? sink.write("Type \(number) and Enter, or n for no: ")
                case nil: break
                }
            }
        }
    }
}

/// What is typed at a question, by whomever: only the number is a yes.
struct GateEntry: Sendable {
    enum Verdict: Sendable { case allowed, denied, unclear }

    /// Of 9,000 numbers.
    private static let mostAttempts = 3

    let number: String
    private var line: [UInt8] = []
    private var attempts = 0

    init(number: String) { self.number = number }

    private static let backspaces: [UInt8] = [0x7F, 0x08]

    /// Whether a byte removes the last one. In raw mode, the terminal doesn't.
    func erases(_ byte: UInt8) -> Bool { !line.isEmpty && Self.backspaces.contains(byte) }

    /// The verdict that a byte completes. In raw mode, a line ends with a carriage return.
    mutating func take(_ byte: UInt8) -> Verdict? {
        guard byte == 0x0A || byte == 0x0D else {
            // Neither Ctrl-C nor Ctrl-D is an answer to think about.
            if byte == 0x03 || byte == 0x04 { return .denied }
            if erases(byte) {
                line.removeLast()
            } else if !Self.backspaces.contains(byte), line.count < 64 {
                line.append(byte)
            }
            return nil
        }
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces).lowercased()
        line = []
        if text == number { return .allowed }
        if text == "n" || text == "no" { return .denied }
        attempts += 1
        return attempts < Self.mostAttempts ? .unclear : .denied
    }
}
