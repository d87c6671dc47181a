import Foundation
import OAuthCore

/// Walks the pages of an authority as a person with a browser does: reads the form, types, presses a button, follows where
/// it leads, until an address outside the authority comes up.
package struct ScriptedPerson: Sendable {
    /// What they press on the consent page.
    package enum Consent: Sendable, Equatable {
        case accept
        /// Accepts after unticking these, by the names of their scopes.
        case without([String])
        case decline
    }

    /// A page and the user's action on it, without the password.
    package struct Visit: Sendable, Equatable {
        package var title: String
        /// What the page complained about; empty when it did not.
        package var alert: String
        package var action: String
    }

    /// They cannot get on. Holds only what the page showed.
    package enum Stuck: Error, Sendable, Equatable {
        case pageWithoutForm(title: String, alert: String, status: Int)
        case refused(title: String, alert: String)
        case tooManyPages
        case unusableAddress
    }

    private static let patience = 12

    let username: String
    let password: Secret
    let consent: Consent
    private let cookies: CookieJar
    private let send: @Sendable (HTTPRequest) async throws -> HTTPResponse

    /// - Parameters:
    ///   - cookies: the browser they use.
    ///   - send: sends one request without following redirects.
    package init(
        username: String, password: String, consent: Consent = .accept, cookies: CookieJar = CookieJar(),
        send: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) {
        self.username = username
        self.password = Secret(password)
        self.consent = consent
        self.cookies = cookies
        self.send = send
    }

    /// Returns the address that the authority sends the browser to at the end: the redirect URI with its parameters. An
    /// answer in a form body comes as the same address with a query.
    ///
    /// Throws ``Stuck``, and whatever `send` throws.
    package func walk(
        from authorizationURL: URL, onPage: @Sendable (Visit) -> Void = { _ in }
    ) async throws -> URL {
        var request = HTTPRequest(.get, authorizationURL)
        var hasTypedPassword = false
        for _ in 0..<Self.patience {
            let response = try await exchange(request)
            if let location = response.headers["Location"], (300..<400).contains(response.status) {
                let next = try address(location, from: request.url)
                guard isInside(next, authorizationURL) else { return next }
                request = HTTPRequest(.get, next)
                continue
            }
            let page = PageReader(response.text)
            let step = try step(on: page, status: response.status, hasTypedPassword: hasTypedPassword)
            hasTypedPassword = hasTypedPassword || step.typesPassword
            onPage(Visit(title: page.title, alert: page.alert, action: step.action))
            let target = try address(step.form.action, from: request.url)
            guard isInside(target, authorizationURL) else { return try carrying(step.parameters, to: target) }
            request = .form(step.parameters, to: target)
        }
        throw Stuck.tooManyPages
    }

    /// Walks to a page that asks nothing more, and gives its title: how a sign-in for another device ends.
    package func finish(from page: URL, onPage: @Sendable (Visit) -> Void = { _ in }) async throws -> String {
        do {
            _ = try await walk(from: page, onPage: onPage)
        } catch Stuck.pageWithoutForm(let title, "", 200) {
            return title
        }
        throw Stuck.unusableAddress
    }

    private func exchange(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        request.headers["Accept"] = "text/html"
        request.headers["Cookie"] = cookies.header(for: request.url)
        let response = try await send(request)
        cookies.take(response)
        return response
    }

    private func address(_ text: String, from base: URL) throws -> URL {
        guard let url = text.isEmpty ? base : URL(string: text, relativeTo: base)?.absoluteURL else {
            throw Stuck.unusableAddress
        }
        return url
    }

    private func isInside(_ url: URL, _ start: URL) -> Bool {
        url.scheme == start.scheme && url.host() == start.host() && url.port == start.port
    }

    private func carrying(_ parameters: Parameters, to target: URL) throws -> URL {
        let text = target.absoluteString
        return try address("\(text)\(text.contains("?") ? "&" : "?")\(parameters.formEncoded)", from: target)
    }
}
