import Foundation
import OAuthCore

/// A failed response of an authority. Its ``kind`` determines the error code, exit code, texts and available actions.
package struct ResponseFailure: Error, Sendable, Equatable {
    package enum Endpoint: Sendable, CaseIterable {
        case instanceDiscovery, discovery, keys
        /// The authorization endpoint, which responds with a redirect of the browser.
        case authorization
        case codeRedemption, refresh, deviceAuthorization, devicePolling, userInfo
        /// RFC 7591 and RFC 7009.
        case registration, revocation
        /// RFC 9126.
        case pushedAuthorization
        /// The token endpoint of the organisation, which issues an assertion (RFC 8693).
        case identityAssertion
        /// The token endpoint of a server's authority, which redeems it (RFC 7523).
        case assertion

        /// Whether the endpoint authenticates the client (RFC 6749 §3.2.1, RFC 7009 §2.1, RFC 8628 §3.1, RFC 9126 §2).
        var authenticatesClient: Bool {
            switch self {
            case .codeRedemption, .refresh, .deviceAuthorization, .devicePolling, .revocation, .pushedAuthorization,
                .identityAssertion, .assertion:
                true
            case .instanceDiscovery, .discovery, .keys, .authorization, .userInfo, .registration: false
            }
        }
    }

    package var endpoint: Endpoint
    package var url: URL
    package var clientID: String?
    package var sentSecret = false
    package var hasSecretFile = false
    /// Whether the user has just signed in, so that another sign-in would fail in the same way.
    package var followsSignIn = false
    package var scopes: Scopes = []
    /// The HTTP status, or `nil` for a response through the browser.
    package var status: Int?
    package var headers: HTTPHeaders = [:]
    package var body: TokenResponseFailure
    /// The title if the body is a web page. Empty for a page without a title.
    package var pageTitle: String?
    /// Seconds to wait before the next request.
    package var retryAfter: Double?
    /// The endpoint's new URL, if it is on another server. The request wasn't sent there.
    package var movedTo: URL?
    /// The `error` of the response if it isn't an OAuth error, for example a number.
    package var otherError: String?
    /// The server's text for the log: without secrets, but whole.
    package var wholeText: String?

    /// From an OAuth error in a redirect with `parameters`. `scopes` and `secrets` are those of the request. Also masks the
    /// values of secret parameters, wherever other parameters repeat them.
    package init(
        authorization rejection: OAuthErrorResponse, at url: URL, in parameters: Parameters,
        requesting scopes: Scopes = [], hiding secrets: [String]
    ) {
        endpoint = .authorization
        self.url = url
        self.scopes = scopes
        let brought = parameters.pairs.filter {
            WireParameter.kind(of: $0.name, in: .query) == .secret && $0.value != rejection.error
        }
        let told = parameters.pairs.flatMap { $0.value.namedSecrets }
        let privacy = Privacy(hiding: secrets + brought.map(\.value) + told)
        let shown = rejection.presentable(by: privacy)
        wholeText = rejection.description.map { privacy.shown($0, atMost: Privacy.longestLoggedText) }
        body = shown.hasName ? .rejected(shown) : .unexplained
        otherError = shown.hasName ? nil : shown.error
    }

    /// Masks secrets of the request and the response wherever they occur.
    package init(
        _ endpoint: Endpoint, _ response: HTTPResponse, to request: HTTPRequest, _ failure: TokenResponseFailure,
        at now: Date
    ) {
        let privacy = Privacy(hiding: request.secrets + response.secrets)
        let hasServerError = (500..<600).contains(response.status)
        self.endpoint = endpoint
        url = request.url
        clientID = request.form["client_id"] ?? request.basicCredentials?.clientID
        sentSecret = request.form["client_secret"] != nil || request.basicCredentials != nil
        scopes = Scopes(parsing: request.form["scope"] ?? "")
        status = response.status
        wholeText = response.wholeText(by: privacy, sparing: clientID)
        for field in response.headers.fields where field.name.lowercased() != "set-cookie" {
            headers.append(field.name, privacy.redacted(field.value))
        }
        switch failure {
        case .rejected(let rejection):
            let shown = rejection.presentable(by: privacy, sparing: clientID, onlyNames: hasServerError)
            body = shown.hasName ? .rejected(shown) : .unexplained
            otherError = shown.hasName || hasServerError ? nil : shown.error
        case .unexplained, .malformed:
            body = failure
            otherError = response.numberedError
        }
        pageTitle = response.pageTitle.map { hasServerError ? "" : privacy.shown($0, atMost: 80, sparing: clientID) }
        retryAfter = response.retryAfter(at: now)
    }

    package var rejection: OAuthErrorResponse? {
        if case .rejected(let rejection) = body { rejection } else { nil }
    }

    var host: String { url.hostAndPort }

    /// The server to which the response redirects (RFC 9110 §15.4). Redirects are never followed.
    package var redirectOrigin: String? {
        guard let status, (300..<400).contains(status), let location = headers["Location"],
            let target = URL(string: location, relativeTo: url)?.absoluteURL, target.host() != nil
        else { return nil }
        return target.origin.withoutControls.beginning(100)
    }

    var hasBusyStatus: Bool { status.map { $0 == 408 || $0 == 429 || (500..<600).contains($0) } ?? false }

    /// Whether the user declined on the consent page. From other endpoints, the same error requires a sign-in.
    var isDeclinedConsent: Bool { endpoint == .authorization && rejection?.error.lowercased() == "consent_required" }

    /// Whether a policy rejects device codes with the error of a user who declines. Nobody was asked yet.
    var isRejectedBeforeUser: Bool {
        [.deviceAuthorization, .identityAssertion, .assertion].contains(endpoint)
            && rejection?.usualCode.code == .userCanceled
    }

    var isMissingEndpoint: Bool { status.map { HTTPResponse(status: $0).saysEndpointIsGone } ?? false }
}

