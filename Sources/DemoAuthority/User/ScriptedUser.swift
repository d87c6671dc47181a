import Foundation
import OAuthCore

/// A scripted user with a browser: reads the authority's pages, fills in forms, presses buttons and follows redirects
/// until they leave the authority.
package struct ScriptedUser: Sendable {
    /// The user's choice on the consent page.
    package enum Consent: Sendable, Equatable {
        case accept
        /// Accepts after unticking the scopes with these names.
        case without([String])
        case decline
    }

    /// The error for a page that the user can't continue from. Contains only what the page showed.
    package enum Stuck: Error, Sendable, Equatable {
        case pageWithoutForm(title: String, alert: String, status: Int)
        case rejected(title: String, alert: String)
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
    ///   - cookies: the browser's cookies.
    ///   - send: sends a request without following redirects.
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

    /// Walks through the pages and returns the final redirect URI with its parameters. For `form_post`, the parameters
    /// are returned as a query.
    ///
    /// - Throws: ``Stuck``, and the errors of `send`.
    package func walk(
        from authorizationURL: URL, onPage: @Sendable (PageVisit) -> Void = { _ in }
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
            let step: Step
            do {
                step = try self.step(on: page, status: response.status, hasTypedPassword: hasTypedPassword)
            } catch {
                onPage(PageVisit(page, nil))
                throw error
            }
            hasTypedPassword = hasTypedPassword || step.typesPassword
            onPage(PageVisit(page, step))
            let target = try address(step.form.action, from: request.url)
            guard isInside(target, authorizationURL) else { return try carrying(step.parameters, to: target) }
            request = .form(step.parameters, to: target)
        }
        throw Stuck.tooManyPages
    }

    /// Walks to the last page of a device code sign-in and returns its title.
    package func finish(from page: URL, onPage: @Sendable (PageVisit) -> Void = { _ in }) async throws -> String {
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
        cookies.store(response)
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
