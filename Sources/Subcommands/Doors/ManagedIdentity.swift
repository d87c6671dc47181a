import Foundation
import JSON
import KeyturnCrypto
import KeyturnSystem
import LoopbackHTTP
import MSAL
import OAuthCore
import TerminalUI

/// The endpoint of Azure App Service from which Azure SDKs get tokens, for some scopes of the user.
struct ManagedIdentity: Sendable {
    static let path = "/msi/token"
    private static let version = "2019-08-01"
    /// The resource of scopes without one.
    private static let usualResource = "https://graph.microsoft.com"

    let secret: String
    /// The only scopes that are requested.
    let scopes: [String]
    let token: @Sendable (_ scopes: [String]) async throws -> PrintedToken
    /// Receives a line about each request.
    let log: @Sendable (String, _ isRejected: Bool) -> Void
    let now: @Sendable () -> Date
    /// Completes the commands in advice with the options of this one.
    let advise: @Sendable (String) -> String

    /// The only form of error that Azure SDKs show.
    struct Rejection: Sendable, Equatable {
        var status: Int
        var message: String

        var response: HTTPResponse {
            HTTPResponse(status: status, .object(["statusCode": JSONValue(status), "message": .string(message)]))
        }
    }

    func rejection(of request: HTTPRequest) -> Rejection? {
        let given = request.headers["X-IDENTITY-HEADER"] ?? ""
        guard constantTimeEqual(Array(given.utf8), Array(secret.utf8)) else {
            return Rejection(
                status: 401,
                message: "X-IDENTITY-HEADER isn't the secret of this run. Use the value of IDENTITY_HEADER.")
        }
        guard request.method == .get, request.url.path() == Self.path else {
            return Rejection(status: 404, message: "Only GET \(Self.path) is served here.")
        }
        guard parameter("api-version", of: request) == Self.version, let resource = resource(in: request) else {
            return Rejection(status: 400, message: "The request needs api-version=\(Self.version) and one resource.")
        }
        guard scopes(of: resource).isEmpty else { return nil }
        let shown = Printable.sanitize(resource.prefix(200))
        return Rejection(
            status: 403,
            message: "No allowed scope belongs to \(shown). "
                + "Start 'keyturn serve managed-identity' with --scope '\(shown)/.default'.")
    }

    /// All of it (`/.default`), or permissions there. Some resources end in a slash, and SDKs add or remove one.
    func scopes(of resource: String) -> [String] {
        func name(_ text: String) -> Substring { text.hasSuffix("/") ? text.dropLast() : text[...] }
        return scopes.filter { [$0, Self.resource(of: $0)].map(name).contains(name(resource)) }
    }

    static func resource(of scope: String) -> String {
        scope.lastIndex(of: "/").map { String(scope[..<$0]) } ?? usualResource
    }

    /// The scopes to get a token for at first: those of the same resource as the first one.
    var firstScopes: [String] { scopes.first.map { scopes(of: Self.resource(of: $0)) } ?? [] }

    private func response(to request: HTTPRequest) async -> HTTPResponse {
        let resource = resource(in: request) ?? ""
        do {
            let token = try await token(scopes(of: resource))
            // The SDKs reject a response without an expiry, and ask again for a token with less than 5 minutes.
            let expiry = token.expiresOn ?? now().addingTimeInterval(300)
            return HTTPResponse(
                .object([
                    "access_token": .string(token.text), "resource": .string(resource), "token_type": "Bearer",
                    "expires_on": .string(String(Int(expiry.timeIntervalSince1970))),
                ]))
        } catch {
            let failure = Failure(reporting: error)
            // The SDKs repeat a request after 5xx.
            return Rejection(status: failure.exitCode == .network ? 503 : 401, message: advise(failure.sentences))
                .response
        }
    }

    private func resource(in request: HTTPRequest) -> String? {
        parameter("resource", of: request).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The value of a parameter that comes once.
    private func parameter(_ name: String, of request: HTTPRequest) -> String? {
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        let values = items.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    private func note(_ resource: String?, _ status: Int) {
        log("\(now().ISO8601Format()) \(Printable.sanitize((resource ?? "-").prefix(200))) \(status)\n", status >= 400)
    }
}

extension ManagedIdentity: StreamHandler {
    func admit(_ request: HTTPRequest) -> HTTPResponse? {
        rejection(of: request).map { rejection in
            note(resource(in: request), rejection.status)
            return rejection.response
        }
    }

    func reject(_ status: Int, _ reason: String) -> HTTPResponse { Rejection(status: status, message: reason).response }

    func respond(to request: HTTPRequest, on stream: StreamedExchange) async -> Bool {
        let response = await response(to: request)
        note(resource(in: request), response.status)
        return stream.begin(response)
    }
}
