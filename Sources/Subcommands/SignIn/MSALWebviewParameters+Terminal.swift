import Foundation
import MSAL

extension MSALWebviewParameters {
    /// How a command shows a page. On a plain terminal nothing is drawn that a text browser would be in the way of.
    /// - Parameter open: opens the page in place of the system's browser.
    convenience init(in surroundings: Surroundings, opening open: (@Sendable (URL) async throws -> Void)?) {
        self.init()
        openURLHandler = open
        if surroundings.hasTerminal { terminalLender = { browse in await browse() } }
    }
}
