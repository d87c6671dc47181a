import Console
import Foundation
import MSAL

package struct ClaimsCommand: Subcommand {
    private enum Source: String, CaseIterable {
        case id, access
        case standardInput = "-"
    }

    static let token = Option("token", of: "claims", argument: "TOKEN", choices: Source.allCases.map(\.rawValue))
    static let fail = Option("fail")

    package static let specification = CommandSpecification(
        name: "claims",
        options: [Demand.account, token, fail, CheckCommand.offline, Demand.cachedResource, OutputFormat.option])

    @Boxed private var demand: Demand
    private var settings: Settings { demand.settings }
    private let options: ParsedOptions
    private var source: Source? { options[Self.token].flatMap(Source.init) }
    private var isOffline: Bool { options.has(CheckCommand.offline) }
    private var fails: Bool { options.has(Self.fail) }

    package init(_ options: ParsedOptions) throws(UsageError) {
        demand = try Demand(options)
        self.options = options
        if fails, source == .access { throw .both("--\(Self.fail.long)", "--token access") }
        if fails, isOffline { throw .both("--\(Self.fail.long)", "--\(CheckCommand.offline.long)") }
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let report =
            source == .standardInput
            ? try await report(onInputOf: surroundings) : try await report(onAccountIn: surroundings)
        let look = OutputLook(settings, in: surroundings)
        try surroundings.output.write(OutputFormat(options) == .json ? report.json : report.text(look))
        return fails && !report.isVerified ? .configuration : .done
    }

    private func report(onInputOf surroundings: Surroundings) async throws -> ClaimsReport {
        // Larger input isn't a token.
        let text = try await surroundings.input(mostBytes: 1 << 20)
        // Without `Authorization: Bearer`.
        let pasted = text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
        guard let token = MSALDecodedToken(pasted) else {
            throw Failure(
                .failed, name: "noToken", "Standard input isn't a JSON Web Token.",
                nextStep:
                    "Paste the whole token: three parts of base64url, separated by dots. Only its API can read an opaque token."
            )
        }
        var report = ClaimsReport(token: token, now: surroundings.now())
        if !isOffline {
            report.verdicts = await TokenVerification(
                token: pasted, certificateAuthorityFile: settings.certificateAuthorityFile(in: surroundings.environment)
            ).verdicts()
        }
        return report
    }

    private func report(onAccountIn surroundings: Surroundings) async throws -> ClaimsReport {
        let profile = try demand.profile(in: surroundings)
        let application = try demand.application(in: surroundings)
        let account = try await application.requiredAccount(
            named: demand.accountName, among: settings.profiles(in: surroundings.environment),
            by: AccountChoice(settings, profile, mayPrompt: true, in: surroundings))
        switch source {
        case .id:
            guard let report = try await storedReport(application, account, surroundings) else {
                throw Failure(
                    .interactionRequired, name: "noIDToken", "The cache has no ID token for this account.",
                    nextStep: "Run 'keyturn sign-in'. With a device code, the authority can omit the ID token.")
            }
            return report
        case .access:
            let result = try await result(application, profile, account, surroundings)
            let report = ClaimsReport(result: result, showsIDToken: false, now: surroundings.now())
            guard report.accessToken != nil else {
                throw Failure(
                    .failed, name: "opaqueToken", "The access token isn't a JSON Web Token: only its API can read it.",
                    nextStep: "Show the ID token with --token id.")
            }
            return report
        case .standardInput, nil:
            do {
                let result = try await result(application, profile, account, surroundings)
                return await checked(
                    ClaimsReport(result: result, now: surroundings.now()), result.idToken, application, account)
            } catch {
                let failure = Failure(reporting: error)
                guard failure.exitCode == .interactionRequired,
                    let report = try await storedReport(application, account, surroundings)
                else { throw error }
                if !settings.isQuiet {
                    surroundings.tell("No access token: \(failure.reason) Showing the cached ID token.\n")
                }
                return report
            }
        }
    }

    private func result(
        _ application: MSALPublicClientApplication, _ profile: Profile, _ account: MSALAccount,
        _ surroundings: Surroundings
    ) async throws -> MSALResult {
        let parameters = MSALSilentTokenParameters(
            scopes: application.configuration.resource?.scopes ?? profile.scopes, account: account)
        parameters.usesOnlyCache = true
        let result = try await application.acquireTokenSilent(with: parameters)
        if !settings.isQuiet, let expiry = result.expiresOn, expiry <= surroundings.now() {
            surroundings.tell(
                "The cached access token expired \(Moment.relative(expiry, to: surroundings.now())). "
                    + "'keyturn token' gets a new one.\n")
        }
        return result
    }

    private func storedReport(
        _ application: MSALPublicClientApplication, _ account: MSALAccount, _ surroundings: Surroundings
    ) async throws -> ClaimsReport? {
        guard let stored = try application.storedIDToken(for: account) else { return nil }
        return await checked(
            ClaimsReport(stored, of: account, now: surroundings.now()), stored.idToken, application, account)
    }

    /// The report with the checks. Fetches the authority's keys if they aren't cached, and says if that fails.
    private func checked(
        _ report: ClaimsReport, _ idToken: String?, _ application: MSALPublicClientApplication, _ account: MSALAccount
    ) async -> ClaimsReport {
        guard report.lacksKeys, let idToken else { return report }
        var report = report
        do { report.verdicts = try await application.verdicts(onIDToken: idToken, of: account) } catch {
            report.obstacle = "The keys can't be fetched: \(Failure(reporting: error).reason)"
        }
        return report
    }
}
