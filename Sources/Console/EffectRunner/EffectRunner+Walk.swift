import Foundation
import KeyturnSystem
import MSAL

/// The steps of a guided walk, performed with the scenario's applications.
extension EffectRunner {
    func openScenario(_ name: String?, replaying steps: Int) async throws -> ProgramProfile {
        guard let open = services.openScenario else { throw NoApplication() }
        let opened = try await open(name, steps)
        use(opened)
        return opened.profile
    }

    /// The result of a step; nil for a wait that was cancelled.
    func result(of step: GuidedWalk.Step, _ isScripted: Bool, _ tell: @escaping Teller) async -> WorkResult? {
        switch step.action {
        case .remove: return .removed(await outcome { try await remove(of: step, tell) })
        case .wait(let seconds):
            do { try await scenario?.wait(seconds) } catch { return nil }
            return .waited
        case .call(let target, let method):
            return .called(await outcome { try await call(target, step, by: method, isScripted, tell) })
        case .signIn(let method):
            return .acquired(await outcome { Acquisition(try await signIn(step, by: method, isScripted, nil, tell)) })
        case .acquireSilently, .read: return .acquired(await outcome { Acquisition(try await silent(step, nil, tell)) })
        }
    }

    func act(on page: URL, _ step: Int?, _ isCode: Bool, _ tell: @escaping Teller) async {
        guard let scenario else { return tell(.stuck) }
        // The reason doesn't matter: the user closes a page that leads nowhere.
        do { try await scenario.act(page, step, isCode) { tell(.page($0)) } } catch { tell(.stuck) }
    }

    private func signIn(
        _ step: GuidedWalk.Step, by method: SignInMethod, _ isScripted: Bool, _ challenge: MSALChallenge?,
        _ tell: @escaping Teller
    ) async throws -> MSALResult {
        let application = try await application(of: step, tell)
        let scopes = try scopes(of: step, application, challenge)
        let result = try await signIn(by: method, scopes, at: application, isScripted: isScripted, tell) { parameters in
            if let interactive = parameters as? MSALInteractiveTokenParameters {
                interactive.loginHint = step.username.isEmpty ? nil : step.username
                // A challenge asks for a better token of the same user.
                if challenge != nil { interactive.account = try? account(of: step, application) }
            }
            try fill(parameters, of: application, step, challenge)
        }
        return noted(result, of: step)
    }

    private func application(
        of step: GuidedWalk.Step, _ tell: @escaping Teller
    ) async throws -> MSALPublicClientApplication {
        let application = try ready(step.application)
        let configuration = application.configuration
        let managed = server(of: step, application).flatMap { configuration.managedServer(for: $0) == nil ? nil : $0 }
        let named = step.resource.flatMap { URL(string: $0, relativeTo: configuration.authority.url) }
        guard let resource = managed ?? named else { return application }
        if configuration.managedServers.isEmpty { configuration.clientId = "" }
        return try await MSALPublicClientApplication.application(
            forResource: resource.absoluteURL, configuration: configuration,
            events: { tell(.event($0)) }, exchanges: { tell(.exchange($0)) })
    }

    private func silent(
        _ step: GuidedWalk.Step, _ challenge: MSALChallenge?, _ tell: @escaping Teller
    ) async throws -> MSALResult {
        let application = try await application(of: step, tell)
        let parameters = MSALSilentTokenParameters(
            scopes: try scopes(of: step, application, challenge), account: try account(of: step, application))
        parameters.forceRefresh = step.isForced
        try fill(parameters, of: application, step, challenge)
        follow(parameters, of: application, tell)
        return noted(try await application.acquireTokenSilent(with: parameters), of: step)
    }

    /// What to request: the profile's scopes, unless a call's server isn't for them.
    private func scopes(
        of step: GuidedWalk.Step, _ application: MSALPublicClientApplication, _ challenge: MSALChallenge?
    ) throws -> [String] {
        let usual = application.configuration.resource?.scopes ?? step.scopes
        guard let server = server(of: step, application) else { return usual }
        return try application.scopes(usual, for: server, meeting: challenge)
    }

    private func server(of step: GuidedWalk.Step, _ application: MSALPublicClientApplication) -> URL? {
        guard case .call(let target, _) = step.action else { return nil }
        return URL(string: target.absolute(at: application.configuration.authority.url).address)
    }

