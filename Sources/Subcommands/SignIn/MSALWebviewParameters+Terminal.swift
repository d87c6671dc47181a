import Foundation
import MSAL

extension MSALWebviewParameters {
    /// Parameters for a command's browser, which can be a text browser in the terminal.
    /// - Parameter open: opens the page instead of the system's browser.
    convenience init(in surroundings: Surroundings, opening open: (@Sendable (URL) async throws -> Void)?) {
        self.init()
        openURLHandler = open
        if surroundings.hasTerminal { terminalLender = { browse in await browse() } }
    }
}
