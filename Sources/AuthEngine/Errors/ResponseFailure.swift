import Foundation
import OAuthCore

/// A response of an authority that gives nothing. Its ``kind`` decides everything else: error code, exit code,
/// sentence, next step and what the screen offers.
package struct ResponseFailure: Error, Sendable, Equatable {
    package enum Endpoint: Sendable, CaseIterable {
        case instanceDiscovery, discovery, keys
        /// The page of the authority that the browser shows, with its response in an address.
        case authorization
        case codeRedemption, refresh, deviceAuthorization, devicePolling
    }

    package var endpoint: Endpoint
    package var url: URL
    /// Of the request; `nil` when it named none.
    package var clientID: String?
    /// `nil` when the response came with the browser.
    package var status: Int?
    package var headers: HTTPHeaders = [:]
    package var body: TokenResponseFailure
    /// The body is a web page. The title is empty when the page has none.
    package var pageTitle: String?
    /// The seconds for which the server wants no further request.
    package var retryAfter: Double?

    /// A refusal that the browser brought to an address with `parameters`. `secrets`: what the request held.
    ///
    /// What the address holds under a secret's name is masked too, also where another parameter repeats it.
    package init(
        authorization refusal: OAuthErrorResponse, at url: URL, in parameters: Parameters, hiding secrets: [String]
    ) {
        endpoint = .authorization
        self.url = url
        let brought = parameters.pairs.filter {
            ParameterNames.kind(of: $0.name, in: .query, isPublic: false) == .secret && $0.value != refusal.error
        }
        let told = parameters.pairs.flatMap { $0.value.namedSecrets }
        body = .refused(refusal.presentable(by: Redaction(hiding: secrets + brought.map(\.value) + told)))
    }

    /// What the server repeats of the secrets in `request`, or gives in the same response, is masked wherever it stands.
    package init(
        _ endpoint: Endpoint, _ response: HTTPResponse, to request: HTTPRequest, _ failure: TokenResponseFailure,
        at now: Date
    ) {
        let form = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
        let redaction = Redaction(
            hiding: form.pairs.filter { ParameterNames.kind(of: $0.name, in: .requestBody, isPublic: false) == .secret }
                .map(\.value) + response.givenSecrets)
        self.endpoint = endpoint
        url = request.url
        clientID = form["client_id"]
        status = response.status
        for field in response.headers.fields where field.name.lowercased() != "set-cookie" {
            headers.append(field.name, redaction.redacted(field.value))
        }
        body = if case .refused(let refusal) = failure { .refused(refusal.presentable(by: redaction)) } else { failure }
        pageTitle = response.pageTitle.map { redaction.redacted($0).beginning(80) }
        retryAfter = response.retryAfter(at: now)
    }

    package var refusal: OAuthErrorResponse? {
        guard case .refused(let refusal) = body else { return nil }
        return refusal
    }

    var host: String { Authority.environment(of: url) }

    /// The status says that the server is busy or down, whatever the body says.
    var hasBusyStatus: Bool { status.map { $0 == 408 || $0 == 429 || $0 >= 500 } ?? false }
}

/// The table.
extension ResponseFailure {
    package var kind: MSALFailureKind {
        if hasBusyStatus || refusal?.saysBusy == true { return .unavailable }
        return switch endpoint {
        case .instanceDiscovery, .discovery: .misconfigured
        case .keys: .protocolViolation
        case .refresh: kindOfRefresh
        case .authorization, .codeRedemption, .deviceAuthorization, .devicePolling:
            switch body {
            case .refused(let refusal): refusal.kind
            case .unexplained: kindOfUnexplained
            case .malformed: .protocolViolation
            }
        }
    }

    /// A refusal of a silent request is mended by a sign-in, but for those that stay the same in one
    /// (docs/upstream-behaviour.md §5.1).
    private var kindOfRefresh: MSALFailureKind {
        switch body {
        case .refused(let refusal): refusal.isBeyondInteraction ? refusal.kind : .signInRequired
        case .unexplained: isClientError ? .signInRequired : .protocolViolation
        case .malformed: .protocolViolation
        }
    }

