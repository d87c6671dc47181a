import Foundation
import OAuthCore

/// What to do with one request that reached the receiver. It decides by the request alone, not by what came before.
enum LoopbackReception: Equatable {
    /// It may be the answer; the address is as the authority made it, `form_post` turned into a query.
    case answer(URL)
    case resultPage
    case refuse(status: Int)

    /// Where the page is that the person ends on. It is not the redirect URI, so that no code stays in the address bar.
    static let resultPath = "/.keyturn/back-to-the-terminal"

    init(_ request: HTTPRequest, redirectURI: URL, port: UInt16) {
        guard LoopbackAddress.isOurs(request, port: port),
            let came = URLComponents(url: request.url, resolvingAgainstBaseURL: false),
            let expected = URLComponents(url: redirectURI, resolvingAgainstBaseURL: false)
        else {
            self = .refuse(status: 400)
            return
        }
        switch came.percentEncodedPath {
        case Self.resultPath:
            self = [.get, .head].contains(request.method) ? .resultPage : .refuse(status: 405)
        case expected.percentEncodedPath, expected.percentEncodedPath.isEmpty ? "/" : expected.percentEncodedPath:
            self = Self.answer(request, came, expected)
        default:
            self = .refuse(status: 404)
        }
    }

    private static func answer(
        _ request: HTTPRequest, _ came: URLComponents, _ expected: URLComponents
    ) -> LoopbackReception {
        var answer = expected
        switch request.method {
        case .get:
            answer.percentEncodedQuery = came.percentEncodedQuery
        case .post:
            let type = request.headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            guard type?.lowercased() == "application/x-www-form-urlencoded" else { return .refuse(status: 415) }
            // Through Parameters and back: whatever the body's bytes are, a query comes out.
            let form = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self)).formEncoded
            answer.percentEncodedQuery = [came.percentEncodedQuery, form].compactMap { $0 }.joined(separator: "&")
        case .head, .put, .delete, .options:
            return .refuse(status: 405)
        }
        return answer.url.map(LoopbackReception.answer) ?? .refuse(status: 400)
    }
}