extension OAuthErrorResponse {
    /// Whether `error` is a name, as RFC 6749 §5.2 requires. Some servers send a number of their own.
    fileprivate var hasName: Bool { error.contains { $0.isASCII && $0.isLetter } }

    /// Redacted and shortened for display. `onlyNames` drops the texts: of a server error they are an accident, such as a
    /// database error with the row that it was about.
    fileprivate func presentable(
        by privacy: Privacy, sparing spared: String? = nil, onlyNames: Bool = false
    ) -> OAuthErrorResponse {
        func cut(_ text: String?, _ length: Int) -> String? {
            guard let text = text.map({ privacy.shown($0, atMost: length, sparing: spared) }) else { return nil }
            return onlyNames && !text.isErrorName ? nil : text
        }
        var shown = self
        shown.error = cut(error, 100) ?? ""
        shown.description = onlyNames ? nil : cut(description, Privacy.longestServerText)
        shown.errorURI = onlyNames ? nil : cut(errorURI, Privacy.longestServerText)
        shown.suberror = cut(suberror, 100)
        shown.subcode = cut(subcode, 100)
        shown.codes = Array(codes.prefix(16))
        shown.traceID = cut(traceID, 100)
        shown.correlationID = cut(correlationID, 100)
        shown.timestamp = cut(timestamp, 100)
        return shown
    }

    /// Whether a sign-in would fail with the same error (docs/upstream-behaviour.md §5.1).
    fileprivate var isBeyondInteraction: Bool {
        switch standardError {
        case "invalid_scope", "invalid_client": true
        case "unauthorized_client": suberror == "protection_policy_required"
        default: false
        }
    }

    fileprivate var kind: MSALFailureKind {
        switch standardError {
        case "interaction_required", "login_required", "consent_required", "account_selection_required": .signInRequired
        case "invalid_client": .misconfigured
        case "unauthorized_client": suberror == "protection_policy_required" ? .rejected : .misconfigured
        default: usualCode.code == .userCanceled ? .canceled : .rejected
        }
    }
}

extension String {
    /// Whether the text is a name or an identifier, such as `server_error`, rather than a sentence.
    fileprivate var isErrorName: Bool {
        utf8.count <= 64 && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
    }

    /// The values of secret parameters in the text, in the form `code=…`. Excludes AADSTS numbers, which are also
    /// called codes.
    fileprivate var namedSecrets: [String] {
        matches(of: #/\b(?<name>[A-Za-z_]+)=(?!AADSTS)(?<value>[^\s&;"'<>]+)/#).compactMap { match in
            WireParameter.isSecret(String(match.name)) ? String(match.value) : nil
        }
    }

    /// The text, shortened to `length` characters and an ellipsis.
    func beginning(_ length: Int) -> String { count <= length ? self : "\(prefix(length))\u{2026}" }
}

extension HTTPResponse {
    /// A document with more is data of an API. To hide each of its values would take time that grows with the square.
    static let mostMembers = 200

