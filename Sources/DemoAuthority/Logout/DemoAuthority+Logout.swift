import Foundation
import KeyturnCrypto
import OAuthCore

/// Sign-out by the client (OpenID Connect RP-Initiated Logout 1.0). Ends the browser's session. The client's tokens stay valid;
/// the client removes them itself.
extension DemoAuthority {
    mutating func logout(_ received: ReceivedRequest, at selector: TenantSelector) -> HTTPResponse {
        let parameters = received.request.method == .post ? received.form ?? [:] : received.query
        let target = parameters.value("post_logout_redirect_uri")
        guard let (key, session) = browser(of: received), !session.users.isEmpty else {
            return signedOut(target: target, state: parameters["state"])
        }
        if let hint = parameters.value("id_token_hint"), isOwn(hint, of: session) {
            return removeSession(key, target: target, state: parameters["state"])
        }
        let page = Page.signOut(
            session.users.compactMap { directory.user(withID: $0.userID) },
            action: "/\(selector.segment)/signout", antiForgeryToken: signOutToken(received), returnTo: target,
            state: parameters.value("state"))
        // Only a registered URI may be in the policy, because any other could inject directives.
        let returns = target.flatMap { isRegistered($0) ? RedirectURIMatch.policySource(of: $0) : nil }
        return .page(page, formTargets: returns.map { [$0] } ?? [])
    }

    mutating func submitSignOut(_ received: ReceivedRequest, at selector: TenantSelector) throws(AuthorityError)
        -> HTTPResponse
    {
        guard let form = received.form, let (key, _) = browser(of: received),
            constantTimeEqual(Array((form["token"] ?? "").utf8), Array(signOutToken(received).utf8))
        else { throw AuthorityError(.stalePage) }
        guard form["confirm"] != nil else {
            return .page(Page(title: "You are still signed in", content: "<p>You can close this page.</p>"))
        }
        return removeSession(key, target: form.value("post_logout_redirect_uri"), state: form["state"])
    }

    private mutating func removeSession(_ key: String, target: String?, state: String?) -> HTTPResponse {
        browsers.remove(key)
        var response = signedOut(target: target, state: state)
        response.headers.append("Set-Cookie", setCookie(nil))
        return response
    }

    /// Redirects to the client, but only to a registered URI.
    private func signedOut(target: String?, state: String?) -> HTTPResponse {
        guard let target else { return Self.signedOutPage("") }
        guard isRegistered(target) else {
            return Self.signedOutPage("<p>The application's redirect URI isn't registered.</p>")
        }
        let place = RedirectURIMatch.withPath(target)
        return .redirect(to: state.map { RedirectURIMatch.adding(["state": $0], to: place) } ?? place)
    }

    private func isRegistered(_ target: String) -> Bool {
        directory.clients.contains { RedirectURIMatch.isRegistered(target, for: $0.redirectURIs) }
    }

    private static func signedOutPage(_ remark: HTML) -> HTTPResponse {
        .page(Page(title: "You are signed out", content: "\(remark)<p>You can close this page.</p>"))
    }

    /// The client can then end the session without a prompt. The token may be expired (RP-Initiated Logout §4).
    private func isOwn(_ hint: String, of session: BrowserSession) -> Bool {
        guard let sessionID = keys.ownToken(hint)?.payload["sid"]?.string else { return false }
        return session.users.contains { $0.sessionID == sessionID }
    }

    /// The anti-forgery token of the session. Only pages for the browser with the cookie contain it.
    private func signOutToken(_ received: ReceivedRequest) -> String {
        digest("sign-out \(received.cookie(cookieName) ?? "")")
    }
}
