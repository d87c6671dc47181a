import CSystem
import Foundation
import Glibc
import KeyturnSystem
import MSAL
import TerminalUI

/// Requests that one answer of the user covers.
struct GateKind: Sendable, Hashable {
    let method: String
    /// The first segments of the paths that it names (``GateTarget/place``).
    let places: [String]
    var extent = "until the gate closes"
    /// Whether the answer doesn't cover the next request. A no covers all.
    var isForOnce = false

    var text: String { "\(method) \(places.joined(separator: " to "))" }
}

/// Asks the user on the terminal or in a window whether a kind of request may pass, once for each kind.
actor GateQuestion {
    private var decisions: [GateKind: Bool] = [:]
    private var last: Task<Bool?, Never>?
    private let lines = Locked(Lines())
    private let write: @Sendable (String) -> Void
    private let window: WindowQuestion?
    /// Why the window didn't ask. It doesn't try again, as after a no.
    private(set) var failure: Failure?

    private struct Lines {
        var isHeld = false
        var held: [String] = []
        var dropped = 0
    }

    init(_ write: @escaping @Sendable (String) -> Void, in window: WindowQuestion? = nil) {
        (self.write, self.window) = (write, window)
    }

    static var hasTerminal: Bool {
        let terminal = OpenQuestion.openTerminal()
        return terminal >= 0 && close(terminal) == 0
    }

    /// `nil` if the question was withdrawn, because the task is cancelled or the program has ended, or if there was none.
    /// - Parameter request: the method and the target of the request that waits.
    func allows(_ kind: GateKind, _ request: String) async -> Bool? {
        if let decision = decisions[kind] { return decision }
        let isWithdrawn = Locked(false)
        let task = Task(executorPreference: ThreadPool.current) { [self, earlier = last] in
            await decide(about: kind, request, after: earlier, isWithdrawn)
        }
        last = task
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            isWithdrawn.withLock { $0 = true }
            task.cancel()
        }
    }

    /// One question at a time, and each kind once.
    private func decide(
        about kind: GateKind, _ request: String, after earlier: Task<Bool?, Never>?, _ isWithdrawn: Locked<Bool>
    ) async -> Bool? {
        _ = await earlier?.value
        if let decision = decisions[kind] { return decision }
        guard !isWithdrawn.withLock(\.self), failure == nil else { return nil }
        let decision =
            if let window {
                await decide(in: window, about: kind, request, isWithdrawn)
            } else {
                await decideOnTerminal(OpenQuestion(kind: kind, request: request, isWithdrawn: isWithdrawn))
            }
        if decision != true || !kind.isForOnce { decisions[kind] = decision }
        return decision
    }

    private func decide(
        in window: WindowQuestion, about kind: GateKind, _ request: String, _ isWithdrawn: Locked<Bool>
    ) async -> Bool? {
        do throws(Failure) {
            let sentence = OpenQuestion.sentence(about: kind)
            let isAllowed = try await window.decide("\(Printable.sanitize(request)) waits.\n\(sentence)")
            return isWithdrawn.withLock(\.self) ? nil : isAllowed
        } catch {
            failure = error
            write("keyturn: \(error.sentences)\n")
            return nil
        }
    }

    private func decideOnTerminal(_ question: OpenQuestion) async -> Bool? {
        lines.withLock { $0.isHeld = true }
        let decision = await withCheckedContinuation { continuation in
            let read: @Sendable () -> Void = { continuation.resume(returning: question.decide()) }
            if (try? SystemThread.start(read)) == nil { continuation.resume(returning: false) }
        }
        let waited = lines.withLock { replace(&$0, with: Lines()) }
        for line in waited.held { write(line) }
        if waited.dropped > 0 { write("\(waited.dropped) more requests during the question\n") }
        return decision
    }

    /// Writes a line about a request, whose path the program chooses: after an open question, so that none scrolls away.
    nonisolated func tell(_ line: String) {
        let isHeld = lines.withLock { lines in
            guard lines.isHeld else { return false }
            if lines.held.count < 100 { lines.held.append(line) } else { lines.dropped += 1 }
            return true
        }
        if !isHeld { write(line) }
    }
}

