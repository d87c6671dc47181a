import Foundation
import MSAL
import OAuthCore

/// The requests of a sign-in in order, or the lines of a log.
struct Evidence: Sendable {
    struct Step: Sendable {
        let exchange: Exchange
        let role: Exchange.Role
        /// The authorization request of an authorization response or a page.
        let request: Exchange?
        /// The server's error. Stored, because every rule reads it and finding it parses the body.
        let rejection: Exchange.Rejection?

        var number: Int { exchange.number }
        var status: Int { exchange.status }
        var parameters: Parameters { exchange.parameters }
        var isRejected: Bool { rejection != nil || status >= 400 }

        fileprivate init(_ exchange: Exchange, _ role: Exchange.Role, of request: Exchange? = nil) {
            (self.exchange, self.role, self.request) = (exchange, role, request)
            rejection = exchange.rejection
        }
    }

    /// In the order in which they started.
    let steps: [Step]
    /// Without the pages of other servers whose path only ends as that of an authority's keys does.
    let stepsOfAuthority: [Step]
    private let stepsByRole: [Exchange.Role: [Step]]
    let exchanges: [Exchange]
    let log: LogFile?
    let facts: Facts
    let platform: Platform?
    var runtimes: [Runtime] { log.map(Runtime.all) ?? [] }
    /// The unit of positions: `entry` or `line`.
    let unit: String

    let isCut: Bool

    init(_ exchanges: [Exchange], isCut: Bool = false) {
        let exchanges = Self.delivered(exchanges)
        self.init(exchanges, nil, Facts(exchanges), isCut: isCut)
    }

    init(_ log: LogFile, _ exchanges: [Exchange] = [], _ facts: Facts = Facts()) { self.init(exchanges, log, facts) }

    private init(_ exchanges: [Exchange], _ log: LogFile?, _ facts: Facts, isCut: Bool = false) {
        (self.exchanges, self.log, self.facts, self.isCut) = (exchanges, log, facts, isCut)
        platform = log.flatMap(Platform.init) ?? Platform(exchanges)
        unit = log == nil ? "entry" : "line"
        let steps = Self.steps(of: exchanges)
        let hosts = Set(steps.filter { ![.keys, .preflight].contains($0.role) }.map(\.exchange.host))
        let places = steps.filter { $0.role == .discovery }.map { $0.exchange.body ?? "" }
        stepsOfAuthority = steps.filter { step in
            ![.keys, .preflight].contains(step.role) || hosts.isEmpty || hosts.contains(step.exchange.host)
                || places.contains { $0.contains("/\(step.exchange.host)") }
        }
        (self.steps, stepsByRole) = (steps, Dictionary(grouping: steps, by: \.role))
    }

    /// The lines, the requests and the values of a text. A document has none.
    init(text bytes: [UInt8]) {
        let log = LogFile(bytes)
        self.init(log, log.isDocument ? [] : RequestText(bytes).exchanges, Facts(log.isDocument ? [] : bytes))
    }

    /// Whether the application starts the sign-in again each time the user returns, although each response is in order.
    /// The log of a server has the sign-ins of several users.
    var repeats: Bool {
        let rounds = Dictionary(grouping: steps(.response).filter { $0.parameters["code"] != nil }, by: \.exchange.host)
        return rounds.values.contains { Set($0.map { $0.parameters["code"] }).count >= Self.mostRounds }
            && steps(.token).isEmpty
            && (log == nil || exchanges.contains { $0.responseHeaders["Set-Cookie"] != nil })
    }

    /// Nobody signs in three times in one recording.
    private static let mostRounds = 3

    /// `nil` if a later step of the sign-in failed.
    var success: Step? {
        repeats
            ? nil
            : stepsOfAuthority.last { step in
                guard step.role != .api else { return false }
                return step.completes || [.authorize, .response, .token].contains(step.role) || step.isRejected
            }.flatMap { $0.completes ? $0 : nil }
    }

    /// The last line of a log that shows a token that works.
    var lastSuccess: Int? {
        guard let log else { return nil }
        let accepted = exchanges.last { exchange in
            (200..<300).contains(exchange.status)
                && (exchange.host.hasPrefix("graph.") || exchange.requestHeaders["Authorization"] != nil)
        }
        return [log.success, accepted?.number].compactMap(\.self).max()
    }

    var hasSignIn: Bool { steps.contains { $0.role != .message } }

    func steps(_ role: Exchange.Role) -> [Step] { stepsByRole[role] ?? [] }

    /// Whether a cause lies in what an API made of the token, after the sign-in.
    func isAfterSignIn(_ cause: Cause) -> Bool { steps(.api).contains { cause.positions.contains($0.number) } }