    /// The tokens in a JSON body.
    var secrets: [String] {
        let members = (try? JSONValue(parsing: body))?.object ?? [:]
        let isData = members.count > Self.mostMembers
        return members.filter {
            isData ? WireParameter.isSecret($0.key) : WireParameter.kind(of: $0.key, in: .responseBody) == .secret
        }.compactMap(\.value.string)
    }

    /// The body for the log: without secrets, on one line.
    fileprivate func wholeText(by privacy: Privacy, sparing spared: String?) -> String? {
        let json = try? JSONValue(parsing: body)
        guard !body.isEmpty, json?.object?.count ?? 0 <= Self.mostMembers else { return nil }
        let text =
            json.map { privacy.redacted($0, isPublic: false, hiding: [.secret]).serialized }
            ?? String(decoding: body.prefix(1 << 16), as: UTF8.self)
        return privacy.shown(text, atMost: Privacy.longestLoggedText, sparing: spared)
    }

    /// The `error` of a JSON body if it is a number.
    fileprivate var numberedError: String? {
        if case .integer(let number)? = (try? JSONValue(parsing: body))?["error"] { "\(number)" } else { nil }
    }

    /// The title of a web page, or empty without a title. `nil` when the body isn't a web page.
    fileprivate var pageTitle: String? {
        let text = String(decoding: body.prefix(1 << 14), as: UTF8.self)
        let start = text.drop(while: \.isWhitespace).prefix(15).lowercased()
        guard mediaType?.lowercased() == "text/html" || start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
        else { return nil }
        let title = text.firstMatch(of: #/<title[^>]{0,256}>(?<title>[^<]*)/#.ignoresCase())?.output.title ?? ""
        return title.split(whereSeparator: \.isWhitespace).joined(separator: " ").withoutControls
    }
}

extension HTTPRequest {
    fileprivate var form: Parameters { Parameters(formEncoded: String(decoding: body, as: UTF8.self)) }

    /// The secrets in the form, such as codes and tokens, and the token in the `Authorization` header.
    var secrets: [String] {
        let token = headers["Authorization"]?.split(separator: " ").last.map(String.init)
        return form.pairs.filter { WireParameter.kind(of: $0.name, in: .requestBody) == .secret }
            .map(\.value) + [token, basicCredentials?.secret].compactMap(\.self)
    }
}

/// The kind of each failed response, which decides its error code, exit status, texts and next step: also whether the user
/// must sign in after a rejected refresh.
extension ResponseFailure {
    package var kind: MSALFailureKind {
        let saysBusy = ["temporarily_unavailable", "server_error"].contains(rejection?.standardError)
        if hasBusyStatus || saysBusy || movedTo != nil || isFromBetween { return .unavailable }
        return switch endpoint {
        case .instanceDiscovery, .discovery: .misconfigured
        case .keys: .protocolViolation
        // Most errors mean that the user has to sign in, except those that a sign-in would repeat
        // (docs/upstream-behaviour.md §5.1).
        case .refresh: rejection.map { $0.isBeyondInteraction ? $0.kind : .signInRequired } ?? .protocolViolation
        // The ID token is too old, or its session has ended.
        case .identityAssertion where !followsSignIn && rejection?.standardError == "invalid_grant": .signInRequired
        case .authorization, .codeRedemption, .deviceAuthorization, .devicePolling, .userInfo, .registration,
            .revocation, .pushedAuthorization, .identityAssertion, .assertion:
            switch body {
            case .rejected(let rejection):
                isDeclinedConsent
                    ? .canceled
                    : isRejectedBeforeUser || followsSignIn && rejection.kind == .signInRequired
                        ? .rejected : rejection.kind
            case .unexplained: isMissingEndpoint ? .misconfigured : .protocolViolation
            case .malformed: .protocolViolation
            }
        }
    }

    /// Whether the response isn't the verdict of an endpoint that issues, registers or revokes: those reject with an OAuth error
    /// (RFC 6749 §5.2, RFC 7009 §2.2.1, RFC 7591 §3.2.2). A proxy, filter or ingress responds with a page of its own.
    var isFromBetween: Bool {
        let isClientError = status.map((400..<500).contains) ?? false
        // A login page of a network, or one of maintenance, comes with any status.
        let isPageInstead = pageTitle != nil && status.map((200..<400).contains) ?? false
        guard rejection == nil, isClientError || isPageInstead, !hasBusyStatus else { return false }
        return endpoint.authenticatesClient || endpoint == .registration
    }
}
