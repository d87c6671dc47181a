import AuthEngine
import TerminalUI

/// An outcome in a word, a mark and a colour: none of them alone.
extension MSALIDTokenVerdict.Outcome {
    var word: String {
        switch self {
        case .met: "met"
        case .failed: "failed"
        case .warned: "warned"
        case .notChecked: "not checked"
        }
    }

    func mark(_ glyphs: Glyphs) -> String {
        switch self {
        case .met: glyphs.check
        case .failed: glyphs.cross
        case .warned: glyphs.warning
        case .notChecked: glyphs.notChecked
        }
    }

    var style: Style {
        switch self {
        case .met: .success
        case .failed: .danger
        case .warned: .warning
        case .notChecked: .muted
        }
    }
}
