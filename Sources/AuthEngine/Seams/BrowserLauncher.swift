import Foundation

/// Shows a page to the person. Returns when the browser was started, not when the person is done; one that takes the
/// terminal has it until it ends, or until the task is cancelled.
package protocol BrowserLauncher: Sendable {
    func open(_ page: BrowserPage) async throws(BrowserLaunchFailure)
}

/// A page to show.
package struct BrowserPage: Sendable {
    package var url: URL
    /// Asks for a window that shares no session with the others and leaves none. Not every browser can be told so.
    package var isPrivate: Bool
    /// Makes this terminal free for a browser that draws in one; nil: it is not to be had.
    package var lendTerminal: TerminalLender?

    package init(url: URL, isPrivate: Bool = false, lendTerminal: TerminalLender? = nil) {
        self.url = url
        self.isPrivate = isPrivate
        self.lendTerminal = lendTerminal
    }
}

/// Frees the terminal, awaits what it is given, and takes the terminal back.
package typealias TerminalLender = @Sendable (_ browsing: @Sendable () async -> Void) async -> Void

/// No browser was started. The user can still open the address by hand, if the program shows it.
package struct BrowserLaunchFailure: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A command of the user's own choice failed; it may have shown the page all the same.
        case commandFailed
        /// The user chose no command, and the system has no browser that could be opened.
        case noBrowser
    }

    package var kind: Kind
    /// What and why, as a sentence.
    package var reason: String

    package init(_ kind: Kind = .commandFailed, reason: String) {
        self.kind = kind
        self.reason = reason
    }
}
