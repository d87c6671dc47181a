import Foundation
import OAuthCore

/// The authorization endpoint. The first matching rule decides:
///
/// 1. invalid client or redirect URI: an error page, never a redirect;
/// 2. other invalid parameters, and a pushed request that can't be used: an error for the client;
/// 3. the client requests a choice, or several users are signed in: account picker;
/// 4. no user is signed in, or the client requests the password: sign-in page;
/// 5. the client's claims require MFA: second-factor page;
/// 6. consent is missing, or the client requests it again: consent page;
/// 7. otherwise: an authorization code for the client.
///
/// With `prompt=none`, steps 3 to 6 are errors for the client instead.
extension DemoAuthority {
    mutating func authorize(_ received: ReceivedRequest, at selector: TenantSelector) throws(AuthorityError)
        -> HTTPResponse
    {
        let sent = received.request.method == .post ? received.form ?? [:] : received.query
        let held = try takePushedRequest(for: sent, received)
        let parameters = held?.parameters ?? sent
        let address = try ReplyAddress(parameters, directory: directory)
        do {
            try check(held, received)
            try checkTarget(parameters)
            let request = try AuthorizeRequest(parameters, selector: selector, address: address, directory: directory)
            return try start(request, received)
        } catch {
            return address.reject(error, in: received, issuer: issuer(forRejectionAt: selector))
        }
    }

    /// The issuer of an endpoint. Before the user is known, a multi-tenant endpoint's issuer is its own URL.
    func issuer(forRejectionAt selector: TenantSelector) -> String {
        issuer(ofTenant: selector.tenant == nil ? selector.segment : selector.issuerSegment)
    }

