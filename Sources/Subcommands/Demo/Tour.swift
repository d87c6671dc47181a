import Foundation
import MSAL
import TerminalUI

/// A sign-in that plays by itself: a scripted person walks the built-in authority's real pages over HTTP, and every step
/// is told as a line. What it shows is what the library did; no token is ever written.
struct Tour: Sendable {
    var application: MSALPublicClientApplication
    var scopes: [String]
    /// Who signs in.
    var name: String
    /// Plays the person and the browser: fills the pages in from the first address on and opens the last one.
    var walk: @Sendable (URL, _ say: @escaping @Sendable (String) -> Void) async throws -> Void
    var story: Story
    var now: @Sendable () -> Date

    func play() async throws {
        story.chapter("\(Printable.sanitize(name)) signs in")
        let signedIn = try await signIn()
        story.chapter("The account, from the cache")
        try showAccounts()
        story.chapter("A token, silently")
        try await acquireSilently(for: signedIn.account)
        story.chapter("What the tokens say")
        story.block(ClaimsReport(result: signedIn, now: now()).text)
        story.chapter("The account is removed")
        try await remove(signedIn.account)
    }

    private func signIn() async throws -> MSALResult {
        let (addresses, opened) = AsyncStream<URL>.makeStream()
        return try await withThrowingTaskGroup(of: MSALResult?.self) { group in
            group.addTask { try await application.acquireToken(with: interactive { opened.yield($0) }) }
            // Beside the sign-in, as a browser is: were it to fail, the sign-in must not wait for it.
            group.addTask {
                for await address in addresses.prefix(1) { try await walk(address) { story.line("    \($0)") } }
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    private func interactive(open: @escaping @Sendable (URL) -> Void) -> MSALInteractiveTokenParameters {
        let webview = MSALWebviewParameters()
        webview.openURLHandler = { open($0) }
        let parameters = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: webview)
        parameters.flowEventHandler = tell
        return parameters
    }

    private func tell(_ event: MSALFlowEvent) {
        if event.phase != .started { story.line("  \(Printable.sanitize(event.detail))") }
    }

    private func showAccounts() throws {
        for account in try application.allAccounts() {
            story.line("  \(Printable.sanitize("\(account.username ?? "?") at \(account.environment)"))")
        }
    }

    private func acquireSilently(for account: MSALAccount) async throws {
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        parameters.flowEventHandler = tell
        let result = try await application.acquireTokenSilent(with: parameters)
        story.line(
            "  \(result.isFromCache ? "It was in the cache: no request was sent" : "It came from the authority")")
    }

    private func remove(_ account: MSALAccount) async throws {
        try application.remove(account)
        let left = try application.allAccounts().count
        story.block(RemovalReport.text(removed: account, left: left))
        do {
            _ = try await application.acquireTokenSilent(
                with: MSALSilentTokenParameters(scopes: scopes, account: account))
            throw CommandFailure(
                .failed, name: "removal", "The removed account still gave a token.", nextStep: "Report this.")
        } catch let error as NSError where ExitCode(error) == .interactionRequired {
            story.line("  A silent call now says: \(Printable.sanitize(error.localizedDescription))")
        }
    }
}
