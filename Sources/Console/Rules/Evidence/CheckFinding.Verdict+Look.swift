import Diagnosis
import TerminalUI

/// A verdict's mark and style.
extension CheckFinding.Verdict {
    package func mark(_ glyphs: Glyphs) -> String {
        switch self {
        case .passed: glyphs.check
        case .warning: glyphs.warning
        case .failed: glyphs.cross
        case .skipped: glyphs.dash
        }
    }

    package var style: Style {
        switch self {
        case .passed: .success
        case .warning: .warning
        case .failed: .danger
        case .skipped: .muted
        }
    }
}
