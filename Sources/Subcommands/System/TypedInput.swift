import CSystem
import Glibc
import KeyturnSystem
import TerminalUI

/// The terminal of standard input while the program edits its lines.
enum TypedInput {
    private struct State {
        var editor: LineEditor
        let echo: FileDescriptorSink
        var isHidden = false
        /// How often Ctrl-C had been pressed at the last byte.
        var interruptions = keyturn_terminal_interruptions()

        mutating func take(_ bytes: [UInt8]) -> LineEditor.Outcome {
            let count = keyturn_terminal_interruptions()
            // As in the terminal's own line editing.
            if replace(&interruptions, with: count) != count { editor.clear() }
            return editor.take(bytes)
        }
    }

    private static let state = Locked<State?>(nil)

    /// Takes over the editing of lines. Returns whether the descriptor is a terminal.
    static func begin(at descriptor: Int32) -> Bool {
        guard isatty(descriptor) == 1 else { return false }
        // A signal must not end the process with the terminal's modes changed.
        watchSignals()
        var keys = keyturn_terminal_keys()
        let echo = keyturn_terminal_begin_typing(descriptor, &keys)
        guard echo >= 0 else { return false }
        let (editor, sink) = (LineEditor(keys), FileDescriptorSink(descriptor: echo))
        state.withLock { $0 = State(editor: editor, echo: sink, isHidden: $0?.isHidden ?? false) }
        return true
    }

    static func end() { keyturn_terminal_end_typing() }

    static func restoreAtExit() { keyturn_terminal_end_typing_for_good() }

    static func take(_ bytes: [UInt8]) -> LineEditor.Outcome {
        let (outcome, echo) = state.withLock { state in
            (state?.take(bytes) ?? LineEditor.Outcome(text: bytes), state?.isHidden == false ? state?.echo : nil)
        }
        // Ignores a terminal that is gone.
        if !outcome.echo.isEmpty { try? echo?.write(bytes: outcome.echo) }
        return outcome
    }

    static func clear() { state.withLock { $0?.editor.clear() } }

    static func hide(_ isHidden: Bool) { state.withLock { $0?.isHidden = isHidden } }
}

/// The line that a user types, with the keys and the echo of a terminal's own line editing, but of any length up to a limit.
struct LineEditor: Sendable {
    /// Above the limits of what is pasted, which name theirs.
    static let mostBytes = 1 << 20

    struct Outcome: Sendable, Equatable {
        var echo: [UInt8] = []
        /// What is complete.
        var text: [UInt8] = []
        /// Whether the user ended the input.
        var isFinished = false
    }

    private let keys: keyturn_terminal_keys
    private var line: [UInt8] = []

    init(_ keys: keyturn_terminal_keys) { self.keys = keys }

    mutating func take(_ bytes: [UInt8]) -> Outcome {
        var outcome = Outcome()
        for byte in bytes where !outcome.isFinished { take(byte, &outcome) }
        return outcome
    }

    /// Forgets the line, as a terminal does after Ctrl-C.
    mutating func clear() { line = [] }

    private mutating func take(_ byte: UInt8, _ outcome: inout Outcome) {
        switch byte {
        case UInt8(ascii: "\n"):
            outcome.echo.append(byte)
            outcome.text += line + [byte]
            line = []
        case keys.end where byte != 0:
            // Within a line, it only sends what is there.
            outcome.isFinished = line.isEmpty
            outcome.text += line
            line = []
        case keys.kill where byte != 0:
            while !line.isEmpty { erase(&outcome) }
        case keys.erase_word where byte != 0:
            while line.last == UInt8(ascii: " ") { erase(&outcome) }
            while let last = line.last, last != UInt8(ascii: " ") { erase(&outcome) }
        // Terminals disagree on which of these two the key sends.
        case keys.erase where byte != 0, 0x7F, 0x08: erase(&outcome)
        default:
            // Too long rings the bell.
            guard line.count < Self.mostBytes else { return outcome.echo.append(0x07) }
            line.append(byte)
            outcome.echo += Self.shown(byte)
        }
    }

    private mutating func erase(_ outcome: inout Outcome) {
        guard let start = line.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return line = [] }
        let character = line[start...]
        let width =
            character.count == 1
            ? Self.shown(line[start]).count : DisplayWidth.of(String(decoding: character, as: UTF8.self))
        line.removeSubrange(start...)
        for _ in 0..<width { outcome.echo += [0x08, UInt8(ascii: " "), 0x08] }
    }

    /// Control characters as `^X`.
    private static func shown(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case 0x09: [byte]
        case ..<0x20, 0x7F: [UInt8(ascii: "^"), byte ^ 0x40]
        default: [byte]
        }
    }
}
