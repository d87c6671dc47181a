import Foundation
import OAuthCore

/// The requests of a sign-in in order, or the lines of a log.
struct Evidence: Sendable {
    /// A request with its role.
    struct Step: Sendable {
        let exchange: Exchange
        let role: Exchange.Role
        /// The authorization request of an authorization response or a page.
        let request: Exchange?
        /// The server's error. Stored, because every rule reads it and finding it parses the body.
        let refusal: Exchange.Refusal?

        fileprivate init(_ exchange: Exchange, _ role: Exchange.Role, of request: Exchange? = nil) {
            self.exchange = exchange
            self.role = role
            self.request = request
            refusal = exchange.refusal
        }
    }

    /// Requests of a sign-in, in the order in which they started.
    private(set) var steps: [Step] = []
    /// Every request.
    let exchanges: [Exchange]
    let log: LogFile?
    /// The unit of positions: `entry` or `line`.
    let unit: String

    /// - Parameter exchanges: the requests, sorted by time.
    init(_ exchanges: [Exchange]) {
        self.exchanges = exchanges
        log = nil
        unit = "entry"
        steps = Self.steps(of: exchanges)
    }

    init(_ log: LogFile) {
        exchanges = []
        self.log = log
        unit = "line"
    }

    /// The step that completed the sign-in, unless a later one failed.
    var success: Step? {
        steps.last { step in
            step.completes || [.authorize, .response, .token].contains(step.role) || step.refusal != nil
                || step.exchange.status >= 400
        }.flatMap { $0.completes ? $0 : nil }
    }

    func steps(_ role: Exchange.Role) -> [Step] { steps.filter { $0.role == role } }

    private static func steps(of exchanges: [Exchange]) -> [Step] {
        var open: [Exchange] = []
        var steps: [Step] = []
        for exchange in exchanges {
            if let role = exchange.ownRole {
                steps.append(Step(exchange, role))
                if role == .authorize { open.append(exchange) }
            } else if let request = open.last(where: { exchange.isResponse(to: $0) }) {
                steps.append(Step(exchange, .response, of: request))
            } else if let request = open.last, exchange.host == request.host, !exchange.path.hasSuffix("/favicon.ico"),
                exchange.body != nil || exchange.method == "POST",
                exchange.isHTML || exchange.location != nil
            {
                steps.append(Step(exchange, .page, of: request))
            }
        }
        return steps
    }
}

extension Evidence.Step {
    /// Whether the authority returned tokens, or a code to a program whose own requests may not be recorded.
    fileprivate var completes: Bool {
        guard refusal == nil else { return false }
        switch role {
        case .token: return exchange.json?["access_token"] != nil || exchange.json?["id_token"] != nil
        case .response:
            // A browser can't load a custom scheme, which opens the application instead.
            let arrived = exchange.status != 0 || !["http", "https"].contains(exchange.scheme)
            return arrived && exchange.parameters["state"] == request?.parameters["state"]
        case .authorize, .page:
            return exchange.location.map { Parameters(queryAndFragmentOf: $0)["code"] != nil } ?? false
        case .device, .discovery, .keys, .userInfo, .signOut, .preflight: return false
        }
    }
}

extension Exchange {
    /// Whether this request delivers the response of an authorization request to its redirect URI.
    func isResponse(to request: Exchange) -> Bool {
        guard let redirectURI = request.parameters["redirect_uri"],
            parameters["code"] != nil || parameters["error"] != nil || parameters["id_token"] != nil
        else { return false }
        // Browsers add the root path, and scheme and host ignore case.
        func plain(_ text: String) -> String { text.lowercased().trimmingSuffix("/") }
        return plain(endpoint) == plain(String(redirectURI.prefix { $0 != "?" && $0 != "#" }))
    }

    /// The server's error, from a JSON body, a redirect or an error page.
    var refusal: Refusal? {
        if let members = json, let error = members["error"]?.string {
            return Refusal(error: error, text: members["error_description"]?.string ?? "")
        }
        if let location, case let found = Parameters(queryAndFragmentOf: location), let error = found["error"] {
            return Refusal(error: error, text: found["error_description"] ?? "")
        }
        if let error = parameters["error"], ownRole == nil {
            return Refusal(error: error, text: parameters["error_description"] ?? "")
        }
        guard let body, isHTML, status != 0 else { return nil }
        if let number = body.firstMatch(of: #/"sErrorCode"\s*:\s*"(?<number>[0-9]{5,7})"/#)?.number {
            return Refusal(error: "", text: "AADSTS\(number)")
        }
        if let code = ErrorDictionary.codes(in: body).first { return Refusal(error: "", text: "AADSTS\(code.number)") }
        let words = ErrorPage.words.first { body.range(of: $0.text, options: .caseInsensitive) != nil }
        return words.map { Refusal(error: $0.error, text: $0.text) }
    }

    struct Refusal: Sendable, Equatable {
        /// The OAuth error code; empty on an error page.
        var error: String
        /// The description, or the text of the page. Not safe to print.
        var text: String

        /// The numbers after `AADSTS` and `AADB2C`.
        var codes: [Int] { ErrorDictionary.codes(in: text).compactMap { Int($0.number) } }
    }
}

/// Phrases on other providers' error pages, with the corresponding OAuth errors.
enum ErrorPage {
    static let words: [(text: String, error: String)] = [
        ("Mismatching redirect URI", "redirect_uri_mismatch"), ("redirect_uri_mismatch", "redirect_uri_mismatch"),
        ("Invalid parameter: redirect_uri", "redirect_uri_mismatch"),
        ("Callback URL mismatch", "redirect_uri_mismatch"),
        ("must be a Login redirect URI", "redirect_uri_mismatch"),
        ("Invalid client_id parameter value", "invalid_client"), ("Client not found", "invalid_client"),
        ("Unknown client", "invalid_client"), ("deleted_client", "invalid_client"),
        ("admin_policy_enforced", "admin_policy_enforced"), ("disallowed_useragent", "disallowed_useragent"),
    ]
}

extension String {
    func trimmingSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}
