import Foundation
import KeyturnCrypto
import OAuthCore

/// A pending sign-in, with the request that continues it.
struct Flow: Sendable {
    let id: String
    var pending: PendingSignIn
    /// The `Set-Cookie` value for a new browser session.
    var cookie: String?

    /// The origin where the pages' forms end, besides this one.
    var formTargets: [String] {
        guard case .browser(let address, _) = pending.request.requester else { return [] }
        return [RedirectURIMatch.policySource(of: address.redirectURI)]
    }

    func form(_ step: String) -> FormBinding {
        let action = "/\(pending.request.selector.segment)/\(step)"
        return FormBinding(action: action, flowID: id, antiForgeryToken: pending.antiForgeryToken)
    }

    func settingCookie(on response: HTTPResponse) -> HTTPResponse {
        guard let cookie else { return response }
        var response = response
        response.headers.append("Set-Cookie", cookie)
        return response
    }
}

extension DemoAuthority {
    /// The cookie's name. It includes the port, because cookies ignore ports.
    var cookieName: String { "keyturn-authority-\(URL(string: origin)?.port ?? 0)" }

    /// The cookie, or its removal. Its path is `/`, so that users stay signed in across tenants.
    func setCookie(_ value: String?) -> String {
        let secure = origin.hasPrefix("https:") ? "; Secure" : ""
        let expiry = value == nil ? "; Max-Age=0" : ""
        return "\(cookieName)=\(value ?? ""); Path=/; HttpOnly; SameSite=Lax\(secure)\(expiry)"
    }

    func browser(of received: ReceivedRequest) -> (key: String, session: BrowserSession)? {
        guard let cookie = received.cookie(cookieName) else { return nil }
        let key = digest(cookie)
        return browsers.value(for: key, at: received.now).map { (key, $0) }
    }

    /// Saves a request before its pages are shown.
    mutating func open(_ request: AuthorizeRequest, _ received: ReceivedRequest) -> Flow {
        let known = browser(of: received)?.key
        let (key, cookie) = known.map { ($0, nil) } ?? start(BrowserSession(), received)
        let id = randomToken()
        let entry = PendingSignIn(request: request, browserKey: key, antiForgeryToken: randomToken())
        pending.insert(entry, for: id, until: received.now + lifetimes.pages, at: received.now)
        return Flow(id: id, pending: entry, cookie: cookie)
    }

    /// Starts a session under a new cookie. Returns its key and the `Set-Cookie` value.
    private mutating func start(_ session: BrowserSession, _ received: ReceivedRequest) -> (
        key: String, cookie: String?
    ) {
        let value = randomToken()
        let key = digest(value)
        browsers.insert(session, for: key, until: received.now + lifetimes.browserSession, at: received.now)
        return (key, setCookie(value))
    }

    /// Finds the sign-in that a form continues. The form must come from the same browser.
    func resume(_ received: ReceivedRequest) throws(AuthorityError) -> (Flow, Parameters) {
        guard let form = received.form, let id = form["flow"], let token = form["token"],
            let entry = pending.value(for: id, at: received.now),
            constantTimeEqual(Array(entry.antiForgeryToken.utf8), Array(token.utf8)),
            browser(of: received)?.key == entry.browserKey
        else { throw AuthorityError(.stalePage) }
        return (Flow(id: id, pending: entry), form)
    }

    /// Signs a user in with a new cookie, which invalidates earlier cookies (session fixation).
    mutating func signIn(_ user: User, _ flow: Flow, _ received: ReceivedRequest) -> (Flow, BrowserSession.SignedInUser)
    {
        var session = browser(of: received)?.session ?? BrowserSession()
        let signedIn = BrowserSession.SignedInUser(
            userID: user.objectID, authenticatedAt: received.now, sessionID: identifier())
        session.signIn(signedIn)
        let before = flow.pending.browserKey
        browsers.remove(before)
        var flow = flow
        let (key, cookie) = start(session, received)
        (flow.pending.browserKey, flow.cookie) = (key, cookie)
        // Sign-ins in the browser's other tabs continue under the new cookie.
        pending.updateAll { if $0.browserKey == before { $0.browserKey = key } }
        return (flow, signedIn)
    }
}
