import Foundation
import OAuthCore

/// Pushed authorization requests (RFC 9126), unless the settings don't offer them.
extension DemoAuthority {
    private static let prefix = "urn:ietf:params:oauth:request_uri:"

    /// The endpoint (§2): checks the request as the authorization endpoint does, and holds it for one use.
    mutating func pushRequest(
        _ received: ReceivedRequest, at selector: TenantSelector
    ) throws(AuthorityError) -> HTTPResponse {
        guard settings.pushedRequests != .notOffered else { return PlainRejection.notFound }
        var (parameters, client) = try clientForm(received)
        parameters["client_id"] = client.id
        let address = try ReplyAddress(parameters, directory: directory)
        try checkTarget(parameters)
        _ = try AuthorizeRequest(parameters, selector: selector, address: address, directory: directory)
        let reference = randomToken()
        let expiry = received.now + lifetimes.pushedRequest
        pushedRequests.insert(
            PushedRequest(parameters: parameters, expiry: expiry, isUsed: settings.opensPushedRequestsFirst),
            // Kept after expiry, to tell the application.
            for: digest(reference), until: expiry + 3600, at: received.now)
        let lifetime = Int(lifetimes.pushedRequest)
        return .json(["request_uri": .string(Self.prefix + reference), "expires_in": JSONValue(lifetime)], status: 201)
    }

    /// The request of the browser: a pushed one if it names one, which can be expired or used. Throws for an unknown reference and
    /// one of another client, because there is no safe redirect URI for the error.
    mutating func takePushedRequest(
        for parameters: Parameters, _ received: ReceivedRequest
    ) throws(AuthorityError) -> PushedRequest? {
        guard let uri = parameters.value("request_uri"), uri.hasPrefix(Self.prefix) else { return nil }
        let key = digest(String(uri.dropFirst(Self.prefix.count)))
        guard let held = pushedRequests.value(for: key, at: received.now),
            held.parameters.value("client_id") == parameters.value("client_id")?.clientID
        else { throw .unusableRequestURI("It is unknown, or belongs to another client.") }
        pushedRequests.update(key) { $0.isUsed = true }
        return held
    }

    /// Throws unless the request came as the settings require (§4).
    func check(_ held: PushedRequest?, _ received: ReceivedRequest) throws(AuthorityError) {
        guard let held else {
            if settings.pushedRequests == .required { throw .malformed("request_uri", "push the request first.") }
            return
        }
        guard received.now < held.expiry else { throw .unusableRequestURI("It has expired.") }
        guard !held.isUsed else { throw .unusableRequestURI("It was already used.") }
    }
}

extension AuthorityError {
    /// RFC 9101 §7
    fileprivate static func unusableRequestURI(_ why: String) -> AuthorityError {
        AuthorityError(.malformedParameter, detail: "request_uri: \(why)", oauthError: "invalid_request_uri")
    }
}