    /// A response whose token a later request uses reached the program.
    private static func delivered(_ exchanges: [Exchange]) -> [Exchange] {
        let used = Set(
            exchanges.compactMap { $0.requestHeaders["Authorization"]?.split(separator: " ").last.map(String.init) })
        guard !used.isEmpty else { return exchanges }
        return exchanges.map { exchange in
            guard exchange.ownRole == .token, let token = exchange.json?["access_token"]?.string, used.contains(token)
            else { return exchange }
            var exchange = exchange
            exchange.isDelivered = true
            return exchange
        }
    }

    /// The last successful requests.
    static func accepted(_ exchanges: [Exchange]) -> [String: Int] {
        Dictionary(
            exchanges.filter { (200..<400).contains($0.status) }.map { ("\($0.method) \($0.endpoint)", $0.number) },
            uniquingKeysWith: max)
    }

    private static func steps(of exchanges: [Exchange]) -> [Step] {
        let accepted = exchanges.contains { $0.isRejectedCall } ? accepted(exchanges) : [:]
        // The authorization requests: the last one, and the last ones by the places of their responses.
        var (last, open) = (Exchange?.none, [String: Exchange]())
        var steps: [Step] = []
        for exchange in PushedRequests.resolve(exchanges) where !Task.isCancelled {
            if let role = exchange.ownRole {
                steps.append(Step(exchange, role))
                guard role == .authorize else { continue }
                last = exchange
                for place in exchange.placesOfResponse { open[place] = exchange }
            } else if let request = exchange.placeOfResponse.flatMap({ open[$0] }) {
                steps.append(Step(exchange, .response, of: request))
            } else if let request = last, exchange.host == request.host, !exchange.path.hasSuffix("/favicon.ico"),
                exchange.body != nil || exchange.method == "POST", exchange.isHTML || exchange.location != nil
            {
                steps.append(Step(exchange, .page, of: request))
            } else if exchange.isResponse {
                steps.append(Step(exchange, .response))
            } else if exchange.isRejectedCall {
                // A program repeats a request with a new token.
                if accepted["\(exchange.method) \(exchange.endpoint)"] ?? 0 < exchange.number {
                    steps.append(Step(exchange, .api))
                }
            } else if exchange.mayLackResponse, exchange.status >= 400 || exchange.rejection != nil {
                steps.append(Step(exchange, .message))
            }
        }
        return steps
    }
}

extension Evidence.Step {
    /// Whether the authority returned tokens, or a code to a program whose own requests may not be recorded.
    fileprivate var completes: Bool {
        guard rejection == nil else { return false }
        switch role {
        case .token:
            return !exchange.isBlocked && (exchange.json?["access_token"] != nil || exchange.json?["id_token"] != nil)
        case .response:
            // A browser can't load a custom scheme, which opens the application instead.
            let arrived =
                (exchange.status != 0 || !["http", "https"].contains(exchange.scheme)) && exchange.status < 400
            return arrived && exchange.parameters["state"] == request?.parameters["state"]
        case .authorize, .page: return issuedCode != nil
        case .discovery, .instance, .openIDMetadata, .serverMetadata, .keys, .push, .signOut, .signedOut, .device,
            .registration, .codeGrant, .refreshGrant, .deviceGrant, .userInfo, .revocation, .api, .resourceMetadata,
            .preflight, .message, .other:
            return false
        }
    }
}

extension Exchange {
    func isResponse(to request: Exchange) -> Bool { placeOfResponse.map(request.placesOfResponse.contains) ?? false }

    fileprivate var placeOfResponse: String? {
        let isResponse = ["code", "error", "id_token"].contains { parameters[$0] != nil }
        return isResponse && !endpoint.isEmpty ? Self.place(endpoint) : nil
    }

    /// Where its response can be delivered: the redirect URI, and in the log of a server its path.
    fileprivate var placesOfResponse: [String] {
        guard let redirectURI = parameters["redirect_uri"] else { return [] }
        let target = Self.place(String(redirectURI.prefix { $0 != "?" && $0 != "#" }))
        return [target, URL(string: target)?.path ?? ""]
    }

    /// Whether a resource rejected a token: it got one, or says that it needs one.
    fileprivate var isRejectedCall: Bool {
        guard [401, 403].contains(status), !method.isEmpty, !mayLackResponse else { return false }
        let schemes = ["bearer ", "dpop ", "pop "]
        return [requestHeaders["Authorization"], responseHeaders["WWW-Authenticate"]].contains { field in
            field.map { text in schemes.contains { text.lowercased().hasPrefix($0) } } ?? false
        }
    }

