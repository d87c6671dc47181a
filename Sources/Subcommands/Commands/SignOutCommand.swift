import Foundation
import KeyturnSystem
import MSAL
import TerminalUI

package struct SignOutCommand: Subcommand {
    static let browser = Option("browser")

    package static let specification = CommandSpecification(
        name: "sign-out", options: [browser, Demand.cachedResource, OutputFormat.option], operand: "ACCOUNT")

    @Boxed private var demand: Demand
    private var settings: Settings { demand.settings }
    private let options: ParsedOptions
    private var accountName: String { options.operands.first ?? "" }
    private var closesBrowserSession: Bool { options.has(Self.browser) }

    package init(_ options: ParsedOptions) throws(UsageError) {
        demand = try Demand(options)
        self.options = options
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let application = try await demand.application(with: accountName, in: surroundings)
        let account = try await application.requiredAccount(
            named: accountName, among: settings.profiles(in: surroundings.environment), isLocal: !closesBrowserSession)
        // Before the removal, which deletes the authorities.
        let json = account.json(authorities: try application.authorities(of: account))
        let usual = demand.defaultAccount(of: application, in: surroundings)
        let isDefault = account.identifier.map { $0 == usual.identifier } ?? false
        let revocation = Locked<MSALRevocation?>(nil)
        func report(isSignedOutInBrowser: Bool) throws {
            guard OutputFormat(options) == .json else { return }
            let removed = [json.adding(revocation.withLock(\.self))]
            try surroundings.output.write(
                try application.removalJSON(of: removed, isSignedOutInBrowser: isSignedOutInBrowser).document)
        }
        do {
            try await interruptible {
                try await signOut(account, of: application, in: surroundings, noting: revocation)
            }
        } catch var interrupted as Interrupted {
            try interrupted.describe(
                account, of: application, revocation.withLock(\.self), closesBrowserSession: closesBrowserSession)
            throw interrupted
        } catch {
            // The tokens here are gone, whatever the browser did.
            surroundings.tell(revocation.withLock(\.self), at: account.environment, isQuiet: settings.isQuiet)
            if try application.allAccounts().allSatisfy({ $0.identifier != account.identifier }) {
                try report(isSignedOutInBrowser: false)
            }
            throw error
        }
        try report(isSignedOutInBrowser: closesBrowserSession)
        if !settings.isQuiet {
            surroundings.tell(
                closesBrowserSession
                    ? "Signed out \(Printable.sanitize(account.username ?? accountName)) on this computer and in the browser.\n"
                    : try RemovalReport(
                        account: account, left: application.allAccounts().count,
                        setAside: application.cacheProtection.setAsideFiles.count, isDefault: isDefault
                    ).text)
        }
        surroundings.tell(revocation.withLock(\.self), at: account.environment, isQuiet: settings.isQuiet)
        return .done
    }

    private func signOut(
        _ account: MSALAccount, of application: MSALPublicClientApplication, in surroundings: Surroundings,
        noting revocation: Locked<MSALRevocation?>
    ) async throws {
        let webview = MSALWebviewParameters(in: surroundings, opening: surroundings.browser)
        let parameters = MSALSignoutParameters(webviewParameters: webview)
        parameters.signoutFromBrowser = closesBrowserSession
        parameters.revoke(account, of: application, noting: revocation)
        let isQuiet = settings.isQuiet
        let page = Locked<URL?>(nil)
        parameters.flowEventHandler = { event in
            let opened = page.withLock { page in
                page = event.authorizationURL ?? page
                return page
            }
            surroundings.errorWriter?.note(page: opened)
            let narrator = FlowNarrator(purpose: .signOut, page: opened, isQuiet: isQuiet)
            for line in narrator.lines(event) { surroundings.tell(line + "\n") }
        }
        try await application.signout(with: account, signoutParameters: parameters)
    }
}

extension Surroundings {
    /// Says what became of an account's tokens at the authority. A failure is no progress, which `--quiet` would omit.
    func tell(_ revocation: MSALRevocation?, at host: String, isQuiet: Bool) {
        guard let revocation, !isQuiet || revocation.isFailure, let sentence = revocation.sentence(at: host) else {
            return
        }
        tell("\(sentence)\n")
    }
}

extension Interrupted {
    mutating func describe(
        _ account: MSALAccount, of application: MSALPublicClientApplication, _ revocation: MSALRevocation?,
        closesBrowserSession: Bool
    ) throws {
        let name = Printable.sanitize(account.username ?? account.identifier ?? "")
        let host = Printable.sanitize(account.environment)
        guard try application.allAccounts().allSatisfy({ $0.identifier != account.identifier }) else {
            outcome = "\(name) is still signed in on this computer."
            return
        }
        let fate =
            revocation.map { $0.sentence(at: account.environment) } ?? MSALRevocation.unknown(at: account.environment)
        outcome = ["The tokens of \(name) on this computer were removed.", fate].compactMap(\.self).joined(
            separator: " ")
        nextStep = revocation?.isCertain == true ? "" : "To be sure, end the session on the website of \(host)."
        guard closesBrowserSession else { return }
        outcome += " The browser may still be signed in there."
        nextStep = "Open the URL of the sign-out page in the browser."
    }
}
