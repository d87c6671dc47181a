import Foundation
import MSAL
import TerminalUI

/// Tells the steps of a sign-in as lines, for a person at a plain terminal.
enum FlowNarrator {
    /// The lines of one event; none for what is not worth a line.
    static func lines(_ event: MSALFlowEvent) -> [String] {
        let detail = Printable.sanitize(event.detail)
        switch (event.step, event.phase) {
        case (.openBrowser, .started):
            let address = event.authorizationURL.map { Printable.sanitize($0.absoluteString) }
            return ["Sign in with your browser. If it does not open, open this address:"] + [address].compactMap(\.self)
        case (_, .started): return []
        case (_, .succeeded): return detail.isEmpty ? [] : ["  \(detail)"]
        case (_, .failed): return ["  ! \(detail)"]
        }
    }
}
