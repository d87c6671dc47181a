import Crypto
import Foundation
import OAuthCore

/// What the flows share: one application's settings, the outside world, and the steps that more than one flow takes.
struct FlowContext: Sendable {
    let settings: ApplicationSettings
    let dependencies: Dependencies
    let authorities: AuthorityResolver
    let cache: TokenCache
    let reporter: FlowReporter

    init(
        settings: ApplicationSettings, dependencies: Dependencies, metadata: MetadataSource, reporter: FlowReporter
    ) {
        self.settings = settings
        self.dependencies = dependencies
        authorities = AuthorityResolver(
            metadata: metadata, reporter: reporter, knownAuthorities: settings.knownAuthorities)
        cache = TokenCache(store: dependencies.credentials, clientID: settings.clientID)
        self.reporter = reporter
    }

    /// One request to the token endpoint.
    func requestToken(
        _ grant: TokenRequest.Grant, at authority: ResolvedAuthority, for request: TokenRequestSnapshot
    ) async throws -> TokenResponse {
        var message = TokenRequest(
            endpoint: authority.configuration.tokenEndpoint, clientID: settings.clientID, grant: grant,
            scopes: request.scopes.addingReserved)
        message.requestsClientInfo = authority.speaksEntra
        message.claims = request.claimsText(capabilities: settings.capabilities)
        message.confirmation = try confirmation(for: request.scheme)
        message.extraParameters = request.extraQueryParameters
        message.extraParameters.replace(with: settings.slice)
        if authority.speaksEntra {
            message.headers["client-request-id"] = request.correlationID.uuidString
            message.headers["return-client-request-id"] = "true"
        }
        let response: HTTPResponse
        do throws(TransportFailure) {
            response = try await dependencies.transport.send(message.httpRequest)
        } catch {
            throw error.kind == .cancelled
                ? AuthenticationFailure.canceled : .network(error, host: authority.tokenHost)
        }
        do throws(TokenResponseFailure) {
            return try TokenResponse(parsing: response)
        } catch {
            throw AuthenticationFailure(error, host: authority.tokenHost)
        }
    }

    /// Judges the ID token of a response; `nil` when there is none. Throws when a rule failed.
    ///
    /// `nonce` is that of the authorization request, `subject` whom a refreshed token has to be about.
    func judgeIDToken(
        of response: TokenResponse, from authority: ResolvedAuthority, nonce: String? = nil, subject: String? = nil
    ) async throws -> JudgedIDToken? {
        guard let raw = response.idToken else { return nil }
        reporter.started(.verifyIDToken, "Verifying the ID token")
        do {
            let judged = try await judge(raw, of: response, from: authority, nonce: nonce, subject: subject)
            let met = judged.verdicts.count { $0.outcome == .met }
            reporter.succeeded(.verifyIDToken, "The ID token is good: \(met) rules met")
            return judged
        } catch {
            reporter.failed(.verifyIDToken, "The ID token was refused")
            throw error
        }
    }

    private func judge(
        _ raw: Secret, of response: TokenResponse, from authority: ResolvedAuthority, nonce: String? = nil,
        subject: String? = nil
    ) async throws -> JudgedIDToken {
        let token: JWT
        do throws(JWTMalformed) {
            token = try JWT(parsing: raw.reveal())
        } catch {
            throw AuthenticationFailure.idTokenMalformed(error)
        }
        var input = IDTokenRules.Input(
            token: token, issuer: authority.issuer, clientID: settings.clientID, localTime: dependencies.time.now())
        input.keys = try await authorities.keys(for: token, of: authority)
        input.serverTime = response.serverTime
        input.nonce = nonce
        input.accessToken = response.accessToken
        input.expectedSubject = subject
        let verdicts = IDTokenRules().judge(input)
        let failed = verdicts.failures
        guard failed.isEmpty else { throw AuthenticationFailure.idTokenRejected(failed) }
        return JudgedIDToken(raw: raw, token: token, verdicts: verdicts)
    }

    func save(_ outcome: TokenOutcome) throws {
        guard let grant = outcome.grant else { return }
        reporter.started(.saveTokens, "Saving the tokens")
        do throws(CredentialStoreFailure) {
            try cache.save(grant)
            reporter.succeeded(.saveTokens, "Saved for \(grant.account.username)")
        } catch {
            reporter.failed(.saveTokens, "The token store refused")
            throw AuthenticationFailure.store(error)
        }
    }
}

extension AuthenticationFailure {
    init(_ failure: TokenResponseFailure, host: String) {
        switch failure {
        case .refused(let refusal, _): self = .refused(refusal)
        case .unexpectedStatus(let status, let headers): self = .unexpectedStatus(status, headers, host: host)
        case .malformed(let fact): self = .malformedResponse(fact)
        }
    }
}
