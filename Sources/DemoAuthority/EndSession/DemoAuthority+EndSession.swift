import Foundation
import KeyturnCrypto
import OAuthCore

/// Sign-out started by the client (OpenID Connect RP-Initiated Logout 1.0).
///
/// It ends what this browser remembers. Tokens that clients hold go on; removing those is the client's part.
extension DemoAuthority {
    mutating func endSession(_ exchange: Exchange, at selector: TenantSelector) -> HTTPResponse {
        let parameters = exchange.request.method == .post ? exchange.form ?? [:] : exchange.query
        let target = parameters.value("post_logout_redirect_uri")
        guard let (key, session) = browser(of: exchange), !session.people.isEmpty else {
            return signedOut(target: target, state: parameters["state"])
        }
        if let hint = parameters.value("id_token_hint"), isOwn(hint, of: session) {
            return removeSession(key, target: target, state: parameters["state"])
        }
        let page = SignOutPage(
            people: session.people.compactMap { directory.person(withID: $0.personID) },
            action: "/\(selector.segment)/signout", antiForgeryToken: signOutToken(exchange), returnTo: target,
            state: parameters.value("state"))
        // Only a registered address may be written into the policy: another could add directives to it.
        let returns = target.flatMap { isRegistered($0) ? RedirectURIMatch.policySource(of: $0) : nil }
        return .page(page, formTargets: returns.map { [$0] } ?? [])
    }

    mutating func submitSignOut(_ exchange: Exchange, at selector: TenantSelector) throws(AuthorityError)
        -> HTTPResponse
    {
        guard let form = exchange.form, let (key, _) = browser(of: exchange),
            constantTimeEqual(Array((form["token"] ?? "").utf8), Array(signOutToken(exchange).utf8))
        else { throw AuthorityError(.stalePage) }
        guard form["confirm"] != nil else {
            return .page(PlainPage(title: "You are still signed in", content: "<p>You can close this page.</p>"))
        }
        return removeSession(key, target: form.value("post_logout_redirect_uri"), state: form["state"])
    }

    private mutating func removeSession(_ key: String, target: String?, state: String?) -> HTTPResponse {
        browsers.remove(key)
        var response = signedOut(target: target, state: state)
        response.headers.append("Set-Cookie", setCookie(nil))
        return response
    }

    /// Goes back to the client only at an address that one of the clients registered.
    private func signedOut(target: String?, state: String?) -> HTTPResponse {
        guard let target else { return Self.signedOutPage("") }
        guard isRegistered(target) else {
            return Self.signedOutPage("<p>The application's redirect URI isn't registered.</p>")
        }
        let place = RedirectURIMatch.withPath(target)
        guard let state else { return .redirect(to: place) }
        let query: Parameters = ["state": state]
        return .redirect(to: "\(place)\(place.contains("?") ? "&" : "?")\(query.formEncoded)")
    }

    private func isRegistered(_ target: String) -> Bool {
        directory.clients.contains { RedirectURIMatch.isRegistered(target, for: $0.redirectURIs) }
    }

    private static func signedOutPage(_ remark: HTML) -> HTTPResponse {
        .page(PlainPage(title: "You are signed out", content: "\(remark)<p>You can close this page.</p>"))
    }

    /// An ID token that this authority gave to this very session proves that the client may end it, without a question.
    /// An expired one is good too (RP-Initiated Logout §4).
    private func isOwn(_ hint: String, of session: BrowserSession) -> Bool {
        guard let sessionID = keys.claims(ofOwnToken: hint)?["sid"]?.string else { return false }
        return session.people.contains { $0.sessionID == sessionID }
    }

    /// Only the browser that holds the cookie can be shown this text, so no form from elsewhere has it.
    private func signOutToken(_ exchange: Exchange) -> String {
        digest("sign-out \(exchange.cookie(cookieName) ?? "")")
    }
}
