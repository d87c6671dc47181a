import Console
import Foundation
import Glibc
import POSIX

/// What a command finds around it. The process's own is ``live``; a test makes one with memory in place of streams.
package struct Surroundings: Sendable {
    package var environment: [String: String]
    /// Results only.
    package var output: any TextSink
    /// Everything that is no result.
    package var errors: any TextSink
    /// Where the user looks when ``errors`` are for a program.
    package var terminal: any TextSink
    /// What ``errors`` get where they are for a program: a failure, and prompts that have no terminal to go to. Nothing
    /// else is written there then.
    package var errorObject: ErrorObject?
    /// Whether a person sits at both ends: input and output are a terminal.
    package var hasTerminal: Bool
    /// Whether a person can be asked to sign in: a terminal at any end, or a screen for a browser.
    package var somebodyIsThere: Bool
    package var now: @Sendable () -> Date
    /// Opens a page instead of the system's browser.
    package var browser: (@Sendable (URL) async throws -> Void)?
    /// What a person types or pastes, piece by piece; it ends with the input.
    package var pastes: @Sendable () -> AsyncStream<String>
    package var machine: MachineFacts

    package init(
        environment: [String: String], output: any TextSink, errors: any TextSink,
        terminal: (any TextSink)? = nil, hasTerminal: Bool,
        somebodyIsThere: Bool = true, now: @escaping @Sendable () -> Date,
        browser: (@Sendable (URL) async throws -> Void)? = nil,
        pastes: @escaping @Sendable () -> AsyncStream<String> = { AsyncStream { $0.finish() } },
        machine: MachineFacts = MachineFacts()
    ) {
        self.environment = environment
        self.output = output
        self.errors = errors
        self.terminal = terminal ?? errors
        self.hasTerminal = hasTerminal
        self.somebodyIsThere = somebodyIsThere
        self.now = now
        self.browser = browser
        self.pastes = pastes
        self.machine = machine
    }

    package static var live: Surroundings {
        let environment = ProcessEnvironment.variables
        let machine = MachineFacts.live(environment)
        let isAtTerminal = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 }
        return Surroundings(
            environment: environment, output: FileDescriptorSink.standardOutput,
            errors: FileDescriptorSink.standardError, terminal: TerminalSink(),
            hasTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1,
            somebodyIsThere: isAtTerminal || machine.hasDisplay || machine.namesBrowser,
            now: { Date() }, pastes: { PastedInput.pieces(of: STDIN_FILENO) }, machine: machine)
    }

    /// Whether text may hold more than ASCII (POSIX §8.2: the first of these that is set decides).
    package var usesUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = (locale ?? "").uppercased()
        return name.contains("UTF-8") || name.contains("UTF8")
    }

    /// All that comes on standard input, without the line end; at most `mostBytes` of it.
    package func input(mostBytes: Int) async -> String {
        var text = ""
        for await piece in pastes() {
            text += piece
            if text.utf8.count > mostBytes { break }
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Writes what is no result. A reader that is gone must not stop the work.
    package func tell(_ text: String) {
        if errorObject == nil { try? errors.write(text) }
    }

    /// Writes what the user needs to go on: a device code, an address to open elsewhere.
    package func prompt(_ text: String) {
        guard let errorObject else {
            try? errors.write(text)
            return
        }
        do throws(TextSinkFailure) { try terminal.write(text) } catch { errorObject.add(prompt: text) }
    }
}
