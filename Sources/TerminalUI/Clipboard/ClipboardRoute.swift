import Foundation

/// The route from this program to the clipboard of the user's terminal. Uses xterm's OSC 52 sequence (ctlseqs,
/// “Manipulate Selection Data”). Multiplexers swallow unknown sequences, so for them the sequence is wrapped for the
/// outer terminal. Terminals don't respond, so success is unknown.
package enum ClipboardRoute: Sendable, Hashable {
    case direct
    /// tmux takes the sequence for its own buffers when `set-clipboard` is on, and passes it on wrapped when
    /// `allow-passthrough` is on, so it gets both forms.
    case tmux
    /// GNU screen passes on its string sequences, one piece at a time.
    case screen
    /// The terminal with this name would print the sequence or stop at it.
    case none(String)

    package init(environment: [String: String]) {
        func has(_ name: String) -> Bool { environment[name]?.isEmpty == false }
        let name = environment["TERM"] ?? ""
        let family = name.split(separator: "-").first.map(String.init) ?? ""
        self =
            switch family {
            case _ where has("TMUX"): .tmux
            case _ where has("STY"): .screen
            case "tmux": .tmux
            case "screen": .screen
            case "", "linux", "dumb", "cons25", "vt52", "vt100", "vt102", "vt220": .none(name)
            default: .direct
            }
    }

    /// The number of encoded bytes that terminals and multiplexers accept in one sequence.
    package static let mostBytes = 74_994
    /// GNU screen truncates string sequences at 768 bytes.
    private static let screenPiece = 760

    private static let escape = "\u{1B}"
    private static let bell = "\u{07}"

    package func sequence(for text: String) -> String? {
        let encoded = Data(text.utf8).base64EncodedString()
        guard encoded.utf8.count <= Self.mostBytes else { return nil }
        let plain = "\(Self.escape)]52;c;\(encoded)\(Self.bell)"
        let stringStart = "\(Self.escape)P"
        let stringTerminator = "\(Self.escape)\\"
        switch self {
        case .direct: return plain
        case .tmux:
            let doubled = plain.replacing(Self.escape, with: Self.escape + Self.escape)
            return plain + "\(stringStart)tmux;\(doubled)\(stringTerminator)"
        case .screen:
            let bytes = Array(plain.utf8)
            return stride(from: 0, to: bytes.count, by: Self.screenPiece).map { start in
                let piece = bytes[start..<min(start + Self.screenPiece, bytes.count)]
                return stringStart + String(decoding: piece, as: UTF8.self) + stringTerminator
            }.joined()
        case .none: return nil
        }
    }

    /// Why ``sequence(for:)`` returned nil.
    package var rejection: String {
        guard case .none(let name) = self else { return "Too long for the terminal's clipboard." }
        return name.isEmpty ? "This terminal has no clipboard." : "The terminal \(name) has no clipboard."
    }
}

package enum CopyOutcome: Sendable, Hashable {
    /// Terminals don't confirm it.
    case sent
    case rejected(_ reason: String)
}
