import Console
import Foundation
import KeyturnSystem
import MSAL
import OAuthCore

/// An API call of the terminal program: the exchanges of `keyturn call`, recorded, and the start of the body.
struct RecordedCall: Sendable {
    /// nil for the network.
    var transport: (any HTTPTransport)?
    var time: any TimeSource = SystemTime()
    /// Names the CA file if the application has none.
    var environment: [String: String] = [:]

    /// For a refresh that the API's own challenge doesn't ask for.
    private static let rejection = try? MSALChallenge(headers: ["Bearer error=\"invalid_token\""])

    /// In place of a token in a body: of one that was sent, or of any JSON Web Token.
    private static let token = "[token]"

    /// - Parameter application: the one whose tokens are sent. The API's server must be one that it trusts.
    func perform(
        _ application: MSALPublicClientApplication?, _ target: APITarget,
        _ onExchange: @escaping @Sendable (MSALFlowExchange) -> Void,
        _ token: (MSALChallenge?) async throws -> MSALResult?
    ) async throws -> APIResponse {
        do { return try await send(target, as: application, onExchange, token) } catch let failure as Failure {
            var report = Failure(changing: failure, at: time.now())
            report.headline = "The API call failed."
            throw report
        }
    }

    private func send(
        _ target: APITarget, as application: MSALPublicClientApplication?,
        _ onExchange: @escaping @Sendable (MSALFlowExchange) -> Void,
        _ token: (MSALChallenge?) async throws -> MSALResult?
    ) async throws -> APIResponse {
        guard let url = URL(string: target.address), HTTPRequest.Method(rawValue: target.method) != nil else {
            throw Failure(
                .failed, name: "method", "\(target.method) is not an HTTP method.",
                nextStep: "Use one of \(HTTPRequest.Method.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        let first = try APIRequest(url, method: target.method, headers: [], data: nil).call()
        let network = ExcerptTransport(
            curl: CurlTransport(named: application?.certificateAuthorityFile, environment: environment))
        let recorder = ExchangeRecorder(time: time, correlationID: UUID(), handler: onExchange)
        let recorded = recorder.recording(transport ?? network, as: .resource)
        let tokens = Locked<[String]>([])
        let (last, response) = try await APIConversation(first: first) { call in
            try await recorded.send(call.request)
        }.run { rejection in
            let isRejected = rejection?.means == .refreshed && rejection?.challenge?.rejectsToken != true
            // What the screen shows is the sign-in that the challenge asks for.
            guard rejection?.means != .signedIn,
                let result = try await token(isRejected ? Self.rejection : rejection?.challenge)
            else { throw TokenDesk.NoToken() }
            tokens.withLock { $0 += [result.accessToken, result.idToken].compactMap(\.self) }
            // Agreed for the URL, not for its origin.
            let isOfOrigin = application?.names(url, scopes: result.scopes) != false
            return TokenDesk.Token(result: result, resource: isOfOrigin ? nil : url)
        }
        var body = String(decoding: response.body, as: UTF8.self)
        for token in tokens.withLock(\.self) where !token.isEmpty { body = body.replacing(token, with: Self.token) }
        body.replace(#/eyJ[A-Za-z0-9_\-]{5,}\.[A-Za-z0-9_.\-]+/#, with: Self.token)
        let size = max(network.size, response.body.count)
        return APIResponse(
            status: response.status, mediaType: response.headers["Content-Type"] ?? "", size: size, body: body,
            advice: APIConversation.failure(response, to: last, hasBody: size > 0)?.advice ?? "")
    }
}

private struct ExcerptTransport: HTTPTransport {
    let curl: CurlTransport
    private let received = Locked(0)

    /// Of the last body, in bytes.
    var size: Int { received.withLock(\.self) }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        received.withLock { $0 = 0 }
        return try await curl.send(request) { [received] _, piece in
            received.withLock { size in
                size += piece.count
                // The start of each body is enough.
                return size <= 64 << 10 ? .collected : .taken
            }
        }
    }
}
