import Foundation
import KeyturnSystem
import OAuthCore

/// Reads the authority's pages, fills in forms, presses buttons and follows redirects until they leave the authority.
package struct ScriptedUser: Sendable {
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

    /// - Parameter send: sends a request without following redirects.
    package init(
        username: String, password: String, consent: Consent = .accept, cookies: CookieJar = CookieJar(),
        send: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) {
        self.username = username
        self.password = Secret(password)
        (self.consent, self.cookies, self.send) = (consent, cookies, send)
    }

    /// Walks through the pages and returns the final redirect URI with its parameters, for `form_post` as a query. Throws ``Stuck``,
    /// and the errors of `send`.
    package func walk(from authorizationURL: URL, onPage: @Sendable (PageVisit) -> Void = { _ in }) async throws -> URL
    {
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
            do { step = try self.step(on: page, status: response.status, hasTypedPassword: hasTypedPassword) } catch {
                onPage(PageVisit(page, nil))
                throw error
            }
            onPage(PageVisit(page, step))
            hasTypedPassword = hasTypedPassword || step.typesPassword
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
        try address(RedirectURIMatch.adding(parameters, to: target.absoluteString), from: target)
    }
}

extension ScriptedUser {
    struct Step: Sendable {
        let form: PageReader.Form
        let parameters: Parameters
        let button: String?
        let typesPassword: Bool
    }

    func step(on page: PageReader, status: Int, hasTypedPassword: Bool) throws -> Step {
        guard let form = page.forms.first(where: { $0.method == "post" && !$0.submits.isEmpty }) else {
            throw Stuck.pageWithoutForm(title: page.title, alert: page.alert, status: status)
        }
        guard let passwordInput = form.first(ofType: "password") else { return press(on: form) }
        // The same password would be rejected again.
        if hasTypedPassword { throw Stuck.rejected(title: page.title, alert: page.alert) }
        return type(into: form, passwordInput)
    }

    private func type(into form: PageReader.Form, _ passwordInput: PageReader.Input) -> Step {
        let usernameInput = form.first(ofType: "text", "email")
        var parameters = hidden(in: form)
        if let usernameInput { parameters[usernameInput.name] = username }
        parameters[passwordInput.name] = password.reveal()
        let button = form.submits.first { $0.name.isEmpty } ?? form.submits.first
        return step(form, parameters, button, typesPassword: true)
    }

    /// Answers a page without a password: account choice, consent or confirmation.
    private func press(on form: PageReader.Form) -> Step {
        var parameters = hidden(in: form)
        for field in form.inputs where ["checkbox", "radio", "text"].contains(field.type) && !unticks(field) {
            parameters.append(field.name, field.value)
        }
        return step(form, parameters, choice(among: form.submits), typesPassword: false)
    }

    /// Matches a scope on a consent page, which includes its resource.
    private func unticks(_ field: PageReader.Input) -> Bool {
        guard case .without(let scopes) = consent, field.type == "checkbox" else { return false }
        return scopes.contains { field.value.hasSuffix("/\($0.lowercased())") }
    }

    private func choice(among buttons: [PageReader.Input]) -> PageReader.Input? {
        if let own = buttons.first(where: { $0.value.lowercased() == username.lowercased() }) { return own }
        if buttons.contains(where: { $0.name == "account" }) { return buttons.first { $0.name == "other" } }
        let rejection = buttons.first { ["decline", "cancel", "deny", "no"].contains($0.value.lowercased()) }
        return consent == .decline ? rejection ?? buttons.first : buttons.first { $0 != rejection }
    }

    private func hidden(in form: PageReader.Form) -> Parameters {
        Parameters(form.inputs.filter { $0.type == "hidden" }.map { Parameters.Pair(name: $0.name, value: $0.value) })
    }

    private func step(
        _ form: PageReader.Form, _ parameters: Parameters, _ button: PageReader.Input?, typesPassword: Bool
    ) -> Step {
        var parameters = parameters
        if let button, !button.name.isEmpty { parameters.append(button.name, button.value) }
        return Step(form: form, parameters: parameters, button: button?.value, typesPassword: typesPassword)
    }
}

extension PageVisit {
    /// - Parameter step: the user's action; `nil` if they can't continue.
    init(_ page: PageReader, _ step: ScriptedUser.Step?) {
        self.init(
            title: page.title, alert: page.alert, text: page.text, fields: page.fields.map { Field($0, step) },
            buttons: page.forms.flatMap(\.submits).map(\.value), pressed: step.map { $0.button ?? "Enter" })
    }
}

extension PageVisit.Field {
    fileprivate init(_ field: PageReader.Field, _ step: ScriptedUser.Step?) {
        switch field.type {
        case "password":
            self.init(.password, label: field.label, value: step?.typesPassword == true ? "••••••••" : "")
        case "checkbox":
            let sent = step?.parameters.pairs.contains { $0.name == field.name && $0.value == field.value }
            // A disabled box has no name and stays as it is.
            let isTicked = field.name.isEmpty ? field.isTicked : sent ?? field.isTicked
            self.init(.checkbox(isTicked: isTicked), label: field.label)
        default:
            let value = step?.parameters[field.name] ?? field.value
            self.init(.text, label: field.label, value: value, isPrefilled: !value.isEmpty && value == field.value)
        }
    }
}

/// A browser's cookies for one server (RFC 6265 §5). Sign-ins that share a jar use the same browser.
package final class CookieJar: Sendable {
    private let cookies = Locked<[String: (value: String, path: String)]>([:])

    package init() {}

    package var isEmpty: Bool { cookies.withLock { $0.isEmpty } }

    /// The `Cookie` field for a request; nil if no cookie matches.
    func header(for url: URL) -> String? {
        let path = url.path().isEmpty ? "/" : url.path()
        let fitting = cookies.withLock { cookies in
            cookies.filter { path == $0.value.path || path.hasPrefix(Self.directory($0.value.path)) }
        }
        let text = fitting.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.value)" }.joined(separator: "; ")
        return text.isEmpty ? nil : text
    }

    func store(_ response: HTTPResponse) {
        for field in response.headers.all("Set-Cookie") { store(field) }
    }

    private func store(_ field: String) {
        let parts = field.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let pair = (parts.first ?? "").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, !pair[0].isEmpty else { return }
        let attribute = { (name: String) in
            parts.dropFirst().first { $0.lowercased().hasPrefix("\(name)=") }.map {
                String($0.dropFirst(name.count + 1))
            }
        }
        let isExpired = attribute("max-age").flatMap { Int($0) }.map { $0 <= 0 } ?? false
        let cookie = (value: String(pair[1]), path: attribute("path") ?? "/")
        cookies.withLock { $0[String(pair[0])] = isExpired ? nil : cookie }
    }

    private static func directory(_ path: String) -> String { path.hasSuffix("/") ? path : "\(path)/" }
}
