import Diagnosis
import MSAL
import TerminalUI

/// An outcome's mark and style. The word or mark always accompanies the colour.
extension MSALIDTokenVerdict.Outcome {
    private var look: (mark: KeyPath<Glyphs, String>, style: Style) {
        switch self {
        case .passed: (\.check, .success)
        case .failed: (\.cross, .danger)
        case .warning: (\.warning, .warning)
        case .skipped: (\.dash, .muted)
        }
    }

    package func mark(_ glyphs: Glyphs) -> String { glyphs[keyPath: look.mark] }
    package var style: Style { look.style }

    /// Whether it's listed without being asked for.
    var needsAttention: Bool {
        switch self {
        case .failed, .warning: true
        case .passed, .skipped: false
        }
    }
}

/// A finding looks like a check of a token with the same outcome.
extension CheckFinding.Verdict {
    var outcome: MSALIDTokenVerdict.Outcome {
        switch self {
        case .passed: .passed
        case .warning: .warning
        case .failed: .failed
        case .skipped: .skipped
        }
    }

    package func mark(_ glyphs: Glyphs) -> String { outcome.mark(glyphs) }
    package var style: Style { outcome.style }
}
