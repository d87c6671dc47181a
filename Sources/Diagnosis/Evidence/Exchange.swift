import Foundation
import OAuthCore

/// A recorded HTTP request and its response. Contains secrets: print only its number, role, host and outcome.
package struct Exchange: Sendable, Equatable {
    /// The position in the recording, starting at 1.
    var number: Int
    var time: Date?
    /// Whether ``time`` is that of an unknown time zone, as UTC.
    var hasLocalTime = false
    /// Milliseconds from the start of the request to the first byte of the response.
    var milliseconds: Double?
    /// Empty if only the response is known.
    var method: String
    var url: String
    /// Of the query and of a form body.
    var parameters = Parameters()
    var requestHeaders = HTTPHeaders()
    /// `0` if there was no response.
    var status: Int
    /// Why there was no response, for example `net::ERR_NAME_NOT_RESOLVED`.
    var failure: String?
    var responseHeaders = HTTPHeaders()
    /// The start of a text body; `nil` if the recording has none.
    var body: String?
    var isPreflight = false
    var mayLackResponse = false

    /// Whether a later request uses the token in the response.
    var isDelivered = false

    /// The maximum length of a body in bytes. Error pages and OAuth responses are shorter.
    static let mostBody = 256 << 10

    var form: Parameters {
        get { Parameters(parameters.pairs.dropFirst(Parameters(queryAndFragmentOf: url).pairs.count)) }
        set { parameters = Parameters(Parameters(queryAndFragmentOf: url).pairs + newValue.pairs) }
    }

    /// `nil` if the recording hides it.
    func shown(_ name: String) -> String? {
        parameters[name].flatMap { $0.hasPrefix(Secret.placeholder) || Self.isHidden($0) ? nil : $0 }
    }

    /// Whether somebody replaced the value by hand, for example by `REDACTED`, `***` or `<code>`.
    static func isHidden(_ value: String) -> Bool { value.count < 40 && value.wholeMatch(of: hidden.regex) != nil }

    private static let hidden = Pattern(
        #/(?i)\W{0,2}(?:redacted|removed|hidden|secret|snip(?:ped)?|omitted|code|token)\W{0,2}|\*+|x{3,}|\.{3,}|…/#)

    var endpoint: String { String(url.prefix { $0 != "?" && $0 != "#" }) }
    var host: String { URL(string: endpoint)?.host?.lowercased() ?? "" }
    var path: String { URL(string: endpoint)?.path.lowercased() ?? "" }
    var scheme: String { String(url.prefix { $0 != ":" }).lowercased() }

    var json: [String: JSONValue]? { body.flatMap { try? JSONValue(parsing: $0) }?.object }
    var isHTML: Bool { body?.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("<") ?? false }
    var date: Date? { responseHeaders["Date"].flatMap(HTTPDate.parse) }
    var location: String? { (300..<400).contains(status) ? responseHeaders["Location"] : nil }
    /// Whether the browser withheld the response, and gives no reason in the network. Chromium records the status of a response
    /// that it withholds, and a proxy the whole response.
    var isBlocked: Bool {
        if isDelivered { return false }
        if status == 0 { return !method.isEmpty && !mayLackResponse && failure?.contains("ERR_FAILED") ?? true }
        guard let origin = requestHeaders["Origin"].flatMap({ URL(string: $0)?.host?.lowercased() }) else {
            return false
        }
        return origin != host && responseHeaders["Access-Control-Allow-Origin"] == nil
            && requestHeaders["Sec-Fetch-Mode"] != "navigate"
    }
    /// The constant in a browser's reason for a missing response, for example `ERR_CONNECTION_REFUSED`.
    var failureName: String {
        let name = failure?.prefix(200).firstMatch(of: #/(?:net::)?[A-Z]{2,}(?:_[A-Z0-9]+)+/#)
        return name.map { String($0.output.prefix(80)) } ?? "no response"
    }
    /// The status, or why there is none; empty if the text may lack it.
    var statusName: String { status != 0 ? "HTTP \(status)" : method.isEmpty || mayLackResponse ? "" : failureName }
    /// The number on an error page of Microsoft Entra ID.
    static let pageCode = Pattern(#/"sErrorCode"\s*:\s*"(?<number>[0-9]{5,7})"/#)

    var outcome: [Fact] {
        (status == 0 ? [] : [.status(status)])
            + (rejection.map { $0.error.isEmpty ? [] : [.parameter("error", $0.error)] } ?? [])
    }
}

extension Exchange {
    /// By RFC 6749, RFC 8628 and OpenID Connect. The raw values are names of `Resources/parameters.json`.
    package enum Role: String, Sendable, CaseIterable {
        /// In a recording, any metadata; in an own flow, that of the authority's kind.
        case discovery, instance, openIDMetadata, serverMetadata
        case keys, authorize
        /// A pushed authorization request; in a recording, one that the authority accepted.
        case push
        case response, page, signOut, signedOut, device, registration
        /// In a recording, any token request; in an own flow, by its grant.
        case token, codeGrant, refreshGrant, deviceGrant
        case userInfo, revocation
        /// A request to an API; in a recording, one that rejected the token.
        case api
        case resourceMetadata, preflight
        /// A response without its request.
        case message
        case other

        package var name: String { words.name }
        package var title: String { name.prefix(1).uppercased() + name.dropFirst() }
        var label: String { words.label }

        /// What a successful response contains. A network's sign-in page may arrive instead of JSON.
        func content(_ mediaType: String?) -> String {
            mediaType == "text/html" && self != .api ? "web page" : words.content
        }

        private var words: (name: String, label: String, content: String) {
            Self.words[self] ?? (rawValue, rawValue, "")
        }

        private static let words = Dictionary(
            uniqueKeysWithValues: allCases.map { role in
                let row = ParameterDictionary.roles[role.rawValue]
                let texts = ["name", "label", "content"].map { row?[$0]?.string ?? "" }
                return (role, (name: texts[0], label: texts[1], content: texts[2]))
            })
    }

    /// The role, as far as the request alone shows it. ``Evidence`` finds responses and pages by earlier requests.
    var ownRole: Role? {
        if isPreflight || (method == "OPTIONS" && requestHeaders["Access-Control-Request-Method"] != nil) {
            return .preflight
        }
        if method.isEmpty { return .message }
        if method == "POST", parameters["grant_type"] != nil || mayLackResponse && path.hasSuffix("/token") {
            return .token
        }
        if isPush, json?["request_uri"] != nil { return .push }
        if parameters["response_type"] != nil, parameters["client_id"] != nil { return .authorize }
        let path = path
        if ["openid-configuration", "oauth-"].contains(where: { path.contains("/.well-known/\($0)") }) {
            return .discovery
        }
        if path.hasSuffix("/devicecode") || (path.contains("device") && parameters["client_id"] != nil) {
            return .device
        }
        if ["/keys", "/certs", "jwks.json", "/jwks"].contains(where: path.hasSuffix) { return .keys }
        if path.hasSuffix("/userinfo") { return .userInfo }
        if path.hasSuffix("/logout") || path.hasSuffix("/end_session") { return .signOut }
        return nil
    }
}
