import Diagnosis
import TerminalUI

/// A verdict's mark and style.
extension CheckFinding.Verdict {
    func mark(_ glyphs: Glyphs) -> String {
        switch self {
        case .good: glyphs.check
        case .attention: glyphs.warning
        case .wrong: glyphs.cross
        case .notChecked: glyphs.notChecked
        }
    }

    var style: Style {
        switch self {
        case .good: .success
        case .attention: .warning
        case .wrong: .danger
        case .notChecked: .muted
        }
    }
}
