import Console
import Foundation
import KeyturnSystem
import MSAL
import TerminalUI

/// The environment of a command: streams, variables, time and machine. ``live`` is the process's; tests use memory.
package struct Surroundings: Sendable {
    package var environment: [String: String]
    /// Results only.
    package var output: any TextSink
    /// Everything else.
    package var errors: any TextSink
    /// The user's terminal, for prompts while ``errors`` has JSON; `nil` without one.
    package var terminal: (any TextSink)?
    /// The JSON object on ``errors`` with JSON output: the failure, and prompts if there is no terminal. Nothing else is
    /// written to ``errors`` then.
    package var errorWriter: ErrorWriter?
    /// Whether both input and output are a terminal.
    package var hasTerminal: Bool
    /// Whether the user types the input.
    package var hasTypedInput = false
    /// Whether standard input is closed, or a file that is always empty.
    package var lacksInput = false
    /// Whether a user can sign in: a terminal on any stream, a display or a browser.
    package var canReachUser = true
    package var now: @Sendable () -> Date
    /// Opens a page instead of the system's browser.
    package var browser: (@Sendable (URL) async throws -> Void)?
    /// The user's input, in pieces; ends with standard input.
    package var pastes: @Sendable () -> AsyncStream<String> = { AsyncStream { $0.finish() } }
    /// The next line that the user types, without white space around it; `nil` at the end of the input.
    package var typedLine: @Sendable () async -> String? = { nil }
    /// Drops what the user typed before a question that comes unasked.
    package var forgetTyped: @Sendable () -> Void = {}
    package var machine = MachineFacts(environment: [:])

    package static var live: Surroundings {
        let environment = ProcessEnvironment.variables
        let machine = MachineFacts.live(environment)
        let isAtTerminal = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 }
        return Surroundings(
            environment: environment, output: FileDescriptorSink.standardOutput,
            errors: FileDescriptorSink.standardError, terminal: TerminalSink(),
            hasTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1,
            hasTypedInput: isatty(STDIN_FILENO) == 1, lacksInput: PastedInput.isAlwaysEmpty(STDIN_FILENO),
            canReachUser: isAtTerminal || machine.hasDisplay || machine.namesBrowser, now: { Date() },
            pastes: { PastedInput.pieces(of: STDIN_FILENO) }, typedLine: { await PastedInput.line(of: STDIN_FILENO) },
            forgetTyped: { PastedInput.forget(STDIN_FILENO) }, machine: machine)
    }

    /// Whether output can contain non-ASCII characters. It needs no installed locale.
    package var usesUTF8: Bool { CharacterLocale.namesUTF8(environment) }

    /// Standard input without surrounding white space. Throws if it is longer than `mostBytes`.
    package func input(mostBytes: Int) async throws -> String {
        var text = ""
        for await piece in pastes() {
            text += piece
            guard text.utf8.count <= mostBytes else {
                let limit = mostBytes < 1 << 20 ? "\(mostBytes >> 10) KiB" : "\(mostBytes >> 20) MiB"
                throw Failure(
                    .failed, name: "tooLarge", "Standard input is larger than the limit of \(limit).",
                    nextStep: "Pass only the text that the command needs.")
            }
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether a command can ask the user a question: someone types the input, reads the messages, and wants no JSON.
    var canPrompt: Bool { hasTypedInput && errors.isTerminal && errorWriter == nil }

    /// The width of a stream's terminal, by the terminal itself or else `COLUMNS`; `nil` if the stream is no terminal.
    package func columns(of sink: any TextSink) -> Int? {
        guard sink.isTerminal else { return nil }
        return sink.columns ?? environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }

    /// The first line of standard input, which a terminal doesn't show.
    func hiddenLine() async -> String {
        var text = ""
        let pieces = pastes()
        TypedInput.hide(true)
        defer { TypedInput.hide(false) }
        for await piece in pieces {
            text += piece
            if text.contains(where: \.isNewline) || text.utf8.count > 1 << 16 { break }
        }
        return String(text.prefix { !$0.isNewline })
    }

    /// Writes a message, wrapped on a terminal. Ignores a closed pipe.
    package func tell(_ text: String) {
        guard errorWriter == nil else { return }
        let lines = columns(of: errors).map { TextFitting.wrap(text, to: $0, breaksWords: false) }
        try? errors.write(linked(lines?.joined(separator: "\n") ?? text))
    }

    private func linked(_ text: String) -> String {
        errors.isTerminal && Hyperlink.isPossible(on: environment["TERM"]) ? Hyperlink.linked(text) : text
    }

    /// Writes what the user needs to continue, for example a device code.
    package func prompt(_ text: String) {
        guard let errorWriter else {
            try? errors.write(linked(text))
            return
        }
        do throws(TextSinkFailure) {
            guard let terminal else { return errorWriter.add(prompt: text) }
            try terminal.write(text)
        } catch {
            errorWriter.add(prompt: text)
        }
    }

    /// Lists a door of this process, as long as the result exists. `nil` if that is impossible, which is no reason to keep the
    /// door closed.
    func list(_ kind: OpenDoor.Kind, of program: String, at place: String) -> DoorFile? {
        DoorFile(
            OpenDoor(process: getpid(), kind: kind, program: program, place: place, openedAt: now()), in: environment)
    }
}
