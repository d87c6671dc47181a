import Foundation
import KeyturnCrypto
import OAuthCore

extension DemoAuthority {
    mutating func submitSignIn(_ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse {
        let (flow, form) = try resume(received)
        if form["cancel"] != nil { return cancel(flow, received) }
        let username = form["username"] ?? ""
        guard let user = directory.user(named: username),
            constantTimeEqual(Array(user.password.utf8), Array((form["password"] ?? "").utf8))
        else {
            return signInPage(flow, username: username, problem: AuthorityError(.wrongPassword).message)
        }
        guard user.tenantID(at: flow.pending.request.selector) != nil else {
            let detail = "Sign in with an account of \(flow.pending.request.selector.displayName)."
            return signInPage(flow, username: username, problem: AuthorityError(.notInTenant, detail: detail).message)
        }
        let (authenticated, signedIn) = signIn(user, flow, received)
        return proceed(authenticated, as: signedIn, received)
    }

    mutating func submitAccount(_ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse {
        let (flow, form) = try resume(received)
        if form["cancel"] != nil { return cancel(flow, received) }
        guard let username = form["account"] else { return signInPage(flow, username: "", problem: nil) }
        let request = flow.pending.request
        let userID = directory.user(named: username)?.objectID
        let chosen = signedIn(at: request.selector, received).first { $0.userID == userID }
        guard let chosen, isRecent(chosen, for: request, received), !request.prompts.contains(.login) else {
            return signInPage(flow, username: username, problem: nil)
        }
        return proceed(flow, as: chosen, received)
    }

    mutating func submitConsent(_ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse {
        let (flow, form) = try resume(received)
        guard let signedIn = flow.pending.user, let user = directory.user(withID: signedIn.userID),
            !needsSecondFactor(flow.pending.request.claims, signedIn.methods)
        else {
            throw AuthorityError(.stalePage)
        }
        guard form["accept"] != nil else { return cancel(flow, received) }
        let chosen = Set(form.pairs.filter { $0.name == "scope" }.map(\.value))
        record(flow.pending.requestedConsents, chosen: chosen, by: user, to: flow.pending.request.client)
        pending.remove(flow.id)
        return grant(flow.pending.request, to: user, signedIn: signedIn, received)
    }

    mutating func cancel(_ flow: Flow, _ received: ReceivedRequest) -> HTTPResponse {
        pending.remove(flow.id)
        return decline(flow.pending.request, received)
    }

    func signInPage(_ flow: Flow, username: String, problem: String?) -> HTTPResponse {
        let selector = flow.pending.request.selector
        // A hint fills in the page; the user can still enter another username.
        let place = flow.pending.request.domainHint ?? selector
        let users = directory.users(at: selector).filter { $0.tenantID(at: place) != nil }
        return page("login", in: flow) {
            .signIn(to: place.displayName, for: $0, username: username, problem: problem, users: users, form: $1)
        }
    }

    /// - Parameter make: gets the client's name and the form's fields.
    func page(_ step: String, in flow: Flow, _ make: (String, FormBinding) -> Page) -> HTTPResponse {
        let page = make(flow.pending.request.client.name, flow.form(step))
        return flow.settingCookie(on: .page(page, formTargets: flow.formTargets))
    }
}

/// Multi-factor authentication, if the client's claims request it (Entra's authentication contexts).
extension DemoAuthority {
    func needsSecondFactor(_ claims: RequestedClaims, _ methods: [String]) -> Bool {
        !claims.contexts.isDisjoint(with: settings.policies.secondFactorContexts) && !methods.contains("mfa")
    }

    /// The token endpoint can't ask the user: it tells the client which claims to request.
    func checkSecondFactor(_ grant: Grant) throws(AuthorityError) {
        guard needsSecondFactor(grant.claims, grant.methods) else { return }
        var error = AuthorityError(.secondFactorRequired, suberror: "basic_action")
        let contexts = JSONValue(grant.claims.contexts.sorted())
        error.claims = JSONValue.object(["access_token": ["acrs": ["essential": true, "values": contexts]]]).serialized
        throw error
    }

    mutating func submitSecondFactor(_ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse {
        let (flow, form) = try resume(received)
        guard var signedIn = flow.pending.user else { throw AuthorityError(.stalePage) }
        guard form["approve"] != nil else { return cancel(flow, received) }
        signedIn.methods = ["pwd", "mfa"]
        browsers.update(flow.pending.browserKey) { $0.signIn(signedIn) }
        return proceed(flow, as: signedIn, received)
    }

    /// Whether a client can use another client's refresh token, which requires a common family.
    func check(_ client: RegisteredClient, mayUseTokensOf owner: String) throws(AuthorityError) {
        if client.id == owner { return }
        let family = directory.client(withID: owner)?.familyID
        guard let family else { throw AuthorityError(.invalidGrant, suberror: "bad_token") }
        guard client.familyID == family else { throw AuthorityError(.clientOutsideFamily, suberror: "client_mismatch") }
    }
}