    /// Browsers add the root path, and scheme and host ignore case.
    private static func place(_ text: String) -> String { text.lowercased().trimmingSuffix("/") }

    /// Whether it looks like an authorization response, by its parameters alone.
    fileprivate var isResponse: Bool {
        method == "GET" && parameters["state"] != nil && (parameters["code"] != nil || parameters["error"] != nil)
    }

    /// The server's error, from a JSON body, a redirect, a header or an error page.
    var rejection: Rejection? {
        if let json, let rejection = Rejection(members: json) ?? (status >= 400 ? Rejection(saidIn: json) : nil) {
            return rejection
        }
        if let location, let rejection = Rejection(parameters: Parameters(queryAndFragmentOf: location)) {
            return rejection
        }
        if ownRole == nil, let rejection = Rejection(parameters: parameters) { return rejection }
        let challenges = (try? Challenge.parse(responseHeaders.all("WWW-Authenticate"))) ?? []
        if let rejection = challenges.lazy.map(\.parameters).compactMap(Rejection.init(parameters:)).first {
            return rejection
        }
        guard let body, isHTML, status != 0 || method.isEmpty else { return nil }
        if let number = body.firstMatch(of: Exchange.pageCode.regex)?.number {
            return Rejection(error: "", text: "AADSTS\(number)")
        }
        if let code = ErrorDictionary.codes(in: body).first { return Rejection(error: "", text: code.text) }
        return Rejection(page: body)
    }

    struct Rejection: Sendable, Equatable {
        /// The OAuth error code, or that of the provider; empty on an error page.
        var error: String
        /// The description, or the text of the page. Not safe to print.
        var text: String
        var phrase: ErrorDictionary.Entry?
        var stated: Set<String>
        let codes: [LogFile.Code]

        init(error: String, text: String) {
            (self.error, self.text) = (error, text)
            let found = LogFile(Array(text.utf8), hasOwnError: false)
            phrase = ErrorText(found).mentions.map(\.entry).first { $0.kind == .phrase }
            stated = KnownCause.stated(in: found)
            codes = ErrorDictionary.codes(in: text)
        }
    }
}

extension Exchange.Rejection {
    /// The error of RFC 6749 §5.2, of Microsoft Graph and Google (an object), or of Okta.
    fileprivate init?(members: [String: JSONValue]) {
        if let error = members["error"]?.string ?? members["errorCode"]?.string {
            self.init(error: error, text: (members["error_description"] ?? members["errorSummary"])?.string ?? "")
        } else if let error = members["error"], error.object != nil {
            let code = error["code"]?.string ?? error["status"]?.string ?? error["type"]?.string
            self.init(error: code ?? "", text: error["message"]?.string ?? "")
        } else {
            return nil
        }
    }

    /// The message of an API of any kind, if it states a cause.
    fileprivate init?(saidIn members: [String: JSONValue]) {
        let names = ["message", "Message", "detail", "title"]
        self.init(error: "", text: names.lazy.compactMap { members[$0]?.string }.first ?? "")
        if stated.isEmpty { return nil }
    }

    fileprivate init?(parameters: Parameters) {
        guard let error = parameters["error"], !error.isEmpty else { return nil }
        self.init(error: error, text: parameters["error_description"] ?? "")
    }

    /// A page has its error only in its words. Other pages also contain the names of errors.
    fileprivate init?(page: String) {
        let entries = ErrorText(response: page).mentions.map(\.entry)
        guard let entry = entries.first(where: { $0.kind == .phrase || $0.source == "Google" }) else { return nil }
        self.init(error: entry.kind == .phrase ? "" : entry.code, text: entry.code)
        guard entry.kind == .phrase else { return }
        phrase = entry
        stated.formUnion([entry.cause].compactMap(\.self))
    }

    /// The error and its codes, as far as they may be shown.
    var names: [String] {
        let name = Privacy.text(error, of: "error", for: .explanation)
        return (error.isEmpty || name.hasPrefix("hidden") ? [] : [name]) + codes.map(\.text)
    }

    var namesRedirectURI: Bool {
        !Set([50011, 500113, 900971, .b2c(90006), .b2c(90007)]).isDisjoint(with: codes)
            || phrase?.name == "Redirect URI" || error == "redirect_uri_mismatch"
            || text.range(of: "redirect_uri", options: .caseInsensitive) != nil
                && ["invalid_request", "invalid_redirect_uri"].contains(error)
    }

    var namesClient: Bool {
        phrase?.name == "Client ID" || ["invalid_client", "unauthorized_client", "deleted_client"].contains(error)
    }
}

extension String {
    func trimmingSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}