    /// RFC 6749 §5.2 demands an OAuth error. Servers that leave it out mean a client or an address that they do not
    /// know.
    private var kindOfUnexplained: MSALFailureKind {
        let namesNothingKnown = status.map { [401, 403, 404, 405, 410].contains($0) } ?? false
        return namesNothingKnown || (endpoint == .deviceAuthorization && isClientError)
            ? .misconfigured : .protocolViolation
    }

    private var isClientError: Bool { status.map((400..<500).contains) ?? false }

    /// The address leads to nothing.
    var isMissingEndpoint: Bool { status.map { HTTPResponse(status: $0).saysEndpointIsGone } ?? false }
}

extension OAuthErrorResponse {
    fileprivate var saysBusy: Bool { ["temporarily_unavailable", "server_error"].contains(error.lowercased()) }

    /// Refusals that a sign-in would not mend (docs/upstream-behaviour.md §5.1).
    fileprivate var isBeyondInteraction: Bool {
        switch error.lowercased() {
        case "invalid_scope", "invalid_client": true
        case "unauthorized_client": suberror == "protection_policy_required"
        default: false
        }
    }

    fileprivate var kind: MSALFailureKind {
        switch error.lowercased() {
        case "interaction_required", "login_required", "consent_required", "account_selection_required":
            .signInRequired
        case "invalid_client": .misconfigured
        case "unauthorized_client": suberror == "protection_policy_required" ? .refused : .misconfigured
        default: classification.code == .userCanceled ? .canceled : .refused
        }
    }

    /// Without what `redaction` hides, and no longer than a person reads.
    fileprivate func presentable(by redaction: Redaction) -> OAuthErrorResponse {
        func cut(_ text: String?, _ length: Int) -> String? { text.map { redaction.redacted($0).beginning(length) } }
        var shown = self
        shown.error = redaction.redacted(error).beginning(100)
        // A long run of spaces would begin a new row of a terminal.
        shown.description = cut(description?.split(whereSeparator: \.isWhitespace).joined(separator: " "), 1024)
        shown.errorURI = cut(errorURI, 1024)
        shown.suberror = cut(suberror, 100)
        shown.subcode = cut(subcode, 100)
        shown.codes = Array(codes.prefix(16))
        shown.traceID = cut(traceID, 100)
        shown.correlationID = cut(correlationID, 100)
        shown.timestamp = cut(timestamp, 100)
        return shown
    }
}

extension HTTPResponse {
    /// The title of a web page, as it stands there; empty when it has none. `nil`: this is no page.
    fileprivate var pageTitle: String? {
        let text = String(decoding: body.prefix(1 << 14), as: UTF8.self)
        let start = text.drop(while: \.isWhitespace).prefix(15).lowercased()
        guard mediaType?.lowercased() == "text/html" || start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
        else { return nil }
        let title = text.firstMatch(of: #/<title[^>]*>(?<title>[^<]*)/#.ignoresCase())?.output.title ?? ""
        return title.split(whereSeparator: \.isWhitespace).joined(separator: " ").withoutControls
    }
}

extension String {
    /// What stands in a text as the value of a secret parameter: `code=…`. AADSTS numbers are called codes too.
    fileprivate var namedSecrets: [String] {
        matches(of: #/\b(?<name>[A-Za-z_]+)=(?!AADSTS)(?<value>[^\s&;"'<>]+)/#).compactMap { match in
            ParameterNames.secret.contains(match.name.lowercased()) ? String(match.value) : nil
        }
    }
}

extension Redaction {
    fileprivate init(hiding secrets: [String]) { for secret in secrets { learn(secret) } }
}

extension String {
    /// The beginning of a text that somebody else may have made endless.
    func beginning(_ length: Int) -> String { count <= length ? self : "\(prefix(length))\u{2026}" }
}

extension HTTPResponse {
    /// The tokens in a body of JSON.
    fileprivate var givenSecrets: [String] {
        let members = (try? JSONValue(parsing: body))?.object ?? [:]
        return members.filter { ParameterNames.kind(of: $0.key, in: .responseBody, isPublic: false) == .secret }
            .compactMap(\.value.string)
    }
}
