import MSAL
import TerminalUI

/// An outcome's word, mark and style. The word or mark always accompanies the colour.
extension MSALIDTokenVerdict.Outcome {
    package func mark(_ glyphs: Glyphs) -> String {
        switch self {
        case .passed: glyphs.check
        case .failed: glyphs.cross
        case .warning: glyphs.warning
        case .skipped: glyphs.dash
        }
    }

    /// Whether it's listed without being asked for.
    var needsAttention: Bool {
        switch self {
        case .failed, .warning: true
        case .passed, .skipped: false
        }
    }

    package var style: Style {
        switch self {
        case .passed: .success
        case .failed: .danger
        case .warning: .warning
        case .skipped: .muted
        }
    }
}
