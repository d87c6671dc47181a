import Foundation
import MSAL
import OAuthCore

extension FuzzTarget {
    /// The two documents with an authority's URLs: no accepted document may lead to sending a secret in plain text.
    static let discovery = FuzzTarget("discovery") { bytes in
        let isConfiguration = try configuration(bytes)
        let isInstance = try instance(bytes)
        return isConfiguration || isInstance ? .accepted : .rejected
    }

    private static func configuration(_ bytes: [UInt8]) throws -> Bool {
        let document: OpenIDConfiguration
        do throws(OpenIDConfiguration.Malformed) {
            document = try OpenIDConfiguration(parsing: bytes)
        } catch {
            try requirePlain("\(error)", "the reason against the document")
            return false
        }
        let endpoints = [
            "authorization_endpoint": document.authorizationEndpoint, "token_endpoint": document.tokenEndpoint,
            "jwks_uri": document.jwksURI, "end_session_endpoint": document.endSessionEndpoint,
            "device_authorization_endpoint": document.deviceAuthorizationEndpoint,
            "userinfo_endpoint": document.userInfoEndpoint, "registration_endpoint": document.registrationEndpoint,
        ].compactMapValues(\.self)
        for (name, url) in endpoints {
            try require(url.scheme?.lowercased() == "https" || url.isLoopback, "\(name) uses plain HTTP")
            try require(url.user() == nil && url.host()?.isEmpty == false, "\(name) has a host and no user")
            try requirePlain(url.absoluteString, name)
        }
        var members = endpoints.mapValues { JSONValue.string($0.absoluteString) }
        for name in document.unusableEndpoints.keys { members[name] = "unusable" }
        members["issuer"] = .string(document.issuer.text)
        members["scopes_supported"] = .array(document.scopesSupported.map(JSONValue.string))
        members["code_challenge_methods_supported"] = document.codeChallengeMethods.map {
            .array($0.map(JSONValue.string))
        }
        members["authorization_response_iss_parameter_supported"] = .bool(document.promisesIssuerInResponse)
        members["client_id_metadata_document_supported"] = .bool(document.readsClientDocuments)
        let again = try? OpenIDConfiguration(parsing: Array(JSONValue.object(members).serialized.utf8))
        try requireEqual(again, document, "the document written again")
        return true
    }

    private static func instance(_ bytes: [UInt8]) throws -> Bool {
        guard let answer = try? InstanceDiscovery(parsing: HTTPResponse(status: 200, body: bytes)) else { return false }
        for name in answer.clouds.flatMap({ [$0.preferredNetwork, $0.preferredCache] + $0.aliases }) {
            try requireEqual(URL(string: "https://\(name)/x")?.isSecureEndpoint, true, "\(name) as a host")
            try requirePlain(name, "a host")
            try require(!name.contains(where: { "/?#@ ".contains($0) }), "\(name) is more than a host")
        }
        return true
    }

    /// The challenge of a resource, and its metadata. A match means the same origin, and no name of a parameter has capitals.
    static let resource = FuzzTarget("resource") { bytes in
        var outcome = Outcome.rejected
        let text = String(decoding: bytes, as: UTF8.self)
        if let challenges = try? Challenge.parse(Challenge.fields(in: text)) {
            for challenge in challenges {
                try require(!challenge.scheme.isEmpty, "a scheme")
                for pair in challenge.parameters.pairs { try requireEqual(pair.name, pair.name.lowercased(), "a name") }
                _ = try? challenge.claims()
            }
            if challenges.contains(where: \.isBearer) { outcome = .accepted }
        }
        if let metadata = try? ResourceMetadata(parsing: bytes), let url = URL(string: "https://h.example/a/b") {
            outcome = .accepted
            if metadata.match(url) != .other {
                try requireEqual(URL(string: metadata.resource)?.origin, url.origin, "the origin of a match")
            }
        }
        return outcome
    }

