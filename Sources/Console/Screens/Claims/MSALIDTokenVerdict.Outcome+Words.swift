import AuthEngine
import TerminalUI

/// An outcome's word, mark and style. The word or mark always accompanies the colour.
extension MSALIDTokenVerdict.Outcome {
    var word: String {
        switch self {
        case .met: "passed"
        case .failed: "failed"
        case .warned: "warning"
        case .notChecked: "skipped"
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
