import CSystem
import Glibc
import KeyturnSystem

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
            if count != interruptions { editor.clear() }
            interruptions = count
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
        state.withLock { state in
            state = State(
                editor: LineEditor(keys), echo: FileDescriptorSink(descriptor: echo), isHidden: state?.isHidden ?? false
            )
        }
        return true
    }

    static func end() { keyturn_terminal_end_typing() }

    /// The same at the end of the process.
    static func restoreAtExit() { keyturn_terminal_end_typing_for_good() }

    /// Edits the line, and shows what was typed.
    static func take(_ bytes: [UInt8]) -> LineEditor.Outcome {
        let (outcome, echo) = state.withLock { state in
            (state?.take(bytes) ?? LineEditor.Outcome(text: bytes), state?.isHidden == false ? state?.echo : nil)
        }
        // Ignores a terminal that is gone.
        if !outcome.echo.isEmpty { try? echo?.write(bytes: outcome.echo) }
        return outcome
    }

    /// Drops the line that is being typed.
    static func clear() { state.withLock { $0?.editor.clear() } }

    static func hide(_ isHidden: Bool) { state.withLock { $0?.isHidden = isHidden } }
}