    mutating func start(_ request: AuthorizeRequest, _ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse
    {
        let candidates = candidates(for: request, received)
        if request.prompts.contains(.none) { return try respondWithoutPages(request, candidates, received) }
        let choices = request.prompts.contains(.selectAccount) ? signedIn(at: request.selector, received) : candidates
        let flow = open(request, received)
        if choices.count > 1 || (request.prompts.contains(.selectAccount) && !choices.isEmpty) {
            let users = choices.compactMap { directory.user(withID: $0.userID) }
            return page("select", in: flow) { .accountPicker(for: $0, users, form: $1) }
        }
        guard let user = candidates.first, request.prompts.isDisjoint(with: [.login, .create]) else {
            return signInPage(flow, username: request.loginHint ?? "", problem: nil)
        }
        return proceed(flow, as: user, received)
    }

    private mutating func respondWithoutPages(
        _ request: AuthorizeRequest, _ candidates: [BrowserSession.SignedInUser], _ received: ReceivedRequest
    ) throws(AuthorityError) -> HTTPResponse {
        guard candidates.count < 2 else { throw AuthorityError(.severalAccounts) }
        guard let candidate = candidates.first, let user = directory.user(withID: candidate.userID) else {
            throw AuthorityError(.loginRequired)
        }
        guard !needsSecondFactor(request.claims, candidate.methods) else {
            throw AuthorityError(.secondFactorRequired, suberror: "basic_action")
        }
        guard scopesToRequest(for: request, of: user).isEmpty else {
            throw AuthorityError(.consentRequired, suberror: "consent_required")
        }
        return grant(request, to: user, signedIn: candidate, received)
    }

    func signedIn(at selector: TenantSelector, _ received: ReceivedRequest) -> [BrowserSession.SignedInUser] {
        browser(of: received)?.session.users.filter {
            directory.user(withID: $0.userID)?.tenantID(at: selector) != nil
        } ?? []
    }

    /// The signed-in user who satisfies the request without a prompt.
    private func candidates(
        for request: AuthorizeRequest, _ received: ReceivedRequest
    ) -> [BrowserSession.SignedInUser] {
        signedIn(at: request.selector, received).filter { candidate in
            let isHinted = request.loginHint.map { directory.user(named: $0)?.objectID == candidate.userID } ?? true
            return isHinted && isRecent(candidate, for: request, received)
        }
    }

    func isRecent(
        _ candidate: BrowserSession.SignedInUser, for request: AuthorizeRequest, _ received: ReceivedRequest
    ) -> Bool {
        request.maxAge.map { received.now.timeIntervalSince(candidate.authenticatedAt) <= $0 } ?? true
    }

    mutating func proceed(
        _ flow: Flow, as candidate: BrowserSession.SignedInUser, _ received: ReceivedRequest
    ) -> HTTPResponse {
        guard let user = directory.user(withID: candidate.userID) else {
            return signInPage(flow, username: "", problem: nil)
        }
        var flow = flow
        flow.pending.user = candidate
        if needsSecondFactor(flow.pending.request.claims, candidate.methods) {
            pending.update(flow.id) { $0 = flow.pending }
            return page("verify", in: flow) { .secondFactor(for: $0, user, form: $1) }
        }
        flow.pending.requestedConsents = scopesToRequest(for: flow.pending.request, of: user)
        guard flow.pending.requestedConsents.isEmpty else {
            pending.update(flow.id) { $0 = flow.pending }
            let permissions = flow.pending.requestedConsents.map(permission)
            return page("consent", in: flow) { .consent(for: $0, user, permissions, form: $1) }
        }
        pending.remove(flow.id)
        return flow.settingCookie(on: grant(flow.pending.request, to: user, signedIn: candidate, received))
    }

    mutating func grant(
        _ request: AuthorizeRequest, to user: User, signedIn: BrowserSession.SignedInUser, _ received: ReceivedRequest
    ) -> HTTPResponse {
        let scopes = grantedScopes(of: request.scopes, by: user, to: request.client)
        guard !scopes.isEmpty, let tenantID = user.tenantID(at: request.selector) else {
            return decline(request, received)
        }
        let grant = Grant(
            userID: user.objectID, tenantID: tenantID, clientID: request.client.id, scopes: scopes,
            authenticatedAt: signedIn.authenticatedAt, sessionID: signedIn.sessionID, methods: signedIn.methods,
            policy: request.selector.policy, claims: request.claims)
        switch request.requester {
        case .browser(let address, let challenge):
            return code(for: grant, request, to: address, challenge, received)
        case .device(let key):
            return decide(key, .granted(grant), received, shows: .deviceDone(client: request.client.name, user: user))
        }
    }

    /// An authorization code bound to its request (RFC 6749 §4.1.2, RFC 7636 §4.4).
    private mutating func code(
        for grant: Grant, _ request: AuthorizeRequest, to address: ReplyAddress, _ challenge: String,
        _ received: ReceivedRequest
    ) -> HTTPResponse {
        let code = randomToken()
        let expiry = received.now + lifetimes.code
        let issued = CodeGrant(
            grant: grant, redirectURI: address.redirectURI, codeChallenge: challenge, nonce: request.nonce,
            expiry: expiry)
        // Kept after expiry, to tell an expired or reused code from an unknown one.
        codes.insert(issued, for: digest(code), until: expiry + 3600, at: received.now)
        var response: Parameters = ["code": code]
        if request.wantsClientInfo, let user = directory.user(withID: grant.userID) {
            response["client_info"] = clientInfo(of: user, grant)
        }
        return address.reply(response, issuer: issuer(of: grant), faults: settings.faults)
    }

    mutating func decline(_ request: AuthorizeRequest, _ received: ReceivedRequest) -> HTTPResponse {
        switch request.requester {
        case .browser(let address, _):
            let issuer = issuer(forRejectionAt: request.selector)
            return address.reject(AuthorityError(.declined, suberror: "cancel"), in: received, issuer: issuer)
        case .device(let key):
            return decide(key, .denied, received, shows: .deviceDeclined(client: request.client.name))
        }
    }
}