    private func account(of step: GuidedWalk.Step, _ application: MSALPublicClientApplication) throws -> MSALAccount {
        if case .call(let target, _) = step.action, let identifier = target.account {
            return try application.account(forIdentifier: identifier)
        }
        return try scenario?.account(named: step.username, in: application)
            ?? application.account(forUsername: step.username)
    }

    /// Calls an API with a silent token, or none, and signs in if only that meets its challenge.
    private func call(
        _ target: APITarget, _ step: GuidedWalk.Step, by method: SignInMethod, _ isScripted: Bool,
        _ tell: @escaping Teller
    ) async throws -> APIResponse {
        let application = try ready(step.application)
        let send = scenario?.call ?? services.call
        let hasAccount = (try? account(of: step, application)) != nil
        return try await send(
            application, target.absolute(at: application.configuration.authority.url), { tell(.exchange($0)) }
        ) { challenge in
            if hasAccount {
                do {
                    return try await silent(step, challenge, tell)
                } catch let error as NSError where challenge == nil && error.userInfo[MSALDestinationKey] != nil {
                    // The server says first what it needs.
                    return nil
                } catch let error as NSError
                    where error.userInfo[MSALTokenAgreementKey] == nil && error.domain == MSALErrorDomain
                    && error.code == MSALError.interactionRequired.rawValue
                {}
            }
            guard let challenge else { return nil }
            return try await signIn(step, by: method, isScripted, challenge, tell)
        }
    }

    private func noted(_ result: MSALResult, of step: GuidedWalk.Step) -> MSALResult {
        scenario?.note(result.account, named: step.username)
        return result
    }

    private func fill(
        _ parameters: MSALTokenParameters, of application: MSALPublicClientApplication, _ step: GuidedWalk.Step,
        _ challenge: MSALChallenge?
    ) throws {
        parameters.challenge = challenge
        if case .call(let target, _) = step.action {
            parameters.destination = server(of: step, application).map { MSALTokenDestination($0) }
            parameters.destination?.agreement = target.agreement
        }
        parameters.authority = try step.segment.flatMap { try scenario?.authority($0) }
        parameters.claimsRequest = try step.claims.map { try MSALClaimsRequest(jsonString: $0) }
    }

    private func remove(of step: GuidedWalk.Step, _ tell: @escaping Teller) async throws -> String? {
        let application = try ready(step.application)
        let account = try application.account(forUsername: step.username)
        guard step.revokes else {
            try application.remove(account)
            return nil
        }
        let parameters = MSALSignoutParameters()
        parameters.revokesTokens = true
        follow(parameters, of: application, tell)
        return try await signOut(account, of: application, parameters)
    }

    func remove(_ account: String, _ revokes: Bool, _ tell: @escaping Teller) async throws -> String? {
        let parameters = MSALSignoutParameters()
        parameters.revokesTokens = revokes
        parameters.flowRequestHandler = RequestHolds.handler
        parameters.flowExchangeHandler = { tell(.exchange($0)) }
        return try await MSALHTTPConfig.$slowRequests.withValue(MSALHTTPConfig.SlowRequests { tell(.slow($0)) }) {
            let application = try ready()
            return try await signOut(try await self.account(account, application), of: application, parameters)
        }
    }

    func signOut(_ account: String, _ tell: @escaping Teller) async throws -> String? {
        let parameters = MSALSignoutParameters(webviewParameters: presentation(of: .browser))
        parameters.signoutFromBrowser = true
        parameters.revokesTokens = true
        let application = try ready()
        follow(parameters, of: application, tell)
        return try await signOut(try await self.account(account, application), of: application, parameters) {
            tell(.revocation($0))
        }
    }

    private func signOut(
        _ account: MSALAccount, of application: MSALPublicClientApplication, _ parameters: MSALSignoutParameters,
        hearing hear: @escaping @Sendable (String?) -> Void = { _ in }
    ) async throws -> String? {
        let (revocation, host) = (Locked<String?>(nil), account.environment)
        parameters.revocationHandler = { outcome in
            let sentence = outcome.sentence(at: host)
            revocation.withLock { $0 = sentence }
            hear(sentence)
        }
        try await application.signout(with: account, signoutParameters: parameters)
        return revocation.withLock(\.self)
    }
}