/// A question on the terminal, in a thread of its own.
struct OpenQuestion: Sendable {
    /// The seconds that an answer can take.
    static let patience = 60.0
    /// How often to look whether the question still makes sense, in milliseconds.
    private static let tick: Int32 = 200

    let kind: GateKind
    let request: String
    let isWithdrawn: Locked<Bool>

    static func openTerminal() -> Int32 { open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC) }

    /// The request that waits, what a yes covers, and what to type, in rows of the terminal.
    static func rows(_ kind: GateKind, _ request: String, _ number: String, columns: Int) -> [String] {
        let sentence = sentence(about: kind)
        let prompt = prompt(number, columns: columns)
        // The number, and the column of the cursor.
        let one = "\(sentence) \(prompt)"
        let question = one.count + number.count < columns ? [one] : wrapped(sentence, to: columns - 1) + [prompt]
        let waiting = [shortened(request, to: columns - " waits.".count - 1) + " waits."]
        return (request == kind.text ? [] : waiting) + question
    }

    private static func prompt(_ number: String, columns: Int) -> String {
        let long = "Type \(number) and Enter, or n for no: "
        return long.count + number.count < columns ? long : "\(number), or n: "
    }

    static func sentence(about kind: GateKind) -> String {
        let places = kind.places.map { shortened($0, to: 40) }.joined(separator: " to ")
        return "Allow \(Printable.sanitize(kind.method)) \(places) \(kind.extent)?"
    }

    private static func wrapped(_ text: String, to columns: Int) -> [String] {
        let room = max(columns, 1)
        return stride(from: 0, to: text.count, by: room).map { String(text.dropFirst($0).prefix(room)) }
    }

    /// A path with a mark of how many characters are cut in the middle, which no URL contains: its beginning and its end count.
    private static func shortened(_ path: String, to room: Int) -> String {
        let path = Printable.sanitize(path)
        let shown = max(room - "…+\(path.count)…".count, 2)
        guard path.count > max(room, 2), shown < path.count else { return path }
        return "\(path.prefix(shown - shown / 3))…+\(path.count - shown)…\(path.suffix(shown / 3))"
    }

    /// What would hide, move or recolour the question, or change what keys send. First the end of a sequence left open.
    private static let reset =
        "\u{18}\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[0\"q\u{1B}[?6l\u{1B}[?69l\u{1B}[r\u{1B}[4l\u{1B}[20l\u{1B}[2l\u{1B}[?5l"
        + "\u{1B}[?7h\u{1B}[?45l\u{1B}[?25h\u{F}\u{1B}(B\u{1B})B\u{1B}[?1l\u{1B}>\u{1B}[?2004l\u{1B}[?1004l"
        + "\u{1B}[?9l\u{1B}[?1000l\u{1B}[?1001l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[=0u\u{1B}[>4;0m"
        + "\u{1B}]104\u{7}\u{1B}]110\u{7}\u{1B}]111\u{7}"
    private static let row = "\u{1B}[9999;1H\r\n\u{1B}#5\u{1B}[2K"

    /// The user's answer; `nil` if the question was withdrawn.
    func decide() -> Bool? {
        // The program on its own terminal neither gets keys nor prints meanwhile.
        keyturn_relay_hold(1)
        defer { keyturn_relay_hold(0) }
        let terminal = Self.openTerminal()
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        // What was typed before the question isn't its answer.
        PastedInput.forget(terminal)
        var shown = Shown(self, on: terminal)
        return shown.read()
    }

    private var isOver: Bool { isWithdrawn.withLock(\.self) || keyturn_relay_is_over() != 0 }

    /// A question that the user sees. While the program's terminal is relayed, the user's edits no line by itself.
    private struct Shown {
        let question: OpenQuestion
        let terminal: Int32
        let sink: FileDescriptorSink
        var entry = GateEntry(number: String(Int.random(in: 1000...9999)))
        var editor: LineEditor?
        var isShown = false
        var columns = 0
        var resumptions: UInt32 = 0
        var end = ContinuousClock.now

        init(_ question: OpenQuestion, on terminal: Int32) {
            (self.question, self.terminal, sink) = (question, terminal, FileDescriptorSink(descriptor: terminal))
        }

        /// Ignores a terminal that is gone: its end is read.
        func write(_ text: String) { try? sink.write(text) }

        mutating func show() {
            var keys = keyturn_terminal_keys()
            editor = keyturn_terminal_find_keys(terminal, &keys) != 0 ? LineEditor(keys) : nil
            entry.clear()
            columns = currentColumns()
            resumptions = keyturn_terminal_resumptions()
            end = .now + .seconds(OpenQuestion.patience)
            let rows = OpenQuestion.rows(question.kind, question.request, entry.number, columns: columns)
            write((editor == nil ? "" : OpenQuestion.reset + OpenQuestion.row) + rows.joined(separator: "\r\n"))
            isShown = true
        }

        private func currentColumns() -> Int { sink.columns ?? 80 }

        mutating func read() -> Bool? {
            while true {
                guard !question.isOver else {
                    if isShown { write("\r\n(withdrawn)\r\n") }
                    return nil
                }
                guard keyturn_terminal_is_aside(terminal) == 0 else {
                    isShown = false
                    usleep(UInt32(OpenQuestion.tick) * 1000)
                    continue
                }
                // A shell sends no signal to a job that runs in the background when it gets the terminal.
                if !isShown { keyturn_terminal_resume_typing() }
                if !isShown || resumptions != keyturn_terminal_resumptions() || columns != currentColumns() {
                    show()
                }
                guard .now < end else {
                    write("\r\n(no answer: no)\r\n")
                    return false
                }
                var wanted = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
                guard poll(&wanted, 1, OpenQuestion.tick) > 0 else { continue }
                var bytes = [UInt8](repeating: 0, count: 256)
                let count = Glibc.read(terminal, &bytes, bytes.count)
                guard count > 0 else {
                    guard count < 0, errno == EINTR else { return false }
                    continue
                }
                for byte in bytes.prefix(count) where isShown {
                    // In raw mode, a line ends with a carriage return.
                    if let verdict = take(byte == 0x0D ? 0x0A : byte) { return verdict }
                }
            }
        }

        private mutating func take(_ byte: UInt8) -> Bool? {
            switch keyturn_terminal_signal_of(terminal, byte) {
            case SIGTSTP:
                stop()
                return nil
            case let signal where signal != 0:
                write("^\(signal == SIGINT ? "C" : "\\") (no)\r\n")
                return false
            default: break
            }
            var text = [byte]
            if let outcome = editor?.take([byte]) {
                write(String(decoding: outcome.echo, as: UTF8.self).replacing("\n", with: "\r\n"))
                if outcome.isFinished {
                    write(" (no)\r\n")
                    return false
                }
                text = outcome.text
            }
            for byte in text {
                switch entry.take(byte) {
                case .allowed: return true
                case .denied: return false
                case .unclear: write(OpenQuestion.prompt(entry.number, columns: columns))
                case nil: break
                }
            }
            return nil
        }

        /// Stops as a job of the shell, which gets the keys until it continues it.
        private mutating func stop() {
            write("^Z (fg asks again)\r\n")
            isShown = false
            guard keyturn_relay_stop() != 0 else { return }
            // The signal comes at some time.
            for _ in 0..<100 where resumptions == keyturn_terminal_resumptions() { usleep(20_000) }
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

    mutating func clear() { line = [] }

    mutating func take(_ byte: UInt8) -> Verdict? {
        guard byte == 0x0A else {
            if line.count < 64 { line.append(byte) }
            return nil
        }
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces).lowercased()
        line = []
        if text == number { return .allowed }
        attempts += 1
        return ["n", "no"].contains(text) || attempts >= Self.mostAttempts ? .denied : .unclear
    }
}
