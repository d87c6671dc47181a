import Foundation
import OAuthCore

/// The calls to the broker, which throw ``AuthenticationFailure``.
extension BrokerFlow {
    func listed(_ correlationID: UUID) async throws -> [BrokerAccount] {
        let text = try await response(to: .accounts(clientID: context.settings.clientID), correlationID)
        let accounts = try read(text) { try $0.accounts() }
        if accounts.unreadable > 0 {
            context.reporter.log.warning("\(accounts.unreadable) accounts of the broker have no identifier")
        }
        return accounts.known
    }

    /// Sends a request without user interaction. Retries once if the broker was restarted.
    func response(to request: BrokerRequest, _ correlationID: UUID) async throws -> Secret {
        do {
            return try await sent(request, correlationID, within: Self.patience)
        } catch AuthenticationFailure.machine(.brokerFailed(let failure)) where failure.kind == .stopped {
            context.reporter.noted(.callBroker, "The identity broker was restarted; trying again")
            return try await sent(request, correlationID, within: Self.patience)
        }
    }

    /// Sends a request with user interaction. It counts as the process's interactive session: task cancellation and
    /// `cancelCurrentWebAuthSession` end it, and so does its limit.
    func interactiveResponse(
        to message: BrokerTokenRequest, _ correlationID: UUID, within limit: Double?
    ) async throws -> Secret {
        let host = context.settings.authority.environment
        let session = WaitingSession(
            RunningSession(
                purpose: "sign-in", place: .broker, clientID: context.settings.clientID, host: host,
                start: context.dependencies.time.now(), limit: limit),
            state: Secret(OneTimeSecrets(random: context.dependencies.random).state), redirect: nil,
            world: context.dependencies.world)
        try InteractiveSessions.begin(session)
        defer { InteractiveSessions.finish(session) }
        return try await session.limited(by: context.dependencies.time) {
            try await response(to: message, correlationID, until: session)
                ?? {
                    throw AuthenticationFailure.user(
                        session.isOverdue ? .signInUnanswered(host: host, seconds: limit ?? 0) : .canceled)
                }()
        }
    }

    /// Returns `nil` if the session ends before the broker responds.
    private func response(
        to message: BrokerTokenRequest, _ correlationID: UUID, until session: WaitingSession
    ) async throws -> Secret? {
        try await withThrowingTaskGroup(of: Secret?.self) { group in
            group.addTask {
                try await sent(
                    message.interactive, correlationID, within: nil,
                    whenCancelled: .cancel(clientID: context.settings.clientID))
            }
            group.addTask {
                _ = try? await session.response()
                return nil
            }
            defer { group.cancelAll() }
            guard let response = try await group.next() ?? nil else {
                // The broker must hear of the cancellation, so that it closes its window.
                group.cancelAll()
                _ = try? await group.next()
                return nil
            }
            return response
        }
    }

    private func sent(
        _ request: BrokerRequest, _ correlationID: UUID, within limit: Double?, whenCancelled: BrokerRequest? = nil
    ) async throws -> Secret {
        do throws(BrokerFailure) {
            return try await context.dependencies.broker.response(
                to: request, correlationID: correlationID, within: limit, whenCancelled: whenCancelled)
        } catch {
            throw error.kind == .cancelled ? AuthenticationFailure.user(.canceled) : .machine(.brokerFailed(error))
        }
    }

    func read<Value>(_ text: Secret, _ reading: (BrokerResponse) throws -> Value) throws -> Value {
        do {
            return try reading(try BrokerResponse(parsing: text))
        } catch let rejection as BrokerRejection {
            throw AuthenticationFailure.machine(.broker(rejection))
        } catch TokenResponseFailure.malformed(let fact) {
            throw AuthenticationFailure.machine(.brokerResponseMalformed(fact))
        }
    }

    func message(for request: TokenRequestSnapshot, at authority: Authority? = nil) -> BrokerTokenRequest {
        var message = BrokerTokenRequest(
            authority: (authority ?? request.authority).url, clientID: context.settings.clientID,
            scopes: request.scopes.addingReserved)
        message.claims = request.claimsText(capabilities: context.settings.capabilities)
        message.extraQueryParameters = request.extraQueryParameters
        message.extraQueryParameters.replace(with: context.settings.slice)
        if context.settings.isInstanceAware { message.extraQueryParameters["instance_aware"] = "true" }
        return message
    }

    /// Steps 4 and 5.
    func outcome(of grant: BrokerGrant, for request: TokenRequestSnapshot) async throws -> TokenOutcome {
        let response = try grant.response(at: context.dependencies.time.now())
        let authority = try await context.authorities.resolve(request.authority)
        let judged = try await context.judgeIDToken(of: response, from: authority, mayBeOld: true)
        var outcome = try context.outcome(
            of: response, judged, from: authority, for: request, previous: grant.account?.cached)
        outcome.isFromBroker = true
        return outcome
    }
}
