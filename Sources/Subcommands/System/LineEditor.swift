import CSystem
import TerminalUI

/// The line that a user types, with the keys and the echo of a terminal's own line editing, but of any length up to a limit.
struct LineEditor: Sendable {
    /// Above the limits of what is pasted, which name theirs.
    static let mostBytes = 1 << 20

    /// What came of some bytes: what to echo, and the text that is complete.
    struct Outcome: Sendable, Equatable {
        var echo: [UInt8] = []
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
            guard line.count < Self.mostBytes else {
                outcome.echo.append(Self.bell)
                return
            }
            line.append(byte)
            outcome.echo += Self.shown(byte)
        }
    }

    /// Removes the last character.
    private mutating func erase(_ outcome: inout Outcome) {
        guard let start = line.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return line = [] }
        let character = line[start...]
        let width =
            character.count == 1
            ? Self.shown(line[start]).count : DisplayWidth.of(String(decoding: character, as: UTF8.self))
        line.removeSubrange(start...)
        for _ in 0..<width { outcome.echo += [0x08, UInt8(ascii: " "), 0x08] }
    }

    private static let bell: UInt8 = 0x07

    /// Control characters as `^X`.
    private static func shown(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case 0x09: [byte]
        case ..<0x20, 0x7F: [UInt8(ascii: "^"), byte ^ 0x40]
        default: [byte]
        }
    }
}