    /// Every lifetime is within the calendar's range, and no printed response or error contains a token.
    static let tokenResponse = FuzzTarget("token-response") { bytes in
        let accepted = try [200, 400].map { try tokens(HTTPResponse(status: $0, headers: serverDate, body: bytes)) }
        if let user = try? UserInfo(parsing: HTTPResponse(status: 200, body: bytes)) {
            let length = user.claims.subject?.utf8.count ?? 0
            try require((1...IDTokenClaims.maximumSubjectBytes).contains(length), "a user without a usable subject")
        }
        return accepted.contains(true) ? .accepted : .rejected
    }

    private static let serverDate: HTTPHeaders = ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"]

    private static func tokens(_ response: HTTPResponse) throws -> Bool {
        let waiting = try? DeviceTokenResponse(parsing: response)
        let answer: TokenResponse
        do throws(TokenResponseFailure) {
            answer = try TokenResponse(parsing: response)
        } catch {
            try check(error, of: response)
            return false
        }
        try requireEqual(waiting, .tokens(answer), "the response to a polling client")
        let limits = 0...TokenResponse.maximumLifetime
        let lifetimes = [answer.expiresIn, answer.extendedExpiresIn, answer.refreshIn].compactMap(\.self)
        try require(lifetimes.allSatisfy(limits.contains), "a lifetime of more than a century")
        try require(answer.accessToken ?? answer.idToken != nil, "a response without tokens")
        let secrets = [answer.accessToken, answer.refreshToken, answer.idToken].compactMap { $0?.reveal() }
        try require(!secrets.contains(""), "an empty token")
        let others = [answer.tokenType, answer.scopes?.text, answer.clientInfo?.raw, answer.familyID]
        let shown = others.compactMap(\.self).reduce("\(answer)") { $0.replacingOccurrences(of: $1, with: "") }
        try requireHidden(secrets, in: shown, "the printed response")
        for name in answer.scopes?.names ?? [] {
            try require(!name.hasControlCharacter, "a control character in a scope")
        }
        return true
    }

    private static func check(_ failure: TokenResponseFailure, of response: HTTPResponse) throws {
        let members = (try? JSONValue(parsing: response.body))?.object ?? [:]
        let secrets = ["access_token", "refresh_token", "id_token", "device_code"].compactMap { members[$0]?.string }
        let failure = ResponseFailure(
            .codeRedemption, response, to: HTTPRequest(.post, URL(filePath: "/token")), failure,
            at: Date(timeIntervalSince1970: 0))
        try checkWords(of: .authority(.response(failure)), hiding: failure.rejection == nil ? secrets : [])
    }

    /// The error that a program gets.
    static func checkWords(of failure: AuthenticationFailure, hiding secrets: [String]) throws {
        let error = MSALAuthenticationError(failure, correlationID: nil)
        for text in [error.localizedDescription, error.localizedRecoverySuggestion ?? ""] {
            try requirePlain(text, "the error")
            try requireHidden(secrets, in: text, "the error")
            try require(!text.isEmpty, "an error without a text")
        }
    }

    /// The texts that the user is asked to type and open.
    static let deviceCode = FuzzTarget("device-code") { bytes in
        let answer: DeviceAuthorizationResponse
        let response = HTTPResponse(status: 200, body: bytes)
        do throws(TokenResponseFailure) {
            answer = try DeviceAuthorizationResponse(parsing: response)
        } catch {
            try check(error, of: response)
            return .rejected
        }
        try require(!answer.deviceCode.isEmpty && !answer.userCode.isEmpty, "an empty code")
        try require(
            answer.userCode.count <= DeviceAuthorizationResponse.maximumUserCodeLength, "the length of the code")
        try require((1...DeviceAuthorizationResponse.maximumInterval).contains(answer.interval), "the interval")
        try require((0...TokenResponse.maximumLifetime).contains(answer.expiresIn), "the lifetime")
        for page in [answer.verificationURI, answer.verificationURIComplete].compactMap(\.self) {
            try require(page.scheme?.lowercased() == "https" || page.isLoopback, "a page over plain HTTP")
            try requirePlain(page.absoluteString, "the page's URL")
        }
        return .accepted
    }
}
