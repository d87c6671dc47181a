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

    func post(_ id: EffectID, _ step: GuidedWalk.Step, _ isScripted: Bool, _ mailbox: Mailbox) async {
        switch step.action {
        case .remove:
            let outcome = await outcome { try await remove(of: step, id, mailbox) }
            mailbox.post(.removed(id, outcome, at: now()))
        case .wait(let seconds):
            do { try await scenario?.wait(seconds) } catch { return }
            mailbox.post(.waited(id))
        case .call(let target, let method):
            let outcome = await outcome { try await call(id, target, step, by: method, isScripted, mailbox) }
            mailbox.post(.called(id, outcome, at: now()))
        case .signIn, .acquireSilently, .read:
            let outcome = await outcome { try await acquire(id, step, isScripted, mailbox) }
            mailbox.post(.acquired(id, outcome, at: now()))
        }
    }

    /// Lets the scenario's user complete a page.
    func act(for id: EffectID, on page: URL, _ step: Int?, _ isCode: Bool, _ mailbox: Mailbox) async {
        let outcome = await outcome { () async throws -> Message.Removed in
            guard let scenario else { throw NoApplication() }
            try await scenario.act(page, step, isCode) { mailbox.post(.pageVisited(id, $0)) }
            return Message.Removed()
        }
        mailbox.post(.acted(id, outcome))
    }

    private func acquire(
        _ id: EffectID, _ step: GuidedWalk.Step, _ isScripted: Bool, _ mailbox: Mailbox
    ) async throws -> Acquisition {
        let result =
            switch step.action {
            case .signIn(let method): try await signIn(id, step, by: method, isScripted, nil, mailbox)
            case .acquireSilently, .call, .remove, .wait, .read: try await silent(id, step, nil, mailbox)
            }
        return Acquisition(result)
    }

    private func signIn(
        _ id: EffectID, _ step: GuidedWalk.Step, by method: SignInMethod, _ isScripted: Bool,
        _ challenge: MSALChallenge?, _ mailbox: Mailbox
    ) async throws -> MSALResult {
        let application = try await application(of: step, id, mailbox)
        if method == .device {
            let parameters = deviceCodeParameters(id, try scopes(of: step, application, challenge), mailbox)
            try fill(parameters, of: application, step, challenge, id, mailbox)
            return noted(try await application.acquireToken(with: parameters), of: step)
        }
        let parameters = MSALInteractiveTokenParameters(
            scopes: try scopes(of: step, application, challenge),
            webviewParameters: presentation(of: method, isScripted: isScripted))
        parameters.loginHint = step.username.isEmpty ? nil : step.username
        // A challenge asks for a better token of the same user.
        if challenge != nil { parameters.account = try? account(of: step, application) }
        try fill(parameters, of: application, step, challenge, id, mailbox)
        return noted(try await application.acquireToken(with: parameters), of: step)
    }

    /// The application of a step; for a resource, the one that its URL leads to.
    private func application(
        of step: GuidedWalk.Step, _ id: EffectID, _ mailbox: Mailbox
    ) async throws -> MSALPublicClientApplication {
        let application = try ready(step.application)
        let configuration = application.configuration
        guard let resource = step.resource.flatMap({ URL(string: $0, relativeTo: configuration.authority.url) })
        else { return application }
        configuration.clientId = ""
        return try await MSALPublicClientApplication.application(
            forResource: resource.absoluteURL, configuration: configuration,
            events: { mailbox.post(.flowEvent(id, $0)) }, exchanges: { mailbox.post(.flowExchange(id, $0)) })
    }

    private func silent(
        _ id: EffectID, _ step: GuidedWalk.Step, _ challenge: MSALChallenge?, _ mailbox: Mailbox
    ) async throws -> MSALResult {
        let application = try ready(step.application)
        let parameters = MSALSilentTokenParameters(
            scopes: try scopes(of: step, application, challenge), account: try account(of: step, application))
        parameters.forceRefresh = step.isForced
        try fill(parameters, of: application, step, challenge, id, mailbox)
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

    /// The server of a call.
    private func server(of step: GuidedWalk.Step, _ application: MSALPublicClientApplication) -> URL? {
        guard case .call(let target, _) = step.action else { return nil }
        return URL(string: target.absolute(at: application.configuration.authority.url).address)
    }

    private func account(
        of step: GuidedWalk.Step, _ application: MSALPublicClientApplication
    ) throws -> MSALAccount {
        if case .call(let target, _) = step.action, let identifier = target.account {
            return try application.account(forIdentifier: identifier)
        }
        return try scenario?.account(named: step.username, in: application)
            ?? application.account(forUsername: step.username)
    }

    /// Calls an API with a silent token, or none, and signs in if only that meets its challenge.
    private func call(
        _ id: EffectID, _ target: APITarget, _ step: GuidedWalk.Step, by method: SignInMethod, _ isScripted: Bool,
        _ mailbox: Mailbox
    ) async throws -> APIResponse {
        let application = try ready(step.application)
        let send = scenario?.call ?? services.call
        let hasAccount = (try? account(of: step, application)) != nil
        return try await send(
            application, target.absolute(at: application.configuration.authority.url),
            { mailbox.post(.flowExchange(id, $0)) }
        ) { challenge in
            if hasAccount {
                do {
                    return try await silent(id, step, challenge, mailbox)
                } catch let error as NSError where challenge == nil && error.userInfo[MSALDestinationKey] != nil {
                    // The server says first what it needs.
                    return nil
                } catch let error as NSError
                    where error.userInfo[MSALTokenAgreementKey] == nil && error.domain == MSALErrorDomain
                    && error.code == MSALError.interactionRequired.rawValue
                {}
            }
            guard let challenge else { return nil }
            return try await signIn(id, step, by: method, isScripted, challenge, mailbox)
        }
    }

    private func noted(_ result: MSALResult, of step: GuidedWalk.Step) -> MSALResult {
        scenario?.note(result.account, named: step.username)
        return result
    }

    private func fill(
        _ parameters: MSALTokenParameters, of application: MSALPublicClientApplication, _ step: GuidedWalk.Step,
        _ challenge: MSALChallenge?, _ id: EffectID, _ mailbox: Mailbox
    ) throws {
        parameters.challenge = challenge
        if case .call(let target, _) = step.action {
            parameters.destination = server(of: step, application).map { MSALTokenDestination($0) }
            parameters.destination?.agreement = target.agreement
        }
        parameters.authority = try step.segment.flatMap { try scenario?.authority($0) }
        parameters.claimsRequest = try step.claims.map { try MSALClaimsRequest(jsonString: $0) }
        follow(parameters, of: application, id, mailbox)
    }

    private func remove(
        of step: GuidedWalk.Step, _ id: EffectID, _ mailbox: Mailbox
    ) async throws -> Message.Removed {
        let application = try ready(step.application)
        let account = try application.account(forUsername: step.username)
        guard step.revokes else {
            try application.remove(account)
            return Message.Removed()
        }
        let parameters = MSALSignoutParameters()
        parameters.revokesTokens = true
        follow(parameters, of: application, id, mailbox)
        return try await signOut(account, of: application, parameters)
    }

    func signOut(
        _ identifier: String, _ parameters: MSALSignoutParameters,
        hearing hear: @escaping @Sendable (String?) -> Void = { _ in }
    ) async throws -> Message.Removed {
        let application = try ready()
        return try await signOut(try await account(identifier, application), of: application, parameters, hearing: hear)
    }

    func signOut(
        _ account: MSALAccount, of application: MSALPublicClientApplication, _ parameters: MSALSignoutParameters,
        hearing hear: @escaping @Sendable (String?) -> Void = { _ in }
    ) async throws -> Message.Removed {
        let (revocation, host) = (Locked<String?>(nil), account.environment)
        parameters.revocationHandler = { outcome in
            let sentence = outcome.sentence(at: host)
            revocation.withLock { $0 = sentence }
            hear(sentence)
        }
        try await application.signout(with: account, signoutParameters: parameters)
        return Message.Removed(revocation.withLock(\.self))
    }
}
