import Foundation
import OAuthCore

/// Classifies a request to the receiver, without state.
enum LoopbackReception: Equatable {
    /// A possible response, as the authority's URL. Fields of `form_post` are in the query.
    case response(URL)
    case resultPage
    /// A response to another path, in the URL.
    case elsewhere
    /// The browser sends the cookies of all programs that ever listened on this host.
    case oversized
    case reject(status: Int)

    /// The path of the last page. It differs from the redirect URI, so that no code remains in the browser's address
    /// bar.
    static let resultPath = "/.keyturn/back-to-the-terminal"

    init(_ request: HTTPRequest, redirectURI: URL, port: UInt16) {
        guard LoopbackAddress.isOurs(request, port: port),
            let came = URLComponents(url: request.url, resolvingAgainstBaseURL: false),
            let expected = URLComponents(url: redirectURI, resolvingAgainstBaseURL: false)
        else {
            self = .reject(status: 400)
            return
        }
        guard Self.headerBytes(request) <= RedirectVisit.mostHeaderBytes else {
            self = .oversized
            return
        }
        switch came.percentEncodedPath {
        case Self.resultPath:
            self = [.get, .head].contains(request.method) ? .resultPage : .reject(status: 405)
        case expected.percentEncodedPath, expected.percentEncodedPath.isEmpty ? "/" : expected.percentEncodedPath:
            self = Self.response(request, came, expected)
        default:
            self = IgnoredResponse(request.url)?.hasState == true ? .elsewhere : .reject(status: 404)
        }
    }

    private static func headerBytes(_ request: HTTPRequest) -> Int {
        request.headers.fields.reduce(request.url.absoluteString.utf8.count) { size, field in
            size + field.name.utf8.count + field.value.utf8.count + ": \r\n".utf8.count
        }
    }

    private static func response(
        _ request: HTTPRequest, _ came: URLComponents, _ expected: URLComponents
    ) -> LoopbackReception {
        var response = expected
        switch request.method {
        case .get:
            response.percentEncodedQuery = came.percentEncodedQuery
        case .post:
            let type = request.headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            guard type?.lowercased() == "application/x-www-form-urlencoded" else { return .reject(status: 415) }
            // Parsing and encoding turns any bytes into a valid query.
            let form = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self)).formEncoded
            response.percentEncodedQuery = [came.percentEncodedQuery, form].compactMap { $0 }.joined(separator: "&")
        default:
            return .reject(status: 405)
        }
        return response.url.map(LoopbackReception.response) ?? .reject(status: 400)
    }
}
