import Foundation
import KeyturnCrypto
import OAuthCore

/// The handlers of the forms.
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
            return signInPage(
                flow, username: username, problem: AuthorityError(.notInTenant, detail: detail).message)
        }
        let (authenticated, signedIn) = signIn(user, flow, received)
        return proceed(authenticated, as: signedIn, received)
    }

    mutating func submitAccount(_ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse {
        let (flow, form) = try resume(received)
        if form["cancel"] != nil { return cancel(flow, received) }
        guard let username = form["account"] else { return signInPage(flow, username: "", problem: nil) }
        let request = flow.pending.request
        let chosen = signedIn(at: request.selector, received).first {
            $0.userID == directory.user(named: username)?.objectID
        }
        guard let chosen, isRecent(chosen, for: request, received), !request.prompts.contains(.login) else {
            return signInPage(flow, username: username, problem: nil)
        }
        return proceed(flow, as: chosen, received)
    }

    mutating func submitConsent(_ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse {
        let (flow, form) = try resume(received)
        guard let signedIn = flow.pending.user, let user = directory.user(withID: signedIn.userID) else {
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

    // MARK: Pages

    func signInPage(_ flow: Flow, username: String, problem: String?) -> HTTPResponse {
        let request = flow.pending.request
        // A hint fills in the page; the user can still enter another username.
        let place = request.domainHint ?? request.selector
        let users = directory.users(at: request.selector).filter { $0.tenantID(at: place) != nil }
        return page(
            .signIn(
                to: place.displayName, for: request.client.name, username: username, problem: problem, users: users,
                form: flow.form("login")),
            in: flow)
    }

    func accountPickerPage(_ flow: Flow, _ choices: [BrowserSession.SignedInUser]) -> HTTPResponse {
        page(
            .accountPicker(
                for: flow.pending.request.client.name, choices.compactMap { directory.user(withID: $0.userID) },
                form: flow.form("select")),
            in: flow)
    }

    func consentPage(_ flow: Flow, for user: User) -> HTTPResponse {
        page(
            .consent(
                for: flow.pending.request.client.name, user, flow.pending.requestedConsents.map(permission),
                form: flow.form("consent")),
            in: flow)
    }

    func page(_ page: Page, in flow: Flow) -> HTTPResponse {
        flow.settingCookie(on: .page(page, formTargets: flow.formTargets))
    }
}
