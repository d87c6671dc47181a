import Foundation

/// How a text gets from this program to the clipboard of the terminal that the person sits at.
///
/// The control sequence is xterm's OSC 52 (ctlseqs, “Manipulate Selection Data”). A multiplexer in between swallows what
/// it does not know, so it gets the sequence wrapped for the terminal outside. Nobody answers: whether a terminal took
/// the text, or is set to refuse, cannot be known here.
package enum ClipboardRoute: Sendable, Hashable {
    case direct
    /// tmux takes the sequence for its own buffers when `set-clipboard` is on, and passes it on wrapped when
    /// `allow-passthrough` is on, so it gets both forms.
    case tmux
    /// GNU screen passes on what stands in its string sequence, a piece at a time.
    case screen
    /// The terminal of this name would show the sequence, or stop at it.
    case none(String)

    /// - Parameter environment: for `TERM`, and for what multiplexers leave there (`TMUX`, `STY`).
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

    /// Encoded bytes that terminals and multiplexers are known to take in one sequence.
    package static let mostBytes = 74_994
    /// GNU screen cuts a string sequence off at 768 bytes.
    private static let screenPiece = 760

    private static let escape = "\u{1B}"
    private static let bell = "\u{07}"

    /// What to send to the terminal; nil when there is no way, or the text is too long for it.
    package func sequence(for text: String) -> String? {
        let encoded = Data(text.utf8).base64EncodedString()
        guard encoded.utf8.count <= Self.mostBytes else { return nil }
        let plain = "\(Self.escape)]52;c;\(encoded)\(Self.bell)"
        let stringStart = "\(Self.escape)P"
        let stringEnd = "\(Self.escape)\\"
        switch self {
        case .direct: return plain
        case .tmux:
            let doubled = plain.replacing(Self.escape, with: Self.escape + Self.escape)
            return plain + "\(stringStart)tmux;\(doubled)\(stringEnd)"
        case .screen:
            return Self.pieces(plain).map { stringStart + $0 + stringEnd }.joined()
        case .none: return nil
        }
    }

    /// Why ``sequence(for:)`` gave nothing.
    package var refusal: String {
        guard case .none(let name) = self else { return "It is too long for the terminal's clipboard." }
        return name.isEmpty ? "This terminal has no clipboard." : "The terminal \(name) has no clipboard."
    }

    private static func pieces(_ sequence: String) -> [String] {
        let bytes = Array(sequence.utf8)
        return stride(from: 0, to: bytes.count, by: screenPiece).map { start in
            String(decoding: bytes[start..<min(start + screenPiece, bytes.count)], as: UTF8.self)
        }
    }
}
